import { JobColumn } from '../abi/abiColumns';
import { Jobs } from '../memory/state';
import * as walk from '../memory/columnWalk';
import * as columns from '../memory/columns';
import { clear } from '../memory/memory';
import { ADDRESSES, JOBS, isJobTable, isProvided } from './blocks';

/**
 * Lays a job table of `count` (1 or more) jobs out, with the columns besides that a sum of `Extra` says; 0:
 * none. Returns its size in bytes; with `table` 0 it does only that. A table that would reach beyond 4 GiB is
 * not laid out.
 */
export function arrangeJobs(table: usize, count: i32, extras: i32): f64 {
  if (count < 1) return 0;
  const bytes = columns.placeJobs(table, count, extras);
  const fits = <u64>table + bytes <= ADDRESSES;
  if (!fits || !isProvided(table, offsetof<Jobs>())) return <f64>bytes;
  clear(table, offsetof<Jobs>());
  const jobs = changetype<Jobs>(table);
  jobs.magic = JOBS;
  jobs.bytes = <u32>bytes;
  jobs.count = count;
  jobs.extras = extras;
  jobs.refused = -1;
  return <f64>bytes;
}

/**
 * Address of a `JobColumn`; 0 for one that it has not. Fill `Submit`, `Runtime`, `Estimate`, `Processors`,
 * `Home`, and `Data` if it is there.
 */
export function jobColumnAddress(table: usize, which: JobColumn): usize {
  if (!isJobTable(table)) return 0;
  walk.want(which);
  columns.attachJobs(changetype<Jobs>(table));
  return walk.takeFound();
}

/** The job that `sealJobs` has refused, -1 if none. */
export function refusedJob(table: usize): i32 {
  return isJobTable(table) ? changetype<Jobs>(table).refused : -1;
}
