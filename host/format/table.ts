/** Tables for a terminal: a bold header, aligned columns, no boxes; and its colours. */

import pc from 'picocolors';

/** A column: its heading, and where its cells stand (default right, as numbers do). */
export interface Column {
  readonly heading: string;
  readonly align?: 'left' | 'right';
  /** Characters in which its cells stand in a table of a given width, on several lines if need be; default as they are. */
  readonly most?: number;
}

const GAP = '  ';
/** Characters that the last column keeps however narrow the table should be. */
const NARROWEST = 24;

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with the escape character
const COLOUR = /\u001b\[[\d;]*m/g;
const MARK = /\p{Mark}/gu;
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/gu;

/** Columns of a terminal that a line of text takes. */
function widthOf(text: string): number {
  const shown = text.replaceAll(COLOUR, '').replaceAll(MARK, '').replaceAll(WIDE, '  ');
  return [...shown].length;
}

function aligned(text: string, width: number, align: 'left' | 'right'): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'left' ? text + blanks : blanks + text;
}

const columnWidths = (rows: readonly (readonly string[])[]) =>
  rows[0].map((_, column) => rows.reduce((most, row) => Math.max(most, widthOf(row[column])), 0));

/** Rows side by side; the words of the last column in as many lines as they need in the rest of a width, if given. */
function align(columns: readonly Column[], rows: readonly (readonly string[])[], width?: number): string {
  const own = columnWidths(rows);
  const widths = width === undefined ? own : own.map((each, i) => Math.min(each, columns[i].most ?? each));
  const last = columns.length - 1;
  const rest = widths.slice(0, -1).reduce((left, other) => left - other - GAP.length, width ?? 0);
  if (width !== undefined) widths[last] = Math.min(widths[last], Math.max(NARROWEST, rest));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => aligned(cell, widths[i], columns[i].align ?? 'right'))
      .join(GAP)
      .trimEnd();
  return rows
    .flatMap((row) => {
      const parts = row.map((cell, i) =>
        width === undefined || (i < last && columns[i].most === undefined)
          ? [cell]
          : wrapText(cell, widths[i]).split('\n'),
      );
      const lines = Math.max(...parts.map(({ length }) => length));
      return Array.from({ length: lines }, (_, i) => line(parts.map((part) => part[i] ?? '')));
    })
    .join('\n');
}

/** Cells under bold headings; without a line end. With a width, the words of the last column are wrapped into it. */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  colors: Colors,
  width?: number,
): string {
  return align(columns, [columns.map(({ heading }) => colors.bold(heading)), ...rows], width);
}

/** Words in lines of at most so many characters; a longer word has a line of its own. */
export function wrapText(text: string, width: number): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1];
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}

/**
 * Label and values side by side: labels to the left, the first value aligned as a number, the rest as text. With a width,
 * the words of the rest are wrapped into it.
 */
export function formatFacts(
  facts: readonly (readonly [label: string, value: string, remark?: string])[],
  colors: Colors,
  width?: number,
): string {
  return align(
    [{ heading: '', align: 'left' }, { heading: '' }, { heading: '', align: 'left' }],
    facts.map(([label, value, remark = '']) => [label, value, remark && colors.dim(remark)]),
    width,
  );
}

/** Functions that colour text, or leave it alone. */
export type Colors = ReturnType<typeof pc.createColors>;

/** Colours, or the same functions doing nothing. */
export function makeColors(enabled: boolean): Colors {
  return pc.createColors(enabled);
}
