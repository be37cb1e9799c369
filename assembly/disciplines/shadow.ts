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
import { NOBODY } from '../queue/ranking';
import * as sequence from '../queue/sequence';
import { RECORDED, beginDecision } from '../record/log';
import { Work, count } from '../memory/check';
import * as easy from './easy';
import { Beside, lookBeside, lostWidth, noteBeside, noteDelay, takeExtra } from './easy';

/**
 * EASY backfilling where every job of a queue has one site to run on, its home. Another job than the head may
 * start now if it ends by the time when the head can start or is no wider than what is left beside that.
 * (With one kind of reservation and processors that otherwise only become free, this is what a plan would
 * say.)
 */

/** Whether a run is one of these. */
@inline
export function suffices(simulation: Simulation): bool {
  if (simulation.discipline !== Discipline.Easy || simulation.reservationDepth !== 1) return false;
  return simulation.siteCount === 1 || simulation.topology === Topology.Independent;
}

/** What comes of a job that is tried before it joins its queue. */
export enum Outcome {
  Started = 0,
  /** It cannot start, and no other job can. */
  Waits = 1,
  /** The pass has to say. */
  Open = 2,
}

/** Every job has its home. */
@final
@unmanaged
export class AtHome {
  /** The home of a job if it fits there now, or -1. */
  @inline
  siteNow(simulation: Simulation, queue: i32, job: i32): i32 {
    if (at<i32>(columns.processors, job) > freeAt(queue)) return -1;
    if (RECORDED) beginDecision(simulation, job);
    return queue;
  }

  /** Finds when the head can start, and what is left beside it then; returns the time. */
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

  /** A job has joined the queue and has not been tried. */
  @inline
  join(simulation: Simulation, queue: i32, job: i32): void {
    // What was the head before is tried next.
    if (priorityQueue.headOf(simulation, queue) === job) easy.forget(simulation);
    else priorityQueue.mayNotDelay(simulation, job);
  }

  /** Whether it is known that no job can start while the reservation stands. */
  @inline
  isSettled(simulation: Simulation, queue: i32): bool {
    const headWidth = priorityQueue.queueAt(queue).headWidth;
    return freeAt(queue) < min(headWidth, simulation.untriedWidth);
  }

  @inline
  siteOfReservation(queue: i32): i32 {
    return queue;
  }

  /** Starts the jobs behind the head that do not delay it, or of these one alone. */
  @inline
  backfill(simulation: Simulation, queue: i32, from: i32, isAlone: bool): void {
    const rank = from < 0 ? sequence.firstBehind(simulation, queue) : at<i32>(columns.rankOf, from);
    const end = isAlone ? rank + 1 : at<i32>(columns.firstRanks, queue + 1);
    startBehind(simulation, queue, rank, end, !isAlone && easy.areKept(simulation));
  }
}

/**
 * Tries a job that has been submitted and has not joined its queue, if no job is overdue: it starts if it
 * fits and is alone, or delays no job.
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

/** Whether a job would delay no job: it ends in time, or enough is left beside the head, which it takes. */
@inline
function fitsBeside(simulation: Simulation, queue: i32, job: i32, predicted: f64): bool {
  const end = predictions.endSeenAt(simulation.now, simulation.now + predicted);
  if (end <= at<f64>(columns.shadowTimes, queue)) return true;
  if (at<i32>(columns.processors, job) > at<i32>(columns.extraProcessors, queue)) return false;
  takeExtra(queue, job);
  return true;
}

/** The fewest processors of a job that may not delay the head some time, as far as has been seen. */
let untried: i32 = NOBODY;

/** Starts the jobs with ranks in [rank, end) that do not delay the head; of all it remembers which would. */
function startBehind(simulation: Simulation, queue: i32, rank: i32, end: i32, remembers: bool): void {
  if (freeAt(queue) < simulation.untriedWidth) return;
  untried = NOBODY;
  if (simulation.boundsKeys !== 0) startByKeys(simulation, queue, rank, end);
  else startByRanks(simulation, queue, rank, end, remembers);
  if (remembers) simulation.untriedWidth = untried;
}

/** The same in the order of their ranks. */
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

/** The same in the order of their keys, their ranks being those of their widths. */
function startByKeys(simulation: Simulation, queue: i32, rank: i32, end: i32): void {
  rank = firstNotNarrower(rank, end, simulation.untriedWidth);
  lookBeside(queue, 0);
  let job = firstBeside(simulation, rank, end);
  for (; job >= 0; job = firstBeside(simulation, rank, end)) startBeside(simulation, queue, job);
  untried = min(untried, lostWidth);
  const wider = priorityQueue.nextRank(simulation, firstNotNarrower(rank, end, freeAt(queue) + 1));
  if (wider < end) untried = min(untried, at<i32>(columns.processors, at<i32>(columns.jobAt, wider)));
}

/** The first of the ranks [rank, end), which are of widths, whose job needs at least this many processors. */
function firstNotNarrower(rank: i32, end: i32, processors: i32): i32 {
  while (rank < end) {
    const middle = (rank + end) >>> 1;
    if (at<i32>(columns.processors, at<i32>(columns.jobAt, middle)) < processors) rank = middle + 1;
    else end = middle;
  }
  return rank;
}

/** The first job behind the head with a rank in [rank, end) that may start; or -1. */
@inline
function firstBeside(simulation: Simulation, rank: i32, end: i32): i32 {
  const isSecond = simulation.backfillOrder !== 0;
  const last = isSecond ? -1 : simulation.reserved;
  return keyBounds.firstOf<Beside>(simulation, rank, end, last, isSecond);
}

/** Starts a job that fits unless it delays the head; returns whether one that does may not some time. */
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
 * Starts those of a block of 64 ranks; returns the fewest processors of a job among them that is not known to
 * delay the head whenever it starts. The jobs that fit are found first, without an unpredictable branch.
 */
function startFromBlock(simulation: Simulation, queue: i32, rank: i32, end: i32): i32 {
  const first = rank & -64;
  let waiting = (at<u64>(columns.waiting0, rank >> 6) >> (rank & 63)) << (rank & 63);
  if (end - first < 64) waiting &= ((<u64>1) << (end - first)) - 1;
  const free = freeAt(queue);
  const jobAt = columns.jobAt;
  const widths = columns.processors;
  let untried = NOBODY;
  let fitting: u64 = 0;
  for (let bits = waiting; bits !== 0; bits &= bits - 1) {
    count(Work.QueueLooks);
    const place = ctz(bits);
    const processors = at<i32>(widths, at<i32>(jobAt, first + <i32>place));
    const fits = processors <= free;
    fitting |= u64(fits) << place;
    untried = min(untried, select<i32>(NOBODY, processors, fits));
  }
  for (; fitting !== 0; fitting &= fitting - 1) {
    const job = at<i32>(columns.jobAt, first + <i32>ctz(fitting));
    const processors = at<i32>(columns.processors, job);
    if (processors > freeAt(queue) || startBeside(simulation, queue, job)) untried = min(untried, processors);
  }
  return untried;
}
