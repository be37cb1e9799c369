import { Instant, Jobs, Simulation, Status } from '../abi';
import { CHECKED, Invariant, check } from '../check';
import * as fcfs from '../disciplines/fcfs';
import { soonestTime } from '../events/finishQueue';
import { at, column } from '../memory';
import { release } from '../placement/commit';
import { length } from '../queue/window';

/**
 * The event loop. Two kinds of event, submit and finish, in the order of time; at equal times submits before
 * finishes, submits by job index, finishes by job index (Shih et al. 2010, section 4.1).
 */

/** Handles all events up to and including a time; +infinity runs to the end. */
export function runUntil(simulation: Simulation, jobs: Jobs, until: f64): Status {
  return simulation.instant === Instant.Batched
    ? runByInstant(simulation, jobs, until)
    : runByEvent(simulation, jobs, until);
}

/** One allocation pass after every event. */
function runByEvent(simulation: Simulation, jobs: Jobs, until: f64): Status {
  while (true) {
    if (logIsFull(simulation)) return Status.LogFull;
    const submitTime = nextSubmit(simulation, jobs);
    const finishTime = soonestTime(simulation);
    if (submitTime <= finishTime) {
      if (!isDue(submitTime, until)) return outcome(simulation, submitTime);
      const waiting = observe(simulation, submitTime);
      submit(simulation, waiting);
      if (fcfs.submitMayStart(waiting)) fcfs.pass(simulation, jobs);
    } else {
      if (!isDue(finishTime, until)) return outcome(simulation, finishTime);
      const waiting = observe(simulation, finishTime);
      release(simulation, jobs);
      if (waiting > 0) fcfs.pass(simulation, jobs);
    }
  }
}

/** All finishes of an instant, then all its submits, then one allocation pass. */
function runByInstant(simulation: Simulation, jobs: Jobs, until: f64): Status {
  while (true) {
    const time = min<f64>(nextSubmit(simulation, jobs), soonestTime(simulation));
    if (!isDue(time, until)) return outcome(simulation, time);
    if (logIsFull(simulation)) return Status.LogFull;
    while (soonestTime(simulation) === time) {
      observe(simulation, time);
      release(simulation, jobs);
    }
    while (nextSubmit(simulation, jobs) === time) submit(simulation, observe(simulation, time));
    fcfs.pass(simulation, jobs);
  }
}

/** Whether there is an event at a time (+infinity: none) and it is to be handled. */
@inline
function isDue(time: f64, until: f64): bool {
  return time <= until && time < Infinity;
}

/** Time of the next submit; +infinity after the last (the column ends with it). */
@inline
function nextSubmit(simulation: Simulation, jobs: Jobs): f64 {
  return at<f64>(column(changetype<usize>(jobs), jobs.submit), simulation.next);
}

/** The next job joins the queue, which `waiting` others stand in. */
@inline
function submit(simulation: Simulation, waiting: i32): void {
  if (waiting === 0) simulation.newcomer = simulation.next;
  simulation.next++;
}

/** Moves the clock to an event and records the queue that the event finds, whose length it returns. */
@inline
function observe(simulation: Simulation, time: f64): i32 {
  if (CHECKED) check(time >= simulation.now, Invariant.TimeReversed);
  const waiting = length(simulation);
  if (CHECKED) check(waiting >= 0 && simulation.next <= simulation.jobCount, Invariant.QueueWindow);
  simulation.now = time;
  simulation.waitingObserved += waiting;
  if (waiting > simulation.largestQueue) simulation.largestQueue = waiting;
  return waiting;
}

/** One event can start jobs on all processors at most, and no job has more runs than processors. */
@inline
function logIsFull(simulation: Simulation): bool {
  return (
    simulation.logCapacity > 0 && simulation.logCapacity - simulation.logLength < simulation.totalProcessors
  );
}

@inline
function outcome(simulation: Simulation, nextEvent: f64): Status {
  if (nextEvent < Infinity) return Status.Paused;
  if (CHECKED) check(length(simulation) === 0, Invariant.StuckQueue);
  return Status.Finished;
}
