import { Discipline, Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import { chooseByScan } from '../allocators/registry';
import * as safeSites from './safeSites';
import * as columns from '../memory/columns';
import { predictedTimeAt } from '../grid/execution';
import { candidateAt, candidatesOf, freeAt } from '../grid/sites';
import { at } from '../memory/memory';
import * as predictedEnds from '../planning/predictedEnds';
import * as keyBounds from '../queue/keyBounds';
import * as sequence from '../queue/sequence';
import { RECORDED, beginDecision } from '../record/log';
import * as easy from './easy';
import { Beside, endsInTime, lookBeside, noteBeside, noteDelay, takeExtra, start } from './easy';
import { widestNow } from './withoutReservations';

/**
 * EASY backfilling on several sites with an allocator. Before there is a reservation, every site with room is
 * safe, because running jobs only free processors. The reservation is on one site, which is safe for a job
 * that ends by the shadow time or needs at most the extra processors.
 */

/** True if this implementation covers the simulation's options. */
@inline
export function suffices(simulation: Simulation): bool {
  if (simulation.discipline !== Discipline.Easy || simulation.reservationDepth !== 1) return false;
  if (simulation.hasPlanRules !== 0 || simulation.outages !== 0) return false;
  return safeSites.hasSafeChoice(simulation);
}

/** Site rule of `easy` with an allocator, which chooses among the safe sites. */
@final
@unmanaged
export class AnySite {
  /** The allocator's site for a job before there is a reservation; -1 if the job fits on none. */
  @inline
  siteNow(simulation: Simulation, queue: i32, job: i32): i32 {
    if (RECORDED) beginDecision(simulation, job);
    return chooseByScan(simulation, job);
  }

  /**
   * Reserves the site with the earliest start for the head, ties by the earliest end. Returns the start in
   * seconds.
   */
  reserve(simulation: Simulation, queue: i32, head: i32): f64 {
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
    easy.reserveOn(simulation, queue, head, best, bestStart, extra);
    return bestStart;
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

/** Next job behind another one, for -1 the first behind the head, that may have a safe site; -1 if none. */
function next(simulation: Simulation, queue: i32, job: i32): i32 {
  if (!keyBounds.areInForce(simulation)) {
    return sequence.nextNotWider(simulation, queue, job, widestNow(simulation, queue));
  }
  const reserved = at<i32>(columns.shadowSites, queue);
  const isAlone = simulation.topology === Topology.Independent;
  let elsewhere = 0;
  for (let site = 0; site < simulation.siteCount && !isAlone; site++) {
    if (site !== reserved) elsewhere = max(elsewhere, freeAt(site));
  }
  lookBeside(queue, elsewhere);
  return keyBounds.next<Beside>(simulation, queue, job);
}

/**
 * Starts the jobs behind the head for which the allocator finds a safe site: from a job on, or that job
 * alone.
 */
function startBehind(simulation: Simulation, queue: i32, from: i32, isAlone: bool): void {
  const shadowSite = at<i32>(columns.shadowSites, queue);
  if (isAlone && at<i32>(columns.processors, from) > widestNow(simulation, queue)) return;
  let job = from >= 0 ? from : next(simulation, queue, -1);
  for (; job >= 0; job = isAlone ? -1 : next(simulation, queue, job)) {
    const isOver = endsInTime(simulation, queue, job);
    const isSafe = isOver || at<i32>(columns.processors, job) <= at<i32>(columns.extraProcessors, queue);
    if (RECORDED) beginDecision(simulation, job);
    if (RECORDED && isSafe && fits(queue, job)) noteBeside(simulation, queue, job);
    const site = choose(simulation, job, shadowSite, isSafe);
    if (simulation.asked >= 0) return;
    if (site >= 0) {
      if (site === shadowSite && !isOver) takeExtra(queue, job);
      start(simulation, job, site);
    } else {
      easy.noteIfLost(simulation, simulation.now, predictedTimeAt(simulation, job, shadowSite));
      if (RECORDED && !isSafe && fits(queue, job)) noteDelay(simulation, queue, job);
    }
  }
}

/** True if a job that fits on a site delays no job there, in the pass that has stopped. */
export function isSafe(simulation: Simulation, queue: i32, job: i32, site: i32): bool {
  if (simulation.reserved < 0 || site !== at<i32>(columns.shadowSites, queue)) return true;
  if (at<i32>(columns.processors, job) <= at<i32>(columns.extraProcessors, queue)) return true;
  return endsInTime(simulation, queue, job);
}

/** The allocator's site for a job, among all sites or those other than the reserved one; -1 if none. */
function choose(simulation: Simulation, job: i32, shadowSite: i32, isSafe: bool): i32 {
  if (isSafe || freeAt(shadowSite) < at<i32>(columns.processors, job)) {
    return chooseByScan(simulation, job);
  }
  safeSites.beginMarks(simulation, job);
  safeSites.markUnsafe(simulation, job, shadowSite);
  return safeSites.chooseSafe(simulation, job);
}

/** True if enough processors are free for a job on the reserved site. */
@inline
function fits(queue: i32, job: i32): bool {
  return freeAt(at<i32>(columns.shadowSites, queue)) >= at<i32>(columns.processors, job);
}
