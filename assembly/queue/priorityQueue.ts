import { Topology } from '../abi/abi';
import { blocksQueue } from '../memory/runKind';
import { Simulation } from '../memory/state';
import * as bitmap from '../memory/bitmap';
import * as columns from '../memory/columns';
import { IS_CHECKED_BUILD, Invariant, check, Work, count } from '../memory/check';
import { at, put, moveEntries } from '../memory/memory';
import * as keyBounds from './keyBounds';
import * as ranking from './ranking';
import { NO_RANK, isSubmittedEarlier, orderKeyOfJob } from './ranking';
import {
  boundOf4096,
  clearWidthBounds,
  computeWidthBounds,
  lowerWidthBounds,
  narrowestInBlock,
  recomputeNarrowestWidths,
} from './widthBounds';

/**
 * Waiting jobs that leave in another order than that of their arrival. Before the run, every job gets a rank,
 * its position in the order of all jobs (ranking.ts); with one queue per home site, the ranks of a queue are
 * contiguous. A queue is then a set of ranks (bitmap.ts): insertion, removal and finding the next job take a
 * few word operations for any number of waiting jobs. The lowest rank, the head's, is cached.
 *
 * If backfilling has an order of its own with keys known before the run, jobs have ranks in that order too,
 * and the waiting ones are also a set of these (sequence.ts).
 *
 * Searches by width skip blocks of ranks whose jobs are all wider (widthBounds.ts).
 */

/** State of one priority queue. */
@unmanaged
export class Queue {
  /** Sum of the processors requested by the waiting jobs, and the number of these jobs. */
  processors: f64;
  waitingJobs: i32;
  /** Job that found the queue empty in this instant; -1 if none. */
  arrivingJob: i32;
  /** Job of the lowest rank, its rank and processors; -1, NO_RANK and NO_RANK if no job waits. */
  head: i32;
  headRank: i32;
  headWidth: i32;
  /** Flag: an event has happened since its last pass, if passes are deferred. */
  hasEvent: i32;
  /**
   * Passes at intervals (passTimes.ts): time of the next one, the time from which on it is the next, the
   * intervals before it, number of past ones, first and last job.
   */
  nextPass: f64;
  nextPassFrom: f64;
  nextPassCount: f64;
  passCount: f64;
  firstJob: i32;
  lastJob: i32;
  /**
   * Passes of an independent site that events ask for (passTimes.ts): time of the next one, +infinity if
   * none; time of the last one; a flag: the current pass includes this queue; a `RestPeriod`; the number of
   * waiting jobs before the pass; and a flag: something has happened since the last backfill pass by nodes.
   */
  requestedPass: f64;
  lastPass: f64;
  isPassRequested: i32;
  restPeriod: i32;
  waitingBefore: i32;
  hasChanged: i32;
  /** Lower bound of the widths of the jobs that searches may find; NO_RANK or less. */
  leastWidth: i32;
}

const QUEUE_BYTES_LOG2: i32 = 7;

/** Size of `queueCount` queues in words of 8 bytes. */
export function queueWordCount(queueCount: i64): i64 {
  return queueCount << (QUEUE_BYTES_LOG2 - 3);
}

@inline
export function queueAt(queue: i32): Queue {
  return changetype<Queue>(columns.queues + ((<usize>queue) << QUEUE_BYTES_LOG2));
}

/**
 * Ranks the jobs, of which the widest has `widest` processors, and empties all queues; returns a job whose
 * key is not finite, or -1.
 */
export function reset(simulation: Simulation, widest: i32): i32 {
  let refused = ranking.rankJobs(simulation, widest);
  if (refused < 0) refused = ranking.rankJobsForBackfilling(simulation, widest);
  if (refused >= 0) return refused;
  if (keepsWidthBounds(simulation)) clearWidthBounds(simulation);
  if (simulation.hasBackfillRanks !== 0) {
    columns.switchRanks();
    clearWidthBounds(simulation);
    columns.switchRanks();
  }
  simulation.waitingJobs = 0;
  for (let index = 0; index < simulation.siteCount; index++) {
    const queue = queueAt(index);
    queue.processors = 0;
    queue.waitingJobs = 0;
    queue.arrivingJob = -1;
    queue.hasEvent = 0;
    queue.leastWidth = NO_RANK;
    setHeadOfQueue(queue, -1, NO_RANK, NO_RANK);
  }
  return -1;
}

