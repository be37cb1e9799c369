import { Instant, Option, Topology } from '../abi/abi';
import { blocksQueue, GeneralRunKind, plansAhead, mayAnotherJobBecomeNext } from '../memory/runKind';
import { Simulation } from '../memory/state';
import { CustomPolicyAnswer } from '../allocators/own';
import * as columns from '../memory/columns';
import * as capacityChanges from '../events/capacityChanges';
import * as finishQueue from '../events/finishQueue';
import { freeProcessorsAt } from '../grid/sites';
import { at } from '../memory/memory';
import * as outages from '../placement/outages';
import { rejoinQueue } from '../placement/preemption';
import * as remoteJobs from '../placement/remoteJobs';
import { isDecisionPending, startJobWithoutInlining } from '../placement/start';
import * as keptPlan from '../planning/keptPlan';
import * as passTimes from './passTimes';
import * as agingKeys from '../queue/agingKeys';
import * as limits from '../placement/limits';
import * as priorityQueue from '../queue/priorityQueue';
import * as sequence from '../queue/sequence';
import * as record from '../record/allocations';
import { IS_RECORDING_BUILD } from '../record/log';
import * as kind from '../memory/runKind';
import * as blocking from './withoutReservations';
import * as kept from './kept';
import { TryOutcome, HomeSiteRule } from './shadow';
import * as candidates from '../planning/candidates';
import { hasCorrectableJob, updateOverdueOfQueue } from '../planning/predictions';
import * as backfilling from './backfilling';
import * as easy from './easy';
import * as nodePass from './nodePass';
import * as safeShadow from './safeShadow';
import { AllocatorSiteRule } from './safeShadow';
import * as shadow from './shadow';

/**
 * Calls from the event loop to the discipline: at a submission, at the end of a job, and at the end of an
 * instant. The discipline decides which job is next; the allocator chooses its site. With priority queues the
 * pass is made here; with the fcfs queue the result tells the loop whether to make one.
 *
 * A pass stops when the host must decide about a job, `decisionJob`. The job stays in its queue, and the jobs
 * started before it in the pass have started. Every function of the pass then returns to the event loop at
 * once and changes nothing. After the host's decision the pass goes on with the same job, in
 * `runPassOverQueue` and `passEnd`; the pass computes all its other data again.
 */

/** Value of `runPassOverQueue` for a pass that tries only the job of the pending decision. */
const DECISION_JOB_ONLY: i32 = -1;

/**
 * Adds a job to its queue, in which the event found `waitingJobCount` others; the pass follows at the end of
 * the instant.
 */
export function joinQueue<R>(simulation: Simulation, job: i32, waitingJobCount: i32): void {
  if (IS_RECORDING_BUILD) record.noteSubmission(simulation, job);
  if (!kind.hasPriorityQueue<R>(simulation)) {
    if (waitingJobCount === 0 && passTimes.isSubmitPassImmediate()) simulation.arrivingJob = job;
    return;
  }
  const queue = priorityQueue.queueOfJob(simulation, job);
  if (simulation.keepsReservations !== 0) kept.prepareQueueForInstant(simulation, queue);
  // With passes at intervals or with delays, no job counts as having found its queue empty.
  const isPassImmediate = columns.optionOfRun(Option.Interval) === 0 && passTimes.isSubmitPassImmediate();
  const hasFoundEmptyQueue = priorityQueue.queueAt(queue).waitingJobs === 0 && isPassImmediate;
  if (hasFoundEmptyQueue) priorityQueue.queueAt(queue).arrivingJob = job;
  priorityQueue.addJob(simulation, job);
  if (kind.hasLimits<R>(simulation)) limits.addWaitingJob(simulation, job);
  priorityQueue.queueAt(queue).hasEvent = 1;
  if (!plansAhead(simulation.discipline)) return;
  if (simulation.keepsReservations !== 0) kept.reserveForSubmittedJob(simulation, job);
  else if (!shadow.isApplicable(simulation)) backfilling.addNewJob(simulation, queue, job);
  else if (simulation.siteCount === 1) changetype<HomeSiteRule>(0).join(simulation, queue, job);
}

