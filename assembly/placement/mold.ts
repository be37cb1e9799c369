import { Moldable, MoldableFit } from '../abi';
import * as columns from '../columns';
import { estimateOf, moldedExecutionTime, predictedTime } from '../grid/execution';
import { beginSet } from '../grid/processors';
import { freeAt, speedOf } from '../grid/sites';
import { at, put } from '../memory';
import * as predictions from '../planning/predictions';
import { length } from '../queue/waiting';
import * as record from '../record/events';
import { RECORDED, note } from '../record/log';
import { Note } from '../record/notes';
import * as plans from '../record/plans';
import { Simulation } from '../state';
import { hold, launch } from './commit';

/**
 * Moldable jobs (Huang et al. 2009): a job for which no site has all its processors free may start on fewer,
 * and on one site a job that nobody waits behind may take all that are free.
 */

/** Starts a waiting job on as many processors as the rules give it; returns whether it did. */
export function startMolded(simulation: Simulation, job: i32): bool {
  const processors = at<i32>(columns.processors, job);
  let site = nearestSite(simulation, job, processors);
  let held = processors;
  if (site >= 0) {
    if (simulation.moldable === Moldable.UpDown && length(simulation) === 1) held = freeAt(site);
  } else {
    site = strongestSite(simulation);
    if (site < 0) return false;
    held = freeAt(site);
    if (simulation.moldableThreshold > 0 && waitIsBetter(simulation, job, site)) return false;
  }
  start(simulation, job, site, held);
  return true;
}

/** Among the sites with room for all the job's processors the one that fits best, or -1 (2009, Fig. 1). */
function nearestSite(simulation: Simulation, job: i32, processors: i32): i32 {
  const homeSpeed = speedOf(at<i32>(columns.homes, job));
  let nearest = -1;
  let least: f64 = Infinity;
  for (let site = 0; site < simulation.siteCount; site++) {
    const free = freeAt(site);
    if (free < processors) continue;
    const distance = distanceOf(simulation.moldableFit, <f64>free, <f64>processors, homeSpeed, speedOf(site));
    if (RECORDED) note(Note.Distance, <f64>site, distance);
    if (distance < least) {
      least = distance;
      nearest = site;
    }
  }
  return nearest;
}

@inline
function distanceOf(fit: i32, free: f64, processors: f64, homeSpeed: f64, speed: f64): f64 {
  if (fit === MoldableFit.Processors) return free;
  if (fit === MoldableFit.Power) return abs<f64>(free * speed - processors * homeSpeed);
  return abs<f64>(free - (processors * homeSpeed) / speed);
}

/** The site with the largest free processors * speed, or -1 when none has a free processor. */
function strongestSite(simulation: Simulation): i32 {
  let strongest = -1;
  let most: f64 = 0;
  for (let site = 0; site < simulation.siteCount; site++) {
    const power = <f64>freeAt(site) * speedOf(site);
    if (power > most) {
      most = power;
      strongest = site;
    }
  }
  return strongest;
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
  const length =
    processors <= capacity ? estimateOf(job) / speedOf(site) : predictedTime(simulation, job, capacity, site);
  if (RECORDED) noteTurnarounds(simulation, job, site, wait, wait + length);
  return !(predictedTime(simulation, job, free, site) <= simulation.moldableThreshold * (wait + length));
}

/** Writes down what decides whether a job is scaled down. */
function noteTurnarounds(simulation: Simulation, job: i32, site: i32, wait: f64, whole: f64): void {
  const free = freeAt(site);
  const threshold = simulation.moldableThreshold;
  const shrunk = predictedTime(simulation, job, free, site);
  note(Note.Turnarounds, <f64>site, <f64>free, shrunk, wait, whole, threshold);
  if (!(shrunk <= threshold * whole)) plans.deferred(simulation, site, shrunk, wait, whole);
}

function start(simulation: Simulation, job: i32, site: i32, held: i32): void {
  if (simulation.logCapacity > 0) beginSet(simulation, job);
  hold(simulation, site, held);
  if (RECORDED) record.took(simulation, job, site, held);
  put<i32>(columns.held, job, held);
  if (simulation.partCapacity > 0) put<i32>(columns.partIndices, job, -1);
  if (simulation.hasPredictions !== 0) {
    const end = simulation.now + predictedTime(simulation, job, held, site);
    put<f64>(columns.predictedEnds, job, end);
    predictions.enter(site, end, held);
  }
  launch(simulation, job, site, moldedExecutionTime(simulation, job, held, site));
}
