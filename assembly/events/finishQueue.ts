import { Simulation } from '../state';
import * as columns from '../columns';
import { CHECKED, Invariant, check } from '../check';
import { at, move, put, putNext } from '../memory';

/**
 * Running jobs by finish time, equal times by job index; keys (f64) and jobs (i32) in columns of their own.
 *
 * Two representations of the same order:
 * - sorted array, latest first, so the soonest stands at the end and leaves in O(1). Entry 0 is a sentinel of
 *   +infinity. Entering jobs shift those that end sooner: the cheapest of all structures while few run.
 * - binary min-heap in entries 1..running, once more than LARGE jobs run, until fewer than SMALL do.
 * A reversed sorted array is a heap, and a heap sorted in place is the array, so changing over is cheap, and
 * the distance between the two limits makes it rare.
 */
const LARGE: i32 = 1024;
const SMALL: i32 = 256;

/** In the sorted array a run of entries longer than this is moved as one block of memory. */
const BLOCK: i32 = 128;

/** Makes the queue empty. */
export function reset(simulation: Simulation): void {
  simulation.running = 0;
  simulation.finishHeap = 0;
  put<f64>(columns.finishTimes, 0, Infinity);
}

/** Entry of the soonest finish; the sentinel's when no job runs. */
@inline
function soonestEntry(simulation: Simulation): i32 {
  return simulation.finishHeap !== 0 ? 1 : simulation.running;
}

/** The soonest finish time, +infinity when no job runs. */
@inline
export function soonestTime(simulation: Simulation): f64 {
  return at<f64>(columns.finishTimes, soonestEntry(simulation));
}

@inline
function before(time: f64, job: i32, otherTime: f64, otherJob: i32): bool {
  return time < otherTime || (time === otherTime && job < otherJob);
}

/** A job enters that will finish at `time`. */
export function push(simulation: Simulation, time: f64, job: i32): void {
  const times = columns.finishTimes;
  const jobs = columns.finishJobs;
  if (CHECKED) {
    const most = min(simulation.jobCount, simulation.totalProcessors);
    check(simulation.running < most, Invariant.FinishOverflow);
  }
  if (simulation.finishHeap === 0 && simulation.running === LARGE) toHeap(times, jobs, simulation);
  const last = ++simulation.running;
  if (simulation.finishHeap !== 0) siftUp(times, jobs, last, time, job);
  else insert(times, jobs, last, time, job);
}

/** The job that finishes soonest. Only while a job runs. */
@inline
export function soonestJob(simulation: Simulation): i32 {
  return at<i32>(columns.finishJobs, soonestEntry(simulation));
}

/** The job that finishes soonest leaves. Only while a job runs. */
@inline
export function pop(simulation: Simulation): i32 {
  if (simulation.finishHeap !== 0) return popHeap(simulation);
  const jobs = columns.finishJobs;
  return at<i32>(jobs, simulation.running--);
}

function popHeap(simulation: Simulation): i32 {
  const times = columns.finishTimes;
  const jobs = columns.finishJobs;
  const last = simulation.running--;
  const job = at<i32>(jobs, 1);
  siftDown(times, jobs, 1, last - 1, at<f64>(times, last), at<i32>(jobs, last));
  if (last - 1 === SMALL) toArray(times, jobs, simulation);
  return job;
}

/** A job that would finish at `time` leaves before it does. */
export function remove(simulation: Simulation, time: f64, job: i32): void {
  const times = columns.finishTimes;
  const jobs = columns.finishJobs;
  const last = simulation.running;
  if (simulation.finishHeap !== 0) {
    removeFromHeap(simulation, time, job);
    return;
  }
  let low = 1;
  let high = last;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (before(time, job, at<f64>(times, middle), at<i32>(jobs, middle))) low = middle + 1;
    else high = middle;
  }
  if (CHECKED) check(at<i32>(jobs, low) === job, Invariant.FinishOrder);
  move<f64>(times, low, times, low + 1, last - low);
  move<i32>(jobs, low, jobs, low + 1, last - low);
  simulation.running = last - 1;
}

