/** Results of a piece of consecutive jobs, collected as the jobs end. */
import { type Configuration, canJobsSpanSites } from '../options/configuration.js';
import type { Workload } from '../workload/workload.js';
import type { JobsOfRun } from './jobFolds.js';
import type { JobColumns } from './layout.js';
import type { Parts, ProcessorSets, Schedule } from './schedule.js';

/** Consecutive jobs that have all ended, with their results. */
export interface FinishedPiece extends JobsOfRun {
  readonly schedule: Schedule;
  /** Processors of each job, if these are tracked. */
  readonly processorSets?: ProcessorSets;
}

/** Columns of results, by row of the core. */
export interface ResultColumns {
  readonly start: Float64Array;
  readonly execution: Float64Array;
  readonly site: Int32Array;
  readonly held?: Int32Array;
  readonly promised?: Float64Array;
  readonly logIndex?: Int32Array;
  readonly log?: Int32Array;
  readonly partIndex?: Int32Array;
  readonly parts?: Int32Array;
}

/** Pairs of numbers, in order of addition. */
class PairList {
  #pairs = new Int32Array(64);
  #length = 0;

  /** Number of pairs. */
  get length(): number {
    return this.#length / 2;
  }

  add(first: number, second: number): void {
    if (this.#length === this.#pairs.length) {
      const enlargedPairs = new Int32Array(2 * this.#length);
      enlargedPairs.set(this.#pairs);
      this.#pairs = enlargedPairs;
    }
    this.#pairs[this.#length++] = first;
    this.#pairs[this.#length++] = second;
  }

  /** View of the pairs. */
  get pairs(): Int32Array {
    return this.#pairs.subarray(0, this.#length);
  }
}

/** Collects the results of a piece. */
export class PieceResults {
  readonly jobs: Workload;
  /** Number of the first job among all jobs. */
  readonly first: number;
  readonly #configuration: Configuration;
  readonly #start: Float64Array;
  readonly #execution: Float64Array;
  readonly #site: Int32Array;
  readonly #held: Int32Array;
  readonly #promised: Float64Array;
  readonly #firstPair: Int32Array;
  readonly #pairs = new PairList();
  readonly #firstPart: Int32Array;
  readonly #parts = new PairList();
  #unfinishedJobs: number;

  constructor(pieceWorkload: Workload, firstJob: number, configuration: Configuration) {
    const { count: jobCount } = pieceWorkload;
    this.jobs = pieceWorkload;
    this.first = firstJob;
    this.#configuration = configuration;
    this.#unfinishedJobs = jobCount;
    this.#start = new Float64Array(jobCount);
    this.#execution = new Float64Array(jobCount);
    this.#site = new Int32Array(jobCount);
    this.#held = new Int32Array(jobCount);
    this.#promised = new Float64Array(configuration.reservations === 'kept' ? jobCount : 0);
    this.#firstPair = new Int32Array(configuration.trackProcessors ? jobCount : 0);
    this.#firstPart = new Int32Array(canJobsSpanSites(configuration) ? jobCount : 0).fill(-1);
  }

  /** True if all jobs have ended. */
  get isComplete(): boolean {
    return this.#unfinishedJobs === 0;
  }

  /** Takes the results of a job, by its number among all jobs, from a row. */
  take(jobNumber: number, columns: ResultColumns, row: number): void {
    const job = jobNumber - this.first;
    const {
      start,
      execution,
      site,
      held,
      promised: promisedStarts,
      logIndex,
      log,
      partIndex,
      parts,
    } = columns;
    this.#start[job] = start[row]!;
    this.#execution[job] = execution[row]!;
    this.#site[job] = site[row]!;
    // A job that was cancelled while it waited has no processors.
    const processors = held?.[row] ?? (site[row]! < 0 ? 0 : this.jobs.processors[job]!);
    this.#held[job] = processors;
    if (promisedStarts !== undefined) this.#promised[job] = promisedStarts[row]!;
    if (logIndex !== undefined && log !== undefined) {
      this.#firstPair[job] = this.#pairs.length;
      for (let pair = logIndex[row]!, remainingProcessors = processors; remainingProcessors > 0; pair++) {
        const [from, to] = [log[2 * pair]!, log[2 * pair + 1]!];
        this.#pairs.add(from, to);
        remainingProcessors -= to - from + 1;
      }
    }
    if (partIndex !== undefined && parts !== undefined && partIndex[row]! >= 0) {
      this.#firstPart[job] = this.#parts.length;
      for (let pair = partIndex[row]!, remainingProcessors = processors; remainingProcessors > 0; pair++) {
        this.#parts.add(parts[2 * pair]!, parts[2 * pair + 1]!);
        remainingProcessors -= parts[2 * pair + 1]!;
      }
    }
    this.#unfinishedJobs--;
  }

  /** Results of all jobs, when these have ended. */
  finish(): FinishedPiece {
    const { jobs } = this;
    const configuration = this.#configuration;
    const promisedStarts = configuration.reservations === 'kept' ? this.#promised : undefined;
    const jobParts: Parts | undefined = canJobsSpanSites(configuration)
      ? { firstPart: this.#firstPart, pairs: this.#parts.pairs }
      : undefined;
    const schedule: Schedule = {
      ...{ submit: jobs.submit, start: this.#start, execution: this.#execution },
      ...{ site: this.#site, held: this.#held },
      ...(promisedStarts && { promised: promisedStarts }),
      ...(jobParts && { parts: jobParts }),
    };
    return {
      workload: jobs,
      configuration,
      schedule,
      ...(configuration.trackProcessors
        ? { processorSets: { firstPair: this.#firstPair, pairs: this.#pairs.pairs } }
        : {}),
      jobColumns: (): JobColumns => jobs,
      submitTimes: () => jobs.submit,
      outcomes: () => schedule,
      estimates: () => undefined,
      promises: () => promisedStarts,
      endedByOutages: () => new Int32Array(0),
    };
  }
}
