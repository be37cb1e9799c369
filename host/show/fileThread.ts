/** Files that a thread writes while other work goes on here. */
import { errorOf, type Fault } from '../code/fault.js';
import type { Threads } from '../runs/threads.js';

/** Milliseconds for which a thread without work is kept: what it has loaded takes longer than most jobs. */
const KEPT = 10_000;

/** A thread that waits for somebody to use it; it keeps no process alive. */
interface Idle {
  readonly threads: unknown;
  readonly timer: NodeJS.Timeout;
}

/** By module. */
const idle = new Map<string, Idle>();

/** One thread that does jobs one after the other, each of which is to write some files. */
export class FileThread<Job> {
  readonly #module: string;
  #threads: Threads<Job | undefined, Fault | undefined> | undefined;
  readonly #begun: Promise<void>[] = [];
  /** Whether all that was begun has been done. */
  #isDone = false;

  /** @param module its default export writes the files of a job, and returns what was wrong; beside host/runs/threads.ts. */
  constructor(module: string) {
    this.#module = module;
  }

  /** Has the thread do a job after those before; without one it only gets ready. */
  async begin(job?: Job): Promise<void> {
    // Loaded where it is used.
    const { Threads } = await import('../runs/threads.js');
    this.#threads ??= this.#takeIdle() ?? new Threads(this.#module, 1, undefined);
    const begun = this.#threads.one(job).then((fault) => {
      if (fault !== undefined) throw errorOf(fault);
    });
    // What goes wrong is said at the end.
    begun.catch(() => {});
    this.#begun.push(begun);
    this.#isDone = false;
  }

  #takeIdle(): Threads<Job | undefined, Fault | undefined> | undefined {
    const found = idle.get(this.#module);
    if (found === undefined) return undefined;
    idle.delete(this.#module);
    clearTimeout(found.timer);
    return found.threads as Threads<Job | undefined, Fault | undefined>;
  }

  /**
   * Waits until all files are written.
   * @throws what the first job could not do.
   */
  async end(): Promise<void> {
    await Promise.all(this.#begun);
    this.#isDone = true;
  }

  /** Ends the thread, whatever it is at; one that has done all is kept a while for the next that writes such files. */
  async close(): Promise<void> {
    const threads = this.#threads;
    if (threads === undefined) return;
    this.#threads = undefined;
    if (!this.#isDone || idle.has(this.#module)) return threads.close();
    const timer = setTimeout(() => {
      idle.delete(this.#module);
      threads.close();
    }, KEPT);
    idle.set(this.#module, { threads, timer: timer.unref() });
  }
}
