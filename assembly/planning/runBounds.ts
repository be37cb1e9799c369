import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { CHECKED } from '../memory/check';
import * as maximumTree from '../memory/maximumTree';
import { at, clear, put } from '../memory/memory';
import { blockAt, find, foundBlock, foundStep, freeThere, numbersOf, siteAt, timesOf } from './freeSteps';

/**
 * Upper bounds of the lengths of runs of a plan: a run is a period in which a given number of processors of a
 * site is free throughout. Widths fall into classes, two to the octave, and time into slices of equal length.
 * Every class and slice has a bound, larger than the length of each run that touches the slice. A search
 * skips all slices whose runs are too short, by a tree of maxima, in the logarithm of their number.
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
class Head {
  /** Number of slices, 0 while no bounds are kept; levels of the trees. */
  slices: i32;
  levels: i32;
  /** Time of the first slice in seconds, and slices per second. */
  origin: f64;
  scale: f64;
  /** The bounds are valid from the origin until this time, and for plans with no step after the last one. */
  until: f64;
  lastStep: f64;
}

const HEAD: i32 = 5;
/** Doubles per slice of a tree and its limits. */
const PER_SLICE: i32 = 3;
/** Numbers of blocks of steps from which on bounds are kept, and below which they are dropped. */
const MANY: i32 = CHECKED ? 1 : 12;
const FEW: i32 = CHECKED ? 1 : 6;
/** Largest number of doubles per job. */
const PER_JOB: i64 = 64;
/** Smallest number of slices. */
const COARSEST: i32 = 16;

/**
 * Class of a number of processors: the number of elements of 1, 2, 3, 4, 6, 8, 12, ... that are no larger.
 */
@inline
function widthClassOf(processors: i32): i32 {
  if (processors < 2) return max(0, processors);
  const octave = 31 - clz(processors);
  return 2 * octave + ((processors >> (octave - 1)) & 1);
}

/** True if a class begins with this many processors. */
@inline
function isFirst(processors: i32): bool {
  return processors < 2 || (processors & ((1 << (30 - clz(processors))) - 1)) === 0;
}

/** Determines the number of slices that a simulation has room for. */
export function arrange(simulation: Simulation): void {
  const jobs = <i64>simulation.jobCount;
  simulation.boundSlices = 0;
  simulation.boundEntries = 0;
  if (simulation.roomForKept === 0) return;
  simulation.boundRows = widthClassOf(simulation.totalProcessors);
  let slices = COARSEST;
  while (8 * <i64>slices < jobs && entriesOf(simulation, 2 * slices) <= PER_JOB * jobs) slices *= 2;
  simulation.boundSlices = CHECKED || entriesOf(simulation, slices) <= PER_JOB * jobs ? slices : 0;
  simulation.boundEntries = simulation.boundSlices === 0 ? 0 : entriesOf(simulation, slices);
}

/** Number of doubles for all sites with this many slices. */
function entriesOf(simulation: Simulation, slices: i32): i64 {
  const ofSite = <i64>HEAD + simulation.boundRows + <i64>PER_SLICE * simulation.boundRows * slices;
  return ofSite * simulation.siteCount;
}

@inline
function headOf(simulation: Simulation, site: i32): Head {
  const entries = HEAD + simulation.boundRows + PER_SLICE * simulation.boundRows * simulation.boundSlices;
  return changetype<Head>(columns.runBounds + <usize>(<i64>site * entries) * sizeof<f64>());
}

/** Begins of the runs of each class that are being measured. */
@inline
function beginsOf(head: Head): usize {
  return changetype<usize>(head) + HEAD * sizeof<f64>();
}

/** Tree of a class, followed by the limits of its inner nodes. */
@inline
function treeOf(simulation: Simulation, head: Head, index: i32): usize {
  const before = simulation.boundRows + PER_SLICE * index * simulation.boundSlices;
  return changetype<usize>(head) + <usize>(HEAD + before) * sizeof<f64>();
}

/** Drops the bounds of all sites. */
export function reset(simulation: Simulation): void {
  if (simulation.boundSlices === 0) return;
  for (let site = 0; site < simulation.siteCount; site++) headOf(simulation, site).slices = 0;
}

/** True if a site has bounds, or its plan is long enough for them. */
@inline
export function mayBeKept(simulation: Simulation, site: i32): bool {
  if (simulation.boundSlices === 0) return false;
  return siteAt(site + 1).begin - siteAt(site).begin >= MANY || headOf(simulation, site).slices !== 0;
}

/** True if there are bounds for jobs of a predicted runtime on a site; begins them if the plan is long. */
export function areKept(simulation: Simulation, site: i32, predictedRuntime: f64): bool {
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
  // A length that may be absorbed by rounding, because a quarter of it is, has rules of its own.
  return head.slices > 0 && last + predictedRuntime / 4 > last;
}

/**
 * Begins with unbounded slices, at most one per two blocks of steps, for twice the time until the last step.
 */
function begin(simulation: Simulation, head: Head, blocks: i32, last: f64): void {
  const now = simulation.now;
  head.slices = COARSEST;
  head.levels = 4;
  while (head.slices < simulation.boundSlices && 2 * head.slices < blocks) {
    head.slices *= 2;
    head.levels++;
  }
  head.origin = now;
  head.until = last;
  head.lastStep = last + (last - now);
  head.scale = <f64>head.slices / (head.lastStep - now);
  // Drops slices that rounding cannot tell apart.
  if (!(<f64>head.slices / head.scale > last * 1e-9)) head.slices = 0;
  for (let index = 0; index < simulation.boundRows; index++) {
    const treeAddress = treeOf(simulation, head, index);
    for (let node = 0; node < 2 * head.slices; node++) put<f64>(treeAddress, node, Infinity);
    clear(treeAddress + <usize>(2 * head.slices) * sizeof<f64>(), <usize>head.slices * sizeof<f64>());
  }
}

