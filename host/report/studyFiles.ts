/** The files of a finished study: every run as a table, the tables and figures as data. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { Label } from '../study/definition.js';
import type { Evaluation, Results } from '../study/evaluate.js';
import { replaceFile } from '../study/folder.js';
import { metricNames, WORKLOAD_METRICS } from '../study/metrics.js';
import { type Plan, planSites, type RunParameters } from '../study/plan.js';
import { REPORT_FILE, type Report, type ReportTable, type TableCell } from './figures.js';
import { environmentDocument } from './studyReport.js';
import { valueText } from './valueText.js';

type Value = string | number | null;

/** A column of the result table. */
interface ResultColumn {
  readonly name: string;
  readonly values: readonly Value[];
}

/** One row per setting in the order of the plan: its run, its labels, all parameters, all metrics. */
export function resultColumns({ study, plan }: Evaluation, results: Results): ResultColumn[] {
  const perPoint = (value: (run: number) => Value) => plan.points.map(({ run }) => value(run));
  const axes = plan.axes.map((name, i) => ({ name, values: plan.points.map(({ labels }) => labels[i]) }));
  const parameter = (name: string, value: (run: Plan['runs'][number]) => Value): ResultColumn => ({
    name: `run.${name}`,
    values: perPoint((run) => value(plan.runs[run])),
  });
  const inFull = Object.keys(plan.runs[0].parameters) as (keyof RunParameters)[];
  const parameters = [
    parameter('id', ({ id }) => id),
    parameter('workload', ({ workload }) => plan.workloads[workload].name),
    ...inFull.map((name) => parameter(name, (run) => plainValue(run.parameters[name]))),
  ];
  const isSimulated = study.kind === 'simulations';
  return [
    ...axes,
    ...(isSimulated ? parameters : parameters.slice(0, 2)),
    ...(isSimulated ? metricColumns(plan, results) : workloadColumns(plan, results)),
  ];
}

/** Lists are separated by blanks; anything with parts is JSON. */
function plainValue(value: unknown): Value {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  return Array.isArray(value) ? value.join(' ') : JSON.stringify(value);
}

function workloadColumns(plan: Plan, results: Results): ResultColumn[] {
  return WORKLOAD_METRICS.map((name, i) => ({ name, values: plan.points.map(({ run }) => results[run][i]) }));
}

/** Runs on fewer sites have empty cells for the metrics of the sites that they lack. */
function metricColumns(plan: Plan, results: Results): ResultColumn[] {
  const positions = new Map<number, ReadonlyMap<string, number>>();
  const positionsFor = (sites: number) => {
    const known = positions.get(sites) ?? new Map(metricNames(sites).map((name, i) => [name, i]));
    positions.set(sites, known);
    return known;
  };
  return metricNames(planSites(plan)).map((name) => ({
    name,
    values: plan.points.map(({ run }) => {
      const position = positionsFor(plan.runs[run].parameters.sites.length).get(name);
      return position === undefined ? null : results[run][position];
    }),
  }));
}

function csvField(value: Value): string {
  const text = value === null ? '' : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function csv(rows: Iterable<readonly Value[]>): string {
  let text = '';
  for (const row of rows) text += `${row.map(csvField).join(',')}\n`;
  return text;
}

function* resultRows(columns: readonly ResultColumn[]): Generator<readonly Value[]> {
  yield columns.map(({ name }) => name);
  for (let i = 0; i < columns[0].values.length; i++) yield columns.map(({ values }) => values[i]);
}

function parquet(columns: readonly ResultColumn[]): Uint8Array {
  const columnData = columns.map(({ name, values }) => {
    const isNumeric = values.every((value) => value === null || typeof value === 'number');
    return isNumeric
      ? { name, data: values as (number | null)[], type: 'DOUBLE' as const, nullable: true }
      : {
          name,
          data: values.map((value) => (value === null ? null : String(value))),
          type: 'STRING' as const,
          nullable: true,
        };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

/** The value of a cell, and what else it tells, as text columns of a CSV. */
function tableCsv({ columns, rows }: ReportTable): string {
  const parts = ['published', 'low', 'high'] as const;
  const present = columns.map((_, i) =>
    parts.filter((part) => rows.some((row) => typeof row[i] === 'object' && row[i]?.[part] !== undefined)),
  );
  const head = columns.flatMap(({ title }, i) => [title, ...present[i].map((part) => `${title}, ${part}`)]);
  const body = rows.map((row) =>
    row.flatMap((cell, i): Value[] => {
      if (typeof cell !== 'object' || cell === null) return [cell, ...present[i].map(() => null)];
      return [cell.value, ...present[i].map((part) => cell[part] ?? null)];
    }),
  );
  return csv([head, ...body]);
}

function cellText(cell: TableCell, format: ReportTable['columns'][number]['format']): string {
  if (cell === null) return '';
  if (typeof cell !== 'object') return typeof cell === 'number' ? valueText(cell, format) : cell;
  const text = (value: Label) => (typeof value === 'number' ? valueText(value, format) : value);
  const own = cell.value === null ? '' : text(cell.value);
  const range =
    cell.low === undefined || cell.high === undefined ? '' : ` (${text(cell.low)} to ${text(cell.high)})`;
  const published =
    cell.published === undefined ? '' : `, published ${text(cell.published)}${cell.isInside ? ' ✓' : ''}`;
  return `${cell.isEmphasized ? `**${own}**` : own}${range}${published}`;
}

function tableMarkdown({ title, caption, columns, rows }: ReportTable): string {
  const barred = (text: string) => text.replaceAll('|', '\\|');
  const head = columns.map((column) =>
    barred(column.unit === undefined ? column.title : `${column.title} (${column.unit})`),
  );
  const rule = columns.map(({ isHeading }) => (isHeading ? ':--' : '--:'));
  const body = rows.map((row) => row.map((cell, i) => barred(cellText(cell, columns[i].format))));
  const lines = [head, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`);
  return [`# ${title}`, ...(caption === '' ? [] : [caption.trim()]), lines.join('\n')]
    .join('\n\n')
    .concat('\n');
}

/**
 * Writes results.csv, results.parquet, tables, report.json and environment.json into the folder of a study.
 * @throws InputError when the folder may not be written, OutputError when writing fails.
 */
export function writeStudyFiles(
  folder: string,
  evaluation: Evaluation,
  results: Results,
  report: Report,
): void {
  const columns = resultColumns(evaluation, results);
  const json = (document: unknown) => `${JSON.stringify(document, null, 2)}\n`;
  replaceFile(join(folder, 'results.csv'), csv(resultRows(columns)));
  replaceFile(join(folder, 'results.parquet'), parquet(columns));
  if (report.tables.length > 0) mkdirSync(join(folder, 'tables'), { recursive: true });
  for (const table of report.tables) {
    replaceFile(join(folder, 'tables', `${table.id}.csv`), tableCsv(table));
    replaceFile(join(folder, 'tables', `${table.id}.md`), tableMarkdown(table));
  }
  replaceFile(join(folder, 'environment.json'), json(environmentDocument(evaluation.plan)));
  replaceFile(join(folder, REPORT_FILE), json(report));
}
