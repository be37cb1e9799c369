/** Statistics of a log. */
import { checkArgument } from '../arguments.js';
import {
  countCancelledBeforeStart,
  findPrecedingRecords,
  processorsOfLogRecord,
  selectRecordsAtPositions,
} from './columns.js';
import { checkJobsOfOneCluster } from './filter.js';
import { findPeakProcessorUse } from './peakUse.js';
import { type LeftOut, NO_LIMIT_HEADER_KEY, SWF_FIELDS, type SwfField, type Trace } from './trace.js';

/** Summary statistics of a column of numbers. */
export interface Distribution {
  /** Arithmetic mean, in the unit of the column. */
  readonly mean: number;
  /** Median, in the unit of the column. */
  readonly median: number;
  /** Maximum, in the unit of the column. */
  readonly max: number;
}

/** Summary of the jobs of one queue. Only jobs with a positive runtime and processors count. */
export interface QueueInfo {
  /** Number of the queue. */
  readonly queue: number;
  /** Name of the queue in the header; undefined if it has none. */
  readonly name: string | undefined;
  /** Number of jobs in the queue. */
  readonly jobs: number;
  /** Longest runtime in seconds. */
  readonly longestRuntime: number;
  /** Mean runtime in seconds. */
  readonly meanRuntime: number;
  /** Largest number of processors of a job. */
  readonly widest: number;
  /** Mean number of processors of a job. */
  readonly meanProcessors: number;
}

/** Summary statistics of a log. Times are in seconds. */
export interface TraceInfo {
  /** Name of the log: its path, `-`, or a workload model with parameters. */
  readonly source: string;
  /** Header entries Computer and Installation; undefined if absent. */
  readonly computer: string | undefined;
  readonly installation: string | undefined;
  /** Size of the machine from the header: MaxProcs, or else MaxNodes. */
  readonly maxProcessors: number | undefined;
  /**
   * Maximum number of processors in use at once. Computed only if the header has no machine size and the log
   * has wait times; otherwise undefined.
   */
  readonly peakProcessors: number | undefined;
  /** Number of records. */
  readonly records: number;
  /**
   * Number of jobs: records with a positive runtime and positive processors (field 5, or 8 if 5 is not
   * positive). The following statistics cover only these jobs unless they say otherwise.
   */
  readonly jobs: number;
  /** Earliest submit time, on the clock of the log. */
  readonly firstSubmit: number;
  /** Latest submit time, on the clock of the log. */
  readonly lastSubmit: number;
  /** Seconds from the first to the last submission of all records. */
  readonly spanSeconds: number;
  readonly spanDays: number;
  /** Dates (ISO 8601, UTC) of the first and last submission; undefined if the header has no start time. */
  readonly firstSubmitDate: string | undefined;
  readonly lastSubmitDate: string | undefined;
  /** Distributions over the jobs; undefined without jobs. */
  readonly runtime: Distribution | undefined;
  readonly processors: Distribution | undefined;
  /**
   * Shares of serial jobs and of jobs whose number of processors is a power of two, from 0 to 1; a serial job
   * counts as a power of two.
   */
  readonly serialShare: number | undefined;
  readonly powerOfTwoShare: number | undefined;
  /**
   * Offered load: sum of processors x runtime divided by (machine size x span); undefined if either factor is
   * unknown or zero. The size is maxProcessors, or else peakProcessors.
   */
  readonly offeredLoad: number | undefined;
  /** Number of different known users among all records. */
  readonly users: number;
  /** Queues with jobs, by queue number, including -1 (unknown). */
  readonly queues: readonly QueueInfo[];
  /** Number of jobs without a requested time; their actual runtime replaces a missing estimate. */
  readonly withoutEstimate: number;
  /**
   * True if jobs without a requested time had no time limit, so that their estimate is 365 days instead of
   * their runtime.
   */
  readonly hasNoLimits: boolean;
  /**
   * Number of records cancelled before they started, after a known wait; `--cancelled keep` simulates them.
   */
  readonly cancelledWaiting: number;
  /**
   * Number of jobs that depend on an earlier job; with `--dependencies` each is submitted after that job
   * ends.
   */
  readonly dependent: number;
  /** Numbers of records dropped while reading, by rule. */
  readonly leftOut: readonly LeftOut[];
  /** Number of records with -1 in each field, among all records. */
  readonly unknown: Readonly<Record<SwfField, number>>;
}

/**
 * Computes the statistics of a log; sums are taken in file order.
 * @example
 * const { jobs, offeredLoad, runtime } = traceInfo(await readTrace('traces/queues.swf'));
 * console.log(jobs, offeredLoad, runtime?.median); // 4 0.796875 25
 */
