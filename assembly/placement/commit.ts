import { Simulation } from '../state';
import * as columns from '../columns';
import { CHECKED, Invariant, check } from '../check';
import * as finishQueue from '../events/finishQueue';
import { executionTime } from '../grid/execution';
import { beginSet, occupy, vacate } from '../grid/processors';
import { give, take } from '../grid/sites';
import { at, put } from '../memory';
import * as plan from '../planning/plan';
import * as predictions from '../planning/predictions';
import * as record from '../record/events';
import { RECORDED } from '../record/log';
import * as guests from './guests';

/** A decision becomes fact: the functions of this file are the only writers of site state. */

/** The job starts now on one site with all its processors. */
@inline
export function commit(simulation: Simulation, job: i32, site: i32): void {
  const processors = at<i32>(columns.processors, job);
  if (simulation.hasExtras !== 0) keepExtras(simulation, job, site, processors);
  if (RECORDED) record.took(simulation, job, site, processors);
  commitPlainly(simulation, job, site);
}

/** The same where nothing else is kept. */
@inline
export function commitPlainly(simulation: Simulation, job: i32, site: i32): void {
  take(simulation, site, at<i32>(columns.processors, job));
  launch(simulation, job, site, executionTime(simulation, job, site));
}

/** What else is kept of a job that starts on one site. */
function keepExtras(simulation: Simulation, job: i32, site: i32, processors: i32): void {
  if (simulation.logCapacity > 0) {
    beginSet(simulation, job);
    occupy(simulation, site, processors);
  }
  if (simulation.partCapacity > 0) put<i32>(columns.partIndices, job, -1);
  if (simulation.reclaim !== 0) guests.arrive(simulation, job, site);
}

/** Processors of a site are taken for the job at hand. */
@inline
export function hold(simulation: Simulation, site: i32, processors: i32): void {
  take(simulation, site, processors);
  if (simulation.logCapacity > 0) occupy(simulation, site, processors);
}

/** The job, whose processors are held, runs from now on; `site` is its first. */
@inline
export function launch(simulation: Simulation, job: i32, site: i32, execution: f64): void {
  put<f64>(columns.starts, job, simulation.now);
  put<f64>(columns.executions, job, execution);
  put<i32>(columns.sites, job, site);
  finishQueue.push(simulation, simulation.now + execution, job);
  if (RECORDED) record.launched(simulation, job, site);
}

/** The job that finishes soonest ends. */
@inline
export function finish(simulation: Simulation): i32 {
  const job = finishQueue.pop(simulation);
  if (CHECKED) check(finishQueue.soonestTime(simulation) >= simulation.now, Invariant.FinishOrder);
  release(simulation, job);
  return job;
}

/** The same where nothing is kept but free counts. */
@inline
export function finishPlainly(simulation: Simulation): void {
  const job = finishQueue.pop(simulation);
  if (CHECKED) check(finishQueue.soonestTime(simulation) >= simulation.now, Invariant.FinishOrder);
  give(simulation, at<i32>(columns.sites, job), at<i32>(columns.processors, job));
}

/** The processors of a job that no longer runs are free again. */
@inline
export function release(simulation: Simulation, job: i32): void {
  if (simulation.hasExtras !== 0) releaseWithExtras(simulation, job);
  else give(simulation, at<i32>(columns.sites, job), at<i32>(columns.processors, job));
  if (RECORDED) {
    if (simulation.hasExtras === 0) gaveAll(simulation, job);
  }
}

function gaveAll(simulation: Simulation, job: i32): void {
  record.gave(simulation, job, at<i32>(columns.sites, job), at<i32>(columns.processors, job));
}

function releaseWithExtras(simulation: Simulation, job: i32): void {
  const site = at<i32>(columns.sites, job);
  const processors = at<i32>(simulation.moldable !== 0 ? columns.held : columns.processors, job);
  if (simulation.partCapacity > 0 && at<i32>(columns.partIndices, job) >= 0) {
    releaseParts(simulation, job, processors);
    return;
  }
  give(simulation, site, processors);
  if (RECORDED) record.gave(simulation, job, site, processors);
  if (simulation.logCapacity > 0) vacate(simulation, at<i32>(columns.logIndices, job), site, processors);
  if (simulation.reclaim !== 0) guests.leave(simulation, job, site);
  if (simulation.hasPredictions !== 0) endPrediction(simulation, job, site, processors);
}

/** A job is not predicted to hold processors of a site any more. */
function endPrediction(simulation: Simulation, job: i32, site: i32, processors: i32): void {
  const end = at<f64>(columns.predictedEnds, job);
  const isOverdue = predictions.leave(site, end, processors);
  if (simulation.planHolds !== 0) plan.atEnd(simulation, end, isOverdue);
}

function releaseParts(simulation: Simulation, job: i32, processors: i32): void {
  let part = at<i32>(columns.partIndices, job);
  let pair = simulation.logCapacity > 0 ? at<i32>(columns.logIndices, job) : 0;
  while (processors > 0) {
    const site = at<i32>(columns.parts, 2 * part);
    const share = at<i32>(columns.parts, 2 * part + 1);
    give(simulation, site, share);
    if (RECORDED) record.gave(simulation, job, site, share);
    if (simulation.logCapacity > 0) pair = vacate(simulation, pair, site, share);
    if (simulation.hasPredictions !== 0) endPrediction(simulation, job, site, share);
    processors -= share;
    part++;
  }
}
