/**
 * A simulation of jobs that arrive in pieces, of which only those that wait or run are in memory. Pieces leave in
 * order, each when its last job has ended.
 */

import { CoreRun } from '../core/host.js';
import { CoreCallRefusal, throwIfRefused } from '../core/instance.js';
import { type CoreJobs, type JobColumn, jobTableColumnView, makeOpenTable } from '../core/memory.js';
import { type Core, openCore } from '../core/module.js';
import type { Column } from '../core/runSettings.js';
import { InputError } from '../errors.js';
import { formatNumber } from '../format/numbers.js';
import { ExactSum } from '../math/exactSum.js';
import { type Configuration, canJobsSpanSites } from '../options/configuration.js';
import type { Accounting, Workload } from '../workload/workload.js';
import { type FinishedPiece, PieceResults, type ResultColumns } from './finishedPiece.js';
import { type JobFold, JobFoldResult, type MeasuredRun } from './jobFolds.js';
import {
  type ErrorMessageState,
  makeCoreInputColumns,
  makeCoreJobInput,
  makeCoreRunSettings,
  translateCoreError,
} from './layout.js';
import { JOB_FOLDS } from './metrics.js';
import { computeWorksOfJobs } from './offeredLoad.js';
import { StreamedJobValues } from './streamedValues.js';
import { checkSomeJobLeft } from './unfinishedJobs.js';

/** Default values of `capacity` and of `rowsBeforeRemoval`. */
const DEFAULT_CAPACITY = 1 << 20;
const DEFAULT_ROWS_BEFORE_REMOVAL = 1 << 15;

/** Columns of a simulation with values by job that the host writes. */
const COLUMN_NAMES_BY_JOB = ['Key', 'BackfillKey', 'ProgramInput'] as const satisfies readonly Column[];

/** Options of a streamed run. */
export interface StreamedRunOptions {
  readonly name: string;
  readonly configuration: Configuration;
  /** True if jobs have input data. */
  readonly hasData: boolean;
  /** True if jobs may be cancelled. */
  readonly hasCancellations: boolean;
  /** Largest number of jobs that wait or run at a time; default 1,048,576. */
  readonly capacity?: number;
  /** Number of jobs in memory from which those that have ended are removed; default 32,768. */
  readonly rowsBeforeRemoval?: number;
  /** Receives the pieces in order, each when all its jobs have ended. */
  readonly onPiece?: ((finishedPiece: FinishedPiece) => void) | undefined;
}

/** A simulation to which jobs are appended while it runs. */
export class StreamedRun implements MeasuredRun {
  readonly configuration: Configuration;
  readonly #options: StreamedRunOptions;
  readonly #core: Core;
  readonly #jobs: CoreJobs;
  readonly #run: CoreRun;
  /** Pieces of which some jobs have not ended, in order. */
  readonly #pieces: PieceResults[] = [];
  /** Number of each row's job, ascending. */
  #jobOfRow = new Float64Array(DEFAULT_ROWS_BEFORE_REMOVAL);
  #rows = 0;
  readonly #capacity: number;
  /** Number of rows from which jobs that have ended are removed, at first and now. */
  readonly #fewestRows: number;
  #rowsBeforeRemoval: number;
  /** Number of jobs appended. */
  #count = 0;
  #firstSubmit = 0;
  #lastSubmit = Number.NEGATIVE_INFINITY;
  /** Largest submit time below the last one: nothing up to it can change any more. */
  #settledTime = Number.NEGATIVE_INFINITY;
  /** True if the results of the first job, whose row stays, have been taken. */
  #isFirstTaken = false;
  #finished = false;
  #ended = 0;
  readonly #folds = new Map<JobFold, JobFoldResult>(JOB_FOLDS.map((fold) => [fold, new JobFoldResult(fold)]));
  readonly #work = new ExactSum();
  /** Values of the jobs that have left. */
  readonly values = new StreamedJobValues();
  #accounting: Accounting | undefined;

