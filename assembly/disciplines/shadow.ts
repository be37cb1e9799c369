import { Discipline, Topology } from '../abi';
import { Simulation } from '../state';
import * as columns from '../columns';
import { predictedTimeAtHome } from '../grid/execution';
import { freeAt } from '../grid/sites';
import { at, put } from '../memory';
import { startPlanned } from '../placement/planned';
import { sweepQueue } from '../planning/corrections';
import * as predictedEnds from '../planning/predictedEnds';
import * as predictions from '../planning/predictions';
import * as narrowJobs from '../queue/narrowJobs';
import * as priorityQueue from '../queue/priorityQueue';
import * as sequence from '../queue/sequence';
import * as record from '../record/allocations';
import { RECORDED, beginDecision, note } from '../record/log';
import { Note } from '../record/notes';
import * as reservations from '../record/reservations';

/**
 * EASY backfilling where every job of a queue has one site to run on, its home. The reservation of the head
 * then comes to two numbers: the time when it can start, and the extra processors that will be left beside
 * it. Another job may start now if it ends by that time or is no wider than what is left. (With one kind of
 * reservation and processors that otherwise only become free, this is what a plan would say.)
 */

/** Whether a run is one of these. */
@inline
export function suffices(simulation: Simulation): bool {
  if (simulation.discipline !== Discipline.Easy) return false;
  return simulation.siteCount === 1 || simulation.topology === Topology.Independent;
}

/**
 * A job has come to a queue. Unless a job is overdue or predicted anew, and moves the reservation, or the new
 * job is the head, no other waiting job can start and the reservation stands: only the new job is looked at.
 */
export function passNewcomer(simulation: Simulation, queue: i32, job: i32): void {
  const isOverdue = sweepQueue(simulation, queue);
  const isHead = priorityQueue.headOf(simulation, queue) === job;
  if (isOverdue || isHead) {
    planQueue(simulation, queue);
    return;
  }
  const rank = at<i32>(columns.rankOf, job);
  if (RECORDED) noteReservation(simulation, queue, at<f64>(columns.shadowTimes, queue));
  backfill(simulation, queue, rank, rank + 1);
}

/** Starts what can be started of a queue. */
export function pass(simulation: Simulation, queue: i32): void {
  sweepQueue(simulation, queue);
  planQueue(simulation, queue);
}

function planQueue(simulation: Simulation, queue: i32): void {
  const head = startHeads(simulation, queue);
  if (head < 0) return;
  castShadow(simulation, queue, head);
  sequence.turn(simulation, queue, head);
  backfill(simulation, queue, at<i32>(columns.rankOf, head), at<i32>(columns.firstRanks, queue + 1));
}

/** Starts the jobs at the head of a queue that fit; returns the first that does not, or -1. */
function startHeads(simulation: Simulation, queue: i32): i32 {
  while (true) {
    const job = priorityQueue.headOf(simulation, queue);
    if (job < 0) return -1;
    if (at<i32>(columns.processors, job) > freeAt(queue)) return job;
    if (RECORDED) beginDecision(simulation, job);
    start(simulation, queue, job, predictedTimeAtHome(simulation, job));
  }
  return -1;
}

/** Finds when the head can start and what is left beside it then. */
function castShadow(simulation: Simulation, queue: i32, head: i32): void {
  const missing = at<i32>(columns.processors, head) - freeAt(queue);
  predictedEnds.findAtLeast(queue, missing);
  const time = predictedEnds.foundTime;
  // A head that is predicted to take no time reserves nothing.
  const reserves = time + predictedTimeAtHome(simulation, head) > time;
  put<f64>(columns.shadowTimes, queue, reserves ? time : Infinity);
  put<i32>(columns.extraProcessors, queue, predictedEnds.foundProcessors - missing);
  if (RECORDED) noteReservation(simulation, queue, time);
}

/** Writes down the reservation of the head. */
function noteReservation(simulation: Simulation, queue: i32, time: f64): void {
  const head = priorityQueue.headOf(simulation, queue);
  put<i32>(columns.chosenSites, 0, queue);
  put<i32>(columns.chosenShares, 0, at<i32>(columns.processors, head));
  reservations.reserved(simulation, head, time, time + predictedTimeAtHome(simulation, head), 1);
}

/** The reservation of the head that jobs must not delay: when it begins, and what is left beside it. */
let shadow: f64 = 0;
let extra: i32 = 0;

/** When a job is predicted to end that starts now. */
@inline
function endOf(simulation: Simulation, job: i32): f64 {
  return predictions.endSeenAt(simulation.now, simulation.now + predictedTimeAtHome(simulation, job));
}

/** Whether a job that fits does not delay the head. */
@final
@unmanaged
class DelaysNobody {
  @inline
  holds(simulation: Simulation, job: i32): bool {
    if (endOf(simulation, job) <= shadow || at<i32>(columns.processors, job) <= extra) return true;
    if (RECORDED) reservations.delays(simulation, job, endOf(simulation, job), shadow, extra);
    return false;
  }
}

/** Starts the jobs with ranks in [rank, end) that do not delay the head. */
function backfill(simulation: Simulation, queue: i32, rank: i32, end: i32): void {
  const delaysNobody = changetype<DelaysNobody>(0);
  shadow = at<f64>(columns.shadowTimes, queue);
  extra = at<i32>(columns.extraProcessors, queue);
  while (true) {
    const job = narrowJobs.firstNotWider(delaysNobody, simulation, rank, end, freeAt(queue));
    if (job < 0) break;
    if (RECORDED) noteBeside(simulation, queue, job);
    if (endOf(simulation, job) > shadow) extra -= at<i32>(columns.processors, job);
    start(simulation, queue, job, predictedTimeAtHome(simulation, job));
    rank = at<i32>(columns.rankOf, job) + 1;
  }
  put<i32>(columns.extraProcessors, queue, extra);
  if (RECORDED) record.passedOver(simulation, queue);
}

/** Writes down why a job that fits is started before the head. */
function noteBeside(simulation: Simulation, queue: i32, job: i32): void {
  beginDecision(simulation, job);
  const head = <f64>priorityQueue.headOf(simulation, queue);
  note(Note.Beside, head, endOf(simulation, job), shadow, <f64>extra, <f64>queue);
}

@inline
function start(simulation: Simulation, queue: i32, job: i32, predictedRuntime: f64): void {
  put<i32>(columns.chosenSites, 0, queue);
  put<i32>(columns.chosenShares, 0, at<i32>(columns.processors, job));
  startPlanned(simulation, job, 1, predictedRuntime);
  priorityQueue.leave(simulation, job);
}
