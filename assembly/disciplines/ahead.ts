import { plansAhead } from '../abi/disciplineKind';
import { Simulation } from '../memory/state';
import * as candidates from '../planning/candidates';
import { isLate } from '../planning/corrections';
import { sweepQueue } from '../planning/predictions';
import { RECORDED } from '../record/log';
import * as backfilling from './backfilling';
import * as easy from './easy';
import * as kept from './kept';
import * as safeShadow from './safeShadow';
import { AnySite } from './safeShadow';
import * as shadow from './shadow';
import { AtHome, Outcome } from './shadow';

/** Passes of the disciplines that plan ahead: over a plan only where one reservation is not enough. */

/** Tries a job before it joins its queue, as it may be on one site where nobody is asked. */
export function tryAtOnce(simulation: Simulation, queue: i32, job: i32): Outcome {
  if (RECORDED || simulation.declined !== 0 || simulation.lost !== 0) return Outcome.Open;
  if (safeShadow.suffices(simulation) || !shadow.suffices(simulation)) return Outcome.Open;
  if (isLate(simulation, queue) || sweepQueue(simulation, queue)) return Outcome.Open;
  return shadow.tryAtOnce(simulation, queue, job);
}

/** The pass of a submit, with whose job nothing else can start that could not before, unless told to wait. */
export function passNewcomer(simulation: Simulation, queue: i32, job: i32): void {
  if (simulation.declined !== 0) {
    pass(simulation, queue, -1);
  } else if (safeShadow.suffices(simulation)) {
    easy.passNewcomer<AnySite>(simulation, queue, job);
  } else if (shadow.suffices(simulation)) {
    easy.passNewcomer<AtHome>(simulation, queue, job);
  } else {
    backfilling.passNewcomer(simulation, queue, job);
  }
}

/** A job has joined a queue whose pass comes later. */
export function join(simulation: Simulation, queue: i32, job: i32): void {
  if (simulation.keepsReservations !== 0) kept.submitted(simulation, job);
  else backfilling.takeNewcomer(simulation, queue, job);
}

/** The pass over a queue, from a job on or, with -1, from its first. */
export function pass(simulation: Simulation, queue: i32, from: i32): void {
  if (simulation.keepsReservations !== 0) kept.pass(simulation, queue, from);
  else if (safeShadow.suffices(simulation)) easy.pass<AnySite>(simulation, queue, from);
  else if (shadow.suffices(simulation)) easy.pass<AtHome>(simulation, queue, from);
  else backfilling.pass(simulation, queue, from);
}

/** Whether the job that the host is asked about delays nobody on a site on which it fits. */
export function isSafe(simulation: Simulation, site: i32): bool {
  if (!plansAhead(simulation.discipline)) return true;
  const job = simulation.asked;
  if (simulation.keepsReservations !== 0) return kept.isSafe(simulation, job, site);
  if (safeShadow.suffices(simulation)) return safeShadow.isSafe(simulation, simulation.passQueue, job, site);
  return candidates.startsAlone(simulation, job, site);
}
