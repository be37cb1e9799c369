import { Simulation } from '../memory/state';
import { sumOfSite, sumQueued } from '../sums/sums';
import * as columns from '../memory/columns';
import * as finishQueue from '../events/finishQueue';
import { allocationAt, Allocation } from '../events/finishQueue';
import * as exact from '../sums/exactSum';
import { executionTime } from '../grid/execution';
import { freeAt } from '../grid/sites';
import * as estimates from '../knowledge/estimates';
import { at, put } from '../memory/memory';
import * as lateRanks from '../queue/priorityQueue';
import * as record from '../record/allocations';
import { RECORDED, note, Note } from '../record/log';
import { PriorityRunKind } from '../memory/runKind';
import { releaseJob, startJobOnSite } from './commit';
import * as remoteJobs from './remoteJobs';
import { CHECKED, Invariant, check } from '../memory/check';

/**
 * Starts a job at its home by preempting remote jobs, the latest started first, if that frees enough
 * processors (Huang et al. 2007, section 5); returns true if it started. A preempted job returns to its own
 * queue with its old rank and restarts from its beginning.
 */
export function startReclaiming(simulation: Simulation, job: i32): bool {
  const home = at<i32>(columns.homes, job);
  const processors = at<i32>(columns.processors, job);
  if (RECORDED) {
    note(Note.Reclaimable, <f64>home, <f64>freeAt(home), <f64>remoteJobs.remoteProcessorsOn(home));
  }
  if (freeAt(home) + remoteJobs.remoteProcessorsOn(home) < processors) return false;
  while (freeAt(home) < processors) {
    if (RECORDED) record.noteClaim(job);
    stopJob(simulation, remoteJobs.latest(home), home);
  }
  startJobOnSite<PriorityRunKind>(simulation, job, home, processors, executionTime(simulation, job, home));
  return true;
}

/** Preempts the execution of an allocation's job on a site. */
function stopJob(simulation: Simulation, place: i32, site: i32): void {
  const allocation = allocationAt(place);
  const job = allocation.job;
  const executedTime = simulation.now - allocation.start;
  finishQueue.remove(simulation, allocation.start + allocation.execution, job);
  if (simulation.stopCapacity > 0) append(simulation, allocation);
  releaseJob(simulation, place);
  const lost = <f64>at<i32>(columns.processors, job) * executedTime;
  put<f64>(columns.lostTimes, job, at<f64>(columns.lostTimes, job) + executedTime);
  exact.add(exact.tallySumAt(columns.accounts, sumOfSite(simulation, site)), lost);
  exact.add(exact.tallySumAt(columns.accounts, sumQueued(simulation) + 1), lost);
  simulation.restarts++;
  simulation.reclaimed = 1;
  if (simulation.refreshesEstimates !== 0) estimates.estimateRuntime(simulation, job);
  if (simulation.hasLateRanks !== 0) lateRanks.place(simulation, job);
  lateRanks.join(simulation, job);
  if (RECORDED) record.noteStoppedJob(simulation, job, site);
}

/**
 * Log of preemptions, kept if the schedule is wanted, because a job's columns hold only its last execution.
 * Entries are in order of time.
 */

/** Records the preempted execution of an allocation, which ends now. */
export function append(simulation: Simulation, allocation: Allocation): void {
  const entry = simulation.stopsLength;
  if (CHECKED) check(entry < simulation.stopCapacity, Invariant.LogOverflow);
  put<i32>(columns.stopJobs, entry, allocation.job);
  put<i32>(columns.stopSites, entry, allocation.site);
  put<f64>(columns.stopStarts, entry, allocation.start);
  put<f64>(columns.stopEnds, entry, simulation.now);
  if (simulation.logCapacity > 0) put<i32>(columns.stopLogIndices, entry, allocation.logIndex);
  simulation.stopsLength = entry + 1;
}
