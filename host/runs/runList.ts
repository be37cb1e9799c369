/**
 * Lists of planned runs, batching them by jobs and shared history, and executing a batch in a thread or page
 * worker.
 */
import type { Fault } from '../code/watch.js';
import { parsePolicy } from '../core/policies.js';
import { firstElement } from '../lists.js';
import { NO_OUTAGES_NOTATION } from '../options/outages.js';
import { runPolicies } from '../simulate/sharedHistories.js';
import { addSharingCounts, type Sharing, type Simulator, ZERO_SHARING } from '../simulate/simulator.js';
import { summarize } from '../simulate/summary.js';
import {
  assignHistoryNumbersToRuns,
  makeConfigurationOfRun,
  type PlannedRun,
  type RunParameters,
  restoreParametersOfPlannedRun,
} from '../study/plan.js';
import { readMetricValuesOfSummary, valuesOfFinishedRun } from '../study/runValues.js';
import type { RecentEstimates, Workload } from '../workload/workload.js';

/** Columns of jobs that a table of the core has. */
type JobTableColumn = 'submit' | 'runtime' | 'estimate' | 'processors' | 'home' | 'data';

/** Jobs in memory shared by all threads, with all facts that their table lacks. */
export interface SharedJobsInMemory
  extends Omit<Workload, JobTableColumn | 'job' | 'recent' | 'dependencies' | 'accounting'> {
  /** Address of the job table. */
  readonly table: number;
  /** Increases with every table written, so that a reused address is detected. */
  readonly version: number;
  /** Job numbers; like log fields and names, only if metrics or orders need them. */
  readonly job?: Workload['job'];
  /** Settings for estimates from a user's recent jobs, if the run computes them. */
  readonly recent?: RecentEstimates;
  /** Set if jobs have dependencies, which the table describes. */
  readonly dependencies?: object;
}

/** Task for a thread: runs on the same jobs. */
export interface RunGroupsTask {
  /** Jobs in shared memory, or the replication number from which the thread creates them. */
  readonly jobs: SharedJobsInMemory | number;
  readonly groups: readonly RunGroup[];
}

/** Runs that differ only in policy, simulated together until a decision differs. */
interface RunGroup {
  /** Run parameters, without policy. */
  readonly parameters: RunParameters;
  readonly policies: readonly string[];
  /** Names of requested per-job metrics. */
  readonly jobMetrics: readonly string[];
}

/** Values of a task's runs in order, up to a failed one. */
export interface RunGroupsResult {
  /** Values of all runs, concatenated. */
  readonly values: Float64Array;
  /** Number of values of each run. */
  readonly lengths: readonly number[];
  readonly sharing: Sharing;
  readonly fault?: Fault;
}

/** True if the kept values need every job's result, so that runs cannot be simulated together. */
function needsResultOfEveryJob(
  { parameters: { warmUp, coolDown, outages }, jobMetrics }: RunGroup,
  { killed, recent, dependencies, patience }: Workload,
): boolean {
  const hasIndividualJobState = [killed, recent, dependencies, patience].some((each) => each !== undefined);
  const mayOutagesEndJobs = outages !== NO_OUTAGES_NOTATION;
  return hasIndividualJobState || mayOutagesEndJobs || jobMetrics.length > 0 || warmUp > 0 || coolDown > 0;
}

/** Yields the values of each run of a group. */
function* computeValuesOfRunGroup(simulator: Simulator, runGroup: RunGroup): Generator<number[], Sharing> {
  const { parameters: runParameters, policies, jobMetrics } = runGroup;
  const policyCount = policies.length;
  if (policyCount > 1 && !needsResultOfEveryJob(runGroup, simulator.workload)) {
    const parsedPolicies = policies.map((policyText) => parsePolicy(policyText));
    const policyRuns = runPolicies(
      simulator,
      makeConfigurationOfRun(runParameters),
      parsedPolicies,
      (finishedSimulator) => readMetricValuesOfSummary(summarize(finishedSimulator)),
    );
    yield* policyRuns.values;
    return policyRuns.sharing;
  }
  for (const policyText of policies) {
    simulator.begin(makeConfigurationOfRun({ ...runParameters, policy: policyText }));
    simulator.run();
    yield valuesOfFinishedRun(simulator, jobMetrics);
  }
  return { runs: policyCount, forks: 0, joins: 0, jobs: policyCount * simulator.workload.count };
}

