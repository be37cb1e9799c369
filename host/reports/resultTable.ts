/**
 * Result tables: for studies, one row per setting with run, labels, parameters and metrics (results.csv);
 * for comparisons, replications and sweeps, columns as typed arrays.
 */
import { join } from 'node:path';
import { checkArgument } from '../arguments.js';
import { csvValue, type Scalar } from '../format/csv.js';
import { firstElement } from '../lists.js';
import { packageVersion } from '../results/documents.js';
import { type ResultColumn, rowGroupRanges, writeParquet } from '../results/parquet.js';
import type { Comparison, Replicates, Sweep } from '../runs/compare.js';
import { studyFileToWrite, writeStudyFolder } from '../runs/runsFolder.js';
import { type Plan, type PlannedRun, type RunParameters, siteCountsOfPlan } from '../study/plan.js';
import { type ResultData, type Results, valueAt } from '../study/results.js';
import {
  classMetricsIn,
  jobMetricsIn,
  metricNames,
  metricOfSite,
  valuePlacesByMetric,
  WORKLOAD_METRIC_NAMES,
} from '../study/runValues.js';
import type { Study } from '../study/study.js';
import { FileThread, makeFileWriteTask } from '../view/fileThread.js';

/** Column of a setting: its distinct values, and per row the index of its value. */
interface SettingColumn {
  readonly name: string;
  /** True if the values may be counts, so that whole numbers are stored as integers. */
  readonly isCount: boolean;
  readonly distinct: readonly Scalar[];
  readonly places: Uint32Array;
}

interface MetricColumn {
  readonly name: string;
  readonly unit: string | undefined;
  readonly label: string | undefined;
  readonly isCount: boolean;
  /** Positions of the metric among a run's values, by number of sites; negative if missing. */
  readonly positions: readonly number[];
}

/** Result table of a study as plain data; values are shared with threads without a copy. */
export interface SettingTable {
  /** Title of the study. */
  readonly title: string;
  /** Index of the run of each row; `sites` holds its number of sites. */
  readonly runs: Uint32Array;
  readonly sites: Uint32Array;
  readonly columns: readonly SettingColumn[];
  readonly metrics: readonly MetricColumn[];
  readonly results: ResultData;
}

/** Result table of a study, with rows in the order of the plan. */
export function settingTable(study: Study, plan: Plan, results: Results): SettingTable {
  const { points } = plan;
  const runs = Uint32Array.from(points, ({ run }) => run);
  const sites = runs.map((run) => plan.runs[run]!.common.sites.length);
  const metrics = metricColumnsOf(study, plan, new Set(sites));
  return {
    title: study.title,
    runs,
    sites,
    columns: settingColumnsOf(study, plan, runs),
    metrics,
    results: results.data,
  };
}

function settingColumnsOf({ kind }: Study, plan: Plan, runOf: Uint32Array): SettingColumn[] {
  const { points, runs, workloads } = plan;
  const axes = plan.axes.map((name, axis) =>
    settingColumn(name, true, runOf.length, (point) => points[point]!.labels[axis]),
  );
  const ofRun = (name: string, value: (run: PlannedRun) => unknown) =>
    settingColumn(`run.${name}`, false, runOf.length, (point) => value(runs[runOf[point]!]!));
  const first = firstElement(runs).common;
  const parameters = (Object.keys(first) as (keyof RunParameters)[]).filter(
    (name) => first[name] !== undefined,
  );
  // File names of copied code contain its hash, so the hashes need no columns.
  const fullyShownParameters = kind === 'simulations' ? parameters.filter((name) => name !== 'code') : [];
  return [
    ...axes,
    ofRun('id', ({ id }) => id),
    ofRun('workload', ({ workload }) => workloads[workload]!.name),
    ...fullyShownParameters.map((name) =>
      ofRun(name, ({ policy, common }) => (name === 'policy' ? policy : common[name])),
    ),
  ];
}

/**
 * Column of one parameter. Equal lists and objects count as the same value.
 *  @param value equal lists and objects are the same.
 */
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
    if (place === known.size) distinct.push(plainScalarValue(own));
    known.set(key, place);
    places[row] = place;
  }
  return { name, isCount, distinct, places };
}

