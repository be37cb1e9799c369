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
  const { options, grid, metEmptyQueue, kept: keptReservations } = simulation;
  // With kept reservations, limits are tested at the reserved start.
  const isPassedOver = (otherJob: JobRecord) =>
    options.reservations === 'kept' ? !keptReservations.has(otherJob) : exceedsLimit(simulation, otherJob);
  return {
    job,
    waitingQueue: queue,
    eligible: queue.filter((otherJob) => otherJob === job || !isPassedOver(otherJob)),
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
