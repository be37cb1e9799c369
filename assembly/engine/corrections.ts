import { Option, Order, Status } from '../abi/abi';
import { Room } from '../abi/abiColumns';
import { Jobs, Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import * as discipline from '../disciplines/discipline';
import * as kept from '../disciplines/kept';
import * as passTimes from '../disciplines/passTimes';
import * as cancellations from '../events/cancellations';
import * as finishQueue from '../events/finishQueue';
import { allocationAt } from '../events/finishQueue';
import { predictedTimeOnOneSite } from '../grid/execution';
import { at, put } from '../memory/memory';
import { releaseTimeOf } from '../placement/commit';
import * as keptPlan from '../planning/keptPlan';
import * as predictions from '../planning/predictions';
import * as priorityQueue from '../queue/priorityQueue';
import { forgetRankOfJob, waitingJobCountOf } from '../queue/waiting';
import { Note } from '../record/log';
import { checkJobs } from './begin';
import { dropCaches } from './fork';
import { usesEstimates } from './options';
import { isWaiting } from './place';

/**
 * Corrections by the host between events of an open run: when running jobs end, when jobs are cancelled, and
 * how long jobs are expected to run. The run goes on as one of a log with these times.
 */

/** Latest accepted time of a correction in seconds; the same as for submissions. */
const LATEST_TIME: f64 = 1e300;

/** Has a running job end at a time in seconds, in place of the end that the run expects. */
export function endJob(simulation: Simulation, job: i32, time: f64): Status {
  const refusalStatus = checkCorrection(simulation, job, time);
  if (refusalStatus !== Status.Finished) return refusalStatus;
  const finishEntry = finishQueue.finishEntryOfJob(simulation, job);
  return finishEntry > 0 && changeJobEnd(simulation, finishEntry, time)
    ? Status.Finished
    : Status.JobInactive;
}

/** Cancels a job at a time in seconds: it is not submitted, leaves its queue or ends. */
export function removeJob(simulation: Simulation, job: i32, time: f64): Status {
  if (simulation.hasCancellations !== 2) {
    simulation.refusedOption = Option.Cancellations;
    return Status.OptionsConflict;
  }
  const refusalStatus = checkCorrection(simulation, job, time);
  if (refusalStatus !== Status.Finished) return refusalStatus;
  const finishEntry = finishQueue.finishEntryOfJob(simulation, job);
  if (finishEntry > 0) {
    if (!(time <= expectedEnd(simulation, finishEntry)) || !changeJobEnd(simulation, finishEntry, time))
      return Status.JobInactive;
    cancellations.setCancellationTime(simulation, job, time);
    return Status.Finished;
  }
  const isJobSubmitted = job < simulation.next;
  if (isJobSubmitted && !isWaiting(job) && !isJobHeld(simulation, job)) return Status.JobInactive;
  if (time < at<f64>(columns.submits, job)) return Status.TimeInvalid;
  cancellations.cancelAt(simulation, job, time, isJobSubmitted);
  return Status.Finished;
}

/** Takes a waiting job out of its queue, at the time to which the host has advanced, until it is released. */
export function holdJob(simulation: Simulation, job: i32): Status {
  const refusalStatus = checkHoldAllowed(simulation, job);
  if (refusalStatus !== Status.Finished) return refusalStatus;
  if (job >= simulation.next || !isWaiting(job)) return Status.JobInactive;
  simulation.now = max<f64>(simulation.now, simulation.handledUntil);
  discipline.holdWaitingJob(simulation, job);
  passTimes.requestPassForHost(simulation);
  return Status.Finished;
}

/** Returns a held job to its queue at the time to which the host has advanced. */
export function releaseJob(simulation: Simulation, job: i32): Status {
  const refusalStatus = checkHoldAllowed(simulation, job);
  if (refusalStatus !== Status.Finished) return refusalStatus;
  if (!isJobHeld(simulation, job)) return Status.JobInactive;
  simulation.now = max<f64>(simulation.now, simulation.handledUntil);
  discipline.releaseHeldJob(simulation, job);
  passTimes.requestPassForHost(simulation);
  return Status.Finished;
}

/**
 * Changes the estimate of a job that has not ended, in seconds at speed 1 and load 1. A waiting job leaves
 * its queue and joins it again; a running one gets another predicted end.
 */
export function changeEstimate(simulation: Simulation, jobs: Jobs, job: i32, estimate: f64): Status {
  const refusalStatus = checkEstimateChange(simulation, job);
  if (refusalStatus !== Status.Finished) return refusalStatus;
  const isJobSubmitted = job < simulation.next;
  const finishEntry = finishQueue.finishEntryOfJob(simulation, job);
  const isJobWaitingInQueue = isJobSubmitted && finishEntry === 0 && isWaiting(job);
  const isRunning = finishEntry > 0 && expectedEnd(simulation, finishEntry) >= simulation.now;
  if (isJobSubmitted && !isJobWaitingInQueue && !isRunning && !isJobHeld(simulation, job))
    return Status.JobInactive;
  if (!tryNewEstimate(simulation, jobs, estimate)) return Status.JobEstimateInvalid;
  if (estimate === at<f64>(columns.estimates, job)) return Status.Finished;
  const isEstimateUsed = usesEstimates(simulation) || (simulation.programOrders | simulation.asksHost) !== 0;
  const mustLeaveAndRejoinQueue = isJobWaitingInQueue && isEstimateUsed;
  if (mustLeaveAndRejoinQueue) {
    simulation.now = max<f64>(simulation.now, simulation.handledUntil);
    discipline.holdWaitingJob(simulation, job);
  }
  // The key of a job may depend on its estimate, so its ranks are determined again.
  if (isJobSubmitted && isEstimateUsed && simulation.hasLateRanks !== 0) forgetRankOfJob(job);
  put<f64>(columns.estimates, job, estimate);
  if (mustLeaveAndRejoinQueue) {
    discipline.releaseHeldJob(simulation, job);
    passTimes.requestPassForHost(simulation);
  } else if (isRunning && simulation.hasPredictions !== 0) {
    changePredictedEnd(simulation, finishEntry);
  }
  return Status.Finished;
}

/** Checks that the estimate of a job may change during the run. */
function checkEstimateChange(simulation: Simulation, job: i32): Status {
  const refusalStatus = checkHoldAllowed(simulation, job);
  if (refusalStatus !== Status.Finished) return refusalStatus;
  const hasGivenKeys = simulation.order === Order.Given || simulation.backfillOrder === 1 + Order.Given;
  const dependsKeyOnEstimate = hasGivenKeys && columns.optionOfRun(Option.KeysByEstimate) !== 0;
  if (simulation.hasNoEstimates !== 0) simulation.refusedOption = Option.NoEstimates;
  else if (dependsKeyOnEstimate) simulation.refusedOption = Option.KeysByEstimate;
  if (simulation.refusedOption >= 0) return Status.OptionsConflict;
  simulation.refusedRoom = simulation.roomForEstimates !== 0 ? -1 : <i32>Room.Estimates;
  return simulation.refusedRoom < 0 ? Status.Finished : Status.RoomTooSmall;
}

/**
 * True if an estimate is a duration, and no execution of that length would exceed the longest accepted one.
 * If so, the job table remembers it.
 */
function tryNewEstimate(simulation: Simulation, jobs: Jobs, estimate: f64): bool {
  if (!(estimate >= 0 && estimate < Infinity)) return false;
  const refusedJob = simulation.refusedJob;
  const previousLongest = jobs.longest;
  simulation.refusedJob = -1;
  jobs.longest = max<f64>(previousLongest, estimate);
  const isEstimateAccepted = checkJobs(simulation, jobs) === Status.Finished;
  if (!isEstimateAccepted) jobs.longest = previousLongest;
  simulation.refusedJob = refusedJob;
  return isEstimateAccepted;
}

/** Predicts the end of the job of an entry of the finish queue again, by its estimate. */
function changePredictedEnd(simulation: Simulation, finishEntry: i32): void {
  const key = finishQueue.finishKeyOfEntry(finishEntry);
  const job = finishQueue.jobOfKey(key);
  const allocation = allocationAt(finishQueue.siteOrAllocationOfKey(key));
  const start = allocation.start;
  let duration = predictedTimeOnOneSite(simulation, job, allocation.site);
  if (simulation.keepsReservations !== 0) duration = keptPlan.endOf(start, duration) - start;
  const end = start + duration;
  predictions.changePredictedEnd(allocation.site, allocation.predictedEnd, end, allocation.processors);
  allocation.predictedEnd = end;
  dropCaches(simulation);
  requestPass(simulation, Note.ByEnd, job);
}

/**
 * Asks for a pass at the time up to which the host has advanced, after a change that affects plans, and
 * adjusts kept reservations to it; `cause` is the site or job that has changed.
 */
export function requestPass(simulation: Simulation, causeKind: Note, cause: i32): void {
  if (waitingJobCountOf(simulation) === 0) return;
  simulation.now = max<f64>(simulation.now, simulation.handledUntil);
  priorityQueue.queueAt(0).hasEvent = 1;
  if (simulation.keepsReservations !== 0) kept.adjustReservationsAfterChange(simulation, causeKind, cause);
  passTimes.requestPassForHost(simulation);
}

/** True for a job that has been submitted, and that the host holds. */
function isJobHeld(simulation: Simulation, job: i32): bool {
  if (simulation.heldJobs === 0 || job >= simulation.next) return false;
  return isNaN(at<f64>(columns.starts, job)) && !isWaiting(job);
}

/** Like `checkCorrection`, for jobs that are held or released: jobs must be able to leave their queue. */
function checkHoldAllowed(simulation: Simulation, job: i32): Status {
  const refusalStatus = checkCorrection(simulation, job, max<f64>(simulation.now, simulation.handledUntil));
  if (refusalStatus !== Status.Finished) return refusalStatus;
  if (simulation.hasCancellations !== 2) simulation.refusedOption = Option.Cancellations;
  return simulation.refusedOption < 0 ? Status.Finished : Status.OptionsConflict;
}

/** Checks that a correction comes between two events, for a job that is known and a time that is not over. */
function checkCorrection(simulation: Simulation, job: i32, time: f64): Status {
  simulation.refusedJob = -1;
  simulation.refusedOption = -1;
  if (simulation.isOpen === 0) simulation.refusedOption = Option.Open;
  else if (simulation.recentJobs > 0) simulation.refusedOption = Option.RecentJobs;
  if (simulation.refusedOption >= 0) return Status.OptionsConflict;
  if (isAwaitingHost(simulation)) return Status.DecisionPending;
  if (job < 0 || job >= simulation.knownJobs) return Status.JobInactive;
  simulation.refusedJob = job;
  const earliestTime = max<f64>(simulation.now, simulation.handledUntil);
  return time >= earliestTime && time <= LATEST_TIME ? Status.Finished : Status.TimeInvalid;
}

/** True if the host must decide, or give keys, before the run goes on. */
export function isAwaitingHost(simulation: Simulation): bool {
  return simulation.decisionJob >= 0 || (simulation.keyedJob > 0 && simulation.keysGiven === 0);
}

/** End of the job of an entry of the finish queue in seconds, +infinity if it is unknown. */
function expectedEnd(simulation: Simulation, finishEntry: i32): f64 {
  const job = finishQueue.jobOfKey(finishQueue.finishKeyOfEntry(finishEntry));
  return at<f64>(columns.starts, job) + at<f64>(columns.executions, job);
}

/**
 * Has the job of an entry of the finish queue end at a time in seconds. Returns false if it has ended, and
 * only releases its processors, or if the metrics of a fork contain its execution time.
 */
function changeJobEnd(simulation: Simulation, finishEntry: i32, time: f64): bool {
  const key = finishQueue.finishKeyOfEntry(finishEntry);
  const job = finishQueue.jobOfKey(key);
  const start = at<f64>(columns.starts, job);
  if (simulation.accountedJobs > 0 || !(expectedEnd(simulation, finishEntry) >= simulation.now)) return false;
  const execution = executionTimeUntil(start, time);
  const place = finishQueue.siteOrAllocationOfKey(key);
  const previousReleaseTime = finishQueue.finishTimeOfEntry(finishEntry);
  finishQueue.remove(simulation, previousReleaseTime, job);
  put<f64>(columns.executions, job, execution);
  const hasAllocation = simulation.hasExtras !== 0 && place >= 0;
  for (let part = hasAllocation ? place : 0; part !== 0; part = allocationAt(part).next) {
    allocationAt(part).execution = execution;
  }
  const releaseDelay = columns.optionOfRun(Option.ReleaseDelay);
  finishQueue.push(
    simulation,
    hasAllocation ? releaseTimeOf(allocationAt(place)) : start + execution + releaseDelay,
    job,
    place,
  );
  return true;
}

/** Least execution time in seconds with which a job that began at `start` does not end before `time`. */
function executionTimeUntil(start: f64, time: f64): f64 {
  const execution = time - start;
  if (start + execution >= time) return execution;
  return reinterpret<f64>(reinterpret<i64>(execution) + 1);
}
