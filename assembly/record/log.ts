import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { freeProcessorsAt } from '../grid/sites';
import { at, moveEntries, put } from '../memory/memory';

/**
 * Record of events around one watched job while it waits, only in the build for explanations. All recording
 * is behind `if (RECORDED)`, so it vanishes from the other builds, and it never changes the simulation.
 *
 * The block provided by the host holds two lists of entries of eight doubles: kind, time, and six numbers.
 * The log has the events in order. The details describe the last decision about the watched job, and move to
 * the log when the job starts.
 */
export const IS_RECORDING_BUILD: bool = isDefined(RECORDING);

/** Number of doubles per entry. */
const NUMBERS_PER_ENTRY: i32 = 8;
/** Number of log entries kept free for decisions about the watched job. */
export const SPARE_ENTRIES: i32 = 1024;

let logAddress: usize = 0;
let entryCapacity: i32 = 0;
let entryCount: i32 = 0;
let lostEntryCount: i32 = 0;
let decisionDetails: usize = 0;
let detailCapacity: i32 = 0;
let detailCount: i32 = 0;

export let watchedJob: i32 = -1;
/** True if the watched job waits. */
export let isWaiting: bool = false;
/** True if the current decision is about the watched job. */
export let isWatchedDecision: bool = false;

/** Watched job, and whether it was waiting, saved while recording is suspended. */
let pausedWatchedJob: i32 = -1;
let wasJobWaiting: bool = false;

/** Time of the last trial of candidates in seconds; -1 if none. */
let lastTrialTime: f64 = -1;

/**
 * Starts watching a job; the block has 64 bytes for each of `entries` entries and `maxDetailCount` details.
 */
export function watchJob(job: i32, block: usize, entries: i32, maxDetailCount: i32): void {
  watchedJob = job;
  isWaiting = false;
  isWatchedDecision = false;
  logAddress = block;
  entryCapacity = entries;
  entryCount = 0;
  lostEntryCount = 0;
  decisionDetails = block + ((<usize>entries * NUMBERS_PER_ENTRY) << alignof<f64>());
  detailCapacity = maxDetailCount;
  detailCount = 0;
  lastTrialTime = -1;
}

/** Records that candidates have been tried and have scores. */
export function noteTrial(simulation: Simulation): void {
  lastTrialTime = simulation.now;
}

/** Suspends recording during trials, whose events do not really happen; `isPaused` false resumes it. */
export function pauseRecording(isPaused: bool): void {
  if (isPaused) {
    pausedWatchedJob = watchedJob;
    wasJobWaiting = isWaiting;
    watchedJob = -1;
    isWaiting = false;
    isWatchedDecision = false;
  } else {
    watchedJob = pausedWatchedJob;
    isWaiting = wasJobWaiting;
  }
}

/** Number of entries in the log. */
export function recordedCount(): i32 {
  return entryCount;
}

/** Number of entries that did not fit in the log. */
export function recordedLost(): i32 {
  return lostEntryCount;
}

/** Records that the watched job begins to wait. */
export function beginWait(): void {
  isWaiting = true;
  isWatchedDecision = false;
}

/** Records the start of the watched job, and moves the details of the decision to the log. */
export function endWait(): void {
  const keptDetailCount = min(detailCount, entryCapacity - entryCount);
  lostEntryCount += detailCount - keptDetailCount;
  moveEntries<f64>(
    logAddress,
    entryCount * NUMBERS_PER_ENTRY,
    decisionDetails,
    0,
    keptDetailCount * NUMBERS_PER_ENTRY,
  );
  entryCount += keptDetailCount;
  isWaiting = false;
  isWatchedDecision = false;
}

/** Begins a decision about a job; for the watched job, discards the details of the previous decision. */
export function beginDecision(simulation: Simulation, job: i32): void {
  isWatchedDecision = isWaiting && job === watchedJob;
  if (!isWatchedDecision) return;
  detailCount = 0;
  for (let site = 0; site < simulation.siteCount; site++) {
    writeDetail(Note.Free, simulation.now, <f64>site, <f64>freeProcessorsAt(site), 0, 0, 0, 0);
  }
  for (
    let candidate = 0;
    simulation.choosesPolicies !== 0 && candidate < simulation.policyCount;
    candidate++
  ) {
    const isCurrentCandidate = <f64>i32(candidate === simulation.candidate);
    const score = at<f64>(columns.scores, candidate);
    const candidateProspect = at<f64>(columns.prospects, candidate);
    writeDetail(
      Note.Tried,
      0,
      <f64>candidate,
      isCurrentCandidate,
      score,
      candidateProspect,
      lastTrialTime,
      0,
    );
  }
}

