/**
 * Result tables: for studies, one row per setting with run, labels, parameters and metrics (results.csv);
 * for comparisons, replications and sweeps, columns as typed arrays.
 */
import { join } from 'node:path';
import { checkArgument } from '../arguments.js';
import { formatCsvValue, type ResultTableValue } from '../format/csv.js';
import { firstElement } from '../lists.js';
import { readPackageVersion } from '../results/documents.js';
import {
  divideIntoParquetRowGroups,
  type ParquetResultColumn,
  writeParquetTable,
} from '../results/parquet.js';
import type { Comparison, Replicates, Sweep } from '../runs/compare.js';
import { makeStudyFile, writeStudyFilesAtomically } from '../runs/runsFolder.js';
import { computeMaxSiteCountOfPlan, type Plan, type PlannedRun, type RunParameters } from '../study/plan.js';
import { type ResultData, type Results, readResultValueAt } from '../study/results.js';
import {
  findSimulationMetric,
  listMetricNamesOfSimulation,
  selectClassMetricsByName,
  selectJobMetrics,
  valuePositionsByMetric,
  WORKLOAD_STATISTIC_NAMES,
} from '../study/runValues.js';
import type { Study } from '../study/study.js';
import { FileThread, makeFileWriteTask } from '../view/fileThread.js';

/** Column of a setting: its distinct values, and per row the index of its value. */
interface SettingValueColumn {
  readonly name: string;
  /** True if the values may be counts, so that whole numbers are stored as integers. */
  readonly isCount: boolean;
  readonly distinct: readonly ResultTableValue[];
  readonly valueIndexes: Uint32Array;
}

interface MetricValueColumn {
  readonly name: string;
  readonly unit: string | undefined;
  readonly label: string | undefined;
  readonly isCount: boolean;
  /** Positions of the metric among a run's values, by number of sites; negative if missing. */
  readonly positions: readonly number[];
}

/** Result table of a study as plain data; values are shared with threads without a copy. */
export interface StudyResultTable {
  /** Title of the study. */
  readonly title: string;
  /** Index of the run of each row; `sites` holds its number of sites. */
  readonly runs: Uint32Array;
  readonly sites: Uint32Array;
  readonly columns: readonly SettingValueColumn[];
  readonly metrics: readonly MetricValueColumn[];
  readonly results: ResultData;
}

/** Result table of a study, with rows in the order of the plan. */
export function makeStudyResultTable(study: Study, plan: Plan, studyResults: Results): StudyResultTable {
  const { points: studyPoints } = plan;
  const runIndices = Uint32Array.from(studyPoints, ({ run }) => run);
  const siteCounts = runIndices.map((runIndex) => plan.runs[runIndex]!.common.sites.length);
  const metrics = makeMetricColumns(study, plan, new Set(siteCounts));
  return {
    title: study.title,
    runs: runIndices,
    sites: siteCounts,
    columns: makeSettingColumns(study, plan, runIndices),
    metrics,
    results: studyResults.data,
  };
}

function makeSettingColumns(
  { kind: studyKind }: Study,
  plan: Plan,
  runOf: Uint32Array,
): SettingValueColumn[] {
  const { points: studyPoints, runs, workloads } = plan;
  const axes = plan.axes.map((axisName, axis) =>
    makeSettingColumn(axisName, true, runOf.length, (point) => studyPoints[point]!.labels[axis]),
  );
  const makeRunColumn = (parameterName: string, valueOfRun: (plannedRun: PlannedRun) => unknown) =>
    makeSettingColumn(`run.${parameterName}`, false, runOf.length, (point) =>
      valueOfRun(runs[runOf[point]!]!),
    );
  const firstParameters = firstElement(runs).common;
  const parameters = (Object.keys(firstParameters) as (keyof RunParameters)[]).filter(
    (parameterName) => firstParameters[parameterName] !== undefined,
  );
  // File names of copied code contain its hash, so the hashes need no columns.
  const fullyShownParameters =
    studyKind === 'simulations' ? parameters.filter((parameterName) => parameterName !== 'code') : [];
  return [
    ...axes,
    makeRunColumn('id', ({ id }) => id),
    makeRunColumn('workload', ({ workload }) => workloads[workload]!.name),
    ...fullyShownParameters.map((parameterName) =>
      makeRunColumn(parameterName, ({ policy, common: commonParameters }) =>
        parameterName === 'policy' ? policy : commonParameters[parameterName],
      ),
    ),
  ];
}

/**
 * Column of one parameter.
 * @param settingOfRow function that returns the parameter of a run; equal lists and objects count as the same value.
 */
function makeSettingColumn(
  columnName: string,
  isCountColumn: boolean,
  rowCount: number,
  settingOfRow: (row: number) => unknown,
): SettingValueColumn {
  const indexByValue = new Map<unknown, number>();
  const distinct: ResultTableValue[] = [];
  const valueIndexes = new Uint32Array(rowCount);
  for (let row = 0; row < rowCount; row++) {
    const cellValue = settingOfRow(row);
    const key =
      cellValue !== null && typeof cellValue === 'object' ? `\0${JSON.stringify(cellValue)}` : cellValue;
    const valueIndex = indexByValue.get(key) ?? indexByValue.size;
    if (valueIndex === indexByValue.size) distinct.push(toTableValue(cellValue));
    indexByValue.set(key, valueIndex);
    valueIndexes[row] = valueIndex;
  }
  return { name: columnName, isCount: isCountColumn, distinct, valueIndexes };
}

