import { Discipline, Order } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { Work, count } from '../memory/check';
import { mayPassesChangeOrder } from '../memory/runKind';
import { at, moveEntries, put } from '../memory/memory';
import * as agingKeys from './agingKeys';
import * as keyBounds from './keyBounds';
import * as priorityQueue from './priorityQueue';
import { isSubmittedEarlier, orderKeyOfJob } from './ranking';

/**
 * Order in which a scheduling pass tries the waiting jobs, where it is not the constant order of the queue:
 * priorities that change with time, or an order of its own for the jobs that are backfilled.
 *
 * If the keys of the backfill order are known before the run, every job has a second rank in that order that
 * a pass uses. Otherwise a search by bounds of the keys finds the next job (keyBounds.ts); or, if a
 * pass tries all waiting jobs, it first sorts them among the ranks that they hold.
 */

/**
 * Begins a pass over a queue by sorting its jobs. Not if bounds of keys find them, nor if all jobs are
 * planned, which sorts them once it is known that one may start.
 */
@inline
export function sortQueueForPass(simulation: Simulation, queue: i32): void {
  if (simulation.boundsKeys !== 0 || simulation.discipline === Discipline.Conservative) return;
  sortQueue(simulation, queue);
}

/** Sorts the jobs of a queue. */
export function sortQueue(simulation: Simulation, queue: i32): void {
  if (simulation.keysDue !== 0) agingKeys.computeAgingKeys(simulation);
  const end = at<i32>(columns.firstRanks, queue + 1);
  if (!mayPassesChangeOrder(simulation)) return;
  const order = simulation.order;
  sortRanks(simulation, queue, at<i32>(columns.firstRanks, queue), end, order, columns.keys);
}

/**
 * Sorts the jobs behind the last one with a reservation in the backfilling order. Does nothing if there is no
 * such order, or if jobs have second ranks in it.
 */
export function sortQueueBehindReservation(simulation: Simulation, queue: i32): void {
  if (simulation.backfillOrder === 0 || simulation.hasBackfillRanks !== 0) return;
  if (simulation.keysDue !== 0) agingKeys.computeAgingKeys(simulation);
  const begin = at<i32>(columns.rankOf, simulation.lastReservedJob) + 1;
  const end = at<i32>(columns.firstRanks, queue + 1);
  sortRanks(simulation, queue, begin, end, simulation.backfillOrder - 1, columns.backfillKeys);
}

/**
 * Makes the ranks of the backfilling order current for the jobs behind the last reservation, without the jobs
 * up to it, which are not tried again.
 */
export function switchToBackfillRanks(simulation: Simulation, queue: i32): void {
  if (simulation.hasBackfillRanks === 0 || simulation.lastReservedJob < 0) return;
  let job = firstJobUpToReservation(simulation, queue);
  for (; job >= 0; job = nextJobUpToReservation(simulation, job)) {
    columns.switchRanks();
    priorityQueue.removeCurrentRank(job);
    columns.switchRanks();
  }
  columns.switchRanks();
}

/** Makes the ranks of the queue's order current again. */
export function switchToQueueRanks(simulation: Simulation, queue: i32): void {
  if (!columns.areBackfillRanksCurrent) return;
  columns.switchRanks();
  let job = firstJobUpToReservation(simulation, queue);
  for (; job >= 0; job = nextJobUpToReservation(simulation, job)) {
    columns.switchRanks();
    priorityQueue.addCurrentRank(simulation, job);
    columns.switchRanks();
  }
}

/** First job of a queue that is not behind the last reservation; -1 if none, or with bounds of keys. */
@inline
function firstJobUpToReservation(simulation: Simulation, queue: i32): i32 {
  return simulation.boundsKeys !== 0
    ? -1
    : jobUnlessBehindReservation(simulation, priorityQueue.headOf(simulation, queue));
}

/**
 * Returns the job, or -1 if it is behind the job of the last reservation, which a limit may hold since then.
 */
