import { Instant, Limit, Option, Status } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { IS_CHECKED_BUILD, Invariant, check } from '../memory/check';
import * as blocking from '../disciplines/withoutReservations';
import * as discipline from '../disciplines/discipline';
import * as cancellations from '../events/cancellations';
import * as capacityChanges from '../events/capacityChanges';
import * as finishQueue from '../events/finishQueue';
import * as feedback from '../knowledge/estimates';
import * as releases from '../knowledge/releases';
import { at } from '../memory/memory';
import { areKeysDue, areKeysDueAtEnd, isPending } from './decisions';
import { recordCancelledJob, finish } from '../placement/commit';
import * as outages from '../placement/outages';
import * as passTimes from '../disciplines/passTimes';
import { firstWaitingJob, waitingJobCountOf, waitingJobCountSeenBy } from '../queue/waiting';
import * as kind from '../memory/runKind';
import {
  FcfsRunKind,
  mayBePlainRun,
  GeneralRunKind,
  PlainPriorityRunKind,
  PlainRunKind,
  PriorityRunKind,
  SharedRunKind,
} from '../memory/runKind';

/**
 * Event loop. Events are submits and finishes, in order of time. At equal times, submits come before
 * finishes, and both are ordered by job index (Shih et al. 2010, section 4.1). Waiting jobs may also be
 * cancelled, after the submits of an instant and before its finishes. Begins and ends of outages come last in
 * an instant.
 */

/** Pseudo-status of the event loop: candidate policies must be tried before the run continues. */
export const TRIAL_DUE: Status = -1;

/** Handles all events up to and including a time; +infinity runs to the end. */
export function runUntil(simulation: Simulation, until: f64): Status {
  // No event happens at +infinity.
  const lastTime = until < f64.MAX_VALUE ? until : f64.MAX_VALUE;
  const mayAskHost = simulation.asksHost !== 0 || simulation.decisionJob >= 0 || simulation.asksKeys !== 0;
  const isGeneralRun = mayAskHost || simulation.choosesPolicies !== 0 || simulation.hasDependencies !== 0;
  if (simulation.passIsDue !== 0 && !kind.mayDeferPasses(simulation)) {
    const status = runInstant(simulation, lastTime);
    if (status !== Status.Paused || simulation.passTime >= lastTime) return status;
  }
  if (simulation.programOrders !== 0) return runWithKeys(simulation, lastTime, isGeneralRun);
  if (isGeneralRun) return run<GeneralRunKind>(simulation, lastTime);
  const isPlainRun = mayBePlainRun(simulation);
  if (simulation.hasPriorityQueue === 0) {
    return isPlainRun ? run<PlainRunKind>(simulation, lastTime) : run<FcfsRunKind>(simulation, lastTime);
  }
  return isPlainRun
    ? run<PlainPriorityRunKind>(simulation, lastTime)
    : run<PriorityRunKind>(simulation, lastTime);
}

/** Handles the events of an instant in which the host has corrected the run, and their single pass. */
function runInstant(simulation: Simulation, lastTime: f64): Status {
  const time = min<f64>(lastTime, simulation.passTime);
  if (simulation.programOrders !== 0) return runWithKeys(simulation, time, true);
  return run<GeneralRunKind>(simulation, time);
}

/** Like `runUntil`, for orders whose keys are computed in each pass; a key that is not finite is refused. */
function runWithKeys(simulation: Simulation, lastTime: f64, isGeneralRun: bool): Status {
  const status = isGeneralRun
    ? run<GeneralRunKind>(simulation, lastTime)
    : run<PriorityRunKind>(simulation, lastTime);
  if (simulation.keylessJob === 0) return status;
  simulation.refusedJob = simulation.keylessJob - 1;
  return Status.JobKeyInvalid;
}

/** Like `runUntil`, for the current branch of a simulation that policies share. */
export function runShared(simulation: Simulation, until: f64): Status {
  return run<SharedRunKind>(simulation, min<f64>(until, f64.MAX_VALUE));
}

/** Continues the pass in which a branch has separated from another. */
export function resumePausedRun(simulation: Simulation): void {
  simulation.isMidPass = 0;
  blocking.runPassOverFcfsQueue<SharedRunKind>(simulation);
}

/**
 * Handles events, each followed by a pass. Passes may be deferred: to the end of the instant, in which
 * finishes then come before submits, or to the next interval.
 */
