import { Moldable, Option, Status } from '../abi/abi';
import { Simulation } from '../memory/state';
import { GeneralRunKind, plansAhead } from '../memory/runKind';
import * as columns from '../memory/columns';
import * as kept from '../disciplines/kept';
import * as passTimes from '../disciplines/passTimes';
import * as cancellations from '../events/cancellations';
import * as finishQueue from '../events/finishQueue';
import { executionTime, predictedTimeOnOneSite } from '../grid/execution';
import { mayJobUseSite } from '../grid/siteSets';
import { freeProcessorsAt } from '../grid/sites';
import * as feedback from '../knowledge/estimates';
import { at, put } from '../memory/memory';
import { startJobOnSite } from '../placement/commit';
import * as limits from '../placement/limits';
import { startPlannedJobOnOneSite } from '../placement/start';
import { canSiteEverHold } from '../planning/candidates';
import * as keptPlan from '../planning/keptPlan';
import * as nodeSets from '../planning/nodeSets';
import * as priorityQueue from '../queue/priorityQueue';
import { waitingJobCountOf } from '../queue/waiting';

/**
 * State from which a simulation begins in the middle of a schedule: jobs that already run, and jobs that
 * already wait.
 */

/** Latest accepted start in seconds, as of submissions. */
const LATEST_TIME: f64 = 1e300;

/**
 * Starts the next job of the table on a site at a time, before the first event. With plans by nodes, the job
 * gets the nodes of the column `PlacedNodes`.
 */
export function placeJob(simulation: Simulation, site: i32, start: f64): Status {
  const job = simulation.next;
  if (simulation.turns !== 0 || job >= simulation.knownJobs) return Status.RunUnderWay;
  // Usage of past steps is added in order of time, so no start may precede that of the job placed before.
  const isUsageCounted = (simulation.users | simulation.groups) !== 0;
  const earliestTime = isUsageCounted ? simulation.now : 0;
  if (!(start >= earliestTime && start <= LATEST_TIME)) return Status.TimeInvalid;
  const processors = at<i32>(columns.processors, job);
  simulation.refusedJob = job;
  simulation.refusedSite = site;
  if (site < 0 || site >= simulation.siteCount || freeProcessorsAt(site) < processors)
    return Status.SiteInfeasible;
  if (!mayJobUseSite(simulation, job, site)) return Status.SiteInfeasible;
  if (simulation.plansByNodes !== 0 && !arePlacedNodesIdle(site, processors)) return Status.SiteInfeasible;
  // A window of waiting jobs has no gaps, so a run in order of submission refuses a start behind a waiting
  // job.
  simulation.refusedOption = Option.Cancellations;
  if (simulation.hasPriorityQueue === 0 && simulation.head < job) return Status.OptionsConflict;
  forgetRefusedJobs(simulation);
  const previousTime = simulation.now;
  simulation.now = start;
  if (plansAhead(simulation.lastDiscipline)) {
    const predictedRuntime = predictedTimeOnOneSite(simulation, job, site);
    const hasKeptReservations = simulation.keepsReservations !== 0;
    if (hasKeptReservations) put<f64>(columns.promisedStarts, job, start);
    startPlannedJobOnOneSite(
      simulation,
      job,
      site,
      hasKeptReservations ? keptPlan.endOf(start, predictedRuntime) - start : predictedRuntime,
    );
  } else {
    startJobOnSite<GeneralRunKind>(simulation, job, site, processors, executionTime(simulation, job, site));
  }
  simulation.now = max<f64>(previousTime, start);
  simulation.next = job + 1;
  simulation.head = job + 1;
  return Status.Finished;
}

/**
 * Lets a run begin from a state at a time, before the first event: the next jobs of the table, submitted up
 * to then, run on their `Site` since their `Start`, or wait if they have none.
 */
export function takeState(simulation: Simulation, time: f64): Status {
  if (simulation.turns !== 0) return Status.RunUnderWay;
  forgetRefusedJobs(simulation);
  simulation.refusedOption = optionConflictingWithState(simulation);
  if (simulation.refusedOption >= 0) return Status.OptionsConflict;
  if (!(time >= simulation.now && time <= LATEST_TIME)) return Status.TimeInvalid;
  for (let job = simulation.next; job < simulation.knownJobs; job++) {
    if (at<f64>(columns.submits, job) > time) break;
    const start = at<f64>(columns.starts, job);
    if (isNaN(start)) {
      addJobToQueue(simulation, job);
      continue;
    }
    simulation.refusedJob = job;
    if (!(start <= time)) return Status.TimeInvalid;
    const status = placeJob(simulation, at<i32>(columns.sites, job), start);
    if (status !== Status.Finished) return status;
  }
  simulation.now = time;
  simulation.handledUntil = time;
  return Status.Finished;
}

