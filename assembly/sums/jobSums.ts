import { Limit } from '../abi/abi';
import { Simulation } from '../memory/state';
import {
  SumKind,
  sumIndexOfSite,
  ENTRIES_PER_TOTAL,
  mayQueueTimeDifferFromWaits,
  queuedSumIndex,
  sumIndexOfHome,
} from './sums';
import * as columns from '../memory/columns';
import { at, clearBytes, copyBytes, put } from '../memory/memory';
import * as exact from './exactSum';
import { IS_CHECKED_BUILD, Invariant, check } from '../memory/check';

/** Terms of sums for a single job; formulas in docs/results.md. */

/**
 * Slowdown from wait and execution; not from the response, in which a short execution may be lost to
 * rounding.
 */
@inline
function slowdown(wait: f64, execution: f64): f64 {
  return execution > 0 ? (wait + execution) / execution : 1;
}

/** Slowdown in which short executions count as `Limit.BoundedExecution` seconds. */
@inline
function boundedSlowdown(wait: f64, execution: f64): f64 {
  return greaterNonNegative(
    1,
    (wait + execution) / greaterNonNegative(<f64>Limit.BoundedExecution, execution),
  );
}

/** Maximum of two non-negative numbers, by their bits, without a branch. */
@inline
function greaterNonNegative(time: f64, otherTime: f64): f64 {
  const bits = reinterpret<i64>(time);
  const otherBits = reinterpret<i64>(otherTime);
  return reinterpret<f64>(select<i64>(bits, otherBits, bits > otherBits));
}

/** True if all times of a job are whole seconds. */
function areWhole(submit: f64, start: f64, execution: f64): bool {
  return floor<f64>(submit) === submit && floor<f64>(start) === start && floor<f64>(execution) === execution;
}

/** Exact sums over jobs: doubles together with their rounding errors. */

/** Address of the entries (sums.ts) of a sum in a column of totals. */
@inline
export function totalAddressInColumn(totalsAddress: usize, sum: i32): usize {
  return totalsAddress + <usize>(<i32>ENTRIES_PER_TOTAL * sum) * sizeof<f64>();
}

@inline
export function totalAddressOfSum(sum: i32): usize {
  return totalAddressInColumn(columns.totals, sum);
}

/** Adds terms as doubles and collects the rounding errors. */
@final
@unmanaged
export class SumsWithRoundingErrors {
  @inline
  add(sum: i32, term: f64): void {
    const sumTotalAddress = totalAddressInColumn(changetype<usize>(this), sum);
    const totalBefore = at<f64>(sumTotalAddress, 0);
    const totalAfter = totalBefore + term;
    put<f64>(
      sumTotalAddress,
      1,
      at<f64>(sumTotalAddress, 1) + exact.roundingErrorOfPartialAddition(totalBefore, term, totalAfter),
    );
    put<f64>(sumTotalAddress, 0, totalAfter);
  }
}

/** True if the terms of a sum are times, or times multiplied by processors. */
@inline
function isTimeSum(sum: i32): bool {
  return sum !== SumKind.Slowdown && sum !== SumKind.BoundedSlowdown;
}

@inline
export function sumCountOf(simulation: Simulation): i32 {
  return queuedSumIndex(simulation) + (mayQueueTimeDifferFromWaits(simulation) ? 2 : 0);
}

/** Returns a sum after rounding. */
@inline
export function totalOfSum(sum: i32): f64 {
  return at<f64>(totalAddressOfSum(sum), 0);
}

/** Sets a sum to its rounded value. */
@inline
export function setTotalOfSum(sum: i32, total: f64): void {
  put<f64>(totalAddressOfSum(sum), 0, total);
}

/** Resets counts and extremes of jobs. */
export function clearJobCounts(simulation: Simulation): void {
  const firstFieldOffset = offsetof<Simulation>('maxWait');
  clearBytes(
    changetype<usize>(simulation) + firstFieldOffset,
    offsetof<Simulation>('countedJobCount') - firstFieldOffset,
  );
  clearBytes(columns.siteJobs, columns.accounts - columns.siteJobs);
}

/** Sets all sums to 0. */
export function clearTotals(simulation: Simulation): void {
  clearBytes(columns.totals, totalAddressOfSum(sumCountOf(simulation)) - columns.totals);
}

/**
 * Initializes the sums with the accounts, which contain no jobs but the processor-seconds of preempted
 * executions.
 */
