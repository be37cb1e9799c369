/** Tables for a terminal: a ruled header, aligned columns, no boxes. */
import Table from 'cli-table3';
import type { Colors } from './colors.js';

/** A column: its heading, and where its cells stand (default right, as numbers do). */
export interface Column {
  readonly heading: string;
  readonly align?: 'left' | 'right';
}

const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

function bare(columns: readonly Column[], lastWidth?: number): Table.Table {
  const unlimited = columns.slice(1).map(() => null);
  return new Table({
    ...(lastWidth === undefined ? {} : { colWidths: [...unlimited, lastWidth], wordWrap: true }),
    chars: NO_LINES,
    colAligns: columns.map(({ align }) => align ?? 'right'),
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
}

function trimmed(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Characters that the last column keeps however narrow the table should be. */
const NARROWEST = 24;

/** What is left of a width for the last column, behind the others and the gaps. */
function widthOfLast(rows: readonly (readonly string[])[], width: number): number {
  const others = rows[0].slice(0, -1).map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return Math.max(
    NARROWEST,
    others.reduce((left, other) => left - other - NO_LINES.middle.length, width),
  );
}

/** Cells under bold headings; without a line end. With a width, the words of the last column are wrapped into it. */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  colors: Colors,
  width?: number,
): string {
  const headings = columns.map(({ heading }) => heading);
  const table = bare(columns, width === undefined ? undefined : widthOfLast([headings, ...rows], width));
  table.push(
    headings.map((heading) => colors.bold(heading)),
    ...rows.map((row) => [...row]),
  );
  return trimmed(table.toString());
}

/** Words in lines of at most so many characters; a longer word has a line of its own. */
export function wrapText(text: string, width: number): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1];
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}

/** Label and values side by side: labels to the left, the first value aligned as a number, the rest as text. */
export function formatFacts(
  facts: readonly (readonly [label: string, value: string, remark?: string])[],
  colors: Colors,
): string {
  const table = bare([{ heading: '', align: 'left' }, { heading: '' }, { heading: '', align: 'left' }]);
  table.push(...facts.map(([label, value, remark = '']) => [label, value, remark && colors.dim(remark)]));
  return trimmed(table.toString());
}
