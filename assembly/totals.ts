import { Simulation } from './state';
import { Sum, sumOfHome, sumOfSite, sumQueued } from './sums';
import * as columns from './columns';
import * as exact from './exactSum';
import { at, clear, copyBytes, put } from './memory';

/**
 * What is added up and counted of jobs: sums as doubles beside what is lost in that, which makes them exact.
 */

/** Executions shorter than this count as this long in the bounded slowdown, in seconds. */
const SHORTEST_EXECUTION: f64 = 10;

/** How terms are added: to doubles, beside what is lost in that. */
@final
@unmanaged
export class WithLosses {
  @inline
  add(sum: i32, term: f64): void {
    const totals = columns.totals;
    const total = at<f64>(totals, 2 * sum);
    put<f64>(totals, 2 * sum + 1, at<f64>(totals, 2 * sum + 1) + exact.lostIn(total, term));
    put<f64>(totals, 2 * sum, total + term);
  }

  /** A term that is whole where all times are. */
  @inline
  addTime(sum: i32, term: f64): void {
    this.add(sum, term);
  }
}

/** Whether the terms of a sum are times, or times multiplied by processors. */
@inline
export function isOfTimes(sum: i32): bool {
  return sum !== Sum.Slowdown && sum !== Sum.BoundedSlowdown;
}

@inline
export function sumsOf(simulation: Simulation): i32 {
  return sumQueued(simulation) + (simulation.reclaim !== 0 ? 2 : 0);
}

/** A sum, once it is rounded. */
@inline
export function totalOf(sum: i32): f64 {
  return at<f64>(columns.totals, 2 * sum);
}

/** Says what a sum is once it is rounded. */
@inline
export function setTotal(sum: i32, total: f64): void {
  put<f64>(columns.totals, 2 * sum, total);
}

/** No job has been counted. */
export function clearCounts(simulation: Simulation): void {
  const first = offsetof<Simulation>('maxWait');
  clear(changetype<usize>(simulation) + first, offsetof<Simulation>('counted') - first);
  clear(columns.siteJobs, columns.accounts - columns.siteJobs);
}

/**
 * Adds the jobs [first, end), by index or as they stand in `countedJobs`, as `A` adds; formulas in
 * docs/results.md.
 */
export function addJobs<A>(simulation: Simulation, first: i32, end: i32, areListed: bool): void {
  for (let index = first; index < end; index++) {
    addJob<A>(simulation, areListed ? at<i32>(columns.countedJobs, index) : index);
  }
}

@inline
function addJob<A>(simulation: Simulation, job: i32): void {
  const sums = changetype<A>(0);
  const processors = at<i32>(columns.processors, job);
  const allocated = at<i32>(simulation.moldable !== 0 ? columns.allocated : columns.processors, job);
  const home = at<i32>(columns.homes, job);
  const submit = at<f64>(columns.submits, job);
  const start = at<f64>(columns.starts, job);
  const execution = at<f64>(columns.executions, job);
  const wait = start - submit;
  const response = start + execution - submit;
  const weight = <f64>allocated * execution;
  // Not the response, a difference of times that may have swallowed a short execution.
  const stay = wait + execution;
  sums.addTime(Sum.Response, response);
  sums.addTime(Sum.Wait, wait);
  sums.add(Sum.Slowdown, execution > 0 ? stay / execution : 1);
  sums.add(Sum.BoundedSlowdown, max<f64>(1, stay / max<f64>(SHORTEST_EXECUTION, execution)));
  sums.addTime(Sum.Weight, weight);
  sums.addTime(Sum.WeightedResponse, weight * response);
  sums.addTime(Sum.WeightedWait, weight * wait);
  if (simulation.reclaim !== 0) {
    sums.addTime(sumQueued(simulation), wait - at<f64>(columns.lostTimes, job));
  }
  sums.addTime(sumOfHome(home), response);
  count(columns.homeJobs, home);
  simulation.maxWait = max<f64>(simulation.maxWait, wait);
  simulation.lastEnd = max<f64>(simulation.lastEnd, start + execution);
  simulation.scaledDownJobs += i32(allocated < processors);
  simulation.scaledUpJobs += i32(allocated > processors);
  // The parts of a split job; another one is a part.
  let part = simulation.partCapacity > 0 ? at<i32>(columns.partIndices, job) : -1;
  const isWhole = part < 0;
  let isMoved = false;
  let rest = allocated;
  while (rest > 0) {
    const site = isWhole ? at<i32>(columns.sites, job) : at<i32>(columns.parts, 2 * part);
    const share = isWhole ? rest : at<i32>(columns.parts, 2 * part + 1);
    if (rest === allocated) simulation.splitJobs += i32(share < rest);
    sums.addTime(sumOfSite(simulation, site), <f64>share * execution);
    count(columns.siteJobs, site);
    isMoved = isMoved || site !== home;
    rest -= share;
    part++;
  }
  simulation.movedJobs += i32(isMoved);
}

