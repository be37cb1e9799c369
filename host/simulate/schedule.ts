/** Results of the jobs of a simulation as columns. */
import type { CoreRun } from '../core/host.js';
import { type Configuration, canJobsSpanSites, canPreemptJobs } from '../options/configuration.js';
import type { Workload } from '../workload/workload.js';

/** Results of each job, in job order. */
export interface Schedule {
  /** Submission in seconds: that of the workload, or later, after the job that it depends on. */
  readonly submit: Float64Array;
  /** Seconds. */
  readonly start: Float64Array;
  /** Seconds of execution; the end is start + execution. */
  readonly execution: Float64Array;
  /** Site, numbered from 0; the first of a split job; -1: the job was cancelled while it waited. */
  readonly site: Int32Array;
  /** Processors allocated; the requested ones unless jobs are moldable; 0 for a job that never started. */
  readonly held: Int32Array;
  /**
   * Estimate of each job from its submission on, before the load factor; only if the run itself has found it.
   */
  readonly estimate?: Float64Array;
  /** Start promised by the reservation made at the submission; only with kept reservations. */
  readonly promised?: Float64Array;
  /** Parts of split jobs; absent if jobs cannot be split. */
  readonly parts?: Parts;
  /** Stopped runs; absent if jobs cannot be stopped or processors are not tracked. */
  readonly stops?: StoppedRuns;
  /** Processors that outages had, and jobs that they ended; absent without outages. */
  readonly outages?: OutageEffects;
}

/** What outages had and did. */
export interface OutageEffects {
  /** Seconds of each change of the processors of a site, in order. */
  readonly time: Float64Array;
  /** Site, numbered from 0. */
  readonly site: Int32Array;
  /** Processors of the site that outages have from then on. */
  readonly absent: Int32Array;
  /**
   * Index in `ProcessorSets` of the first pair of the processors that outages took or gave back; absent if
   * processors are not tracked.
   */
  readonly firstPair?: Int32Array;
  /** Indices of the jobs that outages ended, in order. */
  readonly endedJobs: Int32Array;
}

/**
 * The runs that were stopped, in the order of the stops. A job may be here several times; the columns of the
 * schedule hold its last run, which was not stopped.
 */
export interface StoppedRuns {
  /** Index of the job. */
  readonly job: Int32Array;
  /** Site, numbered from 0. */
  readonly site: Int32Array;
  /** Seconds. */
  readonly start: Float64Array;
  /** End of the stopped run, in seconds. */
  readonly end: Float64Array;
  /** Index of its first pair of processors in `ProcessorSets`. */
  readonly firstPair: Int32Array;
}

/** The parts of split jobs, in the order in which they were taken. */
export interface Parts {
  /** Job i's parts begin with pair `firstPart[i]` and continue until they add up to its processors; -1: one site. */
  readonly firstPart: Int32Array;
  /** Site, numbered from 0, and processors of each part. */
  readonly pairs: Int32Array;
}

/** Sets of processors as runs of neighbours, numbered through the grid from 0. */
export interface ProcessorSets {
  /** Job i's runs begin with pair `firstPair[i]` and continue until their sizes add up to its processors. */
  readonly firstPair: Int32Array;
  /** First and last processor of each run. */
  readonly pairs: Int32Array;
}

/**
 * Submissions of the jobs as far as known: the column of the workload, or a view that lasts until the memory grows.
 */
export function knownSubmitTimesOfJobs(run: CoreRun, { submit, dependencies }: Workload): Float64Array {
  return dependencies === undefined ? submit : run.column('Submit');
}

/** Submissions of the jobs: the column of the workload, or a copy. */
export function copySubmitTimes(run: CoreRun, workload: Workload): Float64Array {
  const submitTimesOfRun = knownSubmitTimesOfJobs(run, workload);
  return workload.dependencies === undefined ? submitTimesOfRun : submitTimesOfRun.slice();
}

/** Copies of what happened to each job so far. */
export function readScheduleOfRun(run: CoreRun, workload: Workload, configuration: Configuration): Schedule {
  const { processors, recent, patience } = workload;
  const { moldable, reservations, trackProcessors } = configuration;
  const site = run.column('Site').slice();
  const requested =
    patience === undefined ? processors : processors.map((width, job) => (site[job]! < 0 ? 0 : width));
  return {
    submit: copySubmitTimes(run, workload),
    start: run.column('Start').slice(),
    execution: run.column('Execution').slice(),
    site,
    held: moldable === 'none' ? requested : run.column('Held').slice(),
    ...(recent === undefined ? {} : { estimate: run.column('Estimate').slice() }),
    ...(reservations === 'kept' ? { promised: run.column('PromisedStart').slice() } : {}),
    ...(canJobsSpanSites(configuration) ? { parts: readSplitJobParts(run) } : {}),
    ...(canPreemptJobs(configuration) && trackProcessors ? { stops: readStoppedRunColumns(run) } : {}),
    ...(run.room('Outages') > 0 ? { outages: readOutageEffects(run, trackProcessors) } : {}),
  };
}

