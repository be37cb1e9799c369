/**
 * The one model of tables, as plain data that survives JSON: what their cells mean. tableText.ts, tableHtml.ts and
 * tableFiles.ts say how they look in a terminal, on a page, and as CSV, Markdown and LaTeX.
 */
import type { Bounds } from '../draw/figureModel.js';
import { columnFormat, type NumberFormat, valueText } from '../format/numbers.js';

/** A column of a table. */
export interface TableColumn {
  readonly title: string;
  /** Shown after the title, in brackets. */
  readonly unit?: string;
  /** Default: right when the column has a format, else left. */
  readonly align?: 'left' | 'right';
  /** Format of the numbers; default: the shortest form. */
  readonly format?: NumberFormat;
  /** True if its cells name their rows; such columns come first. */
  readonly isHeading?: boolean;
  /** Kind of values that have bounds; default: means. */
  readonly holds?: 'difference';
  /** Kind of the bounds of the column's cells; default: that of the table. */
  readonly bounds?: Bounds;
  /** Characters of its cells in a terminal whose width is known; longer ones take several lines. */
  readonly most?: number;
}

/** A mark behind a value, explained once below the table. */
export interface Sign {
  /** One character, such as `✓`. */
  readonly mark: string;
  /** Meaning in a few words. */
  readonly meaning: string;
  /** True if it is good news or bad; default neither. */
  readonly tone?: 'good' | 'bad';
}

/** A cell with more than a value. Numbers of one cell have one format. */
export interface DetailedCell {
  /** Ours: with several draws the mean. Null if there is none. */
  readonly value: number | string | null;
  /**
   * Value printed in the paper; a text if its number of digits matters (`0.9` in a column of two decimals).
   */
  readonly published?: number | string;
  /** Lower bound of our values over the draws: of their interval, or the least. */
  readonly low?: number;
  /** The upper bound. */
  readonly high?: number;
  /** True if the published value lies inside our bounds, or is reproduced where there is no range. */
  readonly isInside?: boolean;
  /** True if the cell stands out, for instance as the best of its row. */
  readonly isEmphasized?: boolean;
  /** A mark behind the value; with a null value alone in its cell. */
  readonly sign?: Sign;
  /** A remark, shown below the table with a number. */
  readonly note?: string;
}

/** A cell: a text or a number alone, null for one without a value, or a detailed one. */
export type TableCell = string | number | null | DetailedCell;

/** A cell taken apart: one without details has a value alone. */
export function detailed(cell: TableCell): DetailedCell {
  return typeof cell === 'object' && cell !== null ? cell : { value: cell };
}

/** The cell of a value alone, or of a mean with its interval where it has one. */
export function cellOf(value: number | null | { mean: number; low?: number; high?: number }): TableCell {
  if (typeof value === 'number' || value === null) return value;
  const { mean, low, high } = value;
  return low === undefined || high === undefined ? mean : { value: mean, low, high };
}

/** A table; every row has one cell per column. */
export interface Table {
  /** Letters, digits and dashes, beginning with a letter; unique among the tables of a report. */
  readonly id: string;
  /** May be empty where the text around a table says what it is. */
  readonly title: string;
  /** Caption: meaning and source of the numbers; may be empty. */
  readonly caption: string;
  /** Long times of the table in hours and days, if its numbers are seconds: `2 h 12 min to 6 h 14 min`. */
  readonly times?: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly TableCell[])[];
  /** True if the last row sums up the others, and stays below them however they are sorted. */
  readonly hasTotal?: boolean;
  /** Kind of the bounds of cells; default: the range. */
  readonly bounds?: Bounds;
  /**
   * Place of the details of its cells on a terminal: in lines below each row, or the bounds in a column beside their
   * value; default below.
   */
  readonly details?: 'below' | 'beside';
}

/** One of the numbers of a detailed cell. */
export type CellPart = 'published' | 'value' | 'low' | 'high';