/** Adds a detail of the current decision, if that is about the watched job. */
export function note(
  entryKind: Note,
  number0: f64 = 0,
  number1: f64 = 0,
  number2: f64 = 0,
  number3: f64 = 0,
  number4: f64 = 0,
  number5: f64 = 0,
): void {
  if (isWatchedDecision) writeDetail(entryKind, 0, number0, number1, number2, number3, number4, number5);
}

function writeDetail(
  entryKind: Note,
  time: f64,
  number0: f64,
  number1: f64,
  number2: f64,
  number3: f64,
  number4: f64,
  number5: f64,
): void {
  if (detailCount >= detailCapacity) lostEntryCount++;
  else
    writeEntry(
      decisionDetails,
      detailCount++,
      entryKind,
      time,
      number0,
      number1,
      number2,
      number3,
      number4,
      number5,
    );
}

/** Adds shares as details, from columns of sites and of processors. */
export function noteShares(sitesAddress: usize, shareAddress: usize, shareCount: i32): void {
  for (let share = 0; share < shareCount; share++) {
    note(Note.Share, <f64>at<i32>(sitesAddress, share), <f64>at<i32>(shareAddress, share));
  }
}

/**
 * Appends to the log if `spareEntries` entries remain free after it; returns the entry's index, -1 if it
 * does not
 * fit.
 */
export function appendEntry(
  spareEntries: i32,
  entryKind: Note,
  time: f64,
  number0: f64 = 0,
  number1: f64 = 0,
  number2: f64 = 0,
  number3: f64 = 0,
  number4: f64 = 0,
): i32 {
  if (entryCount + spareEntries >= entryCapacity) {
    lostEntryCount++;
    return -1;
  }
  writeEntry(logAddress, entryCount, entryKind, time, number0, number1, number2, number3, number4, 0);
  return entryCount++;
}

/** Appends the shares of the planner's choice. */
export function appendChosenShares(time: f64, shareCount: i32): void {
  for (let share = 0; share < shareCount; share++) {
    const site = <f64>at<i32>(columns.chosenSites, share);
    appendEntry(SPARE_ENTRIES, Note.Share, time, site, <f64>at<i32>(columns.chosenShares, share));
  }
}

/** True if the shares after a log entry equal the planner's choice. */
export function areSharesChosen(entry: i32, shareCount: i32): bool {
  for (let share = 0; share < shareCount; share++) {
    if (!isShareEntry(++entry)) return false;
    if (entryNumberOf(entry, 0) !== <f64>at<i32>(columns.chosenSites, share)) return false;
    if (entryNumberOf(entry, 1) !== <f64>at<i32>(columns.chosenShares, share)) return false;
  }
  return !isShareEntry(entry + 1);
}

function isShareEntry(entry: i32): bool {
  return entry < entryCount && at<f64>(logAddress, entry * NUMBERS_PER_ENTRY) === <f64>Note.Share;
}

/** Returns one of the six numbers of a log entry, from 0. */
export function entryNumberOf(entry: i32, position: i32): f64 {
  return at<f64>(logAddress, entry * NUMBERS_PER_ENTRY + 2 + position);
}

/** Changes one of the six numbers of a log entry. */
export function setEntryNumber(entry: i32, position: i32, value: f64): void {
  put<f64>(logAddress, entry * NUMBERS_PER_ENTRY + 2 + position, value);
}

function writeEntry(
  listAddress: usize,
  entry: i32,
  entryKind: Note,
  time: f64,
  number0: f64,
  number1: f64,
  number2: f64,
  number3: f64,
  number4: f64,
  number5: f64,
): void {
  const firstNumberIndex = entry * NUMBERS_PER_ENTRY;
  put<f64>(listAddress, firstNumberIndex, <f64>entryKind);
  put<f64>(listAddress, firstNumberIndex + 1, time);
  put<f64>(listAddress, firstNumberIndex + 2, number0);
  put<f64>(listAddress, firstNumberIndex + 3, number1);
  put<f64>(listAddress, firstNumberIndex + 4, number2);
  put<f64>(listAddress, firstNumberIndex + 5, number3);
  put<f64>(listAddress, firstNumberIndex + 6, number4);
  put<f64>(listAddress, firstNumberIndex + 7, number5);
}

