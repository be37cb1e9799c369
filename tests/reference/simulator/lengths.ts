import { roundToTimeResolution } from './execution.js';
import type { ReferenceJob, ReferenceOptions } from './types.js';

/** Attributes of a job that a plan may use; its runtime is not among them. */
export type PlannedJob = Omit<ReferenceJob, 'submit' | 'runtime'>;

/** Predicted length of a job on these sites together, in seconds, by its estimate. */
export function plannedLength(job: PlannedJob, sites: number[], options: ReferenceOptions): number {
  return lengthOfRunAndTransfer(job.estimate, job, sites, options);
}

/** Actual length of a job on these sites together, in seconds. */
export function plannedExecution(job: ReferenceJob, sites: number[], options: ReferenceOptions): number {
  return lengthOfRunAndTransfer(job.runtime, job, sites, options);
}

/**
 * Seconds for run and transfer, rounded (Zhang et al. 2006, eqs. 1 and 2): on several sites the
 * multi-site factor lengthens the run, the slowest site sets its speed, and it waits for the
 * slowest transfer.
 */
function lengthOfRunAndTransfer(
  seconds: number,
  job: PlannedJob,
  sites: number[],
  options: ReferenceOptions,
): number {
  let work = seconds * options.load[job.home]!;
  if (sites.length > 1) work *= options.multiSiteFactor!;
  const transferTimes = sites.map((site) => transferTime(job, site, options));
  return roundToTimeResolution(
    runSecondsOfWork(work, job, sites, options) + Math.max(...transferTimes),
    options,
  );
}

/**
 * Seconds of work at the speed of the slowest site. Work refers to speed 1, or to the home site,
 * where it depends on the time factors h.
 */
function runSecondsOfWork(work: number, job: PlannedJob, sites: number[], options: ReferenceOptions): number {
  const { speeds, runtimeReference } = options;
  if (runtimeReference !== 'home') return work / Math.min(...sites.map((site) => speeds[site]!));
  const factors = options.heterogeneity ?? speeds.map((speed) => 1 / speed);
  return (work * Math.max(...sites.map((site) => factors[site]!))) / factors[job.home]!;
}

/** Seconds that the job's input data take from its home to a site. */
function transferTime(job: PlannedJob, site: number, { bandwidth, latency }: ReferenceOptions): number {
  if (site === job.home || bandwidth === undefined) return 0;
  const delay = latency === undefined ? 0 : latency[job.home]![site]!;
  return (job.data ?? 0) / bandwidth[job.home]![site]! + delay;
}
