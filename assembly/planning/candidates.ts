import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { predictedTimeAlone, predictedTimeAt, predictedTimeOn, leastTimeOnTwo } from '../grid/execution';
import { freeAt, siteInSlot } from '../grid/sites';
import { at, put } from '../memory/memory';
import { RECORDED, isLookedAt, note, noteShares, Note } from '../record/log';
import * as plan from './plan';
import { isLost } from './predictions';
import { Option, Selection, Topology } from '../abi/abi';

/**
 * Candidates for a job: a site or a set of sites, the earliest start at which it fits into the plan, the
 * shares of the sites, and the predicted end. The best so far is kept: the least predicted end; of equals
 * the earlier start, then fewer sites, then the lowest indices. The sites of a candidate, `members`, are
 * in the order of their speeds, fastest first, which is the order in which processors are taken from them.
 */

/** The best candidate: how many sites, in `chosenSites` with `chosenShares`, from when, for how long. */
export let chosenCount: i32 = 0;
export let chosenStart: f64 = 0;
export let chosenRuntime: f64 = 0;
export let chosenEnd: f64 = Infinity;

/** Whether the job could start as early on another site too; found out for allocators alone. */
export let isTied: bool = false;

/** The predicted runtime on the sites that `share` has found last. */
let candidateRuntime: f64 = 0;

/**
 * Whether the job at hand has a predicted runtime of 0 on a site. Such a job needs processors for a second if
 * it starts now, and for an instant later. So a set in which that site alone gets a share may start it at a
 * change of another site, at which the site by itself is not considered.
 */
let isInstant: bool = false;

/** Whether the job at hand has a length that is lost in rounding now, on a site by itself. */
export let isLostNow: bool = false;

/** There is no candidate yet. */
export function clear(): void {
  isInstant = false;
  isLostNow = false;
  isTied = false;
  chosenCount = 0;
  chosenEnd = Infinity;
}

/** Whether a site can ever hold a job. */
@inline
export function canHold(site: i32, processors: i32): bool {
  return at<i32>(columns.capacities, site) >= processors;
}

/** A site alone is considered. */
export function considerAlone(simulation: Simulation, job: i32, site: i32): void {
  const processors = at<i32>(columns.processors, job);
  if (!canHold(site, processors)) return;
  put<i32>(columns.candidateSites, 0, site);
  put<i32>(columns.candidateShares, 0, processors);
  const predictedRuntime = predictedTimeAlone(simulation, job, site);
  if (predictedRuntime === 0) isInstant = true;
  if (isLost(simulation.now, predictedRuntime)) isLostNow = true;
  const start = plan.earliestStart(simulation, site, processors, predictedRuntime, chosenEnd);
  if (start < Infinity) keepIfBetter(start, predictedRuntime, 1);
  else if (RECORDED) noteLater(simulation, site, processors, predictedRuntime);
}

/** Writes down when a site alone could start a job that another candidate ends sooner. */
function noteLater(simulation: Simulation, site: i32, processors: i32, predictedRuntime: f64): void {
  if (!isLookedAt) return;
  const start = plan.earliestStart(simulation, site, processors, predictedRuntime, Infinity);
  note(Note.Candidate, start, start + predictedRuntime, 1);
  note(Note.Share, <f64>site, <f64>processors);
}

/** Writes down that the first members were left before they had a start. */
function noteLeft(count: i32): void {
  note(Note.Candidate, Infinity, Infinity, <f64>count);
  for (let member = 0; member < count; member++) note(Note.Share, <f64>at<i32>(columns.members, member), 0);
}

/** The job at hand gets a site alone, for a predicted runtime from a time on. */
export function choose(job: i32, site: i32, start: f64, predictedRuntime: f64): void {
  chosenStart = start;
  chosenRuntime = predictedRuntime;
  chosenCount = 1;
  put<i32>(columns.chosenSites, 0, site);
  put<i32>(columns.chosenShares, 0, at<i32>(columns.processors, job));
}

/**
 * A site alone is considered where the earliest start is looked for; of equal ones the earliest end, then the
 * lowest index.
 */
export function considerStart(simulation: Simulation, job: i32, site: i32): void {
  const processors = at<i32>(columns.processors, job);
  if (!canHold(site, processors)) return;
  const predictedRuntime = predictedTimeAt(simulation, job, site);
  if (isLost(simulation.now, predictedRuntime)) isLostNow = true;
  const latestEnd = chosenCount === 0 ? Infinity : chosenStart + predictedRuntime;
  const start = plan.earliestStart(simulation, site, processors, predictedRuntime, latestEnd);
  if (chosenCount > 0) {
    if (start > chosenStart) return;
    isTied = start === chosenStart;
    const end = start + predictedRuntime;
    const endSoFar = chosenStart + chosenRuntime;
    const isLater = end > endSoFar || (end === endSoFar && site > at<i32>(columns.chosenSites, 0));
    if (isTied && isLater) return;
  }
  choose(job, site, start, predictedRuntime);
}

