import { chooseSiteForJob } from './allocators.js';
import type { ReferenceSite } from './grid.js';
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
import { nodesOfRunningJob, outagesKnownToPlan, processorsOfOutage } from './outages.js';
import { predictedEndOfJob, roundDown, roundUp } from './profile.js';
import { makeAllocationQuestion } from './question.js';
import { reservationCountPerPass } from './reservationDepth.js';
import { candidateSites } from './safePlanner.js';
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
  /** Reservations by site. */
  segments: NodeReservations[];
  /** Number of jobs for which enough nodes were found for a start at some time. */
  tested: number;
  /** Number of jobs with a reservation. */
  reserved: number;
}

/** Result of planning a job: started, reserved, left waiting, or the end of the whole pass. */
type PlanningOutcome = 'started' | 'reserved' | 'left' | 'end of pass';

/** Start of a job on a site, its predicted end, and its nodes, numbered on the site. */
interface NodePlan {
  site: number;
  start: number;
  end: number;
  chosen: NodeSet;
}

/** Result of one attempt to plan a job on a site: a plan, none, or to be tried again from a later time on. */
type PlanningAttempt = { plan: NodePlan } | { again: number } | 'none';

/** Maximum number of attempts to plan a job on a site in a pass. */
const MAX_PLAN_REPEATS = 10_000;

/**
 * Starts queued jobs that get nodes now beside the reservations of the pass; reserves nodes for
 * others.
 */
export function planQueueByNodes(simulation: Simulation, queue: JobRecord[], now: number): void {
  const { options, grid } = simulation;
  const { backfillWindow = 0, backfillJobs = 0 } = options;
  const begin = roundDown(now, options);
  const end = backfillWindow === 0 ? Number.POSITIVE_INFINITY : roundDown(now + backfillWindow, options);
  const segments = grid.map((site) => ({ list: [{ begin, end, free: allNodes(site) }], entries: 1 }));
  const pass: NodePlanningPass = { simulation, now, segments, tested: 0, reserved: 0 };
  let sequence = [...queue];
  for (let job = sequence.shift(); job !== undefined; job = sequence.shift()) {
    if (exceedsLimit(simulation, job)) continue;
    if (backfillJobs > 0 && pass.tested === backfillJobs) return;
    const outcome = planJobOnNodes(pass, queue, job);
    if (outcome === 'end of pass') return;
    if (outcome === 'started') queue.splice(queue.indexOf(job), 1);
    if (outcome !== 'reserved') continue;
    pass.reserved += 1;
    if (pass.reserved === reservationCountPerPass(options))
      sequence = jobsBehindReservations(queue, job, now, options);
  }
}

/**
 * Starts a job on one of the sites where it can start now, which the policy chooses, or reserves nodes on the
 * site of its earliest start: among equals where it ends first, then the lowest index.
 */
function planJobOnNodes(pass: NodePlanningPass, queue: JobRecord[], job: JobRecord): PlanningOutcome {
  const { simulation, now } = pass;
  const { options } = simulation;
  const sites = candidateSites(simulation, job);
  let isJobTested = false;
  const countTest = () => {
    if (!isJobTested) pass.tested += 1;
    isJobTested = true;
  };
  const plansForNow = sites.flatMap((site) => {
    const attempt = tryToPlanFrom(pass, site, job, now, countTest);
    return typeof attempt === 'object' && 'plan' in attempt && attempt.plan.start <= now
      ? [attempt.plan]
      : [];
  });
  if (plansForNow.length > 0) {
    const site = chooseSiteOfStart(
      simulation,
      queue,
      job,
      plansForNow.map((plan) => plan.site),
    );
    const { chosen } = plansForNow.find((plan) => plan.site === site)!;
    startOnNodes(simulation, job, site, chosen, now);
    return 'started';
  }
  if (pass.reserved >= reservationCountPerPass(options)) return 'left';
  const laterPlans = sites.flatMap((site) => planFirstStart(pass, site, job, countTest) ?? []);
  laterPlans.sort((one, other) => one.start - other.start || one.end - other.end || one.site - other.site);
  const [plan] = laterPlans;
  return plan === undefined ? 'left' : reserveNodes(pass, job, plan);
}

/** Site that the policy chooses among those on which the job can start now. */
export function chooseSiteOfStart(
  simulation: Simulation,
  queue: JobRecord[],
  job: JobRecord,
  safe: number[],
): number {
  if (!simulation.options.withPolicy || simulation.grid.length === 1) return safe[0]!;
  const question = { ...makeAllocationQuestion(simulation, queue, job), safe };
  const { site, comparison } = chooseSiteForJob(question, simulation.policy)!;
  if (comparison !== undefined) simulation.decisions[comparison] += 1;
  return site.index;
}

