import { Moldable, Option, MoldableFit } from '../abi/abi';
import * as columns from '../memory/columns';
import { moldedExecutionTime, predictedMoldedTime, predictedWork } from '../grid/execution';
import { freeProcessorsAt, speedOf } from '../grid/sites';
import { at } from '../memory/memory';
import * as predictions from '../planning/predictions';
import { nextBehind } from '../queue/waiting';
import { IS_RECORDING_BUILD, note, Note } from '../record/log';
import * as record from '../record/allocations';
import { Simulation } from '../memory/state';
import { startJobWithReservation } from './commit';

/**
 * Moldable jobs (Huang et al. 2009): a job that fits on no site may start on fewer processors, and on a grid
 * of one site, the only waiting job may take all free processors.
 */

/** Starts a waiting job on the number of processors that the rules allow; returns true if it started. */
export function startMoldedJob(simulation: Simulation, job: i32): bool {
  const processors = at<i32>(columns.processors, job);
  let site = chooseFittingSite(simulation, job);
  let allocatedProcessors = processors;
  if (site >= 0) {
    if (simulation.moldable === Moldable.UpDown && nextBehind(simulation, job) < 0)
      allocatedProcessors = freeProcessorsAt(site);
  } else {
    // Site with the largest free processors * speed, if any processor is free.
    site = siteWithLeastValue<NegatedPower>(simulation, 1, 0);
    if (site < 0) return false;
    allocatedProcessors = freeProcessorsAt(site);
    if (columns.optionOfRun(Option.MoldableThreshold) > 0 && wouldWaitingBeBetter(simulation, job, site))
      return false;
  }
  startJobOnProcessors(simulation, job, site, allocatedProcessors);
  return true;
}

/**
 * True if Tsd > x * To: Tsd is the predicted turnaround, from now, on all free processors of the site; To the
 * one if the job waits for its own number of processors, or for the whole site if that is smaller. False on a
 * wholly free site.
 */
function wouldWaitingBeBetter(simulation: Simulation, job: i32, site: i32): bool {
  const freeProcessors = freeProcessorsAt(site);
  const capacity = at<i32>(columns.capacities, site);
  if (freeProcessors === capacity) return false;
  const processors = at<i32>(columns.processors, job);
  const neededProcessors = min(processors, capacity);
  const wait = predictions.secondsUntilReleased(site, neededProcessors - freeProcessors, simulation.now);
  const predictedRuntime =
    processors <= capacity
      ? predictedWork(job) / speedOf(site)
      : predictedMoldedTime(simulation, job, capacity, site);
  if (IS_RECORDING_BUILD) recordTurnarounds(simulation, job, site, wait, wait + predictedRuntime);
  const turnaroundOnFreeProcessors = predictedMoldedTime(simulation, job, freeProcessors, site);
  return !(
    turnaroundOnFreeProcessors <=
    columns.optionOfRun(Option.MoldableThreshold) * (wait + predictedRuntime)
  );
}

/** Records the turnarounds that decide the scaling of a job. */
function recordTurnarounds(
  simulation: Simulation,
  job: i32,
  site: i32,
  wait: f64,
  turnaroundAfterWaiting: f64,
): void {
  const freeProcessors = freeProcessorsAt(site);
  const threshold = columns.optionOfRun(Option.MoldableThreshold);
  const turnaroundOnFreeProcessors = predictedMoldedTime(simulation, job, freeProcessors, site);
  note(
    Note.Turnarounds,
    <f64>site,
    <f64>freeProcessors,
    turnaroundOnFreeProcessors,
    wait,
    turnaroundAfterWaiting,
    threshold,
  );
  if (!(turnaroundOnFreeProcessors <= threshold * turnaroundAfterWaiting))
    record.noteDeferredJob(simulation, site, turnaroundOnFreeProcessors, wait, turnaroundAfterWaiting);
}

function startJobOnProcessors(simulation: Simulation, job: i32, site: i32, processors: i32): void {
  const execution = moldedExecutionTime(simulation, job, processors, site);
  const usesPredictions = simulation.hasPredictions !== 0;
  const predictedRuntime = usesPredictions ? predictedMoldedTime(simulation, job, processors, site) : 0;
  startJobWithReservation(simulation, job, site, processors, execution, predictedRuntime);
}

/** Allocators of moldable jobs (Huang et al. 2009, Fig. 1). */

/** Best site by `MoldableFit` among those on which the whole job fits; -1 if none. */
@inline
export function chooseFittingSite(simulation: Simulation, job: i32): i32 {
  const processors = at<i32>(columns.processors, job);
  const homeSpeed = speedOf(at<i32>(columns.homes, job));
  switch (simulation.moldableFit) {
    case MoldableFit.Processors:
      return siteWithLeastValue<FreeProcessors>(simulation, processors, homeSpeed);
    case MoldableFit.Power:
      return siteWithLeastValue<PowerDistance>(simulation, processors, homeSpeed);
    default:
      return siteWithLeastValue<ProcessorDistance>(simulation, processors, homeSpeed);
  }
}

/**
 * Value of a site for `siteWithLeastValue`: distance between its free processors and the number that gives
 * the job its computing power at home.
 */
@final
@unmanaged
class ProcessorDistance {
  @inline
  of(site: i32, freeProcessors: f64, processors: f64, homeSpeed: f64): f64 {
    return noteSiteDistance(site, abs<f64>(freeProcessors - (processors * homeSpeed) / speedOf(site)));
  }
}

/** Value of a site for `siteWithLeastValue`: its number of free processors. */
@final
@unmanaged
class FreeProcessors {
  @inline
  of(site: i32, freeProcessors: f64, processors: f64, homeSpeed: f64): f64 {
    return noteSiteDistance(site, freeProcessors);
  }
}

/**
 * Value of a site for `siteWithLeastValue`: distance between its free computing power and the job's at home.
 */
@final
@unmanaged
class PowerDistance {
  @inline
  of(site: i32, freeProcessors: f64, processors: f64, homeSpeed: f64): f64 {
    return noteSiteDistance(site, abs<f64>(freeProcessors * speedOf(site) - processors * homeSpeed));
  }
}

/** Value of a site for `siteWithLeastValue`: its free computing power, negated. */
@final
@unmanaged
class NegatedPower {
  @inline
  of(site: i32, freeProcessors: f64, processors: f64, homeSpeed: f64): f64 {
    return -(freeProcessors * speedOf(site));
  }
}

@inline
function noteSiteDistance(site: i32, siteDistance: f64): f64 {
  if (IS_RECORDING_BUILD) note(Note.Distance, <f64>site, siteDistance);
  return siteDistance;
}

/**
 * Site with the least value by `M` among those with at least this many free processors, ties by index; -1 if
 * none. `M` values a site for a job with this width and home speed.
 */
@inline
function siteWithLeastValue<M>(simulation: Simulation, processors: i32, homeSpeed: f64): i32 {
  let bestSite = -1;
  let leastValue: f64 = Infinity;
  for (let site = 0; site < simulation.siteCount; site++) {
    const freeProcessors = freeProcessorsAt(site);
    if (freeProcessors < processors) continue;
    const siteValue = changetype<M>(0).of(site, <f64>freeProcessors, <f64>processors, homeSpeed);
    if (siteValue < leastValue) {
      leastValue = siteValue;
      bestSite = site;
    }
  }
  return bestSite;
}
