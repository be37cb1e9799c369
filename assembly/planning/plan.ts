import { Discipline, Selection } from '../abi/abi';
import { Simulation } from '../memory/state';
import { CHECKED, Invariant, check, Work, count } from '../memory/check';
import { freeAt } from '../grid/sites';
import * as freeSteps from './freeSteps';
import * as searchBounds from './searchBounds';
import * as predictedEnds from './predictedEnds';
import { endOf } from './predictions';
import { at } from '../memory/memory';
import {
  Block,
  blockAt,
  find,
  foundBlock,
  foundStep,
  freeThere,
  numbersOf,
  siteAt,
  timesOf,
} from './freeSteps';

/**
 * The plan of an allocation pass: free processors of every site over future time, as the predictions of
 * running jobs and the reservations of waiting ones leave them (Zhang et al. 2006, section 4.1.2). It is made
 * again for a pass, or goes on from the last one where nothing has come otherwise than predicted since.
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

/** This many jobs are to be planned: where they are many the bounds of searches are kept. */
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
  if (CHECKED) check(leastFree(site, simulation.now, end) >= 0, Invariant.PlanNegative);
}

/** Processors of a site are reserved; the time is later than now, and the end later than that. */
export function reserve(simulation: Simulation, site: i32, processors: i32, start: f64, end: f64): void {
  freeSteps.takeBetween(simulation, site, processors, start, end);
  if (CHECKED) check(leastFree(site, start, end) >= 0, Invariant.PlanNegative);
}

/** The fewest processors of a site that are free while a job runs that starts at a time. */
@inline
export function leastFreeFor(site: i32, now: f64, time: f64, predictedRuntime: f64): i32 {
  return leastFree(site, time, endOf(now, time, predictedRuntime));
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
  const isBounded = simulation.usesSearchBounds !== 0;
  const known = isBounded ? searchBounds.earliest(simulation, site, processors, predictedRuntime) : 0;
  const from = max<f64>(simulation.now, known);
  const start = search(site, simulation.now, from, processors, predictedRuntime, latestEnd);
  const until = searchedUntil;
  if (isBounded && until > from) searchBounds.raise(simulation, site, processors, predictedRuntime, until);
  return start;
}

/** Questions about the processors that a plan leaves free over future time. */

/** The fewest processors that are free on a site at a time and until another. */
export function leastFree(site: i32, time: f64, end: f64): i32 {
  find(site, time);
  let least = freeThere(site);
  const last = siteAt(site + 1).begin;
  let step = foundStep + 1;
  for (let index = foundBlock; index < last; index++) {
    const block = blockAt(index);
    if (block.time >= end) return least;
    if (step > 0 || block.least < least) {
      const times = timesOf(block);
      const numbers = numbersOf(block);
      for (; step < block.count; step++) {
        if (at<f64>(times, step) >= end) return least;
        least = min(least, at<i32>(numbers, step) + block.added);
      }
    }
    step = 0;
  }
  return least;
}

/** The first time after a time at which the number changes on a site; +infinity when there is none. */
export function nextChange(site: i32, time: f64): f64 {
  find(site, time);
  const free = freeThere(site);
  const last = siteAt(site + 1).begin;
  let step = foundStep + 1;
  for (let index = foundBlock; index < last; index++) {
    const block = blockAt(index);
    for (; step < block.count; step++) {
      if (at<i32>(numbersOf(block), step) + block.added !== free) return at<f64>(timesOf(block), step);
    }
    step = 0;
  }
  return Infinity;
}

/** Since when, from `from` on, this many processors were free on a site just before a time; else that. */
export function freeSince(site: i32, processors: i32, time: f64, from: f64): f64 {
  find(site, time);
  const begin = siteAt(site).begin;
  let step = foundStep;
  let since = time;
  for (let index = foundBlock; index >= begin; index--) {
    const block = blockAt(index);
    if (index < foundBlock) step = block.count - 1;
    const times = timesOf(block);
    const enough = processors - block.added;
    for (; step >= 0; step--) {
      if (at<f64>(times, step) >= time) continue;
      if (at<i32>(numbersOf(block), step) < enough) return since;
      since = at<f64>(times, step);
      if (since <= from) return from;
    }
  }
  return siteAt(site).free >= processors ? from : since;
}

