/** Tasks dealt out to threads: enough in advance to keep them busy, results taken as they come in. */
import { Piscina } from 'piscina';
import { terminationError } from '../code/watch.js';
import type { CodeFile } from '../providedCode.js';

/**
 * Node ends the whole process where a thread is told to end while it requires a module of ours, which Piscina tries
 * before it imports it.
 */
const WITHOUT_REQUIRE = process.allowedNodeEnvironmentFlags.has('--experimental-require-module')
  ? ['--no-experimental-require-module']
  : [];

/** Arguments of Node that say how modules are found; threads take those and no others, for V8's hold for the whole process. */
const LOADING = /^(?:--import|--require|-r|--loader|--experimental-loader|--conditions|-C)(?:=|$)/;
const OF_LOADING = process.execArgv.filter(
  (word, place, words) =>
    LOADING.test(word) || (LOADING.test(words[place - 1] ?? '') && !words[place - 1]?.includes('=')),
);

/** Path of the thread's script in the bundled program (scripts/program.mjs). */
declare const PROGRAM_THREAD: string;

/** Task of a thread: a function and the module that exports it, in this folder. */
export interface ThreadTask {
  readonly module: string;
  readonly name: string;
}

/** Place of a task's module, for Piscina. */
function placeOf({ module, name }: ThreadTask): { readonly filename: string; readonly name: string } {
  if (typeof PROGRAM_THREAD !== 'undefined') return { filename: PROGRAM_THREAD, name };
  return { filename: new URL(module, import.meta.url).href, name };
}

/** Tasks that a thread has in advance, so that it never waits for the next. */
const AHEAD = 2;

/** Threads that all do tasks of one kind. */
export class Threads<Task, Result> {
  readonly #pool: Piscina<Task, Result>;
  readonly #most: number;
  readonly #code: readonly CodeFile[];

  /**
   * @param does what does a task.
   * @param workerData what every thread is given once.
   * @param code of the user's that runs in them.
   * @param resourceLimits of each thread.
   */
  constructor(
    does: ThreadTask,
    threads: number,
    workerData: unknown,
    code: readonly CodeFile[] = [],
    resourceLimits: { readonly maxYoungGenerationSizeMb?: number | undefined } = {},
  ) {
    this.#code = code;
    this.#most = AHEAD * threads;
    this.#pool = new Piscina({
      ...placeOf(does),
      execArgv: [...OF_LOADING, ...WITHOUT_REQUIRE],
      minThreads: threads,
      maxThreads: threads,
      workerData,
      resourceLimits,
    });
    // A message that arrives after the pool is closed comes as an error that nothing awaits.
    this.#pool.on('error', () => {});
  }

  /**
   * Has all tasks done, each requested when a thread will want it.
   * @param take is given each result when it comes in.
   * @throws what a task, the making of one, or `take` throws first; the reason of the signal, at once.
   */
  async run<Each extends { readonly task: Task }>(
    tasks: AsyncIterator<Each>,
    take: (result: Result, each: Each) => void,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    signal?.throwIfAborted();
    let isOver = false;
    const lane = async () => {
      for (let next = await tasks.next(); !next.done && !isOver; next = await tasks.next()) {
        const result = await this.#pool.run(next.value.task).catch((error) => {
          throw terminationError(error, this.#code);
        });
        if (isOver) return;
        // A thread that somebody's code has ended by throwing null has failed with that, and comes here.
        if (result === null && this.#code.length > 0) throw terminationError(result, this.#code);
        take(result, next.value);
      }
    };
    let stop = () => {};
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(signal?.reason);
      signal?.addEventListener('abort', stop);
    });
    try {
      await Promise.race([Promise.all(Array.from({ length: this.#most }, lane)), stopped]);
    } finally {
      isOver = true;
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Runs one task after the tasks given before. */
  async one(task: Task): Promise<Result> {
    return this.#pool.run(task);
  }

  /** Ends the threads, whatever they are at. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
