import { Jobs, Simulation } from '../abi';
import * as columns from '../columns';
import { at } from '../memory';

/**
 * Waiting jobs that leave in the order in which they came: the window [head, next) of the job table. Joining
 * and leaving move an index; no job is copied, and the processors that the queue demands are a difference of
 * two prefix sums.
 */

/** Number of waiting jobs. */
@inline
export function length(simulation: Simulation): i32 {
  return simulation.next - simulation.head;
}

/** Processors that all waiting jobs demand together: the numerator of SL (Shih et al. 2010, eq. 4). */
@inline
export function demand(simulation: Simulation, jobs: Jobs): f64 {
  const sums = columns.demands;
  return at<f64>(sums, simulation.next) - at<f64>(sums, simulation.head);
}
