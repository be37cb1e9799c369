import { Discipline, Option, Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { mayAnotherJobBecomeNext } from '../memory/runKind';
import * as capacityChanges from '../events/capacityChanges';
import * as finishQueue from '../events/finishQueue';
import { freeProcessorsAt } from '../grid/sites';
import { at } from '../memory/memory';
import * as keptPlan from '../planning/keptPlan';
import { passCountUntil, passInterval, timeOfPass } from '../planning/passGrid';
import * as predictedEnds from '../planning/predictedEnds';
import * as predictions from '../planning/predictions';
import { Queue, areAllJobsWider, queueAt, queueOfJob, queueCountOf } from '../queue/priorityQueue';
import { IS_RECORDING_BUILD } from '../record/log';
import { widestStartableWidth } from './withoutReservations';

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
  return columns.optionOfRun(Option.PassGap) === 0 && columns.optionOfRun(Option.SubmitPassDelay) === 0;
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
    for (let index = queueCountOf(simulation) - 1; index >= 0; index--) {
      queueAt(index).requestedPass = Infinity;
      queueAt(index).lastPass = -Infinity;
      queueAt(index).isPassRequested = 0;
      queueAt(index).restPeriod = RestPeriod.None;
    }
  }
  if (passInterval() === 0) return;
  for (let index = queueCountOf(simulation) - 1; index >= 0; index--) {
    const queue = queueAt(index);
    queue.firstJob = -1;
    queue.passCount = 0;
    queue.hasChanged = 1;
    clearNextPass(queue);
  }
  updateFirstAndLastJobsOfQueues(simulation, 0, simulation.knownJobs);
}

/** Adds the jobs [from, end) to the first and last jobs of their queues. */
export function updateFirstAndLastJobsOfQueues(simulation: Simulation, from: i32, end: i32): void {
  if (passInterval() === 0) return;
  for (let job = from; job < end; job++) {
    const queue = queueAt(queueOfJob(simulation, job));
    if (queue.firstJob < 0) queue.firstJob = job;
    queue.lastJob = job;
  }
}

/** Asks for a pass after a job has joined its queue, unless a main pass of this instant can start no job. */
export function requestPassAfterSubmit(simulation: Simulation, job: i32): void {
  const hasBackfillPasses = columns.optionOfRun(Option.BackfillInterval) > 0 && !IS_RECORDING_BUILD;
  const queue = hasBackfillPasses || hasPassesBySite(simulation) ? queueOfJob(simulation, job) : 0;
  const restPeriodBefore = hasBackfillPasses ? restPeriodOfQueue(simulation, queue) : RestPeriod.None;
  const restPeriod = hasBackfillPasses ? restPeriodAfterSubmit(simulation, queue, job) : RestPeriod.None;
  const isOnlyChangeSincePass = hasBackfillPasses
    ? restPeriodBefore !== RestPeriod.None && restPeriod === RestPeriod.None
    : simulation.passIsDue === 0;
  if (hasBackfillPasses && areMainPassesImmediate() && isHeadWiderThanFree(simulation, queue)) {
    queueAt(queue).arrivingJob = -1;
    queueAt(queue).hasChanged = 1;
  } else {
    requestPass(simulation, queue, Option.SubmitPassDelay);
  }
  if (hasBackfillPasses) setRestPeriodOfQueue(simulation, queue, restPeriod);
  if (isOnlyChangeSincePass) simulation.newJob = job + 1;
}

/**
 * Takes the only waiting job that the pass of a queue must try, if there is one: it has joined since no other
 * could start, and each that starts is on one site; -1 if others must be tried, too.
 */
export function takeOnlyJobToTry(simulation: Simulation): i32 {
  const job = simulation.newJob - 1;
  simulation.newJob = 0;
  if (job < 0 || IS_RECORDING_BUILD || simulation.siteCount > 1 || simulation.passKind === PassKind.Main)
    return -1;
  if (columns.optionOfRun(Option.Interval) > 0 || simulation.plansByNodes !== 0) return -1;
  if (simulation.keepsReservations !== 0 || simulation.moldable !== 0) return -1;
  if (simulation.asksHost !== 0 || simulation.hasDeclined !== 0 || mayAnotherJobBecomeNext(simulation))
    return -1;
  return job;
}

