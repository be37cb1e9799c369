import { Simulation } from '../state';
import { startJob, startPlainly } from '../placement/start';
import * as record from '../record/events';
import { RECORDED } from '../record/log';

/**
 * First come, first served on one shared queue: jobs start in the order of their submits, the first that
 * cannot blocks.
 */

/** Starts waiting jobs until the head fits nowhere. */
export function pass(simulation: Simulation): void {
  while (simulation.head < simulation.next && startJob(simulation, simulation.head)) simulation.head++;
  simulation.newcomer = -1;
  if (RECORDED) {
    if (simulation.head < simulation.next) record.blocked(simulation, simulation.head);
  }
}

/** The same where nothing is kept but free counts. */
@inline
export function passPlainly(simulation: Simulation): void {
  while (simulation.head < simulation.next && startPlainly(simulation, simulation.head)) simulation.head++;
  simulation.newcomer = -1;
}
