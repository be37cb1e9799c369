import { Instant, Jobs, Simulation, Status } from '../abi';
import * as columns from '../columns';
import { CHECKED, Invariant, check } from '../check';
import * as fcfs from '../disciplines/fcfs';
import { soonestTime } from '../events/finishQueue';
import { at } from '../memory';
import { release } from '../placement/commit';
import { length } from '../queue/window';

/**
 * The event loop. Two kinds of event, submit and finish, in the order of time; at equal times submits before
 * finishes, submits by job index, finishes by job index (Shih et al. 2010, section 4.1).
 */

/** Handles all events up to and including a time; +infinity runs to the end. */
export function runUntil(simulation: Simulation, jobs: Jobs, until: f64): Status {
  // An event at +infinity is none.
  const last = until < f64.MAX_VALUE ? until : f64.MAX_VALUE;
  return simulation.instant === Instant.Batched
    ? runByInstant(simulation, jobs, last)
    : runByEvent(simulation, jobs, last);
}

/** One allocation pass after every event. */
function runByEvent(simulation: Simulation, jobs: Jobs, last: f64): Status {
  const submits = columns.submits;
  while (true) {
    if (logIsFull(simulation)) return Status.LogFull;
    const submitTime = at<f64>(submits, simulation.next);
    const finishTime = soonestTime(simulation);
    let waiting: i32;
    if (submitTime <= finishTime) {
      if (!(submitTime <= last)) return outcome(simulation, submitTime);
      waiting = observe(simulation, submitTime);
      submit(simulation, waiting);
      if (!fcfs.submitMayStart(waiting)) continue;
    } else {
      if (!(finishTime <= last)) return outcome(simulation, finishTime);
      waiting = observe(simulation, finishTime);
      release(simulation, jobs);
      if (waiting === 0) continue;
    }
    fcfs.pass(simulation, jobs);
  }
}

/** All finishes of an instant, then all its submits, then one allocation pass. */
function runByInstant(simulation: Simulation, jobs: Jobs, last: f64): Status {
  while (true) {
    const time = min<f64>(nextSubmit(simulation, jobs), soonestTime(simulation));
    if (!(time <= last)) return outcome(simulation, time);
    if (logIsFull(simulation)) return Status.LogFull;
    while (soonestTime(simulation) === time) {
      observe(simulation, time);
      release(simulation, jobs);
    }
    while (nextSubmit(simulation, jobs) === time) submit(simulation, observe(simulation, time));
    fcfs.pass(simulation, jobs);
  }
}

/** Time of the next submit; +infinity after the last (the column ends with it). */
@inline
function nextSubmit(simulation: Simulation, jobs: Jobs): f64 {
  return at<f64>(columns.submits, simulation.next);
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

/** Whether the log may not hold what one more event can start. */
@inline
function logIsFull(simulation: Simulation): bool {
  return simulation.logLength > simulation.logLimit;
}

@inline
function outcome(simulation: Simulation, nextEvent: f64): Status {
  if (nextEvent < Infinity) return Status.Paused;
  if (CHECKED) check(length(simulation) === 0, Invariant.StuckQueue);
  return Status.Finished;
}
