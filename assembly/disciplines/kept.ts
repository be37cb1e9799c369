import { Option } from '../abi/abi';
import { Simulation } from '../memory/state';
import { WITHHELD_ANSWER } from '../allocators/own';
import * as safeSites from './safeSites';
import * as columns from '../memory/columns';
import { IS_CHECKED_BUILD, Invariant, Work, check, count } from '../memory/check';
import * as finishQueue from '../events/finishQueue';
import { predictedTimeOnOneSite } from '../grid/execution';
import {
  candidateAt,
  candidateCountOf,
  endSiteOfQueue,
  firstSiteOfQueue,
  freeProcessorsAt,
} from '../grid/sites';
import { at, put } from '../memory/memory';
import { preemptedJobCount } from '../placement/outages';
import { rejoinQueue } from '../placement/preemption';
import { startPlannedJobOnOneSite } from '../placement/start';
import { updatePredictions, OverdueCriterion, isAnyOverdue } from '../planning/predictions';
import { canSiteEverHold } from '../planning/candidates';
import * as plan from '../planning/plan';
import * as freeSteps from '../planning/freeSteps';
import * as keptPlan from '../planning/keptPlan';
import {
  DECLINED_MARK,
  MOVED_MARK,
  NO_SITE,
  endOf,
  keptQueueAt,
  reservedSiteOf,
  reservedStartOf,
} from '../planning/keptPlan';
import * as nextStarts from '../planning/nextStarts';
import * as agingKeys from '../queue/agingKeys';
import * as limits from '../placement/limits';
import * as priorityQueue from '../queue/priorityQueue';
import * as sequence from '../queue/sequence';
import * as record from '../record/allocations';
import { IS_RECORDING_BUILD, beginDecision, note as details, Note } from '../record/log';
import { isMainPass, PassKind } from './passTimes';
import { mayPassesChangeOrder } from '../memory/runKind';

/**
 * Conservative backfilling with compression (A. W. Mu'alem, D. G. Feitelson: Utilization, predictability,
 * workloads, and user runtime estimates in scheduling the IBM SP2 with backfilling, IEEE TPDS 12, 2001). A
 * job reserves the earliest start at its submission. When a job ends, the waiting jobs give back their
 * reservations one by one and take the earliest start, which is the same or earlier. In an instant,
 * submissions come first, then ends, then starts. If a job ends as predicted, and no job has found another
 * start since all last looked, compression would change nothing (unless a length was absorbed by rounding
 * then and is not now).
 *
 * If backfilling happens at intervals, reserved starts are times of such a pass, and only these passes move
 * reservations to earlier starts. The passes between them start jobs in queue order up to the first that does
 * not fit.
 *
 * A job that runs longer than predicted may take processors of reservations. The plan is then made again, and
 * reservations without room move behind the others.
 */

const NO_JOB: i32 = -1;

/** Prepares a queue for the first event of an instant. */
export function prepareQueueForInstant(simulation: Simulation, queue: i32): void {
  const keptQueue = keptQueueAt(queue);
  if (keptQueue.instant === simulation.now) return;
  keptQueue.instant = simulation.now;
  keptQueue.isStarting = false;
  agingKeys.markKeysDueForPass(simulation);
  if (updatePredictions(simulation, queue, OverdueCriterion.Before) || keptQueue.movedReservations > 0) {
    rebuildPlan(simulation, queue, 0, NO_JOB);
    return;
  }
  keptPlan.rebuildPlanIfInvalid(simulation);
  const end = endSiteOfQueue(simulation, queue);
  for (let site = firstSiteOfQueue(simulation, queue); site < end; site++) {
    freeSteps.removePastStepsIfWorthwhile(simulation, site, simulation.now);
  }
}

/** Reserves the earliest start for a job that has joined its queue. */
export function reserveForSubmittedJob(simulation: Simulation, job: i32): void {
  keptPlan.rebuildPlanIfInvalid(simulation);
  keptPlan.findEarliestStart(simulation, job, NO_SITE);
  addFoundReservation(simulation, job);
  storeFoundReservation(simulation, job, 0, NO_JOB);
  put<f64>(columns.promisedStarts, job, reservedStartOf(job));
}

