import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { freeAt } from '../grid/sites';
import { at, move, put } from '../memory/memory';

/**
 * What happens around one job, the watched one, while it waits, written down in the build for explanations
 * alone. All of it is behind `if (RECORDED)`, so that it vanishes from the other builds, and it changes
 * nothing of what it looks at.
 *
 * The block that the host provides holds two lists of entries of eight doubles: kind, time, and six numbers.
 * The log has what happened, in that order. The details have what was looked at when it was last decided
 * about the watched job; they join the log when the job starts.
 */
export const RECORDED: bool = isDefined(RECORDING);

/** Doubles of an entry. */
const WIDTH: i32 = 8;
/** Entries of the log that are kept free for what is decided about the watched job. */
export const SPARE: i32 = 1024;

let log: usize = 0;
let capacity: i32 = 0;
let length: i32 = 0;
let lost: i32 = 0;
let details: usize = 0;
let detailCapacity: i32 = 0;
let detailCount: i32 = 0;

export let watched: i32 = -1;
/** Whether the watched job waits, and whether it is being decided about. */
export let isWaiting: bool = false;
export let isLookedAt: bool = false;

/** What has been looked away from. */
let unseen: i32 = -1;
let wasWaiting: bool = false;

/** When candidates of the policy were last tried, -1: never. */
let lastTrial: f64 = -1;

/** Watches a job from now on; the block has 64 bytes for each of this many entries and details. */
export function watch(job: i32, block: usize, entries: i32, mostDetails: i32): void {
  watched = job;
  isWaiting = false;
  isLookedAt = false;
  log = block;
  capacity = entries;
  length = 0;
  lost = 0;
  details = block + ((<usize>entries * WIDTH) << alignof<f64>());
  detailCapacity = mostDetails;
  detailCount = 0;
  lastTrial = -1;
}

/** The candidates of the policy have been tried, and have their scores. */
export function tried(simulation: Simulation): void {
  lastTrial = simulation.now;
}

/** Nothing is recorded until the same is called with false: what happens is not what becomes of the job. */
export function lookAway(isAway: bool): void {
  if (isAway) {
    unseen = watched;
    wasWaiting = isWaiting;
    watched = -1;
    isWaiting = false;
    isLookedAt = false;
  } else {
    watched = unseen;
    isWaiting = wasWaiting;
  }
}

/** Entries in the log. */
export function recordedCount(): i32 {
  return length;
}

/** Entries for which the log had no room. */
export function recordedLost(): i32 {
  return lost;
}

/** The watched job begins to wait. */
export function beginWait(): void {
  isWaiting = true;
  isLookedAt = false;
}

/** The watched job starts: the details of the decision join the log. */
export function endWait(): void {
  const count = min(detailCount, capacity - length);
  lost += detailCount - count;
  move<f64>(log, length * WIDTH, details, 0, count * WIDTH);
  length += count;
  isWaiting = false;
  isLookedAt = false;
}

/** It is decided about a job now: the last details are forgotten if it is the watched one. */
export function beginDecision(simulation: Simulation, job: i32): void {
  isLookedAt = isWaiting && job === watched;
  if (!isLookedAt) return;
  detailCount = 0;
  for (let site = 0; site < simulation.siteCount; site++) {
    writeDetail(Note.Free, simulation.now, <f64>site, <f64>freeAt(site), 0, 0, 0, 0);
  }
  for (let candidate = 0; simulation.chooses !== 0 && candidate < simulation.policyCount; candidate++) {
    const isInForce = <f64>i32(candidate === simulation.candidate);
    const score = at<f64>(columns.scores, candidate);
    const prospect = at<f64>(columns.prospects, candidate);
    writeDetail(Note.Tried, 0, <f64>candidate, isInForce, score, prospect, lastTrial, 0);
  }
}

/** Adds to the details of the decision about the watched job; nothing while it is about another. */
export function note(
  kind: Note,
  a: f64 = 0,
  b: f64 = 0,
  c: f64 = 0,
  d: f64 = 0,
  e: f64 = 0,
  f: f64 = 0,
): void {
  if (isLookedAt) writeDetail(kind, 0, a, b, c, d, e, f);
}

function writeDetail(kind: Note, time: f64, a: f64, b: f64, c: f64, d: f64, e: f64, f: f64): void {
  if (detailCount >= detailCapacity) lost++;
  else write(details, detailCount++, kind, time, a, b, c, d, e, f);
}

/** Shares as details, from columns of sites and of processors. */
export function noteShares(sites: usize, shares: usize, count: i32): void {
  for (let entry = 0; entry < count; entry++) {
    note(Note.Share, <f64>at<i32>(sites, entry), <f64>at<i32>(shares, entry));
  }
}

/**
 * Appends to the log if `spare` entries stay free behind it; returns its index, -1 when it is lost.
 */
export function append(
  spare: i32,
  kind: Note,
  time: f64,
  a: f64 = 0,
  b: f64 = 0,
  c: f64 = 0,
  d: f64 = 0,
  e: f64 = 0,
): i32 {
  if (length + spare >= capacity) {
    lost++;
    return -1;
  }
  write(log, length, kind, time, a, b, c, d, e, 0);
  return length++;
}

