import { Instant, Status } from '../abi';
import { Simulation } from '../state';
import * as columns from '../columns';
import { CHECKED, Invariant, check } from '../check';
import * as discipline from '../disciplines/discipline';
import * as fcfs from '../disciplines/fcfs';
import { soonestJob, soonestTime } from '../events/finishQueue';
import { at } from '../memory';
import { finish, finishPlainly } from '../placement/commit';
import { length, lengthSeenBy } from '../queue/waiting';
import { RECORDED } from '../record/log';
import * as window from '../queue/window';

/**
 * The event loop. Two kinds of event, submit and finish, in the order of time; at equal times submits before
 * finishes, submits by job index, finishes by job index (Shih et al. 2010, section 4.1).
 */

/** Handles all events up to and including a time; +infinity runs to the end. */
export function runUntil(simulation: Simulation, until: f64): Status {
  // An event at +infinity is none.
  const last = until < f64.MAX_VALUE ? until : f64.MAX_VALUE;
  if (simulation.interval > 0) return runByInterval(simulation, last);
  if (simulation.instant === Instant.Batched) return runByInstant(simulation, last);
  const isPlain = !RECORDED && simulation.ranked === 0 && simulation.hasExtras === 0;
  return isPlain ? runPlainly(simulation, last) : runByEvent(simulation, last);
}

/**
 * One allocation pass after every event, first come, first served on one queue, where nothing is kept but
 * free counts: `runByEvent` without all that such a run, the most usual, does not need.
 */
function runPlainly(simulation: Simulation, last: f64): Status {
  const submits = columns.submits;
  while (true) {
    const submitTime = at<f64>(submits, simulation.next);
    const finishTime = soonestTime(simulation);
    const waiting = window.length(simulation);
    if (submitTime <= finishTime) {
      if (!(submitTime <= last)) return outcome(simulation, submitTime);
      record(simulation, submitTime, waiting);
      const job = simulation.next;
      simulation.next = job + 1;
      if (waiting > 0) continue;
      simulation.newcomer = job;
    } else {
      if (!(finishTime <= last)) return outcome(simulation, finishTime);
      record(simulation, finishTime, waiting);
      finishPlainly(simulation);
      if (waiting === 0) continue;
    }
    fcfs.passPlainly(simulation);
  }
}

/** One allocation pass after every event. */
function runByEvent(simulation: Simulation, last: f64): Status {
  const submits = columns.submits;
  while (true) {
    if (logIsFull(simulation)) return Status.LogFull;
    const submitTime = at<f64>(submits, simulation.next);
    const finishTime = soonestTime(simulation);
    if (submitTime <= finishTime) {
      if (!(submitTime <= last)) return outcome(simulation, submitTime);
      const job = simulation.next;
      const waiting = observe(simulation, submitTime, job);
      simulation.next = job + 1;
      discipline.submit(simulation, job, waiting);
    } else {
      if (!(finishTime <= last)) return outcome(simulation, finishTime);
      const waiting = observe(simulation, finishTime, soonestJob(simulation));
      discipline.passAfterFinish(simulation, finish(simulation), waiting);
    }
  }
}

/** All finishes of an instant, then all its submits, then one allocation pass. */
function runByInstant(simulation: Simulation, last: f64): Status {
  while (true) {
    const time = min<f64>(nextSubmit(simulation), soonestTime(simulation));
    if (!(time <= last)) return outcome(simulation, time);
    if (logIsFull(simulation)) return Status.LogFull;
    while (soonestTime(simulation) === time) {
      observe(simulation, time, soonestJob(simulation));
      finish(simulation);
    }
    while (nextSubmit(simulation) === time) {
      const job = simulation.next;
      const waiting = observe(simulation, time, job);
      simulation.next = job + 1;
      discipline.join(simulation, job, waiting);
    }
    discipline.passAfterInstant(simulation);
  }
}

/**
 * Passes at the first submit and every interval after it, each after all events up to then; only while jobs
 * wait.
 */
function runByInterval(simulation: Simulation, last: f64): Status {
  while (true) {
    if (logIsFull(simulation)) return Status.LogFull;
    const submitTime = nextSubmit(simulation);
    const finishTime = soonestTime(simulation);
    const event = min<f64>(submitTime, finishTime);
    const pass = length(simulation) > 0 ? nextPass(simulation) : Infinity;
    const time = min<f64>(event, pass);
    if (!(time <= last)) return outcome(simulation, time);
    if (pass < event) {
      simulation.now = pass;
      simulation.passes++;
      discipline.passAfterInstant(simulation);
    } else if (finishTime < submitTime || (finishTime === submitTime && isBatched(simulation))) {
      observe(simulation, finishTime, soonestJob(simulation));
      finish(simulation);
    } else {
      const job = simulation.next;
      const waiting = observe(simulation, submitTime, job);
      simulation.next = job + 1;
      discipline.join(simulation, job, waiting);
    }
  }
}

/** Whether the finishes of an instant come before its submits. */
@inline
function isBatched(simulation: Simulation): bool {
  return simulation.instant === Instant.Batched;
}

/**
 * Time of the next pass: first submit + k * interval for the first k, not yet passed, that is not before
 * now.
 */
function nextPass(simulation: Simulation): f64 {
  const first = at<f64>(columns.submits, 0);
  const interval = simulation.interval;
  // The division may be off by one either way; the times themselves are what counts.
  let passes = max<f64>(simulation.passes, floor<f64>((simulation.now - first) / interval) - 1);
  while (first + passes * interval < simulation.now) passes++;
  simulation.passes = passes;
  return first + passes * interval;
}

/** Time of the next submit; +infinity after the last (the column ends with it). */
@inline
function nextSubmit(simulation: Simulation): f64 {
  return at<f64>(columns.submits, simulation.next);
}

/**
 * Moves the clock to an event of a job and records the queue that the event finds, whose length it returns.
 */
@inline
function observe(simulation: Simulation, time: f64, job: i32): i32 {
  const waiting = lengthSeenBy(simulation, job);
  record(simulation, time, waiting);
  return waiting;
}

/** Moves the clock to an event and records how many jobs it finds waiting. */
@inline
function record(simulation: Simulation, time: f64, waiting: i32): void {
  if (CHECKED) check(time >= simulation.now, Invariant.TimeReversed);
  if (CHECKED) check(waiting >= 0 && simulation.next <= simulation.jobCount, Invariant.QueueWindow);
  simulation.now = time;
  simulation.waitingObserved += waiting;
  if (waiting > simulation.largestQueue) simulation.largestQueue = waiting;
}

/** Whether a log may not hold what one more event can start or stop. */
@inline
function logIsFull(simulation: Simulation): bool {
  if (simulation.hasExtras === 0) return false;
  if (simulation.logLength > simulation.logLimit) return true;
  return simulation.partsLength > simulation.partLimit || simulation.stopsLength > simulation.stopLimit;
}

@inline
function outcome(simulation: Simulation, nextEvent: f64): Status {
  if (nextEvent < Infinity) return Status.Paused;
  if (CHECKED) check(length(simulation) === 0, Invariant.StuckQueue);
  return Status.Finished;
}
