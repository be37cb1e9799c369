import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { predictedTimeAt } from '../grid/execution';
import { at, put } from '../memory/memory';
import { startAlone } from '../placement/start';
import { sweepAndCorrect } from '../planning/predictions';
import * as priorityQueue from '../queue/priorityQueue';
import * as sequence from '../queue/sequence';
import * as waiting from '../queue/waiting';
import * as record from '../record/allocations';
import { RECORDED } from '../record/log';
import * as reservations from '../record/reservations';
import { keepsReservation } from './beside';

/**
 * EASY backfilling where the one reservation of a queue is on one site, so that it comes to two numbers: the
 * time when the head of the queue can start there, and the extra processors that will be left beside it. `E`
 * says which sites jobs may have: their home (shadow.ts), or one that an allocator chooses (safeShadow.ts).
 * The reservation is one text for both (beside.ts); how they go through the queue is not, since at home who
 * fits is found by the widths of 64 jobs at a time, where an allocator is asked about each.
 *
 * The reservation is that of the first job of a pass that fits nowhere: the head, but where jobs before it
 * have been told to wait.
 */

/** What `siteNow` says of a job that fits nowhere. */
const NO_SITE: i32 = -1;

/**
 * A job has come to a queue. Unless a job is overdue or predicted anew, and moves the reservation, or the new
 * job is the head, no other waiting job can start and the reservation stands: only the new job is looked at.
 * (Unless one has been told to wait, which may start whenever it is asked about, or the length of one was
 * lost in rounding.)
 */
export function passNewcomer<E>(simulation: Simulation, queue: i32, job: i32): void {
  const isOverdue = sweepAndCorrect(simulation, queue);
  if (isOverdue) simulation.reservedJob = 0;
  const head = priorityQueue.headOf(simulation, queue);
  changetype<E>(0).join(simulation, queue, job);
  if (isOverdue || head === job || simulation.lost !== 0) {
    planFrom<E>(simulation, queue, head);
    return;
  }
  simulation.reserved = head;
  if (RECORDED) noteReservation<E>(simulation, queue, at<f64>(columns.shadowTimes, queue));
  sequence.turn(simulation, queue);
  backfill<E>(simulation, queue, job, true);
}

/** Starts what can be started of a queue, from the job on at which that has stopped or, with -1, all. */
export function pass<E>(simulation: Simulation, queue: i32, from: i32): void {
  if (from < 0) {
    if (sweepAndCorrect(simulation, queue)) simulation.reservedJob = 0;
    if (simulation.reservedJob !== 0 && changetype<E>(0).isSettled(simulation, queue)) return;
    planFrom<E>(simulation, queue, waiting.headOf(simulation, queue));
  } else if (simulation.reserved < 0) {
    planFrom<E>(simulation, queue, from);
  } else {
    sequence.turn(simulation, queue);
    backfill<E>(simulation, queue, from, false);
  }
}

/** The same before there is a reservation. */
function planFrom<E>(simulation: Simulation, queue: i32, from: i32): void {
  const job = startHeads<E>(simulation, queue, from);
  if (job < 0) return;
  simulation.reserved = job;
  if (RECORDED || simulation.reservedJob !== job + 1) {
    const time = changetype<E>(0).reserve(simulation, queue, job);
    simulation.reservedJob = keepsReservation(simulation) ? job + 1 : 0;
    if (RECORDED) noteReservation<E>(simulation, queue, time);
  }
  sequence.sortBehind(simulation, queue);
  sequence.turn(simulation, queue);
  backfill<E>(simulation, queue, -1, false);
}

/** Starts the jobs from one on that fit; returns the first that does not, or -1. Jobs may be told to wait. */
function startHeads<E>(simulation: Simulation, queue: i32, from: i32): i32 {
  let job = from;
  while (job >= 0) {
    const site = changetype<E>(0).siteNow(simulation, queue, job);
    if (site === NO_SITE) return job;
    if (simulation.asked >= 0) return -1;
    simulation.reservedJob = 0;
    if (site >= 0) start(simulation, job, site);
    const mayHavePassed = simulation.declined !== 0;
    job = mayHavePassed ? waiting.behind(simulation, job) : waiting.headOf(simulation, queue);
  }
  return -1;
}

/**
 * Starts the jobs that do not delay the one with the reservation: all behind it with -1, those from a job on,
 * or that alone.
 */
function backfill<E>(simulation: Simulation, queue: i32, from: i32, isAlone: bool): void {
  changetype<E>(0).backfill(simulation, queue, from, isAlone);
  sequence.turnBack(simulation, queue);
  if (simulation.asked >= 0) return;
  simulation.reserved = -1;
  if (RECORDED) record.passedOver(simulation, queue);
}

/** Writes down the reservation. */
function noteReservation<E>(simulation: Simulation, queue: i32, time: f64): void {
  // A head that is predicted to take no time reserves nothing.
  if (time === Infinity) return;
  const job = simulation.reserved;
  const site = changetype<E>(0).siteOfReservation(queue);
  put<i32>(columns.chosenSites, 0, site);
  put<i32>(columns.chosenShares, 0, at<i32>(columns.processors, job));
  reservations.reserved(simulation, job, time, time + predictedTimeAt(simulation, job, site), 1);
}

/** A job starts on a site now and leaves the queue. */
@inline
export function start(simulation: Simulation, job: i32, site: i32): void {
  startAlone(simulation, job, site, predictedTimeAt(simulation, job, site));
  priorityQueue.leave(simulation, job);
}
