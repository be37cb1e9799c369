import { Discipline, Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { predictedTimeAtHome } from '../grid/execution';
import { freeProcessorsAt } from '../grid/sites';
import { at } from '../memory/memory';
import { startPlannedJobOnOneSite } from '../placement/start';
import * as predictedEnds from '../planning/predictedEnds';
import * as predictions from '../planning/predictions';
import * as keyBounds from '../queue/keyBounds';
import * as priorityQueue from '../queue/priorityQueue';
import { NO_RANK } from '../queue/ranking';
import * as sequence from '../queue/sequence';
import { IS_RECORDING_BUILD, beginDecision } from '../record/log';
import { Work, count } from '../memory/check';
import * as easy from './easy';
import {
  CanStartWithoutDelay,
  beginBackfillSearch,
  narrowestWidthOfAbsorbedRuntime,
  recordBackfilledStart,
  recordWouldDelayHead,
  takeExtraProcessors,
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
export class HomeSiteRule {
  /** The home of a job if the job fits there now, otherwise -1. */
  @inline
  siteForStartNow(simulation: Simulation, queue: i32, job: i32): i32 {
    if (at<i32>(columns.processors, job) > freeProcessorsAt(queue)) return -1;
    if (IS_RECORDING_BUILD) beginDecision(simulation, job);
    return queue;
  }

  /** Computes the head's shadow time, which it returns, and the extra processors. */
  @inline
  reserve(simulation: Simulation, queue: i32, head: i32): f64 {
    const missingProcessors = at<i32>(columns.processors, head) - freeProcessorsAt(queue);
    predictedEnds.findTimeOfReleaseOfAtLeast(queue, missingProcessors);
    const time = predictedEnds.foundTime;
    const extraProcessorCount = predictedEnds.foundProcessors - missingProcessors;
    const previousShadowTime = at<f64>(columns.shadowTimes, queue);
    const hasMoreExtraProcessors = extraProcessorCount > at<i32>(columns.extraProcessors, queue);
    easy.storeReservation(simulation, queue, head, queue, time, extraProcessorCount);
    if (hasMoreExtraProcessors || at<f64>(columns.shadowTimes, queue) > previousShadowTime)
      easy.discardTriedJobs(simulation);
    return time;
  }

  /** Records that a job which has not been tried has joined the queue. */
  @inline
  join(simulation: Simulation, queue: i32, job: i32): void {
    // The previous head has to be tried again.
    if (priorityQueue.headOf(simulation, queue) === job) easy.discardTriedJobs(simulation);
    else priorityQueue.markJobUntried(simulation, job);
  }

  /** True if no job can start while the reservation stays. */
  @inline
  isStartImpossible(simulation: Simulation, queue: i32): bool {
    const headWidth = priorityQueue.queueAt(queue).headWidth;
    return freeProcessorsAt(queue) < min(headWidth, simulation.untriedWidth);
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
    startJobsBehindHead(
      simulation,
      queue,
      rank,
      end,
      !isSingleJob && easy.areTriedJobsRemembered(simulation),
    );
  }
}

/**
 * Tries a submitted job before it joins its queue, if no job is overdue. The job starts if it fits and the
 * queue is empty, or if it delays no job.
 */
@inline
export function tryBeforeJoining(simulation: Simulation, queue: i32, job: i32): TryOutcome {
  const processors = at<i32>(columns.processors, job);
  const isOnlyWaitingJob = priorityQueue.queueAt(queue).waitingJobs === 0;
  if (!isOnlyWaitingJob && priorityQueue.wouldBeHead(queue, job)) return TryOutcome.NeedsFullPass;
  const freeProcessors = freeProcessorsAt(queue);
  if (processors > freeProcessors) {
    if (isOnlyWaitingJob) return TryOutcome.NeedsFullPass;
    priorityQueue.markJobUntried(simulation, job);
    return TryOutcome.MustWait;
  }
  const predictedRuntime = predictedTimeAtHome(simulation, job);
  if (!isOnlyWaitingJob && !wouldFitBesideHead(simulation, queue, job, predictedRuntime)) {
    if (easy.noteIfRuntimeIsAbsorbed(simulation, simulation.now, predictedRuntime))
      priorityQueue.markJobUntried(simulation, job);
    return TryOutcome.MustWait;
  }
  startPlannedJobOnOneSite(simulation, job, queue, predictedRuntime);
  return TryOutcome.Started;
}

/** True if a job delays no other: it ends in time, or the extra processors suffice, which it then takes. */
@inline
function wouldFitBesideHead(simulation: Simulation, queue: i32, job: i32, predictedRuntime: f64): bool {
  const end = predictions.effectiveEnd(simulation.now, simulation.now + predictedRuntime);
  if (end <= at<f64>(columns.shadowTimes, queue)) return true;
  if (at<i32>(columns.processors, job) > at<i32>(columns.extraProcessors, queue)) return false;
  takeExtraProcessors(queue, job);
  return true;
}

/**
 * Smallest width of a job, among those examined, that may later start without delaying the head.
 */
let narrowestUntriedWidth: i32 = NO_RANK;

/**
 * Starts the jobs with ranks in [rank, end) that do not delay the head; if `remembersTriedJobs`, remembers
 * after a search of all which jobs have been tried.
 */
function startJobsBehindHead(
  simulation: Simulation,
  queue: i32,
  rank: i32,
  end: i32,
  remembersTriedJobs: bool,
): void {
  if (freeProcessorsAt(queue) < simulation.untriedWidth) return;
  narrowestUntriedWidth = NO_RANK;
  if (simulation.boundsKeys !== 0) startJobsByKeys(simulation, queue, rank, end);
  else startJobsByRanks(simulation, queue, rank, end, remembersTriedJobs);
  if (remembersTriedJobs) simulation.untriedWidth = narrowestUntriedWidth;
}

/** Like `startJobsBehindHead`, in order of ranks. */
function startJobsByRanks(simulation: Simulation, queue: i32, rank: i32, end: i32, keepsTried: bool): void {
  let freeProcessors = freeProcessorsAt(queue);
  while (rank < end) {
    count(Work.QueueLooks);
    const block = rank >> 6;
    let narrowestWidth = at<i32>(columns.minWidths4096, block >> 6);
    let nextBlockRank = ((block >> 6) + 1) << 12;
    if (narrowestWidth <= freeProcessors) {
      narrowestWidth = easy.narrowestUntriedWidthInBlock(simulation, block);
      nextBlockRank = (block + 1) << 6;
      if (narrowestWidth <= freeProcessors) {
        narrowestWidth = startJobsFromBlock(simulation, queue, rank, min(nextBlockRank, end));
        freeProcessors = freeProcessorsAt(queue);
        if (keepsTried) easy.markBlockTried(simulation, block, narrowestWidth);
      }
    }
    narrowestUntriedWidth = min(narrowestUntriedWidth, narrowestWidth);
    if (nextBlockRank >= end) break;
    rank = priorityQueue.nextRank(simulation, nextBlockRank);
  }
}

/** Like `startJobsBehindHead`, in order of keys that change with time; the ranks are those by width. */
function startJobsByKeys(simulation: Simulation, queue: i32, rank: i32, end: i32): void {
  rank = firstRankOfWidthAtLeast(rank, end, simulation.untriedWidth);
  beginBackfillSearch(queue, 0);
  let job = firstJobBesideHead(simulation, rank, end);
  for (; job >= 0; job = firstJobBesideHead(simulation, rank, end))
    startJobUnlessDelaying(simulation, queue, job);
  narrowestUntriedWidth = min(narrowestUntriedWidth, narrowestWidthOfAbsorbedRuntime);
  const firstWiderRank = priorityQueue.nextRank(
    simulation,
    firstRankOfWidthAtLeast(rank, end, freeProcessorsAt(queue) + 1),
  );
  if (firstWiderRank < end)
    narrowestUntriedWidth = min(
      narrowestUntriedWidth,
      at<i32>(columns.processors, at<i32>(columns.jobAt, firstWiderRank)),
    );
}

/** First of the ranks [rank, end), which are by width, whose job needs at least `processors` processors. */
function firstRankOfWidthAtLeast(rank: i32, end: i32, processors: i32): i32 {
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
  return keyBounds.firstJobSatisfying<CanStartWithoutDelay>(
    simulation,
    rank,
    end,
    lastTriedJob,
    usesBackfillOrder,
  );
}

/**
 * Starts a job that fits, unless it would delay the head; returns true if it does not start but may cause no
 * delay later.
 */
@inline
function startJobUnlessDelaying(simulation: Simulation, queue: i32, job: i32): bool {
  const predictedRuntime = predictedTimeAtHome(simulation, job);
  if (!wouldFitBesideHead(simulation, queue, job, predictedRuntime)) {
    if (IS_RECORDING_BUILD) recordWouldDelayHead(simulation, queue, job);
    return easy.noteIfRuntimeIsAbsorbed(simulation, simulation.now, predictedRuntime);
  }
  if (IS_RECORDING_BUILD) {
    beginDecision(simulation, job);
    recordBackfilledStart(simulation, queue, job);
  }
  startPlannedJobOnOneSite(simulation, job, queue, predictedRuntime);
  priorityQueue.removeJob(simulation, job);
  return false;
}

/**
 * Starts jobs of a block of 64 ranks. Returns the smallest width of a job in the block that may later start
 * without a delay of the head. Finds the jobs that fit first, without unpredictable branches.
 */
function startJobsFromBlock(simulation: Simulation, queue: i32, begin: i32, end: i32): i32 {
  const firstRank = begin & -64;
  let waitingRankBits = (at<u64>(columns.waitingRanks0, begin >> 6) >> (begin & 63)) << (begin & 63);
  if (end - firstRank < 64) waitingRankBits &= ((<u64>1) << (end - firstRank)) - 1;
  const freeProcessors = freeProcessorsAt(queue);
  const jobAt = columns.jobAt;
  const widths = columns.processors;
  let narrowestInBlock = NO_RANK;
  let fittingRankBits: u64 = 0;
  for (let bits = waitingRankBits; bits !== 0; bits &= bits - 1) {
    count(Work.QueueLooks);
    const bit = ctz(bits);
    const processors = at<i32>(widths, at<i32>(jobAt, firstRank + <i32>bit));
    const fitsFreeProcessors = processors <= freeProcessors;
    fittingRankBits |= u64(fitsFreeProcessors) << bit;
    narrowestInBlock = min(narrowestInBlock, select<i32>(NO_RANK, processors, fitsFreeProcessors));
  }
  for (; fittingRankBits !== 0; fittingRankBits &= fittingRankBits - 1) {
    const rank = firstRank + <i32>ctz(fittingRankBits);
    // A job that started may have brought others to a limit.
    if (simulation.limits !== 0 && !priorityQueue.isRankWaiting(rank)) continue;
    const job = at<i32>(columns.jobAt, rank);
    const processors = at<i32>(columns.processors, job);
    if (processors > freeProcessorsAt(queue) || startJobUnlessDelaying(simulation, queue, job))
      narrowestInBlock = min(narrowestInBlock, processors);
  }
  return narrowestInBlock;
}
