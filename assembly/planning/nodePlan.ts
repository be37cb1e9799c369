import { Option } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { allocationAt, entryAt, placeIn } from '../events/finishQueue';
import { listNodes } from '../grid/processors';
import { at, move, put } from '../memory/memory';
import * as nodeSets from './nodeSets';
import { endSeenAt } from './predictions';

/**
 * Plan of a pass by nodes, as Slurm's backfill scheduler makes it (22.05): reservations hold particular
 * nodes. The plan is a list of segments of time with the nodes that no reservation holds, and the running
 * jobs by their predicted ends, which are not in the segments.
 */

/** Time from a begin (inclusive) to an end (exclusive), in seconds, and the next one in time; 0: none. */
@unmanaged
class Segment {
  begin: f64;
  end: f64;
  next: i32;
  unused: i32;
}

/** Words of a set of nodes, and number of segments ever made in this pass. */
let words: i32 = 0;
let made: i32 = 0;
/** Number of running jobs in the list. */
let running: i32 = 0;

/** Start of the last job that `findStart` found, in seconds, and from when on to look again; -1: never. */
export let start: f64 = 0;
export let later: f64 = -1;

const SIZE: usize = 24;

@inline
function segmentAt(index: i32): Segment {
  return changetype<Segment>(columns.segments + <usize>index * SIZE);
}

/** Nodes of a segment that no reservation holds. */
@inline
function nodesOf(index: i32): usize {
  return columns.segmentNodes + ((<usize>(index * words)) << 3);
}

/** Predicted end of a listed running job in seconds. */
@inline
function endOf(index: i32): f64 {
  return at<f64>(columns.runningEnds, 2 * index);
}

/** Nodes of a listed running job. */
@inline
function nodesOfRunning(index: i32): usize {
  const place = <i32>at<u64>(columns.runningEnds, 2 * index + 1);
  return columns.runningNodes + ((<usize>(place * words)) << 3);
}

/** A time rounded down to the resolution of reservations, on the clock of 1970. */
@inline
function roundedDown(time: f64): f64 {
  const unit = columns.taken(Option.BackfillResolution);
  if (unit === 0) return time;
  const origin = columns.taken(Option.ClockOrigin);
  return floor<f64>((time + origin) / unit) * unit - origin;
}

/** Begins a plan: one segment without reservations, and the running jobs. */
export function begin(simulation: Simulation): void {
  words = (simulation.totalProcessors + 63) >> 6;
  made = 1;
  const window = columns.taken(Option.BackfillWindow);
  const first = segmentAt(0);
  first.begin = roundedDown(simulation.now);
  first.end = window > 0 ? roundedDown(simulation.now + window) : Infinity;
  first.next = 0;
  nodeSets.fill(nodesOf(0), simulation.totalProcessors);
  running = 0;
  for (let entry = 1; entry <= simulation.running; entry++) {
    const allocation = allocationAt(placeIn(at<u64>(entryAt(entry), 1)));
    const nodes = columns.runningNodes + ((<usize>(running * words)) << 3);
    nodeSets.clear(nodes, words);
    listNodes(0, allocation.runs, nodes);
    listEnd(endSeenAt(simulation.now, allocation.predictedEnd));
  }
}

/** Adds the job whose nodes come next in the column to the list of running jobs. */
function listEnd(end: f64): void {
  let place = running;
  while (place > 0 && endOf(place - 1) > end) place--;
  move<u64>(columns.runningEnds, 2 * place + 2, columns.runningEnds, 2 * place, 2 * (running - place));
  put<f64>(columns.runningEnds, 2 * place, end);
  put<u64>(columns.runningEnds, 2 * place + 1, <u64>running);
  running++;
}

/** Adds a job that has started on the chosen nodes in this pass. */
export function addRunning(simulation: Simulation, end: f64): void {
  nodeSets.copy(columns.runningNodes + ((<usize>(running * words)) << 3), columns.chosenNodes, words);
  listEnd(endSeenAt(simulation.now, end));
}

/**
 * Finds the nodes that no reservation holds from a time on for a predicted runtime, in `usableNodes`; sets
 * `later` to the end of the first segment behind which there are others. Returns the number of nodes.
 */
function findUsable(nodes: i32, from: f64, predictedRuntime: f64): i32 {
  const usable = columns.usableNodes;
  const limit = from + predictedRuntime;
  const isClosed = columns.taken(Option.ClosedOverlap) !== 0;
  later = -1;
  let isFirst = true;
  let index = 0;
  do {
    const segment = segmentAt(index);
    if (segment.end > from) {
      const next = segment.next;
      // As long as nothing is excluded, the set of usable nodes is that of the segment.
      if (next !== 0 && later < 0) {
        const isLess = isFirst
          ? nodeSets.isWithin(nodesOf(next), nodesOf(index), words)
          : nodeSets.isWithinBoth(nodesOf(next), usable, nodesOf(index), words);
        if (!isLess) later = segment.end;
      }
      const begin = segment.begin;
      if (!(begin <= from || begin < limit || (isClosed && begin <= limit))) break;
      if (isFirst) nodeSets.copy(usable, nodesOf(index), words);
      else nodeSets.intersect(usable, nodesOf(index), words);
      isFirst = false;
    }
    index = segment.next;
  } while (index !== 0);
  if (isFirst) nodeSets.fill(usable, nodes);
  return nodeSets.count(usable, words);
}

