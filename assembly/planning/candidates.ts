import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import {
  predictedTimeOnOneSite,
  predictedTimeWithoutTransfer,
  predictedTimeOnSites,
  leastTimeOnTwoSites,
} from '../grid/execution';
import { mayJobUseSite } from '../grid/siteSets';
import { freeProcessorsAt, siteAtSlot } from '../grid/sites';
import { at, put } from '../memory/memory';
import { IS_RECORDING_BUILD, isWatchedDecision, note, noteShares, Note } from '../record/log';
import * as plan from './plan';
import { isLengthAbsorbed } from './predictions';
import { Option, Selection, Topology } from '../abi/abi';

/**
 * Candidates for a job: a site or a set of sites, with the earliest start at which the job fits into the
 * plan, the shares of the sites, and the predicted end. The best one is kept: the earliest predicted end;
 * among equals the earlier start, then fewer sites, then the lowest indices. The sites of a candidate,
 * `members`, are sorted by speed, fastest first; processors are taken from them in this order.
 */

/**
 * Best candidate so far: the number of its sites (in `chosenSites`, with `chosenShares`), its start and its
 * predicted runtime, both in seconds.
 */
export let chosenSiteCount: i32 = 0;
export let chosenStart: f64 = 0;
export let chosenRuntime: f64 = 0;
export let chosenEnd: f64 = Infinity;

/** True if the job could start as early on another site; determined only with an allocator. */
export let canStartElsewhereAsEarly: bool = false;

/** Predicted runtime in seconds on the sites last found by `divideJobAmongSites`. */
let candidateRuntime: f64 = 0;

/**
 * True if the current job has a predicted runtime of 0 on some site. It then needs processors for a second if
 * it starts now, and only for an instant if later. So a set in which only this site has a share may start the
 * job at a change of another site, when the single site is not considered.
 */
let hasZeroPredictedRuntime: bool = false;

/** True if the current job's length on some single site is absorbed by rounding now. */
export let isRuntimeAbsorbedNow: bool = false;

/** Removes all candidates. */
export function clearCandidates(): void {
  hasZeroPredictedRuntime = false;
  isRuntimeAbsorbedNow = false;
  canStartElsewhereAsEarly = false;
  chosenSiteCount = 0;
  chosenEnd = Infinity;
}

/** True if a site can ever hold a job. */
@inline
export function canSiteEverHold(site: i32, processors: i32): bool {
  return at<i32>(columns.lastingCapacities, site) >= processors;
}

/** Considers a single site as a candidate for the earliest end. */
export function considerSingleSite(simulation: Simulation, job: i32, site: i32): void {
  const processors = at<i32>(columns.processors, job);
  if (!canSiteEverHold(site, processors)) return;
  put<i32>(columns.candidateSites, 0, site);
  put<i32>(columns.candidateShares, 0, processors);
  const predictedRuntime = predictedTimeOnOneSite(simulation, job, site);
  if (predictedRuntime === 0) hasZeroPredictedRuntime = true;
  if (isLengthAbsorbed(simulation.now, predictedRuntime)) isRuntimeAbsorbedNow = true;
  const start = plan.earliestStart(simulation, site, processors, predictedRuntime, chosenEnd);
  if (start < Infinity) keepCandidateIfBetter(start, predictedRuntime, 1);
  else if (IS_RECORDING_BUILD) recordLaterStart(simulation, site, processors, predictedRuntime);
}

/**
 * Records for explanations the start on a single site of a job that ends earlier by another
 * candidate.
 */
function recordLaterStart(simulation: Simulation, site: i32, processors: i32, predictedRuntime: f64): void {
  if (!isWatchedDecision) return;
  const start = plan.earliestStart(simulation, site, processors, predictedRuntime, Infinity);
  note(Note.Candidate, start, start + predictedRuntime, 1);
  note(Note.Share, <f64>site, <f64>processors);
}

/**
 * Records for explanations that the candidate set of the first `siteCount` sites in `setMembers` was rejected
 * without computing its start.
 */
function recordRejectedSet(siteCount: i32): void {
  note(Note.Candidate, Infinity, Infinity, <f64>siteCount);
  for (let memberIndex = 0; memberIndex < siteCount; memberIndex++)
    note(Note.Share, <f64>at<i32>(columns.setMembers, memberIndex), 0);
}

