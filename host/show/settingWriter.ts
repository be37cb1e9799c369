/** Writing result tables while reports are made. */
import { errorOf, type Fault } from '../code/fault.js';
import type { Threads } from '../runs/threads.js';
import { type SettingFiles, writeSettings } from './settingFiles.js';

/** Rows that are worth a thread. */
const WORTHWHILE = 4000;

/** Writes small tables at once, and long ones one after the other in a thread. */
export class SettingWriter {
  #threads: Threads<SettingFiles, Fault | undefined> | undefined;
  readonly #begun: Promise<void>[] = [];

  /** @throws as `writeSettings`, where the table is small. */
  async write(files: SettingFiles): Promise<void> {
    if (files.table.runs.length < WORTHWHILE) {
      await writeSettings(files);
      return;
    }
    // Loaded where it is used: most studies are short.
    const { Threads } = await import('../runs/threads.js');
    this.#threads ??= new Threads('../show/settingThread.js', 1, undefined);
    const begun = this.#threads.one(files).then((fault) => {
      if (fault !== undefined) throw errorOf(fault);
    });
    // What goes wrong is said at the end.
    begun.catch(() => {});
    this.#begun.push(begun);
  }

  /**
   * Waits until all tables are written.
   * @throws as `writeSettings`, where one could not be.
   */
  async end(): Promise<void> {
    await Promise.all(this.#begun);
  }

  /** Ends the thread, whatever it is at. */
  async close(): Promise<void> {
    await this.#threads?.close();
  }
}
