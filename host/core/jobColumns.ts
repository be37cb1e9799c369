/** Jobs in the memory of a core. */
import { Blocks } from './blocks.js';
import { EXTRAS, JOB_COLUMNS } from './contract.js';
import { type Core, numberOf } from './instance.js';
import { check } from './refusal.js';

type JobColumn = keyof typeof JOB_COLUMNS;

/**
 * Columns of jobs in submit order, as the host has them; seconds, sites from 0. Where there is no estimate the runtime is
 * known.
 */
export type JobInput = {
  readonly [Name in Exclude<JobColumn, 'Demand'>]?: ArrayLike<number> | undefined;
} & Readonly<Record<'Submit' | 'Runtime' | 'Processors' | 'Home', ArrayLike<number>>>;

/** Jobs in the memory of a core, which any number of runs may have. */
export interface CoreJobs {
  readonly core: Core;
  readonly count: number;
  /** Address of the table; 0 once it has been given back. */
  readonly table: number;
  /** The owner of the memory that runs of these jobs stand in. */
  readonly blocks: Blocks;
  /** Gives the table's memory back, for other tables and runs; the core refuses runs that still are of these jobs. */
  dispose(): void;
}

/** Lays a table for jobs out at an address, if it is not 0; returns its size in bytes. */
export function arrangeJobs(core: Core, table: number, columns: JobInput): number {
  const names = Object.keys(EXTRAS) as (keyof typeof EXTRAS)[];
  const given = names.filter((name) => EXTRAS[name].some((column) => columns[column] !== undefined));
  const extras = given.reduce((sum, name) => sum + core.Extra[name], 0);
  return core.arrangeJobs(table, columns.Submit.length, extras);
}

/**
 * Puts jobs into the memory of a core, beside all that is there.
 * @param blocks the part of the memory for them and their runs, if not all of it: threads that share one have a part each.
 * @throws Refusal, with the job; RangeError for unknown names and columns of another length.
 */
export function makeJobs(core: Core, columns: JobInput, blocks: Blocks = Blocks.of(core)): CoreJobs {
  const count = columns.Submit.length;
  const block = { address: 0, bytes: 0 };
  blocks.enlarge(block, arrangeJobs(core, 0, columns));
  try {
    fillTable(core, block.address, columns);
  } catch (error) {
    blocks.release(block);
    throw error;
  }
  return {
    core,
    count,
    blocks,
    get table() {
      return block.address;
    },
    dispose: () => blocks.release(block),
  };
}

/** A column of a table: a view of the memory, which lasts until that grows. */
export function jobColumn<Name extends JobColumn>(core: Core, table: number, count: number, name: Name) {
  const address = core.jobColumnAddress(table, numberOf(core.JobColumn, name)) >>> 0;
  return new JOB_COLUMNS[name](core.memory.buffer, address, count) as InstanceType<
    (typeof JOB_COLUMNS)[Name]
  >;
}

/** Writes a table and seals it. */
function fillTable(core: Core, table: number, columns: JobInput): void {
  const count = columns.Submit.length;
  arrangeJobs(core, table, columns);
  const given = { ...columns, Estimate: columns.Estimate ?? columns.Runtime };
  for (const [name, values] of Object.entries(given) as [JobColumn, ArrayLike<number> | undefined][]) {
    if (values === undefined) continue;
    if (values.length !== count) throw new RangeError(`${name}: ${values.length} numbers for ${count} jobs`);
    jobColumn(core, table, count, name).set(values);
  }
  check(core, core.sealJobs(table), (what) => (what === 'Job' ? core.refusedJob(table) : -1));
}
