import { Option } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { allocationAt, entryAt, placeIn } from '../events/finishQueue';
import { appendNodeRuns } from '../grid/processors';
import { endSiteOf, firstSiteOf } from '../grid/sites';
import { at, move, put } from '../memory/memory';
import * as nodeOutages from './nodeOutages';
import * as nodeSets from './nodeSets';
import { effectiveEnd } from './predictions';
import { multipleBehind, roundedDown } from './wallClock';

/**
 * Plan of a pass by nodes, as Slurm's backfill scheduler makes it (22.05): reservations hold particular
 * nodes, whole ones even where jobs share them. The plan is a list of segments of time with the nodes that no
 * reservation holds, and the running jobs by their predicted ends, which are not in the segments. Sets have
 * one bit per processor.
 *
 * Each site of a queue has a list of segments and a list of running jobs of its own. The first segments of
 * all lists come first, so that no other segment has index 0. Functions concern the site selected last.
 */

/**
 * Period of time from `begin` (inclusive) to `end` (exclusive), in seconds, and the index of the next segment
 * in time; 0: none.
 */
@unmanaged
class Segment {
  begin: f64;
  end: f64;
  next: i32;
  unused: i32;
}

/** Selected site, -1 if none; its processors, the 64-bit words of its sets, and the words before its own. */
let site: i32 = -1;
let capacity: i32 = 0;
let words: i32 = 0;
let firstWord: i32 = 0;
/** First segment of the selected site, its list of running jobs by end, and their number. */
let firstSegment: i32 = 0;
let runningEnds: usize = 0;
let runningCount: i32 = 0;
/** First site of the plan. */
let firstSite: i32 = 0;
/**
 * Number of 64-bit words reserved for each set of nodes, of segments created in this pass, and of running
 * jobs with nodes.
 */
let wordsPerSet: i32 = 0;
let segmentCount: i32 = 0;
let nodeCount: i32 = 0;

/**
 * Start of the job for which `findStart` was called, in seconds, and the time from which to search
 * again; -1: never.
 */
export let start: f64 = 0;
export let nextSearchTime: f64 = -1;

const SEGMENT_BYTES: usize = 24;

@inline
function segmentAt(index: i32): Segment {
  return changetype<Segment>(columns.segments + <usize>index * SEGMENT_BYTES);
}

/** Nodes of a segment that no reservation holds. */
@inline
function freeNodesOf(index: i32): usize {
  return columns.segmentNodes + ((<usize>(index * wordsPerSet)) << 3);
}

/** Predicted end of a listed running job in seconds. */
@inline
function runningEndOf(index: i32): f64 {
  return at<f64>(runningEnds, 2 * index);
}

/** Nodes of a listed running job. */
@inline
function nodesOfRunning(index: i32): usize {
  return runningNodesAt(<i32>(at<u64>(runningEnds, 2 * index + 1) & 0xffff_ffff));
}

/** Nodes at a place of the column of running jobs. */
@inline
function runningNodesAt(place: i32): usize {
  return columns.runningNodes + ((<usize>(place * wordsPerSet)) << 3);
}

/** Selects a site for the other functions. */
@inline
export function selectSite(chosenSite: i32): void {
  if (chosenSite !== site) selectOtherSite(chosenSite);
}

function selectOtherSite(chosenSite: i32): void {
  site = chosenSite;
  capacity = at<i32>(columns.capacities, site);
  words = (capacity + 63) >> 6;
  firstWord = at<i32>(columns.firstWords, site);
  firstSegment = site - firstSite;
  runningEnds = columns.runningEnds + ((<usize>at<i32>(columns.firstProcessors, site)) << 4);
  runningCount = at<i32>(columns.runningCounts, site);
}

/** Begins a plan of the sites of a queue without running jobs: a segment without reservations for each. */
export function beginEmptyPlan(simulation: Simulation, queue: i32): void {
  wordsPerSet = (simulation.totalProcessors + 63) >> 6;
  site = -1;
  firstSite = firstSiteOf(simulation, queue);
  segmentCount = endSiteOf(simulation, queue) - firstSite;
  nodeCount = 0;
  const window = columns.taken(Option.BackfillWindow);
  for (let index = 0; index < segmentCount; index++) {
    const segment = segmentAt(index);
    segment.begin = roundedDown(simulation.now);
    segment.end = window > 0 ? roundedDown(simulation.now + window) : Infinity;
    segment.next = 0;
    nodeSets.fill(freeNodesOf(index), at<i32>(columns.capacities, firstSite + index));
    put<i32>(columns.runningCounts, firstSite + index, 0);
  }
}