/** Converts a parameter value to a cell: lists joined by blanks, structured values as JSON. */
function toTableValue(rawValue: unknown): ResultTableValue {
  if (rawValue === undefined || rawValue === null) return null;
  if (typeof rawValue === 'string' || typeof rawValue === 'number') return rawValue;
  return Array.isArray(rawValue) ? rawValue.join(' ') : JSON.stringify(rawValue);
}

/** Workload statistics that are whole numbers. */
const WHOLE_NUMBER_STATISTICS: readonly string[] = ['jobs', 'widestJob'];

/** Metric columns of a study; runs on fewer sites have empty cells for the missing sites. */
function makeMetricColumns(
  { kind: studyKind }: Study,
  plan: Plan,
  distinctSiteCounts: ReadonlySet<number>,
): MetricValueColumn[] {
  const maxSiteCount = computeMaxSiteCountOfPlan(plan);
  const names =
    studyKind === 'workloads'
      ? WORKLOAD_STATISTIC_NAMES
      : [...listMetricNamesOfSimulation(maxSiteCount), ...selectJobMetrics(plan.metrics)];
  const classMetrics = selectClassMetricsByName(plan.metrics);
  return names.map((name) => {
    const positions = Array.from({ length: maxSiteCount + 1 }, (_, count) =>
      distinctSiteCounts.has(count)
        ? (valuePositionsByMetric(studyKind, count, classMetrics).get(name) ?? -1)
        : -1,
    );
    const {
      unit: metricUnit,
      label: metricLabel,
      format,
    } = (studyKind === 'workloads' ? undefined : findSimulationMetric(name)) ?? {};
    const isCountColumn =
      studyKind === 'workloads'
        ? WHOLE_NUMBER_STATISTICS.includes(name)
        : format?.style === 'fixed' && !format.decimals;
    return { name, unit: metricUnit, label: metricLabel, isCount: isCountColumn, positions };
  });
}

// Result tables as files results.csv and results.parquet

/** Number of lines per chunk of text, few enough to be collected early by the garbage collector. */
const CSV_LINES_PER_CHUNK = 64;

/** Values of a function for the rows from `from` up to but excluding `to`. */
function mapRows<Value>(from: number, to: number, valueOfRow: (row: number) => Value): Value[] {
  const values: Value[] = [];
  for (let row = from; row < to; row++) values.push(valueOfRow(row));
  return values;
}

function makeSettingResultColumn({
  name: settingName,
  isCount,
  distinct,
  valueIndexes,
}: SettingValueColumn): ParquetResultColumn {
  return {
    name: settingName,
    isCount,
    readValues: (from, to) => mapRows(from, to, (row) => distinct[valueIndexes[row]!]!),
  };
}

/** Values of a metric by row; missing for sites that a run does not have. */
function makeMetricResultColumn(
  { runs, sites, results }: StudyResultTable,
  metricColumn: MetricValueColumn,
): ParquetResultColumn {
  const { name: metricName, unit: metricUnit, label: metricLabel, isCount, positions } = metricColumn;
  const metricOfRow = (row: number) => readResultValueAt(results, runs[row]!, positions[sites[row]!]!);
  const hasRowMetricValue = (row: number) => positions[sites[row]!]! >= 0;
  // A column without missing values becomes a typed array, any other a list.
  const valueOfRow = sites.every((_, row) => hasRowMetricValue(row))
    ? metricOfRow
    : (row: number) => (hasRowMetricValue(row) ? metricOfRow(row) : null);
  const readValues = (from: number, to: number) => mapRows<ResultTableValue>(from, to, valueOfRow);
  return {
    name: metricName,
    unit: metricUnit,
    label: metricLabel,
    isCount,
    areMeasures: !isCount,
    readValues,
  };
}

/**
 * Functions that return the CSV fields of each column for a range of rows; each distinct setting is
 * formatted once.
 */
function makeCsvColumnFormatters(resultTable: StudyResultTable): ((from: number, to: number) => string[])[] {
  const columns = resultTable.columns.map(({ distinct, valueIndexes }) => {
    const csvFields = distinct.map(formatCsvValue);
    return (from: number, to: number) => mapRows(from, to, (row) => csvFields[valueIndexes[row]!]!);
  });
  const metrics = resultTable.metrics.map((metricColumn) => {
    const { readValues } = makeMetricResultColumn(resultTable, metricColumn);
    return (from: number, to: number) => readValues(from, to).map(formatCsvValue);
  });
  return [...columns, ...metrics];
}

