import { Discipline } from '../abi';
import { Simulation } from '../state';
import { chooseByScan } from '../allocators/registry';
import * as safeSites from '../allocators/safeSites';
import { mostFree } from '../allocators/scan';
import * as columns from '../columns';
import { predictedTimeAt } from '../grid/execution';
import { candidatesOf, freeAt, siteInSlot } from '../grid/sites';
import { at, put } from '../memory';
import { startPlanned } from '../placement/planned';
import * as predictedEnds from '../planning/predictedEnds';
import { sweepQueue } from '../planning/corrections';
import * as predictions from '../planning/predictions';
import * as narrowJobs from '../queue/narrowJobs';
import * as priorityQueue from '../queue/priorityQueue';
import * as sequence from '../queue/sequence';
import * as record from '../record/allocations';
import { RECORDED, beginDecision, note } from '../record/log';
import { Note } from '../record/notes';
import * as reservations from '../record/reservations';

/**
 * EASY backfilling on several sites with an allocator. Before there is a reservation every site with room is
 * safe, since running jobs only give back. The reservation, on one site, then comes to two numbers, as in
 * shadow.ts: when the head of the queue can start there, and the extra processors that will be left beside
 * it. That site is safe for a job that ends by that time or is no wider than what is left.
 */

/** Whether a run is one of these. */
@inline
export function suffices(simulation: Simulation): bool {
  return simulation.discipline === Discipline.Easy && safeSites.hasSafeChoice(simulation);
}

/**
 * A job has come to a queue. Unless a job is overdue, and moves what is predicted with it, or the new job is
 * the head, no other waiting job can start and the reservation stands: only the new job is looked at.
 */
