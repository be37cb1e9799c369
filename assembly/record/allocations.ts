import { Option, Topology, Discipline } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import {
  Slot,
  candidateCountOf,
  firstCandidateOffsetOf,
  freeProcessorsAt,
  freeProcessorsInSlot,
} from '../grid/sites';
import { at } from '../memory/memory';
import * as priorityQueue from '../queue/priorityQueue';
import {
  SPARE_ENTRIES,
  appendEntry,
  beginWait,
  endWait,
  isWaiting,
  entryNumberOf,
  setEntryNumber,
  watchedJob,
  Note,
  appendChosenShares,
  isWatchedDecision,
  areSharesChosen,
} from './log';

/** Records of events while the watched job waits: starts, ends, preemptions, and jobs that block others. */

/**
 * Index of the last log entry of a job that did not fit, -1 if none; and the job for which others
 * are preempted.
 */
let lastBlockedEntry: i32 = -1;
let claimingJob: i32 = -1;

/** Records the submission of a job, which joins its queue. */
export function noteSubmission(simulation: Simulation, job: i32): void {
  if (job === watchedJob) recordJobsBeforeWatched(simulation);
}

/** Records the jobs before the watched job in its queue, and the free processors of all sites. */
function recordJobsBeforeWatched(simulation: Simulation): void {
  beginWait();
  lastBlockedEntry = -1;
  if (simulation.hasPriorityQueue === 0) {
    const sums = columns.processorSums;
    const processors = at<f64>(sums, watchedJob) - at<f64>(sums, simulation.head);
    const head = simulation.head < watchedJob ? simulation.head : -1;
    appendQueuedEntry(simulation, watchedJob - simulation.head, processors, head);
  } else {
    recordJobsBeforeWatchedByRank(simulation);
  }
  appendFreeProcessorEntries(simulation);
  lastReservedEntry = -1;
  lastPlannedEntry = -1;
  lastDelayEntry = -1;
}

function recordJobsBeforeWatchedByRank(simulation: Simulation): void {
  const watchedRank = at<i32>(columns.rankOf, watchedJob);
  let rank = priorityQueue.nextRank(simulation, at<i32>(columns.firstRanks, queueOf(simulation, watchedJob)));
  const head = rank < watchedRank ? at<i32>(columns.jobAt, rank) : -1;
  let jobCountBefore = 0;
  let processors: f64 = 0;
  for (; rank < watchedRank; rank = priorityQueue.nextRank(simulation, rank + 1)) {
    jobCountBefore++;
    processors += <f64>at<i32>(columns.processors, at<i32>(columns.jobAt, rank));
  }
  appendQueuedEntry(simulation, jobCountBefore, processors, head);
}

function appendQueuedEntry(simulation: Simulation, jobs: i32, processors: f64, head: i32): void {
  const missingProcessors = head >= 0 ? missingProcessorsOf(simulation, head) : 0;
  appendEntry(0, Note.Queued, simulation.now, <f64>jobs, processors, <f64>head, <f64>missingProcessors);
}

function appendFreeProcessorEntries(simulation: Simulation): void {
  for (let site = 0; site < simulation.siteCount; site++) {
    appendEntry(0, Note.Free, simulation.now, <f64>site, <f64>freeProcessorsAt(site));
  }
}

/**
 * Number of log entries that must stay free after an entry about a job: entries about other jobs leave room
 * for those about the watched job.
 */
@inline
function entryCountToSpare(job: i32): i32 {
  return job === watchedJob ? 0 : SPARE_ENTRIES;
}

/** Records that a starting job takes processors of a site. */
export function noteAllocation(simulation: Simulation, job: i32, site: i32, processors: i32): void {
  if (!isWaiting) return;
  appendEntry(entryCountToSpare(job), Note.Allocated, simulation.now, <f64>job, <f64>site, <f64>processors);
}

/** Records that a job gave back its processors; `end` is its predicted end in seconds, -1 if none. */
export function noteRelease(simulation: Simulation, job: i32, site: i32, processors: i32, end: f64): void {
  if (!isWaiting) return;
  appendEntry(SPARE_ENTRIES, Note.Released, simulation.now, <f64>job, <f64>site, <f64>processors, end);
}

/** Records that outages take free processors of a site (negative), or give them back. */
export function noteCapacityChange(simulation: Simulation, site: i32, processors: i32): void {
  if (!isWaiting) return;
  appendEntry(SPARE_ENTRIES, Note.Capacity, simulation.now, <f64>site, <f64>processors);
}

