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
  const place = simulation.stopsLength;
  if (CHECKED) check(place < simulation.stopCapacity, Invariant.LogOverflow);
  put<i32>(columns.stopJobs, place, job);
  put<i32>(columns.stopSites, place, site);
  put<f64>(columns.stopStarts, place, at<f64>(columns.starts, job));
  put<f64>(columns.stopEnds, place, simulation.now);
  if (simulation.logCapacity > 0) put<i32>(columns.stopLogIndices, place, at<i32>(columns.logIndices, job));
  simulation.stopsLength = place + 1;
}
