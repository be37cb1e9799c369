/** Tables for a terminal: a bold header, aligned columns, no boxes; and its colours. */
import pc from 'picocolors';
import { firstOf } from '../lists.js';
import {
  alignOf,
  boundsName,
  boundsText,
  type CellPart,
  commonOf,
  type DetailedCell,
  detailed,
  notesOf,
  partText,
  signOf,
  signsOf,
  type Table,
  titleOf,
  withFormats,
} from './table.js';

/** A column: its heading, and where its cells are (default right, as numbers do). */
export interface Column {
  readonly heading: string;
  readonly align?: 'left' | 'right';
  /** Characters in which its cells are in a table of a given width, on several lines if need be; default as they are. */
  readonly most?: number;
}

/** Characters in a line that is no wider than any terminal. */
export const LINE = 80;

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
  firstOf(rows).map((_, column) => rows.reduce((most, row) => Math.max(most, widthOf(row[column]!)), 0));

/** Rows side by side; the words of the last column in as many lines as they need in the rest of a width, if given. */
function align(columns: readonly Column[], rows: readonly (readonly string[])[], width?: number): string {
  const own = columnWidths(rows);
  const widths = width === undefined ? own : own.map((each, i) => Math.min(each, columns[i]!.most ?? each));
  const last = columns.length - 1;
  const rest = widths.slice(0, -1).reduce((left, other) => left - other - GAP.length, width ?? 0);
  if (width !== undefined) widths[last] = Math.min(widths[last]!, Math.max(NARROWEST, rest));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => aligned(cell, widths[i]!, columns[i]!.align ?? 'right'))
      .join(GAP)
      .trimEnd();
  return rows
    .flatMap((row) => {
      const parts = row.map((cell, i) => {
        if (width === undefined || (i < last && columns[i]!.most === undefined)) return [cell];
        return i === 0 ? indented(cell, widths[i]!) : wrapText(cell, widths[i]!).split('\n');
      });
      const lines = Math.max(...parts.map(({ length }) => length));
      return Array.from({ length: lines }, (_, i) => line(parts.map((part) => part[i] ?? '')));
    })
    .join('\n');
}

/** Headings in lines: in one where the table fits a width, else in as many as make its columns narrow enough. */
function headingLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width = Infinity,
): string[][] {
  const headings = columns.map(({ heading }) => heading);
  const total = (widths: readonly number[]) =>
    widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length);
  const own = rows.length === 0 ? headings.map(() => 0) : columnWidths(rows);
  const bodies = width === Infinity ? own : own.map((each, i) => Math.min(each, columns[i]!.most ?? each));
  if (total(bodies.map((body, i) => Math.max(body, widthOf(headings[i]!)))) <= width) return [headings];
  const broken = headings.map((heading, i) => {
    const words = heading.split(' ').map(widthOf);
    return wrapText(heading, Math.max(bodies[i]!, ...words)).split('\n');
  });
  const height = Math.max(...broken.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    broken.map((lines) => lines[line - height + lines.length] ?? ''),
  );
}

/**
 * Cells under bold headings; without a line end. With a width, headings that are too long take several lines, and the words
 * of the last column are wrapped into it.
 */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  colors: Colors,
  width?: number,
): string {
  const heads = headingLines(columns, rows, width).map((line) =>
    line.map((heading) => (heading === '' ? '' : colors.bold(heading))),
  );
  return align(columns, [...heads, ...rows], width);
}

/** A text in lines of at most this many characters, those behind the first with two blanks before. */
function indented(text: string, width: number): string[] {
  if (widthOf(text) <= width) return [text];
  const [first = '', ...rest] = wrapText(text, width - 2).split('\n');
  return [first, ...rest.map((line) => `  ${line}`)];
}

