/** Simulations whose jobs are not known in advance, for schedulers, co-simulations and user models. */
import { CoreRun } from './coreRun.js';
import { type Core, throwIfRefused } from './instance.js';
import { type CoreJobs, type JobColumn, jobTableColumnView, makeOpenTable } from './memory.js';
import type { RunSettings } from './runSettings.js';

/** A job submitted to a live simulation. Times are in seconds. */
export interface LiveJob {
  /** Submit time, not before the previous submission or the current time of the run. */
  readonly Submit: number;
  readonly Runtime: number;
  readonly Processors: number;
  /** Runtime estimate. Default: the runtime. */
  readonly Estimate?: number;
  /** Home site, from 0. Default: 0. */
  readonly Home?: number;
  /** Value of an optional column, which the settings must list in `columns`. */
  readonly Data?: number;
  readonly User?: number;
  readonly Patience?: number;
  readonly Sites?: number;
}

/** Settings of a live run. */
export interface LiveRunSettings extends RunSettings {
  /** Maximum number of jobs; their memory is allocated immediately (sizes are in docs/live-queue.md). */
  readonly capacity: number;
  /** Optional columns of the jobs. */
  readonly columns?: readonly JobColumn[];
}

const DEFAULTS = { Data: 0, User: -1, Patience: -1, Sites: 0 } as const;
const OPTIONAL = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[];

/** A simulation that accepts jobs while it runs. */
export class LiveRun {
  /** The run in the core, with its columns: `Start` is NaN and `Site` -1 until a job starts. */
  readonly run: CoreRun;
  readonly #jobs: CoreJobs;
  readonly #columns: readonly (keyof typeof DEFAULTS)[];
  #count = 0;
  /** Indices of the waiting jobs as of the last `advance`, in order of submission. */
  #waiting: number[] = [];

  /**
   * @throws Refusal of invalid settings; RangeError for unknown names.
   */
  constructor(core: Core, { capacity, columns = [], ...settings }: LiveRunSettings) {
    this.#jobs = makeOpenTable(core, capacity, columns);
    this.#columns = OPTIONAL.filter((name) => columns.includes(name));
    this.run = new CoreRun(this.#jobs);
    try {
      this.run.begin({ ...settings, options: { ...settings.options, Open: 1 } });
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Number of submitted jobs. */
  get count(): number {
    return this.#count;
  }

  /**
   * Submits a job and returns its index, from 0.
   * @throws Refusal of a job that is late, too wide for every site, invalid, or beyond the capacity; the run
   * is then unchanged.
   */
  submit(job: LiveJob): number {
    const { core, table, count } = this.#jobs;
    const index = this.#count;
    const { Submit, Runtime, Processors, Estimate = Runtime, Home = 0 } = job;
    if (index < count) {
      const values = { Submit, Runtime, Processors, Estimate, Home };
      for (const [name, value] of Object.entries(values)) {
        jobTableColumnView(core, table, count, name as JobColumn)[index] = value;
      }
      for (const name of this.#columns)
        jobTableColumnView(core, table, count, name)[index] = job[name] ?? DEFAULTS[name];
    }
    throwIfRefused(core, core.appendJobs(table, 1), (what) => (what === 'Job' ? core.refusedJob(table) : -1));
    try {
      this.run.check(core.takeJobs(this.run.block, table));
    } catch (error) {
      core.withdrawJobs(table);
      throw error;
    }
    this.#count++;
    this.#waiting.push(index);
    return index;
  }

  /** Time of the next known event in seconds; +infinity if there is none. */
  get nextEventTime(): number {
    return this.run.core.nextEventTime(this.run.block, this.#jobs.table);
  }

  /**
   * Handles all events up to and including a time in seconds; returns the jobs started since the last call,
   * in order of submission.
   * @throws Refusal.
   */
  advance(time: number): number[] {
    this.run.runUntil(time);
    const sites = this.run.column('Site');
    const started = this.#waiting.filter((job) => sites[job]! >= 0);
    if (started.length > 0) this.#waiting = this.#waiting.filter((job) => sites[job]! < 0);
    return started;
  }

  /** Start and end in seconds and site, from 0, of a started job; undefined before its start. */
  startOf(job: number): { readonly start: number; readonly end: number; readonly site: number } | undefined {
    const start = this.run.column('Start')[job]!;
    if (Number.isNaN(start)) return undefined;
    return { start, end: start + this.run.column('Execution')[job]!, site: this.run.column('Site')[job]! };
  }

  /** Runs to the end without further submissions, and computes the metrics. */
  finish(): void {
    this.run.check(this.run.core.closeRun(this.run.block, this.#jobs.table));
    this.run.run();
  }

  /**
   * Copies the run, for example to predict the starts of the waiting jobs. Jobs submitted later are known to
   * both.
   */
  fork(): CoreRun {
    return this.run.fork();
  }

  /** Releases the memory of the live run; it cannot be used afterwards. */
  dispose(): void {
    this.run.dispose();
    this.#jobs.dispose();
  }
}