/**
 * Gives the waiting jobs of the only queue the rows of `columns.rows` and new ranks in the same order: those
 * of their rows or, if ranks are determined at submission, the first ones. All other ranks are free.
 */
export function renumberQueuedJobs(simulation: Simulation): void {
  const waitingJobCount = listJobsAndFreeRanks(simulation);
  const queue = queueAt(0);
  for (let index = 0; index < waitingJobCount; index++) {
    markRankWaiting(
      simulation.hasLateRanks !== 0 ? index : at<i32>(columns.rows, at<i32>(columns.jobAt, index)),
    );
  }
  let remainingJobCount = waitingJobCount;
  for (let rank = simulation.knownJobs - 1; rank >= 0; rank--) {
    // The list is in the same column, at lower ranks than those that have been written.
    const job = isRankWaiting(rank)
      ? at<i32>(columns.rows, at<i32>(columns.jobAt, --remainingJobCount))
      : rank;
    put<i32>(columns.jobAt, rank, job);
    put<i32>(columns.rankOf, job, rank);
  }
  if (simulation.hasLateRanks !== 0) put<i32>(columns.placedJobs, 0, waitingJobCount);
  if (queue.arrivingJob >= 0) queue.arrivingJob = at<i32>(columns.rows, queue.arrivingJob);
  setHeadOfQueue(queue, -1, NO_RANK, NO_RANK);
  simulation.widthsBounded = 0;
  if (keepsWidthBounds(simulation)) clearWidthBounds(simulation);
  if (waitingJobCount === 0) return;
  findHead(simulation, 0);
  if (keepsWidthBounds(simulation)) recomputeBoundsOfBlocks(simulation, queue.headRank, simulation.jobCount);
}

/** Lists the jobs of the waiting ranks, in order, at the begin of `jobAt`, and frees the ranks. */
function listJobsAndFreeRanks(simulation: Simulation): i32 {
  let waitingJobCount = 0;
  for (
    let rank = nextRank(simulation, 0);
    rank < simulation.jobCount;
    rank = nextRank(simulation, rank + 1)
  ) {
    put<i32>(columns.jobAt, waitingJobCount++, at<i32>(columns.jobAt, rank));
    markRankNotWaiting(rank);
  }
  return waitingJobCount;
}

/** Number of queues. */
export function queueCountOf(simulation: Simulation): i32 {
  return simulation.topology === Topology.Shared ? 1 : simulation.siteCount;
}

/** Queue of a job. */
@inline
export function queueOfJob(simulation: Simulation, job: i32): i32 {
  return simulation.topology === Topology.Shared ? 0 : at<i32>(columns.homes, job);
}

/** Inserts a job into its queue. */
export function addJob(simulation: Simulation, job: i32): void {
  const rank = at<i32>(columns.rankOf, job);
  const processors = at<i32>(columns.processors, job);
  const queue = queueAt(queueOfJob(simulation, job));
  queue.leastWidth = queue.waitingJobs === 0 ? processors : min(queue.leastWidth, processors);
  changeQueueTotals(simulation, queue, 1, processors);
  if (simulation.refreshesEstimates !== 0) linkJobToUser(job);
  if (rank < queue.headRank) setHeadOfQueue(queue, job, rank, processors);
  markRankWaiting(rank);
  if (keepsWidthBounds(simulation)) lowerWidthBounds(rank, processors);
  if (simulation.hasBackfillRanks === 0) return;
  columns.switchRanks();
  addCurrentRank(simulation, job);
  columns.switchRanks();
}

/** Inserts a job's current rank, which may be its second one, into the set of waiting ranks. */
export function addCurrentRank(simulation: Simulation, job: i32): void {
  const rank = at<i32>(columns.rankOf, job);
  markRankWaiting(rank);
  lowerWidthBounds(rank, at<i32>(columns.processors, job));
  if (simulation.boundsKeys !== 0) keyBounds.includeRankedJob(simulation, job);
}

/** Removes a job's current rank, and updates the bounds if they cover waiting jobs. */
export function removeCurrentRank(job: i32): void {
  const rank = at<i32>(columns.rankOf, job);
  markRankNotWaiting(rank);
  if (at<i32>(columns.minWidths64, rank >> 6) === at<i32>(columns.processors, job))
    recomputeNarrowestWidths(rank);
}

