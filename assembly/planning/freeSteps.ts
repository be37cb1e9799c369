import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at, copyBytes, moveEntries, put } from '../memory/memory';

/**
 * Free processors over future time in a plan: per site a sequence of steps, each a time and the number of
 * free processors from then on until the next step. Steps are stored in blocks of at most 32, in columns of
 * times and numbers, so that searching and filling are loops over contiguous memory. A directory stores for
 * every block its first time, its smallest and largest number of free processors, and a number to be added to
 * all its stored numbers; so whole blocks are skipped or changed without being read. The directory is sorted
 * by site and time.
 *
 * A step may be redundant (no change of the number). Releasing processors removes steps that become
 * redundant.
 */
@unmanaged
export class StepBlock {
  /** Time of the block's first step, in seconds. */
  time: f64;
  /** Number to be added to all stored numbers of the block. */
  addend: i32;
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

const BLOCK_BYTES_LOG2: i32 = 5;
const SITE_BYTES_LOG2: i32 = 3;
/**
 * Largest number of steps in a block and in a new block, and smallest number in two neighbouring blocks,
 * except the first of a site.
 */
const BLOCK_CAPACITY: i32 = 32;
const NEW_BLOCK_STEPS: i32 = 24;
const HALF_BLOCK_STEPS: i32 = 16;
/** Size in bytes of a block's steps: the times, then the numbers. */
const TIMES_BYTES: usize = <usize>BLOCK_CAPACITY * sizeof<f64>();
const STEPS_BYTES: usize = TIMES_BYTES + <usize>BLOCK_CAPACITY * sizeof<i32>();

/**
 * Largest number of blocks that the plans of some sites need for a number of steps, with a block per site for
 * steps that are in the past and not yet dropped. Plans from which reservations are removed need twice that.
 */
export function blockCountOf(sites: i64, steps: i64): i64 {
  return steps / HALF_BLOCK_STEPS + 3 * sites;
}

/** Size of the directory in words of 8 bytes. */
export function blockWordCountOf(blockCount: i64): i64 {
  return blockCount << (BLOCK_BYTES_LOG2 - 3);
}

/** Size of the steps in words of 8 bytes. */
export function stepWordCountOf(blocks: i64): i64 {
  return blocks * (<i64>STEPS_BYTES >> 3);
}

@inline
export function siteStepsAt(site: i32): SiteSteps {
  return changetype<SiteSteps>(columns.planSites + ((<usize>site) << SITE_BYTES_LOG2));
}

@inline
export function stepBlockAt(index: i32): StepBlock {
  return changetype<StepBlock>(columns.planBlocks + ((<usize>index) << BLOCK_BYTES_LOG2));
}

@inline
export function timesOf(block: StepBlock): usize {
  return columns.planSteps + <usize>block.place * STEPS_BYTES;
}

@inline
export function freeCountsOf(block: StepBlock): usize {
  return timesOf(block) + TIMES_BYTES;
}

/** Removes all steps; the sites' steps must then be appended in order of the sites. */
export function reset(simulation: Simulation): void {
  const totals = siteStepsAt(simulation.siteCount);
  totals.begin = 0;
  totals.free = 0;
}

/** Copies all steps to another simulation's columns at a constant distance. */
export function copyStateTo(simulation: Simulation, byteDistance: usize): void {
  const totals = siteStepsAt(simulation.siteCount);
  const positionCount = <usize>totals.free;
  const siteByteCount = (<usize>(simulation.siteCount + 1)) << SITE_BYTES_LOG2;
  copyBytes(columns.planSites + byteDistance, columns.planSites, siteByteCount);
  copyBytes(columns.planBlocks + byteDistance, columns.planBlocks, positionCount << BLOCK_BYTES_LOG2);
  copyBytes(columns.planSteps + byteDistance, columns.planSteps, positionCount * STEPS_BYTES);
}

/** Begins the steps of the next site, with this number of free processors. */
export function beginStepsOfSite(simulation: Simulation, site: i32, freeProcessors: i32): void {
  const siteSteps = siteStepsAt(site);
  siteSteps.begin = siteStepsAt(simulation.siteCount).begin;
  siteSteps.free = freeProcessors;
}

/**
 * Appends a step at which `freedProcessors` processors become free on the current site, later than all
 * before.
 */
export function appendStep(simulation: Simulation, site: i32, time: f64, freedProcessors: i32): void {
  const totals = siteStepsAt(simulation.siteCount);
  let freeProcessors = siteStepsAt(site).free;
  let lastBlock = totals.begin - 1;
  if (lastBlock >= siteStepsAt(site).begin)
    freeProcessors = at<i32>(freeCountsOf(stepBlockAt(lastBlock)), stepBlockAt(lastBlock).count - 1);
  if (lastBlock < siteStepsAt(site).begin || stepBlockAt(lastBlock).count === NEW_BLOCK_STEPS) {
    lastBlock = totals.begin++;
    beginBlock(stepBlockAt(lastBlock), totals.free++, time);
    stepBlockAt(lastBlock).least = freeProcessors + freedProcessors;
  }
  const block = stepBlockAt(lastBlock);
  put<f64>(timesOf(block), block.count, time);
  put<i32>(freeCountsOf(block), block.count, freeProcessors + freedProcessors);
  block.count++;
  block.most = freeProcessors + freedProcessors;
}

@inline
function beginBlock(block: StepBlock, place: i32, time: f64): void {
  block.place = place;
  block.time = time;
  block.addend = 0;
  block.count = 0;
}

/** Block and step found by `findStep`. */
export let foundBlock: i32 = 0;
export let foundStep: i32 = 0;

/**
 * Finds the last step of a site that is not after a time; before the first step, that is step -1 of the first
 * block.
 */
@inline
export function findStep(site: i32, time: f64): void {
  const firstBlock = siteStepsAt(site).begin;
  let low = firstBlock;
  let high = siteStepsAt(site + 1).begin;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stepBlockAt(middle).time <= time) low = middle + 1;
    else high = middle;
  }
  foundBlock = max(firstBlock, low - 1);
  foundStep = -1;
  if (low === firstBlock) return;
  const block = stepBlockAt(foundBlock);
  const timesAddress = timesOf(block);
  // Bisection without branches; a block has room for all steps that are read.
  let step = 0;
  for (let stride = BLOCK_CAPACITY >> 1; stride > 0; stride >>= 1) {
    const nextStep = step + stride;
    step = select<i32>(
      nextStep,
      step,
      (i32(nextStep < block.count) & i32(at<f64>(timesAddress, nextStep) <= time)) !== 0,
    );
  }
  foundStep = step;
}

