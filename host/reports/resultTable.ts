/**
 * Results as tables of plain data: of a study one row per setting, with its run, its labels, all parameters and all
 * metrics; of comparisons, replications and sweeps typed arrays.
 */
import { join } from 'node:path';
import { csvValue, type Scalar } from '../format/csv.js';
import { checkGiven } from '../given.js';
import { firstOf } from '../lists.js';
import { packageVersion } from '../results/documents.js';
import { type ResultColumn, rowGroups, writeParquet } from '../results/parquet.js';
import type { Comparison, Replicates, Sweep } from '../runs/compare.js';
import { studyFile, writeStudyFolder } from '../runs/runsFolder.js';
import { type Plan, type PlannedRun, planSites, type RunParameters } from '../study/plan.js';
import { type ResultData, type Results, valueAt } from '../study/results.js';
import {
  classMetricsIn,
  jobMetricsIn,
  metricNames,
  metricOf,
  valuePlaces,
  WORKLOAD_METRICS,
} from '../study/runValues.js';
import type { Study } from '../study/study.js';
import { FileThread, writing } from '../view/fileThread.js';

/** A column of what decides settings: its distinct values, and which of them is in each row. */
interface SettingColumn {
  readonly name: string;
  /** True if it may count things. */
  readonly isCount: boolean;
  readonly distinct: readonly Scalar[];
  readonly places: Uint32Array;
}

interface MetricColumn {
  readonly name: string;
  readonly unit: string | undefined;
  readonly label: string | undefined;
  readonly isCount: boolean;
  /** Position among the values of a run on this number of sites; negative if there is none. */
  readonly positions: readonly number[];
}

/** The table: data that a thread can be given, the values without a copy. */
export interface SettingTable {
  /** Title of the study. */
  readonly title: string;
  /** The run of each row, and on how many sites that is. */
  readonly runs: Uint32Array;
  readonly sites: Uint32Array;
  readonly columns: readonly SettingColumn[];
  readonly metrics: readonly MetricColumn[];
  readonly results: ResultData;
}

/** The result table of a study, its rows in the order of the plan. */
export function settingTable(study: Study, plan: Plan, results: Results): SettingTable {
  const { points } = plan;
  const runs = Uint32Array.from(points, ({ run }) => run);
  const sites = runs.map((run) => plan.runs[run]!.common.sites.length);
  const metrics = metricColumns(study, plan, new Set(sites));
  return {
    title: study.title,
    runs,
    sites,
    columns: settingColumns(study, plan, runs),
    metrics,
    results: results.data,
  };
}

function settingColumns({ kind }: Study, plan: Plan, runOf: Uint32Array): SettingColumn[] {
  const { points, runs, workloads } = plan;
  const axes = plan.axes.map((name, axis) =>
    settingColumn(name, true, runOf.length, (point) => points[point]!.labels[axis]),
  );
  const ofRun = (name: string, value: (run: PlannedRun) => unknown) =>
    settingColumn(`run.${name}`, false, runOf.length, (point) => value(runs[runOf[point]!]!));
  const first = firstOf(runs).common;
  const parameters = (Object.keys(first) as (keyof RunParameters)[]).filter(
    (name) => first[name] !== undefined,
  );
  // Hashes of code are in the names of the copies.
  const inFull = kind === 'simulations' ? parameters.filter((name) => name !== 'code') : [];
  return [
    ...axes,
    ofRun('id', ({ id }) => id),
    ofRun('workload', ({ workload }) => workloads[workload]!.name),
    ...inFull.map((name) => ofRun(name, ({ policy, common }) => (name === 'policy' ? policy : common[name]))),
  ];
}

/** @param value equal lists and objects are the same. */
function settingColumn(
  name: string,
  isCount: boolean,
  rows: number,
  value: (row: number) => unknown,
): SettingColumn {
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
  const ofClasses = classMetricsIn(plan.metrics);
  return names.map((name) => {
    const positions = Array.from({ length: most + 1 }, (_, count) =>
      siteCounts.has(count) ? (valuePlaces(kind, count, ofClasses).get(name) ?? -1) : -1,
    );
    const { unit, label, format } = (kind === 'workloads' ? undefined : metricOf(name)) ?? {};
    const isCount =
      kind === 'workloads' ? WHOLE_STATISTICS.includes(name) : format?.style === 'fixed' && !format.decimals;
    return { name, unit, label, isCount, positions };
  });
}

// results.csv and results.parquet of a study: its result table as files.

/** Few enough rows that their texts do not outlive the next garbage collection. */
const LINES_AT_ONCE = 64;

/** Something for each row from one up to, and without, another. */
function ofRows<Value>(from: number, to: number, value: (row: number) => Value): Value[] {
  const values: Value[] = [];
  for (let row = from; row < to; row++) values.push(value(row));
  return values;
}

function fileColumn({ name, isCount, distinct, places }: SettingColumn): ResultColumn {
  return { name, isCount, values: (from, to) => ofRows(from, to, (row) => distinct[places[row]!]!) };
}

/** Runs on fewer sites have no value of the metrics of the sites that they lack. */
function metricColumn({ runs, sites, results }: SettingTable, metric: MetricColumn): ResultColumn {
  const { name, unit, label, isCount, positions } = metric;
  const value = (row: number) => valueAt(results, runs[row]!, positions[sites[row]!]!);
  const isThere = (row: number) => positions[sites[row]!]! >= 0;
  // Numbers alone are kept as such; among others each is an object.
  const cell = sites.every((_, row) => isThere(row))
    ? value
    : (row: number) => (isThere(row) ? value(row) : null);
  const values = (from: number, to: number) => ofRows<Scalar>(from, to, cell);
  return { name, unit, label, isCount, areMeasures: !isCount, values };
}

