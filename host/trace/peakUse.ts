/** Peak utilization of a machine: the maximum number of processors that the jobs of a log held at once. */
import { stableSortOrder } from '../math/stableOrder.js';
import { processorsOfLogRecord } from './columns.js';
import type { Trace } from './trace.js';

/** Time at which the most processors were in use. */
export interface PeakProcessorUse {
  readonly processors: number;
  /** Time in seconds on the clock of the log. */
  readonly time: number;
  /** Index of the record that started at that time. */
  readonly record: number;
}

/**
 * Finds the time at which the most processors were in use; undefined if no job with a runtime has a recorded
 * wait. Jobs that end at an instant no longer count at that instant.
 */
export function peakProcessorUse({
  count: recordCount,
  columns: swfColumns,
}: Pick<Trace, 'count' | 'columns'>): PeakProcessorUse | undefined {
  const { submit, wait, runtime } = swfColumns;
  const runningRecords = new Int32Array(recordCount);
  let runCount = 0;
  for (let i = 0; i < recordCount; i++) {
    if (wait[i]! >= 0 && runtime[i]! > 0 && processorsOfLogRecord(swfColumns, i) > 0)
      runningRecords[runCount++] = i;
  }
  if (runCount === 0) return undefined;
  const recordsOfRuns = runningRecords.subarray(0, runCount);
  const runStarts = Float64Array.from(recordsOfRuns, (i) => submit[i]! + wait[i]!);
  const runEnds = runStarts.map((start, run) => start + runtime[recordsOfRuns[run]!]!);
  const [byStart, byEnd] = [stableSortOrder(runStarts), stableSortOrder(runEnds)];
  let inUse = 0;
  let ended = 0;
  let peak: PeakProcessorUse = { processors: 0, time: 0, record: -1 };
  for (const run of byStart) {
    while (runEnds[byEnd[ended]!]! <= runStarts[run]!)
      inUse -= processorsOfLogRecord(swfColumns, recordsOfRuns[byEnd[ended++]!]!);
    inUse += processorsOfLogRecord(swfColumns, recordsOfRuns[run]!);
    if (inUse > peak.processors)
      peak = { processors: inUse, time: runStarts[run]!, record: recordsOfRuns[run]! };
  }
  return peak;
}
