/** Ends of the records of a log: completion, kill at the requested time, or cancellation. */
import type { Trace } from '../trace/trace.js';
import { type CancelledRule, computePatienceOfRecords } from './cancellations.js';
import type { Workload } from './workload.js';

/**
 * Options that determine how records end: whether jobs are killed at their requested time, and treatment of
 * cancelled ones.
 */
interface RecordEndRules {
  readonly kill?: string | undefined;
  readonly cancelled?: CancelledRule | undefined;
}

/** Runtimes of records, and records that are killed or cancelled. */
interface RecordEndColumns {
  readonly runtime: Float64Array;
  /** Flags of killed records (1); absent: none is killed. */
  readonly killed?: Uint8Array;
  /** Seconds from submission to cancellation of each record; -1: not cancelled. Absent: none is. */
  readonly patience?: Float64Array | undefined;
}

/**
 * Computes the runtime, kill flag and cancellation time of each record; a cancelled record has its requested
 * time as runtime.
 */
export function computeRecordEnds(
  keptRecords: Trace,
  requestedTime: Float64Array,
  { kill, cancelled }: RecordEndRules,
): RecordEndColumns {
  const runtimesAndKills =
    kill === undefined ? { runtime: keptRecords.columns.runtime } : killRecordsAtEstimate(keptRecords);
  const patience = cancelled === 'keep' ? computePatienceOfRecords(keptRecords) : undefined;
  if (patience === undefined) return runtimesAndKills;
  const runtime = runtimesAndKills.runtime.map((time, i) => (patience[i]! < 0 ? time : requestedTime[i]!));
  return { ...runtimesAndKills, runtime, patience };
}

/**
 * Columns `killed` and `patience` of jobs, from those of their records, and the number of cancelled records.
 */
export function endColumnsOfJobs(
  { killed, patience }: RecordEndColumns,
  recordOfJob: Int32Array,
): { readonly columns: Pick<Workload, 'killed' | 'patience'>; readonly cancelled: number } {
  const isCancelled = (recordIndex: number) => (patience?.[recordIndex] ?? -1) >= 0;
  // Pieces of a record are together.
  const isFirst = (recordIndex: number, i: number) => i === 0 || recordOfJob[i - 1] !== recordIndex;
  const cancelledCount = recordOfJob.filter((each, i) => isCancelled(each) && isFirst(each, i)).length;
  return {
    cancelled: cancelledCount,
    columns: {
      ...(patience &&
        cancelledCount > 0 && { patience: Float64Array.from(recordOfJob, (each) => patience[each]!) }),
      ...(killed && { killed: Uint8Array.from(recordOfJob, (each) => killed[each]!) }),
    },
  };
}

/**
 * Limits runtimes to the requested times, and flags the records that would run longer (1). Records without a
 * requested time are never killed.
 */
function killRecordsAtEstimate({ columns: swfColumns }: Trace): {
  runtime: Float64Array;
  killed: Uint8Array;
} {
  const { runtime, requestedTime } = swfColumns;
  const isKilledJob = (record: number) =>
    requestedTime[record]! > 0 && runtime[record]! > requestedTime[record]!;
  const killed = Uint8Array.from(runtime, (_, record) => Number(isKilledJob(record)));
  return { runtime: runtime.map((time, record) => (killed[record] ? requestedTime[record]! : time)), killed };
}