/**
 * Starts a submitted job before it joins its empty queue, on one site, if the main pass of this instant would
 * do only that; returns true if it has.
 */
export function startBeforeJoiningQueue<R>(simulation: Simulation, job: i32): bool {
  if (!kind.hasPriorityQueue<R>(simulation) || !passTimes.wouldTryOnlySubmittedJob(simulation)) return false;
  if (simulation.siteCount > 1 || at<i32>(columns.processors, job) > freeProcessorsAt(0)) return false;
  if (plansAhead(simulation.discipline)) {
    if (tryBeforeJoining(simulation, 0, job) !== TryOutcome.Started) return false;
    simulation.reservedJob = 0;
  } else {
    tryToStartJobWithNoneAhead<R>(simulation, 0, job);
  }
  passTimes.noteStartWithoutPass(simulation);
  return true;
}

/** Prepares for the next end of a job, at `time`, if passes follow at the end of an instant. */
@inline
export function prepareForJobEnd<R>(simulation: Simulation, time: f64): void {
  if (simulation.keepsReservations === 0) return;
  simulation.now = time;
  kept.prepareQueueForInstant(
    simulation,
    priorityQueue.queueOfJob(simulation, finishQueue.soonestJob(simulation)),
  );
}

/** Handles the end of a job before the pass that follows at the end of the instant. */
export function handleJobEnd<R>(simulation: Simulation, job: i32): void {
  if (!kind.hasPriorityQueue<R>(simulation)) return;
  const queue = priorityQueue.queueOfJob(simulation, job);
  priorityQueue.queueAt(queue).hasEvent = 1;
  if (simulation.keepsReservations !== 0) kept.compressReservationsAfterJobEnd(simulation, queue, job);
}

/** Removes a job that is cancelled from its queue, if it is in one. */
export function cancelWaitingJob(simulation: Simulation, job: i32): void {
  const rank = at<i32>(columns.rankOf, job);
  // Another job may have the rank of a held one.
  if (
    simulation.heldJobs === 0 ||
    (at<i32>(columns.jobAt, rank) === job && priorityQueue.isRankWaiting(rank))
  ) {
    removeFromQueue(simulation, job);
  } else {
    simulation.heldJobs--;
  }
}

/** Takes a job, which the host holds from now on, out of its queue. */
export function holdWaitingJob(simulation: Simulation, job: i32): void {
  removeFromQueue(simulation, job);
  simulation.heldJobs++;
}

/** Returns a job that the host has held to its queue, as if it were submitted now. */
export function releaseHeldJob(simulation: Simulation, job: i32): void {
  simulation.heldJobs--;
  // Other jobs may have taken its rank.
  if (simulation.hasLateRanks !== 0) priorityQueue.assignRank(simulation, job);
  joinQueue<GeneralRunKind>(simulation, job, simulation.waitingJobs);
}

/** Removes a waiting job from its queue. */
function removeFromQueue(simulation: Simulation, job: i32): void {
  const index = priorityQueue.queueOfJob(simulation, job);
  const queue = priorityQueue.queueAt(index);
  queue.hasEvent = 1;
  if (queue.arrivingJob === job) queue.arrivingJob = -1;
  if (IS_RECORDING_BUILD) record.noteCancellation(simulation, job);
  if (simulation.keepsReservations !== 0) {
    kept.prepareQueueForInstant(simulation, index);
    kept.giveUpReservationOfCancelledJob(simulation, index, job);
    return;
  }
  priorityQueue.removeJob(simulation, job);
  simulation.planHolds = 0;
  simulation.reservedJob = 0;
  easy.discardTriedJobs(simulation);
}

/** Pass after the cancellation of a waiting job. */
export function runPassAfterCancellation<R>(simulation: Simulation, job: i32): void {
  runPassAfterQueueEvent<R>(simulation, priorityQueue.queueOfJob(simulation, job));
}

/**
 * Queue of the jobs that may run on a site; 0 with a queue per home, because then a pass visits all queues.
 */
