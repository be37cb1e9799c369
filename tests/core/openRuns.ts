/**
 * Runs whose jobs arrive in parts: a simulation of a log that is complete, begun again on an empty table to which the
 * same jobs are appended, and from which jobs that have ended may be removed.
 */
import { expect } from 'vitest';
import { type COLUMNS, EXTRAS, JOB_COLUMNS } from '../../host/core/contract.js';
import { CoreRun } from '../../host/core/host.js';
import type { Blocks } from '../../host/core/memory.js';
import type { Core } from '../../host/core/module.js';
import type { RunSettings } from '../../host/core/runSettings.js';

type JobColumnName = keyof typeof JOB_COLUMNS;

/** Columns of a simulation that the host writes by job. */
const COLUMNS_BY_JOB = [
  ...(['Key', 'BackfillKey', 'UserAccount', 'GroupAccount', 'LimitedUser', 'LimitedGroup'] as const),
  ...(['PieceOf', 'ProgramInput'] as const),
];

/** Columns of the results of jobs. */
const RESULTS_BY_JOB = ['Start', 'Execution', 'Site', 'LostTime', 'PromisedStart'] as const;
type ResultByJob = (typeof RESULTS_BY_JOB)[number];

/** Processors and parts of the job of a row, as text; empty where the run has no log of them. */
function logEntriesOf(run: CoreRun, row: number, processors: number): string {
  const width = run.room('Molds') > 0 ? run.column('Held')[row]! : processors;
  const entries = (first: number, log: ArrayLike<number>, sizeAt: (entry: number) => number): string => {
    if (first < 0) return '';
    let end = first;
    for (let left = width; left > 0 && 2 * end < log.length; end++) left -= sizeAt(end);
    return Array.from({ length: 2 * (end - first) }, (_, place) => log[2 * first + place]).join(' ');
  };
  // Cancelled jobs have no entries.
  if (run.column('Site')[row]! < 0) return '';
  const [log, parts] = [run.column('Log'), run.column('Parts')];
  const first = run.column('PartIndex')[row] ?? -1;
  return [
    log.length === 0
      ? ''
      : entries(run.column('LogIndex')[row]!, log, (i) => log[2 * i + 1]! - log[2 * i]! + 1),
    entries(first, parts, (i) => parts[2 * i + 1]!),
  ].join('; ');
}

/** Views of the columns of a job table that the host writes. */
function jobTableViews(core: Core, table: number, count: number) {
  return (Object.keys(JOB_COLUMNS) as JobColumnName[]).flatMap((name) => {
    const address = core.jobColumnAddress(table, core.JobColumn[name]) >>> 0;
    if (address === 0 || name === 'Demand' || name === 'Row') return [];
    return [[name, new JOB_COLUMNS[name](core.memory.buffer, address, count)] as const];
  });
}

/** An empty table for the jobs of another table, in the same memory. */
export class OpenTable {
  readonly core: Core;
  readonly count: number;
  readonly blocks: Blocks;
  readonly table: number;
  readonly #complete: number;
  readonly #block = { address: 0, bytes: 0 };
  /** Number of jobs appended so far. */
  known = 0;
  /** Job of each row. */
  jobOfRow: number[] = [];
  /** Job of the complete table in each row; the same index if undefined. */
  rows: readonly number[] | undefined;
  /** Columns in place of those of the complete table. */
  replacements: { readonly [Name in JobColumnName]?: ArrayLike<number> } = {};

  constructor(complete: CoreRun) {
    const { core, count, blocks, table } = complete.jobs;
    this.core = core;
    this.count = count;
    this.blocks = blocks;
    this.#complete = table;
    const names = new Set<JobColumnName>(jobTableViews(core, table, count).map(([name]) => name));
    const extras = Object.entries(EXTRAS).filter(([, columns]) => columns.some((name) => names.has(name)));
    const input = extras.reduce((total, [name]) => total + core.Extra[name as keyof typeof EXTRAS], 0);
    const sum = input | core.Extra.Rows;
    blocks.enlarge(this.#block, core.arrangeJobs(0, count, sum));
    this.table = this.#block.address;
    core.arrangeJobs(this.table, count, sum);
  }

  /** Job of the complete table that is appended `each` places behind the known ones. */
  #jobAt(each: number): number {
    return this.rows?.[this.known + each] ?? this.known + each;
  }