export function run<R>(simulation: Simulation, lastTime: f64): Status {
  const keepsLogs = hasLogs<R>(simulation);
  const defersPasses = kind.defersPasses<R>(simulation);
  const hasFeedback = kind.hasFeedback<R>(simulation);
  const hasDependencies = kind.hasDependencies<R>(simulation);
  const hasOtherEvents = kind.hasCancellations<R>(simulation) || kind.hasOutages<R>(simulation);
  const submits = columns.submits;
  const mayPassAtOnce = defersPasses && passTimes.mayRunPassAtOnce(simulation);
  let isTrialBegun = false;
  while (true) {
    let isPassOnly = false;
    if (kind.isTrialKind<R>() && !isTrialBegun) {
      isTrialBegun = true;
      if (!discipline.runPassAtEndOfInstant<R>(simulation)) continue;
      isPassOnly = true;
    } else if (kind.recordsDecisions<R>() && simulation.decisionJob >= 0) {
      if (isPending(simulation)) return Status.Decision;
      if (!discipline.resumePass<R>(simulation)) continue;
      isPassOnly = true;
    } else if (keepsLogs && isLogFull(simulation)) {
      return Status.LogFull;
    } else if (kind.recordsDecisions<R>() && isTrialDue(simulation)) {
      return TRIAL_DUE;
    }
    const submitTime = nextSubmit<R>(simulation, submits, hasDependencies);
    const finishTime = finishQueue.soonestFinishTime(simulation);
    const otherTime = hasOtherEvents ? nextOther<R>(simulation, submitTime) : Infinity;
    const isSubmitNext = isSubmitFirst<R>(simulation, submitTime, finishTime);
    if (defersPasses && !isPassOnly) {
      const eventTime = min<f64>(min<f64>(submitTime, finishTime), otherTime);
      const passTime = nextPass(simulation, eventTime);
      if (passTime < eventTime) {
        if (!(passTime <= lastTime)) return outcome<R>(simulation, passTime);
        if (isIntervalTooShort(simulation)) return Status.IntervalTooShort;
        passTimes.begin(simulation, passTime);
        if (!discipline.runPassAtEndOfInstant<R>(simulation)) continue;
        isPassOnly = true;
      }
    }
    if (!isPassOnly) {
      if (hasOtherEvents && isOtherNext<R>(simulation, submitTime, finishTime)) {
        if (!(otherTime <= lastTime)) return outcome<R>(simulation, otherTime);
        handleOther<R>(simulation, otherTime, hasFeedback, defersPasses);
        continue;
      }
      if (isSubmitNext) {
        if (!(submitTime <= lastTime)) return outcome<R>(simulation, submitTime);
        if (kind.recordsDecisions<R>() && areKeysDue(simulation)) return Status.Keys;
        if (!submitNext<R>(simulation, submitTime, hasDependencies, hasFeedback, defersPasses, mayPassAtOnce))
          continue;
      } else {
        if (!(finishTime <= lastTime)) return outcome<R>(simulation, finishTime);
        if (kind.recordsDecisions<R>() && areKeysDueAtEnd(simulation)) return Status.Keys;
        if (!finishNext<R>(simulation, finishTime, hasFeedback, defersPasses, mayPassAtOnce)) continue;
      }
    }
    // A single call site, because it inlines all allocators.
    blocking.runPassOverFcfsQueue<R>(simulation);
  }
}

/** Time of the next submission; +infinity if there is none. */
@inline
function nextSubmit<R>(simulation: Simulation, submits: usize, hasDependencies: bool): f64 {
  if (kind.isTrialKind<R>()) return Infinity;
  // The column of submissions ends with +infinity.
  return hasDependencies ? releases.soonestSubmitTime(simulation) : at<f64>(submits, simulation.next);
}

/** True if the next submit comes before the next finish. */
@inline
function isSubmitFirst<R>(simulation: Simulation, submitTime: f64, finishTime: f64): bool {
  if (kind.isPlain<R>() || submitTime !== finishTime) return submitTime <= finishTime;
  return !doEndsComeFirst(simulation);
}

/** True if the finishes of an instant come before its submits. */
@inline
function doEndsComeFirst(simulation: Simulation): bool {
  const areEventsBatched = simulation.instant === Instant.Batched || simulation.timesPasses !== 0;
  return areEventsBatched && simulation.keepsReservations === 0;
}

/** True if a cancellation, which comes before the next submit, also comes before the next finish. */
@inline
function doesCancellationComeFirst<R>(simulation: Simulation, cancelTime: f64, finishTime: f64): bool {
  return cancelTime < finishTime || (cancelTime === finishTime && !doEndsComeFirst(simulation));
}

/** Cancels the waiting job whose time has come; its pass is made, or asked for. */
function cancelNextJob<R>(simulation: Simulation, time: f64, hasFeedback: bool, defersPasses: bool): void {
  const job = cancellations.takeSoonestCancelledJob(simulation);
  advanceClock<R>(simulation, time, job);
  discipline.cancelWaitingJob(simulation, job);
  recordCancelledJob(simulation, job);
  if (hasFeedback) feedback.handleJobCancellation(simulation, job);
  if (defersPasses) passTimes.requestPassAfterEnd(simulation, discipline.queueOfJobEnd<R>(simulation, job));
  else discipline.runPassAfterCancellation<R>(simulation, job);
}

