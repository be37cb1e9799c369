/** What became of the jobs of a simulation, as columns of numbers. */
import type { Core } from '../core/module.js';
import { type Configuration, maySplit } from '../options/configuration.js';
import type { Workload } from '../workload/workload.js';

/** What became of each job, in job order. */
export interface Schedule {
  /** Seconds. */
  readonly start: Float64Array;
  /** Seconds of execution; the end is start + execution. */
  readonly execution: Float64Array;
  /** Site, numbered from 0; the first of a split job. */
  readonly site: Int32Array;
  /** Processors that it ran on; those it asked for unless jobs are moldable. */
  readonly held: Int32Array;
  /** Only where jobs may be split. */
  readonly parts?: Parts;
  /** Only where jobs may be stopped and processors are tracked. */
  readonly stops?: StoppedRuns;
}

/**
 * The runs that were stopped, in the order of the stops. A job may stand here several times; the columns of the
 * schedule hold its last run, which was not stopped.
 */
export interface StoppedRuns {
  /** Index of the job. */
  readonly job: Int32Array;
  /** Site, numbered from 0. */
  readonly site: Int32Array;
  /** Seconds. */
  readonly start: Float64Array;
  /** When it was stopped, in seconds. */
  readonly end: Float64Array;
  /** Where its runs of processors begin among the pairs of `ProcessorSets`. */
  readonly firstPair: Int32Array;
}

/** The parts of split jobs, in the order in which they were taken. */
export interface Parts {
  /** Job i's parts begin with pair `firstPart[i]` and go on until they add up to its processors; -1: one site. */
  readonly firstPart: Int32Array;
  /** Site, numbered from 0, and processors of each part. */
  readonly pairs: Int32Array;
}

/** Sets of processors as runs of neighbours, numbered through the grid from 0. */
export interface ProcessorSets {
  /** Job i's runs begin with pair `firstPair[i]` and go on until their widths add up to its processors. */
  readonly firstPair: Int32Array;
  /** First and last processor of each run. */
  readonly pairs: Int32Array;
}

/** Gives columns, so many numbers long, and scalars of a simulation. */
export interface Reader {
  readonly integers: (name: keyof Core['Column'], count: number) => Int32Array;
  readonly doubles: (name: keyof Core['Column'], count: number) => Float64Array;
  readonly scalar: (name: keyof Core['Scalar']) => number;
}

/** Copies of what became of each job so far. */
export function readSchedule(
  reader: Reader,
  { count, processors }: Workload,
  configuration: Configuration,
): Schedule {
  const { integers, doubles } = reader;
  const { moldable, reclaim, trackProcessors } = configuration;
  return {
    start: doubles('Start', count).slice(),
    execution: doubles('Execution', count).slice(),
    site: integers('Site', count).slice(),
    held: moldable === 'none' ? processors : integers('Held', count).slice(),
    ...(maySplit(configuration) ? { parts: readParts(reader, count) } : {}),
    ...(reclaim && trackProcessors ? { stops: readStops(reader) } : {}),
  };
}

function readParts({ integers, scalar }: Reader, count: number): Parts {
  return {
    firstPart: integers('PartIndex', count).slice(),
    pairs: integers('Parts', 2 * scalar('PartsLength')).slice(),
  };
}

function readStops({ integers, doubles, scalar }: Reader): StoppedRuns {
  const count = scalar('StopsLength');
  return {
    job: integers('StopJob', count).slice(),
    site: integers('StopSite', count).slice(),
    start: doubles('StopStart', count).slice(),
    end: doubles('StopEnd', count).slice(),
    firstPair: integers('StopLogIndex', count).slice(),
  };
}

/** Copies of the processors that each job held. */
export function readProcessorSets(
  { integers, scalar }: Reader,
  { count }: Workload,
  { trackProcessors }: Configuration,
): ProcessorSets {
  if (!trackProcessors) throw new Error('processor sets were not tracked');
  return {
    firstPair: integers('LogIndex', count).slice(),
    pairs: integers('Log', 2 * scalar('LogLength')).slice(),
  };
}
