import { JobColumn, Extra } from '../abi/abiColumns';
import { Jobs, saveJobTableFields, restoreJobTableFields } from '../memory/state';
import * as walk from '../memory/columnWalk';
import * as columns from '../memory/columns';
import { clearBytes, at, put } from '../memory/memory';
import * as rowMoves from '../memory/rowMoves';
import { ADDRESS_SPACE_BYTES, JOB_TABLE_MAGIC, isJobTable, isInHostMemory } from './layout';
import { Status } from '../abi/abi';

/**
 * Lays out a job table for `count` (at least 1) jobs, with the optional columns in `extraColumnFlags`, a sum
 * of `Extra`; 0: none. Returns its size in bytes; if `table` is 0, only that. A table that would reach beyond
 * 4 GiB is not laid out.
 */
export function arrangeJobs(table: usize, count: i32, extraColumnFlags: i32): f64 {
  if (count < 1) return 0;
  const bytes = columns.placeJobColumns(table, count, extraColumnFlags);
  const fitsInMemory = <u64>table + bytes <= ADDRESS_SPACE_BYTES;
  if (!fitsInMemory || !isInHostMemory(table, offsetof<Jobs>())) return <f64>bytes;
  clearBytes(table, offsetof<Jobs>());
  const jobs = changetype<Jobs>(table);
  jobs.magic = JOB_TABLE_MAGIC;
  jobs.bytes = <u32>bytes;
  jobs.capacity = count;
  jobs.extras = extraColumnFlags;
  jobs.refused = -1;
  return <f64>bytes;
}

/**
 * Address of a `JobColumn`; 0 if the table does not have it. The host fills `Submit`, `Runtime`, `Estimate`,
 * `Processors`, `Home`, and optional columns.
 */
export function jobColumnAddress(table: usize, column: JobColumn): usize {
  if (!isJobTable(table)) return 0;
  walk.searchForColumn(column);
  columns.attachJobs(changetype<Jobs>(table));
  return walk.takeRequestedColumnAddress();
}

/** Job that `sealJobs` or `appendJobs` has refused; -1 if none. */
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

/** Checks the columns of all jobs, written by the host, and derives the others. */
export function sealJobs(table: usize): Status {
  if (!isJobTable(table)) return Status.NoJobTable;
  const jobs = changetype<Jobs>(table);
  jobs.identity = 0;
  return checkAndAppendJobs(jobs, jobs.capacity, false);
}

/**
 * Like `sealJobs`, for the next `count` (0 or more) jobs of the table, which runs with the option `Open`
 * then know. Their columns are written after the previous call, since it marks the end of the submissions. A
 * runtime of NaN, which is stored as +infinity, says that the end of the job is unknown: the run expects an
 * `endJob`. Refused jobs are not appended. `RoomTooSmall`: the table has fewer rows left.
 */
export function appendJobs(table: usize, count: i32): Status {
  return isJobTable(table) ? checkAndAppendJobs(changetype<Jobs>(table), count, true) : Status.NoJobTable;
}

/**
 * Checks the next `jobCount` jobs of a table and derives the other columns from them; the ends of jobs may be
 * unknown if `isOpenTable` is true.
 */
function checkAndAppendJobs(jobs: Jobs, jobCount: i32, isOpenTable: bool): Status {
  columns.attachJobs(jobs);
  jobs.refused = -1;
  if (jobs.identity === 0) resetJobTotals(jobs);
  if (jobCount < 0 || jobCount > jobs.capacity - jobs.count) return Status.RoomTooSmall;
  const from = jobs.count;
  const end = from + jobCount;
  for (let job = from; job < end; job++) {
    const runtime = at<f64>(columns.runtimes, job);
    if (isOpenTable && isNaN(runtime)) put<f64>(columns.runtimes, job, Infinity);
    const status = checkJob(jobs, job, isOpenTable);
    if (status === Status.Finished) continue;
    jobs.refused = job;
    return status;
  }
  saveJobTableFields(jobs);
  updateJobTotals(jobs, from, end);
  if ((jobs.extras & Extra.Dependencies) !== 0) linkDependentJobs(from, end);
  updateNarrowestWidths(columns.processors, from, end, 6, columns.narrowestOf64);
  updateNarrowestWidths(columns.processors, from, end, 12, columns.narrowestOf4096);
  jobs.identity = hashJobs(jobs, jobs.identity === 0 ? HASH_MULTIPLIER : jobs.identity, from, end);
  jobs.count = end;
  return Status.Finished;
}

