/** Shared memory of the threads of a study: job tables, and one simulation block per thread. */
import { ADDRESS_ALIGNMENT, alignAddress, Blocks, MEMORY_PAGE_BYTES } from '../core/memory.js';
import { type Core, openCore } from '../core/module.js';
import { isTrialPolicy } from '../core/policies.js';
import { InputError } from '../errors.js';
import { firstElement } from '../lists.js';
import { canJobsSpanSites } from '../options/configuration.js';
import { NO_LIMITS_NOTATION } from '../options/limits.js';
import { usesLogAttributes } from '../options/order.js';
import { NO_PARTITION_SITES_NOTATION } from '../options/partitionSites.js';
import {
  computeMaxJobTableBytes,
  computeMaxSharedPolicyCount,
  computeSimulationBlockBytes,
  putJobsIntoCore,
} from '../simulate/layout.js';
import { makeConfigurationOfRun, type RunParameters, restoreParametersOfPlannedRun } from '../study/plan.js';
import type { RecentEstimates, Workload } from '../workload/workload.js';
import type { JoinedRuns } from './joinedRuns.js';
import { MAX_RUNS_PER_BATCH, type RunHistoriesByWorkload, type SharedJobsInMemory } from './runList.js';

const MAX_WASM_PAGES = 65_536;
/** Pages of a temporary memory used to compute sizes. */
const SIZE_PROBE_MEMORY_PAGES = 8;
/** Bytes per part of a split job, of which each site has at most one. */
const SPLIT_JOB_PART_BYTES = 8;
/** Number of job tables per thread, so that the next is ready in time. */
const JOB_TABLES_PER_THREAD = 2;

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
export interface SharedTableMemory {
  readonly memory: WebAssembly.Memory;
  /** Address of each thread's block. */
  readonly blocks: readonly number[];
  /** Size of a block in bytes. */
  readonly blockBytes: number;
  /** Shared counter of the threads that have taken a block. */
  readonly takenBlocks: SharedArrayBuffer;
}

/** Job tables in shared memory; a table is kept until all runs on it are finished. */
export class SharedJobTables {
  readonly sharedMemory: SharedTableMemory;
  readonly #core: Core;
  readonly #freeTables: number[];
  readonly #joined: JoinedRuns;
  readonly #histories: RunHistoriesByWorkload;
  #nextVersion = 0;
  #onTableFreed = () => {};

  /**
   * Allocates the memory.
   * @param histories all runs to be executed.
   */
  constructor(joinedRuns: JoinedRuns, histories: RunHistoriesByWorkload, threadCount: number) {
    this.#joined = joinedRuns;
    this.#histories = histories;
    const probeMemory = new WebAssembly.Memory({
      initial: SIZE_PROBE_MEMORY_PAGES,
      maximum: MAX_WASM_PAGES,
      shared: true,
    });
    const core = openCore('shared', probeMemory);
    const firstAddress = alignAddress(core.firstAddress());
    const { most: maxJobs, largest: largestBlockBytes } = computeMaxSimulationSizes(
      core,
      firstAddress,
      this.#simulations(),
    );
    const tableByteCount = alignAddress(computeMaxJobTableBytes(core, maxJobs)) + ADDRESS_ALIGNMENT;
    const blockByteCount = Math.max(MEMORY_PAGE_BYTES, alignAddress(largestBlockBytes));
    const tableCount = Math.min(histories.size, JOB_TABLES_PER_THREAD * threadCount + 1);
    const blocks = Array.from({ length: threadCount }, (_, i) => firstAddress + i * blockByteCount);
    this.#freeTables = Array.from(
      { length: tableCount },
      (_, i) => firstAddress + threadCount * blockByteCount + i * tableByteCount,
    );
    const pageCount = Math.ceil(
      (firstAddress + threadCount * blockByteCount + tableCount * tableByteCount) / MEMORY_PAGE_BYTES,
    );
    if (pageCount > MAX_WASM_PAGES) {
      throw new InputError(
        `${maxJobs} jobs do not fit into the core's 4 GiB with ${threadCount} threads; give fewer --threads`,
      );
    }
    const memory = new WebAssembly.Memory({ initial: pageCount, maximum: MAX_WASM_PAGES, shared: true });
    this.sharedMemory = { memory, blocks, blockBytes: blockByteCount, takenBlocks: new SharedArrayBuffer(4) };
    this.#core = openCore('shared', memory);
  }

  /** Writes the jobs of a workload into shared memory, waiting for free space. */
  async writeJobs(workload: number): Promise<SharedJobsInMemory> {
    let table = this.#freeTables.pop();
    for (; table === undefined; table = this.#freeTables.pop()) {
      await new Promise<void>((resolve) => {
        this.#onTableFreed = resolve;
      });
    }
    const workloadJobs = await this.#joined.jobsOf(workload);
    putJobsIntoCore(this.#core, workloadJobs, new Blocks(this.#core, table));
    const needsLogColumns = this.#histories.get(workload)!.some((runsWithSameHistory) => {
      const { runs, requests } = this.#joined;
      const firstRun = firstElement(runsWithSameHistory);
      return requests[firstRun]!.jobMetrics.length > 0 || needsLogColumnsOfJobs(runs[firstRun]!.common);
    });
    const { recent: recentEstimates, dependencies } = this.#factsOf(workload);
    return {
      ...pickFactsBesideTable(workloadJobs, needsLogColumns),
      ...(recentEstimates && { recent: recentEstimates }),
      ...(dependencies && { dependencies }),
      table,
      version: this.#nextVersion++,
    };
  }

  /** Frees the table of jobs that are no longer simulated. */
  release({ table }: SharedJobsInMemory): void {
    this.#freeTables.push(table);
    this.#onTableFreed();
  }

  /** Facts about a workload that are known before its jobs are created. */
  #factsOf(workload: number) {
    const {
      name: workloadName,
      jobs: jobCount,
      recent: recentEstimates,
      unestimated,
      accounting,
      partitions: partitionCount,
    } = this.#joined.workloads[workload]!;
    const { dependencies, cancelled } = accounting;
    const patience = cancelled === undefined ? undefined : {};
    return {
      name: workloadName,
      jobs: jobCount,
      recent: recentEstimates,
      unestimated,
      dependencies,
      patience,
      partitions: partitionCount,
    };
  }

  /** Yields the sizes of all histories, then those of their single runs. */
  *#simulations(): Generator<SimulationSize> {
    for (const [workload, histories] of this.#histories) {
      const simulationSizeFacts = this.#factsOf(workload);
      for (const runsWithSameHistory of histories) {
        const policyCount = Math.min(runsWithSameHistory.length, MAX_RUNS_PER_BATCH);
        let hasSharedSimulation = false;
        for (const runIndex of runsWithSameHistory) {
          const runParameters = restoreParametersOfPlannedRun(this.#joined.runs[runIndex]!);
          const isAlone = isTrialPolicy(runParameters.policy);
          if (isAlone || !hasSharedSimulation)
            yield { ...simulationSizeFacts, parameters: runParameters, policies: isAlone ? 0 : policyCount };
          hasSharedSimulation ||= !isAlone;
        }
      }
    }
  }
}

