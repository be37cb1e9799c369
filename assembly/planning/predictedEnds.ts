import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at, put } from '../memory/memory';
import * as freeSteps from './freeSteps';
import * as profile from './profile';
import { nextMultipleAfter } from './wallClock';

/**
 * Predicted releases of processors by the running jobs of each site. A few ends are a list, the latest first,
 * because jobs come and go near its end; more are a tree (profile.ts).
 */

/** Largest number of predicted ends in a list; beyond it a tree is faster. */
const MAX_LIST_LENGTH: i32 = 64;

/**
 * Size of a list in words of 8 bytes: a sentinel of +infinity, the length (-1 for a tree), then time and
 * processors of every end.
 */
const WORDS_PER_LIST: i32 = 2 + 2 * MAX_LIST_LENGTH;

/** Size of the lists of `sites` sites in words of 8 bytes. */
export function predictedEndWordCount(sites: i64): i64 {
  return sites * WORDS_PER_LIST;
}

/** Empties the list of a site. */
export function reset(site: i32): void {
  const listAddress = listAddressOf(site);
  put<f64>(listAddress, 0, Infinity);
  setListLength(listAddress, 0);
}

@inline
function listAddressOf(site: i32): usize {
  return columns.predictedEnds + <usize>(site * WORDS_PER_LIST) * sizeof<u64>();
}

@inline
function listLengthOf(listAddress: usize): i32 {
  return <i32>at<i64>(listAddress, 1);
}

@inline
function setListLength(listAddress: usize, length: i32): void {
  put<i64>(listAddress, 1, length);
}

@inline
function releaseTimeAt(listAddress: usize, index: i32): f64 {
  return at<f64>(listAddress, 2 + 2 * index);
}

@inline
function releasedProcessorsAt(listAddress: usize, index: i32): i32 {
  return <i32>at<i64>(listAddress, 3 + 2 * index);
}

/** Size of an entry in bytes: time and processors. */
const ENTRY_BYTES: usize = 16;

/** Address of an entry; the one before the first has the time +infinity. */
@inline
function entryAt(listAddress: usize, index: i32): usize {
  return listAddress + ENTRY_BYTES * <usize>(index + 1);
}

/** Adds a release of processors at a time. Entries move during the search for the position. */
export function addRelease(site: i32, time: f64, processors: i32): void {
  const listAddress = listAddressOf(site);
  const length = listLengthOf(listAddress);
  if (<u32>length >= <u32>MAX_LIST_LENGTH) {
    addReleaseToTree(site, time, processors);
    return;
  }
  const lastEntryAddress = entryAt(listAddress, length - 1);
  let entryAddress = lastEntryAddress;
  for (; at<f64>(entryAddress, 0) < time; entryAddress -= ENTRY_BYTES)
    copyEntry(entryAddress + ENTRY_BYTES, entryAddress);
  if (at<f64>(entryAddress, 0) > time) {
    put<f64>(entryAddress, 2, time);
    put<i64>(entryAddress, 3, processors);
    setListLength(listAddress, length + 1);
  } else {
    put<i64>(entryAddress, 1, at<i64>(entryAddress, 1) + processors);
    // Ends at equal times are rare. They share an entry, so the shifted entries move back.
    for (; entryAddress < lastEntryAddress; entryAddress += ENTRY_BYTES)
      copyEntry(entryAddress + ENTRY_BYTES, entryAddress + 2 * ENTRY_BYTES);
  }
}

/** Like `addRelease`, for a full list or a tree. */
function addReleaseToTree(site: i32, time: f64, processors: i32): void {
  const listAddress = listAddressOf(site);
  const length = listLengthOf(listAddress);
  if (length >= 0) {
    let entryAddress = entryAt(listAddress, length - 1);
    while (at<f64>(entryAddress, 0) < time) entryAddress -= ENTRY_BYTES;
    if (at<f64>(entryAddress, 0) === time) {
      put<i64>(entryAddress, 1, at<i64>(entryAddress, 1) + processors);
      return;
    }
    moveListToTree(site);
    setListLength(listAddress, -1);
  }
  profile.addChangeAt(columns.predictions, site, time, processors);
}

/** Subtracts from the processors released at a time. */
export function subtractRelease(site: i32, time: f64, processors: i32): void {
  const listAddress = listAddressOf(site);
  const length = listLengthOf(listAddress);
  if (length < 0) {
    profile.addChangeAt(columns.predictions, site, time, -processors);
    if (profile.siteProfileAt(columns.predictions, site).root === 0) setListLength(listAddress, 0);
    return;
  }
  let entryAddress = entryAt(listAddress, length - 1);
  while (at<f64>(entryAddress, 0) < time) entryAddress -= ENTRY_BYTES;
  const remainingProcessors = at<i64>(entryAddress, 1) - processors;
  if (remainingProcessors !== 0) put<i64>(entryAddress, 1, remainingProcessors);
  else removeListEntry(listAddress, entryAddress, length - 1);
}

/** Removes an entry from a list, whose length becomes `length`. */
@inline
function removeListEntry(listAddress: usize, entryAddress: usize, length: i32): void {
  setListLength(listAddress, length);
  for (
    const lastEntryAddress = entryAt(listAddress, length);
    entryAddress < lastEntryAddress;
    entryAddress += ENTRY_BYTES
  )
    copyEntry(entryAddress, entryAddress + ENTRY_BYTES);
}

