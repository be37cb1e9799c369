import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { IS_CHECKED_BUILD } from '../memory/check';
import * as maximumTree from '../memory/maximumTree';
import { at, clearBytes, put } from '../memory/memory';
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
 * Upper bounds of the lengths of free runs in a plan. A free run is a period in which at least a given number
 * of processors of a site is free throughout. Widths fall into classes, two to the octave, and time into
 * slices of equal length. Every class and slice has a bound, larger than the length of each run that touches
 * the slice. A search skips all slices whose runs are too short, by a tree of maxima, in the logarithm of
 * their number.
 *
 * Taking processors shortens runs and leaves bounds true; a search that finds nothing in a slice lowers the
 * slice's bound. Freeing processors lengthens runs: these are measured, and raise the bounds of the slices
 * that they touch.
 *
 * Layout per site: a head; for every class the begin of the run that is being measured; for every class a
 * tree (node 1 is the root, nodes 2n and 2n + 1 are the children of n) and the lower limits that hold for all
 * slices below its inner nodes, which have not been passed down yet.
 */
@unmanaged
class SiteBounds {
  /** Number of slices, 0 while no bounds are kept; levels of the trees. */
  slices: i32;
  levels: i32;
  /** Time of the first slice in seconds, and slices per second. */
  origin: f64;
  scale: f64;
  /** The bounds are valid from the origin until this time, and for plans with no step after the last one. */
  validUntil: f64;
  lastStep: f64;
}

const DOUBLES_PER_SITE_BOUNDS: i32 = 5;
/** Doubles per slice of a tree and its limits. */
const DOUBLES_PER_SLICE: i32 = 3;
/** Numbers of blocks of steps from which on bounds are kept, and below which they are dropped. */
const MIN_BLOCKS_TO_KEEP_BOUNDS: i32 = IS_CHECKED_BUILD ? 1 : 12;
const DROP_BOUNDS_BELOW_BLOCKS: i32 = IS_CHECKED_BUILD ? 1 : 6;
/** Largest number of doubles per job. */
const DOUBLES_PER_JOB: i64 = 64;
/** Smallest number of slices. */
const MIN_SLICES: i32 = 16;

/**
 * Class of a number of processors: the number of elements of 1, 2, 3, 4, 6, 8, 12, ... that are no larger.
 */
@inline
function widthClassOf(processors: i32): i32 {
  if (processors < 2) return max(0, processors);
  const octave = 31 - clz(processors);
  return 2 * octave + ((processors >> (octave - 1)) & 1);
}

/** True if this number of processors is the smallest of a class of widths. */
@inline
function isSmallestOfWidthClass(processors: i32): bool {
  return processors < 2 || (processors & ((1 << (30 - clz(processors))) - 1)) === 0;
}

/** Determines the number of slices that a simulation has room for. */
export function arrange(simulation: Simulation): void {
  const jobs = <i64>simulation.jobCount;
  simulation.boundSlices = 0;
  simulation.boundEntries = 0;
  if (simulation.roomForKept === 0) return;
  simulation.boundRows = widthClassOf(simulation.totalProcessors);
  let sliceCount = MIN_SLICES;
  while (8 * <i64>sliceCount < jobs && entryCountOf(simulation, 2 * sliceCount) <= DOUBLES_PER_JOB * jobs)
    sliceCount *= 2;
  simulation.boundSlices =
    IS_CHECKED_BUILD || entryCountOf(simulation, sliceCount) <= DOUBLES_PER_JOB * jobs ? sliceCount : 0;
  simulation.boundEntries = simulation.boundSlices === 0 ? 0 : entryCountOf(simulation, sliceCount);
}

/** Number of doubles for all sites with this many slices. */
function entryCountOf(simulation: Simulation, slices: i32): i64 {
  const doublesPerSite =
    <i64>DOUBLES_PER_SITE_BOUNDS +
    simulation.boundRows +
    <i64>DOUBLES_PER_SLICE * simulation.boundRows * slices;
  return doublesPerSite * simulation.siteCount;
}

@inline
function siteBoundsOf(simulation: Simulation, site: i32): SiteBounds {
  const doublesPerSite =
    DOUBLES_PER_SITE_BOUNDS +
    simulation.boundRows +
    DOUBLES_PER_SLICE * simulation.boundRows * simulation.boundSlices;
  return changetype<SiteBounds>(columns.runBounds + <usize>(<i64>site * doublesPerSite) * sizeof<f64>());
}

/** Begins of the runs of each class that are being measured. */
@inline
function beginsAddressOf(siteBounds: SiteBounds): usize {
  return changetype<usize>(siteBounds) + DOUBLES_PER_SITE_BOUNDS * sizeof<f64>();
}