@inline
function count(column: usize, index: i32): void {
  put<f64>(column, index, at<f64>(column, index) + 1);
}

/** All sums are 0. */
export function clearTotals(simulation: Simulation): void {
  clear(columns.totals, <usize>(2 * sumsOf(simulation)) * sizeof<f64>());
}

/** Begins with what accounts without a job have, what stopped runs took, and what a double lacks of it. */
export function beginWithLost(simulation: Simulation): void {
  for (let index = 0; index < sumsOf(simulation); index++) {
    const sum = exact.sumAt(columns.accounts, index);
    const lost = exact.rounded(sum);
    exact.add(sum, -lost);
    put<f64>(columns.totals, 2 * index, lost);
    put<f64>(columns.totals, 2 * index + 1, exact.rounded(sum));
    exact.add(sum, lost);
  }
}

/** Rounds the doubles; where the two leave the last bit open, the sum is added up anew without an error. */
export function settleTotals(simulation: Simulation): void {
  const wait = totalOf(Sum.Wait);
  // A site has two terms more where runs were stopped.
  const terms = simulation.jobCount + 2;
  for (let index = 0; index < sumsOf(simulation); index++) {
    const sum = totalOf(index);
    // All terms are from 0 on, but those of what jobs queued.
    const size = index === sumQueued(simulation) ? 2 * wait : sum;
    const total = exact.settled(sum, at<f64>(columns.totals, 2 * index + 1), size, terms);
    put<f64>(columns.totals, 2 * index, isNaN(total) ? addAnew(simulation, index) : total);
  }
}

/** A sum without an error; the accounts have no job yet. */
function addAnew(simulation: Simulation, index: i32): f64 {
  const sum = columns.exactSum;
  copyBytes(sum, exact.sumAt(columns.accounts, index), exact.ENTRIES * sizeof<u64>());
  for (let job = 0; job < simulation.jobCount; job++) exact.add(sum, termOf(simulation, index, job));
  return exact.rounded(sum);
}

/** What a job adds to a sum, as in `addJob`. */
function termOf(simulation: Simulation, index: i32, job: i32): f64 {
  const submit = at<f64>(columns.submits, job);
  const start = at<f64>(columns.starts, job);
  const execution = at<f64>(columns.executions, job);
  const wait = start - submit;
  const response = start + execution - submit;
  const stay = wait + execution;
  const allocated = at<i32>(simulation.moldable !== 0 ? columns.allocated : columns.processors, job);
  const weight = <f64>allocated * execution;
  const site = index - sumOfSite(simulation, 0);
  switch (index) {
    case Sum.Response:
      return response;
    case Sum.Wait:
      return wait;
    case Sum.Slowdown:
      return execution > 0 ? stay / execution : 1;
    case Sum.BoundedSlowdown:
      return max<f64>(1, stay / max<f64>(SHORTEST_EXECUTION, execution));
    case Sum.Weight:
      return weight;
    case Sum.WeightedResponse:
      return weight * response;
    case Sum.WeightedWait:
      return weight * wait;
  }
  if (site < 0) return at<i32>(columns.homes, job) === index - Sum.COUNT ? response : 0;
  if (site === simulation.siteCount) return wait - at<f64>(columns.lostTimes, job);
  let part = simulation.partCapacity > 0 ? at<i32>(columns.partIndices, job) : -1;
  if (part < 0) return at<i32>(columns.sites, job) === site ? weight : 0;
  for (let rest = allocated; rest > 0; part++) {
    const share = at<i32>(columns.parts, 2 * part + 1);
    if (at<i32>(columns.parts, 2 * part) === site) return <f64>share * execution;
    rest -= share;
  }
  return 0;
}

/** Rounds the sums of the accounts. */
export function roundAccounts(simulation: Simulation): void {
  for (let index = 0; index < sumsOf(simulation); index++) {
    put<f64>(columns.totals, 2 * index, exact.rounded(exact.sumAt(columns.accounts, index)));
  }
}
