/** The result table of a study as plain data: one row per setting, with its run, its labels, all parameters, all metrics. */
import type { Scalar } from '../results/csv.js';
import type { Study } from '../study/definition.js';
import { type Plan, planSites } from '../study/plan.js';
import type { ResultData, Results } from '../study/resultTable.js';
import type { RunParameters } from '../study/runTable.js';
import { jobMetricsIn, metricNames, metricOf, metricPosition, WORKLOAD_METRICS } from '../study/runValues.js';

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
  const runs = Uint32Array.from({ length: points.length }, (_, point) => points.run(point));
  const sites = runs.map((run) => plan.runs.parameter(run, 'sites').length);
  const metrics = metricColumns(study, plan);
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
    givenColumn(name, true, runOf.length, (point) => points.label(point, axis)),
  );
  const ofRun = (name: string, value: (run: number) => unknown) =>
    givenColumn(`run.${name}`, false, runOf.length, (point) => value(runOf[point]));
  const parameters = Object.keys(runs.parameters(0)) as (keyof RunParameters)[];
  // Hashes of code stand in the names of the copies.
  const inFull = kind === 'simulations' ? parameters.filter((name) => name !== 'code') : [];
  return [
    ...axes,
    ofRun('id', (run) => runs.id(run)),
    ofRun('workload', (run) => workloads[runs.workload(run)].name),
    ...inFull.map((name) => ofRun(name, (run) => runs.parameter(run, name))),
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
  const places = new Uint32Array(rows);
  for (let row = 0; row < rows; row++) {
    const own = value(row);
    const place = known.get(own) ?? known.size;
    known.set(own, place);
    places[row] = place;
  }
  return { name, isCount, distinct: [...known.keys()].map(plainValue), places };
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
function metricColumns({ kind }: Study, plan: Plan): MetricColumn[] {
  const most = planSites(plan);
  const names =
    kind === 'workloads' ? WORKLOAD_METRICS : [...metricNames(most), ...jobMetricsIn(plan.metrics)];
  return names.map((name) => {
    const positionOn = metricPosition(name, kind);
    const positions = Array.from({ length: most + 1 }, (_, count) => positionOn(count));
    const { unit, label, format } = (kind === 'workloads' ? undefined : metricOf(name)) ?? {};
    const isCount =
      kind === 'workloads' ? WHOLE_STATISTICS.includes(name) : format?.style === 'fixed' && !format.decimals;
    return { name, unit, label, isCount, positions };
  });
}
