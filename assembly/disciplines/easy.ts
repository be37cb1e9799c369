import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { predictedTimeAt, leastTimeAt } from '../grid/execution';
import { at, put } from '../memory/memory';
import { startAlone } from '../placement/start';
import { sweepAndCorrect, endSeenAt, isLost } from '../planning/predictions';
import * as priorityQueue from '../queue/priorityQueue';
import * as sequence from '../queue/sequence';
import * as waiting from '../queue/waiting';
import * as record from '../record/allocations';
import { RECORDED, note, Note } from '../record/log';
import { freeAt } from '../grid/sites';
import { NOBODY } from '../queue/ranking';
import { isDeferring, reorders } from '../memory/runKind';

/**
 * EASY backfilling where the one reservation of a queue is on one site, so that it is just two numbers: the
 * time when the head of the queue can start there, and the extra processors that will be left beside it. `E`
 * says which sites jobs may have: their home (shadow.ts), or one that an allocator chooses (safeShadow.ts).
 * The reservation is one text for both (below); how they go through the queue is not, since at home who
 * fits is found by the widths of 64 jobs at a time, where an allocator is asked about each.
 *
 * The reservation is that of the first job of a pass that fits nowhere: the head, but where jobs before it
 * have been told to wait.
 */

/** What `siteNow` says of a job that fits nowhere. */
const NO_SITE: i32 = -1;

/**
 * A job has joined a queue. Unless a job is overdue or predicted again, and moves the reservation, or the new
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
  record.reserved(simulation, job, time, time + predictedTimeAt(simulation, job, site), 1);
}

/** A job starts on a site now and leaves the queue. */
@inline
export function start(simulation: Simulation, job: i32, site: i32): void {
  startAlone(simulation, job, site, predictedTimeAt(simulation, job, site));
  priorityQueue.leave(simulation, job);
}

/**
 * The one reservation of a queue under EASY, on one site: when it begins, and how many processors are left
 * beside it then. A job that starts there now delays none if it ends by then or needs no more than is left.
 */

/** The first job can start on a site at a time, with this many processors left beside it. */
export function reserveOn(
  simulation: Simulation,
  queue: i32,
  head: i32,
  site: i32,
  time: f64,
  extra: i32,
): void {
  const predicted = predictedTimeAt(simulation, head, site);
  // A head that is predicted to take no time reserves nothing.
  put<f64>(columns.shadowTimes, queue, time + predicted > time ? time : Infinity);
  put<i32>(columns.shadowSites, queue, site);
  put<i32>(columns.extraProcessors, queue, extra);
  noteIfLost(simulation, time, predicted);
}

/** A job takes of the extra processors. */
@inline
export function takeExtra(queue: i32, job: i32): void {
  const extra = at<i32>(columns.extraProcessors, queue);
  put<i32>(columns.extraProcessors, queue, extra - at<i32>(columns.processors, job));
}

/** When a job is predicted to end that starts on a site now. */
@inline
export function endOn(simulation: Simulation, job: i32, site: i32): f64 {
  return endSeenAt(simulation.now, simulation.now + predictedTimeAt(simulation, job, site));
}

/** Whether a job that starts on the site of the reservation now ends, as predicted, before that begins. */
@inline
export function endsInTime(simulation: Simulation, queue: i32, job: i32): bool {
  const site = at<i32>(columns.shadowSites, queue);
  return endOn(simulation, job, site) <= at<f64>(columns.shadowTimes, queue);
}

/** The queue and the site of a reservation, and how many processors are free on one of the other sites. */
let queue: i32 = 0;
let site: i32 = 0;
let freeElsewhere: i32 = 0;
/** The fewest processors of a job that may not delay the first some time, since its length is lost now. */
export let lostWidth: i32 = NOBODY;

/** Jobs are sought that may start beside the reservation of a queue. */
export function lookBeside(ofQueue: i32, elsewhere: i32): void {
  queue = ofQueue;
  site = at<i32>(columns.shadowSites, ofQueue);
  freeElsewhere = elsewhere;
  lostWidth = NOBODY;
}

/**
 * A job fits on the site of the reservation without delaying the head, or on another; not that it may use
 * that.
 */
