import { Option } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { IS_CHECKED_BUILD, Invariant, check } from '../memory/check';
import * as cancellations from '../events/cancellations';
import * as finishQueue from '../events/finishQueue';
import { Allocation, allocationAt, hasAllocation } from '../events/finishQueue';
import { predictedTimeWithoutTransfer } from '../grid/execution';
import {
  beginProcessorSet,
  occupyProcessors,
  occupyChosenNodes,
  removeProcessors,
  restoreProcessors,
  vacateProcessors,
} from '../grid/processors';
import { returnProcessors, takeProcessors } from '../grid/sites';
import { at, put } from '../memory/memory';
import * as limits from './limits';
import * as usage from '../queue/usage';
import * as keptPlan from '../planning/keptPlan';
import * as plan from '../planning/plan';
import * as predictions from '../planning/predictions';
import * as record from '../record/allocations';
import { IS_RECORDING_BUILD } from '../record/log';
import * as kind from '../memory/runKind';
import { PriorityRunKind } from '../memory/runKind';
import * as remoteJobs from './remoteJobs';

/** Site of a job that never started. */
const NO_SITE: i32 = -1;

/**
 * Executes placements. Only the functions of this file change the state of sites. A placement is a list of
 * parts, each a site and a number of its processors.
 */

/**
 * Starts a job on one site, the most common placement. `execution` is its execution time in seconds,
 * `predictedRuntime` the predicted one (0 if ends are not predicted).
 */
@inline
export function startJobOnSite<R>(
  simulation: Simulation,
  job: i32,
  site: i32,
  processors: i32,
  execution: f64,
): void {
  let place = site;
  if (kind.hasExtras<R>(simulation)) {
    if (hasAllocation(simulation, job, site)) {
      startUnplannedJob(simulation, job, site, processors, execution);
      return;
    }
    if (simulation.partCapacity > 0) put<i32>(columns.partIndices, job, -1);
    place = ~site;
  }
  if (kind.hasCancellations<R>(simulation)) {
    execution = cancellations.executionTimeUntilCancellation(simulation, job, execution);
  }
  allocateProcessors<R>(simulation, job, site, processors);
  recordStart(simulation, job, site, execution, place);
  if (kind.hasPriorityQueue<R>(simulation)) countJobInMetrics(simulation, job);
  if (kind.keepsAccounts<R>(simulation)) usage.countStartedJob(simulation, job);
  if (kind.hasLimits<R>(simulation)) limits.countStartedJob(simulation, job);
}

/** Starts a job with an allocation; its end is predicted if candidates may have rules of their own. */
function startUnplannedJob(
  simulation: Simulation,
  job: i32,
  site: i32,
  processors: i32,
  execution: f64,
): void {
  const predictedRuntime =
    simulation.hasRules !== 0 ? predictedTimeWithoutTransfer(simulation, job, site) : 0;
  startJobWithReservation(simulation, job, site, processors, execution, predictedRuntime);
}

/** Starts a job with an allocation and a predicted end. */
export function startJobWithReservation(
  simulation: Simulation,
  job: i32,
  site: i32,
  processors: i32,
  execution: f64,
  predictedRuntime: f64,
): void {
  if (kind.hasCancellations<PriorityRunKind>(simulation)) {
    execution = cancellations.executionTimeUntilCancellation(simulation, job, execution);
  }
  const place = storeAllocation(simulation, job, site, processors, execution, predictedRuntime);
  allocateProcessors<PriorityRunKind>(simulation, job, site, processors);
  recordStart(simulation, job, site, execution, place, columns.optionOfRun(Option.ReleaseDelay));
  countStartOfJob(simulation, job);
}

/**
 * Starts a job on the first `siteCount` parts of `chosenSites` and `chosenShares`, and records them in the
 * log of parts.
 */
export function startJobOnSites(
  simulation: Simulation,
  job: i32,
  siteCount: i32,
  execution: f64,
  predictedRuntime: f64 = 0,
): void {
  if (simulation.logCapacity > 0) beginProcessorSet(simulation, job);
  put<i32>(columns.partIndices, job, simulation.partsLength);
  let firstAllocation = 0;
  let lastAllocation = 0;
  for (let index = 0; index < siteCount; index++) {
    const site = at<i32>(columns.chosenSites, index);
    const share = at<i32>(columns.chosenShares, index);
    const place = addAllocation(simulation, job, site, share, execution, predictedRuntime);
    if (lastAllocation === 0) firstAllocation = place;
    else allocationAt(lastAllocation).next = place;
    lastAllocation = place;
    allocateProcessors<PriorityRunKind>(simulation, job, site, share);
    put<i32>(columns.parts, 2 * simulation.partsLength, site);
    put<i32>(columns.parts, 2 * simulation.partsLength + 1, share);
    simulation.partsLength++;
  }
  recordStart(simulation, job, at<i32>(columns.chosenSites, 0), execution, firstAllocation);
  countStartOfJob(simulation, job);
}

