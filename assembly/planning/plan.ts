import { Discipline, Option, Selection } from '../abi/abi';
import { Simulation } from '../memory/state';
import { IS_CHECKED_BUILD, Invariant, check, Work, count } from '../memory/check';
import { freeProcessorsAt } from '../grid/sites';
import * as columns from '../memory/columns';
import * as freeSteps from './freeSteps';
import * as outagePlan from './outagePlan';
import * as predictedEnds from './predictedEnds';
import { requiredEnd } from './predictions';
import { roundDownToUnit } from './wallClock';
import { at } from '../memory/memory';
import {
  stepBlockAt,
  findStep,
  foundBlock,
  foundStep,
  freeAtFoundStep,
  freeCountsOf,
  siteStepsAt,
  timesOf,
} from './freeSteps';

/**
 * Plan of an allocation pass: free processors of every site over future time, from predicted ends of running
 * jobs and reservations of waiting ones (Zhang et al. 2006, section 4.1.2). It is made for every pass, or
 * continued from the last one if everything has happened as predicted since.
 */

/**
 * Initializes the plan from the running jobs, without reservations. With a window, in seconds, the predicted
 * ends of a site are taken together in groups, and all processors of a group become free at its last end.
 */
export function beginPlan(simulation: Simulation, window: f64 = 0): void {
  freeSteps.reset(simulation);
  for (let site = 0; site < simulation.siteCount; site++) {
    const outageCorrection = simulation.outages !== 0 ? outagePlan.outageCorrectionOf(site) : 0;
    freeSteps.beginStepsOfSite(simulation, site, freeProcessorsAt(site) + outageCorrection);
    predictedEnds.appendReleases(simulation, site, window);
  }
  if (simulation.outages !== 0) outagePlan.addOutagesToPlan(simulation);
}

/** Advances the plan to now. */
export function advancePlanToNow(simulation: Simulation): void {
  for (let site = 0; site < simulation.siteCount; site++) {
    freeSteps.removePastSteps(simulation, site, simulation.now);
  }
}

/**
 * Handles the end of a job with predicted end `end`. An unpredicted end invalidates the plan; so does a
 * predicted one if it lets jobs start that are reserved elsewhere (non-adaptive selection).
 */
export function handleJobEnd(simulation: Simulation, end: f64, isOverdue: bool): void {
  const mayStartElsewhere =
    simulation.discipline === Discipline.Easy || simulation.selection === Selection.NonAdaptive;
  const canOtherJobStart = mayStartElsewhere && simulation.planReserved !== 0;
  if (canOtherJobStart || isOverdue || end !== simulation.now) simulation.planHolds = 0;
}

/** Takes processors of a site from now until a predicted end. */
export function occupyProcessors(simulation: Simulation, site: i32, processors: i32, end: f64): void {
  freeSteps.occupyProcessorsUntil(simulation, site, processors, end);
  if (IS_CHECKED_BUILD)
    check(leastFreeProcessorsBetween(site, simulation.now, end) >= 0, Invariant.PlanNegative);
}

/**
 * Reserves processors of a site; requires now < start < end. With a resolution, start and end are rounded
 * down to multiples of it, and the reservation is at least one unit long; the number of free processors may
 * then be negative.
 */
export function reserve(simulation: Simulation, site: i32, processors: i32, start: f64, end: f64): void {
  const resolutionSeconds = columns.optionOfRun(Option.BackfillResolution);
  if (resolutionSeconds > 0) {
    const begin = roundDownToUnit(start);
    const until = max<f64>(roundDownToUnit(end), begin + resolutionSeconds);
    if (until <= simulation.now) return;
    if (begin <= simulation.now) freeSteps.occupyProcessorsUntil(simulation, site, processors, until);
    else freeSteps.occupyProcessorsBetween(simulation, site, processors, begin, until);
    return;
  }
  freeSteps.occupyProcessorsBetween(simulation, site, processors, start, end);
  if (IS_CHECKED_BUILD) check(leastFreeProcessorsBetween(site, start, end) >= 0, Invariant.PlanNegative);
}

/** Smallest number of free processors on a site during a job that starts at a time. */
@inline
export function leastFreeProcessorsFor(site: i32, now: f64, time: f64, predictedRuntime: f64): i32 {
  return leastFreeProcessorsBetween(site, time, requiredEndTime(requiredEnd(now, time, predictedRuntime)));
}

/**
 * Time up to which a job that ends at a time must find processors free: with closed overlap also in the
 * instant of its end.
 */
@inline
function requiredEndTime(end: f64): f64 {
  if (columns.optionOfRun(Option.ClosedOverlap) === 0) return end;
  return end > 0 ? reinterpret<f64>(reinterpret<u64>(end) + 1) : f64.MIN_VALUE;
}

/**
 * Earliest time from now on at which a site has enough free processors for a predicted runtime; +infinity if
 * the job would then end after `latestEnd`.
 */
export function earliestStart(
  simulation: Simulation,
  site: i32,
  processors: i32,
  predictedRuntime: f64,
  latestEnd: f64,
): f64 {
  return searchStart(site, simulation.now, simulation.now, processors, predictedRuntime, latestEnd);
}

