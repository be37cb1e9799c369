import { Option } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { allocationAt, finishEntryAt, siteOrAllocationOfKey } from '../events/finishQueue';
import { appendNodeRuns } from '../grid/processors';
import { endSiteOfQueue, firstSiteOfQueue } from '../grid/sites';
import { at, moveEntries, put } from '../memory/memory';
import * as nodeOutages from './nodeOutages';
import * as nodeSets from './nodeSets';
import { effectiveEnd } from './predictions';
import { nextMultipleAfter, roundDownToUnit } from './wallClock';

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
let runningJobCount: i32 = 0;
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
 * Start of the job for which `findStartOnSite` was called, in seconds, and the time from which to search
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
function freeNodesAddressOf(index: i32): usize {
  return columns.segmentNodes + ((<usize>(index * wordsPerSet)) << 3);
}

/** Predicted end of a listed running job in seconds. */
@inline
function endOfListedRunningJob(index: i32): f64 {
  return at<f64>(runningEnds, 2 * index);
}

/** Nodes of a listed running job. */
@inline
function nodesAddressOfRunningJob(index: i32): usize {
  return runningNodesAddressAt(<i32>(at<u64>(runningEnds, 2 * index + 1) & 0xffff_ffff));
}

/** Nodes at a place of the column of running jobs. */
@inline
function runningNodesAddressAt(place: i32): usize {
  return columns.runningNodes + ((<usize>(place * wordsPerSet)) << 3);
}

/** Selects a site for the other functions. */
@inline
export function selectSite(chosenSite: i32): void {
  if (chosenSite !== site) switchToSite(chosenSite);
}

function switchToSite(chosenSite: i32): void {
  site = chosenSite;
  capacity = at<i32>(columns.capacities, site);
  words = (capacity + 63) >> 6;
  firstWord = at<i32>(columns.firstWords, site);
  firstSegment = site - firstSite;
  runningEnds = columns.runningEnds + ((<usize>at<i32>(columns.firstProcessors, site)) << 4);
  runningJobCount = at<i32>(columns.runningCounts, site);
}

/** Begins a plan of the sites of a queue without running jobs: a segment without reservations for each. */
export function beginEmptyPlan(simulation: Simulation, queue: i32): void {
  wordsPerSet = (simulation.totalProcessors + 63) >> 6;
  site = -1;
  firstSite = firstSiteOfQueue(simulation, queue);
  segmentCount = endSiteOfQueue(simulation, queue) - firstSite;
  nodeCount = 0;
  const window = columns.optionOfRun(Option.BackfillWindow);
  for (let index = 0; index < segmentCount; index++) {
    const segment = segmentAt(index);
    segment.begin = roundDownToUnit(simulation.now);
    segment.end = window > 0 ? roundDownToUnit(simulation.now + window) : Infinity;
    segment.next = 0;
    nodeSets.fillSet(freeNodesAddressOf(index), at<i32>(columns.capacities, firstSite + index));
    put<i32>(columns.runningCounts, firstSite + index, 0);
  }
}

/** Begins a plan of the sites of a queue without reservations, but with the running jobs. */
export function beginNodePlan(simulation: Simulation, queue: i32): void {
  beginEmptyPlan(simulation, queue);
  for (let finishEntry = 1; finishEntry <= simulation.runningJobs; finishEntry++) {
    const allocation = allocationAt(siteOrAllocationOfKey(at<u64>(finishEntryAt(finishEntry), 1)));
    if (<u32>(allocation.site - firstSite) >= <u32>segmentCount) continue;
    selectSite(allocation.site);
    const nodesAddress = runningNodesAddressAt(nodeCount);
    nodeSets.clearSet(nodesAddress, words);
    appendNodeRuns(site, allocation.runs, nodesAddress);
    const end = allocation.start + allocation.execution;
    const isEndOverdue = allocation.start < simulation.now && end < simulation.now;
    addToRunningList(
      allocation.job,
      isEndOverdue
        ? end + columns.optionOfRun(Option.ReleaseDelay)
        : effectiveEnd(simulation.now, allocation.predictedEnd),
    );
  }
}

