import { Discipline, Option } from '../abi/abi';
import { Simulation } from '../memory/state';
import { changesOrder } from '../memory/runKind';
import * as columns from '../memory/columns';
import { predictedTimeWithoutTransfer } from '../grid/execution';
import { freeAt } from '../grid/sites';
import { at, put } from '../memory/memory';
import * as nodePlan from '../planning/nodePlan';
import * as nodeSets from '../planning/nodeSets';
import { updatePredictions } from '../planning/predictions';
import { isMainPass } from './passTimes';
import * as priorityQueue from '../queue/priorityQueue';
import * as sequence from '../queue/sequence';
import * as record from '../record/allocations';
import { RECORDED, beginDecision } from '../record/log';
import { start as startOn } from './easy';

/**
 * Passes on one site that plan by nodes (planning/nodePlan.ts), as Slurm makes them: the main pass starts
 * jobs up to the first that does not fit, the other one plans the jobs in queue order. Under EASY, jobs
 * behind the last reservation may only start.
 */

/** The only site. */
const SITE: i32 = 0;

/** Largest number of start times that are tried for one job in a pass. */
const MAX_START_TRIES: i32 = 10_000;

/** What a pass by nodes does with one job. */
enum JobOutcome {
  Started = 0,
  Reserved = 1,
  /** Neither started nor reserved. */
  Skipped = 2,
  /** The pass ends, because the plan has as many segments of time as allowed. */
  PlanFull = 3,
}

/** Starts and plans jobs of the queue in a pass by nodes. */
export function pass(simulation: Simulation, queue: i32): void {
  const isMain = isMainPass(simulation);
  if (!isMain) {
    if (simulation.hasChanged === 0) return;
    simulation.hasChanged = 0;
  }
  updatePredictions(simulation, queue);
  if (changesOrder(simulation)) sequence.sortQueue(simulation, queue);
  if (isMain && simulation.outages !== 0) startAmongOutages(simulation, queue);
  else if (isMain) startHeads(simulation, queue);
  else if (mayAnyJobStart(simulation, queue)) planJobs(simulation, queue);
}

/** Starts jobs up to the first that has too few idle nodes. */
function startHeads(simulation: Simulation, queue: i32): void {
  const words = (simulation.totalProcessors + 63) >> 6;
  nodePlan.reset(simulation);
  let job = priorityQueue.headOf(simulation, queue);
  for (; job >= 0; job = priorityQueue.headOf(simulation, queue)) {
    const processors = at<i32>(columns.processors, job);
    if (processors > freeAt(SITE)) {
      if (RECORDED) record.noteBlockedJob(simulation, job);
      return;
    }
    nodeSets.copy(columns.otherNodes, columns.freeBits, words);
    nodePlan.takeNodes(columns.otherNodes, processors);
    start(simulation, job);
  }
}

/**
 * Starts jobs, among outages, up to the first that has too few idle nodes. A job for which too few nodes are
 * there, idle or not, because it would meet outages, is passed over.
 */
function startAmongOutages(simulation: Simulation, queue: i32): void {
  const words = (simulation.totalProcessors + 63) >> 6;
  const end = at<i32>(columns.firstRanks, queue + 1);
  const idleNodes = columns.otherNodes;
  nodePlan.reset(simulation);
  let rank = at<i32>(columns.firstRanks, queue);
  while (true) {
    const job = priorityQueue.fromRankNotWider(simulation, rank, end, i32.MAX_VALUE);
    if (job < 0) return;
    rank = at<i32>(columns.rankOf, job) + 1;
    const processors = at<i32>(columns.processors, job);
    nodePlan.collectUsableNodes(
      simulation,
      simulation.now,
      simulation.now + predictedTimeWithoutTransfer(simulation, job, SITE),
    );
    nodeSets.copy(idleNodes, columns.freeBits, words);
    nodeSets.intersect(idleNodes, columns.usableNodes, words);
    if (nodeSets.count(idleNodes, words) >= processors) {
      nodePlan.takeNodes(idleNodes, processors);
      start(simulation, job);
    } else if (nodeSets.count(columns.usableNodes, words) >= processors) {
      if (RECORDED) record.noteBlockedJob(simulation, job);
      return;
    }
  }
}

/** Starts a job on the chosen nodes. */
function start(simulation: Simulation, job: i32): void {
  if (RECORDED) beginDecision(simulation, job);
  startOn(simulation, job, SITE);
  simulation.hasChanged = 1;
}

