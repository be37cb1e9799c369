import { Jobs, Simulation } from '../abi';
import { chooseSite } from '../allocators/registry';
import { commit } from '../placement/commit';

/** First come, first served: jobs start in the order of their submits, and the first that cannot blocks. */

/**
 * Whether a pass must follow a submit that found `waiting` jobs. Behind others a job starts nothing: the head
 * did not fit before, and nothing has been freed since (Shih et al. 2010, Table 2).
 */
@inline
export function submitMayStart(waiting: i32): bool {
  return waiting === 0;
}

/** Starts waiting jobs until the head fits nowhere. */
@inline
export function pass(simulation: Simulation, jobs: Jobs): void {
  while (simulation.head < simulation.next) {
    const job = simulation.head;
    const site = chooseSite(simulation, jobs, job);
    if (site < 0) break;
    commit(simulation, jobs, job, site);
    simulation.head = job + 1;
  }
  simulation.newcomer = -1;
}