@inline
function queueOfSite(simulation: Simulation, site: i32): i32 {
  return simulation.topology === Topology.Independent ? site : 0;
}

/**
 * Queue whose jobs a capacity change may let start; 0 with a queue per home, because then a pass visits all
 * queues.
 */
export function queueOfCapacityChange(simulation: Simulation, change: i32): i32 {
  return queueOfSite(simulation, capacityChanges.siteOfOutage(capacityChanges.outageOfChange(change)));
}

/**
 * Queue whose jobs the end or cancellation of a job may let start; 0 with a queue per home, because then a
 * pass visits all queues.
 */
@inline
export function queueOfJobEnd<R>(simulation: Simulation, job: i32): i32 {
  const hasIndependentQueues =
    kind.hasPriorityQueue<R>(simulation) && simulation.topology === Topology.Independent;
  return hasIndependentQueues ? priorityQueue.queueOfJob(simulation, job) : 0;
}

/** Handles the begin or end of an outage, without the pass that follows it. */
export function changeCapacity(simulation: Simulation, change: i32): void {
  const site = capacityChanges.siteOfOutage(capacityChanges.outageOfChange(change));
  const queue = queueOfSite(simulation, site);
  priorityQueue.queueAt(queue).hasEvent = 1;
  if (simulation.keepsReservations !== 0) {
    kept.prepareQueueForInstant(simulation, queue);
    outages.changeCapacity(simulation, change);
    kept.adjustPlanToCapacityChange(simulation, queue, site);
    return;
  }
  outages.changeCapacity(simulation, change);
  for (let index = 0; index < outages.preemptedJobCount; index++) {
    rejoinQueue(simulation, at<i32>(columns.preemptedJobs, index), site);
  }
  simulation.planHolds = 0;
}

/** Pass after a capacity change of a site. */
export function runPassAfterCapacityChange<R>(simulation: Simulation, change: i32): void {
  const site = capacityChanges.siteOfOutage(capacityChanges.outageOfChange(change));
  runPassAfterQueueEvent<R>(simulation, queueOfSite(simulation, site));
}

/** Time of the next kept reservation's start, at which no event occurs; +infinity if none. */
@inline
export function soonestReservationStart(simulation: Simulation): f64 {
  return simulation.keepsReservations !== 0 ? keptPlan.soonest(simulation) : Infinity;
}

/**
 * Adds a job to its queue, in which the event found `waitingJobCount` others, followed by the pass of its
 * submission. Nothing has become free since the last pass, so only the new job can start and is tried (Shih
 * et al. 2010, Table 2).
 */
@inline
export function submit<R>(simulation: Simulation, job: i32, waitingJobCount: i32): bool {
  if (IS_RECORDING_BUILD) record.noteSubmission(simulation, job);
  if (kind.hasPriorityQueue<R>(simulation)) {
    submitToPriorityQueue<R>(simulation, job);
    return false;
  }
  if (waitingJobCount > 0) return false;
  simulation.arrivingJob = job;
  return true;
}

/** Pass after the end of a job, whose event found `waitingJobs` others in its queue. */
@inline
export function runPassAfterJobEnd<R>(simulation: Simulation, job: i32, site: i32, waitingJobs: i32): bool {
  if (waitingJobs === 0) return false;
  if (!kind.hasPriorityQueue<R>(simulation)) return true;
  runPassAfterFinishedJob<R>(simulation, job, site);
  return false;
}

