import { Option, Status } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import * as discipline from '../disciplines/discipline';
import * as passTimes from '../disciplines/passTimes';
import * as cancellations from '../events/cancellations';
import * as finishQueue from '../events/finishQueue';
import { allocationAt } from '../events/finishQueue';
import { at, put } from '../memory/memory';
import { releaseTimeOf } from '../placement/commit';
import { isWaiting } from './place';

/**
 * Corrections by the host between events of an open run: when running jobs end, and when jobs are cancelled.
 * The run goes on as one of a log with these times.
 */

/** Latest accepted time of a correction in seconds; the same as for submissions. */
const LATEST_TIME: f64 = 1e300;

/** Has a running job end at a time in seconds, in place of the end that the run expects. */
export function endJob(simulation: Simulation, job: i32, time: f64): Status {
  const refusal = checkCorrection(simulation, job, time);
  if (refusal !== Status.Finished) return refusal;
  const entry = finishQueue.entryOf(simulation, job);
  return entry > 0 && changeEnd(simulation, entry, time) ? Status.Finished : Status.JobInactive;
}

/** Cancels a job at a time in seconds: it is not submitted, leaves its queue or ends. */
export function removeJob(simulation: Simulation, job: i32, time: f64): Status {
  if (simulation.hasCancellations !== 2) {
    simulation.refusedOption = Option.Cancellations;
    return Status.OptionsConflict;
  }
  const refusal = checkCorrection(simulation, job, time);
  if (refusal !== Status.Finished) return refusal;
  const entry = finishQueue.entryOf(simulation, job);
  if (entry > 0) {
    if (!(time <= expectedEnd(simulation, entry)) || !changeEnd(simulation, entry, time))
      return Status.JobInactive;
    cancellations.setDeparture(simulation, job, time);
    return Status.Finished;
  }
  const isSubmitted = job < simulation.next;
  if (isSubmitted && !isWaiting(job) && !isHeld(simulation, job)) return Status.JobInactive;
  if (time < at<f64>(columns.submits, job)) return Status.TimeInvalid;
  cancellations.cancelAt(simulation, job, time, isSubmitted);
  return Status.Finished;
}

/** Takes a waiting job out of its queue, at the time to which the host has advanced, until it is released. */
export function holdJob(simulation: Simulation, job: i32): Status {
  const refusal = checkHold(simulation, job);
  if (refusal !== Status.Finished) return refusal;
  if (job >= simulation.next || !isWaiting(job)) return Status.JobInactive;
  simulation.now = max<f64>(simulation.now, simulation.handledUntil);
  discipline.hold(simulation, job);
  passTimes.requestPassForHost(simulation);
  return Status.Finished;
}

/** Returns a held job to its queue at the time to which the host has advanced. */
export function releaseJob(simulation: Simulation, job: i32): Status {
  const refusal = checkHold(simulation, job);
  if (refusal !== Status.Finished) return refusal;
  if (!isHeld(simulation, job)) return Status.JobInactive;
  simulation.now = max<f64>(simulation.now, simulation.handledUntil);
  discipline.release(simulation, job);
  passTimes.requestPassForHost(simulation);
  return Status.Finished;
}

/** True for a job that has been submitted, and that the host holds. */
function isHeld(simulation: Simulation, job: i32): bool {
  if (simulation.heldJobs === 0 || job >= simulation.next) return false;
  return isNaN(at<f64>(columns.starts, job)) && !isWaiting(job);
}

/** Like `checkCorrection`, for jobs that are held or released: jobs must be able to leave their queue. */
function checkHold(simulation: Simulation, job: i32): Status {
  const refusal = checkCorrection(simulation, job, max<f64>(simulation.now, simulation.handledUntil));
  if (refusal !== Status.Finished) return refusal;
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
  const awaitsKeys = simulation.keyedJob > 0 && simulation.keysGiven === 0;
  if (simulation.asked >= 0 || awaitsKeys) return Status.DecisionPending;
  if (job < 0 || job >= simulation.knownJobs) return Status.JobInactive;
  simulation.refusedJob = job;
  const earliestTime = max<f64>(simulation.now, simulation.handledUntil);
  return time >= earliestTime && time <= LATEST_TIME ? Status.Finished : Status.TimeInvalid;
}

/** End of the job of an entry of the finish queue in seconds, +infinity if it is unknown. */
function expectedEnd(simulation: Simulation, entry: i32): f64 {
  const job = finishQueue.jobIn(finishQueue.keyOf(entry));
  return at<f64>(columns.starts, job) + at<f64>(columns.executions, job);
}

/**
 * Has the job of an entry of the finish queue end at a time in seconds. Returns false if it has ended, and
 * only releases its processors, or if the metrics of a fork contain its execution time.
 */
function changeEnd(simulation: Simulation, entry: i32, time: f64): bool {
  const key = finishQueue.keyOf(entry);
  const job = finishQueue.jobIn(key);
  const start = at<f64>(columns.starts, job);
  if (simulation.accounted > 0 || !(expectedEnd(simulation, entry) >= simulation.now)) return false;
  const execution = executionUntil(start, time);
  const place = finishQueue.placeIn(key);
  const release = finishQueue.timeOf(entry);
  finishQueue.remove(simulation, release, job);
  put<f64>(columns.executions, job, execution);
  const hasAllocation = simulation.hasExtras !== 0 && place >= 0;
  for (let part = hasAllocation ? place : 0; part !== 0; part = allocationAt(part).next) {
    allocationAt(part).execution = execution;
  }
  const delay = columns.taken(Option.ReleaseDelay);
  finishQueue.push(
    simulation,
    hasAllocation ? releaseTimeOf(allocationAt(place)) : start + execution + delay,
    job,
    place,
  );
  return true;
}

/** Least execution time in seconds with which a job that began at `start` does not end before `time`. */
function executionUntil(start: f64, time: f64): f64 {
  const execution = time - start;
  if (start + execution >= time) return execution;
  return reinterpret<f64>(reinterpret<i64>(execution) + 1);
}