export function initializeTotalsFromAccounts(simulation: Simulation): void {
  for (let index = 0; index < sumCountOf(simulation); index++) {
    const accountSumAddress = exact.sumAt(columns.accounts, index);
    const roundedTotal = exact.roundedSum(accountSumAddress);
    exact.add(accountSumAddress, -roundedTotal);
    put<f64>(totalAddressOfSum(index), 0, roundedTotal);
    put<f64>(totalAddressOfSum(index), 1, exact.roundedSum(accountSumAddress));
    exact.add(accountSumAddress, roundedTotal);
  }
}

/**
 * Rounds the first `sumCount` sums of jobs submitted in [from, until]; a sum whose last bit is not determined
 * is computed again exactly.
 */
export function settleTotals(simulation: Simulation, sumCount: i32, from: f64, until: f64): void {
  const totalWait = totalOfSum(SumKind.Wait);
  // The sum of a site has two more terms if executions were preempted.
  const termCount = simulation.knownJobs + 2;
  for (let index = 0; index < sumCount; index++) {
    const roundedTotal = totalOfSum(index);
    // All terms are non-negative, except those of queue times. For whole terms the rounding errors are whole,
    // too.
    let absoluteSum =
      index === queuedSumIndex(simulation) ? abs<f64>(roundedTotal) + 2 * totalWait : roundedTotal;
    if (simulation.hasWholeTimes !== 0 && isTimeSum(index)) absoluteSum = 0;
    const settledTotal = exact.roundedValueIfDetermined(
      roundedTotal,
      at<f64>(totalAddressOfSum(index), 1),
      absoluteSum,
      termCount,
    );
    setTotalOfSum(index, isNaN(settledTotal) ? sumExactly(simulation, index, from, until) : settledTotal);
  }
}

/** Computes a sum exactly; over all jobs, it starts with the accounts, which have no jobs yet. */
function sumExactly(simulation: Simulation, index: i32, from: f64, until: f64): f64 {
  const exactSumAddress = columns.exactSum;
  if (doesWindowCoverAllJobs(from, until))
    copyBytes(exactSumAddress, exact.sumAt(columns.accounts, index), exact.ENTRIES_PER_SUM * sizeof<u64>());
  else exact.reset(exactSumAddress);
  const sums = changetype<SumsWithoutError>(exactSumAddress);
  for (let job = 0; job < simulation.knownJobs; job++) {
    if (isSubmitWithin(job, from, until))
      addTerms<SumsWithoutError>(sums, simulation, index, job, job + 1, false);
  }
  return exact.roundedSum(exactSumAddress);
}

/** True if a window of submission times excludes no job. */
@inline
export function doesWindowCoverAllJobs(from: f64, until: f64): bool {
  return from === -Infinity && until === Infinity;
}

/**
 * First job from `job` on whose submission is in [from, until] (or is not, if `isInsideWindow` is false); the
 * number of jobs if none.
 */
function nextMeasuredJob(simulation: Simulation, job: i32, from: f64, until: f64, isInsideWindow: bool): i32 {
  while (job < simulation.knownJobs && isJobMeasured(simulation, job, from, until) !== isInsideWindow) job++;
  return job;
}

/** True if a job counts in the means over the jobs submitted in [from, until]. */
@inline
export function isJobMeasured(simulation: Simulation, job: i32, from: f64, until: f64): bool {
  return isSubmitWithin(job, from, until) && !columns.isCancelled(simulation, job);
}

@inline
function isSubmitWithin(job: i32, from: f64, until: f64): bool {
  return at<f64>(columns.submits, job) >= from && at<f64>(columns.submits, job) <= until;
}

/** Adds the jobs submitted in [from, until] to the sums without counting them; returns their number. */
export function addJobsSubmittedBetween(simulation: Simulation, from: f64, until: f64): i32 {
  const totals = changetype<SumsWithoutJobCount>(columns.totals);
  let count = 0;
  let firstJob = nextMeasuredJob(simulation, 0, from, until, true);
  while (firstJob < simulation.knownJobs) {
    const end = nextMeasuredJob(simulation, firstJob, from, until, false);
    addJobs<SumsWithoutJobCount>(totals, simulation, firstJob, end, false);
    count += end - firstJob;
    firstJob = nextMeasuredJob(simulation, end, from, until, true);
  }
  return count;
}

