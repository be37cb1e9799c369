import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at, copyBytes, move, put } from '../memory/memory';

/**
 * Free processors over future time in a plan: per site a sequence of steps, each a time and the number of
 * free processors from then on until the next step. Steps are stored in blocks of at most 32, in columns of
 * times and numbers, so that searching and filling are loops over contiguous memory. A directory stores for
 * every block the first time, the smallest and largest number, and a number to be added to all; so whole
 * blocks are skipped or filled without being read. The directory is sorted by site and time.
 *
 * A step may be redundant (no change of the number). Releasing processors removes steps that become
 * redundant.
 */
@unmanaged
export class Block {
  /** Time of the block's first step, in seconds. */
  time: f64;
  /** Number to be added to all stored numbers of the block. */
  added: i32;
  least: i32;
  most: i32;
  count: i32;
  /** Position of the block's steps. After the last block, the directory lists unused positions. */
  place: i32;
  unused: i32;
}

/**
 * Data of a site. An additional entry after the last site has the number of blocks, and of positions ever
 * used.
 */
@unmanaged
export class SiteSteps {
  begin: i32;
  /** Free processors before the first step. */
  free: i32;
}

const BLOCK_SHIFT: i32 = 5;
const SITE_SHIFT: i32 = 3;
/**
 * Largest number of steps in a block and in a new block, and smallest number in two neighbouring blocks,
 * except the first of a site.
 */
const MOST: i32 = 32;
const NEW: i32 = 24;
const HALF: i32 = 16;
/** Size in bytes of a block's steps: the times, then the numbers. */
const TIMES: usize = <usize>MOST * sizeof<f64>();
const STEPS: usize = TIMES + <usize>MOST * sizeof<i32>();

/**
 * Largest number of blocks for given numbers of sites and steps, with a block of steps per site that are
 * over (`advanceIfMany`); twice as many if steps are removed (`giveBetween`).
 */
export function blocksOf(sites: i64, steps: i64): i64 {
  return steps / HALF + 3 * sites;
}

/** Size of the directory in words of 8 bytes. */
export function blockWordsOf(blocks: i64): i64 {
  return blocks << (BLOCK_SHIFT - 3);
}

/** Size of the steps in words of 8 bytes. */
export function stepWordsOf(blocks: i64): i64 {
  return blocks * (<i64>STEPS >> 3);
}

@inline
export function siteAt(site: i32): SiteSteps {
  return changetype<SiteSteps>(columns.planSites + ((<usize>site) << SITE_SHIFT));
}

@inline
export function blockAt(index: i32): Block {
  return changetype<Block>(columns.planBlocks + ((<usize>index) << BLOCK_SHIFT));
}

@inline
export function timesOf(block: Block): usize {
  return columns.planSteps + <usize>block.place * STEPS;
}

@inline
export function numbersOf(block: Block): usize {
  return timesOf(block) + TIMES;
}

/** Removes all steps; the sites' steps must then be appended in order of the sites. */
export function reset(simulation: Simulation): void {
  const end = siteAt(simulation.siteCount);
  end.begin = 0;
  end.free = 0;
}

/** Copies all steps to another simulation's columns at a constant distance. */
export function copyStateTo(simulation: Simulation, distance: usize): void {
  const end = siteAt(simulation.siteCount);
  const places = <usize>end.free;
  const sites = (<usize>(simulation.siteCount + 1)) << SITE_SHIFT;
  copyBytes(columns.planSites + distance, columns.planSites, sites);
  copyBytes(columns.planBlocks + distance, columns.planBlocks, places << BLOCK_SHIFT);
  copyBytes(columns.planSteps + distance, columns.planSteps, places * STEPS);
}

/** Begins the steps of the next site, with this number of free processors. */
export function beginSite(simulation: Simulation, site: i32, free: i32): void {
  const siteSteps = siteAt(site);
  siteSteps.begin = siteAt(simulation.siteCount).begin;
  siteSteps.free = free;
}