/** Lines of results.csv. */
function* formatResultCsvLines(resultTable: StudyResultTable): Generator<string> {
  yield `${[...resultTable.columns, ...resultTable.metrics].map(({ name: columnName }) => formatCsvValue(columnName)).join(',')}\n`;
  const csvColumnFormatters = makeCsvColumnFormatters(resultTable);
  for (const [from, to] of divideIntoParquetRowGroups(resultTable.runs.length, CSV_LINES_PER_CHUNK)) {
    const columns = csvColumnFormatters.map((format) => format(from, to));
    for (let row = 0; row < to - from; row++) yield `${columns.map((column) => column[row]).join(',')}\n`;
  }
}

/** Result table with the folder of its study. */
export interface ResultTableTask {
  readonly folder: string;
  readonly table: StudyResultTable;
}

/**
 * Writes results.csv and results.parquet.
 * @throws InputError when the folder may not be written, OutputError when writing fails.
 */
export async function writeResultTableFiles({ folder, table: resultTable }: ResultTableTask): Promise<void> {
  const columns = [
    ...resultTable.columns.map(makeSettingResultColumn),
    ...resultTable.metrics.map((metricColumn) => makeMetricResultColumn(resultTable, metricColumn)),
  ];
  const metadata = { gridalloc: readPackageVersion(), study: resultTable.title };
  await writeStudyFilesAtomically([
    makeStudyFile(join(folder, 'results.csv'), formatResultCsvLines(resultTable)),
    {
      path: join(folder, 'results.parquet'),
      write: (path) => writeParquetTable(path, columns, resultTable.runs.length, metadata),
    },
  ]);
}

// Writing result tables in a thread while reports are made

/** Number of rows from which a table is written in a thread. */
const MIN_TABLE_ROWS_FOR_THREAD = 4000;

/** Thread task that writes result tables. */
export const writeResultTableInThread = makeFileWriteTask(writeResultTableFiles);

/** Writes small result tables directly, and large ones one after another in a thread. */
export class ResultTableWriter extends FileThread<ResultTableTask> {
  constructor() {
    super({ module: '../reports/resultTable.js', name: 'writeResultTableInThread' });
  }

  /**
   * Writes a result table.
   * @throws like `writeResultTableFiles`, if the table is small.
   */
  async write(files: ResultTableTask): Promise<void> {
    if (files.table.runs.length < MIN_TABLE_ROWS_FOR_THREAD) await writeResultTableFiles(files);
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
  if ('plan' in result) return makeColumnsOfSweep(result);
  return 'names' in result ? makeColumnsOfComparison(result) : makeColumnsOfReplications(result);
}

function makeColumnsOfReplications({ replications: replicationCount, metrics }: Replicates): ResultColumns {
  return {
    replication: makeNumbersFromOneTo(replicationCount),
    ...Object.fromEntries(
      metrics.map(({ name: metricName, values: metricValues }) => [
        metricName,
        Float64Array.from(metricValues),
      ]),
    ),
  };
}

function makeColumnsOfComparison({
  replications: replicationCount,
  metrics,
  names,
}: Comparison): ResultColumns {
  return {
    method: names.flatMap((name) => Array<string>(replicationCount).fill(name)),
    replication: Int32Array.from(names.flatMap(() => [...makeNumbersFromOneTo(replicationCount)])),
    ...Object.fromEntries(
      metrics.map(({ name: metricName, values: metricValues }) => [
        metricName,
        Float64Array.from(metricValues.flat()),
      ]),
    ),
  };
}

/** Numbers from 1 to `rowCount`. */
function makeNumbersFromOneTo(rowCount: number): Int32Array {
  return Int32Array.from({ length: rowCount }, (_, i) => i + 1);
}

function makeColumnsOfSweep({ study, plan, results }: Sweep): ResultColumns {
  const resultTable = makeStudyResultTable(study, plan, results);
  const { runs, sites } = resultTable;
  const columns = resultTable.columns.map((column) => [column.name, expandSettingColumn(column)] as const);
  const metrics = resultTable.metrics.map(({ name: metricName, positions }) => {
    const metricOfRun = (runIndex: number, row: number) =>
      readResultValueAt(resultTable.results, runIndex, positions[sites[row]!]!);
    return [metricName, Float64Array.from(runs, metricOfRun)] as const;
  });
  return Object.fromEntries([...columns, ...metrics]);
}

/** Values of a setting by row: a typed array if all are numbers (of integers for counts), otherwise texts. */
function expandSettingColumn({ isCount, distinct, valueIndexes }: SettingValueColumn): ResultColumns[string] {
  if (distinct.some((value) => typeof value === 'string')) {
    const valueTexts = distinct.map((value) => (value === null ? null : String(value)));
    return Array.from(valueIndexes, (valueIndex) => valueTexts[valueIndex]!);
  }
  const numbersOfValues = distinct.map((value) => (value === null ? Number.NaN : Number(value)));
  const values = Float64Array.from(valueIndexes, (valueIndex) => numbersOfValues[valueIndex]!);
  const areWholeNumbers = isCount && numbersOfValues.every((value) => (value | 0) === value);
  return areWholeNumbers ? Int32Array.from(values) : values;
}
