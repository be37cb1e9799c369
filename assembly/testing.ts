/** A second entry point for unit tests: the whole interface and probes of single parts. Never shipped. */
import { Jobs, simulationAt } from './memory/state';
import { attach } from './memory/columns';
import * as exact from './sums/exactSum';
import * as finishQueue from './events/finishQueue';
import { give, take } from './grid/sites';
import { at } from './memory/memory';
import * as waiting from './queue/waiting';
import { PriorityRun } from './memory/runKind';

export * from './index';
export { Work, workDone } from './memory/check';

/** A job enters the finish queue of a simulation that has begun. */
export function pushFinish(simulation: usize, jobs: usize, time: f64, job: i32): void {
  attach(simulationAt(simulation), changetype<Jobs>(jobs));
  finishQueue.push(simulationAt(simulation), time, job, 0);
}

/** The job that finishes soonest leaves the finish queue. */
export function popFinish(simulation: usize, jobs: usize): i32 {
  attach(simulationAt(simulation), changetype<Jobs>(jobs));
  return finishQueue.jobIn(finishQueue.pop(simulationAt(simulation)));
}

/** The soonest finish time. */
export function soonestFinish(simulation: usize, jobs: usize): f64 {
  attach(simulationAt(simulation), changetype<Jobs>(jobs));
  return finishQueue.soonestTime(simulationAt(simulation));
}

/** The first of the jobs [job, end) that needs at most `processors`, or `end`. */
export function nextNotWider(simulation: usize, jobs: usize, job: i32, end: i32, processors: i32): i32 {
  attach(simulationAt(simulation), changetype<Jobs>(jobs));
  simulationAt(simulation).next = end;
  return waiting.nextNotWider(simulationAt(simulation), job, processors);
}

/** Takes processors of a site, or gives them back where the number is negative. */
export function moveProcessors(simulation: usize, jobs: usize, site: i32, processors: i32): void {
  attach(simulationAt(simulation), changetype<Jobs>(jobs));
  if (processors < 0) give<PriorityRun>(simulationAt(simulation), site, -processors);
  else take<PriorityRun>(simulationAt(simulation), site, processors);
}

/** The exact sum of doubles at an address; those behind the first half are summed apart and joined. */
export function exactSum(values: usize, count: i32, sum: usize, other: usize): f64 {
  exact.reset(sum);
  exact.reset(other);
  for (let i = 0; i < count; i++) exact.add(i < count >> 1 ? sum : other, at<f64>(values, i));
  exact.join(sum, other);
  return exact.rounded(sum);
}

/** The same from their sum in doubles and what is lost in that; NaN where this leaves it open. */
export function settledSum(values: usize, count: i32): f64 {
  let sum: f64 = 0;
  let rest: f64 = 0;
  let size: f64 = 0;
  for (let i = 0; i < count; i++) {
    rest += exact.lostIn(sum, at<f64>(values, i));
    sum += at<f64>(values, i);
    size += abs<f64>(at<f64>(values, i));
  }
  return exact.settled(sum, rest, size, count);
}
