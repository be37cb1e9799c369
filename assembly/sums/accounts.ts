import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import * as exact from './exactSum';
import { addJobs } from './jobSums';
import { clearCounts, setTotal, sumsOf } from './totals';

/**
 * What the metrics need of jobs whose results are not here, since they started before a fork: sums without an
 * error, counts and extremes, which are live. They are brought up to date before a fork, so that a simulation
 * that is never forked pays nothing for them.
 *
 * A job is in the accounts from its start on, or from its end on where runs may be stopped. Jobs of the fcfs
 * queue come in the order of the jobs, others in that of `countedJobs`.
 */

@final
@unmanaged
class WithoutError {
  @inline
  add(sum: i32, term: f64): void {
    exact.add(exact.sumAt(changetype<usize>(this), sum), term);
  }
}

/** Brings the accounts up to date. */
export function update(simulation: Simulation): void {
  if (simulation.accounted === 0) clearCounts(simulation);
  const areListed = simulation.hasPriorityQueue !== 0;
  const count = areListed ? simulation.counted : simulation.head;
  const sums = changetype<WithoutError>(columns.accounts);
  addJobs<WithoutError>(sums, simulation, simulation.accounted, count, areListed);
  simulation.accounted = count;
}

/** Rounds them. */
export function round(simulation: Simulation): void {
  for (let index = 0; index < sumsOf(simulation); index++) {
    setTotal(index, exact.rounded(exact.sumAt(columns.accounts, index)));
  }
}
