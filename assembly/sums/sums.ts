import { Simulation } from '../memory/state';

/** Sums over jobs that the metrics need, and their indices. */

/**
 * Entries of a sum, in doubles: the sum, its rounding error, and the sum of the current block (jobSums.ts).
 */
export const ENTRIES_PER_TOTAL: i64 = 3;

/** Sums over all jobs. */
export enum SumKind {
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
 * Index of the sum of response times of the jobs of a home site. Sums over all jobs (`SumKind`) come first,
 * then those by home, then those by site.
 */
@inline
export function sumIndexOfHome(home: i32): i32 {
  return SumKind.COUNT + home;
}

/** Index of the sum of the processor-seconds of a site, including preempted executions. */
@inline
export function sumIndexOfSite(simulation: Simulation, site: i32): i32 {
  return SumKind.COUNT + simulation.siteCount + site;
}

/** True if a simulation may preempt executions: it has room for guests or outages. */
@inline
export function mayPreemptJobs(simulation: Simulation): bool {
  return simulation.roomForGuests !== 0 || simulation.roomForOutages !== 0;
}

/**
 * True if the total time of jobs in queues may differ from the sum of their waits; it is then summed
 * separately (`queuedSumIndex`).
 */
@inline
export function mayQueueTimeDifferFromWaits(simulation: Simulation): bool {
  return mayPreemptJobs(simulation) || simulation.roomForCancellations !== 0;
}

/**
 * Index of the sum of the times of jobs in queues, if executions may be preempted or jobs cancelled; the next
 * sum is that of the processor-seconds of preempted executions.
 */
@inline
export function queuedSumIndex(simulation: Simulation): i32 {
  return SumKind.COUNT + 2 * simulation.siteCount;
}