/** Sums to which jobs are added that have been counted before. */
@final
@unmanaged
class SumsWithoutJobCount {
  @inline
  add(sum: i32, term: f64): void {
    changetype<SumsWithRoundingErrors>(changetype<usize>(this)).add(sum, term);
  }

  @inline
  countsNothing(): void {}
}

/** Single exact sum, to which all terms are added. */
@final
@unmanaged
class SumsWithoutError {
  @inline
  add(_: i32, term: f64): void {
    exact.add(changetype<usize>(this), term);
  }
}

/** Summation of jobs, block by block if all times are whole. */

/**
 * Number of jobs per block, whose whole times are added to plain doubles; and the limit up to which these are
 * exact, 2^53.
 */
const JOBS_PER_BLOCK: i32 = 256;
const MAX_EXACT_WHOLE_NUMBER: f64 = 9007199254740992;

/** Sums of one block. */
@final
@unmanaged
class SumsOfBlock {
  @inline
  add(sum: i32, term: f64): void {
    const sumTotalAddress = totalAddressInColumn(changetype<usize>(this), sum);
    put<f64>(sumTotalAddress, 2, at<f64>(sumTotalAddress, 2) + term);
  }
}

/**
 * Adds the jobs [firstIndex, end), by index or by position in `countedJobs`, to sums; formulas in
 * docs/results.md.
 */
export function addJobs<A>(
  sums: A,
  simulation: Simulation,
  firstIndex: i32,
  end: i32,
  areCountedJobsListed: bool,
): void {
  if (simulation.hasWholeTimes === 0) {
    for (let index = firstIndex; index < end; index++) {
      addJobToSums<A, A>(sums, sums, simulation, countedJobAt(index, areCountedJobsListed));
    }
    return;
  }
  const blockSums = changetype<SumsOfBlock>(columns.totals);
  while (firstIndex < end) {
    const blockEnd = min(firstIndex + JOBS_PER_BLOCK, end);
    for (let index = firstIndex; index < blockEnd; index++) {
      addJobToSums<A, SumsOfBlock>(sums, blockSums, simulation, countedJobAt(index, areCountedJobsListed));
    }
    for (let sum = 0; sum < sumCountOf(simulation); sum++) {
      const blockTotal = at<f64>(totalAddressOfSum(sum), 2);
      put<f64>(totalAddressOfSum(sum), 2, 0);
      // Terms are non-negative, so an exact total implies exact partial sums.
      if (blockTotal < MAX_EXACT_WHOLE_NUMBER) sums.add(sum, blockTotal);
      else addTerms<A>(sums, simulation, sum, firstIndex, blockEnd, areCountedJobsListed);
    }
    firstIndex = blockEnd;
  }
}

@inline
function countedJobAt(index: i32, areJobsListed: bool): i32 {
  return areJobsListed ? at<i32>(columns.countedJobs, index) : index;
}

/** Index of the only sum that `SumsOfOneIndex` adds to. */
let onlySumIndex: i32 = 0;

/** Adds terms to a single sum; jobs are not counted again. */
@final
@unmanaged
class SumsOfOneIndex<A> {
  @inline
  add(sum: i32, term: f64): void {
    if (sum === onlySumIndex) changetype<A>(changetype<usize>(this)).add(sum, term);
  }

  @inline
  countsNothing(): void {}
}

/** Adds the terms of the jobs one by one to a single sum. */
function addTerms<A>(
  sums: A,
  simulation: Simulation,
  sum: i32,
  firstIndex: i32,
  end: i32,
  areCountedJobsListed: bool,
): void {
  onlySumIndex = sum;
  const singleSums = changetype<SumsOfOneIndex<A>>(changetype<usize>(sums));
  for (let index = firstIndex; index < end; index++) {
    addJobToSums<SumsOfOneIndex<A>, SumsOfOneIndex<A>>(
      singleSums,
      singleSums,
      simulation,
      countedJobAt(index, areCountedJobsListed),
    );
  }
}

