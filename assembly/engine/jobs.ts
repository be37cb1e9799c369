import { JobColumn, Extra } from '../abi/abiColumns';
import { Jobs } from '../memory/state';
import * as walk from '../memory/columnWalk';
import * as columns from '../memory/columns';
import { clear, at, put } from '../memory/memory';
import { ADDRESSES, JOBS, isJobTable, isProvided } from './layout';
import { Status } from '../abi/abi';

/**
 * Lays out a job table of `count` (at least 1) jobs, with the optional columns in `extras`, a sum of `Extra`;
 * 0: none. Returns its size in bytes; if `table` is 0, only that. A table that would reach beyond 4 GiB is
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
 * Address of a `JobColumn`; 0 if the table does not have it. The host fills `Submit`, `Runtime`, `Estimate`,
 * `Processors`, `Home`, and optional columns.
 */
export function jobColumnAddress(table: usize, which: JobColumn): usize {
  if (!isJobTable(table)) return 0;
  walk.wantColumn(which);
  columns.attachJobs(changetype<Jobs>(table));
  return walk.takeFoundAddress();
}

/** Job that `sealJobs` has refused; -1 if none. */
export function refusedJob(table: usize): i32 {
  return isJobTable(table) ? changetype<Jobs>(table).refused : -1;
}

/**
 * Shortest accepted positive runtime and execution in seconds; slowdowns of shorter jobs would overflow a
 * double.
 */
export const SHORTEST_TIME: f64 = 1e-250;

/** Latest accepted submission and longest think time in seconds; sums of these stay finite. */
const LATEST_SUBMIT: f64 = 1e300;
const LONGEST_THINK_TIME: f64 = 4e290;

/** Checks the columns written by the host, and derives the others. */
export function sealJobs(table: usize): Status {
  if (!isJobTable(table)) return Status.NoJobTable;
  const jobs = changetype<Jobs>(table);
  columns.attachJobs(jobs);
  jobs.identity = 0;
  jobs.refused = -1;
  for (let job = 0; job < jobs.count; job++) {
    const status = checkJob(jobs, job);
    if (status === Status.Finished) continue;
    jobs.refused = job;
    return status;
  }
  deriveFrom(jobs);
  if ((jobs.extras & Extra.Dependencies) !== 0) linkDependents(jobs);
  findNarrowest(columns.processors, jobs.count, 6, columns.narrowestOf64);
  findNarrowest(columns.processors, jobs.count, 12, columns.narrowestOf4096);
  jobs.identity = identityOf(jobs);
  return Status.Finished;
}

/** True if the host's columns are unchanged since `sealJobs`. */
export function isAsSealed(jobs: Jobs): bool {
  return jobs.identity === identityOf(jobs);
}

/** Checks a job and its order after the job before. Comparisons are written so that NaN fails them. */
function checkJob(jobs: Jobs, job: i32): Status {
  const submit = at<f64>(columns.loggedSubmits, job);
  if (!(submit >= 0 && submit <= LATEST_SUBMIT)) return Status.JobSubmitInvalid;
  if (job > 0 && submit < at<f64>(columns.loggedSubmits, job - 1)) return Status.JobsUnsorted;
  const runtime = at<f64>(columns.runtimes, job);
  if (!isDuration(runtime) || (runtime > 0 && runtime < SHORTEST_TIME)) return Status.JobRuntimeInvalid;
  if (!isDuration(at<f64>(columns.requests, job))) return Status.JobEstimateInvalid;
  if (at<i32>(columns.processors, job) < 1) return Status.JobProcessorsInvalid;
  if (at<i32>(columns.homes, job) < 0) return Status.JobHomeInvalid;
  const hasData = (jobs.extras & Extra.Data) !== 0;
  if (hasData && !isDuration(at<f64>(columns.dataSizes, job))) return Status.JobDataInvalid;
  if ((jobs.extras & Extra.Users) !== 0) {
    const user = at<i32>(columns.users, job);
    if (user < -1 || user >= jobs.count) return Status.JobUserInvalid;
  }
  if ((jobs.extras & Extra.Patience) !== 0 && !isPatience(at<f64>(columns.patiences, job))) {
    return Status.JobPatienceInvalid;
  }
  const hasSites = (jobs.extras & Extra.Sites) !== 0;
  if (hasSites && at<i32>(columns.siteSets, job) < 0) return Status.JobSitesInvalid;
  if ((jobs.extras & Extra.Dependencies) === 0 || isDependencyValid(job)) return Status.Finished;
  return Status.JobDependencyInvalid;
}

@inline
function isPatience(patience: f64): bool {
  return patience === -1 || (patience >= 0 && patience <= LATEST_SUBMIT);
}

/** True if the job's dependency refers to an earlier job, or to the first piece of one. */
function isDependencyValid(job: i32): bool {
  const first = at<i32>(columns.firstPieces, job);
  if (first !== job && !(first >= 0 && first < job && isFirstPiece(first))) return false;
  const preceding = at<i32>(columns.precedingJobs, job);
  if (preceding !== -1 && !(preceding >= 0 && preceding < first && isFirstPiece(preceding))) return false;
  const thinkTime = at<f64>(columns.thinkTimes, job);
  return thinkTime >= 0 && thinkTime <= LONGEST_THINK_TIME;
}