/**
 * Same as `findStep`, but faster for the current time: of a site's steps, only a few of its first block are
 * not after it (`removePastStepsIfWorthwhile`).
 */
@inline
export function findStepFrom(site: i32, time: f64, now: f64): void {
  if (time !== now) {
    findStep(site, time);
    return;
  }
  foundBlock = siteStepsAt(site).begin;
  let step = 0;
  if (foundBlock < siteStepsAt(site + 1).begin) {
    const block = stepBlockAt(foundBlock);
    const timesAddress = timesOf(block);
    while (step < block.count && at<f64>(timesAddress, step) <= now) step++;
  }
  foundStep = step - 1;
}

/** Number of free processors of a site at the step found by `findStep`. */
@inline
export function freeAtFoundStep(site: i32): i32 {
  if (foundStep < 0) return siteStepsAt(site).free;
  const block = stepBlockAt(foundBlock);
  return at<i32>(freeCountsOf(block), foundStep) + block.addend;
}

/** Finds the step of a site at exactly a time, and inserts one if there is none. */
function findOrInsertStep(simulation: Simulation, site: i32, time: f64): void {
  findStep(site, time);
  if (foundStep >= 0 && at<f64>(timesOf(stepBlockAt(foundBlock)), foundStep) === time) return;
  const freeProcessors = freeAtFoundStep(site);
  if (foundBlock === siteStepsAt(site + 1).begin) insertBlock(simulation, site, foundBlock, time);
  else if (stepBlockAt(foundBlock).count === BLOCK_CAPACITY) splitBlock(simulation, site);
  const block = stepBlockAt(foundBlock);
  const timesAddress = timesOf(block);
  const freeCountsAddress = freeCountsOf(block);
  // For few steps a loop is faster than moving a memory block.
  for (let step = block.count++; step > foundStep + 1; step--) {
    put<f64>(timesAddress, step, at<f64>(timesAddress, step - 1));
    put<i32>(freeCountsAddress, step, at<i32>(freeCountsAddress, step - 1));
  }
  foundStep++;
  put<f64>(timesAddress, foundStep, time);
  put<i32>(freeCountsAddress, foundStep, freeProcessors - block.addend);
  if (foundStep > 0) return;
  block.time = time;
  block.least = min(block.least, freeProcessors);
  block.most = max(block.most, freeProcessors);
}