/** Slice of a time. */
@inline
function sliceOf(head: Head, time: f64): i32 {
  const slice = (time - head.origin) * head.scale;
  return slice > 0 ? <i32>min<f64>(slice, <f64>(head.slices - 1)) : 0;
}

/** Time in seconds not after the begin of a slice, which may be the one behind the last. */
@inline
function beginOf(head: Head, slice: i32): f64 {
  return head.origin + (<f64>slice - 0.001) / head.scale;
}

/** Times in seconds between which all starts in the found slice are. */
export let sliceBegin: f64 = 0;
export let sliceEnd: f64 = 0;
let foundTree: usize = 0;
let foundSlices: i32 = 0;
let foundSlice: i32 = 0;
let levels: i32 = 0;

/** Finds the first slice from now on with a run that may hold a job; returns false if there is none. */
export function first(simulation: Simulation, site: i32, processors: i32, predictedRuntime: f64): bool {
  const head = headOf(simulation, site);
  foundTree = treeOf(simulation, head, widthClassOf(processors) - 1);
  foundSlices = head.slices;
  levels = head.levels;
  return findFrom(head, sliceOf(head, simulation.now), predictedRuntime);
}

/** Finds the next such slice behind the found one; returns false if there is none. */
export function next(simulation: Simulation, site: i32, predictedRuntime: f64): bool {
  if (foundSlice + 1 === foundSlices) return false;
  return findFrom(headOf(simulation, site), foundSlice + 1, predictedRuntime);
}

/** Limits of the inner nodes of the found tree. */
@inline
function tagsOf(): usize {
  return foundTree + <usize>(2 * foundSlices) * sizeof<f64>();
}

/** Passes the limit of a node down to its children. */
@inline
function push(node: i32): void {
  const bound = at<f64>(tagsOf(), node);
  if (bound === 0) return;
  put<f64>(tagsOf(), node, 0);
  for (let child = 2 * node; child <= 2 * node + 1; child++) raiseNode(child, bound);
}

/** Raises the bound of a node, and of all slices below it. */
@inline
function raiseNode(node: i32, bound: f64): void {
  if (at<f64>(foundTree, node) < bound) put<f64>(foundTree, node, bound);
  if (node < foundSlices && at<f64>(tagsOf(), node) < bound) put<f64>(tagsOf(), node, bound);
}

/** Finds the first slice from one on whose bound exceeds a predicted runtime. */
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

/** Lowers the bound of the found slice to a length, for runs of at least this many processors. */
export function lower(processors: i32, length: f64): void {
  if (!isFirst(processors)) return;
  const bound = at<f64>(foundTree, foundSlice + foundSlices);
  maximumTree.set<f64>(foundTree, foundSlices, foundSlice, min<f64>(bound, length));
}

/** Raises the bounds of the slices that a run of a class touches. */
function raise(simulation: Simulation, head: Head, index: i32, begin: f64, end: f64): void {
  // Ends of jobs are rounded.
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

/** Raises the bounds of all nodes above one. */
@inline
function raiseAbove(node: i32, bound: f64): void {
  for (node >>= 1; node > 0; node >>= 1) {
    if (at<f64>(foundTree, node) < bound) put<f64>(foundTree, node, bound);
  }
}

/** Raises bounds after processors of a site have become free between two times, as its steps already show. */
export function freed(simulation: Simulation, site: i32, time: f64, end: f64): void {
  if (simulation.boundSlices === 0) return;
  const head = headOf(simulation, site);
  if (head.slices === 0) return;
  const begins = beginsOf(head);
  find(site, time);
  let open = widthClassOf(freeThere(site));
  measureBack(site, begins, open, simulation.now);
  // Walks forward to the end of all runs.
  let step = foundStep + 1;
  const last = siteAt(site + 1).begin;
  for (let index = foundBlock; index < last; index++, step = 0) {
    const block = blockAt(index);
    const isBehind = block.time >= end;
    if (isBehind && open === 0) return;
    if (step === 0 && widthClassOf(block.least) >= open && (isBehind || widthClassOf(block.most) === open))
      continue;
    for (; step < block.count; step++) {
      const here = widthClassOf(at<i32>(numbersOf(block), step) + block.added);
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

/** Finds the begins of the runs of the first `open` classes that reach the found step. */
function measureBack(site: i32, begins: usize, open: i32, now: f64): void {
  let step = foundStep;
  const begin = siteAt(site).begin;
  for (let index = foundBlock; index >= begin && open > 0; index--) {
    const block = blockAt(index);
    if (index < foundBlock) {
      if (widthClassOf(block.least) >= open) continue;
      step = block.count - 1;
    }
    for (; step >= 0 && open > 0; step--) {
      const here = widthClassOf(at<i32>(numbersOf(block), step) + block.added);
      for (; open > here; open--) put<f64>(begins, open - 1, timeBehind(site, index, step));
    }
  }
  const before = widthClassOf(siteAt(site).free);
  for (; open > before; open--) put<f64>(begins, open - 1, at<f64>(timesOf(blockAt(begin)), 0));
  for (; open > 0; open--) put<f64>(begins, open - 1, now);
}

/** Time of the step behind another, which is not the last. */
@inline
function timeBehind(site: i32, index: i32, step: i32): f64 {
  const block = blockAt(index);
  return step + 1 < block.count ? at<f64>(timesOf(block), step + 1) : blockAt(index + 1).time;
}
