import { LookAhead, Status } from '../abi/abi';
import { Simulation } from '../memory/state';
import { lookAhead } from '../allocators/lookAhead';
import { Answer } from '../allocators/own';
import { Scan } from '../allocators/scan';
import * as columns from '../memory/columns';
import * as finishQueue from '../events/finishQueue';
import { isSafeFor } from '../disciplines/discipline';
import { Slot, candidatesOf, firstCandidateOf, freeAt } from '../grid/sites';
import * as estimates from '../knowledge/estimates';
import * as releases from '../knowledge/releases';
import { at, put } from '../memory/memory';
import * as waiting from '../queue/waiting';
import * as priorityQueue from '../queue/priorityQueue';
import * as sequence from '../queue/sequence';
import { finish } from '../placement/commit';
import { startAny } from '../placement/start';
import { PriorityRun } from '../memory/runKind';

/** What the host asks and answers while a decision is pending, or the keys of a job are asked for. */

/** The answer that a job is to wait. */
const WAIT: i32 = -1;

/** Whether the host is to answer before anything goes on. */
@inline
export function isPending(simulation: Simulation): bool {
  return simulation.asked >= 0 && simulation.asks !== 0 && simulation.answer === Answer.None;
}

/** Takes the answer to the pending decision. */
export function decide(simulation: Simulation, site: i32): Status {
  if (!isPending(simulation)) return Status.NoDecision;
  if (site !== WAIT && !isFeasible(simulation, site)) {
    simulation.refusedJob = simulation.asked;
    simulation.refusedSite = site;
    return Status.SiteInfeasible;
  }
  simulation.answer = site === WAIT ? Answer.Wait : site;
  return Status.Finished;
}

/**
 * Whether the host is to give the keys of the job that is submitted next. They may depend on its estimate,
 * which is found here: nothing comes between this and the submit.
 */
export function areKeysDue(simulation: Simulation): bool {
  if (simulation.asksKeys === 0) return false;
  const job = simulation.hasDependencies !== 0 ? releases.soonest(simulation) : simulation.next;
  if (simulation.keyedJob !== job + 1) {
    simulation.keyedJob = job + 1;
    simulation.keysGiven = 0;
    if (simulation.recentJobs > 0) estimates.estimate(simulation, job);
  }
  return simulation.keysGiven === 0;
}

/**
 * Whether the host is to give the keys of a job that waits whose estimate the end of the next job changes.
 * These estimates are made here: nothing comes between this and the end.
 */
export function areKeysDueAtEnd(simulation: Simulation): bool {
  if (simulation.asksKeys === 0 || simulation.refreshesEstimates === 0) return false;
  const ending = finishQueue.soonestJob(simulation);
  let last = -1;
  if (simulation.keyedEnd !== ending + 1) {
    simulation.keyedEnd = ending + 1;
    estimates.learn(ending);
    estimates.refresh(simulation, ending);
  } else {
    if (simulation.keysGiven === 0) return true;
    last = simulation.keyedJob - 1;
  }
  const job = estimates.nextConcerned(simulation, ending, last);
  if (job < 0) return false;
  simulation.keyedJob = job + 1;
  simulation.keysGiven = 0;
  return true;
}

/** The job whose keys the host is asked for, or -1. */
export function keyedJob(simulation: Simulation): i32 {
  return simulation.keysGiven !== 0 ? -1 : simulation.keyedJob - 1;
}

/** Takes these keys. */
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

/** Whether the job that it is decided about can start on a site now. */
export function isFeasible(simulation: Simulation, site: i32): bool {
  const job = simulation.asked;
  if (site < 0 || site >= simulation.siteCount) return false;
  if (freeAt(site) < at<i32>(columns.processors, job)) return false;
  const first = <i32>(firstCandidateOf(simulation, job) / sizeof<Slot>());
  const index = at<i32>(columns.slotOfSite, site) - first;
  if (index < 0 || index >= candidatesOf(simulation, job)) return false;
  return isSafeFor(simulation, site);
}

/** What the look-ahead finds if the job goes to a feasible site. */
export function lookAheadFrom(simulation: Simulation, site: i32, what: LookAhead): f64 {
  const job = simulation.asked;
  sequence.turn(simulation, simulation.passQueue);
  const found =
    what === LookAhead.Jobs
      ? <f64>lookAhead<i32, Scan>(simulation, job, site)
      : lookAhead<f64, Scan>(simulation, job, site);
  sequence.turnBack(simulation, simulation.passQueue);
  return found;
}

/** The job behind another in the queue of the job that it is decided about, the first for -1; -1: none. */
export function nextInQueue(simulation: Simulation, job: i32): i32 {
  if (job >= simulation.jobCount) return -1;
  const isPlanned = simulation.hasBackfillRanks !== 0;
  if (job >= 0 && isPlanned) return sequence.behind(simulation, simulation.passQueue, job);
  if (job >= 0) return waiting.behind(simulation, job);
  if (simulation.hasPriorityQueue === 0) {
    return simulation.head < simulation.next ? simulation.head : -1;
  }
  return waiting.headOf(simulation, priorityQueue.queueOf(simulation, simulation.asked));
}

/**
 * What decisions cost, for whoever measures it: each of the jobs [first, end) starts if a site has room, and
 * ends at once, without an event; returns how many did, -1 for a run that this is not for. They must end
 * before all that run. The run has priority queues and keeps nothing but free counts.
 */
export function rehearse(simulation: Simulation, first: i32, end: i32): i32 {
  if (simulation.hasPriorityQueue === 0 || simulation.hasExtras !== 0) return -1;
  if (first < 0 || end > simulation.jobCount) return -1;
  let started = 0;
  for (let job = first; job < end; job++) {
    if (!startAny<PriorityRun>(simulation, job)) continue;
    finish<PriorityRun>(simulation, finishQueue.pop(simulation));
    simulation.counted--;
    started++;
  }
  return started;
}
