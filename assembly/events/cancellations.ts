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
function timeOf(simulation: Simulation, job: i32): f64 {
  if (simulation.hasCancellations === 2) return at<f64>(columns.departures, job);
  return at<f64>(columns.submits, job) + at<f64>(columns.patiences, job);
}

/** Notes when a job that a run gets to know is cancelled, if the host may say another time. */
export function know(job: i32, hasPatience: bool): void {
  const isCancelled = hasPatience && at<f64>(columns.patiences, job) >= 0;
  const departure =
    at<f64>(columns.submits, job) + (isCancelled ? at<f64>(columns.patiences, job) : Infinity);
  put<f64>(columns.departures, job, departure);
}

/** Cancels a job at a time in seconds, in place of any other time. It does not run. */
export function cancelAt(simulation: Simulation, job: i32, time: f64, isWaiting: bool): void {
  if (isWaiting) remove(simulation, job);
  setDeparture(simulation, job, time);
  if (isWaiting) rise(simulation, ++simulation.leavingJobs, job);
}

/** Records that the host cancels a job at a time in seconds. */
export function setDeparture(simulation: Simulation, job: i32, time: f64): void {
  if (!columns.isCancelled(simulation, job)) {
    simulation.removedJobs++;
    simulation.cancelledJobs++;
  }
  put<f64>(columns.departures, job, time);
}

/** Time of the next cancellation of a waiting job; +infinity if there is none. */
@inline
export function soonestTime(simulation: Simulation): f64 {
  return simulation.leavingJobs === 0 ? Infinity : timeOf(simulation, at<i32>(columns.leaving, 1));
}

/** Adds a submitted job, if it will be cancelled. */
export function submitted(simulation: Simulation, job: i32): void {
  if (columns.isCancelled(simulation, job)) rise(simulation, ++simulation.leavingJobs, job);
}

/** Removes and returns the waiting job that is cancelled next. */
export function takeSoonest(simulation: Simulation): i32 {
  const job = at<i32>(columns.leaving, 1);
  remove(simulation, job);
  return job;
}

/** Execution time in seconds of a job that starts now: until its end or its cancellation. */
export function executionUntil(simulation: Simulation, job: i32, execution: f64): f64 {
  if (!columns.isCancelled(simulation, job)) return execution;
  remove(simulation, job);
  return min<f64>(execution, timeOf(simulation, job) - simulation.now);
}

/** Gives the jobs in the heap the rows of `columns.rows`, which keep their order. */
export function renumber(simulation: Simulation): void {
  for (let place = 1; place <= simulation.leavingJobs; place++) {
    put<i32>(columns.leaving, place, at<i32>(columns.rows, at<i32>(columns.leaving, place)));
  }
}

@inline
function isBefore(simulation: Simulation, job: i32, other: i32): bool {
  const difference = timeOf(simulation, job) - timeOf(simulation, other);
  return difference < 0 || (difference === 0 && job < other);
}

@inline
function set(place: i32, job: i32): void {
  put<i32>(columns.leaving, place, job);
  put<i32>(columns.leavingPlaces, job, place);
}

/** Moves a job up from a place of the heap. */
function rise(simulation: Simulation, hole: i32, job: i32): void {
  for (; hole > 1 && isBefore(simulation, job, at<i32>(columns.leaving, hole >> 1)); hole >>= 1) {
    set(hole, at<i32>(columns.leaving, hole >> 1));
  }
  set(hole, job);
}

/** Removes a job, if it is in the heap. */
function remove(simulation: Simulation, job: i32): void {
  let hole = at<i32>(columns.leavingPlaces, job);
  if (hole === 0) return;
  put<i32>(columns.leavingPlaces, job, 0);
  const last = at<i32>(columns.leaving, simulation.leavingJobs--);
  const count = simulation.leavingJobs;
  if (hole > count) return;
  for (let child = hole << 1; child <= count; child = hole << 1) {
    if (
      child < count &&
      isBefore(simulation, at<i32>(columns.leaving, child + 1), at<i32>(columns.leaving, child))
    ) {
      child++;
    }
    set(hole, at<i32>(columns.leaving, child));
    hole = child;
  }
  rise(simulation, hole, last);
}
