/** A thread that simulates runs: over job tables that all threads share, or over jobs that it makes itself. */
import { workerData } from 'node:worker_threads';
import { callInThread, limitAnswers } from '../code/codeCalls.js';
import { faultOf, loadWatched, type WatchedCode } from '../code/watch.js';
import { type Core, openCore, setCore } from '../core/module.js';
import { provideCaller } from '../providedCode.js';
import { readJobTable } from '../simulate/layout.js';
import { Simulator } from '../simulate/simulator.js';
import type { Dependencies, Workload } from '../workload/workload.js';
import { type Recipe, ReplicatedJobs } from './replications.js';
import { type RunTask, runTask, type SharedJobs, type TaskResult } from './runList.js';
import type { SharedTables } from './sharedJobs.js';

/** Data passed to every thread once. */
export interface WorkerData {
  /** The builds of the core that runs take: that which declares policies, and that which simulates on shared tables. */
  readonly cores: { readonly release: WebAssembly.Module; readonly shared?: WebAssembly.Module };
  /** Functions of the user's that runs ask. */
  readonly code: WatchedCode;
  readonly tables: SharedTables | undefined;
  readonly recipe: Recipe | undefined;
}

const { cores, code, tables, recipe } = workerData as WorkerData;
provideCaller(callInThread);
limitAnswers(code.timeout);
setCore(cores.release);
if (cores.shared !== undefined) setCore(cores.shared, 'shared');

/** Dependencies that the core alone looks at. */
const IN_TABLE: Dependencies = {
  preceding: new Int32Array(0),
  thinkTime: new Float64Array(0),
  firstPiece: new Int32Array(0),
};

/** Simulates in this thread's block of the memory that all threads share. */
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

  /** A simulator of jobs that are in memory already. */
  of(jobs: SharedJobs): Simulator {
    if (this.#simulator === undefined || this.#version !== jobs.version) {
      const place = { core: this.#core, jobs: jobs.table, simulation: this.#simulation, room: this.#room };
      this.#simulator = new Simulator(this.#workload(jobs), place);
      this.#version = jobs.version;
    }
    return this.#simulator;
  }

  #workload({ table, name, jobs, job, log, names, ...facts }: SharedJobs): Workload {
    const { killed, recent, unestimated, dependencies, classLimits } = facts;
    return {
      name,
      job: job ?? new Float64Array(jobs).fill(Number.NaN),
      ...readJobTable(this.#core, table, jobs),
      ...(killed === undefined ? {} : { killed }),
      ...(log === undefined ? {} : { log }),
      ...(names === undefined ? {} : { names }),
      ...(recent && { recent: { ...recent, users: new Int32Array(0) } }),
      ...(unestimated && { unestimated }),
      ...(classLimits && { classLimits }),
      ...(dependencies && { dependencies: IN_TABLE }),
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

const shared = tables && new SharedSimulator(tables);
let own: ReplicatedJobs | undefined;
let loading: Promise<void> | undefined;

async function simulatorOf(jobs: RunTask['jobs']): Promise<Simulator> {
  loading ??= loadWatched(code);
  await loading;
  if (typeof jobs !== 'number') return (shared as SharedSimulator).of(jobs);
  own ??= new ReplicatedJobs(recipe as Recipe);
  return own.simulator(jobs);
}

/** Simulates the runs of a task, in order. */
export async function simulateTask(task: RunTask): Promise<TaskResult> {
  return runTask(task, simulatorOf, (error) => faultOf(error, code.files));
}