/**
 * True if the main pass of this instant would try the job that is just submitted and no other: its queue is
 * empty, and no other job is submitted now. Ends come before submissions.
 */
export function wouldTryOnlySubmittedJob(simulation: Simulation): bool {
  if (columns.optionOfRun(Option.BackfillInterval) === 0 || IS_RECORDING_BUILD || simulation.waitingJobs > 0)
    return false;
  if (simulation.passIsDue !== 0 || !areMainPassesImmediate() || mayAnotherJobBecomeNext(simulation))
    return false;
  if (simulation.plansByNodes !== 0 || simulation.asksHost !== 0) return false;
  if (simulation.hasDependencies !== 0 || simulation.hasCancellations !== 0) return false;
  if (simulation.outages !== 0) return false;
  return at<f64>(columns.submits, simulation.next) > simulation.now;
}

/**
 * True if the pass of an event may be made at once, as without deferred passes, whenever nothing else happens
 * in its instant.
 */
export function mayRunPassAtOnce(simulation: Simulation): bool {
  if (IS_RECORDING_BUILD || passInterval() > 0 || simulation.keepsReservations !== 0) return false;
  // Moldable jobs may start later on fewer processors without any change.
  if (simulation.topology === Topology.Independent || simulation.moldable !== 0) return false;
  if (simulation.asksHost !== 0 || simulation.hasDependencies !== 0) return false;
  return simulation.hasCancellations === 0 && simulation.outages === 0;
}

/**
 * True if the pass of an event, whose delay an option gives, is due now and no other event is part of it; it
 * then counts as made.
 */
export function takeDuePass(simulation: Simulation, delayOption: Option): bool {
  const now = simulation.now;
  if (simulation.passIsDue !== 0 || at<f64>(columns.submits, simulation.next) <= now) return false;
  if (finishQueue.soonestFinishTime(simulation) <= now || columns.optionOfRun(delayOption) > 0) return false;
  const passGap = columns.optionOfRun(Option.PassGap);
  if (simulation.lastPass + passGap > now) return false;
  // With gaps, no job counts as having found its queue empty, which allocators of several sites look at.
  const mayPassFindQueueEmpty = simulation.waitingJobs === 0 || simulation.topology !== Topology.Shared;
  if (
    delayOption === Option.SubmitPassDelay &&
    passGap > 0 &&
    simulation.siteCount > 1 &&
    mayPassFindQueueEmpty
  )
    return false;
  simulation.lastPass = now;
  return true;
}

/**
 * Asks for a pass after the end or cancellation of a job of a queue, or a capacity change of its site, unless
 * a main pass of now can start no job.
 */
export function requestPassAfterEnd(simulation: Simulation, queue: i32): void {
  const hasBackfillPasses = columns.optionOfRun(Option.BackfillInterval) > 0 && !IS_RECORDING_BUILD;
  if (
    hasBackfillPasses &&
    areMainPassesImmediate() &&
    (queueAt(queue).waitingJobs === 0 || isHeadWiderThanFree(simulation, queue))
  ) {
    queueAt(queue).hasChanged = 1;
  } else {
    requestPass(simulation, queue, Option.EndPassDelay);
  }
  if (hasBackfillPasses) setRestPeriodOfQueue(simulation, queue, restPeriodAfterEvent(simulation, queue));
}

/** Rest period after the submission of a job. */
function restPeriodAfterSubmit(simulation: Simulation, queue: i32, job: i32): RestPeriod {
  if (doesRestPeriodContinue(simulation, queue, job)) return restPeriodOfQueue(simulation, queue);
  return restPeriodAfterEvent(simulation, queue);
}

/** Rest period after an event: until the next one if all waiting jobs are too wide. */
function restPeriodAfterEvent(simulation: Simulation, queue: i32): RestPeriod {
  return areAllJobsTooWide(simulation, queue) ? RestPeriod.UntilEvent : RestPeriod.None;
}

