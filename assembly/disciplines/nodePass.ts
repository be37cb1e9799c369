import { Discipline, Option } from '../abi/abi';
import { Simulation } from '../memory/state';
import { changesOrder } from '../memory/runKind';
import * as columns from '../memory/columns';
import { predictedTimeWithoutTransfer } from '../grid/execution';
import { candidateAt, candidatesOf, freeAt } from '../grid/sites';
import { at, put } from '../memory/memory';
import { canHold } from '../planning/candidates';
import * as nodePlan from '../planning/nodePlan';
import { updatePredictions } from '../planning/predictions';
import { isMainPass } from './passTimes';
import * as priorityQueue from '../queue/priorityQueue';
import * as sequence from '../queue/sequence';
import * as record from '../record/allocations';
import { RECORDED, beginDecision } from '../record/log';
import { start as startOn } from './easy';
import * as safeSites from './safeSites';
import { widestPossibleStart } from './withoutReservations';

/**
 * Passes that plan by nodes (planning/nodePlan.ts), as Slurm makes them: the main pass starts jobs up to the
 * first that does not fit, the other one plans the jobs in queue order. Under EASY, jobs behind the last
 * reservation may only start. On several sites with one queue, the allocator chooses among the sites on which
 * a job can start now; if there is none, the job reserves on the site of its earliest start.
 */

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
    if (priorityQueue.queueAt(queue).hasChanged === 0) return;
    priorityQueue.queueAt(queue).hasChanged = 0;
  }
  updatePredictions(simulation, queue);
  if (changesOrder(simulation)) sequence.sortQueue(simulation, queue);
  if (isMain) startHeads(simulation, queue);
  else if (mayAnyJobStart(simulation, queue)) planJobs(simulation, queue);
}

/**
 * Starts jobs up to the first that has too few idle nodes. A job for which too few nodes are there, idle or
 * not, because it would meet outages, is passed over.
 */
function startHeads(simulation: Simulation, queue: i32): void {
  const end = at<i32>(columns.firstRanks, queue + 1);
  let rank = at<i32>(columns.firstRanks, queue);
  nodePlan.beginEmptyPlan(simulation, queue);
  while (true) {
    const job = priorityQueue.fromRankNotWider(simulation, rank, end, i32.MAX_VALUE);
    if (job < 0) return;
    rank = at<i32>(columns.rankOf, job) + 1;
    isTested = false;
    if (planJob(simulation, job, false) === JobOutcome.Started || !isTested) continue;
    if (RECORDED) record.noteBlockedJob(simulation, job);
    return;
  }
}

/** Begins the decision about a job; returns true if the allocator chooses its site, at first among all. */
function beginChoice(simulation: Simulation, job: i32): bool {
  if (RECORDED) beginDecision(simulation, job);
  const hasChoice = safeSites.hasSafeChoice(simulation);
  if (hasChoice) safeSites.markAllSafe(simulation, job);
  return hasChoice;
}

/** Site on which the current job starts or reserves. */
let chosenSite: i32 = 0;

/** Starts a job on the chosen nodes. */
function start(simulation: Simulation, job: i32): void {
  startOn(simulation, job, chosenSite);
  priorityQueue.queueAt(priorityQueue.queueOf(simulation, job)).hasChanged = 1;
}