/** Records the job for which the following preemptions free processors; -1 for an outage. */
export function recordClaimingJob(job: i32): void {
  claimingJob = job;
}

/** Records the preemption of a job on a site. */
export function noteStoppedJob(simulation: Simulation, job: i32, site: i32): void {
  if (job !== watchedJob && isWaiting) notePreemption(simulation, job, site);
}

/** Records that a preempted job waits again. */
export function noteRejoinedJob(simulation: Simulation, job: i32, site: i32): void {
  if (job !== watchedJob) return;
  notePreemption(simulation, job, site);
  recordJobsBeforeWatched(simulation);
}

/** Records a preemption: job, site, start of the execution, and the job for which it was preempted. */
function notePreemption(simulation: Simulation, job: i32, site: i32): void {
  const start = at<f64>(columns.starts, job);
  appendEntry(
    entryCountToSpare(job),
    Note.Stopped,
    simulation.now,
    <f64>job,
    <f64>site,
    start,
    <f64>claimingJob,
  );
}

/** Records the cancellation of a waiting job. */
export function noteCancellation(simulation: Simulation, job: i32): void {
  if (!isWaiting) return;
  appendEntry(entryCountToSpare(job), Note.Cancelled, simulation.now, <f64>job);
  if (job !== watchedJob) return;
  appendFreeProcessorEntries(simulation);
  endWait();
}

