import { Simulation } from '../state';
import * as columns from '../columns';
import { CHECKED, Invariant, check } from '../check';
import * as finishQueue from '../events/finishQueue';
import { beginSet, occupy, vacate } from '../grid/processors';
import { give, take } from '../grid/sites';
import { at, put } from '../memory';
import * as plan from '../planning/plan';
import * as predictions from '../planning/predictions';
import * as record from '../record/allocations';
import { RECORDED } from '../record/log';
import * as remoteJobs from './remoteJobs';

/**
 * A placement becomes fact: the functions of this file are the only writers of site state. A placement is a
 * list of parts, each a site and so many of its processors, whatever chose them.
 */

/**
 * A job starts now on one site, which is what most placements are. `execution` is how long it will take, and
 * `predictedRuntime` how long it is predicted to (any number where ends are not predicted).
 */
@inline
export function startOn<R>(
  simulation: Simulation,
  job: i32,
  site: i32,
  processors: i32,
  execution: f64,
  predictedRuntime: f64 = 0,
): void {
  if (changetype<R>(0).hasExtras(simulation)) keepExtras(simulation, job, site, processors, predictedRuntime);
  allocate(simulation, job, site, processors);
  launch(simulation, job, site, execution);
}

/** The same with the first parts of `chosenSites` and `chosenShares`, which are kept in the log of parts. */
export function startOnSeveral(
  simulation: Simulation,
  job: i32,
  count: i32,
  execution: f64,
  predictedRuntime: f64 = 0,
): void {
  beginExtras(simulation, job, predictedRuntime);
  put<i32>(columns.partIndices, job, simulation.partsLength);
  for (let index = 0; index < count; index++) {
    const site = at<i32>(columns.chosenSites, index);
    const share = at<i32>(columns.chosenShares, index);
    keepPart(simulation, job, site, share);
    allocate(simulation, job, site, share);
    put<i32>(columns.parts, 2 * simulation.partsLength, site);
    put<i32>(columns.parts, 2 * simulation.partsLength + 1, share);
    simulation.partsLength++;
  }
  launch(simulation, job, at<i32>(columns.chosenSites, 0), execution);
}

/** What is kept of a job that starts on one site besides where it runs and when. */
function keepExtras(
  simulation: Simulation,
  job: i32,
  site: i32,
  processors: i32,
  predictedRuntime: f64,
): void {
  beginExtras(simulation, job, predictedRuntime);
  keepPart(simulation, job, site, processors);
  if (simulation.partCapacity > 0) put<i32>(columns.partIndices, job, -1);
  if (simulation.moldable !== 0) put<i32>(columns.allocated, job, processors);
  if (simulation.reclaim !== 0) remoteJobs.arrive(simulation, job, site);
}

/** What is kept of a job before its parts. */
@inline
function beginExtras(simulation: Simulation, job: i32, predictedRuntime: f64): void {
  if (simulation.logCapacity > 0) beginSet(simulation, job);
  if (simulation.hasPredictions !== 0) {
    put<f64>(columns.predictedEnds, job, simulation.now + predictedRuntime);
  }
}

/** What is kept of a part. */
@inline
function keepPart(simulation: Simulation, job: i32, site: i32, processors: i32): void {
  if (simulation.logCapacity > 0) occupy(simulation, site, processors);
  if (simulation.hasPredictions !== 0) {
    predictions.enter(site, at<f64>(columns.predictedEnds, job), processors);
  }
}

/** Processors of a site are taken for a job that starts. */
@inline
function allocate(simulation: Simulation, job: i32, site: i32, processors: i32): void {
  take(simulation, site, processors);
  if (RECORDED) record.allocated(simulation, job, site, processors);
}

/** A job that has its processors runs from now on; `site` is its first. */
@inline
function launch(simulation: Simulation, job: i32, site: i32, execution: f64): void {
  put<f64>(columns.starts, job, simulation.now);
  put<f64>(columns.executions, job, execution);
  put<i32>(columns.sites, job, site);
  finishQueue.push(simulation, simulation.now + execution, job);
  if (RECORDED) record.launched(simulation, job, site);
}

/** A job that has left the queue of finishes ends. */
@inline
export function finish<R>(simulation: Simulation, job: i32): void {
  if (CHECKED) check(finishQueue.soonestTime(simulation) >= simulation.now, Invariant.FinishOrder);
  if (changetype<R>(0).hasExtras(simulation)) {
    release(simulation, job);
  } else {
    const site = at<i32>(columns.sites, job);
    const processors = at<i32>(columns.processors, job);
    give(simulation, site, processors);
    if (RECORDED) record.released(simulation, job, site, processors);
  }
}

/** The processors of a job that no longer runs are free again, of all its parts. */
export function release(simulation: Simulation, job: i32): void {
  let rest = at<i32>(simulation.moldable !== 0 ? columns.allocated : columns.processors, job);
  let pair = simulation.logCapacity > 0 ? at<i32>(columns.logIndices, job) : 0;
  let part = simulation.partCapacity > 0 ? at<i32>(columns.partIndices, job) : -1;
  const isWhole = part < 0;
  if (simulation.reclaim !== 0) remoteJobs.leave(simulation, job, at<i32>(columns.sites, job));
  while (rest > 0) {
    const site = isWhole ? at<i32>(columns.sites, job) : at<i32>(columns.parts, 2 * part);
    const processors = isWhole ? rest : at<i32>(columns.parts, 2 * part + 1);
    give(simulation, site, processors);
    if (RECORDED) record.released(simulation, job, site, processors);
    if (simulation.logCapacity > 0) pair = vacate(simulation, pair, site, processors);
    if (simulation.hasPredictions !== 0) endPrediction(simulation, job, site, processors);
    rest -= processors;
    part++;
  }
}

/** A job is no longer predicted to have processors of a site. */
function endPrediction(simulation: Simulation, job: i32, site: i32, processors: i32): void {
  const end = at<f64>(columns.predictedEnds, job);
  const isOverdue = predictions.leave(site, end, processors);
  if (simulation.planHolds !== 0) plan.atEnd(simulation, end, isOverdue);
}
