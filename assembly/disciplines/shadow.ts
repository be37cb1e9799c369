import { Discipline, Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { predictedTimeAtHome } from '../grid/execution';
import { freeAt } from '../grid/sites';
import { at } from '../memory/memory';
import { startAlone } from '../placement/start';
import * as predictedEnds from '../planning/predictedEnds';
import * as predictions from '../planning/predictions';
import * as keyBounds from '../queue/keyBounds';
import * as priorityQueue from '../queue/priorityQueue';
import { NONE } from '../queue/ranking';
import * as sequence from '../queue/sequence';
import { RECORDED, beginDecision } from '../record/log';
import { Work, count } from '../memory/check';
import * as easy from './easy';
import { Beside, lookBeside, absorbedWidth, noteBeside, noteDelay, takeExtra } from './easy';

/**
 * EASY backfilling with one site per queue, its jobs' home. A job other than the head may start now if it
 * ends by the shadow time or needs at most the extra processors. (With a single reservation, and processors
 * that otherwise only become free, a full plan would give the same result.)
 */

/** True if this implementation covers the simulation's options. */
@inline
export function suffices(simulation: Simulation): bool {
  if (simulation.discipline !== Discipline.Easy || simulation.reservationDepth !== 1) return false;
  if (simulation.hasPlanRules !== 0 || simulation.outages !== 0) return false;
  return simulation.siteCount === 1 || simulation.topology === Topology.Independent;
}

/** Result of trying a job before it joins its queue. */
export enum Outcome {
  Started = 0,
  /** The job cannot start now, and no other job can. */
  Waits = 1,
  /** A full pass must decide whether the job starts. */
  Open = 2,
}

/** Site rule of `easy` for jobs that run only at home. */
@final
@unmanaged
export class AtHome {
  /** The home of a job if the job fits there now, otherwise -1. */
  @inline
  siteNow(simulation: Simulation, queue: i32, job: i32): i32 {
    if (at<i32>(columns.processors, job) > freeAt(queue)) return -1;
    if (RECORDED) beginDecision(simulation, job);
    return queue;
  }

  /** Computes the head's shadow time, which it returns, and the extra processors. */
  @inline
  reserve(simulation: Simulation, queue: i32, head: i32): f64 {
    const missing = at<i32>(columns.processors, head) - freeAt(queue);
    predictedEnds.findAtLeast(queue, missing);
    const time = predictedEnds.foundTime;
    const extra = predictedEnds.foundProcessors - missing;
    const begin = at<f64>(columns.shadowTimes, queue);
    const isMore = extra > at<i32>(columns.extraProcessors, queue);
    easy.reserveOn(simulation, queue, head, queue, time, extra);
    if (isMore || at<f64>(columns.shadowTimes, queue) > begin) easy.forget(simulation);
    return time;
  }

  /** Records that a job which has not been tried has joined the queue. */
  @inline
  join(simulation: Simulation, queue: i32, job: i32): void {
    // The previous head has to be tried again.
    if (priorityQueue.headOf(simulation, queue) === job) easy.forget(simulation);
    else priorityQueue.mayNotDelay(simulation, job);
  }

  /** True if no job can start while the reservation stays. */
  @inline
  isSettled(simulation: Simulation, queue: i32): bool {
    const headWidth = priorityQueue.queueAt(queue).headWidth;
    return freeAt(queue) < min(headWidth, simulation.untriedWidth);
  }

  @inline
  siteOfReservation(queue: i32): i32 {
    return queue;
  }

  /** Starts the jobs behind the head that do not delay it: from a job on, or that job alone. */
  @inline
  backfill(simulation: Simulation, queue: i32, from: i32, isAlone: bool): void {
    const rank = from < 0 ? sequence.firstBehind(simulation, queue) : at<i32>(columns.rankOf, from);
    const end = isAlone ? rank + 1 : at<i32>(columns.firstRanks, queue + 1);
    startBehind(simulation, queue, rank, end, !isAlone && easy.areKept(simulation));
  }
}

/**
 * Tries a submitted job before it joins its queue, if no job is overdue. The job starts if it fits and the
 * queue is empty, or if it delays no job.
 */
@inline
export function tryAtOnce(simulation: Simulation, queue: i32, job: i32): Outcome {
  const processors = at<i32>(columns.processors, job);
  const isAlone = priorityQueue.queueAt(queue).waiting === 0;
  if (!isAlone && priorityQueue.isFirst(queue, job)) return Outcome.Open;
  const free = freeAt(queue);
  if (processors > free) {
    if (isAlone) return Outcome.Open;
    priorityQueue.mayNotDelay(simulation, job);
    return Outcome.Waits;
  }
  const predicted = predictedTimeAtHome(simulation, job);
  if (!isAlone && !fitsBeside(simulation, queue, job, predicted)) {
    if (easy.noteIfLost(simulation, simulation.now, predicted)) priorityQueue.mayNotDelay(simulation, job);
    return Outcome.Waits;
  }
  startAlone(simulation, job, queue, predicted);
  return Outcome.Started;
}

/** True if a job delays no other: it ends in time, or the extra processors suffice, which it then takes. */
@inline
function fitsBeside(simulation: Simulation, queue: i32, job: i32, predicted: f64): bool {
  const end = predictions.endSeenAt(simulation.now, simulation.now + predicted);
  if (end <= at<f64>(columns.shadowTimes, queue)) return true;
  if (at<i32>(columns.processors, job) > at<i32>(columns.extraProcessors, queue)) return false;
  takeExtra(queue, job);
  return true;
}

/**
 * Smallest width of a job, among those examined, that may later start without delaying the head.
 */
let untried: i32 = NONE;

/**
 * Starts the jobs with ranks in [rank, end) that do not delay the head; after a search of all, `remembers`
 * which ones do.
 */
function startBehind(simulation: Simulation, queue: i32, rank: i32, end: i32, remembers: bool): void {
  if (freeAt(queue) < simulation.untriedWidth) return;
  untried = NONE;
  if (simulation.boundsKeys !== 0) startByKeys(simulation, queue, rank, end);
  else startByRanks(simulation, queue, rank, end, remembers);
  if (remembers) simulation.untriedWidth = untried;
}

/** Like `startBehind`, in order of ranks. */
function startByRanks(simulation: Simulation, queue: i32, rank: i32, end: i32, remembers: bool): void {
  let free = freeAt(queue);
  while (rank < end) {
    count(Work.QueueLooks);
    const block = rank >> 6;
    let least = at<i32>(columns.narrowest1, block >> 6);
    let next = ((block >> 6) + 1) << 12;
    if (least <= free) {
      least = easy.untriedInBlock(simulation, block);
      next = (block + 1) << 6;
      if (least <= free) {
        least = startFromBlock(simulation, queue, rank, min(next, end));
        free = freeAt(queue);
        if (remembers) easy.keepOfBlock(simulation, block, least);
      }
    }
    untried = min(untried, least);
    if (next >= end) break;
    rank = priorityQueue.nextRank(simulation, next);
  }
}

/** Like `startBehind`, in order of keys; the ranks are those by width. */
function startByKeys(simulation: Simulation, queue: i32, rank: i32, end: i32): void {
  rank = firstNotNarrower(rank, end, simulation.untriedWidth);
  lookBeside(queue, 0);
  let job = firstBeside(simulation, rank, end);
  for (; job >= 0; job = firstBeside(simulation, rank, end)) startBeside(simulation, queue, job);
  untried = min(untried, absorbedWidth);
  const wider = priorityQueue.nextRank(simulation, firstNotNarrower(rank, end, freeAt(queue) + 1));
  if (wider < end) untried = min(untried, at<i32>(columns.processors, at<i32>(columns.jobAt, wider)));
}

/** First of the ranks [rank, end), which are by width, whose job needs at least `processors` processors. */
function firstNotNarrower(rank: i32, end: i32, processors: i32): i32 {
  while (rank < end) {
    const middle = (rank + end) >>> 1;
    if (at<i32>(columns.processors, at<i32>(columns.jobAt, middle)) < processors) rank = middle + 1;
    else end = middle;
  }
  return rank;
}

/** First job behind the head with a rank in [rank, end) that may start; -1 if none. */
@inline
function firstBeside(simulation: Simulation, rank: i32, end: i32): i32 {
  const isSecond = simulation.backfillOrder !== 0;
  const last = isSecond ? -1 : simulation.reserved;
  return keyBounds.firstOf<Beside>(simulation, rank, end, last, isSecond);
}

/** Starts a job that fits unless it delays the head; returns true if such a job may cause no delay later. */
@inline
function startBeside(simulation: Simulation, queue: i32, job: i32): bool {
  const predicted = predictedTimeAtHome(simulation, job);
  if (!fitsBeside(simulation, queue, job, predicted)) {
    if (RECORDED) noteDelay(simulation, queue, job);
    return easy.noteIfLost(simulation, simulation.now, predicted);
  }
  if (RECORDED) {
    beginDecision(simulation, job);
    noteBeside(simulation, queue, job);
  }
  startAlone(simulation, job, queue, predicted);
  priorityQueue.leave(simulation, job);
  return false;
}

/**
 * Starts jobs of a block of 64 ranks. Returns the smallest width of a job in the block that may later start
 * without a delay of the head. Finds the jobs that fit first, without unpredictable branches.
 */
function startFromBlock(simulation: Simulation, queue: i32, begin: i32, end: i32): i32 {
  const first = begin & -64;
  let waiting = (at<u64>(columns.waiting0, begin >> 6) >> (begin & 63)) << (begin & 63);
  if (end - first < 64) waiting &= ((<u64>1) << (end - first)) - 1;
  const free = freeAt(queue);
  const jobAt = columns.jobAt;
  const widths = columns.processors;
  let untried = NONE;
  let fitting: u64 = 0;
  for (let bits = waiting; bits !== 0; bits &= bits - 1) {
    count(Work.QueueLooks);
    const place = ctz(bits);
    const processors = at<i32>(widths, at<i32>(jobAt, first + <i32>place));
    const fits = processors <= free;
    fitting |= u64(fits) << place;
    untried = min(untried, select<i32>(NONE, processors, fits));
  }
  for (; fitting !== 0; fitting &= fitting - 1) {
    const rank = first + <i32>ctz(fitting);
    // A job that started may have brought others to a limit.
    if (simulation.limits !== 0 && !priorityQueue.isTaken(rank)) continue;
    const job = at<i32>(columns.jobAt, rank);
    const processors = at<i32>(columns.processors, job);
    if (processors > freeAt(queue) || startBeside(simulation, queue, job)) untried = min(untried, processors);
  }
  return untried;
}