/** First start of a job on a site without a conflict, tried from later times on as long as necessary. */
function planFirstStart(
  pass: NodePlanningPass,
  site: number,
  job: JobRecord,
  countTest: () => void,
): NodePlan | undefined {
  let from = pass.now;
  for (let repeatCount = 0; repeatCount < MAX_PLAN_REPEATS; repeatCount++) {
    const attempt = tryToPlanFrom(pass, site, job, from, countTest);
    if (attempt === 'none') return undefined;
    if ('plan' in attempt) return attempt.plan;
    from = attempt.again;
  }
  return undefined;
}

/** Makes one attempt to plan a job on a site, starting at `from` or later. */
function tryToPlanFrom(
  pass: NodePlanningPass,
  site: number,
  job: JobRecord,
  from: number,
  countTest: () => void,
): PlanningAttempt {
  const { simulation, now, segments } = pass;
  const { options } = simulation;
  const { backfillResolution = 0 } = options;
  const length = plannedLength(job, [site], options);
  const { usable, later } = usableNodes(pass, site, from, length);
  if (usable.size < job.processors) return later === undefined ? 'none' : { again: later };
  countTest();
  const { start: first, chosen } = earliestPlan(simulation, site, job, usable, now);
  const start = Math.max(first, from);
  const plan = { site, start, end: start + length, chosen };
  if (start <= now) return { plan };
  if (later !== undefined && start > later) return { again: later };
  const isUnreserved = areNodesUnreserved(
    chosen,
    roundDown(start, options),
    roundDown(plan.end, options),
    segments[site]!,
  );
  if (isUnreserved) return { plan };
  return { again: start > from ? start : start + (backfillResolution > 0 ? backfillResolution : 1) };
}

/** Reserves the nodes of a plan, unless it begins too late or there are too many segments. */
function reserveNodes(
  { simulation, now, segments }: NodePlanningPass,
  job: JobRecord,
  { site, start, end, chosen }: NodePlan,
): PlanningOutcome {
  const { options } = simulation;
  const { backfillResolution = 0, backfillWindow = 0, backfillSegments = 0 } = options;
  if (backfillWindow > 0 && start > now + backfillWindow) return 'left';
  const entries = segments.reduce((sum, each) => sum + each.entries, 0);
  if (backfillSegments > 0 && entries >= backfillSegments) return 'end of pass';
  const entryBegin = Math.max(roundDown(start, options), segments[site]!.list[0]!.begin);
  const entryEnd = Math.max(roundDown(end, options), entryBegin + backfillResolution);
  if (entryEnd > entryBegin) {
    const nodes = expandToWholeNodes(chosen, options.processorsPerNode ?? 1);
    addNodeReservation(segments[site]!, entryBegin, entryEnd, nodes);
  }
  const parts = [{ site, processors: job.processors }];
  simulation.reservations.push({ parts, start, end, job: job.index, made: now });
  return 'reserved';
}

/**
 * Nodes without a reservation while a job of this length runs from a time on; and the first segment
 * end after which other nodes are unreserved (undefined if none).
 */
function usableNodes(
  { simulation, segments, now }: NodePlanningPass,
  site: number,
  from: number,
  length: number,
): { usable: NodeSet; later: number | undefined } {
  const { closedOverlap } = simulation.options;
  const limit = from + length;
  const met = plannedOutagesBetween(simulation, site, from, limit);
  const permitted = subtractNodeSet(
    nodesOutsideSuddenOutages(simulation, site),
    new Set(met.flatMap(processorsOfOutage)),
  );
  let usableNodeSet = permitted;
  let laterStart: number | undefined;
  for (const [k, segment] of segments[site]!.list.entries()) {
    if (!(segment.end > from)) continue;
    const nextSegment = segments[site]!.list[k + 1];
    if (nextSegment !== undefined && laterStart === undefined) {
      if (
        !isNodeSubset(
          intersectNodeSets(permitted, nextSegment.free),
          intersectNodeSets(usableNodeSet, segment.free),
        )
      )
        laterStart = segment.end;
    }
    const overlappingElements =
      segment.begin <= from || segment.begin < limit || (closedOverlap === true && segment.begin <= limit);
    if (!overlappingElements) break;
    usableNodeSet = intersectNodeSets(usableNodeSet, segment.free);
  }
  const behind =
    met.length > 0 ? secondAfterNextOutageEnd(simulation, site, from, now) : Number.POSITIVE_INFINITY;
  return {
    usable: usableNodeSet,
    later: behind < (laterStart ?? Number.POSITIVE_INFINITY) ? behind : laterStart,
  };
}

/** Nodes of a site without those of outages that were not planned and have begun. */
function nodesOutsideSuddenOutages(simulation: Simulation, site: number): NodeSet {
  const drained = outagesKnownToPlan(simulation, site).filter(({ isPlanned }) => !isPlanned);
  return subtractNodeSet(allNodes(simulation.grid[site]!), new Set(drained.flatMap(processorsOfOutage)));
}

