/** What a job's explanation is about: the run, and the order of its queue. */
import { type Configuration, isBackfilling } from '../options/configuration.js';
import type { Workload } from '../workload/workload.js';

/** A job of a run. */
export interface Case {
  readonly workload: Workload;
  readonly configuration: Configuration;
  /** Of a policy that chooses among some: those that are not alike an earlier one, by their places. */
  readonly candidates: ReadonlyMap<number, string>;
  /** What the jobs are called. */
  readonly names: readonly string[];
  /** What the queue is sorted by, least first; equal ones stand in the order of their submits. */
  readonly keys: ArrayLike<number>;
  /** Index of the job. */
  readonly job: number;
}

/** Whether jobs behind the head wait while it has no room. */
export function headBlocks({ discipline }: Configuration): boolean {
  return discipline !== 'first-available' && !isBackfilling(discipline);
}

/** Whether another job waits in the same queue as the job. */
export function sharesQueue({ workload, configuration, job }: Case, other: number): boolean {
  return configuration.queue === 'shared' || workload.home[other] === workload.home[job];
}

/** Whether another job stands before the job in the order of their queue. */
export function isBefore(about: Case, other: number): boolean {
  const difference = about.keys[other] - about.keys[about.job];
  if (difference !== 0) return difference < 0;
  const { submit } = about.workload;
  const earlier = submit[other] - submit[about.job];
  return earlier < 0 || (earlier === 0 && other < about.job);
}

/** Whether a job may run on a site, both numbered from 0 (Huang et al. 2007, section 4). */
export function mayUse({ workload, configuration, job }: Case, site: number): boolean {
  const home = workload.home[job];
  const { speeds } = configuration.grid;
  if (configuration.queue === 'independent' && site !== home) return false;
  return speeds[site] >= configuration.minSpeedRatio * speeds[home];
}