/** Begins a plan of the sites of a queue without reservations, but with the running jobs. */
export function beginNodePlan(simulation: Simulation, queue: i32): void {
  beginEmptyPlan(simulation, queue);
  for (let finishEntry = 1; finishEntry <= simulation.runningJobs; finishEntry++) {
    const allocation = allocationAt(placeIn(at<u64>(entryAt(finishEntry), 1)));
    if (<u32>(allocation.site - firstSite) >= <u32>segmentCount) continue;
    selectSite(allocation.site);
    const nodesAddress = runningNodesAt(nodeCount);
    nodeSets.clear(nodesAddress, words);
    appendNodeRuns(site, allocation.runs, nodesAddress);
    const end = allocation.start + allocation.execution;
    const isOver = allocation.start < simulation.now && end < simulation.now;
    addToRunningList(
      allocation.job,
      isOver
        ? end + columns.taken(Option.ReleaseDelay)
        : effectiveEnd(simulation.now, allocation.predictedEnd),
    );
  }
}

/** Adds a job, whose nodes come next in the column, to the list of running jobs, by end, then by index. */
function addToRunningList(job: i32, end: f64): void {
  let position = runningCount;
  while (position > 0 && isBehind(position - 1, job, end)) position--;
  move<u64>(runningEnds, 2 * position + 2, runningEnds, 2 * position, 2 * (runningCount - position));
  put<f64>(runningEnds, 2 * position, end);
  put<u64>(runningEnds, 2 * position + 1, ((<u64>job) << 32) | <u64>nodeCount);
  nodeCount++;
  put<i32>(columns.runningCounts, site, ++runningCount);
}

/**
 * True if the listed running job at `index` comes after a job with the predicted end `end`: it ends later, or
 * at the same time and has the higher job index.
 */
@inline
function isBehind(index: i32, job: i32, end: f64): bool {
  if (runningEndOf(index) !== end) return runningEndOf(index) > end;
  return <i32>(at<u64>(runningEnds, 2 * index + 1) >> 32) > job;
}

/** Adds a job that has started on the chosen nodes of the selected site to its list of running jobs. */
export function addRunning(simulation: Simulation, job: i32, end: f64): void {
  nodeSets.copy(runningNodesAt(nodeCount), columns.chosenNodes, words);
  addToRunningList(job, effectiveEnd(simulation.now, end));
}

/**
 * Collects in `usableNodes` the nodes without a reservation from a time on for a predicted runtime, and
 * returns their number; sets `nextSearchTime` to the end of the first segment after which other nodes are
 * free, or to a time behind a planned outage that the job would meet.
 */
function findUsable(simulation: Simulation, from: f64, predictedRuntime: f64): i32 {
  const usableNodesAddress = columns.usableNodes;
  const predictedEnd = from + predictedRuntime;
  const isClosed = columns.taken(Option.ClosedOverlap) !== 0;
  nextSearchTime = -1;
  const hasOutages = simulation.outages !== 0;
  let isFirstSegment = !hasOutages;
  let meetsOutage = false;
  if (hasOutages) {
    meetsOutage = collectUsableNodes(simulation, from, predictedEnd);
    nodeSets.copy(columns.permittedNodes, usableNodesAddress, words);
  }
  let index = firstSegment;
  do {
    const segment = segmentAt(index);
    if (segment.end > from) {
      const next = segment.next;
      // Before the first intersection, all free nodes of the segment are usable.
      if (next !== 0 && nextSearchTime < 0) {
        if (!addsNoNodes(hasOutages, isFirstSegment, index, next)) nextSearchTime = segment.end;
      }
      const begin = segment.begin;
      if (!(begin <= from || begin < predictedEnd || (isClosed && begin <= predictedEnd))) break;
      if (isFirstSegment) nodeSets.copy(usableNodesAddress, freeNodesOf(index), words);
      else nodeSets.intersect(usableNodesAddress, freeNodesOf(index), words);
      isFirstSegment = false;
    }
    index = segment.next;
  } while (index !== 0);
  if (isFirstSegment) nodeSets.fill(usableNodesAddress, capacity);
  if (meetsOutage) {
    const timeAfterOutage = nodeOutages.timeAfterNextEnd(simulation, site, from);
    if (timeAfterOutage >= 0 && (nextSearchTime < 0 || timeAfterOutage < nextSearchTime))
      nextSearchTime = timeAfterOutage;
  }
  return nodeSets.count(usableNodesAddress, words);
}

