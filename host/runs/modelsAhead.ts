/** Logs of workload models, made by threads before the plan of a study comes to them. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Setting } from '../study/expand.js';
import type { Trace } from '../trace/trace.js';
import { isModelText, makeModelTrace } from '../workload/models.js';
import type { Threads } from './threads.js';

/** Settings that are looked at before it is their turn. */
const SETTINGS_AHEAD = 512;
/** Logs that wait for their turn at most. */
const LOGS_AHEAD = 8;
/** Jobs that are worth the start of threads. */
const WORTHWHILE = 200_000;
const MOST_THREADS = 4;
const TASK = { module: '../workload/models.js', name: 'makeModelTrace' };

/** Makes each log once, in the order in which settings first name them. */
export class ModelsAhead {
  readonly #named = new Set<string>();
  /** Not begun yet. */
  readonly #wanted = new Set<string>();
  readonly #begun = new Map<string, Promise<Trace | undefined>>();
  #threads: Threads<string, Trace> | undefined;
  /** Of the last log. */
  #jobs = 0;

  /** The settings, in order; the models of those to come are noted. */
  *over(settings: Iterable<Setting>): Generator<Setting> {
    const coming: Setting[] = [];
    for (const setting of settings) {
      this.#note(setting.options.workload);
      coming.push(setting);
      if (coming.length > SETTINGS_AHEAD) yield coming.shift() as Setting;
    }
    yield* coming;
  }

  #note(text: string | undefined): void {
    if (text === undefined || this.#named.has(text) || !isModelText(text)) return;
    this.#named.add(text);
    this.#wanted.add(text);
  }

  /**
   * The log of a model, as `makeModelTrace` makes it.
   * @throws InputError as that does.
   */
  async logOf(text: string): Promise<Trace> {
    this.#wanted.delete(text);
    const begun = this.#begun.get(text);
    this.#begun.delete(text);
    await this.#begin();
    const log = (await begun) ?? makeModelTrace(text);
    this.#jobs = log.count;
    return log;
  }

  async #begin(): Promise<void> {
    if (this.#wanted.size * this.#jobs < WORTHWHILE) return;
    // Where sources run as they are there is no compiled file for a thread to load.
    if (!existsSync(new URL(TASK.module, import.meta.url))) return;
    // Loaded where it is used: who only reads needs no threads.
    const { Threads } = await import('./threads.js');
    const threads = Math.min(availableParallelism(), MOST_THREADS);
    this.#threads ??= new Threads(TASK, threads, undefined);
    for (const text of this.#wanted) {
      if (this.#begun.size >= LOGS_AHEAD) return;
      this.#wanted.delete(text);
      // What a thread cannot do is done, or refused, where it is asked for.
      const log = this.#threads.one(text).catch(() => undefined);
      this.#begun.set(text, log);
    }
  }

  /** Ends the threads; logs are still made where they are asked for. */
  async close(): Promise<void> {
    this.#wanted.clear();
    this.#begun.clear();
    await this.#threads?.close();
    this.#threads = undefined;
  }
}