/** Adds a job, whose nodes come next in the column, to the list of running jobs, by end, then by index. */
function addToRunningList(job: i32, end: f64): void {
  let position = runningJobCount;
  while (position > 0 && endsBehind(position - 1, job, end)) position--;
  moveEntries<u64>(
    runningEnds,
    2 * position + 2,
    runningEnds,
    2 * position,
    2 * (runningJobCount - position),
  );
  put<f64>(runningEnds, 2 * position, end);
  put<u64>(runningEnds, 2 * position + 1, ((<u64>job) << 32) | <u64>nodeCount);
  nodeCount++;
  put<i32>(columns.runningCounts, site, ++runningJobCount);
}

/**
 * True if the listed running job at `index` comes after a job with the predicted end `end`: it ends later, or
 * at the same time and has the higher job index.
 */
@inline
function endsBehind(index: i32, job: i32, end: f64): bool {
  if (endOfListedRunningJob(index) !== end) return endOfListedRunningJob(index) > end;
  return <i32>(at<u64>(runningEnds, 2 * index + 1) >> 32) > job;
}

/** Adds a job that has started on the chosen nodes of the selected site to its list of running jobs. */
export function addRunningJob(simulation: Simulation, job: i32, end: f64): void {
  nodeSets.copySet(runningNodesAddressAt(nodeCount), columns.chosenNodes, words);
  addToRunningList(job, effectiveEnd(simulation.now, end));
}

/**
 * Collects in `usableNodes` the nodes without a reservation from a time on for a predicted runtime, and
 * returns their number; sets `nextSearchTime` to the end of the first segment after which other nodes are
 * free, or to a time behind a planned outage that the job would meet.
 */
function collectUsableNodesFrom(simulation: Simulation, from: f64, predictedRuntime: f64): i32 {
  const usableNodesAddress = columns.usableNodes;
  const predictedEnd = from + predictedRuntime;
  const isOverlapClosed = columns.optionOfRun(Option.ClosedOverlap) !== 0;
  nextSearchTime = -1;
  const hasOutages = simulation.outages !== 0;
  let isFirstSegment = !hasOutages;
  let meetsOutage = false;
  if (hasOutages) {
    meetsOutage = collectUsableNodes(simulation, from, predictedEnd);
    nodeSets.copySet(columns.permittedNodes, usableNodesAddress, words);
  }
  let index = firstSegment;
  do {
    const segment = segmentAt(index);
    if (segment.end > from) {
      const nextSegmentIndex = segment.next;
      // Before the first intersection, all free nodes of the segment are usable.
      if (nextSegmentIndex !== 0 && nextSearchTime < 0) {
        if (!lacksAdditionalNodes(hasOutages, isFirstSegment, index, nextSegmentIndex))
          nextSearchTime = segment.end;
      }
      const begin = segment.begin;
      if (!(begin <= from || begin < predictedEnd || (isOverlapClosed && begin <= predictedEnd))) break;
      if (isFirstSegment) nodeSets.copySet(usableNodesAddress, freeNodesAddressOf(index), words);
      else nodeSets.intersectSet(usableNodesAddress, freeNodesAddressOf(index), words);
      isFirstSegment = false;
    }
    index = segment.next;
  } while (index !== 0);
  if (isFirstSegment) nodeSets.fillSet(usableNodesAddress, capacity);
  if (meetsOutage) {
    const timeAfterOutage = nodeOutages.timeAfterNextOutageEnd(simulation, site, from);
    if (timeAfterOutage >= 0 && (nextSearchTime < 0 || timeAfterOutage < nextSearchTime))
      nextSearchTime = timeAfterOutage;
  }
  return nodeSets.count(usableNodesAddress, words);
}

/** True if the segment `nextSegmentIndex` has no usable node that the segment before it, `index`, lacks. */
@inline
function lacksAdditionalNodes(
  hasOutages: bool,
  isFirstSegment: bool,
  index: i32,
  nextSegmentIndex: i32,
): bool {
  const usableNodesAddress = columns.usableNodes;
  if (hasOutages) {
    const permittedNodesAddress = columns.permittedNodes;
    return nodeSets.isIntersectionInBothSupersets(
      permittedNodesAddress,
      freeNodesAddressOf(nextSegmentIndex),
      usableNodesAddress,
      freeNodesAddressOf(index),
      words,
    );
  }
  if (isFirstSegment)
    return nodeSets.isSubset(freeNodesAddressOf(nextSegmentIndex), freeNodesAddressOf(index), words);
  return nodeSets.isSubsetOfBoth(
    freeNodesAddressOf(nextSegmentIndex),
    usableNodesAddress,
    freeNodesAddressOf(index),
    words,
  );
}

