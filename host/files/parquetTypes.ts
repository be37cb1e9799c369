/** Column types of Parquet files, and the conversion of values to text. */
import type { FileMetaData, SchemaElement } from 'hyparquet';

/** A column with one value per row. */
export interface ParquetColumn {
  readonly name: string;
  /** Formats a value: dates in ISO 8601, durations in seconds; empty for a missing value. */
  readonly textOf: (value: unknown) => string;
}

/** Units of a duration per second. */
const DURATION_UNITS_PER_SECOND: Readonly<Record<string, number>> = {
  ...{ s: 1, ms: 1e3, us: 1e6, ns: 1e9 },
  ...{ MILLIS: 1e3, MICROS: 1e6, NANOS: 1e9, TIME_MILLIS: 1e3, TIME_MICROS: 1e6 },
};

/**
 * Finds the columns with plain values, neither lists nor groups. Replaces types in the metadata that would
 * prevent reading.
 */
export function findPlainParquetColumns(metadata: FileMetaData): ParquetColumn[] {
  const durationUnitByColumn = findDurationUnits(metadata);
  return findFlatSchemaElements(metadata.schema).map((schemaElement) => {
    const isIntervalColumn = schemaElement.converted_type === 'INTERVAL';
    if (isIntervalColumn) delete schemaElement.converted_type;
    return {
      name: schemaElement.name,
      textOf: isIntervalColumn
        ? formatIntervalInSeconds
        : makeParquetValueFormatter(schemaElement, durationUnitByColumn),
    };
  });
}

function findFlatSchemaElements(schema: SchemaElement[]): SchemaElement[] {
  const flatSchema: SchemaElement[] = [];
  /** Position in the schema, whose elements are in depth-first order, behind the root. */
  let position = 1;
  const skipSubtree = () => {
    const childCount = schema[position++]?.num_children ?? 0;
    for (let child = 0; child < childCount; child++) skipSubtree();
  };
  for (let child = schema[0]?.num_children ?? 0; child > 0; child--) {
    const schemaElement = schema[position];
    if (
      schemaElement !== undefined &&
      !schemaElement.num_children &&
      schemaElement.repetition_type !== 'REPEATED'
    )
      flatSchema.push(schemaElement);
    skipSubtree();
  }
  return flatSchema;
}

function makeParquetValueFormatter(
  schemaElement: SchemaElement,
  durationColumns: ReadonlyMap<string, string>,
): (value: unknown) => string {
  const { name: elementName, converted_type: convertedType, logical_type: logicalType } = schemaElement;
  const unit =
    logicalType?.type === 'TIME'
      ? logicalType.unit
      : convertedType?.startsWith('TIME_')
        ? convertedType
        : durationColumns.get(elementName);
  const unitsPerSecond = DURATION_UNITS_PER_SECOND[unit ?? ''];
  if (unitsPerSecond !== undefined)
    return (value) =>
      isNumberOrBigint(value) ? String(Number(value) / unitsPerSecond) : formatPlainValue(value);
  const isDateColumn = convertedType === 'DATE' || logicalType?.type === 'DATE';
  // A timestamp that is not adjusted to UTC is a local time of a zone that the file does not name.
  const isLocalTimestamp = logicalType?.type === 'TIMESTAMP' && logicalType.isAdjustedToUTC === false;
  const textLength = isDateColumn
    ? 'YYYY-MM-DD'.length
    : isLocalTimestamp
      ? 'YYYY-MM-DDThh:mm:ss.sss'.length
      : Infinity;
  return (value) => {
    if (!(value instanceof Date)) return formatPlainValue(value);
    return Number.isNaN(value.getTime()) ? '' : value.toISOString().slice(0, textLength);
  };
}

function isNumberOrBigint(columnValue: unknown): columnValue is number | bigint {
  return typeof columnValue === 'bigint' || (typeof columnValue === 'number' && !Number.isNaN(columnValue));
}

function formatPlainValue(columnValue: unknown): string {
  if (columnValue === null || columnValue === undefined || typeof columnValue === 'object') return '';
  return String(columnValue).replaceAll(/[\r\n]+/g, ' ');
}

