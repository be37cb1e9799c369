import { Discipline, Option, Selection, Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import { hasSafeChoice } from './safeSites';
import { mostFree } from '../allocators/scan';
import { isChangeDue } from '../events/capacityChanges';
import * as columns from '../memory/columns';
import { IS_CHECKED_BUILD, Invariant, check } from '../memory/check';
import { predictedTimeOnOneSite } from '../grid/execution';
import { mayJobUseSite } from '../grid/siteSets';
import { freeProcessorsAt } from '../grid/sites';
import { at, put } from '../memory/memory';
import { startPlannedJobOnOneSite, startPlannedJob } from '../placement/start';
import * as candidates from '../planning/candidates';
import { updatePredictions } from '../planning/predictions';
import * as nextStarts from '../planning/nextStarts';
import * as plan from '../planning/plan';
import * as predictions from '../planning/predictions';
import { selectSites } from '../planning/candidates';
import { isMainPass } from './passTimes';
import * as priorityQueue from '../queue/priorityQueue';
import { NO_RANK } from '../queue/ranking';
import * as sequence from '../queue/sequence';
import * as record from '../record/allocations';
import { IS_RECORDING_BUILD, beginDecision } from '../record/log';
import { mayAnotherJobBecomeNext } from '../memory/runKind';
import * as safeSites from './safeSites';

/**
 * Value of `plannedSites` for a job that could start equally early on several sites, so that the allocator
 * chooses one of them at its start.
 */
const ANY_SITE: i32 = -1;

/**
 * Planned backfilling (Zhang et al. 2006, Algorithm 1): jobs are visited in queue order, and a job whose best
 * candidate begins now starts. Conservative reserves for all others, EASY only for the first few.
 *
 * By the rules, every pass plans again. A plan need not be made again, however, if only single sites are
 * candidates, processors have only been taken since, and everything has happened as predicted. Then no start
 * in the plan becomes earlier. So a choice that is still available is still the best: it keeps its start, and
 * no other choice ends earlier than before.
 *
 * - Conservative: by induction, every job finds the same plan of the jobs before it, and later jobs have been
 * planned around its reservation. So all reservations would come out again; jobs whose time has come start,
 * and only new jobs are planned.
 * - EASY, until a job ends (which frees processors for jobs skipped as too wide): the reservation would come
 * out again, too. A skipped job would have ended earlier on another site at a later time, but has no
 * reservation there. While that choice is available, the job would be skipped again, since its start is still
 * later than now: only an end frees processors. If other jobs have taken the choice, the job is planned
 * again. (With non-adaptive selection, a skipped job could start nowhere, and still cannot.)
 * - Conservative with an allocator (the reservation is where the job can start first): as without one, if no
 * other site offers as early a start. Otherwise the allocator will choose at the start and may choose another
 * site, and the pass in which the job starts makes a new plan. (EASY with an allocator: safeShadow.ts.)
 *
 * Even conservative does not plan all jobs. A plan only fills up, so a job that does not fit now into the
 * partial plan cannot start in this pass; the pass is over when this is true of all remaining jobs. Earlier
 * jobs do not depend on them. They are planned when jobs end or, at a submission, until the new job is
 * planned or cannot start either.
 *
 * A pass that has stopped for a decision continues with `firstJob` on the same plan; -1: a new pass.
 */
export function runBackfillingPass(simulation: Simulation, queue: i32, firstJob: i32): void {
  if (firstJob < 0) {
    runPassFromRank(simulation, queue, NO_RANK);
    return;
  }
  simulation.firstNewJob = 0;
  sequence.switchToBackfillRanks(simulation, queue);
  planUnplannedJobs(simulation, queue, at<i32>(columns.rankOf, firstJob), NO_RANK);
}

/** Pass after a submission: nothing has become free, so of the waiting jobs only the new one can start. */
export function runPassForNewJob(simulation: Simulation, queue: i32, job: i32): void {
  addNewJob(simulation, queue, job);
  const rank = at<i32>(columns.rankOf, job);
  runPassFromRank(simulation, queue, simulation.unplannedRank < rank ? rank : NO_RANK);
}

/**
 * Pass in which, if the plan is still valid, only jobs with ranks from `firstStartableRank` on may start;
 * with NO_RANK all are planned.
 */
function runPassFromRank(simulation: Simulation, queue: i32, firstStartableRank: i32): void {
  const isOverdue = updatePredictions(simulation, queue);
  // Until a capacity change that is due has happened, processors that come back are not there yet.
  if (isMainPass(simulation) || isChangeDue(simulation)) simulation.planHolds = 0;
  if (isOverdue || simulation.planHolds === 0 || !continuePlan(simulation)) {
    firstStartableRank = at<i32>(columns.firstRanks, queue);
    plan.beginPlan(simulation, isMainPass(simulation) ? 0 : columns.optionOfRun(Option.EndWindow));
    simulation.firstNewJob = 0;
    simulation.planReserved = 0;
    simulation.planDisturbed = 0;
    nextStarts.clearStarts(simulation);
  } else if (hasMadeAllReservations(simulation)) {
    // The host has let no job wait, so the first job of the queue has the reservation.
    simulation.lastReservedJob = priorityQueue.headOf(simulation, queue);
    sequence.switchToBackfillRanks(simulation, queue);
  }
  simulation.planHolds = i32(!isOverdue && canPlanOutlivePass(simulation));
  if (mayAnotherJobBecomeNext(simulation) && simulation.discipline === Discipline.Conservative) {
    if (mayLeaveJobsUnplanned(simulation) && !mayAnyJobStart(simulation, queue)) return;
    sequence.sortQueue(simulation, queue);
  }
  planUnplannedJobs(simulation, queue, firstRankToPlan(simulation, queue), firstStartableRank);
}

/** Adds a new job to a valid plan. The plan becomes invalid if the job precedes one with a reservation. */
export function addNewJob(simulation: Simulation, queue: i32, job: i32): void {
  if (simulation.planHolds === 0) return;
  const isBehindReservation = hasPlannedAllReservations(simulation);
  const rank = isBehindReservation
    ? priorityQueue.backfillRankOf(simulation, job)
    : at<i32>(columns.rankOf, job);
  const isBeforePlannedJobs = isBehindReservation
    ? priorityQueue.headOf(simulation, queue) === job
    : rank < simulation.unplannedRank && priorityQueue.nextJobBehind(simulation, job) >= 0;
  if (isBeforePlannedJobs) simulation.planHolds = 0;
  simulation.unplannedRank = min(simulation.unplannedRank, rank);
}

/**
 * True if a plan may outlive its pass. For explanations, EASY plans in every pass, so that each plan is
 * recorded.
 */
function canPlanOutlivePass(simulation: Simulation): bool {
  if (IS_RECORDING_BUILD && simulation.discipline === Discipline.Easy) return false;
  if (simulation.reservationDepth !== 1 || simulation.hasPlanRules !== 0) return false;
  // A job that the host lets wait has no reservation in this pass, but may get one in the next.
  if (mayAnotherJobBecomeNext(simulation) || simulation.asksHost !== 0) return false;
  // A main pass plans only up to the first job that does not start, and what starts then was not planned so.
  if (isMainPass(simulation) || isChangeDue(simulation)) return false;
  const hasSharedQueue = simulation.topology === Topology.Shared;
  const hasNoSplitJobs = columns.optionOfRun(Option.MultiSiteFactor) === 0;
  // Late ranks move, but a plan identifies the planned jobs by rank.
  return hasSharedQueue && hasNoSplitJobs && simulation.hasLateRanks === 0;
}

/**
 * Continues with the plan, and starts the jobs whose reservations begin now. Returns true if the plan is
 * still valid.
 */
function continuePlan(simulation: Simulation): bool {
  // If passes come at times of their own, the time of a start may have passed.
  if (nextStarts.soonestStart(simulation) < simulation.now) return false;
  plan.advancePlanToNow(simulation);
  const hasSafeSiteChoice = hasSafeChoice(simulation);
  while (nextStarts.soonestStart(simulation) <= simulation.now) {
    const job = at<i32>(columns.nextStarts, 1);
    const site = at<i32>(columns.plannedSites, job);
    if (site === ANY_SITE) return false;
    nextStarts.popStart(simulation);
    if (IS_CHECKED_BUILD)
      check(at<f64>(columns.plannedStarts, job) === simulation.now, Invariant.PlanOutdated);
    if (hasSafeSiteChoice) safeSites.recordForcedChoice(simulation, job, site);
    startPlannedJobOnOneSite(simulation, job, site, predictedTimeOnOneSite(simulation, job, site));
    priorityQueue.removeJob(simulation, job);
  }
  return true;
}

/**
 * Plans the jobs of a queue that have not been planned, from a rank on; conservative only while some job can
 * still start now. Such jobs have ranks from `firstStartableRank` on; with NO_RANK all are planned.
 */
function planUnplannedJobs(simulation: Simulation, queue: i32, rank: i32, firstStartableRank: i32): void {
  const end = at<i32>(columns.firstRanks, queue + 1);
  const mayStopEarly = firstStartableRank !== NO_RANK && mayLeaveJobsUnplanned(simulation);
  let firstUnplannedRank = NO_RANK;
  for (let job = nextJobToPlan(simulation, rank, end); job >= 0; job = nextJobToPlan(simulation, rank, end)) {
    const jobRank = at<i32>(columns.rankOf, job);
    if (mayStopEarly) {
      firstStartableRank = nextStartableRank(simulation, max(jobRank, firstStartableRank), end);
      if (firstStartableRank === end) {
        firstUnplannedRank = jobRank;
        break;
      }
    }
    rank = jobRank + 1;
    if (hasMadeAllReservations(simulation)) {
      if (job < simulation.firstNewJob && isChosenStartAvailable(simulation, job)) continue;
      candidates.clearCandidates();
      const staysWaiting = !mayJobStart(simulation, job);
      if (candidates.isRuntimeAbsorbedNow) simulation.planHolds = 0;
      if (staysWaiting) continue;
    }
    const hasReservedJob = simulation.lastReservedJob >= 0;
    planJob(simulation, job);
    if (simulation.decisionJob >= 0 || (isMainPass(simulation) && simulation.planReserved > 0)) break;
    if (!hasReservedJob && simulation.lastReservedJob >= 0) rank = switchToBackfillOrder(simulation, queue);
  }
  sequence.switchToQueueRanks(simulation, queue);
  if (simulation.decisionJob >= 0) return;
  simulation.lastReservedJob = -1;
  simulation.firstNewJob = simulation.next;
  simulation.unplannedRank = firstUnplannedRank;
  if (IS_RECORDING_BUILD && !isMainPass(simulation)) record.notePassedOverJobs(simulation, queue);
}

/** Switches to the order of the jobs behind the last reservation of EASY; returns their first rank. */
function switchToBackfillOrder(simulation: Simulation, queue: i32): i32 {
  sequence.sortQueueBehindReservation(simulation, queue);
  sequence.switchToBackfillRanks(simulation, queue);
  return sequence.firstRankBehindReservation(simulation, queue);
}

/** True if jobs that cannot start in this pass may stay unplanned. */
@inline
function mayLeaveJobsUnplanned(simulation: Simulation): bool {
  if (IS_RECORDING_BUILD || simulation.discipline !== Discipline.Conservative) return false;
  return columns.optionOfRun(Option.MultiSiteFactor) === 0 && simulation.asksHost === 0;
}

/** First rank from `rank` on whose job may start now in the current plan; otherwise `end`. */
function nextStartableRank(simulation: Simulation, rank: i32, end: i32): i32 {
  const widest = mostFree(simulation, columns.slots);
  let job = priorityQueue.firstJobFromRankNotWider(simulation, rank, end, widest);
  while (job >= 0 && !candidates.mayJobStartNow(simulation, job)) {
    job = priorityQueue.firstJobFromRankNotWider(simulation, at<i32>(columns.rankOf, job) + 1, end, widest);
  }
  return job < 0 ? end : at<i32>(columns.rankOf, job);
}

/** True if some job of a queue may start now under the current plan. */
function mayAnyJobStart(simulation: Simulation, queue: i32): bool {
  const end = at<i32>(columns.firstRanks, queue + 1);
  return nextStartableRank(simulation, at<i32>(columns.firstRanks, queue), end) < end;
}

/** First rank of a waiting job that the current plan does not contain yet. */
function firstRankToPlan(simulation: Simulation, queue: i32): i32 {
  if (simulation.firstNewJob === 0) return at<i32>(columns.firstRanks, queue);
  if (simulation.planDisturbed !== 0) {
    simulation.planDisturbed = 0;
    return sequence.firstRankBehindReservation(simulation, queue);
  }
  return simulation.unplannedRank;
}

/**
 * True if the site and start for which an earlier pass skipped a job still have enough free processors for
 * its predicted runtime.
 */
function isChosenStartAvailable(simulation: Simulation, job: i32): bool {
  const site = at<i32>(columns.plannedSites, job);
  const start = at<f64>(columns.plannedStarts, job);
  const predictedRuntime = predictedTimeOnOneSite(simulation, job, site);
  return (
    plan.leastFreeProcessorsFor(site, simulation.now, start, predictedRuntime) >=
    at<i32>(columns.processors, job)
  );
}

/**
 * True if a job that needs no reservation may start: it fits somewhere, and would end no later than by the
 * choice for which it was skipped. That choice need not be the best any more, as long as it is available.
 */
function mayJobStart(simulation: Simulation, job: i32): bool {
  if (IS_RECORDING_BUILD || columns.optionOfRun(Option.MultiSiteFactor) > 0) return true;
  const processors = at<i32>(columns.processors, job);
  let predictedChoiceEnd: f64 = -1;
  for (let site = 0; site < simulation.siteCount; site++) {
    if (freeProcessorsAt(site) < processors || !mayJobUseSite(simulation, job, site)) continue;
    if (!candidates.canStartOnSite(simulation, job, site)) continue;
    if (predictedChoiceEnd < 0) predictedChoiceEnd = predictedEndAtChosenStart(simulation, job);
    if (simulation.now + predictedTimeOnOneSite(simulation, job, site) <= predictedChoiceEnd) return true;
  }
  return false;
}

/**
 * Predicted end, in seconds, of a skipped job at the site and start for which it was skipped;
 * +infinity if that start is no longer available.
 */
function predictedEndAtChosenStart(simulation: Simulation, job: i32): f64 {
  // With non-adaptive selection or an allocator, skipping a job does not depend on predicted ends.
  if (simulation.selection === Selection.NonAdaptive || hasSafeChoice(simulation)) return Infinity;
  const start = at<f64>(columns.plannedStarts, job);
  if (start <= simulation.now) return Infinity;
  const end = start + predictedTimeOnOneSite(simulation, job, at<i32>(columns.plannedSites, job));
  // A job of predicted runtime 0 could only start at a change of the plan, which may be missing now.
  return end > start && isChosenStartAvailable(simulation, job) ? end : Infinity;
}

/** Next waiting job that the pass must plan, with a rank from `rank` on and before `end`; -1 if none. */
@inline
function nextJobToPlan(simulation: Simulation, rank: i32, end: i32): i32 {
  const widest = hasMadeAllReservations(simulation) ? widestStartableWidth(simulation) : i32.MAX_VALUE;
  return priorityQueue.firstJobFromRankNotWider(simulation, rank, end, widest);
}

/**
 * True if EASY has made all of its reservations in this pass, so that the other jobs can only start
 * now or wait.
 */
@inline
function hasMadeAllReservations(simulation: Simulation): bool {
  return !isMainPass(simulation) && hasPlannedAllReservations(simulation);
}

/** True if the plan has all reservations of EASY. */
@inline
function hasPlannedAllReservations(simulation: Simulation): bool {
  return simulation.discipline === Discipline.Easy && simulation.planReserved >= simulation.reservationDepth;
}

/** Largest width with which a job could possibly start now. */
function widestStartableWidth(simulation: Simulation): i32 {
  if (columns.optionOfRun(Option.MultiSiteFactor) > 0) return <i32>simulation.freeProcessors;
  return mostFree(simulation, columns.slots);
}

/**
 * Starts a job now, or reserves processors for it if the discipline requires a reservation; does neither if
 * the host lets the job wait.
 */
function planJob(simulation: Simulation, job: i32): void {
  if (IS_RECORDING_BUILD) beginDecision(simulation, job);
  if (hasSafeChoice(simulation)) safeSites.selectSafeSite(simulation, job);
  else selectSites(simulation, job);
  if (candidates.chosenSiteCount === 0) return;
  const start = candidates.chosenStart;
  const end = start + candidates.chosenRuntime;
  if (start === simulation.now) {
    for (let index = 0; index < candidates.chosenSiteCount; index++) {
      const site = at<i32>(columns.chosenSites, index);
      const share = at<i32>(columns.chosenShares, index);
      plan.occupyProcessors(simulation, site, share, predictions.effectiveEnd(simulation.now, end));
    }
    startPlannedJob(simulation, job, candidates.chosenSiteCount, candidates.chosenRuntime);
    priorityQueue.removeJob(simulation, job);
    if (hasMadeAllReservations(simulation)) simulation.planDisturbed = 1;
  } else if (isMainPass(simulation)) {
    // A main pass ends at the first job that cannot start.
    simulation.planReserved++;
    if (IS_RECORDING_BUILD) record.noteBlockedJob(simulation, job);
  } else if (hasMadeAllReservations(simulation)) {
    put<f64>(columns.plannedStarts, job, start);
    put<i32>(columns.plannedSites, job, at<i32>(columns.chosenSites, 0));
    // Because its length is absorbed by rounding now, the job may need less at a later time.
    if (candidates.isRuntimeAbsorbedNow) simulation.planHolds = 0;
    if (IS_RECORDING_BUILD) record.notePlannedStart(simulation, job, start, end);
  } else {
    reserve(simulation, job, start, end);
  }
}

/**
 * Reserves the chosen sites for a job from a start until an end, in seconds; records the job if it gets the
 * last reservation of EASY.
 */
function reserve(simulation: Simulation, job: i32, start: f64, end: f64): void {
  const isEasyDiscipline = simulation.discipline === Discipline.Easy;
  if (++simulation.planReserved === simulation.reservationDepth && isEasyDiscipline)
    simulation.lastReservedJob = job;
  if (IS_RECORDING_BUILD) record.noteReservation(simulation, job, start, end, candidates.chosenSiteCount);
  if (end > start) {
    for (let index = 0; index < candidates.chosenSiteCount; index++) {
      const site = at<i32>(columns.chosenSites, index);
      plan.reserve(simulation, site, at<i32>(columns.chosenShares, index), start, end);
    }
  }
  // Without a length, or with one absorbed by rounding, the reservation holds no processors, so the next pass
  // must plan again.
  if (end === start || candidates.isRuntimeAbsorbedNow) simulation.planHolds = 0;
  if (simulation.planHolds !== 0 && simulation.discipline === Discipline.Conservative) {
    // If other sites offer the same start, the allocator will choose at that time.
    nextStarts.pushStart(
      simulation,
      job,
      start,
      candidates.canStartElsewhereAsEarly ? ANY_SITE : at<i32>(columns.chosenSites, 0),
    );
  }
}