/**
 * Kinds of entries of the record, with the meaning of their six numbers. Jobs and sites are indices, times
 * are in seconds; -1 means none. This file imports nothing.
 */
export enum Note {
  /**
   * The watched job joins its queue: number of jobs before it, their processors, the head, processors that
   * the head lacks (as in Blocked). Free entries follow.
   */
  Queued = 1,
  /** Free processors of a site: site, processors. */
  Free = 2,
  /** A job starts on a site: job, site, processors. */
  Allocated = 3,
  /** A job frees its processors on a site: job, site, processors, its predicted end (-1: not predicted). */
  Released = 4,
  /**
   * The job of the previous Released entry was preempted: job, site, start of the execution, job that needs
   * the site, -1 for an outage.
   */
  Stopped = 5,
  /**
   * A job did not fit, since the time of the entry: job, processors that it lacked on the site with the most
   * free, last such pass, number of passes, processors that it lacked in the last pass.
   */
  Blocked = 6,
  /**
   * A reservation: job, start, predicted end, last pass that made it, number of passes, 1 if it is kept but
   * has lost its place. Shares follow, and its cause.
   */
  Reserved = 7,
  /**
   * A planned start of the watched job without a reservation: as Reserved; start and end as of the last pass.
   */
  Planned = 8,
  /**
   * The job would delay the head: head, end of the job, start of the head, processors left beside the head,
   * last pass, number of passes.
   */
  Delays = 9,
  /**
   * The job waits instead of shrinking: site, free processors, turnaround now, wait, turnaround after
   * waiting.
   */
  Deferred = 10,
  /** The watched job starts: first site. Free entries (after its start) and the details follow. */
  Started = 11,
  /** A site and its share of the entry before. */
  Share = 12,

  /** Cause of the previous reservation: the end of a job: job. */
  ByEnd = 13,
  /** Cause of the previous reservation: a start of a job on another site than reserved: job. */
  ByStart = 14,
  /** Cause of the previous reservation's lost place: the policy lets the job wait. */
  ByPolicy = 15,
  /** Cause of the previous reservation: the cancellation of a waiting job: job. */
  ByCancellation = 16,
  /** A waiting job is cancelled: job. Free entries follow for the watched one. */
  Cancelled = 17,

  /**
   * A limit holds the watched job: 0 of its user or 1 of its group, 1 of jobs or 0 of processors, what the
   * account holds, the limit.
   */
  Held = 18,
  /** No limit holds the watched job any more. */
  Freed = 19,

  /** Outages take processors of a site, or give them back: site, processors (negative: taken). */
  Capacity = 35,
  /** Cause of the previous reservation: a capacity change: site. */
  ByCapacity = 36,

  /** From here on details of a decision. Sites of best-fit and fastest-first. */
  Nominated = 20,
  /** 1 in situation (a): the job found the queue empty (Shih et al. 2010, Table 2). */
  Situation = 21,
  /** Speed heterogeneity SH of the grid and its threshold (Shih et al. 2010, eqs. 3 and 5). */
  Heterogeneity = 22,
  /** Numerator and denominator of the system loading SL, its threshold (Shih et al. 2010, eqs. 4, 6). */
  Loading = 23,
  /** Speeds of S_bf and S_ff (eq. 7). */
  Faster = 24,
  /**
   * TNoA by best-fit and by fastest-first, the score, 1 if jobs that fit nowhere are skipped (eqs. 8 to 12).
   */
  JobsPlaced = 25,
  /** TCC by best-fit and by fastest-first (eqs. 13 to 17). */
  CapacityPlaced = 26,
  /**
   * A possible split: its MultiSite rule, its slowest speed, number of jobs behind that could start. Shares
   * follow.
   */
  Split = 27,
  /** Distance of a site from the needs of a moldable job: site, distance. */
  Distance = 28,
  /** Turnarounds of a moldable job: as of Deferred, and the threshold. */
  Turnarounds = 29,
  /** Processors that preemption could free: home, free processors, processors of remote jobs. */
  Reclaimable = 30,
  /**
   * The job does not delay the head of its queue: head, end of the job, start of the head, processors left
   * beside the head, site.
   */
  Beside = 32,
  /** A site with room on which the job would delay a reservation: site. */
  Unsafe = 33,
  /** A candidate policy: index, 1 if it is current, score, prospect, time of the last trial (-1: none). */
  Tried = 34,
  /**
   * A candidate of the planner: start, predicted end (+infinity: not planned), number of sites. Shares
   * follow.
   */
  Candidate = 31,
}
