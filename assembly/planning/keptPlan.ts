import { Option, Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { IS_CHECKED_BUILD, Invariant, Work, check, count } from '../memory/check';
import { predictedTimeOnOneSite } from '../grid/execution';
import { candidateAt, candidateCountOf, endSiteOfQueue, firstSiteOfQueue } from '../grid/sites';
import { at, put } from '../memory/memory';
import * as priorityQueue from '../queue/priorityQueue';
import * as plan from './plan';
import { canSiteEverHold } from './candidates';
import * as freeSteps from './freeSteps';
import * as nextStarts from './nextStarts';
import { nextPassTimeFrom } from './passGrid';
import { effectiveEnd, isLengthAbsorbed } from './predictions';
import * as runBounds from './runBounds';

/**
 * Reservations that hold until their jobs start, and a plan with all of them. The reservation of a waiting
 * job is live state: a start, and a site with two marks. The plan and the heap of next starts are caches
 * derived from the reservations and the running jobs (`planHolds`).
 */

/** State of the kept reservations of one queue. */
@unmanaged
export class KeptQueue {
  /** Last instant with an event, in seconds; -1 before the first. */
  instant: f64;
  /** Number of reservations that have lost their place (`MOVED_MARK`). */
  movedReservations: i32;
  /** Flags: jobs start in this instant; a job may have an earlier start than its reservation. */
  isStarting: bool;
  isUnsettled: bool;
}

const QUEUE_BYTES_LOG2: usize = 4;

/**
 * Bits stored with the site: the reservation has lost its place to a job that ran too long; the policy has
 * let the job wait.
 */
export const MOVED_MARK: i32 = 1 << 30;
export const DECLINED_MARK: i32 = 1 << 29;

@inline
export function keptQueueAt(queue: i32): KeptQueue {
  return changetype<KeptQueue>(columns.keptQueues + ((<usize>queue) << QUEUE_BYTES_LOG2));
}

/** Resets all queues to before the first event. */
export function reset(simulation: Simulation): void {
  for (let queue = 0; queue < simulation.siteCount; queue++) keptQueueAt(queue).instant = -1;
}

/** Time of the next reserved start; +infinity if none. */
export function soonest(simulation: Simulation): f64 {
  rebuildPlanIfInvalid(simulation);
  return nextStarts.soonestStart(simulation);
}

/** Rebuilds the plan and the next starts if they are invalid. */
@inline
export function rebuildPlanIfInvalid(simulation: Simulation): void {
  if (simulation.planHolds === 0) rebuildPlan(simulation);
}

/** Rebuilds the plan from running jobs and reservations. */
function rebuildPlan(simulation: Simulation): void {
  beginPlan(simulation);
  for (
    let rank = firstWaitingRank(simulation);
    rank < simulation.jobCount;
    rank = nextWaitingRank(simulation, rank)
  ) {
    addReservation(simulation, at<i32>(columns.jobAt, rank));
  }
  listNextStarts(simulation);
}

/** Builds a plan without reservations. */
export function beginPlan(simulation: Simulation): void {
  plan.beginPlan(simulation);
  simulation.planHolds = 1;
  runBounds.reset(simulation);
  for (let site = 0; site < simulation.siteCount; site++) recordFreedPeriod(site, Infinity, i32.MAX_VALUE);
}

/** Lists the reserved starts; those of moved reservations only in the current instant. */
export function listNextStarts(simulation: Simulation): void {
  nextStarts.clearStarts(simulation);
  for (
    let rank = firstWaitingRank(simulation);
    rank < simulation.jobCount;
    rank = nextWaitingRank(simulation, rank)
  ) {
    const job = at<i32>(columns.jobAt, rank);
    if (isNextStart(simulation, job)) listNextStartOfJob(simulation, job);
  }
}

/** Adds the reserved start of a job to the heap of next starts. */
@inline
export function listNextStartOfJob(simulation: Simulation, job: i32): void {
  nextStarts.pushStart(simulation, job, reservedStartOf(job), reservedSiteOf(job));
}

/**
 * True if the reserved start of a job counts as a next start: it is in its place, or moved but due in the
 * current instant.
 */
function isNextStart(simulation: Simulation, job: i32): bool {
  const reservationMarks = at<i32>(columns.keptSites, job) & (MOVED_MARK | DECLINED_MARK);
  if (reservationMarks !== MOVED_MARK) return reservationMarks === 0;
  const queue = keptQueueAt(priorityQueue.queueOfJob(simulation, job));
  return queue.isStarting && queue.instant === reservedStartOf(job);
}

/** First rank of a waiting job, over all queues. */
@inline
function firstWaitingRank(simulation: Simulation): i32 {
  return priorityQueue.nextRank(simulation, 0);
}

/** Next rank of a waiting job after a rank, over all queues; the number of jobs if none. */
@inline
function nextWaitingRank(simulation: Simulation, rank: i32): i32 {
  return priorityQueue.nextRank(simulation, rank + 1);
}

@inline
export function reservedStartOf(job: i32): f64 {
  return at<f64>(columns.keptStarts, job);
}

@inline
export function reservedSiteOf(job: i32): i32 {
  return at<i32>(columns.keptSites, job) & ~(MOVED_MARK | DECLINED_MARK);
}

/**
 * Time in seconds until which a reservation holds processors; if the length is absorbed by rounding, one
 * second.
 */
@inline
export function endOf(start: f64, predictedRuntime: f64): f64 {
  return effectiveEnd(start, start + predictedRuntime);
}

/** Time in seconds until which the reservation of a job holds processors. */
export function reservedEndOf(simulation: Simulation, job: i32): f64 {
  return endOf(reservedStartOf(job), predictedTimeOnOneSite(simulation, job, reservedSiteOf(job)));
}

/** Adds the reservation of a job to the plan. */
export function addReservation(simulation: Simulation, job: i32): void {
  occupyPeriod(simulation, job, reservedSiteOf(job), reservedStartOf(job), reservedEndOf(simulation, job));
}

/** Takes processors of a site out of the plan for a job, which reserves them or starts. */
@inline
export function addReservationToPlan(
  simulation: Simulation,
  job: i32,
  site: i32,
  start: f64,
  predictedRuntime: f64,
): void {
  occupyPeriod(simulation, job, site, start, endOf(start, predictedRuntime));
}

/** Takes the processors of a job on a site between two times, the first not before now. */
function occupyPeriod(simulation: Simulation, job: i32, site: i32, start: f64, end: f64): void {
  const processors = at<i32>(columns.processors, job);
  if (start > simulation.now) plan.reserve(simulation, site, processors, start, end);
  else plan.occupyProcessors(simulation, site, processors, end);
}

/** Frees processors of a site between two times. */
export function releasePeriod(
  simulation: Simulation,
  site: i32,
  processors: i32,
  start: f64,
  end: f64,
): void {
  if (!(end > start)) return;
  if (start > simulation.now) freeSteps.releaseProcessorsBetween(simulation, site, processors, start, end);
  else freeSteps.releaseProcessorsUntil(simulation, site, processors, end);
  noteReleasedPeriod(simulation, site, start, end);
}

/**
 * Moves a reservation to the start that was found (`foundStart`), which is earlier, on its site. Where the
 * old and the new period overlap, the plan stays as it is.
 */
export function moveReservationEarlier(simulation: Simulation, job: i32, predictedRuntime: f64): void {
  const site = reservedSiteOf(job);
  const processors = at<i32>(columns.processors, job);
  const previousStart = reservedStartOf(job);
  const previousEnd = endOf(previousStart, predictedRuntime);
  const end = endOf(foundStart, predictedRuntime);
  // A length that is absorbed by rounding may end later; then, and without an overlap, the old period is
  // freed first.
  if (end > previousStart && previousEnd >= end) {
    freeSteps.moveOccupiedPeriod(simulation, site, processors, foundStart, end, previousStart, previousEnd);
    if (IS_CHECKED_BUILD)
      check(plan.leastFreeProcessorsBetween(site, foundStart, previousEnd) >= 0, Invariant.PlanNegative);
    noteReleasedPeriod(simulation, site, end, previousEnd);
  } else {
    releasePeriod(simulation, site, processors, previousStart, previousEnd);
    addReservationToPlan(simulation, job, site, foundStart, predictedRuntime);
  }
}

/** Records that processors of a site have become free between two times. */
function noteReleasedPeriod(simulation: Simulation, site: i32, start: f64, end: f64): void {
  if (!(end > start)) return;
  recordFreedPeriod(site, end, freeSteps.mostFreeInPeriod);
  runBounds.raiseAfterFreeing(simulation, site, start, end);
  const queue = simulation.topology === Topology.Independent ? site : 0;
  keptQueueAt(queue).isUnsettled = true;
}

/**
 * Column `freedPeriods`, four numbers per site: the latest end in seconds of a period that has become free,
 * and the most processors free in any such period, both since the last compression began; then the same for
 * the time between the beginnings of the last two compressions. A job that found no earlier start in its last
 * search finds one now only if it would run in such a period.
 */

/**
 * Records a period in which processors of a site have become free: its end in seconds and the most free
 * processors in it.
 */
@inline
function recordFreedPeriod(site: i32, end: f64, mostFreeProcessors: i32): void {
  const periods = columns.freedPeriods;
  put<f64>(periods, 4 * site, max<f64>(at<f64>(periods, 4 * site), end));
  put<f64>(periods, 4 * site + 1, max<f64>(at<f64>(periods, 4 * site + 1), mostFreeProcessors));
}

/** Begins a compression of the reservations of a queue. */
export function beginCompression(simulation: Simulation, queue: i32): void {
  const periods = columns.freedPeriods;
  const end = endSiteOfQueue(simulation, queue);
  for (let site = firstSiteOfQueue(simulation, queue); site < end; site++) {
    put<f64>(periods, 4 * site + 2, at<f64>(periods, 4 * site));
    put<f64>(periods, 4 * site + 3, at<f64>(periods, 4 * site + 1));
    put<f64>(periods, 4 * site, -Infinity);
    put<f64>(periods, 4 * site + 1, -Infinity);
  }
}

/**
 * Latest time in seconds, at most `latestStart`, at which a job with a reservation may find an earlier start
 * on a site; -infinity if none.
 */
@inline
function latestTimeOfEarlierStart(
  simulation: Simulation,
  site: i32,
  processors: i32,
  latestStart: f64,
  predictedRuntime: f64,
): f64 {
  // Freed periods exclude no start of a runtime so short that rounding may absorb it: latestStart plus a
  // quarter of it is latestStart.
  if (simulation.lengthAbsorbed !== 0 || latestStart + predictedRuntime / 4 === latestStart)
    return latestStart;
  const periods = columns.freedPeriods;
  const mostFreeProcessors = max<f64>(at<f64>(periods, 4 * site + 1), at<f64>(periods, 4 * site + 3));
  if (<f64>processors > mostFreeProcessors) return -Infinity;
  return min<f64>(latestStart, max<f64>(at<f64>(periods, 4 * site), at<f64>(periods, 4 * site + 2)));
}

/** Site, start and predicted runtime (both in seconds) found by `findEarliestStart`. */
export let foundSite: i32 = 0;
export let foundStart: f64 = 0;
export let foundRuntime: f64 = 0;

/** Site of a job without a reservation. */
export const NO_SITE: i32 = -1;

/**
 * Finds the earliest start from now on, or only one of now, ties by the earliest end, then the lowest site. A
 * job with a reservation (`reservedSite`) keeps it if there is no better one; its own reservation does not
 * stand in its way.
 */
export function findEarliestStart(
  simulation: Simulation,
  job: i32,
  reservedSite: i32,
  mustStartNow: bool = false,
): void {
  foundStart = Infinity;
  foundSite = reservedSite;
  const processors = at<i32>(columns.processors, job);
  const candidateCount = candidateCountOf(simulation, job);
  if (candidateCount > 1 && reservedSite >= 0) {
    foundRuntime = predictedTimeOnOneSite(simulation, job, reservedSite);
    foundStart = reservedStartOf(job);
  }
  for (let index = 0; index < candidateCount; index++) {
    const site = candidateAt(simulation, job, index);
    if (!canSiteEverHold(site, processors)) continue;
    const predictedRuntime = predictedTimeOnOneSite(simulation, job, site);
    if (isLengthAbsorbed(simulation.now, predictedRuntime)) simulation.lengthAbsorbed = 1;
    const ownStart = site === reservedSite ? reservedStartOf(job) : Infinity;
    let latestStart = min<f64>(foundStart, ownStart);
    if (mustStartNow) latestStart = simulation.now;
    else if (reservedSite >= 0)
      latestStart = latestTimeOfEarlierStart(simulation, site, processors, latestStart, predictedRuntime);
    let begin = simulation.now;
    let start: f64;
    do {
      start = searchEarliestStart(
        simulation,
        site,
        processors,
        begin,
        predictedRuntime,
        latestStart,
        ownStart,
      );
      begin = mustStartNow ? start : earliestReservationBegin(simulation, job, start);
    } while (begin !== start);
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
  if (candidateCount === 1 && foundStart === Infinity && reservedSite >= 0) foundStart = reservedStartOf(job);
}

/** Time in seconds at which a reservation of a job can begin at the earliest: a time, or the next pass. */
export function earliestReservationBegin(simulation: Simulation, job: i32, time: f64): f64 {
  if (columns.optionOfRun(Option.BackfillInterval) === 0 || time === Infinity) return time;
  return nextPassTimeFrom(priorityQueue.queueAt(priorityQueue.queueOfJob(simulation, job)), time);
}

/**
 * Earliest time from `from` until `latestStart` at which a site has enough free processors for a predicted
 * runtime; +infinity if none. If the job has its own reservation from `ownStart` on, with no later end, only
 * times before that count, and free processors up to `ownStart` suffice.
 */
function searchEarliestStart(
  simulation: Simulation,
  site: i32,
  processors: i32,
  from: f64,
  predictedRuntime: f64,
  latestStart: f64,
  ownStart: f64,
): f64 {
  const now = simulation.now;
  if (latestStart < from) return Infinity;
  count(Work.Searches);
  // Bounds are of whole slices, which are not searched from a later time on.
  if (
    from > now ||
    !runBounds.mayHaveBounds(simulation, site) ||
    !runBounds.ensureBounds(simulation, site, predictedRuntime)
  ) {
    return searchFrom(site, now, from, processors, predictedRuntime, latestStart, ownStart);
  }
  let enoughSince = Infinity;
  if (ownStart < Infinity) {
    enoughSince = plan.freePeriodStart(site, processors, ownStart, now);
    latestStart = min<f64>(latestStart, enoughSince);
  }
  let isSliceFound = runBounds.findFirstSlice(simulation, site, processors, predictedRuntime);
  while (isSliceFound) {
    from = max<f64>(now, runBounds.sliceBegin);
    if (from > latestStart) break;
    const until = min<f64>(latestStart, runBounds.sliceEnd);
    const start = searchFrom(site, now, from, processors, predictedRuntime, until, ownStart);
    if (start < Infinity) return start;
    if (until === runBounds.sliceEnd) runBounds.lowerFoundSlice(processors, longestShortRun);
    isSliceFound = runBounds.findNextSlice(simulation, site, predictedRuntime);
  }
  return enoughSince < ownStart && enoughSince <= latestStart ? enoughSince : Infinity;
}

/** Upper bound in seconds of the runs that were too short in the last `searchFrom`. */
let longestShortRun: f64 = 0;

/**
 * Earliest start from a time on, like `searchEarliestStart`. A length that is absorbed by rounding at one
 * time need not be at a later one, where the job may need processors for less time: each change is then
 * tried.
 */
function searchFrom(
  site: i32,
  now: f64,
  start: f64,
  processors: i32,
  predictedRuntime: f64,
  latestStart: f64,
  ownStart: f64,
): f64 {
  longestShortRun = 0;
  freeSteps.findStepFrom(site, start, now);
  let isFree = freeSteps.freeAtFoundStep(site) >= processors;
  let enoughSince = isFree && start > now ? plan.freeSinceFound(site, processors, start, now) : start;
  const endBlock = freeSteps.siteStepsAt(site + 1).begin;
  while (start <= latestStart && start < ownStart) {
    let until = min<f64>(endOf(start, predictedRuntime), ownStart);
    let isDecided = false;
    let step = freeSteps.foundStep + 1;
    for (let index = freeSteps.foundBlock; index < endBlock && !isDecided; index++, step = 0) {
      const block = freeSteps.stepBlockAt(index);
      count(Work.Blocks);
      if (isFree) {
        if (block.time >= until) break;
        if (block.least >= processors) continue;
      } else {
        if (block.time > latestStart) return Infinity;
        if (block.most < processors) continue;
      }
      const timesAddress = freeSteps.timesOf(block);
      const freeCountsAddress = freeSteps.freeCountsOf(block);
      const storedMinimum = processors - block.addend;
      const stepCount = block.count;
      while (true) {
        if (!isFree) {
          while (step < stepCount && at<i32>(freeCountsAddress, step) < storedMinimum) step++;
          if (step === stepCount) break;
          enoughSince = start = at<f64>(timesAddress, step++);
          if (start > latestStart || start >= ownStart) return Infinity;
          until = min<f64>(endOf(start, predictedRuntime), ownStart);
        }
        while (step < stepCount && at<i32>(freeCountsAddress, step) >= storedMinimum) step++;
        isFree = step === stepCount;
        if (isFree) break;
        const busyFrom = at<f64>(timesAddress, step++);
        isFree = isDecided = busyFrom >= until;
        if (isDecided) break;
        longestShortRun = max<f64>(longestShortRun, busyFrom - enoughSince + busyFrom * 1e-15);
        isDecided = isLengthAbsorbed(start, predictedRuntime);
        if (isDecided) break;
      }
    }
    if (!isFree && !isDecided) return Infinity;
    if (isFree && !isTakenBehindOwn(site, processors, start, predictedRuntime, ownStart)) return start;
    if (isFree) longestShortRun = Infinity;
    start = plan.nextChange(site, start);
    freeSteps.findStep(site, start);
    isFree = freeSteps.freeAtFoundStep(site) >= processors;
  }
  return Infinity;
}

/**
 * True if a job that starts before its own reservation would end behind the reservation, because of rounding,
 * and too few processors are free there.
 */
@inline
function isTakenBehindOwn(
  site: i32,
  processors: i32,
  start: f64,
  predictedRuntime: f64,
  ownStart: f64,
): bool {
  if (ownStart === Infinity) return false;
  const end = endOf(start, predictedRuntime);
  const reservedEnd = endOf(ownStart, predictedRuntime);
  return end > reservedEnd && plan.leastFreeProcessorsBetween(site, reservedEnd, end) < processors;
}
