import { Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import * as predictedEnds from './predictedEnds';
import * as profile from './profile';
import { allocationAt, finishEntryAt, siteOrAllocationOfKey } from '../events/finishQueue';
import { requestedTimeOnSites } from '../grid/execution';
import { endSiteOfQueue, firstSiteOfQueue } from '../grid/sites';
import { at, put } from '../memory/memory';

/**
 * Predicted ends of running jobs: jobs are added at their start and removed at their end. An overdue job
 * (past its predicted end) is predicted to end one second from now. `updateOverdueJobs` moves the predicted
 * ends of overdue jobs there; each site stores how many processors they hold and the time of the last update.
 */

/** Predicted remaining time of an overdue job, in seconds. */
const OVERDUE_REMAINING: f64 = 1;

/** Removes all predicted ends. */
export function reset(simulation: Simulation): void {
  profile.reset(columns.predictions, simulation.siteCount);
  for (let site = 0; site < simulation.siteCount; site++) {
    profile.siteProfileAt(columns.predictions, site).updatedUntil = -Infinity;
    predictedEnds.reset(site);
  }
}

/**
 * True if adding the predicted runtime to a time does not change it. At a later time the sum may differ, and
 * the job may then need processors for less time, although no job has ended.
 */
@inline
export function isLengthAbsorbed(time: f64, predictedRuntime: f64): bool {
  return time + predictedRuntime === time && predictedRuntime !== 0;
}

/**
 * Predicted end of an overdue job: one second from now or, if that is absorbed by rounding, the next
 * representable time.
 */
function predictedEndOfOverdueJob(now: f64): f64 {
  const end = now + OVERDUE_REMAINING;
  return end > now ? end : reinterpret<f64>(reinterpret<u64>(now) + 1);
}

/** Predicted end as seen now: `end`, or that of an overdue job if `end` has passed. */
@inline
export function effectiveEnd(now: f64, end: f64): f64 {
  return end > now ? end : predictedEndOfOverdueJob(now);
}

/**
 * Time in seconds until which a job planned for `time` needs its processors. With a predicted runtime of 0,
 * or one absorbed by rounding, only for that instant; if that is now, until its predicted end as a running
 * job.
 */
@inline
export function requiredEnd(now: f64, time: f64, predictedRuntime: f64): f64 {
  const end = time + predictedRuntime;
  if (end > time) return end;
  return time === now ? effectiveEnd(now, end) : time;
}

/** Adds a prediction: processors of a site are used until a predicted end. */
@inline
export function addPrediction(site: i32, end: f64, processors: i32): void {
  const siteProfile = profile.siteProfileAt(columns.predictions, site);
  if (end > siteProfile.updatedUntil) {
    predictedEnds.addRelease(site, end, processors);
    return;
  }
  if (siteProfile.overdueProcessors === 0)
    siteProfile.overdueUntil = predictedEndOfOverdueJob(siteProfile.updatedUntil);
  siteProfile.overdueProcessors += processors;
  predictedEnds.addRelease(site, siteProfile.overdueUntil, processors);
}

/** Removes a prediction; returns true if the job was overdue. */
@inline
export function removePrediction(site: i32, end: f64, processors: i32): bool {
  const siteProfile = profile.siteProfileAt(columns.predictions, site);
  if (end > siteProfile.updatedUntil) {
    predictedEnds.subtractRelease(site, end, processors);
    return false;
  }
  siteProfile.overdueProcessors -= processors;
  predictedEnds.subtractRelease(site, siteProfile.overdueUntil, processors);
  return true;
}

/** Changes the predicted end of a running job. */
export function changePredictedEnd(site: i32, previousEnd: f64, newEnd: f64, processors: i32): void {
  removePrediction(site, previousEnd, processors);
  addPrediction(site, newEnd, processors);
}

/** Criterion for overdue jobs: predicted to end by now, or strictly before now. */
export enum OverdueCriterion {
  Until = 0,
  Before = 1,
}

/** Updates the predictions of a queue's sites to now; returns true if a job is overdue. */
export function updateOverdueOfQueue(
  simulation: Simulation,
  queue: i32,
  overdueCriterion: OverdueCriterion = OverdueCriterion.Until,
): bool {
  const now = simulation.now;
  const until = overdueCriterion === OverdueCriterion.Until ? now : latestTimeBefore(now);
  const end = endSiteOfQueue(simulation, queue);
  let isOverdue = false;
  for (let site = firstSiteOfQueue(simulation, queue); site < end; site++) {
    isOverdue = updateOverdueJobs(site, now, until) || isOverdue;
  }
  return isOverdue;
}

/** Largest representable time before a non-negative time. */
@inline
function latestTimeBefore(time: f64): f64 {
  return time > 0 ? reinterpret<f64>(reinterpret<u64>(time) - 1) : -1;
}

/**
 * Updates the predictions of a site to now; returns true if a job that should have ended by `until` is
 * overdue.
 */
@inline
function updateOverdueJobs(site: i32, now: f64, until: f64): bool {
  const siteProfile = profile.siteProfileAt(columns.predictions, site);
  if (siteProfile.overdueProcessors !== 0 || predictedEnds.soonestEnd(site) <= until)
    return updateOverdueSite(site, now, until);
  siteProfile.updatedUntil = until;
  return false;
}

/** True if the last update of predictions found an overdue job on a queue's sites. */
export function isAnyOverdue(simulation: Simulation, queue: i32): bool {
  const end = endSiteOfQueue(simulation, queue);
  for (let site = firstSiteOfQueue(simulation, queue); site < end; site++) {
    if (profile.siteProfileAt(columns.predictions, site).overdueProcessors !== 0) return true;
  }
  return false;
}

/** Predicted end of the overdue jobs of a site, in seconds. */
@inline
export function predictedEndOfOverdueJobs(site: i32): f64 {
  return profile.siteProfileAt(columns.predictions, site).overdueUntil;
}

/** Like `updateOverdueJobs`, for a site on which some job should have ended. */
function updateOverdueSite(site: i32, now: f64, until: f64): bool {
  const siteProfile = profile.siteProfileAt(columns.predictions, site);
  const overdueProcessors = siteProfile.overdueProcessors;
  if (overdueProcessors > 0) predictedEnds.subtractRelease(site, siteProfile.overdueUntil, overdueProcessors);
  siteProfile.overdueProcessors = overdueProcessors + predictedEnds.removeReleasesUntil(site, until);
  siteProfile.updatedUntil = until;
  if (siteProfile.overdueProcessors === 0) return false;
  siteProfile.overdueUntil = predictedEndOfOverdueJob(now);
  predictedEnds.addRelease(site, siteProfile.overdueUntil, siteProfile.overdueProcessors);
  return true;
}

/**
 * Predicted seconds from now until the running jobs of a site have released `processors` processors; they
 * must hold at least as many.
 */
export function secondsUntilReleased(site: i32, processors: i32, now: f64): f64 {
  predictedEnds.findTimeOfReleaseOfAtLeast(site, processors);
  const wait = predictedEnds.foundTime - now;
  return wait > 0 ? wait : 0;
}

/**
 * Corrections: a job that has run longer than its estimate is predicted to end by its request. This happens
 * at the begin of a pass, before jobs are treated as overdue.
 */

/** Corrects and updates the predictions of a queue's sites; returns true if a job is overdue or corrected. */
@inline
export function updatePredictions(
  simulation: Simulation,
  queue: i32,
  overdueCriterion: OverdueCriterion = OverdueCriterion.Until,
): bool {
  const haveOverdueJobsChanged = correctOverdueJobs(simulation, queue);
  return updateOverdueOfQueue(simulation, queue, overdueCriterion) || haveOverdueJobsChanged;
}

/** Corrects the jobs on a queue's sites; returns true if any prediction changes. */
function correctOverdueJobs(simulation: Simulation, queue: i32): bool {
  if (!hasCorrectableJob(simulation, queue)) return false;
  const site = simulation.topology === Topology.Independent ? queue : -1;
  let haveOverdueJobsChanged = false;
  for (let finishEntry = 1; finishEntry <= simulation.runningJobs; finishEntry++) {
    const place = siteOrAllocationOfKey(at<u64>(finishEntryAt(finishEntry), 1));
    const firstAllocation = allocationAt(place);
    if (site >= 0 && firstAllocation.site !== site) continue;
    if (firstAllocation.predictedEnd < simulation.now)
      haveOverdueJobsChanged = correctJob(simulation, place) || haveOverdueJobsChanged;
  }
  if (haveOverdueJobsChanged) simulation.planHolds = 0;
  return haveOverdueJobsChanged;
}

/** True if a job that can be corrected should have ended on a queue's sites. */
export function hasCorrectableJob(simulation: Simulation, queue: i32): bool {
  if (simulation.recentJobs === 0) return false;
  const end = endSiteOfQueue(simulation, queue);
  for (let site = firstSiteOfQueue(simulation, queue); site < end; site++) {
    if (profile.siteProfileAt(columns.predictions, site).overdueProcessors > 0) return true;
    if (predictedEnds.soonestEnd(site) < simulation.now) return true;
  }
  return false;
}

/**
 * Predicts a running job (by its first allocation) to end by its request; returns true if that changes the
 * prediction.
 */
function correctJob(simulation: Simulation, place: i32): bool {
  const firstAllocation = allocationAt(place);
  const previousEnd = firstAllocation.predictedEnd;
  const end =
    firstAllocation.start +
    requestedTimeOnSites(simulation, firstAllocation.job, columns.candidateSites, listSitesOfJob(place));
  if (end === previousEnd) return false;
  for (let index = place; index !== 0; index = allocationAt(index).next) {
    const allocation = allocationAt(index);
    changePredictedEnd(allocation.site, previousEnd, end, allocation.processors);
    allocation.predictedEnd = end;
  }
  return true;
}

/** Writes the sites of a job to `candidateSites`; returns their number. */
function listSitesOfJob(place: i32): i32 {
  let siteCount = 0;
  for (let index = place; index !== 0; index = allocationAt(index).next) {
    put<i32>(columns.candidateSites, siteCount++, allocationAt(index).site);
  }
  return siteCount;
}
