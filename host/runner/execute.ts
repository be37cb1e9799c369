/** Runs of studies on several threads: batches over shared job tables, results handed on as they come in. */

import { errorOf } from '../code/fault.js';
import { type WatchedCode, watchedCode, watchThreads } from '../code/watch.js';
import { coreModule } from '../core/module.js';
import { isTrying } from '../core/policies.js';
import { hasGivenKeys } from '../options/order.js';
import type { Sharing } from '../simulate/sharing.js';
import type { RunParameters } from '../study/runTable.js';
import { jobMetricsIn } from '../study/runValues.js';
import type { Workload } from '../workload/workload.js';
import { cutRuns, groupRuns, type History, type JobsInUse, type RunPlace, type Wanted } from './histories.js';
import { JobTables } from './sharedJobs.js';
import { addSharing, NOTHING_SHARED } from './sharing.js';
import { Threads } from './threads.js';
import type { LoggedJobs, Task, TaskResult, WorkerData } from './worker.js';

/** The values of a run. */
export type RunValues = readonly [place: RunPlace, values: ArrayLike<number>];

/** How runs are done and what hears of them. */
export interface ExecuteOptions {
  readonly threads: number;
  /** Whether runs that begin as one are simulated as one until they part. */
  readonly sharing: boolean;
  /** Seconds that a function of the user's may take for one answer. */
  readonly timeout: number;
  /** Told of each batch of results; what it throws stops the execution. */
  readonly onResults: (results: readonly RunValues[]) => void;
  /** Stops the execution: what is in flight is given up. */
  readonly signal?: AbortSignal | undefined;
}

/** Jobs simulated in one batch, about, unless one history has more: a tenth of a second without sharing. */
const JOBS_PER_BATCH = 1_200_000;
/** Runs of a batch at most: batches, not the study, are what is in memory at once. */
const RUNS_PER_BATCH = 256;
/** The runs left of a workload are dealt out in so many batches per thread, so that none is late at the end. */
const SHARES = 3;

/** Mebibytes for the short-lived objects of a thread, which it fills before it looks for what can go. */
const YOUNG_MEBIBYTES = 4;

/** Jobs in memory that runs are under way with. */
interface Place {
  readonly table: number;
  readonly version: number;
  /** What metrics of every job and orders take of the log. */
  readonly logged: LoggedJobs | undefined;
  readonly killed: Workload['killed'];
  /** Runs that are not done. */
  open: number;
}

/** What a thread does in one go. */
interface Batch {
  readonly task: Task;
  readonly runs: readonly RunPlace[];
  readonly place: Place;
}

/**
 * Simulates runs of studies.
 * @returns how much of the work was shared.
 * @throws InputError when the core refuses a run; FunctionError when a function fails or does not end; the reason of `signal` when it is aborted.
 */
export async function executeRuns(wanted: readonly Wanted[], options: ExecuteOptions): Promise<Sharing> {
  const execution = new Execution(wanted, options);
  try {
    return await execution.run();
  } finally {
    await execution.close();
  }
}

class Execution {
  readonly #wanted: readonly Wanted[];
  readonly #options: ExecuteOptions;
  readonly #jobs: readonly JobsInUse[];
  readonly #tables: JobTables;
  readonly #threads: Threads<Task, TaskResult>;
  readonly #code: WatchedCode;
  #onRoom = () => {};

