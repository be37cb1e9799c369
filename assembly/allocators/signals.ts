import { Simulation } from '../state';
import { speedOf } from '../grid/sites';
import { demandAround } from '../queue/waiting';

/** What the threshold methods look at. */

/**
 * Situation (a): the job found the queue empty and this is the pass of its submit (Shih et al. 2010, Table
 * 2).
 */
@inline
export function foundQueueEmpty(simulation: Simulation, job: i32): bool {
  return simulation.newcomer === job;
}

/** SH > threshold: the sites' speeds differ much (Shih et al. 2010, eqs. 3, 5). */
@inline
export function speedsDiffer(simulation: Simulation, threshold: f64): bool {
  return simulation.speedHeterogeneity > threshold;
}

/**
 * SL > threshold: the queue demands much against what is free (Shih et al. 2010, eqs. 4, 6). Compared without
 * a division; the denominator of SL is at least one processor.
 */
@inline
export function loadIsHigh(simulation: Simulation, job: i32, threshold: f64): bool {
  return demandAround(simulation, job) > threshold * <f64>max<i64>(1, simulation.freeProcessors);
}

/** Whether fastest-first's site is strictly faster than best-fit's (Shih et al. 2010, eq. 7). */
@inline
export function fastestIsFaster(simulation: Simulation, bestFit: i32, fastestFirst: i32): bool {
  return speedOf(bestFit) < speedOf(fastestFirst);
}