/** Tree of a class, followed by the limits of its inner nodes. */
@inline
function treeAddressOf(simulation: Simulation, siteBounds: SiteBounds, index: i32): usize {
  const precedingDoubleCount = simulation.boundRows + DOUBLES_PER_SLICE * index * simulation.boundSlices;
  return (
    changetype<usize>(siteBounds) + <usize>(DOUBLES_PER_SITE_BOUNDS + precedingDoubleCount) * sizeof<f64>()
  );
}

/** Drops the bounds of all sites. */
export function reset(simulation: Simulation): void {
  if (simulation.boundSlices === 0) return;
  for (let site = 0; site < simulation.siteCount; site++) siteBoundsOf(simulation, site).slices = 0;
}

/** True if a site has bounds, or its plan is long enough for them. */
@inline
export function mayHaveBounds(simulation: Simulation, site: i32): bool {
  if (simulation.boundSlices === 0) return false;
  return (
    siteStepsAt(site + 1).begin - siteStepsAt(site).begin >= MIN_BLOCKS_TO_KEEP_BOUNDS ||
    siteBoundsOf(simulation, site).slices !== 0
  );
}

/** True if there are bounds for jobs of a predicted runtime on a site; begins them if the plan is long. */
export function ensureBounds(simulation: Simulation, site: i32, predictedRuntime: f64): bool {
  const siteBounds = siteBoundsOf(simulation, site);
  const blockCount = siteStepsAt(site + 1).begin - siteStepsAt(site).begin;
  if (blockCount < (siteBounds.slices === 0 ? MIN_BLOCKS_TO_KEEP_BOUNDS : DROP_BOUNDS_BELOW_BLOCKS)) {
    siteBounds.slices = 0;
    return false;
  }
  const block = stepBlockAt(siteStepsAt(site + 1).begin - 1);
  const lastStep = at<f64>(timesOf(block), block.count - 1);
  if (siteBounds.slices === 0 || simulation.now > siteBounds.validUntil || lastStep > siteBounds.lastStep) {
    beginBounds(simulation, siteBounds, blockCount, lastStep);
  }
  // Bounds do not hold for a runtime so short that rounding may absorb it: the last step's time plus a
  // quarter of it is the same time.
  return siteBounds.slices > 0 && lastStep + predictedRuntime / 4 > lastStep;
}

/**
 * Begins with unbounded slices, at most one per two blocks of steps, for twice the time until the last step.
 */
function beginBounds(simulation: Simulation, siteBounds: SiteBounds, blockCount: i32, lastStep: f64): void {
  const now = simulation.now;
  siteBounds.slices = MIN_SLICES;
  siteBounds.levels = 4;
  while (siteBounds.slices < simulation.boundSlices && 2 * siteBounds.slices < blockCount) {
    siteBounds.slices *= 2;
    siteBounds.levels++;
  }
  siteBounds.origin = now;
  siteBounds.validUntil = lastStep;
  siteBounds.lastStep = lastStep + (lastStep - now);
  siteBounds.scale = <f64>siteBounds.slices / (siteBounds.lastStep - now);
  // Keeps no bounds if slices are so short that rounding cannot tell them apart.
  if (!(<f64>siteBounds.slices / siteBounds.scale > lastStep * 1e-9)) siteBounds.slices = 0;
  for (let index = 0; index < simulation.boundRows; index++) {
    const treeAddress = treeAddressOf(simulation, siteBounds, index);
    for (let node = 0; node < 2 * siteBounds.slices; node++) put<f64>(treeAddress, node, Infinity);
    clearBytes(
      treeAddress + <usize>(2 * siteBounds.slices) * sizeof<f64>(),
      <usize>siteBounds.slices * sizeof<f64>(),
    );
  }
}

/**
 * Number of the slice of time that contains a time in seconds; times outside belong to the first or last
 * slice.
 */
@inline
function sliceIndexAt(siteBounds: SiteBounds, time: f64): i32 {
  const sliceNumber = (time - siteBounds.origin) * siteBounds.scale;
  return sliceNumber > 0 ? <i32>min<f64>(sliceNumber, <f64>(siteBounds.slices - 1)) : 0;
}

/** Time in seconds not after the begin of a slice, which may be the one behind the last. */
@inline
function beginOfSlice(siteBounds: SiteBounds, slice: i32): f64 {
  return siteBounds.origin + (<f64>slice - 0.001) / siteBounds.scale;
}