/** Columns of text narrowed in turn, from the right, as far as a table of a width needs it, but not below a word. */
function narrowed(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): Column[] {
  const own = columnWidths([columns.map(({ heading }) => heading), ...rows]);
  let over = own.reduce((sum, each) => sum + each + GAP.length, -GAP.length) - width;
  const found = [...columns];
  for (let i = columns.length - 1; i >= 0 && over > 0; i--) {
    const column = columns[i]!;
    if (column.align !== 'left') continue;
    const words = rows.flatMap((row) => row[i]!.split(' ').map((word) => widthOf(word) + (i === 0 ? 2 : 0)));
    const most = Math.max(own[i]! - over, widthOf(column.heading), ...words);
    over -= own[i]! - most;
    found[i] = { ...column, most };
  }
  return found;
}

/** Columns of a terminal that the widest line of a text takes. */
const widestLine = (text: string) =>
  text.split('\n').reduce((most, line) => Math.max(most, widthOf(line)), 0);

/** Function that fits columns into a width, given their rows. */
type Fit = (columns: readonly Column[], rows: readonly (readonly string[])[]) => readonly Column[];

/**
 * A table as `formatTable` has it, or several below each other where it is too wide: each with the first groups of columns,
 * which name the rows, and some of the others. Columns of a group stay side by side.
 */
function folded(
  groups: readonly (readonly Column[])[],
  headings: number,
  rows: readonly (readonly string[])[],
  colors: Colors,
  width: number | undefined,
  narrow: Fit = (columns) => columns,
): string {
  const flat = groups.flatMap((own, i) => own.map((column) => ({ column, of: i })));
  const textOf = (chosen: readonly number[]) => {
    const places = flat.flatMap(({ of }, place) => (chosen.includes(of) ? [place] : []));
    const shown = rows.map((row) => places.map((place) => row[place]!));
    const columns = places.map((place) => flat[place]!.column);
    return formatTable(narrow(columns, shown), shown, colors, width);
  };
  const most = width ?? Infinity;
  const all = groups.map((_, i) => i);
  const whole = textOf(all);
  if (headings === 0 || widestLine(whole) <= most) return whole;
  const names = all.slice(0, headings);
  const widths = new Map<string, number>();
  const widthWith = (chosen: readonly number[]) => {
    const key = chosen.join();
    const known = widths.get(key) ?? widestLine(textOf([...names, ...chosen]));
    widths.set(key, known);
    return known;
  };
  const partsWithin = (limit: number) => {
    const parts: number[][] = [];
    for (const i of all.slice(headings)) {
      const last = parts[parts.length - 1];
      if (last !== undefined && widthWith([...last, i]) <= limit) last.push(i);
      else parts.push([i]);
    }
    return parts;
  };
  // As few parts as possible, of about equal width.
  let parts = partsWithin(most);
  for (let limit = most - 1; limit > 0; limit--) {
    const narrower = partsWithin(limit);
    if (narrower.length > parts.length) break;
    parts = narrower;
  }
  return parts.map((part) => textOf([...names, ...part])).join('\n\n');
}

/** Columns narrowed to 80 characters where their headings, which may be broken, are not what is too wide. */
function fitted(columns: readonly Column[], rows: readonly (readonly string[])[]): Column[] {
  const word = (heading: string) => heading.split(' ').reduce((a, b) => (b.length > a.length ? b : a));
  const words = columns.map((column) => ({ ...column, heading: word(column.heading) }));
  return narrowed(words, rows, LINE).map((column, i) => ({ ...column, heading: columns[i]!.heading }));
}

/**
 * A table in 80 columns, whose first column names the rows: names are broken at blanks where there is no room for them, and
 * columns for which that is not enough follow below. A column without a heading stays beside the one before it.
 */
export function fittedTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  colors: Colors,
): string {
  const groups: Column[][] = [];
  for (const column of columns) {
    const last = groups[groups.length - 1];
    if (column.heading === '' && last !== undefined) last.push(column);
    else groups.push([column]);
  }
  return folded(groups, 1, rows, colors, LINE, fitted);
}