/** All of a workload that is not in its table; the fields of a log only if they are needed. */
function pickFactsBesideTable(workload: Workload, needsLogColumns: boolean) {
  const {
    submit: _s,
    runtime: _r,
    estimate: _e,
    processors: _p,
    home: _h,
    data: _d,
    ...otherFields
  } = workload;
  const {
    accounting: _a,
    recent: _n,
    dependencies: _t,
    job,
    log,
    names: namesByKind,
    ...facts
  } = otherFields;
  return needsLogColumns
    ? { ...facts, job, ...(log && { log }), ...(namesByKind && { names: namesByKind }) }
    : facts;
}

/** Largest number of jobs and largest block size of some simulations. */
function computeMaxSimulationSizes(
  core: Core,
  scratchAddress: number,
  simulations: Iterable<SimulationSize>,
) {
  const countedSizeKeys = new Set<string>();
  let [most, largest] = [1, 0];
  for (const { jobs: jobCount, parameters: runParameters, policies: policyCount, ...facts } of simulations) {
    const {
      recent: recentEstimates,
      unestimated,
      dependencies,
      patience,
      partitions: partitionCount,
    } = facts;
    const { speeds: _, load: __, policy, ...sizeParameters } = runParameters;
    // Policies do not affect the size, unless they try candidates.
    const trialPolicy = isTrialPolicy(policy) ? policy : undefined;
    const sizeKey = JSON.stringify([
      jobCount,
      recentEstimates,
      unestimated,
      dependencies !== undefined,
      patience !== undefined,
      partitionCount,
      policyCount,
      trialPolicy,
      sizeParameters,
    ]);
    if (countedSizeKeys.has(sizeKey)) continue;
    countedSizeKeys.add(sizeKey);
    const configuration = makeConfigurationOfRun(runParameters);
    const sharedPolicyCount = computeMaxSharedPolicyCount(configuration, policyCount);
    const partByteCount = canJobsSpanSites(configuration)
      ? SPLIT_JOB_PART_BYTES * jobCount * runParameters.sites.length
      : 0;
    const simulationSizeFacts = {
      count: jobCount,
      ...(recentEstimates && { recent: recentEstimates }),
      ...(unestimated && { unestimated }),
      ...(dependencies && { dependencies }),
      ...(patience && { patience }),
      ...(partitionCount !== undefined && { partitions: partitionCount }),
    };
    largest = Math.max(
      largest,
      computeSimulationBlockBytes(
        core,
        scratchAddress,
        simulationSizeFacts,
        configuration,
        sharedPolicyCount,
      ) + partByteCount,
    );
    most = Math.max(most, jobCount);
  }
  return { most, largest };
}

/** True if a run needs log fields of jobs: for host-computed order keys or user-written policies. */
function needsLogColumnsOfJobs({
  order,
  backfillOrder,
  code,
  limit,
  partitionSites,
}: RunParameters): boolean {
  if (limit !== NO_LIMITS_NOTATION || partitionSites !== NO_PARTITION_SITES_NOTATION) return true;
  return code !== undefined || usesLogAttributes(order) || usesLogAttributes(backfillOrder);
}
