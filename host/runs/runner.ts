/** Simulates lists of runs in threads, or in the calling thread if one is enough. */
import { makeErrorFromFault, makeWatchState, type WatchedCode, watchThreads } from '../code/watch.js';
import { loadCoreModule } from '../core/module.js';
import type { CodeFile } from '../providedCode.js';
import { addSharingCounts, type Sharing, ZERO_SHARING } from '../simulate/simulator.js';
import { ReplicatedJobsMaker, type ReplicatedJobsRecipe } from './replications.js';
import {
  countRunsOfHistories,
  divideHistoriesIntoBatches,
  executeRunGroups,
  makeRunGroup,
  type RunGroupsResult,
  type RunGroupsTask,
  type RunHistoriesByWorkload,
  type RunList,
  type RunsSharingHistory,
  splitRunValues,
} from './runList.js';
import type { RunsWorkerData } from './runsWorker.js';
import type { SharedJobTables } from './sharedJobs.js';
import type { Threads } from './threads.js';

/** Options of a runner. */
export interface RunExecutorOptions {
  readonly threads: number;
  /** Timeout in seconds for one call of a user-written function. */
  readonly timeout: number;
  /** Aborts the runs, including those in progress. */
  readonly signal?: AbortSignal | undefined;
  /** Code files named by the runs. */
  readonly code: readonly CodeFile[];
  /** Jobs of the workloads in shared memory. */
  readonly tables?: SharedJobTables;
  /**
   * Data from which each thread creates the jobs of replications; workload numbers are as in
   * `makeReplicationRuns`.
   */
  readonly recipe?: ReplicatedJobsRecipe;
  /** Pauses between tasks in the calling thread; it may throw to interrupt. */
  readonly pause?: () => Promise<void>;
}

/** Index of a run and its values. */
export type RunIndexWithValues = readonly [runIndex: number, values: ArrayLike<number>];

/** Runs that a thread executes in one task. */
interface ThreadRunBatch {
  readonly task: RunGroupsTask;
  readonly runs: RunsSharingHistory;
  /** Jobs of the batch, and the number of unfinished runs on them. */
  readonly pendingJobs: { readonly jobs: RunGroupsTask['jobs']; open: number };
}

/** Mebibytes of young-generation heap per thread. */
const YOUNG_GENERATION_MEBIBYTES = 4;

/** Executes runs; keeps its threads until closed. */
export class RunExecutor {
  readonly #options: RunExecutorOptions;
  readonly #code: WatchedCode;
  #threads: Threads<RunGroupsTask, RunGroupsResult> | undefined;
  #ownJobsMaker: ReplicatedJobsMaker | undefined;

  constructor(options: RunExecutorOptions) {
    this.#options = options;
    this.#code = makeWatchState(options.code, options.timeout, options.threads);
  }

  /**
   * Executes runs of a list.
   * @param onRunResults receives the values of each batch; an exception stops the runs.
   * @returns how much work was shared.
   * @throws InputError if the core refuses a run; FunctionError if a user function fails or hangs; the
   * abort reason.
   */
  async run(
    plannedRuns: RunList,
    histories: RunHistoriesByWorkload,
    onRunResults: (results: readonly RunIndexWithValues[]) => void,
  ): Promise<Sharing> {
    const { tables, recipe, threads: threadCount, signal: callerSignal } = this.#options;
    let sharedWork = ZERO_SHARING;
    const handleResult = (runGroupsResult: RunGroupsResult, { runs, pendingJobs }: ThreadRunBatch) => {
      sharedWork = addSharingCounts(sharedWork, runGroupsResult.sharing);
      onRunResults(splitRunValues(runGroupsResult).map((values, i) => [runs[i]!, values] as const));
      if (runGroupsResult.fault !== undefined) throw makeErrorFromFault(runGroupsResult.fault);
      pendingJobs.open -= runs.length;
      if (pendingJobs.open === 0 && typeof pendingJobs.jobs !== 'number') tables?.release(pendingJobs.jobs);
    };
    const batches = this.#batches(plannedRuns, histories);
    if (threadCount === 1 && recipe !== undefined && this.#code.files.length === 0) {
      await this.#runHere(recipe, batches, handleResult);
      return sharedWork;
    }
    this.#threads ??= await this.#start();
    const { signal, endWatch } = watchThreads(this.#code, callerSignal);
    try {
      await this.#threads.run(batches, handleResult, signal);
    } finally {
      endWatch();
    }
    return sharedWork;
  }

  /** Terminates the threads, even during tasks. */
  async close(): Promise<void> {
    await this.#threads?.close();
  }

  async #runHere(
    recipe: ReplicatedJobsRecipe,
    batches: AsyncIterable<ThreadRunBatch>,
    handleResult: (result: RunGroupsResult, batch: ThreadRunBatch) => void,
  ): Promise<void> {
    this.#ownJobsMaker ??= new ReplicatedJobsMaker(recipe);
    const jobsMaker = this.#ownJobsMaker;
    const throwError = (error: unknown): never => {
      throw error;
    };
    for await (const batch of batches) {
      await this.#options.pause?.();
      handleResult(
        await executeRunGroups(
          batch.task,
          (replication) => jobsMaker.simulator(replication as number),
          throwError,
        ),
        batch,
      );
    }
  }

  /** Yields all batches; each is created shortly before a thread needs it. */
  async *#batches(plannedRuns: RunList, histories: RunHistoriesByWorkload): AsyncGenerator<ThreadRunBatch> {
    const { threads: threadCount, tables } = this.#options;
    let remainingHistoryCount = [...histories.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [workload, historiesOfWorkload] of histories) {
      const jobsOrReplication = tables === undefined ? workload : await tables.writeJobs(workload);
      const pendingJobs = { jobs: jobsOrReplication, open: countRunsOfHistories(historiesOfWorkload) };
      const batches =
        typeof jobsOrReplication === 'number'
          ? [historiesOfWorkload]
          : divideHistoriesIntoBatches(historiesOfWorkload, {
              jobs: jobsOrReplication.count,
              threads: threadCount,
              left: remainingHistoryCount,
            });
      for (const batch of batches) {
        const runGroups = batch.map((history) => makeRunGroup(plannedRuns, history));
        yield { task: { jobs: jobsOrReplication, groups: runGroups }, runs: batch.flat(), pendingJobs };
      }
      remainingHistoryCount -= historiesOfWorkload.length;
    }
  }

  async #start(): Promise<Threads<RunGroupsTask, RunGroupsResult>> {
    // Loaded on demand: a single thread does not need it.
    const { Threads } = await import('./threads.js');
    const { threads: threadCount, tables, recipe } = this.#options;
    const workerData: RunsWorkerData = {
      cores: { release: loadCoreModule('release'), ...(tables && { shared: loadCoreModule('shared') }) },
      code: this.#code,
      tables: tables?.sharedMemory,
      recipe,
    };
    return new Threads(
      { module: './runsWorker.js', name: 'simulateTask' },
      threadCount,
      workerData,
      this.#code.files,
      {
        maxYoungGenerationSizeMb: tables && YOUNG_GENERATION_MEBIBYTES,
      },
    );
  }
}
