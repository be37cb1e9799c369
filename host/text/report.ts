/** A report for a terminal: its tables, with what was published below each number, and its checks. */

import {
  type DetailedCell,
  detailed,
  type Report,
  type ReportCheck,
  type ReportTable,
} from '../draw/types.js';
import { columnFormat, valueText } from '../format/numbers.js';
import { type Colors, formatTable } from '../format/table.js';

/** Characters of a line of text. */
const TEXT_WIDTH = 80;

type Format = Parameters<typeof valueText>[1];

function ownText({ value }: DetailedCell, format: Format): string {
  if (value === null) return '';
  return typeof value === 'number' ? valueText(value, format) : value;
}

function rangeText({ low, high }: DetailedCell, format: Format): string {
  if (low === undefined || high === undefined) return '';
  return `${valueText(low, format)} .. ${valueText(high, format)}`;
}

function publishedText({ published, isInside }: DetailedCell, format: Format): string {
  if (published === undefined) return '';
  return `${typeof published === 'number' ? valueText(published, format) : published}${isInside ? ' *' : ''}`;
}

function tableText({ title, columns, rows: given, bounds }: ReportTable, colors: Colors): string {
  const rows = given.map((row) => row.map(detailed));
  const formats = columns.map(({ format }, i) =>
    columnFormat(
      rows.flatMap((row) => (typeof row[i].value === 'number' ? [row[i].value] : [])),
      format,
    ),
  );
  const remark = (label: string, texts: readonly string[]) =>
    texts.every((text) => text === '') ? [] : [[label, ...texts.slice(1)].map(colors.dim)];
  const lines = rows.flatMap((row) => {
    const own = row.map((cell, i) => {
      const text = ownText(cell, formats[i]);
      return cell.isEmphasized ? colors.bold(text) : text;
    });
    const published = row.map((cell, i) => publishedText(cell, columns[i].format));
    const range = row.map((cell, i) => rangeText(cell, formats[i]));
    return [
      own,
      ...remark(bounds === 'interval' ? '  95 % interval' : '  range', range),
      ...remark('  published', published),
    ];
  });
  const heads = columns.map(({ title: heading, unit, isHeading, align }) => ({
    heading: unit === undefined ? heading : `${heading} (${unit})`,
    align: align ?? (isHeading ? 'left' : 'right'),
  }));
  const stars = rows.flat().some(({ isInside }) => isInside === true)
    ? colors.dim(
        `\n* ${rows.flat().some(({ low }) => low !== undefined) ? `inside the ${bounds ?? 'range'}` : 'reproduced'}`,
      )
    : '';
  return `${colors.bold(title)}\n${formatTable(heads, lines, colors)}${stars}`;
}

function checkText({ sentence, isTrue, evidence }: ReportCheck): string {
  return `${isTrue ? 'confirmed    ' : 'NOT CONFIRMED'}  ${sentence}${evidence === '' ? '' : `: ${evidence}`}`;
}

/** Facts on one line, or where that is too long each on its own. */
function highlightText(highlights: Report['highlights']): string {
  const facts = highlights.map(({ label, value }) => `${label}: ${value}`);
  const line = facts.join('; ');
  return line.length <= TEXT_WIDTH ? line : facts.join('\n');
}

/** Tables, checks and highlights of a report; without a line end. */
export function reportText({ tables, checks, highlights }: Report, colors: Colors): string {
  const parts = [
    ...tables.map((table) => tableText(table, colors)),
    checks.map(checkText).join('\n'),
    highlightText(highlights),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}
