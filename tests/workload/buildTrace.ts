import { SWF_FIELDS, type SwfField, type Trace } from '../../host/trace/trace.js';

/** A log from the fields that matter; job numbers count from 1, everything else is unknown. */
export function buildTrace(records: readonly Partial<Record<SwfField, number>>[]): Trace {
  const column = (field: SwfField) =>
    Float64Array.from(records, (record, i) => record[field] ?? (field === 'job' ? i + 1 : -1));
  return {
    source: 'test.swf',
    header: {
      lines: ['; MaxProcs: 128', '; Queue: 1 express', '; Copyright: of the log'],
      entries: new Map([['MaxProcs', '128']]),
      queues: new Map([[1, 'express']]),
      unixStartTime: undefined,
      maxProcessors: 128,
    },
    count: records.length,
    columns: Object.fromEntries(SWF_FIELDS.map((field) => [field, column(field)])) as Trace['columns'],
  };
}
