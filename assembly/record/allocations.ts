import { Option, Topology, Discipline } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { Slot, candidatesOf, firstCandidateOf, freeAt, freeIn } from '../grid/sites';
import { at } from '../memory/memory';
import * as priorityQueue from '../queue/priorityQueue';
import {
  SPARE,
  append,
  beginWait,
  endWait,
  isWaiting,
  numberOf,
  setNumber,
  watched,
  Note,
  appendChosen,
  isLookedAt,
  sharesAreChosen,
} from './log';

/** Recorded events while the watched job waits: starts, ends, preemptions, and jobs that block others. */

/**
 * Index of the last log entry of a job that did not fit, -1 if none; and the job for which others
 * are preempted.
 */
let lastBlocked: i32 = -1;
let claimant: i32 = -1;

/** Records the submission of a job, which joins its queue. */
export function submitted(simulation: Simulation, job: i32): void {
  if (job === watched) queued(simulation);
}

function queued(simulation: Simulation): void {
  beginWait();
  lastBlocked = -1;
  if (simulation.hasPriorityQueue === 0) {
    const sums = columns.processorSums;
    const processors = at<f64>(sums, watched) - at<f64>(sums, simulation.head);
    const head = simulation.head < watched ? simulation.head : -1;
    appendQueued(simulation, watched - simulation.head, processors, head);
  } else {
    queuedByRank(simulation);
  }
  appendFree(simulation);
  lastReserved = -1;
  lastPlanned = -1;
  lastDelay = -1;
}

function queuedByRank(simulation: Simulation): void {
  const own = at<i32>(columns.rankOf, watched);
  let rank = priorityQueue.nextRank(simulation, at<i32>(columns.firstRanks, queueOf(simulation, watched)));
  const head = rank < own ? at<i32>(columns.jobAt, rank) : -1;
  let jobs = 0;
  let processors: f64 = 0;
  for (; rank < own; rank = priorityQueue.nextRank(simulation, rank + 1)) {
    jobs++;
    processors += <f64>at<i32>(columns.processors, at<i32>(columns.jobAt, rank));
  }
  appendQueued(simulation, jobs, processors, head);
}

function appendQueued(simulation: Simulation, jobs: i32, processors: f64, head: i32): void {
  const lack = head >= 0 ? lackOf(simulation, head) : 0;
  append(0, Note.Queued, simulation.now, <f64>jobs, processors, <f64>head, <f64>lack);
}

function appendFree(simulation: Simulation): void {
  for (let site = 0; site < simulation.siteCount; site++) {
    append(0, Note.Free, simulation.now, <f64>site, <f64>freeAt(site));
  }
}

/**
 * Number of log entries to keep free: entries about other jobs leave room for those about the watched one.
 */
@inline
function spareFor(job: i32): i32 {
  return job === watched ? 0 : SPARE;
}

/** Records that a starting job takes processors of a site. */
export function allocated(simulation: Simulation, job: i32, site: i32, processors: i32): void {
  if (!isWaiting) return;
  append(spareFor(job), Note.Allocated, simulation.now, <f64>job, <f64>site, <f64>processors);
}

/** Records that a job gave back its processors; `end` is its predicted end in seconds, -1 if none. */
export function released(simulation: Simulation, job: i32, site: i32, processors: i32, end: f64): void {
  if (!isWaiting) return;
  append(SPARE, Note.Released, simulation.now, <f64>job, <f64>site, <f64>processors, end);
}

/** Records the job for which the following preemptions free processors. */
export function claims(job: i32): void {
  claimant = job;
}

/** Records the preemption of a job on a site; the job waits again. */
export function stopped(simulation: Simulation, job: i32, site: i32): void {
  if (job !== watched && !isWaiting) return;
  const start = at<f64>(columns.starts, job);
  append(spareFor(job), Note.Stopped, simulation.now, <f64>job, <f64>site, start, <f64>claimant);
  if (job === watched) queued(simulation);
}

/** Records the cancellation of a waiting job. */
export function cancelled(simulation: Simulation, job: i32): void {
  if (!isWaiting) return;
  append(spareFor(job), Note.Cancelled, simulation.now, <f64>job);
  if (job !== watched) return;
  appendFree(simulation);
  endWait();
}

/** Records that a job fitted on no permitted site. */
export function blocked(simulation: Simulation, job: i32): void {
  if (!isWaiting || queueOf(simulation, job) !== queueOf(simulation, watched)) return;
  const lack = <f64>lackOf(simulation, job);
  if (lastBlocked >= 0 && numberOf(lastBlocked, 0) === <f64>job) {
    setNumber(lastBlocked, 2, simulation.now);
    setNumber(lastBlocked, 3, numberOf(lastBlocked, 3) + 1);
    setNumber(lastBlocked, 4, lack);
    return;
  }
  const now = simulation.now;
  lastBlocked = append(spareFor(job), Note.Blocked, now, <f64>job, lack, now, 1, lack);
}

/** Records the end of a pass over a queue that may have skipped the watched job as too wide. */
export function passedOver(simulation: Simulation, queue: i32): void {
  if (!isWaiting || queueOf(simulation, watched) !== queue) return;
  const rank = at<i32>(columns.rankOf, watched);
  const isInQueue = priorityQueue.nextRank(simulation, rank) === rank;
  if (isInQueue && lackOf(simulation, watched) > 0) blocked(simulation, watched);
}

