import { Simulation } from './state';
import * as columns from './columns';
import * as exact from './exactSum';
import { WithLosses, addJobs, clearCounts, clearTotals, sumsOf, totalOf } from './totals';

/**
 * What the metrics need of jobs whose results are not here, since they started before a fork: sums without an
 * error, counts and extremes, which are live. They are brought up to date before a fork, so that a simulation
 * that is never forked pays nothing for them.
 *
 * A job is in the accounts from its start on, or from its end on where runs may be stopped. Jobs of the fcfs
 * queue come in the order of the jobs, others in that of `countedJobs`.
 */

/** Brings the accounts up to date. */
export function update(simulation: Simulation): void {
  if (simulation.accounted === 0) clearCounts(simulation);
  const areListed = simulation.hasPriorityQueue !== 0;
  const count = areListed ? simulation.counted : simulation.head;
  for (let index = simulation.accounted; index < count; index++) {
    // What a single job adds is nothing but doubles.
    clearTotals(simulation);
    addJobs<WithLosses>(simulation, index, index + 1, areListed);
    for (let sum = 0; sum < sumsOf(simulation); sum++) {
      exact.add(exact.sumAt(columns.accounts, sum), totalOf(sum));
    }
  }
  simulation.accounted = count;
}
