/** Simulations whose jobs are not known in advance, for schedulers, co-simulations and user models. */
import { CoreRun } from './coreRun.js';
import { type Core, throwIfRefused } from './instance.js';
import { type CoreJobs, type JobColumn, jobTableColumnView, makeOpenTable } from './memory.js';
import type { RunSettings } from './runSettings.js';

/** A job submitted to a live simulation. Times are in seconds. */
export interface LiveJob {
  /** Submit time, not before the previous submission or the current time of the run. */
  readonly Submit: number;
  /** Runtime. Default: unknown until `end` is called; requires an `Estimate`. */
  readonly Runtime?: number;
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
  /** True if outages may return running jobs to the queue. */
  readonly #requeues: boolean;
  #count = 0;
  /** Indices of the jobs that wait and of those that run as of the last `advance`; the former in order of submission. */
  #unstarted: number[] = [];
  #started: number[] = [];

  /**
   * @throws Refusal of invalid settings; RangeError for unknown names.
   */
  constructor(core: Core, { capacity, columns = [], ...settings }: LiveRunSettings) {
    this.#jobs = makeOpenTable(core, capacity, columns);
    this.#requeues = Number(settings.options?.Outages ?? 0) > 0;
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
   * @throws RangeError for a job with neither runtime nor estimate; Refusal of a job that is late, too wide for
   * every site, invalid, or beyond the capacity. The run is then unchanged.
   */
  submit(job: LiveJob): number {
    const { core, table, count } = this.#jobs;
    const index = this.#count;
    const { Submit, Runtime = Number.NaN, Processors, Estimate = Runtime, Home = 0 } = job;
    if (Number.isNaN(Estimate)) throw new RangeError('a job whose runtime is unknown needs an estimate');
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
    this.#unstarted.push(index);
    return index;
  }

  /**
   * Sets the end of a running job in seconds, not before the current time of the run; it replaces the end
   * that the run expects.
   * @throws Refusal.
   */
  end(job: number, time: number): void {
    this.run.check(this.run.core.endJob(this.run.block, this.#jobs.table, job, time));
  }

  /**
   * Cancels a job at a time in seconds, not before the current time of the run: a waiting job leaves the
   * queue, a running one ends. Requires the option `Cancellations` 2.
   * @throws Refusal.
   */
  remove(job: number, time: number): void {
    this.run.check(this.run.core.removeJob(this.run.block, this.#jobs.table, job, time));
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
    const starts = this.run.column('Start');
    const sites = this.run.column('Site');
    if (this.#requeues) {
      const requeued = this.#started.filter((job) => Number.isNaN(starts[job]!));
      this.#unstarted = [...this.#unstarted, ...requeued].sort((one, other) => one - other);
    }
    const started = this.#unstarted.filter((job) => sites[job]! >= 0);
    // A cancelled job has a start, the time at which it has left, but no site.
    this.#unstarted = this.#unstarted.filter((job) => Number.isNaN(starts[job]!));
    this.#started = [...this.#started, ...started].filter((job) => this.#endOf(job) > this.run.scalar('Now'));
    return started;
  }

  /** Indices of the waiting jobs that no limit holds back, in the queue order of the last scheduling pass. */
  get waiting(): number[] {
    const jobs: number[] = [];
    const { core, block } = this.run;
    const after = (job: number) => core.nextInQueue(block, this.#jobs.table, job);
    for (let job = after(-1); job >= 0; job = after(job)) jobs.push(job);
    return jobs;
  }

  /** Indices of the running jobs, by start time, then in order of submission. */
  get running(): number[] {
    const starts = this.run.column('Start');
    const jobs = this.#started.filter((job) => this.#endOf(job) > this.run.scalar('Now'));
    return jobs.sort((one, other) => starts[one]! - starts[other]! || one - other);
  }

  /** End of a started job in seconds; +infinity if it is unknown. */
  #endOf(job: number): number {
    return this.run.column('Start')[job]! + this.run.column('Execution')[job]!;
  }

  /**
   * Start and end in seconds and site, from 0, of a started job; undefined before its start. An unknown end
   * is +infinity; a job that was cancelled before its start has the site -1.
   */
  startOf(job: number): { readonly start: number; readonly end: number; readonly site: number } | undefined {
    const start = this.run.column('Start')[job]!;
    if (Number.isNaN(start)) return undefined;
    return { start, end: this.#endOf(job), site: this.run.column('Site')[job]! };
  }

  /**
   * Runs to the end without further submissions, and computes the metrics.
   * @throws Error if jobs run whose ends are unknown, now or after all known events.
   */
  finish(): void {
    this.#checkEnds();
    this.advance(Number.POSITIVE_INFINITY);
    this.#checkEnds();
    this.run.check(this.run.core.closeRun(this.run.block, this.#jobs.table));
    this.run.run();
  }

  #checkEnds(): void {
    const endless = this.running.filter((job) => this.#endOf(job) === Number.POSITIVE_INFINITY);
    if (endless.length > 0)
      throw new Error(`jobs run whose ends are unknown; call end first: ${endless.join(', ')}`);
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