/** The last entry fills the hole: upwards or downwards, whichever restores the heap. */
function removeFromHeap(simulation: Simulation, time: f64, job: i32): void {
  const times = columns.finishTimes;
  const jobs = columns.finishJobs;
  const last = simulation.running--;
  let hole = 1;
  while (at<i32>(jobs, hole) !== job) hole++;
  if (CHECKED) check(hole <= last && at<f64>(times, hole) === time, Invariant.FinishOrder);
  const lastTime = at<f64>(times, last);
  const lastJob = at<i32>(jobs, last);
  if (before(lastTime, lastJob, time, job)) siftUp(times, jobs, hole, lastTime, lastJob);
  else siftDown(times, jobs, hole, last - 1, lastTime, lastJob);
  if (last - 1 === SMALL) toArray(times, jobs, simulation);
}

function insert(times: usize, jobs: usize, last: i32, time: f64, job: i32): void {
  let sooner = last - 1;
  if (last > BLOCK && at<f64>(times, last - BLOCK) < time) {
    sooner = insertFar(times, jobs, last, time, job) - 1;
  } else {
    // The sentinel ends it at the latest.
    while (true) {
      for (; at<f64>(times, sooner) < time; sooner--) shift(times, jobs, sooner);
      // Equal times are rare.
      if (at<f64>(times, sooner) > time || at<i32>(jobs, sooner) > job) break;
      shift(times, jobs, sooner--);
    }
  }
  putNext<f64>(times, sooner, time);
  putNext<i32>(jobs, sooner, job);
}

/** Moves an entry to the next. */
@inline
function shift(times: usize, jobs: usize, entry: i32): void {
  putNext<f64>(times, entry, at<f64>(times, entry));
  putNext<i32>(jobs, entry, at<i32>(jobs, entry));
}

/** Finds the place at or below `hole` by bisection and moves what ends sooner as one block. */
function insertFar(times: usize, jobs: usize, hole: i32, time: f64, job: i32): i32 {
  let low = 1;
  let high = hole;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (before(at<f64>(times, middle), at<i32>(jobs, middle), time, job)) high = middle;
    else low = middle + 1;
  }
  move<f64>(times, low + 1, times, low, hole - low);
  move<i32>(jobs, low + 1, jobs, low, hole - low);
  return low;
}

function siftUp(times: usize, jobs: usize, entry: i32, time: f64, job: i32): void {
  while (entry > 1) {
    const parent = entry >> 1;
    const parentTime = at<f64>(times, parent);
    const parentJob = at<i32>(jobs, parent);
    if (!before(time, job, parentTime, parentJob)) break;
    put<f64>(times, entry, parentTime);
    put<i32>(jobs, entry, parentJob);
    entry = parent;
  }
  put<f64>(times, entry, time);
  put<i32>(jobs, entry, job);
}

/** Fills a hole in a heap of `size` entries with the given job, or lower down where it belongs. */
function siftDown(times: usize, jobs: usize, entry: i32, size: i32, time: f64, job: i32): void {
  for (let child = entry << 1; child <= size; child = entry << 1) {
    if (
      child < size &&
      before(at<f64>(times, child + 1), at<i32>(jobs, child + 1), at<f64>(times, child), at<i32>(jobs, child))
    ) {
      child++;
    }
    const childTime = at<f64>(times, child);
    const childJob = at<i32>(jobs, child);
    if (!before(childTime, childJob, time, job)) break;
    put<f64>(times, entry, childTime);
    put<i32>(jobs, entry, childJob);
    entry = child;
  }
  put<f64>(times, entry, time);
  put<i32>(jobs, entry, job);
}

function toHeap(times: usize, jobs: usize, simulation: Simulation): void {
  for (let low = 1, high = simulation.running; low < high; low++, high--) {
    const time = at<f64>(times, low);
    const job = at<i32>(jobs, low);
    put<f64>(times, low, at<f64>(times, high));
    put<i32>(jobs, low, at<i32>(jobs, high));
    put<f64>(times, high, time);
    put<i32>(jobs, high, job);
  }
  simulation.finishHeap = 1;
}

/** Heap sort in place: each soonest entry goes to the end of the shrinking heap. */
function toArray(times: usize, jobs: usize, simulation: Simulation): void {
  for (let size = simulation.running; size > 1; size--) {
    const time = at<f64>(times, 1);
    const job = at<i32>(jobs, 1);
    siftDown(times, jobs, 1, size - 1, at<f64>(times, size), at<i32>(jobs, size));
    put<f64>(times, size, time);
    put<i32>(jobs, size, job);
  }
  simulation.finishHeap = 0;
}
