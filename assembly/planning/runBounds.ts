import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { CHECKED } from '../memory/check';
import * as maximumTree from '../memory/maximumTree';
import { at, clear, put } from '../memory/memory';
import { blockAt, find, foundBlock, foundStep, freeThere, numbersOf, siteAt, timesOf } from './freeSteps';

/**
 * How long the runs of a plan are at most: times without a break in which this many processors of a site are
 * free. Widths fall into classes, two to the octave, and time into slices of equal length. For every class
 * and slice a bound is kept, above every length for which a run that touches the slice has room. So a search
 * passes over all slices whose runs are too short, by a tree of maxima, in the logarithm of their number.
 *
 * What is taken makes runs shorter and leaves bounds true; a search that finds nothing in a slice lowers its
 * bound. Released processors make runs longer: these are measured, and raise the bounds of the slices that
 * they touch.
 *
 * Of each site there is a head, then where the runs of every class begin that are being measured, then for
 * every class the tree (node 1 is the root, 2n and 2n + 1 are the children of n) and what holds for all
 * slices below its inner nodes.
 */
@unmanaged
class Head {
  /** Slices, 0 while no bounds are kept; the time of the first one, and slices per second. */
  slices: i32;
  levels: i32;
  origin: f64;
  scale: f64;
  /** The bounds hold from the origin until a time, and up to a last step. */
  until: f64;
  lastStep: f64;
}

const HEAD: i32 = 5;
/** Doubles of a tree, for every slice. */
const PER_SLICE: i32 = 3;
/** Blocks of steps of a site from which on bounds are worth keeping, and below which not; tests keep them. */
const MANY: i32 = CHECKED ? 1 : 12;
const FEW: i32 = CHECKED ? 1 : 6;
/** Doubles that bounds may take for every job. */
const PER_JOB: i64 = 64;
/** Slices there are at least. */
const COARSEST: i32 = 16;

/** The class of this many processors, the first is 1: how many of 1, 2, 3, 4, 6, 8, 12, ... are no more. */
@inline
function classOf(processors: i32): i32 {
  if (processors < 2) return max(0, processors);
  const octave = 31 - clz(processors);
  return 2 * octave + ((processors >> (octave - 1)) & 1);
}

/** Whether a class begins with this many processors. */
@inline
function isFirst(processors: i32): bool {
  return processors < 2 || (processors & ((1 << (30 - clz(processors))) - 1)) === 0;
}

/** Settles how many slices there is room for. */
export function settle(simulation: Simulation): void {
  const jobs = <i64>simulation.jobCount;
  simulation.boundRows = classOf(simulation.totalProcessors);
  let slices = COARSEST;
  while (8 * <i64>slices < jobs && entriesOf(simulation, 2 * slices) <= PER_JOB * jobs) slices *= 2;
  simulation.boundSlices = CHECKED || entriesOf(simulation, slices) <= PER_JOB * jobs ? slices : 0;
  simulation.searchBoundEntries = simulation.boundSlices === 0 ? 0 : entriesOf(simulation, slices);
}

/** Doubles of the bounds of all sites with this many slices. */
function entriesOf(simulation: Simulation, slices: i32): i64 {
  const ofSite = <i64>HEAD + simulation.boundRows + <i64>PER_SLICE * simulation.boundRows * slices;
  return ofSite * simulation.siteCount;
}

@inline
function headOf(simulation: Simulation, site: i32): Head {
  const entries = HEAD + simulation.boundRows + PER_SLICE * simulation.boundRows * simulation.boundSlices;
  return changetype<Head>(columns.searchBounds + <usize>(<i64>site * entries) * sizeof<f64>());
}

/** Where the runs of each class begin. */
@inline
function beginsOf(head: Head): usize {
  return changetype<usize>(head) + HEAD * sizeof<f64>();
}

/** The bounds of a class: a tree, behind it the bounds of all below its nodes. */
@inline
function treeOf(simulation: Simulation, head: Head, index: i32): usize {
  const before = simulation.boundRows + PER_SLICE * index * simulation.boundSlices;
  return changetype<usize>(head) + <usize>(HEAD + before) * sizeof<f64>();
}

/** Nothing is known. */
export function reset(simulation: Simulation): void {
  if (simulation.boundSlices === 0) return;
  for (let site = 0; site < simulation.siteCount; site++) headOf(simulation, site).slices = 0;
}