/** Where the walk along the steps of a site is. */
let walkBlock: i32 = 0;
let walkStep: i32 = 0;

/** A walk along the steps of a site begins at a time; returns how many processors are free then. */
@inline
export function beginWalk(site: i32, time: f64): i32 {
  find(site, time);
  walkBlock = foundBlock;
  walkStep = foundStep;
  return freeThere(site);
}

/**
 * Walks on to the next step with this many processors; returns its time, +infinity where none is until
 * `last`.
 */
export function walkToEnough(site: i32, processors: i32, last: f64): f64 {
  const end = siteAt(site + 1).begin;
  let step = walkStep + 1;
  for (let index = walkBlock; index < end; index++) {
    const block = blockAt(index);
    count(Work.Blocks);
    if (block.time > last) return Infinity;
    if (block.most >= processors) {
      const enough = processors - block.added;
      const numbers = numbersOf(block);
      while (step < block.count && at<i32>(numbers, step) < enough) step++;
      if (step < block.count) return stopAt(block, index, step);
    }
    step = 0;
  }
  return Infinity;
}

/**
 * Walks on to the next step with fewer processors; returns its time, +infinity where none is before
 * `end`.
 */
export function walkToFewer(site: i32, processors: i32, end: f64): f64 {
  const last = siteAt(site + 1).begin;
  let step = walkStep + 1;
  for (let index = walkBlock; index < last; index++) {
    const block = blockAt(index);
    count(Work.Blocks);
    if (block.time >= end) return Infinity;
    if (block.least < processors) {
      const enough = processors - block.added;
      const numbers = numbersOf(block);
      while (step < block.count && at<i32>(numbers, step) >= enough) step++;
      if (step < block.count) {
        const time = stopAt(block, index, step);
        return time < end ? time : Infinity;
      }
    }
    step = 0;
  }
  return Infinity;
}

@inline
function stopAt(block: Block, index: i32, step: i32): f64 {
  walkBlock = index;
  walkStep = step;
  return at<f64>(timesOf(block), step);
}

/** How far the last search got: before that time what was looked for does not fit. */
let searchedUntil: f64 = 0;

/**
 * The earliest time at or after `from` at which this many processors are free on a site for a predicted
 * runtime; +infinity where the job would then end later than `latestEnd`. All processors of a site are free
 * in the end.
 */
function search(site: i32, now: f64, from: f64, processors: i32, predictedRuntime: f64, latestEnd: f64): f64 {
  count(Work.Searches);
  find(site, from);
  const last = siteAt(site + 1).begin;
  let time = from;
  let isFree = freeThere(site) >= processors;
  let index = foundBlock;
  let step = foundStep + 1;
  while (true) {
    if (!isFree) {
      // The first step with enough.
      while (true) {
        count(Work.Blocks);
        const block = blockAt(index);
        if (block.most >= processors) {
          const enough = processors - block.added;
          const numbers = numbersOf(block);
          while (step < block.count && at<i32>(numbers, step) < enough) step++;
          if (step < block.count) break;
        }
        index++;
        step = 0;
      }
      time = at<f64>(timesOf(blockAt(index)), step++);
    }
    searchedUntil = time;
    if (time + predictedRuntime > latestEnd) return Infinity;
    const end = endOf(now, time, predictedRuntime);
    // The first step before the end with too few.
    isFree = true;
    for (; index < last; index++) {
      count(Work.Blocks);
      const block = blockAt(index);
      if (block.time >= end) return time;
      if (block.least < processors) {
        const times = timesOf(block);
        const numbers = numbersOf(block);
        const enough = processors - block.added;
        while (step < block.count && at<i32>(numbers, step) >= enough && at<f64>(times, step) < end) step++;
        if (step < block.count) {
          if (at<f64>(times, step) >= end) return time;
          isFree = false;
          break;
        }
      }
      step = 0;
    }
    if (isFree) return time;
    if (end > time + predictedRuntime) {
      // Predicted to take no time, it needs more than an instant only now; the next change may do.
      time = nextChange(site, time);
      find(site, time);
      isFree = freeThere(site) >= processors;
      index = foundBlock;
      step = foundStep + 1;
    }
  }
}
