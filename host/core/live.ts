/** Simulations whose jobs are not known in advance, for schedulers, co-simulations and user models. */
import { CoreRun } from './coreRun.js';
import { type Core, throwIfRefused } from './instance.js';
import { checkFieldNames, withLiveSentence } from './liveSentences.js';
import { type CoreJobs, copyOpenTable, type JobColumn, jobTableColumnView, makeOpenTable } from './memory.js';
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

/** Result of a job that leaves the memory of a live run. Times are in seconds. */
export interface EndedLiveJob {
  /** Number of the job, as `submit` has returned it. */
  readonly job: number;
  /** Start, or the time of cancellation if the job did not start. */
  readonly start: number;
  readonly end: number;
  /** Site, from 0; -1: the job was cancelled before its start. */
  readonly site: number;
}

/** A job of the state from which a live run begins: it runs since `start`, or waits. Times are in seconds. */
export interface LiveStateJob extends LiveJob {
  /** Start; default: the job waits. */
  readonly start?: number;
  /** Site on which the job runs, numbered from 0; default: 0. */
  readonly site?: number;
  /** Start and site, from 0, reserved for a waiting job; with the option `Reservations` `Kept`. */
  readonly reservation?: { readonly start: number; readonly site: number };
}

/** State from which a live run begins. */
export interface LiveState {
  /** Time of the first pass in seconds. */
  readonly time: number;
  /** Jobs that run or wait at that time, in order of submission. */
  readonly jobs: readonly LiveStateJob[];
}

/** Outage of processors of a site. Times are in seconds. */
export interface LiveOutage {
  /** Site, numbered from 0. */
  readonly site: number;
  /** Begin; +infinity: it does not take place. */
  readonly from: number;
  /** End. Default: +infinity, the processors do not return. */
  readonly to?: number;
  readonly processors: number;
  /** True if plans know the outage before it begins. Default: false. */
  readonly isPlanned?: boolean;
  /** First affected processor on the site, from 0; for plans by nodes. Default: 0. */
  readonly firstProcessor?: number;
}

/** Settings of a live run. */
export interface LiveRunSettings extends RunSettings {
  /** Maximum number of jobs; their memory is allocated immediately (sizes are in docs/live-queue.md). */
  readonly capacity: number;
  /**
   * Receives the result of each job once. With this function, `capacity` limits only the jobs in memory:
   * whenever it is reached, jobs that have ended leave, except the first job and the last one. `finish` passes
   * the results of all others.
   */
  readonly onLeave?: (ended: EndedLiveJob) => void;
  /** Optional columns of the jobs. */
  readonly columns?: readonly JobColumn[];
  /** State from which the run begins. Default: no jobs at time 0. */
  readonly state?: LiveState;
  /** Maximum number of outages that `addOutage` accepts. Default: 0. */
  readonly maxOutages?: number;
  /**
   * Writes the columns of the run that have values by job, such as keys, for the job that is being submitted
   * to a row.
   */
  readonly writeColumns?: (coreRun: CoreRun, row: number) => void;
}

/** Row of the core's column of outages without an outage. */
const UNUSED_OUTAGE = [0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0] as const;

/** Values of the optional columns for jobs that do not give them. */
const DEFAULT_COLUMN_VALUES = { Data: 0, User: -1, Patience: -1, Sites: 0 } as const;
const OPTIONAL_COLUMNS = Object.keys(DEFAULT_COLUMN_VALUES) as (keyof typeof DEFAULT_COLUMN_VALUES)[];

// Names in objects that a live run is given, which would otherwise pass unnoticed.
const SETTING_NAMES = [
  ...['sites', 'options', 'policy', 'parameters', 'room', 'capacity', 'onLeave', 'columns', 'state'],
  ...['maxOutages', 'writeColumns'],
];
const JOB_FIELDS = ['Submit', 'Runtime', 'Processors', 'Estimate', 'Home', ...OPTIONAL_COLUMNS];
const STATE_JOB_FIELDS = [...JOB_FIELDS, 'start', 'site', 'reservation'];
const OUTAGE_FIELDS = ['site', 'from', 'to', 'processors', 'isPlanned', 'firstProcessor'];