/**
 * True if a rest period stays after the submission of a job: the job is too wide for what is free, and either
 * no other job fits either, or the job is behind the only reservation of EASY.
 */
function doesRestPeriodContinue(simulation: Simulation, queue: i32, job: i32): bool {
  const restPeriod = restPeriodOfQueue(simulation, queue);
  if (restPeriod === RestPeriod.None) return false;
  if (simulation.keepsReservations !== 0) return simulation.lengthAbsorbed === 0;
  if (at<i32>(columns.processors, job) <= widthOfWidestStart(simulation, queue)) return false;
  if (restPeriod === RestPeriod.UntilEvent) return true;
  const doesPassConcernOneSite = simulation.siteCount === 1 || hasPassesBySite(simulation);
  if (simulation.discipline !== Discipline.Easy || !doesPassConcernOneSite) return false;
  return simulation.reservationDepth === 1 && queueAt(queue).head !== job;
}

/** True if every event has its main pass in its instant. */
@inline
function areMainPassesImmediate(): bool {
  return isSubmitPassImmediate() && columns.optionOfRun(Option.EndPassDelay) === 0;
}

/** Records that a job has started without a pass. */
@inline
export function noteStartWithoutPass(simulation: Simulation): void {
  setRestPeriodOfQueue(simulation, 0, RestPeriod.None);
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
  const time = simulation.now + columns.optionOfRun(delayOption);
  return max<f64>(time, simulation.lastPass + columns.optionOfRun(Option.PassGap));
}

/** Asks for a pass of an independent site; returns its time. */
function requestPassOnSite(simulation: Simulation, queue: Queue, delayOption: Option): f64 {
  const time = max<f64>(
    simulation.now + columns.optionOfRun(delayOption),
    queue.lastPass + columns.optionOfRun(Option.PassGap),
  );
  queue.requestedPass = min<f64>(queue.requestedPass, time);
  queue.restPeriod = RestPeriod.None;
  return queue.requestedPass;
}

