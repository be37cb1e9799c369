import { Discipline, Option } from '../abi/abi';
import { Simulation } from '../memory/state';
import { mayPassesChangeOrder } from '../memory/runKind';
import * as columns from '../memory/columns';
import { predictedTimeWithoutTransfer } from '../grid/execution';
import { candidateAt, candidateCountOf, freeProcessorsAt } from '../grid/sites';
import { at, put } from '../memory/memory';
import { canSiteEverHold } from '../planning/candidates';
import * as nodePlan from '../planning/nodePlan';
import { updatePredictions } from '../planning/predictions';
import { isMainPass } from './passTimes';
import * as priorityQueue from '../queue/priorityQueue';
import * as sequence from '../queue/sequence';
import * as record from '../record/allocations';
import { IS_RECORDING_BUILD, beginDecision } from '../record/log';
import { start as startOn } from './easy';
import * as safeSites from './safeSites';
import { widestStartableWidth } from './withoutReservations';

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
export function runNodePass(simulation: Simulation, queue: i32): void {
  const isInMainPass = isMainPass(simulation);
  if (!isInMainPass) {
    if (priorityQueue.queueAt(queue).hasChanged === 0) return;
    priorityQueue.queueAt(queue).hasChanged = 0;
  }
  updatePredictions(simulation, queue);
  if (mayPassesChangeOrder(simulation)) sequence.sortQueue(simulation, queue);
  if (isInMainPass) startHeads(simulation, queue);
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
    const job = priorityQueue.firstJobFromRankNotWider(simulation, rank, end, i32.MAX_VALUE);
    if (job < 0) return;
    rank = at<i32>(columns.rankOf, job) + 1;
    isJobTested = false;
    if (planJob(simulation, job, false) === JobOutcome.Started || !isJobTested) continue;
    if (IS_RECORDING_BUILD) record.noteBlockedJob(simulation, job);
    return;
  }
}

/** Begins the decision about a job; returns true if the allocator chooses its site, at first among all. */
function beginSiteChoice(simulation: Simulation, job: i32): bool {
  if (IS_RECORDING_BUILD) beginDecision(simulation, job);
  const hasSafeSiteChoice = safeSites.hasSafeChoice(simulation);
  if (hasSafeSiteChoice) safeSites.markAllCandidatesSafe(simulation, job);
  return hasSafeSiteChoice;
}

/** Site on which the current job starts or reserves. */
let chosenSite: i32 = 0;

/** Starts a job on the chosen nodes. */
function start(simulation: Simulation, job: i32): void {
  startOn(simulation, job, chosenSite);
  priorityQueue.queueAt(priorityQueue.queueOfJob(simulation, job)).hasChanged = 1;
}

/** True if some waiting job is narrow enough for the idle nodes of a site, so that the pass may start one. */
@inline
function mayAnyJobStart(simulation: Simulation, queue: i32): bool {
  const firstRank = at<i32>(columns.firstRanks, queue);
  const end = at<i32>(columns.firstRanks, queue + 1);
  const widest = widestStartableWidth(simulation, queue);
  return (
    IS_RECORDING_BUILD || priorityQueue.firstJobFromRankNotWider(simulation, firstRank, end, widest) >= 0
  );
}

/** Plans the jobs in order until no other can start. */
function planJobs(simulation: Simulation, queue: i32): void {
  const end = at<i32>(columns.firstRanks, queue + 1);
  const maxTestedJobCount = columns.optionOfRun(Option.BackfillJobs);
  const reservationLimit =
    simulation.discipline === Discipline.Easy ? simulation.reservationDepth : i32.MAX_VALUE;
  let rank = at<i32>(columns.firstRanks, queue);
  let testedJobCount = 0;
  let reservationCount = 0;
  nodePlan.beginNodePlan(simulation, queue);
  while (true) {
    // The current job counts as tested in this pass, since it was compared with idle nodes and
    // predicted ends.
    const widest = widestStartableWidth(simulation, queue);
    if (!IS_RECORDING_BUILD && priorityQueue.firstJobFromRankNotWider(simulation, rank, end, widest) < 0)
      break;
    const job = priorityQueue.firstJobFromRankNotWider(simulation, rank, end, i32.MAX_VALUE);
    if (job < 0 || (maxTestedJobCount > 0 && testedJobCount === <i32>maxTestedJobCount)) break;
    rank = at<i32>(columns.rankOf, job) + 1;
    isJobTested = false;
    const outcome = planJob(simulation, job, reservationCount < reservationLimit);
    testedJobCount += i32(isJobTested);
    if (outcome === JobOutcome.PlanFull) break;
    if (outcome !== JobOutcome.Reserved || ++reservationCount !== reservationLimit) continue;
    simulation.lastReservedJob = job;
    sequence.sortQueueBehindReservation(simulation, queue);
    sequence.switchToBackfillRanks(simulation, queue);
    rank = sequence.firstRankBehindReservation(simulation, queue);
  }
  sequence.switchToQueueRanks(simulation, queue);
  simulation.lastReservedJob = -1;
  if (IS_RECORDING_BUILD) record.notePassedOverJobs(simulation, queue);
}