/** Stores the optional data of a job that starts on one site; returns its allocation. */
@inline
function storeAllocation(
  simulation: Simulation,
  job: i32,
  site: i32,
  processors: i32,
  execution: f64,
  predictedRuntime: f64,
): i32 {
  if (simulation.logCapacity > 0) beginProcessorSet(simulation, job);
  const place = addAllocation(simulation, job, site, processors, execution, predictedRuntime);
  if (simulation.partCapacity > 0) put<i32>(columns.partIndices, job, -1);
  if (simulation.moldable !== 0) put<i32>(columns.allocatedProcessorColumn, job, processors);
  if (simulation.reclaim !== 0) remoteJobs.addRemoteJob(place);
  return place;
}

/** Stores the data of one part of a job. */
@inline
function addAllocation(
  simulation: Simulation,
  job: i32,
  site: i32,
  processors: i32,
  execution: f64,
  predictedRuntime: f64,
): i32 {
  const index = finishQueue.takeAllocation();
  const allocation = allocationAt(index);
  allocation.next = 0;
  allocation.job = job;
  allocation.site = site;
  allocation.processors = processors;
  allocation.start = simulation.now;
  allocation.execution = execution;
  if (simulation.logCapacity > 0) {
    allocation.logIndex = simulation.logLength;
    const plansByNodes = simulation.plansByNodes !== 0;
    allocation.runs = plansByNodes
      ? occupyChosenNodes(simulation, site)
      : occupyProcessors(simulation, site, processors);
  }
  allocation.predictedEnd = simulation.now + predictedRuntime;
  if (simulation.hasPredictions !== 0) predictions.addPrediction(site, allocation.predictedEnd, processors);
  return index;
}

/** Takes processors of a site for a starting job. */
@inline
function allocateProcessors<R>(simulation: Simulation, job: i32, site: i32, processors: i32): void {
  takeProcessors<R>(simulation, site, processors);
  if (IS_RECORDING_BUILD) record.noteAllocation(simulation, job, site, processors);
}

/**
 * Records the start of a job that has its processors; `site` is its first, `place` its entry in the finish
 * queue. Its processors are free `delay` seconds after its end.
 */
@inline
function recordStart(
  simulation: Simulation,
  job: i32,
  site: i32,
  execution: f64,
  place: i32,
  delay: f64 = 0,
): void {
  storeJobResult(job, site, simulation.now, execution);
  finishQueue.push(simulation, simulation.now + execution + delay, job, place);
  if (IS_RECORDING_BUILD) record.noteLaunchedJob(simulation, job, site);
}

@inline
function storeJobResult(job: i32, site: i32, start: f64, execution: f64): void {
  put<f64>(columns.starts, job, start);
  put<f64>(columns.executions, job, execution);
  put<i32>(columns.sites, job, site);
}

/** Records that a job is cancelled now without having started. */
export function recordCancelledJob(simulation: Simulation, job: i32): void {
  storeJobResult(job, NO_SITE, simulation.now, 0);
  countJobInMetrics(simulation, job);
}

/**
 * Counts a started job in the metrics, unless it may be preempted, and in the accounts of its user and group.
 */
function countStartOfJob(simulation: Simulation, job: i32): void {
  if (simulation.hasPriorityQueue !== 0 && simulation.preempts === 0) countJobInMetrics(simulation, job);
  if (kind.keepsAccounts<PriorityRunKind>(simulation)) usage.countStartedJob(simulation, job);
  if (kind.hasLimits<PriorityRunKind>(simulation)) limits.countStartedJob(simulation, job);
}

/** Adds a job to the column `countedJobs`: the metrics cover it from now on (sums/metrics.ts). */
@inline
function countJobInMetrics(simulation: Simulation, job: i32): void {
  put<i32>(columns.countedJobs, simulation.countedJobCount++, job);
}

/** Ends a job that has left the finish queue; returns its (first) site. */
@inline
export function finish<R>(simulation: Simulation, key: u64): i32 {
  if (IS_CHECKED_BUILD)
    check(finishQueue.soonestFinishTime(simulation) >= simulation.now, Invariant.FinishOrder);
  const place = finishQueue.siteOrAllocationOfKey(key);
  if (kind.keepsAccounts<R>(simulation)) usage.countEndedJob(simulation, finishQueue.jobOfKey(key));
  if (kind.hasLimits<R>(simulation)) limits.countEndedJob(simulation, finishQueue.jobOfKey(key));
  const hasExtras = kind.hasExtras<R>(simulation);
  if (hasExtras && place >= 0) return endAllocatedJob(simulation, place);
  const site = hasExtras ? ~place : place;
  const job = finishQueue.jobOfKey(key);
  const processors = at<i32>(columns.processors, job);
  returnProcessors<R>(simulation, site, processors);
  if (IS_RECORDING_BUILD) record.noteRelease(simulation, job, site, processors, -1);
  return site;
}

