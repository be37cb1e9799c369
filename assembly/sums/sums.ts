import { Simulation } from '../memory/state';

/** Which sums over jobs the metrics need, and where they are. */

/** Entries of a sum in doubles: the sum, what it lacks, and what a block of jobs adds (jobSums.ts). */
export const TOTAL_ENTRIES: i64 = 3;

/** Sums over all jobs. */
export enum Sum {
  Response,
  Wait,
  Slowdown,
  BoundedSlowdown,
  Weight,
  WeightedResponse,
  WeightedWait,
  COUNT,
}

/**
 * The sums that the metrics need are in a row: over all jobs (`Sum`), then these. First response times of
 * the jobs of each home.
 */
@inline
export function sumOfHome(home: i32): i32 {
  return Sum.COUNT + home;
}

/** Processor-seconds of each site, with those of stopped runs. */
@inline
export function sumOfSite(simulation: Simulation, site: i32): i32 {
  return Sum.COUNT + simulation.siteCount + site;
}

/** Where runs may be stopped: how long jobs queued, and behind it the processor-seconds of stopped runs. */
@inline
export function sumQueued(simulation: Simulation): i32 {
  return Sum.COUNT + 2 * simulation.siteCount;
}
