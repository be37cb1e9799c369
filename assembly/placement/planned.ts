import { Simulation } from '../state';
import * as columns from '../columns';
import { coallocatedTime } from '../grid/execution';
import { at } from '../memory';
import { startKept, startOnSeveral } from './commit';

/**
 * A job starts now as planned: on the sites of `chosenSites` with their shares, all its processors until its
 * end (Zhang et al. 2006). `predictedRuntime` is what it is predicted to take there.
 */
export function startPlanned(simulation: Simulation, job: i32, count: i32, predictedRuntime: f64): void {
  const execution = coallocatedTime(simulation, job, columns.chosenSites, count);
  if (count > 1) {
    startOnSeveral(simulation, job, count, execution, predictedRuntime);
    return;
  }
  const site = at<i32>(columns.chosenSites, 0);
  startKept(simulation, job, site, at<i32>(columns.chosenShares, 0), execution, predictedRuntime);
}