@inline
function queueOf(simulation: Simulation, job: i32): i32 {
  return priorityQueue.queueOf(simulation, job);
}

/**
 * Number of processors that a job lacks: over all sites if it may be split, otherwise on the site with the
 * most free.
 */
function lackOf(simulation: Simulation, job: i32): i32 {
  const processors = at<i32>(columns.processors, job);
  const isSplit = simulation.multiSite !== 0 || columns.taken(Option.MultiSiteFactor) > 0;
  if (isSplit && simulation.topology !== Topology.Independent) {
    return processors - <i32>simulation.freeProcessors;
  }
  const slots = columns.slots + firstCandidateOf(simulation, job);
  let most = 0;
  for (let index = candidatesOf(simulation, job) - 1; index >= 0; index--) {
    most = max(most, freeIn(at<Slot>(slots, index)));
  }
  return processors - most;
}

/** Records the start of a job. */
export function launched(simulation: Simulation, job: i32, site: i32): void {
  if (!isWaiting || job !== watched) return;
  append(0, Note.Started, simulation.now, <f64>site);
  appendFree(simulation);
  endWait();
}

/** Recorded plans while the watched job waits. A plan that is unchanged from pass to pass has one entry. */

/** Indices of the last log entries of each kind; -1 if none. */
let lastReserved: i32 = -1;
let lastPlanned: i32 = -1;
let lastDelay: i32 = -1;

/**
 * Records a reservation by the planner: of the watched job, or under EASY of the reserved job of its queue.
 */
export function reserved(simulation: Simulation, job: i32, start: f64, end: f64, count: i32): void {
  const isOne = simulation.discipline === Discipline.Easy && simulation.reservationDepth === 1;
  if (job !== watched && !isOne) return;
  if (!isWaiting) return;
  if (priorityQueue.queueOf(simulation, job) !== priorityQueue.queueOf(simulation, watched)) return;
  const now = simulation.now;
  if (lastReserved >= 0 && isLast(job, start, end) && sharesAreChosen(lastReserved, count)) {
    repeat(lastReserved, now);
    return;
  }
  lastReserved = append(SPARE, Note.Reserved, now, <f64>job, start, end, now, 1);
  appendChosen(now, count);
}

@inline
function isLast(job: i32, start: f64, end: f64): bool {
  if (numberOf(lastReserved, 0) !== <f64>job) return false;
  return numberOf(lastReserved, 1) === start && numberOf(lastReserved, 2) === end;
}

/**
 * Records that the watched job's kept reservation changed, or lost or regained its place; `cause` is the job
 * that caused it, or -1. `by` is 0 if other reservations are unaffected.
 */
export function kept(job: i32, now: f64, start: f64, end: f64, isMoved: bool, by: Note, cause: i32): void {
  if (job !== watched || !isWaiting) return;
  const isSame = lastReserved >= 0 && isLast(job, start, end) && sharesAreChosen(lastReserved, 1);
  if (isSame && numberOf(lastReserved, 5) === <f64>isMoved) {
    repeat(lastReserved, now);
    return;
  }
  lastReserved = append(SPARE, Note.Reserved, now, <f64>job, start, end, now, 1);
  if (lastReserved >= 0) setNumber(lastReserved, 5, <f64>isMoved);
  appendChosen(now, 1);
  if (by !== 0) append(SPARE, by, now, <f64>cause);
}

/** Counts another pass in an existing log entry. */
function repeat(entry: i32, now: f64): void {
  setNumber(entry, 3, now);
  setNumber(entry, 4, numberOf(entry, 4) + 1);
}

/** Records a planned later start of a job without a reservation. */
export function planned(simulation: Simulation, job: i32, start: f64, end: f64): void {
  if (!isWaiting || job !== watched) return;
  const now = simulation.now;
  if (lastPlanned < 0) {
    lastPlanned = append(SPARE, Note.Planned, now, <f64>job, start, end, now, 1);
    return;
  }
  setNumber(lastPlanned, 1, start);
  setNumber(lastPlanned, 2, end);
  repeat(lastPlanned, now);
}

/**
 * Records that a job would delay the head of its queue: it ends after the head's reserved start, and is too
 * wide to run beside it.
 */
export function delays(simulation: Simulation, job: i32, end: f64, begin: f64, extra: i32): void {
  if (!isWaiting || job !== watched) return;
  const head = <f64>priorityQueue.headOf(simulation, priorityQueue.queueOf(simulation, job));
  if (lastDelay < 0 || numberOf(lastDelay, 0) !== head) {
    lastDelay = append(SPARE, Note.Delays, simulation.now, head);
    if (lastDelay < 0) return;
  }
  setNumber(lastDelay, 1, end);
  setNumber(lastDelay, 2, begin);
  setNumber(lastDelay, 3, <f64>extra);
  setNumber(lastDelay, 4, simulation.now);
  setNumber(lastDelay, 5, numberOf(lastDelay, 5) + 1);
}

/** Records that a moldable job waits instead of running on the free processors of a site. */
export function deferred(simulation: Simulation, site: i32, shrunk: f64, wait: f64, whole: f64): void {
  if (!isLookedAt) return;
  append(SPARE, Note.Deferred, simulation.now, <f64>site, <f64>freeAt(site), shrunk, wait, whole);
}