/** Whether a job fits on a site alone from now on until its predicted end. */
export function startsAlone(simulation: Simulation, job: i32, site: i32): bool {
  const processors = at<i32>(columns.processors, job);
  if (!canHold(site, processors)) return false;
  const predictedRuntime = predictedTimeAlone(simulation, job, site);
  if (isLost(simulation.now, predictedRuntime)) isLostNow = true;
  return plan.leastFreeFor(site, simulation.now, simulation.now, predictedRuntime) >= processors;
}

/** Whether a job may start now: it fits on a site alone until its predicted end, or its length is lost. */
export function mayStartNow(simulation: Simulation, job: i32): bool {
  const processors = at<i32>(columns.processors, job);
  const now = simulation.now;
  for (let site = 0; site < simulation.siteCount; site++) {
    if (freeAt(site) < processors) continue;
    const predictedRuntime = predictedTimeAlone(simulation, job, site);
    if (isLost(now, predictedRuntime)) return true;
    if (plan.leastFreeFor(site, now, now, predictedRuntime) >= processors) return true;
  }
  return false;
}

/** A runtime below which nothing comes of sites together that one alone does not offer, from that of all. */
@inline
function leastTogether(predictedRuntime: f64): f64 {
  return isInstant ? 0 : predictedRuntime;
}

/**
 * The first `count` members together are considered. `leastRuntime` is a predicted runtime below which
 * nothing comes of them that another candidate does not offer too: where even that ends later than the best,
 * they are left.
 */
function considerTogether(simulation: Simulation, job: i32, count: i32, leastRuntime: f64): void {
  const processors = at<i32>(columns.processors, job);
  if (!canHoldTogether(count, processors)) return;
  let time = simulation.now;
  while (time + leastRuntime <= chosenEnd) {
    const sites = share(simulation, job, count, time);
    if (sites > 0) {
      keepIfBetter(time, candidateRuntime, sites);
      return;
    }
    time = nextChange(count, time);
    if (time === Infinity) return;
  }
  if (RECORDED) noteLeft(count);
}

/** The first `count` members together are considered if the job fits on them from now on. */
function considerTogetherNow(simulation: Simulation, job: i32, count: i32): void {
  const processors = at<i32>(columns.processors, job);
  if (!canHoldTogether(count, processors)) return;
  const sites = share(simulation, job, count, simulation.now);
  if (sites > 0) keepIfBetter(simulation.now, candidateRuntime, sites);
}

function canHoldTogether(count: i32, processors: i32): bool {
  let capacity: i64 = 0;
  for (let member = 0; member < count; member++) {
    capacity += at<i32>(columns.capacities, at<i32>(columns.members, member));
  }
  return capacity >= processors;
}

function nextChange(count: i32, time: f64): f64 {
  let next = Infinity;
  for (let member = 0; member < count; member++) {
    next = min<f64>(next, plan.nextChange(at<i32>(columns.members, member), time));
  }
  return next;
}

/**
 * Divides a job among members from a time on: all that is free on the fastest, then the next. Sites that get
 * nothing leave, and predicted runtime and shares are found again, until every site has a share. Returns the
 * number of sites, 0 where it does not fit.
 */
function share(simulation: Simulation, job: i32, count: i32, time: f64): i32 {
  for (let member = 0; member < count; member++) {
    put<i32>(columns.candidateSites, member, at<i32>(columns.members, member));
  }
  while (true) {
    candidateRuntime = predictedTimeOn(simulation, job, columns.candidateSites, count);
    let sites = 0;
    let missing = at<i32>(columns.processors, job);
    for (let member = 0; member < count; member++) {
      const site = at<i32>(columns.candidateSites, member);
      const free = missing === 0 ? 0 : plan.leastFreeFor(site, simulation.now, time, candidateRuntime);
      const taken = min(free, missing);
      if (taken === 0) continue;
      put<i32>(columns.candidateSites, sites, site);
      put<i32>(columns.candidateShares, sites, taken);
      missing -= taken;
      sites++;
    }
    if (missing > 0) return 0;
    if (sites === count) return sites;
    count = sites;
  }
}

