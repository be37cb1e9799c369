/** The columns of the log of stopped runs; columns.ts says how. */
import { Column } from './abiColumns';
import { shown } from './columnWalk';
import { Simulation } from './state';

export let stopJobs: usize = 0;
export let stopSites: usize = 0;
export let stopStarts: usize = 0;
export let stopEnds: usize = 0;
export let stopLogIndices: usize = 0;

/** Places them. */
export function placeStops(simulation: Simulation): void {
  const stops = simulation.roomForStops;
  stopStarts = shown<f64>(Column.StopStart, stops);
  stopEnds = shown<f64>(Column.StopEnd, stops);
  stopJobs = shown<i32>(Column.StopJob, stops);
  stopSites = shown<i32>(Column.StopSite, stops);
  if (simulation.roomForRuns > 0) stopLogIndices = shown<i32>(Column.StopLogIndex, stops);
}
