import { Discipline, Option, Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { reorders } from '../memory/runKind';
import * as capacityChanges from '../events/capacityChanges';
import * as finishQueue from '../events/finishQueue';
import { freeAt } from '../grid/sites';
import { at } from '../memory/memory';
import * as keptPlan from '../planning/keptPlan';
import { passCountUntil, passInterval, timeOfPass } from '../planning/passGrid';
import * as predictedEnds from '../planning/predictedEnds';
import * as predictions from '../planning/predictions';
import { Queue, areAllWider, queueAt, queueOf, queuesOf } from '../queue/priorityQueue';
import { RECORDED } from '../record/log';
import { widestPossibleStart } from './withoutReservations';

/**
 * Times of passes that do not follow each event.
 *
 * With an `Interval`, all passes of a queue come at its first submission + k * interval, as long as jobs wait
 * in it. Independent sites thus have passes of their own.
 *
 * Otherwise events ask for a pass, in their instant or after a delay. With a `BackfillInterval` that pass
 * starts jobs only up to the first that does not fit (main pass), and others, at the first submission +
 * offset + k * interval, do what the discipline does (backfill pass). The main pass of an instant comes
 * first. Kept reservations begin at times of backfill passes. Independent sites have these passes each for
 * itself; `passTime` is then the soonest of all sites.
 */

/** Kinds of scheduling passes. */
export enum PassKind {
  /** Every step of the discipline: starts, reservations and backfilling. */
  Full = 0,
  /** Starts jobs up to the first that does not fit. */
  Main = 1,
  /** Every step of the discipline, at a time of the backfill interval. */
  Backfill = 2,
}

/** Period in which no backfill pass can start a job. */
enum RestPeriod {
  None = 0,
  /** No start is possible until an event, or until a running job passes its predicted end. */
  UntilOverdue = 1,
  UntilEvent = 2,
}

/** True if the pass starts jobs only up to the first that does not fit. */
@inline
export function isMainPass(simulation: Simulation): bool {
  return simulation.passKind === PassKind.Main;
}

/** True if a submission causes a pass in its instant. */
@inline
export function isSubmitPassImmediate(): bool {
  return columns.taken(Option.PassGap) === 0 && columns.taken(Option.SubmitPassDelay) === 0;
}

/** True if each queue has passes of its own that its events ask for. */
@inline
export function hasPassesBySite(simulation: Simulation): bool {
  return simulation.topology === Topology.Independent && simulation.timesPasses !== 0;
}

/**
 * Clears the times of passes and finds the first and the last known job of each queue, for passes at
 * intervals.
 */
export function reset(simulation: Simulation): void {
  simulation.newJob = 0;
  simulation.lastPass = -Infinity;
  if (hasPassesBySite(simulation)) {
    for (let index = queuesOf(simulation) - 1; index >= 0; index--) {
      queueAt(index).requestedPass = Infinity;
      queueAt(index).lastPass = -Infinity;
      queueAt(index).isPassRequested = 0;
      queueAt(index).restPeriod = RestPeriod.None;
    }
  }
  if (passInterval() === 0) return;
  for (let index = queuesOf(simulation) - 1; index >= 0; index--) {
    const queue = queueAt(index);
    queue.firstJob = -1;
    queue.passCount = 0;
    queue.hasChanged = 1;
    clearNextPass(queue);
  }
  noteQueueJobs(simulation, 0, simulation.knownJobs);
}

/** Adds the jobs [from, end) to the first and last jobs of their queues. */
export function noteQueueJobs(simulation: Simulation, from: i32, end: i32): void {
  if (passInterval() === 0) return;
  for (let job = from; job < end; job++) {
    const queue = queueAt(queueOf(simulation, job));
    if (queue.firstJob < 0) queue.firstJob = job;
    queue.lastJob = job;
  }
}

/** Asks for a pass after a job has joined its queue, unless a main pass of this instant can start no job. */
export function requestPassAfterSubmit(simulation: Simulation, job: i32): void {
  const hasBackfill = columns.taken(Option.BackfillInterval) > 0 && !RECORDED;
  const queue = hasBackfill || hasPassesBySite(simulation) ? queueOf(simulation, job) : 0;
  const restBefore = hasBackfill ? restOfQueue(simulation, queue) : RestPeriod.None;
  const rest = hasBackfill ? restAfterSubmit(simulation, queue, job) : RestPeriod.None;
  const isOnlyChange = hasBackfill
    ? restBefore !== RestPeriod.None && rest === RestPeriod.None
    : simulation.passIsDue === 0;
  if (hasBackfill && areMainPassesImmediate() && isHeadTooWide(simulation, queue)) {
    queueAt(queue).arrivingJob = -1;
    queueAt(queue).hasChanged = 1;
  } else {
    requestPass(simulation, queue, Option.SubmitPassDelay);
  }
  if (hasBackfill) setRest(simulation, queue, rest);
  if (isOnlyChange) simulation.newJob = job + 1;
}

/**
 * Takes the only waiting job that the pass of a queue must try, if there is one: it has joined since no other
 * could start, and each that starts is on one site; -1 if others must be tried, too.
 */
export function takeNewJob(simulation: Simulation): i32 {
  const job = simulation.newJob - 1;
  simulation.newJob = 0;
  if (job < 0 || RECORDED || simulation.siteCount > 1 || simulation.passKind === PassKind.Main) return -1;
  if (columns.taken(Option.Interval) > 0 || simulation.plansByNodes !== 0) return -1;
  if (simulation.keepsReservations !== 0 || simulation.moldable !== 0) return -1;
  if (simulation.asksHost !== 0 || simulation.hasDeclined !== 0 || reorders(simulation)) return -1;
  return job;
}

/**
 * True if the main pass of this instant would try the job that is just submitted and no other: its queue is
 * empty, and no other job is submitted now. Ends come before submissions.
 */
export function isOnlyJob(simulation: Simulation): bool {
  if (columns.taken(Option.BackfillInterval) === 0 || RECORDED || simulation.waitingJobs > 0) return false;
  if (simulation.passIsDue !== 0 || !areMainPassesImmediate() || reorders(simulation)) return false;
  if (simulation.plansByNodes !== 0 || simulation.asksHost !== 0) return false;
  if (simulation.hasDependencies !== 0 || simulation.hasCancellations !== 0) return false;
  if (simulation.outages !== 0) return false;
  return at<f64>(columns.submits, simulation.next) > simulation.now;
}

/**
 * True if the pass of an event may be made at once, as without deferred passes, whenever nothing else happens
 * in its instant.
 */
export function mayPassAtOnce(simulation: Simulation): bool {
  if (RECORDED || passInterval() > 0 || simulation.keepsReservations !== 0) return false;
  // Moldable jobs may start later on fewer processors without any change.
  if (simulation.topology === Topology.Independent || simulation.moldable !== 0) return false;
  if (simulation.asksHost !== 0 || simulation.hasDependencies !== 0) return false;
  return simulation.hasCancellations === 0 && simulation.outages === 0;
}

/**
 * True if the pass of an event, whose delay an option gives, is due now and no other event is part of it; it
 * then counts as made.
 */
export function takePass(simulation: Simulation, delayOption: Option): bool {
  const now = simulation.now;
  if (simulation.passIsDue !== 0 || at<f64>(columns.submits, simulation.next) <= now) return false;
  if (finishQueue.soonestTime(simulation) <= now || columns.taken(delayOption) > 0) return false;
  const gap = columns.taken(Option.PassGap);
  if (simulation.lastPass + gap > now) return false;
  // With gaps, no job counts as having found its queue empty, which allocators of several sites look at.
  const mayFindQueueEmpty = simulation.waitingJobs === 0 || simulation.topology !== Topology.Shared;
  if (delayOption === Option.SubmitPassDelay && gap > 0 && simulation.siteCount > 1 && mayFindQueueEmpty)
    return false;
  simulation.lastPass = now;
  return true;
}

/**
 * Asks for a pass after the end or cancellation of a job of a queue, or a capacity change of its site, unless
 * a main pass of now can start no job.
 */
export function requestPassAfterEnd(simulation: Simulation, queue: i32): void {
  const hasBackfill = columns.taken(Option.BackfillInterval) > 0 && !RECORDED;
  if (
    hasBackfill &&
    areMainPassesImmediate() &&
    (queueAt(queue).waitingJobs === 0 || isHeadTooWide(simulation, queue))
  ) {
    queueAt(queue).hasChanged = 1;
  } else {
    requestPass(simulation, queue, Option.EndPassDelay);
  }
  if (hasBackfill) setRest(simulation, queue, restAfterEvent(simulation, queue));
}

/** Rest period after the submission of a job. */
function restAfterSubmit(simulation: Simulation, queue: i32, job: i32): RestPeriod {
  if (keepsRest(simulation, queue, job)) return restOfQueue(simulation, queue);
  return restAfterEvent(simulation, queue);
}

/** Rest period after an event: until the next one if all waiting jobs are too wide. */
function restAfterEvent(simulation: Simulation, queue: i32): RestPeriod {
  return areAllTooWide(simulation, queue) ? RestPeriod.UntilEvent : RestPeriod.None;
}

/**
 * True if a rest period stays after the submission of a job: the job is too wide for what is free, and either
 * no other job fits either, or the job is behind the only reservation of EASY.
 */
function keepsRest(simulation: Simulation, queue: i32, job: i32): bool {
  const rest = restOfQueue(simulation, queue);
  if (rest === RestPeriod.None) return false;
  if (simulation.keepsReservations !== 0) return simulation.lengthAbsorbed === 0;
  if (at<i32>(columns.processors, job) <= widestStart(simulation, queue)) return false;
  if (rest === RestPeriod.UntilEvent) return true;
  const isOnOneSite = simulation.siteCount === 1 || hasPassesBySite(simulation);
  if (simulation.discipline !== Discipline.Easy || !isOnOneSite) return false;
  return simulation.reservationDepth === 1 && queueAt(queue).head !== job;
}

/** True if every event has its main pass in its instant. */
@inline
function areMainPassesImmediate(): bool {
  return isSubmitPassImmediate() && columns.taken(Option.EndPassDelay) === 0;
}

/** Records that a job has started without a pass. */
@inline
export function noteStartWithoutPass(simulation: Simulation): void {
  setRest(simulation, 0, RestPeriod.None);
}

/** Asks for a pass of the only queue after corrections by the host. */
export function requestPassForHost(simulation: Simulation): void {
  requestPass(simulation, 0, Option.EndPassDelay);
}

/** Asks for a pass of a queue after a submission or an end; an earlier one that is due stays. */
function requestPass(simulation: Simulation, queue: i32, delayOption: Option): void {
  const time = hasPassesBySite(simulation)
    ? requestPassOnSite(simulation, queueAt(queue), delayOption)
    : simulation.timesPasses !== 0
      ? earliestPassTime(simulation, delayOption)
      : simulation.now;
  if (simulation.passIsDue === 0 || time < simulation.passTime) simulation.passTime = time;
  simulation.passIsDue = 1;
  simulation.backfillRests = RestPeriod.None;
  simulation.newJob = 0;
  if (simulation.plansByNodes !== 0) queueAt(queue).hasChanged = 1;
}

/** Earliest time of a pass after an event of now, with its delay. */
function earliestPassTime(simulation: Simulation, delayOption: Option): f64 {
  const time = simulation.now + columns.taken(delayOption);
  return max<f64>(time, simulation.lastPass + columns.taken(Option.PassGap));
}

/** Asks for a pass of an independent site; returns its time. */
function requestPassOnSite(simulation: Simulation, queue: Queue, delayOption: Option): f64 {
  const time = max<f64>(
    simulation.now + columns.taken(delayOption),
    queue.lastPass + columns.taken(Option.PassGap),
  );
  queue.requestedPass = min<f64>(queue.requestedPass, time);
  queue.restPeriod = RestPeriod.None;
  return queue.requestedPass;
}

/** Begins the passes of the independent sites that are due at a time. */
function beginPassesOnSites(simulation: Simulation, time: f64): void {
  let nextTime: f64 = Infinity;
  for (let index = queuesOf(simulation) - 1; index >= 0; index--) {
    const queue = queueAt(index);
    queue.isPassRequested = i32(queue.requestedPass <= time);
    if (queue.isPassRequested !== 0) {
      queue.requestedPass = Infinity;
      queue.lastPass = time;
    }
    nextTime = min<f64>(nextTime, queue.requestedPass);
  }
  simulation.passTime = nextTime;
  simulation.passIsDue = i32(nextTime < Infinity);
}

/**
 * Begins the pass that is due at a time: sets the clock and the kind of pass. A main pass that is due comes
 * before a backfill pass.
 */
export function begin(simulation: Simulation, time: f64): void {
  simulation.now = time;
  simulation.passKind = PassKind.Full;
  if (columns.taken(Option.BackfillInterval) > 0) {
    const isMain = simulation.passIsDue !== 0 && simulation.passTime <= time;
    simulation.passKind = isMain ? PassKind.Main : PassKind.Backfill;
    simulation.waitingBefore = simulation.waitingJobs;
    if (hasPassesBySite(simulation)) {
      for (let index = queuesOf(simulation) - 1; index >= 0; index--) {
        queueAt(index).waitingBefore = queueAt(index).waitingJobs;
      }
    }
    if (!isMain) return;
  }
  if (hasPassesBySite(simulation)) {
    beginPassesOnSites(simulation, time);
    return;
  }
  simulation.passIsDue = 0;
  simulation.lastPass = time;
}

/** Time in seconds of the next backfill pass of any queue before `limit`; +infinity if none. */
export function nextBackfillPass(simulation: Simulation, limit: f64): f64 {
  if (simulation.waitingJobs === 0 || simulation.backfillRests === RestPeriod.UntilEvent) return Infinity;
  const from = simulation.backfillRests === RestPeriod.None ? simulation.now : endOfRestPeriod(simulation);
  return from < limit ? nextPassOfQueues(simulation, from) : Infinity;
}

/**
 * Time in seconds of the next pass at intervals (not requested by an event), from a time on, of any queue;
 * +infinity if none.
 */
export function nextPassOfQueues(simulation: Simulation, from: f64): f64 {
  const isBackfill = columns.taken(Option.BackfillInterval) > 0;
  let time: f64 = Infinity;
  for (let index = queuesOf(simulation) - 1; index >= 0; index--) {
    const queue = queueAt(index);
    const isUnchanged = isBackfill && simulation.plansByNodes !== 0 && queue.hasChanged === 0;
    const hasNoPass = isUnchanged || queue.waitingJobs === 0 || hasHostDeclinedAll(simulation, index);
    if (isBackfill && hasPassesBySite(simulation)) from = endOfRestOnSite(simulation, index);
    if (hasNoPass || from === Infinity) clearNextPass(queue);
    else if (!(queue.nextPassFrom <= from && from <= queue.nextPass)) findNextPass(queue, from);
    time = min<f64>(time, queue.nextPass);
  }
  return time;
}

/**
 * Time in seconds from which on a backfill pass may start a job, in a rest period until a job is overdue;
 * +infinity: not before the next event.
 */
function endOfRestPeriod(simulation: Simulation): f64 {
  return min<f64>(nextPredictedEnd(simulation), nextKeptChange(simulation, 0));
}

/**
 * Time in seconds from which on a backfill pass of an independent site may start a job; +infinity: not before
 * the next event.
 */
function endOfRestOnSite(simulation: Simulation, index: i32): f64 {
  const restPeriod = queueAt(index).restPeriod;
  if (restPeriod === RestPeriod.None) return simulation.now;
  if (restPeriod === RestPeriod.UntilEvent || simulation.hasPredictions === 0) return Infinity;
  return max<f64>(min<f64>(predictedEnds.soonest(index), nextKeptChange(simulation, index)), simulation.now);
}

/**
 * Time in seconds from which on a backfill pass may start or move a job of a queue with a kept reservation;
 * +infinity: after an event.
 */
function nextKeptChange(simulation: Simulation, queue: i32): f64 {
  if (simulation.keepsReservations === 0) return Infinity;
  const state = keptPlan.keptQueueAt(queue);
  return state.isUnsettled || state.movedReservations > 0 ? simulation.now : keptPlan.soonest(simulation);
}

/** Time of the first predicted end of a running job, not before now; +infinity if ends are not predicted. */
function nextPredictedEnd(simulation: Simulation): f64 {
  let time: f64 = Infinity;
  for (let site = 0; simulation.hasPredictions !== 0 && site < simulation.siteCount; site++) {
    time = min<f64>(time, predictedEnds.soonest(site));
  }
  return max<f64>(time, simulation.now);
}

/** Largest number of intervals that have passed in any queue. */
export function mostPastPasses(simulation: Simulation): f64 {
  let passes: f64 = 0;
  for (let index = queuesOf(simulation) - 1; index >= 0; index--) {
    passes = max<f64>(passes, queueAt(index).passCount);
  }
  return passes;
}

/**
 * True if the host has let all jobs of a queue wait in its last pass, and no later event can change that, so
 * the queue needs no more passes.
 */
function hasHostDeclinedAll(simulation: Simulation, index: i32): bool {
  const queue = queueAt(index);
  if (simulation.outages !== 0 && capacityChanges.soonestTime(simulation) < Infinity) return false;
  if (queue.hasEvent !== 0 || simulation.next <= queue.lastJob || simulation.releasedJobs !== 0) return false;
  if (simulation.topology !== Topology.Independent) return simulation.runningJobs === 0;
  const goneProcessors = simulation.outages !== 0 ? at<i32>(columns.goneProcessors, index) : 0;
  return freeAt(index) + goneProcessors === at<i32>(columns.capacities, index);
}

/** Records that a queue has no next pass at intervals. */
@inline
function clearNextPass(queue: Queue): void {
  queue.nextPass = Infinity;
  queue.nextPassFrom = Infinity;
}

/** Stores the time of the first pass of a queue at or after `from`; it is valid until this pass is over. */
function findNextPass(queue: Queue, from: f64): void {
  queue.nextPassFrom = from;
  queue.nextPassCount = passCountUntil(queue, from);
  queue.nextPass = timeOfPass(queue, queue.nextPassCount);
}

/** Period in which no backfill pass can start a job of a queue. */
@inline
function restOfQueue(simulation: Simulation, queue: i32): RestPeriod {
  return hasPassesBySite(simulation) ? queueAt(queue).restPeriod : simulation.backfillRests;
}

@inline
function setRest(simulation: Simulation, queue: i32, rest: RestPeriod): void {
  simulation.newJob = 0;
  if (hasPassesBySite(simulation)) queueAt(queue).restPeriod = rest;
  else simulation.backfillRests = rest;
}

/** True if the current pass has started a job of a queue. */
@inline
function hasStartedIn(simulation: Simulation, queue: i32): bool {
  if (!hasPassesBySite(simulation)) return simulation.waitingJobs < simulation.waitingBefore;
  return queueAt(queue).waitingJobs < queueAt(queue).waitingBefore;
}

/** Records that the pass of a queue is over, if the queue had one. */
@inline
export function end(simulation: Simulation, index: i32): void {
  const queue = queueAt(index);
  if (simulation.passKind === PassKind.Main) {
    // A head that starts may leave a reservation behind that lets others start.
    if (hasStartedIn(simulation, index)) setRest(simulation, index, restAfterEvent(simulation, index));
    return;
  }
  if (passInterval() > 0) {
    if (queue.nextPass !== simulation.now) return;
    queue.passCount = queue.nextPassCount + 1;
    queue.nextPassFrom = Infinity;
  }
  if (simulation.passKind === PassKind.Backfill) setRest(simulation, index, restAfterPass(simulation, index));
  queue.hasEvent = 0;
}

/**
 * Period after a pass in which later passes of a queue cannot start a job. Without an event, free processors,
 * waiting jobs and predicted ends stay as they are, so a job that is too wide for what is free cannot start.
 * Otherwise the times at which jobs can start according to the plan stay, unless a job becomes overdue, and
 * the time until a reservation only gets shorter.
 */
function restAfterPass(simulation: Simulation, queue: i32): RestPeriod {
  // Plans by nodes go by what has changed. The host may decide otherwise at any time.
  if (simulation.plansByNodes !== 0 || simulation.asksHost !== 0) return RestPeriod.None;
  if (!restsUntilOverdue(simulation, queue)) {
    return restAfterEvent(simulation, queue);
  }
  return simulation.hasPredictions !== 0 ? RestPeriod.UntilOverdue : RestPeriod.UntilEvent;
}

/** True if later passes can start no job of a queue until an event or until a running job becomes overdue. */
function restsUntilOverdue(simulation: Simulation, queue: i32): bool {
  if (reorders(simulation) || simulation.lengthAbsorbed !== 0) return false;
  // A job that starts behind the reservation may take processors for which another job waits; for that job, a
  // site on which it can start at once may then be the better one.
  const hasStarted = hasStartedIn(simulation, queue);
  const choosesSites = simulation.siteCount > 1 && !hasPassesBySite(simulation);
  if (simulation.discipline === Discipline.Easy && choosesSites && hasStarted) return false;
  // The next pass groups the predicted end of a job that has just started with others.
  if (hasStarted && simulation.hasPlanRules !== 0 && columns.taken(Option.EndWindow) > 0) return false;
  return simulation.hasPredictions === 0 || !predictions.isAnyOverdue(simulation, queue);
}

/**
 * True if a pass can start no job of the only queue, or of an independent site, because all are wider than
 * what is free.
 */
function areAllTooWide(simulation: Simulation, queue: i32): bool {
  if (simulation.plansByNodes !== 0 || simulation.asksHost !== 0 || simulation.keepsReservations !== 0)
    return false;
  if (simulation.topology === Topology.PerHome || !startsOnFreeProcessorsOnly(simulation)) return false;
  return areAllWider(simulation, queue, widestStart(simulation, queue));
}

/**
 * True if the options exclude that a job starts on fewer processors than it requests (moldable jobs), or on
 * those that running jobs must give up for it (reclaim).
 */
@inline
function startsOnFreeProcessorsOnly(simulation: Simulation): bool {
  return simulation.moldable === 0 && simulation.reclaim === 0;
}

/** Largest width with which a job of a queue could possibly start now. */
@inline
function widestStart(simulation: Simulation, queue: i32): i32 {
  if (columns.taken(Option.MultiSiteFactor) > 0) return <i32>simulation.freeProcessors;
  return widestPossibleStart(simulation, queue);
}

/** True if a main pass can start no job of a queue, because the first one is too wide. */
export function isHeadTooWide(simulation: Simulation, queue: i32): bool {
  // The instant of a pass makes the plan with overdue jobs again.
  if (simulation.keepsReservations !== 0) return false;
  if (reorders(simulation) || simulation.asksHost !== 0 || !startsOnFreeProcessorsOnly(simulation))
    return false;
  // A job that would meet an outage is passed over.
  if (simulation.plansByNodes !== 0 && simulation.outages !== 0) return false;
  return queueAt(queue).headWidth > widestStart(simulation, queue);
}
