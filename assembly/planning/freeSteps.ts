import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at, copyBytes, move, put } from '../memory/memory';

/**
 * Free processors over future time, as a plan leaves them: per site a row of steps, each a time and what is
 * free from then on until the next. Steps are in blocks of at most 32, in columns of times and
 * numbers, so that searching and filling are loops over neighbouring memory. Of every block a directory has
 * the first time, the least and the most free, and what is to be added to its numbers; so whole blocks are
 * passed over, or filled, without a look inside. The directory is in the order of sites and times.
 *
 * A step may be none: the same number as before. Releasing processors removes those that become so.
 */
@unmanaged
export class Block {
  /** The time of its first step. */
  time: f64;
  /** Its numbers are by so much higher than they are written. */
  added: i32;
  least: i32;
  most: i32;
  count: i32;
  /** Where its steps are. Behind the last block of the directory are places that were returned. */
  place: i32;
  unused: i32;
}

/** What is kept of a site; behind the last one are the number of blocks, and of places ever used. */
@unmanaged
export class SiteSteps {
  begin: i32;
  /** Free processors before the first step. */
  free: i32;
}

const BLOCK_SHIFT: i32 = 5;
const SITE_SHIFT: i32 = 3;
/** Steps of a block at most, in new blocks, and of two neighbours at least but for the first of a site. */
const MOST: i32 = 32;
const NEW: i32 = 24;
const HALF: i32 = 16;
/** Bytes of the steps of a block: the times, then the numbers. */
const TIMES: usize = <usize>MOST * sizeof<f64>();
const STEPS: usize = TIMES + <usize>MOST * sizeof<i32>();

/** Most blocks of this many sites and steps; twice as many where steps go again (`giveBetween`). */
export function blocksOf(sites: i64, steps: i64): i64 {
  return steps / HALF + 2 * sites;
}

/** Words of 8 bytes of the directory of this many blocks. */
export function blockWordsOf(blocks: i64): i64 {
  return blocks << (BLOCK_SHIFT - 3);
}

/** Words of 8 bytes of the steps of this many blocks. */
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

/** No site has steps yet; those of sites are appended in their order. */
export function reset(simulation: Simulation): void {
  const end = siteAt(simulation.siteCount);
  end.begin = 0;
  end.free = 0;
}

/** Copies all steps to the columns of another simulation, which are at a distance. */
export function copyTo(simulation: Simulation, distance: usize): void {
  const end = siteAt(simulation.siteCount);
  const places = <usize>end.free;
  const sites = (<usize>(simulation.siteCount + 1)) << SITE_SHIFT;
  copyBytes(columns.planSites + distance, columns.planSites, sites);
  copyBytes(columns.planBlocks + distance, columns.planBlocks, places << BLOCK_SHIFT);
  copyBytes(columns.planSteps + distance, columns.planSteps, places * STEPS);
}

/** The steps of the next site begin, with this many processors free. */
export function beginSite(simulation: Simulation, site: i32, free: i32): void {
  const siteSteps = siteAt(site);
  siteSteps.begin = siteAt(simulation.siteCount).begin;
  siteSteps.free = free;
}

/** This many processors become free on the site that was begun last, later than all before. */
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

/** The step that `find` has found. */
export let foundBlock: i32 = 0;
export let foundStep: i32 = 0;

/** Finds the last step of a site not after a time; before all of them that is -1 of the first block. */
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
  let step = 1;
  while (step < block.count && at<f64>(times, step) <= time) step++;
  foundStep = step - 1;
}

/** What is free at the step that was found. */
@inline
export function freeThere(site: i32): i32 {
  if (foundStep < 0) return siteAt(site).free;
  const block = blockAt(foundBlock);
  return at<i32>(numbersOf(block), foundStep) + block.added;
}

/** Finds the step of a site at a time, and makes one where there is none. */
function make(simulation: Simulation, site: i32, time: f64): void {
  find(site, time);
  if (foundStep >= 0 && at<f64>(timesOf(blockAt(foundBlock)), foundStep) === time) return;
  const free = freeThere(site);
  if (foundBlock === siteAt(site + 1).begin) insertBlock(simulation, site, foundBlock, time);
  else if (blockAt(foundBlock).count === MOST) split(simulation, site);
  const block = blockAt(foundBlock);
  const times = timesOf(block);
  const numbers = numbersOf(block);
  const behind = block.count++ - ++foundStep;
  move<f64>(times, foundStep + 1, times, foundStep, behind);
  move<i32>(numbers, foundStep + 1, numbers, foundStep, behind);
  put<f64>(times, foundStep, time);
  put<i32>(numbers, foundStep, free - block.added);
  if (foundStep > 0) return;
  block.time = time;
  block.least = min(block.least, free);
  block.most = max(block.most, free);
}

/** An empty block of a site, at a place in the directory. */
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

/** Moves the second half of the block that was found, which is full, to a block of its own. */
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

/** Finds the least and the most of a block. */
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

/** Takes processors from the step that was found until the one at a time, which there is. */
function take(site: i32, processors: i32, end: f64): void {
  let step = foundStep;
  for (let index = foundBlock; ; index++) {
    const block = blockAt(index);
    if (block.time >= end) return;
    if (step === 0 && index + 1 < siteAt(site + 1).begin && blockAt(index + 1).time <= end) {
      block.added -= processors;
      block.least -= processors;
      block.most -= processors;
      continue;
    }
    const times = timesOf(block);
    const numbers = numbersOf(block);
    for (; step < block.count && at<f64>(times, step) < end; step++) {
      put<i32>(numbers, step, at<i32>(numbers, step) - processors);
    }
    bound(block);
    if (step < block.count) return;
    step = 0;
    if (index + 1 === siteAt(site + 1).begin) return;
  }
}

/** Processors of a site are taken from before its first step until a time. */
export function takeUntil(simulation: Simulation, site: i32, processors: i32, end: f64): void {
  make(simulation, site, end);
  siteAt(site).free -= processors;
  foundBlock = siteAt(site).begin;
  foundStep = 0;
  take(site, processors, end);
}

/** Processors of a site are taken from a time until another. */
export function takeBetween(simulation: Simulation, site: i32, processors: i32, time: f64, end: f64): void {
  make(simulation, site, end);
  make(simulation, site, time);
  take(site, processors, end);
}

/** Processors of a site that were taken from a time until another are free again. */
export function giveBetween(simulation: Simulation, site: i32, processors: i32, time: f64, end: f64): void {
  takeBetween(simulation, site, -processors, time, end);
  dropIfNone(simulation, site, end);
  dropIfNone(simulation, site, time);
}

/** The step of a site at a time goes if it is none. */
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
  const behind = --block.count - step;
  move<f64>(times, step, times, step + 1, behind);
  move<i32>(numbers, step, numbers, step + 1, behind);
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

/** A block and the next one of its site become one if they have no more steps than half a block. */
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

/** The steps of a site up to a time go, and what is free then is free before the rest. */
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

/** A block of a site goes; its place is behind the others. */
function removeBlock(simulation: Simulation, site: i32, index: i32): void {
  const place = blockAt(index).place;
  const last = siteAt(simulation.siteCount).begin - 1;
  move<u64>(columns.planBlocks, index << 2, columns.planBlocks, (index + 1) << 2, (last - index) << 2);
  blockAt(last).place = place;
  for (let other = site + 1; other <= simulation.siteCount; other++) siteAt(other).begin--;
}