/** Time of the next cancellation; +infinity if there is none. */
@inline
function nextCancellationTime<R>(simulation: Simulation): f64 {
  return kind.hasCancellations<R>(simulation) ? cancellations.soonestCancellationTime(simulation) : Infinity;
}

/** Time of the next capacity change; +infinity if there is none, or all jobs have ended. */
@inline
function nextCapacityChangeTime<R>(simulation: Simulation, submitTime: f64): f64 {
  if (!kind.hasOutages<R>(simulation)) return Infinity;
  if (submitTime === Infinity && simulation.runningJobs === 0 && simulation.waitingJobs === 0)
    return Infinity;
  return capacityChanges.soonestChangeTime(simulation);
}

/** Time of the next cancellation or capacity change; +infinity if there is none. */
@inline
function nextOther<R>(simulation: Simulation, submitTime: f64): f64 {
  return min<f64>(nextCancellationTime<R>(simulation), nextCapacityChangeTime<R>(simulation, submitTime));
}

/** True if the next event is a cancellation or capacity change. */
function isOtherNext<R>(simulation: Simulation, submitTime: f64, finishTime: f64): bool {
  const cancelTime = nextCancellationTime<R>(simulation);
  const capacityChangeTime = nextCapacityChangeTime<R>(simulation, submitTime);
  if (capacityChangeTime < cancelTime) return capacityChangeTime < min<f64>(submitTime, finishTime);
  return cancelTime < submitTime && doesCancellationComeFirst<R>(simulation, cancelTime, finishTime);
}

/** Handles the next cancellation or capacity change. */
function handleOther<R>(simulation: Simulation, time: f64, hasFeedback: bool, defersPasses: bool): void {
  if (nextCancellationTime<R>(simulation) <= time)
    cancelNextJob<R>(simulation, time, hasFeedback, defersPasses);
  else changeCapacity<R>(simulation, time, defersPasses);
}

/** Handles the capacity change whose time has come; its pass is made, or asked for. */
function changeCapacity<R>(simulation: Simulation, time: f64, defersPasses: bool): void {
  if (IS_CHECKED_BUILD) check(time >= simulation.now, Invariant.TimeReversed);
  simulation.now = time;
  const change = capacityChanges.nextChange(simulation);
  discipline.changeCapacity(simulation, change);
  if (defersPasses)
    passTimes.requestPassAfterEnd(simulation, discipline.queueOfCapacityChange(simulation, change));
  else discipline.runPassAfterCapacityChange<R>(simulation, change);
}

/** Submits the next job; returns true if a pass of the fcfs queue follows. */
@inline
function submitNext<R>(
  simulation: Simulation,
  time: f64,
  hasDependencies: bool,
  hasFeedback: bool,
  defersPasses: bool,
  mayPassAtOnce: bool,
): bool {
  const job = hasDependencies ? releases.takeSoonestSubmittedJob(simulation) : simulation.next;
  const waitingJobCount = advanceClock<R>(simulation, time, job);
  if (!hasDependencies) simulation.next = job + 1;
  if (hasFeedback) feedback.handleJobSubmission(simulation, job);
  if (kind.hasCancellations<R>(simulation)) cancellations.scheduleCancellation(simulation, job);
  if (!defersPasses || (mayPassAtOnce && passTimes.takeDuePass(simulation, Option.SubmitPassDelay)))
    return discipline.submit<R>(simulation, job, waitingJobCount);
  if (discipline.startBeforeJoiningQueue<R>(simulation, job)) return false;
  discipline.joinQueue<R>(simulation, job, waitingJobCount);
  passTimes.requestPassAfterSubmit(simulation, job);
  return false;
}

/** Ends the job with the earliest end; returns true if a pass of the fcfs queue follows. */
@inline
function finishNext<R>(
  simulation: Simulation,
  time: f64,
  hasFeedback: bool,
  defersPasses: bool,
  mayPassAtOnce: bool,
): bool {
  if (defersPasses) discipline.prepareForJobEnd<R>(simulation, time);
  const key = finishQueue.pop(simulation);
  const job = finishQueue.jobOfKey(key);
  const waitingJobCount = advanceClock<R>(simulation, time, job);
  const site = finish<R>(simulation, key);
  if (kind.hasOutages<R>(simulation)) outages.takeFreedProcessors(simulation, site);
  if (hasFeedback) feedback.handleJobEnd(simulation, job);
  if (!defersPasses || (mayPassAtOnce && passTimes.takeDuePass(simulation, Option.EndPassDelay)))
    return discipline.runPassAfterJobEnd<R>(simulation, job, site, waitingJobCount);
  passTimes.requestPassAfterEnd(simulation, discipline.queueOfJobEnd<R>(simulation, job));
  discipline.handleJobEnd<R>(simulation, job);
  return false;
}

