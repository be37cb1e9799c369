/** The logs; columns.ts says how. */
import { Column } from '../abi/abiColumns';
import { shown } from './columnWalk';
import { Simulation } from './state';

export let log: usize = 0;
export let parts: usize = 0;
export let stopJobs: usize = 0;
export let stopSites: usize = 0;
export let stopStarts: usize = 0;
export let stopEnds: usize = 0;
export let stopLogIndices: usize = 0;

/** The logs, which stand last, so that they can grow. */
export function placeLogs(simulation: Simulation): void {
  if (simulation.roomForParts > 0) parts = shown<u64>(Column.Parts, simulation.roomForParts);
  if (simulation.roomForRuns > 0) log = shown<u64>(Column.Log, simulation.roomForRuns);
  if (simulation.roomForStops > 0) placeStops(simulation);
}

/** The log of stopped runs. */
function placeStops(simulation: Simulation): void {
  const stops = simulation.roomForStops;
  stopStarts = shown<f64>(Column.StopStart, stops);
  stopEnds = shown<f64>(Column.StopEnd, stops);
  stopJobs = shown<i32>(Column.StopJob, stops);
  stopSites = shown<i32>(Column.StopSite, stops);
  if (simulation.roomForRuns > 0) stopLogIndices = shown<i32>(Column.StopLogIndex, stops);
}
