/** Files that a thread writes while other work goes on here. */
import { errorOf, type Fault } from '../code/fault.js';
import type { Threads } from '../runs/threads.js';

/** One thread that does jobs one after the other, each of which is to write some files. */
export class FileThread<Job> {
  readonly #module: string;
  #threads: Threads<Job | undefined, Fault | undefined> | undefined;
  readonly #begun: Promise<void>[] = [];

  /** @param module its default export writes the files of a job, and returns what was wrong; beside host/runs/threads.ts. */
  constructor(module: string) {
    this.#module = module;
  }

  /** Has the thread do a job after those before; without one it only gets ready. */
  async begin(job?: Job): Promise<void> {
    // Loaded where it is used.
    const { Threads } = await import('../runs/threads.js');
    this.#threads ??= new Threads(this.#module, 1, undefined);
    const begun = this.#threads.one(job).then((fault) => {
      if (fault !== undefined) throw errorOf(fault);
    });
    // What goes wrong is said at the end.
    begun.catch(() => {});
    this.#begun.push(begun);
  }

  /**
   * Waits until all files are written.
   * @throws what the first job could not do.
   */
  async end(): Promise<void> {
    await Promise.all(this.#begun);
  }

  /** Ends the thread, whatever it is at. */
  async close(): Promise<void> {
    await this.#threads?.close();
  }
}