  constructor(wanted: readonly Wanted[], options: ExecuteOptions) {
    this.#wanted = wanted;
    this.#options = options;
    this.#jobs = groupRuns(wanted, options.sharing);
    this.#tables = new JobTables(this.#simulations(), this.#jobs.length, options.threads);
    const { memory, blocks, room } = this.#tables;
    const files = new Map(wanted.flatMap(({ planned }) => planned.code.map((file) => [file.name, file])));
    this.#code = watchedCode([...files.values()], options.timeout, options.threads);
    const cores = { release: coreModule('release'), shared: coreModule('shared') };
    const taken = new SharedArrayBuffer(4);
    const workerData: WorkerData = { cores, memory, blocks, room, taken, code: this.#code };
    this.#threads = new Threads('./worker.js', options.threads, workerData, this.#code.files, {
      maxYoungGenerationSizeMb: YOUNG_MEBIBYTES,
    });
  }

  async run(): Promise<Sharing> {
    const { onResults, signal } = this.#options;
    let shared = NOTHING_SHARED;
    const take = ({ values, lengths, sharing, fault }: TaskResult, { runs, place }: Batch) => {
      shared = addSharing(shared, sharing);
      let end = 0;
      onResults(
        lengths.map((length, i) => {
          end += length;
          return [runs[i], values.subarray(end - length, end)] as const;
        }),
      );
      if (fault !== undefined) throw errorOf(fault);
      place.open -= runs.length;
      if (place.open === 0) {
        this.#tables.release(place.table);
        this.#onRoom();
      }
    };
    const watched = watchThreads(this.#code, signal);
    try {
      await this.#threads.run(this.#batches(), take, watched.signal);
    } finally {
      watched.end();
    }
    return shared;
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }

  /** How many jobs each history has, and the parameters of one of its runs; and of each that runs by itself. */
  *#simulations() {
    for (const { jobs, recent, unestimated, dependencies, histories } of this.#jobs) {
      const sized = { jobs, recent, unestimated, dependencies };
      for (const history of histories) {
        const policies = Math.min(history.length, RUNS_PER_BATCH);
        let hasOne = false;
        for (const place of history) {
          const parameters = this.#parameters(place);
          const isAlone = isTrying(parameters.policy);
          if (isAlone || !hasOne) yield { ...sized, parameters, policies: isAlone ? 0 : policies };
          hasOne ||= !isAlone;
        }
      }
    }
  }

  #parameters([study, run]: RunPlace) {
    return this.#wanted[study].planned.plan.runs.parameters(run);
  }

  /** All there is to do. Fewer histories than threads are cut, so that all threads are busy to the end. */
  async *#batches(): AsyncGenerator<Batch> {
    const { threads } = this.#options;
    let historiesLeft = this.#jobs.reduce((sum, { histories }) => sum + histories.length, 0);
    for (const inUse of this.#jobs) {
      const place = await this.#placeOf(inUse);
      let runsLeft = place.open;
      let batch: History[] = [];
      let length = 0;
      for (const history of inUse.histories) {
        const parts = Math.max(
          Math.ceil(threads / historiesLeft--),
          Math.ceil(history.length / RUNS_PER_BATCH),
        );
        for (const part of cutRuns(history, parts)) {
          const share = Math.ceil(runsLeft / (SHARES * threads));
          const most = Math.min(share, RUNS_PER_BATCH, Math.ceil(JOBS_PER_BATCH / inUse.jobs));
          if (length > 0 && length + part.length > most) {
            yield this.#batchOf(batch, inUse, place);
            runsLeft -= length;
            batch = [];
            length = 0;
          }
          batch.push(part);
          length += part.length;
        }
      }
      yield this.#batchOf(batch, inUse, place);
    }
  }

  /** Writes jobs into memory when there is room. */
  async #placeOf({ madeBy: [study, workload], histories }: JobsInUse): Promise<Place> {
    while (!this.#tables.hasRoom) {
      await new Promise<void>((resolve) => {
        this.#onRoom = resolve;
      });
    }
    const made = await this.#wanted[study].planned.jobsOf(workload);
    const needsLog =
      this.#wanted.some(({ planned }) => jobMetricsIn(planned.plan.metrics).length > 0) ||
      histories.some(([first]) => takesLog(this.#parameters(first)));
    return {
      ...this.#tables.write(made),
      logged: needsLog ? loggedJobs(made) : undefined,
      killed: made.killed,
      open: histories.reduce((sum, { length }) => sum + length, 0),
    };
  }

  #batchOf(histories: readonly History[], inUse: JobsInUse, place: Place): Batch {
    const { name, jobs, recent, unestimated, dependencies } = inUse;
    const { table, version, logged, killed } = place;
    const groups = histories.map((history) => {
      const [[study]] = history;
      return {
        parameters: this.#parameters(history[0]),
        policies: history.map(([study, run]) =>
          this.#wanted[study].planned.plan.runs.parameter(run, 'policy'),
        ),
        jobMetrics: jobMetricsIn(this.#wanted[study].planned.plan.metrics),
      };
    });
    const ofJobs = { killed, recent, unestimated, dependencies };
    const task = { table, version, name, jobs, groups, ...logged, ...ofJobs };
    return { task, runs: histories.flat(), place };
  }
}

/** Whether a run takes what the log says of jobs: an order whose keys the host computes, or a policy from a file. */
function takesLog({ order, backfillOrder, code }: RunParameters): boolean {
  return code !== undefined || hasGivenKeys(order) || hasGivenKeys(backfillOrder);
}

/** What metrics and orders take of jobs and their log. */
function loggedJobs({ job, log }: Workload): LoggedJobs {
  return { job, ...(log === undefined ? {} : { log }) };
}
