/** Runs lists of simulations in threads, or in this thread if one is enough. */
import { errorOf, type WatchedCode, watchedCode, watchThreads } from '../code/watch.js';
import { coreModule } from '../core/module.js';
import type { CodeFile } from '../providedCode.js';
import { addSharing, NOTHING_SHARED, type Sharing } from '../simulate/simulator.js';
import { type Recipe, ReplicatedJobs } from './replications.js';
import {
  batchesOf,
  groupOf,
  type Histories,
  type History,
  lengthOf,
  type RunList,
  type RunTask,
  runTask,
  type TaskResult,
  valuesOfRuns,
} from './runList.js';
import type { WorkerData } from './runsWorker.js';
import type { TabledJobs } from './sharedJobs.js';
import type { Threads } from './threads.js';

/** Options of a runner. */
export interface RunnerOptions {
  readonly threads: number;
  /** Seconds that a function of the user's may take for one answer. */
  readonly timeout: number;
  /** Stops the runs: those in progress are given up. */
  readonly signal?: AbortSignal | undefined;
  /** The files with functions that runs name. */
  readonly code: readonly CodeFile[];
  /** The jobs of the workloads, in memory that all threads share. */
  readonly tables?: TabledJobs;
  /**
   * Maker of the jobs of replications, which have the numbers of their workloads; each thread makes its own.
   */
  readonly recipe?: Recipe;
  /** Called between tasks in the calling thread; throws where the user wants to stop. */
  readonly pause?: () => Promise<void>;
}

/** The values of a run, and its place in its list. */
export type RunValues = readonly [place: number, values: ArrayLike<number>];

/** Runs that a thread does in one go. */
interface Batch {
  readonly task: RunTask;
  readonly runs: History;
  /** The jobs, and how many runs on them are not done. */
  readonly place: { readonly jobs: RunTask['jobs']; open: number };
}

/** Mebibytes for the short-lived objects of a thread, which it fills before it collects garbage. */
const YOUNG_MEBIBYTES = 4;

/** Executes runs; its threads stay until it is closed. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #code: WatchedCode;
  #threads: Threads<RunTask, TaskResult> | undefined;
  #here: ReplicatedJobs | undefined;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#code = watchedCode(options.code, options.timeout, options.threads);
  }

  /**
   * Does runs of a list.
   * @param onResults is given the values of each batch when they come in; what it throws stops the runs.
   * @returns how much of the work was shared.
   * @throws InputError when the core refuses a run; FunctionError when a function fails or does not end; the reason of the
   * signal when it is aborted.
   */
  async run(
    list: RunList,
    histories: Histories,
    onResults: (results: readonly RunValues[]) => void,
  ): Promise<Sharing> {
    const { tables, recipe, threads, signal: input } = this.#options;
    let shared = NOTHING_SHARED;
    const take = (result: TaskResult, { runs, place }: Batch) => {
      shared = addSharing(shared, result.sharing);
      onResults(valuesOfRuns(result).map((values, i) => [runs[i]!, values] as const));
      if (result.fault !== undefined) throw errorOf(result.fault);
      place.open -= runs.length;
      if (place.open === 0 && typeof place.jobs !== 'number') tables?.release(place.jobs);
    };
    const batches = this.#batches(list, histories);
    if (threads === 1 && recipe !== undefined && this.#code.files.length === 0) {
      await this.#runHere(recipe, batches, take);
      return shared;
    }
    this.#threads ??= await this.#start();
    const { signal, end } = watchThreads(this.#code, input);
    try {
      await this.#threads.run(batches, take, signal);
    } finally {
      end();
    }
    return shared;
  }

  /** Ends the threads, whatever they are at. */
  async close(): Promise<void> {
    await this.#threads?.close();
  }

  async #runHere(
    recipe: Recipe,
    batches: AsyncIterable<Batch>,
    take: (result: TaskResult, batch: Batch) => void,
  ): Promise<void> {
    this.#here ??= new ReplicatedJobs(recipe);
    const here = this.#here;
    const fail = (error: unknown): never => {
      throw error;
    };
    for await (const batch of batches) {
      await this.#options.pause?.();
      take(await runTask(batch.task, (jobs) => here.simulator(jobs as number), fail), batch);
    }
  }

  /** All there is to do; each batch is requested when a thread will want it. What a thread makes itself is made once. */
  async *#batches(list: RunList, histories: Histories): AsyncGenerator<Batch> {
    const { threads, tables } = this.#options;
    let left = [...histories.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [workload, all] of histories) {
      const jobs = tables === undefined ? workload : await tables.at(workload);
      const place = { jobs, open: lengthOf(all) };
      const batches = typeof jobs === 'number' ? [all] : batchesOf(all, { jobs: jobs.jobs, threads, left });
      for (const batch of batches) {
        const groups = batch.map((history) => groupOf(list, history));
        yield { task: { jobs, groups }, runs: batch.flat(), place };
      }
      left -= all.length;
    }
  }

  async #start(): Promise<Threads<RunTask, TaskResult>> {
    // Loaded where it is used: work in a single thread does not need it.
    const { Threads } = await import('./threads.js');
    const { threads, tables, recipe } = this.#options;
    const workerData: WorkerData = {
      cores: { release: coreModule('release'), ...(tables && { shared: coreModule('shared') }) },
      code: this.#code,
      tables: tables?.shared,
      recipe,
    };
    return new Threads(
      { module: './runsWorker.js', name: 'simulateTask' },
      threads,
      workerData,
      this.#code.files,
      {
        maxYoungGenerationSizeMb: tables && YOUNG_MEBIBYTES,
      },
    );
  }
}