/** Times in seconds between which all starts in the found slice are. */
export let sliceBegin: f64 = 0;
export let sliceEnd: f64 = 0;
let foundTreeAddress: usize = 0;
let foundTreeSliceCount: i32 = 0;
let foundSlice: i32 = 0;
let treeLevels: i32 = 0;

/** Finds the first slice from now on with a run that may hold a job; returns false if there is none. */
export function findFirstSlice(
  simulation: Simulation,
  site: i32,
  processors: i32,
  predictedRuntime: f64,
): bool {
  const siteBounds = siteBoundsOf(simulation, site);
  foundTreeAddress = treeAddressOf(simulation, siteBounds, widthClassOf(processors) - 1);
  foundTreeSliceCount = siteBounds.slices;
  treeLevels = siteBounds.levels;
  return findSliceFrom(siteBounds, sliceIndexAt(siteBounds, simulation.now), predictedRuntime);
}

/**
 * Finds the next slice behind the found one with a run that may hold a job; returns false if there is none.
 */
export function findNextSlice(simulation: Simulation, site: i32, predictedRuntime: f64): bool {
  if (foundSlice + 1 === foundTreeSliceCount) return false;
  return findSliceFrom(siteBoundsOf(simulation, site), foundSlice + 1, predictedRuntime);
}

/** Limits of the inner nodes of the found tree. */
@inline
function pendingRaisesAddress(): usize {
  return foundTreeAddress + <usize>(2 * foundTreeSliceCount) * sizeof<f64>();
}

/** Passes the limit of a node down to its children. */
@inline
function pushRaiseToChildren(node: i32): void {
  const bound = at<f64>(pendingRaisesAddress(), node);
  if (bound === 0) return;
  put<f64>(pendingRaisesAddress(), node, 0);
  for (let child = 2 * node; child <= 2 * node + 1; child++) raiseNode(child, bound);
}

/** Raises the bound of a node, and of all slices below it. */
@inline
function raiseNode(node: i32, bound: f64): void {
  if (at<f64>(foundTreeAddress, node) < bound) put<f64>(foundTreeAddress, node, bound);
  if (node < foundTreeSliceCount && at<f64>(pendingRaisesAddress(), node) < bound)
    put<f64>(pendingRaisesAddress(), node, bound);
}

/** Finds the first slice from one on whose bound exceeds a predicted runtime. */
function findSliceFrom(siteBounds: SiteBounds, sliceNumber: i32, predictedRuntime: f64): bool {
  let node = sliceNumber + foundTreeSliceCount;
  for (let level = treeLevels; level > 0; level--) pushRaiseToChildren(node >> level);
  if (!(at<f64>(foundTreeAddress, node) > predictedRuntime)) {
    do {
      while ((node & 1) === 1) {
        node >>= 1;
        if (node <= 1) return false;
      }
      node++;
    } while (!(at<f64>(foundTreeAddress, node) > predictedRuntime));
    while (node < foundTreeSliceCount) {
      pushRaiseToChildren(node);
      node *= 2;
      if (!(at<f64>(foundTreeAddress, node) > predictedRuntime)) node++;
    }
  }
  foundSlice = node - foundTreeSliceCount;
  sliceBegin = beginOfSlice(siteBounds, foundSlice);
  sliceEnd =
    foundSlice + 1 === foundTreeSliceCount
      ? Infinity
      : beginOfSlice(siteBounds, foundSlice + 1) + 0.002 / siteBounds.scale;
  return true;
}

/** Lowers the bound of the found slice to a length, for runs of at least this many processors. */
export function lowerFoundSlice(processors: i32, length: f64): void {
  if (!isSmallestOfWidthClass(processors)) return;
  const bound = at<f64>(foundTreeAddress, foundSlice + foundTreeSliceCount);
  maximumTree.setLeaf<f64>(foundTreeAddress, foundTreeSliceCount, foundSlice, min<f64>(bound, length));
}

/** Raises the bounds of the slices that a run of a class touches. */
function raiseSlices(simulation: Simulation, siteBounds: SiteBounds, index: i32, begin: f64, end: f64): void {
  // Ends of jobs are rounded, so the bound is larger than the length by more than a rounding error.
  const bound = end - begin + end * 1e-15;
  foundTreeAddress = treeAddressOf(simulation, siteBounds, index);
  foundTreeSliceCount = siteBounds.slices;
  const firstLeaf = sliceIndexAt(siteBounds, begin) + foundTreeSliceCount;
  const lastLeaf = sliceIndexAt(siteBounds, end) + foundTreeSliceCount;
  if (firstLeaf === lastLeaf && at<f64>(foundTreeAddress, firstLeaf) >= bound) return;
  let lowNode = firstLeaf;
  for (let highNode = lastLeaf + 1; lowNode < highNode; lowNode >>= 1, highNode >>= 1) {
    if ((lowNode & 1) === 1) raiseNode(lowNode++, bound);
    if ((highNode & 1) === 1) raiseNode(--highNode, bound);
  }
  raiseNodesAbove(firstLeaf, bound);
  raiseNodesAbove(lastLeaf, bound);
}

