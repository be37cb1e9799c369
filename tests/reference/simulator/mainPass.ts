import { computeAgingKeys } from './agingKeys.js';
import { exceedsLimit } from './limits.js';
import { chooseNodes, idleNodes, permittedNodes, startOnNodes } from './nodePlan.js';
import { intersectNodeSets } from './nodeSets.js';
import { sortQueueIfOrderChanged, tryToStart } from './passes.js';
import { planQueue } from './planner.js';
import { type JobRecord, refreshEstimates, type Simulation } from './simulation.js';

/**
 * Starts jobs in queue order up to the first that does not fit now; backfill passes do the
 * remaining work. Disciplines that plan skip a job that a custom policy lets wait.
 */
export function makeMainPassOfQueues(simulation: Simulation, now: number): void {
  const { discipline, planBy } = simulation.options;
  refreshEstimates(simulation);
  computeAgingKeys(simulation, now);
  for (const queue of simulation.queues) {
    sortQueueIfOrderChanged(simulation, queue, now);
    if (planBy === 'node') startJobsOnIdleNodes(simulation, queue, now);
    else if (discipline === 'first-available') startJobsUntilFirstBlocked(simulation, queue, now);
    else planQueue(simulation, queue, now, 'main');
  }
  simulation.metEmptyQueue.clear();
}

function startJobsUntilFirstBlocked(simulation: Simulation, queue: JobRecord[], now: number): void {
  for (const job of [...queue]) {
    if (exceedsLimit(simulation, job)) continue;
    const outcome = tryToStart(simulation, queue, job, now);
    if (outcome !== 'started') return;
    queue.splice(queue.indexOf(job), 1);
  }
}

function startJobsOnIdleNodes(simulation: Simulation, queue: JobRecord[], now: number): void {
  for (const job of [...queue]) {
    if (exceedsLimit(simulation, job)) continue;
    const permitted = permittedNodes(simulation, job, now);
    // A job for which too few nodes are there, idle or not, is passed over.
    if (job.processors > permitted.size && simulation.options.outages !== undefined) continue;
    const idle = intersectNodeSets(idleNodes(simulation), permitted);
    if (job.processors > idle.size) return;
    startOnNodes(simulation, job, chooseNodes(idle, job.processors, simulation.options), now);
    queue.splice(queue.indexOf(job), 1);
  }
}
