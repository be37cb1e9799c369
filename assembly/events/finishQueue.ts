import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { IS_CHECKED_BUILD, Invariant, check } from '../memory/check';
import { at, moveEntries, put } from '../memory/memory';
import * as pool from '../memory/pool';

/**
 * Running jobs by finish time, ties by job index. An entry is the time (f64) and a key (u64): the job in the
 * low half, its `place` in the high half. The place is the site or, if allocations are stored (below), the
 * first allocation.
 *
 * Two representations of the same order:
 * - A sorted array, latest first, so that the soonest entry is at the end and is removed in O(1). Entry 0 is
 * a sentinel of +infinity. Insertion shifts the entries that end sooner; for few jobs this is the fastest
 * structure.
 * - A binary min-heap in entries 1..runningJobs, from more than HEAP_ABOVE jobs until ARRAY_FROM are left. A
 * reversed sorted array is a heap, and sorting a heap in place gives the array, so a change of representation
 * is cheap; the distance between the limits makes it rare.
 */
const MAX_ARRAY_LENGTH: i32 = 256;
const BACK_TO_ARRAY_LENGTH: i32 = 64;

const ENTRY_BYTES: usize = 16;

/** Length above which a range of entries of the sorted array is moved as one memory block. */
const BLOCK_MOVE_LENGTH: i32 = 128;

/** Job in the lower half of a key. */
@inline
export function jobOfKey(key: u64): i32 {
  return <i32>key;
}

/** Place in the upper half of a key: a site or, if allocations are stored, the first allocation. */
@inline
export function siteOrAllocationOfKey(key: u64): i32 {
  return <i32>(key >> 32);
}

@inline
function finishTimeAt(finishesAddress: usize, entry: i32): f64 {
  return at<f64>(finishesAddress, 2 * entry);
}

@inline
function finishKeyAt(finishesAddress: usize, entry: i32): u64 {
  return at<u64>(finishesAddress, 2 * entry + 1);
}

@inline
function writeEntry(finishesAddress: usize, entry: i32, time: f64, key: u64): void {
  put<f64>(finishesAddress, 2 * entry, time);
  put<u64>(finishesAddress, 2 * entry + 1, key);
}

@inline
function copyEntry(finishesAddress: usize, entry: i32, from: i32): void {
  writeEntry(finishesAddress, entry, finishTimeAt(finishesAddress, from), finishKeyAt(finishesAddress, from));
}

/** Address of an entry: its time, then its key. */
@inline
export function finishEntryAt(entry: i32): usize {
  return columns.finishes + ENTRY_BYTES * <usize>entry;
}

/** Empties the queue. The sentinel comes after all jobs, also after those that end at +infinity. */
export function reset(simulation: Simulation): void {
  simulation.runningJobs = 0;
  simulation.finishHeap = 0;
  writeEntry(columns.finishes, 0, Infinity, <u64>i32.MAX_VALUE);
}

/** Entry of a running job; 0 if it does not run. */
export function finishEntryOfJob(simulation: Simulation, job: i32): i32 {
  let entry = simulation.runningJobs;
  while (entry > 0 && jobOfKey(finishKeyAt(columns.finishes, entry)) !== job) entry--;
  return entry;
}

/** True if the end of a running job is unknown. */
export function hasJobWithUnknownEnd(simulation: Simulation): bool {
  let entry = simulation.runningJobs;
  while (entry > 0 && finishTimeAt(columns.finishes, entry) < Infinity) entry--;
  return entry > 0;
}

/** Finish time of an entry, +infinity if it is unknown. */
@inline
export function finishTimeOfEntry(entry: i32): f64 {
  return finishTimeAt(columns.finishes, entry);
}

/** Key of an entry. */
@inline
export function finishKeyOfEntry(entry: i32): u64 {
  return finishKeyAt(columns.finishes, entry);
}

/** Index of the entry with the soonest finish; the sentinel if no job runs. */
@inline
function soonestEntry(simulation: Simulation): i32 {
  return simulation.finishHeap !== 0 ? 1 : simulation.runningJobs;
}