/** Rank of a job in the order in which jobs behind a reservation are tried. */
export function backfillRankOf(simulation: Simulation, job: i32): i32 {
  const needsRankSwitch = simulation.hasBackfillRanks !== 0 && !columns.areBackfillRanksCurrent;
  if (needsRankSwitch) columns.switchRanks();
  const rank = at<i32>(columns.rankOf, job);
  if (needsRankSwitch) columns.switchRanks();
  return rank;
}

/**
 * Records for EASY (disciplines/easy.ts) that a job may now start without a delay of others, because it
 * arrives, arrives soon, or has a new estimate.
 */
export function markJobUntried(simulation: Simulation, job: i32): void {
  const processors = at<i32>(columns.processors, job);
  simulation.untriedWidth = min(simulation.untriedWidth, processors);
  lowerUntriedWidth(backfillRankOf(simulation, job), processors);
}

@inline
function lowerUntriedWidth(rank: i32, processors: i32): void {
  put<i32>(columns.untriedWidths, rank >> 6, min(at<i32>(columns.untriedWidths, rank >> 6), processors));
}

/** True if the width bounds cover waiting jobs, not all jobs. */
@inline
function keepsWidthBounds(simulation: Simulation): bool {
  return !blocksQueue(simulation.discipline) || simulation.movesRanks !== 0;
}

@inline
function markRankWaiting(rank: i32): void {
  bitmap.insertNumber(
    columns.waitingRanks0,
    columns.waitingRanks1,
    columns.waitingRanks2,
    columns.waitingRanks3,
    rank,
  );
}

/** True if the job of a rank waits. */
@inline
export function isRankWaiting(rank: i32): bool {
  return (at<u64>(columns.waitingRanks0, rank >> 6) >> (rank & 63)) % 2 === 1;
}

/** Updates ranks, head and bounds after jobs have moved by `step` (1 or -1) from rank `from` up to `to`. */
function moveRanks(simulation: Simulation, index: i32, from: i32, to: i32, step: i32): void {
  const queue = queueAt(index);
  markRankNotWaiting(from);
  markRankWaiting(to);
  if (queue.headRank !== NO_RANK && (queue.headRank - from) * step >= 0 && (to - queue.headRank) * step > 0) {
    queue.headRank += step;
  }
  for (let rank = from + step; rank !== to + step; rank += step) {
    const processors = at<i32>(columns.processors, at<i32>(columns.jobAt, rank));
    lowerWidthBounds(rank, processors);
    // A job that comes from another block has not been tried in this one.
    if (simulation.roomForPlan !== 0 && (rank - step) >> 6 !== rank >> 6) lowerUntriedWidth(rank, processors);
  }
}

/** Makes a job the head of its queue; -1, NO_RANK, NO_RANK for an empty queue. */
@inline
function setHeadOfQueue(queue: Queue, job: i32, rank: i32, processors: i32): void {
  queue.head = job;
  queue.headRank = rank;
  queue.headWidth = processors;
}

/** Adds a waiting job to its user's list. */
function linkJobToUser(job: i32): void {
  const user = at<i32>(columns.users, job);
  if (user < 0) return;
  const nextLink = at<i32>(columns.waitingOfUsers, user);
  if (nextLink !== 0) put<i32>(columns.previousOfUser, nextLink - 1, job + 1);
  put<i32>(columns.nextOfUser, job, nextLink);
  put<i32>(columns.waitingOfUsers, user, job + 1);
}

/** Removes a job from its user's list; its links are cleared, so that equal states have equal bytes. */
function unlinkJobFromUser(job: i32): void {
  const user = at<i32>(columns.users, job);
  if (user < 0) return;
  const nextLink = at<i32>(columns.nextOfUser, job);
  const previousLink = at<i32>(columns.previousOfUser, job);
  if (nextLink !== 0) put<i32>(columns.previousOfUser, nextLink - 1, previousLink);
  if (previousLink !== 0) put<i32>(columns.nextOfUser, previousLink - 1, nextLink);
  else put<i32>(columns.waitingOfUsers, user, nextLink);
  put<i32>(columns.nextOfUser, job, 0);
  put<i32>(columns.previousOfUser, job, 0);
}

