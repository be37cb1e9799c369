/** A study for a terminal: its tables, ours above what was published, and its checks. */

import type { Report, ReportCheck, ReportTable, TableCell } from '../draw/types.js';
import type { Colors } from '../format/colors.js';
import { formatTable } from '../format/table.js';
import { columnFormat, valueText } from '../format/valueText.js';

type Format = Parameters<typeof valueText>[1];

function ownText(cell: TableCell, format: Format): string {
  const value = typeof cell === 'object' && cell !== null ? cell.value : cell;
  if (value === null) return '';
  return typeof value === 'number' ? valueText(value, format) : value;
}

function rangeText(cell: TableCell, format: Format): string {
  if (typeof cell !== 'object' || cell?.low === undefined || cell.high === undefined) return '';
  return `${valueText(cell.low, format)} .. ${valueText(cell.high, format)}`;
}

function publishedText(cell: TableCell, format: Format): string {
  if (typeof cell !== 'object' || cell?.published === undefined) return '';
  const { published, isInside } = cell;
  return `${typeof published === 'number' ? valueText(published, format) : published}${isInside ? ' *' : ''}`;
}

function tableText({ title, columns, rows }: ReportTable, colors: Colors): string {
  const formats = columns.map(({ format }, i) =>
    columnFormat(
      rows.flatMap((row) => {
        const cell = row[i];
        const value = typeof cell === 'object' && cell !== null ? cell.value : cell;
        return typeof value === 'number' ? [value] : [];
      }),
      format,
    ),
  );
  const remark = (label: string, texts: readonly string[]) =>
    texts.every((text) => text === '') ? [] : [[label, ...texts.slice(1)].map(colors.dim)];
  const lines = rows.flatMap((row) => {
    const own = row.map((cell, i) => ownText(cell, formats[i]));
    const published = row.map((cell, i) => publishedText(cell, columns[i].format));
    const range = row.map((cell, i) => rangeText(cell, formats[i]));
    return [own, ...remark('  range', range), ...remark('  published', published)];
  });
  const heads = columns.map(({ title: heading, unit, isHeading }) => ({
    heading: unit === undefined ? heading : `${heading} (${unit})`,
    align: isHeading ? ('left' as const) : ('right' as const),
  }));
  return `${colors.bold(title)}\n${formatTable(heads, lines, colors)}`;
}

function checkText({ sentence, isTrue, evidence }: ReportCheck): string {
  return `${isTrue ? 'yes' : 'NO '}  ${sentence}: ${evidence}`;
}

/** Tables and checks of a study; without a line end. */
export function studyText({ tables, checks, highlights }: Report, colors: Colors): string {
  return [
    ...tables.map((table) => tableText(table, colors)),
    ...(checks.length === 0 ? [] : [checks.map(checkText).join('\n')]),
    highlights.map(({ label, value }) => `${label}: ${value}`).join('; '),
  ].join('\n\n');
}
