/** The jobs of a workload in the memory of a core, where any number of simulations may read them. */

import type { Core } from '../core/module.js';
import { InputError } from '../errors.js';
import type { Workload } from '../workload/workload.js';
import { accept } from './refusal.js';

/** A job table that is in memory already, and room for a simulation of it: several threads may share the table. */
export interface JobTable {
  /** The instance whose memory it is in. */
  readonly core: Core;
  /** Address of the table, as `writeJobTable` filled it. */
  readonly jobs: number;
  /** Address of the room, a multiple of 16, and its size in bytes (see `layOut`). */
  readonly simulation: number;
  /** Bytes for the simulation. */
  readonly room: number;
}

/** Bytes of a page of memory. */
export const PAGE = 65536;
/** Addresses of job tables and simulations are multiples of this. */
export const ALIGNMENT = 16;

type Extras = Pick<Workload, 'data' | 'recent'>;

/** The columns that a table has besides, as the core takes them. */
function extrasOf({ Extra }: Core, { data, recent }: Extras): number {
  return (data === undefined ? 0 : Extra.Data) + (recent === undefined ? 0 : Extra.Users);
}

/** Bytes of a table of these jobs. */
export function jobTableBytes(core: Core, workload: Extras & Pick<Workload, 'count'>): number {
  return core.arrangeJobs(0, workload.count, extrasOf(core, workload));
}

/** The most bytes that a table of so many jobs can have. */
export function mostTableBytes(core: Core, count: number): number {
  const { Data, Users } = core.Extra;
  return core.arrangeJobs(0, count, Data + Users);
}

/**
 * Writes the jobs into memory as the core reads them.
 * @throws InputError for jobs that cannot be simulated.
 */
export function writeJobTable(core: Core, table: number, workload: Workload): void {
  const { submit, runtime, estimate, processors, home, data, recent, count } = workload;
  if (count === 0) throw new InputError(`${workload.name}: there is no job to simulate`);
  core.arrangeJobs(table, count, extrasOf(core, workload));
  const { JobColumn } = core;
  const address = (which: number) => core.jobColumnAddress(table, which) >>> 0;
  const { buffer } = core.memory;
  new Float64Array(buffer, address(JobColumn.Submit), count).set(submit);
  new Float64Array(buffer, address(JobColumn.Runtime), count).set(runtime);
  new Float64Array(buffer, address(JobColumn.Estimate), count).set(estimate);
  new Int32Array(buffer, address(JobColumn.Processors), count).set(processors);
  new Int32Array(buffer, address(JobColumn.Home), count).set(home);
  if (data !== undefined) new Float64Array(buffer, address(JobColumn.Data), count).set(data);
  if (recent !== undefined) new Int32Array(buffer, address(JobColumn.User), count).set(recent.users);
  accept(core, core.sealJobs(table), { workload, job: core.refusedJob(table) });
}

/** Jobs in submit order, as a core has them. */
export type JobColumns = Pick<Workload, 'count' | 'submit' | 'runtime' | 'estimate' | 'processors' | 'home'>;

/** The jobs of a table: views that last until the memory grows. */
export function readJobTable(
  { memory, JobColumn, jobColumnAddress }: Core,
  table: number,
  count: number,
): JobColumns {
  const address = (column: keyof Core['JobColumn']) => jobColumnAddress(table, JobColumn[column]) >>> 0;
  const doubles = (column: keyof Core['JobColumn']) =>
    new Float64Array(memory.buffer, address(column), count);
  const integers = (column: keyof Core['JobColumn']) => new Int32Array(memory.buffer, address(column), count);
  return {
    count,
    submit: doubles('Submit'),
    runtime: doubles('Runtime'),
    estimate: doubles('Estimate'),
    processors: integers('Processors'),
    home: integers('Home'),
  };
}

/** Bytes that a core can address. */
export const LONGEST_MEMORY = 2 ** 32;

/**
 * Puts the jobs of a workload at the beginning of the memory of a core, in place of all that was there, and leaves the
 * rest to a simulation.
 * @throws InputError for jobs that cannot be simulated.
 */
export function placeJobs(core: Core, workload: Workload): JobTable {
  const jobs = aligned(core.firstAddress());
  const simulation = aligned(jobs + jobTableBytes(core, workload));
  const missing = Math.ceil(simulation / PAGE) - core.memory.buffer.byteLength / PAGE;
  if (missing > 0) core.memory.grow(missing);
  writeJobTable(core, jobs, workload);
  return { core, jobs, simulation, room: LONGEST_MEMORY - simulation };
}

/** The first multiple of 16 at or above an address. */
export function aligned(address: number): number {
  return Math.ceil(address / ALIGNMENT) * ALIGNMENT;
}
