/**
 * Runs to be done, independent of what asks for them and where their values go: dealt out by their jobs, and by what they
 * have in common, and done in one go by a thread, this one or another, or the worker of a page.
 */
import type { Fault } from '../code/watch.js';
import { parsePolicy } from '../core/policies.js';
import { firstOf } from '../lists.js';
import { runPolicies } from '../simulate/sharedHistories.js';
import { addSharing, NOTHING_SHARED, type Sharing, type Simulator } from '../simulate/simulator.js';
import { summarize } from '../simulate/summary.js';
import {
  historiesOf,
  type PlannedRun,
  parametersOf,
  type RunParameters,
  runConfiguration,
} from '../study/plan.js';
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
  /** Limits of short and narrow jobs, if not the default. */
  readonly classLimits: Workload['classLimits'];
  /** Killed jobs, if there can be any. */
  readonly killed: Workload['killed'];
  /** Number of a user's recent jobs by which each job is estimated, if the run itself finds estimates. */
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
interface RunGroup {
  /** Parameters of one of the runs. */
  readonly parameters: RunParameters;
  readonly policies: readonly string[];
  /** Names of metrics of every job requested. */
  readonly jobMetrics: readonly string[];
}

/** The values of the runs of a task in order, up to one that failed, if any did. */
export interface TaskResult {
  /** One run after the other. */
  readonly values: Float64Array;
  /** Number of values of each run. */
  readonly lengths: readonly number[];
  readonly sharing: Sharing;
  readonly fault?: Fault;
}

/** True if the values kept of a run need every job, so that it must be simulated separately. */
function takesEveryJob(
  { parameters: { warmUp, coolDown }, jobMetrics }: RunGroup,
  { killed, recent, dependencies }: Workload,
): boolean {
  const isOfAll = [killed, recent, dependencies].some((each) => each !== undefined);
  return isOfAll || jobMetrics.length > 0 || warmUp > 0 || coolDown > 0;
}

/** The values of each run of a group; runs that are simulated by themselves are handed on one by one. */
function* groupValues(simulator: Simulator, group: RunGroup): Generator<number[], Sharing> {
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
export async function runTask(
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

// Lists of runs

/** Runs, each a setting with a workload; a run is known by its place. */
export interface RunList {
  readonly runs: readonly Pick<PlannedRun, 'workload' | 'policy' | 'common'>[];
  /** Names of metrics of every job that are kept of each run; one object for all runs with the same names. */
  readonly requests: readonly { readonly jobMetrics: readonly string[] }[];
}

/** Runs that begin as one, in order: their places in a list. */
export type History = readonly number[];

/** Histories by their workloads. */
export type Histories = ReadonlyMap<number, readonly History[]>;

/**
 * The histories of some runs of a list.
 * @param areShared whether runs begin as one at all; otherwise each is a history of its own.
 */
export function groupRuns(
  { runs, requests }: RunList,
  places: Iterable<number>,
  areShared: boolean,
): Histories {
  const numbers = historiesOf(runs);
  const byWorkload = new Map<number, number[][]>();
  const known = new Map<string, number[]>();
  for (const place of places) {
    const key = areShared ? [numbers[place], ...requests[place]!.jobMetrics].join() : `${place}`;
    const history = known.get(key);
    if (history !== undefined) {
      history.push(place);
      continue;
    }
    const begun = [place];
    known.set(key, begun);
    const { workload } = runs[place]!;
    const histories = byWorkload.get(workload);
    if (histories === undefined) byWorkload.set(workload, [begun]);
    else histories.push(begun);
  }
  return byWorkload;
}

/** Cuts runs into this many parts, one after the other, as equal as can be; none is empty. */
export function cutRuns(runs: History, parts: number): History[] {
  const count = Math.min(parts, runs.length);
  return Array.from({ length: count }, (_, i) =>
    runs.slice(Math.floor((i * runs.length) / count), Math.floor(((i + 1) * runs.length) / count)),
  );
}

/** Jobs simulated in one batch, about, unless one history has more: a tenth of a second without sharing. */
const JOBS_PER_BATCH = 1_200_000;
/** Runs of a batch at most: batches, not the study, are in memory at once. */
export const RUNS_PER_BATCH = 256;
/** The runs left of a workload are dealt out in this many batches per thread, so that none is late at the end. */
const SHARES = 3;

/**
 * The histories of a workload in batches. Fewer histories than threads are cut, so that all threads are busy to the end.
 * @param left how many histories there are, with those of workloads to come.
 */
export function* batchesOf(
  histories: readonly History[],
  { jobs, threads, left }: { readonly jobs: number; readonly threads: number; readonly left: number },
): Generator<readonly History[]> {
  let runsLeft = lengthOf(histories);
  let batch: History[] = [];
  for (const [i, history] of histories.entries()) {
    const parts = Math.max(Math.ceil(threads / (left - i)), Math.ceil(history.length / RUNS_PER_BATCH));
    for (const part of cutRuns(history, parts)) {
      const share = Math.ceil(runsLeft / (SHARES * threads));
      const most = Math.min(share, RUNS_PER_BATCH, Math.ceil(JOBS_PER_BATCH / jobs));
      if (batch.length > 0 && lengthOf(batch) + part.length > most) {
        yield batch;
        runsLeft -= lengthOf(batch);
        batch = [];
      }
      batch.push(part);
    }
  }
  yield batch;
}

/** Number of runs that some histories have. */
export function lengthOf(histories: readonly History[]): number {
  return histories.reduce((sum, { length }) => sum + length, 0);
}

/** Group of runs that share a history, as passed to a thread. */
export function groupOf({ runs, requests }: RunList, history: History): RunGroup {
  const first = firstOf(history);
  const policies = history.map((run) => runs[run]!.policy);
  return { parameters: parametersOf(runs[first]!), policies, jobMetrics: requests[first]!.jobMetrics };
}

/**
 * The values of all runs of a list.
 * @param simulatorOf makes a simulator of the jobs with a number; it ends the simulator made before.
 */
export function valuesHere(
  list: RunList,
  simulatorOf: (workload: number) => Simulator,
  areShared: boolean,
): number[][] {
  const values: number[][] = [];
  for (const [workload, histories] of groupRuns(list, list.runs.keys(), areShared)) {
    const simulator = simulatorOf(workload);
    for (const history of histories) {
      const places = history.values();
      for (const each of groupValues(simulator, groupOf(list, history)))
        values[places.next().value as number] = each;
    }
  }
  return values;
}