/** True if a job does not give an optional column, or gives the default. */
const hasDefault = (job: LiveJob, columnName: keyof typeof DEFAULT_COLUMN_VALUES) =>
  job[columnName] === undefined || job[columnName] === DEFAULT_COLUMN_VALUES[columnName];

/**
 * Checks the names of settings, and the sites and the capacity.
 * @throws RangeError.
 */
function checkSettings(runSettings: LiveRunSettings): void {
  checkFieldNames(runSettings, SETTING_NAMES, 'LiveRun, settings');
  const { sites, capacity, state } = runSettings;
  if (sites?.Capacity === undefined || sites.Speed === undefined)
    throw new RangeError(
      'LiveRun: sites need Capacity and Speed, such as sites: { Capacity: [64], Speed: [1] }',
    );
  if (!(Number.isSafeInteger(capacity) && capacity >= 1))
    throw new RangeError(`LiveRun: capacity is a whole number of jobs of at least 1, found ${capacity}`);
  if (state === undefined) return;
  checkFieldNames(state, ['time', 'jobs'], 'LiveRun, state');
}

/**
 * A simulation of the core that accepts jobs while it runs. Functions of the policy (`run.decide`, `run.keysOf`)
 * may read it, but not change it.
 */
export class LiveRun {
  /** The run in the core, with its columns: `Start` is NaN and `Site` -1 until a job starts. */
  readonly run: CoreRun;
  readonly #jobs: CoreJobs;
  readonly #columns: readonly (keyof typeof DEFAULT_COLUMN_VALUES)[];
  /** True if outages may return running jobs to the queue. */
  readonly #requeues: boolean;
  readonly #onLeave: ((ended: EndedLiveJob) => void) | undefined;
  readonly #writeColumns: ((coreRun: CoreRun, row: number) => void) | undefined;
  readonly #settings: LiveRunSettings;
  readonly #outages: LiveOutage[] = [];
  /** Numbers of the jobs that are held, and of those that leave the queue by cancellation at a known time. */
  readonly #held = new Set<number>();
  readonly #leaving = new Set<number>();
  #count = 0;
  /** Time in seconds up to which events are handled; -infinity before the first ones. */
  #time = Number.NEGATIVE_INFINITY;
  /** True while events are handled, in which functions of the policy may be called. */
  #isAdvancing = false;
  /** Number of the job of each row of the table, ascending. */
  #jobOfRow: number[] = [];
  /** Rows of the jobs that wait and of those that run as of the last `advance`; the former in order of submission. */
  #waitingRows: number[] = [];
  #startedRows: number[] = [];

  /**
   * @throws Refusal of invalid settings; RangeError for unknown names.
   */
  constructor(core: Core, liveSettings: LiveRunSettings) {
    checkSettings(liveSettings);
    const {
      capacity,
      columns = [],
      onLeave,
      state,
      maxOutages = 0,
      writeColumns,
      ...settings
    } = liveSettings;
    this.#settings = liveSettings;
    this.#writeColumns = writeColumns;
    this.#onLeave = onLeave;
    const tableColumns: readonly JobColumn[] = onLeave === undefined ? columns : [...columns, 'Row'];
    this.#jobs = this.#explained('LiveRun', core, () => makeOpenTable(core, capacity, tableColumns));
    const outages = {
      options: maxOutages > 0 ? { Outages: maxOutages } : {},
      sites: maxOutages > 0 ? { Outage: Array.from({ length: maxOutages }, () => UNUSED_OUTAGE).flat() } : {},
    };
    this.#requeues = maxOutages > 0 || Number(settings.options?.Outages ?? 0) > 0;
    this.#columns = OPTIONAL_COLUMNS.filter((columnName) => columns.includes(columnName));
    this.run = new CoreRun(this.#jobs);
    try {
      const options = { ...settings.options, ...outages.options, Open: 1 };
      this.#explained('LiveRun', core, () => {
        this.run.begin({ ...settings, sites: { ...settings.sites, ...outages.sites }, options });
        // Refuses settings with which jobs cannot leave.
        this.#removeEnded();
      });
      if (state !== undefined) this.#explained('LiveRun, state', core, () => this.#beginFrom(state));
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Calls a function of the core; refusals get a sentence. */
  #explained<T>(callName: string, core: Core, run: () => T): T {
    try {
      return run();
    } catch (error) {
      const { capacity, sites } = this.#settings;
      throw withLiveSentence(core, error, callName, {
        capacity,
        jobsLeave: this.#onLeave !== undefined,
        siteCapacities: sites.Capacity,
        time: this.#time,
        submittedRow: callName === 'submit' ? this.#jobOfRow.length : -1,
        numberOfRow: (row) => this.#jobOfRow[row] ?? this.#count,
        processorsOfRow: (row) =>
          jobTableColumnView(core, this.#jobs.table, this.#jobs.count, 'Processors')[row] ?? Number.NaN,
      });
    }
  }

  #checkNotAdvancing(callName: string): void {
    if (this.#isAdvancing)
      throw new Error(
        `${callName} was called by a function of the policy while the run advances; return the answer first`,
      );
  }

  /**
   * Calls a function of the core that changes the run; refusals get a sentence.
   * @throws Error if a function of the policy calls it while the run advances.
   */
  #changing<T>(callName: string, run: () => T): T {
    this.#checkNotAdvancing(callName);
    return this.#explained(callName, this.run.core, run);
  }

