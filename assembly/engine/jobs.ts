import { Status } from '../abi';
import { Extra, JobColumn } from '../abiColumns';
import { Jobs } from '../state';
import * as walk from '../columnWalk';
import * as columns from '../columns';
import { at, clear, put } from '../memory';
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

/** Checks the columns, derives the rest. */
export function sealJobs(table: usize): Status {
  if (!isJobTable(table)) return Status.NoJobTable;
  const jobs = changetype<Jobs>(table);
  columns.attachJobs(jobs);
  jobs.identity = 0;
  jobs.refused = -1;
  const submit = columns.submits;
  const runtime = columns.runtimes;
  const processors = columns.processors;
  const home = columns.homes;
  const processorSums = columns.processorSums;
  const estimate = columns.requests;
  let identity: u64 = SCATTER;
  let earlier: f64 = 0;
  let sum: f64 = 0;
  let widest = 0;
  let lastHome = -1;
  let longest: f64 = 0;
  let areWhole = true;
  for (let job = 0; job < jobs.count; job++) {
    const time = at<f64>(submit, job);
    const width = at<i32>(processors, job);
    let status = Status.Finished;
    // Written so that NaN fails each test.
    if (!(time >= 0 && time < Infinity)) status = Status.JobSubmitInvalid;
    else if (time < earlier) status = Status.JobsUnsorted;
    else if (!isDuration(at<f64>(runtime, job))) status = Status.JobRuntimeInvalid;
    else if (!isDuration(at<f64>(estimate, job))) status = Status.JobEstimateInvalid;
    else if (width < 1) status = Status.JobProcessorsInvalid;
    else if (at<i32>(home, job) < 0) status = Status.JobHomeInvalid;
    if (status !== Status.Finished) {
      jobs.refused = job;
      return status;
    }
    earlier = time;
    areWhole = areWhole && floor<f64>(time) === time;
    put<f64>(processorSums, job, sum);
    sum += <f64>width;
    widest = max(widest, width);
    lastHome = max(lastHome, at<i32>(home, job));
    longest = max<f64>(longest, max<f64>(at<f64>(runtime, job), at<f64>(estimate, job)));
    identity = stir(identity, reinterpret<u64>(time));
    identity = stir(identity, reinterpret<u64>(at<f64>(runtime, job)));
    identity = stir(identity, reinterpret<u64>(at<f64>(estimate, job)));
    identity = stir(identity, (<u64>width << 32) | at<i32>(home, job));
  }
  put<f64>(processorSums, jobs.count, sum);
  put<f64>(submit, jobs.count, Infinity);
  jobs.widest = widest;
  jobs.lastHome = lastHome;
  jobs.longest = longest;
  jobs.hasWholeSubmits = i32(areWhole);
  if ((jobs.extras & Extra.Data) !== 0) {
    identity = sealData(jobs, identity);
    if (jobs.refused >= 0) return Status.JobDataInvalid;
  }
  if ((jobs.extras & Extra.Users) !== 0) {
    identity = sealUsers(jobs, identity);
    if (jobs.refused >= 0) return Status.JobUserInvalid;
  }
  if ((jobs.extras & Extra.Dependencies) !== 0) {
    identity = sealDependencies(jobs, identity);
    if (jobs.refused >= 0) return Status.JobDependencyInvalid;
  }
  findNarrowest(processors, jobs.count, 6, columns.narrowestOf64);
  findNarrowest(processors, jobs.count, 12, columns.narrowestOf4096);
  jobs.identity = identity | 1;
  return Status.Finished;
}

/** Checks the bytes to transfer, which join the identity; names the job that is refused. */
function sealData(jobs: Jobs, identity: u64): u64 {
  for (let job = 0; job < jobs.count; job++) {
    const bytes = at<f64>(columns.data, job);
    if (!(bytes >= 0 && bytes < Infinity)) {
      jobs.refused = job;
      return 0;
    }
    jobs.largest = max<f64>(jobs.largest, bytes);
    identity = stir(identity, reinterpret<u64>(bytes));
  }
  return identity;
}

/** Checks the users, who join the identity; names the job that is refused. */
function sealUsers(jobs: Jobs, identity: u64): u64 {
  for (let job = 0; job < jobs.count; job++) {
    const user = at<i32>(columns.users, job);
    if (user < -1 || user >= jobs.count) {
      jobs.refused = job;
      return 0;
    }
    identity = stir(identity, user);
  }
  return identity;
}

/**
 * Checks which jobs depend on which, and links those that depend on the same; it joins the identity. Names
 * the job that is refused.
 */
function sealDependencies(jobs: Jobs, identity: u64): u64 {
  for (let job = 0; job < jobs.count; job++) {
    put<i32>(columns.firstDependents, job, 0);
    const thinkTime = at<f64>(columns.thinkTimes, job);
    const first = at<i32>(columns.firstPieces, job);
    const preceding = at<i32>(columns.precedingJobs, job);
    const isFirst = first === job || (first >= 0 && first < job && isFirstPiece(first));
    const isOrdered = preceding === -1 || (preceding >= 0 && preceding < first && isFirstPiece(preceding));
    if (!isFirst || !isOrdered || !isDuration(thinkTime)) {
      jobs.refused = job;
      return 0;
    }
    if (floor<f64>(thinkTime) !== thinkTime) jobs.hasWholeSubmits = 0;
    identity = stir(identity, reinterpret<u64>(thinkTime));
    identity = stir(identity, (<u64>preceding << 32) | first);
  }
  for (let job = jobs.count - 1; job >= 0; job--) {
    const preceding = at<i32>(columns.precedingJobs, job);
    if (preceding < 0) continue;
    put<i32>(columns.nextDependents, job, at<i32>(columns.firstDependents, preceding));
    put<i32>(columns.firstDependents, preceding, job + 1);
  }
  return identity;
}

@inline
function isFirstPiece(job: i32): bool {
  return at<i32>(columns.firstPieces, job) === job;
}

/** An odd number without a pattern (2^64 divided by the golden ratio). */
export const SCATTER: u64 = 0x9e3779b97f4a7c15;

/** A hash of what has been hashed and one word more. */
@inline
export function stir(hash: u64, word: u64): u64 {
  return rotl<u64>((hash ^ word) * SCATTER, 29);
}

@inline
function isDuration(time: f64): bool {
  return time >= 0 && time < Infinity;
}

/** The fewest processors of a job in each block of 1 << `shift` jobs. */
function findNarrowest(processors: usize, count: i32, shift: i32, narrowest: usize): void {
  for (let job = 0; job < count; job++) {
    const width = at<i32>(processors, job);
    const block = job >> shift;
    const isFirst = (job & ((1 << shift) - 1)) === 0;
    put<i32>(narrowest, block, isFirst ? width : min(width, at<i32>(narrowest, block)));
  }
}
