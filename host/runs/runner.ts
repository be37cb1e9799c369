/** What does tasks of runs: threads, or this thread where one will do. */
import { errorOf } from '../code/fault.js';
import { type WatchedCode, watchedCode, watchThreads } from '../code/watch.js';
import { coreModule } from '../core/module.js';
import type { CodeFile } from '../options/providedCode.js';
import { type Recipe, ReplicatedJobs } from './replications.js';
import type { WorkerData } from './runsWorker.js';
import { doTask, type RunTask, type TaskResult } from './runTask.js';
import type { SharedTables } from './sharedJobs.js';
import type { Threads } from './threads.js';

/** How runs are done. */
export interface RunnerOptions {
  readonly threads: number;
  /** Seconds that a function of the user's may take for one answer. */
  readonly timeout: number;
  /** Stops the runs: what is in flight is given up. */
  readonly signal?: AbortSignal | undefined;
  /** The files with functions that runs name. */
  readonly code: readonly CodeFile[];
  /** Where jobs are that all threads share. */
  readonly tables?: SharedTables;
  /** What makes the jobs of replications. */
  readonly recipe?: Recipe;
  /** Called between tasks in the calling thread; throws where the user wants to stop. */
  readonly pause?: () => Promise<void>;
}

/** Mebibytes for the short-lived objects of a thread, which it fills before it looks for what can go. */
const YOUNG_MEBIBYTES = 4;

/** Does tasks of runs; its threads stay until it is closed. */
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
   * Has all tasks done, each asked for when a thread will want it.
   * @param take is given the result of each when it comes in; what it throws stops the runs.
   * @throws InputError when the core refuses a run; FunctionError when a function fails or does not end; the reason of the
   * signal when it is aborted.
   */
  async run<Each extends { readonly task: RunTask }>(
    tasks: AsyncIterator<Each>,
    take: (result: TaskResult, each: Each) => void,
  ): Promise<void> {
    const { threads, recipe, pause } = this.#options;
    const takeWhole = (result: TaskResult, each: Each) => {
      take(result, each);
      if (result.fault !== undefined) throw errorOf(result.fault);
    };
    if (threads === 1 && recipe !== undefined && this.#code.files.length === 0) {
      this.#here ??= new ReplicatedJobs(recipe);
      const here = this.#here;
      const fail = (error: unknown): never => {
        throw error;
      };
      for (let next = await tasks.next(); !next.done; next = await tasks.next()) {
        await pause?.();
        takeWhole(await doTask(next.value.task, (jobs) => here.simulator(jobs as number), fail), next.value);
      }
      return;
    }
    this.#threads ??= await this.#start();
    const { signal, end } = watchThreads(this.#code, this.#options.signal);
    try {
      await this.#threads.run(tasks, takeWhole, signal);
    } finally {
      end();
    }
  }

  /** Ends the threads, whatever they are at. */
  async close(): Promise<void> {
    await this.#threads?.close();
  }

  async #start(): Promise<Threads<RunTask, TaskResult>> {
    // Loaded where it is used: who does everything in one thread needs no others.
    const { Threads } = await import('./threads.js');
    const { threads, tables, recipe } = this.#options;
    const workerData: WorkerData = {
      cores: { release: coreModule('release'), ...(tables && { shared: coreModule('shared') }) },
      code: this.#code,
      tables,
      recipe,
    };
    return new Threads('./runsWorker.js', threads, workerData, this.#code.files, {
      maxYoungGenerationSizeMb: tables && YOUNG_MEBIBYTES,
    });
  }
}
