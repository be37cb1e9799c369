import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at, put } from '../memory/memory';
import * as exact from '../sums/exactSum';

/** Log of the number of processors of each site that outages have taken, over time. */

/**
 * Records the number of processors that outages have taken of a site from now on, unless it is still
 * `goneProcessorsBefore`. The processors that were taken or given back are in the log from `logIndex` on.
 */
export function noteCapacityStep(
  simulation: Simulation,
  site: i32,
  goneProcessorsBefore: i32,
  logIndex: i32,
): void {
  const goneProcessors = at<i32>(columns.goneProcessors, site);
  if (goneProcessors === goneProcessorsBefore) return;
  const stepIndex = simulation.stepsLength++;
  put<f64>(columns.stepTimes, stepIndex, simulation.now);
  put<i32>(columns.stepProcessors, 2 * stepIndex, site);
  put<i32>(columns.stepProcessors, 2 * stepIndex + 1, goneProcessors);
  if (simulation.logCapacity > 0) put<i32>(columns.stepLogIndices, stepIndex, logIndex);
}

/** Records that an outage has ended a job, which does not run again. */
export function noteJobFailure(simulation: Simulation, job: i32): void {
  put<i32>(columns.failedJobs, simulation.failedLength++, job);
}

/** Computes the processor-seconds that outages had on each site between two times. */
export function measure(simulation: Simulation, from: f64, until: f64): void {
  for (let site = 0; site < simulation.siteCount; site++) {
    put<f64>(columns.siteOutages, site, outageSecondsOn(simulation, site, from, until));
  }
}

function outageSecondsOn(simulation: Simulation, site: i32, from: f64, until: f64): f64 {
  const sumAddress = columns.exactSum;
  exact.reset(sumAddress);
  let begin = from;
  let goneProcessors = 0;
  for (let stepIndex = 0; stepIndex < simulation.stepsLength; stepIndex++) {
    if (at<i32>(columns.stepProcessors, 2 * stepIndex) !== site) continue;
    const time = at<f64>(columns.stepTimes, stepIndex);
    addProcessorSeconds(sumAddress, goneProcessors, begin, min<f64>(time, until));
    begin = max<f64>(time, from);
    goneProcessors = at<i32>(columns.stepProcessors, 2 * stepIndex + 1);
  }
  addProcessorSeconds(sumAddress, goneProcessors, begin, until);
  return exact.roundedSum(sumAddress);
}

@inline
function addProcessorSeconds(sumAddress: usize, processors: i32, begin: f64, end: f64): void {
  if (end > begin) exact.add(sumAddress, <f64>processors * (end - begin));
}