/** Appends the shares of the planner's choice. */
export function appendChosen(time: f64, count: i32): void {
  for (let entry = 0; entry < count; entry++) {
    const site = <f64>at<i32>(columns.chosenSites, entry);
    append(SPARE, Note.Share, time, site, <f64>at<i32>(columns.chosenShares, entry));
  }
}

/** Whether the shares behind an entry of the log are the planner's choice. */
export function sharesAreChosen(entry: i32, count: i32): bool {
  for (let share = 0; share < count; share++) {
    if (!isShare(++entry)) return false;
    if (numberOf(entry, 0) !== <f64>at<i32>(columns.chosenSites, share)) return false;
    if (numberOf(entry, 1) !== <f64>at<i32>(columns.chosenShares, share)) return false;
  }
  return !isShare(entry + 1);
}

function isShare(entry: i32): bool {
  return entry < length && at<f64>(log, entry * WIDTH) === <f64>Note.Share;
}

/** One of the six numbers of an entry of the log, from 0. */
export function numberOf(entry: i32, which: i32): f64 {
  return at<f64>(log, entry * WIDTH + 2 + which);
}

/** Changes a number of an entry of the log. */
export function setNumber(entry: i32, which: i32, value: f64): void {
  put<f64>(log, entry * WIDTH + 2 + which, value);
}

function write(
  to: usize,
  entry: i32,
  kind: Note,
  time: f64,
  a: f64,
  b: f64,
  c: f64,
  d: f64,
  e: f64,
  f: f64,
): void {
  const first = entry * WIDTH;
  put<f64>(to, first, <f64>kind);
  put<f64>(to, first + 1, time);
  put<f64>(to, first + 2, a);
  put<f64>(to, first + 3, b);
  put<f64>(to, first + 4, c);
  put<f64>(to, first + 5, d);
  put<f64>(to, first + 6, e);
  put<f64>(to, first + 7, f);
}

/**
 * Kinds of entries of the record, and what their six numbers are. Jobs and sites are indices, times seconds;
 * -1 is none. This file imports nothing.
 */
export enum Note {
  /**
   * The watched job joins its queue: jobs before it, their processors, the head, what that lacks (as in
   * Blocked). Free entries follow.
   */
  Queued = 1,
  /** A site, its free processors. */
  Free = 2,
  /** A job starts on a site: job, site, processors. */
  Allocated = 3,
  /** A job gives a site back: job, site, processors, its predicted end (-1: nothing was predicted). */
  Released = 4,
  /** The job that has just given a site back was stopped: job, site, start of that run, job that needs it. */
  Stopped = 5,
  /**
   * A job found no room, for the first time at the time of the entry: job, processors that it lacked on the
   * site with the most free, last such pass, number of passes, processors that it lacked then.
   */
  Blocked = 6,
  /**
   * A reservation: job, start, predicted end, last pass that made it, number of passes, 1 if it is kept but
   * has lost its place. Shares follow, and what it was made by.
   */
  Reserved = 7,
  /** What is planned for the watched job and not kept: as Reserved; start and end as of the last pass. */
  Planned = 8,
  /** It would delay the head: head, own end, the head's start, processors left beside, last pass, passes. */
  Delays = 9,
  /** It waits rather than shrink: site, free, turnaround now, wait, turnaround after waiting. */
  Deferred = 10,
  /** The watched job starts: first site. Free entries, after it took its own, and the details follow. */
  Started = 11,
  /** A site and its share of what is above. */
  Share = 12,

  /** The reservation above was made when a job ended: job. */
  ByEnd = 13,
  /** It was made when a job started on another site than it had reserved: job. */
  ByStart = 14,
  /** It has lost its place since the policy has the job wait. */
  ByPolicy = 15,

  /** From here on details of a decision. Sites of best-fit and fastest-first. */
  Nominated = 20,
  /** 1 in situation (a): it found the queue empty (Shih et al. 2010, Table 2). */
  Situation = 21,
  /** SH and its threshold (eqs. 3, 5). */
  Heterogeneity = 22,
  /** Numerator and denominator of SL, and its threshold (eqs. 4, 6). */
  Loading = 23,
  /** Speeds of S_bf and S_ff are compared (eq. 7). */
  Faster = 24,
  /** TNoA by best-fit and by fastest-first, the score, 1 if all that fit count (eqs. 8 to 12). */
  JobsPlaced = 25,
  /** TCC by best-fit and by fastest-first (eqs. 13 to 17). */
  CapacityPlaced = 26,
  /** A way to split: its MultiSite rule, its slowest speed, jobs behind that could start. Shares follow. */
  Split = 27,
  /** How far a site is from what a moldable job needs: site, distance. */
  Distance = 28,
  /** Turnarounds of a moldable job: as of Deferred, and the threshold. */
  Turnarounds = 29,
  /** What stopping could free: home, free, processors of jobs from elsewhere. */
  Reclaimable = 30,
  /**
   * It does not delay the head of its queue: head, own end, the head's start, processors left beside, and the
   * site where all this is.
   */
  Beside = 32,
  /** A site with room on which the job would delay a reservation: site. */
  Unsafe = 33,
  /** A candidate of the policy: place, 1 if in force, score, prospect, time of the last trial (-1: none). */
  Tried = 34,
  /** A candidate of the planner: start, predicted end (+infinity: not planned), its sites. Shares follow. */
  Candidate = 31,
}