/** Inserts an empty block of a site at a position of the directory. */
function insertBlock(simulation: Simulation, site: i32, index: i32, time: f64): void {
  const totals = siteStepsAt(simulation.siteCount);
  const place = totals.begin < totals.free ? stepBlockAt(totals.begin).place : totals.free++;
  moveEntries<u64>(
    columns.planBlocks,
    (index + 1) << 2,
    columns.planBlocks,
    index << 2,
    (totals.begin - index) << 2,
  );
  for (let laterSite = site + 1; laterSite <= simulation.siteCount; laterSite++)
    siteStepsAt(laterSite).begin++;
  const block = stepBlockAt(index);
  beginBlock(block, place, time);
  block.least = i32.MAX_VALUE;
  block.most = i32.MIN_VALUE;
}

/** Moves the second half of the found block, which is full, to a new block. */
function splitBlock(simulation: Simulation, site: i32): void {
  const time = at<f64>(timesOf(stepBlockAt(foundBlock)), HALF_BLOCK_STEPS);
  insertBlock(simulation, site, foundBlock + 1, time);
  const block = stepBlockAt(foundBlock);
  const newBlock = stepBlockAt(foundBlock + 1);
  moveEntries<f64>(timesOf(newBlock), 0, timesOf(block), HALF_BLOCK_STEPS, BLOCK_CAPACITY - HALF_BLOCK_STEPS);
  moveEntries<i32>(
    freeCountsOf(newBlock),
    0,
    freeCountsOf(block),
    HALF_BLOCK_STEPS,
    BLOCK_CAPACITY - HALF_BLOCK_STEPS,
  );
  newBlock.addend = block.addend;
  newBlock.count = BLOCK_CAPACITY - HALF_BLOCK_STEPS;
  block.count = HALF_BLOCK_STEPS;
  updateBlockBounds(block);
  updateBlockBounds(newBlock);
  if (foundStep < HALF_BLOCK_STEPS) return;
  foundBlock++;
  foundStep -= HALF_BLOCK_STEPS;
}

/** Recomputes the smallest and largest number of a block. */
@inline
function updateBlockBounds(block: StepBlock): void {
  const freeCountsAddress = freeCountsOf(block);
  let leastFreeProcessors = i32.MAX_VALUE;
  let mostFreeProcessors = i32.MIN_VALUE;
  for (let step = 0; step < block.count; step++) {
    const freeCount = at<i32>(freeCountsAddress, step);
    leastFreeProcessors = min(leastFreeProcessors, freeCount);
    mostFreeProcessors = max(mostFreeProcessors, freeCount);
  }
  block.least = leastFreeProcessors + block.addend;
  block.most = mostFreeProcessors + block.addend;
}

/** Largest number of free processors in the period that was last taken or freed, after the change. */
export let mostFreeInPeriod: i32 = 0;