/**
 * True if the current job has enough nodes without reservations on some site, idle or not; it then counts as
 * tested in this pass.
 */
let isJobTested: bool = false;

/**
 * Starts a job now, or reserves for it if it may reserve: on the site of its earliest start; ties by the
 * earliest end, then by the lowest index.
 */
function planJob(simulation: Simulation, job: i32, mayJobReserve: bool): JobOutcome {
  const now = simulation.now;
  const hasSafeSiteChoice = beginSiteChoice(simulation, job);
  const processors = at<i32>(columns.processors, job);
  const candidateCount = candidateCountOf(simulation, job);
  let earliestStart: f64 = Infinity;
  let earliestEnd: f64 = Infinity;
  chosenSite = -1;
  for (let index = 0; index < candidateCount; index++) {
    const site = candidateAt(simulation, job, index);
    const isStartFound = findStart(simulation, job, site, mayJobReserve && earliestStart > now);
    if (hasSafeSiteChoice && !(isStartFound && nodePlan.start <= now) && freeProcessorsAt(site) >= processors)
      safeSites.markSiteUnsafe(simulation, job, site);
    if (!isStartFound || nodePlan.start > earliestStart) continue;
    const end = nodePlan.start + predictedRuntime;
    if (nodePlan.start === earliestStart && (end > earliestEnd || (end === earliestEnd && site > chosenSite)))
      continue;
    chosenSite = site;
    earliestStart = nodePlan.start;
    earliestEnd = end;
  }
  if (hasSafeSiteChoice && earliestStart <= now) chosenSite = safeSites.chooseAmongSafeSites(simulation, job);
  if (chosenSite < 0) return JobOutcome.Skipped;
  if (hasSafeSiteChoice) findStart(simulation, job, chosenSite, mayJobReserve);
  if (earliestStart > now) return reserve(simulation, job);
  start(simulation, job);
  nodePlan.addRunningJob(simulation, job, now + predictedRuntime);
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
  if (!canSiteEverHold(site, processors)) return false;
  nodePlan.selectSite(site);
  predictedRuntime = predictedTimeWithoutTransfer(simulation, job, site);
  let searchTime = now;
  for (let tries = 0; tries < MAX_START_TRIES; tries++) {
    const isStartFound = nodePlan.findStartOnSite(
      simulation,
      searchTime,
      processors,
      predictedRuntime,
      mayStartLater,
    );
    const nextSearchTime = nodePlan.nextSearchTime;
    if (isStartFound) {
      isJobTested = true;
      if (nodePlan.start <= now) return true;
    }
    if (!mayStartLater) return false;
    if (!isStartFound) {
      if (nextSearchTime < 0) return false;
      searchTime = nextSearchTime;
    } else if (nextSearchTime >= 0 && nodePlan.start > nextSearchTime) {
      searchTime = nextSearchTime;
    } else if (!nodePlan.overlapsOtherReservations(predictedRuntime)) {
      return true;
    } else {
      searchTime =
        nodePlan.start > searchTime ? nodePlan.start : searchTime + nodePlan.shortestPostponement();
    }
  }
  return false;
}

/** Reserves for a job, unless its start is too far ahead or the plan is full. */
function reserve(simulation: Simulation, job: i32): JobOutcome {
  const window = columns.optionOfRun(Option.BackfillWindow);
  const time = nodePlan.start;
  if (window > 0 && time > simulation.now + window) return JobOutcome.Skipped;
  if (nodePlan.isNodePlanFull()) return JobOutcome.PlanFull;
  nodePlan.reserveChosenNodes(predictedRuntime);
  if (IS_RECORDING_BUILD) {
    put<i32>(columns.chosenSites, 0, chosenSite);
    put<i32>(columns.chosenShares, 0, at<i32>(columns.processors, job));
    record.noteReservation(simulation, job, time, time + predictedRuntime, 1);
  }
  return JobOutcome.Reserved;
}
