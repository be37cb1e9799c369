import { Simulation } from '../state';
import { startJob } from '../placement/start';

/**
 * First come, first served on one shared queue: jobs start in the order of their submits, the first that
 * cannot blocks.
 */

/** Starts waiting jobs until the head fits nowhere. */
@inline
export function pass(simulation: Simulation): void {
  while (simulation.head < simulation.next && startJob(simulation, simulation.head)) simulation.head++;
  simulation.newcomer = -1;
}
