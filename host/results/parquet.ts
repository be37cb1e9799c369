/** The result table as Parquet. */

/** A value of a table of results. */
export type Scalar = string | number | null;

/** A column of the result table: its value for each setting, made when it is asked for. */
export interface ResultColumn {
  readonly name: string;
  readonly at: (point: number) => Scalar;
  readonly unit?: string | undefined;
  /** What it is called in words. */
  readonly label?: string | undefined;
  /** Whether it counts things. */
  readonly isCount?: boolean | undefined;
}

/** Rows of a row group: what is in memory at once. */
const ROW_GROUP = 2000;
const LARGEST_INT32 = 2 ** 31 - 1;

/** A column as it is kept. */
interface TypedColumn {
  readonly name: string;
  readonly type: 'STRING' | 'DOUBLE' | 'INT32' | 'INT64';
  readonly at: (row: number) => Scalar | bigint;
}

/** How the values of a column are kept: texts where any is one, whole numbers where it counts. */
function typedColumn({ name, at, isCount = false }: ResultColumn, rows: readonly number[]): TypedColumn {
  let areCounts = isCount;
  let greatest = 0;
  for (const row of rows) {
    const value = at(row);
    if (typeof value === 'string') return { name, type: 'STRING', at: textsAt(at) };
    if (value === null) continue;
    areCounts &&= Number.isSafeInteger(value);
    greatest = Math.max(greatest, Math.abs(value));
  }
  if (!areCounts) return { name, type: 'DOUBLE', at };
  if (greatest <= LARGEST_INT32) return { name, type: 'INT32', at };
  const large = (row: number) => {
    const value = at(row);
    return value === null ? null : BigInt(value);
  };
  return { name, type: 'INT64', at: large };
}

function textsAt(at: ResultColumn['at']): (row: number) => string | null {
  return (row) => {
    const value = at(row);
    return value === null ? null : String(value);
  };
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
 * Writes the result table in groups of rows. What the columns mean stands in the metadata of the file: `units` and
 * `labels`, as JSON by the names of columns.
 */
export async function writeParquet(
  path: string,
  columns: readonly ResultColumn[],
  points: number,
  metadata: Readonly<Record<string, string>>,
): Promise<void> {
  const { fileWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer');
  const all = Array.from({ length: points }, (_, point) => point);
  const typed = columns.map((column) => typedColumn(column, all));
  const group = (of: readonly number[]) =>
    typed.map(({ name, type, at }) => ({ name, type, nullable: true, data: of.map((row) => at(row)) }));
  const described = {
    ...metadata,
    units: textsOf(columns, ({ unit }) => unit),
    labels: textsOf(columns, ({ label }) => label),
  };
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: schemaFromColumnData({ columnData: group([]) }),
    kvMetadata: Object.entries(described).map(([key, value]) => ({ key, value })),
  });
  for (let from = 0; from < points; from += ROW_GROUP) {
    writer.write({ columnData: group(all.slice(from, from + ROW_GROUP)), rowGroupSize: ROW_GROUP });
  }
  writer.finish();
}
