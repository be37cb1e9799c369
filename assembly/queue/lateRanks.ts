import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at, move, put } from '../memory/memory';
import * as priorityQueue from './priorityQueue';
import { isEarlier, keyOf } from './ranking';

/**
 * Ranks of jobs whose keys are known only when they are submitted. Each queue has as many ranks as it has
 * jobs; those in use are the first of them, `placedJobs`. Their jobs stand in order, also those that wait no
 * more, whose ranks others may take; where a job has to stand between two that wait, those behind it move up.
 */

/** Gives a job that joins its queue, or comes back to it, its rank among those that wait there. */
export function place(simulation: Simulation, job: i32): void {
  const queue = priorityQueue.queueOf(simulation, job);
  const first = at<i32>(columns.firstRanks, queue);
  const end = first + at<i32>(columns.placedJobs, queue);
  // -0 is 0.
  put<f64>(columns.lateKeys, job, keyOf(simulation.order, columns.keys, job, 0) + 0);
  const rank = makeRoom(queue, first, placeOf(first, end, job), end);
  put<i32>(columns.jobAt, rank, job);
  put<i32>(columns.rankOf, job, rank);
}

/** The first rank in [first, end) whose job does not stand before a job; `end` where there is none. */
function placeOf(first: i32, end: i32, job: i32): i32 {
  while (first < end) {
    const middle = (first + end) >>> 1;
    if (standsBefore(at<i32>(columns.jobAt, middle), job)) first = middle + 1;
    else end = middle;
  }
  return first;
}

@inline
function standsBefore(job: i32, other: i32): bool {
  const difference = at<f64>(columns.lateKeys, job) - at<f64>(columns.lateKeys, other);
  return difference < 0 || (difference === 0 && isEarlier(job, other));
}

/**
 * A rank that nobody has who waits, behind the ranks below `rank` and before that and those above; [first,
 * end) are in use. There always is one, since the job itself does not wait.
 */
function makeRoom(queue: i32, first: i32, rank: i32, end: i32): i32 {
  if (rank > first && !priorityQueue.isTaken(rank - 1)) return rank - 1;
  let free = rank;
  while (free < end && priorityQueue.isTaken(free)) free++;
  if (free === end && end < at<i32>(columns.firstRanks, queue + 1)) {
    put<i32>(columns.placedJobs, queue, end + 1 - first);
    moveUp(queue, rank, free);
    return rank;
  }
  if (free < end) {
    moveUp(queue, rank, free);
    return rank;
  }
  free = rank - 1;
  while (priorityQueue.isTaken(free)) free--;
  moveDown(queue, free, rank - 1);
  return rank - 1;
}

/** The waiting jobs of the ranks [from, to) move up by one. */
function moveUp(queue: i32, from: i32, to: i32): void {
  if (from === to) return;
  move<i32>(columns.jobAt, from + 1, columns.jobAt, from, to - from);
  for (let rank = from + 1; rank <= to; rank++) put<i32>(columns.rankOf, at<i32>(columns.jobAt, rank), rank);
  priorityQueue.moveRanks(queue, from, to, 1);
}

/** The waiting jobs of the ranks (from, to] move down by one. */
function moveDown(queue: i32, from: i32, to: i32): void {
  move<i32>(columns.jobAt, from, columns.jobAt, from + 1, to - from);
  for (let rank = from; rank < to; rank++) put<i32>(columns.rankOf, at<i32>(columns.jobAt, rank), rank);
  priorityQueue.moveRanks(queue, to, from, -1);
}