/**
 * Collects in `usableNodes` the nodes, idle or not, without those of known outages that a job would meet if
 * it ran from one time to another; returns true if one of these outages is planned.
 */
function collectUsableNodes(simulation: Simulation, from: f64, until: f64): bool {
  const usableNodesAddress = columns.usableNodes;
  nodeSets.fillSet(usableNodesAddress, capacity);
  nodeOutages.removeUnplannedNodes(simulation, site, usableNodesAddress);
  return nodeOutages.removeNodesOfPlannedOutages(simulation, site, usableNodesAddress, from, until);
}

/**
 * Finds the start of a job (`start`) and its nodes (`chosenNodes`) from a time on; returns false if the
 * unreserved nodes never suffice. `nextSearchTime` is then the time from which to search again. If it may
 * not wait for ends of running jobs, the start is +infinity unless idle nodes suffice.
 */
export function findStartOnSite(
  simulation: Simulation,
  from: f64,
  processors: i32,
  predictedRuntime: f64,
  mayStartLater: bool,
): bool {
  if (collectUsableNodesFrom(simulation, from, predictedRuntime) < processors) return false;
  const freeNodesAddress = columns.otherNodes;
  nodeSets.copySet(freeNodesAddress, columns.freeBits + ((<usize>firstWord) << 3), words);
  // A usable node that is away comes back before `from`, so it counts as free.
  if (simulation.outages !== 0)
    nodeSets.add(freeNodesAddress, columns.goneBits + ((<usize>firstWord) << 3), words);
  nodeSets.intersectSet(freeNodesAddress, columns.usableNodes, words);
  start = simulation.now;
  if (nodeSets.count(freeNodesAddress, words) < processors) {
    start = Infinity;
    if (!mayStartLater) return true;
    addNodesByPredictedEnds(freeNodesAddress, processors);
  }
  takeChosenNodes(freeNodesAddress, processors);
  start = max<f64>(start, from);
  return true;
}

/**
 * Adds the nodes of running jobs to a set of free ones, in groups by predicted end, until it is large
 * enough; `start` becomes the last end of the last group. Without windows a group is the jobs of one end.
 */
function addNodesByPredictedEnds(freeNodesAddress: usize, processors: i32): void {
  const windowUnit = columns.optionOfRun(Option.EndWindow);
  if (windowUnit > 0) return addNodesByEndWindows(freeNodesAddress, processors, windowUnit);
  let index = nextRunningIndex(-1);
  while (index < runningJobCount) {
    start = endOfListedRunningJob(index);
    for (; index < runningJobCount && endOfListedRunningJob(index) === start; index = nextRunningIndex(index))
      addUsableNodesOf(freeNodesAddress, index);
    if (nodeSets.count(freeNodesAddress, words) >= processors) return;
  }
}

/**
 * Same as `addNodesByPredictedEnds`, with windows. The barrier is the first multiple of the window after the
 * earliest end. A group ends before a job whose end is later than the barrier plus the width of the window;
 * then the barrier stays and the width doubles. As in Slurm, only the job that follows a usable one is
 * compared with the window: a job after one without usable nodes belongs to the group whatever its end.
 */
function addNodesByEndWindows(freeNodesAddress: usize, processors: i32, windowUnit: f64): void {
  let windowWidth = windowUnit;
  let barrierTime: f64 = -Infinity;
  let index = nextRunningIndex(-1);
  while (index < runningJobCount) {
    if (barrierTime === -Infinity) barrierTime = nextMultipleAfter(endOfListedRunningJob(index), windowUnit);
    start = endOfListedRunningJob(index);
    addUsableNodesOf(freeNodesAddress, index);
    const nextIndex = index + 1;
    index = nextRunningIndex(index);
    if (nextIndex < runningJobCount) {
      if (endOfListedRunningJob(nextIndex) <= barrierTime + windowWidth && index < runningJobCount) continue;
      do windowWidth *= 2;
      while (endOfListedRunningJob(nextIndex) > barrierTime + windowWidth);
    }
    if (nodeSets.count(freeNodesAddress, words) >= processors) return;
  }
}