/** The parts that some cell of a table has, in the order in which they are shown. */
export function partsOf({ rows }: Table): CellPart[] {
  const cells = rows.flat().map(detailed);
  return (['published', 'value', 'low', 'high'] as const).filter(
    (part) => part === 'value' || cells.some((cell) => cell[part] !== undefined),
  );
}

/** Name of a part of cells in a table, or in one of its columns. */
export function partName(
  part: CellPart,
  parts: readonly CellPart[],
  table: Pick<Table, 'bounds'>,
  column: Pick<TableColumn, 'bounds' | 'holds'> = {},
): string {
  if (part === 'value') return column.holds ?? (parts.includes('low') ? 'mean' : 'reproduced');
  if (part === 'published') return part;
  const bounds = column.bounds ?? table.bounds ?? 'range';
  if (bounds === 'quartiles') return part === 'low' ? 'lower quartile' : 'upper quartile';
  if (bounds === 'range') return part === 'low' ? 'min' : 'max';
  return part;
}

/** Kind of bounds and values that all columns with parts have in common. */
export function commonOf(table: Table): Pick<TableColumn, 'bounds' | 'holds'> {
  const columns = table.columns.filter((_, i) => hasParts(table, i));
  const [first] = columns;
  const isCommon = (key: 'bounds' | 'holds') => columns.every((column) => column[key] === first?.[key]);
  return {
    ...(first?.holds !== undefined && isCommon('holds') ? { holds: first.holds } : {}),
    ...(first?.bounds !== undefined && isCommon('bounds') ? { bounds: first.bounds } : {}),
  };
}

const BOUNDS_NAMES: Readonly<Record<Bounds, string>> = {
  interval: '95 % interval',
  rough: 'rough interval',
  joint: 'joint limits',
  range: 'range',
  quartiles: 'quartiles',
};

/** Name of the bounds of a table, or of one of its columns. */
export function boundsName(table: Pick<Table, 'bounds'>, column: Pick<TableColumn, 'bounds'> = {}): string {
  return BOUNDS_NAMES[column.bounds ?? table.bounds ?? 'range'];
}

/** True if cells of a column have more parts than their value. */
export function hasParts({ rows }: Table, column: number): boolean {
  return rows.some((row) => {
    const { published, low, high } = detailed(row[column]!);
    return published !== undefined || low !== undefined || high !== undefined;
  });
}

/** True if numbers of two columns may be compared: measures in the same unit. */
const areComparable = (a: TableColumn, b: TableColumn) =>
  a.format?.style === 'measure' && b.format?.style === 'measure' && a.unit === b.unit && a.holds === b.holds;

/**
 * Columns in which a row of small numbers beside rows of large ones would show two different numbers as one, since all numbers
 * of a column have the decimals of its largest.
 * @param formatted the columns with such formats.
 */
function coarseColumns({ columns, rows }: Table, formatted: readonly TableColumn[]): TableColumn[] {
  const isHidden = (row: readonly TableCell[], i: number, j: number) => {
    const [a, b] = [detailed(row[i]!).value, detailed(row[j]!).value];
    const text = (value: typeof a, column: TableColumn) => partText(value, column.format);
    return text(a, formatted[i]!) === text(b, formatted[j]!) && text(a, columns[i]!) !== text(b, columns[j]!);
  };
  return columns.filter((column, i) =>
    columns.some(
      (other, j) => i !== j && areComparable(column, other) && rows.some((row) => isHidden(row, i, j)),
    ),
  );
}

/**
 * The table with formats by which the numbers of a column have as many decimals everywhere as help; each number has its own where
 * different numbers of a row would else look equal.
 */
