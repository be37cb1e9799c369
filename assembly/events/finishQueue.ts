import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { CHECKED, Invariant, check } from '../memory/check';
import { at, move, put } from '../memory/memory';
import * as pool from '../memory/pool';

/**
 * Running jobs by finish time, equal times by job index. An entry is the time (f64) and a key (u64) of the
 * job and, above it, where it runs: its site, or its first allocation where more is kept of it
 * (below).
 *
 * Two representations of the same order:
 * - sorted array, latest first, so the soonest is at the end and leaves in O(1). Entry 0 is a sentinel
 *   of +infinity. Entering jobs shift those that end sooner: the cheapest of all structures while few run.
 * - binary min-heap in entries 1..running, once more than LARGE jobs run, until fewer than SMALL do. A
 *   reversed sorted array is a heap, and a heap sorted in place is the array, so changing over is cheap, and
 *   the distance between the two limits makes it rare.
 */
const LARGE: i32 = 1024;
const SMALL: i32 = 256;

/** Bytes of an entry. */
const ENTRY: usize = 16;

/** In the sorted array a run of entries longer than this is moved as one block of memory. */
const BLOCK: i32 = 128;

/** The job of a key. */
@inline
export function jobIn(key: u64): i32 {
  return <i32>key;
}

/** The site or the first allocation of a key. */
@inline
export function placeIn(key: u64): i32 {
  return <i32>(key >> 32);
}

@inline
function timeAt(finishes: usize, entry: i32): f64 {
  return at<f64>(finishes, 2 * entry);
}

@inline
function keyAt(finishes: usize, entry: i32): u64 {
  return at<u64>(finishes, 2 * entry + 1);
}

@inline
function write(finishes: usize, entry: i32, time: f64, key: u64): void {
  put<f64>(finishes, 2 * entry, time);
  put<u64>(finishes, 2 * entry + 1, key);
}

/** Copies an entry to another. */
@inline
function copy(finishes: usize, entry: i32, from: i32): void {
  write(finishes, entry, timeAt(finishes, from), keyAt(finishes, from));
}

/** Address of an entry: its time, then its key. */
@inline
export function entryAt(entry: i32): usize {
  return columns.finishes + ENTRY * <usize>entry;
}

/** Makes the queue empty. */
export function reset(simulation: Simulation): void {
  simulation.running = 0;
  simulation.finishHeap = 0;
  put<f64>(columns.finishes, 0, Infinity);
}

/** Entry of the soonest finish; the sentinel's when no job runs. */
@inline
function soonestEntry(simulation: Simulation): i32 {
  return simulation.finishHeap !== 0 ? 1 : simulation.running;
}

/** The soonest finish time, +infinity when no job runs. */
@inline
export function soonestTime(simulation: Simulation): f64 {
  return timeAt(columns.finishes, soonestEntry(simulation));
}

/** The job that finishes soonest. Only while a job runs. */
@inline
export function soonestJob(simulation: Simulation): i32 {
  return jobIn(keyAt(columns.finishes, soonestEntry(simulation)));
}

/** Whether an entry leaves before another. */
@inline
function before(time: f64, key: u64, otherTime: f64, otherKey: u64): bool {
  return time < otherTime || (time === otherTime && jobIn(key) < jobIn(otherKey));
}

/** A job enters that will finish at `time`; `place` is where it runs. */
export function push(simulation: Simulation, time: f64, job: i32, place: i32): void {
  const finishes = columns.finishes;
  if (CHECKED) {
    const most = min(simulation.jobCount, simulation.totalProcessors);
    check(simulation.running < most, Invariant.FinishOverflow);
  }
  if (simulation.finishHeap === 0 && simulation.running === LARGE) toHeap(simulation);
  const last = ++simulation.running;
  const key = ((<u64>place) << 32) | <u64>job;
  if (simulation.finishHeap !== 0) siftUp(finishes, last, time, key);
  else insert(finishes, last, time, key);
}

/** The key of the job that finishes soonest, which leaves. Only while a job runs. */
@inline
export function pop(simulation: Simulation): u64 {
  if (simulation.finishHeap !== 0) return popHeap(simulation);
  return keyAt(columns.finishes, simulation.running--);
}

function popHeap(simulation: Simulation): u64 {
  const finishes = columns.finishes;
  const last = simulation.running--;
  const key = keyAt(finishes, 1);
  siftDown(finishes, 1, last - 1, timeAt(finishes, last), keyAt(finishes, last));
  if (last - 1 === SMALL) toArray(simulation);
  return key;
}

/** A job that would finish at `time` leaves before it does. */
export function remove(simulation: Simulation, time: f64, job: i32): void {
  const finishes = columns.finishes;
  const last = simulation.running;
  if (simulation.finishHeap !== 0) {
    removeFromHeap(simulation, time, job);
    return;
  }
  const low = placeFor(finishes, last, time, job);
  if (CHECKED) check(jobIn(keyAt(finishes, low)) === job, Invariant.FinishOrder);
  move<u64>(finishes, 2 * low, finishes, 2 * low + 2, 2 * (last - low));
  simulation.running = last - 1;
}

/** The last entry fills the hole: upwards or downwards, whichever restores the heap. */
function removeFromHeap(simulation: Simulation, time: f64, job: i32): void {
  const finishes = columns.finishes;
  const last = simulation.running--;
  let hole = 1;
  while (jobIn(keyAt(finishes, hole)) !== job) hole++;
  if (CHECKED) check(hole <= last && timeAt(finishes, hole) === time, Invariant.FinishOrder);
  const lastTime = timeAt(finishes, last);
  const lastKey = keyAt(finishes, last);
  if (before(lastTime, lastKey, time, job)) siftUp(finishes, hole, lastTime, lastKey);
  else siftDown(finishes, hole, last - 1, lastTime, lastKey);
  if (last - 1 === SMALL) toArray(simulation);
}

