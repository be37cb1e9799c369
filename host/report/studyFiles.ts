/** The files of a finished study beside its result table: the tables and figures as data. */

import { join } from 'node:path';
import { detailed, REPORT_FILE, type Report, type ReportTable, type TableCell } from '../draw/types.js';
import { type NumberFormat, valueText } from '../format/numbers.js';
import { csvValue, type Scalar } from '../results/csv.js';
import { documentText } from '../results/documents.js';
import { studyFile, writeStudyFolder } from '../runner/folder.js';
import type { Label } from '../study/definition.js';
import type { Plan } from '../study/plan.js';
import { TABLE_FOLDER } from './html.js';
import { environmentDocument } from './studyReport.js';

/** The value of a cell, and what else it tells, as text columns of a CSV. */
function tableCsv({ columns, rows, bounds }: ReportTable): string[] {
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
  const body: Scalar[][] = rows.map((row) =>
    row.map(detailed).flatMap((cell, i) => [cell.value, ...present[i].map((part) => cell[part] ?? null)]),
  );
  return [head, ...body].map((cells) => `${cells.map(csvValue).join(',')}\n`);
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
 * Writes the tables, report.json and environment.json into the folder of a study.
 * @throws InputError when the folder may not be written, OutputError when writing fails.
 */
export async function writeStudyFiles(folder: string, plan: Plan, report: Report): Promise<void> {
  const text = (name: string, pieces: Iterable<string>) => studyFile(join(folder, name), pieces);
  const json = (name: string, document: unknown) => text(name, [documentText(document)]);
  await writeStudyFolder([
    ...report.tables.flatMap((table) => [
      text(join(TABLE_FOLDER, `${table.id}.csv`), tableCsv(table)),
      text(join(TABLE_FOLDER, `${table.id}.md`), [tableMarkdown(table)]),
    ]),
    json('environment.json', environmentDocument(plan)),
    json(REPORT_FILE, report),
  ]);
}
