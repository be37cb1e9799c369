/** Shared memory of the threads of a study: job tables, and one simulation block per thread. */
import { ALIGNMENT, alignAddress, Blocks, PAGE_BYTES } from '../core/memory.js';
import { type Core, openCore } from '../core/module.js';
import { isTrialPolicy } from '../core/policies.js';
import { InputError } from '../errors.js';
import { firstElement } from '../lists.js';
import { canSplitJobs } from '../options/configuration.js';
import { NO_LIMITS } from '../options/limits.js';
import { takesLog } from '../options/order.js';
import { NO_PARTITION_SITES } from '../options/partitionSites.js';
import { coreJobsIn, maxTableBytes, policiesPerHistory, simulationBytes } from '../simulate/layout.js';
import { parametersOf, type RunParameters, runConfiguration } from '../study/plan.js';
import type { RecentEstimates } from '../workload/workload.js';
import type { JoinedRuns } from './joinedRuns.js';
import { MAX_RUNS_PER_BATCH, type RunHistories, type SharedJobs } from './runList.js';

const MAX_WASM_PAGES = 65_536;
/** Pages of a temporary memory used to compute sizes. */
const PROBE_MEMORY_PAGES = 8;
/** Bytes per part of a split job, of which each site has at most one. */
const LOGGED_PART_BYTES = 8;
/** Number of job tables per thread, so that the next is ready in time. */
const TABLES_PER_THREAD = 2;

/**
 * Size of simulations that start as one: number of jobs and policies, and other options that determine
 * memory.
 */
interface SimulationSize {
  readonly jobs: number;
  /** Settings for estimates from recent jobs, without the users. */
  readonly recent: RecentEstimates | undefined;
  readonly unestimated: true | undefined;
  /** Set if jobs have dependencies. */
  readonly dependencies: object | undefined;
  /** Set if jobs are cancelled. */
  readonly patience: object | undefined;
  /** Number of partitions; absent: none is known. */
  readonly partitions: number | undefined;
  readonly parameters: RunParameters;
  readonly policies: number;
}

/** Shared memory as passed to threads. */
export interface SharedTables {
  readonly memory: WebAssembly.Memory;
  /** Address of each thread's block; `room` is its size in bytes. */
  readonly blocks: readonly number[];
  readonly room: number;
  /** Shared counter of the threads that have taken a block. */
  readonly taken: SharedArrayBuffer;
}

/** Job tables in shared memory; a table is kept until all runs on it are finished. */
export class SharedJobTables {
  readonly shared: SharedTables;
  readonly #core: Core;
  readonly #free: number[];
  readonly #joined: JoinedRuns;
  readonly #histories: RunHistories;
  #versions = 0;
  #onRoom = () => {};

  /**
   * Allocates the memory.
   * @param histories all runs to be executed.
   */
  constructor(joined: JoinedRuns, histories: RunHistories, threads: number) {
    this.#joined = joined;
    this.#histories = histories;
    const probeMemory = new WebAssembly.Memory({
      initial: PROBE_MEMORY_PAGES,
      maximum: MAX_WASM_PAGES,
      shared: true,
    });
    const core = openCore('shared', probeMemory);
    const first = alignAddress(core.firstAddress());
    const { most, largest } = simulationSizes(core, first, this.#simulations());
    const table = alignAddress(maxTableBytes(core, most)) + ALIGNMENT;
    const room = Math.max(PAGE_BYTES, alignAddress(largest));
    const tables = Math.min(histories.size, TABLES_PER_THREAD * threads + 1);
    const blocks = Array.from({ length: threads }, (_, i) => first + i * room);
    this.#free = Array.from({ length: tables }, (_, i) => first + threads * room + i * table);
    const pages = Math.ceil((first + threads * room + tables * table) / PAGE_BYTES);
    if (pages > MAX_WASM_PAGES) {
      throw new InputError(
        `${most} jobs do not fit into the core's 4 GiB with ${threads} threads; give fewer --threads`,
      );
    }
    const memory = new WebAssembly.Memory({ initial: pages, maximum: MAX_WASM_PAGES, shared: true });
    this.shared = { memory, blocks, room, taken: new SharedArrayBuffer(4) };
    this.#core = openCore('shared', memory);
  }

  /** Writes the jobs of a workload into shared memory, waiting for free space. */
  async at(workload: number): Promise<SharedJobs> {
    let table = this.#free.pop();
    for (; table === undefined; table = this.#free.pop()) {
      await new Promise<void>((resolve) => {
        this.#onRoom = resolve;
      });
    }
    const made = await this.#joined.jobsOf(workload);
    coreJobsIn(this.#core, made, new Blocks(this.#core, table));
    const needsLogColumns = this.#histories.get(workload)!.some((history) => {
      const { runs, requests } = this.#joined;
      const first = firstElement(history);
      return requests[first]!.jobMetrics.length > 0 || readsLogColumns(runs[first]!.common);
    });
    const { job, log, names } = made;
    const loggedColumnsEntry: Pick<SharedJobs, 'job' | 'log' | 'names'> = needsLogColumns
      ? { job, log, names }
      : {};
    return {
      ...this.#factsOf(workload),
      ...loggedColumnsEntry,
      killed: made.killed,
      patience: made.patience,
      classLimits: made.classLimits,
      table,
      version: this.#versions++,
    };
  }

