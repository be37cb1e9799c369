import { LookAhead, Status } from '../abi/abi';
import { Simulation } from '../memory/state';
import { lookAhead } from '../allocators/lookAhead';
import { CustomPolicyAnswer } from '../allocators/own';
import { ScanSearch } from '../allocators/scan';
import * as columns from '../memory/columns';
import * as finishQueue from '../events/finishQueue';
import { isSafeSite } from '../disciplines/discipline';
import { candidateIndexOf, candidateCountOf, freeProcessorsAt } from '../grid/sites';
import * as estimates from '../knowledge/estimates';
import * as releases from '../knowledge/releases';
import { at, put } from '../memory/memory';
import * as waiting from '../queue/waiting';
import * as priorityQueue from '../queue/priorityQueue';
import * as sequence from '../queue/sequence';
import { finish } from '../placement/commit';
import { startJobWithoutInlining } from '../placement/start';
import { PriorityRunKind } from '../memory/runKind';

/** Queries and answers of the host while a decision or a request for keys is pending. */

/** Answer that lets the job wait. */
const WAIT_ANSWER: i32 = -1;

/** True if the host must decide about a job before the run continues. */
@inline
export function isPending(simulation: Simulation): bool {
  return (
    simulation.decisionJob >= 0 &&
    simulation.asksHost !== 0 &&
    simulation.decisionAnswer === CustomPolicyAnswer.None
  );
}

/** Applies the answer to the pending decision. */
export function decide(simulation: Simulation, site: i32): Status {
  if (!isPending(simulation)) return Status.NoDecision;
  if (site !== WAIT_ANSWER && !isFeasible(simulation, site)) {
    simulation.refusedJob = simulation.decisionJob;
    simulation.refusedSite = site;
    return Status.SiteInfeasible;
  }
  simulation.decisionAnswer = site === WAIT_ANSWER ? CustomPolicyAnswer.Wait : site;
  return Status.Finished;
}

/**
 * True if the host must give the keys of the job that is submitted next. Keys may depend on the job's
 * estimate, which is computed here; no event can come between this and the submission.
 */
export function areKeysDue(simulation: Simulation): bool {
  if (simulation.asksKeys === 0) return false;
  const job = simulation.hasDependencies !== 0 ? releases.nextJobToSubmit(simulation) : simulation.next;
  if (simulation.keyedJob !== job + 1) {
    simulation.keyedJob = job + 1;
    simulation.keysGiven = 0;
    if (simulation.recentJobs > 0) estimates.estimateRuntime(simulation, job);
  }
  return simulation.keysGiven === 0;
}

/**
 * True if the host must give the keys of a waiting job whose estimate changes at the next end. The estimate
 * is computed here; no event can come between this and that end.
 */
export function areKeysDueAtEnd(simulation: Simulation): bool {
  if (simulation.asksKeys === 0 || simulation.refreshesEstimates === 0) return false;
  const endingJob = finishQueue.soonestJob(simulation);
  // No estimate depends on a job that is cancelled, so its end changes no keys.
  if (columns.isCancelled(simulation, endingJob)) return false;
  let lastKeyedJob = -1;
  if (simulation.keyedEnd !== endingJob + 1) {
    simulation.keyedEnd = endingJob + 1;
    estimates.learnFromEndedJob(endingJob);
    estimates.refreshEstimates(simulation, endingJob);
  } else {
    if (simulation.keysGiven === 0) return true;
    lastKeyedJob = simulation.keyedJob - 1;
  }
  const job = estimates.nextJobToRefresh(simulation, endingJob, lastKeyedJob);
  if (job < 0) return false;
  simulation.keyedJob = job + 1;
  simulation.keysGiven = 0;
  return true;
}

/** Job for whose keys the host is asked; -1 if none. */
export function keyedJob(simulation: Simulation): i32 {
  return simulation.keysGiven !== 0 ? -1 : simulation.keyedJob - 1;
}