/** Soonest finish time, +infinity if no job runs. */
@inline
export function soonestFinishTime(simulation: Simulation): f64 {
  return finishTimeAt(columns.finishes, soonestEntry(simulation));
}

/** Job with the soonest finish. Requires a running job. */
@inline
export function soonestJob(simulation: Simulation): i32 {
  return jobOfKey(finishKeyAt(columns.finishes, soonestEntry(simulation)));
}

/** True if the first entry finishes before the second. */
@inline
function finishesBefore(time: f64, key: u64, otherTime: f64, otherKey: u64): bool {
  return time < otherTime || (time === otherTime && jobOfKey(key) < jobOfKey(otherKey));
}

/** Gives the running jobs the rows of `columns.rows`, which keep their order. */
export function renumberRunningJobs(simulation: Simulation): void {
  for (let entry = 1; entry <= simulation.runningJobs; entry++) {
    const key = finishKeyAt(columns.finishes, entry);
    const job = at<i32>(columns.rows, jobOfKey(key));
    put<u64>(columns.finishes, 2 * entry + 1, (key & ~(<u64>u32.MAX_VALUE)) | <u64>job);
    if (simulation.hasExtras === 0 || siteOrAllocationOfKey(key) < 0) continue;
    for (let place = siteOrAllocationOfKey(key); place !== 0; place = allocationAt(place).next)
      allocationAt(place).job = job;
  }
}

/** Inserts a job that finishes at `time`; `place` is its site or first allocation. */
export function push(simulation: Simulation, time: f64, job: i32, place: i32): void {
  const finishesAddress = columns.finishes;
  if (IS_CHECKED_BUILD) {
    const maxRunningJobCount = min(simulation.jobCount, simulation.totalProcessors);
    check(simulation.runningJobs < maxRunningJobCount, Invariant.FinishOverflow);
  }
  if (simulation.finishHeap === 0 && simulation.runningJobs === MAX_ARRAY_LENGTH) turnIntoHeap(simulation);
  const lastEntryIndex = ++simulation.runningJobs;
  const key = ((<u64>place) << 32) | <u64>job;
  if (simulation.finishHeap !== 0) siftUp(finishesAddress, lastEntryIndex, time, key);
  else insertIntoArray(finishesAddress, lastEntryIndex, time, key);
}

/** Removes the job with the soonest finish and returns its key. Requires a running job. */
@inline
export function pop(simulation: Simulation): u64 {
  if (simulation.finishHeap !== 0) return popFromHeap(simulation);
  return finishKeyAt(columns.finishes, simulation.runningJobs--);
}

function popFromHeap(simulation: Simulation): u64 {
  const finishesAddress = columns.finishes;
  const lastEntryIndex = simulation.runningJobs--;
  const key = finishKeyAt(finishesAddress, 1);
  siftDown(
    finishesAddress,
    1,
    lastEntryIndex - 1,
    finishTimeAt(finishesAddress, lastEntryIndex),
    finishKeyAt(finishesAddress, lastEntryIndex),
  );
  if (lastEntryIndex - 1 === BACK_TO_ARRAY_LENGTH) turnIntoArray(simulation);
  return key;
}

/** Removes a job that would finish at `time`, because it ends earlier. */
export function remove(simulation: Simulation, time: f64, job: i32): void {
  const finishesAddress = columns.finishes;
  const lastEntryIndex = simulation.runningJobs;
  if (simulation.finishHeap !== 0) {
    removeFromHeap(simulation, time, job);
    return;
  }
  const position = insertPositionFor(finishesAddress, lastEntryIndex, time, job);
  if (IS_CHECKED_BUILD)
    check(jobOfKey(finishKeyAt(finishesAddress, position)) === job, Invariant.FinishOrder);
  moveEntries<u64>(
    finishesAddress,
    2 * position,
    finishesAddress,
    2 * position + 2,
    2 * (lastEntryIndex - position),
  );
  simulation.runningJobs = lastEntryIndex - 1;
}

/**
 * Removes an entry of the heap: the last entry fills its place and moves up or down, whichever restores the
 * heap.
 */
