import { Simulation } from '../memory/state';
import { sumIndexOfSite, queuedSumIndex } from '../sums/sums';
import * as columns from '../memory/columns';
import * as cancellations from '../events/cancellations';
import * as finishQueue from '../events/finishQueue';
import { allocationAt, Allocation } from '../events/finishQueue';
import * as exact from '../sums/exactSum';
import * as estimates from '../knowledge/estimates';
import { at, put } from '../memory/memory';
import * as priorityQueue from '../queue/priorityQueue';
import * as usage from '../queue/usage';
import * as record from '../record/allocations';
import { IS_RECORDING_BUILD } from '../record/log';
import { removeJobFromAccounts, releaseJob, releaseTimeOf } from './commit';
import * as limits from './limits';
import { IS_CHECKED_BUILD, Invariant, check } from '../memory/check';

/**
 * Preempts the execution of an allocation's job on a site; returns the job, which then has to rejoin its
 * queue.
 */
export function preemptJob(simulation: Simulation, place: i32, site: i32): i32 {
  const allocation = allocationAt(place);
  const job = allocation.job;
  const executedSeconds = simulation.now - allocation.start;
  finishQueue.remove(simulation, releaseTimeOf(allocation), job);
  if (simulation.stopCapacity > 0) logPreemption(simulation, allocation);
  removeJobFromAccounts(simulation, job);
  releaseJob(simulation, place);
  if (IS_RECORDING_BUILD) record.noteStoppedJob(simulation, job, site);
  const lostProcessorSeconds = <f64>at<i32>(columns.processors, job) * executedSeconds;
  put<f64>(columns.lostTimes, job, at<f64>(columns.lostTimes, job) + executedSeconds);
  exact.add(exact.sumAt(columns.accounts, sumIndexOfSite(simulation, site)), lostProcessorSeconds);
  exact.add(exact.sumAt(columns.accounts, queuedSumIndex(simulation) + 1), lostProcessorSeconds);
  simulation.restarts++;
  return job;
}

/** Returns a job, preempted on a site, to its own queue with its old rank. */
export function rejoinQueue(simulation: Simulation, job: i32, site: i32): void {
  if (simulation.isOpen !== 0) put<f64>(columns.starts, job, NaN);
  if (simulation.isOpen !== 0) put<i32>(columns.sites, job, -1);
  if (simulation.refreshesEstimates !== 0) estimates.estimateRuntime(simulation, job);
  if (simulation.hasLateRanks !== 0) priorityQueue.assignRank(simulation, job);
  priorityQueue.addJob(simulation, job);
  if (simulation.limits !== 0) limits.addWaitingJob(simulation, job);
  cancellations.scheduleCancellation(simulation, job);
  usage.noteRejoinedJob(simulation, job);
  if (IS_RECORDING_BUILD) record.noteRejoinedJob(simulation, job, site);
}

/**
 * Log of preemptions, kept if the schedule is wanted, because a job's columns hold only its last execution.
 * Entries are in order of time.
 */

/** Records the preempted execution of an allocation, which ends now. */
function logPreemption(simulation: Simulation, allocation: Allocation): void {
  const preemptionIndex = simulation.stopsLength;
  if (IS_CHECKED_BUILD) check(preemptionIndex < simulation.stopCapacity, Invariant.LogOverflow);
  put<i32>(columns.stopJobs, preemptionIndex, allocation.job);
  put<i32>(columns.stopSites, preemptionIndex, allocation.site);
  put<f64>(columns.stopStarts, preemptionIndex, allocation.start);
  put<f64>(columns.stopEnds, preemptionIndex, simulation.now);
  if (simulation.logCapacity > 0) put<i32>(columns.stopLogIndices, preemptionIndex, allocation.logIndex);
  simulation.stopsLength = preemptionIndex + 1;
}
