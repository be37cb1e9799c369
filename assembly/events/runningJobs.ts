import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at } from '../memory/memory';
import * as pool from '../memory/pool';

/**
 * What the end of a running job needs to know where a site and the job's processors do not tell it all: an
 * allocation for each site that it runs on, in a list by `next`. The finish queue has the first. The number
 * of an allocation means nothing; 0 is none.
 */
@unmanaged
export class Allocation {
  /** The next one of the same job. */
  next: i32;
  job: i32;
  site: i32;
  processors: i32;
  start: f64;
  execution: f64;
  /** When the job is predicted to end; where ends are not predicted, its start. */
  predictedEnd: f64;
  /** The list of its processors, and the job's first pair in the log of them; grid/processors.ts. */
  runs: i32;
  logIndex: i32;
  /** Its neighbours among the remote jobs of its site; placement/remoteJobs.ts. */
  nextRemote: i32;
  previousRemote: i32;
}

/** Which jobs have allocations; of the others the finish queue has the complement of their sites. */
export enum Allocates {
  /** Those that were split. */
  Parts = 0,
  /** Those away from home, which may be stopped. */
  Remote = 1,
  All = 2,
}

/** Whether a job has an allocation that runs on one site. */
@inline
export function hasAllocation(simulation: Simulation, job: i32, site: i32): bool {
  const allocates = simulation.allocates;
  if (allocates === Allocates.Remote) return at<i32>(columns.homes, job) !== site;
  return allocates === Allocates.All;
}

/** Words of 8 bytes of so many allocations. */
export function wordsOf(allocations: i64): i64 {
  return (allocations + 1) * (offsetof<Allocation>() >> 3);
}

@inline
export function allocationAt(index: i32): Allocation {
  return changetype<Allocation>(columns.allocations + <usize>index * offsetof<Allocation>());
}

/** A new allocation; every field is the caller's to set. */
@inline
export function take(): i32 {
  return pool.take(columns.allocations, offsetof<Allocation>());
}

/** An allocation that has ended. */
@inline
export function giveBack(index: i32): void {
  pool.giveBack(columns.allocations, offsetof<Allocation>(), index);
}
