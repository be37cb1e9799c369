import { Jobs, Resolution, Simulation } from '../abi';
import { CHECKED, Invariant, check } from '../check';
import { at, column } from '../memory';
import { speedOf } from './sites';

/** The only reader of runtimes once a simulation runs: policies never see them. */

/** Seconds that a job takes on a site: resolve((runtime * load of its home) / speed), in this order. */
@inline
export function executionTime(simulation: Simulation, jobs: Jobs, job: i32, site: i32): f64 {
  const home = at<i32>(column(changetype<usize>(jobs), jobs.home), job);
  const runtime = at<f64>(column(changetype<usize>(jobs), jobs.runtime), job);
  const load = at<f64>(column(changetype<usize>(simulation), simulation.load), home);
  const time = resolve(simulation.resolution, (runtime * load) / speedOf(simulation, site));
  if (CHECKED) check(time >= 0 && time < Infinity, Invariant.ExecutionTime);
  return time;
}

/** A time at the resolution of the run. */
@inline
function resolve(resolution: Resolution, time: f64): f64 {
  if (resolution === Resolution.Exact) return time;
  return floor<f64>(resolution === Resolution.Nearest ? time + 0.5 : time);
}
