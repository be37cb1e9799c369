import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { CHECKED, Invariant, check } from '../memory/check';
import { Allocation } from '../events/runningJobs';
import { put } from '../memory/memory';

/**
 * The log of stopped runs, kept where a schedule is wanted: the columns of a job hold its last run alone.
 * Runs stand in the order of the stops, one entry in each of its columns.
 */

/** The run of an allocation ends now, in vain, and is kept. */
export function append(simulation: Simulation, allocation: Allocation): void {
  const entry = simulation.stopsLength;
  if (CHECKED) check(entry < simulation.stopCapacity, Invariant.LogOverflow);
  put<i32>(columns.stopJobs, entry, allocation.job);
  put<i32>(columns.stopSites, entry, allocation.site);
  put<f64>(columns.stopStarts, entry, allocation.start);
  put<f64>(columns.stopEnds, entry, simulation.now);
  if (simulation.logCapacity > 0) put<i32>(columns.stopLogIndices, entry, allocation.logIndex);
  simulation.stopsLength = entry + 1;
}