export function traceInfo(trace: Trace): TraceInfo {
  checkArgument(trace, 'trace', 'traceInfo');
  checkJobsOfOneCluster(trace);
  const { header, count: recordCount } = trace;
  const { submit, user } = trace.columns;
  const { runtimes, processors, requested, queues, preceding } = selectColumnsOfUsableRecords(trace);
  const jobCount = runtimes.length;
  const firstSubmit = recordCount > 0 ? submit[0]! : 0;
  const lastSubmit = recordCount > 0 ? submit[recordCount - 1]! : 0;
  const span = lastSubmit - firstSubmit;
  const totalWork = runtimes.reduce((sum, runtime, job) => sum + processors[job]! * runtime, 0);
  const peakProcessorCount =
    header.maxProcessors === undefined ? findPeakProcessorUse(trace)?.processors : undefined;
  const availableProcessorSeconds = (header.maxProcessors ?? peakProcessorCount ?? 0) * span;
  const computeShareOfJobs = (isCounted: (width: number) => boolean) =>
    jobCount > 0
      ? processors.reduce((sum, width) => sum + (isCounted(width) ? 1 : 0), 0) / jobCount
      : undefined;
  return {
    source: trace.source,
    computer: header.entries.get('Computer'),
    installation: header.entries.get('Installation'),
    maxProcessors: header.maxProcessors,
    peakProcessors: peakProcessorCount,
    records: recordCount,
    jobs: jobCount,
    firstSubmit,
    lastSubmit,
    spanSeconds: span,
    spanDays: span / 86_400,
    firstSubmitDate: formatDateOfLogTime(firstSubmit, header),
    lastSubmitDate: formatDateOfLogTime(lastSubmit, header),
    runtime: summarizeValues(runtimes),
    processors: summarizeValues(processors),
    serialShare: computeShareOfJobs((width) => width === 1),
    powerOfTwoShare: computeShareOfJobs((width) => (width & (width - 1)) === 0),
    offeredLoad: availableProcessorSeconds > 0 ? totalWork / availableProcessorSeconds : undefined,
    users: countDistinctKnownValues(user),
    queues: describeQueues(trace, runtimes, processors, queues),
    withoutEstimate: requested.reduce((sum, time) => sum + Number(!(time > 0)), 0),
    hasNoLimits: header.entries.has(NO_LIMIT_HEADER_KEY),
    cancelledWaiting: countCancelledBeforeStart(trace),
    dependent: preceding.reduce((sum, earlier) => sum + Number(earlier >= 0), 0),
    leftOut: trace.leftOut ?? [],
    unknown: countUnknownByField(trace),
  };
}

/**
 * Converts seconds on the clock of a log to a date; undefined if the clock has no start date or the date is
 * out of range.
 */
function formatDateOfLogTime(seconds: number, { unixStartTime }: Trace['header']): string | undefined {
  const date = new Date(((unixStartTime ?? Number.NaN) + seconds) * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Columns of the records with positive run time and processors. */
function selectColumnsOfUsableRecords({ count: recordCount, columns: swfColumns }: Trace) {
  const { runtime, requestedTime, queue } = swfColumns;
  const usableRecordIndices = new Float64Array(recordCount);
  let jobCount = 0;
  for (let i = 0; i < recordCount; i++) {
    if (runtime[i]! > 0 && processorsOfLogRecord(swfColumns, i) > 0) usableRecordIndices[jobCount++] = i;
  }
  const recordIndexByJob = usableRecordIndices.subarray(0, jobCount);
  return {
    runtimes: recordIndexByJob.map((i) => runtime[i]!),
    processors: recordIndexByJob.map((i) => processorsOfLogRecord(swfColumns, i)),
    requested: recordIndexByJob.map((i) => requestedTime[i]!),
    queues: recordIndexByJob.map((i) => queue[i]!),
    preceding: findPrecedingRecords({
      count: jobCount,
      columns: selectRecordsAtPositions(swfColumns, Int32Array.from(recordIndexByJob)),
    }),
  };
}

function summarizeValues(fieldValues: Float64Array): Distribution | undefined {
  if (fieldValues.length === 0) return undefined;
  const sorted = fieldValues.slice().sort();
  const low = sorted[(sorted.length - 1) >> 1]!;
  const high = sorted[sorted.length >> 1]!;
  const mean = fieldValues.reduce((sum, fieldValue) => sum + fieldValue, 0) / fieldValues.length;
  return { mean, median: low + (high - low) / 2, max: sorted[sorted.length - 1]! };
}

function describeQueues(
  trace: Trace,
  runtimes: Float64Array,
  processors: Float64Array,
  queues: Float64Array,
): QueueInfo[] {
  const sumsByQueue = new Map<
    number,
    { jobs: number; longest: number; runtime: number; widest: number; width: number }
  >();
  for (let job = 0; job < queues.length; job++) {
    const sumsOfQueue = sumsByQueue.get(queues[job]!) ?? {
      jobs: 0,
      longest: 0,
      runtime: 0,
      widest: 0,
      width: 0,
    };
    sumsOfQueue.jobs++;
    sumsOfQueue.longest = Math.max(sumsOfQueue.longest, runtimes[job]!);
    sumsOfQueue.runtime += runtimes[job]!;
    sumsOfQueue.widest = Math.max(sumsOfQueue.widest, processors[job]!);
    sumsOfQueue.width += processors[job]!;
    sumsByQueue.set(queues[job]!, sumsOfQueue);
  }
  const queueRows = [...sumsByQueue].map(([queue, sumsOfQueue]) => ({
    queue,
    name: trace.header.names.queue.get(queue),
    jobs: sumsOfQueue.jobs,
    longestRuntime: sumsOfQueue.longest,
    meanRuntime: sumsOfQueue.runtime / sumsOfQueue.jobs,
    widest: sumsOfQueue.widest,
    meanProcessors: sumsOfQueue.width / sumsOfQueue.jobs,
  }));
  return queueRows.sort((a, b) => a.queue - b.queue);
}

function countDistinctKnownValues(fieldValues: Float64Array): number {
  const distinctValues = new Set(fieldValues);
  distinctValues.delete(-1);
  return distinctValues.size;
}

function countUnknownByField(trace: Trace): Record<SwfField, number> {
  const unknownCountsByField = SWF_FIELDS.map((field) => {
    let unknown = 0;
    for (const fieldValue of trace.columns[field]) if (fieldValue === -1) unknown++;
    return [field, unknown];
  });
  return Object.fromEntries(unknownCountsByField) as Record<SwfField, number>;
}