@inline
function isFirstPiece(job: i32): bool {
  return at<i32>(columns.firstPieces, job) === job;
}

@inline
function isDuration(time: f64): bool {
  return time >= 0 && time < Infinity;
}

/** Computes totals and extremes over all jobs. */
function deriveFrom(jobs: Jobs): void {
  const count = jobs.count;
  const submits = columns.loggedSubmits;
  let sum: f64 = 0;
  let widest = 0;
  let lastHome = -1;
  let longest: f64 = 0;
  let shortest: f64 = Infinity;
  let largest: f64 = 0;
  let areWhole = true;
  jobs.cancelled = 0;
  jobs.lastSiteSet = 0;
  for (let job = 0; job < count; job++) {
    const width = at<i32>(columns.processors, job);
    const runtime = at<f64>(columns.runtimes, job);
    put<f64>(columns.processorSums, job, sum);
    sum += <f64>width;
    widest = max(widest, width);
    lastHome = max(lastHome, at<i32>(columns.homes, job));
    longest = max<f64>(longest, max<f64>(runtime, at<f64>(columns.requests, job)));
    if (runtime > 0) shortest = min<f64>(shortest, runtime);
    areWhole = areWhole && isWhole(at<f64>(submits, job));
    if ((jobs.extras & Extra.Data) !== 0) largest = max<f64>(largest, at<f64>(columns.dataSizes, job));
    if ((jobs.extras & Extra.Dependencies) !== 0) {
      areWhole = areWhole && isWhole(at<f64>(columns.thinkTimes, job));
    }
    if ((jobs.extras & Extra.Sites) !== 0) {
      jobs.lastSiteSet = max(jobs.lastSiteSet, at<i32>(columns.siteSets, job));
    }
    if ((jobs.extras & Extra.Patience) === 0) continue;
    areWhole = areWhole && isWhole(at<f64>(columns.patiences, job));
    jobs.cancelled += i32(at<f64>(columns.patiences, job) >= 0);
  }
  put<f64>(columns.processorSums, count, sum);
  put<f64>(submits, count, Infinity);
  jobs.widest = widest;
  jobs.lastHome = lastHome;
  jobs.longest = longest;
  jobs.shortest = shortest;
  jobs.largest = largest;
  jobs.hasWholeSubmits = i32(areWhole);
}

@inline
function isWhole(time: f64): bool {
  return floor<f64>(time) === time;
}

/** Links the jobs that depend on the same job. */
function linkDependents(jobs: Jobs): void {
  for (let job = 0; job < jobs.count; job++) put<i32>(columns.firstDependents, job, 0);
  for (let job = jobs.count - 1; job >= 0; job--) {
    const preceding = at<i32>(columns.precedingJobs, job);
    if (preceding < 0) continue;
    put<i32>(columns.nextDependents, job, at<i32>(columns.firstDependents, preceding));
    put<i32>(columns.firstDependents, preceding, job + 1);
  }
}

/** Odd multiplier for hashes, with evenly spread bits: 2^64 divided by the golden ratio. */
export const SCATTER: u64 = 0x9e3779b97f4a7c15;

/** Adds a word to a hash. */
@inline
export function stir(hash: u64, word: u64): u64 {
  return rotl<u64>((hash ^ word) * SCATTER, 29);
}

/** Hash of all columns written by the host, never 0. */
function identityOf(jobs: Jobs): u64 {
  let identity: u64 = SCATTER;
  for (let job = 0; job < jobs.count; job++) {
    identity = stir(identity, at<u64>(columns.loggedSubmits, job));
    identity = stir(identity, at<u64>(columns.runtimes, job));
    identity = stir(identity, at<u64>(columns.requests, job));
    identity = stir(identity, pair(at<u32>(columns.processors, job), at<u32>(columns.homes, job)));
    if ((jobs.extras & Extra.Data) !== 0) identity = stir(identity, at<u64>(columns.dataSizes, job));
    if ((jobs.extras & Extra.Users) !== 0) identity = stir(identity, at<u32>(columns.users, job));
    if ((jobs.extras & Extra.Sites) !== 0) identity = stir(identity, at<u32>(columns.siteSets, job));
    if ((jobs.extras & Extra.Patience) !== 0) identity = stir(identity, at<u64>(columns.patiences, job));
    if ((jobs.extras & Extra.Dependencies) === 0) continue;
    identity = stir(identity, at<u64>(columns.thinkTimes, job));
    identity = stir(identity, pair(at<u32>(columns.precedingJobs, job), at<u32>(columns.firstPieces, job)));
  }
  return identity | 1;
}

@inline
function pair(upper: u32, lower: u32): u64 {
  return ((<u64>upper) << 32) | lower;
}

/** Writes the smallest width among the jobs in each block of 1 << `shift` jobs. */
function findNarrowest(processors: usize, count: i32, shift: i32, narrowest: usize): void {
  for (let job = 0; job < count; job++) {
    const width = at<i32>(processors, job);
    const block = job >> shift;
    const isFirst = (job & ((1 << shift) - 1)) === 0;
    put<i32>(narrowest, block, isFirst ? width : min(width, at<i32>(narrowest, block)));
  }
}
