import { Limit } from '../abi/abi';
import { Simulation } from '../memory/state';
import { Sum, sumOfSite, TOTAL_ENTRIES, sumQueued, sumOfHome } from './sums';
import * as columns from '../memory/columns';
import { at, clear, copyBytes, put } from '../memory/memory';
import * as exact from './exactSum';
import { CHECKED, Invariant, check } from '../memory/check';

/** What sums take of a single job; formulas in docs/results.md. */

/** Of wait and execution; not of the response, which may have swallowed a short execution. */
@inline
function slowdown(wait: f64, execution: f64): f64 {
  return execution > 0 ? (wait + execution) / execution : 1;
}

/** The same of executions that are short, too. */
@inline
function boundedSlowdown(wait: f64, execution: f64): f64 {
  return greater(1, (wait + execution) / greater(<f64>Limit.BoundedExecution, execution));
}

/** The greater of two numbers from 0 on, whose bits are in their order: without a branch. */
@inline
function greater(one: f64, other: f64): f64 {
  const bits = reinterpret<i64>(one);
  const others = reinterpret<i64>(other);
  return reinterpret<f64>(select<i64>(bits, others, bits > others));
}

/** Whether all times of a job are whole seconds. */
function areWhole(submit: f64, start: f64, execution: f64): bool {
  return floor<f64>(submit) === submit && floor<f64>(start) === start && floor<f64>(execution) === execution;
}

/** What is added up of jobs: doubles beside what is lost in that, which makes them exact. */

/** The entries of a sum. */
@inline
export function totalIn(totals: usize, sum: i32): usize {
  return totals + <usize>(<i32>TOTAL_ENTRIES * sum) * sizeof<f64>();
}

@inline
export function totalAt(sum: i32): usize {
  return totalIn(columns.totals, sum);
}

/** Totals, to which terms are added as doubles, beside what is lost in that. */
@final
@unmanaged
export class WithLosses {
  @inline
  add(sum: i32, term: f64): void {
    const total = totalIn(changetype<usize>(this), sum);
    const before = at<f64>(total, 0);
    const after = before + term;
    put<f64>(total, 1, at<f64>(total, 1) + exact.lostOnTheWay(before, term, after));
    put<f64>(total, 0, after);
  }
}

/** Whether the terms of a sum are times, or times multiplied by processors. */
@inline
function isOfTimes(sum: i32): bool {
  return sum !== Sum.Slowdown && sum !== Sum.BoundedSlowdown;
}

@inline
export function sumsOf(simulation: Simulation): i32 {
  return sumQueued(simulation) + (simulation.reclaim !== 0 ? 2 : 0);
}

/** A sum, once it is rounded. */
@inline
export function totalOf(sum: i32): f64 {
  return at<f64>(totalAt(sum), 0);
}

/** Says what a sum is once it is rounded. */
@inline
export function setTotal(sum: i32, total: f64): void {
  put<f64>(totalAt(sum), 0, total);
}

/** No job has been counted. */
export function clearCounts(simulation: Simulation): void {
  const first = offsetof<Simulation>('maxWait');
  clear(changetype<usize>(simulation) + first, offsetof<Simulation>('counted') - first);
  clear(columns.siteJobs, columns.accounts - columns.siteJobs);
}

/** All sums are 0. */
export function clearTotals(simulation: Simulation): void {
  clear(columns.totals, totalAt(sumsOf(simulation)) - columns.totals);
}

/** Begins with what accounts without a job have, what stopped runs took, and what a double lacks of it. */
export function beginWithLost(simulation: Simulation): void {
  for (let index = 0; index < sumsOf(simulation); index++) {
    const sum = exact.sumAt(columns.accounts, index);
    const lost = exact.rounded(sum);
    exact.add(sum, -lost);
    put<f64>(totalAt(index), 0, lost);
    put<f64>(totalAt(index), 1, exact.rounded(sum));
    exact.add(sum, lost);
  }
}

/**
 * Rounds the first `count` sums of jobs submitted in [from, until]; where the two doubles leave the last bit
 * open, the sum is added up again without an error.
 */