/** Removes a job from its queue. */
export function removeJob(simulation: Simulation, job: i32): void {
  if (simulation.refreshesEstimates !== 0) unlinkJobFromUser(job);
  if (simulation.hasBackfillRanks === 0) {
    removeJobFromCurrentRanks(simulation, job);
    return;
  }
  const wereBackfillRanksCurrent = columns.areBackfillRanksCurrent;
  if (!wereBackfillRanksCurrent) columns.switchRanks();
  removeCurrentRank(job);
  columns.switchRanks();
  removeJobFromCurrentRanks(simulation, job);
  if (wereBackfillRanksCurrent) columns.switchRanks();
}

/** Removes a job from the current ranks of its queue. */
@inline
function removeJobFromCurrentRanks(simulation: Simulation, job: i32): void {
  const rank = at<i32>(columns.rankOf, job);
  const queue = queueAt(queueOfJob(simulation, job));
  const processors = at<i32>(columns.processors, job);
  if (rank === queue.headRank) {
    removeHead(simulation, queue);
  } else {
    changeQueueTotals(simulation, queue, -1, processors);
    markRankNotWaiting(rank);
  }
  if (!keepsWidthBounds(simulation)) return;
  if (at<i32>(columns.minWidths64, rank >> 6) === processors) recomputeNarrowestWidths(rank);
}

/** Removes the head of a queue whose other jobs are not searched. */
export function removeHead(simulation: Simulation, queue: Queue): void {
  const rank = queue.headRank;
  changeQueueTotals(simulation, queue, -1, queue.headWidth);
  markRankNotWaiting(rank);
  if (queue.waitingJobs === 0) {
    setHeadOfQueue(queue, -1, NO_RANK, NO_RANK);
  } else {
    makeFirstJobFromRankHead(simulation, queue, rank);
  }
}

/**
 * Makes the first searchable job of a queue, from a rank on, the head; none if limits hold all these jobs.
 */
@inline
function makeFirstJobFromRankHead(simulation: Simulation, queue: Queue, rank: i32): void {
  const headRank = nextRank(simulation, rank);
  if (simulation.limits !== 0 && headRank >= endOfQueueWithRank(simulation, rank)) {
    setHeadOfQueue(queue, -1, NO_RANK, NO_RANK);
    return;
  }
  const job = at<i32>(columns.jobAt, headRank);
  setHeadOfQueue(queue, job, headRank, at<i32>(columns.processors, job));
}

/** First rank after the queue that a rank belongs to. */
function endOfQueueWithRank(simulation: Simulation, rank: i32): i32 {
  let index = 0;
  while (at<i32>(columns.firstRanks, index + 1) <= rank) index++;
  return at<i32>(columns.firstRanks, index + 1);
}

/** Hides a waiting job from the searches of its queue; it still counts as waiting. */
export function hideJobFromSearch(simulation: Simulation, job: i32): void {
  const wereBackfillRanksCurrent = columns.areBackfillRanksCurrent;
  if (simulation.hasBackfillRanks !== 0) {
    if (!wereBackfillRanksCurrent) columns.switchRanks();
    // In a pass, jobs up to the reserved one have no second rank.
    if (isRankWaiting(at<i32>(columns.rankOf, job))) removeCurrentRank(job);
    columns.switchRanks();
  }
  const rank = at<i32>(columns.rankOf, job);
  const queue = queueAt(queueOfJob(simulation, job));
  markRankNotWaiting(rank);
  if (rank === queue.headRank) makeFirstJobFromRankHead(simulation, queue, rank);
  if (
    keepsWidthBounds(simulation) &&
    at<i32>(columns.minWidths64, rank >> 6) === at<i32>(columns.processors, job)
  ) {
    recomputeNarrowestWidths(rank);
  }
  if (wereBackfillRanksCurrent) columns.switchRanks();
}

/** Lets a job be found again by the searches of its queue. */
export function showJobToSearch(simulation: Simulation, job: i32): void {
  // Other jobs may have taken its rank.
  if (simulation.hasLateRanks !== 0) assignRank(simulation, job);
  const rank = at<i32>(columns.rankOf, job);
  const processors = at<i32>(columns.processors, job);
  const queue = queueAt(queueOfJob(simulation, job));
  queue.leastWidth = min(queue.leastWidth, processors);
  if (rank < queue.headRank) setHeadOfQueue(queue, job, rank, processors);
  markRankWaiting(rank);
  if (keepsWidthBounds(simulation)) lowerWidthBounds(rank, processors);
  if (simulation.hasBackfillRanks === 0) return;
  columns.switchRanks();
  addCurrentRank(simulation, job);
  columns.switchRanks();
}

