import { plannedExecution, plannedLength } from './lengths.js';
import { exceedsLimit } from './limits.js';
import { addNodeReservation, areNodesUnreserved, type NodeReservations } from './nodeSegments.js';
import {
  chooseByBlocks,
  chooseProcessorsOnNodes,
  expandToWholeNodes,
  intersectNodeSets,
  isNodeSubset,
  type NodeSet,
  subtractNodeSet,
  uniteNodeSets,
} from './nodeSets.js';
import { outagesKnownToPlan, processorsOfOutage } from './outages.js';
import { predictedEndOfJob, roundDown, roundUp } from './profile.js';
import { reservationCountPerPass } from './reservationDepth.js';
import {
  endOfRunningJob,
  type JobRecord,
  releaseTimeOfJob,
  type Simulation,
  startJob,
} from './simulation.js';
import type { ReferenceOptions, ReferenceOutage } from './types.js';
import { jobsBehindReservations } from './waitingQueue.js';

/** State of one backfill pass over nodes. */
interface NodePlanningPass {
  simulation: Simulation;
  now: number;
  segments: NodeReservations;
  /** Number of jobs for which enough nodes were found for a start at some time. */
  tested: number;
  /** Number of jobs with a reservation. */
  reserved: number;
}

/**
 * Result of one attempt to plan a job: started, reserved, left waiting, to be tried again from a
 * later time on, or the end of the whole pass.
 */
type PlanningAttempt =
  | { is: 'started' | 'reserved' | 'left' | 'end of pass' }
  | { is: 'again'; from: number };

/** Start of a job and its nodes. */
interface NodePlan {
  start: number;
  chosen: NodeSet;
}

/** Maximum number of attempts to plan a job in a pass. */
const MAX_PLAN_REPEATS = 10_000;

/**
 * Starts queued jobs that get nodes now beside the reservations of the pass; reserves nodes for
 * others.
 */
export function planQueueByNodes(simulation: Simulation, queue: JobRecord[], now: number): void {
  const { options } = simulation;
  const { backfillWindow = 0, backfillJobs = 0 } = options;
  const begin = roundDown(now, options);
  const end = backfillWindow === 0 ? Number.POSITIVE_INFINITY : roundDown(now + backfillWindow, options);
  const segments = { list: [{ begin, end, free: allNodes(simulation) }], entries: 1 };
  const pass: NodePlanningPass = { simulation, now, segments, tested: 0, reserved: 0 };
  let sequence = [...queue];
  for (let job = sequence.shift(); job !== undefined; job = sequence.shift()) {
    if (exceedsLimit(simulation, job)) continue;
    if (backfillJobs > 0 && pass.tested === backfillJobs) return;
    const outcome = planJobOnNodes(pass, job);
    if (outcome.is === 'end of pass') return;
    if (outcome.is === 'started') queue.splice(queue.indexOf(job), 1);
    if (outcome.is !== 'reserved') continue;
    pass.reserved += 1;
    if (pass.reserved === reservationCountPerPass(options))
      sequence = jobsBehindReservations(queue, job, now, options);
  }
}

/** Tries to plan a job now, and then from later times on as long as necessary. */
function planJobOnNodes(pass: NodePlanningPass, job: JobRecord): PlanningAttempt {
  let isTested = false;
  const countTest = () => {
    if (!isTested) pass.tested += 1;
    isTested = true;
  };
  let from = pass.now;
  for (let repeatCount = 0; repeatCount <= MAX_PLAN_REPEATS; repeatCount++) {
    const outcome = tryToPlanFrom(pass, job, from, countTest);
    if (outcome.is !== 'again') return outcome;
    from = outcome.from;
  }
  return { is: 'left' };
}

