/** The columns of what a run itself finds out about jobs; columns.ts says how. */
import { Column } from './abiColumns';
import { column, shown } from './columnWalk';
import { estimateBy } from './jobColumns';
import { Simulation } from './state';

export let lastOfUsers: usize = 0;
export let earlierOfUsers: usize = 0;
export let lateKeys: usize = 0;
export let placedJobs: usize = 0;

/** Estimates, and the keys of ranks that jobs get when they are submitted. */
export function placeKnowledge(simulation: Simulation): void {
  const jobs = simulation.jobCount;
  if (simulation.roomForEstimates !== 0) {
    estimateBy(shown<f64>(Column.Estimate, jobs));
    lastOfUsers = column<i32>(jobs);
    earlierOfUsers = column<i32>(jobs);
  }
  if (simulation.roomForLateRanks === 0) return;
  lateKeys = column<f64>(jobs);
  placedJobs = column<i32>(simulation.siteCount);
}
