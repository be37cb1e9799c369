/** A thread of a study: simulates runs over job tables that all threads share, each in a block of memory of its own. */
import { workerData } from 'node:worker_threads';
import { type Fault, faultOf } from '../code/fault.js';
import { loadWatched, type WatchedCode } from '../code/watch.js';
import { openCore, setCore } from '../core/module.js';
import { parsePolicy } from '../core/policies.js';
import { readJobTable } from '../simulate/jobTable.js';
import { runPolicies } from '../simulate/sharedHistories.js';
import type { Sharing } from '../simulate/sharing.js';
import { Simulator } from '../simulate/simulator.js';
import { summarize } from '../simulate/summary.js';
import { runConfiguration } from '../study/plan.js';
import type { RunParameters } from '../study/runTable.js';
import { metricValues, placedJobValues } from '../study/runValues.js';
import type { Dependencies, Workload } from '../workload/workload.js';
import { addSharing, NOTHING_SHARED } from './sharing.js';

/** What every thread is given once. */
export interface WorkerData {
  /** The builds of the core that the study runs on: that which declares the policies, and that which simulates. */
  readonly cores: { readonly release: WebAssembly.Module; readonly shared: WebAssembly.Module };
  readonly memory: WebAssembly.Memory;
  /** Address of each thread's block, and bytes of a block. */
  readonly blocks: readonly number[];
  readonly room: number;
  /** One number: how many threads have taken a block. */
  readonly taken: SharedArrayBuffer;
  /** Functions of the user's that runs ask. */
  readonly code: WatchedCode;
}

/** Numbers of jobs in the log, and what that says of them. */
export type LoggedJobs = Pick<Workload, 'job' | 'log'>;

/** Runs over one job table; what the log says of its jobs where metrics or orders take it. */
export interface Task extends Partial<LoggedJobs> {
  /** Address of the table. */
  readonly table: number;
  /** Grows with every table written, so that a table at an old address is seen to be new. */
  readonly version: number;
  readonly name: string;
  readonly jobs: number;
  readonly groups: readonly RunGroup[];
  /** Which jobs are killed, where any may be. */
  readonly killed: Workload['killed'];
  /** By how many jobs of the same user each is estimated, where a run finds its estimates itself. */
  readonly recent: { readonly n: number } | undefined;
  readonly unestimated: true | undefined;
  /** Something where jobs depend on others, as the table says. */
  readonly dependencies: object | undefined;
}

/** Runs that differ in nothing but their policies. */
export interface RunGroup {
  /** Those of one of them. */
  readonly parameters: RunParameters;
  readonly policies: readonly string[];
  /** Names of metrics of every job that are asked for. */
  readonly jobMetrics: readonly string[];
}

/** The values of runs, one run behind the other, or what was wrong with one, and what was shared. */
export interface TaskResult {
  readonly values: Float64Array;
  /** How many each run has. */
  readonly lengths: readonly number[];
  readonly sharing: Sharing;
  readonly fault?: Fault;
}

const { cores, memory, blocks, room, taken, code } = workerData as WorkerData;
setCore(cores.release);
setCore(cores.shared, 'shared');
const core = openCore('shared', memory);
const simulation = blocks[Atomics.add(new Int32Array(taken), 0, 1)];

let loading: Promise<void> | undefined;
let simulator: Simulator | undefined;
let version = -1;

/** Dependencies that the core alone looks at. */
const IN_TABLE: Dependencies = {
  preceding: new Int32Array(0),
  thinkTime: new Float64Array(0),
  firstPiece: new Int32Array(0),
};

/** Jobs that are in memory already; their numbers where the task has them. */
function jobsInMemory(task: Task): Workload {
  const { table, name, jobs, job, log, killed, recent, unestimated, dependencies } = task;
  return {
    name,
    job: job ?? new Float64Array(jobs).fill(Number.NaN),
    ...readJobTable(core, table, jobs),
    ...(killed === undefined ? {} : { killed }),
    ...(log === undefined ? {} : { log }),
    ...(recent && { recent: { ...recent, users: new Int32Array(0) } }),
    ...(unestimated && { unestimated }),
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

function simulatorFor(task: Task): Simulator {
  if (simulator === undefined || version !== task.version) {
    simulator = new Simulator(jobsInMemory(task), { core, jobs: task.table, simulation, room });
    version = task.version;
  }
  return simulator;
}

/** Whether what is kept of a run takes every job of it, so that it must be simulated by itself. */
function takesEveryJob(
  { parameters: { warmUp, coolDown }, jobMetrics }: RunGroup,
  { killed, recent, dependencies }: Task,
): boolean {
  const isOfAll = [killed, recent, dependencies].some((each) => each !== undefined);
  return isOfAll || jobMetrics.length > 0 || warmUp > 0 || coolDown > 0;
}

/** The values of each run of a group; runs that are simulated by themselves are handed on one by one. */
function* valuesOf(simulator: Simulator, group: RunGroup, task: Task): Generator<number[], Sharing> {
  const { parameters, policies, jobMetrics } = group;
  const count = policies.length;
  if (count > 1 && !takesEveryJob(group, task)) {
    const parsed = policies.map((policy) => parsePolicy(policy));
    const shared = runPolicies(simulator, runConfiguration(parameters), parsed, (each) =>
      metricValues(summarize(each)),
    );
    yield* shared.values;
    return shared.sharing;
  }
  for (const policy of policies) {
    simulator.begin(runConfiguration({ ...parameters, policy }));
    simulator.run();
    yield [...metricValues(summarize(simulator)), ...placedJobValues(simulator, jobMetrics, task.log)];
  }
  return { runs: count, forks: 0, joins: 0, jobs: count * task.jobs };
}

/** Values of runs as one block of memory: numbers in lists of lists would be handed over one by one. */
function inOneBlock(runs: readonly (readonly number[])[]): Pick<TaskResult, 'values' | 'lengths'> {
  const lengths = runs.map(({ length }) => length);
  const values = new Float64Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const run of runs) {
    values.set(run, at);
    at += run.length;
  }
  return { values, lengths };
}

/** Simulates the runs of a task, in order. */
export default async function simulateTask(task: Task): Promise<TaskResult> {
  const values: number[][] = [];
  let sharing = NOTHING_SHARED;
  try {
    loading ??= loadWatched(code);
    await loading;
    const simulator = simulatorFor(task);
    for (const group of task.groups) {
      const runs = valuesOf(simulator, group, task);
      let next = runs.next();
      for (; !next.done; next = runs.next()) values.push(next.value);
      sharing = addSharing(sharing, next.value);
    }
    return { ...inOneBlock(values), sharing };
  } catch (error) {
    return { ...inOneBlock(values), sharing, fault: faultOf(error, code.files) };
  }
}
