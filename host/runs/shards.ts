/** Divides the runs of a study into shards of similar cost for several processes or computers. */
import { InputError } from '../errors.js';
import { estimateRunCost } from '../simulate/cost.js';
import { assignHistoryNumbersToRuns, type Plan } from '../study/plan.js';
import type { Planned } from './planStudy.js';

/** Shard number `index` (from 1) of `count`. */
export interface Shard {
  /** Number of the part, from 1. */
  readonly index: number;
  /** Number of parts. */
  readonly count: number;
}

/** Formats a shard as `2/3`. */
export function formatShard({ index: shardIndex, count: shardCount }: Shard): string {
  return `${shardIndex}/${shardCount}`;
}

/** Parses a shard such as `2/3`. */
export function parseShard(shardText: string): Shard {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(shardText)?.map(Number) ?? [];
  if (index === undefined || count === undefined || index < 1 || index > count) {
    throw new InputError(`--shard: expected a part and their number, such as 2/3, found '${shardText}'`);
  }
  return { index, count };
}

/** Division of a study into shards (shards.json). */
export interface ShardPlan {
  /** Hash of the plan. */
  readonly plan: string;
  /** Version of gridalloc that made the division. */
  readonly version: string;
  /** SHA-256 of the core of that version. */
  readonly coreSha256: string;
  /** Number of runs of the study; runs in no shard were finished before the division. */
  readonly total: number;
  /** Number of runs of each shard. */
  readonly runs: readonly number[];
  /** Cost of each shard: the number of jobs that fcfs would simulate in the same time. */
  readonly costs: readonly number[];
}

/** Assignment of runs to shards. */
export interface ShardAssignment {
  /** Shard of each run, from 0; `NO_SHARD` if the run was already finished. */
  readonly shards: Uint32Array;
  /** Number of runs of each shard. */
  readonly runs: readonly number[];
  /** Cost of each shard: the number of jobs that fcfs would simulate in the same time. */
  readonly costs: readonly number[];
}

const NO_SHARD = 2 ** 32 - 1;
/** Minimum mean number of histories (groups of runs sharing a simulation) per shard at which none is divided. */
const MIN_WHOLE_HISTORIES_PER_SHARD = 4;

/**
 * Assigns runs to shards of similar cost, keeping histories and runs on the same jobs together. Histories
 * are cut only if they cost more than a quarter of a shard. Deterministic for a plan.
 * @param isDone returns true for a finished run.
 */
export function assignRunsToShards(
  { runs, workloads }: Pick<Plan, 'runs' | 'workloads'>,
  shardCount: number,
  isDone: (runIndex: number) => boolean = () => false,
): ShardAssignment {
  const histories = assignHistoryNumbersToRuns(runs);
  const historyCount = histories.reduce((largest, history) => Math.max(largest, history + 1), 0);
  const workloadOf = new Uint32Array(historyCount);
  const costByHistory = new Float64Array(historyCount);
  const costOfRun = Float64Array.from(histories, (history, runIndex) => {
    const { workload, common: commonParameters } = runs[runIndex]!;
    workloadOf[history] = workload;
    return isDone(runIndex) ? 0 : estimateRunCost(commonParameters, workloads[workload]!.jobs);
  });
  histories.forEach((history, runIndex) => {
    costByHistory[history]! += costOfRun[runIndex]!;
  });
  const costBeforeHistory = new Float64Array(historyCount);
  let totalCost = 0;
  for (const history of Uint32Array.from(costByHistory.keys()).sort(
    (a, b) => workloadOf[a]! - workloadOf[b]! || a - b,
  )) {
    costBeforeHistory[history] = totalCost;
    totalCost += costByHistory[history]!;
  }
  const assignedCostByHistory = new Float64Array(historyCount);
  const shardAssignment = {
    shards: new Uint32Array(runs.length),
    runs: makeZeroCounts(shardCount),
    costs: makeZeroCounts(shardCount),
  };
  histories.forEach((history, runIndex) => {
    shardAssignment.shards[runIndex] = NO_SHARD;
    if (costOfRun[runIndex] === 0) return;
    const isSmallHistory = costByHistory[history]! * shardCount * MIN_WHOLE_HISTORIES_PER_SHARD <= totalCost;
    const middleOfCostRange =
      costBeforeHistory[history]! +
      (isSmallHistory
        ? costByHistory[history]! / 2
        : assignedCostByHistory[history]! + costOfRun[runIndex]! / 2);
    const shard = Math.min(shardCount - 1, Math.floor((middleOfCostRange * shardCount) / totalCost));
    assignedCostByHistory[history]! += costOfRun[runIndex]!;
    shardAssignment.shards[runIndex] = shard;
    shardAssignment.runs[shard]!++;
    shardAssignment.costs[shard]! += costOfRun[runIndex]!;
  });
  return shardAssignment;
}

function makeZeroCounts(entryCount: number): number[] {
  return new Array<number>(entryCount).fill(0);
}

/** Indices of the runs of each shard. */
export function listRunIndicesByShard({ shards, runs }: ShardAssignment): Uint32Array[] {
  const runIndexLists = runs.map((count) => new Uint32Array(count));
  const lengths = new Uint32Array(runs.length);
  shards.forEach((shard, runIndex) => {
    if (shard !== NO_SHARD) runIndexLists[shard]![lengths[shard]!++] = runIndex;
  });
  return runIndexLists;
}

/** Plan of some runs, without settings. */
export function restrictPlanToRuns(plan: Plan, runIndices: Uint32Array): Plan {
  const newWorkloadIndexes = new Map<number, number>();
  const renumberedRuns = Array.from(runIndices, (runIndex) => {
    const { workload, ...otherFields } = plan.runs[runIndex]!;
    const newWorkloadIndex = newWorkloadIndexes.get(workload) ?? newWorkloadIndexes.size;
    newWorkloadIndexes.set(workload, newWorkloadIndex);
    return { ...otherFields, workload: newWorkloadIndex };
  });
  const keptWorkloadIndexes = [...newWorkloadIndexes.keys()];
  return {
    ...plan,
    workloads: keptWorkloadIndexes.map((workload) => plan.workloads[workload]!),
    // Plans of earlier versions have no sources.
    sources: plan.sources.length === 0 ? [] : keptWorkloadIndexes.map((workload) => plan.sources[workload]!),
    runs: renumberedRuns,
    points: [],
  };
}

/** Planned study restricted to one shard. */
export function restrictPlannedStudyToShard(plannedStudy: Planned, planOfShard: Plan): Planned {
  const { plan, jobsOf, code: codeFiles, statistics, remarks } = plannedStudy;
  const workloadByHash = new Map(plan.workloads.map(({ sha256 }, workload) => [sha256, workload]));
  const renumberWorkload = (workload: number) =>
    workloadByHash.get(planOfShard.workloads[workload]!.sha256) as number;
  return {
    plan: planOfShard,
    jobsOf: (workload) => jobsOf(renumberWorkload(workload)),
    code: codeFiles,
    statistics:
      statistics.length === 0
        ? []
        : planOfShard.workloads.map((_, workload) => statistics[renumberWorkload(workload)]!),
    remarks,
  };
}