/** True if some waiting job is narrow enough for the idle nodes of a site, so that the pass may start one. */
@inline
function mayAnyJobStart(simulation: Simulation, queue: i32): bool {
  const firstRank = at<i32>(columns.firstRanks, queue);
  const end = at<i32>(columns.firstRanks, queue + 1);
  const widest = widestPossibleStart(simulation, queue);
  return RECORDED || priorityQueue.fromRankNotWider(simulation, firstRank, end, widest) >= 0;
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
  nodePlan.beginNodePlan(simulation, queue);
  while (true) {
    // The current job counts as tested in this pass, since it was compared with idle nodes and
    // predicted ends.
    const widest = widestPossibleStart(simulation, queue);
    if (!RECORDED && priorityQueue.fromRankNotWider(simulation, rank, end, widest) < 0) break;
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
 * True if the current job has enough nodes without reservations on some site, idle or not; it then counts as
 * tested in this pass.
 */
let isTested: bool = false;

/**
 * Starts a job now, or reserves for it if it may reserve: on the site of its earliest start; ties by the
 * earliest end, then by the lowest index.
 */
function planJob(simulation: Simulation, job: i32, mayReserve: bool): JobOutcome {
  const now = simulation.now;
  const hasChoice = beginChoice(simulation, job);
  const processors = at<i32>(columns.processors, job);
  const candidateCount = candidatesOf(simulation, job);
  let earliestStart: f64 = Infinity;
  let earliestEnd: f64 = Infinity;
  chosenSite = -1;
  for (let index = 0; index < candidateCount; index++) {
    const site = candidateAt(simulation, job, index);
    const isFound = findStart(simulation, job, site, mayReserve && earliestStart > now);
    if (hasChoice && !(isFound && nodePlan.start <= now) && freeAt(site) >= processors)
      safeSites.markUnsafe(simulation, job, site);
    if (!isFound || nodePlan.start > earliestStart) continue;
    const end = nodePlan.start + predictedRuntime;
    if (nodePlan.start === earliestStart && (end > earliestEnd || (end === earliestEnd && site > chosenSite)))
      continue;
    chosenSite = site;
    earliestStart = nodePlan.start;
    earliestEnd = end;
  }
  if (hasChoice && earliestStart <= now) chosenSite = safeSites.chooseAmongSafeSites(simulation, job);
  if (chosenSite < 0) return JobOutcome.Skipped;
  if (hasChoice) findStart(simulation, job, chosenSite, mayReserve);
  if (earliestStart > now) return reserve(simulation, job);
  start(simulation, job);
  nodePlan.addRunning(simulation, job, now + predictedRuntime);
  return JobOutcome.Started;
}

/** Predicted runtime of the current job on the selected site in seconds. */
let predictedRuntime: f64 = 0;

/**
 * Finds the start of a job on a site (`nodePlan.start`), now or, if it may start later, at the earliest time
 * without a conflict; returns false if there is none.
 */
function findStart(simulation: Simulation, job: i32, site: i32, mayStartLater: bool): bool {
  const now = simulation.now;
  const processors = at<i32>(columns.processors, job);
  if (!canHold(site, processors)) return false;
  nodePlan.selectSite(site);
  predictedRuntime = predictedTimeWithoutTransfer(simulation, job, site);
  let searchTime = now;
  for (let tries = 0; tries < MAX_START_TRIES; tries++) {
    const isFound = nodePlan.findStart(simulation, searchTime, processors, predictedRuntime, mayStartLater);
    const nextSearchTime = nodePlan.nextSearchTime;
    if (isFound) {
      isTested = true;
      if (nodePlan.start <= now) return true;
    }
    if (!mayStartLater) return false;
    if (!isFound) {
      if (nextSearchTime < 0) return false;
      searchTime = nextSearchTime;
    } else if (nextSearchTime >= 0 && nodePlan.start > nextSearchTime) {
      searchTime = nextSearchTime;
    } else if (!nodePlan.overlapsOthers(predictedRuntime)) {
      return true;
    } else {
      searchTime = nodePlan.start > searchTime ? nodePlan.start : searchTime + nodePlan.leastDelay();
    }
  }
  return false;
}

/** Reserves for a job, unless its start is too far ahead or the plan is full. */
function reserve(simulation: Simulation, job: i32): JobOutcome {
  const window = columns.taken(Option.BackfillWindow);
  const time = nodePlan.start;
  if (window > 0 && time > simulation.now + window) return JobOutcome.Skipped;
  if (nodePlan.isFull()) return JobOutcome.PlanFull;
  nodePlan.reserve(predictedRuntime);
  if (RECORDED) {
    put<i32>(columns.chosenSites, 0, chosenSite);
    put<i32>(columns.chosenShares, 0, at<i32>(columns.processors, job));
    record.noteReservation(simulation, job, time, time + predictedRuntime, 1);
  }
  return JobOutcome.Reserved;
}
