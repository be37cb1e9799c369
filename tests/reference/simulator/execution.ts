import { slowestSpeed } from './multiSite.js';
import { speedUp } from './speedUp.js';
import type { Part, ReferenceJob, ReferenceOptions } from './types.js';

/** Seconds the job runs at a site of this speed: the runtime is for speed 1, its home's load multiplies it,
 *  the speed divides it, and the run's time resolution has the last word. */
export function executionTime(job: ReferenceJob, speed: number, options: ReferenceOptions): number {
  return resolve((job.runtime * options.load[job.home]!) / speed, options);
}

/** Execution time of a split job: the overhead lengthens it, and the slowest of its sites sets the pace. */
export function splitExecutionTime(job: ReferenceJob, parts: Part[], options: ReferenceOptions): number {
  const sites = options.speeds.map((speed) => ({ speed }));
  const lengthened = (1 + (options.multiSiteOverhead ?? 0)) * job.runtime; // r* = (1 + p) x r
  return resolve((lengthened * options.load[job.home]!) / slowestSpeed(parts, sites), options);
}

/**
 * Seconds the moldable job runs on this many processors of a site of this speed (Huang et al. 2009): its runtime
 * is for the processors it asks for, and the speed-up says what others make of it.
 */
export function moldedExecutionTime(
  job: ReferenceJob,
  processors: number,
  speed: number,
  options: ReferenceOptions,
): number {
  return resolve(moldedLength(job.runtime, job, processors, speed, options), options);
}

/** Seconds the moldable job is predicted to run on this many processors, by its estimate. Not resolved. */
export function predictedLength(
  job: ReferenceJob,
  processors: number,
  speed: number,
  options: ReferenceOptions,
): number {
  return moldedLength(job.estimate, job, processors, speed, options);
}

/** ((seconds x load) x S(NRP)) / (S(k) x CS), in this order. */
function moldedLength(
  seconds: number,
  job: ReferenceJob,
  processors: number,
  speed: number,
  { load, speedup }: ReferenceOptions,
): number {
  return (
    (seconds * load[job.home]! * speedUp(job.processors, speedup)) / (speedUp(processors, speedup) * speed)
  );
}

/** The seconds in the run's time resolution. */
export function resolve(seconds: number, options: ReferenceOptions): number {
  switch (options.resolution) {
    case 'exact':
      return seconds;
    case 'nearest':
      return Math.floor(seconds + 0.5);
    case 'floor':
      return Math.floor(seconds);
  }
}