function endAllocatedJob(simulation: Simulation, place: i32): i32 {
  const allocation = allocationAt(place);
  const site = allocation.site;
  if (simulation.preempts !== 0) {
    // An execution counts only if it reaches its end. If it began before a fork, its results are stored here.
    storeJobResult(allocation.job, site, allocation.start, allocation.execution);
    countJobInMetrics(simulation, allocation.job);
  }
  releaseJob(simulation, place);
  return site;
}

/** Takes free processors of a site for outages; with plans by nodes, their set is up to date. */
export function giveProcessorsToOutages(simulation: Simulation, site: i32, processors: i32): void {
  if (recordsOutageSets(simulation)) removeProcessors(simulation, site, processors);
  takeProcessors<PriorityRunKind>(simulation, site, processors);
  if (IS_RECORDING_BUILD) record.noteCapacityChange(simulation, site, -processors);
}

/** Frees processors of a site that no outage wants any more. */
export function takeProcessorsFromOutages(simulation: Simulation, site: i32, processors: i32): void {
  if (recordsOutageSets(simulation)) restoreProcessors(simulation, site, processors);
  returnProcessors<PriorityRunKind>(simulation, site, processors);
  if (IS_RECORDING_BUILD) record.noteCapacityChange(simulation, site, processors);
}

/** True if a simulation records sets of processors, of which outages take the highest-numbered ones. */
@inline
function recordsOutageSets(simulation: Simulation): bool {
  return simulation.logCapacity > 0 && simulation.plansByNodes === 0;
}

/** Time at which the processors of a running job become free, by its first allocation. */
@inline
export function releaseTimeOf(allocation: Allocation): f64 {
  return allocation.start + allocation.execution + columns.optionOfRun(Option.ReleaseDelay);
}

/** Ends a running job, by its first allocation, before its time. */
export function endJobEarly(simulation: Simulation, place: i32): void {
  const allocation = allocationAt(place);
  finishQueue.remove(simulation, releaseTimeOf(allocation), allocation.job);
  allocation.execution = simulation.now - allocation.start;
  removeJobFromAccounts(simulation, allocation.job);
  endAllocatedJob(simulation, place);
}

/** Takes a job that ends before its time, or is preempted, out of the counts of users and groups. */
export function removeJobFromAccounts(simulation: Simulation, job: i32): void {
  if (kind.keepsAccounts<PriorityRunKind>(simulation)) usage.countEndedJob(simulation, job);
  if (kind.hasLimits<PriorityRunKind>(simulation)) limits.countEndedJob(simulation, job);
}

/** Frees the processors of a job, of all its parts. */
@inline
export function releaseJob(simulation: Simulation, place: i32): void {
  while (place !== 0) {
    const allocation = allocationAt(place);
    const site = allocation.site;
    const processors = allocation.processors;
    if (simulation.reclaim !== 0) remoteJobs.removeRemoteJob(allocation);
    returnProcessors<PriorityRunKind>(simulation, site, processors);
    if (IS_RECORDING_BUILD) {
      const end = simulation.hasPredictions !== 0 ? allocation.predictedEnd : -1;
      record.noteRelease(simulation, allocation.job, site, processors, end);
    }
    if (simulation.logCapacity > 0) vacateProcessors(site, allocation.runs);
    if (simulation.hasPredictions !== 0)
      removePrediction(simulation, site, allocation.predictedEnd, processors);
    const nextAllocation = allocation.next;
    finishQueue.returnAllocation(place);
    place = nextAllocation;
  }
}

/** Removes the predicted end of a job on a site. */
@inline
function removePrediction(simulation: Simulation, site: i32, end: f64, processors: i32): void {
  const isOverdue = predictions.removePrediction(site, end, processors);
  if (isOverdue || end !== simulation.now) simulation.reservedJob = 0;
  if (simulation.keepsReservations !== 0) {
    const until = isOverdue ? predictions.predictedEndOfOverdueJobs(site) : end;
    keptPlan.releasePeriod(simulation, site, processors, simulation.now, until);
  } else if (simulation.planHolds !== 0) {
    plan.handleJobEnd(simulation, end, isOverdue);
  }
}
