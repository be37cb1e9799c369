/**
 * Runs whose jobs arrive in parts: a simulation of a log that is complete, begun again on an empty table to which the
 * same jobs are appended.
 */
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

/** Views of the columns of a job table that the host writes. */
function jobTableViews(core: Core, table: number, count: number) {
  return (Object.keys(JOB_COLUMNS) as JobColumnName[]).flatMap((name) => {
    const address = core.jobColumnAddress(table, core.JobColumn[name]) >>> 0;
    if (address === 0 || name === 'Demand') return [];
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
  /** Columns in place of those of the complete table. */
  replacements: { readonly [Name in JobColumnName]?: ArrayLike<number> } = {};

  constructor(complete: CoreRun) {
    const { core, count, blocks, table } = complete.jobs;
    this.core = core;
    this.count = count;
    this.blocks = blocks;
    this.#complete = table;
    const names = new Set(jobTableViews(core, table, count).map(([name]) => name));
    const extras = Object.entries(EXTRAS).filter(([, columns]) => columns.some((name) => names.has(name)));
    const sum = extras.reduce((total, [name]) => total + core.Extra[name as keyof typeof EXTRAS], 0);
    blocks.enlarge(this.#block, core.arrangeJobs(0, count, sum));
    this.table = this.#block.address;
    core.arrangeJobs(this.table, count, sum);
  }

  /** Appends the next `more` jobs; returns the status. */
  append(more: number): number {
    const complete = new Map(jobTableViews(this.core, this.#complete, this.count));
    for (const [name, column] of jobTableViews(this.core, this.table, this.count)) {
      const values = this.replacements[name] ?? complete.get(name)!;
      for (let job = this.known; job < this.known + more; job++) column[job] = values[job]!;
    }
    const status = this.core.appendJobs(this.table, more);
    if (status === this.core.Status.Finished) this.known += more;
    return status;
  }

  dispose(): void {
    this.blocks.release(this.#block);
  }
}

/** A run with the settings of another, which stay unknown for jobs that are not appended. */
export class OpenRun extends CoreRun {
  readonly open: OpenTable;
  readonly #complete: CoreRun;
  #given = 0;

  constructor(complete: CoreRun, open: OpenTable) {
    super(open, complete.decide);
    this.keysOf = complete.keysOf;
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
    for (const name of COLUMNS_BY_JOB) {
      const column = this.column(name);
      const values = this.#complete.column(name);
      for (let first = 0; first < column.length; first += count) {
        column.set(values.subarray(first + this.#given, first + this.open.known), first + this.#given);
      }
    }
    this.#given = this.open.known;
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
    this.check(this.core.endJob(this.block, this.jobs.table, job, time));
  }

  /** Tells the run when a job is cancelled. */
  remove(job: number, time: number): void {
    this.check(this.core.removeJob(this.block, this.jobs.table, job, time));
  }

  close(): void {
    this.check(this.core.closeRun(this.block, this.jobs.table));
  }

  nextEventTime(): number {
    return this.core.nextEventTime(this.block, this.jobs.table);
  }
}

/** Columns of schedule and metrics whose bytes differ between two finished runs. */
export function differingColumns(run: CoreRun, other: CoreRun): string[] {
  const names: (keyof typeof COLUMNS)[] = ['Start', 'Execution', 'Site', 'Metric', 'SiteBusy', 'SiteJobs'];
  return names.filter((name) => {
    const [bytes, otherBytes] = [run, other].map((each) => {
      const { buffer, byteOffset, byteLength } = each.column(name);
      return Buffer.from(buffer, byteOffset, byteLength);
    });
    return !bytes!.equals(otherBytes!);
  });
}