export function passNewcomer(simulation: Simulation, queue: i32, job: i32): void {
  const isOverdue = sweepQueue(simulation, queue);
  if (isOverdue || priorityQueue.headOf(simulation, queue) === job) {
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
  reserve(simulation, queue, head);
  sequence.turn(simulation, queue, head);
  backfill(simulation, queue, at<i32>(columns.rankOf, head), at<i32>(columns.firstRanks, queue + 1));
}

/** Starts the jobs at the head of a queue that fit; returns the first that does not, or -1. */
function startHeads(simulation: Simulation, queue: i32): i32 {
  while (true) {
    const job = priorityQueue.headOf(simulation, queue);
    if (job < 0) return -1;
    if (RECORDED) beginDecision(simulation, job);
    const site = chooseByScan(simulation, job);
    if (site < 0) return job;
    start(simulation, job, site);
  }
  return -1;
}

/** Of the sites that the head may use, the one where it can start first; of equals where it ends first. */
function reserve(simulation: Simulation, queue: i32, head: i32): void {
  const processors = at<i32>(columns.processors, head);
  let best = -1;
  let bestStart: f64 = Infinity;
  let bestEnd: f64 = Infinity;
  let extra = 0;
  for (let index = candidatesOf(simulation, head) - 1; index >= 0; index--) {
    const site = siteInSlot(index);
    if (at<i32>(columns.capacities, site) < processors) continue;
    const missing = processors - freeAt(site);
    predictedEnds.findAtLeast(site, missing);
    const start = predictedEnds.foundTime;
    const end = start + predictedTimeAt(simulation, head, site);
    if (start > bestStart) continue;
    if (start === bestStart && (end > bestEnd || (end === bestEnd && site > best))) continue;
    best = site;
    bestStart = start;
    bestEnd = end;
    extra = predictedEnds.foundProcessors - missing;
  }
  // A head that is predicted to take no time reserves nothing.
  put<f64>(columns.shadowTimes, queue, bestEnd > bestStart ? bestStart : Infinity);
  put<i32>(columns.shadowSites, queue, best);
  put<i32>(columns.extraProcessors, queue, extra);
  if (RECORDED) noteReservation(simulation, queue, bestStart);
}

/** Writes down the reservation of the head. */
function noteReservation(simulation: Simulation, queue: i32, time: f64): void {
  const head = priorityQueue.headOf(simulation, queue);
  const site = at<i32>(columns.shadowSites, queue);
  put<i32>(columns.chosenSites, 0, site);
  put<i32>(columns.chosenShares, 0, at<i32>(columns.processors, head));
  reservations.reserved(simulation, head, time, time + predictedTimeAt(simulation, head, site), 1);
}

/** Starts the jobs with ranks in [rank, end) that the allocator finds a safe site for. */
function backfill(simulation: Simulation, queue: i32, rank: i32, end: i32): void {
  const shadow = at<f64>(columns.shadowTimes, queue);
  const shadowSite = at<i32>(columns.shadowSites, queue);
  while (true) {
    const widest = mostFree(simulation, columns.slots);
    const job = narrowJobs.fromRankNotWider(simulation, rank, end, widest);
    if (job < 0) break;
    rank = at<i32>(columns.rankOf, job) + 1;
    const processors = at<i32>(columns.processors, job);
    const extra = at<i32>(columns.extraProcessors, queue);
    const predicted = predictedTimeAt(simulation, job, shadowSite);
    const isOver = predictions.endSeenAt(simulation.now, simulation.now + predicted) <= shadow;
    const isSafe = isOver || processors <= extra;
    if (RECORDED) noteSafety(simulation, queue, job, isSafe);
    const site = choose(simulation, job, shadowSite, isSafe);
    if (site >= 0) {
      if (site === shadowSite && !isOver) put<i32>(columns.extraProcessors, queue, extra - processors);
      start(simulation, job, site);
    } else if (RECORDED) {
      noteDelay(simulation, queue, job);
    }
  }
  if (RECORDED) record.passedOver(simulation, queue);
}

/** The site that the allocator takes for a job, with that of the reservation if it is safe; or -1. */
function choose(simulation: Simulation, job: i32, shadowSite: i32, isSafe: bool): i32 {
  if (isSafe || freeAt(shadowSite) < at<i32>(columns.processors, job)) {
    return chooseByScan(simulation, job);
  }
  safeSites.beginMarks(simulation);
  safeSites.markUnsafe(shadowSite);
  return safeSites.chooseSafe(simulation, job);
}

/** When a job is predicted to end that starts now on the site of the reservation. */
function endBeside(simulation: Simulation, queue: i32, job: i32): f64 {
  const predicted = predictedTimeAt(simulation, job, at<i32>(columns.shadowSites, queue));
  return predictions.endSeenAt(simulation.now, simulation.now + predicted);
}

/** Writes down why a job may be started before the head where that is to start. */
function noteSafety(simulation: Simulation, queue: i32, job: i32, isSafe: bool): void {
  beginDecision(simulation, job);
  const site = at<i32>(columns.shadowSites, queue);
  if (!isSafe || freeAt(site) < at<i32>(columns.processors, job)) return;
  const head = <f64>priorityQueue.headOf(simulation, queue);
  const extra = <f64>at<i32>(columns.extraProcessors, queue);
  const begin = at<f64>(columns.shadowTimes, queue);
  note(Note.Beside, head, endBeside(simulation, queue, job), begin, extra, <f64>site);
}

/** Writes down why a job that fits where the head is to start is not started there. */
function noteDelay(simulation: Simulation, queue: i32, job: i32): void {
  if (freeAt(at<i32>(columns.shadowSites, queue)) < at<i32>(columns.processors, job)) return;
  const begin = at<f64>(columns.shadowTimes, queue);
  const extra = at<i32>(columns.extraProcessors, queue);
  reservations.delays(simulation, job, endBeside(simulation, queue, job), begin, extra);
}

/** A job starts on a site now and leaves the queue. */
function start(simulation: Simulation, job: i32, site: i32): void {
  put<i32>(columns.chosenSites, 0, site);
  put<i32>(columns.chosenShares, 0, at<i32>(columns.processors, job));
  startPlanned(simulation, job, 1, predictedTimeAt(simulation, job, site));
  priorityQueue.leave(simulation, job);
}