/** Stores the keys given by the host. */
export function giveKeys(simulation: Simulation, key: f64, backfillKey: f64): Status {
  const job = keyedJob(simulation);
  if (job < 0) return Status.NoDecision;
  if (!isFinite(key) || !isFinite(backfillKey)) {
    simulation.refusedJob = job;
    return Status.JobKeyInvalid;
  }
  put<f64>(columns.keys, job, key);
  put<f64>(columns.backfillKeys, job, backfillKey);
  simulation.keysGiven = 1;
  return Status.Finished;
}

/** True if the job of the pending decision can start on a site now. */
export function isFeasible(simulation: Simulation, site: i32): bool {
  const job = simulation.decisionJob;
  if (site < 0 || site >= simulation.siteCount) return false;
  if (freeProcessorsAt(site) < at<i32>(columns.processors, job)) return false;
  const index = candidateIndexOf(simulation, job, site);
  if (index < 0 || index >= candidateCountOf(simulation, job)) return false;
  return isSafeSite(simulation, site);
}

/** Score of the look-ahead if the job of the pending decision goes to a feasible site. */
export function lookAheadFrom(simulation: Simulation, site: i32, scoreKind: LookAhead): f64 {
  const job = simulation.decisionJob;
  sequence.switchToBackfillRanks(simulation, simulation.passQueue);
  const score =
    scoreKind === LookAhead.Jobs
      ? <f64>lookAhead<i32, ScanSearch>(simulation, job, site)
      : lookAhead<f64, ScanSearch>(simulation, job, site);
  sequence.switchToQueueRanks(simulation, simulation.passQueue);
  return score;
}

/** Job behind another one in the queue of the pending decision's job; for -1 the first. -1 if none. */
export function nextInQueue(simulation: Simulation, job: i32): i32 {
  if (job >= simulation.knownJobs) return -1;
  const isPlanned = simulation.hasBackfillRanks !== 0;
  if (job >= 0 && isPlanned) return sequence.nextJobInPass(simulation, simulation.passQueue, job);
  if (job >= 0) return waiting.nextBehind(simulation, job);
  if (simulation.hasPriorityQueue === 0) {
    return simulation.head < simulation.next ? simulation.head : -1;
  }
  const queue = priorityQueue.queueOfJob(simulation, simulation.decisionJob);
  return sequence.firstJobInPass(simulation, queue, waiting.headOf(simulation, queue));
}

/** Waiting job of an open run, which has one queue, behind another one; for -1 the first. -1 if none. */
export function nextWaitingJob(simulation: Simulation, job: i32): i32 {
  if (job >= simulation.knownJobs) return -1;
  if (simulation.hasPriorityQueue === 0) {
    const nextJob = max(simulation.head, job + 1);
    return nextJob < simulation.next ? nextJob : -1;
  }
  const rank = job < 0 ? 0 : at<i32>(columns.rankOf, job) + 1;
  const nextRank = priorityQueue.nextRank(simulation, rank);
  return nextRank < simulation.jobCount ? at<i32>(columns.jobAt, nextRank) : -1;
}

/**
 * Measures the cost of decisions: each job in [first, end) starts if a site has room and ends at once,
 * without events. Returns the number of started jobs, or -1 if the run does not qualify: it needs priority
 * queues and nothing but free counts. The jobs must end before all running ones.
 */
export function rehearse(simulation: Simulation, firstJob: i32, end: i32): i32 {
  if (simulation.hasPriorityQueue === 0 || simulation.hasExtras !== 0) return -1;
  if (firstJob < 0 || end > simulation.knownJobs) return -1;
  let startedJobCount = 0;
  for (let job = firstJob; job < end; job++) {
    if (!startJobWithoutInlining<PriorityRunKind>(simulation, job)) continue;
    finish<PriorityRunKind>(simulation, finishQueue.pop(simulation));
    simulation.countedJobCount--;
    startedJobCount++;
  }
  return startedJobCount;
}
