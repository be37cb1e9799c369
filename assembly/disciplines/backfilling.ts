import { Discipline, Topology } from '../abi';
import { Simulation } from '../state';
import { mostRoom } from '../allocators/lookAhead';
import * as columns from '../columns';
import { CHECKED, Invariant, check } from '../check';
import { predictedTimeOn } from '../grid/execution';
import { at, put } from '../memory';
import { startPlanned } from '../placement/planned';
import * as candidates from '../planning/candidates';
import * as nextStarts from '../planning/nextStarts';
import * as plan from '../planning/plan';
import * as predictions from '../planning/predictions';
import { select } from '../planning/selection';
import * as ranked from '../queue/ranked';
import * as record from '../record/events';
import { RECORDED, look } from '../record/log';
import * as plans from '../record/plans';

/**
 * Backfilling over the plan (Zhang et al. 2006, Algorithm 1): the queue is gone through in submit order; a
 * job whose best candidate begins now starts. Of the others conservative reserves all, EASY only the first.
 *
 * Nothing reserved outlives a pass by the rules. But where every waiting job has a reservation, only single
 * sites are candidates and nothing has come otherwise than predicted since the last pass, planning anew would
 * give the same reservations. For each job finds the plan of those before it, by induction the same as when
 * it was planned, and those behind it have since been placed beside its reservation. So its choice is still
 * to be had, and no other is better than it was, since processors have only been taken. So the plan goes on,
 * those whose time has come start, and only new jobs are planned.
 *
 * Not so under EASY: a job that is passed over because it had better wait for a fast site has nothing
 * reserved there. Once another has started on that site it may start elsewhere, at the next event of any
 * kind.
 */
export function pass(simulation: Simulation, queue: i32): void {
  const isOverdue = sweepSites(simulation, queue);
  if (isOverdue || simulation.planHolds === 0) {
    plan.begin(simulation);
    simulation.planned = 0;
    simulation.planReserved = 0;
    nextStarts.reset(simulation);
  } else {
    plan.advance(simulation);
    startThoseDue(simulation);
  }
  if (simulation.discipline === Discipline.Conservative) {
    plan.expect(simulation, ranked.queueAt(queue).waiting);
  }
  simulation.planHolds = i32(!isOverdue && canGoOn(simulation));
  planRest(simulation, queue);
}

/** Brings the predictions up to now of the sites that a queue is about; returns whether a job is overdue. */
function sweepSites(simulation: Simulation, queue: i32): bool {
  if (simulation.topology === Topology.Independent) return predictions.sweep(queue, simulation.now);
  let isOverdue = false;
  for (let site = 0; site < simulation.siteCount; site++) {
    isOverdue = predictions.sweep(site, simulation.now) || isOverdue;
  }
  return isOverdue;
}

/** Whether a plan may outlive its pass at all. */
function canGoOn(simulation: Simulation): bool {
  const isShared = simulation.topology === Topology.Shared;
  const reservesAll = simulation.discipline === Discipline.Conservative;
  return isShared && reservesAll && simulation.multiSiteFactor === 0 && simulation.interval === 0;
}

/** Starts the jobs whose reservations begin now. */
function startThoseDue(simulation: Simulation): void {
  while (nextStarts.soonest(simulation) <= simulation.now) {
    const job = nextStarts.pop(simulation);
    if (CHECKED) check(at<f64>(columns.plannedStarts, job) === simulation.now, Invariant.PlanOutdated);
    put<i32>(columns.chosenSites, 0, at<i32>(columns.plannedSites, job));
    put<i32>(columns.chosenShares, 0, at<i32>(columns.processors, job));
    startPlanned(simulation, job, 1, predictedTimeOn(simulation, job, columns.chosenSites, 1));
    ranked.leave(simulation, job);
  }
}

/** Plans the jobs of a queue that have not been. */
function planRest(simulation: Simulation, queue: i32): void {
  const end = at<i32>(columns.firstRanks, queue + 1);
  const first = simulation.planned < simulation.jobCount ? at<i32>(columns.rankOf, simulation.planned) : end;
  let rank = simulation.planned === 0 ? at<i32>(columns.firstRanks, queue) : first;
  for (let job = next(simulation, rank, end); job >= 0; job = next(simulation, rank, end)) {
    rank = at<i32>(columns.rankOf, job) + 1;
    planJob(simulation, job);
  }
  simulation.planned = simulation.next;
  if (RECORDED) record.passedOver(simulation, queue);
}

/** The next job from a rank on that is to be planned, or -1. */
@inline
function next(simulation: Simulation, rank: i32, end: i32): i32 {
  const onlyNow = simulation.discipline === Discipline.Easy && simulation.planReserved !== 0;
  return ranked.fromRankNotWider(simulation, rank, end, onlyNow ? widestNow(simulation) : i32.MAX_VALUE);
}

/** The widest job that could possibly start now. */
function widestNow(simulation: Simulation): i32 {
  if (simulation.multiSiteFactor > 0) return <i32>simulation.freeProcessors;
  return mostRoom(simulation, columns.slots);
}

/** A job starts now, or is reserved where the discipline says so. */
function planJob(simulation: Simulation, job: i32): void {
  if (RECORDED) look(simulation, job);
  select(simulation, job);
  const start = candidates.chosenStart;
  const end = start + candidates.chosenLength;
  if (start === simulation.now) {
    for (let place = 0; place < candidates.chosenCount; place++) {
      const site = at<i32>(columns.chosenSites, place);
      plan.occupy(site, at<i32>(columns.chosenShares, place), predictions.endSeenAt(simulation.now, end));
    }
    startPlanned(simulation, job, candidates.chosenCount, candidates.chosenLength);
    ranked.leave(simulation, job);
  } else if (simulation.discipline === Discipline.Conservative || simulation.planReserved === 0) {
    reserve(simulation, job, start, end);
  } else if (RECORDED) {
    plans.planned(simulation, job, start, end);
  }
}

function reserve(simulation: Simulation, job: i32, start: f64, end: f64): void {
  simulation.planReserved = 1;
  if (RECORDED) plans.reserved(simulation, job, start, end, candidates.chosenCount);
  if (end > start) {
    for (let place = 0; place < candidates.chosenCount; place++) {
      plan.reserve(at<i32>(columns.chosenSites, place), at<i32>(columns.chosenShares, place), start, end);
    }
  } else {
    // Nothing keeps its place free, so the next pass must look for another.
    simulation.planHolds = 0;
  }
  if (simulation.planHolds !== 0) {
    nextStarts.push(simulation, job, start, at<i32>(columns.chosenSites, 0));
  }
}
