/**
 * Data model of tables, storable as JSON. Other modules render tables for terminals, pages, CSV, Markdown
 * and LaTeX.
 */
import type { BoundsKind } from '../draw/figureModel.js';
import { findCommonColumnFormat, formatValue, type NumberFormat } from '../format/numbers.js';

/** A column of a table. */
export interface TableColumn {
  readonly title: string;
  /** Unit, shown after the title in brackets. */
  readonly unit?: string;
  /** Default: right if the column has a number format, otherwise left. */
  readonly align?: 'left' | 'right';
  /** Format of the numbers; default: the shortest form. */
  readonly format?: NumberFormat;
  /** True if the cells name their rows; such columns come first. */
  readonly isHeading?: boolean;
  /** Meaning of the values with confidence limits in this column; default: means of one method. */
  readonly holds?: 'difference';
  /** Kind of bounds of this column; default: that of the table. */
  readonly bounds?: BoundsKind;
  /** Largest width in characters on a terminal of known width; longer cells are wrapped. */
  readonly most?: number;
}

/** Mark behind a value, explained once below the table. */
export interface CellSign {
  /** One character, such as `✓`. */
  readonly mark: string;
  /** Meaning in a few words. */
  readonly meaning: string;
  /** Tone of the mark: good or bad news; absent: neither. */
  readonly tone?: 'good' | 'bad';
}

/** Cell with details besides its value. All numbers of a cell share one format. */
export interface DetailedCell {
  /**
   * Value of this package, next to a published one; with several replications their mean. Null if there is no
   * value.
   */
  readonly value: number | string | null;
  /**
   * Value printed in the paper; as text if its number of digits matters (`0.9` in a column with two
   * decimals).
   */
  readonly published?: number | string;
  /** Lower bound over the replications: lower limit of the interval, lower quartile, or minimum. */
  readonly low?: number;
  /** Upper bound over the replications: upper limit of the interval, upper quartile, or maximum. */
  readonly high?: number;
  /**
   * True if the published value lies within the bounds or, without bounds, equals the value of this package.
   */
  readonly isInside?: boolean;
  /** True if the cell is emphasized, for example as the best of its row. */
  readonly isEmphasized?: boolean;
  /** Mark behind the value, or alone if the value is null. */
  readonly sign?: CellSign;
  /** Remark, shown as a numbered note below the table. */
  readonly note?: string;
}

/** Table cell: text, number, null (no value), or a cell with details. */
export type TableCell = string | number | null | DetailedCell;

/** Converts any cell to a detailed cell. */
export function toDetailedCell(cell: TableCell): DetailedCell {
  return typeof cell === 'object' && cell !== null ? cell : { value: cell };
}

/** Table cell of a number, or of a mean with its interval; null: no value. */
export function makeCellOfValue(
  cellValue: number | null | { mean: number; low?: number; high?: number },
): TableCell {
  if (typeof cellValue === 'number' || cellValue === null) return cellValue;
  const { mean, low, high } = cellValue;
  return low === undefined || high === undefined ? mean : { value: mean, low, high };
}

/** Table; every row has one cell per column. */
export interface Table {
  /** Identifier of letters, digits and dashes, starting with a letter; unique within a report. */
  readonly id: string;
  /** Title; may be empty if the surrounding text introduces the table. */
  readonly title: string;
  /** Caption: meaning and source of the numbers; may be empty. */
  readonly caption: string;
  /** Range of the table's times in readable units, if its numbers are seconds: `2 h 12 min to 6 h 14 min`. */
  readonly times?: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly TableCell[])[];
  /** True if the last row contains totals and stays last when the table is sorted. */
  readonly hasTotal?: boolean;
  /** Kind of bounds of the cells; default: `range`. */
  readonly bounds?: BoundsKind;
  /**
   * Placement of cell details on a terminal: in lines below each row, or beside the value; default: below.
   */
  readonly details?: 'below' | 'beside';
}

/** Name of one number in a detailed cell. */
export type TableCellPart = 'published' | 'value' | 'low' | 'high';

/** Cell parts that occur in a table, in display order. */
export function listCellPartsOfTable({ rows: tableRows }: Table): TableCellPart[] {
  const detailedCells = tableRows.flat().map(toDetailedCell);
  return (['published', 'value', 'low', 'high'] as const).filter(
    (cellPart) => cellPart === 'value' || detailedCells.some((cell) => cell[cellPart] !== undefined),
  );
}

