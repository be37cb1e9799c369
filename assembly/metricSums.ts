import { Simulation } from './state';
import * as columns from './columns';
import * as exact from './exactSum';
import { at } from './memory';

/** Sums over all jobs: their terms, and how they are rounded. */

/** Executions shorter than this count as this long in the bounded slowdown, in seconds. */
const SHORTEST_EXECUTION: f64 = 10;

/** Sums over all jobs. */
export enum Sum {
  Response,
  Wait,
  Queued,
  Slowdown,
  BoundedSlowdown,
  Weight,
  WeightedResponse,
  WeightedWait,
}

@inline
export function waitOf(job: i32): f64 {
  return at<f64>(columns.starts, job) - at<f64>(columns.submits, job);
}

@inline
export function responseOf(job: i32): f64 {
  return at<f64>(columns.starts, job) + at<f64>(columns.executions, job) - at<f64>(columns.submits, job);
}

/** The wait less what was spent in stopped runs. */
@inline
export function queuedOf(job: i32): f64 {
  return waitOf(job) - at<f64>(columns.lostTimes, job);
}

/** Wait and execution: not the response, a difference of times that may have swallowed a short execution. */
@inline
function stayOf(job: i32): f64 {
  return waitOf(job) + at<f64>(columns.executions, job);
}

@inline
export function slowdownOf(job: i32): f64 {
  const execution = at<f64>(columns.executions, job);
  return execution > 0 ? stayOf(job) / execution : 1;
}

@inline
export function boundedSlowdownOf(job: i32): f64 {
  const execution = at<f64>(columns.executions, job);
  return max<f64>(1, stayOf(job) / max<f64>(SHORTEST_EXECUTION, execution));
}

@inline
export function allocatedTo(simulation: Simulation, job: i32): i32 {
  return at<i32>(simulation.moldable !== 0 ? columns.allocated : columns.processors, job);
}

@inline
export function weightOf(simulation: Simulation, job: i32): f64 {
  return <f64>allocatedTo(simulation, job) * at<f64>(columns.executions, job);
}

/** A term of a sum, where it is added up anew. */
function termOf(simulation: Simulation, sum: Sum, job: i32): f64 {
  switch (sum) {
    case Sum.Response:
      return responseOf(job);
    case Sum.Wait:
      return waitOf(job);
    case Sum.Queued:
      return queuedOf(job);
    case Sum.Slowdown:
      return slowdownOf(job);
    case Sum.BoundedSlowdown:
      return boundedSlowdownOf(job);
    case Sum.Weight:
      return weightOf(simulation, job);
    case Sum.WeightedResponse:
      return weightOf(simulation, job) * responseOf(job);
    default:
      return weightOf(simulation, job) * waitOf(job);
  }
}

/** The exact sum, rounded once, from the double and what was lost beside it; see `exact.settled`. */
export function settle(simulation: Simulation, which: Sum, sum: f64, rest: f64, size: f64): f64 {
  const total = exact.settled(sum, rest, size, simulation.jobCount);
  if (!isNaN(total)) return total;
  exact.reset(columns.exactSum);
  for (let job = 0; job < simulation.jobCount; job++) {
    exact.add(columns.exactSum, termOf(simulation, which, job));
  }
  return exact.rounded(columns.exactSum);
}