/** The fields of each column in rows from one up to, and without, another; what was given is made text once. */
function fieldsOf(table: SettingTable): ((from: number, to: number) => string[])[] {
  const columns = table.columns.map(({ distinct, places }) => {
    const fields = distinct.map(csvValue);
    return (from: number, to: number) => ofRows(from, to, (row) => fields[places[row]!]!);
  });
  const metrics = table.metrics.map((metric) => {
    const { values } = metricColumn(table, metric);
    return (from: number, to: number) => values(from, to).map(csvValue);
  });
  return [...columns, ...metrics];
}

/** The lines of results.csv. */
function* lines(table: SettingTable): Generator<string> {
  yield `${[...table.columns, ...table.metrics].map(({ name }) => csvValue(name)).join(',')}\n`;
  const fields = fieldsOf(table);
  for (const [from, to] of rowGroups(table.runs.length, LINES_AT_ONCE)) {
    const columns = fields.map((of) => of(from, to));
    for (let row = 0; row < to - from; row++) yield `${columns.map((column) => column[row]).join(',')}\n`;
  }
}

/** A result table, and the folder of its study. */
export interface SettingFiles {
  readonly folder: string;
  readonly table: SettingTable;
}

/**
 * Writes results.csv and results.parquet.
 * @throws InputError when the folder may not be written, OutputError when writing fails.
 */
export async function writeSettings({ folder, table }: SettingFiles): Promise<void> {
  const columns = [
    ...table.columns.map(fileColumn),
    ...table.metrics.map((each) => metricColumn(table, each)),
  ];
  const metadata = { gridalloc: packageVersion(), study: table.title };
  await writeStudyFolder([
    studyFile(join(folder, 'results.csv'), lines(table)),
    {
      path: join(folder, 'results.parquet'),
      write: (path) => writeParquet(path, columns, table.runs.length, metadata),
    },
  ]);
}

// Writing result tables while reports are made.

/** Rows that are worth a thread. */
const WORTHWHILE = 4000;

/** `writeSettings` in a thread. */
export const writeSettingsTask = writing(writeSettings);

/** Writes small tables at once, and long ones one after the other in a thread. */
export class SettingWriter extends FileThread<SettingFiles> {
  constructor() {
    super({ module: '../reports/resultTable.js', name: 'writeSettingsTask' });
  }

  /** @throws as `writeSettings`, where the table is small. */
  async write(files: SettingFiles): Promise<void> {
    if (files.table.runs.length < WORTHWHILE) await writeSettings(files);
    else await this.begin(files);
  }
}

// Results of comparisons, replications and sweeps as typed arrays

/** Columns by name, each with an entry per row: numbers as typed arrays, texts as lists, in which null is unknown. */
export type ResultColumns = Readonly<Record<string, Float64Array | Int32Array | readonly (string | null)[]>>;

/**
 * Results of `compare`, `replications` and `sweep` as columns for Arrow and data frame libraries, which take the typed arrays without
 * a copy. Metrics are `Float64Array`, in their units; NaN is unknown.
 *
 * A row is one replication (`replication`, numbered from 1); in a comparison, one replication of one method (`method`); in a sweep, one
 * simulation, with the columns of results.csv.
 * @throws InputError for anything else.
 * @example
 * const columns = resultColumns(await replications('lublin99[jobs=200]', { sites: [128], replications: 5, threads: 1 }));
 * console.log(columns.replication.join(), columns.meanWait instanceof Float64Array); // 1,2,3,4,5 true
 */
export function resultColumns(result: Comparison | Replicates | Sweep): ResultColumns {
  checkGiven(result, 'result', 'resultColumns');
  if ('plan' in result) return sweepColumns(result);
  return 'names' in result ? comparisonColumns(result) : replicationColumns(result);
}

function replicationColumns({ replications, metrics }: Replicates): ResultColumns {
  return {
    replication: numbersUpTo(replications),
    ...Object.fromEntries(metrics.map(({ name, values }) => [name, Float64Array.from(values)])),
  };
}

function comparisonColumns({ replications, metrics, names }: Comparison): ResultColumns {
  return {
    method: names.flatMap((name) => Array<string>(replications).fill(name)),
    replication: Int32Array.from(names.flatMap(() => [...numbersUpTo(replications)])),
    ...Object.fromEntries(metrics.map(({ name, values }) => [name, Float64Array.from(values.flat())])),
  };
}

/** 1, 2, ... up to a number. */
function numbersUpTo(count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => i + 1);
}

function sweepColumns({ study, plan, results }: Sweep): ResultColumns {
  const table = settingTable(study, plan, results);
  const { runs, sites } = table;
  const columns = table.columns.map((column) => [column.name, settingValues(column)] as const);
  const metrics = table.metrics.map(({ name, positions }) => {
    const value = (run: number, row: number) => valueAt(table.results, run, positions[sites[row]!]!);
    return [name, Float64Array.from(runs, value)] as const;
  });
  return Object.fromEntries([...columns, ...metrics]);
}

/** Numbers where there is no text: whole ones as such where it may count and none is unknown. */
function settingValues({ isCount, distinct, places }: SettingColumn): ResultColumns[string] {
  if (distinct.some((value) => typeof value === 'string')) {
    const texts = distinct.map((value) => (value === null ? null : String(value)));
    return Array.from(places, (place) => texts[place]!);
  }
  const numbers = distinct.map((value) => (value === null ? Number.NaN : Number(value)));
  const values = Float64Array.from(places, (place) => numbers[place]!);
  const areWhole = isCount && numbers.every((value) => (value | 0) === value);
  return areWhole ? Int32Array.from(values) : values;
}
