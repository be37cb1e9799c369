/** The memory that the threads of a study share: places for job tables, and a block for each thread. */

import { ALIGNMENT, aligned, Blocks, PAGE } from '../core/blocks.js';
import { type Core, openCore } from '../core/module.js';
import { isTrying } from '../core/policies.js';
import { InputError } from '../errors.js';
import { maySplit } from '../options/configuration.js';
import { jobsIn, mostTableBytes } from '../simulate/jobTable.js';
import { policiesTogether, simulationBytes } from '../simulate/layout.js';
import { type RunParameters, runConfiguration } from '../study/plan.js';
import type { RecentEstimates, Workload } from '../workload/workload.js';

const MOST_PAGES = 65_536;
/** Pages of a memory that only serves to compute sizes. */
const PROBE_PAGES = 8;
/** Bytes of one part of a split job, which has at most one on each site. */
const PART_BYTES = 8;
/** Job tables that stand side by side, so that the next is ready before the last is done with. */
const TABLES_PER_THREAD = 2;

/** Simulations that begin as one: how many jobs they have, all that decides one of them besides, and how many policies. */
export interface SizedSimulation {
  readonly jobs: number;
  /** As in their workload, without the users. */
  readonly recent: RecentEstimates | undefined;
  readonly unestimated: true | undefined;
  /** Something where jobs depend on others. */
  readonly dependencies: object | undefined;
  readonly parameters: RunParameters;
  readonly policies: number;
}

/** What threads are given of the memory that they share. */
export interface SharedTables {
  readonly memory: WebAssembly.Memory;
  /** Address of each thread's block, and bytes of a block. */
  readonly blocks: readonly number[];
  readonly room: number;
  /** One number: how many threads have taken a block. */
  readonly taken: SharedArrayBuffer;
}

/** Job tables in shared memory, each used until all its runs are done. */
export class JobTables {
  readonly shared: SharedTables;
  readonly #core: Core;
  readonly #free: number[];
  #versions = 0;

  /**
   * Lays the memory out.
   * @param simulations what is to be done; those that differ only in speeds, load and policy take as much room.
   * @param workloads how many workloads they have.
   */
  constructor(simulations: Iterable<SizedSimulation>, workloads: number, threads: number) {
    const probe = new WebAssembly.Memory({ initial: PROBE_PAGES, maximum: MOST_PAGES, shared: true });
    const core = openCore('shared', probe);
    const first = aligned(core.firstAddress());
    const { most, largest } = sizesOf(core, first, simulations);
    const table = aligned(mostTableBytes(core, most)) + ALIGNMENT;
    const room = Math.max(PAGE, aligned(largest));
    const tables = Math.min(workloads, TABLES_PER_THREAD * threads + 1);
    const blocks = Array.from({ length: threads }, (_, i) => first + i * room);
    this.#free = Array.from({ length: tables }, (_, i) => first + threads * room + i * table);
    const pages = Math.ceil((first + threads * room + tables * table) / PAGE);
    if (pages > MOST_PAGES) {
      throw new InputError(
        `${most} jobs do not fit into the core's 4 GiB with ${threads} threads; give fewer --threads`,
      );
    }
    const memory = new WebAssembly.Memory({ initial: pages, maximum: MOST_PAGES, shared: true });
    this.shared = { memory, blocks, room, taken: new SharedArrayBuffer(4) };
    this.#core = openCore('shared', memory);
  }

  /** Whether another table can be written. */
  get hasRoom(): boolean {
    return this.#free.length > 0;
  }

  /** Writes the jobs where there is room. */
  write(workload: Workload): { readonly table: number; readonly version: number } {
    const table = this.#free.pop();
    if (table === undefined) throw new Error('no room for another job table');
    jobsIn(this.#core, workload, new Blocks(this.#core, table));
    return { table, version: this.#versions++ };
  }

  /** Gives the place of a table back. */
  release(table: number): void {
    this.#free.push(table);
  }
}

/** The most jobs of a simulation, and the bytes of the largest. */
function sizesOf(core: Core, scratch: number, simulations: Iterable<SizedSimulation>) {
  const known = new Set<string>();
  let [most, largest] = [1, 0];
  for (const { jobs, recent, unestimated, dependencies, parameters, policies } of simulations) {
    const { speeds: _, load: __, policy, ...geometric } = parameters;
    // Of policies that is all one, but of those that keep what they try.
    const trials = isTrying(policy) ? policy : undefined;
    const key = JSON.stringify([
      jobs,
      recent,
      unestimated,
      dependencies !== undefined,
      policies,
      trials,
      geometric,
    ]);
    if (known.has(key)) continue;
    known.add(key);
    const configuration = runConfiguration(parameters);
    const together = policiesTogether(configuration, policies);
    const parts = maySplit(configuration) ? PART_BYTES * jobs * parameters.sites.length : 0;
    const found = { ...(recent && { recent }), ...(dependencies && { dependencies }) };
    const sized = { count: jobs, ...found, ...(unestimated && { unestimated }) };
    largest = Math.max(largest, simulationBytes(core, scratch, sized, configuration, together) + parts);
    most = Math.max(most, jobs);
  }
  return { most, largest };
}