/**
 * Executes a task.
 * @param getSimulatorOfJobs returns a simulator for its jobs.
 * @param convertToFault converts an error, or throws it.
 */
export async function executeRunGroups(
  { jobs, groups }: RunGroupsTask,
  getSimulatorOfJobs: (jobsOrReplication: RunGroupsTask['jobs']) => Simulator | Promise<Simulator>,
  convertToFault: (error: unknown) => Fault,
): Promise<RunGroupsResult> {
  const valuesByRun: number[][] = [];
  let sharing = ZERO_SHARING;
  try {
    const simulator = await getSimulatorOfJobs(jobs);
    for (const runGroup of groups) {
      const runValues = computeValuesOfRunGroup(simulator, runGroup);
      let nextValues = runValues.next();
      for (; !nextValues.done; nextValues = runValues.next()) valuesByRun.push(nextValues.value);
      sharing = addSharingCounts(sharing, nextValues.value);
    }
    return { ...concatenateRunValues(valuesByRun), sharing };
  } catch (error) {
    return { ...concatenateRunValues(valuesByRun), sharing, fault: convertToFault(error) };
  }
}

/** Concatenates the values of runs, since nested lists are slow to pass between threads. */
function concatenateRunValues(
  valuesByRun: readonly (readonly number[])[],
): Pick<RunGroupsResult, 'values' | 'lengths'> {
  const lengths = valuesByRun.map(({ length }) => length);
  const concatenatedValues = new Float64Array(lengths.reduce((sum, length) => sum + length, 0));
  let offset = 0;
  for (const runValues of valuesByRun) {
    concatenatedValues.set(runValues, offset);
    offset += runValues.length;
  }
  return { values: concatenatedValues, lengths };
}

/** Splits concatenated values into those of each run. */
export function splitRunValues({
  values,
  lengths,
}: Pick<RunGroupsResult, 'values' | 'lengths'>): Float64Array[] {
  let end = 0;
  return lengths.map((length) => {
    end += length;
    return values.subarray(end - length, end);
  });
}

// Lists of runs

/** Runs to execute; a run is identified by its index. */
export interface RunList {
  readonly runs: readonly Pick<PlannedRun, 'workload' | 'policy' | 'common'>[];
  /** Names of per-job metrics to keep of each run; runs with equal names share one object. */
  readonly requests: readonly { readonly jobMetrics: readonly string[] }[];
}

/** Indices of runs that start as one simulation and differ only in policy. */
export type RunsSharingHistory = readonly number[];

/** Histories by workload index. */
export type RunHistoriesByWorkload = ReadonlyMap<number, readonly RunsSharingHistory[]>;

/**
 * Groups runs of a list by history.
 * @param areRunsShared false: each run is a history of its own.
 */
export function groupRunsByHistory(
  { runs, requests }: RunList,
  runIndexes: Iterable<number>,
  areRunsShared: boolean,
): RunHistoriesByWorkload {
  const historyNumberByRun = assignHistoryNumbersToRuns(runs);
  const historiesByWorkload = new Map<number, number[][]>();
  const runIndexesBySharingKey = new Map<string, number[]>();
  for (const runIndex of runIndexes) {
    const sharingKey = areRunsShared
      ? [historyNumberByRun[runIndex], ...requests[runIndex]!.jobMetrics].join()
      : `${runIndex}`;
    const history = runIndexesBySharingKey.get(sharingKey);
    if (history !== undefined) {
      history.push(runIndex);
      continue;
    }
    const newHistory = [runIndex];
    runIndexesBySharingKey.set(sharingKey, newHistory);
    const { workload } = runs[runIndex]!;
    const workloadHistories = historiesByWorkload.get(workload);
    if (workloadHistories === undefined) historiesByWorkload.set(workload, [newHistory]);
    else workloadHistories.push(newHistory);
  }
  return historiesByWorkload;
}

