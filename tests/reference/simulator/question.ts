import { countFree } from './grid.js';
import type { JobRecord, Simulation } from './simulation.js';
import type { Question } from './sites.js';

/** Information given to the policy about a job of the queue. */
export function questionAbout(simulation: Simulation, queue: JobRecord[], job: JobRecord): Question {
  const { options, grid, metEmptyQueue } = simulation;
  return {
    job,
    waitingQueue: queue,
    sites: grid.map((site) => ({
      index: site.index,
      speed: site.speed,
      freeProcessors: countFree(site),
    })),
    metEmptyQueue: metEmptyQueue.has(job),
    minSpeedRatio: options.minSpeedRatio,
  };
}
