import { Simulation } from '../state';
import * as columns from '../columns';
import * as availability from './availability';
import { Head } from './forest';
import * as forest from './forest';

/**
 * What running jobs give back and when, by their predicted ends: a forest that jobs enter as they start and
 * leave as they end. Only changes upwards stand in it.
 *
 * A job that should have ended already is predicted to end one second from now. `sweep` moves what such jobs
 * hold to that time; the head of each site remembers how much it is and up to when `sweep` has looked.
 */

/** Seconds from now until the predicted end of a job that is overdue. */
const OVERDUE: f64 = 1;

/** No job runs. */
export function reset(simulation: Simulation): void {
  forest.reset(columns.predictions, simulation.siteCount);
  for (let site = 0; site < simulation.siteCount; site++) {
    forest.headOf(columns.predictions, site).swept = -Infinity;
  }
}

/** When a job is predicted to end that would by its estimate. */
@inline
export function endSeenAt(now: f64, end: f64): f64 {
  return end > now ? end : now + OVERDUE;
}

/** Processors of a site are held until a predicted end. */
export function enter(site: i32, end: f64, processors: i32): void {
  const head = forest.headOf(columns.predictions, site);
  if (end > head.swept) {
    forest.change(columns.predictions, site, end, processors);
    return;
  }
  holdOverdue(site, head, head.overdue === 0 ? head.swept + OVERDUE : head.overdueUntil, processors);
}

/** They are not any more; returns whether the job was overdue. */
export function leave(site: i32, end: f64, processors: i32): bool {
  const head = forest.headOf(columns.predictions, site);
  head.touched = 1;
  if (end > head.swept) {
    forest.change(columns.predictions, site, end, -processors);
    return false;
  }
  holdOverdue(site, head, head.overdueUntil, -processors);
  return true;
}

/** Something happens at a site that `wasTouched` is to tell of. */
@inline
export function touch(site: i32): void {
  forest.headOf(columns.predictions, site).touched = 1;
}

/** Whether a job has come to a site or ended there since the last time that this was asked. */
@inline
export function wasTouched(site: i32): bool {
  const head = forest.headOf(columns.predictions, site);
  const touched = head.touched !== 0;
  head.touched = 0;
  return touched;
}

@inline
function holdOverdue(site: i32, head: Head, until: f64, processors: i32): void {
  head.overdue += processors;
  head.overdueUntil = until;
  forest.change(columns.predictions, site, until, processors);
}

/** Brings the predictions of a site up to now; returns whether a job is overdue there. */
export function sweep(site: i32, now: f64): bool {
  const head = forest.headOf(columns.predictions, site);
  const overdue = head.overdue;
  if (overdue > 0) forest.change(columns.predictions, site, head.overdueUntil, -overdue);
  head.overdue = overdue + forest.takeUntil(columns.predictions, site, now);
  head.swept = now;
  if (head.overdue === 0) return false;
  head.overdueUntil = now + OVERDUE;
  forest.change(columns.predictions, site, head.overdueUntil, head.overdue);
  return true;
}

/**
 * The predicted time from now until the jobs of a site that end soonest have given back `processors`; there
 * must be as many.
 */
export function timeUntil(site: i32, processors: i32, now: f64): f64 {
  availability.findRoom(columns.predictions, site, -Infinity, processors);
  const wait = availability.foundTime - now;
  return wait > 0 ? wait : 0;
}
