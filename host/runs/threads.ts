/** Pool of threads: keeps them busy with tasks and passes on results as they arrive. */
import { Piscina } from 'piscina';
import { makeErrorOfEndedThread } from '../code/watch.js';
import type { CodeFile } from '../providedCode.js';

/**
 * Node would end the process if a thread is terminated while it requires an ES module, which Piscina tries
 * before importing.
 */
const NO_REQUIRE_MODULE_FLAG = process.allowedNodeEnvironmentFlags.has('--experimental-require-module')
  ? ['--no-experimental-require-module']
  : [];

/**
 * Node arguments on module loading, the only ones passed to threads; V8 arguments apply to the whole
 * process.
 */
const MODULE_LOADING_ARGUMENT_PATTERN =
  /^(?:--import|--require|-r|--loader|--experimental-loader|--conditions|-C)(?:=|$)/;
const MODULE_LOADING_ARGUMENTS = process.execArgv.filter(
  (word, argumentIndex, words) =>
    MODULE_LOADING_ARGUMENT_PATTERN.test(word) ||
    (MODULE_LOADING_ARGUMENT_PATTERN.test(words[argumentIndex - 1] ?? '') &&
      !words[argumentIndex - 1]?.includes('=')),
);

/** Path of the thread script in the bundled program (scripts/program.mjs). */
declare const PROGRAM_THREAD_FILE: string;

/** Thread task: an exported function and the path of its module from this folder. */
export interface ThreadTask {
  readonly module: string;
  readonly name: string;
}

/** File of a task's module, for Piscina. */
function locateThreadTask({ module, name }: ThreadTask): {
  readonly filename: string;
  readonly name: string;
} {
  if (typeof PROGRAM_THREAD_FILE !== 'undefined') return { filename: PROGRAM_THREAD_FILE, name };
  return { filename: new URL(module, import.meta.url).href, name };
}

/** Number of tasks queued per thread, so that threads never wait. */
const QUEUED_TASKS_PER_THREAD = 2;

/** Threads that all do tasks of one kind. */
export class Threads<Task, Result> {
  readonly #pool: Piscina<Task, Result>;
  readonly #maxQueuedTasks: number;
  readonly #code: readonly CodeFile[];

  /**
   * @param task function to run.
   * @param workerData data passed once to every thread.
   * @param codeFiles user-written code files that run in them.
   * @param resourceLimits limits per thread.
   */
  constructor(
    threadTask: ThreadTask,
    threadCount: number,
    workerData: unknown,
    codeFiles: readonly CodeFile[] = [],
    resourceLimits: { readonly maxYoungGenerationSizeMb?: number | undefined } = {},
  ) {
    this.#code = codeFiles;
    this.#maxQueuedTasks = QUEUED_TASKS_PER_THREAD * threadCount;
    this.#pool = new Piscina({
      ...locateThreadTask(threadTask),
      execArgv: [...MODULE_LOADING_ARGUMENTS, ...NO_REQUIRE_MODULE_FLAG],
      minThreads: threadCount,
      maxThreads: threadCount,
      workerData,
      resourceLimits,
    });
    // Messages after closing arrive as an error event that nothing awaits.
    this.#pool.on('error', () => {});
  }

  /**
   * Runs all tasks, requesting each shortly before it is needed.
   * @param onResult receives each result.
   * @throws the first error of a task, of its creation or of `onResult`; the abort reason at once.
   */
  async run<Each extends { readonly task: Task }>(
    tasks: AsyncIterator<Each>,
    onResult: (result: Result, each: Each) => void,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    signal?.throwIfAborted();
    let hasEnded = false;
    const runTasks = async () => {
      for (
        let nextTaskResult = await tasks.next();
        !nextTaskResult.done && !hasEnded;
        nextTaskResult = await tasks.next()
      ) {
        const taskResult = await this.#pool.run(nextTaskResult.value.task).catch((error) => {
          throw makeErrorOfEndedThread(error, this.#code);
        });
        if (hasEnded) return;
        // User code that throws null ends the thread without an error object.
        if (taskResult === null && this.#code.length > 0)
          throw makeErrorOfEndedThread(taskResult, this.#code);
        onResult(taskResult, nextTaskResult.value);
      }
    };
    let rejectOnAbort = () => {};
    const abortPromise = new Promise<never>((_, reject) => {
      rejectOnAbort = () => reject(signal?.reason);
      signal?.addEventListener('abort', rejectOnAbort);
    });
    try {
      await Promise.race([Promise.all(Array.from({ length: this.#maxQueuedTasks }, runTasks)), abortPromise]);
    } finally {
      hasEnded = true;
      signal?.removeEventListener('abort', rejectOnAbort);
    }
  }

  /** Runs one task, after all tasks that are already queued. */
  async runTask(task: Task): Promise<Result> {
    return this.#pool.run(task);
  }

  /** Terminates the threads, even during tasks. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
