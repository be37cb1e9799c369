import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at, put } from '../memory/memory';
import { isLost } from '../planning/predictions';
import { RECORDED } from '../record/log';
import { isDeferring, reorders } from '../memory/runKind';

/**
 * What EASY on one machine knows of waiting jobs from pass to pass. A job that would delay the head would
 * delay it later, too: it would end still later, as long as the reservation does not move to a later time and
 * no more is left beside it. So it need not be tried again until then; who is left are those that were too
 * wide for what was free. Of these is kept the fewest processors of all, and in every block of 64 ranks, if
 * that has been looked at since the reservation last grew, which is counted in epochs.
 */

/** Whether anything is kept: on one machine, with a pass for every event, in an order that stays. */
@inline
export function areKept(simulation: Simulation): bool {
  if (RECORDED || reorders(simulation)) return false;
  return keepsReservation(simulation) && !isDeferring(simulation);
}

/**
 * Whether a reservation that has been found may be kept, until a job ends otherwise than predicted or is
 * overdue or a head starts: on one machine, where nobody is told to wait, no length is lost, and rules stay.
 */
@inline
export function keepsReservation(simulation: Simulation): bool {
  if (simulation.declined !== 0 || simulation.lost !== 0) return false;
  return simulation.siteCount === 1 && simulation.chooses === 0;
}

/** Any job may start as far as is known. */
@inline
export function forget(simulation: Simulation): void {
  simulation.untriedWidth = 0;
  simulation.delayEpoch++;
}

/** No job of a block is known to need fewer processors than this and not to delay the head. */
@inline
export function untriedInBlock(simulation: Simulation, block: i32): i32 {
  const isKept = at<i32>(columns.untriedSince, block) === simulation.delayEpoch;
  return max(at<i32>(columns.narrowest0, block), isKept ? at<i32>(columns.untriedIn, block) : 0);
}

/** All jobs of a block have been tried but those with at least so many processors. */
@inline
export function keepOfBlock(simulation: Simulation, block: i32, processors: i32): void {
  put<i32>(columns.untriedIn, block, processors);
  put<i32>(columns.untriedSince, block, simulation.delayEpoch);
}

/**
 * Notes a length that is lost in rounding at a time; returns whether it is. A job that is passed over may
 * then start later without anything freed, and one that has reserved nothing may reserve what others have
 * taken since. So from then on nothing is taken from pass to pass.
 */
@inline
export function noteIfLost(simulation: Simulation, time: f64, predictedRuntime: f64): bool {
  if (!isLost(time, predictedRuntime)) return false;
  simulation.lost = 1;
  return true;
}
