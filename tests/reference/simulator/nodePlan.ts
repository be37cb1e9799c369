import { plannedExecution, plannedLength } from './lengths.js';
import { exceedsLimit } from './limits.js';
import { areUnreserved, enterReservation, type Segments } from './nodeSegments.js';
import {
  chooseByBlocks,
  chooseOfNodes,
  difference,
  intersection,
  isSubset,
  type Nodes,
  unionShape,
  wholeNodes,
} from './nodeSets.js';
import { knownOutages, nodesOf } from './outages.js';
import { predictedEnd, roundDown, roundUp } from './profile.js';
import { reservationDepth } from './reservationDepth.js';
import { endOf, type JobRecord, releaseOf, type Simulation, startJob } from './simulation.js';
import type { Outage, ReferenceOptions } from './types.js';
import { sequenceBehind } from './waitingQueue.js';

/** State of one backfill pass over nodes. */
interface NodePass {
  simulation: Simulation;
  now: number;
  segments: Segments;
  /** Number of jobs for which enough nodes were found for a start at some time. */
  tested: number;
  /** Number of jobs with a reservation. */
  reserved: number;
}

/**
 * Result of one attempt to plan a job: started, reserved, left waiting, to be tried again from a
 * later time on, or the end of the whole pass.
 */
type Outcome = { is: 'started' | 'reserved' | 'left' | 'end of pass' } | { is: 'again'; from: number };

/** Start of a job and its nodes. */
interface NodePlan {
  start: number;
  chosen: Nodes;
}

/** Maximum number of attempts to plan a job in a pass. */
const MAX_PLAN_REPEATS = 10_000;

/**
 * Starts queued jobs that get nodes now beside the reservations of the pass; reserves nodes for
 * others.
 */
export function planByNodes(simulation: Simulation, queue: JobRecord[], now: number): void {
  const { options } = simulation;
  const { backfillWindow = 0, backfillJobs = 0 } = options;
  const begin = roundDown(now, options);
  const end = backfillWindow === 0 ? Number.POSITIVE_INFINITY : roundDown(now + backfillWindow, options);
  const segments = { list: [{ begin, end, free: allNodes(simulation) }], entries: 1 };
  const pass: NodePass = { simulation, now, segments, tested: 0, reserved: 0 };
  let sequence = [...queue];
  for (let job = sequence.shift(); job !== undefined; job = sequence.shift()) {
    if (exceedsLimit(simulation, job)) continue;
    if (backfillJobs > 0 && pass.tested === backfillJobs) return;
    const outcome = planJob(pass, job);
    if (outcome.is === 'end of pass') return;
    if (outcome.is === 'started') queue.splice(queue.indexOf(job), 1);
    if (outcome.is !== 'reserved') continue;
    pass.reserved += 1;
    if (pass.reserved === reservationDepth(options)) sequence = sequenceBehind(queue, job, now, options);
  }
}

/** Tries to plan a job now, and then from later times on as long as necessary. */
function planJob(pass: NodePass, job: JobRecord): Outcome {
  let isTested = false;
  const countTest = () => {
    if (!isTested) pass.tested += 1;
    isTested = true;
  };
  let from = pass.now;
  for (let repeatCount = 0; repeatCount <= MAX_PLAN_REPEATS; repeatCount++) {
    const outcome = tryFrom(pass, job, from, countTest);
    if (outcome.is !== 'again') return outcome;
    from = outcome.from;
  }
  return { is: 'left' };
}

