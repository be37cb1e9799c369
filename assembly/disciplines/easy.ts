import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { predictedTimeAt, leastRuntimeOnSite } from '../grid/execution';
import { at, put } from '../memory/memory';
import { startAlone } from '../placement/start';
import { sweepAndCorrect, endSeenAt, isLost } from '../planning/predictions';
import { isMainPass } from './passTimes';
import * as priorityQueue from '../queue/priorityQueue';
import * as sequence from '../queue/sequence';
import * as waiting from '../queue/waiting';
import * as record from '../record/allocations';
import { RECORDED, note, Note } from '../record/log';
import { freeAt } from '../grid/sites';
import { NONE } from '../queue/ranking';
import { reorders } from '../memory/runKind';

/**
 * EASY backfilling with one reservation per queue on a single site. Such a reservation is two numbers: the
 * time when the head of the queue can start (shadow time), and the extra processors left beside it then. `E`
 * selects the sites: each job's home (shadow.ts), or a site that an allocator chooses (safeShadow.ts). Both
 * share the reservation (below), but search the queue differently: at home, by the widths of 64 jobs at a
 * time; with an allocator, job by job.
 *
 * The reservation is that of the first job of a pass that fits nowhere: the head, unless the host lets jobs
 * before it wait.
 */

/** Result of `siteNow` for a job that fits nowhere. */
const NO_SITE: i32 = -1;

/**
 * Pass after a submission. Only the new job can start, and the reservation stays, unless a job is overdue or
 * predicted again (which moves the reservation) or the new job is the head. (Other exceptions: the host lets
 * a job wait, which may start at any later decision; or a job's length has been absorbed by rounding.)
 */
export function passNewcomer<E>(simulation: Simulation, queue: i32, job: i32): void {
  const isOverdue = sweepAndCorrect(simulation, queue);
  if (isOverdue) simulation.reservedJob = 0;
  const head = priorityQueue.headOf(simulation, queue);
  changetype<E>(0).join(simulation, queue, job);
  if (isOverdue || head === job || simulation.lengthAbsorbed !== 0) {
    planFrom<E>(simulation, queue, head);
    return;
  }
  simulation.reserved = head;
  if (RECORDED) noteReservation<E>(simulation, queue, at<f64>(columns.shadowTimes, queue));
  sequence.turn(simulation, queue);
  backfill<E>(simulation, queue, job, true);
}

/** Starts all jobs of a queue that can start, from the job at which the pass stopped; -1 for all. */
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

