import { Moldable, Option } from '../abi/abi';
import { chooseFit, chooseStrongest } from '../allocators/moldable';
import * as columns from '../memory/columns';
import { moldedExecutionTime, predictedTime, workOf } from '../grid/execution';
import { freeAt, speedOf } from '../grid/sites';
import { at } from '../memory/memory';
import * as predictions from '../planning/predictions';
import { behind } from '../queue/waiting';
import { RECORDED, note } from '../record/log';
import { Note } from '../record/notes';
import * as reservations from '../record/reservations';
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
    site = chooseStrongest(simulation);
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
  if (!(shrunk <= threshold * whole)) reservations.deferred(simulation, site, shrunk, wait, whole);
}

function start(simulation: Simulation, job: i32, site: i32, processors: i32): void {
  const execution = moldedExecutionTime(simulation, job, processors, site);
  const predicts = simulation.hasPredictions !== 0;
  const predictedRuntime = predicts ? predictedTime(simulation, job, processors, site) : 0;
  startKept(simulation, job, site, processors, execution, predictedRuntime);
}