export function settleTotals(simulation: Simulation, count: i32, from: f64, until: f64): void {
  const wait = totalOf(Sum.Wait);
  // A site has two terms more where runs were stopped.
  const terms = simulation.jobCount + 2;
  for (let index = 0; index < count; index++) {
    const sum = totalOf(index);
    // All terms are from 0 on, but those of what jobs queued. Of whole terms what is lost is whole, too.
    let size = index === sumQueued(simulation) ? 2 * wait : sum;
    if (simulation.hasWholeTimes !== 0 && isOfTimes(index)) size = 0;
    const total = exact.settled(sum, at<f64>(totalAt(index), 1), size, terms);
    setTotal(index, isNaN(total) ? addAnew(simulation, index, from, until) : total);
  }
}

/** A sum without an error; of all jobs it begins with the accounts, which have no job yet. */
function addAnew(simulation: Simulation, index: i32, from: f64, until: f64): f64 {
  const sum = columns.exactSum;
  if (isOfAll(from, until))
    copyBytes(sum, exact.sumAt(columns.accounts, index), exact.ENTRIES * sizeof<u64>());
  else exact.reset(sum);
  const sums = changetype<WithoutError>(sum);
  for (let job = 0; job < simulation.jobCount; job++) {
    if (isWithin(job, from, until)) addTerms<WithoutError>(sums, simulation, index, job, job + 1, false);
  }
  return exact.rounded(sum);
}

/** Whether a window of submits leaves out none whatever the jobs are. */
@inline
export function isOfAll(from: f64, until: f64): bool {
  return from === -Infinity && until === Infinity;
}

/** The first job from one on whose submit is in [from, until], or is not; the number of jobs for none. */
function nextJob(simulation: Simulation, job: i32, from: f64, until: f64, isInside: bool): i32 {
  while (job < simulation.jobCount && isWithin(job, from, until) !== isInside) job++;
  return job;
}

@inline
function isWithin(job: i32, from: f64, until: f64): bool {
  return at<f64>(columns.submits, job) >= from && at<f64>(columns.submits, job) <= until;
}

/** Adds the jobs submitted in [from, until] to the totals, and counts nothing; returns how many they are. */
export function addBetween(simulation: Simulation, from: f64, until: f64): i32 {
  const totals = changetype<OfSome>(columns.totals);
  let count = 0;
  let first = nextJob(simulation, 0, from, until, true);
  while (first < simulation.jobCount) {
    const end = nextJob(simulation, first, from, until, false);
    addJobs<OfSome>(totals, simulation, first, end, false);
    count += end - first;
    first = nextJob(simulation, end, from, until, true);
  }
  return count;
}

/** Totals to which jobs are added that have been counted. */
@final
@unmanaged
class OfSome {
  @inline
  add(sum: i32, term: f64): void {
    changetype<WithLosses>(changetype<usize>(this)).add(sum, term);
  }

  @inline
  countsNothing(): void {}
}

/** A sum without an error, of whichever terms. */
@final
@unmanaged
class WithoutError {
  @inline
  add(_: i32, term: f64): void {
    exact.add(changetype<usize>(this), term);
  }
}

/** Adding jobs up, block by block where their times are whole. */

/**
 * Jobs whose times are added up at once where these are whole: to plain doubles, which have all of them up to
 * 2^53.
 */
const BLOCK: i32 = 256;
const WHOLE_LIMIT: f64 = 9007199254740992;

/** Totals, to whose doubles of a block terms are added. */
@final
@unmanaged
class OfBlock {
  @inline
  add(sum: i32, term: f64): void {
    const total = totalIn(changetype<usize>(this), sum);
    put<f64>(total, 2, at<f64>(total, 2) + term);
  }
}

/**
 * Adds the jobs [first, end), by index or as they stand in `countedJobs`, to sums; formulas in
 * docs/results.md.
 */
export function addJobs<A>(sums: A, simulation: Simulation, first: i32, end: i32, areListed: bool): void {
  if (simulation.hasWholeTimes === 0) {
    for (let index = first; index < end; index++) {
      addJob<A, A>(sums, sums, simulation, jobAt(index, areListed));
    }
    return;
  }
  const times = changetype<OfBlock>(columns.totals);
  while (first < end) {
    const last = min(first + BLOCK, end);
    for (let index = first; index < last; index++) {
      addJob<A, OfBlock>(sums, times, simulation, jobAt(index, areListed));
    }
    for (let sum = 0; sum < sumsOf(simulation); sum++) {
      const ofBlock = at<f64>(totalAt(sum), 2);
      put<f64>(totalAt(sum), 2, 0);
      // Terms are from 0 on, so if this is exact all on the way to it was.
      if (ofBlock < WHOLE_LIMIT) sums.add(sum, ofBlock);
      else addTerms<A>(sums, simulation, sum, first, last, areListed);
    }
    first = last;
  }
}

