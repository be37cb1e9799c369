/** The files of a finished study: every run as a table, the tables and figures as data. */

import { join } from 'node:path';
import { detailed, REPORT_FILE, type Report, type ReportTable, type TableCell } from '../draw/types.js';
import { type NumberFormat, valueText } from '../format/numbers.js';
import { csvField } from '../results/csv.js';
import { documentText } from '../results/documents.js';
import { type ResultColumn, rowGroups, type Scalar, writeParquet } from '../results/parquet.js';
import { packageVersion } from '../results/version.js';
import { studyFile, writeStudyFolder } from '../runner/folder.js';
import type { Label, Study } from '../study/definition.js';
import type { Evaluation } from '../study/evaluate.js';
import { type Plan, planSites } from '../study/plan.js';
import type { Results } from '../study/resultTable.js';
import type { RunParameters } from '../study/runTable.js';
import { jobMetricsIn, metricNames, metricOf, metricPosition, WORKLOAD_METRICS } from '../study/runValues.js';
import { TABLE_FOLDER } from './html.js';
import { environmentDocument } from './studyReport.js';

/** One row per setting in the order of the plan: its run, its labels, all parameters, all metrics. */
function resultColumns({ study, plan }: Evaluation, results: Results): ResultColumn[] {
  const { points, runs, workloads } = plan;
  const ofPoint = (value: (point: number) => Scalar) => (from: number, to: number) => {
    const column: Scalar[] = [];
    for (let point = from; point < to; point++) column.push(value(point));
    return column;
  };
  const axes = plan.axes.map((name, axis) => ({
    name,
    values: ofPoint((point) => points.label(point, axis)),
    isCount: true,
  }));
  const ofRun = (name: string, value: (run: number) => Scalar): ResultColumn => ({
    name: `run.${name}`,
    values: ofPoint((point) => value(points.run(point))),
  });
  const isSimulated = study.kind === 'simulations';
  const parameters = Object.keys(runs.parameters(0)) as (keyof RunParameters)[];
  // Hashes of code stand in the names of the copies.
  const inFull = isSimulated ? parameters.filter((name) => name !== 'code') : [];
  return [
    ...axes,
    ofRun('id', (run) => runs.id(run)),
    ofRun('workload', (run) => workloads[runs.workload(run)].name),
    ...inFull.map((name) => {
      const plain = onceInTurn(plainValue);
      return ofRun(name, (run) => plain(runs.parameter(run, name)));
    }),
    ...metricColumns(study, plan, results),
  ];
}

/** A function that is not asked anew for the value that it was asked for last. */
function onceInTurn<Value, Answer>(answerTo: (value: Value) => Answer): (value: Value) => Answer {
  let last: Value | undefined;
  let answer: Answer | undefined;
  return (value) => {
    if (answer === undefined || value !== last) answer = answerTo(value);
    last = value;
    return answer;
  };
}

/** Lists are separated by blanks; anything with parts is JSON. */
function plainValue(value: unknown): Scalar {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  return Array.isArray(value) ? value.join(' ') : JSON.stringify(value);
}

/** Statistics of workloads that are whole numbers. */
const WHOLE_STATISTICS: readonly string[] = ['jobs', 'widestJob'];

/** Runs on fewer sites have empty cells for the metrics of the sites that they lack. */
function metricColumns({ kind }: Study, plan: Plan, results: Results): ResultColumn[] {
  const { points, runs } = plan;
  const most = planSites(plan);
  const names =
    kind === 'workloads' ? WORKLOAD_METRICS : [...metricNames(most), ...jobMetricsIn(plan.metrics)];
  const runOf = Uint32Array.from({ length: points.length }, (_, point) => points.run(point));
  const sites = runOf.map((run) => runs.parameter(run, 'sites').length);
  return names.map((name) => {
    const positionOn = metricPosition(name, kind);
    const positions = Array.from({ length: most + 1 }, (_, count) => positionOn(count));
    const value = (point: number) => results.value(runOf[point], positions[sites[point]]);
    const isEverywhere = sites.every((count) => positions[count] >= 0);
    const values = (from: number, to: number) => {
      // Numbers alone are kept as such; among others each is an object.
      const column: number[] = [];
      for (let point = from; point < to; point++) column.push(value(point));
      return isEverywhere ? column : column.map((each, i) => (positions[sites[from + i]] < 0 ? null : each));
    };
    const { unit, label, format } = (kind === 'workloads' ? undefined : metricOf(name)) ?? {};
    const isCount =
      kind === 'workloads' ? WHOLE_STATISTICS.includes(name) : format?.style === 'fixed' && !format.decimals;
    return { name, values, unit, label, isCount, areMeasures: !isCount };
  });
}

