import { applySpeedChangesBefore, findNextEvent } from './events.js';
import {
  beginInstantOfKeptReservations,
  handleEventWithKeptReservations,
  type KeptReservationInstant,
  makeBackfillPassOfReservations,
  makeMainPassOfReservations,
} from './keptReservations.js';
import { makeMainPassOfQueues } from './mainPass.js';
import { makeAllocationPass } from './passes.js';
import type { Simulation } from './simulation.js';

/** Numbers of jobs submitted, started and ended so far, and of capacity changes to come. */
interface JobEventCounts {
  submitted: number;
  started: number;
  ended: number;
  coming: number;
}

/**
 * Handles events, main passes and backfill passes. At the same time, all events come first, then
 * the main pass if due, then both again if that pass ended jobs of length 0; then the backfill
 * pass.
 */
export function handleEventsAndPasses(simulation: Simulation): void {
  const { passGap, backfillInterval, backfillOffset = 0 } = simulation.options;
  const firstSubmit = simulation.jobs[0]?.submit ?? 0;
  let mainTime = Number.POSITIVE_INFINITY;
  let lastMain = Number.NEGATIVE_INFINITY;
  let backfillPasses = 0;
  let atLastBackfill: JobEventCounts | undefined;
  let clock = Number.NEGATIVE_INFINITY;
  const backfillTime = () => {
    if (backfillInterval === undefined || !mayAnyJobWait(simulation)) return Number.POSITIVE_INFINITY;
    // An outage may let jobs wait again after all had started.
    while (firstSubmit + backfillOffset + backfillPasses * backfillInterval < clock) backfillPasses += 1;
    return firstSubmit + backfillOffset + backfillPasses * backfillInterval;
  };
  const nextPassTimeFrom = (time: number) => {
    let passesAtIntervals = backfillPasses;
    while (firstSubmit + backfillOffset + passesAtIntervals * backfillInterval! < time)
      passesAtIntervals += 1;
    return firstSubmit + backfillOffset + passesAtIntervals * backfillInterval!;
  };
  const hasKeptReservations = simulation.options.reservations === 'kept';
  let instant: KeptReservationInstant = { now: clock, isStarting: false, nextPassFrom: nextPassTimeFrom };
  for (;;) {
    const now = Math.min(findNextEvent(simulation).time, mainTime, backfillTime());
    if (now === Number.POSITIVE_INFINITY) return;
    clock = now;
    applySpeedChangesBefore(simulation, now);
    if (hasKeptReservations && instant.now < now) {
      instant = { now, isStarting: false, nextPassFrom: nextPassTimeFrom };
      beginInstantOfKeptReservations(simulation, instant);
    }
    for (let event = findNextEvent(simulation); event.time === now; event = findNextEvent(simulation)) {
      if (hasKeptReservations) handleEventWithKeptReservations(simulation, instant, event);
      else event.handle();
      const asked = now + passDelayAfterEvent(simulation, event.submitted !== undefined);
      mainTime = Math.min(mainTime, Math.max(asked, lastMain + (passGap ?? 0)));
    }
    if (mainTime === now) {
      mainTime = Number.POSITIVE_INFINITY;
      lastMain = now;
      makeMainPass(simulation, now, instant);
    } else if (backfillTime() === now) {
      if (isBackfillDue(simulation, atLastBackfill)) {
        atLastBackfill = countJobEvents(simulation);
        simulation.metEmptyQueue.clear();
        if (hasKeptReservations) makeBackfillPassOfReservations(simulation, instant);
        else makeAllocationPass(simulation, now);
      }
      backfillPasses += 1;
    }
  }
}

/** Seconds from an event to the main pass that it requests. */
function passDelayAfterEvent({ options }: Simulation, isSubmit: boolean): number {
  const { submit, end } = options.passDelay ?? { submit: 0, end: 0 };
  return isSubmit ? submit : end;
}

/**
 * Makes the usual pass or, with backfill passes, one that ends at the first job that does not fit.
 */
function makeMainPass(simulation: Simulation, now: number, instant: KeptReservationInstant): void {
  const { passDelay, passGap, backfillInterval } = simulation.options;
  // If a pass may come later than the submission, no job meets an empty queue.
  const isLate = [passDelay?.submit, passGap].some((seconds) => (seconds ?? 0) > 0);
  if (isLate) simulation.metEmptyQueue.clear();
  if (backfillInterval === undefined) makeAllocationPass(simulation, now);
  else if (simulation.options.reservations === 'kept') makeMainPassOfReservations(simulation, instant);
  else makeMainPassOfQueues(simulation, now);
}

/** Returns true if a job waits or may still be submitted. */
function mayAnyJobWait({ coming, held, queues }: Simulation): boolean {
  return coming.length > 0 || held.length > 0 || queues.some((queue) => queue.length > 0);
}

/**
 * Returns true if a job waits and, when planning by nodes, if a job was submitted, started or ended, or
 * an outage began or ended, since the last backfill pass began.
 */
function isBackfillDue(simulation: Simulation, last: JobEventCounts | undefined): boolean {
  if (simulation.queues.every((queue) => queue.length === 0)) return false;
  if (simulation.options.planBy !== 'node' || last === undefined) return true;
  const { submitted, started, ended, coming } = countJobEvents(simulation);
  if (coming < last.coming) return true;
  return submitted > last.submitted || started > last.started || ended > last.ended;
}

function countJobEvents({
  submitted,
  running,
  finished,
  stoppedRuns,
  capacityChanges,
}: Simulation): JobEventCounts {
  const started = running.length + finished.length + stoppedRuns.length;
  return { submitted, started, ended: finished.length, coming: capacityChanges.length };
}
