import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { predictedTimeWithoutTransfer, leastRuntimeOnSite } from '../grid/execution';
import { at, put } from '../memory/memory';
import { startPlannedJobOnOneSite } from '../placement/start';
import { updatePredictions, effectiveEnd, isLengthAbsorbed } from '../planning/predictions';
import { isMainPass } from './passTimes';
import * as priorityQueue from '../queue/priorityQueue';
import * as sequence from '../queue/sequence';
import * as waiting from '../queue/waiting';
import * as record from '../record/allocations';
import { IS_RECORDING_BUILD, note, Note } from '../record/log';
import { freeProcessorsAt } from '../grid/sites';
import { NO_RANK } from '../queue/ranking';
import { mayAnotherJobBecomeNext } from '../memory/runKind';

/**
 * EASY backfilling with one reservation per queue on a single site. Such a reservation is two numbers: the
 * time when the head of the queue can start (shadow time), and the extra processors left beside it then. `E`
 * selects the sites: each job's home (shadow.ts), or a site that an allocator chooses (safeShadow.ts). Both
 * share the reservation (below), but search the queue differently: at home, by the widths of 64 jobs at a
 * time; with an allocator, job by job.
 *
 * The reservation is that of the first job of a pass that fits nowhere: the head, unless the host lets jobs
 * before it wait.
 */

/** Result of `startSiteNow` for a job that fits nowhere. */
const NO_SITE: i32 = -1;

/**
 * Pass after a submission. Only the new job can start, and the reservation stays, unless a job is overdue or
 * predicted again (which moves the reservation) or the new job is the head. (Other exceptions: the host lets
 * a job wait, which may start at any later decision; or a job's length has been absorbed by rounding.)
 */
export function passForNewJob<E>(simulation: Simulation, queue: i32, job: i32): void {
  const isOverdue = updatePredictions(simulation, queue);
  if (isOverdue) simulation.reservedJob = 0;
  const head = priorityQueue.headOf(simulation, queue);
  changetype<E>(0).join(simulation, queue, job);
  if (isOverdue || head === job || simulation.lengthAbsorbed !== 0) {
    startHeadsAndReserve<E>(simulation, queue, head);
    return;
  }
  simulation.lastReservedJob = head;
  if (IS_RECORDING_BUILD) noteReservation<E>(simulation, queue, at<f64>(columns.shadowTimes, queue));
  sequence.switchToBackfillRanks(simulation, queue);
  backfill<E>(simulation, queue, job, true);
}

/** Starts all jobs of a queue that can start, from the job at which the pass stopped; -1 for all. */
export function runEasyPass<E>(simulation: Simulation, queue: i32, firstJob: i32): void {
  if (firstJob < 0) {
    if (updatePredictions(simulation, queue)) simulation.reservedJob = 0;
    if (simulation.reservedJob !== 0 && changetype<E>(0).isStartImpossible(simulation, queue)) return;
    startHeadsAndReserve<E>(simulation, queue, waiting.headOf(simulation, queue));
  } else if (simulation.lastReservedJob < 0) {
    startHeadsAndReserve<E>(simulation, queue, firstJob);
  } else {
    sequence.switchToBackfillRanks(simulation, queue);
    backfill<E>(simulation, queue, firstJob, false);
  }
}

/** Starts jobs of a queue before it has a reservation, then reserves. */
function startHeadsAndReserve<E>(simulation: Simulation, queue: i32, firstJob: i32): void {
  const job = startHeads<E>(simulation, queue, firstJob);
  if (job < 0) return;
  if (isMainPass(simulation)) {
    if (IS_RECORDING_BUILD) record.noteBlockedJob(simulation, job);
    return;
  }
  simulation.lastReservedJob = job;
  if (IS_RECORDING_BUILD || simulation.reservedJob !== job + 1) {
    const time = changetype<E>(0).reserve(simulation, queue, job);
    simulation.reservedJob = mayKeepReservation(simulation) ? job + 1 : 0;
    if (IS_RECORDING_BUILD) noteReservation<E>(simulation, queue, time);
  }
  sequence.sortQueueBehindReservation(simulation, queue);
  sequence.switchToBackfillRanks(simulation, queue);
  backfill<E>(simulation, queue, -1, false);
}

/**
 * Starts jobs from one on while they fit; returns the first that does not fit, or -1. The host may let jobs
 * wait.
 */
function startHeads<E>(simulation: Simulation, queue: i32, firstJob: i32): i32 {
  let job = firstJob;
  while (job >= 0) {
    const site = changetype<E>(0).siteForStartNow(simulation, queue, job);
    if (site === NO_SITE) return job;
    if (simulation.decisionJob >= 0) return -1;
    simulation.reservedJob = 0;
    if (site >= 0) start(simulation, job, site);
    const hasJobsLeftWaiting = simulation.hasDeclined !== 0;
    job = hasJobsLeftWaiting ? waiting.nextBehind(simulation, job) : waiting.headOf(simulation, queue);
  }
  return -1;
}

