/** Worker thread that simulates runs, on shared job tables or on jobs that it creates itself. */
import { workerData } from 'node:worker_threads';
import { callInThread, setAnswerTimeout } from '../code/codeCalls.js';
import { faultFromError, loadWatchedCode, type WatchedCode } from '../code/watch.js';
import { type Core, openCore, setCore } from '../core/module.js';
import { provideCodeCaller } from '../providedCode.js';
import { readJobTable } from '../simulate/layout.js';
import { Simulator } from '../simulate/simulator.js';
import type { Dependencies, Workload } from '../workload/workload.js';
import { type JobsRecipe, ReplicatedJobs } from './replications.js';
import { type RunGroupsResult, type RunGroupsTask, runTask, type SharedJobs } from './runList.js';
import type { SharedTables } from './sharedJobs.js';

/** Data passed once to every thread. */
export interface WorkerData {
  /** Core builds: `release` for policy declarations, `shared` for simulating on shared tables. */
  readonly cores: { readonly release: WebAssembly.Module; readonly shared?: WebAssembly.Module };
  /** User-written functions called by the runs. */
  readonly code: WatchedCode;
  readonly tables: SharedTables | undefined;
  readonly recipe: JobsRecipe | undefined;
}

const { cores, code, tables, recipe } = workerData as WorkerData;
provideCodeCaller(callInThread);
setAnswerTimeout(code.timeout);
setCore(cores.release);
if (cores.shared !== undefined) setCore(cores.shared, 'shared');

/** Placeholder for dependencies, which are in the job table. */
const DEPENDENCIES_IN_TABLE: Dependencies = {
  preceding: new Int32Array(0),
  thinkTime: new Float64Array(0),
  firstPiece: new Int32Array(0),
};

/** Simulates in this thread's block of the shared memory. */
class SharedSimulator {
  readonly #core: Core;
  readonly #simulation: number;
  readonly #room: number;
  #simulator: Simulator | undefined;
  #version = -1;

  constructor({ memory, blocks, room, taken }: SharedTables) {
    this.#core = openCore('shared', memory);
    this.#simulation = blocks[Atomics.add(new Int32Array(taken), 0, 1)]!;
    this.#room = room;
  }

  /** Simulator for jobs in shared memory. */
  of(jobs: SharedJobs): Simulator {
    if (this.#simulator === undefined || this.#version !== jobs.version) {
      const place = { core: this.#core, jobs: jobs.table, simulation: this.#simulation, room: this.#room };
      this.#simulator = new Simulator(this.#workload(jobs), place);
      this.#version = jobs.version;
    }
    return this.#simulator;
  }

  #workload({ table, name, jobs, job, log, names, ...facts }: SharedJobs): Workload {
    const { killed, patience, recent, unestimated, dependencies, classLimits } = facts;
    return {
      name,
      job: job ?? new Float64Array(jobs).fill(Number.NaN),
      ...readJobTable(this.#core, table, jobs),
      ...(killed === undefined ? {} : { killed }),
      ...(patience === undefined ? {} : { patience }),
      ...(log === undefined ? {} : { log }),
      ...(names === undefined ? {} : { names }),
      ...(recent && { recent: { ...recent, users: new Int32Array(0) } }),
      ...(unestimated && { unestimated }),
      ...(classLimits && { classLimits }),
      ...(dependencies && { dependencies: DEPENDENCIES_IN_TABLE }),
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

const sharedSimulator = tables && new SharedSimulator(tables);
let replicatedJobs: ReplicatedJobs | undefined;
let coreLoadingPromise: Promise<void> | undefined;

async function simulatorForJobs(jobs: RunGroupsTask['jobs']): Promise<Simulator> {
  coreLoadingPromise ??= loadWatchedCode(code);
  await coreLoadingPromise;
  if (typeof jobs !== 'number') return (sharedSimulator as SharedSimulator).of(jobs);
  replicatedJobs ??= new ReplicatedJobs(recipe as JobsRecipe);
  return replicatedJobs.simulator(jobs);
}

/** Executes a task's runs in order. */
export async function simulateTask(task: RunGroupsTask): Promise<RunGroupsResult> {
  return runTask(task, simulatorForJobs, (error) => faultFromError(error, code.files));
}