@inline
function submitToPriorityQueue<R>(simulation: Simulation, job: i32): void {
  const queue = priorityQueue.queueOfJob(simulation, job);
  const isPlainRun = kind.isPlain<R>();
  if (!isPlainRun && mayAnotherJobBecomeNext(simulation)) {
    if (priorityQueue.queueAt(queue).waitingJobs === 0) priorityQueue.queueAt(queue).arrivingJob = job;
    priorityQueue.queueAt(queue).hasEvent = 1;
    priorityQueue.addJob(simulation, job);
    if (kind.hasLimits<R>(simulation)) limits.addWaitingJob(simulation, job);
    runPassAfterQueueEvent<R>(simulation, queue);
    clearArrivingJobs<R>(simulation);
    return;
  }
  if (!isPlainRun && plansAhead(simulation.discipline)) {
    const outcome = tryBeforeJoining(simulation, queue, job);
    if (outcome === TryOutcome.Started) return;
    if (outcome === TryOutcome.MustWait) {
      priorityQueue.addJob(simulation, job);
      return;
    }
    if (priorityQueue.queueAt(queue).waitingJobs === 0) simulation.arrivingJob = job;
    priorityQueue.addJob(simulation, job);
    runPlanningPassForNewJob(simulation, queue, job);
    if (!isPassPausedAtQueue<R>(simulation, queue, queue + 1)) simulation.arrivingJob = -1;
    return;
  }
  if (
    !isPlainRun &&
    (simulation.hasReclaimed !== 0 || (simulation.reclaim !== 0 && simulation.hasDeclined !== 0))
  ) {
    submitAndPassOverAllQueues<R>(simulation, queue, job);
  } else if (!blocksQueue(simulation.discipline) || priorityQueue.wouldBeHead(queue, job)) {
    tryToStartJobWithNoneAhead<R>(simulation, queue, job);
  } else {
    priorityQueue.addJob(simulation, job);
  }
}

/**
 * Pass of a submission for which all queues must be visited: the last pass preempted jobs and left free
 * processors, or the host has let jobs wait.
 */
function submitAndPassOverAllQueues<R>(simulation: Simulation, queue: i32, job: i32): void {
  if (priorityQueue.queueAt(queue).waitingJobs === 0) priorityQueue.queueAt(queue).arrivingJob = job;
  priorityQueue.addJob(simulation, job);
  runPassOverAllQueues<R>(simulation);
  clearArrivingJobs<R>(simulation);
}

/**
 * Ends the passes of this instant, unless another one follows or a decision is pending: forgets which jobs
 * found their queues empty.
 */
function clearArrivingJobs<R>(simulation: Simulation): void {
  const isAnotherPassDue = simulation.passIsDue !== 0 && simulation.passTime <= simulation.now;
  if (isDecisionPending<R>(simulation) || isAnotherPassDue) return;
  for (let index = priorityQueue.queueCountOf(simulation) - 1; index >= 0; index--) {
    const queue = priorityQueue.queueAt(index);
    queue.arrivingJob = -1;
    passTimes.end(simulation, index);
  }
  simulation.arrivingJob = -1;
}

/**
 * Tries a job that no other job of its queue blocks. The job counts as in the queue during the decision, but
 * joins it only if it must wait. After its start no other waiting job can start, unless jobs were preempted
 * for it.
 */
function tryToStartJobWithNoneAhead<R>(simulation: Simulation, index: i32, job: i32): void {
  const queue = priorityQueue.queueAt(index);
  const processors = <f64>at<i32>(columns.processors, job);
  if (queue.waitingJobs === 0) simulation.arrivingJob = job;
  queue.processors += processors;
  const hasJobStarted = startJobWithoutInlining<R>(simulation, job);
  queue.processors -= processors;
  if (!hasJobStarted) priorityQueue.addJob(simulation, job);
  if (isDecisionPending<R>(simulation)) simulation.passQueue = DECISION_JOB_ONLY;
  else finishStartAttempt<R>(simulation, index, job, hasJobStarted);
}

/**
 * Ends the attempt to start a job. If jobs were preempted for it, visits all queues, starting with the job's.
 */
function finishStartAttempt<R>(simulation: Simulation, queue: i32, job: i32, hasStarted: bool): void {
  simulation.arrivingJob = -1;
  if (IS_RECORDING_BUILD) {
    if (!hasStarted) record.noteBlockedJob(simulation, job);
  }
  if (kind.isPlain<R>() || !hasStarted || simulation.hasReclaimed === 0) return;
  runPassOverQueues<R>(simulation, queue, simulation.siteCount, -1);
}

/**
 * Continues the pass that stopped for a decision. Returns true if the event loop must continue it,
 * for the fcfs queue.
 */