/** Chooses a single site for the current job, with start and predicted runtime in seconds. */
export function chooseSingleSite(job: i32, site: i32, start: f64, predictedRuntime: f64): void {
  chosenStart = start;
  chosenRuntime = predictedRuntime;
  chosenSiteCount = 1;
  put<i32>(columns.chosenSites, 0, site);
  put<i32>(columns.chosenShares, 0, at<i32>(columns.processors, job));
}

/**
 * Considers a single site when the earliest start is wanted; ties by the earliest end, then the lowest index.
 */
export function considerStart(simulation: Simulation, job: i32, site: i32): void {
  const processors = at<i32>(columns.processors, job);
  if (!canSiteEverHold(site, processors)) return;
  const predictedRuntime = predictedTimeWithoutTransfer(simulation, job, site);
  if (isLengthAbsorbed(simulation.now, predictedRuntime)) isRuntimeAbsorbedNow = true;
  const latestEnd = chosenSiteCount === 0 ? Infinity : chosenStart + predictedRuntime;
  const start = plan.earliestStart(simulation, site, processors, predictedRuntime, latestEnd);
  if (chosenSiteCount > 0) {
    if (start > chosenStart) return;
    canStartElsewhereAsEarly = start === chosenStart;
    const end = start + predictedRuntime;
    const bestEndSoFar = chosenStart + chosenRuntime;
    const endsLater = end > bestEndSoFar || (end === bestEndSoFar && site > at<i32>(columns.chosenSites, 0));
    if (canStartElsewhereAsEarly && endsLater) return;
  }
  chooseSingleSite(job, site, start, predictedRuntime);
}

/** True if a job fits on a single site from now until its predicted end. */
export function canStartOnSite(simulation: Simulation, job: i32, site: i32): bool {
  const processors = at<i32>(columns.processors, job);
  if (!canSiteEverHold(site, processors)) return false;
  const predictedRuntime = predictedTimeOnOneSite(simulation, job, site);
  if (isLengthAbsorbed(simulation.now, predictedRuntime)) isRuntimeAbsorbedNow = true;
  return plan.leastFreeProcessorsFor(site, simulation.now, simulation.now, predictedRuntime) >= processors;
}

/**
 * True if a job may start now on some single site: it fits until its predicted end, or its length is absorbed
 * by rounding.
 */
export function mayJobStartNow(simulation: Simulation, job: i32): bool {
  const processors = at<i32>(columns.processors, job);
  const now = simulation.now;
  for (let site = 0; site < simulation.siteCount; site++) {
    if (freeProcessorsAt(site) < processors || !mayJobUseSite(simulation, job, site)) continue;
    const predictedRuntime = predictedTimeOnOneSite(simulation, job, site);
    if (isLengthAbsorbed(now, predictedRuntime)) return true;
    if (plan.leastFreeProcessorsFor(site, now, now, predictedRuntime) >= processors) return true;
  }
  return false;
}

/** Predicted runtime in seconds below which a set of sites is no better than a single site. */
@inline
function leastRuntimeOfSet(predictedRuntime: f64): f64 {
  return hasZeroPredictedRuntime ? 0 : predictedRuntime;
}

/**
 * Considers the first `siteCount` members together. Below the predicted runtime `leastRuntime` they offer
 * nothing that another candidate does not; if even that ends later than the best candidate, they are
 * rejected.
 */
function considerSiteSet(simulation: Simulation, job: i32, siteCount: i32, leastRuntime: f64): void {
  const processors = at<i32>(columns.processors, job);
  if (!canSiteSetHoldJob(siteCount, processors)) return;
  let time = simulation.now;
  while (time + leastRuntime <= chosenEnd) {
    const siteCountWithShare = divideJobAmongSites(simulation, job, siteCount, time);
    if (siteCountWithShare > 0) {
      keepCandidateIfBetter(time, candidateRuntime, siteCountWithShare);
      return;
    }
    time = nextChangeTime(siteCount, time);
    if (time === Infinity) return;
  }
  if (IS_RECORDING_BUILD) recordRejectedSet(siteCount);
}

