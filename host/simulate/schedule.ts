/** Results of the jobs of a simulation as columns. */
import type { CoreRun } from '../core/host.js';
import { type Configuration, canJobsSpanSites, canPreemptJobs } from '../options/configuration.js';
import type { Workload } from '../workload/workload.js';

/** Results of each job, in job order. */
export interface Schedule {
  /** Submission in seconds: as in the workload, or later if the job depends on another. */
  readonly submit: Float64Array;
  /** Start in seconds; NaN for a job that never started. */
  readonly start: Float64Array;
  /** Seconds of execution; the end is start + execution. */
  readonly execution: Float64Array;
  /** Site, numbered from 0; the first of a split job; -1: the job was cancelled while it waited. */
  readonly site: Int32Array;
  /** Processors allocated; the requested ones unless jobs are moldable; 0 for a job that never started. */
  readonly held: Int32Array;
  /**
   * Runtime estimate of each job at its submission in seconds, before the load factor; only if the run
   * computed it.
   */
  readonly estimate?: Float64Array;
  /** Promised start by the reservation made at submission, in seconds; only with kept reservations. */
  readonly promised?: Float64Array;
  /** Parts of split jobs; absent if jobs cannot be split. */
  readonly parts?: Parts;
  /** Preempted runs; absent if preemption is impossible or processors are not tracked. */
  readonly stops?: StoppedRuns;
  /** Processors taken and jobs ended by outages; absent without outages. */
  readonly outages?: OutageEffects;
}

/** Effects of outages: absent processors over time, and ended jobs. */
export interface OutageEffects {
  /** Times of changes in the processors of a site, in seconds, in order. */
  readonly time: Float64Array;
  /** Site, numbered from 0. */
  readonly site: Int32Array;
  /** Number of absent processors of the site after the change. */
  readonly absent: Int32Array;
  /**
   * Index in `ProcessorSets` of the first pair of processors that were taken or returned; absent if
   * processors are not tracked.
   */
  readonly firstPair?: Int32Array;
  /** Indices of the jobs that outages ended, in order. */
  readonly endedJobs: Int32Array;
}

/**
 * Preempted runs in the order of preemption. A job may occur several times; the columns of the schedule
 * contain its last run, which was not preempted.
 */
export interface StoppedRuns {
  /** Index of the job. */
  readonly job: Int32Array;
  /** Site, numbered from 0. */
  readonly site: Int32Array;
  /** Start of the preempted run in seconds. */
  readonly start: Float64Array;
  /** End of the preempted run, in seconds. */
  readonly end: Float64Array;
  /** Index of its first pair of processors in `ProcessorSets`. */
  readonly firstPair: Int32Array;
}

/** Parts of split jobs, in the order of allocation. */
export interface Parts {
  /** Index of each job's first pair; its parts continue until they add up to its processors. -1: a single site. */
  readonly firstPart: Int32Array;
  /** Site, numbered from 0, and processors of each part. */
  readonly pairs: Int32Array;
}

/** Sets of processors as ranges, numbered across the grid from 0. */
export interface ProcessorSets {
  /** Index of the first range of each job; its ranges continue until their sizes add up to its processors. */
  readonly firstPair: Int32Array;
  /** First and last processor of each range. */
  readonly pairs: Int32Array;
}

/**
 * Known submit times of the jobs: the column of the workload, or a view that is valid until the memory grows.
 */
export function readKnownSubmitTimes(coreRun: CoreRun, { submit, dependencies }: Workload): Float64Array {
  return dependencies === undefined ? submit : coreRun.column('Submit');
}

/** Submit times of the jobs: the column of the workload, or a copy. */
export function copySubmitTimes(coreRun: CoreRun, workload: Workload): Float64Array {
  const submitTimesOfRun = readKnownSubmitTimes(coreRun, workload);
  return workload.dependencies === undefined ? submitTimesOfRun : submitTimesOfRun.slice();
}

/** Copies the results of all jobs so far. */
export function readScheduleOfRun(
  coreRun: CoreRun,
  workload: Workload,
  configuration: Configuration,
): Schedule {
  const { processors, recent, patience } = workload;
  const { moldable, reservations, trackProcessors } = configuration;
  const site = coreRun.column('Site').slice();
  const allocatedProcessors =
    patience === undefined ? processors : processors.map((width, job) => (site[job]! < 0 ? 0 : width));
  return {
    submit: copySubmitTimes(coreRun, workload),
    start: coreRun.column('Start').slice(),
    execution: coreRun.column('Execution').slice(),
    site,
    held: moldable === 'none' ? allocatedProcessors : coreRun.column('Held').slice(),
    ...(recent === undefined ? {} : { estimate: coreRun.column('Estimate').slice() }),
    ...(reservations === 'kept' ? { promised: coreRun.column('PromisedStart').slice() } : {}),
    ...(canJobsSpanSites(configuration) ? { parts: readSplitJobParts(coreRun) } : {}),
    ...(canPreemptJobs(configuration) && trackProcessors ? { stops: readStoppedRunColumns(coreRun) } : {}),
    ...(coreRun.room('Outages') > 0 ? { outages: readOutageEffects(coreRun, trackProcessors) } : {}),
  };
}

function readSplitJobParts(coreRun: CoreRun): Parts {
  return {
    firstPart: coreRun.column('PartIndex').slice(),
    pairs: coreRun.column('Parts').slice(),
  };
}

