import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { executionTime } from '../grid/execution';
import { freeProcessorsAt } from '../grid/sites';
import { at } from '../memory/memory';
import * as record from '../record/allocations';
import { IS_RECORDING_BUILD, note, Note } from '../record/log';
import { PriorityRunKind } from '../memory/runKind';
import { startJobOnSite } from './commit';
import { preemptJob, rejoinQueue } from './preemption';
import * as remoteJobs from './remoteJobs';

/**
 * Starts a job at its home by preempting remote jobs, the latest started first, if that frees enough
 * processors (Huang et al. 2007, section 5); returns true if it started. A preempted job returns to its own
 * queue with its old rank and restarts from its beginning.
 */
export function startJobByReclaiming(simulation: Simulation, job: i32): bool {
  const home = at<i32>(columns.homes, job);
  const processors = at<i32>(columns.processors, job);
  if (IS_RECORDING_BUILD) {
    note(Note.Reclaimable, <f64>home, <f64>freeProcessorsAt(home), <f64>remoteJobs.remoteProcessorsOn(home));
  }
  if (freeProcessorsAt(home) + remoteJobs.remoteProcessorsOn(home) < processors) return false;
  while (freeProcessorsAt(home) < processors) {
    if (IS_RECORDING_BUILD) record.recordClaimingJob(job);
    const preemptedJob = preemptJob(simulation, remoteJobs.firstAllocationToPreempt(home), home);
    simulation.hasReclaimed = 1;
    rejoinQueue(simulation, preemptedJob, home);
  }
  startJobOnSite<PriorityRunKind>(simulation, job, home, processors, executionTime(simulation, job, home));
  return true;
}
