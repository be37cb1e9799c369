import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { leastTimeAt, predictedTimeAt } from '../grid/execution';
import { freeAt } from '../grid/sites';
import { at, put } from '../memory/memory';
import { NOBODY } from '../queue/ranking';
import { note, Note, RECORDED } from '../record/log';
import * as reservations from '../record/reservations';
import { endSeenAt, isLost } from '../planning/predictions';
import { isDeferring, reorders } from '../memory/runKind';

/**
 * The one reservation of a queue under EASY, on one site: when it begins, and how many processors are left
 * beside it then. Who starts there now delays nobody if it ends by then or needs no more than is left.
 */

/** The first job can start on a site at a time, with so many processors left beside it. */
export function reserve(
  simulation: Simulation,
  queue: i32,
  head: i32,
  site: i32,
  time: f64,
  extra: i32,
): void {
  const predicted = predictedTimeAt(simulation, head, site);
  // A head that is predicted to take no time reserves nothing.
  put<f64>(columns.shadowTimes, queue, time + predicted > time ? time : Infinity);
  put<i32>(columns.shadowSites, queue, site);
  put<i32>(columns.extraProcessors, queue, extra);
  noteIfLost(simulation, time, predicted);
}

/** A job takes of the extra processors. */
@inline
export function takeExtra(queue: i32, job: i32): void {
  const extra = at<i32>(columns.extraProcessors, queue);
  put<i32>(columns.extraProcessors, queue, extra - at<i32>(columns.processors, job));
}

/** When a job is predicted to end that starts on a site now. */
@inline
export function endOn(simulation: Simulation, job: i32, site: i32): f64 {
  return endSeenAt(simulation.now, simulation.now + predictedTimeAt(simulation, job, site));
}

/** Whether a job that starts on the site of the reservation now ends, as predicted, before that begins. */
@inline
export function endsInTime(simulation: Simulation, queue: i32, job: i32): bool {
  const site = at<i32>(columns.shadowSites, queue);
  return endOn(simulation, job, site) <= at<f64>(columns.shadowTimes, queue);
}

/** The queue and the site of a reservation, and how many processors are free on one of the other sites. */
let queue: i32 = 0;
let site: i32 = 0;
let freeElsewhere: i32 = 0;
/** The fewest processors of a job that may not delay the first some time, since its length is lost now. */
export let lostWidth: i32 = NOBODY;

/** Jobs are sought that may start beside the reservation of a queue. */
export function lookBeside(ofQueue: i32, elsewhere: i32): void {
  queue = ofQueue;
  site = at<i32>(columns.shadowSites, ofQueue);
  freeElsewhere = elsewhere;
  lostWidth = NOBODY;
}

/**
 * A job fits on the site of the reservation without delaying the head, or on another; not that it may use
 * that.
 */
@final
@unmanaged
export class Beside {
  @inline
  mayHold(simulation: Simulation, narrowest: i32, leastWork: f64): bool {
    if (narrowest <= freeElsewhere) return true;
    if (narrowest > freeAt(site)) return false;
    if (narrowest <= at<i32>(columns.extraProcessors, queue)) return true;
    // A length that is lost now may do later, so that who has one is to be seen.
    const begin = max<f64>(at<f64>(columns.shadowTimes, queue), simulation.now);
    return simulation.now + leastTimeAt(simulation, leastWork, site) <= begin;
  }

  @inline
  holds(simulation: Simulation, job: i32): bool {
    const processors = at<i32>(columns.processors, job);
    if (processors <= freeElsewhere) return true;
    if (processors > freeAt(site)) return false;
    if (processors <= at<i32>(columns.extraProcessors, queue)) return true;
    if (endsInTime(simulation, queue, job)) return true;
    const predicted = predictedTimeAt(simulation, job, site);
    if (noteIfLost(simulation, simulation.now, predicted)) lostWidth = min(lostWidth, processors);
    return false;
  }
}

/** Writes down that a job may start before the head where that is to start. */
export function noteBeside(simulation: Simulation, queue: i32, job: i32): void {
  const site = at<i32>(columns.shadowSites, queue);
  const head = <f64>simulation.reserved;
  const extra = <f64>at<i32>(columns.extraProcessors, queue);
  const begin = at<f64>(columns.shadowTimes, queue);
  note(Note.Beside, head, endOn(simulation, job, site), begin, extra, <f64>site);
}

/** Writes down that a job that fits there is not started, since it would delay the head. */
export function noteDelay(simulation: Simulation, queue: i32, job: i32): void {
  const begin = at<f64>(columns.shadowTimes, queue);
  const extra = at<i32>(columns.extraProcessors, queue);
  const end = endOn(simulation, job, at<i32>(columns.shadowSites, queue));
  reservations.delays(simulation, job, end, begin, extra);
}

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