/** Converts a parameter value to a cell: lists joined by blanks, structured values as JSON. */
function plainScalarValue(value: unknown): Scalar {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  return Array.isArray(value) ? value.join(' ') : JSON.stringify(value);
}

/** Workload statistics that are whole numbers. */
const WHOLE_NUMBER_STATISTICS: readonly string[] = ['jobs', 'widestJob'];

/** Metric columns of a study; runs on fewer sites have empty cells for the missing sites. */
function metricColumnsOf(
  { kind }: Study,
  plan: Plan,
  distinctSiteCounts: ReadonlySet<number>,
): MetricColumn[] {
  const most = siteCountsOfPlan(plan);
  const names =
    kind === 'workloads' ? WORKLOAD_METRIC_NAMES : [...metricNames(most), ...jobMetricsIn(plan.metrics)];
  const ofClasses = classMetricsIn(plan.metrics);
  return names.map((name) => {
    const positions = Array.from({ length: most + 1 }, (_, count) =>
      distinctSiteCounts.has(count) ? (valuePlacesByMetric(kind, count, ofClasses).get(name) ?? -1) : -1,
    );
    const { unit, label, format } = (kind === 'workloads' ? undefined : metricOfSite(name)) ?? {};
    const isCount =
      kind === 'workloads'
        ? WHOLE_NUMBER_STATISTICS.includes(name)
        : format?.style === 'fixed' && !format.decimals;
    return { name, unit, label, isCount, positions };
  });
}

// Result tables as files results.csv and results.parquet

/** Number of lines per chunk of text, few enough to be collected early by the garbage collector. */
const CSV_LINES_PER_CHUNK = 64;

/** Values of a function for the rows from `from` up to but excluding `to`. */
function valuesOfRows<Value>(from: number, to: number, value: (row: number) => Value): Value[] {
  const values: Value[] = [];
  for (let row = from; row < to; row++) values.push(value(row));
  return values;
}

function settingFileColumn({ name, isCount, distinct, places }: SettingColumn): ResultColumn {
  return { name, isCount, values: (from, to) => valuesOfRows(from, to, (row) => distinct[places[row]!]!) };
}

/** Values of a metric by row; missing for sites that a run does not have. */
function metricFileColumn({ runs, sites, results }: SettingTable, metric: MetricColumn): ResultColumn {
  const { name, unit, label, isCount, positions } = metric;
  const value = (row: number) => valueAt(results, runs[row]!, positions[sites[row]!]!);
  const isThere = (row: number) => positions[sites[row]!]! >= 0;
  // A column without missing values becomes a typed array, any other a list.
  const cell = sites.every((_, row) => isThere(row))
    ? value
    : (row: number) => (isThere(row) ? value(row) : null);
  const values = (from: number, to: number) => valuesOfRows<Scalar>(from, to, cell);
  return { name, unit, label, isCount, areMeasures: !isCount, values };
}

/**
 * Functions that return the CSV fields of each column for a range of rows; each distinct setting is
 * formatted once.
 */
function csvFieldsByColumn(table: SettingTable): ((from: number, to: number) => string[])[] {
  const columns = table.columns.map(({ distinct, places }) => {
    const fields = distinct.map(csvValue);
    return (from: number, to: number) => valuesOfRows(from, to, (row) => fields[places[row]!]!);
  });
  const metrics = table.metrics.map((metric) => {
    const { values } = metricFileColumn(table, metric);
    return (from: number, to: number) => values(from, to).map(csvValue);
  });
  return [...columns, ...metrics];
}

/** Lines of results.csv. */
function* resultCsvLines(table: SettingTable): Generator<string> {
  yield `${[...table.columns, ...table.metrics].map(({ name }) => csvValue(name)).join(',')}\n`;
  const fields = csvFieldsByColumn(table);
  for (const [from, to] of rowGroupRanges(table.runs.length, CSV_LINES_PER_CHUNK)) {
    const columns = fields.map((of) => of(from, to));
    for (let row = 0; row < to - from; row++) yield `${columns.map((column) => column[row]).join(',')}\n`;
  }
}