  /** Appends the next `more` jobs; returns the status. */
  append(more: number): number {
    const complete = new Map(jobTableViews(this.core, this.#complete, this.count));
    const first = this.jobOfRow.length;
    for (const [name, column] of jobTableViews(this.core, this.table, this.count)) {
      const values = this.replacements[name] ?? complete.get(name)!;
      for (let each = 0; each < more; each++) column[first + each] = values[this.#jobAt(each)]!;
    }
    const status = this.core.appendJobs(this.table, more);
    if (status !== this.core.Status.Finished) return status;
    for (let each = 0; each < more; each++) this.jobOfRow.push(this.#jobAt(each));
    this.known += more;
    return status;
  }

  /** Row of a job, which must have one. */
  rowOf(job: number): number {
    const row = this.jobOfRow.indexOf(job);
    if (row < 0) throw new Error(`job ${job} has left`);
    return row;
  }

  /** New row of each job by its row before the last `compact`; -1 if the job has left. */
  movedRows(): number[] {
    const address = this.core.jobColumnAddress(this.table, this.core.JobColumn.Row) >>> 0;
    return [...new Int32Array(this.core.memory.buffer, address, this.jobOfRow.length)];
  }

  dispose(): void {
    this.blocks.release(this.#block);
  }
}

/** A run with the settings of another, which stay unknown for jobs that are not appended. */
export class OpenRun extends CoreRun {
  readonly open: OpenTable;
  readonly #complete: CoreRun;
  /** Rows whose columns are written. */
  #given = 0;
  /** Results of the jobs that have left. */
  readonly #left = new Map<number, Map<ResultByJob, number>>();
  readonly #leftEntries = new Map<number, string>();

  constructor(complete: CoreRun, open: OpenTable) {
    super(open, complete.decide);
    const { keysOf } = complete;
    this.keysOf = keysOf && ((run, row) => keysOf(run, open.jobOfRow[row]!));
    this.open = open;
    this.#complete = complete;
  }

  /** @throws Refusal if an open run cannot have these settings. */
  beginOpen(settings: RunSettings): void {
    const known = this.open.known;
    const sites = { ...settings.sites };
    for (const name of COLUMNS_BY_JOB) {
      const values = sites[name];
      if (values === undefined) continue;
      const count = this.jobs.count;
      sites[name] = Array.from(values, (value, index) => (index % count < known ? value : 0));
    }
    this.begin({
      sites,
      options: { ...settings.options, Open: 1 },
      ...(settings.room && { room: settings.room }),
    });
    this.#given = known;
  }

  /** Writes the columns by job of the jobs that have been appended since. */
  giveColumns(): void {
    const { count } = this.jobs;
    const { jobOfRow } = this.open;
    for (const name of COLUMNS_BY_JOB) {
      const column = this.column(name);
      const values = this.#complete.column(name);
      for (let first = 0; first < column.length; first += count) {
        for (let row = this.#given; row < jobOfRow.length; row++) {
          const value = values[first + jobOfRow[row]!]!;
          column[first + row] = name === 'PieceOf' ? this.#firstRowOf(value, values) : value;
        }
      }
    }
    this.#given = jobOfRow.length;
  }

  /** Row of the first piece that is left of a job, which the row of a new piece is at last. */
  #firstRowOf(piece: number, pieceOf: ArrayLike<number>): number {
    return this.open.jobOfRow.findIndex((job) => pieceOf[job] === piece);
  }

  /** Removes the jobs that have ended from run and table; returns the status. */
  compact(): number {
    const results = RESULTS_BY_JOB.map((name) => [name, this.column(name).slice()] as const);
    const entries = this.open.jobOfRow.map((_, row) => this.#entriesOf(row));
    const status = this.core.compact(this.block, this.jobs.table);
    if (status !== this.core.Status.Finished) return status;
    const { open } = this;
    const rows = open.movedRows();
    rows.forEach((row, old) => {
      if (row >= 0) return;
      this.#leftEntries.set(open.jobOfRow[old]!, entries[old]!);
      this.#left.set(open.jobOfRow[old]!, new Map(results.map(([name, values]) => [name, values[old]!])));
    });
    open.jobOfRow = open.jobOfRow.filter((_, old) => rows[old]! >= 0);
    expect(rows.filter((row) => row >= 0)).toEqual(open.jobOfRow.map((_, row) => row));
    this.#given = open.jobOfRow.length;
    return status;
  }

  #entriesOf(row: number): string {
    const address = this.core.jobColumnAddress(this.open.table, this.core.JobColumn.Processors) >>> 0;
    const processors = new Int32Array(this.core.memory.buffer, address, this.jobs.count);
    return logEntriesOf(this, row, processors[row]!);
  }

  /** First job with other processors or parts than in a complete run; -1 if none. */
  jobWithOtherProcessors(complete: CoreRun): number {
    const { core, table, count } = complete.jobs;
    const address = core.jobColumnAddress(table, core.JobColumn.Processors) >>> 0;
    const processors = new Int32Array(core.memory.buffer, address, count);
    const own = new Map(this.#leftEntries);
    for (const [row, job] of this.open.jobOfRow.entries()) own.set(job, this.#entriesOf(row));
    return Array.from(processors).findIndex(
      (width, job) => own.get(job) !== logEntriesOf(complete, job, width),
    );
  }

  /** Number of jobs that have left. */
  get leftCount(): number {
    return this.#left.size;
  }

  /** Results of a column by job, with those of the jobs that have left. */
  resultsOf(name: ResultByJob): Float64Array | Int32Array {
    const column = this.column(name);
    const results = column.slice();
    this.open.jobOfRow.forEach((job, row) => {
      results[job] = column[row]!;
    });
    for (const [job, values] of this.#left) results[job] = values.get(name)!;
    return results;
  }

  /** The host's columns by job, as they are now. */
  columnsByJob(): [name: (typeof COLUMNS_BY_JOB)[number], values: Float64Array | Int32Array][] {
    return COLUMNS_BY_JOB.map((name) => [name, this.column(name).slice()]);
  }

  writeColumns(columns: ReturnType<OpenRun['columnsByJob']>): void {
    for (const [name, values] of columns) this.column(name).set(values);
  }

  /** Tells the run when a job ends. */
  end(job: number, time: number): void {
    this.check(this.core.endJob(this.block, this.jobs.table, this.open.rowOf(job), time));
  }

  /** Tells the run when a job is cancelled. */
  remove(job: number, time: number): void {
    this.check(this.core.removeJob(this.block, this.jobs.table, this.open.rowOf(job), time));
  }

  close(): void {
    this.check(this.core.closeRun(this.block, this.jobs.table));
  }

  nextEventTime(): number {
    return this.core.nextEventTime(this.block, this.jobs.table);
  }
}

/** Columns of schedule and metrics whose bytes differ between two finished runs. */
export function differingColumns(run: OpenRun, other: CoreRun): string[] {
  const names: (keyof typeof COLUMNS)[] = ['Metric', 'SiteBusy', 'SiteJobs'];
  const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Int32Array) =>
    Buffer.from(buffer, byteOffset, byteLength);
  return [
    ...RESULTS_BY_JOB.filter((name) => !bytesOf(run.resultsOf(name)).equals(bytesOf(other.column(name)))),
    ...names.filter((name) => !bytesOf(run.column(name)).equals(bytesOf(other.column(name)))),
    ...(run.jobWithOtherProcessors(other) < 0 ? [] : ['Log']),
  ];
}
