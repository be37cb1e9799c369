import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at, put } from '../memory/memory';

/**
 * Cancellations of waiting jobs, by time, ties by job index: a binary heap of jobs in entries
 * 1..leavingJobs, in which every job knows its place. A job enters at its submission, or when the host
 * cancels it, and leaves at its start or when it is cancelled.
 */

/** Time at which a job is cancelled. */
@inline
function cancellationTimeOf(simulation: Simulation, job: i32): f64 {
  if (simulation.hasCancellations === 2) return at<f64>(columns.cancellationTimes, job);
  return at<f64>(columns.submits, job) + at<f64>(columns.patiences, job);
}

/**
 * Stores the cancellation time of a job that a run gets to know, for runs in which the host may cancel jobs.
 */
export function noteCancellationTime(job: i32, hasPatience: bool): void {
  const isCancelled = hasPatience && at<f64>(columns.patiences, job) >= 0;
  const cancellationTime =
    at<f64>(columns.submits, job) + (isCancelled ? at<f64>(columns.patiences, job) : Infinity);
  put<f64>(columns.cancellationTimes, job, cancellationTime);
}

/** Cancels a job that does not run at a time in seconds, instead of at any earlier cancellation time. */
export function cancelAt(simulation: Simulation, job: i32, time: f64, isWaiting: bool): void {
  if (isWaiting) remove(simulation, job);
  setCancellationTime(simulation, job, time);
  if (isWaiting) siftUp(simulation, ++simulation.leavingJobs, job);
}

/** Records that the host cancels a job at a time in seconds, and counts the job. */
export function setCancellationTime(simulation: Simulation, job: i32, time: f64): void {
  if (!columns.isCancelled(simulation, job)) {
    simulation.removedJobs++;
    simulation.cancelledJobs++;
  }
  put<f64>(columns.cancellationTimes, job, time);
}

/** Time of the next cancellation of a waiting job; +infinity if there is none. */
@inline
export function soonestCancellationTime(simulation: Simulation): f64 {
  return simulation.leavingJobs === 0
    ? Infinity
    : cancellationTimeOf(simulation, at<i32>(columns.cancellationHeap, 1));
}

/** Adds a submitted job, if it will be cancelled. */
export function scheduleCancellation(simulation: Simulation, job: i32): void {
  if (columns.isCancelled(simulation, job)) siftUp(simulation, ++simulation.leavingJobs, job);
}

/** Removes and returns the waiting job that is cancelled next. */
export function takeSoonestCancelledJob(simulation: Simulation): i32 {
  const job = at<i32>(columns.cancellationHeap, 1);
  remove(simulation, job);
  return job;
}

/**
 * Execution time in seconds of a job that starts now: until its end or its cancellation. Removes the job from
 * the heap.
 */
export function executionTimeUntilCancellation(simulation: Simulation, job: i32, execution: f64): f64 {
  if (!columns.isCancelled(simulation, job)) return execution;
  remove(simulation, job);
  return min<f64>(execution, cancellationTimeOf(simulation, job) - simulation.now);
}

/** Gives the jobs in the heap the rows of `columns.rows`, which keep their order. */
export function renumberJobsInHeap(simulation: Simulation): void {
  for (let heapPlace = 1; heapPlace <= simulation.leavingJobs; heapPlace++) {
    put<i32>(
      columns.cancellationHeap,
      heapPlace,
      at<i32>(columns.rows, at<i32>(columns.cancellationHeap, heapPlace)),
    );
  }
}

@inline
function isCancelledBefore(simulation: Simulation, job: i32, otherJob: i32): bool {
  const difference = cancellationTimeOf(simulation, job) - cancellationTimeOf(simulation, otherJob);
  return difference < 0 || (difference === 0 && job < otherJob);
}

@inline
function placeInHeap(heapPlace: i32, job: i32): void {
  put<i32>(columns.cancellationHeap, heapPlace, job);
  put<i32>(columns.cancellationHeapPlaces, job, heapPlace);
}

/** Moves a job up from a place of the heap. */
function siftUp(simulation: Simulation, heapPlace: i32, job: i32): void {
  for (
    ;
    heapPlace > 1 && isCancelledBefore(simulation, job, at<i32>(columns.cancellationHeap, heapPlace >> 1));
    heapPlace >>= 1
  ) {
    placeInHeap(heapPlace, at<i32>(columns.cancellationHeap, heapPlace >> 1));
  }
  placeInHeap(heapPlace, job);
}

/** Removes a job, if it is in the heap. */
function remove(simulation: Simulation, job: i32): void {
  let heapPlace = at<i32>(columns.cancellationHeapPlaces, job);
  if (heapPlace === 0) return;
  put<i32>(columns.cancellationHeapPlaces, job, 0);
  const lastJob = at<i32>(columns.cancellationHeap, simulation.leavingJobs--);
  const leavingJobCount = simulation.leavingJobs;
  if (heapPlace > leavingJobCount) return;
  for (let child = heapPlace << 1; child <= leavingJobCount; child = heapPlace << 1) {
    if (
      child < leavingJobCount &&
      isCancelledBefore(
        simulation,
        at<i32>(columns.cancellationHeap, child + 1),
        at<i32>(columns.cancellationHeap, child),
      )
    ) {
      child++;
    }
    placeInHeap(heapPlace, at<i32>(columns.cancellationHeap, child));
    heapPlace = child;
  }
  siftUp(simulation, heapPlace, lastJob);
}