/**
 * Starts the jobs that do not delay the reserved one: all behind it for -1, those from a job on, or that job
 * alone.
 */
function backfill<E>(simulation: Simulation, queue: i32, firstJob: i32, isSingleJob: bool): void {
  changetype<E>(0).backfill(simulation, queue, firstJob, isSingleJob);
  sequence.switchToQueueRanks(simulation, queue);
  if (simulation.decisionJob >= 0) return;
  simulation.lastReservedJob = -1;
  if (IS_RECORDING_BUILD) record.notePassedOverJobs(simulation, queue);
}

/**
 * Records, for explanations, the reservation of the first job that fits nowhere: its site, start and
 * predicted end.
 */
function noteReservation<E>(simulation: Simulation, queue: i32, time: f64): void {
  // A head with predicted runtime 0 reserves nothing.
  if (time === Infinity) return;
  const job = simulation.lastReservedJob;
  const site = changetype<E>(0).siteOfReservation(queue);
  put<i32>(columns.chosenSites, 0, site);
  put<i32>(columns.chosenShares, 0, at<i32>(columns.processors, job));
  record.noteReservation(
    simulation,
    job,
    time,
    time + predictedTimeWithoutTransfer(simulation, job, site),
    1,
  );
}

/** Starts a job on a site, and removes it from the queue. */
@inline
export function start(simulation: Simulation, job: i32, site: i32): void {
  startPlannedJobOnOneSite(simulation, job, site, predictedTimeWithoutTransfer(simulation, job, site));
  priorityQueue.removeJob(simulation, job);
}

/**
 * The reservation of a queue under EASY, on a single site: shadow time, and extra processors. A job that
 * starts there now delays nothing if it ends by the shadow time or needs at most the extra processors.
 */

/** Reserves for the first job on a site at a time, with the extra processors left beside it. */
export function storeReservation(
  simulation: Simulation,
  queue: i32,
  head: i32,
  site: i32,
  time: f64,
  extraProcessorCount: i32,
): void {
  const predictedRuntime = predictedTimeWithoutTransfer(simulation, head, site);
  // A head with predicted runtime 0 reserves nothing.
  put<f64>(columns.shadowTimes, queue, time + predictedRuntime > time ? time : Infinity);
  put<i32>(columns.shadowSites, queue, site);
  put<i32>(columns.extraProcessors, queue, extraProcessorCount);
  noteIfRuntimeIsAbsorbed(simulation, time, predictedRuntime);
}

/** Reduces the extra processors beside the reservation of a queue by those of a job that starts. */
@inline
export function takeExtraProcessors(queue: i32, job: i32): void {
  const extraProcessorCount = at<i32>(columns.extraProcessors, queue);
  put<i32>(columns.extraProcessors, queue, extraProcessorCount - at<i32>(columns.processors, job));
}

/** Predicted end of a job that starts on a site now, in seconds. */
@inline
export function predictedEndOnSite(simulation: Simulation, job: i32, site: i32): f64 {
  return effectiveEnd(simulation.now, simulation.now + predictedTimeWithoutTransfer(simulation, job, site));
}

/** True if a job that starts on the reserved site now ends, as predicted, by the shadow time. */
@inline
export function wouldEndByShadowTime(simulation: Simulation, queue: i32, job: i32): bool {
  const site = at<i32>(columns.shadowSites, queue);
  return predictedEndOnSite(simulation, job, site) <= at<f64>(columns.shadowTimes, queue);
}

/**
 * Queue whose jobs are searched, site of its reservation, and the largest number of free processors on
 * another site.
 */
let queueOfSearch: i32 = 0;
let siteOfSearch: i32 = 0;
let freeProcessorsElsewhere: i32 = 0;
/**
 * Smallest number of processors of a job whose predicted runtime vanishes in rounding now, so that it may
 * cause no delay later; NO_RANK if there is none.
 */
export let narrowestWidthOfAbsorbedRuntime: i32 = NO_RANK;

/** Prepares a search for jobs that may start beside the reservation of a queue. */
export function beginBackfillSearch(searchedQueue: i32, maxFreeProcessorsElsewhere: i32): void {
  queueOfSearch = searchedQueue;
  siteOfSearch = at<i32>(columns.shadowSites, searchedQueue);
  freeProcessorsElsewhere = maxFreeProcessorsElsewhere;
  narrowestWidthOfAbsorbedRuntime = NO_RANK;
}

/**
 * Search condition: a job can start now on the reserved site without delaying the head, or on another site.
 * Does not test that the job may use that site.
 */
@final
@unmanaged
export class CanStartWithoutDelay {
  @inline
  mayContainJob(simulation: Simulation, narrowestWidth: i32, leastWork: f64): bool {
    if (narrowestWidth <= freeProcessorsElsewhere) return true;
    if (narrowestWidth > freeProcessorsAt(siteOfSearch)) return false;
    if (narrowestWidth <= at<i32>(columns.extraProcessors, queueOfSearch)) return true;
    // Compares rounded times, because a length absorbed by rounding now may matter later; such jobs must be
    // found.
    const begin = max<f64>(at<f64>(columns.shadowTimes, queueOfSearch), simulation.now);
    return simulation.now + leastRuntimeOnSite(simulation, leastWork, siteOfSearch) <= begin;
  }

