import { Simulation } from '../memory/state';
import { speedOf } from '../grid/sites';
import { at } from '../memory/memory';
import { queuedProcessors } from '../queue/waiting';
import { IS_RECORDING_BUILD, note, Note } from '../record/log';

/** Conditions on queue, speeds and load that the threshold methods test. */

/**
 * Situation (a): the job found the queue empty and this is the pass at its submission (Shih et al. 2010,
 * Table 2).
 */
@inline
export function hasFoundQueueEmpty(simulation: Simulation, job: i32): bool {
  if (IS_RECORDING_BUILD) note(Note.Situation, <f64>i32(simulation.arrivingJob === job));
  return simulation.arrivingJob === job;
}

/** SH > threshold: site speeds differ much (Shih et al. 2010, eqs. 3, 5). */
@inline
export function isHeterogeneityAbove(simulation: Simulation, threshold: f64): bool {
  if (IS_RECORDING_BUILD) note(Note.Heterogeneity, simulation.speedHeterogeneity, threshold);
  return simulation.speedHeterogeneity > threshold;
}

/**
 * SL > threshold: the queue requests many processors compared with the free ones (Shih et al. 2010, eqs. 4,
 * 6). Multiplied out instead of divided; the denominator of SL is at least one processor.
 */
@inline
export function isLoadAbove(simulation: Simulation, job: i32, threshold: f64): bool {
  const requestedProcessors = queuedProcessors(simulation, job);
  const freeProcessors = <f64>max<i64>(1, simulation.freeProcessors);
  if (IS_RECORDING_BUILD) note(Note.Loading, requestedProcessors, freeProcessors, threshold);
  return requestedProcessors > threshold * freeProcessors;
}

/** Number of SL thresholds that the current load exceeds; thresholds are in ascending order. */
@inline
export function countThresholdsBelowLoad(
  simulation: Simulation,
  job: i32,
  thresholdsAddress: usize,
  thresholdCount: i32,
): i32 {
  const requestedProcessors = queuedProcessors(simulation, job);
  const freeProcessors = <f64>max<i64>(1, simulation.freeProcessors);
  let exceededThresholdCount = 0;
  for (let index = 0; index < thresholdCount; index++)
    exceededThresholdCount += i32(requestedProcessors > at<f64>(thresholdsAddress, index) * freeProcessors);
  return exceededThresholdCount;
}

/** True if fastest-first's site is strictly faster than best-fit's (Shih et al. 2010, eq. 7). */
@inline
export function isFastestSiteFaster(simulation: Simulation, bestFitSite: i32, fastestFirstSite: i32): bool {
  if (IS_RECORDING_BUILD) note(Note.Faster, speedOf(bestFitSite), speedOf(fastestFirstSite));
  return speedOf(bestFitSite) < speedOf(fastestFirstSite);
}
