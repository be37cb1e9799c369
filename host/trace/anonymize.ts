/** Removes personal data from logs: names become numbers, and the header no longer identifies the system. */
import { NAME_HEADER_KEYS, NO_LIMIT_HEADER_KEY, parseHeader, type SwfField, type Trace } from './trace.js';

/** Header entries that are kept: counts and start times. */
const HEADER_ENTRIES_KEPT_ANONYMOUS: readonly string[] = [
  'Version',
  'MaxJobs',
  'MaxRecords',
  'MaxProcs',
  'MaxNodes',
  'UnixStartTime',
  NO_LIMIT_HEADER_KEY,
];

/** Fields whose numbers are replaced, each numbered from 1 in order of first appearance. */
const IDENTIFYING_FIELDS = [
  'user',
  'group',
  'executable',
  'queue',
  'partition',
] as const satisfies readonly SwfField[];

/**
 * Replaces the numbers of users, groups, executables, queues, partitions and jobs, and drops names, notes and
 * all header entries except sizes and start times. Times, processors and status values stay.
 */
export function anonymizeTrace(trace: Trace): Trace {
  const { header, columns: swfColumns } = trace;
  const nameHeaderKeys: readonly string[] = Object.values(NAME_HEADER_KEYS);
  const lines = header.lines.filter((line) => {
    const [, key = ''] = /^\s*;\s*(\w+)\s*:/.exec(line) ?? [];
    return HEADER_ENTRIES_KEPT_ANONYMOUS.includes(key) && !nameHeaderKeys.includes(key);
  });
  const newJobNumbers = new Map<number, number>();
  return {
    ...trace,
    header: parseHeader(lines),
    columns: {
      ...swfColumns,
      ...Object.fromEntries(
        IDENTIFYING_FIELDS.map((field) => [field, renumberInOrderOfAppearance(swfColumns[field], new Map())]),
      ),
      job: renumberInOrderOfAppearance(swfColumns.job, newJobNumbers),
      // Preceding jobs that are not in the log stay unknown ones.
      precedingJob: swfColumns.precedingJob.map((job) => (job > 0 ? (newJobNumbers.get(job) ?? -1) : job)),
    },
  };
}

/** Renumbers values from 1 in order of first appearance; negative (unknown) values stay. */
function renumberInOrderOfAppearance(
  oldNumbers: Float64Array,
  newNumbers: Map<number, number>,
): Float64Array {
  return oldNumbers.map((oldNumber) => {
    if (oldNumber < 0) return oldNumber;
    let newNumber = newNumbers.get(oldNumber);
    if (newNumber === undefined) {
      newNumber = newNumbers.size + 1;
      newNumbers.set(oldNumber, newNumber);
    }
    return newNumber;
  });
}