/** Appends a step at which `by` processors become free on the current site, later than all before. */
export function append(simulation: Simulation, site: i32, time: f64, by: i32): void {
  const end = siteAt(simulation.siteCount);
  let free = siteAt(site).free;
  let last = end.begin - 1;
  if (last >= siteAt(site).begin) free = at<i32>(numbersOf(blockAt(last)), blockAt(last).count - 1);
  if (last < siteAt(site).begin || blockAt(last).count === NEW) {
    last = end.begin++;
    begin(blockAt(last), end.free++, time);
    blockAt(last).least = free + by;
  }
  const block = blockAt(last);
  put<f64>(timesOf(block), block.count, time);
  put<i32>(numbersOf(block), block.count, free + by);
  block.count++;
  block.most = free + by;
}

@inline
function begin(block: Block, place: i32, time: f64): void {
  block.place = place;
  block.time = time;
  block.added = 0;
  block.count = 0;
}

/** Block and step found by `find`. */
export let foundBlock: i32 = 0;
export let foundStep: i32 = 0;

/**
 * Finds the last step of a site that is not after a time; before the first step, that is step -1 of the first
 * block.
 */
@inline
export function find(site: i32, time: f64): void {
  const first = siteAt(site).begin;
  let low = first;
  let high = siteAt(site + 1).begin;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (blockAt(middle).time <= time) low = middle + 1;
    else high = middle;
  }
  foundBlock = max(first, low - 1);
  foundStep = -1;
  if (low === first) return;
  const block = blockAt(foundBlock);
  const times = timesOf(block);
  // Bisection without branches; a block has room for all steps that are read.
  let step = 0;
  for (let by = MOST >> 1; by > 0; by >>= 1) {
    const next = step + by;
    step = select<i32>(next, step, (i32(next < block.count) & i32(at<f64>(times, next) <= time)) !== 0);
  }
  foundStep = step;
}

/** Number of free processors at the found step. */
@inline
export function freeThere(site: i32): i32 {
  if (foundStep < 0) return siteAt(site).free;
  const block = blockAt(foundBlock);
  return at<i32>(numbersOf(block), foundStep) + block.added;
}

/** Finds the step of a site at exactly a time, and inserts one if there is none. */
function make(simulation: Simulation, site: i32, time: f64): void {
  find(site, time);
  if (foundStep >= 0 && at<f64>(timesOf(blockAt(foundBlock)), foundStep) === time) return;
  const free = freeThere(site);
  if (foundBlock === siteAt(site + 1).begin) insertBlock(simulation, site, foundBlock, time);
  else if (blockAt(foundBlock).count === MOST) split(simulation, site);
  const block = blockAt(foundBlock);
  const times = timesOf(block);
  const numbers = numbersOf(block);
  // For few entries a loop is faster than moving a memory block.
  for (let step = block.count++; step > foundStep + 1; step--) {
    put<f64>(times, step, at<f64>(times, step - 1));
    put<i32>(numbers, step, at<i32>(numbers, step - 1));
  }
  foundStep++;
  put<f64>(times, foundStep, time);
  put<i32>(numbers, foundStep, free - block.added);
  if (foundStep > 0) return;
  block.time = time;
  block.least = min(block.least, free);
  block.most = max(block.most, free);
}

/** Inserts an empty block of a site at a position of the directory. */
function insertBlock(simulation: Simulation, site: i32, index: i32, time: f64): void {
  const end = siteAt(simulation.siteCount);
  const place = end.begin < end.free ? blockAt(end.begin).place : end.free++;
  move<u64>(columns.planBlocks, (index + 1) << 2, columns.planBlocks, index << 2, (end.begin - index) << 2);
  for (let other = site + 1; other <= simulation.siteCount; other++) siteAt(other).begin++;
  const block = blockAt(index);
  begin(block, place, time);
  block.least = i32.MAX_VALUE;
  block.most = i32.MIN_VALUE;
}

