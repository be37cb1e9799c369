import { Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { Work, count } from '../memory/check';
import { predictedTimeAlone } from '../grid/execution';
import { candidateAt, candidatesOf } from '../grid/sites';
import { at } from '../memory/memory';
import * as priorityQueue from '../queue/priorityQueue';
import * as plan from './plan';
import { canHold } from './candidates';
import * as freeSteps from './freeSteps';
import * as nextStarts from './nextStarts';
import { endSeenAt, isLost } from './predictions';
import * as runBounds from './runBounds';

/**
 * Reservations that are kept until their jobs start, and the plan with all of them. What a waiting job has is
 * live: a start, and a site with two marks. The plan and the heap of the next starts are caches that follow
 * from it and from the running jobs (`planHolds`).
 */

/** What is known of a queue. */
@unmanaged
export class KeptQueue {
  /** The last instant that has begun, -1 before the first; whether jobs start in it. */
  instant: f64;
  /** How many of its reservations have been moved. */
  moved: i32;
  /**
   * Whether jobs start in that instant; whether a job may have an earlier start than it had when it
   * looked.
   */
  isStarting: bool;
  isUnsettled: bool;
}

const QUEUE_SHIFT: usize = 4;

/** Marks beside the site: it has lost its place to a job that ran too long; its policy told it to wait. */
export const MOVED: i32 = 1 << 30;
export const DECLINED: i32 = 1 << 29;

@inline
export function keptQueueAt(queue: i32): KeptQueue {
  return changetype<KeptQueue>(columns.keptQueues + ((<usize>queue) << QUEUE_SHIFT));
}

/** No job waits. */
export function reset(simulation: Simulation): void {
  for (let queue = 0; queue < simulation.siteCount; queue++) keptQueueAt(queue).instant = -1;
}

/** When the next job starts as it is reserved; +infinity where none does. */
export function soonest(simulation: Simulation): f64 {
  ensure(simulation);
  return nextStarts.soonest(simulation);
}

/** The plan and the next starts are there. */
@inline
export function ensure(simulation: Simulation): void {
  if (simulation.planHolds === 0) remake(simulation);
}

/** Makes the plan from what runs and what is reserved. */
function remake(simulation: Simulation): void {
  beginPlan(simulation);
  for (let rank = first(simulation); rank < simulation.jobCount; rank = next(simulation, rank)) {
    const job = at<i32>(columns.jobAt, rank);
    const site = siteOf(job);
    enter(simulation, job, site, startOf(job), predictedTimeAlone(simulation, job, site));
  }
  listStarts(simulation);
}

/** A plan without reservations. */
export function beginPlan(simulation: Simulation): void {
  plan.begin(simulation);
  simulation.planHolds = 1;
  runBounds.reset(simulation);
}

/** Lists the starts that make an instant, and those of moved reservations in the one that is at hand. */
export function listStarts(simulation: Simulation): void {
  nextStarts.reset(simulation);
  for (let rank = first(simulation); rank < simulation.jobCount; rank = next(simulation, rank)) {
    const job = at<i32>(columns.jobAt, rank);
    if (isStarter(simulation, job)) list(simulation, job);
  }
}

/** Lists the start of a job. */
@inline
export function list(simulation: Simulation, job: i32): void {
  nextStarts.push(simulation, job, startOf(job), siteOf(job));
}

function isStarter(simulation: Simulation, job: i32): bool {
  const marks = at<i32>(columns.keptSites, job) & (MOVED | DECLINED);
  if (marks !== MOVED) return marks === 0;
  const queue = keptQueueAt(priorityQueue.queueOf(simulation, job));
  return queue.isStarting && queue.instant === startOf(job);
}

/** Ranks of waiting jobs of all queues. */
@inline
function first(simulation: Simulation): i32 {
  return priorityQueue.nextRank(simulation, 0);
}

@inline
function next(simulation: Simulation, rank: i32): i32 {
  return priorityQueue.nextRank(simulation, rank + 1);
}

@inline
export function startOf(job: i32): f64 {
  return at<f64>(columns.keptStarts, job);
}

@inline
export function siteOf(job: i32): i32 {
  return at<i32>(columns.keptSites, job) & ~(MOVED | DECLINED);
}

/** Until when a job has its processors that starts then: where its length is lost, for a second. */
@inline
export function endOf(start: f64, predictedRuntime: f64): f64 {
  return endSeenAt(start, start + predictedRuntime);
}

/** Enters a reservation in the plan, or what a job has that starts. */
export function enter(simulation: Simulation, job: i32, site: i32, start: f64, predictedRuntime: f64): void {
  plan.reserve(simulation, site, at<i32>(columns.processors, job), start, endOf(start, predictedRuntime));
}

/** Processors that were taken of a site are free again between two times. */
export function giveBack(simulation: Simulation, site: i32, processors: i32, start: f64, end: f64): void {
  if (!(end > start)) return;
  freeSteps.giveBetween(simulation, site, processors, start, end);
  runBounds.freed(simulation, site, start, end);
  const queue = simulation.topology === Topology.Independent ? site : 0;
  keptQueueAt(queue).isUnsettled = true;
}

/** What `findEarliest` has found. */
export let foundSite: i32 = 0;
export let foundStart: f64 = 0;
export let foundRuntime: f64 = 0;

/** Nothing is reserved for a job whose earliest start is looked for. */
export const NOWHERE: i32 = -1;

/**
 * Finds the earliest start from now on; of equal ones the one that ends first, then the lowest site. A
 * job that
 * has a reservation (`ownSite`) keeps it where there is no better one, and is not in its own way.
 */
export function findEarliest(simulation: Simulation, job: i32, ownSite: i32): void {
  foundStart = Infinity;
  foundSite = ownSite;
  if (ownSite >= 0) {
    foundRuntime = predictedTimeAlone(simulation, job, ownSite);
    foundStart = startOf(job);
  }
  const processors = at<i32>(columns.processors, job);
  const count = candidatesOf(simulation, job);
  for (let index = 0; index < count; index++) {
    const site = candidateAt(simulation, job, index);
    if (!canHold(site, processors)) continue;
    const predictedRuntime = predictedTimeAlone(simulation, job, site);
    if (isLost(simulation.now, predictedRuntime)) simulation.lost = 1;
    const own = site === ownSite ? startOf(job) : Infinity;
    const start = search(simulation, site, processors, predictedRuntime, min<f64>(foundStart, own), own);
    if (start > foundStart || start === Infinity) continue;
    if (start === foundStart) {
      const end = start + predictedRuntime;
      const endSoFar = foundStart + foundRuntime;
      if (end > endSoFar || (end === endSoFar && site > foundSite)) continue;
    }
    foundSite = site;
    foundStart = start;
    foundRuntime = predictedRuntime;
  }
}

/**
 * The earliest time from now until `last` at which this many processors of a site are free for a predicted
 * runtime, else +infinity. With an own reservation from `own` on, which would end no earlier, only times
 * before it count, and what is free from then on is enough.
 */
function search(
  simulation: Simulation,
  site: i32,
  processors: i32,
  predictedRuntime: f64,
  last: f64,
  own: f64,
): f64 {
  const now = simulation.now;
  if (!runBounds.areKept(simulation, site, predictedRuntime)) {
    return searchFrom(site, now, now, processors, predictedRuntime, last, own);
  }
  let since = Infinity;
  if (own < Infinity) {
    since = plan.freeSince(site, processors, own, now);
    last = min<f64>(last, since);
  }
  let isThere = runBounds.first(simulation, site, processors, predictedRuntime);
  while (isThere) {
    const from = max<f64>(now, runBounds.sliceBegin);
    if (from > last) break;
    const until = min<f64>(last, runBounds.sliceEnd);
    const start = searchFrom(site, now, from, processors, predictedRuntime, until, own);
    if (start < Infinity) return start;
    if (until === runBounds.sliceEnd) runBounds.lower(processors, longest);
    isThere = runBounds.next(simulation, site, predictedRuntime);
  }
  return since < own && since <= last ? since : Infinity;
}

/** Longer than all times that were too short in the last search. */
let longest: f64 = 0;

/** The same from a time on. */
function searchFrom(
  site: i32,
  now: f64,
  start: f64,
  processors: i32,
  predictedRuntime: f64,
  last: f64,
  own: f64,
): f64 {
  const ownEnd = own < Infinity ? endOf(own, predictedRuntime) : Infinity;
  count(Work.Searches);
  longest = 0;
  let isFree = plan.beginWalk(site, start) >= processors;
  let since = isFree && start > now ? plan.freeSince(site, processors, start, now) : start;
  while (true) {
    if (!isFree) since = start = plan.walkToEnough(site, processors, last);
    if (start > last || start >= own) return Infinity;
    const end = endOf(start, predictedRuntime);
    const blocked = plan.walkToFewer(site, processors, min<f64>(end, own));
    const isTail = blocked === Infinity && end > ownEnd;
    if (blocked === Infinity && !(isTail && plan.leastFree(site, ownEnd, end) < processors)) {
      return start;
    }
    longest = max<f64>(longest, blocked - since + blocked * 1e-15);
    isFree = isTail || isLost(start, predictedRuntime);
    if (!isFree) continue;
    // A length that is lost at one time and not at a later one may need its processors for less then.
    start = plan.nextChange(site, start);
    if (start === Infinity) return Infinity;
    isFree = plan.beginWalk(site, start) >= processors;
  }
}
