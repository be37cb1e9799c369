import { Topology } from '../abi/abi';
import { Decision } from '../abi/abiColumns';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import * as finishQueue from '../events/finishQueue';
import {
  Slot,
  candidateCountOf,
  firstCandidateOffsetOf,
  freeProcessorsAt,
  slotRequestOf,
  siteOfSlot,
} from '../grid/sites';
import { at, put } from '../memory/memory';
import { queuedProcessors, waitingJobCountIncluding } from '../queue/waiting';
import { NO_SLOT, fitsInSlot } from './argmin';

/** Values of an answer to a decision that are not sites. */
export enum CustomPolicyAnswer {
  Wait = -1,
  None = -2,
}

/**
 * Result of an allocator for a job that fits but must wait, by the policy or until the host
 * answers.
 */
export const WITHHELD_ANSWER: i32 = -2;

/**
 * Policy implemented by the host. The core pauses (`Status.Decision`) before each decision; after the answer,
 * the pass continues with the same job.
 */
@final
@unmanaged
export class CustomPolicy {
  declaration(): string {
    return 'own[mayWait=no|yes]: the site that the host answers when it is asked.';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    return simulation.decisionAnswer !== CustomPolicyAnswer.None
      ? takeHostAnswer(simulation)
      : askHostForSite(simulation, job);
  }
}

/** True if the host may let a job wait, and is therefore asked even if only one site fits. */
@inline
export function mayHostLetJobsWait(simulation: Simulation): bool {
  return simulation.asksHost !== 0 && simulation.parameter0 !== 0;
}

function takeHostAnswer(simulation: Simulation): i32 {
  const site = simulation.decisionAnswer;
  simulation.decisionAnswer = CustomPolicyAnswer.None;
  if (site >= 0) return site;
  simulation.hasDeclined = 1;
  return WITHHELD_ANSWER;
}

/** Counts the running jobs of a site whose jobs share no queue with those of other sites. */
function countRunningJobsOnSite(simulation: Simulation, site: i32): i32 {
  let runningJobCount = 0;
  for (let finishEntry = 1; finishEntry <= simulation.runningJobs; finishEntry++) {
    const job = finishQueue.jobOfKey(at<u64>(finishQueue.finishEntryAt(finishEntry), 1));
    runningJobCount += i32(at<i32>(columns.homes, job) === site);
  }
  return runningJobCount;
}

/**
 * Asks the host if at least two sites fit, or at least one if the job may wait; a single site is otherwise
 * taken.
 */
function askHostForSite(simulation: Simulation, job: i32): i32 {
  const request = slotRequestOf(at<i32>(columns.processors, job));
  const slotsAddress = columns.selectableSlots + firstCandidateOffsetOf(simulation, job);
  let tightestSlot = NO_SLOT;
  let fastestSlot = NO_SLOT;
  let fittingSiteCount = 0;
  for (let index = candidateCountOf(simulation, job) - 1; index >= 0; index--) {
    const slot = at<Slot>(slotsAddress, index);
    const remainingSlot = slot - request;
    if (!fitsInSlot(remainingSlot)) continue;
    tightestSlot = min<u64>(tightestSlot, remainingSlot);
    fastestSlot = slot;
    fittingSiteCount++;
  }
  if (fittingSiteCount === 0) return -1;
  if (fittingSiteCount === 1 && !mayHostLetJobsWait(simulation)) return siteOfSlot(fastestSlot);
  const decisionAddress = columns.decision;
  put<f64>(decisionAddress, Decision.Job, job);
  put<f64>(decisionAddress, Decision.Time, simulation.now);
  put<f64>(decisionAddress, Decision.BestFit, siteOfSlot(tightestSlot));
  put<f64>(decisionAddress, Decision.FastestFirst, siteOfSlot(fastestSlot));
  put<f64>(decisionAddress, Decision.FoundQueueEmpty, i32(simulation.arrivingJob === job));
  put<f64>(decisionAddress, Decision.QueuedProcessors, queuedProcessors(simulation, job));
  const hasIndependentSites = simulation.topology === Topology.Independent;
  const home = at<i32>(columns.homes, job);
  const freeProcessors = hasIndependentSites ? <i64>freeProcessorsAt(home) : simulation.freeProcessors;
  put<f64>(decisionAddress, Decision.FreeProcessors, <f64>freeProcessors);
  put<f64>(decisionAddress, Decision.Waiting, waitingJobCountIncluding(simulation, job));
  put<f64>(
    decisionAddress,
    Decision.Running,
    hasIndependentSites ? countRunningJobsOnSite(simulation, home) : simulation.runningJobs,
  );
  simulation.decisionJob = job;
  return WITHHELD_ANSWER;
}

/**
 * Policy that changes among candidates during a run (engine/choosing.ts). The simulation's policy is then the
 * candidate in effect.
 */
@final
@unmanaged
export class DynamicPolicy {
  declaration(): string {
    return 'dynamic[every=10:count,candidates=tai2:policies,futures=1:count,hysteresis=0:share,smooth=0:share,seed=1:whole]: the candidate under which the waiting jobs would have ended soonest, tried every so many submits.';
  }

  /** Never called, because a candidate policy decides instead. */
  @inline
  choose(simulation: Simulation, job: i32): i32 {
    return -1;
  }
}
