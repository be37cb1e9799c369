import { Discipline, Selection } from '../abi';
import { Simulation } from '../state';
import * as columns from '../columns';
import { CHECKED, Invariant, check } from '../check';
import { freeAt } from '../grid/sites';
import * as availability from './availability';
import * as profile from './profile';
import * as searchBounds from './searchBounds';
import * as predictedEnds from './predictedEnds';
import * as predictions from './predictions';

/**
 * The plan of an allocation pass: free processors of every site over future time, as the predictions of
 * running jobs and the reservations of waiting ones leave them (Zhang et al. 2006, section 4.1.2). It is made
 * anew for a pass, or goes on from the last one where nothing has come otherwise than predicted since.
 */

/** Makes the plan what running jobs leave, without a reservation. */
export function begin(simulation: Simulation): void {
  predictedEnds.copy(columns.plan, simulation.siteCount);
  for (let site = 0; site < simulation.siteCount; site++) {
    profile.siteProfileAt(columns.plan, site).free = freeAt(site);
  }
  simulation.usesSearchBounds = 0;
}

/** With fewer jobs than this, clearing the bounds takes longer than they save. */
const LONG_QUEUE: i32 = 64;

/** So many jobs are to be planned: from LONG_QUEUE on the bounds of searches are kept. */
export function expect(simulation: Simulation, jobs: i32): void {
  if (simulation.usesSearchBounds !== 0 || jobs < LONG_QUEUE) return;
  searchBounds.reset(simulation);
  simulation.usesSearchBounds = 1;
}

/** Goes on with the plan as it stands: what was to come until now has come. */
export function advance(simulation: Simulation): void {
  for (let site = 0; site < simulation.siteCount; site++) {
    profile.siteProfileAt(columns.plan, site).free += profile.takeUntil(columns.plan, site, simulation.now);
  }
}

/**
 * A job that is predicted to end at `end` ends now. Other than predicted, that changes the plan; and as
 * predicted it lets jobs start that are reserved elsewhere (non-adaptive selection).
 */
export function atEnd(simulation: Simulation, end: f64, isOverdue: bool): void {
  const isFree =
    simulation.discipline === Discipline.Easy || simulation.selection === Selection.NonAdaptive;
  const letsStart = isFree && simulation.planReserved !== 0;
  if (letsStart || isOverdue || end !== simulation.now) simulation.planHolds = 0;
}

/** Processors of a site are taken from now until a predicted end. */
export function occupy(site: i32, processors: i32, end: f64): void {
  const siteProfile = profile.siteProfileAt(columns.plan, site);
  siteProfile.free -= processors;
  if (CHECKED) check(siteProfile.free >= 0, Invariant.PlanNegative);
  profile.change(columns.plan, site, end, processors);
}

/** Processors of a site are reserved; the time is later than now, and the end later than that. */
export function reserve(site: i32, processors: i32, start: f64, end: f64): void {
  profile.change(columns.plan, site, start, -processors);
  profile.change(columns.plan, site, end, processors);
  if (CHECKED) {
    check(availability.leastFree(columns.plan, site, start, end) >= 0, Invariant.PlanNegative);
  }
}

/**
 * Until when a job needs its processors that is to start at a time with a predicted runtime. Where that is 0,
 * or lost in rounding, it needs them at that instant alone; if that is now, until it is predicted
 * to end once it runs.
 */
@inline
export function endOf(now: f64, time: f64, predictedRuntime: f64): f64 {
  const end = time + predictedRuntime;
  if (end > time) return end;
  return time === now ? predictions.endSeenAt(now, end) : time;
}

/** The fewest processors of a site that are free while a job runs that starts at a time. */
@inline
export function leastFree(site: i32, now: f64, time: f64, predictedRuntime: f64): i32 {
  return availability.leastFree(columns.plan, site, time, endOf(now, time, predictedRuntime));
}

/**
 * The earliest time from now on at which a site has processors free for a predicted runtime; +infinity where
 * the job would then end later than `latestEnd`.
 */
export function earliestStart(
  simulation: Simulation,
  site: i32,
  processors: i32,
  predictedRuntime: f64,
  latestEnd: f64,
): f64 {
  if (simulation.usesSearchBounds === 0) {
    return search(site, simulation.now, simulation.now, processors, predictedRuntime, latestEnd);
  }
  const known = searchBounds.earliest(site, processors, predictedRuntime);
  const from = max<f64>(simulation.now, known);
  const start = search(site, simulation.now, from, processors, predictedRuntime, latestEnd);
  if (searchedUntil > from) searchBounds.raise(site, processors, predictedRuntime, searchedUntil);
  return start;
}

/** How far the last search got: before that time what was looked for does not fit. */
let searchedUntil: f64 = 0;

/** The search itself, from a time on. */
function search(site: i32, now: f64, from: f64, processors: i32, predictedRuntime: f64, latestEnd: f64): f64 {
  let time = from;
  let free = availability.leastFree(columns.plan, site, from, from);
  while (true) {
    if (free < processors) {
      // All processors are free after the last change.
      availability.findAtLeast(columns.plan, site, time, processors);
      time = availability.foundTime;
    }
    searchedUntil = time;
    if (time + predictedRuntime > latestEnd) return Infinity;
    const isShort = availability.findBelow(columns.plan, site, time, processors);
    const end = endOf(now, time, predictedRuntime);
    if (!isShort || availability.foundTime >= end) return time;
    if (end > time + predictedRuntime) {
      // Predicted to take no time, it needs more than an instant only now; the next change may do.
      time = nextChange(site, time);
      free = availability.leastFree(columns.plan, site, time, time);
    } else {
      time = availability.foundTime;
      free = availability.foundFree;
    }
  }
}

/** The first change of a site after a time; +infinity when there is none. */
@inline
export function nextChange(site: i32, time: f64): f64 {
  return availability.nextChange(columns.plan, site, time);
}