/**
 * Finds the start of a job, in `start`, and its nodes, in `chosenNodes`, from a time on; returns false if it
 * has none among the nodes that are not reserved then. `later` is when to look again.
 */
export function findStart(simulation: Simulation, from: f64, processors: i32, predictedRuntime: f64): bool {
  if (findUsable(simulation.totalProcessors, from, predictedRuntime) < processors) return false;
  const free = columns.otherNodes;
  nodeSets.copy(free, columns.freeBits, words);
  nodeSets.intersect(free, columns.usableNodes, words);
  start = simulation.now;
  if (nodeSets.count(free, words) < processors) waitForEnds(free, processors);
  nodeSets.takeBlocks(columns.chosenNodes, free, words, processors);
  start = max<f64>(start, from);
  return true;
}

/**
 * Adds the nodes of running jobs to a set of free ones, in groups by predicted end, until it is large
 * enough; `start` becomes the last end of the last group. With windows, all ends up to a barrier and a width
 * belong to a group; the barrier stays, and the width doubles.
 */
function waitForEnds(free: usize, processors: i32): void {
  const unit = columns.taken(Option.EndWindow);
  const usable = columns.usableNodes;
  let width = unit;
  let barrier: f64 = -Infinity;
  let index = nextRunning(-1);
  while (index < running) {
    const first = endOf(index);
    let last = first;
    if (unit > 0) {
      if (barrier === -Infinity) {
        const origin = columns.taken(Option.ClockOrigin);
        barrier = floor<f64>((first + origin) / unit) * unit + unit - origin;
      }
      while (first > barrier + width) width *= 2;
      last = barrier + width;
      width *= 2;
    }
    while (index < running && endOf(index) <= last) {
      nodeSets.addBoth(free, nodesOfRunning(index), usable, words);
      start = endOf(index);
      index = nextRunning(index);
    }
    if (nodeSets.count(free, words) >= processors) return;
  }
}

/** Next listed running job that holds a usable node. */
@inline
function nextRunning(index: i32): i32 {
  index++;
  while (index < running && !nodeSets.overlap(nodesOfRunning(index), columns.usableNodes, words)) index++;
  return index;
}

/** True if a reservation of the chosen nodes for a job from `start` on would overlap with another. */
export function overlapsOthers(predictedRuntime: f64): bool {
  const begin = roundedDown(start);
  const end = roundedDown(start + predictedRuntime);
  let index = 0;
  do {
    const segment = segmentAt(index);
    const isMeanwhile = segment.end > begin && segment.begin < end;
    if (isMeanwhile && !nodeSets.isWithin(columns.chosenNodes, nodesOf(index), words)) return true;
    index = segment.next;
  } while (index !== 0);
  return false;
}

/** Smallest step in seconds by which a start is put off. */
@inline
export function leastDelay(): f64 {
  const unit = columns.taken(Option.BackfillResolution);
  return unit > 0 ? unit : 1;
}

/** True if the table of segments is full, so that the pass ends. */
@inline
export function isFull(): bool {
  const most = columns.taken(Option.BackfillSegments);
  return most > 0 && <f64>made >= most;
}

/** Reserves the chosen nodes for a job from `start` on. */
export function reserve(predictedRuntime: f64): void {
  const begin = max<f64>(roundedDown(start), segmentAt(0).begin);
  const unit = columns.taken(Option.BackfillResolution);
  const end = max<f64>(roundedDown(start + predictedRuntime), begin + unit);
  if (!(end > begin)) return;
  let before = 0;
  let index = 0;
  while (segmentAt(index).end < begin) {
    before = index;
    index = segmentAt(index).next;
    if (index === 0) return;
  }
  if (segmentAt(index).end > begin) split(index, begin);
  let behind = -1;
  for (index = segmentAt(index).next; index !== 0; index = segmentAt(index).next) {
    if (end < segmentAt(index).end) split(index, end);
    nodeSets.subtract(nodesOf(index), columns.chosenNodes, words);
    if (segmentAt(index).end === end) {
      if (segmentAt(index).next !== 0) behind = segmentAt(index).next;
      break;
    }
  }
  merge(before, behind);
}

/** Splits a segment at a time; the second part follows it. */
function split(index: i32, time: f64): void {
  const segment = segmentAt(index);
  const other = segmentAt(made);
  other.begin = time;
  other.end = segment.end;
  other.next = segment.next;
  segment.end = time;
  segment.next = made;
  nodeSets.copy(nodesOf(made), nodesOf(index), words);
  made++;
}

/** Joins the first two neighbouring segments with equal sets from one on, up to another or -1. */
function merge(index: i32, behind: i32): void {
  while (index !== behind) {
    const segment = segmentAt(index);
    const next = segment.next;
    if (next === 0) return;
    if (nodeSets.areEqual(nodesOf(index), nodesOf(next), words)) {
      segment.end = segmentAt(next).end;
      segment.next = segmentAt(next).next;
      return;
    }
    index = next;
  }
}
