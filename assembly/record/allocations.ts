import { Option, Topology, Discipline } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { Slot, candidatesOf, firstCandidateOf, freeAt, freeProcessorsInSlot } from '../grid/sites';
import { at } from '../memory/memory';
import * as priorityQueue from '../queue/priorityQueue';
import {
  SPARE_ENTRIES,
  append,
  beginWait,
  endWait,
  isWaiting,
  entryNumberOf,
  setEntryNumber,
  watchedJob,
  Note,
  appendChosen,
  isJobLookedAt,
  sharesAreChosen,
} from './log';

/** Recorded events while the watched job waits: starts, ends, preemptions, and jobs that block others. */

/**
 * Index of the last log entry of a job that did not fit, -1 if none; and the job for which others
 * are preempted.
 */
let lastBlocked: i32 = -1;
let claimingJob: i32 = -1;

/** Records the submission of a job, which joins its queue. */
export function submitted(simulation: Simulation, job: i32): void {
  if (job === watchedJob) queued(simulation);
}

function queued(simulation: Simulation): void {
  beginWait();
  lastBlocked = -1;
  if (simulation.hasPriorityQueue === 0) {
    const sums = columns.processorSums;
    const processors = at<f64>(sums, watchedJob) - at<f64>(sums, simulation.head);
    const head = simulation.head < watchedJob ? simulation.head : -1;
    appendQueued(simulation, watchedJob - simulation.head, processors, head);
  } else {
    queuedByRank(simulation);
  }
  appendFree(simulation);
  lastReserved = -1;
  lastPlanned = -1;
  lastDelay = -1;
}

