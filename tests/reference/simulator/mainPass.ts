import { computeAgingKeys } from './agingKeys.js';
import { exceedsLimit } from './limits.js';
import { chooseNodes, chooseSiteOfStart, idleNodes, permittedNodes, startOnNodes } from './nodePlan.js';
import { intersectNodeSets } from './nodeSets.js';
import { sortQueueIfOrderChanged, tryToStart } from './passes.js';
import { planQueue } from './planner.js';
import { candidateSites } from './safePlanner.js';
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

/**
 * Starts jobs on idle nodes of the sites that the policy chooses, up to the first that finds too few idle
 * nodes on every site.
 */
function startJobsOnIdleNodes(simulation: Simulation, queue: JobRecord[], now: number): void {
  const { grid, options } = simulation;
  for (const job of [...queue]) {
    if (exceedsLimit(simulation, job)) continue;
    const permitted = new Map(
      candidateSites(simulation, job).map((site) => [site, permittedNodes(simulation, site, job, now)]),
    );
    // A job for which too few nodes are there on every site, idle or not, is passed over.
    const wideEnough = [...permitted].filter(([, nodes]) => nodes.size >= job.processors);
    if (wideEnough.length === 0) continue;
    const idle = new Map(
      wideEnough.map(([site, nodes]) => [site, intersectNodeSets(idleNodes(grid[site]!), nodes)]),
    );
    const safe = [...idle].filter(([, nodes]) => nodes.size >= job.processors).map(([site]) => site);
    if (safe.length === 0) return;
    const site = chooseSiteOfStart(simulation, queue, job, safe);
    startOnNodes(simulation, job, site, chooseNodes(idle.get(site)!, job.processors, options), now);
    queue.splice(queue.indexOf(job), 1);
  }
}
