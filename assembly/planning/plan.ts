import { Discipline, Selection } from '../abi/abi';
import { Simulation } from '../memory/state';
import { CHECKED, Invariant, check } from '../memory/check';
import { freeAt } from '../grid/sites';
import * as availability from './availability';
import * as freeSteps from './freeSteps';
import * as searchBounds from './searchBounds';
import * as predictedEnds from './predictedEnds';
import { endOf } from './predictions';

/**
 * The plan of an allocation pass: free processors of every site over future time, as the predictions of
 * running jobs and the reservations of waiting ones leave them (Zhang et al. 2006, section 4.1.2). It is made
 * anew for a pass, or goes on from the last one where nothing has come otherwise than predicted since.
 */

/** Makes the plan what running jobs leave, without a reservation. */
export function begin(simulation: Simulation): void {
  freeSteps.reset(simulation);
  for (let site = 0; site < simulation.siteCount; site++) {
    freeSteps.beginSite(simulation, site, freeAt(site));
    predictedEnds.append(simulation, site);
  }
  simulation.usesSearchBounds = 0;
}

/** So many jobs are to be planned: where they are many the bounds of searches are kept. */
export function expect(simulation: Simulation, jobs: i32): void {
  if (simulation.usesSearchBounds !== 0 || jobs < searchBounds.LONG_QUEUE) return;
  searchBounds.reset(simulation);
  simulation.usesSearchBounds = 1;
}

/** Goes on with the plan as it stands: what was to come until now has come. */
export function advance(simulation: Simulation): void {
  for (let site = 0; site < simulation.siteCount; site++) {
    freeSteps.advance(simulation, site, simulation.now);
  }
}

/**
 * A job that is predicted to end at `end` ends now. Other than predicted, that changes the plan; and as
 * predicted it lets jobs start that are reserved elsewhere (non-adaptive selection).
 */
export function atEnd(simulation: Simulation, end: f64, isOverdue: bool): void {
  const isFree = simulation.discipline === Discipline.Easy || simulation.selection === Selection.NonAdaptive;
  const letsStart = isFree && simulation.planReserved !== 0;
  if (letsStart || isOverdue || end !== simulation.now) simulation.planHolds = 0;
}

/** Processors of a site are taken from now until a predicted end. */
export function occupy(simulation: Simulation, site: i32, processors: i32, end: f64): void {
  freeSteps.takeUntil(simulation, site, processors, end);
  if (CHECKED) check(availability.leastFree(site, simulation.now, end) >= 0, Invariant.PlanNegative);
}

/** Processors of a site are reserved; the time is later than now, and the end later than that. */
export function reserve(simulation: Simulation, site: i32, processors: i32, start: f64, end: f64): void {
  freeSteps.takeBetween(simulation, site, processors, start, end);
  if (CHECKED) check(availability.leastFree(site, start, end) >= 0, Invariant.PlanNegative);
}

/** The fewest processors of a site that are free while a job runs that starts at a time. */
@inline
export function leastFree(site: i32, now: f64, time: f64, predictedRuntime: f64): i32 {
  return availability.leastFree(site, time, endOf(now, time, predictedRuntime));
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
    return availability.search(site, simulation.now, simulation.now, processors, predictedRuntime, latestEnd);
  }
  const known = searchBounds.earliest(simulation, site, processors, predictedRuntime);
  const from = max<f64>(simulation.now, known);
  const start = availability.search(site, simulation.now, from, processors, predictedRuntime, latestEnd);
  const until = availability.searchedUntil;
  if (until > from) searchBounds.raise(simulation, site, processors, predictedRuntime, until);
  return start;
}

/** The first change of a site after a time; +infinity when there is none. */
@inline
export function nextChange(site: i32, time: f64): f64 {
  return availability.nextChange(site, time);
}
