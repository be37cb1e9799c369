/** The columns of a job table; columns.ts says how. */
import { JobColumn } from './abiColumns';
import * as walk from './columnWalk';
import { column, shown } from './columnWalk';
import { Jobs } from './state';

export let submits: usize = 0;
export let runtimes: usize = 0;
export let processors: usize = 0;
export let homes: usize = 0;
export let processorSums: usize = 0;
export let estimates: usize = 0;
export let data: usize = 0;
export let narrowestOf64: usize = 0;
export let narrowestOf4096: usize = 0;

/** Makes the columns of a job table the ones at hand. */
@inline
export function attachJobs(jobs: Jobs): void {
  placeJobs(changetype<usize>(jobs), jobs.count, jobs.hasData);
}

/** The columns of a table of so many jobs, with or without bytes to transfer; returns its size in bytes. */
export function placeJobs(table: usize, count: i32, hasData: i32): u64 {
  walk.begin(table + offsetof<Jobs>());
  // One entry more: +infinity behind the last submit, and the processors of all jobs.
  submits = shown<f64>(JobColumn.Submit, <i64>count + 1);
  runtimes = shown<f64>(JobColumn.Runtime, count);
  processorSums = shown<f64>(JobColumn.Demand, <i64>count + 1);
  processors = shown<i32>(JobColumn.Processors, count);
  homes = shown<i32>(JobColumn.Home, count);
  estimates = shown<f64>(JobColumn.Estimate, count);
  data = hasData !== 0 ? shown<f64>(JobColumn.Data, count) : 0;
  narrowestOf64 = column<i32>((count >> 6) + 1);
  narrowestOf4096 = column<i32>((count >> 12) + 1);
  return walk.end - table;
}