/** Takes processors from the found step up to the step at `end`, which must exist. */
function subtractFromSteps(site: i32, processors: i32, end: f64): void {
  mostFreeInPeriod = i32.MIN_VALUE;
  let step = foundStep;
  for (let index = foundBlock; ; index++) {
    const block = stepBlockAt(index);
    if (block.time >= end) return;
    if (step === 0 && index + 1 < siteStepsAt(site + 1).begin && stepBlockAt(index + 1).time <= end) {
      block.addend -= processors;
      block.least -= processors;
      block.most -= processors;
      mostFreeInPeriod = max(mostFreeInPeriod, block.most);
      continue;
    }
    const timesAddress = timesOf(block);
    const freeCountsAddress = freeCountsOf(block);
    let leastFreeProcessors = i32.MAX_VALUE;
    let mostFreeProcessors = i32.MIN_VALUE;
    // Far from the smallest integer, because a number is added.
    let mostFreeChanged = i32.MIN_VALUE >> 1;
    for (let earlierStep = 0; earlierStep < step; earlierStep++) {
      const freeCount = at<i32>(freeCountsAddress, earlierStep);
      leastFreeProcessors = min(leastFreeProcessors, freeCount);
      mostFreeProcessors = max(mostFreeProcessors, freeCount);
    }
    for (; step < block.count && at<f64>(timesAddress, step) < end; step++) {
      const freeCount = at<i32>(freeCountsAddress, step) - processors;
      put<i32>(freeCountsAddress, step, freeCount);
      leastFreeProcessors = min(leastFreeProcessors, freeCount);
      mostFreeChanged = max(mostFreeChanged, freeCount);
    }
    mostFreeProcessors = max(mostFreeProcessors, mostFreeChanged);
    mostFreeInPeriod = max(mostFreeInPeriod, mostFreeChanged + block.addend);
    const doesPeriodEndInBlock = step < block.count;
    for (; step < block.count; step++) {
      const freeCount = at<i32>(freeCountsAddress, step);
      leastFreeProcessors = min(leastFreeProcessors, freeCount);
      mostFreeProcessors = max(mostFreeProcessors, freeCount);
    }
    block.least = leastFreeProcessors + block.addend;
    block.most = mostFreeProcessors + block.addend;
    if (doesPeriodEndInBlock) return;
    step = 0;
    if (index + 1 === siteStepsAt(site + 1).begin) return;
  }
}

/** Takes processors of a site from before its first step until a time. */
export function occupyProcessorsUntil(simulation: Simulation, site: i32, processors: i32, end: f64): void {
  findOrInsertStep(simulation, site, end);
  siteStepsAt(site).free -= processors;
  foundBlock = siteStepsAt(site).begin;
  foundStep = 0;
  subtractFromSteps(site, processors, end);
  mostFreeInPeriod = max(mostFreeInPeriod, siteStepsAt(site).free);
}

/** Takes processors of a site between two times. */
export function occupyProcessorsBetween(
  simulation: Simulation,
  site: i32,
  processors: i32,
  begin: f64,
  end: f64,
): void {
  findOrInsertStep(simulation, site, end);
  findOrInsertStep(simulation, site, begin);
  subtractFromSteps(site, processors, end);
}

/** Frees processors of a site from before its first step until a time. */
export function releaseProcessorsUntil(simulation: Simulation, site: i32, processors: i32, end: f64): void {
  occupyProcessorsUntil(simulation, site, -processors, end);
  removeRedundantStep(simulation, site, end);
}

/**
 * Moves a period of taken processors to an earlier one, [begin, end), which must overlap with it; only
 * processors for the times that are new are taken.
 */
export function moveOccupiedPeriod(
  simulation: Simulation,
  site: i32,
  processors: i32,
  begin: f64,
  end: f64,
  previousBegin: f64,
  previousEnd: f64,
): void {
  if (begin > simulation.now) occupyProcessorsBetween(simulation, site, processors, begin, previousBegin);
  else occupyProcessorsUntil(simulation, site, processors, previousBegin);
  removeRedundantStep(simulation, site, previousBegin);
  if (previousEnd > end) releaseProcessorsBetween(simulation, site, processors, end, previousEnd);
}

/** Frees processors of a site between two times. */
export function releaseProcessorsBetween(
  simulation: Simulation,
  site: i32,
  processors: i32,
  begin: f64,
  end: f64,
): void {
  occupyProcessorsBetween(simulation, site, -processors, begin, end);
  removeRedundantStep(simulation, site, end);
  removeRedundantStep(simulation, site, begin);
}