/** True if some waiting job is narrow enough for the idle nodes, so that the pass may start one. */
@inline
function mayAnyJobStart(simulation: Simulation, queue: i32): bool {
  const firstRank = at<i32>(columns.firstRanks, queue);
  const end = at<i32>(columns.firstRanks, queue + 1);
  return RECORDED || priorityQueue.fromRankNotWider(simulation, firstRank, end, freeAt(SITE)) >= 0;
}

/** Plans the jobs in order until no other can start. */
function planJobs(simulation: Simulation, queue: i32): void {
  const end = at<i32>(columns.firstRanks, queue + 1);
  const mostJobs = columns.taken(Option.BackfillJobs);
  const reservationLimit =
    simulation.discipline === Discipline.Easy ? simulation.reservationDepth : i32.MAX_VALUE;
  let rank = at<i32>(columns.firstRanks, queue);
  let testedJobs = 0;
  let reservationCount = 0;
  nodePlan.beginNodePlan(simulation);
  while (true) {
    // The current job counts as tested in this pass, since it was compared with idle nodes and
    // predicted ends.
    if (!RECORDED && priorityQueue.fromRankNotWider(simulation, rank, end, freeAt(SITE)) < 0) break;
    const job = priorityQueue.fromRankNotWider(simulation, rank, end, i32.MAX_VALUE);
    if (job < 0 || (mostJobs > 0 && testedJobs === <i32>mostJobs)) break;
    rank = at<i32>(columns.rankOf, job) + 1;
    isTested = false;
    const outcome = planJob(simulation, job, reservationCount < reservationLimit);
    testedJobs += i32(isTested);
    if (outcome === JobOutcome.PlanFull) break;
    if (outcome !== JobOutcome.Reserved || ++reservationCount !== reservationLimit) continue;
    simulation.lastReservedJob = job;
    sequence.sortBehindReservation(simulation, queue);
    sequence.switchToBackfillRanks(simulation, queue);
    rank = sequence.firstRankBehindReservation(simulation, queue);
  }
  sequence.switchToQueueRanks(simulation, queue);
  simulation.lastReservedJob = -1;
  if (RECORDED) record.notePassedOverJobs(simulation, queue);
}

/**
 * True if the current job has been compared with idle nodes and predicted ends; it then counts as tested in
 * this pass.
 */
let isTested: bool = false;

/** Starts a job now, or reserves for it if it may reserve. */
function planJob(simulation: Simulation, job: i32, mayReserve: bool): JobOutcome {
  const now = simulation.now;
  const processors = at<i32>(columns.processors, job);
  const predictedRuntime = predictedTimeWithoutTransfer(simulation, job, SITE);
  let searchTime = now;
  for (let tries = 0; tries < MAX_START_TRIES; tries++) {
    const isFound = nodePlan.findStart(simulation, searchTime, processors, predictedRuntime);
    const nextSearchTime = nodePlan.nextSearchTime;
    if (!isFound) {
      if (nextSearchTime < 0 || !mayReserve) return JobOutcome.Skipped;
      searchTime = nextSearchTime;
      continue;
    }
    isTested = true;
    if (nodePlan.start <= now) {
      start(simulation, job);
      nodePlan.addRunning(simulation, job, now + predictedRuntime);
      return JobOutcome.Started;
    }
    if (!mayReserve) return JobOutcome.Skipped;
    if (nextSearchTime >= 0 && nodePlan.start > nextSearchTime) {
      searchTime = nextSearchTime;
      continue;
    }
    if (!nodePlan.overlapsOthers(predictedRuntime)) return reserve(simulation, job, predictedRuntime);
    searchTime = nodePlan.start > searchTime ? nodePlan.start : searchTime + nodePlan.leastDelay();
  }
  return JobOutcome.Skipped;
}

/** Reserves for a job, unless its start is too far ahead or the plan is full. */
function reserve(simulation: Simulation, job: i32, predictedRuntime: f64): JobOutcome {
  const window = columns.taken(Option.BackfillWindow);
  const time = nodePlan.start;
  if (window > 0 && time > simulation.now + window) return JobOutcome.Skipped;
  if (nodePlan.isFull()) return JobOutcome.PlanFull;
  nodePlan.reserve(predictedRuntime);
  if (RECORDED) {
    put<i32>(columns.chosenSites, 0, SITE);
    put<i32>(columns.chosenShares, 0, at<i32>(columns.processors, job));
    record.noteReservation(simulation, job, time, time + predictedRuntime, 1);
  }
  return JobOutcome.Reserved;
}
