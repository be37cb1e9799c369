import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { coallocatedTime, timeAlone } from '../grid/execution';
import { at } from '../memory/memory';
import { startKept, startOnSeveral } from './commit';

/**
 * A job starts now as planned: on the sites of `chosenSites` with their shares, all its processors until its
 * end (Zhang et al. 2006). `predictedRuntime` is what it is predicted to take there.
 */
export function startPlanned(simulation: Simulation, job: i32, count: i32, predictedRuntime: f64): void {
  if (count === 1) {
    startAlone(simulation, job, at<i32>(columns.chosenSites, 0), predictedRuntime);
    return;
  }
  const execution = coallocatedTime(simulation, job, columns.chosenSites, count);
  startOnSeveral(simulation, job, count, execution, predictedRuntime);
}

/** The same on one site. */
@inline
export function startAlone(simulation: Simulation, job: i32, site: i32, predictedRuntime: f64): void {
  const execution = timeAlone(simulation, job, site);
  startKept(simulation, job, site, at<i32>(columns.processors, job), execution, predictedRuntime);
}
