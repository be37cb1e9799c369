/**
 * Open runs for tests: a simulation of a complete log, begun again on an empty job table to which the same
 * jobs are appended in parts, and from which ended jobs may be removed.
 */
import { expect } from 'vitest';
import { type COLUMNS, EXTRAS, JOB_COLUMNS } from '../../host/core/contract.js';
import { CoreRun } from '../../host/core/host.js';
import type { Blocks } from '../../host/core/memory.js';
import type { Core } from '../../host/core/module.js';
import type { RunSettings } from '../../host/core/runSettings.js';

type JobColumnName = keyof typeof JOB_COLUMNS;

/** Columns of a simulation that the host writes by job. */
const COLUMN_NAMES_BY_JOB = [
  ...(['Key', 'BackfillKey', 'UserAccount', 'GroupAccount', 'LimitedUser', 'LimitedGroup'] as const),
  ...(['PieceOf', 'ProgramInput'] as const),
];

/** Columns of the results of jobs. */
const RESULT_COLUMNS_BY_JOB = ['Start', 'Execution', 'Site', 'LostTime', 'PromisedStart'] as const;
type ResultColumnByJob = (typeof RESULT_COLUMNS_BY_JOB)[number];

/**
 * Entries of the logs of processors and parts for the job in a row, as text; empty if the run keeps no such
 * log.
 */
function formatLogEntriesOfJob(run: CoreRun, row: number, processors: number): string {
  const width = run.room('Molds') > 0 ? run.column('Held')[row]! : processors;
  const formatLogEntries = (
    firstEntryIndex: number,
    log: ArrayLike<number>,
    processorCountAt: (entry: number) => number,
  ): string => {
    if (firstEntryIndex < 0) return '';
    let end = firstEntryIndex;
    for (let remainingProcessors = width; remainingProcessors > 0 && 2 * end < log.length; end++)
      remainingProcessors -= processorCountAt(end);
    return Array.from(
      { length: 2 * (end - firstEntryIndex) },
      (_, logIndex) => log[2 * firstEntryIndex + logIndex],
    ).join(' ');
  };
  // Cancelled jobs have no entries.
  if (run.column('Site')[row]! < 0) return '';
  const [log, partLog] = [run.column('Log'), run.column('Parts')];
  const firstPart = run.column('PartIndex')[row] ?? -1;
  return [
    log.length === 0
      ? ''
      : formatLogEntries(run.column('LogIndex')[row]!, log, (i) => log[2 * i + 1]! - log[2 * i]! + 1),
    formatLogEntries(firstPart, partLog, (i) => partLog[2 * i + 1]!),
  ].join('; ');
}

/** Views of the columns of a job table that the host writes. */
function makeJobTableColumnViews(core: Core, table: number, rowCount: number) {
  return (Object.keys(JOB_COLUMNS) as JobColumnName[]).flatMap((name) => {
    const address = core.jobColumnAddress(table, core.JobColumn[name]) >>> 0;
    if (address === 0 || name === 'Demand' || name === 'Row') return [];
    return [[name, new JOB_COLUMNS[name](core.memory.buffer, address, rowCount)] as const];
  });
}

/** A job table, empty at first, to which the jobs of a complete table are appended, in the same memory. */
export class OpenTable {
  readonly core: Core;
  readonly count: number;
  readonly blocks: Blocks;
  readonly table: number;
  readonly #complete: number;
  readonly #block = { address: 0, bytes: 0 };
  /** Number of jobs appended so far. */
  knownCount = 0;
  /** Index in the complete table of the job in each row. */
  jobOfRow: number[] = [];
  /** Job of the complete table in each row; the same index if undefined. */
  rows: readonly number[] | undefined;
  /** Columns whose values replace those of the complete table. */
  replacements: { readonly [Name in JobColumnName]?: ArrayLike<number> } = {};

  constructor(completeRun: CoreRun) {
    const { core, count: jobCount, blocks, table } = completeRun.jobs;
    this.core = core;
    this.count = jobCount;
    this.blocks = blocks;
    this.#complete = table;
    const columnNames = new Set<JobColumnName>(
      makeJobTableColumnViews(core, table, jobCount).map(([name]) => name),
    );
    const extras = Object.entries(EXTRAS).filter(([, columns]) =>
      columns.some((name) => columnNames.has(name)),
    );
    const inputExtrasMask = extras.reduce(
      (total, [name]) => total + core.Extra[name as keyof typeof EXTRAS],
      0,
    );
    const sum = inputExtrasMask | core.Extra.Rows;
    blocks.enlarge(this.#block, core.arrangeJobs(0, jobCount, sum));
    this.table = this.#block.address;
    core.arrangeJobs(this.table, jobCount, sum);
  }

  /** Index in the complete table of the job that is appended `job` places after the jobs appended so far. */
  #jobAt(job: number): number {
    return this.rows?.[this.knownCount + job] ?? this.knownCount + job;
  }

