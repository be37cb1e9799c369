import { Simulation } from '../state';
import * as backfilling from './backfilling';
import * as easy from './easy';
import * as safeShadow from './safeShadow';
import { AnySite } from './safeShadow';
import * as shadow from './shadow';
import { AtHome } from './shadow';

/** Passes of the disciplines that plan ahead: over a plan only where one reservation is not enough. */

/** The pass of the submit of a job, which has joined its queue. */
export function passNewcomer(simulation: Simulation, queue: i32, job: i32): void {
  if (shadow.suffices(simulation)) {
    easy.passNewcomer<AtHome>(simulation, queue, job);
  } else if (safeShadow.suffices(simulation)) {
    easy.passNewcomer<AnySite>(simulation, queue, job);
  } else {
    backfilling.takeNewcomer(simulation, queue, job);
    backfilling.pass(simulation, queue);
  }
}

/** The pass over a queue. */
export function pass(simulation: Simulation, queue: i32): void {
  if (shadow.suffices(simulation)) easy.pass<AtHome>(simulation, queue);
  else if (safeShadow.suffices(simulation)) easy.pass<AnySite>(simulation, queue);
  else backfilling.pass(simulation, queue);
}
