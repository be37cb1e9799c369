/** The result table as Parquet. */
import type { Scalar } from '../format/csv.js';

/** A column of a table of results. */
export interface ResultColumn {
  readonly name: string;
  /** Values of rows [from, to), computed when needed. */
  readonly values: (from: number, to: number) => Scalar[];
  readonly unit?: string | undefined;
  /** Title in words. */
  readonly label?: string | undefined;
  /** True if it counts things; it may have texts all the same. */
  readonly isCount?: boolean | undefined;
  /** True if it has nothing but numbers that count nothing. */
  readonly areMeasures?: boolean | undefined;
}

/** Rows of a row group: what is in memory at once. */
const ROW_GROUP = 2000;

/** Rows in groups, each from one up to, and without, another. */
export function* rowGroups(rows: number, most = ROW_GROUP): Generator<readonly [from: number, to: number]> {
  for (let from = 0; from < rows; from += most) yield [from, Math.min(from + most, rows)];
}

const LARGEST_INT32 = 2 ** 31 - 1;

/** A column as it is kept. */
interface TypedColumn {
  readonly name: string;
  readonly type: 'STRING' | 'DOUBLE' | 'INT32' | 'INT64';
  readonly values: ResultColumn['values'];
  /** Stored form of a value; default: the value itself. */
  readonly kept?: (value: string | number) => string | bigint;
}

/** Type of a stored column: text if any value is one, whole numbers if the column counts. */
function typedColumn(
  { name, values, isCount = false, areMeasures }: ResultColumn,
  rows: number,
): TypedColumn {
  if (areMeasures) return { name, type: 'DOUBLE', values };
  let areCounts = isCount;
  let greatest = 0;
  for (const [from, to] of rowGroups(rows)) {
    for (const value of values(from, to)) {
      if (typeof value === 'string') return { name, type: 'STRING', values, kept: String };
      if (value === null) continue;
      areCounts &&= Number.isSafeInteger(value);
      greatest = Math.max(greatest, Math.abs(value));
    }
  }
  if (!areCounts) return { name, type: 'DOUBLE', values };
  return greatest <= LARGEST_INT32
    ? { name, type: 'INT32', values }
    : { name, type: 'INT64', values, kept: BigInt };
}

/** The columns that have a text of one kind, as JSON: `{"meanWait":"s"}`. */
function textsOf(columns: readonly ResultColumn[], of: (column: ResultColumn) => string | undefined): string {
  return JSON.stringify(
    Object.fromEntries(
      columns.flatMap((column) => {
        const text = of(column);
        return text === undefined ? [] : [[column.name, text]];
      }),
    ),
  );
}

/**
 * Writes the result table in groups of rows. What the columns mean is in the metadata of the file: `units` and
 * `labels`, as JSON by the names of columns.
 */
export async function writeParquet(
  path: string,
  columns: readonly ResultColumn[],
  points: number,
  metadata: Readonly<Record<string, string>>,
): Promise<void> {
  const { fileWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer');
  const typed = columns.map((column) => typedColumn(column, points));
  const group = (from: number, to: number) =>
    typed.map(({ name, type, values, kept }) => {
      const input = values(from, to);
      const data = kept === undefined ? input : input.map((value) => (value === null ? null : kept(value)));
      // Measures seldom repeat, so that looking for those that do takes longer than it saves.
      const plain = type === 'DOUBLE' ? { encoding: 'PLAIN' as const } : {};
      return { name, type, nullable: true, data, ...plain };
    });
  const described = {
    ...metadata,
    units: textsOf(columns, ({ unit }) => unit),
    labels: textsOf(columns, ({ label }) => label),
  };
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: schemaFromColumnData({ columnData: group(0, 0) }),
    kvMetadata: Object.entries(described).map(([key, value]) => ({ key, value })),
  });
  for (const [from, to] of rowGroups(points)) {
    writer.write({ columnData: group(from, to), rowGroupSize: ROW_GROUP });
  }
  writer.finish();
}