/**
 * Takes back the jobs of the last `appendJobs`, which a run has refused; runs that know them refuse the table
 * from then on. `JobsUnsealed`: there are none.
 */
export function withdrawJobs(table: usize): Status {
  if (!isJobTable(table)) return Status.NoJobTable;
  const jobs = changetype<Jobs>(table);
  if (jobs.identity === 0) return Status.JobsUnsealed;
  columns.attachJobs(jobs);
  restoreJobTableFields(jobs);
  put<f64>(columns.loggedSubmits, jobs.count, Infinity);
  // Only the last append can be taken back, so a second withdrawal changes nothing.
  saveJobTableFields(jobs);
  return Status.Finished;
}

/** Sets the totals and extremes of a job table to those of a table without jobs. */
function resetJobTotals(jobs: Jobs): void {
  jobs.count = 0;
  jobs.widest = 0;
  jobs.lastHome = -1;
  jobs.longest = 0;
  jobs.shortest = Infinity;
  jobs.largest = 0;
  jobs.hasWholeSubmits = 1;
  jobs.cancelled = 0;
  jobs.hasUnknownEnds = 0;
  jobs.lastSiteSet = 0;
  put<f64>(columns.processorSums, 0, 0);
}

/**
 * Removes the rows of a table that `columns.rows` marks by -1; `keptRowCount` remain, of which those before
 * `from` stay where they are.
 */
export function removeJobRows(jobs: Jobs, from: i32, keptRowCount: i32): void {
  const end = jobs.count;
  rowMoves.compactColumn<u64>(columns.loggedSubmits, from, keptRowCount, end);
  rowMoves.compactColumn<u64>(columns.runtimes, from, keptRowCount, end);
  rowMoves.compactColumn<u64>(columns.requests, from, keptRowCount, end);
  rowMoves.compactColumn<i32>(columns.processors, from, keptRowCount, end);
  rowMoves.compactColumn<i32>(columns.homes, from, keptRowCount, end);
  if ((jobs.extras & Extra.Data) !== 0)
    rowMoves.compactColumn<u64>(columns.dataSizes, from, keptRowCount, end);
  if ((jobs.extras & Extra.Users) !== 0) rowMoves.compactColumn<i32>(columns.users, from, keptRowCount, end);
  if ((jobs.extras & Extra.Patience) !== 0)
    rowMoves.compactColumn<u64>(columns.patiences, from, keptRowCount, end);
  if ((jobs.extras & Extra.Sites) !== 0)
    rowMoves.compactColumn<i32>(columns.siteSets, from, keptRowCount, end);
  put<f64>(columns.loggedSubmits, keptRowCount, Infinity);
  let processorSum = at<f64>(columns.processorSums, from);
  for (let job = from; job < keptRowCount; job++) {
    processorSum += <f64>at<i32>(columns.processors, job);
    put<f64>(columns.processorSums, job + 1, processorSum);
  }
  updateNarrowestWidths(columns.processors, 0, keptRowCount, 6, columns.narrowestOf64);
  updateNarrowestWidths(columns.processors, 0, keptRowCount, 12, columns.narrowestOf4096);
  jobs.count = keptRowCount;
  jobs.identity = hashJobs(jobs, HASH_MULTIPLIER, 0, keptRowCount);
  // The jobs of the last append can no longer be withdrawn, because their rows have moved.
  saveJobTableFields(jobs);
}

/** True if the host's columns are unchanged since they were checked. */
export function areJobsUnchanged(jobs: Jobs): bool {
  return jobs.identity === hashJobs(jobs, HASH_MULTIPLIER, 0, jobs.count);
}

/**
 * Checks the columns of a job, and that it is not submitted before the previous job. Comparisons are written
 * so that NaN fails them.
 */
