/**
 * The shards of a study: parts of its runs for processes on as many computers, about equally expensive. A study is cut once;
 * what each shard has to do is in a plan of its own.
 */
import { InputError } from '../errors.js';
import { costOf } from '../simulate/cost.js';
import { historiesOf, type Plan } from '../study/plan.js';
import type { Planned } from './planStudy.js';

/** A part of the runs: number `index` (from 1) of `count`. */
export interface Shard {
  /** Number of the part, from 1. */
  readonly index: number;
  /** Number of parts. */
  readonly count: number;
}

/** `2/3`. */
export function formatShard({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/** A shard from `2/3`. */
export function parseShard(text: string): Shard {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || count === undefined || index < 1 || index > count) {
    throw new InputError(`--shard: expected a part and their number, such as 2/3, found '${text}'`);
  }
  return { index, count };
}

/** Division of a study into shards (shards.json). */
export interface ShardPlan {
  /** Hash of the plan. */
  readonly plan: string;
  /** Version of gridalloc that cut it, and the hash of its core. */
  readonly version: string;
  readonly coreSha256: string;
  /** Number of runs that the study has; those that are in no shard were done before it was cut. */
  readonly total: number;
  /** Run of each shard and its cost, in jobs under fcfs. */
  readonly runs: readonly number[];
  readonly costs: readonly number[];
}

/** Runs dealt out to shards. */
export interface ShardAssignment {
  /** The shard of each run, from 0; `NO_SHARD` where it was done before. */
  readonly shards: Uint32Array;
  /** Number of runs of each shard, and their cost. */
  readonly runs: readonly number[];
  readonly costs: readonly number[];
}

const NO_SHARD = 2 ** 32 - 1;
/** Mean number of histories per shard from which no history is divided. */
const WHOLE_HISTORIES = 4;

/**
 * Deals runs out so that all shards cost about as much: histories one after the other, those on the same jobs together,
 * so that few shards make the same jobs. A history stays whole unless it costs more than a quarter of a shard; then it
 * is cut where shards meet. The result follows from the plan alone.
 * @param isDone whether a run is there already, and is in no shard.
 */
export function assignShards(
  { runs, workloads }: Pick<Plan, 'runs' | 'workloads'>,
  count: number,
  isDone: (run: number) => boolean = () => false,
): ShardAssignment {
  const histories = historiesOf(runs);
  const most = histories.reduce((largest, history) => Math.max(largest, history + 1), 0);
  const workloadOf = new Uint32Array(most);
  const costs = new Float64Array(most);
  const own = Float64Array.from(histories, (history, run) => {
    const { workload, common } = runs[run]!;
    workloadOf[history] = workload;
    return isDone(run) ? 0 : costOf(common, workloads[workload]!.jobs);
  });
  histories.forEach((history, run) => {
    costs[history]! += own[run]!;
  });
  const begins = new Float64Array(most);
  let total = 0;
  for (const history of Uint32Array.from(costs.keys()).sort(
    (a, b) => workloadOf[a]! - workloadOf[b]! || a - b,
  )) {
    begins[history] = total;
    total += costs[history]!;
  }
  const before = new Float64Array(most);
  const dealt = { shards: new Uint32Array(runs.length), runs: zeros(count), costs: zeros(count) };
  histories.forEach((history, run) => {
    dealt.shards[run] = NO_SHARD;
    if (own[run] === 0) return;
    const isWhole = costs[history]! * count * WHOLE_HISTORIES <= total;
    const middle = begins[history]! + (isWhole ? costs[history]! / 2 : before[history]! + own[run]! / 2);
    const shard = Math.min(count - 1, Math.floor((middle * count) / total));
    before[history]! += own[run]!;
    dealt.shards[run] = shard;
    dealt.runs[shard]!++;
    dealt.costs[shard]! += own[run]!;
  });
  return dealt;
}

function zeros(count: number): number[] {
  return new Array<number>(count).fill(0);
}

/** The runs of each shard. */
export function runsOfShards({ shards, runs }: ShardAssignment): Uint32Array[] {
  const lists = runs.map((count) => new Uint32Array(count));
  const lengths = new Uint32Array(runs.length);
  shards.forEach((shard, run) => {
    if (shard !== NO_SHARD) lists[shard]![lengths[shard]!++] = run;
  });
  return lists;
}

/** Some runs of a plan as a plan, without the settings that they come from. */
export function partOf(plan: Plan, runs: Uint32Array): Plan {
  const places = new Map<number, number>();
  const part = Array.from(runs, (run) => {
    const { workload, ...of } = plan.runs[run]!;
    const place = places.get(workload) ?? places.size;
    places.set(workload, place);
    return { ...of, workload: place };
  });
  const taken = [...places.keys()];
  return {
    ...plan,
    workloads: taken.map((workload) => plan.workloads[workload]!),
    // Plans of earlier versions have none.
    sources: plan.sources.length === 0 ? [] : taken.map((workload) => plan.sources[workload]!),
    runs: part,
    points: [],
  };
}

/** A shard of a study that has been planned in this process. */
export function plannedPart(planned: Planned, part: Plan): Planned {
  const { plan, jobsOf, code, statistics, remarks } = planned;
  const places = new Map(plan.workloads.map(({ sha256 }, workload) => [sha256, workload]));
  const place = (workload: number) => places.get(part.workloads[workload]!.sha256) as number;
  return {
    plan: part,
    jobsOf: (workload) => jobsOf(place(workload)),
    code,
    statistics:
      statistics.length === 0 ? [] : part.workloads.map((_, workload) => statistics[place(workload)]!),
    remarks,
  };
}
