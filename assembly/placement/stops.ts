import { Simulation } from '../state';
import * as columns from '../columns';
import { CHECKED, Invariant, check } from '../check';
import { at, put } from '../memory';

/**
 * The log of stopped runs, kept where a schedule is wanted: the columns of a job hold its last run alone.
 * Runs stand in the order of the stops, one entry in each of its columns.
 */

/** The run of a job on a site ends now, in vain, and is kept. */
export function append(simulation: Simulation, job: i32, site: i32): void {
  const entry = simulation.stopsLength;
  if (CHECKED) check(entry < simulation.stopCapacity, Invariant.LogOverflow);
  put<i32>(columns.stopJobs, entry, job);
  put<i32>(columns.stopSites, entry, site);
  put<f64>(columns.stopStarts, entry, at<f64>(columns.starts, job));
  put<f64>(columns.stopEnds, entry, simulation.now);
  if (simulation.logCapacity > 0) put<i32>(columns.stopLogIndices, entry, at<i32>(columns.logIndices, job));
  simulation.stopsLength = entry + 1;
}
