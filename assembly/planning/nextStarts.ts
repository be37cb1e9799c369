import { Simulation } from '../state';
import * as columns from '../columns';
import { at, put } from '../memory';

/**
 * Jobs with a reservation on a single site by their planned starts, equal starts in the order of the queue: a
 * binary heap.
 */

/** No job has a reservation. */
@inline
export function reset(simulation: Simulation): void {
  simulation.nextStartCount = 0;
}

/** A job is planned to start at a time on a site. */
export function push(simulation: Simulation, job: i32, start: f64, site: i32): void {
  put<f64>(columns.plannedStarts, job, start);
  put<i32>(columns.plannedSites, job, site);
  const heap = columns.nextStarts;
  let hole = ++simulation.nextStartCount;
  while (hole > 1 && isBefore(job, at<i32>(heap, hole >> 1))) {
    put<i32>(heap, hole, at<i32>(heap, hole >> 1));
    hole >>= 1;
  }
  put<i32>(heap, hole, job);
}

/** The soonest planned start; +infinity when there is none. */
@inline
export function soonest(simulation: Simulation): f64 {
  if (simulation.nextStartCount === 0) return Infinity;
  return at<f64>(columns.plannedStarts, at<i32>(columns.nextStarts, 1));
}

/** The job that is planned to start soonest leaves. */
export function pop(simulation: Simulation): i32 {
  const heap = columns.nextStarts;
  const soonestJob = at<i32>(heap, 1);
  const last = at<i32>(heap, simulation.nextStartCount--);
  const count = simulation.nextStartCount;
  let hole = 1;
  for (let child = 2; child <= count; child = hole << 1) {
    if (child < count && isBefore(at<i32>(heap, child + 1), at<i32>(heap, child))) child++;
    if (!isBefore(at<i32>(heap, child), last)) break;
    put<i32>(heap, hole, at<i32>(heap, child));
    hole = child;
  }
  put<i32>(heap, hole, last);
  return soonestJob;
}

@inline
function isBefore(job: i32, other: i32): bool {
  const difference = at<f64>(columns.plannedStarts, job) - at<f64>(columns.plannedStarts, other);
  if (difference !== 0) return difference < 0;
  return at<i32>(columns.rankOf, job) < at<i32>(columns.rankOf, other);
}