/** Finds the head again after waiting jobs have changed places. */
export function findHead(simulation: Simulation, queue: i32): void {
  makeFirstJobFromRankHead(simulation, queueAt(queue), at<i32>(columns.firstRanks, queue));
}

/** Recomputes the width bounds of the blocks of ranks in [rank, end), whose jobs have changed places. */
export function recomputeBoundsOfBlocks(simulation: Simulation, rank: i32, end: i32): void {
  let blockOf4096 = rank >> 12;
  while (rank < end) {
    const block = rank >> 6;
    if (block >> 6 !== blockOf4096) boundOf4096(blockOf4096);
    blockOf4096 = block >> 6;
    put<i32>(columns.minWidths64, block, narrowestInBlock(block, 0));
    rank = nextRank(simulation, (block + 1) << 6);
  }
  boundOf4096(blockOf4096);
}

/** Changes the number of jobs and requested processors of a queue. */
@inline
function changeQueueTotals(simulation: Simulation, queue: Queue, jobs: i32, processors: i32): void {
  simulation.waitingJobs += jobs;
  queue.waitingJobs += jobs;
  queue.processors += <f64>(jobs * processors);
}

@inline
function markRankNotWaiting(rank: i32): void {
  if (IS_CHECKED_BUILD)
    check((at<u64>(columns.waitingRanks0, rank >> 6) >> (rank & 63)) % 2 === 1, Invariant.WaitingQueue);
  bitmap.removeNumber(
    columns.waitingRanks0,
    columns.waitingRanks1,
    columns.waitingRanks2,
    columns.waitingRanks3,
    rank,
  );
}

/** True if a job outside a queue would become its head. */
@inline
export function wouldBeHead(queue: i32, job: i32): bool {
  return at<i32>(columns.rankOf, job) < queueAt(queue).headRank;
}

/** First waiting rank from `rank` on, in any queue; the number of jobs if none. */
export function nextRank(simulation: Simulation, rank: i32): i32 {
  const end = simulation.jobCount;
  return bitmap.nextNumberFrom(
    columns.waitingRanks0,
    columns.waitingRanks1,
    columns.waitingRanks2,
    columns.waitingRanks3,
    rank,
    end,
  );
}

/** Job at the head of a queue; -1 if none. */
@inline
export function headOf(simulation: Simulation, queue: i32): i32 {
  return queueAt(queue).head;
}

/** Next waiting job of the same queue behind a job; -1 if none. */
export function nextJobBehind(simulation: Simulation, job: i32): i32 {
  const rank = nextRank(simulation, at<i32>(columns.rankOf, job) + 1);
  return rank < endRankOfQueue(simulation, job) ? at<i32>(columns.jobAt, rank) : -1;
}

/** First rank after the queue of a job. */
@inline
export function endRankOfQueue(simulation: Simulation, job: i32): i32 {
  return at<i32>(columns.firstRanks, queueOfJob(simulation, job) + 1);
}

/**
 * Ranks of jobs whose keys become known at submission. Each queue has as many ranks as jobs; the first
 * `placedJobs` are in use. They are sorted, including jobs that no longer wait, whose ranks others may take.
 * If a job must come between two waiting ones, the later ones move up.
 */

/** Assigns a job that joins its queue its rank among the waiting jobs. */
export function assignRank(simulation: Simulation, job: i32): void {
  const queue = queueOfJob(simulation, job);
  const firstRank = at<i32>(columns.firstRanks, queue);
  const end = firstRank + at<i32>(columns.placedJobs, queue);
  // Adding 0 turns -0 into 0.
  put<f64>(columns.lateKeys, job, orderKeyOfJob(simulation.order, columns.keys, job, 0) + 0);
  const rank = makeRankFreeAt(simulation, queue, firstRank, rankPositionOf(firstRank, end, job), end);
  put<i32>(columns.jobAt, rank, job);
  put<i32>(columns.rankOf, job, rank);
}

/** First rank in [firstRank, end) whose job does not precede `job`; `end` if none. */
function rankPositionOf(firstRank: i32, end: i32, job: i32): i32 {
  while (firstRank < end) {
    const middle = (firstRank + end) >>> 1;
    if (precedesByLateKey(at<i32>(columns.jobAt, middle), job)) firstRank = middle + 1;
    else end = middle;
  }
  return firstRank;
}

