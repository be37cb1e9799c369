import { LookAhead, Status } from '../abi';
import { Simulation } from '../state';
import { lookAhead } from '../allocators/lookAhead';
import { Answer } from '../allocators/own';
import { Scan } from '../allocators/scan';
import * as columns from '../columns';
import { isSafe } from '../disciplines/ahead';
import { Slot, candidatesOf, firstCandidateOf, freeAt } from '../grid/sites';
import { at } from '../memory';
import * as fcfsQueue from '../queue/fcfsQueue';
import * as priorityQueue from '../queue/priorityQueue';
import * as waiting from '../queue/waiting';

/** What the host asks and answers while a decision is pending. */

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

/** Whether the job that it is decided about can start on a site now. */
export function isFeasible(simulation: Simulation, site: i32): bool {
  const job = simulation.asked;
  if (site < 0 || site >= simulation.siteCount) return false;
  if (freeAt(site) < at<i32>(columns.processors, job)) return false;
  const first = <i32>(firstCandidateOf(simulation, job) / sizeof<Slot>());
  const index = at<i32>(columns.slotOfSite, site) - first;
  if (index < 0 || index >= candidatesOf(simulation, job)) return false;
  return isSafe(simulation, site);
}

/** What the look-ahead finds if the job goes to a feasible site. */
export function lookAheadFrom(simulation: Simulation, site: i32, what: LookAhead): f64 {
  const job = simulation.asked;
  if (what === LookAhead.Jobs) return lookAhead<i32, Scan>(simulation, job, site);
  return lookAhead<f64, Scan>(simulation, job, site);
}

/** The job behind another in the queue of the job that it is decided about, the first for -1; -1: none. */
export function nextInQueue(simulation: Simulation, job: i32): i32 {
  if (job >= simulation.jobCount) return -1;
  if (job >= 0) return waiting.behind(simulation, job);
  if (simulation.hasPriorityQueue === 0) {
    return fcfsQueue.waitingJobs(simulation) > 0 ? simulation.head : -1;
  }
  return priorityQueue.headOf(simulation, priorityQueue.queueOf(simulation, simulation.asked));
}