@final
@unmanaged
export class Beside {
  @inline
  mayHold(simulation: Simulation, narrowest: i32, leastWork: f64): bool {
    if (narrowest <= freeElsewhere) return true;
    if (narrowest > freeAt(site)) return false;
    if (narrowest <= at<i32>(columns.extraProcessors, queue)) return true;
    // A length that is lost now may do later, so that who has one is to be seen.
    const begin = max<f64>(at<f64>(columns.shadowTimes, queue), simulation.now);
    return simulation.now + leastTimeAt(simulation, leastWork, site) <= begin;
  }

  @inline
  holds(simulation: Simulation, job: i32): bool {
    const processors = at<i32>(columns.processors, job);
    if (processors <= freeElsewhere) return true;
    if (processors > freeAt(site)) return false;
    if (processors <= at<i32>(columns.extraProcessors, queue)) return true;
    if (endsInTime(simulation, queue, job)) return true;
    const predicted = predictedTimeAt(simulation, job, site);
    if (noteIfLost(simulation, simulation.now, predicted)) lostWidth = min(lostWidth, processors);
    return false;
  }
}

/** Writes down that a job may start before the head where that is to start. */
export function noteBeside(simulation: Simulation, queue: i32, job: i32): void {
  const site = at<i32>(columns.shadowSites, queue);
  const head = <f64>simulation.reserved;
  const extra = <f64>at<i32>(columns.extraProcessors, queue);
  const begin = at<f64>(columns.shadowTimes, queue);
  note(Note.Beside, head, endOn(simulation, job, site), begin, extra, <f64>site);
}

/** Writes down that a job that fits there is not started, since it would delay the head. */
export function noteDelay(simulation: Simulation, queue: i32, job: i32): void {
  const begin = at<f64>(columns.shadowTimes, queue);
  const extra = at<i32>(columns.extraProcessors, queue);
  const end = endOn(simulation, job, at<i32>(columns.shadowSites, queue));
  record.delays(simulation, job, end, begin, extra);
}

/**
 * What EASY on one machine knows of waiting jobs from pass to pass. A job that would delay the head would
 * delay it later, too: it would end still later, as long as the reservation does not move to a later time and
 * no more is left beside it. So it need not be tried again until then; who is left are those that were too
 * wide for what was free. Of these is kept the fewest processors of all, and in every block of 64 ranks, if
 * that has been looked at since the reservation last grew, which is counted in epochs.
 */

/** Whether anything is kept: on one machine, with a pass for every event, in an order that stays. */
@inline
export function areKept(simulation: Simulation): bool {
  if (RECORDED || reorders(simulation)) return false;
  return keepsReservation(simulation) && !isDeferring(simulation);
}

/**
 * Whether a reservation that has been found may be kept, until a job ends otherwise than predicted or is
 * overdue or a head starts: on one machine, where no job is told to wait, no length is lost, and rules stay.
 */
@inline
export function keepsReservation(simulation: Simulation): bool {
  if (simulation.declined !== 0 || simulation.lost !== 0) return false;
  return simulation.siteCount === 1 && simulation.chooses === 0;
}

/** Any job may start as far as is known. */
@inline
export function forget(simulation: Simulation): void {
  simulation.untriedWidth = 0;
  simulation.delayEpoch++;
}

/** No job of a block is known to need fewer processors than this and not to delay the head. */
@inline
export function untriedInBlock(simulation: Simulation, block: i32): i32 {
  const isKept = at<i32>(columns.untriedSince, block) === simulation.delayEpoch;
  return max(at<i32>(columns.narrowest0, block), isKept ? at<i32>(columns.untriedIn, block) : 0);
}

/** All jobs of a block have been tried but those with at least this many processors. */
@inline
export function keepOfBlock(simulation: Simulation, block: i32, processors: i32): void {
  put<i32>(columns.untriedIn, block, processors);
  put<i32>(columns.untriedSince, block, simulation.delayEpoch);
}

/**
 * Notes a length that is lost in rounding at a time; returns whether it is. A job that is passed over may
 * then start later without anything freed, and one that has reserved nothing may reserve what others have
 * taken since. So from then on nothing is taken from pass to pass.
 */
@inline
export function noteIfLost(simulation: Simulation, time: f64, predictedRuntime: f64): bool {
  if (!isLost(time, predictedRuntime)) return false;
  simulation.lost = 1;
  return true;
}