/** Planned outages of a site that a job would meet between two times. */
function plannedOutagesBetween(
  simulation: Simulation,
  site: number,
  from: number,
  until: number,
): ReferenceOutage[] {
  const planned = outagesKnownToPlan(simulation, site).filter(({ isPlanned }) => isPlanned);
  return planned.filter((outage) => outage.to > from && (outage.from < until || outage.from <= from));
}

/**
 * A second behind the first end of a planned outage of a site from a time on, rounded up; infinity if beyond
 * the window.
 */
function secondAfterNextOutageEnd(simulation: Simulation, site: number, from: number, now: number): number {
  const { backfillWindow = 0 } = simulation.options;
  const ends = outagesKnownToPlan(simulation, site).filter(({ isPlanned, to }) => isPlanned && to >= from);
  const first = Math.min(...ends.map(({ to }) => to));
  const behind = roundUp(first, simulation.options) + 1;
  return backfillWindow === 0 || behind < now + backfillWindow ? behind : Number.POSITIVE_INFINITY;
}

/** Nodes of a site that a job of this length may use if it starts now, idle or not. */
export function permittedNodes(simulation: Simulation, site: number, job: JobRecord, now: number): NodeSet {
  const end = now + plannedLength(job, [site], simulation.options);
  const met = plannedOutagesBetween(simulation, site, now, end);
  return subtractNodeSet(
    nodesOutsideSuddenOutages(simulation, site),
    new Set(met.flatMap(processorsOfOutage)),
  );
}

/**
 * Plan of a job on usable nodes, of which there are enough: now, or when running jobs have released
 * enough of them.
 */
function earliestPlan(
  simulation: Simulation,
  site: number,
  job: JobRecord,
  usableNodeSet: NodeSet,
  now: number,
): Pick<NodePlan, 'start' | 'chosen'> {
  const siteOfPlan = simulation.grid[site]!;
  // Nodes that a planned outage has are usable only behind its end.
  let gone = intersectNodeSets(
    uniteNodeSets(idleNodes(siteOfPlan), nodesInOutage(siteOfPlan)),
    usableNodeSet,
  );
  const choose = () => chooseNodes(gone, job.processors, simulation.options);
  if (gone.size >= job.processors) return { start: now, chosen: choose() };
  const ends = simulation.running
    .filter((runningJob) => runningJob.parts[0]!.site === site)
    .map((runningJob) => ({
      index: runningJob.index,
      end:
        runningJob.start < now && endOfRunningJob(runningJob) < now
          ? releaseTimeOfJob(simulation, runningJob)
          : predictedEndOfJob(runningJob, simulation.options, now),
      nodes: intersectNodeSets(nodesOfRunningJob(simulation, runningJob), usableNodeSet),
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
  freeNodes: NodeSet,
  count: number,
  { processorsPerNode = 1 }: ReferenceOptions,
): NodeSet {
  return processorsPerNode > 1
    ? chooseProcessorsOnNodes(freeNodes, count, processorsPerNode)
    : chooseByBlocks(freeNodes, count);
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
  const barrierTime = Math.floor((first.end + clockOrigin) / endWindow) * endWindow + endWindow - clockOrigin;
  let width = endWindow;
  let group: T[] = [];
  for (const [i, each] of ends.entries()) {
    if (!isUsable(each)) continue;
    group.push(each);
    // Only the next job, which may hold no usable nodes, decides whether the group ends.
    const nextEnd = ends[i + 1];
    if (nextEnd !== undefined && nextEnd.end <= barrierTime + width) continue;
    groups.push(group);
    group = [];
    do width *= 2;
    while (nextEnd !== undefined && nextEnd.end > barrierTime + width);
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

/** Starts a job now on specific nodes of a site. The caller removes it from its queue. */
export function startOnNodes(
  simulation: Simulation,
  job: JobRecord,
  site: number,
  nodes: NodeSet,
  now: number,
): void {
  const parts = [{ site, processors: job.processors }];
  const execution = plannedExecution(job, [site], simulation.options);
  const { firstProcessor } = simulation.grid[site]!;
  startJob(
    simulation,
    job,
    now,
    parts,
    execution,
    [...nodes].map((node) => firstProcessor + node),
  );
}

/** All nodes of a site. */
function allNodes({ isFree }: ReferenceSite): NodeSet {
  return new Set(isFree.keys());
}

/** Nodes of a site that outages have now. */
function nodesInOutage({ isInOutage }: ReferenceSite): NodeSet {
  return new Set([...isInOutage.keys()].filter((node) => isInOutage[node]));
}

/** Nodes of a site that no job holds now. */
export function idleNodes({ isFree }: ReferenceSite): NodeSet {
  return new Set([...isFree.keys()].filter((node) => isFree[node]));
}
