import { Discipline, Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import { chooseSiteByScan } from '../allocators/registry';
import * as safeSites from './safeSites';
import * as columns from '../memory/columns';
import { predictedTimeWithoutTransfer } from '../grid/execution';
import { candidateAt, candidateCountOf, freeProcessorsAt } from '../grid/sites';
import { at } from '../memory/memory';
import * as predictedEnds from '../planning/predictedEnds';
import * as keyBounds from '../queue/keyBounds';
import * as sequence from '../queue/sequence';
import { IS_RECORDING_BUILD, beginDecision } from '../record/log';
import * as easy from './easy';
import {
  CanStartWithoutDelay,
  wouldEndByShadowTime,
  beginBackfillSearch,
  recordBackfilledStart,
  recordWouldDelayHead,
  takeExtraProcessors,
  start,
} from './easy';
import { widestStartableWidth } from './withoutReservations';

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
export function isSafeShadowApplicable(simulation: Simulation): bool {
  if (simulation.discipline !== Discipline.Easy || simulation.reservationDepth !== 1) return false;
  if (simulation.hasPlanRules !== 0 || simulation.outages !== 0) return false;
  return safeSites.hasSafeChoice(simulation);
}

/** Site rule of `easy` with an allocator, which chooses among the safe sites. */
@final
@unmanaged
export class AllocatorSiteRule {
  /** Site that the allocator chooses while the queue has no reservation; -1 if the job fits on no site. */
  @inline
  siteForStartNow(simulation: Simulation, queue: i32, job: i32): i32 {
    if (IS_RECORDING_BUILD) beginDecision(simulation, job);
    return chooseSiteByScan(simulation, job);
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
    for (let index = candidateCountOf(simulation, head) - 1; index >= 0; index--) {
      const site = candidateAt(simulation, head, index);
      if (at<i32>(columns.capacities, site) < processors) continue;
      const missingProcessors = processors - freeProcessorsAt(site);
      predictedEnds.findTimeOfReleaseOfAtLeast(site, missingProcessors);
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
  if (!keyBounds.areBoundsUsable(simulation)) {
    return sequence.nextJobNotWider(simulation, queue, job, widestStartableWidth(simulation, queue));
  }
  const reservedSite = at<i32>(columns.shadowSites, queue);
  const isSingleSite = simulation.topology === Topology.Independent;
  let maxFreeProcessorsElsewhere = 0;
  for (let site = 0; site < simulation.siteCount && !isSingleSite; site++) {
    if (site !== reservedSite)
      maxFreeProcessorsElsewhere = max(maxFreeProcessorsElsewhere, freeProcessorsAt(site));
  }
  beginBackfillSearch(queue, maxFreeProcessorsElsewhere);
  return keyBounds.nextJobSatisfying<CanStartWithoutDelay>(simulation, queue, job);
}

/**
 * Starts the jobs behind the head for which the allocator finds a safe site: from a job on, or that job
 * alone.
 */
function backfillSafely(simulation: Simulation, queue: i32, firstJob: i32, isSingleJob: bool): void {
  const shadowSite = at<i32>(columns.shadowSites, queue);
  if (isSingleJob && at<i32>(columns.processors, firstJob) > widestStartableWidth(simulation, queue)) return;
  let job = firstJob >= 0 ? firstJob : nextBackfillJob(simulation, queue, -1);
  for (; job >= 0; job = isSingleJob ? -1 : nextBackfillJob(simulation, queue, job)) {
    const endsByShadowTimeOnSite = wouldEndByShadowTime(simulation, queue, job);
    const isSafeOnShadowSite =
      endsByShadowTimeOnSite || at<i32>(columns.processors, job) <= at<i32>(columns.extraProcessors, queue);
    if (IS_RECORDING_BUILD) beginDecision(simulation, job);
    if (IS_RECORDING_BUILD && isSafeOnShadowSite && wouldFitOnReservedSite(queue, job))
      recordBackfilledStart(simulation, queue, job);
    const site = chooseSafeSite(simulation, job, shadowSite, isSafeOnShadowSite);
    if (simulation.decisionJob >= 0) return;
    if (site >= 0) {
      if (site === shadowSite && !endsByShadowTimeOnSite) takeExtraProcessors(queue, job);
      start(simulation, job, site);
    } else {
      easy.noteIfRuntimeIsAbsorbed(
        simulation,
        simulation.now,
        predictedTimeWithoutTransfer(simulation, job, shadowSite),
      );
      if (IS_RECORDING_BUILD && !isSafeOnShadowSite && wouldFitOnReservedSite(queue, job))
        recordWouldDelayHead(simulation, queue, job);
    }
  }
}

/** True if a job that fits on a site delays no job there, in the pass that has stopped. */
export function isSafe(simulation: Simulation, queue: i32, job: i32, site: i32): bool {
  if (simulation.lastReservedJob < 0 || site !== at<i32>(columns.shadowSites, queue)) return true;
  if (at<i32>(columns.processors, job) <= at<i32>(columns.extraProcessors, queue)) return true;
  return wouldEndByShadowTime(simulation, queue, job);
}

/**
 * Site that the allocator chooses for a job, among all sites or among those other than the reserved one; -1
 * if none.
 */
function chooseSafeSite(simulation: Simulation, job: i32, shadowSite: i32, isSafeOnShadowSite: bool): i32 {
  if (isSafeOnShadowSite || freeProcessorsAt(shadowSite) < at<i32>(columns.processors, job)) {
    return chooseSiteByScan(simulation, job);
  }
  safeSites.markAllCandidatesSafe(simulation, job);
  safeSites.markSiteUnsafe(simulation, job, shadowSite);
  return safeSites.chooseAmongSafeSites(simulation, job);
}

/** True if enough processors are free for a job on the reserved site. */
@inline
function wouldFitOnReservedSite(queue: i32, job: i32): bool {
  return freeProcessorsAt(at<i32>(columns.shadowSites, queue)) >= at<i32>(columns.processors, job);
}