/** Moves the second half of the found block, which is full, to a new block. */
function split(simulation: Simulation, site: i32): void {
  const time = at<f64>(timesOf(blockAt(foundBlock)), HALF);
  insertBlock(simulation, site, foundBlock + 1, time);
  const block = blockAt(foundBlock);
  const half = blockAt(foundBlock + 1);
  move<f64>(timesOf(half), 0, timesOf(block), HALF, MOST - HALF);
  move<i32>(numbersOf(half), 0, numbersOf(block), HALF, MOST - HALF);
  half.added = block.added;
  half.count = MOST - HALF;
  block.count = HALF;
  bound(block);
  bound(half);
  if (foundStep < HALF) return;
  foundBlock++;
  foundStep -= HALF;
}

/** Recomputes the smallest and largest number of a block. */
@inline
function bound(block: Block): void {
  const numbers = numbersOf(block);
  let least = i32.MAX_VALUE;
  let most = i32.MIN_VALUE;
  for (let step = 0; step < block.count; step++) {
    const number = at<i32>(numbers, step);
    least = min(least, number);
    most = max(most, number);
  }
  block.least = least + block.added;
  block.most = most + block.added;
}

/** Largest number of free processors in the period that was last taken or freed, after the change. */
export let mostThere: i32 = 0;

/** Takes processors from the found step up to the step at `end`, which must exist. */
function take(site: i32, processors: i32, end: f64): void {
  mostThere = i32.MIN_VALUE;
  let step = foundStep;
  for (let index = foundBlock; ; index++) {
    const block = blockAt(index);
    if (block.time >= end) return;
    if (step === 0 && index + 1 < siteAt(site + 1).begin && blockAt(index + 1).time <= end) {
      block.added -= processors;
      block.least -= processors;
      block.most -= processors;
      mostThere = max(mostThere, block.most);
      continue;
    }
    const times = timesOf(block);
    const numbers = numbersOf(block);
    let least = i32.MAX_VALUE;
    let most = i32.MIN_VALUE;
    // Far from the smallest integer, because a number is added.
    let mostChanged = i32.MIN_VALUE >> 1;
    for (let before = 0; before < step; before++) {
      const number = at<i32>(numbers, before);
      least = min(least, number);
      most = max(most, number);
    }
    for (; step < block.count && at<f64>(times, step) < end; step++) {
      const number = at<i32>(numbers, step) - processors;
      put<i32>(numbers, step, number);
      least = min(least, number);
      mostChanged = max(mostChanged, number);
    }
    most = max(most, mostChanged);
    mostThere = max(mostThere, mostChanged + block.added);
    const isLast = step < block.count;
    for (; step < block.count; step++) {
      const number = at<i32>(numbers, step);
      least = min(least, number);
      most = max(most, number);
    }
    block.least = least + block.added;
    block.most = most + block.added;
    if (isLast) return;
    step = 0;
    if (index + 1 === siteAt(site + 1).begin) return;
  }
}

/** Takes processors of a site from before its first step until a time. */
export function takeUntil(simulation: Simulation, site: i32, processors: i32, end: f64): void {
  make(simulation, site, end);
  siteAt(site).free -= processors;
  foundBlock = siteAt(site).begin;
  foundStep = 0;
  take(site, processors, end);
  mostThere = max(mostThere, siteAt(site).free);
}

/** Takes processors of a site between two times. */
export function takeBetween(simulation: Simulation, site: i32, processors: i32, time: f64, end: f64): void {
  make(simulation, site, end);
  make(simulation, site, time);
  take(site, processors, end);
}

/** Frees processors of a site from before its first step until a time. */
export function giveUntil(simulation: Simulation, site: i32, processors: i32, end: f64): void {
  takeUntil(simulation, site, -processors, end);
  dropIfNone(simulation, site, end);
}

/**
 * Moves a period of taken processors to an earlier one, [time, end), where only the difference of both has to
 * be free. They must overlap.
 */
export function moveBetween(
  simulation: Simulation,
  site: i32,
  processors: i32,
  time: f64,
  end: f64,
  oldTime: f64,
  oldEnd: f64,
): void {
  if (time > simulation.now) takeBetween(simulation, site, processors, time, oldTime);
  else takeUntil(simulation, site, processors, oldTime);
  dropIfNone(simulation, site, oldTime);
  if (oldEnd > end) giveBetween(simulation, site, processors, end, oldEnd);
}