/** Keeps the candidate at hand as the best if it is. */
function keepIfBetter(start: f64, predictedRuntime: f64, count: i32): void {
  const end = start + predictedRuntime;
  if (RECORDED) {
    note(Note.Candidate, start, end, <f64>count);
    noteShares(columns.candidateSites, columns.candidateShares, count);
  }
  if (end > chosenEnd) return;
  if (end === chosenEnd) {
    if (start > chosenStart) return;
    if (start === chosenStart && !isSmaller(count)) return;
  }
  chosenEnd = end;
  chosenStart = start;
  chosenRuntime = predictedRuntime;
  chosenCount = count;
  for (let index = 0; index < count; index++) {
    put<i32>(columns.chosenSites, index, at<i32>(columns.candidateSites, index));
    put<i32>(columns.chosenShares, index, at<i32>(columns.candidateShares, index));
  }
}

/** Whether the candidate at hand has fewer sites than the best candidate, or as many with lower indices. */
function isSmaller(count: i32): bool {
  if (count !== chosenCount) return count < chosenCount;
  return (
    lowestWithout(columns.candidateSites, columns.chosenSites, count) <
    lowestWithout(columns.chosenSites, columns.candidateSites, count)
  );
}

/** The lowest site of a list that is not in another. */
function lowestWithout(sites: usize, others: usize, count: i32): i32 {
  let lowest = i32.MAX_VALUE;
  for (let index = 0; index < count; index++) {
    const site = at<i32>(sites, index);
    let isInBoth = false;
    for (let other = 0; other < count; other++) isInBoth = isInBoth || at<i32>(others, other) === site;
    if (!isInBoth) lowest = min(lowest, site);
  }
  return lowest;
}

/**
 * Resource selection (Zhang et al. 2006, section 4.1.1): which sites a job gets, now or later. The answer is
 * the best candidate that `candidates` has kept. Several sites together are candidates only with a multi-site
 * factor.
 */
export function select(simulation: Simulation, job: i32): void {
  clear();
  if (simulation.topology === Topology.Independent) {
    considerAlone(simulation, job, at<i32>(columns.homes, job));
  } else if (simulation.selection === Selection.NonAdaptive) {
    selectNonAdaptively(simulation, job);
  } else {
    considerEachSite(simulation, job);
    if (columns.taken(Option.MultiSiteFactor) === 0) return;
    if (simulation.selection === Selection.Optimal) considerSets(simulation, job, 0, 0);
    else considerPrefixes(simulation, job, false);
  }
}

function considerEachSite(simulation: Simulation, job: i32): void {
  for (let site = 0; site < simulation.siteCount; site++) considerAlone(simulation, job, site);
}

/**
 * Every set of two or more sites that contains the first `count` members and otherwise sites from `index` on
 * (Algorithm 2). A further site makes no set faster, so a set that would end too late even if it started now
 * is left with all that contain it. What comes of a set when some of its sites get no share is no better than
 * what the rest alone offers, which is a candidate too; so a set counts with its full predicted runtime, but
 * for jobs that have none on a site.
 */
function considerSets(simulation: Simulation, job: i32, index: i32, count: i32): void {
  for (; index < simulation.siteCount; index++) {
    put<i32>(columns.members, count, siteInSlot(index));
    const predictedRuntime = predictedTimeOn(simulation, job, columns.members, count + 1);
    const leastRuntime = leastTogether(predictedRuntime);
    if (simulation.now + leastRuntime > chosenEnd) continue;
    if (count > 0) considerTogether(simulation, job, count + 1, leastRuntime);
    considerSets(simulation, job, index + 1, count + 1);
  }
}

/** The two fastest sites, the three fastest, and so on; from now on, or whenever they are free. */
function considerPrefixes(simulation: Simulation, job: i32, isNow: bool): void {
  put<i32>(columns.members, 0, siteInSlot(0));
  for (let count = 2; count <= simulation.siteCount; count++) {
    put<i32>(columns.members, count - 1, siteInSlot(count - 1));
    if (isNow) {
      considerTogetherNow(simulation, job, count);
    } else {
      const leastRuntime = leastTimeOnTwo(simulation, job, columns.members, count);
      considerTogether(simulation, job, count, leastTogether(leastRuntime));
    }
  }
}

/**
 * What can start now: at home, else on the other site where it ends soonest, else on several; and only if
 * nothing can, a reservation in the same order of what can ever hold the job (section 6).
 */
function selectNonAdaptively(simulation: Simulation, job: i32): void {
  const home = at<i32>(columns.homes, job);
  const several = columns.taken(Option.MultiSiteFactor) > 0;
  if (startsAlone(simulation, job, home)) {
    considerAlone(simulation, job, home);
    return;
  }
  for (let site = 0; site < simulation.siteCount; site++) {
    if (startsAlone(simulation, job, site)) considerAlone(simulation, job, site);
  }
  if (chosenCount === 0 && several) considerPrefixes(simulation, job, true);
  if (chosenCount === 0) considerAlone(simulation, job, home);
  if (chosenCount === 0) considerEachSite(simulation, job);
  if (chosenCount === 0) considerPrefixes(simulation, job, false);
}
