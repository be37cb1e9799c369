import { parseHeader, SWF_FIELDS, type SwfField, type Trace } from '../../host/trace/trace.js';

/**
 * A log from some fields of its records; job numbers count from 1, all other fields are unknown.
 */
export function buildTrace(logRecords: readonly Partial<Record<SwfField, number>>[]): Trace {
  const makeColumn = (fieldName: SwfField) =>
    Float64Array.from(logRecords, (record, i) => record[fieldName] ?? (fieldName === 'job' ? i + 1 : -1));
  const lines = ['; MaxProcs: 128', '; Queue: 1 express', '; Copyright: of the log'];
  return {
    source: 'test.swf',
    header: parseHeader(lines),
    count: logRecords.length,
    columns: Object.fromEntries(SWF_FIELDS.map((field) => [field, makeColumn(field)])) as Trace['columns'],
  };
}