/** Lets the waiting jobs of a queue move to earlier starts after the end of a job. */
export function compressReservationsAfterJobEnd(simulation: Simulation, queue: i32, job: i32): void {
  const keptQueue = keptQueueAt(queue);
  agingKeys.markKeysDueForPass(simulation);
  if (keptQueue.movedReservations > 0 || isAnyOverdue(simulation, queue)) {
    rebuildPlan(simulation, queue, Note.ByEnd, job);
    compressReservationsUnlessDeferred(simulation, queue, Note.ByEnd, job);
  } else if (keptQueue.isUnsettled || simulation.lengthAbsorbed !== 0) {
    compressReservationsUnlessDeferred(simulation, queue, Note.ByEnd, job);
  }
  if (simulation.releasedHeld !== 0) reserveForReleasedJobs(simulation, queue, Note.ByEnd, job);
}

/** Reserves, in queue order, for the jobs that no limit holds any more. */
function reserveForReleasedJobs(simulation: Simulation, queue: i32, causeKind: Note, cause: i32): void {
  keptPlan.rebuildPlanIfInvalid(simulation);
  let releasedJobCount = 0;
  for (; simulation.releasedHeld !== 0; releasedJobCount++) {
    const job = limits.takeReleasedJob(simulation);
    priorityQueue.showJobToSearch(simulation, job);
    put<i32>(columns.keptSites, job, DECLINED_MARK);
  }
  reserveForMarkedJobs(simulation, queue, releasedJobCount, causeKind, cause);
}

/**
 * Reserves, in queue order, for `jobCount` jobs that have joined the queue again and are marked as declined.
 */
function reserveForMarkedJobs(
  simulation: Simulation,
  queue: i32,
  jobCount: i32,
  causeKind: Note,
  cause: i32,
): void {
  agingKeys.markKeysDueForPass(simulation);
  sortQueueIfOrderChanges(simulation, queue);
  let rank = at<i32>(columns.firstRanks, queue);
  for (; jobCount > 0; rank++) {
    rank = priorityQueue.nextRank(simulation, rank);
    const job = at<i32>(columns.jobAt, rank);
    if (at<i32>(columns.keptSites, job) !== DECLINED_MARK) continue;
    jobCount--;
    put<i32>(columns.keptSites, job, 0);
    keptPlan.findEarliestStart(simulation, job, NO_SITE);
    addFoundReservation(simulation, job);
    storeFoundReservation(simulation, job, causeKind, cause);
  }
}

/**
 * Makes reservations of a queue fit the processors of a site after a capacity change, reserves again for the
 * preempted jobs, and lets the others move to earlier starts.
 */
export function adjustPlanToCapacityChange(simulation: Simulation, queue: i32, site: i32): void {
  agingKeys.markKeysDueForPass(simulation);
  rebuildPlan(simulation, queue, Note.ByCapacity, site);
  for (let index = 0; index < preemptedJobCount; index++) {
    const job = at<i32>(columns.preemptedJobs, index);
    rejoinQueue(simulation, job, site);
    put<i32>(columns.keptSites, job, DECLINED_MARK);
  }
  reserveForMarkedJobs(simulation, queue, preemptedJobCount, Note.ByCapacity, site);
  compressReservationsUnlessDeferred(simulation, queue, Note.ByCapacity, site);
  if (simulation.releasedHeld !== 0) reserveForReleasedJobs(simulation, queue, Note.ByCapacity, site);
}

/**
 * Makes reservations fit outages or predicted ends that the host has changed, and lets jobs move to earlier
 * starts; `cause` is the site or job.
 */
export function adjustReservationsAfterChange(simulation: Simulation, causeKind: Note, cause: i32): void {
  const keptQueue = keptQueueAt(0);
  if (keptQueue.instant !== simulation.now) {
    keptQueue.instant = simulation.now;
    keptQueue.isStarting = false;
  }
  updatePredictions(simulation, 0, keptQueue.isStarting ? OverdueCriterion.Until : OverdueCriterion.Before);
  agingKeys.markKeysDueForPass(simulation);
  rebuildPlan(simulation, 0, causeKind, cause);
  compressReservationsUnlessDeferred(simulation, 0, causeKind, cause);
}

/**
 * Plans for the jobs that wait when a run begins. Those without a reservation, or with one that is over, have
 * lost it.
 */
