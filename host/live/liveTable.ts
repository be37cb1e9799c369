/** Jobs in the memory of a live simulation, as a workload that grows. */
import { InputError } from '../errors.js';
import type { Configuration } from '../options/configuration.js';
import type { JobsOfRun } from '../simulate/jobFolds.js';
import type { KeyedColumns } from '../simulate/orderKeys.js';
import { FIRST_NUMBER_OF_NAMES, LogNames } from '../trace/records.js';
import type { NumberNames, Trace } from '../trace/trace.js';
import type { Accounting, Workload } from '../workload/workload.js';
import { type LiveName, NAMED_LIVE_FIELDS, type NamedLiveField, type SubmittedJob } from './submittedJob.js';

/** Settings of a table. */
interface LiveTableSettings {
  readonly name: string;
  /** Largest number of rows. */
  readonly capacity: number;
  readonly unixStartTime?: number | undefined;
}

/** Results of jobs in the columns of the core, by row. */
export interface LiveResultColumns {
  readonly start: ArrayLike<number>;
  readonly execution: ArrayLike<number>;
  /** Empty unless jobs are moldable. */
  readonly held: ArrayLike<number>;
  /** Empty unless reservations are kept. */
  readonly promised: ArrayLike<number>;
  /** Rows of the jobs that outages have ended. */
  readonly endedByOutages: ReadonlySet<number>;
}

/** Jobs by row of the core, in order of submission. Columns have an entry for each possible row. */
export class LiveTable implements Workload {
  readonly name: string;
  readonly job: Float64Array;
  readonly submit: Float64Array;
  readonly runtime: Float64Array;
  readonly estimate: Float64Array;
  readonly processors: Int32Array;
  readonly home: Int32Array;
  readonly data: Float64Array;
  readonly patience: Float64Array;
  readonly log: Trace['columns'];
  readonly names: NumberNames;
  readonly unixStartTime?: number;
  /** Number of the job in each row among all jobs, from 0. */
  readonly index: Float64Array;
  /** Submit time of the first job of all in seconds. */
  firstSubmit = 0;
  #rows = 0;
  #submitted = 0;
  #cancelled = 0;
  readonly #numbers: LogNames;
  /** True for fields whose values are texts, false for those with numbers. */
  readonly #isText = new Map<NamedLiveField, boolean>();

  /** @param original table to copy. */
  constructor({ name, capacity, unixStartTime }: LiveTableSettings, original?: LiveTable) {
    const makeDoubleColumn = () => new Float64Array(capacity);
    this.name = name;
    if (unixStartTime !== undefined) this.unixStartTime = unixStartTime;
    this.job = makeDoubleColumn();
    this.submit = makeDoubleColumn();
    this.runtime = makeDoubleColumn();
    this.estimate = makeDoubleColumn();
    this.processors = new Int32Array(capacity);
    this.home = new Int32Array(capacity);
    this.data = makeDoubleColumn();
    this.patience = makeDoubleColumn();
    this.index = makeDoubleColumn();
    this.log = Object.fromEntries(
      NAMED_LIVE_FIELDS.map((field) => [field, makeDoubleColumn()]),
    ) as unknown as Trace['columns'];
    const namesByField = Object.fromEntries(
      (['job', ...NAMED_LIVE_FIELDS] as const).map((field) => [
        field,
        new Map(original?.names[field] as ReadonlyMap<number, string> | undefined),
      ]),
    );
    this.names = namesByField as unknown as NumberNames;
    this.#numbers = original === undefined ? new LogNames() : original.#numbers;
    if (original === undefined) return;
    this.firstSubmit = original.firstSubmit;
    this.#rows = original.#rows;
    this.#submitted = original.#submitted;
    this.#cancelled = original.#cancelled;
    for (const [field, isText] of original.#isText) this.#isText.set(field, isText);
    this.#columns().forEach((column, i) => {
      column.set(original.#columns()[i]!);
    });
  }

