import { Simulation } from '../memory/state';
import { Sum, TOTAL_ENTRIES, sumQueued } from './sums';
import * as columns from '../memory/columns';
import * as exact from './exactSum';
import { at, clear, copyBytes, put } from '../memory/memory';
import { termOf } from './terms';

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

/** Rounds the doubles; where the two leave the last bit open, the sum is added up anew without an error. */
export function settleTotals(simulation: Simulation): void {
  const wait = totalOf(Sum.Wait);
  // A site has two terms more where runs were stopped.
  const terms = simulation.jobCount + 2;
  for (let index = 0; index < sumsOf(simulation); index++) {
    const sum = totalOf(index);
    // All terms are from 0 on, but those of what jobs queued. Of whole terms what is lost is whole, too.
    let size = index === sumQueued(simulation) ? 2 * wait : sum;
    if (simulation.hasWholeTimes !== 0 && isOfTimes(index)) size = 0;
    const total = exact.settled(sum, at<f64>(totalAt(index), 1), size, terms);
    setTotal(index, isNaN(total) ? addAnew(simulation, index) : total);
  }
}

/** A sum without an error; the accounts have no job yet. */
function addAnew(simulation: Simulation, index: i32): f64 {
  const sum = columns.exactSum;
  copyBytes(sum, exact.sumAt(columns.accounts, index), exact.ENTRIES * sizeof<u64>());
  for (let job = 0; job < simulation.jobCount; job++) exact.add(sum, termOf(simulation, index, job));
  return exact.rounded(sum);
}