/** Records that a job fitted on no permitted site. */
export function noteBlockedJob(simulation: Simulation, job: i32): void {
  if (!isWaiting || queueOf(simulation, job) !== queueOf(simulation, watchedJob)) return;
  const missingProcessors = <f64>missingProcessorsOf(simulation, job);
  if (lastBlockedEntry >= 0 && entryNumberOf(lastBlockedEntry, 0) === <f64>job) {
    setEntryNumber(lastBlockedEntry, 2, simulation.now);
    setEntryNumber(lastBlockedEntry, 3, entryNumberOf(lastBlockedEntry, 3) + 1);
    setEntryNumber(lastBlockedEntry, 4, missingProcessors);
    return;
  }
  const now = simulation.now;
  lastBlockedEntry = appendEntry(
    entryCountToSpare(job),
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
  const isWatchedJobInQueue = priorityQueue.nextRank(simulation, rank) === rank;
  if (isWatchedJobInQueue && missingProcessorsOf(simulation, watchedJob) > 0)
    noteBlockedJob(simulation, watchedJob);
}

@inline
function queueOf(simulation: Simulation, job: i32): i32 {
  return priorityQueue.queueOfJob(simulation, job);
}

/**
 * Number of processors that a job lacks: over all sites if it may be split, otherwise on the site with the
 * most free.
 */
function missingProcessorsOf(simulation: Simulation, job: i32): i32 {
  const processors = at<i32>(columns.processors, job);
  const canSplitJobs = simulation.multiSite !== 0 || columns.optionOfRun(Option.MultiSiteFactor) > 0;
  if (canSplitJobs && simulation.topology !== Topology.Independent) {
    return processors - <i32>simulation.freeProcessors;
  }
  const slotsAddress = columns.slots + firstCandidateOffsetOf(simulation, job);
  let mostFreeProcessors = 0;
  for (let index = candidateCountOf(simulation, job) - 1; index >= 0; index--) {
    mostFreeProcessors = max(mostFreeProcessors, freeProcessorsInSlot(at<Slot>(slotsAddress, index)));
  }
  return processors - mostFreeProcessors;
}

/** Records the start of a job. */
export function noteLaunchedJob(simulation: Simulation, job: i32, site: i32): void {
  if (!isWaiting || job !== watchedJob) return;
  appendEntry(0, Note.Started, simulation.now, <f64>site);
  appendFreeProcessorEntries(simulation);
  endWait();
}

/**
 * Records of plans while the watched job waits. A plan that stays the same from pass to pass has a single
 * entry.
 */

/** Indices of the last log entries of each kind; -1 if none. */
let lastReservedEntry: i32 = -1;
let lastPlannedEntry: i32 = -1;
let lastDelayEntry: i32 = -1;

/**
 * Records a reservation by the planner: of the watched job, or under EASY of the reserved job of its queue.
 */
export function noteReservation(
  simulation: Simulation,
  job: i32,
  start: f64,
  end: f64,
  siteCount: i32,
): void {
  const hasSingleReservation = simulation.discipline === Discipline.Easy && simulation.reservationDepth === 1;
  if (job !== watchedJob && !hasSingleReservation) return;
  if (!isWaiting) return;
  if (priorityQueue.queueOfJob(simulation, job) !== priorityQueue.queueOfJob(simulation, watchedJob)) return;
  const now = simulation.now;
  if (
    lastReservedEntry >= 0 &&
    isSameReservation(job, start, end) &&
    areSharesChosen(lastReservedEntry, siteCount)
  ) {
    countRepeatedPass(lastReservedEntry, now);
    return;
  }
  lastReservedEntry = appendEntry(SPARE_ENTRIES, Note.Reserved, now, <f64>job, start, end, now, 1);
  appendChosenShares(now, siteCount);
}

@inline
function isSameReservation(job: i32, start: f64, end: f64): bool {
  if (entryNumberOf(lastReservedEntry, 0) !== <f64>job) return false;
  return entryNumberOf(lastReservedEntry, 1) === start && entryNumberOf(lastReservedEntry, 2) === end;
}

/**
 * Records that the watched job's kept reservation changed, or lost or regained its place; `cause` is the job
 * that caused it, or -1. `causeKind` is 0 if no cause is recorded.
 */
export function noteKeptReservation(
  job: i32,
  now: f64,
  start: f64,
  end: f64,
  isReservationMoved: bool,
  causeKind: Note,
  cause: i32,
): void {
  if (job !== watchedJob || !isWaiting) return;
  const isSame =
    lastReservedEntry >= 0 && isSameReservation(job, start, end) && areSharesChosen(lastReservedEntry, 1);
  if (isSame && entryNumberOf(lastReservedEntry, 5) === <f64>isReservationMoved) {
    countRepeatedPass(lastReservedEntry, now);
    return;
  }
  lastReservedEntry = appendEntry(SPARE_ENTRIES, Note.Reserved, now, <f64>job, start, end, now, 1);
  if (lastReservedEntry >= 0) setEntryNumber(lastReservedEntry, 5, <f64>isReservationMoved);
  appendChosenShares(now, 1);
  if (causeKind !== 0) appendEntry(SPARE_ENTRIES, causeKind, now, <f64>cause);
}

/** Counts another pass in an existing log entry. */
function countRepeatedPass(entry: i32, now: f64): void {
  setEntryNumber(entry, 3, now);
  setEntryNumber(entry, 4, entryNumberOf(entry, 4) + 1);
}

/** Records a planned later start of a job without a reservation. */
export function notePlannedStart(simulation: Simulation, job: i32, start: f64, end: f64): void {
  if (!isWaiting || job !== watchedJob) return;
  const now = simulation.now;
  if (lastPlannedEntry < 0) {
    lastPlannedEntry = appendEntry(SPARE_ENTRIES, Note.Planned, now, <f64>job, start, end, now, 1);
    return;
  }
  setEntryNumber(lastPlannedEntry, 1, start);
  setEntryNumber(lastPlannedEntry, 2, end);
  countRepeatedPass(lastPlannedEntry, now);
}

/**
 * Records that a job would delay the head of its queue: it ends after the head's reserved start, and is too
 * wide to run beside it.
 */
export function noteWouldDelayHead(
  simulation: Simulation,
  job: i32,
  end: f64,
  headStart: f64,
  extraProcessors: i32,
): void {
  if (!isWaiting || job !== watchedJob) return;
  const head = <f64>priorityQueue.headOf(simulation, priorityQueue.queueOfJob(simulation, job));
  if (lastDelayEntry < 0 || entryNumberOf(lastDelayEntry, 0) !== head) {
    lastDelayEntry = appendEntry(SPARE_ENTRIES, Note.Delays, simulation.now, head);
    if (lastDelayEntry < 0) return;
  }
  setEntryNumber(lastDelayEntry, 1, end);
  setEntryNumber(lastDelayEntry, 2, headStart);
  setEntryNumber(lastDelayEntry, 3, <f64>extraProcessors);
  setEntryNumber(lastDelayEntry, 4, simulation.now);
  setEntryNumber(lastDelayEntry, 5, entryNumberOf(lastDelayEntry, 5) + 1);
}

/** Records that a moldable job waits instead of running on the free processors of a site. */
export function noteDeferredJob(
  simulation: Simulation,
  site: i32,
  turnaroundOnFreeProcessors: f64,
  wait: f64,
  turnaroundAfterWaiting: f64,
): void {
  if (!isWatchedDecision) return;
  appendEntry(
    SPARE_ENTRIES,
    Note.Deferred,
    simulation.now,
    <f64>site,
    <f64>freeProcessorsAt(site),
    turnaroundOnFreeProcessors,
    wait,
    turnaroundAfterWaiting,
  );
}