/** Makes one attempt to plan a job, starting at `from` or later. */
function tryToPlanFrom(
  pass: NodePlanningPass,
  job: JobRecord,
  from: number,
  countTest: () => void,
): PlanningAttempt {
  const { simulation, now, segments } = pass;
  const { options } = simulation;
  const { backfillResolution = 0, backfillWindow = 0, backfillSegments = 0 } = options;
  const length = plannedLength(job, [0], options);
  const mayReserve = pass.reserved < reservationCountPerPass(options);
  const { usable, later } = usableNodes(pass, from, length);
  if (usable.size < job.processors)
    return later !== undefined && mayReserve ? { is: 'again', from: later } : { is: 'left' };
  countTest();
  const plan = earliestPlan(simulation, job, usable, now);
  const start = Math.max(plan.start, from);
  const begin = roundDown(start, options);
  const end = roundDown(start + length, options);
  if (start <= now) {
    startOnNodes(simulation, job, plan.chosen, now);
    return { is: 'started' };
  }
  if (!mayReserve) return { is: 'left' };
  if (later !== undefined && start > later) return { is: 'again', from: later };
  if (!areNodesUnreserved(plan.chosen, begin, end, segments)) {
    if (start > from) return { is: 'again', from: start };
    return { is: 'again', from: start + (backfillResolution > 0 ? backfillResolution : 1) };
  }
  if (backfillWindow > 0 && start > now + backfillWindow) return { is: 'left' };
  if (backfillSegments > 0 && segments.entries >= backfillSegments) return { is: 'end of pass' };
  const entryBegin = Math.max(begin, segments.list[0]!.begin);
  const entryEnd = Math.max(end, entryBegin + backfillResolution);
  if (entryEnd > entryBegin) {
    const nodes = expandToWholeNodes(plan.chosen, options.processorsPerNode ?? 1);
    addNodeReservation(segments, entryBegin, entryEnd, nodes);
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
  { simulation, segments, now }: NodePlanningPass,
  from: number,
  length: number,
): { usable: NodeSet; later: number | undefined } {
  const { closedOverlap } = simulation.options;
  const limit = from + length;
  const met = plannedOutagesBetween(simulation, from, limit);
  const permitted = subtractNodeSet(
    nodesOutsideSuddenOutages(simulation),
    new Set(met.flatMap(processorsOfOutage)),
  );
  let usable = permitted;
  let later: number | undefined;
  for (const [k, segment] of segments.list.entries()) {
    if (!(segment.end > from)) continue;
    const next = segments.list[k + 1];
    if (next !== undefined && later === undefined) {
      if (!isNodeSubset(intersectNodeSets(permitted, next.free), intersectNodeSets(usable, segment.free)))
        later = segment.end;
    }
    const overlappingElements =
      segment.begin <= from || segment.begin < limit || (closedOverlap === true && segment.begin <= limit);
    if (!overlappingElements) break;
    usable = intersectNodeSets(usable, segment.free);
  }
  const behind = met.length > 0 ? secondAfterNextOutageEnd(simulation, from, now) : Number.POSITIVE_INFINITY;
  return { usable, later: behind < (later ?? Number.POSITIVE_INFINITY) ? behind : later };
}

/** Nodes without those of outages that were not planned and have begun. */
function nodesOutsideSuddenOutages(simulation: Simulation): NodeSet {
  const drained = outagesKnownToPlan(simulation).filter(({ isPlanned }) => !isPlanned);
  return subtractNodeSet(allNodes(simulation), new Set(drained.flatMap(processorsOfOutage)));
}

/** Planned outages that a job would meet between two times. */
function plannedOutagesBetween(simulation: Simulation, from: number, until: number): ReferenceOutage[] {
  const planned = outagesKnownToPlan(simulation).filter(({ isPlanned }) => isPlanned);
  return planned.filter((outage) => outage.to > from && (outage.from < until || outage.from <= from));
}

/** A second behind the first end of a planned outage from a time on, rounded up; infinity if beyond the window. */
function secondAfterNextOutageEnd(simulation: Simulation, from: number, now: number): number {
  const { backfillWindow = 0 } = simulation.options;
  const ends = outagesKnownToPlan(simulation).filter(({ isPlanned, to }) => isPlanned && to >= from);
  const first = Math.min(...ends.map(({ to }) => to));
  const behind = roundUp(first, simulation.options) + 1;
  return backfillWindow === 0 || behind < now + backfillWindow ? behind : Number.POSITIVE_INFINITY;
}

/** Nodes that a job of this length may use if it starts now, idle or not. */
export function permittedNodes(simulation: Simulation, job: JobRecord, now: number): NodeSet {
  const met = plannedOutagesBetween(simulation, now, now + plannedLength(job, [0], simulation.options));
  return subtractNodeSet(nodesOutsideSuddenOutages(simulation), new Set(met.flatMap(processorsOfOutage)));
}

/**
 * Plan of a job on usable nodes, of which there are enough: now, or when running jobs have released
 * enough of them.
 */
function earliestPlan(simulation: Simulation, job: JobRecord, usable: NodeSet, now: number): NodePlan {
  // Nodes that a planned outage has are usable only behind its end.
  let gone = intersectNodeSets(uniteNodeSets(idleNodes(simulation), nodesInOutage(simulation)), usable);
  const choose = () => chooseNodes(gone, job.processors, simulation.options);
  if (gone.size >= job.processors) return { start: now, chosen: choose() };
  const ends = simulation.running
    .map((running) => ({
      index: running.index,
      end:
        running.start < now && endOfRunningJob(running) < now
          ? releaseTimeOfJob(simulation, running)
          : predictedEndOfJob(running, simulation.options, now),
      nodes: intersectNodeSets(new Set(running.held.flat()), usable),
    }))
    .sort((one, other) => one.end - other.end || one.index - other.index);
  for (const group of groupRunningJobsByEnd(ends, simulation.options)) {
    for (const { nodes } of group) gone = uniteNodeSets(gone, nodes);
    if (gone.size >= job.processors) return { start: group.at(-1)!.end, chosen: choose() };
  }
  throw new Error(`job ${job.index} finds fewer nodes than are usable`);
}

/** Chooses `count` processors from free nodes, which must suffice. */
export function chooseNodes(
  free: NodeSet,
  count: number,
  { processorsPerNode = 1 }: ReferenceOptions,
): NodeSet {
  return processorsPerNode > 1
    ? chooseProcessorsOnNodes(free, count, processorsPerNode)
    : chooseByBlocks(free, count);
}

/**
 * Running jobs with usable nodes, grouped by end in order of time: equal ends, or with an end
 * window, ends within a span that begins as the window behind the first end and doubles from group
 * to group.
 */
function groupRunningJobsByEnd<T extends { end: number; nodes: NodeSet }>(
  ends: T[],
  options: ReferenceOptions,
): T[][] {
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
export function startOnNodes(simulation: Simulation, job: JobRecord, nodes: NodeSet, now: number): void {
  const parts = [{ site: 0, processors: job.processors }];
  const execution = plannedExecution(job, [0], simulation.options);
  startJob(simulation, job, now, parts, execution, [...nodes]);
}

/** All nodes of the single site. */
function allNodes({ grid }: Simulation): NodeSet {
  return new Set(grid[0]!.isFree.keys());
}

/** Nodes that outages have now. */
function nodesInOutage({ grid }: Simulation): NodeSet {
  return new Set([...grid[0]!.isInOutage.keys()].filter((node) => grid[0]!.isInOutage[node]));
}

/** Nodes that no job holds now. */
export function idleNodes({ grid }: Simulation): NodeSet {
  return new Set([...grid[0]!.isFree.keys()].filter((node) => grid[0]!.isFree[node]));
}