/** Cuts a history into consecutive parts of nearly equal size, none empty. */
export function splitRunHistory(runIndices: RunsSharingHistory, maxPartCount: number): RunsSharingHistory[] {
  const partCount = Math.min(maxPartCount, runIndices.length);
  return Array.from({ length: partCount }, (_, i) =>
    runIndices.slice(
      Math.floor((i * runIndices.length) / partCount),
      Math.floor(((i + 1) * runIndices.length) / partCount),
    ),
  );
}

/** Approximate number of jobs simulated per batch: a tenth of a second without sharing. */
const MAX_JOBS_PER_BATCH = 1_200_000;
/** Largest number of runs per batch, which limits memory use. */
export const MAX_RUNS_PER_BATCH = 256;
/**
 * Number of batches per thread into which a workload's remaining runs are divided, so that threads finish
 * together.
 */
const RUN_BATCHES_PER_THREAD = 3;

/**
 * Divides the histories of a workload into batches; cuts histories if there are fewer than threads.
 * @param left number of remaining histories, including later workloads.
 */
export function* divideHistoriesIntoBatches(
  workloadHistories: readonly RunsSharingHistory[],
  {
    jobs: jobCount,
    threads: threadCount,
    left,
  }: { readonly jobs: number; readonly threads: number; readonly left: number },
): Generator<readonly RunsSharingHistory[]> {
  let remainingRunCount = countRunsOfHistories(workloadHistories);
  let batch: RunsSharingHistory[] = [];
  for (const [i, history] of workloadHistories.entries()) {
    const partCount = Math.max(
      Math.ceil(threadCount / (left - i)),
      Math.ceil(history.length / MAX_RUNS_PER_BATCH),
    );
    for (const historyPart of splitRunHistory(history, partCount)) {
      const evenRunCountPerBatch = Math.ceil(remainingRunCount / (RUN_BATCHES_PER_THREAD * threadCount));
      const maxRunCountOfBatch = Math.min(
        evenRunCountPerBatch,
        MAX_RUNS_PER_BATCH,
        Math.ceil(MAX_JOBS_PER_BATCH / jobCount),
      );
      if (batch.length > 0 && countRunsOfHistories(batch) + historyPart.length > maxRunCountOfBatch) {
        yield batch;
        remainingRunCount -= countRunsOfHistories(batch);
        batch = [];
      }
      batch.push(historyPart);
    }
  }
  yield batch;
}

/** Number of runs in some histories. */
export function countRunsOfHistories(histories: readonly RunsSharingHistory[]): number {
  return histories.reduce((sum, { length }) => sum + length, 0);
}

/** Run group of a history, as passed to a thread. */
export function makeRunGroup({ runs, requests }: RunList, history: RunsSharingHistory): RunGroup {
  const firstRun = firstElement(history);
  const policies = history.map((runIndex) => runs[runIndex]!.policy);
  return {
    parameters: restoreParametersOfPlannedRun(runs[firstRun]!),
    policies,
    jobMetrics: requests[firstRun]!.jobMetrics,
  };
}

/**
 * Values of all runs of a list, computed in this thread.
 * @param simulatorOf returns a simulator for numbered jobs; invalidates the previous one.
 */
export function runListInThisThread(
  plannedRuns: RunList,
  simulatorOf: (workload: number) => Simulator,
  areRunsShared: boolean,
): number[][] {
  const valuesByRun: number[][] = [];
  for (const [workload, histories] of groupRunsByHistory(
    plannedRuns,
    plannedRuns.runs.keys(),
    areRunsShared,
  )) {
    const simulator = simulatorOf(workload);
    for (const history of histories) {
      const runIndexes = history.values();
      for (const runValues of computeValuesOfRunGroup(simulator, makeRunGroup(plannedRuns, history)))
        valuesByRun[runIndexes.next().value as number] = runValues;
    }
  }
  return valuesByRun;
}
