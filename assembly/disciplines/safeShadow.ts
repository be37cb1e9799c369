import { Discipline, Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import { chooseByScan } from '../allocators/registry';
import * as safeSites from '../allocators/safeSites';
import * as columns from '../memory/columns';
import { leastTimeAt, predictedTimeAt } from '../grid/execution';
import { candidateAt, candidatesOf, freeAt } from '../grid/sites';
import { at, put } from '../memory/memory';
import * as predictedEnds from '../planning/predictedEnds';
import * as predictions from '../planning/predictions';
import * as keyBounds from '../queue/keyBounds';
import * as sequence from '../queue/sequence';
import { RECORDED, beginDecision, note } from '../record/log';
import { Note } from '../record/notes';
import * as reservations from '../record/reservations';
import * as delays from './delays';
import { start } from './easy';
import { widestNow } from './withoutReservations';

/**
 * EASY backfilling on several sites with an allocator. Before there is a reservation every site with room is
 * safe, since running jobs only give back. The reservation is on one site, which is safe for a job that ends
 * by the time when the head can start there or is no wider than what is left beside that.
 */

/** Whether a run is one of these. */
@inline
export function suffices(simulation: Simulation): bool {
  if (simulation.discipline !== Discipline.Easy || simulation.reservationDepth !== 1) return false;
  return safeSites.hasSafeChoice(simulation);
}

/** The allocator chooses. */
@final
@unmanaged
export class AnySite {
  /** The allocator's site for a job before there is a reservation, or -1 if it fits on none. */
  @inline
  siteNow(simulation: Simulation, queue: i32, job: i32): i32 {
    if (RECORDED) beginDecision(simulation, job);
    return chooseByScan(simulation, job);
  }

  @inline
  reserve(simulation: Simulation, queue: i32, head: i32): f64 {
    return reserve(simulation, queue, head);
  }

  @inline
  siteOfReservation(queue: i32): i32 {
    return at<i32>(columns.shadowSites, queue);
  }

  @inline
  join(simulation: Simulation, queue: i32, job: i32): void {}

  @inline
  isSettled(simulation: Simulation, queue: i32): bool {
    return false;
  }

  @inline
  backfill(simulation: Simulation, queue: i32, from: i32, isAlone: bool): void {
    startBehind(simulation, queue, from, isAlone);
  }
}

/**
 * Of the sites that a job may use, the one where it can start first; of equals where it ends first. Returns
 * that start.
 */
function reserve(simulation: Simulation, queue: i32, head: i32): f64 {
  const processors = at<i32>(columns.processors, head);
  let best = -1;
  let bestStart: f64 = Infinity;
  let bestEnd: f64 = Infinity;
  let extra = 0;
  for (let index = candidatesOf(simulation, head) - 1; index >= 0; index--) {
    const site = candidateAt(simulation, head, index);
    if (at<i32>(columns.capacities, site) < processors) continue;
    const missing = processors - freeAt(site);
    predictedEnds.findAtLeast(site, missing);
    const start = predictedEnds.foundTime;
    const end = start + predictedTimeAt(simulation, head, site);
    if (start > bestStart) continue;
    if (start === bestStart && (end > bestEnd || (end === bestEnd && site > best))) continue;
    best = site;
    bestStart = start;
    bestEnd = end;
    extra = predictedEnds.foundProcessors - missing;
  }
  // A head that is predicted to take no time reserves nothing.
  put<f64>(columns.shadowTimes, queue, bestEnd > bestStart ? bestStart : Infinity);
  delays.noteIfLost(simulation, bestStart, predictedTimeAt(simulation, head, best));
  put<i32>(columns.shadowSites, queue, best);
  put<i32>(columns.extraProcessors, queue, extra);
  return bestStart;
}

/**
 * A job fits on the site of the reservation without delaying the head, or on another; not that it may use
 * that.
 */
@final
@unmanaged
class BesideReservation {
  @inline
  mayHold(simulation: Simulation, narrowest: i32, leastWork: f64): bool {
    if (narrowest <= freeElsewhere) return true;
    if (narrowest > freeAt(reservedSite)) return false;
    if (narrowest <= at<i32>(columns.extraProcessors, reservedQueue)) return true;
    // A length that is lost is to be seen.
    const begin = max<f64>(at<f64>(columns.shadowTimes, reservedQueue), simulation.now);
    return simulation.now + leastTimeAt(simulation, leastWork, reservedSite) <= begin;
  }

  @inline
  holds(simulation: Simulation, job: i32): bool {
    const processors = at<i32>(columns.processors, job);
    if (processors <= freeElsewhere) return true;
    if (processors > freeAt(reservedSite)) return false;
    if (processors <= at<i32>(columns.extraProcessors, reservedQueue)) return true;
    if (endsInTime(simulation, reservedQueue, job)) return true;
    delays.noteIfLost(simulation, simulation.now, predictedTimeAt(simulation, job, reservedSite));
    return false;
  }
}

/** The queue and the site of a reservation, and how many processors are free on one of the other sites. */
let reservedQueue: i32 = 0;
let reservedSite: i32 = 0;
let freeElsewhere: i32 = 0;

/** The next job behind one, or with -1 the first behind the head, that may have a safe site; or -1. */
function next(simulation: Simulation, queue: i32, job: i32): i32 {
  if (!keyBounds.areInForce(simulation)) {
    return sequence.nextNotWider(simulation, queue, job, widestNow(simulation, queue));
  }
  reservedQueue = queue;
  reservedSite = at<i32>(columns.shadowSites, queue);
  freeElsewhere = 0;
  const isAlone = simulation.topology === Topology.Independent;
  for (let site = 0; site < simulation.siteCount && !isAlone; site++) {
    if (site !== reservedSite) freeElsewhere = max(freeElsewhere, freeAt(site));
  }
  return keyBounds.next<BesideReservation>(changetype<BesideReservation>(0), simulation, queue, job);
}

/** Starts the jobs behind the head, from one on or that alone, that the allocator finds a safe site for. */
function startBehind(simulation: Simulation, queue: i32, from: i32, isAlone: bool): void {
  const shadowSite = at<i32>(columns.shadowSites, queue);
  if (isAlone && at<i32>(columns.processors, from) > widestNow(simulation, queue)) return;
  let job = from >= 0 ? from : next(simulation, queue, -1);
  for (; job >= 0; job = isAlone ? -1 : next(simulation, queue, job)) {
    const isOver = endsInTime(simulation, queue, job);
    const isSafe = isOver || at<i32>(columns.processors, job) <= at<i32>(columns.extraProcessors, queue);
    if (RECORDED) noteSafety(simulation, queue, job, isSafe);
    const site = choose(simulation, job, shadowSite, isSafe);
    if (simulation.asked >= 0) return;
    if (site >= 0) {
      if (site === shadowSite && !isOver) takeExtra(queue, job);
      start(simulation, job, site);
    } else {
      delays.noteIfLost(simulation, simulation.now, predictedTimeAt(simulation, job, shadowSite));
      if (RECORDED && !isSafe) noteDelay(simulation, queue, job);
    }
  }
}

/** A job takes of the extra processors. */
@inline
function takeExtra(queue: i32, job: i32): void {
  const extra = at<i32>(columns.extraProcessors, queue);
  put<i32>(columns.extraProcessors, queue, extra - at<i32>(columns.processors, job));
}

/** Whether a job that starts on the site of the reservation now ends, as predicted, before that begins. */
@inline
function endsInTime(simulation: Simulation, queue: i32, job: i32): bool {
  return endBeside(simulation, queue, job) <= at<f64>(columns.shadowTimes, queue);
}

/** Whether a job that fits on a site delays nobody there, in the pass that has stopped. */
export function isSafe(simulation: Simulation, queue: i32, job: i32, site: i32): bool {
  if (simulation.reserved < 0 || site !== at<i32>(columns.shadowSites, queue)) return true;
  if (at<i32>(columns.processors, job) <= at<i32>(columns.extraProcessors, queue)) return true;
  return endsInTime(simulation, queue, job);
}

/** The site that the allocator takes for a job, with that of the reservation if it is safe; or -1. */
function choose(simulation: Simulation, job: i32, shadowSite: i32, isSafe: bool): i32 {
  if (isSafe || freeAt(shadowSite) < at<i32>(columns.processors, job)) {
    return chooseByScan(simulation, job);
  }
  safeSites.beginMarks(simulation);
  safeSites.markUnsafe(shadowSite);
  return safeSites.chooseSafe(simulation, job);
}

/** When a job is predicted to end that starts now on the site of the reservation. */
@inline
function endBeside(simulation: Simulation, queue: i32, job: i32): f64 {
  const predicted = predictedTimeAt(simulation, job, at<i32>(columns.shadowSites, queue));
  return predictions.endSeenAt(simulation.now, simulation.now + predicted);
}

/** Writes down why a job may be started before the head where that is to start. */
function noteSafety(simulation: Simulation, queue: i32, job: i32, isSafe: bool): void {
  beginDecision(simulation, job);
  const site = at<i32>(columns.shadowSites, queue);
  if (!isSafe || freeAt(site) < at<i32>(columns.processors, job)) return;
  const head = <f64>simulation.reserved;
  const extra = <f64>at<i32>(columns.extraProcessors, queue);
  const begin = at<f64>(columns.shadowTimes, queue);
  note(Note.Beside, head, endBeside(simulation, queue, job), begin, extra, <f64>site);
}

/** Writes down why a job that fits where the head is to start is not started there. */
function noteDelay(simulation: Simulation, queue: i32, job: i32): void {
  if (freeAt(at<i32>(columns.shadowSites, queue)) < at<i32>(columns.processors, job)) return;
  const begin = at<f64>(columns.shadowTimes, queue);
  const extra = at<i32>(columns.extraProcessors, queue);
  reservations.delays(simulation, job, endBeside(simulation, queue, job), begin, extra);
}
