/** The memory that the threads of a study share: places for job tables, and a block for each thread. */
import { ALIGNMENT, aligned, Blocks, PAGE } from '../core/memory.js';
import { type Core, openCore } from '../core/module.js';
import { isTrying } from '../core/policies.js';
import { InputError } from '../errors.js';
import { firstOf } from '../lists.js';
import { canSplit } from '../options/configuration.js';
import { hasGivenKeys } from '../options/order.js';
import { jobsIn, mostTableBytes, policiesTogether, simulationBytes } from '../simulate/layout.js';
import { parametersOf, type RunParameters, runConfiguration } from '../study/plan.js';
import type { RecentEstimates } from '../workload/workload.js';
import type { JoinedRuns } from './joinedRuns.js';
import { type Histories, RUNS_PER_BATCH, type SharedJobs } from './runList.js';

const MAX_PAGES = 65_536;
/** Pages of a memory that only serves to compute sizes. */
const PROBE_PAGES = 8;
/** Bytes of one part of a split job, which has at most one on each site. */
const PART_BYTES = 8;
/** Job tables that are side by side, so that the next is ready before the last is done with. */
const TABLES_PER_THREAD = 2;

/** Simulations that begin as one: how many jobs they have, what else decides one of them, and how many policies. */
interface SimulationSize {
  readonly jobs: number;
  /** Estimates from recent jobs as in the workload, without the users. */
  readonly recent: RecentEstimates | undefined;
  readonly unestimated: true | undefined;
  /** Something where jobs depend on others. */
  readonly dependencies: object | undefined;
  readonly parameters: RunParameters;
  readonly policies: number;
}

/** Shared memory passed to threads. */
export interface SharedTables {
  readonly memory: WebAssembly.Memory;
  /** Address of each thread's block, and bytes of a block. */
  readonly blocks: readonly number[];
  readonly room: number;
  /** One number: how many threads have taken a block. */
  readonly taken: SharedArrayBuffer;
}

/** The jobs of workloads as tables in memory that threads share, each as long as any of its runs is not done. */
export class TabledJobs {
  readonly shared: SharedTables;
  readonly #core: Core;
  readonly #free: number[];
  readonly #joined: JoinedRuns;
  readonly #histories: Histories;
  #versions = 0;
  #onRoom = () => {};

  /**
   * Lays the memory out.
   * @param histories what is to be done.
   */
  constructor(joined: JoinedRuns, histories: Histories, threads: number) {
    this.#joined = joined;
    this.#histories = histories;
    const probe = new WebAssembly.Memory({ initial: PROBE_PAGES, maximum: MAX_PAGES, shared: true });
    const core = openCore('shared', probe);
    const first = aligned(core.firstAddress());
    const { most, largest } = sizesOf(core, first, this.#simulations());
    const table = aligned(mostTableBytes(core, most)) + ALIGNMENT;
    const room = Math.max(PAGE, aligned(largest));
    const tables = Math.min(histories.size, TABLES_PER_THREAD * threads + 1);
    const blocks = Array.from({ length: threads }, (_, i) => first + i * room);
    this.#free = Array.from({ length: tables }, (_, i) => first + threads * room + i * table);
    const pages = Math.ceil((first + threads * room + tables * table) / PAGE);
    if (pages > MAX_PAGES) {
      throw new InputError(
        `${most} jobs do not fit into the core's 4 GiB with ${threads} threads; give fewer --threads`,
      );
    }
    const memory = new WebAssembly.Memory({ initial: pages, maximum: MAX_PAGES, shared: true });
    this.shared = { memory, blocks, room, taken: new SharedArrayBuffer(4) };
    this.#core = openCore('shared', memory);
  }

  /** Writes the jobs of a workload into memory when there is room. */
  async at(workload: number): Promise<SharedJobs> {
    let table = this.#free.pop();
    for (; table === undefined; table = this.#free.pop()) {
      await new Promise<void>((resolve) => {
        this.#onRoom = resolve;
      });
    }
    const made = await this.#joined.jobsOf(workload);
    jobsIn(this.#core, made, new Blocks(this.#core, table));
    const needsLog = this.#histories.get(workload)!.some((history) => {
      const { runs, requests } = this.#joined;
      const first = firstOf(history);
      return requests[first]!.jobMetrics.length > 0 || takesLog(runs[first]!.common);
    });
    const { job, log, names } = made;
    const logged: Pick<SharedJobs, 'job' | 'log' | 'names'> = needsLog ? { job, log, names } : {};
    return {
      ...this.#factsOf(workload),
      ...logged,
      killed: made.killed,
      classLimits: made.classLimits,
      table,
      version: this.#versions++,
    };
  }

  /** Marks jobs as no longer simulated. */
  release({ table }: SharedJobs): void {
    this.#free.push(table);
    this.#onRoom();
  }

  /** Facts about the jobs of a workload that are known before the jobs are made. */
  #factsOf(workload: number) {
    const { name, jobs, recent, unestimated, accounting } = this.#joined.workloads[workload]!;
    return { name, jobs, recent, unestimated, dependencies: accounting.dependencies };
  }

  /**
   * Yields the number of jobs of each history with the parameters of one of its runs, then each single run.
   */
  *#simulations(): Generator<SimulationSize> {
    for (const [workload, histories] of this.#histories) {
      const sized = this.#factsOf(workload);
      for (const history of histories) {
        const policies = Math.min(history.length, RUNS_PER_BATCH);
        let hasOne = false;
        for (const run of history) {
          const parameters = parametersOf(this.#joined.runs[run]!);
          const isAlone = isTrying(parameters.policy);
          if (isAlone || !hasOne) yield { ...sized, parameters, policies: isAlone ? 0 : policies };
          hasOne ||= !isAlone;
        }
      }
    }
  }
}

/** The most jobs of a simulation, and the bytes of the largest. */
function sizesOf(core: Core, scratch: number, simulations: Iterable<SimulationSize>) {
  const known = new Set<string>();
  let [most, largest] = [1, 0];
  for (const { jobs, recent, unestimated, dependencies, parameters, policies } of simulations) {
    const { speeds: _, load: __, policy, ...geometric } = parameters;
    // Policies make no difference, except those that keep what they try.
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
    const parts = canSplit(configuration) ? PART_BYTES * jobs * parameters.sites.length : 0;
    const found = { ...(recent && { recent }), ...(dependencies && { dependencies }) };
    const sized = { count: jobs, ...found, ...(unestimated && { unestimated }) };
    largest = Math.max(largest, simulationBytes(core, scratch, sized, configuration, together) + parts);
    most = Math.max(most, jobs);
  }
  return { most, largest };
}

/** True if a run takes what the log says of jobs: an order whose keys the host computes, or a policy from a file. */
function takesLog({ order, backfillOrder, code }: RunParameters): boolean {
  return code !== undefined || hasGivenKeys(order) || hasGivenKeys(backfillOrder);
}