  /** Appends the next `appendedCount` jobs to the table; returns the core's status. */
  append(appendedCount: number): number {
    const completeTableColumns = new Map(makeJobTableColumnViews(this.core, this.#complete, this.count));
    const firstRow = this.jobOfRow.length;
    for (const [name, column] of makeJobTableColumnViews(this.core, this.table, this.count)) {
      const columnValues = this.replacements[name] ?? completeTableColumns.get(name)!;
      for (let job = 0; job < appendedCount; job++) column[firstRow + job] = columnValues[this.#jobAt(job)]!;
    }
    const status = this.core.appendJobs(this.table, appendedCount);
    if (status !== this.core.Status.Finished) return status;
    for (let job = 0; job < appendedCount; job++) this.jobOfRow.push(this.#jobAt(job));
    this.knownCount += appendedCount;
    return status;
  }

  /** Row of a job, which must have one. */
  rowOf(job: number): number {
    const row = this.jobOfRow.indexOf(job);
    if (row < 0) throw new Error(`job ${job} has left`);
    return row;
  }

  /** New row of each job, by its row before the last removal of ended jobs; -1 if the job was removed. */
  readNewRowsOfJobs(): number[] {
    const address = this.core.jobColumnAddress(this.table, this.core.JobColumn.Row) >>> 0;
    return [...new Int32Array(this.core.memory.buffer, address, this.jobOfRow.length)];
  }

  dispose(): void {
    this.blocks.release(this.#block);
  }
}

/**
 * An open run with the settings of a complete run; values of jobs that are not appended yet stay unknown to
 * it.
 */
export class RunWithAppendedJobs extends CoreRun {
  readonly openTable: OpenTable;
  readonly #complete: CoreRun;
  /** Number of rows whose columns the test has written. */
  #given = 0;
  /** Results of the jobs that were removed, by job. */
  readonly #left = new Map<number, Map<ResultColumnByJob, number>>();
  readonly #leftEntries = new Map<number, string>();

  constructor(completeRun: CoreRun, openTable: OpenTable) {
    super(openTable, completeRun.decide);
    const { keysOf } = completeRun;
    this.keysOf = keysOf && ((run, row) => keysOf(run, openTable.jobOfRow[row]!));
    this.openTable = openTable;
    this.#complete = completeRun;
  }

  /** @throws Refusal if an open run cannot have these settings. */
  beginOpen(settings: RunSettings): void {
    const knownCount = this.openTable.knownCount;
    const sites = { ...settings.sites };
    for (const columnName of COLUMN_NAMES_BY_JOB) {
      const columnValues = sites[columnName];
      if (columnValues === undefined) continue;
      const jobCount = this.jobs.count;
      sites[columnName] = Array.from(columnValues, (value, index) =>
        index % jobCount < knownCount ? value : 0,
      );
    }
    this.begin({
      sites,
      options: { ...settings.options, Open: 1 },
      ...(settings.room && { room: settings.room }),
    });
    this.#given = knownCount;
  }

  /** Writes the per-job columns of the jobs appended since the last call. */
  giveColumns(): void {
    const { count: jobCount } = this.jobs;
    const { jobOfRow } = this.openTable;
    for (const columnName of COLUMN_NAMES_BY_JOB) {
      const column = this.column(columnName);
      const columnValues = this.#complete.column(columnName);
      for (let firstRow = 0; firstRow < column.length; firstRow += jobCount) {
        for (let row = this.#given; row < jobOfRow.length; row++) {
          const rowValue = columnValues[firstRow + jobOfRow[row]!]!;
          column[firstRow + row] =
            columnName === 'PieceOf' ? this.#firstRowOf(rowValue, columnValues) : rowValue;
        }
      }
    }
    this.#given = jobOfRow.length;
  }

  /** Row of the first remaining piece of a job that was submitted in pieces. */
  #firstRowOf(piece: number, pieceOf: ArrayLike<number>): number {
    return this.openTable.jobOfRow.findIndex((job) => pieceOf[job] === piece);
  }

  /** Removes ended jobs from the run and its table; returns the core's status. */
  compact(): number {
    const resultColumns = RESULT_COLUMNS_BY_JOB.map((name) => [name, this.column(name).slice()] as const);
    const logEntriesOfRows = this.openTable.jobOfRow.map((_, row) => this.#entriesOf(row));
    const status = this.core.compact(this.block, this.jobs.table);
    if (status !== this.core.Status.Finished) return status;
    const { openTable } = this;
    const rows = openTable.readNewRowsOfJobs();
    rows.forEach((row, rowBeforeRemoval) => {
      if (row >= 0) return;
      this.#leftEntries.set(openTable.jobOfRow[rowBeforeRemoval]!, logEntriesOfRows[rowBeforeRemoval]!);
      this.#left.set(
        openTable.jobOfRow[rowBeforeRemoval]!,
        new Map(resultColumns.map(([name, values]) => [name, values[rowBeforeRemoval]!])),
      );
    });
    openTable.jobOfRow = openTable.jobOfRow.filter((_, rowBeforeRemoval) => rows[rowBeforeRemoval]! >= 0);
    expect(rows.filter((row) => row >= 0)).toEqual(openTable.jobOfRow.map((_, row) => row));
    this.#given = openTable.jobOfRow.length;
    return status;
  }

  #entriesOf(row: number): string {
    const address = this.core.jobColumnAddress(this.openTable.table, this.core.JobColumn.Processors) >>> 0;
    const processors = new Int32Array(this.core.memory.buffer, address, this.jobs.count);
    return formatLogEntriesOfJob(this, row, processors[row]!);
  }

  /** First job whose processors or parts differ from those in a complete run; -1 if there is none. */
  jobWithOtherProcessors(completeRun: CoreRun): number {
    const { core, table, count: jobCount } = completeRun.jobs;
    const address = core.jobColumnAddress(table, core.JobColumn.Processors) >>> 0;
    const processors = new Int32Array(core.memory.buffer, address, jobCount);
    const logEntriesByJob = new Map(this.#leftEntries);
    for (const [row, job] of this.openTable.jobOfRow.entries())
      logEntriesByJob.set(job, this.#entriesOf(row));
    return Array.from(processors).findIndex(
      (width, job) => logEntriesByJob.get(job) !== formatLogEntriesOfJob(completeRun, job, width),
    );
  }

  /** Number of ended jobs that were removed from the run. */
  get leftCount(): number {
    return this.#left.size;
  }

  /** Values of a result column by job, including jobs that were removed. */
  resultsOf(columnName: ResultColumnByJob): Float64Array | Int32Array {
    const column = this.column(columnName);
    const resultColumns = column.slice();
    this.openTable.jobOfRow.forEach((job, row) => {
      resultColumns[job] = column[row]!;
    });
    for (const [job, values] of this.#left) resultColumns[job] = values.get(columnName)!;
    return resultColumns;
  }

  /** Current values of the per-job columns that the host writes. */
  columnsByJob(): [name: (typeof COLUMN_NAMES_BY_JOB)[number], values: Float64Array | Int32Array][] {
    return COLUMN_NAMES_BY_JOB.map((name) => [name, this.column(name).slice()]);
  }

  writeColumns(columns: ReturnType<RunWithAppendedJobs['columnsByJob']>): void {
    for (const [name, values] of columns) this.column(name).set(values);
  }

  /** Tells the run when a job ends. */
  end(job: number, time: number): void {
    this.check(this.core.endJob(this.block, this.jobs.table, this.openTable.rowOf(job), time));
  }

  /** Tells the run when a job is cancelled. */
  remove(job: number, time: number): void {
    this.check(this.core.removeJob(this.block, this.jobs.table, this.openTable.rowOf(job), time));
  }

  close(): void {
    this.check(this.core.closeRun(this.block, this.jobs.table));
  }

  nextEventTime(): number {
    return this.core.nextEventTime(this.block, this.jobs.table);
  }
}

/** Columns of schedule and metrics whose bytes differ between two finished runs. */
export function findDifferingColumns(run: RunWithAppendedJobs, otherRun: CoreRun): string[] {
  const columnNames: (keyof typeof COLUMNS)[] = ['Metric', 'SiteBusy', 'SiteJobs'];
  const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Int32Array) =>
    Buffer.from(buffer, byteOffset, byteLength);
  return [
    ...RESULT_COLUMNS_BY_JOB.filter(
      (name) => !bytesOf(run.resultsOf(name)).equals(bytesOf(otherRun.column(name))),
    ),
    ...columnNames.filter(
      (columnName) => !bytesOf(run.column(columnName)).equals(bytesOf(otherRun.column(columnName))),
    ),
    ...(run.jobWithOtherProcessors(otherRun) < 0 ? [] : ['Log']),
  ];
}
