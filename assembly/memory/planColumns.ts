/** The columns of planning that are caches of a simulation (planning/, disciplines/); columns.ts says how. */
import { column } from './columnWalk';
import { Simulation } from './state';

export let planSites: usize = 0;
export let planBlocks: usize = 0;
export let planSteps: usize = 0;
export let searchBounds: usize = 0;
export let plannedStarts: usize = 0;
export let plannedSites: usize = 0;
export let nextStarts: usize = 0;
export let nextStartPlaces: usize = 0;
export let safeSlots: usize = 0;
export let members: usize = 0;
export let candidateSites: usize = 0;
export let candidateShares: usize = 0;
export let untriedIn: usize = 0;
export let untriedSince: usize = 0;

/** The columns of a simulation that plans ahead. */
export function placePlan(simulation: Simulation): void {
  const jobs = simulation.jobCount;
  const ofSites = simulation.siteCount;
  planSites = column<u64>(<i64>ofSites + 1);
  planBlocks = column<u64>(simulation.planBlockWords);
  planSteps = column<u64>(simulation.planStepWords);
  searchBounds = column<f64>(simulation.searchBoundEntries);
  plannedStarts = column<f64>(jobs);
  plannedSites = column<i32>(jobs);
  nextStarts = column<i32>(<i64>jobs + 1);
  nextStartPlaces = column<i32>(jobs);
  safeSlots = column<u64>(ofSites);
  untriedIn = column<i32>((jobs >> 6) + 1);
  untriedSince = column<i32>((jobs >> 6) + 1);
  members = column<i32>(ofSites);
  candidateSites = column<i32>(ofSites);
  candidateShares = column<i32>(ofSites);
}
