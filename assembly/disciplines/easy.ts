import { Simulation } from '../state';
import * as columns from '../columns';
import { predictedTimeAt } from '../grid/execution';
import { at, put } from '../memory';
import { startPlanned } from '../placement/planned';
import { sweepQueue } from '../planning/corrections';
import * as priorityQueue from '../queue/priorityQueue';
import * as sequence from '../queue/sequence';
import { RECORDED } from '../record/log';
import * as reservations from '../record/reservations';

/**
 * EASY backfilling where the one reservation of a queue is on one site, so that it comes to two numbers: the
 * time when the head of the queue can start there, and the extra processors that will be left beside it. `E`
 * says which sites jobs may have: their home (shadow.ts), or one that an allocator chooses (safeShadow.ts).
 */

/**
 * A job has come to a queue. Unless a job is overdue or predicted anew, and moves the reservation, or the new
 * job is the head, no other waiting job can start and the reservation stands: only the new job is looked at.
 */
export function passNewcomer<E>(simulation: Simulation, queue: i32, job: i32): void {
  const isOverdue = sweepQueue(simulation, queue);
  if (isOverdue || priorityQueue.headOf(simulation, queue) === job) {
    planQueue<E>(simulation, queue);
    return;
  }
  const rank = at<i32>(columns.rankOf, job);
  if (RECORDED) noteReservation<E>(simulation, queue, at<f64>(columns.shadowTimes, queue));
  changetype<E>(0).backfill(simulation, queue, rank, rank + 1);
}

/** Starts what can be started of a queue. */
export function pass<E>(simulation: Simulation, queue: i32): void {
  sweepQueue(simulation, queue);
  planQueue<E>(simulation, queue);
}

function planQueue<E>(simulation: Simulation, queue: i32): void {
  const head = startHeads<E>(simulation, queue);
  if (head < 0) return;
  const time = changetype<E>(0).reserve(simulation, queue, head);
  if (RECORDED) noteReservation<E>(simulation, queue, time);
  sequence.turn(simulation, queue, head);
  const end = at<i32>(columns.firstRanks, queue + 1);
  changetype<E>(0).backfill(simulation, queue, at<i32>(columns.rankOf, head), end);
}

/** Starts the jobs at the head of a queue that fit; returns the first that does not, or -1. */
function startHeads<E>(simulation: Simulation, queue: i32): i32 {
  while (true) {
    const job = priorityQueue.headOf(simulation, queue);
    if (job < 0) return -1;
    const site = changetype<E>(0).siteForHead(simulation, queue, job);
    if (site < 0) return job;
    start(simulation, job, site);
  }
  return -1;
}

/** Writes down the reservation of the head. */
function noteReservation<E>(simulation: Simulation, queue: i32, time: f64): void {
  const head = priorityQueue.headOf(simulation, queue);
  const site = changetype<E>(0).siteOfReservation(queue);
  put<i32>(columns.chosenSites, 0, site);
  put<i32>(columns.chosenShares, 0, at<i32>(columns.processors, head));
  reservations.reserved(simulation, head, time, time + predictedTimeAt(simulation, head, site), 1);
}

/** A job starts on a site now and leaves the queue. */
@inline
export function start(simulation: Simulation, job: i32, site: i32): void {
  put<i32>(columns.chosenSites, 0, site);
  put<i32>(columns.chosenShares, 0, at<i32>(columns.processors, job));
  startPlanned(simulation, job, 1, predictedTimeAt(simulation, job, site));
  priorityQueue.leave(simulation, job);
}