function queuedByRank(simulation: Simulation): void {
  const own = at<i32>(columns.rankOf, watchedJob);
  let rank = priorityQueue.nextRank(simulation, at<i32>(columns.firstRanks, queueOf(simulation, watchedJob)));
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
  const missingProcessors = head >= 0 ? missingProcessorsOf(simulation, head) : 0;
  append(0, Note.Queued, simulation.now, <f64>jobs, processors, <f64>head, <f64>missingProcessors);
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
function noteSparedFor(job: i32): i32 {
  return job === watchedJob ? 0 : SPARE_ENTRIES;
}

/** Records that a starting job takes processors of a site. */
export function allocated(simulation: Simulation, job: i32, site: i32, processors: i32): void {
  if (!isWaiting) return;
  append(noteSparedFor(job), Note.Allocated, simulation.now, <f64>job, <f64>site, <f64>processors);
}

/** Records that a job gave back its processors; `end` is its predicted end in seconds, -1 if none. */
export function released(simulation: Simulation, job: i32, site: i32, processors: i32, end: f64): void {
  if (!isWaiting) return;
  append(SPARE_ENTRIES, Note.Released, simulation.now, <f64>job, <f64>site, <f64>processors, end);
}

/** Records that outages take free processors of a site (negative), or give them back. */
export function capacityChanged(simulation: Simulation, site: i32, processors: i32): void {
  if (!isWaiting) return;
  append(SPARE_ENTRIES, Note.Capacity, simulation.now, <f64>site, <f64>processors);
}

/** Records the job for which the following preemptions free processors; -1 for an outage. */
export function noteClaim(job: i32): void {
  claimingJob = job;
}

/** Records the preemption of a job on a site. */
export function noteStoppedJob(simulation: Simulation, job: i32, site: i32): void {
  if (job !== watchedJob && isWaiting) noteStop(simulation, job, site);
}

/** Records that a preempted job waits again. */
export function noteRejoinedJob(simulation: Simulation, job: i32, site: i32): void {
  if (job !== watchedJob) return;
  noteStop(simulation, job, site);
  queued(simulation);
}

function noteStop(simulation: Simulation, job: i32, site: i32): void {
  const start = at<f64>(columns.starts, job);
  append(noteSparedFor(job), Note.Stopped, simulation.now, <f64>job, <f64>site, start, <f64>claimingJob);
}

/** Records the cancellation of a waiting job. */
export function cancelled(simulation: Simulation, job: i32): void {
  if (!isWaiting) return;
  append(noteSparedFor(job), Note.Cancelled, simulation.now, <f64>job);
  if (job !== watchedJob) return;
  appendFree(simulation);
  endWait();
}

/** Records that a job fitted on no permitted site. */
export function blocked(simulation: Simulation, job: i32): void {
  if (!isWaiting || queueOf(simulation, job) !== queueOf(simulation, watchedJob)) return;
  const missingProcessors = <f64>missingProcessorsOf(simulation, job);
  if (lastBlocked >= 0 && entryNumberOf(lastBlocked, 0) === <f64>job) {
    setEntryNumber(lastBlocked, 2, simulation.now);
    setEntryNumber(lastBlocked, 3, entryNumberOf(lastBlocked, 3) + 1);
    setEntryNumber(lastBlocked, 4, missingProcessors);
    return;
  }
  const now = simulation.now;
  lastBlocked = append(
    noteSparedFor(job),
    Note.Blocked,
    now,
    <f64>job,
    missingProcessors,
    now,
    1,
    missingProcessors,
  );
}

/** Records the end of a pass over a queue that may have skipped the watched job as too wide. */
export function notePassedOverJobs(simulation: Simulation, queue: i32): void {
  if (!isWaiting || queueOf(simulation, watchedJob) !== queue) return;
  const rank = at<i32>(columns.rankOf, watchedJob);
  const isInQueue = priorityQueue.nextRank(simulation, rank) === rank;
  if (isInQueue && missingProcessorsOf(simulation, watchedJob) > 0) blocked(simulation, watchedJob);
}

@inline
function queueOf(simulation: Simulation, job: i32): i32 {
  return priorityQueue.queueOf(simulation, job);
}

/**
 * Number of processors that a job lacks: over all sites if it may be split, otherwise on the site with the
 * most free.
 */
function missingProcessorsOf(simulation: Simulation, job: i32): i32 {
  const processors = at<i32>(columns.processors, job);
  const isSplit = simulation.multiSite !== 0 || columns.taken(Option.MultiSiteFactor) > 0;
  if (isSplit && simulation.topology !== Topology.Independent) {
    return processors - <i32>simulation.freeProcessors;
  }
  const slots = columns.slots + firstCandidateOf(simulation, job);
  let most = 0;
  for (let index = candidatesOf(simulation, job) - 1; index >= 0; index--) {
    most = max(most, freeProcessorsInSlot(at<Slot>(slots, index)));
  }
  return processors - most;
}

/** Records the start of a job. */
export function noteLaunchedJob(simulation: Simulation, job: i32, site: i32): void {
  if (!isWaiting || job !== watchedJob) return;
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
  if (job !== watchedJob && !isOne) return;
  if (!isWaiting) return;
  if (priorityQueue.queueOf(simulation, job) !== priorityQueue.queueOf(simulation, watchedJob)) return;
  const now = simulation.now;
  if (lastReserved >= 0 && isLast(job, start, end) && sharesAreChosen(lastReserved, count)) {
    repeatEntry(lastReserved, now);
    return;
  }
  lastReserved = append(SPARE_ENTRIES, Note.Reserved, now, <f64>job, start, end, now, 1);
  appendChosen(now, count);
}

@inline
function isLast(job: i32, start: f64, end: f64): bool {
  if (entryNumberOf(lastReserved, 0) !== <f64>job) return false;
  return entryNumberOf(lastReserved, 1) === start && entryNumberOf(lastReserved, 2) === end;
}

/**
 * Records that the watched job's kept reservation changed, or lost or regained its place; `cause` is the job
 * that caused it, or -1. `by` is 0 if other reservations are unaffected.
 */
export function noteKeptReservation(
  job: i32,
  now: f64,
  start: f64,
  end: f64,
  isMoved: bool,
  by: Note,
  cause: i32,
): void {
  if (job !== watchedJob || !isWaiting) return;
  const isSame = lastReserved >= 0 && isLast(job, start, end) && sharesAreChosen(lastReserved, 1);
  if (isSame && entryNumberOf(lastReserved, 5) === <f64>isMoved) {
    repeatEntry(lastReserved, now);
    return;
  }
  lastReserved = append(SPARE_ENTRIES, Note.Reserved, now, <f64>job, start, end, now, 1);
  if (lastReserved >= 0) setEntryNumber(lastReserved, 5, <f64>isMoved);
  appendChosen(now, 1);
  if (by !== 0) append(SPARE_ENTRIES, by, now, <f64>cause);
}

/** Counts another pass in an existing log entry. */
function repeatEntry(entry: i32, now: f64): void {
  setEntryNumber(entry, 3, now);
  setEntryNumber(entry, 4, entryNumberOf(entry, 4) + 1);
}

/** Records a planned later start of a job without a reservation. */
export function planned(simulation: Simulation, job: i32, start: f64, end: f64): void {
  if (!isWaiting || job !== watchedJob) return;
  const now = simulation.now;
  if (lastPlanned < 0) {
    lastPlanned = append(SPARE_ENTRIES, Note.Planned, now, <f64>job, start, end, now, 1);
    return;
  }
  setEntryNumber(lastPlanned, 1, start);
  setEntryNumber(lastPlanned, 2, end);
  repeatEntry(lastPlanned, now);
}

/**
 * Records that a job would delay the head of its queue: it ends after the head's reserved start, and is too
 * wide to run beside it.
 */
export function delays(simulation: Simulation, job: i32, end: f64, begin: f64, extra: i32): void {
  if (!isWaiting || job !== watchedJob) return;
  const head = <f64>priorityQueue.headOf(simulation, priorityQueue.queueOf(simulation, job));
  if (lastDelay < 0 || entryNumberOf(lastDelay, 0) !== head) {
    lastDelay = append(SPARE_ENTRIES, Note.Delays, simulation.now, head);
    if (lastDelay < 0) return;
  }
  setEntryNumber(lastDelay, 1, end);
  setEntryNumber(lastDelay, 2, begin);
  setEntryNumber(lastDelay, 3, <f64>extra);
  setEntryNumber(lastDelay, 4, simulation.now);
  setEntryNumber(lastDelay, 5, entryNumberOf(lastDelay, 5) + 1);
}

/** Records that a moldable job waits instead of running on the free processors of a site. */
export function noteDeferredJob(
  simulation: Simulation,
  site: i32,
  shrunkTime: f64,
  wait: f64,
  whole: f64,
): void {
  if (!isJobLookedAt) return;
  append(SPARE_ENTRIES, Note.Deferred, simulation.now, <f64>site, <f64>freeAt(site), shrunkTime, wait, whole);
}