  constructor(options: StreamedRunOptions) {
    const { hasData, hasCancellations, capacity = DEFAULT_CAPACITY } = options;
    this.#options = options;
    this.#capacity = capacity;
    this.#fewestRows = options.rowsBeforeRemoval ?? DEFAULT_ROWS_BEFORE_REMOVAL;
    this.#rowsBeforeRemoval = this.#fewestRows;
    this.configuration = options.configuration;
    this.#core = openCore('release');
    this.#jobs = makeOpenTable(this.#core, this.#capacity, [
      'Row',
      ...(hasData ? ['Data' as const] : []),
      ...(hasCancellations ? ['Patience' as const] : []),
    ]);
    this.#run = new CoreRun(this.#jobs);
  }

  /** Number of jobs appended, and of those that have ended. */
  get progress(): { readonly submitted: number; readonly ended: number } {
    return { submitted: this.#count, ended: this.#ended };
  }

  /**
   * Appends the next jobs, which must not be empty.
   * @throws InputError for jobs that the run cannot take, or too many at a time.
   */
  append(pieceWorkload: Workload): void {
    if (this.#count === 0) this.#begin(pieceWorkload);
    this.#makeRowsFor(pieceWorkload.count);
    const pieceResults = new PieceResults(pieceWorkload, this.#count, this.configuration);
    this.#pieces.push(pieceResults);
    this.#writeJobs(pieceWorkload);
    const { table } = this.#jobs;
    this.#translateErrors(() => {
      const status = this.#core.appendJobs(table, pieceWorkload.count);
      throwIfRefused(this.#core, status, (culpritKind) =>
        culpritKind === 'Job' ? this.#core.refusedJob(table) : -1,
      );
    });
    this.#writeColumns(pieceWorkload);
    for (let i = 0; i < pieceWorkload.count; i++) this.#jobOfRow[this.#rows + i] = this.#count + i;
    this.#rows += pieceWorkload.count;
    this.#count += pieceWorkload.count;
    this.#translateErrors(() => this.#run.check(this.#core.takeJobs(this.#run.block, table)));
    this.#noteSubmits(pieceWorkload.submit);
    this.#work.add(computeWorksOfJobs(pieceWorkload, this.configuration));
  }

  /** Begins the run; the first jobs tell when their clock starts. */
  #begin(pieceWorkload: Workload): void {
    const { configuration } = this;
    const { unixStartTime, unestimated } = pieceWorkload;
    this.#firstSubmit = pieceWorkload.submit[0]!;
    this.#translateErrors(() => {
      const runSettings = makeCoreRunSettings(
        {
          count: this.#capacity,
          ...(unixStartTime === undefined ? {} : { unixStartTime }),
          ...(unestimated && { unestimated }),
          ...(this.#options.hasCancellations && { patience: {} }),
        },
        configuration,
      );
      const siteColumns = { ...makeCoreInputColumns(configuration, [], pieceWorkload) };
      for (const columnName of COLUMN_NAMES_BY_JOB) delete siteColumns[columnName];
      this.#run.begin({ ...runSettings, options: { ...runSettings.options, Open: 1 }, sites: siteColumns });
    });
  }

  /** Writes jobs behind the rows of the table. */
  #writeJobs(pieceWorkload: Workload): void {
    const { hasCancellations } = this.#options;
    const unlimitedPatience = new Float64Array(hasCancellations ? pieceWorkload.count : 0).fill(-1);
    const coreInput = { ...makeCoreJobInput(pieceWorkload), Sites: undefined };
    const columns = hasCancellations
      ? { ...coreInput, Patience: coreInput.Patience ?? unlimitedPatience }
      : coreInput;
    for (const [columnName, columnValues] of Object.entries(columns)) {
      if (columnValues === undefined) continue;
      const { table, count: jobCount } = this.#jobs;
      jobTableColumnView(this.#core, table, jobCount, columnName as JobColumn).set(columnValues, this.#rows);
    }
  }

  /** Writes the columns of the run that have values by job. */
  #writeColumns(pieceWorkload: Workload): void {
    const firstSubmit = this.#firstSubmit;
    const coreInput = makeCoreInputColumns(this.configuration, [], { ...pieceWorkload, firstSubmit });
    for (const columnName of COLUMN_NAMES_BY_JOB) {
      const columnValues = coreInput[columnName];
      if (columnValues === undefined) continue;
      const column = this.#run.column(columnName);
      // One column after the other, such as the inputs of a program.
      for (let i = 0; i * pieceWorkload.count < columnValues.length; i++) {
        const pieceValues = (columnValues as Float64Array).subarray(
          i * pieceWorkload.count,
          (i + 1) * pieceWorkload.count,
        );
        column.set(pieceValues, i * this.#capacity + this.#rows);
      }
    }
  }

  #noteSubmits(submit: Float64Array): void {
    const lastSubmit = submit[submit.length - 1]!;
    if (lastSubmit > this.#lastSubmit) {
      let job = submit.length - 1;
      while (job >= 0 && submit[job] === lastSubmit) job--;
      this.#settledTime = job >= 0 ? submit[job]! : this.#lastSubmit;
    }
    this.#lastSubmit = lastSubmit;
  }

  /** Removes jobs that have ended until there are rows for more. */
  #makeRowsFor(addedRowCount: number): void {
    if (this.#rows + addedRowCount > this.#rowsBeforeRemoval) {
      this.#removeEnded();
      this.#rowsBeforeRemoval = Math.max(this.#fewestRows, 2 * (this.#rows + addedRowCount));
    }
    const neededRowCount = this.#rows + addedRowCount;
    if (neededRowCount > this.#capacity) {
      throw new InputError(
        `${this.#options.name}: more than ${formatNumber(this.#capacity - addedRowCount)} jobs wait or run at a time, and --stream has no memory for more; lower the load, or simulate it without --stream`,
      );
    }
    if (neededRowCount <= this.#jobOfRow.length) return;
    const jobOfRow = new Float64Array(Math.max(neededRowCount, 2 * this.#jobOfRow.length));
    jobOfRow.set(this.#jobOfRow);
    this.#jobOfRow = jobOfRow;
  }

  /** Time in seconds up to which `advance` may go; undefined before there is one. */
  get settledTime(): number | undefined {
    return this.#settledTime === Number.NEGATIVE_INFINITY ? undefined : this.#settledTime;
  }

  /** Handles all events up to and including a time in seconds; returns whether no event is left. */
  advance(time: number): boolean {
    this.#finished = this.#translateErrors(() => this.#run.runUntil(time));
    return this.#finished;
  }

  /** Declares that no more jobs will be appended; `advance` then runs to the end. */
  close(): void {
    this.#run.check(this.#core.closeRun(this.#run.block, this.#jobs.table));
  }

  /** Time of the next event in seconds; +infinity if there is none. */
  get nextEventTime(): number {
    return this.#core.nextEventTime(this.#run.block, this.#jobs.table);
  }

  /**
   * Computes the metrics at the end, when all jobs have left.
   * @param accounting accounting of all records.
   */
  finish(accounting: Accounting): void {
    if (!this.#finished) throw new Error('the simulation has not ended');
    this.#accounting = accounting;
    this.#translateErrors(() => this.#run.measure());
    checkSomeJobLeft(this.#run);
    for (let row = 0; row < this.#rows; row++) this.#takeResultOf(row, this.#resultColumns());
    this.#passPieces();
  }

  /** Columns of results; valid until jobs are removed. */
  #resultColumns(): ResultColumns {
    const { configuration } = this;
    const coreRun = this.#run;
    return {
      start: coreRun.column('Start'),
      execution: coreRun.column('Execution'),
      site: coreRun.column('Site'),
      ...(configuration.moldable === 'none' ? {} : { held: coreRun.column('Held') }),
      ...(configuration.reservations === 'kept' ? { promised: coreRun.column('PromisedStart') } : {}),
      ...(configuration.trackProcessors
        ? { logIndex: coreRun.column('LogIndex'), log: coreRun.column('Log') }
        : {}),
      ...(canJobsSpanSites(configuration)
        ? { partIndex: coreRun.column('PartIndex'), parts: coreRun.column('Parts') }
        : {}),
    };
  }

  /** Takes the results of the jobs that have ended, and removes these from the memory of the core. */
  #removeEnded(): void {
    if (this.#rows === 0) return;
    // The removal overwrites the columns of results.
    const resultColumns = Object.fromEntries(
      Object.entries(this.#resultColumns()).map(([columnName, column]) => [
        columnName,
        columnName === 'log' || columnName === 'parts' ? column.slice() : column.slice(0, this.#rows),
      ]),
    ) as ResultColumns;
    const now = this.#run.scalar('Now');
    this.#run.check(this.#core.compact(this.#run.block, this.#jobs.table));
    const rows = jobTableColumnView(this.#core, this.#jobs.table, this.#rows, 'Row');
    let remainingRowCount = 0;
    for (let row = 0; row < rows.length; row++) {
      // The first job stays, also after its end.
      if (rows[row]! < 0 || (row === 0 && resultColumns.start[0]! + resultColumns.execution[0]! < now))
        this.#takeResultOf(row, resultColumns);
      if (rows[row]! >= 0) this.#jobOfRow[remainingRowCount++] = this.#jobOfRow[row]!;
    }
    this.#rows = remainingRowCount;
    this.#passPieces();
  }

  #takeResultOf(row: number, resultColumns: ResultColumns): void {
    if (row === 0 && this.#isFirstTaken) return;
    this.#isFirstTaken ||= row === 0;
    const job = this.#jobOfRow[row]!;
    let [low, high] = [0, this.#pieces.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#pieces[middle]!.first <= job) low = middle;
      else high = middle - 1;
    }
    this.#pieces[low]!.take(job, resultColumns, row);
  }

  /** Passes on the first pieces whose jobs have all ended. */
  #passPieces(): void {
    while (this.#pieces[0]?.isComplete) {
      const finishedPiece = this.#pieces.shift()!.finish();
      for (const result of this.#folds.values()) result.add(finishedPiece);
      this.values.add(finishedPiece);
      this.#ended += finishedPiece.workload.count;
      this.#options.onPiece?.(finishedPiece);
    }
  }

  // Metrics

  get workload(): Pick<Workload, 'name' | 'accounting'> {
    if (this.#accounting === undefined) throw new Error('the simulation is not finished');
    return { name: this.#options.name, accounting: this.#accounting };
  }

  metric(metricName: keyof Core['Metric']): number {
    return this.#run.metric(metricName);
  }

  perSite(columnName: 'SiteBusy' | 'SiteJobs' | 'HomeResponse' | 'HomeJobs'): Float64Array {
    return this.#run.column(columnName).slice();
  }

  outageSeconds(): undefined {
    return undefined;
  }

  fold(fold: JobFold): number {
    const foldResult = this.#folds.get(fold);
    if (foldResult === undefined) throw new Error('the fold is not among those of the metrics');
    return foldResult.value;
  }

  work(): number {
    return this.#work.value;
  }

  get submitSpan(): number {
    return this.#lastSubmit - this.#firstSubmit;
  }

  get speedHeterogeneity(): number {
    return this.#run.scalar('SpeedHeterogeneity');
  }

  get movedReservations(): number {
    return this.#run.scalar('MovedReservations');
  }

  choosing(scalarName: 'Trials' | 'Switches' | 'TriedJobs'): number {
    return this.#run.scalar(scalarName);
  }

  timesChosen(): Float64Array {
    return this.#run.column('TimesChosen').slice();
  }

  /** Releases the memory of the run. */
  dispose(): void {
    this.#run.dispose();
    this.#jobs.dispose();
  }

  /** Runs a function on the run, translating refusals of the core into messages. */
  #translateErrors<T>(runAction: () => T): T {
    try {
      return runAction();
    } catch (error) {
      const { interval, backfillInterval, grid } = this.configuration;
      const processors = grid.capacities.reduce((sum, capacity) => sum + capacity, 0);
      const readScalar: ErrorMessageState['readScalar'] = (scalarName) => this.#run.scalar(scalarName);
      const runState = { readScalar, interval: interval || backfillInterval, processors };
      throw translateCoreError(
        this.#core,
        this.#pieces.at(-1)?.jobs,
        this.#numberJobInLastPiece(error),
        runState,
      );
    }
  }

  /** Refusal with the number of the job in the last piece, in place of its row. */
  #numberJobInLastPiece(error: unknown): unknown {
    const jobCount = this.#pieces.at(-1)?.jobs.count ?? 0;
    if (!(error instanceof CoreCallRefusal) || error.culprit.Job < 0) return error;
    const firstRow = this.#jobOfRow[this.#rows - 1] === this.#count - 1 ? this.#rows - jobCount : this.#rows;
    const Job = error.culprit.Job - firstRow;
    return new CoreCallRefusal(this.#core, error.status, { ...error.culprit, Job });
  }
}