  /** Frees the table of jobs that are no longer simulated. */
  release({ table }: SharedJobs): void {
    this.#free.push(table);
    this.#onRoom();
  }

  /** Facts about a workload that are known before its jobs are created. */
  #factsOf(workload: number) {
    const { name, jobs, recent, unestimated, accounting, partitions } = this.#joined.workloads[workload]!;
    const { dependencies, cancelled } = accounting;
    const patience = cancelled === undefined ? undefined : {};
    return { name, jobs, recent, unestimated, dependencies, patience, partitions };
  }

  /** Yields the sizes of all histories, then those of their single runs. */
  *#simulations(): Generator<SimulationSize> {
    for (const [workload, histories] of this.#histories) {
      const simulationSizeFacts = this.#factsOf(workload);
      for (const history of histories) {
        const policies = Math.min(history.length, MAX_RUNS_PER_BATCH);
        let hasSimulation = false;
        for (const run of history) {
          const parameters = parametersOf(this.#joined.runs[run]!);
          const isAlone = isTrialPolicy(parameters.policy);
          if (isAlone || !hasSimulation)
            yield { ...simulationSizeFacts, parameters, policies: isAlone ? 0 : policies };
          hasSimulation ||= !isAlone;
        }
      }
    }
  }
}

/** Largest number of jobs and largest block size of some simulations. */
function simulationSizes(core: Core, scratchAddress: number, simulations: Iterable<SimulationSize>) {
  const known = new Set<string>();
  let [most, largest] = [1, 0];
  for (const { jobs, parameters, policies, ...facts } of simulations) {
    const { recent, unestimated, dependencies, patience, partitions } = facts;
    const { speeds: _, load: __, policy, ...geometric } = parameters;
    // Policies do not affect the size, unless they try candidates.
    const trials = isTrialPolicy(policy) ? policy : undefined;
    const key = JSON.stringify([
      jobs,
      recent,
      unestimated,
      dependencies !== undefined,
      patience !== undefined,
      partitions,
      policies,
      trials,
      geometric,
    ]);
    if (known.has(key)) continue;
    known.add(key);
    const configuration = runConfiguration(parameters);
    const together = policiesPerHistory(configuration, policies);
    const parts = canSplitJobs(configuration) ? LOGGED_PART_BYTES * jobs * parameters.sites.length : 0;
    const simulationSizeFacts = {
      count: jobs,
      ...(recent && { recent }),
      ...(unestimated && { unestimated }),
      ...(dependencies && { dependencies }),
      ...(patience && { patience }),
      ...(partitions !== undefined && { partitions }),
    };
    largest = Math.max(
      largest,
      simulationBytes(core, scratchAddress, simulationSizeFacts, configuration, together) + parts,
    );
    most = Math.max(most, jobs);
  }
  return { most, largest };
}

/** True if a run needs log fields of jobs: for host-computed order keys or user-written policies. */
function readsLogColumns({ order, backfillOrder, code, limit, partitionSites }: RunParameters): boolean {
  if (limit !== NO_LIMITS || partitionSites !== NO_PARTITION_SITES) return true;
  return code !== undefined || takesLog(order) || takesLog(backfillOrder);
}