/** Display name of a cell part, in a table or one of its columns. */
export function chooseDisplayNameOfCellPart(
  cellPart: TableCellPart,
  cellParts: readonly TableCellPart[],
  table: Pick<Table, 'bounds'>,
  column: Pick<TableColumn, 'bounds' | 'holds'> = {},
): string {
  if (cellPart === 'value') return column.holds ?? (cellParts.includes('low') ? 'mean' : 'reproduced');
  if (cellPart === 'published') return cellPart;
  const boundsKind = column.bounds ?? table.bounds ?? 'range';
  if (boundsKind === 'quartiles') return cellPart === 'low' ? 'lower quartile' : 'upper quartile';
  if (boundsKind === 'range') return cellPart === 'low' ? 'min' : 'max';
  return cellPart;
}

/** Kind of bounds and of values, as far as all columns with details of a table agree on them. */
export function findCommonColumnDescription(table: Table): Pick<TableColumn, 'bounds' | 'holds'> {
  const tableColumns = table.columns.filter((_, i) => hasDetailedCells(table, i));
  const [firstColumn] = tableColumns;
  const isCommonToAllColumns = (descriptionKey: 'bounds' | 'holds') =>
    tableColumns.every((tableColumn) => tableColumn[descriptionKey] === firstColumn?.[descriptionKey]);
  return {
    ...(firstColumn?.holds !== undefined && isCommonToAllColumns('holds')
      ? { holds: firstColumn.holds }
      : {}),
    ...(firstColumn?.bounds !== undefined && isCommonToAllColumns('bounds')
      ? { bounds: firstColumn.bounds }
      : {}),
  };
}

const BOUNDS_DISPLAY_NAMES: Readonly<Record<BoundsKind, string>> = {
  interval: '95 % interval',
  rough: 'rough interval',
  joint: 'joint limits',
  range: 'range',
  quartiles: 'quartiles',
};

/** Display name of the bounds of a table or column. */
export function boundsDisplayName(
  table: Pick<Table, 'bounds'>,
  column: Pick<TableColumn, 'bounds'> = {},
): string {
  return BOUNDS_DISPLAY_NAMES[column.bounds ?? table.bounds ?? 'range'];
}

/** True if a column has cells with more parts than their value. */
export function hasDetailedCells({ rows: tableRows }: Table, column: number): boolean {
  return tableRows.some((cellRow) => {
    const { published, low, high } = toDetailedCell(cellRow[column]!);
    return published !== undefined || low !== undefined || high !== undefined;
  });
}

/** True if two columns are measurements in the same unit, so that readers may compare their numbers. */
const areColumnsComparable = (a: TableColumn, b: TableColumn) =>
  a.format?.style === 'measure' && b.format?.style === 'measure' && a.unit === b.unit && a.holds === b.holds;

/**
 * Columns in which rounding by the column's format would make two different small numbers of a row look
 * equal.
 * @param formattedColumns the columns with such formats.
 */
function coarsenColumnFormats(
  { columns: tableColumns, rows: tableRows }: Table,
  formattedColumns: readonly TableColumn[],
): TableColumn[] {
  const wouldFormatHideDifference = (cellRow: readonly TableCell[], i: number, j: number) => {
    const [a, b] = [toDetailedCell(cellRow[i]!).value, toDetailedCell(cellRow[j]!).value];
    const formatValueOf = (cellValue: typeof a, tableColumn: TableColumn) =>
      formatCellPart(cellValue, tableColumn.format);
    return (
      formatValueOf(a, formattedColumns[i]!) === formatValueOf(b, formattedColumns[j]!) &&
      formatValueOf(a, tableColumns[i]!) !== formatValueOf(b, tableColumns[j]!)
    );
  };
  return tableColumns.filter((tableColumn, i) =>
    tableColumns.some(
      (otherColumn, j) =>
        i !== j &&
        areColumnsComparable(tableColumn, otherColumn) &&
        tableRows.some((cellRow) => wouldFormatHideDifference(cellRow, i, j)),
    ),
  );
}

/**
 * Table with number formats: one number of decimals per column, unless different numbers of a row would
 * then look equal.
 */
export function addColumnFormats(table: Table): Table {
  const formattedColumns = table.columns.map((tableColumn, i) => {
    const columnValues = table.rows.flatMap((cellRow) => {
      const { value: cellValue, published, low, high } = toDetailedCell(cellRow[i]!);
      return [cellValue, published, low, high].filter((part) => typeof part === 'number');
    });
    const numberFormat = findCommonColumnFormat(columnValues, tableColumn.format);
    return numberFormat === undefined ? tableColumn : { ...tableColumn, format: numberFormat };
  });
  const coarsenedColumns = coarsenColumnFormats(table, formattedColumns);
  const tableColumns = table.columns.map((tableColumn, i) =>
    coarsenedColumns.some((coarsenedColumn) => areColumnsComparable(coarsenedColumn, tableColumn))
      ? tableColumn
      : formattedColumns[i]!,
  );
  return { ...table, columns: tableColumns };
}

