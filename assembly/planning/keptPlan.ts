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

/**
 * Reservations that hold until their jobs start, and a plan with all of them. The reservation of a waiting
 * job is live state: a start, and a site with two marks. The plan and the heap of next starts are caches
 * derived from the reservations and the running jobs (`planHolds`).
 */

/** Data of a queue. */
@unmanaged
export class KeptQueue {
  /** Last instant with an event, in seconds; -1 before the first. */
  instant: f64;
  /** Number of its reservations that have been moved. */
  moved: i32;
  /** Flags: jobs start in this instant; a job may have an earlier start than the one it found. */
  isStarting: bool;
  isUnsettled: bool;
}

const QUEUE_SHIFT: usize = 4;

/** Marks stored with the site: a job that ran too long has taken the place; the policy let the job wait. */
export const MOVED: i32 = 1 << 30;
export const DECLINED: i32 = 1 << 29;

@inline
export function keptQueueAt(queue: i32): KeptQueue {
  return changetype<KeptQueue>(columns.keptQueues + ((<usize>queue) << QUEUE_SHIFT));
}

/** Resets all queues to before the first event. */
export function reset(simulation: Simulation): void {
  for (let queue = 0; queue < simulation.siteCount; queue++) keptQueueAt(queue).instant = -1;
}

/** Time of the next reserved start; +infinity if none. */
export function soonest(simulation: Simulation): f64 {
  ensure(simulation);
  return nextStarts.soonest(simulation);
}

/** Rebuilds the plan and the next starts if they are invalid. */
@inline
export function ensure(simulation: Simulation): void {
  if (simulation.planHolds === 0) remake(simulation);
}

/** Rebuilds the plan from running jobs and reservations. */
function remake(simulation: Simulation): void {
  beginPlan(simulation);
  for (let rank = first(simulation); rank < simulation.jobCount; rank = next(simulation, rank)) {
    const job = at<i32>(columns.jobAt, rank);
    const site = siteOf(job);
    enter(simulation, job, site, startOf(job), predictedTimeAlone(simulation, job, site));
  }
  listStarts(simulation);
}

/** Builds a plan without reservations. */
export function beginPlan(simulation: Simulation): void {
  plan.begin(simulation);
  simulation.planHolds = 1;
}

/** Lists the reserved starts; those of moved reservations only in the current instant. */
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

/** Ranks of the waiting jobs of all queues. */
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

/**
 * Time in seconds until which a reservation holds processors; if the length is absorbed by rounding, one
 * second.
 */
@inline
export function endOf(start: f64, predictedRuntime: f64): f64 {
  return endSeenAt(start, start + predictedRuntime);
}

/** Adds a reservation, or a starting job, to the plan. */
export function enter(simulation: Simulation, job: i32, site: i32, start: f64, predictedRuntime: f64): void {
  plan.reserve(simulation, site, at<i32>(columns.processors, job), start, endOf(start, predictedRuntime));
}

/** Frees processors of a site between two times. */
export function giveBack(simulation: Simulation, site: i32, processors: i32, start: f64, end: f64): void {
  if (!(end > start)) return;
  freeSteps.giveBetween(simulation, site, processors, start, end);
  const queue = simulation.topology === Topology.Independent ? site : 0;
  keptQueueAt(queue).isUnsettled = true;
}

/** Site and start in seconds found by `findEarliest`. */
export let foundSite: i32 = 0;
export let foundStart: f64 = 0;
export let foundRuntime: f64 = 0;

/** Site of a job without a reservation. */
export const NOWHERE: i32 = -1;

/**
 * Finds the earliest start from now on, ties by the earliest end, then the lowest site. A job with a
 * reservation (`ownSite`) keeps it if there is no better one; its own reservation does not stand in its way.
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
    if (isLost(simulation.now, predictedRuntime)) simulation.lengthAbsorbed = 1;
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
 * Earliest time from now until `last` at which a site has enough free processors for a predicted runtime;
 * +infinity if none. If the job has its own reservation from `own` on, with no later end, only times before
 * that count, and free processors up to `own` suffice.
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
  let start = now;
  const ownEnd = own < Infinity ? endOf(own, predictedRuntime) : Infinity;
  count(Work.Searches);
  let isFree = plan.beginWalk(site, start) >= processors;
  while (true) {
    if (!isFree) start = plan.walkToEnough(site, processors, last);
    if (start > last || start >= own) return Infinity;
    const end = endOf(start, predictedRuntime);
    const blocked = plan.walkToFewer(site, processors, min<f64>(end, own));
    const isTail = blocked === Infinity && end > ownEnd;
    if (blocked === Infinity && !(isTail && plan.leastFree(site, ownEnd, end) < processors)) {
      return start;
    }
    isFree = isTail || isLost(start, predictedRuntime);
    if (!isFree) continue;
    // A length that is absorbed by rounding at one time need not be at a later one, where the job may need
    // processors for less time.
    start = plan.nextChange(site, start);
    if (start === Infinity) return Infinity;
    isFree = plan.beginWalk(site, start) >= processors;
  }
}