@inline
function jobUnlessBehindReservation(simulation: Simulation, job: i32): i32 {
  if (simulation.limits === 0 || job < 0) return job;
  return at<i32>(columns.rankOf, job) <= at<i32>(columns.rankOf, simulation.lastReservedJob) ? job : -1;
}

/** Next job behind another one in the queue's order, up to the job with the last reservation; -1 if none. */
@inline
function nextJobUpToReservation(simulation: Simulation, job: i32): i32 {
  if (job === simulation.lastReservedJob) return -1;
  return jobUnlessBehindReservation(simulation, priorityQueue.nextJobBehind(simulation, job));
}

/** First current rank of a job behind the last reservation of a queue. */
@inline
export function firstRankBehindReservation(simulation: Simulation, queue: i32): i32 {
  if (columns.areBackfillRanksCurrent) return at<i32>(columns.firstRanks, queue);
  return at<i32>(columns.rankOf, simulation.lastReservedJob) + 1;
}

/**
 * Next waiting job of the sequence behind another one, for -1 the first that is tried, with at most
 * `processors` processors; -1 if none.
 */
@inline
export function nextJobNotWider(simulation: Simulation, queue: i32, job: i32, processors: i32): i32 {
  if (keyBounds.areBoundsUsable(simulation)) {
    return keyBounds.nextJobBehindNotWider(simulation, queue, job, processors);
  }
  return priorityQueue.firstJobFromRankNotWider(
    simulation,
    nextWaitingRank(simulation, queue, job),
    endOfQueueSequence(queue),
    processors,
  );
}

/** First current rank behind a job; for -1 the first of the jobs that are tried. */
@inline
function nextWaitingRank(simulation: Simulation, queue: i32, job: i32): i32 {
  if (job >= 0) return at<i32>(columns.rankOf, job) + 1;
  if (simulation.lastReservedJob >= 0) return firstRankBehindReservation(simulation, queue);
  return priorityQueue.queueAt(queue).headRank;
}

@inline
function endOfQueueSequence(queue: i32): i32 {
  return at<i32>(columns.firstRanks, queue + 1);
}

/** Waiting job behind another one in the sequence of the unfinished pass over a queue; -1 if none. */
export function nextJobInPass(simulation: Simulation, queue: i32, job: i32): i32 {
  const usesBackfillOrder = simulation.hasBackfillRanks !== 0 && simulation.lastReservedJob >= 0;
  if (!usesBackfillOrder || keyBounds.precedesInQueue(simulation, job, simulation.lastReservedJob)) {
    if ((simulation.boundsKeys & 1) !== 0) return keyBounds.nextJobBehindInQueue(simulation, queue, job);
    const nextJob = priorityQueue.nextJobBehind(simulation, job);
    return usesBackfillOrder && isBehindReservedJob(simulation, nextJob)
      ? nextJobInBackfillOrder(simulation, queue, -1)
      : nextJob;
  }
  if (simulation.boundsKeys !== 0) {
    const previousJob = job === simulation.lastReservedJob ? -1 : job;
    return keyBounds.nextJobBehindNotWider(simulation, queue, previousJob, i32.MAX_VALUE);
  }
  return nextJobInBackfillOrder(simulation, queue, job === simulation.lastReservedJob ? -1 : job);
}

/** First job in the sequence of the unfinished pass over a queue; -1 if none. */
export function firstJobInPass(simulation: Simulation, queue: i32, head: i32): i32 {
  const usesBackfillOrder = simulation.hasBackfillRanks !== 0 && simulation.lastReservedJob >= 0;
  return usesBackfillOrder && isBehindReservedJob(simulation, head)
    ? nextJobInBackfillOrder(simulation, queue, -1)
    : head;
}

/** True if a job is behind the last reservation, whose job a limit may hold since then. */
function isBehindReservedJob(simulation: Simulation, job: i32): bool {
  if (simulation.limits === 0 || job < 0) return false;
  return at<i32>(columns.rankOf, job) > at<i32>(columns.rankOf, simulation.lastReservedJob);
}