/** True if the segment `next` has no usable node that the segment before it, `index`, lacks. */
@inline
function addsNoNodes(hasOutages: bool, isFirstSegment: bool, index: i32, next: i32): bool {
  const usableNodesAddress = columns.usableNodes;
  if (hasOutages) {
    const permittedNodesAddress = columns.permittedNodes;
    return nodeSets.areBothWithinBoth(
      permittedNodesAddress,
      freeNodesOf(next),
      usableNodesAddress,
      freeNodesOf(index),
      words,
    );
  }
  if (isFirstSegment) return nodeSets.isWithin(freeNodesOf(next), freeNodesOf(index), words);
  return nodeSets.isWithinBoth(freeNodesOf(next), usableNodesAddress, freeNodesOf(index), words);
}

/**
 * Collects in `usableNodes` the nodes, idle or not, without those of known outages that a job would meet if
 * it ran from one time to another; returns true if one of these outages is planned.
 */
function collectUsableNodes(simulation: Simulation, from: f64, until: f64): bool {
  const usableNodesAddress = columns.usableNodes;
  nodeSets.fill(usableNodesAddress, capacity);
  nodeOutages.removeUnplanned(simulation, site, usableNodesAddress);
  return nodeOutages.removeNodesOfPlannedOutages(simulation, site, usableNodesAddress, from, until);
}

/**
 * Finds the start of a job (`start`) and its nodes (`chosenNodes`) from a time on; returns false if the
 * unreserved nodes never suffice. `nextSearchTime` is then the time from which to search again. If it may
 * not wait for ends of running jobs, the start is +infinity unless idle nodes suffice.
 */
export function findStart(
  simulation: Simulation,
  from: f64,
  processors: i32,
  predictedRuntime: f64,
  mayWait: bool,
): bool {
  if (findUsable(simulation, from, predictedRuntime) < processors) return false;
  const freeNodesAddress = columns.otherNodes;
  nodeSets.copy(freeNodesAddress, columns.freeBits + ((<usize>firstWord) << 3), words);
  // A usable node that is away comes back before `from`, so it counts as free.
  if (simulation.outages !== 0)
    nodeSets.add(freeNodesAddress, columns.goneBits + ((<usize>firstWord) << 3), words);
  nodeSets.intersect(freeNodesAddress, columns.usableNodes, words);
  start = simulation.now;
  if (nodeSets.count(freeNodesAddress, words) < processors) {
    start = Infinity;
    if (!mayWait) return true;
    waitForEnds(freeNodesAddress, processors);
  }
  takeNodes(freeNodesAddress, processors);
  start = max<f64>(start, from);
  return true;
}

/**
 * Adds the nodes of running jobs to a set of free ones, in groups by predicted end, until it is large
 * enough; `start` becomes the last end of the last group. Without windows a group is the jobs of one end.
 */
function waitForEnds(freeNodesAddress: usize, processors: i32): void {
  const windowUnit = columns.taken(Option.EndWindow);
  if (windowUnit > 0) return waitForWindows(freeNodesAddress, processors, windowUnit);
  let index = nextRunning(-1);
  while (index < runningCount) {
    start = runningEndOf(index);
    for (; index < runningCount && runningEndOf(index) === start; index = nextRunning(index))
      addUsableNodesOf(freeNodesAddress, index);
    if (nodeSets.count(freeNodesAddress, words) >= processors) return;
  }
}

/**
 * Same as `waitForEnds`, with windows. The barrier is the first multiple of the window after the earliest
 * end. A group ends before a job whose end is later than the barrier plus the width of the window; then the
 * barrier stays and the width doubles. As in Slurm, only the job that follows a usable one is compared with
 * the window: a job after one without usable nodes belongs to the group whatever its end.
 */
function waitForWindows(freeNodesAddress: usize, processors: i32, windowUnit: f64): void {
  let windowWidth = windowUnit;
  let barrier: f64 = -Infinity;
  let index = nextRunning(-1);
  while (index < runningCount) {
    if (barrier === -Infinity) barrier = multipleBehind(runningEndOf(index), windowUnit);
    start = runningEndOf(index);
    addUsableNodesOf(freeNodesAddress, index);
    const nextIndex = index + 1;
    index = nextRunning(index);
    if (nextIndex < runningCount) {
      if (runningEndOf(nextIndex) <= barrier + windowWidth && index < runningCount) continue;
      do windowWidth *= 2;
      while (runningEndOf(nextIndex) > barrier + windowWidth);
    }
    if (nodeSets.count(freeNodesAddress, words) >= processors) return;
  }
}