/**
 * Seconds of an interval: months, days and milliseconds as 4-byte whole numbers. Months have no fixed length,
 * so they are written by name.
 */
function formatIntervalInSeconds(interval: unknown): string {
  if (!(interval instanceof Uint8Array)) return '';
  const intervalView = new DataView(interval.buffer, interval.byteOffset, interval.byteLength);
  const [months, days, milliseconds] = [0, 4, 8].map((at) => intervalView.getUint32(at, true)) as [
    number,
    number,
    number,
  ];
  const seconds = days * 86_400 + milliseconds / 1000;
  return months === 0 ? String(seconds) : `${months} months and ${seconds} s`;
}

// Parquet stores durations of Arrow and pandas as whole numbers; their units are in its metadata.

/** Units of durations by column name. */
function findDurationUnits({ key_value_metadata: entries = [] }: FileMetaData): Map<string, string> {
  const findMetadataEntry = (entryKey: string) => entries.find(({ key }) => key === entryKey)?.value;
  const arrowSchemaText = findMetadataEntry('ARROW:schema');
  const unitByColumn =
    arrowSchemaText === undefined ? new Map<string, string>() : readArrowDurationUnits(arrowSchemaText);
  const { columns = [] } = JSON.parse(findMetadataEntry('pandas') ?? '{}') as PandasMetadata;
  for (const { field_name: field, name: columnName, numpy_type: type = '' } of columns) {
    const [, unit] = /^timedelta64\[(\w+)\]$/.exec(type) ?? [];
    const column = field ?? columnName;
    if (unit !== undefined && typeof column === 'string' && !unitByColumn.has(column))
      unitByColumn.set(column, unit);
  }
  return unitByColumn;
}

/** Used parts of pandas metadata. */
interface PandasMetadata {
  readonly columns?: readonly {
    readonly name?: unknown;
    readonly field_name?: unknown;
    readonly numpy_type?: string;
  }[];
}

/** Number of the type Duration in Arrow's FlatBuffers schema. */
const ARROW_DURATION_TYPE = 18;
/** Units of Arrow durations, by their number in the schema. */
const ARROW_TIME_UNITS = ['s', 'ms', 'us', 'ns'];

/** Units of durations in an Arrow schema: a base64-encoded Arrow IPC message with FlatBuffers tables. */
function readArrowDurationUnits(base64: string): Map<string, string> {
  const durationColumns = new Map<string, string>();
  const bytes = Buffer.from(base64, 'base64');
  const schemaView = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const followOffset = (offsetPosition: number) =>
    offsetPosition + schemaView.getUint32(offsetPosition, true);
  /** Offset of a field in a FlatBuffers table; 0 if the field has its default value. */
  const flatbufferFieldAt = (table: number, field: number) => {
    const layout = table - schemaView.getInt32(table, true);
    const fieldOffset =
      4 + 2 * field < schemaView.getUint16(layout, true)
        ? schemaView.getUint16(layout + 4 + 2 * field, true)
        : 0;
    return fieldOffset === 0 ? 0 : table + fieldOffset;
  };
  const ARROW_PREFIX_BYTES = 8;
  const schema = followOffset(flatbufferFieldAt(followOffset(ARROW_PREFIX_BYTES), 2));
  const fieldsPosition = followOffset(flatbufferFieldAt(schema, 1));
  for (let i = 0; i < schemaView.getUint32(fieldsPosition, true); i++) {
    const fieldPosition = followOffset(fieldsPosition + 4 + 4 * i);
    const type = flatbufferFieldAt(fieldPosition, 2);
    if (type === 0 || schemaView.getUint8(type) !== ARROW_DURATION_TYPE) continue;
    const unitPosition = flatbufferFieldAt(followOffset(flatbufferFieldAt(fieldPosition, 3)), 0);
    const nameOffset = followOffset(flatbufferFieldAt(fieldPosition, 0));
    const columnName = bytes.toString(
      'utf8',
      nameOffset + 4,
      nameOffset + 4 + schemaView.getUint32(nameOffset, true),
    );
    durationColumns.set(
      columnName,
      ARROW_TIME_UNITS[unitPosition === 0 ? 1 : schemaView.getInt16(unitPosition, true)] ?? 's',
    );
  }
  return durationColumns;
}