export function planInitialQueue(simulation: Simulation): void {
  const keptQueue = keptQueueAt(0);
  keptQueue.instant = simulation.now;
  agingKeys.markKeysDueForPass(simulation);
  let rank = priorityQueue.nextRank(simulation, 0);
  for (; rank < simulation.jobCount; rank = priorityQueue.nextRank(simulation, rank + 1)) {
    const job = at<i32>(columns.jobAt, rank);
    const isReservationMoved = (at<i32>(columns.keptSites, job) & MOVED_MARK) !== 0;
    if (!isReservationMoved && reservedStartOf(job) < simulation.now) {
      markReservationMoved(simulation, job, MOVED_MARK);
    }
  }
  updatePredictions(simulation, 0, OverdueCriterion.Before);
  rebuildPlan(simulation, 0, 0, NO_JOB);
  rank = priorityQueue.nextRank(simulation, 0);
  for (; rank < simulation.jobCount; rank = priorityQueue.nextRank(simulation, rank + 1)) {
    const job = at<i32>(columns.jobAt, rank);
    put<f64>(columns.promisedStarts, job, reservedStartOf(job));
  }
}

/**
 * Cancels the reservation of a job that would exceed a limit of its user or group at the reserved start; the
 * limit then holds the job.
 */
function giveUpReservation(simulation: Simulation, queue: i32, job: i32): void {
  nextStarts.removeStart(simulation, job);
  removeReservation(simulation, job);
  clearReservation(queue, job);
  limits.hold(simulation, job);
}

/** Clears the entries of a job without a reservation, so that equal states have equal bytes. */
function clearReservation(queue: i32, job: i32): void {
  if ((at<i32>(columns.keptSites, job) & MOVED_MARK) !== 0) keptQueueAt(queue).movedReservations--;
  put<f64>(columns.keptStarts, job, 0);
  put<i32>(columns.keptSites, job, 0);
}

/** Removes a job that is cancelled from its queue, and lets the other jobs move to earlier starts. */
export function giveUpReservationOfCancelledJob(simulation: Simulation, queue: i32, job: i32): void {
  const keptQueue = keptQueueAt(queue);
  keptPlan.rebuildPlanIfInvalid(simulation);
  removeReservation(simulation, job);
  nextStarts.removeStart(simulation, job);
  clearReservation(queue, job);
  priorityQueue.removeJob(simulation, job);
  if (keptQueue.movedReservations > 0 || isAnyOverdue(simulation, queue)) {
    rebuildPlan(simulation, queue, Note.ByCancellation, job);
  }
  compressReservationsUnlessDeferred(simulation, queue, Note.ByCancellation, job);
}

/**
 * Starts the jobs of a queue whose time has come, from the one at which the pass stopped; -1 for all. A main
 * pass starts jobs in queue order up to the first that does not fit beside all other reservations. A backfill
 * pass first lets the waiting jobs move to earlier starts.
 */
export function runKeptPass(simulation: Simulation, queue: i32, firstJob: i32): void {
  const keptQueue = keptQueueAt(queue);
  const isFullPass = simulation.passKind === PassKind.Full;
  if (firstJob < 0) {
    if (keptQueue.instant !== simulation.now) {
      if (isFullPass && nextJobWithReservationNow(simulation, queue) < 0) return;
      prepareQueueForInstant(simulation, queue);
    }
    if (!keptQueue.isStarting) {
      keptQueue.isStarting = true;
      if (updatePredictions(simulation, queue, OverdueCriterion.Until) || keptQueue.movedReservations > 0)
        rebuildPlan(simulation, queue, 0, NO_JOB);
    }
    const mayMoveReservations = keptQueue.isUnsettled || simulation.lengthAbsorbed !== 0;
    if (mayMoveReservations && simulation.passKind === PassKind.Backfill)
      compressReservations(simulation, queue, 0, NO_JOB);
    if (!IS_RECORDING_BUILD && !isMainPass(simulation) && keptPlan.soonest(simulation) > simulation.now)
      return;
  }
  keptPlan.rebuildPlanIfInvalid(simulation);
  // With bounds of keys, the next job of a full or backfill pass is found by its key instead.
  if (simulation.boundsKeys === 0 || isMainPass(simulation)) sortQueueIfOrderChanges(simulation, queue);
  let job = firstJob < 0 ? nextJobToStart(simulation, queue, NO_JOB) : firstJob;
  for (; job >= 0; job = nextJobToStart(simulation, queue, job)) {
    if (simulation.limits !== 0 && limits.isJobOverLimit(job)) {
      giveUpReservation(simulation, queue, job);
      continue;
    }
    start(simulation, queue, job);
    if (simulation.decisionJob >= 0) return;
    if (isFullPass && finishQueue.soonestFinishTime(simulation) <= simulation.now) {
      // The started job has already ended (its execution time is 0); its end comes before the next start.
      simulation.passIsDue = 1;
      simulation.passTime = simulation.now;
      return;
    }
  }
  if (IS_RECORDING_BUILD) record.notePassedOverJobs(simulation, queue);
}

