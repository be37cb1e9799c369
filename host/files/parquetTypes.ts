/** Types of the columns of a Parquet file, and their values as text of a table. */
import type { FileMetaData, SchemaElement } from 'hyparquet';

/** A column with one value in each row. */
export interface ParquetColumn {
  readonly name: string;
  /** A value as a table writes it: dates as in ISO 8601, durations in seconds; empty for none. */
  readonly textOf: (value: unknown) => string;
}

/** Number of units of a duration in a second. */
const PER_SECOND: Readonly<Record<string, number>> = {
  ...{ s: 1, ms: 1e3, us: 1e6, ns: 1e9 },
  ...{ MILLIS: 1e3, MICROS: 1e6, NANOS: 1e9, TIME_MILLIS: 1e3, TIME_MICROS: 1e6 },
};

/** Columns whose values are neither lists nor groups. Changes types of the metadata that would keep the file from being read. */
export function columnsIn(metadata: FileMetaData): ParquetColumn[] {
  const durations = durationsIn(metadata);
  return flatElements(metadata.schema).map((element) => {
    const isInterval = element.converted_type === 'INTERVAL';
    if (isInterval) delete element.converted_type;
    return { name: element.name, textOf: isInterval ? intervalText : textFor(element, durations) };
  });
}

function flatElements(schema: SchemaElement[]): SchemaElement[] {
  const flat: SchemaElement[] = [];
  /** Elements behind the root come depth first. */
  let at = 1;
  const skip = () => {
    const children = schema[at++]?.num_children ?? 0;
    for (let child = 0; child < children; child++) skip();
  };
  for (let child = schema[0]?.num_children ?? 0; child > 0; child--) {
    const element = schema[at];
    if (element !== undefined && !element.num_children && element.repetition_type !== 'REPEATED')
      flat.push(element);
    skip();
  }
  return flat;
}

function textFor(element: SchemaElement, durations: ReadonlyMap<string, string>): (value: unknown) => string {
  const { name, converted_type: converted, logical_type: logical } = element;
  const unit =
    logical?.type === 'TIME'
      ? logical.unit
      : converted?.startsWith('TIME_')
        ? converted
        : durations.get(name);
  const perSecond = PER_SECOND[unit ?? ''];
  if (perSecond !== undefined)
    return (value) => (isNumber(value) ? String(Number(value) / perSecond) : plainText(value));
  const isDate = converted === 'DATE' || logical?.type === 'DATE';
  // A timestamp that is not adjusted to UTC is a local time of a zone that the file does not name.
  const isLocal = logical?.type === 'TIMESTAMP' && logical.isAdjustedToUTC === false;
  const length = isDate ? 'YYYY-MM-DD'.length : isLocal ? 'YYYY-MM-DDThh:mm:ss.sss'.length : Infinity;
  return (value) => {
    if (!(value instanceof Date)) return plainText(value);
    return Number.isNaN(value.getTime()) ? '' : value.toISOString().slice(0, length);
  };
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && !Number.isNaN(value));
}

function plainText(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'object') return '';
  return String(value).replaceAll(/[\r\n]+/g, ' ');
}

/** Seconds of an interval: months, days and milliseconds as whole numbers of 4 bytes. A month has no fixed length, so it is named. */
function intervalText(value: unknown): string {
  if (!(value instanceof Uint8Array)) return '';
  const numbers = new DataView(value.buffer, value.byteOffset, value.byteLength);
  const [months, days, milliseconds] = [0, 4, 8].map((at) => numbers.getUint32(at, true)) as [
    number,
    number,
    number,
  ];
  const seconds = days * 86_400 + milliseconds / 1000;
  return months === 0 ? String(seconds) : `${months} months and ${seconds} s`;
}

// Durations of Arrow and pandas are whole numbers to Parquet; what they are stands beside the schema.

/** Units of durations by the names of their columns. */
function durationsIn({ key_value_metadata: entries = [] }: FileMetaData): Map<string, string> {
  const entryOf = (name: string) => entries.find(({ key }) => key === name)?.value;
  const arrow = entryOf('ARROW:schema');
  const found = arrow === undefined ? new Map<string, string>() : arrowDurations(arrow);
  const { columns = [] } = JSON.parse(entryOf('pandas') ?? '{}') as PandasMetadata;
  for (const { field_name: field, name, numpy_type: type = '' } of columns) {
    const [, unit] = /^timedelta64\[(\w+)\]$/.exec(type) ?? [];
    const column = field ?? name;
    if (unit !== undefined && typeof column === 'string' && !found.has(column)) found.set(column, unit);
  }
  return found;
}

/** Metadata of pandas, as far as it is used. */
interface PandasMetadata {
  readonly columns?: readonly {
    readonly name?: unknown;
    readonly field_name?: unknown;
    readonly numpy_type?: string;
  }[];
}

/** Number of the type Duration in Arrow's schema, and its units in order. */
const ARROW_DURATION = 18;
const ARROW_UNITS = ['s', 'ms', 'us', 'ns'];

/** Durations in an Arrow schema: a message of Arrow IPC in base64, whose tables are FlatBuffers. */
function arrowDurations(base64: string): Map<string, string> {
  const durations = new Map<string, string>();
  const bytes = Buffer.from(base64, 'base64');
  const numbers = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const follow = (at: number) => at + numbers.getUint32(at, true);
  /** Place of a field in a table; 0 if it has its default value. */
  const fieldAt = (table: number, field: number) => {
    const layout = table - numbers.getInt32(table, true);
    const offset =
      4 + 2 * field < numbers.getUint16(layout, true) ? numbers.getUint16(layout + 4 + 2 * field, true) : 0;
    return offset === 0 ? 0 : table + offset;
  };
  const PREFIX = 8;
  const schema = follow(fieldAt(follow(PREFIX), 2));
  const fields = follow(fieldAt(schema, 1));
  for (let i = 0; i < numbers.getUint32(fields, true); i++) {
    const field = follow(fields + 4 + 4 * i);
    const type = fieldAt(field, 2);
    if (type === 0 || numbers.getUint8(type) !== ARROW_DURATION) continue;
    const unit = fieldAt(follow(fieldAt(field, 3)), 0);
    const name = follow(fieldAt(field, 0));
    const text = bytes.toString('utf8', name + 4, name + 4 + numbers.getUint32(name, true));
    durations.set(text, ARROW_UNITS[unit === 0 ? 1 : numbers.getInt16(unit, true)] ?? 's');
  }
  return durations;
}