function removeFromHeap(simulation: Simulation, time: f64, job: i32): void {
  const finishesAddress = columns.finishes;
  const lastEntryIndex = simulation.runningJobs--;
  let freeEntryIndex = 1;
  while (jobOfKey(finishKeyAt(finishesAddress, freeEntryIndex)) !== job) freeEntryIndex++;
  if (IS_CHECKED_BUILD)
    check(
      freeEntryIndex <= lastEntryIndex && finishTimeAt(finishesAddress, freeEntryIndex) === time,
      Invariant.FinishOrder,
    );
  const lastTime = finishTimeAt(finishesAddress, lastEntryIndex);
  const lastKey = finishKeyAt(finishesAddress, lastEntryIndex);
  if (finishesBefore(lastTime, lastKey, time, job))
    siftUp(finishesAddress, freeEntryIndex, lastTime, lastKey);
  else siftDown(finishesAddress, freeEntryIndex, lastEntryIndex - 1, lastTime, lastKey);
  if (lastEntryIndex - 1 === BACK_TO_ARRAY_LENGTH) turnIntoArray(simulation);
}

function insertIntoArray(finishesAddress: usize, lastEntry: i32, time: f64, key: u64): void {
  if (lastEntry > BLOCK_MOVE_LENGTH && finishTimeAt(finishesAddress, lastEntry - BLOCK_MOVE_LENGTH) < time) {
    writeEntry(finishesAddress, insertByBisection(finishesAddress, lastEntry, time, key), time, key);
    return;
  }
  // Walks by address, which is faster than by index. The sentinel ends the loop.
  let soonerEntryAddress = finishesAddress + ENTRY_BYTES * <usize>(lastEntry - 1);
  while (true) {
    for (; finishTimeAt(soonerEntryAddress, 0) < time; soonerEntryAddress -= ENTRY_BYTES)
      copyEntry(soonerEntryAddress, 1, 0);
    // Tests the time first, because equal times are rare.
    if (
      finishTimeAt(soonerEntryAddress, 0) > time ||
      jobOfKey(finishKeyAt(soonerEntryAddress, 0)) > jobOfKey(key)
    )
      break;
    copyEntry(soonerEntryAddress, 1, 0);
    soonerEntryAddress -= ENTRY_BYTES;
  }
  writeEntry(soonerEntryAddress, 1, time, key);
}

/** First entry of the sorted array below `end` that ends no later, otherwise `end`; by bisection. */
function insertPositionFor(finishesAddress: usize, end: i32, time: f64, key: u64): i32 {
  let position = 1;
  while (position < end) {
    const middle = (position + end) >>> 1;
    if (
      finishesBefore(time, key, finishTimeAt(finishesAddress, middle), finishKeyAt(finishesAddress, middle))
    )
      position = middle + 1;
    else end = middle;
  }
  return position;
}

/**
 * Makes room in the sorted array of ends for a new one: finds its index, at most `freeEntryIndex`, by
 * bisection, and moves the entries behind it, which end sooner, by one. Returns the index.
 */
function insertByBisection(finishesAddress: usize, freeEntryIndex: i32, time: f64, key: u64): i32 {
  const position = insertPositionFor(finishesAddress, freeEntryIndex, time, key);
  moveEntries<u64>(
    finishesAddress,
    2 * position + 2,
    finishesAddress,
    2 * position,
    2 * (freeEntryIndex - position),
  );
  return position;
}

function siftUp(finishesAddress: usize, entry: i32, time: f64, key: u64): void {
  while (entry > 1) {
    const parent = entry >> 1;
    if (
      !finishesBefore(time, key, finishTimeAt(finishesAddress, parent), finishKeyAt(finishesAddress, parent))
    )
      break;
    copyEntry(finishesAddress, entry, parent);
    entry = parent;
  }
  writeEntry(finishesAddress, entry, time, key);
}

@inline
function finishesBeforeEntry(finishesAddress: usize, entry: i32, other: i32): bool {
  const time = finishTimeAt(finishesAddress, entry);
  return finishesBefore(
    time,
    finishKeyAt(finishesAddress, entry),
    finishTimeAt(finishesAddress, other),
    finishKeyAt(finishesAddress, other),
  );
}