/** Begins the passes of the independent sites that are due at a time. */
function beginPassesOnSites(simulation: Simulation, time: f64): void {
  let nextTime: f64 = Infinity;
  for (let index = queueCountOf(simulation) - 1; index >= 0; index--) {
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
  if (columns.optionOfRun(Option.BackfillInterval) > 0) {
    const isMainPassDue = simulation.passIsDue !== 0 && simulation.passTime <= time;
    simulation.passKind = isMainPassDue ? PassKind.Main : PassKind.Backfill;
    simulation.waitingBefore = simulation.waitingJobs;
    if (hasPassesBySite(simulation)) {
      for (let index = queueCountOf(simulation) - 1; index >= 0; index--) {
        queueAt(index).waitingBefore = queueAt(index).waitingJobs;
      }
    }
    if (!isMainPassDue) return;
  }
  if (hasPassesBySite(simulation)) {
    beginPassesOnSites(simulation, time);
    return;
  }
  simulation.passIsDue = 0;
  simulation.lastPass = time;
}

/** Time in seconds of the next backfill pass of any queue before `timeLimit`; +infinity if none. */
export function nextBackfillPassTime(simulation: Simulation, timeLimit: f64): f64 {
  if (simulation.waitingJobs === 0 || simulation.backfillRests === RestPeriod.UntilEvent) return Infinity;
  const from = simulation.backfillRests === RestPeriod.None ? simulation.now : endOfRestPeriod(simulation);
  return from < timeLimit ? nextPassTimeOfQueues(simulation, from) : Infinity;
}

/**
 * Time in seconds of the next pass at intervals (not requested by an event), from a time on, of any queue;
 * +infinity if none.
 */
export function nextPassTimeOfQueues(simulation: Simulation, from: f64): f64 {
  const hasBackfillPasses = columns.optionOfRun(Option.BackfillInterval) > 0;
  let time: f64 = Infinity;
  for (let index = queueCountOf(simulation) - 1; index >= 0; index--) {
    const queue = queueAt(index);
    const isQueueUnchanged = hasBackfillPasses && simulation.plansByNodes !== 0 && queue.hasChanged === 0;
    const needsNoPass = isQueueUnchanged || queue.waitingJobs === 0 || hasHostDeclinedAll(simulation, index);
    if (hasBackfillPasses && hasPassesBySite(simulation)) from = endOfRestOnSite(simulation, index);
    if (needsNoPass || from === Infinity) clearNextPass(queue);
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
  return min<f64>(nextPredictedEnd(simulation), nextKeptReservationChange(simulation, 0));
}

/**
 * Time in seconds from which on a backfill pass of an independent site may start a job; +infinity: not before
 * the next event.
 */
function endOfRestOnSite(simulation: Simulation, index: i32): f64 {
  const restPeriod = queueAt(index).restPeriod;
  if (restPeriod === RestPeriod.None) return simulation.now;
  if (restPeriod === RestPeriod.UntilEvent || simulation.hasPredictions === 0) return Infinity;
  return max<f64>(
    min<f64>(predictedEnds.soonestEnd(index), nextKeptReservationChange(simulation, index)),
    simulation.now,
  );
}

/**
 * Time in seconds from which on a backfill pass may start or move a job of a queue with a kept reservation;
 * +infinity: after an event.
 */
function nextKeptReservationChange(simulation: Simulation, queue: i32): f64 {
  if (simulation.keepsReservations === 0) return Infinity;
  const keptQueue = keptPlan.keptQueueAt(queue);
  return keptQueue.isUnsettled || keptQueue.movedReservations > 0
    ? simulation.now
    : keptPlan.soonest(simulation);
}

/** Time of the first predicted end of a running job, not before now; +infinity if ends are not predicted. */
function nextPredictedEnd(simulation: Simulation): f64 {
  let time: f64 = Infinity;
  for (let site = 0; simulation.hasPredictions !== 0 && site < simulation.siteCount; site++) {
    time = min<f64>(time, predictedEnds.soonestEnd(site));
  }
  return max<f64>(time, simulation.now);
}

/** Largest number of intervals that have passed in any queue. */
export function maxPastPassCount(simulation: Simulation): f64 {
  let passCount: f64 = 0;
  for (let index = queueCountOf(simulation) - 1; index >= 0; index--) {
    passCount = max<f64>(passCount, queueAt(index).passCount);
  }
  return passCount;
}

/**
 * True if the host has let all jobs of a queue wait in its last pass, and no later event can change that, so
 * the queue needs no more passes.
 */
function hasHostDeclinedAll(simulation: Simulation, index: i32): bool {
  const queue = queueAt(index);
  if (simulation.outages !== 0 && capacityChanges.soonestChangeTime(simulation) < Infinity) return false;
  if (queue.hasEvent !== 0 || simulation.next <= queue.lastJob || simulation.releasedJobs !== 0) return false;
  if (simulation.topology !== Topology.Independent) return simulation.runningJobs === 0;
  const goneProcessors = simulation.outages !== 0 ? at<i32>(columns.goneProcessors, index) : 0;
  return freeProcessorsAt(index) + goneProcessors === at<i32>(columns.capacities, index);
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
function restPeriodOfQueue(simulation: Simulation, queue: i32): RestPeriod {
  return hasPassesBySite(simulation) ? queueAt(queue).restPeriod : simulation.backfillRests;
}

@inline
function setRestPeriodOfQueue(simulation: Simulation, queue: i32, restPeriod: RestPeriod): void {
  simulation.newJob = 0;
  if (hasPassesBySite(simulation)) queueAt(queue).restPeriod = restPeriod;
  else simulation.backfillRests = restPeriod;
}

/** True if the current pass has started a job of a queue. */
@inline
function hasPassStartedJobOf(simulation: Simulation, queue: i32): bool {
  if (!hasPassesBySite(simulation)) return simulation.waitingJobs < simulation.waitingBefore;
  return queueAt(queue).waitingJobs < queueAt(queue).waitingBefore;
}

/** Records that the pass of a queue is over, if the queue had one. */
@inline
export function end(simulation: Simulation, index: i32): void {
  const queue = queueAt(index);
  if (simulation.passKind === PassKind.Main) {
    // A head that starts may leave a reservation behind that lets others start.
    if (hasPassStartedJobOf(simulation, index))
      setRestPeriodOfQueue(simulation, index, restPeriodAfterEvent(simulation, index));
    return;
  }
  if (passInterval() > 0) {
    if (queue.nextPass !== simulation.now) return;
    queue.passCount = queue.nextPassCount + 1;
    queue.nextPassFrom = Infinity;
  }
  if (simulation.passKind === PassKind.Backfill)
    setRestPeriodOfQueue(simulation, index, restPeriodAfterPass(simulation, index));
  queue.hasEvent = 0;
}

/**
 * Period after a pass in which later passes of a queue cannot start a job. Without an event, free processors,
 * waiting jobs and predicted ends stay as they are, so a job that is too wide for what is free cannot start.
 * Otherwise the times at which jobs can start according to the plan stay, unless a job becomes overdue, and
 * the time until a reservation only gets shorter.
 */
function restPeriodAfterPass(simulation: Simulation, queue: i32): RestPeriod {
  // Plans by nodes go by what has changed. The host may decide otherwise at any time.
  if (simulation.plansByNodes !== 0 || simulation.asksHost !== 0) return RestPeriod.None;
  if (!canRestUntilOverdue(simulation, queue)) {
    return restPeriodAfterEvent(simulation, queue);
  }
  return simulation.hasPredictions !== 0 ? RestPeriod.UntilOverdue : RestPeriod.UntilEvent;
}

/** True if later passes can start no job of a queue until an event or until a running job becomes overdue. */
function canRestUntilOverdue(simulation: Simulation, queue: i32): bool {
  if (mayAnotherJobBecomeNext(simulation) || simulation.lengthAbsorbed !== 0) return false;
  // A job that starts behind the reservation may take processors for which another job waits; for that job, a
  // site on which it can start at once may then be the better one.
  const hasJobStarted = hasPassStartedJobOf(simulation, queue);
  const choosesSites = simulation.siteCount > 1 && !hasPassesBySite(simulation);
  if (simulation.discipline === Discipline.Easy && choosesSites && hasJobStarted) return false;
  // The next pass groups the predicted end of a job that has just started with others.
  if (hasJobStarted && simulation.hasPlanRules !== 0 && columns.optionOfRun(Option.EndWindow) > 0)
    return false;
  return simulation.hasPredictions === 0 || !predictions.isAnyOverdue(simulation, queue);
}

/**
 * True if a pass can start no job of the only queue, or of an independent site, because all are wider than
 * what is free.
 */
function areAllJobsTooWide(simulation: Simulation, queue: i32): bool {
  if (simulation.plansByNodes !== 0 || simulation.asksHost !== 0 || simulation.keepsReservations !== 0)
    return false;
  if (simulation.topology === Topology.PerHome || !startsOnFreeProcessorsOnly(simulation)) return false;
  return areAllJobsWider(simulation, queue, widthOfWidestStart(simulation, queue));
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
function widthOfWidestStart(simulation: Simulation, queue: i32): i32 {
  if (columns.optionOfRun(Option.MultiSiteFactor) > 0) return <i32>simulation.freeProcessors;
  return widestStartableWidth(simulation, queue);
}

/** True if a main pass can start no job of a queue, because the first one is too wide. */
export function isHeadWiderThanFree(simulation: Simulation, queue: i32): bool {
  // The instant of a pass makes the plan with overdue jobs again.
  if (simulation.keepsReservations !== 0) return false;
  if (
    mayAnotherJobBecomeNext(simulation) ||
    simulation.asksHost !== 0 ||
    !startsOnFreeProcessorsOnly(simulation)
  )
    return false;
  // A job that would meet an outage is passed over.
  if (simulation.plansByNodes !== 0 && simulation.outages !== 0) return false;
  return queueAt(queue).headWidth > widthOfWidestStart(simulation, queue);
}