/** Whether bounds are kept for jobs of a length at a site, whose steps have been advanced to now. */
export function areKept(simulation: Simulation, site: i32, predictedRuntime: f64): bool {
  if (simulation.boundSlices === 0) return false;
  const head = headOf(simulation, site);
  const blocks = siteAt(site + 1).begin - siteAt(site).begin;
  if (blocks < (head.slices === 0 ? MANY : FEW)) {
    head.slices = 0;
    return false;
  }
  const block = blockAt(siteAt(site + 1).begin - 1);
  const last = at<f64>(timesOf(block), block.count - 1);
  if (head.slices === 0 || simulation.now > head.until || last > head.lastStep) {
    begin(simulation, head, blocks, last);
  }
  // A length that may be lost in rounding, as a quarter of it is, has rules of its own.
  return head.slices > 0 && last + predictedRuntime / 4 > last;
}

/** Begins without bounds, with slices for twice the time until the last step, of a block of steps or less. */
function begin(simulation: Simulation, head: Head, blocks: i32, last: f64): void {
  const now = simulation.now;
  head.slices = COARSEST;
  head.levels = 4;
  while (head.slices < simulation.boundSlices && head.slices < blocks) {
    head.slices *= 2;
    head.levels++;
  }
  head.origin = now;
  head.until = last;
  head.lastStep = last + (last - now);
  head.scale = <f64>head.slices / (head.lastStep - now);
  // Too near to each other to be told apart.
  if (!(<f64>head.slices / head.scale > last * 1e-9)) head.slices = 0;
  for (let index = 0; index < simulation.boundRows; index++) {
    const tree = treeOf(simulation, head, index);
    for (let node = 0; node < 2 * head.slices; node++) put<f64>(tree, node, Infinity);
    clear(tree + <usize>(2 * head.slices) * sizeof<f64>(), <usize>head.slices * sizeof<f64>());
  }
}

@inline
function sliceOf(head: Head, time: f64): i32 {
  const slice = (time - head.origin) * head.scale;
  return slice > 0 ? <i32>min<f64>(slice, <f64>(head.slices - 1)) : 0;
}

/** A time not after the beginning of a slice, which may be the one behind the last. */
@inline
function beginOf(head: Head, slice: i32): f64 {
  return head.origin + (<f64>slice - 0.001) / head.scale;
}

/** The slice that `next` has found: no start in it is before one time, nor after another. */
export let sliceBegin: f64 = 0;
export let sliceEnd: f64 = 0;
let foundTree: usize = 0;
let foundSlices: i32 = 0;
let foundSlice: i32 = 0;
let levels: i32 = 0;

/** Finds the first slice from now on in which a run may have room for a job; returns whether there is one. */
export function first(simulation: Simulation, site: i32, processors: i32, predictedRuntime: f64): bool {
  const head = headOf(simulation, site);
  foundTree = treeOf(simulation, head, classOf(processors) - 1);
  foundSlices = head.slices;
  levels = head.levels;
  return findFrom(head, sliceOf(head, simulation.now), predictedRuntime);
}

/** The same behind the slice that was found last. */
export function next(simulation: Simulation, site: i32, predictedRuntime: f64): bool {
  if (foundSlice + 1 === foundSlices) return false;
  return findFrom(headOf(simulation, site), foundSlice + 1, predictedRuntime);
}

/** The bound of all slices below a node. */
@inline
function tagsOf(): usize {
  return foundTree + <usize>(2 * foundSlices) * sizeof<f64>();
}

/** What holds for all below a node holds for its children. */
@inline
function push(node: i32): void {
  const bound = at<f64>(tagsOf(), node);
  if (bound === 0) return;
  put<f64>(tagsOf(), node, 0);
  for (let child = 2 * node; child <= 2 * node + 1; child++) raiseNode(child, bound);
}

@inline
function raiseNode(node: i32, bound: f64): void {
  if (at<f64>(foundTree, node) < bound) put<f64>(foundTree, node, bound);
  if (node < foundSlices && at<f64>(tagsOf(), node) < bound) put<f64>(tagsOf(), node, bound);
}