/** Inserts a job into a heap of `size` entries, at `entry` or below it. */
function siftDown(finishesAddress: usize, entry: i32, size: i32, time: f64, key: u64): void {
  for (let child = entry << 1; child <= size; child = entry << 1) {
    // Without a branch, which would often be predicted wrongly.
    if (child < size) child += i32(finishesBeforeEntry(finishesAddress, child + 1, child));
    if (!finishesBefore(finishTimeAt(finishesAddress, child), finishKeyAt(finishesAddress, child), time, key))
      break;
    copyEntry(finishesAddress, entry, child);
    entry = child;
  }
  writeEntry(finishesAddress, entry, time, key);
}

function turnIntoHeap(simulation: Simulation): void {
  const finishesAddress = columns.finishes;
  for (let low = 1, high = simulation.runningJobs; low < high; low++, high--) {
    const time = finishTimeAt(finishesAddress, low);
    const key = finishKeyAt(finishesAddress, low);
    copyEntry(finishesAddress, low, high);
    writeEntry(finishesAddress, high, time, key);
  }
  simulation.finishHeap = 1;
}

/** Sorts the heap in place: each soonest entry moves to the end of the shrinking heap. */
function turnIntoArray(simulation: Simulation): void {
  const finishesAddress = columns.finishes;
  for (let size = simulation.runningJobs; size > 1; size--) {
    const time = finishTimeAt(finishesAddress, 1);
    const key = finishKeyAt(finishesAddress, 1);
    siftDown(
      finishesAddress,
      1,
      size - 1,
      finishTimeAt(finishesAddress, size),
      finishKeyAt(finishesAddress, size),
    );
    writeEntry(finishesAddress, size, time, key);
  }
  simulation.finishHeap = 0;
}

/**
 * Data about the allocation of a running job, beyond its site and number of processors: one entry
 * per site of the job, linked by `next`. The finish queue refers to the first. Indices of
 * allocations are arbitrary; 0 means none.
 */
@unmanaged
export class Allocation {
  /** Next allocation of the same job. */
  next: i32;
  job: i32;
  site: i32;
  processors: i32;
  start: f64;
  execution: f64;
  /** Predicted end of the job in seconds; its start if ends are not predicted. */
  predictedEnd: f64;
  /** Head of the list of its processors, and its first pair in the log of processors; grid/processors.ts. */
  runs: i32;
  logIndex: i32;
  /** Neighbours in the site's list of remote jobs; placement/remoteJobs.ts. */
  nextRemote: i32;
  previousRemote: i32;
}

/**
 * Kinds of jobs that have allocation entries. For other jobs the finish queue stores the complement
 * of the site.
 */
export enum AllocationRule {
  /** Split jobs. */
  Parts = 0,
  /** Jobs away from home, which may be preempted. */
  Remote = 1,
  All = 2,
}

/** True if an allocation is stored for a job that runs on one site. */
@inline
export function hasAllocation(simulation: Simulation, job: i32, site: i32): bool {
  const allocationRule = simulation.allocationRule;
  if (allocationRule === AllocationRule.Remote) return at<i32>(columns.homes, job) !== site;
  return allocationRule === AllocationRule.All;
}

/** Size of `allocationCount` allocations in words of 8 bytes. */
export function allocationWordCount(allocationCount: i64): i64 {
  return (allocationCount + 1) * (offsetof<Allocation>() >> 3);
}

@inline
export function allocationAt(index: i32): Allocation {
  return changetype<Allocation>(columns.allocations + <usize>index * offsetof<Allocation>());
}

/** Takes an unused allocation; the caller sets every field. */
@inline
export function takeAllocation(): i32 {
  return pool.takeEntry(columns.allocations, offsetof<Allocation>());
}

/** Returns an allocation that has ended. */
@inline
export function returnAllocation(index: i32): void {
  pool.returnEntry(columns.allocations, offsetof<Allocation>(), index);
}
