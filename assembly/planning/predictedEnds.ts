import { Simulation } from '../state';
import * as columns from '../columns';
import { at, put } from '../memory';
import * as freeSteps from './freeSteps';
import * as profile from './profile';

/**
 * When the running jobs of each site are predicted to give back how many processors. A few ends stand in a
 * list, the latest first, since jobs come and go near its end; more than that in the tree of a profile.
 */

/** Most ends of a list: beyond it a tree is faster. */
const LONGEST: i32 = 64;
/** Words of 8 bytes of a list: its length, -1 for a tree, and of every end the time and the processors. */
const WORDS: i32 = 1 + 2 * LONGEST;

/** Words of 8 bytes of the lists of so many sites. */
export function wordsOf(sites: i64): i64 {
  return sites * WORDS;
}

@inline
function listOf(site: i32): usize {
  return columns.predictedEnds + <usize>(site * WORDS) * sizeof<u64>();
}

@inline
function lengthOf(list: usize): i32 {
  return <i32>at<i64>(list, 0);
}

@inline
function timeAt(list: usize, index: i32): f64 {
  return at<f64>(list, 1 + 2 * index);
}

@inline
function processorsAt(list: usize, index: i32): i32 {
  return <i32>at<i64>(list, 2 + 2 * index);
}

@inline
function set(list: usize, index: i32, time: f64, processors: i32): void {
  put<f64>(list, 1 + 2 * index, time);
  put<i64>(list, 2 + 2 * index, processors);
}

/** So many processors more, or where `by` is below 0 fewer, are given back at a time. */
export function change(site: i32, time: f64, by: i32): void {
  const list = listOf(site);
  const length = lengthOf(list);
  if (length < 0) {
    profile.change(columns.predictions, site, time, by);
    if (profile.siteProfileAt(columns.predictions, site).root === 0) put<i64>(list, 0, 0);
    return;
  }
  let index = length - 1;
  while (index >= 0 && timeAt(list, index) < time) index--;
  if (index >= 0 && timeAt(list, index) === time) {
    const processors = processorsAt(list, index) + by;
    if (processors !== 0) set(list, index, time, processors);
    else remove(list, index, length - 1);
  } else if (length < LONGEST) {
    put<i64>(list, 0, length + 1);
    for (let sooner = length; sooner > index + 1; sooner--) {
      set(list, sooner, timeAt(list, sooner - 1), processorsAt(list, sooner - 1));
    }
    set(list, index + 1, time, by);
  } else {
    plant(site);
    put<i64>(list, 0, -1);
    profile.change(columns.predictions, site, time, by);
  }
}

/** Takes an end out of a list, and leaves `length`. */
@inline
function remove(list: usize, index: i32, length: i32): void {
  put<i64>(list, 0, length);
  for (; index < length; index++) set(list, index, timeAt(list, index + 1), processorsAt(list, index + 1));
}

/** Enters the list of a site in its tree. */
function plant(site: i32): void {
  const list = listOf(site);
  for (let index = lengthOf(list) - 1; index >= 0; index--) {
    profile.change(columns.predictions, site, timeAt(list, index), processorsAt(list, index));
  }
}

/** Takes out what is given back up to a time; returns how much that is. */
export function takeUntil(site: i32, time: f64): i32 {
  const list = listOf(site);
  let length = lengthOf(list);
  if (length < 0) {
    const taken = profile.takeUntil(columns.predictions, site, time);
    if (profile.siteProfileAt(columns.predictions, site).root === 0) put<i64>(list, 0, 0);
    return taken;
  }
  let taken = 0;
  while (length > 0 && timeAt(list, length - 1) <= time) taken += processorsAt(list, --length);
  put<i64>(list, 0, length);
  return taken;
}

/** The soonest end; +infinity where there is none. */
export function soonest(site: i32): f64 {
  const list = listOf(site);
  const length = lengthOf(list);
  if (length < 0) return profile.soonest(columns.predictions, site);
  return length > 0 ? timeAt(list, length - 1) : Infinity;
}

/** The time that `findAtLeast` has found, and how much will have been given back then. */
export let foundTime: f64 = 0;
export let foundProcessors: i32 = 0;

/** Finds when at least so many processors will have been given back, 1 or more; there must be as many. */
export function findAtLeast(site: i32, processors: i32): void {
  const list = listOf(site);
  let index = lengthOf(list);
  if (index < 0) {
    profile.findAtLeast(columns.predictions, site, processors);
    foundTime = profile.foundTime;
    foundProcessors = profile.foundProcessors;
    return;
  }
  let sum = 0;
  while (sum < processors && index > 0) sum += processorsAt(list, --index);
  foundTime = timeAt(list, index);
  foundProcessors = sum;
}

/** Appends what a site is given back to the steps of a plan. */
export function append(simulation: Simulation, site: i32): void {
  const list = listOf(site);
  const length = lengthOf(list);
  if (length < 0) {
    appendTree(simulation, site, profile.siteProfileAt(columns.predictions, site).root);
    return;
  }
  for (let index = length - 1; index >= 0; index--) {
    freeSteps.append(simulation, site, timeAt(list, index), processorsAt(list, index));
  }
}

function appendTree(simulation: Simulation, site: i32, index: i32): void {
  while (index !== 0) {
    const node = profile.nodeAt(columns.predictions, index);
    appendTree(simulation, site, node.sooner);
    freeSteps.append(simulation, site, node.time, node.change);
    index = node.later;
  }
}