/** Adds the usable nodes of a listed running job to a set. */
@inline
function addUsableNodesOf(setAddress: usize, index: i32): void {
  nodeSets.addBoth(setAddress, nodesOfRunning(index), columns.usableNodes, words);
}

/** Index of the next listed running job that holds a usable node. */
@inline
function nextRunning(index: i32): i32 {
  index++;
  while (index < runningCount && !nodeSets.overlap(nodesOfRunning(index), columns.usableNodes, words))
    index++;
  return index;
}

/** True if a reservation of the chosen nodes for a job from `start` on would overlap with another. */
export function overlapsOthers(predictedRuntime: f64): bool {
  const begin = roundedDown(start);
  const end = roundedDown(start + predictedRuntime);
  let index = firstSegment;
  do {
    const segment = segmentAt(index);
    const isMeanwhile = segment.end > begin && segment.begin < end;
    if (isMeanwhile && !nodeSets.isWithin(columns.chosenNodes, freeNodesOf(index), words)) return true;
    index = segment.next;
  } while (index !== 0);
  return false;
}

/** Smallest number of seconds by which a start is postponed: the resolution of reservations, or 1. */
@inline
export function leastDelay(): f64 {
  const resolution = columns.taken(Option.BackfillResolution);
  return resolution > 0 ? resolution : 1;
}

/** True if the plan has as many segments as `BackfillSegments` permits, so that the pass ends. */
@inline
export function isFull(): bool {
  const segmentLimit = columns.taken(Option.BackfillSegments);
  return segmentLimit > 0 && <f64>segmentCount >= segmentLimit;
}

/** Moves `processors` processors from a set, which has enough, to the chosen ones. */
function takeNodes(setAddress: usize, processors: i32): void {
  const processorsPerNode = nodeSize();
  const chosenNodesAddress = columns.chosenNodes;
  if (processorsPerNode <= 1) nodeSets.takeBlocks(chosenNodesAddress, setAddress, words, processors);
  else nodeSets.takeFromNodes(chosenNodesAddress, setAddress, words, processors, processorsPerNode);
}

/** Processors of a node. */
@inline
function nodeSize(): i32 {
  return <i32>columns.taken(Option.NodeProcessors);
}

/** Reserves the nodes of the chosen processors for a job from `start` on. */
export function reserve(predictedRuntime: f64): void {
  if (nodeSize() > 1) nodeSets.addWholeNodes(columns.chosenNodes, words, nodeSize());
  const begin = max<f64>(roundedDown(start), segmentAt(firstSegment).begin);
  const resolution = columns.taken(Option.BackfillResolution);
  const end = max<f64>(roundedDown(start + predictedRuntime), begin + resolution);
  if (!(end > begin)) return;
  let segmentBefore = firstSegment;
  let index = firstSegment;
  while (segmentAt(index).end < begin) {
    segmentBefore = index;
    index = segmentAt(index).next;
    if (index === 0) return;
  }
  if (segmentAt(index).end > begin) splitSegment(index, begin);
  let segmentAfter = -1;
  for (index = segmentAt(index).next; index !== 0; index = segmentAt(index).next) {
    if (end < segmentAt(index).end) splitSegment(index, end);
    nodeSets.subtract(freeNodesOf(index), columns.chosenNodes, words);
    if (segmentAt(index).end === end) {
      if (segmentAt(index).next !== 0) segmentAfter = segmentAt(index).next;
      break;
    }
  }
  mergeEqualSegments(segmentBefore, segmentAfter);
}

/** Splits a segment at a time; the second part follows it. */
function splitSegment(index: i32, time: f64): void {
  const segment = segmentAt(index);
  const nextSegment = segmentAt(segmentCount);
  nextSegment.begin = time;
  nextSegment.end = segment.end;
  nextSegment.next = segment.next;
  segment.end = time;
  segment.next = segmentCount;
  nodeSets.copy(freeNodesOf(segmentCount), freeNodesOf(index), words);
  segmentCount++;
}

/**
 * Joins the first two neighbouring segments with equal sets, searching from one segment up to
 * another (or to the end for -1).
 */
function mergeEqualSegments(index: i32, segmentAfter: i32): void {
  while (index !== segmentAfter) {
    const segment = segmentAt(index);
    const next = segment.next;
    if (next === 0) return;
    if (nodeSets.areEqual(freeNodesOf(index), freeNodesOf(next), words)) {
      segment.end = segmentAt(next).end;
      segment.next = segmentAt(next).next;
      return;
    }
    index = next;
  }
}