@inline
function jobAt(index: i32, areListed: bool): i32 {
  return areListed ? at<i32>(columns.countedJobs, index) : index;
}

/** The sum to which terms are added of those that `OfOne` is given. */
let only: i32 = 0;

/** Sums, one of which is added to; jobs are not counted again. */
@final
@unmanaged
class OfOne<A> {
  @inline
  add(sum: i32, term: f64): void {
    if (sum === only) changetype<A>(changetype<usize>(this)).add(sum, term);
  }

  @inline
  countsNothing(): void {}
}

/** The same jobs to one sum, one by one. */
function addTerms<A>(sums: A, simulation: Simulation, sum: i32, first: i32, end: i32, areListed: bool): void {
  only = sum;
  const ofOne = changetype<OfOne<A>>(changetype<usize>(sums));
  for (let index = first; index < end; index++) {
    addJob<OfOne<A>, OfOne<A>>(ofOne, ofOne, simulation, jobAt(index, areListed));
  }
}

/** Adds a job, its times to sums of their own, and counts it. */
@inline
function addJob<A, T>(sums: A, times: T, simulation: Simulation, job: i32): void {
  const processors = at<i32>(columns.processors, job);
  const allocated = simulation.moldable !== 0 ? at<i32>(columns.allocated, job) : processors;
  const home = at<i32>(columns.homes, job);
  const submit = at<f64>(columns.submits, job);
  const start = at<f64>(columns.starts, job);
  const execution = at<f64>(columns.executions, job);
  if (CHECKED && simulation.hasWholeTimes !== 0) {
    check(areWhole(submit, start, execution), Invariant.WholeTimes);
  }
  const wait = start - submit;
  const response = start + execution - submit;
  const weight = <f64>allocated * execution;
  times.add(Sum.Response, response);
  times.add(Sum.Wait, wait);
  sums.add(Sum.Slowdown, slowdown(wait, execution));
  sums.add(Sum.BoundedSlowdown, boundedSlowdown(wait, execution));
  times.add(Sum.Weight, weight);
  times.add(Sum.WeightedResponse, weight * response);
  times.add(Sum.WeightedWait, weight * wait);
  if (simulation.reclaim !== 0) {
    times.add(sumQueued(simulation), wait - at<f64>(columns.lostTimes, job));
  }
  times.add(sumOfHome(home), response);
  if (!isDefined(sums.countsNothing)) {
    if (simulation.moldable !== 0) {
      simulation.scaledDownJobs += i32(allocated < processors);
      simulation.scaledUpJobs += i32(allocated > processors);
    }
    count(columns.homeJobs, home);
    simulation.maxWait = greater(simulation.maxWait, wait);
    simulation.lastEnd = greater(simulation.lastEnd, start + execution);
  }
  const part = simulation.partCapacity > 0 ? at<i32>(columns.partIndices, job) : -1;
  if (part >= 0) {
    addParts<A, T>(sums, times, simulation, home, part, allocated, execution);
    return;
  }
  const site = at<i32>(columns.sites, job);
  times.add(sumOfSite(simulation, site), weight);
  if (!isDefined(sums.countsNothing)) {
    count(columns.siteJobs, site);
    simulation.movedJobs += i32(site !== home);
  }
}

/** Adds what the sites of a job have, whose first part is in the log. */
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
  for (let rest = processors; rest > 0; part++) {
    const site = at<i32>(columns.parts, 2 * part);
    const share = at<i32>(columns.parts, 2 * part + 1);
    times.add(sumOfSite(simulation, site), <f64>share * execution);
    if (!isDefined(sums.countsNothing)) count(columns.siteJobs, site);
    isMoved = isMoved || site !== home;
    rest -= share;
  }
  if (isDefined(sums.countsNothing)) return;
  simulation.splitJobs += i32(isSplit);
  simulation.movedJobs += i32(isMoved);
}

@inline
function count(column: usize, index: i32): void {
  put<f64>(column, index, at<f64>(column, index) + 1);
}
