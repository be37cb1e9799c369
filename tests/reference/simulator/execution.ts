import { slowestSpeedOfParts } from './multiSite.js';
import { speedUpOnProcessors } from './speedUp.js';
import type { AllocatedPart, ReferenceJob, ReferenceOptions } from './types.js';

/**
 * Execution time of a job at a site of this speed, in seconds: its runtime (for speed 1) times the
 * load of its home, divided by the speed, then rounded as the time resolution says.
 */
export function executionTime(job: ReferenceJob, speed: number, options: ReferenceOptions): number {
  return roundToTimeResolution((job.runtime * options.load[job.home]!) / speed, options);
}

/**
 * Execution time of a split job, in seconds: lengthened by the overhead, at the speed of its
 * slowest site.
 */
export function splitExecutionTime(
  job: ReferenceJob,
  parts: AllocatedPart[],
  options: ReferenceOptions,
): number {
  const sites = options.speeds.map((speed) => ({ speed }));
  const lengthenedRuntime = (1 + (options.multiSiteOverhead ?? 0)) * job.runtime; // r* = (1 + p) x r
  return roundToTimeResolution(
    (lengthenedRuntime * options.load[job.home]!) / slowestSpeedOfParts(parts, sites),
    options,
  );
}

/**
 * Execution time of a moldable job on a number of processors of a site, in seconds (Huang et al.
 * 2009). Its runtime refers to the requested processors; the speedup converts it.
 */
export function moldedExecutionTime(
  job: ReferenceJob,
  processors: number,
  speed: number,
  options: ReferenceOptions,
): number {
  return roundToTimeResolution(scaleMoldableLength(job.runtime, job, processors, speed, options), options);
}

/**
 * Predicted length of a moldable job on a number of processors, in seconds, by its estimate. Not
 * rounded.
 */
export function predictMoldableLength(
  job: ReferenceJob,
  processors: number,
  speed: number,
  options: ReferenceOptions,
): number {
  return scaleMoldableLength(job.estimate, job, processors, speed, options);
}

/** Computes ((seconds x load) x S(NRP)) / (S(k) x CS), in this order of operations. */
function scaleMoldableLength(
  seconds: number,
  job: ReferenceJob,
  processors: number,
  speed: number,
  { load, speedup }: ReferenceOptions,
): number {
  return (
    (seconds * load[job.home]! * speedUpOnProcessors(job.processors, speedup)) /
    (speedUpOnProcessors(processors, speedup) * speed)
  );
}

/** Rounds seconds as the time resolution says. */
export function roundToTimeResolution(seconds: number, options: ReferenceOptions): number {
  switch (options.resolution) {
    case 'exact':
      return seconds;
    case 'nearest':
      return Math.floor(seconds + 0.5);
    case 'floor':
      return Math.floor(seconds);
  }
}
