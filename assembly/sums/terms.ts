import { Limit } from '../abi/abi';
import { Simulation } from '../memory/state';
import { Sum, sumOfSite } from './sums';
import * as columns from '../memory/columns';
import { at } from '../memory/memory';

/** What sums take of a single job; formulas in docs/results.md. */

/** Of wait and execution; not of the response, which may have swallowed a short execution. */
@inline
export function slowdown(wait: f64, execution: f64): f64 {
  return execution > 0 ? (wait + execution) / execution : 1;
}

/** The same of executions that are short, too. */
@inline
export function boundedSlowdown(wait: f64, execution: f64): f64 {
  return greater(1, (wait + execution) / greater(<f64>Limit.BoundedExecution, execution));
}

/** The greater of two numbers from 0 on, whose bits are in their order: without a branch. */
@inline
export function greater(one: f64, other: f64): f64 {
  const bits = reinterpret<i64>(one);
  const others = reinterpret<i64>(other);
  return reinterpret<f64>(select<i64>(bits, others, bits > others));
}

/** Whether all times of a job are whole seconds. */
export function areWhole(submit: f64, start: f64, execution: f64): bool {
  return floor<f64>(submit) === submit && floor<f64>(start) === start && floor<f64>(execution) === execution;
}

/** What a job adds to a sum, as `addJobs` adds it. */
export function termOf(simulation: Simulation, index: i32, job: i32): f64 {
  const submit = at<f64>(columns.submits, job);
  const start = at<f64>(columns.starts, job);
  const execution = at<f64>(columns.executions, job);
  const wait = start - submit;
  const response = start + execution - submit;
  const allocated = at<i32>(simulation.moldable !== 0 ? columns.allocated : columns.processors, job);
  const weight = <f64>allocated * execution;
  const site = index - sumOfSite(simulation, 0);
  switch (index) {
    case Sum.Response:
      return response;
    case Sum.Wait:
      return wait;
    case Sum.Slowdown:
      return slowdown(wait, execution);
    case Sum.BoundedSlowdown:
      return boundedSlowdown(wait, execution);
    case Sum.Weight:
      return weight;
    case Sum.WeightedResponse:
      return weight * response;
    case Sum.WeightedWait:
      return weight * wait;
  }
  if (site < 0) return at<i32>(columns.homes, job) === index - Sum.COUNT ? response : 0;
  if (site === simulation.siteCount) return wait - at<f64>(columns.lostTimes, job);
  let part = simulation.partCapacity > 0 ? at<i32>(columns.partIndices, job) : -1;
  if (part < 0) return at<i32>(columns.sites, job) === site ? weight : 0;
  for (let rest = allocated; rest > 0; part++) {
    const share = at<i32>(columns.parts, 2 * part + 1);
    if (at<i32>(columns.parts, 2 * part) === site) return <f64>share * execution;
    rest -= share;
  }
  return 0;
}
