import { Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import * as predictedEnds from './predictedEnds';
import * as profile from './profile';
import { allocationAt, entryAt, placeIn } from '../events/finishQueue';
import { requestedTimeOn } from '../grid/execution';
import { endSiteOf, firstSiteOf } from '../grid/sites';
import { at, put } from '../memory/memory';

/**
 * What running jobs release and when, by their predicted ends: jobs enter as they start and
 * leave as they end.
 *
 * A job that should have ended already is predicted to end one second from now. `sweep` moves what such jobs
 * occupy to that time; of each site is kept how much it is and up to when `sweep` has looked.
 */

/** Seconds from now until the predicted end of a job that is overdue. */
const OVERDUE: f64 = 1;

/** No job runs. */
export function reset(simulation: Simulation): void {
  profile.reset(columns.predictions, simulation.siteCount);
  for (let site = 0; site < simulation.siteCount; site++) {
    profile.siteProfileAt(columns.predictions, site).swept = -Infinity;
    predictedEnds.reset(site);
  }
}

/**
 * Whether the predicted runtime of a job is lost in rounding at a time, and may not be at a later one: the
 * job may then need its processors for less time without anything freed.
 */
@inline
export function isLost(time: f64, predictedRuntime: f64): bool {
  return time + predictedRuntime === time && predictedRuntime !== 0;
}

/** When an overdue job is predicted to end: in a second or, where that is lost, at the next time there is. */
function endOfOverdue(now: f64): f64 {
  const end = now + OVERDUE;
  return end > now ? end : reinterpret<f64>(reinterpret<u64>(now) + 1);
}

/** When a job is predicted to end that would by its estimate. */
@inline
export function endSeenAt(now: f64, end: f64): f64 {
  return end > now ? end : endOfOverdue(now);
}

/**
 * Until when a job needs its processors that is to start at a time with a predicted runtime. Where that is 0,
 * or lost in rounding, it needs them at that instant alone; if that is now, until it is predicted
 * to end once it runs.
 */
@inline
export function endOf(now: f64, time: f64, predictedRuntime: f64): f64 {
  const end = time + predictedRuntime;
  if (end > time) return end;
  return time === now ? endSeenAt(now, end) : time;
}

/** Processors of a site are occupied until a predicted end. */
@inline
export function enter(site: i32, end: f64, processors: i32): void {
  const siteProfile = profile.siteProfileAt(columns.predictions, site);
  if (end > siteProfile.swept) {
    predictedEnds.add(site, end, processors);
    return;
  }
  if (siteProfile.overdue === 0) siteProfile.overdueUntil = endOfOverdue(siteProfile.swept);
  siteProfile.overdue += processors;
  predictedEnds.add(site, siteProfile.overdueUntil, processors);
}

/** Removes the prediction; returns whether the job was overdue. */
@inline
export function leave(site: i32, end: f64, processors: i32): bool {
  const siteProfile = profile.siteProfileAt(columns.predictions, site);
  if (end > siteProfile.swept) {
    predictedEnds.subtract(site, end, processors);
    return false;
  }
  siteProfile.overdue -= processors;
  predictedEnds.subtract(site, siteProfile.overdueUntil, processors);
  return true;
}

/** A running job is predicted to end otherwise. */
export function correct(site: i32, from: f64, to: f64, processors: i32): void {
  leave(site, from, processors);
  enter(site, to, processors);
}

/** Which jobs are overdue that still run: all that should have ended, or not those that should have now. */
export enum Sweep {
  Until = 0,
  Before = 1,
}

/** Brings the predictions of the sites that a queue is about up to now; returns whether a job is overdue. */
export function sweepQueue(simulation: Simulation, queue: i32, which: Sweep = Sweep.Until): bool {
  const now = simulation.now;
  const until = which === Sweep.Until ? now : timeBefore(now);
  const end = endSiteOf(simulation, queue);
  let isOverdue = false;
  for (let site = firstSiteOf(simulation, queue); site < end; site++) {
    isOverdue = sweep(site, now, until) || isOverdue;
  }
  return isOverdue;
}

/** The last time before a time, which is not before 0. */
@inline
function timeBefore(time: f64): f64 {
  return time > 0 ? reinterpret<f64>(reinterpret<u64>(time) - 1) : -1;
}

/**
 * Brings the predictions of a site up to now; returns whether a job is overdue there, which should
 * have ended until a time.
 */
@inline
function sweep(site: i32, now: f64, until: f64): bool {
  const siteProfile = profile.siteProfileAt(columns.predictions, site);
  if (siteProfile.overdue !== 0 || predictedEnds.soonest(site) <= until) return sweepLate(site, now, until);
  siteProfile.swept = until;
  return false;
}

/** Whether a job is overdue on a site that a queue is about, as the last sweep has found. */
export function isAnyOverdue(simulation: Simulation, queue: i32): bool {
  const end = endSiteOf(simulation, queue);
  for (let site = firstSiteOf(simulation, queue); site < end; site++) {
    if (profile.siteProfileAt(columns.predictions, site).overdue !== 0) return true;
  }
  return false;
}

/** When the overdue jobs of a site are predicted to end. */
@inline
export function overdueUntil(site: i32): f64 {
  return profile.siteProfileAt(columns.predictions, site).overdueUntil;
}

/** The same where jobs should have ended. */
function sweepLate(site: i32, now: f64, until: f64): bool {
  const siteProfile = profile.siteProfileAt(columns.predictions, site);
  const overdue = siteProfile.overdue;
  if (overdue > 0) predictedEnds.subtract(site, siteProfile.overdueUntil, overdue);
  siteProfile.overdue = overdue + predictedEnds.takeUntil(site, until);
  siteProfile.swept = until;
  if (siteProfile.overdue === 0) return false;
  siteProfile.overdueUntil = endOfOverdue(now);
  predictedEnds.add(site, siteProfile.overdueUntil, siteProfile.overdue);
  return true;
}

/**
 * The predicted time from now until the jobs of a site that end soonest have released `processors`; there
 * must be as many.
 */
export function timeUntil(site: i32, processors: i32, now: f64): f64 {
  predictedEnds.findAtLeast(site, processors);
  const wait = predictedEnds.foundTime - now;
  return wait > 0 ? wait : 0;
}

/**
 * A job that has run longer than it was estimated to is from then on predicted to end as it requests. That is
 * brought up to date at the beginning of a pass, before those that are overdue even then.
 */

/**
 * Brings the predictions of the sites that a queue is about up to now; returns whether a job is overdue, or
 * predicted again.
 */
@inline
export function sweepAndCorrect(simulation: Simulation, queue: i32, which: Sweep = Sweep.Until): bool {
  const isCorrected = correctLate(simulation, queue);
  return sweepQueue(simulation, queue, which) || isCorrected;
}

/** Corrects the jobs on the sites that a queue is about; returns whether the prediction of any changes. */
function correctLate(simulation: Simulation, queue: i32): bool {
  if (!isLate(simulation, queue)) return false;
  const site = simulation.topology === Topology.Independent ? queue : -1;
  let isCorrected = false;
  for (let entry = 1; entry <= simulation.running; entry++) {
    const place = placeIn(at<u64>(entryAt(entry), 1));
    const first = allocationAt(place);
    if (site >= 0 && first.site !== site) continue;
    if (first.predictedEnd < simulation.now) isCorrected = correctJob(simulation, place) || isCorrected;
  }
  if (isCorrected) simulation.planHolds = 0;
  return isCorrected;
}

/** Whether a job that may be predicted again should have ended on the sites that a queue is about. */
export function isLate(simulation: Simulation, queue: i32): bool {
  if (simulation.recentJobs === 0) return false;
  const end = endSiteOf(simulation, queue);
  for (let site = firstSiteOf(simulation, queue); site < end; site++) {
    if (profile.siteProfileAt(columns.predictions, site).overdue > 0) return true;
    if (predictedEnds.soonest(site) < simulation.now) return true;
  }
  return false;
}

/** A running job, by its first allocation, is predicted to end as it requests; returns whether it was not. */
function correctJob(simulation: Simulation, place: i32): bool {
  const first = allocationAt(place);
  const before = first.predictedEnd;
  const end = first.start + requestedTimeOn(simulation, first.job, columns.candidateSites, listSites(place));
  if (end === before) return false;
  for (let index = place; index !== 0; index = allocationAt(index).next) {
    const allocation = allocationAt(index);
    correct(allocation.site, before, end, allocation.processors);
    allocation.predictedEnd = end;
  }
  return true;
}

/** Writes the sites of a job to `candidateSites`; returns how many they are. */
function listSites(place: i32): i32 {
  let count = 0;
  for (let index = place; index !== 0; index = allocationAt(index).next) {
    put<i32>(columns.candidateSites, count++, allocationAt(index).site);
  }
  return count;
}