/** Adds the terms of a job, whole times to `times` and all others to `sums`, and counts the job. */
@inline
function addJobToSums<A, T>(sums: A, times: T, simulation: Simulation, job: i32): void {
  if (columns.isCancelled(simulation, job)) {
    addCancelledJob<A, T>(sums, times, simulation, job);
    return;
  }
  const processors = at<i32>(columns.processors, job);
  const allocatedProcessors =
    simulation.moldable !== 0 ? at<i32>(columns.allocatedProcessorColumn, job) : processors;
  const home = at<i32>(columns.homes, job);
  const submit = at<f64>(columns.submits, job);
  const start = at<f64>(columns.starts, job);
  const execution = at<f64>(columns.executions, job);
  if (IS_CHECKED_BUILD && simulation.hasWholeTimes !== 0) {
    check(areWhole(submit, start, execution), Invariant.WholeTimes);
  }
  const wait = start - submit;
  const responseTime = start + execution - submit;
  const jobWeight = <f64>allocatedProcessors * execution;
  times.add(SumKind.Response, responseTime);
  times.add(SumKind.Wait, wait);
  sums.add(SumKind.Slowdown, slowdown(wait, execution));
  sums.add(SumKind.BoundedSlowdown, boundedSlowdown(wait, execution));
  times.add(SumKind.Weight, jobWeight);
  times.add(SumKind.WeightedResponse, jobWeight * responseTime);
  times.add(SumKind.WeightedWait, jobWeight * wait);
  if (mayQueueTimeDifferFromWaits(simulation)) {
    const lostSeconds: f64 = simulation.preempts !== 0 ? at<f64>(columns.lostTimes, job) : 0;
    times.add(queuedSumIndex(simulation), wait - lostSeconds);
  }
  times.add(sumIndexOfHome(home), responseTime);
  if (!isDefined(sums.countsNothing)) {
    if (simulation.moldable !== 0) {
      simulation.scaledDownJobs += i32(allocatedProcessors < processors);
      simulation.scaledUpJobs += i32(allocatedProcessors > processors);
    }
    count(columns.homeJobs, home);
    simulation.maxWait = greaterNonNegative(simulation.maxWait, wait);
    simulation.lastEnd = greaterNonNegative(simulation.lastEnd, start + execution);
  }
  const part = simulation.partCapacity > 0 ? at<i32>(columns.partIndices, job) : -1;
  if (part >= 0) {
    addPartsOfJob<A, T>(sums, times, simulation, home, part, allocatedProcessors, execution);
    return;
  }
  const site = at<i32>(columns.sites, job);
  times.add(sumIndexOfSite(simulation, site), jobWeight);
  if (!isDefined(sums.countsNothing)) {
    count(columns.siteJobs, site);
    simulation.movedJobs += i32(site !== home);
  }
}

/** Adds a cancelled job to the sums of queues and sites, where it has waited and perhaps run. */
function addCancelledJob<A, T>(sums: A, times: T, simulation: Simulation, job: i32): void {
  const start = at<f64>(columns.starts, job);
  const lostSeconds: f64 = simulation.preempts !== 0 ? at<f64>(columns.lostTimes, job) : 0;
  times.add(queuedSumIndex(simulation), start - at<f64>(columns.submits, job) - lostSeconds);
  const site = at<i32>(columns.sites, job);
  if (site < 0) return;
  const execution = at<f64>(columns.executions, job);
  times.add(sumIndexOfSite(simulation, site), <f64>at<i32>(columns.processors, job) * execution);
  if (isDefined(sums.countsNothing)) return;
  count(columns.siteJobs, site);
  simulation.lastEnd = greaterNonNegative(simulation.lastEnd, start + execution);
}

/** Adds the site terms of a split job, whose first part is in the log. */
function addPartsOfJob<A, T>(
  sums: A,
  times: T,
  simulation: Simulation,
  home: i32,
  part: i32,
  processors: i32,
  execution: f64,
): void {
  const isJobSplit = at<i32>(columns.parts, 2 * part + 1) < processors;
  let hasPartAwayFromHome = false;
  for (let remainingProcessors = processors; remainingProcessors > 0; part++) {
    const site = at<i32>(columns.parts, 2 * part);
    const share = at<i32>(columns.parts, 2 * part + 1);
    times.add(sumIndexOfSite(simulation, site), <f64>share * execution);
    if (!isDefined(sums.countsNothing)) count(columns.siteJobs, site);
    hasPartAwayFromHome = hasPartAwayFromHome || site !== home;
    remainingProcessors -= share;
  }
  if (isDefined(sums.countsNothing)) return;
  simulation.splitJobs += i32(isJobSplit);
  simulation.movedJobs += i32(hasPartAwayFromHome);
}

@inline
function count(column: usize, index: i32): void {
  put<f64>(column, index, at<f64>(column, index) + 1);
}