/** Adds the usable nodes of a listed running job to a set. */
@inline
function addUsableNodesOf(setAddress: usize, index: i32): void {
  nodeSets.addIntersection(setAddress, nodesAddressOfRunningJob(index), columns.usableNodes, words);
}

/** Index of the next listed running job that holds a usable node. */
@inline
function nextRunningIndex(index: i32): i32 {
  index++;
  while (
    index < runningJobCount &&
    !nodeSets.doSetsOverlap(nodesAddressOfRunningJob(index), columns.usableNodes, words)
  )
    index++;
  return index;
}

/** True if a reservation of the chosen nodes for a job from `start` on would overlap with another. */
export function overlapsOtherReservations(predictedRuntime: f64): bool {
  const begin = roundDownToUnit(start);
  const end = roundDownToUnit(start + predictedRuntime);
  let index = firstSegment;
  do {
    const segment = segmentAt(index);
    const overlapsPeriod = segment.end > begin && segment.begin < end;
    if (overlapsPeriod && !nodeSets.isSubset(columns.chosenNodes, freeNodesAddressOf(index), words))
      return true;
    index = segment.next;
  } while (index !== 0);
  return false;
}

/** Smallest number of seconds by which a start is postponed: the resolution of reservations, or 1. */
@inline
export function shortestPostponement(): f64 {
  const resolution = columns.optionOfRun(Option.BackfillResolution);
  return resolution > 0 ? resolution : 1;
}

/** True if the plan has as many segments as `BackfillSegments` permits, so that the pass ends. */
@inline
export function isNodePlanFull(): bool {
  const segmentLimit = columns.optionOfRun(Option.BackfillSegments);
  return segmentLimit > 0 && <f64>segmentCount >= segmentLimit;
}

/** Moves `processors` processors from a set, which has enough, to the chosen ones. */
function takeChosenNodes(setAddress: usize, processors: i32): void {
  const processorsPerNode = processorsOfOneNode();
  const chosenNodesAddress = columns.chosenNodes;
  if (processorsPerNode <= 1) nodeSets.takeNodesByBlocks(chosenNodesAddress, setAddress, words, processors);
  else nodeSets.takeFromNodes(chosenNodesAddress, setAddress, words, processors, processorsPerNode);
}

/** Processors of a node. */
@inline
function processorsOfOneNode(): i32 {
  return <i32>columns.optionOfRun(Option.NodeProcessors);
}

/** Reserves the nodes of the chosen processors for a job from `start` on. */
export function reserveChosenNodes(predictedRuntime: f64): void {
  if (processorsOfOneNode() > 1) nodeSets.addWholeNodes(columns.chosenNodes, words, processorsOfOneNode());
  const begin = max<f64>(roundDownToUnit(start), segmentAt(firstSegment).begin);
  const resolution = columns.optionOfRun(Option.BackfillResolution);
  const end = max<f64>(roundDownToUnit(start + predictedRuntime), begin + resolution);
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
    nodeSets.subtractSet(freeNodesAddressOf(index), columns.chosenNodes, words);
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
  nodeSets.copySet(freeNodesAddressOf(segmentCount), freeNodesAddressOf(index), words);
  segmentCount++;
}

/**
 * Joins the first two neighbouring segments with equal sets, searching from one segment up to
 * another (or to the end for -1).
 */
function mergeEqualSegments(index: i32, segmentAfter: i32): void {
  while (index !== segmentAfter) {
    const segment = segmentAt(index);
    const nextSegmentIndex = segment.next;
    if (nextSegmentIndex === 0) return;
    if (nodeSets.areNodeSetsEqual(freeNodesAddressOf(index), freeNodesAddressOf(nextSegmentIndex), words)) {
      segment.end = segmentAt(nextSegmentIndex).end;
      segment.next = segmentAt(nextSegmentIndex).next;
      return;
    }
    index = nextSegmentIndex;
  }
}
