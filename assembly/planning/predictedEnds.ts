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

/** Bytes of an entry of a list, the time and the processors. */
const ENTRY: usize = 16;

@inline
function entryAt(list: usize, index: i32): usize {
  return list + sizeof<u64>() + ENTRY * <usize>index;
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
  // By addresses, which is faster than by numbers.
  const first = entryAt(list, 0);
  let entry = entryAt(list, length - 1);
  while (entry >= first && at<f64>(entry, 0) < time) entry -= ENTRY;
  if (entry >= first && at<f64>(entry, 0) === time) {
    const processors = at<i64>(entry, 1) + by;
    if (processors !== 0) put<i64>(entry, 1, processors);
    else remove(list, entry, length - 1);
  } else if (length < LONGEST) {
    put<i64>(list, 0, length + 1);
    let sooner = entryAt(list, length);
    for (; sooner > entry + ENTRY; sooner -= ENTRY) copy(sooner, sooner - ENTRY);
    put<f64>(sooner, 0, time);
    put<i64>(sooner, 1, by);
  } else {
    plant(site);
    put<i64>(list, 0, -1);
    profile.change(columns.predictions, site, time, by);
  }
}

/** Takes an end out of a list, and leaves `length`. */
@inline
function remove(list: usize, entry: usize, length: i32): void {
  put<i64>(list, 0, length);
  for (const last = entryAt(list, length); entry < last; entry += ENTRY) copy(entry, entry + ENTRY);
}

/** Copies an entry to another. */
@inline
function copy(entry: usize, from: usize): void {
  put<f64>(entry, 0, at<f64>(from, 0));
  put<i64>(entry, 1, at<i64>(from, 1));
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
