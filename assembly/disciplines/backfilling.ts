import { Discipline, Option, Selection, Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import { hasSafeChoice } from './safeSites';
import { mostFree } from '../allocators/scan';
import * as columns from '../memory/columns';
import { CHECKED, Invariant, check } from '../memory/check';
import { predictedTimeAlone } from '../grid/execution';
import { freeAt } from '../grid/sites';
import { at, put } from '../memory/memory';
import { startAlone, startPlanned } from '../placement/start';
import * as candidates from '../planning/candidates';
import { sweepAndCorrect } from '../planning/predictions';
import * as nextStarts from '../planning/nextStarts';
import * as plan from '../planning/plan';
import * as predictions from '../planning/predictions';
import { select } from '../planning/candidates';
import * as priorityQueue from '../queue/priorityQueue';
import { NOBODY } from '../queue/ranking';
import * as sequence from '../queue/sequence';
import * as record from '../record/allocations';
import { RECORDED, beginDecision } from '../record/log';
import { reorders } from '../memory/runKind';
import * as safeSites from './safeSites';

/** In place of a planned site: one of several, as the allocator will choose. */
const ANY_SITE: i32 = -1;

/**
 * Backfilling over the plan (Zhang et al. 2006, Algorithm 1): the queue is gone through in its order; a
 * job whose best candidate begins now starts. Of the others conservative reserves all, EASY only the
 * first few.
 *
 * Nothing reserved outlives a pass by the rules. But where only single sites are candidates, a plan in which
 * processors have only been taken since, and nothing has come otherwise than predicted, need not be made
 * again. No start in it gets earlier from then on; so a choice that can still be had is still the best, as it
 * keeps its start and no other ends sooner than it did.
 *
 * - Conservative: every job finds the plan of those before it, by induction the same as when it was planned,
 *   and those behind it are beside its reservation. So all reservations would come out again; those whose
 *   time has come start, and only new jobs are planned.
 * - EASY, until a job ends (which frees processors for jobs that were too wide to be looked at): the one
 *   reservation would come out again, too. A job that was passed over would end sooner on another site
 *   later, but has nothing reserved there. While its choice can still be had it would be passed over again,
 *   since that is later than now: what frees processors is an end. Where others have taken it, the job is
 *   planned again. (With non-adaptive selection a job that was passed over could start nowhere, and cannot
 *   now.)
 * - Conservative with an allocator (the reservation is where the job can start first): as without one, if
 *   there is no other site where it could start as soon. Else the allocator will have a choice, which may be
 *   another site, and the pass in which the job starts makes a plan of its own. (EASY with an allocator:
 *   safeShadow.ts.)
 *
 * Nor does conservative plan all: a plan only fills up, so a job that does not fit now into as much of it as
 * has been made will not start in the pass, which is over when that is true of all jobs left. Those before do
 * not see them. They are planned when jobs end or, at a submit, until the new job is or cannot start either.
 *
 * A pass that has stopped at a decision goes on from the job `from`, on the plan as it stands.
 */
export function pass(simulation: Simulation, queue: i32, from: i32): void {
  if (from < 0) {
    passFrom(simulation, queue, NOBODY);
    return;
  }
  simulation.planned = 0;
  sequence.turn(simulation, queue);
  planRest(simulation, queue, at<i32>(columns.rankOf, from), NOBODY);
}

/** A pass after a submit: nothing has become free, so no waiting job could start now but the new one. */
export function passNewcomer(simulation: Simulation, queue: i32, job: i32): void {
  takeNewcomer(simulation, queue, job);
  const rank = at<i32>(columns.rankOf, job);
  passFrom(simulation, queue, simulation.unplannedRank < rank ? rank : NOBODY);
}

/** A pass in which, if the plan goes on, only jobs from a rank on may start; with NOBODY all are planned. */
function passFrom(simulation: Simulation, queue: i32, starterRank: i32): void {
  const isOverdue = sweepAndCorrect(simulation, queue);
  if (isOverdue || simulation.planHolds === 0 || !goOn(simulation)) {
    starterRank = at<i32>(columns.firstRanks, queue);
    plan.begin(simulation);
    simulation.planned = 0;
    simulation.planReserved = 0;
    simulation.planDisturbed = 0;
    nextStarts.reset(simulation);
  } else if (startsOnly(simulation)) {
    // Nobody has been told to wait, so the first of the queue has the reservation.
    simulation.reserved = priorityQueue.headOf(simulation, queue);
    sequence.turn(simulation, queue);
  }
  if (simulation.discipline === Discipline.Conservative) {
    plan.expect(simulation, priorityQueue.queueAt(queue).waiting);
  }
  simulation.planHolds = i32(!isOverdue && canGoOn(simulation));
  if (reorders(simulation) && simulation.discipline === Discipline.Conservative) {
    if (canLeaveOff(simulation) && !mayAnybodyStart(simulation, queue)) return;
    sequence.sortQueue(simulation, queue);
  }
  planRest(simulation, queue, firstToPlan(simulation, queue), starterRank);
}

/**
 * A job has joined the queue. A plan goes on only if the job is behind all that have something reserved,
 * which it would else come before.
 */
export function takeNewcomer(simulation: Simulation, queue: i32, job: i32): void {
  if (simulation.planHolds === 0) return;
  const isBehind = startsOnly(simulation);
  const rank = isBehind ? priorityQueue.backfillRankOf(simulation, job) : at<i32>(columns.rankOf, job);
  const isBeforeOthers = isBehind
    ? priorityQueue.headOf(simulation, queue) === job
    : rank < simulation.unplannedRank && priorityQueue.behind(simulation, job) >= 0;
  if (isBeforeOthers) simulation.planHolds = 0;
  simulation.unplannedRank = min(simulation.unplannedRank, rank);
}

/** Whether a plan may outlive its pass at all. What EASY plans is recorded by the rules, pass by pass. */
function canGoOn(simulation: Simulation): bool {
  if (RECORDED && simulation.discipline === Discipline.Easy) return false;
  if (simulation.reservationDepth !== 1) return false;
  // A job that is told to wait has no reservation in the pass, and may have one in the next.
  if (reorders(simulation) || simulation.asks !== 0) return false;
  const isShared = simulation.topology === Topology.Shared;
  const isSingle = columns.taken(Option.MultiSiteFactor) === 0 && columns.taken(Option.Interval) === 0;
  // Ranks may move, by which a plan knows what it has planned.
  return isShared && isSingle && simulation.hasLateRanks === 0;
}

/**
 * Goes on with the plan as it stands, in which the jobs start whose reservations begin now. Returns whether
 * it still holds.
 */
function goOn(simulation: Simulation): bool {
  plan.advance(simulation);
  const hasChoice = hasSafeChoice(simulation);
  while (nextStarts.soonest(simulation) <= simulation.now) {
    const job = at<i32>(columns.nextStarts, 1);
    const site = at<i32>(columns.plannedSites, job);
    if (site === ANY_SITE) return false;
    nextStarts.pop(simulation);
    if (CHECKED) check(at<f64>(columns.plannedStarts, job) === simulation.now, Invariant.PlanOutdated);
    if (hasChoice) safeSites.confirm(simulation, job, site);
    startAlone(simulation, job, site, predictedTimeAlone(simulation, job, site));
    priorityQueue.leave(simulation, job);
  }
  return true;
}

/**
 * Plans the jobs of a queue that have not been, from a rank on; conservative only while a job can start now.
 * Such jobs have ranks from `starterRank` on; with NOBODY all are planned.
 */
function planRest(simulation: Simulation, queue: i32, rank: i32, starterRank: i32): void {
  const end = at<i32>(columns.firstRanks, queue + 1);
  const mayLeaveOff = starterRank !== NOBODY && canLeaveOff(simulation);
  let unplannedRank = NOBODY;
  for (let job = next(simulation, rank, end); job >= 0; job = next(simulation, rank, end)) {
    const own = at<i32>(columns.rankOf, job);
    if (mayLeaveOff) {
      starterRank = nextStarter(simulation, max(own, starterRank), end);
      if (starterRank === end) {
        unplannedRank = own;
        break;
      }
    }
    rank = own + 1;
    if (startsOnly(simulation)) {
      if (job < simulation.planned && canStillHave(simulation, job)) continue;
      candidates.clear();
      const isLeft = !mayStart(simulation, job);
      if (candidates.isLostNow) simulation.planHolds = 0;
      if (isLeft) continue;
    }
    const isReserved = simulation.reserved >= 0;
    planJob(simulation, job);
    if (simulation.asked >= 0) break;
    if (!isReserved && simulation.reserved >= 0) rank = turnBehind(simulation, queue);
  }
  sequence.turnBack(simulation, queue);
  if (simulation.asked >= 0) return;
  simulation.reserved = -1;
  simulation.planned = simulation.next;
  simulation.unplannedRank = unplannedRank;
  if (RECORDED) record.passedOver(simulation, queue);
}

/** Those behind the last reservation of EASY are next; returns their first rank. */
function turnBehind(simulation: Simulation, queue: i32): i32 {
  sequence.sortBehind(simulation, queue);
  sequence.turn(simulation, queue);
  return sequence.firstBehind(simulation, queue);
}

/** Whether jobs may be left without a reservation that cannot start in a pass. */
@inline
function canLeaveOff(simulation: Simulation): bool {
  if (RECORDED || simulation.discipline !== Discipline.Conservative) return false;
  return columns.taken(Option.MultiSiteFactor) === 0 && simulation.asks === 0;
}

/** The first rank from one on whose job may start now into the plan as it stands; else `end`. */
function nextStarter(simulation: Simulation, rank: i32, end: i32): i32 {
  const widest = mostFree(simulation, columns.slots);
  let job = priorityQueue.fromRankNotWider(simulation, rank, end, widest);
  while (job >= 0 && !candidates.mayStartNow(simulation, job)) {
    job = priorityQueue.fromRankNotWider(simulation, at<i32>(columns.rankOf, job) + 1, end, widest);
  }
  return job < 0 ? end : at<i32>(columns.rankOf, job);
}

/** Whether a job of a queue may start now into the plan as it stands, wherever it is in the order. */
function mayAnybodyStart(simulation: Simulation, queue: i32): bool {
  const end = at<i32>(columns.firstRanks, queue + 1);
  return nextStarter(simulation, at<i32>(columns.firstRanks, queue), end) < end;
}

/** The rank from which on there are jobs to be planned. */
function firstToPlan(simulation: Simulation, queue: i32): i32 {
  if (simulation.planned === 0) return at<i32>(columns.firstRanks, queue);
  if (simulation.planDisturbed !== 0) {
    simulation.planDisturbed = 0;
    return sequence.firstBehind(simulation, queue);
  }
  return simulation.unplannedRank;
}

/** Whether what a job was passed over for is still to be had. */
function canStillHave(simulation: Simulation, job: i32): bool {
  const site = at<i32>(columns.plannedSites, job);
  const start = at<f64>(columns.plannedStarts, job);
  const predictedRuntime = predictedTimeAlone(simulation, job, site);
  return plan.leastFreeFor(site, simulation.now, start, predictedRuntime) >= at<i32>(columns.processors, job);
}

/**
 * Whether a job that can only be started may be: not if it fits nowhere from now on; nor if it ends sooner by
 * what it was passed over for, which need not be the best any more as long as it can be had.
 */
function mayStart(simulation: Simulation, job: i32): bool {
  if (RECORDED || columns.taken(Option.MultiSiteFactor) > 0) return true;
  const processors = at<i32>(columns.processors, job);
  let otherwise: f64 = -1;
  for (let site = 0; site < simulation.siteCount; site++) {
    if (freeAt(site) < processors || !candidates.startsAlone(simulation, job, site)) continue;
    if (otherwise < 0) otherwise = endOfChoice(simulation, job);
    if (simulation.now + predictedTimeAlone(simulation, job, site) <= otherwise) return true;
  }
  return false;
}

/** When a job ends, as predicted, by what it was passed over for; +infinity where that is not to be had. */
function endOfChoice(simulation: Simulation, job: i32): f64 {
  // Neither depends on the end of a job.
  if (simulation.selection === Selection.NonAdaptive || hasSafeChoice(simulation)) return Infinity;
  const start = at<f64>(columns.plannedStarts, job);
  if (start <= simulation.now) return Infinity;
  const end = start + predictedTimeAlone(simulation, job, at<i32>(columns.plannedSites, job));
  // Without a length it could start only at a change of the plan, and there may be none then.
  return end > start && canStillHave(simulation, job) ? end : Infinity;
}

/** The next job from a rank on that is to be planned, or -1. */
@inline
function next(simulation: Simulation, rank: i32, end: i32): i32 {
  const width = startsOnly(simulation) ? widestNow(simulation) : i32.MAX_VALUE;
  return priorityQueue.fromRankNotWider(simulation, rank, end, width);
}

/** Whether jobs can only be started, the reservations that EASY makes being made. */
@inline
function startsOnly(simulation: Simulation): bool {
  return simulation.discipline === Discipline.Easy && simulation.planReserved >= simulation.reservationDepth;
}

/** The widest job that could possibly start now. */
function widestNow(simulation: Simulation): i32 {
  if (columns.taken(Option.MultiSiteFactor) > 0) return <i32>simulation.freeProcessors;
  return mostFree(simulation, columns.slots);
}

/** A job starts now, or is reserved where the discipline says so; not if it is told to wait. */
function planJob(simulation: Simulation, job: i32): void {
  if (RECORDED) beginDecision(simulation, job);
  if (hasSafeChoice(simulation)) safeSites.select(simulation, job);
  else select(simulation, job);
  if (candidates.chosenCount === 0) return;
  const start = candidates.chosenStart;
  const end = start + candidates.chosenRuntime;
  if (start === simulation.now) {
    for (let index = 0; index < candidates.chosenCount; index++) {
      const site = at<i32>(columns.chosenSites, index);
      const share = at<i32>(columns.chosenShares, index);
      plan.occupy(simulation, site, share, predictions.endSeenAt(simulation.now, end));
    }
    startPlanned(simulation, job, candidates.chosenCount, candidates.chosenRuntime);
    priorityQueue.leave(simulation, job);
    if (startsOnly(simulation)) simulation.planDisturbed = 1;
  } else if (startsOnly(simulation)) {
    put<f64>(columns.plannedStarts, job, start);
    put<i32>(columns.plannedSites, job, at<i32>(columns.chosenSites, 0));
    // What it needs now may be more than it would at a time at which its length is not lost.
    if (candidates.isLostNow) simulation.planHolds = 0;
    if (RECORDED) record.planned(simulation, job, start, end);
  } else {
    reserve(simulation, job, start, end);
  }
}

function reserve(simulation: Simulation, job: i32, start: f64, end: f64): void {
  const isEasy = simulation.discipline === Discipline.Easy;
  if (++simulation.planReserved === simulation.reservationDepth && isEasy) simulation.reserved = job;
  if (RECORDED) record.reserved(simulation, job, start, end, candidates.chosenCount);
  if (end > start) {
    for (let index = 0; index < candidates.chosenCount; index++) {
      const site = at<i32>(columns.chosenSites, index);
      plan.reserve(simulation, site, at<i32>(columns.chosenShares, index), start, end);
    }
  }
  // Nothing keeps its processors free, so the next pass must look for others; or may find it needs less time.
  if (end === start || candidates.isLostNow) simulation.planHolds = 0;
  if (simulation.planHolds !== 0 && simulation.discipline === Discipline.Conservative) {
    // Where it can start at the same time elsewhere the allocator is to choose then.
    nextStarts.push(simulation, job, start, candidates.isTied ? ANY_SITE : at<i32>(columns.chosenSites, 0));
  }
}