/** Frees processors of a site between two times. */
export function giveBetween(simulation: Simulation, site: i32, processors: i32, time: f64, end: f64): void {
  takeBetween(simulation, site, -processors, time, end);
  dropIfNone(simulation, site, end);
  dropIfNone(simulation, site, time);
}

/** Removes the step of a site at a time if it is redundant. */
function dropIfNone(simulation: Simulation, site: i32, time: f64): void {
  find(site, time);
  const index = foundBlock;
  const step = foundStep--;
  const block = blockAt(index);
  const times = timesOf(block);
  const numbers = numbersOf(block);
  const free = at<i32>(numbers, step) + block.added;
  if (step === 0 && index > siteAt(site).begin) {
    foundBlock--;
    foundStep = blockAt(foundBlock).count - 1;
  }
  if (freeThere(site) !== free) return;
  const last = --block.count;
  for (let moved = step; moved < last; moved++) {
    put<f64>(times, moved, at<f64>(times, moved + 1));
    put<i32>(numbers, moved, at<i32>(numbers, moved + 1));
  }
  if (block.count === 0) {
    removeBlock(simulation, site, index);
    return;
  }
  if (step === 0) {
    block.time = at<f64>(times, 0);
    bound(block);
  }
  if (index + 1 < siteAt(site + 1).begin) joinIfFew(simulation, site, index);
  if (index > siteAt(site).begin) joinIfFew(simulation, site, index - 1);
}

/** Joins a block with the next one of its site if they have at most half a block of steps. */
function joinIfFew(simulation: Simulation, site: i32, index: i32): void {
  const block = blockAt(index);
  const next = blockAt(index + 1);
  if (block.count + next.count > HALF) return;
  const by = next.added - block.added;
  const numbers = numbersOf(block);
  move<f64>(timesOf(block), block.count, timesOf(next), 0, next.count);
  for (let step = 0; step < next.count; step++) {
    put<i32>(numbers, block.count + step, at<i32>(numbersOf(next), step) + by);
  }
  block.count += next.count;
  block.least = min(block.least, next.least);
  block.most = max(block.most, next.most);
  removeBlock(simulation, site, index + 1);
}

/** Number of steps that are over from which on they are removed. */
const OVER: i32 = 4;

/**
 * Removes the steps of a site up to a time if they are more than a few, or all of a block. The rest of the
 * plan does not depend on steps that are over, as long as no time before is looked at.
 */
@inline
export function advanceIfMany(simulation: Simulation, site: i32, time: f64): void {
  const begin = siteAt(site).begin;
  if (begin === siteAt(site + 1).begin) return;
  const block = blockAt(begin);
  if (at<f64>(timesOf(block), min(OVER, block.count) - 1) <= time) advance(simulation, site, time);
}

/**
 * Removes the steps of a site up to a time; the number of free processors then becomes the one before the
 * first step.
 */
export function advance(simulation: Simulation, site: i32, time: f64): void {
  find(site, time);
  if (foundStep < 0) return;
  const siteSteps = siteAt(site);
  siteSteps.free = freeThere(site);
  const behind = blockAt(foundBlock).count - foundStep - 1;
  for (let gone = foundBlock - siteSteps.begin + i32(behind === 0); gone > 0; gone--) {
    removeBlock(simulation, site, siteSteps.begin);
  }
  if (behind === 0) return;
  const block = blockAt(siteSteps.begin);
  move<f64>(timesOf(block), 0, timesOf(block), foundStep + 1, behind);
  move<i32>(numbersOf(block), 0, numbersOf(block), foundStep + 1, behind);
  block.count = behind;
  block.time = at<f64>(timesOf(block), 0);
  bound(block);
}

/** Removes a block of a site; its position becomes unused. */
function removeBlock(simulation: Simulation, site: i32, index: i32): void {
  const place = blockAt(index).place;
  const last = siteAt(simulation.siteCount).begin - 1;
  move<u64>(columns.planBlocks, index << 2, columns.planBlocks, (index + 1) << 2, (last - index) << 2);
  blockAt(last).place = place;
  for (let other = site + 1; other <= simulation.siteCount; other++) siteAt(other).begin--;
}