/** Moves the reservation of a job to now, if the job fits beside all others; returns false if it does not. */
function moveReservationToNow(simulation: Simulation, job: i32): bool {
  keptPlan.findEarliestStart(simulation, job, reservedSiteOf(job), true);
  if (keptPlan.foundStart > simulation.now) return false;
  const movedMark = at<i32>(columns.keptSites, job) & MOVED_MARK;
  removeReservation(simulation, job);
  addFoundReservation(simulation, job);
  put<f64>(columns.keptStarts, job, simulation.now);
  put<i32>(columns.keptSites, job, keptPlan.foundSite | movedMark);
  return true;
}

/** True if a job could start on a site now without delaying the reservation of another job. */
export function canStartSafelyOnSite(simulation: Simulation, job: i32, site: i32): bool {
  if (site === reservedSiteOf(job)) return true;
  if (!canSiteEverHold(site, at<i32>(columns.processors, job))) return false;
  const end = endOf(simulation.now, predictedTimeOnOneSite(simulation, job, site));
  return plan.leastFreeProcessorsBetween(site, simulation.now, end) >= at<i32>(columns.processors, job);
}

/** Next job behind another one, or NO_JOB, that the current pass of a queue starts; -1 if none. */
function nextJobToStart(simulation: Simulation, queue: i32, previousJob: i32): i32 {
  if (!isMainPass(simulation)) return nextJobWithReservationNow(simulation, queue);
  const end = at<i32>(columns.firstRanks, queue + 1);
  let rank = previousJob < 0 ? at<i32>(columns.firstRanks, queue) : at<i32>(columns.rankOf, previousJob) + 1;
  for (; (rank = priorityQueue.nextRank(simulation, rank)) < end; rank++) {
    const job = at<i32>(columns.jobAt, rank);
    if ((at<i32>(columns.keptSites, job) & DECLINED_MARK) !== 0) continue;
    if (simulation.limits !== 0 && limits.isJobOverLimit(job)) continue;
    return reservedStartOf(job) <= simulation.now || moveReservationToNow(simulation, job) ? job : NO_JOB;
  }
  return NO_JOB;
}

/** Next job of a queue whose reserved start is now; -1 if none. */
function nextJobWithReservationNow(simulation: Simulation, queue: i32): i32 {
  if (keptPlan.soonest(simulation) > simulation.now) return -1;
  const job = simulation.boundsKeys === 0 ? nextStarts.firstJob() : nextStarts.firstJobByKeys(simulation);
  return priorityQueue.queueOfJob(simulation, job) === queue ? job : -1;
}

/** Sorts a queue whose order changes with time. */
function sortQueueIfOrderChanges(simulation: Simulation, queue: i32): void {
  if (!mayPassesChangeOrder(simulation) || priorityQueue.queueAt(queue).waitingJobs === 0) return;
  sequence.sortQueue(simulation, queue);
  if (simulation.boundsKeys === 0) keptPlan.listNextStarts(simulation);
}

/** Adds the reservation that was found for a job to the plan. */
function addFoundReservation(simulation: Simulation, job: i32): void {
  keptPlan.addReservationToPlan(
    simulation,
    job,
    keptPlan.foundSite,
    keptPlan.foundStart,
    keptPlan.foundRuntime,
  );
}

/**
 * Stores the reservation that was found for a job; the plan already contains it. `cause` is the job or site
 * whose event led to it, -1: none.
 */
function storeFoundReservation(simulation: Simulation, job: i32, causeKind: Note, cause: i32): void {
  const start = keptPlan.foundStart;
  const site = keptPlan.foundSite;
  put<f64>(columns.keptStarts, job, start);
  put<i32>(columns.keptSites, job, site);
  nextStarts.moveStartEarlier(simulation, job, start, site);
  if (IS_RECORDING_BUILD) recordReservationOfJob(simulation, job, causeKind, cause);
}