/** Alignment of the cells of a column. */
export function chooseAlignmentOfColumn({ align, format }: TableColumn): 'left' | 'right' {
  return align ?? (format === undefined ? 'left' : 'right');
}

/** Title of a column with its unit, such as `wait [s]`. */
export function formatColumnTitleWithUnit({ title: columnTitle, unit: columnUnit }: TableColumn): string {
  return columnUnit === undefined ? columnTitle : `${columnTitle} [${columnUnit}]`;
}

/** Text of a missing value. */
const MISSING_VALUE_SIGN = '\u2013';

/** Text of a cell part; a dash if it is missing. */
export function formatCellPart(
  content: number | string | null | undefined,
  numberFormat?: NumberFormat,
): string {
  if (content == null || (typeof content === 'number' && !Number.isFinite(content)))
    return MISSING_VALUE_SIGN;
  return typeof content === 'number' ? formatValue(content, numberFormat) : content;
}

/** Text of a cell's bounds, such as `1.2 to 3.4 %`; empty without bounds. */
export function formatCellBounds(
  { low, high }: DetailedCell,
  numberFormat?: NumberFormat,
  between = ' to ',
): string {
  if (low === undefined || high === undefined) return '';
  const [fromText, toText] = [formatCellPart(low, numberFormat), formatCellPart(high, numberFormat)];
  // The percent sign is written only after the upper bound.
  return `${/\s%$/.test(toText) ? fromText.replace(/\s%$/, '') : fromText}${between}${toText}`;
}

/** Marks printed behind published values: ✓ if the value is reproduced, ✗ if not. */
function makeSignsOfPublishedValues(table: Table): { readonly good: CellSign; readonly bad: CellSign } {
  const [goodMeaning, badMeaning] = listCellPartsOfTable(table).includes('low')
    ? ['inside', 'outside']
    : ['reproduced', 'not reproduced'];
  return {
    good: { mark: '✓', meaning: goodMeaning, tone: 'good' },
    bad: { mark: '✗', meaning: badMeaning, tone: 'bad' },
  };
}

/**
 * Mark printed behind the value or the published value of a cell, such as ✓ if the published value is
 * reproduced; undefined if none.
 */
export function chooseSignOfCellPart(
  table: Table,
  { isInside, sign: cellSign }: DetailedCell,
  cellPart: TableCellPart,
): CellSign | undefined {
  if (cellPart === 'value') return cellSign;
  if (cellPart !== 'published' || isInside === undefined) return undefined;
  const { good, bad } = makeSignsOfPublishedValues(table);
  return isInside ? good : bad;
}

/**
 * All marks printed in a table, each once. The marks of published values come first: ✓ and ✗, if any value
 * was compared with a published one.
 */
export function collectSignsOfTable(table: Table): CellSign[] {
  const detailedCells = table.rows.flat().map(toDetailedCell);
  const { good, bad } = makeSignsOfPublishedValues(table);
  const publishedValueSigns = detailedCells.some(({ isInside }) => isInside !== undefined) ? [good, bad] : [];
  const signsByMark = new Map(
    detailedCells.flatMap(({ sign: cellSign }) =>
      cellSign === undefined ? [] : [[cellSign.mark, cellSign] as const],
    ),
  );
  return [...publishedValueSigns, ...signsByMark.values()];
}

/** Counts the published values of tables, and those that were reproduced. */
export function countReproducedValues(tables: readonly Table[]): {
  readonly inside: number;
  readonly published: number;
} {
  const detailedCells = tables.flatMap(({ rows: tableRows }) => tableRows.flat().map(toDetailedCell));
  const cellsWithPublishedValue = detailedCells.filter(({ published }) => published !== undefined);
  return {
    inside: cellsWithPublishedValue.filter(({ isInside }) => isInside === true).length,
    published: cellsWithPublishedValue.length,
  };
}

/** Sentence such as `3 of 4 published values are reproduced`; empty if nothing was published. */
export function describeReproducedValues(table: Table): string {
  const { inside, published } = countReproducedValues([table]);
  if (published === 0) return '';
  const boundsKind =
    (table.bounds ?? 'range') === 'range' ? 'range of the replications' : boundsDisplayName(table);
  const relationText = listCellPartsOfTable(table).includes('low')
    ? `lie inside the ${boundsKind}`
    : 'are reproduced';
  return `${inside} of ${published} published values ${relationText}`;
}

/** Distinct notes of a table, in order of appearance; their numbers start at 1. */
export function collectNotesOfTable({ rows: tableRows }: Table): string[] {
  return [...new Set(tableRows.flat().flatMap((cell) => toDetailedCell(cell).note ?? []))];
}
