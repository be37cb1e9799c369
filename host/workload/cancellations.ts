/** Treatment of jobs that were cancelled before they started. */
import { formatCount, formatNumber } from '../format/numbers.js';
import { makePrintableSourceName } from '../format/text.js';
import { isCancelledBeforeStart } from '../trace/columns.js';
import type { Trace } from '../trace/trace.js';
import type { Workload } from './workload.js';

/** Choices for records of jobs that were cancelled before they started. */
export const CANCELLED_RULES = ['drop', 'keep'] as const;
/** Treatment of records cancelled before they started: a word of `CANCELLED_RULES`. */
export type CancelledRule = (typeof CANCELLED_RULES)[number];

/**
 * Runtimes of records in seconds; for a job cancelled before it started, its requested time, or 0 if that is
 * unknown.
 */
export function runtimesWithCancellations(
  { columns: swfColumns }: Trace,
  requestedTime: Float64Array,
): Float64Array {
  return swfColumns.runtime.map((time, record) =>
    isCancelledBeforeStart(swfColumns, record) ? Math.max(0, requestedTime[record]!) : time,
  );
}

/**
 * Seconds from submission to cancellation of each record; -1 for jobs that were not cancelled before they
 * started. Undefined if none was.
 */
export function computePatienceOfRecords({ columns: swfColumns }: Trace): Float64Array | undefined {
  const patience = swfColumns.wait.map((wait, record) =>
    isCancelledBeforeStart(swfColumns, record) ? wait : -1,
  );
  return patience.some((seconds) => seconds >= 0) ? patience : undefined;
}

/** Sentence on the number of cancelled jobs; undefined if there are none. */
export function remarkOnCancelledJobs({
  name: workloadName,
  accounting,
}: Pick<Workload, 'name' | 'accounting'>): string | undefined {
  const { cancelled = 0, kept: keptCount } = accounting;
  if (cancelled === 0) return undefined;
  return (
    `${makePrintableSourceName(workloadName)}: ${formatNumber(cancelled)} of ${formatCount(keptCount, 'job')} ${cancelled === 1 ? 'is' : 'are'} cancelled ` +
    'as long after the submission as in the log, and count in no mean'
  );
}

/** Returns true if a job is cancelled. */
export const isCancelledJob = (patience: Workload['patience'], job: number): boolean =>
  (patience?.[job] ?? -1) >= 0;
