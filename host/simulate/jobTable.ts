/** The jobs of a workload in the memory of a core, where any number of simulations may read them. */

import { aligned, Blocks, LONGEST_MEMORY } from '../core/blocks.js';
import { arrangeJobs, type CoreJobs, type JobInput, jobColumn, makeJobs } from '../core/jobColumns.js';
import { type Core, type CoreBuild, openCore } from '../core/module.js';
import { InputError } from '../errors.js';
import type { Workload } from '../workload/workload.js';
import { inWords } from './refusalWords.js';

/** A job table that is in memory already, and room for a simulation of it: several threads may share the table. */
export interface JobTable {
  /** The instance whose memory it is in. */
  readonly core: Core;
  /** Address of the table. */
  readonly jobs: number;
  /** Address of the room, a multiple of 16, and its size in bytes (see `layOut`). */
  readonly simulation: number;
  /** Bytes for the simulation. */
  readonly room: number;
}

type Columns = Pick<
  Workload,
  'submit' | 'runtime' | 'estimate' | 'processors' | 'home' | 'data' | 'recent' | 'dependencies'
>;

/** The jobs as the core has them. */
function inputOf(workload: Columns): JobInput {
  const { submit, runtime, estimate, processors, home, data, recent, dependencies } = workload;
  return {
    ...{ Submit: submit, Runtime: runtime, Estimate: estimate, Processors: processors, Home: home },
    Data: data,
    User: recent?.users,
    Preceding: dependencies?.preceding,
    ThinkTime: dependencies?.thinkTime,
    FirstPiece: dependencies?.firstPiece,
  };
}

/** Bytes of a table of these jobs. */
export function jobTableBytes(core: Core, workload: Columns): number {
  return arrangeJobs(core, 0, inputOf(workload));
}

/** The most bytes that a table of so many jobs can have. */
export function mostTableBytes(core: Core, count: number): number {
  const all = Object.values(core.Extra).reduce((sum, extra) => sum + extra, 0);
  return core.arrangeJobs(0, count, all);
}

/**
 * Puts the jobs of a workload into the memory of a core.
 * @param blocks where they are put: the first of them is the table.
 * @throws InputError for jobs that cannot be simulated.
 */
export function jobsIn(core: Core, workload: Workload, blocks: Blocks = Blocks.of(core)): CoreJobs {
  if (workload.count === 0) throw new InputError(`${workload.name}: there is no job to simulate`);
  try {
    return makeJobs(core, inputOf(workload), blocks);
  } catch (error) {
    throw inWords(core, workload, error);
  }
}

/** Jobs in submit order, as a core has them. */
export type JobColumns = Pick<Workload, 'count' | 'submit' | 'runtime' | 'estimate' | 'processors' | 'home'>;

/** The jobs of a table: views that last until the memory grows. */
export function readJobTable(core: Core, table: number, count: number): JobColumns {
  return {
    count,
    submit: jobColumn(core, table, count, 'Submit'),
    runtime: jobColumn(core, table, count, 'Runtime'),
    estimate: jobColumn(core, table, count, 'Estimate'),
    processors: jobColumn(core, table, count, 'Processors'),
    home: jobColumn(core, table, count, 'Home'),
  };
}

/**
 * Puts the jobs of a workload at the beginning of the memory of a core, in place of all that was there, and leaves the
 * rest to a simulation.
 * @throws InputError for jobs that cannot be simulated.
 */
export function placeJobs(core: Core, workload: Workload): JobTable {
  const { table } = jobsIn(core, workload, new Blocks(core, core.firstAddress()));
  const simulation = aligned(table + jobTableBytes(core, workload));
  return { core, jobs: table, simulation, room: LONGEST_MEMORY - simulation };
}

/** The jobs of a workload in memory: those of a table, or in an instance of their own. */
export function jobsAt(workload: Workload, place: CoreBuild | JobTable): CoreJobs {
  if (typeof place === 'string') return jobsIn(openCore(place), workload);
  const { core, jobs: table, simulation, room } = place;
  const blocks = new Blocks(core, simulation, simulation + room);
  return { core, count: workload.count, table, blocks, dispose: () => {} };
}