  @inline
  isSatisfiedBy(simulation: Simulation, job: i32): bool {
    const processors = at<i32>(columns.processors, job);
    if (processors <= freeProcessorsElsewhere) return true;
    if (processors > freeProcessorsAt(siteOfSearch)) return false;
    if (processors <= at<i32>(columns.extraProcessors, queueOfSearch)) return true;
    if (wouldEndByShadowTime(simulation, queueOfSearch, job)) return true;
    const predictedRuntime = predictedTimeWithoutTransfer(simulation, job, siteOfSearch);
    if (noteIfRuntimeIsAbsorbed(simulation, simulation.now, predictedRuntime))
      narrowestWidthOfAbsorbedRuntime = min(narrowestWidthOfAbsorbedRuntime, processors);
    return false;
  }
}

/** Records that a job may start on the head's site without a delay of the head. */
export function recordBackfilledStart(simulation: Simulation, queue: i32, job: i32): void {
  const site = at<i32>(columns.shadowSites, queue);
  const head = <f64>simulation.lastReservedJob;
  const extraProcessorCount = <f64>at<i32>(columns.extraProcessors, queue);
  const begin = at<f64>(columns.shadowTimes, queue);
  note(Note.Beside, head, predictedEndOnSite(simulation, job, site), begin, extraProcessorCount, <f64>site);
}

/** Records that a job fits but does not start, because it would delay the head. */
export function recordWouldDelayHead(simulation: Simulation, queue: i32, job: i32): void {
  const begin = at<f64>(columns.shadowTimes, queue);
  const extraProcessorCount = at<i32>(columns.extraProcessors, queue);
  const end = predictedEndOnSite(simulation, job, at<i32>(columns.shadowSites, queue));
  record.noteWouldDelayHead(simulation, job, end, begin, extraProcessorCount);
}

/**
 * Knowledge of EASY on one site about waiting jobs, kept between passes. A job that would delay the head now
 * would also do so later, because it would end even later, as long as the reservation does not move to a
 * later time and the extra processors do not increase. So such a job need not be tried again; only jobs that
 * were too wide for the free processors remain. The smallest width of these is stored, over all and per block
 * of 64 ranks if the block has been examined since the reservation last grew; epochs count these growths.
 */

/**
 * True if EASY remembers between passes which waiting jobs it has tried: on one site, with a constant queue
 * order.
 */
@inline
export function areTriedJobsRemembered(simulation: Simulation): bool {
  if (IS_RECORDING_BUILD || mayAnotherJobBecomeNext(simulation)) return false;
  return mayKeepReservation(simulation);
}

/**
 * True if a reservation may be kept until a job ends otherwise than predicted, is overdue, or a head starts:
 * one site, no jobs that the host lets wait, no absorbed lengths, constant rules.
 */
@inline
export function mayKeepReservation(simulation: Simulation): bool {
  if (simulation.hasDeclined !== 0 || simulation.lengthAbsorbed !== 0) return false;
  return simulation.siteCount === 1 && simulation.choosesPolicies === 0;
}

/** Forgets which waiting jobs EASY has tried, so that the next pass tries all of them. */
@inline
export function discardTriedJobs(simulation: Simulation): void {
  simulation.untriedWidth = 0;
  simulation.delayEpoch++;
}

/** Lower bound of the widths of a block's jobs that may start without a delay of the head. */
@inline
export function narrowestUntriedWidthInBlock(simulation: Simulation, block: i32): i32 {
  const isUntriedWidthCurrent = at<i32>(columns.untriedEpochs, block) === simulation.delayEpoch;
  return max(
    at<i32>(columns.minWidths64, block),
    isUntriedWidthCurrent ? at<i32>(columns.untriedWidths, block) : 0,
  );
}

/**
 * Records that EASY has tried all jobs of a block of 64 ranks that need fewer than `processors` processors.
 */
@inline
export function markBlockTried(simulation: Simulation, block: i32, processors: i32): void {
  put<i32>(columns.untriedWidths, block, processors);
  put<i32>(columns.untriedEpochs, block, simulation.delayEpoch);
}

/**
 * Notes that a predicted runtime is so short that adding it to a time does not change the time; returns true
 * if this is so. A skipped job may then start later without any end, and a job without a reservation may
 * reserve what others have taken since. So from then on nothing is remembered between passes.
 */
@inline
export function noteIfRuntimeIsAbsorbed(simulation: Simulation, time: f64, predictedRuntime: f64): bool {
  if (!isLengthAbsorbed(time, predictedRuntime)) return false;
  simulation.lengthAbsorbed = 1;
  return true;
}