function checkJob(jobs: Jobs, job: i32, isOpenTable: bool): Status {
  const submit = at<f64>(columns.loggedSubmits, job);
  if (!(submit >= 0 && submit <= LATEST_SUBMIT)) return Status.JobSubmitInvalid;
  if (job > 0 && submit < at<f64>(columns.loggedSubmits, job - 1)) return Status.JobsUnsorted;
  const runtime = at<f64>(columns.runtimes, job);
  const isRuntimeKnown = !isOpenTable || runtime !== Infinity;
  if (isRuntimeKnown && (!isValidDuration(runtime) || (runtime > 0 && runtime < SHORTEST_TIME))) {
    return Status.JobRuntimeInvalid;
  }
  if (!isValidDuration(at<f64>(columns.requests, job))) return Status.JobEstimateInvalid;
  if (at<i32>(columns.processors, job) < 1) return Status.JobProcessorsInvalid;
  if (at<i32>(columns.homes, job) < 0) return Status.JobHomeInvalid;
  const hasDataSizes = (jobs.extras & Extra.Data) !== 0;
  if (hasDataSizes && !isValidDuration(at<f64>(columns.dataSizes, job))) return Status.JobDataInvalid;
  if ((jobs.extras & Extra.Users) !== 0) {
    const user = at<i32>(columns.users, job);
    if (user < -1 || user >= jobs.capacity) return Status.JobUserInvalid;
  }
  if ((jobs.extras & Extra.Patience) !== 0 && !isValidPatience(at<f64>(columns.patiences, job))) {
    return Status.JobPatienceInvalid;
  }
  const hasSiteSets = (jobs.extras & Extra.Sites) !== 0;
  if (hasSiteSets && at<i32>(columns.siteSets, job) < 0) return Status.JobSitesInvalid;
  if ((jobs.extras & Extra.Dependencies) === 0 || isDependencyValid(job)) return Status.Finished;
  return Status.JobDependencyInvalid;
}

@inline
function isValidPatience(patience: f64): bool {
  return patience === -1 || (patience >= 0 && patience <= LATEST_SUBMIT);
}

/** True if the job's dependency refers to an earlier job, or to the first piece of one. */
function isDependencyValid(job: i32): bool {
  const firstPiece = at<i32>(columns.firstPieces, job);
  if (firstPiece !== job && !(firstPiece >= 0 && firstPiece < job && isFirstPiece(firstPiece))) return false;
  const precedingJob = at<i32>(columns.precedingJobs, job);
  if (precedingJob !== -1 && !(precedingJob >= 0 && precedingJob < firstPiece && isFirstPiece(precedingJob)))
    return false;
  const thinkTime = at<f64>(columns.thinkTimes, job);
  return thinkTime >= 0 && thinkTime <= LONGEST_THINK_TIME;
}

@inline
function isFirstPiece(job: i32): bool {
  return at<i32>(columns.firstPieces, job) === job;
}

@inline
function isValidDuration(time: f64): bool {
  return time >= 0 && time < Infinity;
}

/** Adds the jobs [from, end) to the totals and extremes of the table. */
function updateJobTotals(jobs: Jobs, from: i32, end: i32): void {
  const submits = columns.loggedSubmits;
  let processorSum = at<f64>(columns.processorSums, from);
  let widest = jobs.widest;
  let highestHome = jobs.lastHome;
  let longestRuntime = jobs.longest;
  let shortestRuntime = jobs.shortest;
  let largestDataSize = jobs.largest;
  let areSubmitTimesWhole = jobs.hasWholeSubmits !== 0;
  for (let job = from; job < end; job++) {
    const width = at<i32>(columns.processors, job);
    const runtime = at<f64>(columns.runtimes, job);
    put<f64>(columns.processorSums, job, processorSum);
    processorSum += <f64>width;
    widest = max(widest, width);
    highestHome = max(highestHome, at<i32>(columns.homes, job));
    const isRuntimeKnown = runtime < Infinity;
    jobs.hasUnknownEnds |= i32(!isRuntimeKnown);
    longestRuntime = max<f64>(
      longestRuntime,
      max<f64>(isRuntimeKnown ? runtime : 0, at<f64>(columns.requests, job)),
    );
    if (runtime > 0) shortestRuntime = min<f64>(shortestRuntime, runtime);
    areSubmitTimesWhole = areSubmitTimesWhole && isWholeNumber(at<f64>(submits, job));
    if ((jobs.extras & Extra.Data) !== 0)
      largestDataSize = max<f64>(largestDataSize, at<f64>(columns.dataSizes, job));
    if ((jobs.extras & Extra.Dependencies) !== 0) {
      areSubmitTimesWhole = areSubmitTimesWhole && isWholeNumber(at<f64>(columns.thinkTimes, job));
    }
    if ((jobs.extras & Extra.Sites) !== 0) {
      jobs.lastSiteSet = max(jobs.lastSiteSet, at<i32>(columns.siteSets, job));
    }
    if ((jobs.extras & Extra.Patience) === 0) continue;
    areSubmitTimesWhole = areSubmitTimesWhole && isWholeNumber(at<f64>(columns.patiences, job));
    jobs.cancelled += i32(at<f64>(columns.patiences, job) >= 0);
  }
  put<f64>(columns.processorSums, end, processorSum);
  put<f64>(submits, end, Infinity);
  jobs.widest = widest;
  jobs.lastHome = highestHome;
  jobs.longest = longestRuntime;
  jobs.shortest = shortestRuntime;
  jobs.largest = largestDataSize;
  jobs.hasWholeSubmits = i32(areSubmitTimesWhole);
}

