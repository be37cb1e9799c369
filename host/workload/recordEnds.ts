/** Ends of the records of a log: by their runtimes, by kills at requested times, or by cancellations. */
import type { Trace } from '../trace/trace.js';
import { type CancelledRule, patienceOfRecords } from './cancellations.js';
import type { Workload } from './workload.js';

/** Rules for the ends of records. */
interface RecordEndRules {
  readonly kill?: string | undefined;
  readonly cancelled?: CancelledRule | undefined;
}

/** Runtimes of records, and flags of those that are killed or cancelled. */
interface RecordEndColumns {
  readonly runtime: Float64Array;
  /** 1 for each record that is killed; absent: none is. */
  readonly killed?: Uint8Array;
  /** Seconds until each record is cancelled; -1: it is not. Absent: none is. */
  readonly patience?: Float64Array | undefined;
}

/** Runtimes of records; those that are cancelled run as long as they request, unless they are cancelled before. */
export function computeRecordEnds(
  kept: Trace,
  requestedTime: Float64Array,
  { kill, cancelled }: RecordEndRules,
): RecordEndColumns {
  const ends = kill === undefined ? { runtime: kept.columns.runtime } : killRecordsAtEstimate(kept);
  const patience = cancelled === 'keep' ? patienceOfRecords(kept) : undefined;
  if (patience === undefined) return ends;
  const runtime = ends.runtime.map((time, i) => (patience[i]! < 0 ? time : requestedTime[i]!));
  return { ...ends, runtime, patience };
}

/** Columns of jobs that are killed or cancelled, and the number of cancelled records. */
export function endColumnsOfJobs(
  { killed, patience }: RecordEndColumns,
  record: Int32Array,
): { readonly columns: Pick<Workload, 'killed' | 'patience'>; readonly cancelled: number } {
  const isCancelled = (each: number) => (patience?.[each] ?? -1) >= 0;
  // Pieces of a record are together.
  const isFirst = (each: number, i: number) => i === 0 || record[i - 1] !== each;
  const count = record.filter((each, i) => isCancelled(each) && isFirst(each, i)).length;
  return {
    cancelled: count,
    columns: {
      ...(patience && count > 0 && { patience: Float64Array.from(record, (each) => patience[each]!) }),
      ...(killed && { killed: Uint8Array.from(record, (each) => killed[each]!) }),
    },
  };
}

/**
 * Runtimes of records that are ended at the time they request, and which records are (1): those that run longer. A
 * record that requests no time is never ended.
 */
function killRecordsAtEstimate({ columns }: Trace): { runtime: Float64Array; killed: Uint8Array } {
  const { runtime, requestedTime } = columns;
  const isKilledJob = (record: number) =>
    requestedTime[record]! > 0 && runtime[record]! > requestedTime[record]!;
  const killed = Uint8Array.from(runtime, (_, record) => Number(isKilledJob(record)));
  return { runtime: runtime.map((time, record) => (killed[record] ? requestedTime[record]! : time)), killed };
}