/** Removes the step of a site at a time if it is redundant. */
function removeRedundantStep(simulation: Simulation, site: i32, time: f64): void {
  findStep(site, time);
  const index = foundBlock;
  const step = foundStep--;
  const block = stepBlockAt(index);
  const timesAddress = timesOf(block);
  const freeCountsAddress = freeCountsOf(block);
  const freeProcessors = at<i32>(freeCountsAddress, step) + block.addend;
  if (step === 0 && index > siteStepsAt(site).begin) {
    foundBlock--;
    foundStep = stepBlockAt(foundBlock).count - 1;
  }
  if (freeAtFoundStep(site) !== freeProcessors) return;
  const lastStep = --block.count;
  for (let laterStep = step; laterStep < lastStep; laterStep++) {
    put<f64>(timesAddress, laterStep, at<f64>(timesAddress, laterStep + 1));
    put<i32>(freeCountsAddress, laterStep, at<i32>(freeCountsAddress, laterStep + 1));
  }
  if (block.count === 0) {
    removeBlock(simulation, site, index);
    return;
  }
  if (step === 0) {
    block.time = at<f64>(timesAddress, 0);
    updateBlockBounds(block);
  }
  if (index + 1 < siteStepsAt(site + 1).begin) joinSmallBlocks(simulation, site, index);
  if (index > siteStepsAt(site).begin) joinSmallBlocks(simulation, site, index - 1);
}

/** Joins a block with the next one of its site if they have at most half a block of steps. */
function joinSmallBlocks(simulation: Simulation, site: i32, index: i32): void {
  const block = stepBlockAt(index);
  const nextBlock = stepBlockAt(index + 1);
  if (block.count + nextBlock.count > HALF_BLOCK_STEPS) return;
  const addendDifference = nextBlock.addend - block.addend;
  const freeCountsAddress = freeCountsOf(block);
  moveEntries<f64>(timesOf(block), block.count, timesOf(nextBlock), 0, nextBlock.count);
  for (let step = 0; step < nextBlock.count; step++) {
    put<i32>(
      freeCountsAddress,
      block.count + step,
      at<i32>(freeCountsOf(nextBlock), step) + addendDifference,
    );
  }
  block.count += nextBlock.count;
  block.least = min(block.least, nextBlock.least);
  block.most = max(block.most, nextBlock.most);
  removeBlock(simulation, site, index + 1);
}

/** Number of steps that are over from which on `removePastStepsIfWorthwhile` removes them. */
const MIN_PAST_STEPS_TO_REMOVE: i32 = 4;

/**
 * Removes the steps of a site up to a time if they are more than a few, or all of a block. The rest of the
 * plan does not depend on steps that are over, as long as no time before is looked at.
 */
@inline
export function removePastStepsIfWorthwhile(simulation: Simulation, site: i32, time: f64): void {
  const begin = siteStepsAt(site).begin;
  if (begin === siteStepsAt(site + 1).begin) return;
  const block = stepBlockAt(begin);
  if (at<f64>(timesOf(block), min(MIN_PAST_STEPS_TO_REMOVE, block.count) - 1) <= time)
    removePastSteps(simulation, site, time);
}

/**
 * Removes the steps of a site up to a time; the number of free processors then becomes the one before the
 * first step.
 */
export function removePastSteps(simulation: Simulation, site: i32, time: f64): void {
  findStep(site, time);
  if (foundStep < 0) return;
  const siteSteps = siteStepsAt(site);
  siteSteps.free = freeAtFoundStep(site);
  const remainingStepCount = stepBlockAt(foundBlock).count - foundStep - 1;
  for (
    let pastBlockCount = foundBlock - siteSteps.begin + i32(remainingStepCount === 0);
    pastBlockCount > 0;
    pastBlockCount--
  ) {
    removeBlock(simulation, site, siteSteps.begin);
  }
  if (remainingStepCount === 0) return;
  const block = stepBlockAt(siteSteps.begin);
  moveEntries<f64>(timesOf(block), 0, timesOf(block), foundStep + 1, remainingStepCount);
  moveEntries<i32>(freeCountsOf(block), 0, freeCountsOf(block), foundStep + 1, remainingStepCount);
  block.count = remainingStepCount;
  block.time = at<f64>(timesOf(block), 0);
  updateBlockBounds(block);
}

/** Removes a block of a site; its position becomes unused. */
function removeBlock(simulation: Simulation, site: i32, index: i32): void {
  const place = stepBlockAt(index).place;
  const lastBlock = siteStepsAt(simulation.siteCount).begin - 1;
  moveEntries<u64>(
    columns.planBlocks,
    index << 2,
    columns.planBlocks,
    (index + 1) << 2,
    (lastBlock - index) << 2,
  );
  stepBlockAt(lastBlock).place = place;
  for (let laterSite = site + 1; laterSite <= simulation.siteCount; laterSite++)
    siteStepsAt(laterSite).begin--;
}
