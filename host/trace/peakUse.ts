/** Peak utilization of a machine: the maximum number of processors that the jobs of a log held at once. */
import { computeStableSortOrder } from '../math/stableOrder.js';
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
export function findPeakProcessorUse({
  count: recordCount,
  columns: swfColumns,
}: Pick<Trace, 'count' | 'columns'>): PeakProcessorUse | undefined {
  const { submit, wait, runtime } = swfColumns;
  const runRecordBuffer = new Int32Array(recordCount);
  let runCount = 0;
  for (let i = 0; i < recordCount; i++) {
    if (wait[i]! >= 0 && runtime[i]! > 0 && processorsOfLogRecord(swfColumns, i) > 0)
      runRecordBuffer[runCount++] = i;
  }
  if (runCount === 0) return undefined;
  const recordIndexByRun = runRecordBuffer.subarray(0, runCount);
  const runStarts = Float64Array.from(recordIndexByRun, (i) => submit[i]! + wait[i]!);
  const runEnds = runStarts.map((start, run) => start + runtime[recordIndexByRun[run]!]!);
  const [byStart, byEnd] = [computeStableSortOrder(runStarts), computeStableSortOrder(runEnds)];
  let processorsInUse = 0;
  let ended = 0;
  let highestUse: PeakProcessorUse = { processors: 0, time: 0, record: -1 };
  for (const run of byStart) {
    while (runEnds[byEnd[ended]!]! <= runStarts[run]!)
      processorsInUse -= processorsOfLogRecord(swfColumns, recordIndexByRun[byEnd[ended++]!]!);
    processorsInUse += processorsOfLogRecord(swfColumns, recordIndexByRun[run]!);
    if (processorsInUse > highestUse.processors)
      highestUse = { processors: processorsInUse, time: runStarts[run]!, record: recordIndexByRun[run]! };
  }
  return highestUse;
}