/** Raises the bounds of all nodes above one. */
@inline
function raiseNodesAbove(node: i32, bound: f64): void {
  for (node >>= 1; node > 0; node >>= 1) {
    if (at<f64>(foundTreeAddress, node) < bound) put<f64>(foundTreeAddress, node, bound);
  }
}

/**
 * Raises bounds after processors of a site have become free from `begin` until `end`, which its steps already
 * show.
 */
export function raiseAfterFreeing(simulation: Simulation, site: i32, begin: f64, end: f64): void {
  if (simulation.boundSlices === 0) return;
  const siteBounds = siteBoundsOf(simulation, site);
  if (siteBounds.slices === 0) return;
  const beginsAddress = beginsAddressOf(siteBounds);
  findStep(site, begin);
  let openClassCount = widthClassOf(freeAtFoundStep(site));
  measureRunsBackwards(site, beginsAddress, openClassCount, simulation.now);
  // Walks forward to the end of all runs.
  let step = foundStep + 1;
  const endBlock = siteStepsAt(site + 1).begin;
  for (let index = foundBlock; index < endBlock; index++, step = 0) {
    const block = stepBlockAt(index);
    const isBlockBehindPeriod = block.time >= end;
    if (isBlockBehindPeriod && openClassCount === 0) return;
    if (
      step === 0 &&
      widthClassOf(block.least) >= openClassCount &&
      (isBlockBehindPeriod || widthClassOf(block.most) === openClassCount)
    )
      continue;
    for (; step < block.count; step++) {
      const widthClassOfStep = widthClassOf(at<i32>(freeCountsOf(block), step) + block.addend);
      if (widthClassOfStep === openClassCount) continue;
      const stepTime = at<f64>(timesOf(block), step);
      if (widthClassOfStep > openClassCount) {
        if (stepTime >= end) continue;
        for (; openClassCount < widthClassOfStep; openClassCount++)
          put<f64>(beginsAddress, openClassCount, stepTime);
      } else {
        for (; openClassCount > widthClassOfStep; openClassCount--)
          raiseSlices(
            simulation,
            siteBounds,
            openClassCount - 1,
            at<f64>(beginsAddress, openClassCount - 1),
            stepTime,
          );
        if (openClassCount === 0 && stepTime >= end) return;
      }
    }
  }
  for (; openClassCount > 0; openClassCount--)
    raiseSlices(
      simulation,
      siteBounds,
      openClassCount - 1,
      at<f64>(beginsAddress, openClassCount - 1),
      Infinity,
    );
}

/**
 * For each of the first `openClasses` width classes, finds where the period with enough free processors
 * begins that lasts until the found step.
 */
function measureRunsBackwards(site: i32, beginsAddress: usize, openClasses: i32, now: f64): void {
  let step = foundStep;
  const firstBlock = siteStepsAt(site).begin;
  for (let index = foundBlock; index >= firstBlock && openClasses > 0; index--) {
    const block = stepBlockAt(index);
    if (index < foundBlock) {
      if (widthClassOf(block.least) >= openClasses) continue;
      step = block.count - 1;
    }
    for (; step >= 0 && openClasses > 0; step--) {
      const widthClassOfStep = widthClassOf(at<i32>(freeCountsOf(block), step) + block.addend);
      for (; openClasses > widthClassOfStep; openClasses--)
        put<f64>(beginsAddress, openClasses - 1, timeOfNextStep(site, index, step));
    }
  }
  const widthClassBefore = widthClassOf(siteStepsAt(site).free);
  for (; openClasses > widthClassBefore; openClasses--)
    put<f64>(beginsAddress, openClasses - 1, at<f64>(timesOf(stepBlockAt(firstBlock)), 0));
  for (; openClasses > 0; openClasses--) put<f64>(beginsAddress, openClasses - 1, now);
}

/** Time of the step that follows another one; the other one is not the last. */
@inline
function timeOfNextStep(site: i32, index: i32, step: i32): f64 {
  const block = stepBlockAt(index);
  return step + 1 < block.count ? at<f64>(timesOf(block), step + 1) : stepBlockAt(index + 1).time;
}