/** First job behind another one in the second order; for -1 the first behind the reservation. -1 if none. */
function nextJobInBackfillOrder(simulation: Simulation, queue: i32, job: i32): i32 {
  switchToBackfillRanks(simulation, queue);
  const from = job < 0 ? firstRankBehindReservation(simulation, queue) : at<i32>(columns.rankOf, job) + 1;
  const rank = priorityQueue.nextRank(simulation, from);
  const nextJob = rank < at<i32>(columns.firstRanks, queue + 1) ? at<i32>(columns.jobAt, rank) : -1;
  switchToQueueRanks(simulation, queue);
  return nextJob;
}

/** Restores the order of a queue's waiting jobs from a list, consistent with the restored state. */
export function restoreOrder(simulation: Simulation, queue: i32, list: usize): void {
  const end = at<i32>(columns.firstRanks, queue + 1);
  permuteRanks(simulation, priorityQueue.nextRank(simulation, at<i32>(columns.firstRanks, queue)), end, list);
}

/**
 * Permutes the waiting jobs with ranks in [rank, end) into the order of a list that starts with
 * them.
 */
function permuteRanks(simulation: Simulation, rank: i32, end: i32, list: usize): void {
  for (let index = 0; rank < end; index++) {
    const job = at<i32>(list, index);
    put<i32>(columns.jobAt, rank, job);
    put<i32>(columns.rankOf, job, rank);
    rank = priorityQueue.nextRank(simulation, rank + 1);
  }
}

/** Sorts the jobs of a queue with ranks in [begin, end) by key, ties by submission and index. */
function sortRanks(
  simulation: Simulation,
  queue: i32,
  begin: i32,
  end: i32,
  order: Order,
  keyColumn: usize,
): void {
  let listedCount = 0;
  let isAlreadySorted = true;
  let previousJob = -1;
  const firstRank = priorityQueue.nextRank(simulation, begin);
  for (let rank = firstRank; rank < end; rank = priorityQueue.nextRank(simulation, rank + 1)) {
    count(Work.QueueLooks);
    const job = at<i32>(columns.jobAt, rank);
    put<f64>(columns.sequenceKeys, job, orderKeyOfJob(order, keyColumn, job, simulation.now));
    put<i32>(columns.sequence, listedCount++, job);
    if (previousJob >= 0 && precedesByKey(job, previousJob)) isAlreadySorted = false;
    previousJob = job;
  }
  if (isAlreadySorted) return;
  mergeSort(0, listedCount);
  permuteRanks(simulation, firstRank, end, columns.sequence);
  priorityQueue.findHead(simulation, queue);
  priorityQueue.recomputeBoundsOfBlocks(simulation, firstRank, end);
}

/** True if a job precedes another by key, submission and index. */
@inline
function precedesByKey(job: i32, other: i32): bool {
  const key = at<f64>(columns.sequenceKeys, job);
  const otherKey = at<f64>(columns.sequenceKeys, other);
  return key < otherKey || (key === otherKey && isSubmittedEarlier(job, other));
}

/** Merge sort of the sequence in [begin, end); a single comparison per half if it is sorted already. */
function mergeSort(begin: i32, end: i32): void {
  if (end - begin < 2) return;
  const middle = (begin + end) >> 1;
  mergeSort(begin, middle);
  mergeSort(middle, end);
  const sequence = columns.sequence;
  const firstHalf = columns.mergeBuffer;
  if (precedesByKey(at<i32>(sequence, middle - 1), at<i32>(sequence, middle))) return;
  const halfCount = middle - begin;
  moveEntries<i32>(firstHalf, 0, sequence, begin, halfCount);
  let halfIndex = 0;
  let sequenceIndex = middle;
  for (let target = begin; halfIndex < halfCount; target++) {
    const takesFromSequence =
      sequenceIndex < end && precedesByKey(at<i32>(sequence, sequenceIndex), at<i32>(firstHalf, halfIndex));
    put<i32>(
      sequence,
      target,
      takesFromSequence ? at<i32>(sequence, sequenceIndex++) : at<i32>(firstHalf, halfIndex++),
    );
  }
}
