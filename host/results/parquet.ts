/** Writes result tables as Parquet files. */
import type { ResultTableValue } from '../format/csv.js';

/** Column of a result table. */
export interface ParquetResultColumn {
  readonly name: string;
  /** Returns the values of rows [from, to). */
  readonly readValues: (from: number, to: number) => ResultTableValue[];
  readonly unit?: string | undefined;
  /** Title of the column in words. */
  readonly label?: string | undefined;
  /**
   * True if the column contains counts, which are stored as integers; a text in it makes it a text
   * column.
   */
  readonly isCount?: boolean | undefined;
  /** True if all values are measurements (floating point), none is a count. */
  readonly areMeasures?: boolean | undefined;
}

/** Number of rows per row group, which limits memory use. */
const PARQUET_ROWS_PER_GROUP = 2000;

/** Ranges [from, to) of rows, one per row group. */
export function* divideIntoParquetRowGroups(
  rowCount: number,
  maxRows = PARQUET_ROWS_PER_GROUP,
): Generator<readonly [from: number, to: number]> {
  for (let from = 0; from < rowCount; from += maxRows) yield [from, Math.min(from + maxRows, rowCount)];
}

const MAX_INT32 = 2 ** 31 - 1;

/** Column with its Parquet type. */
interface ParquetColumnWithType {
  readonly name: string;
  readonly type: 'STRING' | 'DOUBLE' | 'INT32' | 'INT64';
  readonly readValues: ParquetResultColumn['readValues'];
  /** Converts a value to its stored form; absent: unchanged. */
  readonly toStored?: (value: string | number) => string | bigint;
}

/**
 * Parquet type of a column: text if any value is a text, integer if the column contains counts, otherwise
 * double.
 */
function chooseParquetType(
  { name, readValues, isCount = false, areMeasures }: ParquetResultColumn,
  rowCount: number,
): ParquetColumnWithType {
  if (areMeasures) return { name, type: 'DOUBLE', readValues };
  let areWholeCounts = isCount;
  let greatestCount = 0;
  for (const [from, to] of divideIntoParquetRowGroups(rowCount)) {
    for (const value of readValues(from, to)) {
      if (typeof value === 'string') return { name, type: 'STRING', readValues, toStored: String };
      if (value === null) continue;
      areWholeCounts &&= Number.isSafeInteger(value);
      greatestCount = Math.max(greatestCount, Math.abs(value));
    }
  }
  if (!areWholeCounts) return { name, type: 'DOUBLE', readValues };
  return greatestCount <= MAX_INT32
    ? { name, type: 'INT32', readValues }
    : { name, type: 'INT64', readValues, toStored: BigInt };
}

/** Descriptive texts of the columns as JSON by column name: `{"meanWait":"s"}`. */
function formatColumnMetadata(
  columns: readonly ParquetResultColumn[],
  textOf: (column: ParquetResultColumn) => string | undefined,
): string {
  return JSON.stringify(
    Object.fromEntries(
      columns.flatMap((column) => {
        const columnText = textOf(column);
        return columnText === undefined ? [] : [[column.name, columnText]];
      }),
    ),
  );
}

/**
 * Writes a result table as Parquet, in row groups. Units and labels of the columns are stored as JSON in
 * the file's metadata.
 */
export async function writeParquetTable(
  path: string,
  columns: readonly ParquetResultColumn[],
  rowCount: number,
  metadata: Readonly<Record<string, string>>,
): Promise<void> {
  const { fileWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer');
  const columnsWithParquetType = columns.map((column) => chooseParquetType(column, rowCount));
  const makeColumnsOfRows = (from: number, to: number) =>
    columnsWithParquetType.map(({ name: columnName, type: columnType, readValues, toStored }) => {
      const rowValues = readValues(from, to);
      const columnData =
        toStored === undefined
          ? rowValues
          : rowValues.map((rowValue) => (rowValue === null ? null : toStored(rowValue)));
      // Measurements seldom repeat, so dictionary encoding would cost more than it saves.
      const encodingEntry = columnType === 'DOUBLE' ? { encoding: 'PLAIN' as const } : {};
      return { name: columnName, type: columnType, nullable: true, data: columnData, ...encodingEntry };
    });
  const fileMetadata = {
    ...metadata,
    units: formatColumnMetadata(columns, ({ unit }) => unit),
    labels: formatColumnMetadata(columns, ({ label }) => label),
  };
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: schemaFromColumnData({ columnData: makeColumnsOfRows(0, 0) }),
    kvMetadata: Object.entries(fileMetadata).map(([key, valueText]) => ({ key, value: valueText })),
  });
  for (const [from, to] of divideIntoParquetRowGroups(rowCount)) {
    writer.write({ columnData: makeColumnsOfRows(from, to), rowGroupSize: PARQUET_ROWS_PER_GROUP });
  }
  writer.finish();
}