/** Considers the first `siteCount` members together if the job fits on them from now on. */
function considerSiteSetNow(simulation: Simulation, job: i32, siteCount: i32): void {
  const processors = at<i32>(columns.processors, job);
  if (!canSiteSetHoldJob(siteCount, processors)) return;
  const siteCountWithShare = divideJobAmongSites(simulation, job, siteCount, simulation.now);
  if (siteCountWithShare > 0) keepCandidateIfBetter(simulation.now, candidateRuntime, siteCountWithShare);
}

function canSiteSetHoldJob(siteCount: i32, processors: i32): bool {
  let capacity: i64 = 0;
  for (let memberIndex = 0; memberIndex < siteCount; memberIndex++) {
    capacity += at<i32>(columns.capacities, at<i32>(columns.setMembers, memberIndex));
  }
  return capacity >= processors;
}

function nextChangeTime(siteCount: i32, time: f64): f64 {
  let nextTime = Infinity;
  for (let memberIndex = 0; memberIndex < siteCount; memberIndex++) {
    nextTime = min<f64>(nextTime, plan.nextChange(at<i32>(columns.setMembers, memberIndex), time));
  }
  return nextTime;
}

/**
 * Divides a job among members from a time on: takes all free processors of the fastest, then of the next.
 * Sites without a share are removed, and runtime and shares computed again, until every site has a share.
 * Returns the number of sites, 0 if the job does not fit.
 */
function divideJobAmongSites(simulation: Simulation, job: i32, siteCount: i32, time: f64): i32 {
  for (let memberIndex = 0; memberIndex < siteCount; memberIndex++) {
    put<i32>(columns.candidateSites, memberIndex, at<i32>(columns.setMembers, memberIndex));
  }
  while (true) {
    candidateRuntime = predictedTimeOnSites(simulation, job, columns.candidateSites, siteCount);
    let siteCountWithShare = 0;
    let missingProcessors = at<i32>(columns.processors, job);
    for (let memberIndex = 0; memberIndex < siteCount; memberIndex++) {
      const site = at<i32>(columns.candidateSites, memberIndex);
      const freeProcessors =
        missingProcessors === 0
          ? 0
          : plan.leastFreeProcessorsFor(site, simulation.now, time, candidateRuntime);
      const share = max(0, min(freeProcessors, missingProcessors));
      if (share === 0) continue;
      put<i32>(columns.candidateSites, siteCountWithShare, site);
      put<i32>(columns.candidateShares, siteCountWithShare, share);
      missingProcessors -= share;
      siteCountWithShare++;
    }
    if (missingProcessors > 0) return 0;
    if (siteCountWithShare === siteCount) return siteCountWithShare;
    siteCount = siteCountWithShare;
  }
}

/** Keeps the current candidate if it is better than the best. */
function keepCandidateIfBetter(start: f64, predictedRuntime: f64, siteCount: i32): void {
  const end = start + predictedRuntime;
  if (IS_RECORDING_BUILD) {
    note(Note.Candidate, start, end, <f64>siteCount);
    noteShares(columns.candidateSites, columns.candidateShares, siteCount);
  }
  if (end > chosenEnd) return;
  if (end === chosenEnd) {
    if (start > chosenStart) return;
    if (start === chosenStart && !hasFewerOrLowerSites(siteCount)) return;
  }
  chosenEnd = end;
  chosenStart = start;
  chosenRuntime = predictedRuntime;
  chosenSiteCount = siteCount;
  for (let index = 0; index < siteCount; index++) {
    put<i32>(columns.chosenSites, index, at<i32>(columns.candidateSites, index));
    put<i32>(columns.chosenShares, index, at<i32>(columns.candidateShares, index));
  }
}

/** True if the current candidate has fewer sites than the best, or as many with lower indices. */
function hasFewerOrLowerSites(siteCount: i32): bool {
  if (siteCount !== chosenSiteCount) return siteCount < chosenSiteCount;
  return (
    lowestSiteNotIn(columns.candidateSites, columns.chosenSites, siteCount) <
    lowestSiteNotIn(columns.chosenSites, columns.candidateSites, siteCount)
  );
}

/** Lowest site of a list that is not in another. */
function lowestSiteNotIn(sitesAddress: usize, othersAddress: usize, siteCount: i32): i32 {
  let lowestSite = i32.MAX_VALUE;
  for (let index = 0; index < siteCount; index++) {
    const site = at<i32>(sitesAddress, index);
    let isSiteInBoth = false;
    for (let otherIndex = 0; otherIndex < siteCount; otherIndex++)
      isSiteInBoth = isSiteInBoth || at<i32>(othersAddress, otherIndex) === site;
    if (!isSiteInBoth) lowestSite = min(lowestSite, site);
  }
  return lowestSite;
}

