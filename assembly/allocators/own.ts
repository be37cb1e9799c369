import { Topology } from '../abi/abi';
import { Decision } from '../abi/abiColumns';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import * as finishQueue from '../events/finishQueue';
import { Slot, candidatesOf, firstCandidateOf, freeAt, requestOf, siteOfSlot } from '../grid/sites';
import { at, put } from '../memory/memory';
import { queuedProcessors, waitingIncluding } from '../queue/waiting';
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
      ? takePolicyAnswer(simulation)
      : ask(simulation, job);
  }
}

/** True if the host may let a job wait, and is therefore asked even if only one site fits. */
@inline
export function mayWait(simulation: Simulation): bool {
  return simulation.asksHost !== 0 && simulation.parameter0 !== 0;
}

function takePolicyAnswer(simulation: Simulation): i32 {
  const site = simulation.decisionAnswer;
  simulation.decisionAnswer = CustomPolicyAnswer.None;
  if (site >= 0) return site;
  simulation.hasDeclined = 1;
  return WITHHELD_ANSWER;
}

/** Counts the running jobs of a site whose jobs share no queue with those of other sites. */
function runningJobsOnSite(simulation: Simulation, site: i32): i32 {
  let runningJobs = 0;
  for (let finishEntry = 1; finishEntry <= simulation.runningJobs; finishEntry++) {
    const job = finishQueue.jobIn(at<u64>(finishQueue.entryAt(finishEntry), 1));
    runningJobs += i32(at<i32>(columns.homes, job) === site);
  }
  return runningJobs;
}

/**
 * Asks the host if at least two sites fit, or at least one if the job may wait; a single site is otherwise
 * taken.
 */
function ask(simulation: Simulation, job: i32): i32 {
  const request = requestOf(at<i32>(columns.processors, job));
  const slotsAddress = columns.selectableSlots + firstCandidateOf(simulation, job);
  let tightestSlot = NO_SLOT;
  let fastestSlot = NO_SLOT;
  let fittingSiteCount = 0;
  for (let index = candidatesOf(simulation, job) - 1; index >= 0; index--) {
    const slot = at<Slot>(slotsAddress, index);
    const remainingSlot = slot - request;
    if (!fitsInSlot(remainingSlot)) continue;
    tightestSlot = min<u64>(tightestSlot, remainingSlot);
    fastestSlot = slot;
    fittingSiteCount++;
  }
  if (fittingSiteCount === 0) return -1;
  if (fittingSiteCount === 1 && !mayWait(simulation)) return siteOfSlot(fastestSlot);
  const decision = columns.decision;
  put<f64>(decision, Decision.Job, job);
  put<f64>(decision, Decision.Time, simulation.now);
  put<f64>(decision, Decision.BestFit, siteOfSlot(tightestSlot));
  put<f64>(decision, Decision.FastestFirst, siteOfSlot(fastestSlot));
  put<f64>(decision, Decision.FoundQueueEmpty, i32(simulation.arrivingJob === job));
  put<f64>(decision, Decision.QueuedProcessors, queuedProcessors(simulation, job));
  const isAlone = simulation.topology === Topology.Independent;
  const home = at<i32>(columns.homes, job);
  const freeProcessors = isAlone ? <i64>freeAt(home) : simulation.freeProcessors;
  put<f64>(decision, Decision.FreeProcessors, <f64>freeProcessors);
  put<f64>(decision, Decision.Waiting, waitingIncluding(simulation, job));
  put<f64>(
    decision,
    Decision.Running,
    isAlone ? runningJobsOnSite(simulation, home) : simulation.runningJobs,
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
