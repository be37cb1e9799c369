/** results.csv and results.parquet of a study: its result table as files. */
import { join } from 'node:path';
import { csvValue, type Scalar } from '../results/csv.js';
import { packageVersion } from '../results/documents.js';
import { type ResultColumn, rowGroups, writeParquet } from '../results/parquet.js';
import { studyFile, writeStudyFolder } from '../runs/runsFolder.js';
import { valueAt } from '../study/results.js';
import type { GivenColumn, MetricColumn, SettingTable } from './settingTable.js';

/** So few rows that their texts do not outlive the next collection of garbage. */
const LINES_AT_ONCE = 64;

/** Something for each row from one up to, and without, another. */
function ofRows<Value>(from: number, to: number, value: (row: number) => Value): Value[] {
  const values: Value[] = [];
  for (let row = from; row < to; row++) values.push(value(row));
  return values;
}

function givenColumn({ name, isCount, distinct, places }: GivenColumn): ResultColumn {
  return { name, isCount, values: (from, to) => ofRows(from, to, (row) => distinct[places[row]]) };
}

/** Runs on fewer sites have no value of the metrics of the sites that they lack. */
function metricColumn({ runs, sites, results }: SettingTable, metric: MetricColumn): ResultColumn {
  const { name, unit, label, isCount, positions } = metric;
  const value = (row: number) => valueAt(results, runs[row], positions[sites[row]]);
  const isThere = (row: number) => positions[sites[row]] >= 0;
  // Numbers alone are kept as such; among others each is an object.
  const cell = sites.every((_, row) => isThere(row))
    ? value
    : (row: number) => (isThere(row) ? value(row) : null);
  const values = (from: number, to: number) => ofRows<Scalar>(from, to, cell);
  return { name, unit, label, isCount, areMeasures: !isCount, values };
}

/** The fields of each column in rows from one up to, and without, another; what was given is made text once. */
function fieldsOf(table: SettingTable): ((from: number, to: number) => string[])[] {
  const given = table.given.map(({ distinct, places }) => {
    const fields = distinct.map(csvValue);
    return (from: number, to: number) => ofRows(from, to, (row) => fields[places[row]]);
  });
  const metrics = table.metrics.map((metric) => {
    const { values } = metricColumn(table, metric);
    return (from: number, to: number) => values(from, to).map(csvValue);
  });
  return [...given, ...metrics];
}

/** The lines of results.csv. */
function* lines(table: SettingTable): Generator<string> {
  yield `${[...table.given, ...table.metrics].map(({ name }) => csvValue(name)).join(',')}\n`;
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
    ...table.given.map(givenColumn),
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
