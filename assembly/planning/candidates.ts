import { Simulation } from '../state';
import * as columns from '../columns';
import { predictedTimeOn } from '../grid/execution';
import { at, put } from '../memory';
import { RECORDED, isLookedAt, note, noteShares } from '../record/log';
import { Note } from '../record/notes';
import * as plan from './plan';

/**
 * Candidates for a job: a site or a set of sites, the earliest start that the plan has room for, the shares
 * of the sites, and the predicted end. The best so far is kept: the least predicted end; of equals the
 * earlier start, then fewer sites, then the lowest indices. The sites of a candidate, `members`, stand in
 * the order of their speeds, fastest first, which is the order in which processors are taken from them.
 */

/** The best candidate: how many sites, in `chosenSites` with `chosenShares`, from when, for how long. */
export let chosenCount: i32 = 0;
export let chosenStart: f64 = 0;
export let chosenLength: f64 = 0;
export let chosenEnd: f64 = Infinity;

/** Length on the sites of the last outcome. */
let outcomeLength: f64 = 0;

/** There is no candidate yet. */
export function forget(): void {
  chosenCount = 0;
  chosenEnd = Infinity;
}

/** Puts a site into the list of members. */
@inline
export function setMember(place: i32, site: i32): void {
  put<i32>(columns.members, place, site);
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
  put<i32>(columns.trialSites, 0, site);
  put<i32>(columns.trialShares, 0, processors);
  const length = predictedTimeOn(simulation, job, columns.trialSites, 1);
  const start = plan.earliestStart(simulation, site, processors, length, chosenEnd);
  if (start < Infinity) weigh(start, length, 1);
  else if (RECORDED) noteLater(simulation, site, processors, length);
}

/** Writes down when a site alone could start a job that another candidate ends sooner. */
function noteLater(simulation: Simulation, site: i32, processors: i32, length: f64): void {
  if (!isLookedAt) return;
  const start = plan.earliestStart(simulation, site, processors, length, Infinity);
  note(Note.Candidate, start, start + length, 1);
  note(Note.Share, <f64>site, <f64>processors);
}

/** Writes down that the first members were left before they had a start. */
function noteLeft(count: i32): void {
  note(Note.Candidate, Infinity, Infinity, <f64>count);
  for (let member = 0; member < count; member++) note(Note.Share, <f64>at<i32>(columns.members, member), 0);
}

/** Whether a site alone has room for a job from now on until its predicted end. */
export function startsAlone(simulation: Simulation, job: i32, site: i32): bool {
  const processors = at<i32>(columns.processors, job);
  if (!canHold(site, processors)) return false;
  put<i32>(columns.trialSites, 0, site);
  const length = predictedTimeOn(simulation, job, columns.trialSites, 1);
  return plan.leastFree(site, simulation.now, simulation.now, length) >= processors;
}

/**
 * The first `count` members together are considered. `leastLength` is a length below which nothing comes of
 * them that another candidate does not offer too: where even that ends later than the best, they are left.
 */
export function considerTogether(simulation: Simulation, job: i32, count: i32, leastLength: f64): void {
  const processors = at<i32>(columns.processors, job);
  if (!canHoldTogether(count, processors)) return;
  let time = simulation.now;
  while (time + leastLength <= chosenEnd) {
    const sites = share(simulation, job, count, time);
    if (sites > 0) {
      weigh(time, outcomeLength, sites);
      return;
    }
    time = nextChange(count, time);
    if (time === Infinity) return;
  }
  if (RECORDED) noteLeft(count);
}

/** The first `count` members together are considered if they have room for the job from now on. */
export function considerTogetherNow(simulation: Simulation, job: i32, count: i32): void {
  const processors = at<i32>(columns.processors, job);
  if (!canHoldTogether(count, processors)) return;
  const sites = share(simulation, job, count, simulation.now);
  if (sites > 0) weigh(simulation.now, outcomeLength, sites);
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
 * nothing leave, and length and shares are found anew, until every site has a share. Returns the number of
 * sites, 0 where they have no room.
 */
function share(simulation: Simulation, job: i32, count: i32, time: f64): i32 {
  for (let member = 0; member < count; member++) {
    put<i32>(columns.trialSites, member, at<i32>(columns.members, member));
  }
  while (true) {
    outcomeLength = predictedTimeOn(simulation, job, columns.trialSites, count);
    let sites = 0;
    let missing = at<i32>(columns.processors, job);
    for (let member = 0; member < count; member++) {
      const site = at<i32>(columns.trialSites, member);
      const free = missing === 0 ? 0 : plan.leastFree(site, simulation.now, time, outcomeLength);
      const taken = min(free, missing);
      if (taken === 0) continue;
      put<i32>(columns.trialSites, sites, site);
      put<i32>(columns.trialShares, sites, taken);
      missing -= taken;
      sites++;
    }
    if (missing > 0) return 0;
    if (sites === count) return sites;
    count = sites;
  }
}

/** Keeps the trial as the best candidate if it is. */
function weigh(start: f64, length: f64, count: i32): void {
  const end = start + length;
  if (RECORDED) {
    note(Note.Candidate, start, end, <f64>count);
    noteShares(columns.trialSites, columns.trialShares, count);
  }
  if (end > chosenEnd) return;
  if (end === chosenEnd) {
    if (start > chosenStart) return;
    if (start === chosenStart && !isSmaller(count)) return;
  }
  chosenEnd = end;
  chosenStart = start;
  chosenLength = length;
  chosenCount = count;
  for (let place = 0; place < count; place++) {
    put<i32>(columns.chosenSites, place, at<i32>(columns.trialSites, place));
    put<i32>(columns.chosenShares, place, at<i32>(columns.trialShares, place));
  }
}

/** Whether the trial has fewer sites than the best candidate, or as many with lower indices. */
function isSmaller(count: i32): bool {
  if (count !== chosenCount) return count < chosenCount;
  return lowestWithout(columns.trialSites, columns.chosenSites, count) <
    lowestWithout(columns.chosenSites, columns.trialSites, count);
}

/** The lowest site of a list that is not in another. */
function lowestWithout(sites: usize, others: usize, count: i32): i32 {
  let lowest = i32.MAX_VALUE;
  for (let place = 0; place < count; place++) {
    const site = at<i32>(sites, place);
    let isInBoth = false;
    for (let other = 0; other < count; other++) isInBoth = isInBoth || at<i32>(others, other) === site;
    if (!isInBoth) lowest = min(lowest, site);
  }
  return lowest;
}
