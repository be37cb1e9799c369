import { Jobs, Simulation } from '../abi';
import * as columns from '../columns';
import { CHECKED, Invariant, check } from '../check';
import * as finishQueue from '../events/finishQueue';
import { executionTime } from '../grid/execution';
import { occupy, vacate } from '../grid/processors';
import { give, take } from '../grid/sites';
import { at, put } from '../memory';

/** A decision becomes fact: `commit` and `release` are the only writers of site state. */

/** The job starts now on a site with all its processors. */
@inline
export function commit(simulation: Simulation, jobs: Jobs, job: i32, site: i32): void {
  const processors = at<i32>(columns.processors, job);
  take(simulation, site, processors);
  if (simulation.logCapacity > 0) occupy(simulation, job, site, processors);
  const execution = executionTime(simulation, jobs, job, site);
  put<f64>(columns.starts, job, simulation.now);
  put<f64>(columns.executions, job, execution);
  put<i32>(columns.sites, job, site);
  finishQueue.push(simulation, simulation.now + execution, job);
}

/** The job that finishes soonest ends and gives its processors back. */
@inline
export function release(simulation: Simulation, jobs: Jobs): void {
  const job = finishQueue.pop(simulation);
  const site = at<i32>(columns.sites, job);
  const processors = at<i32>(columns.processors, job);
  give(simulation, site, processors);
  if (simulation.logCapacity > 0) vacate(simulation, job, site, processors);
  if (CHECKED) check(finishQueue.soonestTime(simulation) >= simulation.now, Invariant.FinishOrder);
}