function readStoppedRunColumns(coreRun: CoreRun): StoppedRuns {
  return {
    job: coreRun.column('StopJob').slice(),
    site: coreRun.column('StopSite').slice(),
    start: coreRun.column('StopStart').slice(),
    end: coreRun.column('StopEnd').slice(),
    firstPair: coreRun.column('StopLogIndex').slice(),
  };
}

function readOutageEffects(coreRun: CoreRun, areProcessorsTracked: boolean): OutageEffects {
  const stepProcessors = coreRun.column('StepProcessors');
  const time = coreRun.column('StepTime').slice();
  return {
    time,
    site: Int32Array.from(time, (_, i) => stepProcessors[2 * i]!),
    absent: Int32Array.from(time, (_, i) => stepProcessors[2 * i + 1]!),
    ...(areProcessorsTracked ? { firstPair: coreRun.column('StepLogIndex').slice() } : {}),
    endedJobs: coreRun.column('FailedJob').slice(),
  };
}

/** Copies the processors that each job held. */
export function readProcessorSets(coreRun: CoreRun, { trackProcessors }: Configuration): ProcessorSets {
  if (!trackProcessors) throw new Error('processor sets were not tracked');
  return {
    firstPair: coreRun.column('LogIndex').slice(),
    pairs: coreRun.column('Log').slice(),
  };
}

// Results of the jobs of a simulation that may have continued from another

/** Result columns by job, and the order in which results became final. */
interface OutcomeColumns {
  readonly start: Float64Array;
  readonly execution: Float64Array;
  /** Empty unless jobs are moldable. */
  readonly held: Int32Array;
  /** Jobs in the order in which their results became final; empty if that is the order of the jobs. */
  readonly counted: Int32Array;
}

/** Results taken over from another simulation. */
interface CarriedJobs {
  readonly from: CarriedResults;
  /** Number of jobs whose results were final at the fork. */
  readonly jobs: number;
}

/**
 * Results of a simulation including those from before a fork. A fork copies only kilobytes and leaves earlier
 * results in the columns of the original simulation; they are read from there on demand, and saved before
 * these columns are overwritten.
 */
export class CarriedResults {
  readonly #run: CoreRun;
  readonly #carried: CarriedJobs | undefined;
  #isCarried = false;
  #kept: OutcomeColumns | undefined;

  constructor(coreRun: CoreRun, carriedJobs?: CarriedJobs) {
    this.#run = coreRun;
    this.#carried = carriedJobs;
  }

  /**
   * Results for a simulation that continues from this one, which either references the run or copies all
   * results.
   */
  continueIn(coreRun: CoreRun, areResultsCopied: boolean): CarriedResults {
    if (areResultsCopied) return new CarriedResults(coreRun, this.#carried);
    this.#isCarried = true;
    return new CarriedResults(coreRun, { from: this, jobs: this.#run.scalar('Counted') });
  }

  /** Saves the result columns before a simulation that continues from this one overwrites them. */
  keep(): void {
    if (this.#isCarried) this.#kept ??= this.read();
  }

  /**
   * Saves these results, if another simulation continues from them, and returns the results that replace
   * them.
   */
  replaceByLaterResults(laterResults: CarriedResults): CarriedResults {
    this.keep();
    return laterResults;
  }

  /** Merges results from before the fork into the columns, which the core filled only after it. */
  mergeCarriedResults(): void {
    if (this.#carried === undefined) return;
    const { start, execution, held: heldProcessors } = this.read();
    this.#run.column('Start').set(start);
    this.#run.column('Execution').set(execution);
    this.#run.column('Held').set(heldProcessors);
  }

  /** Returns copies of the result columns, including results from before the fork. */
  read(): OutcomeColumns {
    if (this.#kept !== undefined) return this.#kept;
    const columns = {
      start: this.#run.column('Start').slice(),
      execution: this.#run.column('Execution').slice(),
      held: this.#run.column('Held').slice(),
      counted: this.#run.column('Counted').slice(),
    };
    if (this.#carried === undefined) return columns;
    const { from: source, jobs: carriedCount } = this.#carried;
    const earlier = source.read();
    columns.counted.set(earlier.counted.subarray(0, carriedCount));
    for (let i = 0; i < carriedCount; i++) {
      const job = columns.counted.length === 0 ? i : columns.counted[i]!;
      columns.start[job] = earlier.start[job]!;
      columns.execution[job] = earlier.execution[job]!;
      if (columns.held.length > 0) columns.held[job] = earlier.held[job]!;
    }
    return columns;
  }
}

/** Results carried over by simulations with a snapshot, as long as the snapshot is in memory. */
export const carriedResultsByMemory = new WeakMap<Uint8Array, CarriedResults>();

// Measured jobs: with warm-up and cool-down, those submitted in between.

/** Time window of submissions [from, until] whose jobs are measured, in seconds. */
export interface MeasuredSubmitWindow {
  readonly from: number;
  readonly until: number;
}

/**
 * Window from `warmUp` seconds after the first submission to `coolDown` seconds before the last; undefined if
 * all jobs count.
 * @param submit submit times of the jobs; the first job depends on no other.
 */
export function computeMeasuredSubmitWindow(
  { warmUp, coolDown }: Configuration,
  submit: Float64Array,
): MeasuredSubmitWindow | undefined {
  if (warmUp === 0 && coolDown === 0) return undefined;
  const latestSubmitTime = submit.reduce((latestSubmit, time) => Math.max(latestSubmit, time));
  return { from: submit[0]! + warmUp, until: latestSubmitTime - coolDown };
}