/** Makes one attempt to plan a job, starting at `from` or later. */
function tryFrom(pass: NodePass, job: JobRecord, from: number, countTest: () => void): Outcome {
  const { simulation, now, segments } = pass;
  const { options } = simulation;
  const { backfillResolution = 0, backfillWindow = 0, backfillSegments = 0 } = options;
  const length = plannedLength(job, [0], options);
  const mayReserve = pass.reserved < reservationDepth(options);
  const { usable, later } = usableNodes(pass, from, length);
  if (usable.size < job.processors)
    return later !== undefined && mayReserve ? { is: 'again', from: later } : { is: 'left' };
  countTest();
  const plan = earliestPlan(simulation, job, usable, now);
  const start = Math.max(plan.start, from);
  const begin = roundDown(start, options);
  const end = roundDown(start + length, options);
  if (start > now && !areUnreserved(plan.chosen, begin, end, segments)) {
    if (!mayReserve) return { is: 'left' };
    if (start > from) return { is: 'again', from: start };
    return { is: 'again', from: start + (backfillResolution > 0 ? backfillResolution : 1) };
  }
  if (start <= now) {
    startOnNodes(simulation, job, plan.chosen, now);
    return { is: 'started' };
  }
  if (!mayReserve) return { is: 'left' };
  if (later !== undefined && start > later) return { is: 'again', from: later };
  if (backfillWindow > 0 && start > now + backfillWindow) return { is: 'left' };
  if (backfillSegments > 0 && segments.entries >= backfillSegments) return { is: 'end of pass' };
  const entryBegin = Math.max(begin, segments.list[0]!.begin);
  const entryEnd = Math.max(end, entryBegin + backfillResolution);
  if (entryEnd > entryBegin) {
    const nodes = wholeNodes(plan.chosen, options.processorsPerNode ?? 1);
    enterReservation(segments, entryBegin, entryEnd, nodes);
  }
  const parts = [{ site: 0, processors: job.processors }];
  simulation.reservations.push({ parts, start, end: start + length, job: job.index, made: now });
  return { is: 'reserved' };
}

/**
 * Nodes without a reservation while a job of this length runs from a time on; and the first segment
 * end after which other nodes are unreserved (undefined if none).
 */
function usableNodes(
  { simulation, segments, now }: NodePass,
  from: number,
  length: number,
): { usable: Nodes; later: number | undefined } {
  const { closedOverlap } = simulation.options;
  const limit = from + length;
  const met = metOutages(simulation, from, limit);
  const permitted = difference(thereNodes(simulation), new Set(met.flatMap(nodesOf)));
  let usable = permitted;
  let later: number | undefined;
  for (const [k, segment] of segments.list.entries()) {
    if (!(segment.end > from)) continue;
    const next = segments.list[k + 1];
    if (next !== undefined && later === undefined) {
      if (!isSubset(intersection(permitted, next.free), intersection(usable, segment.free)))
        later = segment.end;
    }
    const overlappingElements =
      segment.begin <= from || segment.begin < limit || (closedOverlap === true && segment.begin <= limit);
    if (!overlappingElements) break;
    usable = intersection(usable, segment.free);
  }
  const behind = met.length > 0 ? behindNextEnd(simulation, from, now) : Number.POSITIVE_INFINITY;
  return { usable, later: behind < (later ?? Number.POSITIVE_INFINITY) ? behind : later };
}

/** Nodes without those of outages that were not planned and have begun. */
function thereNodes(simulation: Simulation): Nodes {
  const drained = knownOutages(simulation).filter(({ isPlanned }) => !isPlanned);
  return difference(allNodes(simulation), new Set(drained.flatMap(nodesOf)));
}

/** Planned outages that a job would meet between two times. */
function metOutages(simulation: Simulation, from: number, until: number): Outage[] {
  const planned = knownOutages(simulation).filter(({ isPlanned }) => isPlanned);
  return planned.filter((outage) => outage.to > from && (outage.from < until || outage.from <= from));
}

/** A second behind the first end of a planned outage from a time on, rounded up; infinity if beyond the window. */
function behindNextEnd(simulation: Simulation, from: number, now: number): number {
  const { backfillWindow = 0 } = simulation.options;
  const ends = knownOutages(simulation).filter(({ isPlanned, to }) => isPlanned && to >= from);
  const first = Math.min(...ends.map(({ to }) => to));
  const behind = roundUp(first, simulation.options) + 1;
  return backfillWindow === 0 || behind < now + backfillWindow ? behind : Number.POSITIVE_INFINITY;
}