/** The following functions query the free processors over future time in a plan. */

/** Smallest number of free processors on a site from a time until another. */
export function leastFreeProcessorsBetween(site: i32, time: f64, end: f64): i32 {
  findStep(site, time);
  let leastFreeProcessors = freeAtFoundStep(site);
  const endBlock = siteStepsAt(site + 1).begin;
  let step = foundStep + 1;
  for (let index = foundBlock; index < endBlock; index++) {
    const block = stepBlockAt(index);
    if (block.time >= end) return leastFreeProcessors;
    if (step > 0 || block.least < leastFreeProcessors) {
      const timesAddress = timesOf(block);
      const freeCountsAddress = freeCountsOf(block);
      for (; step < block.count; step++) {
        if (at<f64>(timesAddress, step) >= end) return leastFreeProcessors;
        leastFreeProcessors = min(leastFreeProcessors, at<i32>(freeCountsAddress, step) + block.addend);
      }
    }
    step = 0;
  }
  return leastFreeProcessors;
}

/**
 * First time after a given one at which the number of free processors of a site changes; +infinity if none.
 */
export function nextChange(site: i32, time: f64): f64 {
  findStep(site, time);
  const freeProcessors = freeAtFoundStep(site);
  const endBlock = siteStepsAt(site + 1).begin;
  let step = foundStep + 1;
  for (let index = foundBlock; index < endBlock; index++) {
    const block = stepBlockAt(index);
    for (; step < block.count; step++) {
      if (at<i32>(freeCountsOf(block), step) + block.addend !== freeProcessors)
        return at<f64>(timesOf(block), step);
    }
    step = 0;
  }
  return Infinity;
}

/**
 * Begin in seconds of the period up to a time, but not before `from`, during which a site has at least this
 * many free processors; the time itself if there is no such period.
 */
export function freePeriodStart(site: i32, processors: i32, time: f64, from: f64): f64 {
  findStep(site, time);
  return freeSinceFound(site, processors, time, from);
}

/** Like `freePeriodStart`, for the time that `findStep` has found last. */
export function freeSinceFound(site: i32, processors: i32, time: f64, from: f64): f64 {
  const firstBlock = siteStepsAt(site).begin;
  let step = foundStep;
  let periodStart = time;
  for (let index = foundBlock; index >= firstBlock; index--) {
    const block = stepBlockAt(index);
    if (index < foundBlock) step = block.count - 1;
    const timesAddress = timesOf(block);
    const storedMinimum = processors - block.addend;
    for (; step >= 0; step--) {
      if (at<f64>(timesAddress, step) >= time) continue;
      if (at<i32>(freeCountsOf(block), step) < storedMinimum) return periodStart;
      periodStart = at<f64>(timesAddress, step);
      if (periodStart <= from) return from;
    }
  }
  return siteStepsAt(site).free >= processors ? from : periodStart;
}

/**
 * Earliest time from `from` on at which a site has enough free processors for `duration` seconds; +infinity
 * if the job would then end after `latestEnd`. All processors of a site are free at the end of the plan.
 */
function searchStart(site: i32, now: f64, from: f64, processors: i32, duration: f64, latestEnd: f64): f64 {
  count(Work.Searches);
  findStep(site, from);
  const endBlock = siteStepsAt(site + 1).begin;
  let time = from;
  let hasEnough = freeAtFoundStep(site) >= processors;
  let index = foundBlock;
  let step = foundStep + 1;
  while (true) {
    if (!hasEnough) {
      // First step with enough processors.
      while (true) {
        count(Work.Blocks);
        const block = stepBlockAt(index);
        if (block.most >= processors) {
          const storedMinimum = processors - block.addend;
          const counts = freeCountsOf(block);
          while (step < block.count && at<i32>(counts, step) < storedMinimum) step++;
          if (step < block.count) break;
        }
        index++;
        step = 0;
      }
      time = at<f64>(timesOf(stepBlockAt(index)), step++);
    }
    if (time + duration > latestEnd) return Infinity;
    const end = requiredEnd(now, time, duration);
    const until = requiredEndTime(end);
    // First step before the end with too few processors.
    hasEnough = true;
    for (; index < endBlock; index++) {
      count(Work.Blocks);
      const block = stepBlockAt(index);
      if (block.time >= until) return time;
      if (block.least < processors) {
        const times = timesOf(block);
        const counts = freeCountsOf(block);
        const storedMinimum = processors - block.addend;
        while (step < block.count && at<i32>(counts, step) >= storedMinimum && at<f64>(times, step) < until)
          step++;
        if (step < block.count) {
          if (at<f64>(times, step) >= until) return time;
          hasEnough = false;
          break;
        }
      }
      step = 0;
    }
    if (hasEnough) return time;
    if (end > time + duration) {
      // A job of predicted runtime 0 needs processors for more than an instant only now.
      time = nextChange(site, time);
      findStep(site, time);
      hasEnough = freeAtFoundStep(site) >= processors;
      index = foundBlock;
      step = foundStep + 1;
    }
  }
}