@inline
export function resumePass<R>(simulation: Simulation): bool {
  const job = simulation.decisionJob;
  simulation.decisionJob = -1;
  // After a fork, the policy in effect may be one that does not ask the host.
  if (simulation.asksHost === 0) simulation.decisionAnswer = CustomPolicyAnswer.None;
  if (kind.hasPriorityQueue<R>(simulation)) {
    resumePriorityQueuePass<R>(simulation, job);
    return false;
  }
  return true;
}

function resumePriorityQueuePass<R>(simulation: Simulation, job: i32): void {
  const queue = simulation.passQueue;
  const end = simulation.passEnd;
  simulation.passQueue = 0;
  simulation.passEnd = 0;
  if (queue === DECISION_JOB_ONLY) {
    const hasJobStarted = startJobWithoutInlining<R>(simulation, job);
    if (hasJobStarted) priorityQueue.removeJob(simulation, job);
    finishStartAttempt<R>(simulation, priorityQueue.queueOfJob(simulation, job), job, hasJobStarted);
  } else {
    runPassOverQueues<R>(simulation, queue, end, job);
    clearArrivingJobs<R>(simulation);
  }
}

/**
 * Visits the queues [queue, end), the first one from `firstJob` on (-1: from its first job); stops for a
 * decision.
 */
function runPassOverQueues<R>(simulation: Simulation, queue: i32, end: i32, firstJob: i32): void {
  if (!kind.isPlain<R>() && firstJob < 0) agingKeys.markKeysDueForPass(simulation);
  for (; queue < end; queue++) {
    runPassOverQueue<R>(simulation, queue, firstJob);
    if (isPassPausedAtQueue<R>(simulation, queue, end)) return;
    firstJob = -1;
  }
}

/** True if a pass has stopped for a decision in this queue; records that it continues there, up to `end`. */
@inline
function isPassPausedAtQueue<R>(simulation: Simulation, queue: i32, end: i32): bool {
  if (!isDecisionPending<R>(simulation)) return false;
  simulation.passQueue = queue;
  simulation.passEnd = end;
  return true;
}

function runPassAfterFinishedJob<R>(simulation: Simulation, job: i32, site: i32): void {
  const queue = priorityQueue.queueOfJob(simulation, job);
  const isPlainRun = kind.isPlain<R>();
  if (!isPlainRun && simulation.hasReclaimed !== 0) {
    runPassOverAllQueues<R>(simulation);
    return;
  }
  const haveAllHeadsFailed =
    isPlainRun || (simulation.hasDeclined === 0 && !mayAnotherJobBecomeNext(simulation));
  if (!haveAllHeadsFailed || !blocksQueue(simulation.discipline))
    runPassAfterQueueEvent<R>(simulation, queue);
  else if (simulation.topology !== Topology.PerHome)
    tryHeadsAfterJobEnd<R>(simulation, site, queue, queue + 1);
  else tryHeadsAfterJobEnd<R>(simulation, site, 0, simulation.siteCount);
}

/** Pass after an event of a queue, over all jobs that it may affect. */
function runPassAfterQueueEvent<R>(simulation: Simulation, queue: i32): void {
  const mustVisitAllQueues = simulation.topology === Topology.PerHome;
  runPassOverQueues<R>(
    simulation,
    mustVisitAllQueues ? 0 : queue,
    mustVisitAllQueues ? simulation.siteCount : queue + 1,
    -1,
  );
}

/**
 * Visits the queues [queue, end) after the end of a job. All heads have failed since other processors became
 * free, so only those are tried that fit into the free processors of the job's site.
 */