  /** Handles events up to a time in seconds or, without one, those of some next times. */
  #handleEvents(callName: string, handle: () => void): void {
    this.#changing(callName, () => {
      this.#isAdvancing = true;
      try {
        handle();
      } finally {
        this.#isAdvancing = false;
      }
    });
  }

  /** Puts running jobs on their sites and waiting jobs into the queue. */
  #beginFrom({ time, jobs }: LiveState): void {
    for (const job of jobs) {
      checkFieldNames(job, STATE_JOB_FIELDS, 'LiveRun, state, job');
      const index = this.#submit(job);
      if (job.start === undefined) continue;
      this.run.column('Start')[index] = job.start;
      this.run.column('Site')[index] = job.site ?? 0;
    }
    this.run.takeState(time);
    this.#time = time;
    this.#startedRows = [...jobs.keys()].filter((index) => jobs[index]!.start !== undefined);
    this.#waitingRows = [...jobs.keys()].filter((index) => jobs[index]!.start === undefined);
    for (const [index, { reservation }] of jobs.entries()) {
      if (reservation !== undefined) this.run.reserve(index, reservation.site, reservation.start);
    }
  }

  /** Number of submitted jobs. */
  get count(): number {
    return this.#count;
  }

  /** Row of a job in the columns of the run; -1 if the job has left. */
  rowOf(job: number): number {
    let [low, high] = [0, this.#jobOfRow.length];
    while (low < high) {
      const middleIndex = (low + high) >>> 1;
      if (this.#jobOfRow[middleIndex]! < job) low = middleIndex + 1;
      else high = middleIndex;
    }
    return this.#jobOfRow[low] === job ? low : -1;
  }

  /** Lets the jobs that have ended leave, if a function receives them. */
  #removeEnded(): void {
    if (this.#onLeave === undefined) return;
    const { core, table } = this.#jobs;
    const jobs = this.#jobOfRow;
    const jobResults = jobs.map((_, row) => this.#resultOf(row));
    this.run.check(core.compact(this.run.block, table));
    const rowOfJobs = jobTableColumnView(core, table, jobs.length, 'Row').slice();
    const isRemaining = (row: number) => rowOfJobs[row]! >= 0;
    const newRowOf = (row: number) => rowOfJobs[row]!;
    this.#jobOfRow = jobs.filter((_, row) => isRemaining(row));
    this.#waitingRows = this.#waitingRows.filter(isRemaining).map(newRowOf);
    this.#startedRows = this.#startedRows.filter(isRemaining).map(newRowOf);
    jobResults.forEach((endedJob, row) => {
      if (isRemaining(row)) return;
      this.#held.delete(endedJob.job);
      this.#leaving.delete(endedJob.job);
      this.#onLeave?.(endedJob);
    });
  }

  /** Result of the job of a row. */
  #resultOf(row: number): EndedLiveJob {
    const [start, site] = [this.run.column('Start')[row]!, this.run.column('Site')[row]!];
    return { job: this.#jobOfRow[row]!, start, end: this.#endOf(row), site };
  }

  /**
   * Submits a job and returns its number, from 0.
   * @throws RangeError for an unknown field, a job with neither runtime nor estimate, and for processors that are
   * no whole number; Refusal of a job that is late, too wide for every site, invalid, or beyond the capacity. The
   * run is then unchanged.
   */
  submit(job: LiveJob): number {
    checkFieldNames(job, JOB_FIELDS, 'submit, job');
    return this.#changing('submit', () => this.#submit(job));
  }

  #submit(job: LiveJob): number {
    const { core, table, count: capacity } = this.#jobs;
    if (this.#jobOfRow.length === capacity) this.#removeEnded();
    const index = this.#jobOfRow.length;
    const { Submit, Runtime = Number.NaN, Processors, Estimate = Runtime, Home = 0 } = job;
    if (Number.isNaN(Estimate)) throw new RangeError('a job whose runtime is unknown needs an estimate');
    // The column of processors would cut other numbers.
    if ((Processors | 0) !== Processors)
      throw new RangeError(`a job needs a whole number of processors below 2147483648, found ${Processors}`);
    for (const columnName of OPTIONAL_COLUMNS)
      if (!this.#columns.includes(columnName) && !hasDefault(job, columnName))
        throw new RangeError(`${columnName} of a job needs columns: ['${columnName}'] in the settings`);
    if (index < capacity) {
      const columnValues = { Submit, Runtime, Processors, Estimate, Home };
      for (const [name, value] of Object.entries(columnValues)) {
        jobTableColumnView(core, table, capacity, name as JobColumn)[index] = value;
      }
      for (const columnName of this.#columns)
        jobTableColumnView(core, table, capacity, columnName)[index] =
          job[columnName] ?? DEFAULT_COLUMN_VALUES[columnName];
      this.#writeColumns?.(this.run, index);
    }
    throwIfRefused(core, core.appendJobs(table, 1), (culpritKind) =>
      culpritKind === 'Job' ? core.refusedJob(table) : -1,
    );
    try {
      this.run.check(core.takeJobs(this.run.block, table));
    } catch (error) {
      core.withdrawJobs(table);
      throw error;
    }
    this.#jobOfRow.push(this.#count);
    this.#waitingRows.push(index);
    if (this.#columns.includes('Patience') && (job.Patience ?? -1) >= 0) this.#leaving.add(this.#count);
    return this.#count++;
  }

  /**
   * Sets the end of a running job in seconds, not before the current time of the run; it replaces the end
   * that the run expects.
   * @throws Refusal.
   */
  end(job: number, time: number): void {
    this.#changing('end', () =>
      this.run.check(this.run.core.endJob(this.run.block, this.#jobs.table, this.rowOf(job), time)),
    );
  }

  /**
   * Cancels a job at a time in seconds, not before the current time of the run: a waiting job leaves the
   * queue, a running one ends. Requires the option `Cancellations` 2.
   * @throws Refusal.
   */
  remove(job: number, time: number): void {
    this.#changing('remove', () =>
      this.run.check(this.run.core.removeJob(this.run.block, this.#jobs.table, this.rowOf(job), time)),
    );
    this.#leaving.add(job);
  }

  /**
   * Takes a waiting job out of the queue at the current time of the run, until `release`; `waiting` does not
   * list it. Requires the option `Cancellations` 2.
   * @throws Refusal.
   */
  hold(job: number): void {
    this.#changing('hold', () =>
      this.run.check(this.run.core.holdJob(this.run.block, this.#jobs.table, this.rowOf(job))),
    );
    this.#held.add(job);
  }

  /**
   * Returns a held job to the queue at the current time of the run, with its old submission in the order.
   * @throws Refusal.
   */
  release(job: number): void {
    this.#changing('release', () =>
      this.run.check(this.run.core.releaseJob(this.run.block, this.#jobs.table, this.rowOf(job))),
    );
    this.#held.delete(job);
  }

  /**
   * Changes the estimate of a job that has not ended, in seconds. A waiting job returns to the queue as if it
   * were submitted with it; a running one is expected to end by it. A pass of the current time follows, if the
   * options use estimates. Requires the option `Cancellations` 2, and `room: { Estimates: 1 }`.
   * @throws Refusal.
   */
  changeEstimate(job: number, estimate: number): void {
    const { core, block } = this.run;
    this.#changing('changeEstimate', () =>
      this.run.check(core.changeEstimate(block, this.#jobs.table, this.rowOf(job), estimate)),
    );
  }

  /**
   * Announces an outage, which must not begin before the current time of the run, and returns its number, from
   * 0. A pass of the current time follows if plans look at it.
   * @throws RangeError beyond `maxOutages`; Refusal if the site has too few processors at the time, or a job
   * would never fit. The run is then unchanged.
   */
  addOutage(outage: LiveOutage): number {
    checkFieldNames(outage, OUTAGE_FIELDS, 'addOutage, outage');
    const index = this.#outages.length;
    if (5 * index >= this.run.column('Outage').length)
      throw new RangeError(`there are ${index} outages; give a larger maxOutages`);
    this.#changing('addOutage', () => this.#writeOutage(index, outage));
    this.#outages.push(outage);
    return index;
  }

  /**
   * Changes an announced outage: all of it before it begins, afterwards its end. Times must not be before the
   * current time of the run.
   * @throws RangeError for an unknown outage; Refusal. The run is then unchanged.
   */
  changeOutage(index: number, changes: Partial<LiveOutage>): void {
    const outageBefore = this.#outages[index];
    if (outageBefore === undefined) throw new RangeError(`there is no outage ${index}`);
    checkFieldNames(changes, OUTAGE_FIELDS, 'changeOutage, changes');
    const outage = { ...outageBefore, ...changes };
    this.#changing('changeOutage', () => this.#writeOutage(index, outage));
    this.#outages[index] = outage;
  }

  #writeOutage(index: number, outage: LiveOutage): void {
    const { site, from, to = Number.POSITIVE_INFINITY, processors, isPlanned, firstProcessor = 0 } = outage;
    const row = [site, from, to, processors, Number(isPlanned ?? false)];
    this.run.column('Outage').set(from === Number.POSITIVE_INFINITY ? UNUSED_OUTAGE : row, 5 * index);
    this.run.column('OutageProcessor')[index] = firstProcessor;
    this.run.check(this.run.core.changeOutages(this.run.block, this.#jobs.table));
  }

  /** Time of the next known event in seconds; +infinity if there is none. */
  get nextEventTime(): number {
    return this.run.core.nextEventTime(this.run.block, this.#jobs.table);
  }

  /**
   * Handles all events up to and including a time in seconds; returns the jobs started since the last call,
   * in order of submission.
   * @throws RangeError for an earlier time than before; Refusal.
   */
  advance(time: number): number[] {
    if (time < this.#time)
      throw new RangeError(
        `advance: ${time} s is before ${this.#time} s, up to which the run has advanced; give a later time`,
      );
    this.#handleEvents('advance', () => this.run.runUntil(time));
    this.#time = time;
    return this.#takeStarted();
  }

  /**
   * Handles the events of the next `count` times at which something happens; returns the jobs started since
   * the last call, in order of submission.
   * @throws Refusal.
   */
  advanceEvents(count = 1): number[] {
    this.#handleEvents('advanceEvents', () => this.run.runEvents(count));
    this.#time = Math.max(this.#time, this.run.scalar('Now'));
    return this.#takeStarted();
  }

  /** Updates the lists of waiting and running jobs; returns the jobs started since the last call. */
  #takeStarted(): number[] {
    const startTimes = this.run.column('Start');
    const sites = this.run.column('Site');
    if (this.#requeues) {
      const requeuedRows = this.#startedRows.filter((startedRow) => Number.isNaN(startTimes[startedRow]!));
      this.#waitingRows = [...this.#waitingRows, ...requeuedRows].sort((a, b) => a - b);
    }
    const newlyStarted = this.#waitingRows.filter((waitingRow) => sites[waitingRow]! >= 0);
    // A cancelled job has a start, the time at which it has left, but no site.
    this.#waitingRows = this.#waitingRows.filter((waitingRow) => Number.isNaN(startTimes[waitingRow]!));
    this.#startedRows = [...this.#startedRows, ...newlyStarted].filter(
      (row) => this.#endOf(row) > this.run.scalar('Now'),
    );
    return this.#jobsOf(newlyStarted);
  }

  /** Numbers of the waiting jobs that no limit holds back, in the queue order of the last scheduling pass. */
  get waiting(): number[] {
    const rows: number[] = [];
    const { core, block } = this.run;
    const findRowBehind = (row: number) => core.nextInQueue(block, this.#jobs.table, row);
    for (let row = findRowBehind(-1); row >= 0; row = findRowBehind(row)) rows.push(row);
    return this.#jobsOf(rows);
  }

  #jobsOf(rows: readonly number[]): number[] {
    return rows.map((row) => this.#jobOfRow[row]!);
  }

  /** Numbers of the running jobs, by start time, then in order of submission. */
  get running(): number[] {
    const startTimes = this.run.column('Start');
    const rows = this.#startedRows.filter((startedRow) => this.#endOf(startedRow) > this.run.scalar('Now'));
    return this.#jobsOf(rows.sort((a, b) => startTimes[a]! - startTimes[b]! || a - b));
  }

  /** End of the started job of a row in seconds; +infinity if it is unknown. */
  #endOf(row: number): number {
    return this.run.column('Start')[row]! + this.run.column('Execution')[row]!;
  }

  /**
   * Start and end in seconds and site, from 0, of a started job; undefined before its start, and after it has
   * left. An unknown end is +infinity; a job that was cancelled before its start has the site -1.
   */
  startOf(job: number): { readonly start: number; readonly end: number; readonly site: number } | undefined {
    const row = this.rowOf(job);
    if (row < 0 || Number.isNaN(this.run.column('Start')[row]!)) return undefined;
    const { start, end, site } = this.#resultOf(row);
    return { start, end, site };
  }

  /**
   * Runs to the end without further submissions, and computes the metrics.
   * @throws Error if jobs are held, or run with ends that are unknown now or after all known events.
   */
  finish(): void {
    this.#checkNotAdvancing('finish');
    const heldJobs = [...this.#held].filter((job) => !this.#leaving.has(job));
    if (heldJobs.length > 0) throw new Error(`jobs are held; call release first: ${heldJobs.join(', ')}`);
    this.#checkEnds();
    this.advance(Number.POSITIVE_INFINITY);
    this.#checkEnds();
    this.#handleEvents('finish', () => {
      this.run.check(this.run.core.closeRun(this.run.block, this.#jobs.table));
      this.run.run();
    });
    if (this.#onLeave === undefined) return;
    for (const row of this.#jobOfRow.keys()) this.#onLeave(this.#resultOf(row));
  }

  #checkEnds(): void {
    const jobsWithUnknownEnd = this.running.filter(
      (job) => this.#endOf(this.rowOf(job)) === Number.POSITIVE_INFINITY,
    );
    if (jobsWithUnknownEnd.length > 0)
      throw new Error(`jobs run whose ends are unknown; call end first: ${jobsWithUnknownEnd.join(', ')}`);
  }

  /**
   * Copies the run, for example to predict the starts of the waiting jobs. Jobs submitted later are known to
   * both.
   */
  fork(): CoreRun {
    return this.run.fork();
  }

  /**
   * Copies the run with its jobs, so that both go on independently.
   * @param functions functions of the copy; `onLeave` is required if this run has one.
   */
  copy(functions: Pick<LiveRunSettings, 'onLeave' | 'writeColumns'> = {}): LiveRun {
    checkFieldNames(functions, ['onLeave', 'writeColumns'], 'copy, functions');
    const { state, onLeave, writeColumns, ...settings } = this.#settings;
    const copiedRun = new LiveRun(this.run.core, { ...settings, ...functions });
    copyOpenTable(this.#jobs, copiedRun.#jobs);
    copiedRun.run.copyOf(this.run);
    copiedRun.#outages.push(...this.#outages);
    for (const job of this.#held) copiedRun.#held.add(job);
    for (const job of this.#leaving) copiedRun.#leaving.add(job);
    copiedRun.#count = this.#count;
    copiedRun.#time = this.#time;
    copiedRun.#jobOfRow = [...this.#jobOfRow];
    copiedRun.#waitingRows = [...this.#waitingRows];
    copiedRun.#startedRows = [...this.#startedRows];
    return copiedRun;
  }

  /** Releases the memory of the live run; it cannot be used afterwards. */
  dispose(): void {
    this.run.dispose();
    this.#jobs.dispose();
  }
}
