import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { freeAt } from '../grid/sites';
import { at, move, put } from '../memory/memory';
import { Note } from './notes';

/**
 * What happens around one job, the watched one, while it waits, written down in the build for explanations
 * alone. All of it stands behind `if (RECORDED)`, so that it vanishes from the other builds, and it changes
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

/** Watches a job from now on; the block has 64 bytes for each of so many entries and details. */
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
