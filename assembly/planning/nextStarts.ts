import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at, put } from '../memory/memory';
import * as keyBounds from '../queue/keyBounds';
import { queueOfJob } from '../queue/priorityQueue';

/**
 * Jobs with a reservation on a single site, by planned start, ties in queue order: a binary heap in which
 * every job knows its position.
 */

/** Empties the heap. */
@inline
export function clearStarts(simulation: Simulation): void {
  simulation.nextStartCount = 0;
}

/** Inserts a job with its planned start in seconds and its site. */
export function pushStart(simulation: Simulation, job: i32, start: f64, site: i32): void {
  put<f64>(columns.plannedStarts, job, start);
  put<i32>(columns.plannedSites, job, site);
  siftUp(++simulation.nextStartCount, job);
}

/** Gives a job an earlier start in seconds, on a site; inserts it if it is not in the heap. */
export function moveStartEarlier(simulation: Simulation, job: i32, start: f64, site: i32): void {
  const place = at<i32>(columns.nextStartPlaces, job);
  if (place < 1 || place > simulation.nextStartCount || at<i32>(columns.nextStarts, place) !== job) {
    pushStart(simulation, job, start, site);
    return;
  }
  put<f64>(columns.plannedStarts, job, start);
  put<i32>(columns.plannedSites, job, site);
  siftUp(place, job);
}

/** Moves a job up from a position of the heap. */
function siftUp(heapPlace: i32, job: i32): void {
  const heap = columns.nextStarts;
  for (; heapPlace > 1 && startsBefore(job, at<i32>(heap, heapPlace >> 1)); heapPlace >>= 1)
    placeInHeap(heapPlace, at<i32>(heap, heapPlace >> 1));
  placeInHeap(heapPlace, job);
}

@inline
function placeInHeap(heapPlace: i32, job: i32): void {
  put<i32>(columns.nextStarts, heapPlace, job);
  put<i32>(columns.nextStartPlaces, job, heapPlace);
}

/** Soonest planned start; +infinity if none. */
@inline
export function soonestStart(simulation: Simulation): f64 {
  if (simulation.nextStartCount === 0) return Infinity;
  return at<f64>(columns.plannedStarts, at<i32>(columns.nextStarts, 1));
}

/** Job with the soonest planned start. */
@inline
export function firstJob(): i32 {
  return at<i32>(columns.nextStarts, 1);
}

/** Among the jobs with the soonest planned start, the first in queue order by current keys. */
export function firstJobByKeys(simulation: Simulation): i32 {
  return firstJobInSubheap(simulation, 1, firstJob());
}

/**
 * First in queue order of `bestJob` and the jobs with the soonest planned start in the part of the heap whose
 * root is at `heapPlace`.
 */
function firstJobInSubheap(simulation: Simulation, heapPlace: i32, bestJob: i32): i32 {
  if (heapPlace > simulation.nextStartCount) return bestJob;
  const job = at<i32>(columns.nextStarts, heapPlace);
  if (at<f64>(columns.plannedStarts, job) !== soonestStart(simulation)) return bestJob;
  const difference = queueOfJob(simulation, job) - queueOfJob(simulation, bestJob);
  const isSameStart = difference === 0;
  if (difference < 0 || (isSameStart && keyBounds.precedesInQueue(simulation, job, bestJob))) bestJob = job;
  return firstJobInSubheap(
    simulation,
    2 * heapPlace + 1,
    firstJobInSubheap(simulation, 2 * heapPlace, bestJob),
  );
}

/** Removes and returns the job with the soonest planned start. */
export function popStart(simulation: Simulation): i32 {
  const soonestJob = firstJob();
  removeStart(simulation, soonestJob);
  return soonestJob;
}

/** Removes a job, if it is in the heap. */
export function removeStart(simulation: Simulation, job: i32): void {
  const heap = columns.nextStarts;
  let heapPlace = at<i32>(columns.nextStartPlaces, job);
  if (heapPlace > simulation.nextStartCount || at<i32>(heap, heapPlace) !== job) return;
  const lastJob = at<i32>(heap, simulation.nextStartCount--);
  const remainingStartCount = simulation.nextStartCount;
  if (heapPlace > remainingStartCount) return;
  // The last job comes from the bottom, and mostly returns there, so it is compared only on the way up.
  for (let child = heapPlace << 1; child <= remainingStartCount; child = heapPlace << 1) {
    // Without a branch, which would often be predicted wrongly.
    if (child < remainingStartCount)
      child += i32(startsBefore(at<i32>(heap, child + 1), at<i32>(heap, child)));
    placeInHeap(heapPlace, at<i32>(heap, child));
    heapPlace = child;
  }
  siftUp(heapPlace, lastJob);
}

@inline
function startsBefore(job: i32, otherJob: i32): bool {
  const difference = at<f64>(columns.plannedStarts, job) - at<f64>(columns.plannedStarts, otherJob);
  if (difference !== 0) return difference < 0;
  return at<i32>(columns.rankOf, job) < at<i32>(columns.rankOf, otherJob);
}
