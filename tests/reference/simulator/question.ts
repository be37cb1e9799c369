import { countFree } from './grid.js';
import { exceedsLimit } from './limits.js';
import type { JobRecord, Simulation } from './simulation.js';
import type { AllocationQuestion } from './sites.js';

/** Information given to the policy about a job of the queue. */
export function makeAllocationQuestion(
  simulation: Simulation,
  queue: JobRecord[],
  job: JobRecord,
): AllocationQuestion {
  const { options, grid, metEmptyQueue, kept } = simulation;
  // With kept reservations, limits are tested at the reserved start.
  const isPassedOver = (other: JobRecord) =>
    options.reservations === 'kept' ? !kept.has(other) : exceedsLimit(simulation, other);
  return {
    job,
    waitingQueue: queue,
    eligible: queue.filter((other) => other === job || !isPassedOver(other)),
    sites: grid.map((site) => ({
      index: site.index,
      speed: site.speed,
      freeProcessors: countFree(site),
    })),
    metEmptyQueue: metEmptyQueue.has(job),
    minSpeedRatio: options.minSpeedRatio,
    partitions: options.partitions,
  };
}