@inline
function isWholeNumber(time: f64): bool {
  return floor<f64>(time) === time;
}

/** Links the jobs [from, end) that depend on the same job into a list of that job. */
function linkDependentJobs(from: i32, end: i32): void {
  for (let job = from; job < end; job++) put<i32>(columns.firstDependents, job, 0);
  for (let job = end - 1; job >= from; job--) {
    const precedingJob = at<i32>(columns.precedingJobs, job);
    if (precedingJob < 0) continue;
    put<i32>(columns.nextDependents, job, at<i32>(columns.firstDependents, precedingJob));
    put<i32>(columns.firstDependents, precedingJob, job + 1);
  }
}

/** Odd multiplier for hashes, with evenly spread bits: 2^64 divided by the golden ratio. */
export const HASH_MULTIPLIER: u64 = 0x9e3779b97f4a7c15;

/** Returns a hash that also covers another 64-bit word. */
@inline
export function addToHash(hash: u64, word: u64): u64 {
  return rotl<u64>((hash ^ word) * HASH_MULTIPLIER, 29);
}

/** Continues a hash of the columns written by the host with the jobs [from, end); never 0. */
export function hashJobs(jobs: Jobs, hash: u64, from: i32, end: i32): u64 {
  let jobsHash = hash;
  for (let job = from; job < end; job++) {
    jobsHash = addToHash(jobsHash, at<u64>(columns.loggedSubmits, job));
    jobsHash = addToHash(jobsHash, at<u64>(columns.runtimes, job));
    jobsHash = addToHash(jobsHash, at<u64>(columns.requests, job));
    jobsHash = addToHash(jobsHash, packWords(at<u32>(columns.processors, job), at<u32>(columns.homes, job)));
    if ((jobs.extras & Extra.Data) !== 0) jobsHash = addToHash(jobsHash, at<u64>(columns.dataSizes, job));
    if ((jobs.extras & Extra.Users) !== 0) jobsHash = addToHash(jobsHash, at<u32>(columns.users, job));
    if ((jobs.extras & Extra.Sites) !== 0) jobsHash = addToHash(jobsHash, at<u32>(columns.siteSets, job));
    if ((jobs.extras & Extra.Patience) !== 0) jobsHash = addToHash(jobsHash, at<u64>(columns.patiences, job));
    if ((jobs.extras & Extra.Dependencies) !== 0) {
      jobsHash = addToHash(jobsHash, at<u64>(columns.thinkTimes, job));
      jobsHash = addToHash(
        jobsHash,
        packWords(at<u32>(columns.precedingJobs, job), at<u32>(columns.firstPieces, job)),
      );
    }
    jobsHash |= 1;
  }
  return jobsHash;
}

@inline
function packWords(upperWord: u32, lowerWord: u32): u64 {
  return ((<u64>upperWord) << 32) | lowerWord;
}

/** Adds the jobs [from, end) to the smallest width in each block of 2^`blockJobsLog2` jobs. */
function updateNarrowestWidths(
  processorsAddress: usize,
  from: i32,
  end: i32,
  blockJobsLog2: i32,
  narrowestAddress: usize,
): void {
  for (let job = from; job < end; job++) {
    const width = at<i32>(processorsAddress, job);
    const block = job >> blockJobsLog2;
    const isFirstJobOfBlock = (job & ((1 << blockJobsLog2) - 1)) === 0;
    put<i32>(
      narrowestAddress,
      block,
      isFirstJobOfBlock ? width : min(width, at<i32>(narrowestAddress, block)),
    );
  }
}