function tryHeadsAfterJobEnd<R>(simulation: Simulation, site: i32, queue: i32, end: i32): void {
  const isPlainRun = kind.isPlain<R>();
  const home = !isPlainRun && simulation.reclaim !== 0 ? site : -1;
  let widestStart = widestStartableWidthAfterEnd<R>(simulation, site);
  for (; queue < end; queue++) {
    const reclaimableProcessors = queue === home ? remoteJobs.remoteProcessorsOn(site) : 0;
    if (priorityQueue.queueAt(queue).headWidth > widestStart + reclaimableProcessors) continue;
    blocking.runPassOverPriorityQueue<R>(simulation, queue);
    if (isPassPausedAtQueue<R>(simulation, queue, end)) return;
    if (!isPlainRun && simulation.hasReclaimed !== 0) {
      runPassOverQueues<R>(simulation, queue + 1, end, -1);
      return;
    }
    widestStart = widestStartableWidthAfterEnd<R>(simulation, site);
  }
}

/** Largest width with which a waiting job can start after the end of a job on a site. */
@inline
function widestStartableWidthAfterEnd<R>(simulation: Simulation, site: i32): i32 {
  if (kind.isPlain<R>()) return freeProcessorsAt(site);
  // Moldable jobs may start on fewer processors.
  if (simulation.moldable !== 0) return i32.MAX_VALUE;
  // A split job has freed processors on several sites, and others can be split.
  return simulation.multiSite !== 0 ? <i32>simulation.freeProcessors : freeProcessorsAt(site);
}

/** Makes the pass at the end of an instant. */
export function runPassAtEndOfInstant<R>(simulation: Simulation): bool {
  if (!kind.hasPriorityQueue<R>(simulation)) return true;
  runPassOverAllQueues<R>(simulation);
  clearArrivingJobs<R>(simulation);
  return false;
}

/** Visits every queue once, in order of the home sites (Huang et al. 2007, section 5). */
function runPassOverAllQueues<R>(simulation: Simulation): void {
  simulation.hasReclaimed = 0;
  runPassOverQueues<R>(simulation, 0, priorityQueue.queueCountOf(simulation), -1);
}

/**
 * True if a queue has no pass now, because its interval is not over or nothing has happened on its
 * independent site.
 */
function isQueueWithoutPass(simulation: Simulation, queue: priorityQueue.Queue): bool {
  if (columns.optionOfRun(Option.Interval) > 0 || simulation.passKind === passTimes.PassKind.Backfill) {
    return queue.nextPass !== simulation.now;
  }
  if (passTimes.hasPassesBySite(simulation)) return queue.isPassRequested === 0;
  if (simulation.topology !== Topology.Independent || simulation.keepsReservations !== 0) return false;
  return simulation.instant === Instant.Batched && queue.hasEvent === 0;
}

/**
 * True if keys of expressions must be computed for a pass over a queue, because some job may start; false if
 * all jobs of the queue are wider than what is free. True for orders without expressions.
 */
function mayAnyJobStart(simulation: Simulation, index: i32): bool {
  if (IS_RECORDING_BUILD || simulation.programOrders === 0 || simulation.keepsReservations !== 0) return true;
  const canSplitJobs = columns.optionOfRun(Option.MultiSiteFactor) > 0;
  const widest = canSplitJobs
    ? <i32>simulation.freeProcessors
    : blocking.widestStartableWidth(simulation, index);
  return !priorityQueue.areAllJobsWider(simulation, index, widest);
}

/**
 * Visits a queue from `firstJob` on (-1: from its first job). If the first job blocks the others, `firstJob`
 * is the first job.
 */
function runPassOverQueue<R>(simulation: Simulation, index: i32, firstJob: i32): void {
  const queue = priorityQueue.queueAt(index);
  const isPlainRun = kind.isPlain<R>();
  if (queue.waitingJobs === 0 || (!isPlainRun && isQueueWithoutPass(simulation, queue))) return;
  if (!isPlainRun && !IS_RECORDING_BUILD && passTimes.isMainPass(simulation) && firstJob < 0) {
    if (passTimes.isHeadWiderThanFree(simulation, index)) return;
  }
  if (firstJob < 0) simulation.arrivingJob = queue.arrivingJob;
  if (!isPlainRun && firstJob < 0 && mayAnotherJobBecomeNext(simulation)) {
    if (!mayAnyJobStart(simulation, index)) return;
    sequence.sortQueueForPass(simulation, index);
  }
  if (!isPlainRun && simulation.newJob !== 0 && runPassForJoinedJob<R>(simulation, index)) return;
  if (!isPlainRun && plansAhead(simulation.discipline)) runPassPlanningAhead(simulation, index, firstJob);
  else if (blocksQueue(simulation.discipline) || passTimes.isMainPass(simulation))
    blocking.runPassOverPriorityQueue<R>(simulation, index);
  else blocking.runPassSkippingJobs<R>(simulation, index, firstJob);
}