/** Nodes that a job of this length may use if it starts now, idle or not. */
export function permittedNodes(simulation: Simulation, job: JobRecord, now: number): Nodes {
  const met = metOutages(simulation, now, now + plannedLength(job, [0], simulation.options));
  return difference(thereNodes(simulation), new Set(met.flatMap(nodesOf)));
}

/**
 * Plan of a job on usable nodes, of which there are enough: now, or when running jobs have released
 * enough of them.
 */
function earliestPlan(simulation: Simulation, job: JobRecord, usable: Nodes, now: number): NodePlan {
  // Nodes that a planned outage has are usable only behind its end.
  let gone = intersection(unionShape(idleNodes(simulation), awayNodes(simulation)), usable);
  const choose = () => chooseNodes(gone, job.processors, simulation.options);
  if (gone.size >= job.processors) return { start: now, chosen: choose() };
  const ends = simulation.running
    .map((running) => ({
      index: running.index,
      end:
        running.start < now && endOf(running) < now
          ? releaseOf(simulation, running)
          : predictedEnd(running, simulation.options, now),
      nodes: intersection(new Set(running.held.flat()), usable),
    }))
    .sort((one, other) => one.end - other.end || one.index - other.index);
  for (const group of groupsOf(ends, simulation.options)) {
    for (const { nodes } of group) gone = unionShape(gone, nodes);
    if (gone.size >= job.processors) return { start: group.at(-1)!.end, chosen: choose() };
  }
  throw new Error(`job ${job.index} finds fewer nodes than are usable`);
}

/** Chooses `count` processors from free nodes, which must suffice. */
export function chooseNodes(free: Nodes, count: number, { processorsPerNode = 1 }: ReferenceOptions): Nodes {
  return processorsPerNode > 1 ? chooseOfNodes(free, count, processorsPerNode) : chooseByBlocks(free, count);
}

/**
 * Running jobs with usable nodes, grouped by end in order of time: equal ends, or with an end
 * window, ends within a span that begins as the window behind the first end and doubles from group
 * to group.
 */
function groupsOf<T extends { end: number; nodes: Nodes }>(ends: T[], options: ReferenceOptions): T[][] {
  const { endWindow = 0, clockOrigin = 0 } = options;
  const groups: T[][] = [];
  const isUsable = ({ nodes }: T) => nodes.size > 0;
  if (endWindow === 0) {
    for (const each of ends.filter(isUsable)) {
      if (groups.at(-1)?.[0]?.end === each.end) groups.at(-1)!.push(each);
      else groups.push([each]);
    }
    return groups;
  }
  const first = ends.find(isUsable);
  if (first === undefined) return groups;
  const barrier = Math.floor((first.end + clockOrigin) / endWindow) * endWindow + endWindow - clockOrigin;
  let width = endWindow;
  let group: T[] = [];
  for (const [i, each] of ends.entries()) {
    if (!isUsable(each)) continue;
    group.push(each);
    // Only the next job, which may hold no usable nodes, decides whether the group ends.
    const next = ends[i + 1];
    if (next !== undefined && next.end <= barrier + width) continue;
    groups.push(group);
    group = [];
    do width *= 2;
    while (next !== undefined && next.end > barrier + width);
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

/** Starts a job now on specific nodes. The caller removes it from its queue. */
export function startOnNodes(simulation: Simulation, job: JobRecord, nodes: Nodes, now: number): void {
  const parts = [{ site: 0, processors: job.processors }];
  const execution = plannedExecution(job, [0], simulation.options);
  startJob(simulation, job, now, parts, execution, [...nodes]);
}

/** All nodes of the single site. */
function allNodes({ grid }: Simulation): Nodes {
  return new Set(grid[0]!.isFree.keys());
}

/** Nodes that outages have now. */
function awayNodes({ grid }: Simulation): Nodes {
  return new Set([...grid[0]!.isGone.keys()].filter((node) => grid[0]!.isGone[node]));
}

/** Nodes that no job holds now. */
export function idleNodes({ grid }: Simulation): Nodes {
  return new Set([...grid[0]!.isFree.keys()].filter((node) => grid[0]!.isFree[node]));
}