/** Records a job's reservation, and the cause of its change, for explanations. */
function recordReservationOfJob(simulation: Simulation, job: i32, causeKind: Note, cause: i32): void {
  const site = reservedSiteOf(job);
  const start = reservedStartOf(job);
  put<i32>(columns.chosenSites, 0, site);
  put<i32>(columns.chosenShares, 0, at<i32>(columns.processors, job));
  const end = start + predictedTimeOnOneSite(simulation, job, site);
  const isReservationMoved = (at<i32>(columns.keptSites, job) & MOVED_MARK) !== 0;
  record.noteKeptReservation(job, simulation.now, start, end, isReservationMoved, causeKind, cause);
}

/** Removes a job's reservation from the plan. */
function removeReservation(simulation: Simulation, job: i32): void {
  const end = keptPlan.reservedEndOf(simulation, job);
  const processors = at<i32>(columns.processors, job);
  keptPlan.releasePeriod(simulation, reservedSiteOf(job), processors, reservedStartOf(job), end);
}

/** Compresses the reservations, unless the next backfill pass does. */
function compressReservationsUnlessDeferred(
  simulation: Simulation,
  queue: i32,
  causeKind: Note,
  cause: i32,
): void {
  if (columns.optionOfRun(Option.BackfillInterval) > 0) keptQueueAt(queue).isUnsettled = true;
  else compressReservations(simulation, queue, causeKind, cause);
}

/**
 * Compresses the reservations: every job that does not start now gives back its own and takes the earliest
 * start, one by one.
 */
function compressReservations(simulation: Simulation, queue: i32, causeKind: Note, cause: i32): void {
  sortQueueIfOrderChanges(simulation, queue);
  keptPlan.rebuildPlanIfInvalid(simulation);
  const keptQueue = keptQueueAt(queue);
  keptQueue.isUnsettled = false;
  keptPlan.beginCompression(simulation, queue);
  const end = at<i32>(columns.firstRanks, queue + 1);
  let rank = priorityQueue.nextRank(simulation, at<i32>(columns.firstRanks, queue));
  for (; rank < end; rank = priorityQueue.nextRank(simulation, rank + 1)) {
    const job = at<i32>(columns.jobAt, rank);
    if (reservedStartOf(job) <= simulation.now) continue;
    const site = reservedSiteOf(job);
    keptPlan.findEarliestStart(simulation, job, site);
    if (at<i32>(columns.keptSites, job) !== site) {
      keptQueue.movedReservations--;
      put<i32>(columns.keptSites, job, site);
      nextStarts.pushStart(simulation, job, reservedStartOf(job), site);
      if (IS_RECORDING_BUILD && keptPlan.foundStart === reservedStartOf(job))
        recordReservationOfJob(simulation, job, causeKind, cause);
    }
    if (keptPlan.foundStart === reservedStartOf(job) && keptPlan.foundSite === site) continue;
    if (IS_CHECKED_BUILD) check(keptPlan.foundStart <= reservedStartOf(job), Invariant.PlanOutdated);
    count(Work.Moves);
    if (keptPlan.foundSite === site) {
      keptPlan.moveReservationEarlier(simulation, job, keptPlan.foundRuntime);
    } else {
      removeReservation(simulation, job);
      addFoundReservation(simulation, job);
    }
    storeFoundReservation(simulation, job, causeKind, cause);
  }
}

/**
 * Makes the plan again: running jobs, then reservations in order of their starts. Reservations without room
 * are marked as moved, and placed last, in queue order at their earliest starts. `cause` is the job or site
 * whose event led to it, -1: none.
 */
