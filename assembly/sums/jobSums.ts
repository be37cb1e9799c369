import { Limit } from '../abi/abi';
import { Simulation } from '../memory/state';
import { SumKind, sumOfSite, ENTRIES_PER_TOTAL, countsQueued, sumQueued, sumOfHome } from './sums';
import * as columns from '../memory/columns';
import { at, clear, copyBytes, put } from '../memory/memory';
import * as exact from './exactSum';
import { CHECKED, Invariant, check } from '../memory/check';

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
  return greaterTime(1, (wait + execution) / greaterTime(<f64>Limit.BoundedExecution, execution));
}

/** Maximum of two non-negative numbers, by their bits, without a branch. */
@inline
function greaterTime(time: f64, otherTime: f64): f64 {
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
export function totalInColumn(totalsAddress: usize, sum: i32): usize {
  return totalsAddress + <usize>(<i32>ENTRIES_PER_TOTAL * sum) * sizeof<f64>();
}

@inline
export function totalAddress(sum: i32): usize {
  return totalInColumn(columns.totals, sum);
}

/** Adds terms as doubles and collects the rounding errors. */
@final
@unmanaged
export class SumsWithLosses {
  @inline
  add(sum: i32, term: f64): void {
    const sumTotalAddress = totalInColumn(changetype<usize>(this), sum);
    const totalBefore = at<f64>(sumTotalAddress, 0);
    const totalAfter = totalBefore + term;
    put<f64>(
      sumTotalAddress,
      1,
      at<f64>(sumTotalAddress, 1) + exact.lostInPartialAddition(totalBefore, term, totalAfter),
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
export function sumsOf(simulation: Simulation): i32 {
  return sumQueued(simulation) + (countsQueued(simulation) ? 2 : 0);
}

/** Returns a sum after rounding. */
@inline
export function totalValue(sum: i32): f64 {
  return at<f64>(totalAddress(sum), 0);
}

/** Sets a sum to its rounded value. */
@inline
export function setTotal(sum: i32, total: f64): void {
  put<f64>(totalAddress(sum), 0, total);
}

/** Resets counts and extremes of jobs. */
export function clearCounts(simulation: Simulation): void {
  const firstOffset = offsetof<Simulation>('maxWait');
  clear(changetype<usize>(simulation) + firstOffset, offsetof<Simulation>('countedJobCount') - firstOffset);
  clear(columns.siteJobs, columns.accounts - columns.siteJobs);
}

/** Sets all sums to 0. */
export function clearTotals(simulation: Simulation): void {
  clear(columns.totals, totalAddress(sumsOf(simulation)) - columns.totals);
}

/**
 * Initializes the sums with the accounts, which contain no jobs but the processor-seconds of preempted
 * executions.
 */
export function beginWithAccounts(simulation: Simulation): void {
  for (let index = 0; index < sumsOf(simulation); index++) {
    const accountSumAddress = exact.sumAt(columns.accounts, index);
    const roundedTotal = exact.roundedSum(accountSumAddress);
    exact.add(accountSumAddress, -roundedTotal);
    put<f64>(totalAddress(index), 0, roundedTotal);
    put<f64>(totalAddress(index), 1, exact.roundedSum(accountSumAddress));
    exact.add(accountSumAddress, roundedTotal);
  }
}

/**
 * Rounds the first `sumCount` sums of jobs submitted in [from, until]; a sum whose last bit is not determined
 * is computed again exactly.
 */
export function settleTotals(simulation: Simulation, sumCount: i32, from: f64, until: f64): void {
  const totalWait = totalValue(SumKind.Wait);
  // The sum of a site has two more terms if executions were preempted.
  const termCount = simulation.knownJobs + 2;
  for (let index = 0; index < sumCount; index++) {
    const roundedTotal = totalValue(index);
    // All terms are non-negative, except those of queue times. For whole terms the rounding errors are whole,
    // too.
    let absoluteSum = index === sumQueued(simulation) ? abs<f64>(roundedTotal) + 2 * totalWait : roundedTotal;
    if (simulation.hasWholeTimes !== 0 && isTimeSum(index)) absoluteSum = 0;
    const settledTotal = exact.settledValue(
      roundedTotal,
      at<f64>(totalAddress(index), 1),
      absoluteSum,
      termCount,
    );
    setTotal(index, isNaN(settledTotal) ? sumExactly(simulation, index, from, until) : settledTotal);
  }
}

/** Computes a sum exactly; over all jobs, it starts with the accounts, which have no jobs yet. */
function sumExactly(simulation: Simulation, index: i32, from: f64, until: f64): f64 {
  const exactSumAddress = columns.exactSum;
  if (coversAllJobs(from, until))
    copyBytes(exactSumAddress, exact.sumAt(columns.accounts, index), exact.ENTRIES * sizeof<u64>());
  else exact.reset(exactSumAddress);
  const sums = changetype<SumsWithoutError>(exactSumAddress);
  for (let job = 0; job < simulation.knownJobs; job++) {
    if (isWithin(job, from, until)) addTerms<SumsWithoutError>(sums, simulation, index, job, job + 1, false);
  }
  return exact.roundedSum(exactSumAddress);
}

/** True if a window of submission times excludes no job. */
@inline
export function coversAllJobs(from: f64, until: f64): bool {
  return from === -Infinity && until === Infinity;
}

/**
 * First job from `job` on whose submission is in [from, until] (or is not, if `isInsideWindow` is false); the
 * number of jobs if none.
 */
function nextJob(simulation: Simulation, job: i32, from: f64, until: f64, isInsideWindow: bool): i32 {
  while (job < simulation.knownJobs && isMeasured(simulation, job, from, until) !== isInsideWindow) job++;
  return job;
}

/** True if a job counts in the means over the jobs submitted in [from, until]. */
@inline
export function isMeasured(simulation: Simulation, job: i32, from: f64, until: f64): bool {
  return isWithin(job, from, until) && !columns.isCancelled(simulation, job);
}

@inline
function isWithin(job: i32, from: f64, until: f64): bool {
  return at<f64>(columns.submits, job) >= from && at<f64>(columns.submits, job) <= until;
}

/** Adds the jobs submitted in [from, until] to the sums without counting them; returns their number. */
export function addBetween(simulation: Simulation, from: f64, until: f64): i32 {
  const totals = changetype<UncountedSums>(columns.totals);
  let count = 0;
  let firstJob = nextJob(simulation, 0, from, until, true);
  while (firstJob < simulation.knownJobs) {
    const end = nextJob(simulation, firstJob, from, until, false);
    addJobs<UncountedSums>(totals, simulation, firstJob, end, false);
    count += end - firstJob;
    firstJob = nextJob(simulation, end, from, until, true);
  }
  return count;
}

/** Sums to which jobs are added that have been counted before. */
@final
@unmanaged
class UncountedSums {
  @inline
  add(sum: i32, term: f64): void {
    changetype<SumsWithLosses>(changetype<usize>(this)).add(sum, term);
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
const BLOCK: i32 = 256;
const MAX_EXACT_WHOLE_NUMBER: f64 = 9007199254740992;

/** Sums of one block. */
@final
@unmanaged
class SumsOfBlock {
  @inline
  add(sum: i32, term: f64): void {
    const sumTotalAddress = totalInColumn(changetype<usize>(this), sum);
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
  areJobsListed: bool,
): void {
  if (simulation.hasWholeTimes === 0) {
    for (let index = firstIndex; index < end; index++) {
      addJob<A, A>(sums, sums, simulation, jobAt(index, areJobsListed));
    }
    return;
  }
  const blockSums = changetype<SumsOfBlock>(columns.totals);
  while (firstIndex < end) {
    const blockEnd = min(firstIndex + BLOCK, end);
    for (let index = firstIndex; index < blockEnd; index++) {
      addJob<A, SumsOfBlock>(sums, blockSums, simulation, jobAt(index, areJobsListed));
    }
    for (let sum = 0; sum < sumsOf(simulation); sum++) {
      const blockTotal = at<f64>(totalAddress(sum), 2);
      put<f64>(totalAddress(sum), 2, 0);
      // Terms are non-negative, so an exact total implies exact partial sums.
      if (blockTotal < MAX_EXACT_WHOLE_NUMBER) sums.add(sum, blockTotal);
      else addTerms<A>(sums, simulation, sum, firstIndex, blockEnd, areJobsListed);
    }
    firstIndex = blockEnd;
  }
}

@inline
function jobAt(index: i32, areJobsListed: bool): i32 {
  return areJobsListed ? at<i32>(columns.countedJobs, index) : index;
}

/** Index of the only sum that `SumsOfOne` adds to. */
let onlySum: i32 = 0;

/** Adds terms to a single sum; jobs are not counted again. */
@final
@unmanaged
class SumsOfOne<A> {
  @inline
  add(sum: i32, term: f64): void {
    if (sum === onlySum) changetype<A>(changetype<usize>(this)).add(sum, term);
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
  areJobsListed: bool,
): void {
  onlySum = sum;
  const singleSums = changetype<SumsOfOne<A>>(changetype<usize>(sums));
  for (let index = firstIndex; index < end; index++) {
    addJob<SumsOfOne<A>, SumsOfOne<A>>(singleSums, singleSums, simulation, jobAt(index, areJobsListed));
  }
}

/** Adds the terms of a job, whole times to `times` and all others to `sums`, and counts the job. */
@inline
function addJob<A, T>(sums: A, times: T, simulation: Simulation, job: i32): void {
  if (columns.isCancelled(simulation, job)) {
    addCancelled<A, T>(sums, times, simulation, job);
    return;
  }
  const processors = at<i32>(columns.processors, job);
  const allocatedProcessors =
    simulation.moldable !== 0 ? at<i32>(columns.allocatedProcessorColumn, job) : processors;
  const home = at<i32>(columns.homes, job);
  const submit = at<f64>(columns.submits, job);
  const start = at<f64>(columns.starts, job);
  const execution = at<f64>(columns.executions, job);
  if (CHECKED && simulation.hasWholeTimes !== 0) {
    check(areWhole(submit, start, execution), Invariant.WholeTimes);
  }
  const wait = start - submit;
  const response = start + execution - submit;
  const jobWeight = <f64>allocatedProcessors * execution;
  times.add(SumKind.Response, response);
  times.add(SumKind.Wait, wait);
  sums.add(SumKind.Slowdown, slowdown(wait, execution));
  sums.add(SumKind.BoundedSlowdown, boundedSlowdown(wait, execution));
  times.add(SumKind.Weight, jobWeight);
  times.add(SumKind.WeightedResponse, jobWeight * response);
  times.add(SumKind.WeightedWait, jobWeight * wait);
  if (countsQueued(simulation)) {
    const lostTime: f64 = simulation.preempts !== 0 ? at<f64>(columns.lostTimes, job) : 0;
    times.add(sumQueued(simulation), wait - lostTime);
  }
  times.add(sumOfHome(home), response);
  if (!isDefined(sums.countsNothing)) {
    if (simulation.moldable !== 0) {
      simulation.scaledDownJobs += i32(allocatedProcessors < processors);
      simulation.scaledUpJobs += i32(allocatedProcessors > processors);
    }
    count(columns.homeJobs, home);
    simulation.maxWait = greaterTime(simulation.maxWait, wait);
    simulation.lastEnd = greaterTime(simulation.lastEnd, start + execution);
  }
  const part = simulation.partCapacity > 0 ? at<i32>(columns.partIndices, job) : -1;
  if (part >= 0) {
    addParts<A, T>(sums, times, simulation, home, part, allocatedProcessors, execution);
    return;
  }
  const site = at<i32>(columns.sites, job);
  times.add(sumOfSite(simulation, site), jobWeight);
  if (!isDefined(sums.countsNothing)) {
    count(columns.siteJobs, site);
    simulation.movedJobs += i32(site !== home);
  }
}

/** Adds a cancelled job to the sums of queues and sites, where it has waited and perhaps run. */
function addCancelled<A, T>(sums: A, times: T, simulation: Simulation, job: i32): void {
  const start = at<f64>(columns.starts, job);
  const lostTime: f64 = simulation.preempts !== 0 ? at<f64>(columns.lostTimes, job) : 0;
  times.add(sumQueued(simulation), start - at<f64>(columns.submits, job) - lostTime);
  const site = at<i32>(columns.sites, job);
  if (site < 0) return;
  const execution = at<f64>(columns.executions, job);
  times.add(sumOfSite(simulation, site), <f64>at<i32>(columns.processors, job) * execution);
  if (isDefined(sums.countsNothing)) return;
  count(columns.siteJobs, site);
  simulation.lastEnd = greaterTime(simulation.lastEnd, start + execution);
}

/** Adds the site terms of a split job, whose first part is in the log. */
function addParts<A, T>(
  sums: A,
  times: T,
  simulation: Simulation,
  home: i32,
  part: i32,
  processors: i32,
  execution: f64,
): void {
  const isSplit = at<i32>(columns.parts, 2 * part + 1) < processors;
  let isMoved = false;
  for (let remainingProcessors = processors; remainingProcessors > 0; part++) {
    const site = at<i32>(columns.parts, 2 * part);
    const share = at<i32>(columns.parts, 2 * part + 1);
    times.add(sumOfSite(simulation, site), <f64>share * execution);
    if (!isDefined(sums.countsNothing)) count(columns.siteJobs, site);
    isMoved = isMoved || site !== home;
    remainingProcessors -= share;
  }
  if (isDefined(sums.countsNothing)) return;
  simulation.splitJobs += i32(isSplit);
  simulation.movedJobs += i32(isMoved);
}

@inline
function count(column: usize, index: i32): void {
  put<f64>(column, index, at<f64>(column, index) + 1);
}