function findFrom(head: Head, slice: i32, predictedRuntime: f64): bool {
  let node = slice + foundSlices;
  for (let level = levels; level > 0; level--) push(node >> level);
  if (!(at<f64>(foundTree, node) > predictedRuntime)) {
    do {
      while ((node & 1) === 1) {
        node >>= 1;
        if (node <= 1) return false;
      }
      node++;
    } while (!(at<f64>(foundTree, node) > predictedRuntime));
    while (node < foundSlices) {
      push(node);
      node *= 2;
      if (!(at<f64>(foundTree, node) > predictedRuntime)) node++;
    }
  }
  foundSlice = node - foundSlices;
  sliceBegin = beginOf(head, foundSlice);
  sliceEnd = foundSlice + 1 === foundSlices ? Infinity : beginOf(head, foundSlice + 1) + 0.002 / head.scale;
  return true;
}

/** All runs with this many processors that touch the slice that was found are shorter than a length. */
export function lower(processors: i32, length: f64): void {
  if (!isFirst(processors)) return;
  const bound = at<f64>(foundTree, foundSlice + foundSlices);
  maximumTree.set<f64>(foundTree, foundSlices, foundSlice, min<f64>(bound, length));
}

/** A run of a class reaches from a time to another. */
function raise(simulation: Simulation, head: Head, index: i32, begin: f64, end: f64): void {
  // Times are rounded where jobs end.
  const bound = end - begin + end * 1e-15;
  foundTree = treeOf(simulation, head, index);
  foundSlices = head.slices;
  const from = sliceOf(head, begin) + foundSlices;
  const to = sliceOf(head, end) + foundSlices;
  if (from === to && at<f64>(foundTree, from) >= bound) return;
  let low = from;
  for (let high = to + 1; low < high; low >>= 1, high >>= 1) {
    if ((low & 1) === 1) raiseNode(low++, bound);
    if ((high & 1) === 1) raiseNode(--high, bound);
  }
  raiseAbove(from, bound);
  raiseAbove(to, bound);
}

@inline
function raiseAbove(node: i32, bound: f64): void {
  for (node >>= 1; node > 0; node >>= 1) {
    if (at<f64>(foundTree, node) < bound) put<f64>(foundTree, node, bound);
  }
}

/** Processors of a site are free again from a time until another, as its steps say already. */
export function freed(simulation: Simulation, site: i32, time: f64, end: f64): void {
  if (simulation.boundSlices === 0) return;
  const head = headOf(simulation, site);
  if (head.slices === 0) return;
  const begins = beginsOf(head);
  find(site, time);
  let open = classOf(freeThere(site));
  measureBack(site, begins, open, simulation.now);
  // Forward, to the end of all runs.
  let step = foundStep + 1;
  const last = siteAt(site + 1).begin;
  for (let index = foundBlock; index < last; index++, step = 0) {
    const block = blockAt(index);
    const isBehind = block.time >= end;
    if (isBehind && open === 0) return;
    if (step === 0 && classOf(block.least) >= open && (isBehind || classOf(block.most) === open)) continue;
    for (; step < block.count; step++) {
      const here = classOf(at<i32>(numbersOf(block), step) + block.added);
      if (here === open) continue;
      const now = at<f64>(timesOf(block), step);
      if (here > open) {
        if (now >= end) continue;
        for (; open < here; open++) put<f64>(begins, open, now);
      } else {
        for (; open > here; open--) raise(simulation, head, open - 1, at<f64>(begins, open - 1), now);
        if (open === 0 && now >= end) return;
      }
    }
  }
  for (; open > 0; open--) raise(simulation, head, open - 1, at<f64>(begins, open - 1), Infinity);
}

/** Finds where the runs of the first `open` classes begin that reach to the step that was found. */
function measureBack(site: i32, begins: usize, open: i32, now: f64): void {
  let step = foundStep;
  const begin = siteAt(site).begin;
  for (let index = foundBlock; index >= begin && open > 0; index--) {
    const block = blockAt(index);
    if (index < foundBlock) {
      if (classOf(block.least) >= open) continue;
      step = block.count - 1;
    }
    for (; step >= 0 && open > 0; step--) {
      const here = classOf(at<i32>(numbersOf(block), step) + block.added);
      for (; open > here; open--) put<f64>(begins, open - 1, timeBehind(site, index, step));
    }
  }
  const before = classOf(siteAt(site).free);
  for (; open > before; open--) put<f64>(begins, open - 1, at<f64>(timesOf(blockAt(begin)), 0));
  for (; open > 0; open--) put<f64>(begins, open - 1, now);
}

/** The time of the step behind one, which there is. */
@inline
function timeBehind(site: i32, index: i32, step: i32): f64 {
  const block = blockAt(index);
  return step + 1 < block.count ? at<f64>(timesOf(block), step + 1) : blockAt(index + 1).time;
}