@inline
function precedesByLateKey(job: i32, other: i32): bool {
  const difference = at<f64>(columns.lateKeys, job) - at<f64>(columns.lateKeys, other);
  return difference < 0 || (difference === 0 && isSubmittedEarlier(job, other));
}

/**
 * Makes a rank free between the waiting jobs below `rank` and those from `rank` on; [firstRank, end) are in
 * use. A free rank always exists, because the job itself does not wait.
 */
function makeRankFreeAt(simulation: Simulation, queue: i32, firstRank: i32, rank: i32, end: i32): i32 {
  if (rank > firstRank && !isRankWaiting(rank - 1)) return rank - 1;
  let freeRank = rank;
  while (freeRank < end && isRankWaiting(freeRank)) freeRank++;
  if (freeRank === end && end < at<i32>(columns.firstRanks, queue + 1)) {
    put<i32>(columns.placedJobs, queue, end + 1 - firstRank);
    moveJobsUpOneRank(simulation, queue, rank, freeRank);
    return rank;
  }
  if (freeRank < end) {
    moveJobsUpOneRank(simulation, queue, rank, freeRank);
    return rank;
  }
  freeRank = rank - 1;
  while (isRankWaiting(freeRank)) freeRank--;
  moveJobsDownOneRank(simulation, queue, freeRank, rank - 1);
  return rank - 1;
}

/** Moves the waiting jobs of the ranks [from, to) up by one. */
function moveJobsUpOneRank(simulation: Simulation, queue: i32, from: i32, to: i32): void {
  if (from === to) return;
  moveEntries<i32>(columns.jobAt, from + 1, columns.jobAt, from, to - from);
  for (let rank = from + 1; rank <= to; rank++) put<i32>(columns.rankOf, at<i32>(columns.jobAt, rank), rank);
  moveRanks(simulation, queue, from, to, 1);
}

/** Moves the waiting jobs of the ranks (from, to] down by one. */
function moveJobsDownOneRank(simulation: Simulation, queue: i32, from: i32, to: i32): void {
  moveEntries<i32>(columns.jobAt, from, columns.jobAt, from + 1, to - from);
  for (let rank = from; rank < to; rank++) put<i32>(columns.rankOf, at<i32>(columns.jobAt, rank), rank);
  moveRanks(simulation, queue, to, from, -1);
}

/** Next waiting job behind a job in its queue with at most `processors` processors; -1 if none. */
@inline
export function behindNotWider(simulation: Simulation, job: i32, processors: i32): i32 {
  return firstJobFromRankNotWider(
    simulation,
    at<i32>(columns.rankOf, job) + 1,
    endRankOfQueue(simulation, job),
    processors,
  );
}

/** True if all jobs of a queue that searches may find need more than `processors` processors. */
export function areAllJobsWider(simulation: Simulation, index: i32, processors: i32): bool {
  const queue = queueAt(index);
  if (processors < queue.leastWidth) return true;
  const end = at<i32>(columns.firstRanks, index + 1);
  if (firstJobFromRankNotWider(simulation, queue.headRank, end, processors) >= 0) return false;
  queue.leastWidth = processors + 1;
  return true;
}

/**
 * First waiting job with a rank in [rank, end) and at most `processors` processors; -1 if none. Skips blocks
 * whose jobs are all wider.
 */
export function firstJobFromRankNotWider(simulation: Simulation, rank: i32, end: i32, processors: i32): i32 {
  if (simulation.widthsBounded === 0) computeWidthBounds(simulation);
  while (rank < end) {
    count(Work.QueueLooks);
    const block = rank >> 6;
    if (at<i32>(columns.minWidths64, block) <= processors) {
      const maskFromRank = ~(<u64>0) << (rank & 63);
      for (let bits = at<u64>(columns.waitingRanks0, block) & maskFromRank; bits !== 0; bits &= bits - 1) {
        const waitingRank = (block << 6) + <i32>ctz(bits);
        if (waitingRank >= end) return -1;
        count(Work.QueueLooks);
        const job = at<i32>(columns.jobAt, waitingRank);
        if (at<i32>(columns.processors, job) <= processors) return job;
      }
    } else if (at<i32>(columns.minWidths4096, block >> 6) > processors) {
      rank = nextRank(simulation, ((block >> 6) + 1) << 12);
      continue;
    }
    rank = nextRank(simulation, (block + 1) << 6);
  }
  return -1;
}
