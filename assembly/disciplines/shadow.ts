import { Discipline, Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { predictedTimeAtHome } from '../grid/execution';
import { freeAt } from '../grid/sites';
import { at } from '../memory/memory';
import { startOnOneSite } from '../placement/start';
import * as predictedEnds from '../planning/predictedEnds';
import * as predictions from '../planning/predictions';
import * as keyBounds from '../queue/keyBounds';
import * as priorityQueue from '../queue/priorityQueue';
import { NO_RANK } from '../queue/ranking';
import * as sequence from '../queue/sequence';
import { RECORDED, beginDecision } from '../record/log';
import { Work, count } from '../memory/check';
import * as easy from './easy';
import {
  StartsWithoutDelay,
  beginBackfillSearch,
  narrowestAbsorbedWidth,
  recordStartBesideHead,
  recordDelayOfHead,
  useExtraProcessors,
} from './easy';

/**
 * EASY backfilling with one site per queue, its jobs' home. A job other than the head may start now if it
 * ends by the shadow time or needs at most the extra processors. (With a single reservation, and processors
 * that otherwise only become free, a full plan would give the same result.)
 */

/**
 * True if the fast implementation of this file (EASY, one site per queue) covers the simulation's options.
 */
@inline
export function isApplicable(simulation: Simulation): bool {
  if (simulation.discipline !== Discipline.Easy || simulation.reservationDepth !== 1) return false;
  if (simulation.hasPlanRules !== 0 || simulation.outages !== 0) return false;
  return simulation.siteCount === 1 || simulation.topology === Topology.Independent;
}

/** Result of trying a job before it joins its queue. */
export enum TryOutcome {
  Started = 0,
  /** The job cannot start now, and no other job can. */
  MustWait = 1,
  /** A full pass must decide whether the job starts. */
  NeedsFullPass = 2,
}

/** Site rule of `easy` for jobs that run only at home. */
@final
@unmanaged
export class AtHome {
  /** The home of a job if the job fits there now, otherwise -1. */
  @inline
  startSiteNow(simulation: Simulation, queue: i32, job: i32): i32 {
    if (at<i32>(columns.processors, job) > freeAt(queue)) return -1;
    if (RECORDED) beginDecision(simulation, job);
    return queue;
  }

  /** Computes the head's shadow time, which it returns, and the extra processors. */
  @inline
  reserve(simulation: Simulation, queue: i32, head: i32): f64 {
    const missingProcessors = at<i32>(columns.processors, head) - freeAt(queue);
    predictedEnds.findAtLeast(queue, missingProcessors);
    const time = predictedEnds.foundTime;
    const extraCount = predictedEnds.foundProcessors - missingProcessors;
    const previousShadowTime = at<f64>(columns.shadowTimes, queue);
    const hasMoreExtra = extraCount > at<i32>(columns.extraProcessors, queue);
    easy.storeReservation(simulation, queue, head, queue, time, extraCount);
    if (hasMoreExtra || at<f64>(columns.shadowTimes, queue) > previousShadowTime)
      easy.discardTriedJobs(simulation);
    return time;
  }

  /** Records that a job which has not been tried has joined the queue. */
  @inline
  join(simulation: Simulation, queue: i32, job: i32): void {
    // The previous head has to be tried again.
    if (priorityQueue.headOf(simulation, queue) === job) easy.discardTriedJobs(simulation);
    else priorityQueue.markUntried(simulation, job);
  }

  /** True if no job can start while the reservation stays. */
  @inline
  isStartImpossible(simulation: Simulation, queue: i32): bool {
    const headWidth = priorityQueue.queueAt(queue).headWidth;
    return freeAt(queue) < min(headWidth, simulation.untriedWidth);
  }

  @inline
  siteOfReservation(queue: i32): i32 {
    return queue;
  }

  /** Starts the jobs behind the head that do not delay it: from a job on, or that job alone. */
  @inline
  backfill(simulation: Simulation, queue: i32, firstJob: i32, isSingleJob: bool): void {
    const rank =
      firstJob < 0
        ? sequence.firstRankBehindReservation(simulation, queue)
        : at<i32>(columns.rankOf, firstJob);
    const end = isSingleJob ? rank + 1 : at<i32>(columns.firstRanks, queue + 1);
    startJobsBehindHead(simulation, queue, rank, end, !isSingleJob && easy.isTriedKnowledgeKept(simulation));
  }
}

/**
 * Tries a submitted job before it joins its queue, if no job is overdue. The job starts if it fits and the
 * queue is empty, or if it delays no job.
 */
@inline
export function tryBeforeJoining(simulation: Simulation, queue: i32, job: i32): TryOutcome {
  const processors = at<i32>(columns.processors, job);
  const isOnlyJob = priorityQueue.queueAt(queue).waitingJobs === 0;
  if (!isOnlyJob && priorityQueue.isFirst(queue, job)) return TryOutcome.NeedsFullPass;
  const freeProcessors = freeAt(queue);
  if (processors > freeProcessors) {
    if (isOnlyJob) return TryOutcome.NeedsFullPass;
    priorityQueue.markUntried(simulation, job);
    return TryOutcome.MustWait;
  }
  const predictedRuntime = predictedTimeAtHome(simulation, job);
  if (!isOnlyJob && !fitsBesideHead(simulation, queue, job, predictedRuntime)) {
    if (easy.noteIfLengthAbsorbed(simulation, simulation.now, predictedRuntime))
      priorityQueue.markUntried(simulation, job);
    return TryOutcome.MustWait;
  }
  startOnOneSite(simulation, job, queue, predictedRuntime);
  return TryOutcome.Started;
}

/** True if a job delays no other: it ends in time, or the extra processors suffice, which it then takes. */
@inline
function fitsBesideHead(simulation: Simulation, queue: i32, job: i32, predictedRuntime: f64): bool {
  const end = predictions.effectiveEnd(simulation.now, simulation.now + predictedRuntime);
  if (end <= at<f64>(columns.shadowTimes, queue)) return true;
  if (at<i32>(columns.processors, job) > at<i32>(columns.extraProcessors, queue)) return false;
  useExtraProcessors(queue, job);
  return true;
}

/**
 * Smallest width of a job, among those examined, that may later start without delaying the head.
 */
let narrowestUntried: i32 = NO_RANK;

/**
 * Starts the jobs with ranks in [rank, end) that do not delay the head; if `keepsTried`, remembers after a
 * search of all which jobs have been tried.
 */
function startJobsBehindHead(
  simulation: Simulation,
  queue: i32,
  rank: i32,
  end: i32,
  keepsTried: bool,
): void {
  if (freeAt(queue) < simulation.untriedWidth) return;
  narrowestUntried = NO_RANK;
  if (simulation.boundsKeys !== 0) startByKeys(simulation, queue, rank, end);
  else startByRanks(simulation, queue, rank, end, keepsTried);
  if (keepsTried) simulation.untriedWidth = narrowestUntried;
}

/** Like `startJobsBehindHead`, in order of ranks. */
function startByRanks(simulation: Simulation, queue: i32, rank: i32, end: i32, keepsTried: bool): void {
  let freeProcessors = freeAt(queue);
  while (rank < end) {
    count(Work.QueueLooks);
    const block = rank >> 6;
    let narrowest = at<i32>(columns.minWidths4096, block >> 6);
    let nextBlockRank = ((block >> 6) + 1) << 12;
    if (narrowest <= freeProcessors) {
      narrowest = easy.narrowestUntriedInBlock(simulation, block);
      nextBlockRank = (block + 1) << 6;
      if (narrowest <= freeProcessors) {
        narrowest = startFromBlock(simulation, queue, rank, min(nextBlockRank, end));
        freeProcessors = freeAt(queue);
        if (keepsTried) easy.markBlockTried(simulation, block, narrowest);
      }
    }
    narrowestUntried = min(narrowestUntried, narrowest);
    if (nextBlockRank >= end) break;
    rank = priorityQueue.nextRank(simulation, nextBlockRank);
  }
}

/** Like `startJobsBehindHead`, in order of keys that change with time; the ranks are those by width. */
function startByKeys(simulation: Simulation, queue: i32, rank: i32, end: i32): void {
  rank = firstRankNotNarrower(rank, end, simulation.untriedWidth);
  beginBackfillSearch(queue, 0);
  let job = firstJobBesideHead(simulation, rank, end);
  for (; job >= 0; job = firstJobBesideHead(simulation, rank, end))
    startUnlessDelaying(simulation, queue, job);
  narrowestUntried = min(narrowestUntried, narrowestAbsorbedWidth);
  const firstWiderRank = priorityQueue.nextRank(
    simulation,
    firstRankNotNarrower(rank, end, freeAt(queue) + 1),
  );
  if (firstWiderRank < end)
    narrowestUntried = min(
      narrowestUntried,
      at<i32>(columns.processors, at<i32>(columns.jobAt, firstWiderRank)),
    );
}

/** First of the ranks [rank, end), which are by width, whose job needs at least `processors` processors. */
function firstRankNotNarrower(rank: i32, end: i32, processors: i32): i32 {
  while (rank < end) {
    const middle = (rank + end) >>> 1;
    if (at<i32>(columns.processors, at<i32>(columns.jobAt, middle)) < processors) rank = middle + 1;
    else end = middle;
  }
  return rank;
}

/** First job behind the head with a rank in [rank, end) that may start; -1 if none. */
@inline
function firstJobBesideHead(simulation: Simulation, rank: i32, end: i32): i32 {
  const usesBackfillOrder = simulation.backfillOrder !== 0;
  const lastTriedJob = usesBackfillOrder ? -1 : simulation.lastReservedJob;
  return keyBounds.firstOf<StartsWithoutDelay>(simulation, rank, end, lastTriedJob, usesBackfillOrder);
}

/**
 * Starts a job that fits, unless it would delay the head; returns true if it does not start but may cause no
 * delay later.
 */
@inline
function startUnlessDelaying(simulation: Simulation, queue: i32, job: i32): bool {
  const predictedRuntime = predictedTimeAtHome(simulation, job);
  if (!fitsBesideHead(simulation, queue, job, predictedRuntime)) {
    if (RECORDED) recordDelayOfHead(simulation, queue, job);
    return easy.noteIfLengthAbsorbed(simulation, simulation.now, predictedRuntime);
  }
  if (RECORDED) {
    beginDecision(simulation, job);
    recordStartBesideHead(simulation, queue, job);
  }
  startOnOneSite(simulation, job, queue, predictedRuntime);
  priorityQueue.removeJob(simulation, job);
  return false;
}

/**
 * Starts jobs of a block of 64 ranks. Returns the smallest width of a job in the block that may later start
 * without a delay of the head. Finds the jobs that fit first, without unpredictable branches.
 */
function startFromBlock(simulation: Simulation, queue: i32, begin: i32, end: i32): i32 {
  const firstRank = begin & -64;
  let waitingRanks = (at<u64>(columns.waitingRanks0, begin >> 6) >> (begin & 63)) << (begin & 63);
  if (end - firstRank < 64) waitingRanks &= ((<u64>1) << (end - firstRank)) - 1;
  const freeProcessors = freeAt(queue);
  const jobAt = columns.jobAt;
  const widths = columns.processors;
  let narrowestInBlock = NO_RANK;
  let fittingRanks: u64 = 0;
  for (let bits = waitingRanks; bits !== 0; bits &= bits - 1) {
    count(Work.QueueLooks);
    const bit = ctz(bits);
    const processors = at<i32>(widths, at<i32>(jobAt, firstRank + <i32>bit));
    const fits = processors <= freeProcessors;
    fittingRanks |= u64(fits) << bit;
    narrowestInBlock = min(narrowestInBlock, select<i32>(NO_RANK, processors, fits));
  }
  for (; fittingRanks !== 0; fittingRanks &= fittingRanks - 1) {
    const rank = firstRank + <i32>ctz(fittingRanks);
    // A job that started may have brought others to a limit.
    if (simulation.limits !== 0 && !priorityQueue.isRankWaiting(rank)) continue;
    const job = at<i32>(columns.jobAt, rank);
    const processors = at<i32>(columns.processors, job);
    if (processors > freeAt(queue) || startUnlessDelaying(simulation, queue, job))
      narrowestInBlock = min(narrowestInBlock, processors);
  }
  return narrowestInBlock;
}
