/** Worker thread that simulates runs, on shared job tables or on jobs that it creates itself. */
import { workerData } from 'node:worker_threads';
import { callUserFunctionInThread, setAnswerTimeout } from '../code/codeCalls.js';
import { loadWatchedCode, makeFaultFromError, type WatchedCode } from '../code/watch.js';
import { type Core, openCore, setCore } from '../core/module.js';
import { setUserFunctionCaller } from '../providedCode.js';
import { readJobTable } from '../simulate/layout.js';
import { Simulator } from '../simulate/simulator.js';
import type { Dependencies, Workload } from '../workload/workload.js';
import { ReplicatedJobsMaker, type ReplicatedJobsRecipe } from './replications.js';
import {
  executeRunGroups,
  type RunGroupsResult,
  type RunGroupsTask,
  type SharedJobsInMemory,
} from './runList.js';
import type { SharedTableMemory } from './sharedJobs.js';

/** Data passed once to every thread. */
export interface RunsWorkerData {
  /** Core builds: `release` for policy declarations, `shared` for simulating on shared tables. */
  readonly cores: { readonly release: WebAssembly.Module; readonly shared?: WebAssembly.Module };
  /** User-written functions called by the runs. */
  readonly code: WatchedCode;
  readonly tables: SharedTableMemory | undefined;
  readonly recipe: ReplicatedJobsRecipe | undefined;
}

const { cores, code: watchedCode, tables, recipe } = workerData as RunsWorkerData;
setUserFunctionCaller(callUserFunctionInThread);
setAnswerTimeout(watchedCode.timeout);
setCore(cores.release);
if (cores.shared !== undefined) setCore(cores.shared, 'shared');

/** Placeholder for dependencies, which are in the job table. */
const PLACEHOLDER_DEPENDENCIES: Dependencies = {
  preceding: new Int32Array(0),
  thinkTime: new Float64Array(0),
  firstPiece: new Int32Array(0),
};

/** Simulates in this thread's block of the shared memory. */
class SharedMemorySimulator {
  readonly #core: Core;
  readonly #simulation: number;
  readonly #room: number;
  #simulator: Simulator | undefined;
  #version = -1;

  constructor({ memory, blocks, blockBytes, takenBlocks }: SharedTableMemory) {
    this.#core = openCore('shared', memory);
    this.#simulation = blocks[Atomics.add(new Int32Array(takenBlocks), 0, 1)]!;
    this.#room = blockBytes;
  }

  /** Simulator for jobs in shared memory. */
  makeSimulatorOfSharedJobs(sharedJobs: SharedJobsInMemory): Simulator {
    if (this.#simulator === undefined || this.#version !== sharedJobs.version) {
      const tableLocation = {
        core: this.#core,
        jobs: sharedJobs.table,
        simulation: this.#simulation,
        room: this.#room,
      };
      this.#simulator = new Simulator(this.#workload(sharedJobs), tableLocation);
      this.#version = sharedJobs.version;
    }
    return this.#simulator;
  }

  #workload(sharedJobs: SharedJobsInMemory): Workload {
    const { table, version: _, job, recent: recentEstimates, dependencies, ...facts } = sharedJobs;
    return {
      ...facts,
      job: job ?? new Float64Array(facts.count).fill(Number.NaN),
      ...readJobTable(this.#core, table, facts.count),
      ...(recentEstimates && { recent: { ...recentEstimates, users: new Int32Array(0) } }),
      ...(dependencies && { dependencies: PLACEHOLDER_DEPENDENCIES }),
      accounting: {
        read: 0,
        kept: 0,
        dropped: [],
        oversizeJobs: [],
        withoutEstimate: 0,
        split: { jobs: 0, pieces: 0 },
      },
    };
  }
}

const sharedSimulator = tables && new SharedMemorySimulator(tables);
let replicatedJobsMaker: ReplicatedJobsMaker | undefined;
let codeLoadingPromise: Promise<void> | undefined;

async function getSimulatorForJobs(jobsOrReplication: RunGroupsTask['jobs']): Promise<Simulator> {
  codeLoadingPromise ??= loadWatchedCode(watchedCode);
  await codeLoadingPromise;
  if (typeof jobsOrReplication !== 'number')
    return (sharedSimulator as SharedMemorySimulator).makeSimulatorOfSharedJobs(jobsOrReplication);
  replicatedJobsMaker ??= new ReplicatedJobsMaker(recipe as ReplicatedJobsRecipe);
  return replicatedJobsMaker.simulator(jobsOrReplication);
}

/** Executes a task's runs in order. */
export async function simulateTask(task: RunGroupsTask): Promise<RunGroupsResult> {
  return executeRunGroups(task, getSimulatorForJobs, (error) => makeFaultFromError(error, watchedCode.files));
}
