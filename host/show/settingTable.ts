/** The result table of a study as plain data: one row per setting, with its run, its labels, all parameters, all metrics. */
import type { Scalar } from '../results/csv.js';
import { type Plan, type PlannedRun, planSites, type RunParameters } from '../study/plan.js';
import type { ResultData, Results } from '../study/results.js';
import { jobMetricsIn, metricNames, metricOf, valuePlaces, WORKLOAD_METRICS } from '../study/runValues.js';
import type { Study } from '../study/study.js';

/** A column of what decides settings: its distinct values, and which of them stands in each row. */
export interface GivenColumn {
  readonly name: string;
  /** Whether it may count things. */
  readonly isCount: boolean;
  readonly distinct: readonly Scalar[];
  readonly places: Uint32Array;
}

/** A column of a metric. */
export interface MetricColumn {
  readonly name: string;
  readonly unit: string | undefined;
  readonly label: string | undefined;
  readonly isCount: boolean;
  /** Where it stands among the values of a run on so many sites; below 0 where there is none. */
  readonly positions: readonly number[];
}

/** The table: data that a thread can be given, the values without a copy. */
export interface SettingTable {
  /** Title of the study. */
  readonly title: string;
  /** The run of each row, and on how many sites that is. */
  readonly runs: Uint32Array;
  readonly sites: Uint32Array;
  readonly given: readonly GivenColumn[];
  readonly metrics: readonly MetricColumn[];
  readonly results: ResultData;
}

/** The result table of a study, its rows in the order of the plan. */
export function settingTable(study: Study, plan: Plan, results: Results): SettingTable {
  const { points } = plan;
  const runs = Uint32Array.from(points, ({ run }) => run);
  const sites = runs.map((run) => plan.runs[run].common.sites.length);
  const metrics = metricColumns(study, plan, new Set(sites));
  return {
    title: study.title,
    runs,
    sites,
    given: givenColumns(study, plan, runs),
    metrics,
    results: results.data,
  };
}

function givenColumns({ kind }: Study, plan: Plan, runOf: Uint32Array): GivenColumn[] {
  const { points, runs, workloads } = plan;
  const axes = plan.axes.map((name, axis) =>
    givenColumn(name, true, runOf.length, (point) => points[point].labels[axis]),
  );
  const ofRun = (name: string, value: (run: PlannedRun) => unknown) =>
    givenColumn(`run.${name}`, false, runOf.length, (point) => value(runs[runOf[point]]));
  const first = runs[0].common;
  const parameters = (Object.keys(first) as (keyof RunParameters)[]).filter(
    (name) => first[name] !== undefined,
  );
  // Hashes of code stand in the names of the copies.
  const inFull = kind === 'simulations' ? parameters.filter((name) => name !== 'code') : [];
  return [
    ...axes,
    ofRun('id', ({ id }) => id),
    ofRun('workload', ({ workload }) => workloads[workload].name),
    ...inFull.map((name) => ofRun(name, ({ policy, common }) => (name === 'policy' ? policy : common[name]))),
  ];
}

/** @param value equal lists and objects are the same. */
function givenColumn(
  name: string,
  isCount: boolean,
  rows: number,
  value: (row: number) => unknown,
): GivenColumn {
  const known = new Map<unknown, number>();
  const distinct: Scalar[] = [];
  const places = new Uint32Array(rows);
  for (let row = 0; row < rows; row++) {
    const own = value(row);
    const key = own !== null && typeof own === 'object' ? `\0${JSON.stringify(own)}` : own;
    const place = known.get(key) ?? known.size;
    if (place === known.size) distinct.push(plainValue(own));
    known.set(key, place);
    places[row] = place;
  }
  return { name, isCount, distinct, places };
}

/** Lists are separated by blanks; anything with parts is JSON. */
function plainValue(value: unknown): Scalar {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  return Array.isArray(value) ? value.join(' ') : JSON.stringify(value);
}

/** Statistics of workloads that are whole numbers. */
const WHOLE_STATISTICS: readonly string[] = ['jobs', 'widestJob'];

/** Runs on fewer sites have empty cells for the metrics of the sites that they lack. */
function metricColumns({ kind }: Study, plan: Plan, siteCounts: ReadonlySet<number>): MetricColumn[] {
  const most = planSites(plan);
  const names =
    kind === 'workloads' ? WORKLOAD_METRICS : [...metricNames(most), ...jobMetricsIn(plan.metrics)];
  return names.map((name) => {
    const positions = Array.from({ length: most + 1 }, (_, count) =>
      siteCounts.has(count) ? (valuePlaces(kind, count).get(name) ?? -1) : -1,
    );
    const { unit, label, format } = (kind === 'workloads' ? undefined : metricOf(name)) ?? {};
    const isCount =
      kind === 'workloads' ? WHOLE_STATISTICS.includes(name) : format?.style === 'fixed' && !format.decimals;
    return { name, unit, label, isCount, positions };
  });
}
