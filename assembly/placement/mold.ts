import { Moldable, Option, MoldableFit } from '../abi/abi';
import * as columns from '../memory/columns';
import { moldedExecutionTime, predictedTime, workOf } from '../grid/execution';
import { freeAt, speedOf } from '../grid/sites';
import { at } from '../memory/memory';
import * as predictions from '../planning/predictions';
import { behind } from '../queue/waiting';
import { RECORDED, note, Note } from '../record/log';
import * as record from '../record/allocations';
import { Simulation } from '../memory/state';
import { startKept } from './commit';

/**
 * Moldable jobs (Huang et al. 2009): a job for which no site has all its processors free may start on fewer,
 * and on one site the only waiting job may take all that are free.
 */

/** Starts a waiting job on as many processors as the rules give it; returns whether it did. */
export function startMolded(simulation: Simulation, job: i32): bool {
  const processors = at<i32>(columns.processors, job);
  let site = chooseFit(simulation, job);
  let allocated = processors;
  if (site >= 0) {
    if (simulation.moldable === Moldable.UpDown && behind(simulation, job) < 0) allocated = freeAt(site);
  } else {
    // The one with the most free processors * speed, if any processor is free.
    site = least<LackOfPower>(simulation, 1, 0);
    if (site < 0) return false;
    allocated = freeAt(site);
    if (columns.taken(Option.MoldableThreshold) > 0 && waitIsBetter(simulation, job, site)) return false;
  }
  start(simulation, job, site, allocated);
  return true;
}

/**
 * Whether Tsd > x * To: Tsd is the predicted turnaround, from now, on all that is free on the site, To the
 * one when the job waits for its processors, or for the whole site if that is smaller. Never on a wholly free
 * site.
 */
function waitIsBetter(simulation: Simulation, job: i32, site: i32): bool {
  const free = freeAt(site);
  const capacity = at<i32>(columns.capacities, site);
  if (free === capacity) return false;
  const processors = at<i32>(columns.processors, job);
  const needed = min(processors, capacity);
  const wait = predictions.timeUntil(site, needed - free, simulation.now);
  const predictedRuntime =
    processors <= capacity ? workOf(job) / speedOf(site) : predictedTime(simulation, job, capacity, site);
  if (RECORDED) noteTurnarounds(simulation, job, site, wait, wait + predictedRuntime);
  const shrunk = predictedTime(simulation, job, free, site);
  return !(shrunk <= columns.taken(Option.MoldableThreshold) * (wait + predictedRuntime));
}

/** Writes down what decides whether a job is scaled down. */
function noteTurnarounds(simulation: Simulation, job: i32, site: i32, wait: f64, whole: f64): void {
  const free = freeAt(site);
  const threshold = columns.taken(Option.MoldableThreshold);
  const shrunk = predictedTime(simulation, job, free, site);
  note(Note.Turnarounds, <f64>site, <f64>free, shrunk, wait, whole, threshold);
  if (!(shrunk <= threshold * whole)) record.deferred(simulation, site, shrunk, wait, whole);
}

function start(simulation: Simulation, job: i32, site: i32, processors: i32): void {
  const execution = moldedExecutionTime(simulation, job, processors, site);
  const predicts = simulation.hasPredictions !== 0;
  const predictedRuntime = predicts ? predictedTime(simulation, job, processors, site) : 0;
  startKept(simulation, job, site, processors, execution, predictedRuntime);
}

/** Allocators of moldable jobs (Huang et al. 2009, Fig. 1). */

/** The site that fits a job best among those on which all its processors fit, or -1. */
@inline
export function chooseFit(simulation: Simulation, job: i32): i32 {
  const processors = at<i32>(columns.processors, job);
  const homeSpeed = speedOf(at<i32>(columns.homes, job));
  switch (simulation.moldableFit) {
    case MoldableFit.Processors:
      return least<FreeProcessors>(simulation, processors, homeSpeed);
    case MoldableFit.Power:
      return least<PowerDistance>(simulation, processors, homeSpeed);
    default:
      return least<ProcessorDistance>(simulation, processors, homeSpeed);
  }
}

/** How far the free processors are from those that would do what the job's own do at home. */
@final
@unmanaged
class ProcessorDistance {
  @inline
  of(site: i32, free: f64, processors: f64, homeSpeed: f64): f64 {
    return noted(site, abs<f64>(free - (processors * homeSpeed) / speedOf(site)));
  }
}

/** How many processors are free. */
@final
@unmanaged
class FreeProcessors {
  @inline
  of(site: i32, free: f64, processors: f64, homeSpeed: f64): f64 {
    return noted(site, free);
  }
}

/** How far the free computing power is from what the job has at home. */
@final
@unmanaged
class PowerDistance {
  @inline
  of(site: i32, free: f64, processors: f64, homeSpeed: f64): f64 {
    return noted(site, abs<f64>(free * speedOf(site) - processors * homeSpeed));
  }
}

/** The less the more computing power is free. */
@final
@unmanaged
class LackOfPower {
  @inline
  of(site: i32, free: f64, processors: f64, homeSpeed: f64): f64 {
    return -(free * speedOf(site));
  }
}

@inline
function noted(site: i32, distance: f64): f64 {
  if (RECORDED) note(Note.Distance, <f64>site, distance);
  return distance;
}

/**
 * Of the sites with this many processors free, the one with the least value, equal values by index; -1 when
 * there is none. `M` values a site for a job with this many processors and such a speed at home.
 */
@inline
function least<M>(simulation: Simulation, processors: i32, homeSpeed: f64): i32 {
  let best = -1;
  let bestValue: f64 = Infinity;
  for (let site = 0; site < simulation.siteCount; site++) {
    const free = freeAt(site);
    if (free < processors) continue;
    const value = changetype<M>(0).of(site, <f64>free, <f64>processors, homeSpeed);
    if (value < bestValue) {
      bestValue = value;
      best = site;
    }
  }
  return best;
}
