/** Jobs in the memory of a core. */
import { Blocks } from './blocks.js';
import { type JobColumn, viewOf } from './columns.js';
import { EXTRAS, JOB_COLUMNS } from './contract.js';
import type { Core } from './instance.js';
import { isRefusal, NOBODY, Refusal } from './refusal.js';

/** Columns of jobs in submit order, as the host has them; seconds, sites from 0. */
export type JobInput = {
  readonly [Name in Exclude<JobColumn, 'Demand'>]?: ArrayLike<number> | undefined;
} & Readonly<Record<'Submit' | 'Runtime' | 'Processors' | 'Home', ArrayLike<number>>>;

/** What a table of jobs has besides, as `arrangeJobs` takes it. */
function extrasOf(core: Core, columns: JobInput): number {
  const given = Object.entries(EXTRAS).filter(([, names]) =>
    names.some((name) => columns[name] !== undefined),
  );
  return given.reduce((sum, [name]) => sum + core.Extra[name as keyof Core['Extra']], 0);
}

/** Bytes of a table of jobs. */
export function jobBytes(core: Core, columns: JobInput): number {
  return core.arrangeJobs(0, columns.Submit.length, extrasOf(core, columns));
}

/**
 * Writes jobs into memory, where there is room for `jobBytes`.
 * @throws Refusal, with the job; RangeError for columns of another length.
 */
export function writeJobs(core: Core, table: number, columns: JobInput): void {
  const count = columns.Submit.length;
  core.arrangeJobs(table, count, extrasOf(core, columns));
  const given: { readonly [Name in JobColumn]?: ArrayLike<number> | undefined } = columns;
  for (const [name, type] of Object.entries(JOB_COLUMNS) as [JobColumn, 'f64' | 'i32'][]) {
    // Where there is no estimate the runtime is known.
    const values = given[name] ?? (name === 'Estimate' ? columns.Runtime : undefined);
    if (values === undefined) continue;
    if (values.length !== count) throw new RangeError(`${name}: ${values.length} numbers for ${count} jobs`);
    const address = core.jobColumnAddress(table, core.JobColumn[name]);
    viewOf<'f64' | 'i32'>(core, type, address, count).set(values);
  }
  const status = core.sealJobs(table);
  if (isRefusal(core, status)) throw new Refusal(core, status, { ...NOBODY, Job: core.refusedJob(table) });
}

/** Jobs in the memory of a core, which any number of runs may have. */
export interface CoreJobs {
  readonly core: Core;
  readonly count: number;
  /** Address of the table. */
  readonly table: number;
  /** What else is in the memory. */
  readonly blocks: Blocks;
}

/**
 * Puts jobs into the memory of a core.
 * @throws as `writeJobs`.
 */
export function makeJobs(core: Core, columns: JobInput, blocks = new Blocks(core)): CoreJobs {
  const table = blocks.enlarge(0, 0, jobBytes(core, columns));
  writeJobs(core, table, columns);
  return { core, count: columns.Submit.length, table, blocks };
}
