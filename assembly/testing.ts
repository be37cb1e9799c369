/**
 * Entry point of the build for unit tests: the whole interface, and probes of single parts. Never shipped.
 */
import { Jobs, simulationAt } from './memory/state';
import { attachSimulationAndJobs } from './memory/columns';
import * as exact from './sums/exactSum';
import * as finishQueue from './events/finishQueue';
import { returnProcessors, takeProcessors } from './grid/sites';
import { at } from './memory/memory';
import * as waiting from './queue/waiting';
import { PriorityRunKind } from './memory/runKind';

export * from './index';
export { Work, workDoneOfKind as workDone } from './memory/check';

/** Inserts a job into the finish queue of a begun simulation. */
export function pushFinish(simulation: usize, jobs: usize, time: f64, job: i32): void {
  attachSimulationAndJobs(simulationAt(simulation), changetype<Jobs>(jobs));
  finishQueue.push(simulationAt(simulation), time, job, 0);
}

/** Removes the job with the soonest finish and returns it. */
export function popFinish(simulation: usize, jobs: usize): i32 {
  attachSimulationAndJobs(simulationAt(simulation), changetype<Jobs>(jobs));
  return finishQueue.jobOfKey(finishQueue.pop(simulationAt(simulation)));
}

/** Soonest finish time in seconds. */
export function soonestFinish(simulation: usize, jobs: usize): f64 {
  attachSimulationAndJobs(simulationAt(simulation), changetype<Jobs>(jobs));
  return finishQueue.soonestFinishTime(simulationAt(simulation));
}

/** First of the jobs [job, end) with at most `processors` processors; `end` if none. */
export function nextNotWider(simulation: usize, jobs: usize, job: i32, end: i32, processors: i32): i32 {
  attachSimulationAndJobs(simulationAt(simulation), changetype<Jobs>(jobs));
  simulationAt(simulation).next = end;
  return waiting.nextJobNotWider(simulationAt(simulation), job, processors);
}

/** Takes processors of a site; a negative number gives them back. */
export function moveProcessors(simulation: usize, jobs: usize, site: i32, processors: i32): void {
  attachSimulationAndJobs(simulationAt(simulation), changetype<Jobs>(jobs));
  if (processors < 0) returnProcessors<PriorityRunKind>(simulationAt(simulation), site, -processors);
  else takeProcessors<PriorityRunKind>(simulationAt(simulation), site, processors);
}

/** Exact sum of doubles at an address; the second half is summed separately and joined. */
export function exactSum(values: usize, count: i32, sum: usize, other: usize): f64 {
  exact.reset(sum);
  exact.reset(other);
  for (let i = 0; i < count; i++) exact.add(i < count >> 1 ? sum : other, at<f64>(values, i));
  exact.addSum(sum, other);
  return exact.roundedSum(sum);
}

/** Rounded sum of doubles from their sum and its rounding error; NaN if these do not determine it. */
export function settledSum(values: usize, count: i32): f64 {
  let sum: f64 = 0;
  let errorSum: f64 = 0;
  let absoluteSum: f64 = 0;
  for (let i = 0; i < count; i++) {
    errorSum += exact.roundingErrorOfAddition(sum, at<f64>(values, i));
    sum += at<f64>(values, i);
    absoluteSum += abs<f64>(at<f64>(values, i));
  }
  return exact.roundedValueIfDetermined(sum, errorSum, absoluteSum, count);
}