/** Words in lines of at most this many characters; a longer word has a line of its own, and no line begins with `%`. */
export function wrapText(text: string, width: number): string {
  const lines = [''];
  for (const word of text.split(/ (?!%)/)) {
    const line = lines[lines.length - 1]!;
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}

export const wrapped = (sentence: string) => wrapText(sentence, LINE);

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

/** A column on a terminal; a column of a table may become several. */
interface TextColumn extends Column {
  readonly text: (cell: DetailedCell) => string;
}

/** Text with plain blanks, which a terminal may break at and which can be searched for. */
const printable = (text: string) => text.replaceAll('\u00a0', ' ');

/** Between the bounds of a cell. */
const TO = ' .. ';

/** A part of a cell with its sign; where others of its column have one, room for it, so that numbers align. */
function signed(table: Table, index: number, cell: DetailedCell, part: CellPart): string {
  const content = cell[part];
  const sign = signOf(table, cell, part);
  if (content === undefined || (content === null && sign !== undefined)) return sign?.mark ?? '';
  const text = partText(content, table.columns[index]!.format);
  const hasSigns = table.rows.some((row) => {
    const other = detailed(row[index]!);
    return other.value !== null && signOf(table, other, part) !== undefined;
  });
  return hasSigns ? `${text} ${sign?.mark ?? ' '}` : text;
}

function textColumns(table: Table, index: number, colors: Colors): TextColumn[] {
  const column = table.columns[index]!;
  const { most } = column;
  const own: TextColumn = {
    heading: titleOf(column),
    align: alignOf(column),
    ...(most === undefined ? {} : { most }),
    text: (cell) => {
      const number = cell.note === undefined ? '' : ` (${notesOf(table).indexOf(cell.note) + 1})`;
      const text = signed(table, index, cell, 'value') + number;
      const colored = cell.sign?.tone === 'good' ? colors.green(text) : text;
      return cell.isEmphasized ? colors.bold(colored) : colored;
    },
  };
  const hasBounds = table.rows.some((row) => detailed(row[index]!).low !== undefined);
  if (table.details !== 'beside' || !hasBounds) return [own];
  return [own, { heading: boundsName(table, column), text: (cell) => boundsText(cell, column.format, TO) }];
}

/** The lines of details below a row, dim, each after its name. */
function detailLines(
  table: Table,
  row: readonly DetailedCell[],
  columns: readonly TextColumn[][],
  colors: Colors,
) {
  const { columns: own, details } = table;
  const bounds = row.map((cell, i) => (details === 'beside' ? '' : boundsText(cell, own[i]!.format, TO)));
  const published = row.map((cell, i) => signed(table, i, cell, 'published'));
  const line = (name: string, texts: readonly string[]) =>
    texts.every((text) => text === '')
      ? []
      : [
          texts
            .flatMap((text, i) => [i === 0 ? `  ${name}` : text, ...columns[i]!.slice(1).map(() => '')])
            .map(colors.dim),
        ];
  return [...line(boundsName(table, commonOf(table)), bounds), ...line('published', published)];
}

/**
 * A table for a terminal: its title in bold, its rows with their details, its notes and what its signs mean.
 * @param width of the terminal, if given: headings and the words of the last column are wrapped into it, and columns that
 *   there is no room for follow below, beside the headings of the rows.
 */
export function tableText(input: Table, colors: Colors, width?: number): string {
  const table = withFormats(input);
  const columns = table.columns.map((_, i) => textColumns(table, i, colors));
  const headings = table.columns.filter(({ isHeading }) => isHeading).length;
  const lines = table.rows.flatMap((cells) => {
    const row = cells.map(detailed);
    const own = row.flatMap((cell, i) => columns[i]!.map(({ text }) => text(cell)));
    return [own, ...detailLines(table, row, columns, colors)];
  });
  const signs = signsOf(table).map(({ mark, meaning }) => `${mark} ${meaning}`);
  const below = [
    ...notesOf(table).map((note, i) => `(${i + 1}) ${note}`),
    ...(signs.length > 0 ? [signs.join(', ')] : []),
  ];
  const shown = lines.map((line) => line.map(printable));
  return [
    ...(table.title === '' ? [] : [colors.bold(wrapText(table.title, width ?? Infinity))]),
    ...(table.times === undefined ? [] : [wrapText(table.times, width ?? Infinity)]),
    folded(columns, headings, shown, colors, width),
    ...below.map((text) => colors.dim(wrapText(text, width ?? Infinity))),
  ].join('\n');
}