@inline
function copyEntry(entryAddress: usize, sourceAddress: usize): void {
  put<f64>(entryAddress, 0, at<f64>(sourceAddress, 0));
  put<i64>(entryAddress, 1, at<i64>(sourceAddress, 1));
}

/** Moves the list of a site to its tree. */
function moveListToTree(site: i32): void {
  const listAddress = listAddressOf(site);
  for (let index = listLengthOf(listAddress) - 1; index >= 0; index--) {
    profile.addChangeAt(
      columns.predictions,
      site,
      releaseTimeAt(listAddress, index),
      releasedProcessorsAt(listAddress, index),
    );
  }
}

/** Removes the releases up to a time; returns their processors. */
export function removeReleasesUntil(site: i32, time: f64): i32 {
  const listAddress = listAddressOf(site);
  let length = listLengthOf(listAddress);
  if (length < 0) {
    const releasedProcessors = profile.takeChangesUntil(columns.predictions, site, time);
    if (profile.siteProfileAt(columns.predictions, site).root === 0) setListLength(listAddress, 0);
    return releasedProcessors;
  }
  let releasedProcessors = 0;
  while (length > 0 && releaseTimeAt(listAddress, length - 1) <= time)
    releasedProcessors += releasedProcessorsAt(listAddress, --length);
  setListLength(listAddress, length);
  return releasedProcessors;
}

/** Soonest predicted end of the jobs that run on a site, in seconds; +infinity if none runs. */
@inline
export function soonestEnd(site: i32): f64 {
  const listAddress = listAddressOf(site);
  const length = listLengthOf(listAddress);
  return length < 0
    ? profile.soonestChange(columns.predictions, site)
    : releaseTimeAt(listAddress, length - 1);
}

/** Time in seconds found by `findTimeOfReleaseOfAtLeast`, and the number of processors released by then. */
export let foundTime: f64 = 0;
export let foundProcessors: i32 = 0;

/** Finds the time by which at least this many processors (at least 1) are released; there must be as many. */
export function findTimeOfReleaseOfAtLeast(site: i32, processors: i32): void {
  const listAddress = listAddressOf(site);
  let index = listLengthOf(listAddress);
  if (index < 0) {
    profile.findTimeOfAtLeast(columns.predictions, site, processors);
    foundTime = profile.foundTime;
    foundProcessors = profile.foundProcessors;
    return;
  }
  let releasedProcessors = 0;
  while (releasedProcessors < processors && index > 0)
    releasedProcessors += releasedProcessorsAt(listAddress, --index);
  foundTime = releaseTimeAt(listAddress, index);
  foundProcessors = releasedProcessors;
}

/**
 * Group of ends that are taken together: its width in seconds, the barrier from which widths count, its last
 * end, and the processors released in it.
 */
let windowWidth: f64 = 0;
let windowBarrier: f64 = -Infinity;
let groupEnd: f64 = 0;
let groupProcessors: i32 = 0;

/**
 * Appends the releases of a site to the steps of a plan: each by itself if `window` is 0, otherwise in
 * groups. The barrier is the first multiple of the window after the first end. The first group has the ends
 * within one window behind the barrier, the next those within two, then four, and so on.
 */
export function appendReleases(simulation: Simulation, site: i32, window: f64): void {
  windowWidth = window;
  windowBarrier = -Infinity;
  groupProcessors = 0;
  appendAllReleases(simulation, site);
  if (groupProcessors > 0) freeSteps.appendStep(simulation, site, groupEnd, groupProcessors);
}

function appendRelease(simulation: Simulation, site: i32, time: f64, processors: i32): void {
  if (windowWidth === 0) {
    freeSteps.appendStep(simulation, site, time, processors);
    return;
  }
  if (windowBarrier === -Infinity) windowBarrier = nextMultipleAfter(time, windowWidth);
  if (groupProcessors > 0 && time > windowBarrier + windowWidth) {
    freeSteps.appendStep(simulation, site, groupEnd, groupProcessors);
    groupProcessors = 0;
    while (time > windowBarrier + windowWidth) windowWidth *= 2;
  }
  groupEnd = time;
  groupProcessors += processors;
}

function appendAllReleases(simulation: Simulation, site: i32): void {
  const listAddress = listAddressOf(site);
  const length = listLengthOf(listAddress);
  if (length < 0) {
    appendReleasesOfTree(simulation, site, profile.siteProfileAt(columns.predictions, site).root);
    return;
  }
  for (let index = length - 1; index >= 0; index--) {
    appendRelease(
      simulation,
      site,
      releaseTimeAt(listAddress, index),
      releasedProcessorsAt(listAddress, index),
    );
  }
}

function appendReleasesOfTree(simulation: Simulation, site: i32, index: i32): void {
  while (index !== 0) {
    const node = profile.releaseNodeAt(columns.predictions, index);
    appendReleasesOfTree(simulation, site, node.sooner);
    appendRelease(simulation, site, node.time, node.change);
    index = node.later;
  }
}
