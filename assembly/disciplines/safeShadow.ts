import { Discipline, Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import { chooseByScan } from '../allocators/registry';
import * as safeSites from './safeSites';
import * as columns from '../memory/columns';
import { predictedTimeWithoutTransfer } from '../grid/execution';
import { candidateAt, candidatesOf, freeAt } from '../grid/sites';
import { at } from '../memory/memory';
import * as predictedEnds from '../planning/predictedEnds';
import * as keyBounds from '../queue/keyBounds';
import * as sequence from '../queue/sequence';
import { RECORDED, beginDecision } from '../record/log';
import * as easy from './easy';
import {
  StartsWithoutDelay,
  endsByShadowTime,
  beginBackfillSearch,
  recordStartBesideHead,
  recordDelayOfHead,
  useExtraProcessors,
  start,
} from './easy';
import { widestPossibleStart } from './withoutReservations';

/**
 * EASY backfilling on several sites with an allocator. Before there is a reservation, every site with room is
 * safe, because running jobs only free processors. The reservation is on one site, which is safe for a job
 * that ends by the shadow time or needs at most the extra processors.
 */

/**
 * True if the fast implementation of this file (EASY, several sites, an allocator) covers the simulation's
 * options.
 */
@inline
export function isApplicable(simulation: Simulation): bool {
  if (simulation.discipline !== Discipline.Easy || simulation.reservationDepth !== 1) return false;
  if (simulation.hasPlanRules !== 0 || simulation.outages !== 0) return false;
  return safeSites.hasSafeChoice(simulation);
}

/** Site rule of `easy` with an allocator, which chooses among the safe sites. */
@final
@unmanaged
export class AnySite {
  /** Site that the allocator chooses while the queue has no reservation; -1 if the job fits on no site. */
  @inline
  startSiteNow(simulation: Simulation, queue: i32, job: i32): i32 {
    if (RECORDED) beginDecision(simulation, job);
    return chooseByScan(simulation, job);
  }

  /**
   * Reserves the site with the earliest start for the head, ties by the earliest end. Returns the start in
   * seconds.
   */
  reserve(simulation: Simulation, queue: i32, head: i32): f64 {
    const processors = at<i32>(columns.processors, head);
    let bestSite = -1;
    let bestStart: f64 = Infinity;
    let bestEnd: f64 = Infinity;
    let extraProcessors = 0;
    for (let index = candidatesOf(simulation, head) - 1; index >= 0; index--) {
      const site = candidateAt(simulation, head, index);
      if (at<i32>(columns.capacities, site) < processors) continue;
      const missingProcessors = processors - freeAt(site);
      predictedEnds.findAtLeast(site, missingProcessors);
      const start = predictedEnds.foundTime;
      const end = start + predictedTimeWithoutTransfer(simulation, head, site);
      if (start > bestStart) continue;
      if (start === bestStart && (end > bestEnd || (end === bestEnd && site > bestSite))) continue;
      bestSite = site;
      bestStart = start;
      bestEnd = end;
      extraProcessors = predictedEnds.foundProcessors - missingProcessors;
    }
    easy.storeReservation(simulation, queue, head, bestSite, bestStart, extraProcessors);
    return bestStart;
  }

  @inline
  siteOfReservation(queue: i32): i32 {
    return at<i32>(columns.shadowSites, queue);
  }

  @inline
  join(simulation: Simulation, queue: i32, job: i32): void {}

  @inline
  isStartImpossible(simulation: Simulation, queue: i32): bool {
    return false;
  }

  @inline
  backfill(simulation: Simulation, queue: i32, firstJob: i32, isSingleJob: bool): void {
    backfillSafely(simulation, queue, firstJob, isSingleJob);
  }
}

/** Next job behind another one, for -1 the first behind the head, that may have a safe site; -1 if none. */
function nextBackfillJob(simulation: Simulation, queue: i32, job: i32): i32 {
  if (!keyBounds.hasBoundsNow(simulation)) {
    return sequence.nextNotWider(simulation, queue, job, widestPossibleStart(simulation, queue));
  }
  const reservedSite = at<i32>(columns.shadowSites, queue);
  const isSingleSite = simulation.topology === Topology.Independent;
  let mostFreeElsewhere = 0;
  for (let site = 0; site < simulation.siteCount && !isSingleSite; site++) {
    if (site !== reservedSite) mostFreeElsewhere = max(mostFreeElsewhere, freeAt(site));
  }
  beginBackfillSearch(queue, mostFreeElsewhere);
  return keyBounds.nextSatisfying<StartsWithoutDelay>(simulation, queue, job);
}

/**
 * Starts the jobs behind the head for which the allocator finds a safe site: from a job on, or that job
 * alone.
 */
function backfillSafely(simulation: Simulation, queue: i32, firstJob: i32, isSingleJob: bool): void {
  const shadowSite = at<i32>(columns.shadowSites, queue);
  if (isSingleJob && at<i32>(columns.processors, firstJob) > widestPossibleStart(simulation, queue)) return;
  let job = firstJob >= 0 ? firstJob : nextBackfillJob(simulation, queue, -1);
  for (; job >= 0; job = isSingleJob ? -1 : nextBackfillJob(simulation, queue, job)) {
    const endsInTimeThere = endsByShadowTime(simulation, queue, job);
    const isSafe =
      endsInTimeThere || at<i32>(columns.processors, job) <= at<i32>(columns.extraProcessors, queue);
    if (RECORDED) beginDecision(simulation, job);
    if (RECORDED && isSafe && fitsOnReservedSite(queue, job)) recordStartBesideHead(simulation, queue, job);
    const site = chooseSafeSite(simulation, job, shadowSite, isSafe);
    if (simulation.decisionJob >= 0) return;
    if (site >= 0) {
      if (site === shadowSite && !endsInTimeThere) useExtraProcessors(queue, job);
      start(simulation, job, site);
    } else {
      easy.noteIfLengthAbsorbed(
        simulation,
        simulation.now,
        predictedTimeWithoutTransfer(simulation, job, shadowSite),
      );
      if (RECORDED && !isSafe && fitsOnReservedSite(queue, job)) recordDelayOfHead(simulation, queue, job);
    }
  }
}

/** True if a job that fits on a site delays no job there, in the pass that has stopped. */
export function isSafe(simulation: Simulation, queue: i32, job: i32, site: i32): bool {
  if (simulation.lastReservedJob < 0 || site !== at<i32>(columns.shadowSites, queue)) return true;
  if (at<i32>(columns.processors, job) <= at<i32>(columns.extraProcessors, queue)) return true;
  return endsByShadowTime(simulation, queue, job);
}

/**
 * Site that the allocator chooses for a job, among all sites or among those other than the reserved one; -1
 * if none.
 */
function chooseSafeSite(simulation: Simulation, job: i32, shadowSite: i32, isSafe: bool): i32 {
  if (isSafe || freeAt(shadowSite) < at<i32>(columns.processors, job)) {
    return chooseByScan(simulation, job);
  }
  safeSites.markAllSafe(simulation, job);
  safeSites.markUnsafe(simulation, job, shadowSite);
  return safeSites.chooseAmongSafeSites(simulation, job);
}

/** True if enough processors are free for a job on the reserved site. */
@inline
function fitsOnReservedSite(queue: i32, job: i32): bool {
  return freeAt(at<i32>(columns.shadowSites, queue)) >= at<i32>(columns.processors, job);
}