const fieldOf = (value: Scalar) => (typeof value === 'string' ? csvField(value) : String(value ?? ''));

function* csv(rows: Iterable<readonly Scalar[]>): Generator<string> {
  for (const row of rows) yield `${row.map(fieldOf).join(',')}\n`;
}

/** So few that their texts do not outlive the next collection of garbage. */
const LINES_AT_ONCE = 64;

/** The lines of results.csv. */
function* resultLines(columns: readonly ResultColumn[], points: number): Generator<string> {
  yield* csv([columns.map(({ name }) => name)]);
  for (const [from, to] of rowGroups(points, LINES_AT_ONCE)) {
    const fields = columns.map(({ values }) => values(from, to).map(onceInTurn(fieldOf)));
    for (let row = 0; row < to - from; row++) yield `${fields.map((column) => column[row]).join(',')}\n`;
  }
}

/** The value of a cell, and what else it tells, as text columns of a CSV. */
function tableCsv({ columns, rows, bounds }: ReportTable): Iterable<string> {
  const parts = ['published', 'low', 'high'] as const;
  const present = columns.map((_, i) =>
    parts.filter((part) => rows.some((row) => detailed(row[i])[part] !== undefined)),
  );
  const isInterval = bounds === 'interval';
  const names = {
    published: 'published',
    low: isInterval ? 'low' : 'min',
    high: isInterval ? 'high' : 'max',
  };
  const head = columns.flatMap(({ title }, i) => [
    title,
    ...present[i].map((part) => `${title}, ${names[part]}`),
  ]);
  const body = rows.map((row) =>
    row.map(detailed).flatMap((cell, i) => [cell.value, ...present[i].map((part) => cell[part] ?? null)]),
  );
  return csv([head, ...body]);
}

function cellText(given: TableCell, format: NumberFormat | undefined): string {
  const cell = detailed(given);
  const text = (value: Label) => (typeof value === 'number' ? valueText(value, format) : value);
  const own = cell.value === null ? '' : text(cell.value);
  const range =
    cell.low === undefined || cell.high === undefined ? '' : ` (${text(cell.low)} to ${text(cell.high)})`;
  const published =
    cell.published === undefined ? '' : `, published ${text(cell.published)}${cell.isInside ? ' ✓' : ''}`;
  return `${cell.isEmphasized ? `**${own}**` : own}${range}${published}`;
}

/** Text as it stands in Markdown, which would take what looks like HTML for that. */
function withoutHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function tableMarkdown({ title, caption, columns, rows }: ReportTable): string {
  const barred = (text: string) => withoutHtml(text).replaceAll('|', '\\|');
  const head = columns.map((column) =>
    barred(column.unit === undefined ? column.title : `${column.title} (${column.unit})`),
  );
  const rule = columns.map(({ isHeading }) => (isHeading ? ':--' : '--:'));
  const body = rows.map((row) => row.map((cell, i) => barred(cellText(cell, columns[i].format))));
  const lines = [head, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`);
  const prose = caption === '' ? [] : [withoutHtml(caption.trim())];
  return [`# ${withoutHtml(title)}`, ...prose, lines.join('\n')].join('\n\n').concat('\n');
}

/**
 * Writes results.csv, results.parquet, tables, report.json and environment.json into the folder of a study.
 * @throws InputError when the folder may not be written, OutputError when writing fails.
 */
export async function writeStudyFiles(
  folder: string,
  evaluation: Evaluation,
  results: Results,
  report: Report,
): Promise<void> {
  const columns = resultColumns(evaluation, results);
  const points = evaluation.plan.points.length;
  const text = (name: string, pieces: Iterable<string>) => studyFile(join(folder, name), pieces);
  const json = (name: string, document: unknown) => text(name, [documentText(document)]);
  await writeStudyFolder([
    text('results.csv', resultLines(columns, points)),
    {
      path: join(folder, 'results.parquet'),
      write: (path) =>
        writeParquet(path, columns, points, { gridalloc: packageVersion(), study: evaluation.study.title }),
    },
    ...report.tables.flatMap((table) => [
      text(join(TABLE_FOLDER, `${table.id}.csv`), tableCsv(table)),
      text(join(TABLE_FOLDER, `${table.id}.md`), [tableMarkdown(table)]),
    ]),
    json('environment.json', environmentDocument(evaluation.plan)),
    json(REPORT_FILE, report),
  ]);
}