/** Starts jobs of a queue before it has a reservation, then reserves. */
function planFrom<E>(simulation: Simulation, queue: i32, from: i32): void {
  const job = startHeads<E>(simulation, queue, from);
  if (job < 0) return;
  if (isMainPass(simulation)) {
    if (RECORDED) record.blocked(simulation, job);
    return;
  }
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

/**
 * Starts jobs from one on while they fit; returns the first that does not fit, or -1. The host may let jobs
 * wait.
 */
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
 * Starts the jobs that do not delay the reserved one: all behind it for -1, those from a job on, or that job
 * alone.
 */
function backfill<E>(simulation: Simulation, queue: i32, from: i32, isAlone: bool): void {
  changetype<E>(0).backfill(simulation, queue, from, isAlone);
  sequence.turnBack(simulation, queue);
  if (simulation.asked >= 0) return;
  simulation.reserved = -1;
  if (RECORDED) record.notePassedOverJobs(simulation, queue);
}

/** Records the reservation. */
function noteReservation<E>(simulation: Simulation, queue: i32, time: f64): void {
  // A head with predicted runtime 0 reserves nothing.
  if (time === Infinity) return;
  const job = simulation.reserved;
  const site = changetype<E>(0).siteOfReservation(queue);
  put<i32>(columns.chosenSites, 0, site);
  put<i32>(columns.chosenShares, 0, at<i32>(columns.processors, job));
  record.reserved(simulation, job, time, time + predictedTimeAt(simulation, job, site), 1);
}

/** Starts a job on a site, and removes it from the queue. */
@inline
export function start(simulation: Simulation, job: i32, site: i32): void {
  startAlone(simulation, job, site, predictedTimeAt(simulation, job, site));
  priorityQueue.leave(simulation, job);
}

/**
 * The reservation of a queue under EASY, on a single site: shadow time, and extra processors. A job that
 * starts there now delays nothing if it ends by the shadow time or needs at most the extra processors.
 */

/** Reserves for the first job on a site at a time, with the extra processors left beside it. */
export function reserveOn(
  simulation: Simulation,
  queue: i32,
  head: i32,
  site: i32,
  time: f64,
  extra: i32,
): void {
  const predicted = predictedTimeAt(simulation, head, site);
  // A head with predicted runtime 0 reserves nothing.
  put<f64>(columns.shadowTimes, queue, time + predicted > time ? time : Infinity);
  put<i32>(columns.shadowSites, queue, site);
  put<i32>(columns.extraProcessors, queue, extra);
  noteIfLost(simulation, time, predicted);
}

/** Reduces the extra processors by those of a job. */
@inline
export function takeExtra(queue: i32, job: i32): void {
  const extra = at<i32>(columns.extraProcessors, queue);
  put<i32>(columns.extraProcessors, queue, extra - at<i32>(columns.processors, job));
}

/** Predicted end of a job that starts on a site now, in seconds. */
@inline
export function endOn(simulation: Simulation, job: i32, site: i32): f64 {
  return endSeenAt(simulation.now, simulation.now + predictedTimeAt(simulation, job, site));
}

/** True if a job that starts on the reserved site now ends, as predicted, by the shadow time. */
@inline
export function endsInTime(simulation: Simulation, queue: i32, job: i32): bool {
  const site = at<i32>(columns.shadowSites, queue);
  return endOn(simulation, job, site) <= at<f64>(columns.shadowTimes, queue);
}

/** Queue and site of the reservation, and the largest number of free processors on another site. */
let queue: i32 = 0;
let site: i32 = 0;
let freeElsewhere: i32 = 0;
/** Smallest width of a job whose length is absorbed by rounding now, so that it may cause no delay later. */
export let absorbedWidth: i32 = NONE;

/** Prepares a search for jobs that may start beside the reservation of a queue. */
export function lookBeside(ofQueue: i32, elsewhere: i32): void {
  queue = ofQueue;
  site = at<i32>(columns.shadowSites, ofQueue);
  freeElsewhere = elsewhere;
  absorbedWidth = NONE;
}

/**
 * Condition of the search: a job fits on the reserved site without a delay of the head, or on another site.
 * Does not test that the job may use the site.
 */
@final
@unmanaged
export class Beside {
  @inline
  mayHold(simulation: Simulation, narrowest: i32, leastWork: f64): bool {
    if (narrowest <= freeElsewhere) return true;
    if (narrowest > freeAt(site)) return false;
    if (narrowest <= at<i32>(columns.extraProcessors, queue)) return true;
    // Compares rounded times, because a length absorbed by rounding now may matter later; such jobs must be
    // found.
    const begin = max<f64>(at<f64>(columns.shadowTimes, queue), simulation.now);
    return simulation.now + leastRuntimeOnSite(simulation, leastWork, site) <= begin;
  }

  @inline
  holds(simulation: Simulation, job: i32): bool {
    const processors = at<i32>(columns.processors, job);
    if (processors <= freeElsewhere) return true;
    if (processors > freeAt(site)) return false;
    if (processors <= at<i32>(columns.extraProcessors, queue)) return true;
    if (endsInTime(simulation, queue, job)) return true;
    const predicted = predictedTimeAt(simulation, job, site);
    if (noteIfLost(simulation, simulation.now, predicted)) absorbedWidth = min(absorbedWidth, processors);
    return false;
  }
}

/** Records that a job may start on the head's site without a delay of the head. */
export function noteBeside(simulation: Simulation, queue: i32, job: i32): void {
  const site = at<i32>(columns.shadowSites, queue);
  const head = <f64>simulation.reserved;
  const extra = <f64>at<i32>(columns.extraProcessors, queue);
  const begin = at<f64>(columns.shadowTimes, queue);
  note(Note.Beside, head, endOn(simulation, job, site), begin, extra, <f64>site);
}

/** Records that a job fits but does not start, because it would delay the head. */
export function noteDelay(simulation: Simulation, queue: i32, job: i32): void {
  const begin = at<f64>(columns.shadowTimes, queue);
  const extra = at<i32>(columns.extraProcessors, queue);
  const end = endOn(simulation, job, at<i32>(columns.shadowSites, queue));
  record.delays(simulation, job, end, begin, extra);
}

/**
 * Knowledge of EASY on one site about waiting jobs, kept between passes. A job that would delay the head now
 * would also do so later, because it would end even later, as long as the reservation does not move to a
 * later time and the extra processors do not increase. So such a job need not be tried again; only jobs that
 * were too wide for the free processors remain. The smallest width of these is stored, over all and per block
 * of 64 ranks if the block has been examined since the reservation last grew; epochs count these growths.
 */

/** True if this knowledge is kept: one site, constant order. */
@inline
export function areKept(simulation: Simulation): bool {
  if (RECORDED || reorders(simulation)) return false;
  return keepsReservation(simulation);
}

/**
 * True if a reservation may be kept until a job ends otherwise than predicted, is overdue, or a head starts:
 * one site, no jobs that the host lets wait, no absorbed lengths, constant rules.
 */
@inline
export function keepsReservation(simulation: Simulation): bool {
  if (simulation.declined !== 0 || simulation.lengthAbsorbed !== 0) return false;
  return simulation.siteCount === 1 && simulation.chooses === 0;
}

/** Discards the knowledge: any job may start. */
@inline
export function forget(simulation: Simulation): void {
  simulation.untriedWidth = 0;
  simulation.delayEpoch++;
}

/** Lower bound of the widths of a block's jobs that may start without a delay of the head. */
@inline
export function untriedInBlock(simulation: Simulation, block: i32): i32 {
  const isKept = at<i32>(columns.untriedEpochs, block) === simulation.delayEpoch;
  return max(at<i32>(columns.narrowest0, block), isKept ? at<i32>(columns.untriedWidths, block) : 0);
}

/** Records that all jobs of a block with fewer than `processors` processors have been tried. */
@inline
export function keepOfBlock(simulation: Simulation, block: i32, processors: i32): void {
  put<i32>(columns.untriedWidths, block, processors);
  put<i32>(columns.untriedEpochs, block, simulation.delayEpoch);
}

/**
 * Records a length that is absorbed by rounding at a time; returns true if it is. A skipped job may then
 * start later without any end, and a job without a reservation may reserve what others have taken since. So
 * from then on no knowledge is kept between passes.
 */
@inline
export function noteIfLost(simulation: Simulation, time: f64, predictedRuntime: f64): bool {
  if (!isLost(time, predictedRuntime)) return false;
  simulation.lengthAbsorbed = 1;
  return true;
}