function readSplitJobParts(run: CoreRun): Parts {
  return {
    firstPart: run.column('PartIndex').slice(),
    pairs: run.column('Parts').slice(),
  };
}

function readStoppedRunColumns(run: CoreRun): StoppedRuns {
  return {
    job: run.column('StopJob').slice(),
    site: run.column('StopSite').slice(),
    start: run.column('StopStart').slice(),
    end: run.column('StopEnd').slice(),
    firstPair: run.column('StopLogIndex').slice(),
  };
}

function readOutageEffects(run: CoreRun, trackProcessors: boolean): OutageEffects {
  const steps = run.column('StepProcessors');
  const time = run.column('StepTime').slice();
  return {
    time,
    site: Int32Array.from(time, (_, i) => steps[2 * i]!),
    absent: Int32Array.from(time, (_, i) => steps[2 * i + 1]!),
    ...(trackProcessors ? { firstPair: run.column('StepLogIndex').slice() } : {}),
    endedJobs: run.column('FailedJob').slice(),
  };
}

/** Copies of the processors that each job held. */
export function readProcessorSets(run: CoreRun, { trackProcessors }: Configuration): ProcessorSets {
  if (!trackProcessors) throw new Error('processor sets were not tracked');
  return {
    firstPair: run.column('LogIndex').slice(),
    pairs: run.column('Log').slice(),
  };
}

// Results of the jobs of a simulation that may have continued from another

/** Columns by job, and the jobs in the order of their entries in these. */
interface OutcomeColumns {
  readonly start: Float64Array;
  readonly execution: Float64Array;
  /** Empty unless jobs are moldable. */
  readonly held: Int32Array;
  /** Empty where that is the order of the jobs. */
  readonly counted: Int32Array;
}

/** Results of another simulation: their number, and the first job that it counted. */
interface CarriedJobs {
  readonly from: CarriedResults;
  readonly jobs: number;
}

/**
 * The results of a simulation, those of before a fork with it. A fork copies kilobytes and leaves these in the columns of
 * the simulation that it was taken from, so they are read there, when they are needed; and before these columns are
 * overwritten they are kept.
 */
export class CarriedResults {
  readonly #run: CoreRun;
  readonly #carried: CarriedJobs | undefined;
  #isCarried = false;
  #kept: OutcomeColumns | undefined;

  constructor(run: CoreRun, carriedJobs?: CarriedJobs) {
    this.#run = run;
    this.#carried = carriedJobs;
  }

  /** Results for a simulation that continues from this one: the run itself, or a copy of all results. */
  continueIn(run: CoreRun, isCopiedRun: boolean): CarriedResults {
    if (isCopiedRun) return new CarriedResults(run, this.#carried);
    this.#isCarried = true;
    return new CarriedResults(run, { from: this, jobs: this.#run.scalar('Counted') });
  }

  /** The columns are about to be overwritten. */
  keep(): void {
    if (this.#isCarried) this.#kept ??= this.read();
  }

  /** Results for a run whose own results replace these. */
  overwrittenBy(other: CarriedResults): CarriedResults {
    this.keep();
    return other;
  }

  /** Merges results from before the fork into the columns, which the core filled only after it. */
  complete(): void {
    if (this.#carried === undefined) return;
    const { start, execution, held } = this.read();
    this.#run.column('Start').set(start);
    this.#run.column('Execution').set(execution);
    this.#run.column('Held').set(held);
  }

  /** Copies of the columns. */
  read(): OutcomeColumns {
    if (this.#kept !== undefined) return this.#kept;
    const own = {
      start: this.#run.column('Start').slice(),
      execution: this.#run.column('Execution').slice(),
      held: this.#run.column('Held').slice(),
      counted: this.#run.column('Counted').slice(),
    };
    if (this.#carried === undefined) return own;
    const { from, jobs } = this.#carried;
    const earlier = from.read();
    own.counted.set(earlier.counted.subarray(0, jobs));
    for (let i = 0; i < jobs; i++) {
      const job = own.counted.length === 0 ? i : own.counted[i]!;
      own.start[job] = earlier.start[job]!;
      own.execution[job] = earlier.execution[job]!;
      if (own.held.length > 0) own.held[job] = earlier.held[job]!;
    }
    return own;
  }
}

/** The content of a simulation with a snapshot, as long as that is in memory. */
export const carriedResultsByMemory = new WeakMap<Uint8Array, CarriedResults>();

// Measured jobs: with warm-up and cool-down, those submitted in between.

/** Jobs count that are submitted in [from, until], in seconds. */
export interface MeasuredSubmitWindow {
  readonly from: number;
  readonly until: number;
}

/**
 * From warm-up seconds after the first submit to cool-down seconds before the last; undefined where all jobs count.
 * @param submit when each job was submitted; the first depends on none.
 */
export function measuredSubmitWindow(
  { warmUp, coolDown }: Configuration,
  submit: Float64Array,
): MeasuredSubmitWindow | undefined {
  if (warmUp === 0 && coolDown === 0) return undefined;
  const last = submit.reduce((latestSubmit, time) => Math.max(latestSubmit, time));
  return { from: submit[0]! + warmUp, until: last - coolDown };
}