/** True if the interval has caused more passes than are allowed. */
@inline
function isIntervalTooShort(simulation: Simulation): bool {
  if (
    columns.optionOfRun(Option.Interval) <= 0 ||
    passTimes.maxPastPassCount(simulation) <= <f64>Limit.Passes
  )
    return false;
  simulation.refusedOption = Option.Interval;
  return true;
}

/** True if candidates must be tried, after the pass of the submission. */
@inline
function isTrialDue(simulation: Simulation): bool {
  if (simulation.choosesPolicies === 0 || simulation.passIsDue !== 0) return false;
  return simulation.next >= simulation.nextTrial;
}

/**
 * Time of the next deferred pass, +infinity if none comes before `timeLimit`: this instant, after all its
 * events, or a delay later; the begin of a kept reservation; or the end of an interval.
 */
@inline
function nextPass(simulation: Simulation, timeLimit: f64): f64 {
  if (columns.optionOfRun(Option.Interval) > 0)
    return passTimes.nextPassTimeOfQueues(simulation, simulation.now);
  const passTime =
    simulation.passIsDue !== 0 ? simulation.passTime : discipline.soonestReservationStart(simulation);
  if (columns.optionOfRun(Option.BackfillInterval) <= 0) return passTime;
  return min<f64>(passTime, passTimes.nextBackfillPassTime(simulation, timeLimit));
}

/**
 * Time in seconds of the next known event or of a pass that may come before it; +infinity if there is none.
 */
export function nextEventTime(simulation: Simulation): f64 {
  const hasDependencies = kind.hasDependencies<GeneralRunKind>(simulation);
  const submitTime = nextSubmit<GeneralRunKind>(simulation, columns.submits, hasDependencies);
  const otherTime = nextOther<GeneralRunKind>(simulation, submitTime);
  const eventTime = min<f64>(min<f64>(submitTime, finishQueue.soonestFinishTime(simulation)), otherTime);
  return kind.defersPasses<GeneralRunKind>(simulation)
    ? min<f64>(eventTime, nextPass(simulation, eventTime))
    : eventTime;
}

/**
 * Moves the clock to an event and adds the queue length at that time to the statistics; returns the queue
 * length (number of waiting jobs).
 */
@inline
function advanceClock<R>(simulation: Simulation, time: f64, job: i32): i32 {
  const waitingJobCount = waitingJobCountSeenBy<R>(simulation, job);
  if (IS_CHECKED_BUILD) check(time >= simulation.now, Invariant.TimeReversed);
  if (IS_CHECKED_BUILD)
    check(waitingJobCount >= 0 && simulation.next <= simulation.jobCount, Invariant.WaitingQueue);
  simulation.now = time;
  simulation.waitingObserved += waitingJobCount;
  if (waitingJobCount > simulation.largestQueue) simulation.largestQueue = waitingJobCount;
  return waitingJobCount;
}

/** True if anything is recorded in logs that can become full. */
@inline
function hasLogs<R>(simulation: Simulation): bool {
  if (kind.isTrialKind<R>() || !kind.hasExtras<R>(simulation)) return false;
  return (simulation.logCapacity | simulation.partCapacity | simulation.stopCapacity) !== 0;
}

/** True if a log may be too short for everything that one more event can start or preempt. */
@inline
function isLogFull(simulation: Simulation): bool {
  if (simulation.logLength > simulation.logLimit) return true;
  return simulation.partsLength > simulation.partLimit || simulation.stopsLength > simulation.stopLimit;
}

/**
 * Status of a run after its last event up to the requested time. `timeOfNextEvent` is the time of the next
 * known event in seconds; +infinity if none is known.
 */
@inline
function outcome<R>(simulation: Simulation, timeOfNextEvent: f64): Status {
  if (timeOfNextEvent < Infinity) return Status.Paused;
  if (!kind.isTrialKind<R>() && simulation.awaitsJobs !== 0) return Status.Paused;
  // The host must tell when the running jobs end, and release those that it holds.
  if ((simulation.runningJobs | simulation.heldJobs) > 0) return Status.Paused;
  if (waitingJobCountOf(simulation) === 0) return Status.Finished;
  if (IS_CHECKED_BUILD) check(simulation.hasDeclined !== 0 || simulation.outages !== 0, Invariant.StuckQueue);
  simulation.refusedJob = firstWaitingJob(simulation);
  return Status.QueueStuck;
}