  #columns(): (Float64Array | Int32Array)[] {
    const { job, submit, runtime, estimate, processors, home, data, patience, index, log } = this;
    const namedLogColumns = NAMED_LIVE_FIELDS.map((field) => log[field]);
    return [job, submit, runtime, estimate, processors, home, data, patience, index, ...namedLogColumns];
  }

  /** Number of jobs in the memory of the core: those that have not left. */
  get count(): number {
    return this.#rows;
  }

  /** Number of jobs ever submitted. */
  get submitted(): number {
    return this.#submitted;
  }

  /** Submit time of the last job in seconds; 0 without jobs. */
  get lastSubmit(): number {
    return this.#rows === 0 ? 0 : this.submit[this.#rows - 1]!;
  }

  get accounting(): Accounting {
    return {
      read: this.#submitted,
      kept: this.#submitted,
      dropped: [],
      oversizeJobs: [],
      ...(this.#cancelled > 0 && { cancelled: this.#cancelled }),
      withoutEstimate: 0,
      split: { jobs: 0, pieces: 0 },
    };
  }

  /** Number of the next job: its name if this is a number or consists of digits, otherwise a number of its own. */
  #numberOfJob(jobName: LiveName): number {
    const isNumericJobName = typeof jobName === 'number' || /^\d{1,12}$/.test(jobName);
    return isNumericJobName ? Number(jobName) : FIRST_NUMBER_OF_NAMES + 1 + this.#submitted;
  }

  /** Checks that a field has either names or numbers in all jobs. */
  checkNames(job: SubmittedJob, context: string): void {
    for (const field of NAMED_LIVE_FIELDS) {
      const fieldValue = job[field];
      if (fieldValue === undefined) continue;
      const isTextName = typeof fieldValue === 'string';
      if ((this.#isText.get(field) ?? isTextName) === isTextName) continue;
      const [found, others] = isTextName ? ['a name', 'numbers'] : ['a number', 'names'];
      throw new InputError(
        `${context}, ${field}: found ${found}, ${JSON.stringify(fieldValue)}, and earlier jobs have ${others}; give all jobs one kind`,
      );
    }
  }

  /** Writes a job into a row, without adding it. */
  write(row: number, job: SubmittedJob, jobName: LiveName): void {
    const { submit, runtime = Number.NaN, processors, requestedTime = runtime, home = 1 } = job;
    if (this.#submitted === 0) this.firstSubmit = submit;
    this.index[row] = this.#submitted;
    this.job[row] = this.#numberOfJob(jobName);
    if (typeof jobName === 'string') this.#namesOf('job').set(this.job[row]!, jobName);
    this.submit[row] = submit;
    this.runtime[row] = runtime;
    this.processors[row] = processors;
    this.estimate[row] = requestedTime;
    this.home[row] = home - 1;
    this.data[row] = job.data ?? 0;
    this.patience[row] = job.patience ?? -1;
    for (const field of NAMED_LIVE_FIELDS) this.log[field][row] = this.#numberOfName(field, job[field]);
  }

  #namesOf(namedField: keyof NumberNames): Map<number, string> {
    return this.names[namedField] as Map<number, string>;
  }

  #numberOfName(namedField: NamedLiveField, liveName: LiveName | undefined): number {
    if (liveName === undefined) return -1;
    this.#isText.set(namedField, typeof liveName === 'string');
    if (typeof liveName === 'number') return liveName;
    const nameNumber = this.#numbers.number(namedField, liveName);
    this.#namesOf(namedField).set(nameNumber, liveName);
    return nameNumber;
  }

  /** Job in a row as it was submitted; without its name. */
  jobAt(row: number): SubmittedJob {
    const runtime = this.runtime[row]!;
    const namesByField = NAMED_LIVE_FIELDS.map((field) => {
      const nameNumber = this.log[field][row]!;
      return [field, nameNumber < 0 ? undefined : (this.names[field].get(nameNumber) ?? nameNumber)];
    });
    return {
      submit: this.submit[row]!,
      runtime: Number.isNaN(runtime) ? undefined : runtime,
      processors: this.processors[row]!,
      requestedTime: this.estimate[row]!,
      home: this.home[row]! + 1,
      ...(this.data[row]! > 0 && { data: this.data[row]! }),
      ...Object.fromEntries(namesByField),
    };
  }

  /** Adds the job that has been written into the next row. */
  add(): void {
    if (this.patience[this.#rows]! >= 0) this.#cancelled++;
    this.#rows++;
    this.#submitted++;
  }

  /** Notes that a job is cancelled at a time in seconds. */
  cancelAt(row: number, time: number): void {
    if (!(this.patience[row]! >= 0)) this.#cancelled++;
    this.patience[row] = time - this.submit[row]!;
  }

  /** Moves the jobs to new rows, ascending; those with a negative one leave. */
  move(newRowOf: (row: number) => number): void {
    const columns = this.#columns();
    let remainingRowCount = 0;
    for (let row = 0; row < this.#rows; row++) {
      const target = newRowOf(row);
      if (target < 0) {
        this.#namesOf('job').delete(this.job[row]!);
        continue;
      }
      for (const column of columns) column[target] = column[row]!;
      remainingRowCount++;
    }
    this.#rows = remainingRowCount;
  }

  /** Jobs in some rows, with the columns from which their keys are computed. */
  keyedJobs(rows: readonly number[]): KeyedColumns {
    const { name: tableName, names, log, firstSubmit } = this;
    const columns = this.#selectColumns(rows);
    return {
      count: rows.length,
      ...columns,
      name: tableName,
      names,
      log: this.#selectLog(rows, log),
      firstSubmit,
    };
  }

  #selectColumns(rows: readonly number[]) {
    const makeDoubleColumn = (column: Float64Array) => Float64Array.from(rows, (row) => column[row]!);
    const selectIntegers = (column: Int32Array) => Int32Array.from(rows, (row) => column[row]!);
    return {
      job: makeDoubleColumn(this.job),
      submit: makeDoubleColumn(this.submit),
      runtime: makeDoubleColumn(this.runtime),
      estimate: makeDoubleColumn(this.estimate),
      patience: makeDoubleColumn(this.patience),
      processors: selectIntegers(this.processors),
      home: selectIntegers(this.home),
    };
  }

  #selectLog(rows: readonly number[], log: Trace['columns']): Trace['columns'] {
    return Object.fromEntries(
      NAMED_LIVE_FIELDS.map((field) => [field, Float64Array.from(rows, (row) => log[field][row]!)]),
    ) as unknown as Trace['columns'];
  }

  /** Jobs in some rows, all of which have ended, with their results. */
  finishedJobs(
    rows: readonly number[],
    configuration: Configuration,
    { start, execution, held, promised, endedByOutages }: LiveResultColumns,
  ): JobsOfRun {
    const { name: tableName, accounting, names } = this;
    const columns = this.#selectColumns(rows);
    const workload: Workload = {
      ...{
        name: tableName,
        accounting,
        names,
        count: rows.length,
        ...columns,
        log: this.#selectLog(rows, this.log),
      },
    };
    const rowsIfColumnIsFilled = (columnValues: ArrayLike<number>) => (columnValues.length === 0 ? [] : rows);
    const outcomes = {
      submit: columns.submit,
      start: Float64Array.from(rows, (row) => start[row]!),
      execution: Float64Array.from(rows, (row) => execution[row]!),
      held: Int32Array.from(rowsIfColumnIsFilled(held), (row) => held[row]!),
    };
    const promisedStarts =
      promised.length === 0 ? undefined : Float64Array.from(rows, (row) => promised[row]!);
    return {
      workload,
      configuration,
      jobColumns: () => workload,
      submitTimes: () => columns.submit,
      outcomes: () => outcomes,
      estimates: () => undefined,
      promises: () => promisedStarts,
      endedByOutages: () => Int32Array.from(rows.keys()).filter((i) => endedByOutages.has(rows[i]!)),
    };
  }
}