function rebuildPlan(simulation: Simulation, queue: i32, causeKind: Note, cause: i32): void {
  const keptQueue = keptQueueAt(queue);
  const begin = priorityQueue.nextRank(simulation, at<i32>(columns.firstRanks, queue));
  const end = at<i32>(columns.firstRanks, queue + 1);
  if (mayPassesChangeOrder(simulation) && begin < end) sequence.sortQueue(simulation, queue);
  keptPlan.beginPlan(simulation);
  nextStarts.clearStarts(simulation);
  let rank = priorityQueue.nextRank(simulation, 0);
  for (; rank < simulation.jobCount; rank = priorityQueue.nextRank(simulation, rank + 1)) {
    const job = at<i32>(columns.jobAt, rank);
    if (rank < begin || rank >= end) keptPlan.addReservation(simulation, job);
    else if ((at<i32>(columns.keptSites, job) & MOVED_MARK) === 0)
      keptPlan.listNextStartOfJob(simulation, job);
  }
  while (nextStarts.soonestStart(simulation) < Infinity) {
    const job = nextStarts.popStart(simulation);
    const site = reservedSiteOf(job);
    const reservedEnd = keptPlan.reservedEndOf(simulation, job);
    const hasEnoughProcessors =
      plan.leastFreeProcessorsBetween(site, reservedStartOf(job), reservedEnd) >=
      at<i32>(columns.processors, job);
    if (
      hasEnoughProcessors &&
      keptPlan.earliestReservationBegin(simulation, job, reservedStartOf(job)) === reservedStartOf(job)
    ) {
      keptPlan.addReservation(simulation, job);
    } else {
      markReservationMoved(simulation, job, MOVED_MARK);
    }
  }
  for (
    rank = begin;
    rank < end && keptQueue.movedReservations > 0;
    rank = priorityQueue.nextRank(simulation, rank + 1)
  ) {
    const job = at<i32>(columns.jobAt, rank);
    if ((at<i32>(columns.keptSites, job) & MOVED_MARK) === 0) continue;
    keptPlan.findEarliestStart(simulation, job, NO_SITE);
    put<f64>(columns.keptStarts, job, keptPlan.foundStart);
    put<i32>(columns.keptSites, job, keptPlan.foundSite | MOVED_MARK);
    keptPlan.addReservation(simulation, job);
    if (IS_RECORDING_BUILD) recordReservationOfJob(simulation, job, causeKind, cause);
  }
  keptQueue.isUnsettled = true;
  keptPlan.listNextStarts(simulation);
}

/** Marks a reservation as moved, if it is not. */
function markReservationMoved(simulation: Simulation, job: i32, markBits: i32): void {
  const site = at<i32>(columns.keptSites, job);
  if ((site & MOVED_MARK) === 0) {
    simulation.movedReservations++;
    keptQueueAt(priorityQueue.queueOfJob(simulation, job)).movedReservations++;
  }
  put<i32>(columns.keptSites, job, site | markBits);
}

/** Starts a job on its reserved site or, with an allocator, on the site that the allocator chooses. */
function start(simulation: Simulation, queue: i32, job: i32): void {
  const reservedSite = reservedSiteOf(job);
  let site = reservedSite;
  if (IS_RECORDING_BUILD) beginDecision(simulation, job);
  if (safeSites.hasSafeChoice(simulation)) {
    site = chooseSafeSite(simulation, job);
    if (simulation.decisionJob >= 0) return;
    if (site === WITHHELD_ANSWER) {
      nextStarts.removeStart(simulation, job);
      markReservationMoved(simulation, job, MOVED_MARK | DECLINED_MARK);
      if (IS_RECORDING_BUILD) recordReservationOfJob(simulation, job, Note.ByPolicy, NO_JOB);
      return;
    }
  }
  nextStarts.removeStart(simulation, job);
  const predictedRuntime = predictedTimeOnOneSite(simulation, job, site);
  if (IS_RECORDING_BUILD && !safeSites.hasSafeChoice(simulation)) {
    details(Note.Candidate, simulation.now, simulation.now + predictedRuntime, 1);
    details(Note.Share, <f64>site, <f64>at<i32>(columns.processors, job));
  }
  if (site !== reservedSite) {
    removeReservation(simulation, job);
    keptPlan.addReservationToPlan(simulation, job, site, simulation.now, predictedRuntime);
  }
  clearReservation(queue, job);
  startPlannedJobOnOneSite(simulation, job, site, endOf(simulation.now, predictedRuntime) - simulation.now);
  priorityQueue.removeJob(simulation, job);
  if (site !== reservedSite && !isMainPass(simulation))
    compressReservations(simulation, queue, Note.ByStart, job);
}

/** The allocator's choice among the sites on which the job delays no other. */
function chooseSafeSite(simulation: Simulation, job: i32): i32 {
  safeSites.markAllCandidatesSafe(simulation, job);
  for (let index = candidateCountOf(simulation, job) - 1; index >= 0; index--) {
    const site = candidateAt(simulation, job, index);
    if (freeProcessorsAt(site) < at<i32>(columns.processors, job)) continue;
    if (!canStartSafelyOnSite(simulation, job, site)) safeSites.markSiteUnsafe(simulation, job, site);
  }
  return safeSites.chooseAmongSafeSites(simulation, job);
}