/** Pass in which only the job that has joined last can start; returns false if a full pass must follow. */
function runPassForJoinedJob<R>(simulation: Simulation, queue: i32): bool {
  const job = passTimes.takeOnlyJobToTry(simulation);
  if (job < 0) return false;
  if (plansAhead(simulation.discipline)) {
    if (!shadow.isApplicable(simulation)) return false;
    // Where all other jobs were too wide, no pass may have reserved for the head.
    if (simulation.reservedJob !== priorityQueue.headOf(simulation, queue) + 1) return false;
    easy.passForNewJob<HomeSiteRule>(simulation, queue, job);
  } else if (blocksQueue(simulation.discipline)) {
    return false;
  } else if (startJobWithoutInlining<R>(simulation, job)) {
    priorityQueue.removeJob(simulation, job);
  }
  return true;
}

/**
 * Passes of the disciplines that plan ahead. They make a full plan only if a single reservation is
 * not sufficient.
 */

/** Tries a job before it joins its queue, possible on one site if the host is not asked. */
function tryBeforeJoining(simulation: Simulation, queue: i32, job: i32): TryOutcome {
  if (IS_RECORDING_BUILD || simulation.hasDeclined !== 0 || simulation.lengthAbsorbed !== 0)
    return TryOutcome.NeedsFullPass;
  if (safeShadow.isSafeShadowApplicable(simulation) || !shadow.isApplicable(simulation))
    return TryOutcome.NeedsFullPass;
  if (hasCorrectableJob(simulation, queue) || updateOverdueOfQueue(simulation, queue))
    return TryOutcome.NeedsFullPass;
  return shadow.tryBeforeJoining(simulation, queue, job);
}

/** Pass of a submission. Only the new job can start, unless the host has let others wait. */
function runPlanningPassForNewJob(simulation: Simulation, queue: i32, job: i32): void {
  if (simulation.hasDeclined !== 0) {
    runPassPlanningAhead(simulation, queue, -1);
  } else if (safeShadow.isSafeShadowApplicable(simulation)) {
    easy.passForNewJob<AllocatorSiteRule>(simulation, queue, job);
  } else if (shadow.isApplicable(simulation)) {
    easy.passForNewJob<HomeSiteRule>(simulation, queue, job);
  } else {
    backfilling.runPassForNewJob(simulation, queue, job);
  }
}

/** Makes a pass over a queue from `firstJob` on (-1: from its first job). */
function runPassPlanningAhead(simulation: Simulation, queue: i32, firstJob: i32): void {
  if (simulation.keepsReservations !== 0) kept.runKeptPass(simulation, queue, firstJob);
  else if (simulation.plansByNodes !== 0) nodePass.runNodePass(simulation, queue);
  else if (safeShadow.isSafeShadowApplicable(simulation))
    easy.runEasyPass<AllocatorSiteRule>(simulation, queue, firstJob);
  else if (shadow.isApplicable(simulation)) easy.runEasyPass<HomeSiteRule>(simulation, queue, firstJob);
  else backfilling.runBackfillingPass(simulation, queue, firstJob);
}

/** True if the job about which a policy is asked could start on a site now without delaying a reservation. */
export function isSafeSite(simulation: Simulation, site: i32): bool {
  if (!plansAhead(simulation.discipline)) return true;
  const job = simulation.decisionJob;
  if (simulation.keepsReservations !== 0) return kept.canStartSafelyOnSite(simulation, job, site);
  if (safeShadow.isSafeShadowApplicable(simulation))
    return safeShadow.isSafe(simulation, simulation.passQueue, job, site);
  return candidates.canStartOnSite(simulation, job, site);
}
