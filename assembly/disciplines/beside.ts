import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { leastTimeAt, predictedTimeAt } from '../grid/execution';
import { freeAt } from '../grid/sites';
import { at, put } from '../memory/memory';
import * as predictions from '../planning/predictions';
import { NOBODY } from '../queue/ranking';
import { note } from '../record/log';
import { Note } from '../record/notes';
import * as reservations from '../record/reservations';
import * as delays from './delays';

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
  delays.noteIfLost(simulation, time, predicted);
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
  return predictions.endSeenAt(simulation.now, simulation.now + predictedTimeAt(simulation, job, site));
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
    if (delays.noteIfLost(simulation, simulation.now, predicted)) lostWidth = min(lostWidth, processors);
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