export function withFormats(table: Table): Table {
  const formatted = table.columns.map((column, i) => {
    const values = table.rows.flatMap((row) => {
      const { value, published, low, high } = detailed(row[i]!);
      return [value, published, low, high].filter((part) => typeof part === 'number');
    });
    const format = columnFormat(values, column.format);
    return format === undefined ? column : { ...column, format };
  });
  const coarse = coarseColumns(table, formatted);
  const columns = table.columns.map((column, i) =>
    coarse.some((each) => areComparable(each, column)) ? column : formatted[i]!,
  );
  return { ...table, columns };
}

/** Alignment of the cells of a column. */
export function alignOf({ align, format }: TableColumn): 'left' | 'right' {
  return align ?? (format === undefined ? 'left' : 'right');
}

/** The title of a column with its unit: `wait [s]`. */
export function titleOf({ title, unit }: TableColumn): string {
  return unit === undefined ? title : `${title} [${unit}]`;
}

/** Text of a missing value. */
const NOTHING = '\u2013';

/** A part of a cell as a person reads it; a dash if there is none. */
export function partText(content: number | string | null | undefined, format?: NumberFormat): string {
  if (content == null || (typeof content === 'number' && !Number.isFinite(content))) return NOTHING;
  return typeof content === 'number' ? valueText(content, format) : content;
}

/** Bounds of a cell: `1.2 to 3.4 %`; empty without bounds. */
export function boundsText({ low, high }: DetailedCell, format?: NumberFormat, between = ' to '): string {
  if (low === undefined || high === undefined) return '';
  const [from, to] = [partText(low, format), partText(high, format)];
  // Shares say their percent sign once.
  return `${/\s%$/.test(to) ? from.replace(/\s%$/, '') : from}${between}${to}`;
}

/** The two signs behind published values: of ranges over draws, or of single numbers. */
function publishedSigns(table: Table): { readonly good: Sign; readonly bad: Sign } {
  const [good, bad] = partsOf(table).includes('low')
    ? ['inside', 'outside']
    : ['reproduced', 'not reproduced'];
  return { good: { mark: '✓', meaning: good, tone: 'good' }, bad: { mark: '✗', meaning: bad, tone: 'bad' } };
}

/** The sign behind a part of a cell. */
export function signOf(table: Table, { isInside, sign }: DetailedCell, part: CellPart): Sign | undefined {
  if (part === 'value') return sign;
  if (part !== 'published' || isInside === undefined) return undefined;
  const { good, bad } = publishedSigns(table);
  return isInside ? good : bad;
}

/** Every sign of a table once: those behind published values first, both of them where there is one. */
export function signsOf(table: Table): Sign[] {
  const cells = table.rows.flat().map(detailed);
  const { good, bad } = publishedSigns(table);
  const published = cells.some(({ isInside }) => isInside !== undefined) ? [good, bad] : [];
  const own = new Map(cells.flatMap(({ sign }) => (sign === undefined ? [] : [[sign.mark, sign] as const])));
  return [...published, ...own.values()];
}

/** Number of published values of tables, and of those inside our bounds, or reproduced. */
export function countInside(tables: readonly Table[]): {
  readonly inside: number;
  readonly published: number;
} {
  const cells = tables.flatMap(({ rows }) => rows.flat().map(detailed));
  const compared = cells.filter(({ published }) => published !== undefined);
  return { inside: compared.filter(({ isInside }) => isInside === true).length, published: compared.length };
}

/** `3 of 4 published values are reproduced`; empty if nothing was published. */
export function insideText(table: Table): string {
  const { inside, published } = countInside([table]);
  if (published === 0) return '';
  const bounds = (table.bounds ?? 'range') === 'range' ? 'range of the replications' : boundsName(table);
  const relation = partsOf(table).includes('low') ? `lie inside the ${bounds}` : 'are reproduced';
  return `${inside} of ${published} published values ${relation}`;
}

/** The remarks of a table, each once, in the order in which they are met: their numbers count from 1. */
export function notesOf({ rows }: Table): string[] {
  return [...new Set(rows.flat().flatMap((cell) => detailed(cell).note ?? []))];
}