/** Result table with the folder of its study. */
export interface SettingFilesTask {
  readonly folder: string;
  readonly table: SettingTable;
}

/**
 * Writes results.csv and results.parquet.
 * @throws InputError when the folder may not be written, OutputError when writing fails.
 */
export async function writeSettingFiles({ folder, table }: SettingFilesTask): Promise<void> {
  const columns = [
    ...table.columns.map(settingFileColumn),
    ...table.metrics.map((each) => metricFileColumn(table, each)),
  ];
  const metadata = { gridalloc: packageVersion(), study: table.title };
  await writeStudyFolder([
    studyFileToWrite(join(folder, 'results.csv'), resultCsvLines(table)),
    {
      path: join(folder, 'results.parquet'),
      write: (path) => writeParquet(path, columns, table.runs.length, metadata),
    },
  ]);
}

// Writing result tables in a thread while reports are made

/** Number of rows from which a table is written in a thread. */
const MIN_ROWS_FOR_THREAD = 4000;

/** Thread task that writes result tables. */
export const writeSettingsInThread = makeFileWriteTask(writeSettingFiles);

/** Writes small result tables directly, and large ones one after another in a thread. */
export class SettingWriter extends FileThread<SettingFilesTask> {
  constructor() {
    super({ module: '../reports/resultTable.js', name: 'writeSettingsInThread' });
  }

  /**
   * Writes a result table.
   * @throws like `writeSettingFiles`, if the table is small.
   */
  async write(files: SettingFilesTask): Promise<void> {
    if (files.table.runs.length < MIN_ROWS_FOR_THREAD) await writeSettingFiles(files);
    else await this.begin(files);
  }
}

// Results of comparisons, replications and sweeps as typed arrays

/** Columns by name with one entry per row: numbers as typed arrays, texts as lists (null: unknown). */
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
  checkArgument(result, 'result', 'resultColumns');
  if ('plan' in result) return sweepResultColumns(result);
  return 'names' in result ? comparisonColumns(result) : replicationColumns(result);
}

function replicationColumns({ replications, metrics }: Replicates): ResultColumns {
  return {
    replication: numbersFromOneTo(replications),
    ...Object.fromEntries(metrics.map(({ name, values }) => [name, Float64Array.from(values)])),
  };
}

function comparisonColumns({ replications, metrics, names }: Comparison): ResultColumns {
  return {
    method: names.flatMap((name) => Array<string>(replications).fill(name)),
    replication: Int32Array.from(names.flatMap(() => [...numbersFromOneTo(replications)])),
    ...Object.fromEntries(metrics.map(({ name, values }) => [name, Float64Array.from(values.flat())])),
  };
}

/** Numbers from 1 to `count`. */
function numbersFromOneTo(count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => i + 1);
}

function sweepResultColumns({ study, plan, results }: Sweep): ResultColumns {
  const table = settingTable(study, plan, results);
  const { runs, sites } = table;
  const columns = table.columns.map((column) => [column.name, settingColumnValues(column)] as const);
  const metrics = table.metrics.map(({ name, positions }) => {
    const value = (run: number, row: number) => valueAt(table.results, run, positions[sites[row]!]!);
    return [name, Float64Array.from(runs, value)] as const;
  });
  return Object.fromEntries([...columns, ...metrics]);
}

/** Values of a setting by row: a typed array if all are numbers (of integers for counts), otherwise texts. */
function settingColumnValues({ isCount, distinct, places }: SettingColumn): ResultColumns[string] {
  if (distinct.some((value) => typeof value === 'string')) {
    const texts = distinct.map((value) => (value === null ? null : String(value)));
    return Array.from(places, (place) => texts[place]!);
  }
  const numbers = distinct.map((value) => (value === null ? Number.NaN : Number(value)));
  const values = Float64Array.from(places, (place) => numbers[place]!);
  const areWholeNumbers = isCount && numbers.every((value) => (value | 0) === value);
  return areWholeNumbers ? Int32Array.from(values) : values;
}