/**
 * Resource selection (Zhang et al. 2006, section 4.1.1): chooses a job's sites, now or later, as the best of
 * the candidates. Several sites are a candidate only with a multi-site factor.
 */
export function selectSites(simulation: Simulation, job: i32): void {
  clearCandidates();
  if (simulation.topology === Topology.Independent) {
    considerSingleSite(simulation, job, at<i32>(columns.homes, job));
  } else if (simulation.selection === Selection.NonAdaptive) {
    selectSitesNonAdaptively(simulation, job);
  } else {
    considerEachSite(simulation, job);
    if (columns.optionOfRun(Option.MultiSiteFactor) === 0) return;
    if (simulation.selection === Selection.Optimal) considerSiteSetsWithSlot(simulation, job, 0, 0);
    else considerFastestSiteSets(simulation, job, false);
  }
}

function considerEachSite(simulation: Simulation, job: i32): void {
  for (let site = 0; site < simulation.siteCount; site++) {
    if (mayJobUseSite(simulation, job, site)) considerSingleSite(simulation, job, site);
  }
}

/**
 * Considers every set of at least two sites that contains the first `siteCount` members and otherwise only
 * sites from position `slot` on, in order of speed (Algorithm 2). Adding a site makes no set faster, so a set
 * that would end too late even with a start now is rejected together with all its supersets. If some sites of
 * a set get no share, the result is no better than that of the other sites alone, which are a candidate too.
 * So a set counts with its full predicted runtime, except for jobs with predicted runtime 0 on a site.
 */
function considerSiteSetsWithSlot(simulation: Simulation, job: i32, slot: i32, siteCount: i32): void {
  for (; slot < simulation.siteCount; slot++) {
    put<i32>(columns.setMembers, siteCount, siteAtSlot(slot));
    const predictedRuntime = predictedTimeOnSites(simulation, job, columns.setMembers, siteCount + 1);
    const leastRuntime = leastRuntimeOfSet(predictedRuntime);
    if (simulation.now + leastRuntime > chosenEnd) continue;
    if (siteCount > 0) considerSiteSet(simulation, job, siteCount + 1, leastRuntime);
    considerSiteSetsWithSlot(simulation, job, slot + 1, siteCount + 1);
  }
}

/** Considers the two fastest sites, the three fastest, and so on; now only, or at any time. */
function considerFastestSiteSets(simulation: Simulation, job: i32, mustStartNow: bool): void {
  put<i32>(columns.setMembers, 0, siteAtSlot(0));
  for (let siteCount = 2; siteCount <= simulation.siteCount; siteCount++) {
    put<i32>(columns.setMembers, siteCount - 1, siteAtSlot(siteCount - 1));
    if (mustStartNow) {
      considerSiteSetNow(simulation, job, siteCount);
    } else {
      const leastRuntime = leastTimeOnTwoSites(simulation, job, columns.setMembers, siteCount);
      considerSiteSet(simulation, job, siteCount, leastRuntimeOfSet(leastRuntime));
    }
  }
}

/**
 * Chooses sites on which the job can start now: its home, otherwise the single site with the earliest end,
 * otherwise several sites. If the job cannot start now, reserves in the same order on sites that can ever
 * hold it (section 6).
 */
function selectSitesNonAdaptively(simulation: Simulation, job: i32): void {
  const home = at<i32>(columns.homes, job);
  const maySplitJobs = columns.optionOfRun(Option.MultiSiteFactor) > 0;
  if (canStartOnSite(simulation, job, home)) {
    considerSingleSite(simulation, job, home);
    return;
  }
  for (let site = 0; site < simulation.siteCount; site++) {
    if (canStartOnSite(simulation, job, site)) considerSingleSite(simulation, job, site);
  }
  if (chosenSiteCount === 0 && maySplitJobs) considerFastestSiteSets(simulation, job, true);
  if (chosenSiteCount === 0) considerSingleSite(simulation, job, home);
  if (chosenSiteCount === 0) considerEachSite(simulation, job);
  if (chosenSiteCount === 0) considerFastestSiteSets(simulation, job, false);
}
