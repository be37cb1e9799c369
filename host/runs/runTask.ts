/** What a thread, this one or another, or the worker of a page does in one go: runs on the same jobs. */
import type { Fault } from '../code/fault.js';
import { parsePolicy } from '../core/policies.js';
import { runPolicies } from '../simulate/sharedHistories.js';
import { addSharing, NOTHING_SHARED, type Sharing, type Simulator } from '../simulate/simulator.js';
import { summarize } from '../simulate/summary.js';
import { type RunParameters, runConfiguration } from '../study/plan.js';
import { metricValues, runValues } from '../study/runValues.js';
import type { RecentEstimates, Workload } from '../workload/workload.js';

/** Jobs in memory that all threads share: what their table does not say of them. */
export interface SharedJobs {
  /** Address of the table. */
  readonly table: number;
  /** Grows with every table written, so that a table at an old address is seen to be new. */
  readonly version: number;
  readonly name: string;
  readonly jobs: number;
  /** Numbers of jobs in the log and what that says of them, where metrics or orders take it. */
  readonly job?: Workload['job'] | undefined;
  readonly log?: Workload['log'] | undefined;
  readonly names?: Workload['names'] | undefined;
  /** Which of them are short and narrow, where that is not as usual. */
  readonly classLimits: Workload['classLimits'];
  /** Which jobs are killed, where any may be. */
  readonly killed: Workload['killed'];
  /** By how many jobs of the same user each is estimated, where a run finds its estimates itself. */
  readonly recent: RecentEstimates | undefined;
  readonly unestimated: true | undefined;
  /** Something where jobs depend on others, as the table says. */
  readonly dependencies: object | undefined;
}

/** Runs on the same jobs. */
export interface RunTask {
  /** Jobs in shared memory, or the number of the replication whose jobs the thread makes itself. */
  readonly jobs: SharedJobs | number;
  readonly groups: readonly RunGroup[];
}

/** Runs that differ in nothing but their policies: simulated as one until a decision differs. */
export interface RunGroup {
  /** Those of one of them. */
  readonly parameters: RunParameters;
  readonly policies: readonly string[];
  /** Names of metrics of every job that are asked for. */
  readonly jobMetrics: readonly string[];
}

/** The values of the runs of a task in order, up to one that failed, if any did. */
export interface TaskResult {
  /** One run after the other. */
  readonly values: Float64Array;
  /** How many each run has. */
  readonly lengths: readonly number[];
  readonly sharing: Sharing;
  readonly fault?: Fault;
}

/** Whether what is kept of a run takes every job of it, so that it must be simulated by itself. */
function takesEveryJob(
  { parameters: { warmUp, coolDown }, jobMetrics }: RunGroup,
  { killed, recent, dependencies }: Workload,
): boolean {
  const isOfAll = [killed, recent, dependencies].some((each) => each !== undefined);
  return isOfAll || jobMetrics.length > 0 || warmUp > 0 || coolDown > 0;
}

/** The values of each run of a group; runs that are simulated by themselves are handed on one by one. */
export function* groupValues(simulator: Simulator, group: RunGroup): Generator<number[], Sharing> {
  const { parameters, policies, jobMetrics } = group;
  const count = policies.length;
  if (count > 1 && !takesEveryJob(group, simulator.workload)) {
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
    yield runValues(simulator, jobMetrics);
  }
  return { runs: count, forks: 0, joins: 0, jobs: count * simulator.workload.count };
}

/**
 * Does a task.
 * @param simulatorOf gives a simulator of its jobs.
 * @param toFault is given what goes wrong, and may throw it.
 */
export async function doTask(
  { jobs, groups }: RunTask,
  simulatorOf: (jobs: RunTask['jobs']) => Simulator | Promise<Simulator>,
  toFault: (error: unknown) => Fault,
): Promise<TaskResult> {
  const values: number[][] = [];
  let sharing = NOTHING_SHARED;
  try {
    const simulator = await simulatorOf(jobs);
    for (const group of groups) {
      const runs = groupValues(simulator, group);
      let next = runs.next();
      for (; !next.done; next = runs.next()) values.push(next.value);
      sharing = addSharing(sharing, next.value);
    }
    return { ...inOneBlock(values), sharing };
  } catch (error) {
    return { ...inOneBlock(values), sharing, fault: toFault(error) };
  }
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

/** The values of each run of a task, from the block. */
export function valuesOfRuns({ values, lengths }: Pick<TaskResult, 'values' | 'lengths'>): Float64Array[] {
  let end = 0;
  return lengths.map((length) => {
    end += length;
    return values.subarray(end - length, end);
  });
}
