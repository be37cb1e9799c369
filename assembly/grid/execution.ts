import { Resolution } from '../abi';
import { Simulation } from '../state';
import * as columns from '../columns';
import { CHECKED, Invariant, check } from '../check';
import { at } from '../memory';
import { speedOf } from './sites';

/** The only reader of runtimes once a simulation runs: policies never see them. */

/** Seconds that a job takes on a site: resolve((runtime * load of its home) / speed), in this order. */
@inline
export function executionTime(simulation: Simulation, job: i32, site: i32): f64 {
  const home = at<i32>(columns.homes, job);
  const runtime = at<f64>(columns.runtimes, job);
  const load = at<f64>(columns.loads, home);
  const time = resolve(simulation.resolution, (runtime * load) / speedOf(site));
  if (CHECKED) check(time >= 0 && time < Infinity, Invariant.ExecutionTime);
  return time;
}

/**
 * Seconds that a split job takes: resolve((((1 + p) * runtime) * load of its home) / slowest speed), in this
 * order (Huang et al. 2007, section 6).
 */
export function splitExecutionTime(simulation: Simulation, job: i32, slowest: f64): f64 {
  const load = at<f64>(columns.loads, at<i32>(columns.homes, job));
  const runtime = (1 + simulation.multiSiteOverhead) * at<f64>(columns.runtimes, job);
  const time = resolve(simulation.resolution, (runtime * load) / slowest);
  if (CHECKED) check(time >= 0 && time < Infinity, Invariant.ExecutionTime);
  return time;
}

/** A time at the resolution of the run. */
@inline
function resolve(resolution: Resolution, time: f64): f64 {
  if (resolution === Resolution.Exact) return time;
  return floor<f64>(resolution === Resolution.Nearest ? time + 0.5 : time);
}