/** Lets the next job of the table wait, without an event and a pass. */
function addJobToQueue(simulation: Simulation, job: i32): void {
  simulation.next = job + 1;
  if (simulation.hasPriorityQueue === 0) return;
  feedback.handleJobSubmission(simulation, job);
  if (simulation.hasCancellations !== 0) cancellations.scheduleCancellation(simulation, job);
  if (simulation.keepsReservations !== 0) {
    put<i32>(columns.keptSites, job, keptPlan.MOVED_MARK);
    keptPlan.keptQueueAt(0).movedReservations++;
  }
  priorityQueue.addJob(simulation, job);
  if (simulation.limits !== 0) limits.addWaitingJob(simulation, job);
}

/** Option with which a run cannot begin with waiting jobs; -1 if none. */
function optionConflictingWithState(simulation: Simulation): i32 {
  if (simulation.isOpen === 0) return Option.Open;
  if (simulation.choosesPolicies !== 0) return Option.Policy;
  if (simulation.outages !== 0) return Option.Outages;
  // A job without a reservation may be held by a limit or displaced; the state does not tell which.
  if (simulation.keepsReservations !== 0 && simulation.limits !== 0) return Option.Limits;
  if (simulation.moldable !== Moldable.None) return Option.Moldable;
  return simulation.asksKeys !== 0 ? Option.KeysAtSubmit : -1;
}

/** Gives a job that waits when the run begins its kept reservation: a site and a start in seconds. */
export function reserveJob(simulation: Simulation, job: i32, site: i32, start: f64): Status {
  if (simulation.turns !== 0) return Status.RunUnderWay;
  forgetRefusedJobs(simulation);
  simulation.refusedOption = simulation.keepsReservations !== 0 ? -1 : Option.Reservations;
  if (simulation.refusedOption >= 0) return Status.OptionsConflict;
  simulation.refusedJob = job;
  if (job < 0 || job >= simulation.next || !isWaiting(job)) return Status.JobInactive;
  if (!(start >= simulation.now && start <= LATEST_TIME)) return Status.TimeInvalid;
  simulation.refusedSite = site;
  if (site < 0 || site >= simulation.siteCount || !mayJobUseSite(simulation, job, site))
    return Status.SiteInfeasible;
  if (!canSiteEverHold(site, at<i32>(columns.processors, job))) return Status.SiteInfeasible;
  forgetRefusedJobs(simulation);
  if ((at<i32>(columns.keptSites, job) & keptPlan.MOVED_MARK) !== 0)
    keptPlan.keptQueueAt(0).movedReservations--;
  put<f64>(columns.keptStarts, job, start);
  put<i32>(columns.keptSites, job, site);
  return Status.Finished;
}

/** True if a submitted job, which does not run, waits in the queue, and no limit holds it. */
export function isWaiting(job: i32): bool {
  const rank = at<i32>(columns.rankOf, job);
  return at<i32>(columns.jobAt, rank) === job && priorityQueue.isRankWaiting(rank);
}

function forgetRefusedJobs(simulation: Simulation): void {
  simulation.refusedJob = -1;
  simulation.refusedSite = -1;
  simulation.refusedOption = -1;
}

/**
 * Completes the state of an open run before its first event: a pass is due if jobs wait. Refuses a state in
 * which a submission, end or cancellation is overdue.
 */
export function completeState(simulation: Simulation): Status {
  const time = simulation.now;
  simulation.refusedJob = -1;
  if (simulation.next < simulation.knownJobs && at<f64>(columns.submits, simulation.next) < time) {
    simulation.refusedJob = simulation.next;
  } else if (finishQueue.soonestFinishTime(simulation) < time) {
    simulation.refusedJob = finishQueue.soonestJob(simulation);
  } else if (simulation.leavingJobs > 0 && cancellations.soonestCancellationTime(simulation) < time) {
    simulation.refusedJob = at<i32>(columns.cancellationHeap, 1);
  }
  if (simulation.refusedJob >= 0) return Status.TimeInvalid;
  if (waitingJobCountOf(simulation) === 0) return Status.Finished;
  if (simulation.keepsReservations !== 0) kept.planInitialQueue(simulation);
  passTimes.requestPassForHost(simulation);
  return Status.Finished;
}

/** True if the nodes of `PlacedNodes` are as many as a job needs, and idle on a site. */
function arePlacedNodesIdle(site: i32, processors: i32): bool {
  const capacity = at<i32>(columns.capacities, site);
  const words = (capacity + 63) >> 6;
  nodeSets.clearSet(columns.chosenNodes, words);
  for (let node = 0; node < capacity; node++) {
    const bit = (<u64>(at<i32>(columns.placedNodes, node) & 1)) << (node & 63);
    put<u64>(columns.chosenNodes, node >> 6, at<u64>(columns.chosenNodes, node >> 6) | bit);
  }
  if (nodeSets.count(columns.chosenNodes, words) !== processors) return false;
  const idleBitsAddress = columns.freeBits + ((<usize>at<i32>(columns.firstWords, site)) << 3);
  return nodeSets.isSubset(columns.chosenNodes, idleBitsAddress, words);
}