function insert(finishes: usize, last: i32, time: f64, key: u64): void {
  if (last > BLOCK && timeAt(finishes, last - BLOCK) < time) {
    write(finishes, insertFar(finishes, last, time, key), time, key);
    return;
  }
  // By addresses, which is faster than by numbers. The sentinel ends it at the latest.
  let sooner = finishes + ENTRY * <usize>(last - 1);
  while (true) {
    for (; timeAt(sooner, 0) < time; sooner -= ENTRY) copy(sooner, 1, 0);
    // Equal times are rare.
    if (timeAt(sooner, 0) > time || jobIn(keyAt(sooner, 0)) > jobIn(key)) break;
    copy(sooner, 1, 0);
    sooner -= ENTRY;
  }
  write(sooner, 1, time, key);
}

/** The first entry of the sorted array below `end` that ends no later, else `end`: by bisection. */
function placeFor(finishes: usize, end: i32, time: f64, key: u64): i32 {
  let low = 1;
  while (low < end) {
    const middle = (low + end) >>> 1;
    if (before(time, key, timeAt(finishes, middle), keyAt(finishes, middle))) low = middle + 1;
    else end = middle;
  }
  return low;
}

/** Finds the place at or below `hole` and moves what ends sooner as one block. */
function insertFar(finishes: usize, hole: i32, time: f64, key: u64): i32 {
  const low = placeFor(finishes, hole, time, key);
  move<u64>(finishes, 2 * low + 2, finishes, 2 * low, 2 * (hole - low));
  return low;
}

function siftUp(finishes: usize, entry: i32, time: f64, key: u64): void {
  while (entry > 1) {
    const parent = entry >> 1;
    if (!before(time, key, timeAt(finishes, parent), keyAt(finishes, parent))) break;
    copy(finishes, entry, parent);
    entry = parent;
  }
  write(finishes, entry, time, key);
}

@inline
function isBefore(finishes: usize, entry: i32, other: i32): bool {
  const time = timeAt(finishes, entry);
  return before(time, keyAt(finishes, entry), timeAt(finishes, other), keyAt(finishes, other));
}

/** Fills a hole in a heap of `size` entries with the given job, or lower down where it belongs. */
function siftDown(finishes: usize, entry: i32, size: i32, time: f64, key: u64): void {
  for (let child = entry << 1; child <= size; child = entry << 1) {
    if (child < size && isBefore(finishes, child + 1, child)) child++;
    if (!before(timeAt(finishes, child), keyAt(finishes, child), time, key)) break;
    copy(finishes, entry, child);
    entry = child;
  }
  write(finishes, entry, time, key);
}

function toHeap(simulation: Simulation): void {
  const finishes = columns.finishes;
  for (let low = 1, high = simulation.running; low < high; low++, high--) {
    const time = timeAt(finishes, low);
    const key = keyAt(finishes, low);
    copy(finishes, low, high);
    write(finishes, high, time, key);
  }
  simulation.finishHeap = 1;
}

/** Heap sort in place: each soonest entry goes to the end of the shrinking heap. */
function toArray(simulation: Simulation): void {
  const finishes = columns.finishes;
  for (let size = simulation.running; size > 1; size--) {
    const time = timeAt(finishes, 1);
    const key = keyAt(finishes, 1);
    siftDown(finishes, 1, size - 1, timeAt(finishes, size), keyAt(finishes, size));
    write(finishes, size, time, key);
  }
  simulation.finishHeap = 0;
}

/**
 * What the end of a running job needs to know where a site and the job's processors do not suffice: an
 * allocation for each site that it runs on, in a list by `next`. The finish queue has the first. The number
 * of an allocation means nothing; 0 is none.
 */
@unmanaged
export class Allocation {
  /** The next one of the same job. */
  next: i32;
  job: i32;
  site: i32;
  processors: i32;
  start: f64;
  execution: f64;
  /** When the job is predicted to end; where ends are not predicted, its start. */
  predictedEnd: f64;
  /** The list of its processors, and the job's first pair in the log of them; grid/processors.ts. */
  runs: i32;
  logIndex: i32;
  /** Its neighbours among the remote jobs of its site; placement/remoteJobs.ts. */
  nextRemote: i32;
  previousRemote: i32;
}

/** Which jobs have allocations; of the others the finish queue has the complement of their sites. */
export enum Allocates {
  /** Those that were split. */
  Parts = 0,
  /** Those away from home, which may be stopped. */
  Remote = 1,
  All = 2,
}

/** Whether a job has an allocation that runs on one site. */
@inline
export function hasAllocation(simulation: Simulation, job: i32, site: i32): bool {
  const allocates = simulation.allocates;
  if (allocates === Allocates.Remote) return at<i32>(columns.homes, job) !== site;
  return allocates === Allocates.All;
}

/** Words of 8 bytes of this many allocations. */
export function wordsOf(allocations: i64): i64 {
  return (allocations + 1) * (offsetof<Allocation>() >> 3);
}

@inline
export function allocationAt(index: i32): Allocation {
  return changetype<Allocation>(columns.allocations + <usize>index * offsetof<Allocation>());
}

/** A new allocation; every field is the caller's to set. */
@inline
export function take(): i32 {
  return pool.take(columns.allocations, offsetof<Allocation>());
}

/** An allocation that has ended. */
@inline
export function giveBack(index: i32): void {
  pool.giveBack(columns.allocations, offsetof<Allocation>(), index);
}
