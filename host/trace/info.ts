/** Statistics of a log. */
import { checkArgument } from '../arguments.js';
import {
  countCancelledBeforeStart,
  findPrecedingRecords,
  processorsOfLogRecord,
  selectRecordsAtPositions,
} from './columns.js';
import { checkJobsOfOneCluster } from './filter.js';
import { peakProcessorUse } from './peakUse.js';
import { type LeftOut, NO_LIMIT_HEADER_KEY, SWF_FIELDS, type SwfField, type Trace } from './trace.js';

/** A column of numbers in short. */
export interface Distribution {
  /** In the unit of the column. */
  readonly mean: number;
  /** Half of the values are below it. */
  readonly median: number;
  /** The largest. */
  readonly max: number;
}

/** The jobs of one queue: those with a positive run time and positive processors. */
export interface QueueInfo {
  /** Number of the queue. */
  readonly queue: number;
  /** From the header. */
  readonly name: string | undefined;
  /** How many jobs it has. */
  readonly jobs: number;
  /** Run times in seconds. */
  readonly longestRuntime: number;
  /** Their mean. */
  readonly meanRuntime: number;
  /** Processors. */
  readonly widest: number;
  /** Their mean. */
  readonly meanProcessors: number;
}

/** What a log holds. Times are in seconds. */
export interface TraceInfo {
  /** What the log is called. */
  readonly source: string;
  /** Computer and Installation from the header. */
  readonly computer: string | undefined;
  readonly installation: string | undefined;
  /** MaxProcs, or MaxNodes. */
  readonly maxProcessors: number | undefined;
  /** The most processors that were in use at once, if the header gives no size of the machine and the log has waits; else undefined. */
  readonly peakProcessors: number | undefined;
  /** All of them. */
  readonly records: number;
  /** Records with positive run time and positive processors (field 5, or 8 if 5 is not positive). The rest is about them. */
  readonly jobs: number;
  /** Least submit time, on the clock of the log. */
  readonly firstSubmit: number;
  /** Greatest submit time. */
  readonly lastSubmit: number;
  /** From the first to the last submit of all records. */
  readonly spanSeconds: number;
  readonly spanDays: number;
  /** The same as dates in UTC (ISO 8601); undefined where the header does not say when the clock begins. */
  readonly firstSubmitDate: string | undefined;
  readonly lastSubmitDate: string | undefined;
  /** Undefined without jobs. */
  readonly runtime: Distribution | undefined;
  readonly processors: Distribution | undefined;
  /** Shares of the jobs from 0 to 1; a serial job counts as a power of two. */
  readonly serialShare: number | undefined;
  readonly powerOfTwoShare: number | undefined;
  /** Sum of processors x runtime over maxProcessors (or peakProcessors) x span; undefined when either is unknown or zero. */
  readonly offeredLoad: number | undefined;
  /** Different known user numbers among all records. */
  readonly users: number;
  /** By queue number, -1 (unknown) included; queues without jobs are omitted. */
  readonly queues: readonly QueueInfo[];
  /** Jobs that request no time: their runtime serves as the estimate where one is needed. */
  readonly withoutEstimate: number;
  /** Jobs without a requested time had no limit, so that 365 days count as their request, not their runtime. */
  readonly hasNoLimits: boolean;
  /** Records that were cancelled before they started, after a known wait: with `--cancelled keep` they are simulated. */
  readonly cancelledWaiting: number;
  /** Jobs whose preceding job is an earlier one: with `--dependencies` they are submitted after its end. */
  readonly dependent: number;
  /** Records that were dropped when the log was read, by rule. */
  readonly leftOut: readonly LeftOut[];
  /** How many of all records have -1 in each field. */
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
  const { header, count } = trace;
  const { submit, user } = trace.columns;
  const { runtimes, processors, requested, queues, preceding } = columnsOfUsableRecords(trace);
  const jobs = runtimes.length;
  const firstSubmit = count > 0 ? submit[0]! : 0;
  const lastSubmit = count > 0 ? submit[count - 1]! : 0;
  const span = lastSubmit - firstSubmit;
  const work = runtimes.reduce((sum, runtime, job) => sum + processors[job]! * runtime, 0);
  const peakProcessors = header.maxProcessors === undefined ? peakProcessorUse(trace)?.processors : undefined;
  const room = (header.maxProcessors ?? peakProcessors ?? 0) * span;
  const share = (test: (width: number) => boolean) =>
    jobs > 0 ? processors.reduce((sum, width) => sum + (test(width) ? 1 : 0), 0) / jobs : undefined;
  return {
    source: trace.source,
    computer: header.entries.get('Computer'),
    installation: header.entries.get('Installation'),
    maxProcessors: header.maxProcessors,
    peakProcessors,
    records: count,
    jobs,
    firstSubmit,
    lastSubmit,
    spanSeconds: span,
    spanDays: span / 86_400,
    firstSubmitDate: dateOfLogTime(firstSubmit, header),
    lastSubmitDate: dateOfLogTime(lastSubmit, header),
    runtime: summarizeValues(runtimes),
    processors: summarizeValues(processors),
    serialShare: share((width) => width === 1),
    powerOfTwoShare: share((width) => (width & (width - 1)) === 0),
    offeredLoad: room > 0 ? work / room : undefined,
    users: countDistinctKnown(user),
    queues: describeQueues(trace, runtimes, processors, queues),
    withoutEstimate: requested.reduce((sum, time) => sum + Number(!(time > 0)), 0),
    hasNoLimits: header.entries.has(NO_LIMIT_HEADER_KEY),
    cancelledWaiting: countCancelledBeforeStart(trace),
    dependent: preceding.reduce((sum, earlier) => sum + Number(earlier >= 0), 0),
    leftOut: trace.leftOut ?? [],
    unknown: countUnknownByField(trace),
  };
}

/** Seconds on the clock of a log as a date; undefined where there is none, as in the far future. */
function dateOfLogTime(seconds: number, { unixStartTime }: Trace['header']): string | undefined {
  const date = new Date(((unixStartTime ?? Number.NaN) + seconds) * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Columns of the records with positive run time and processors. */
function columnsOfUsableRecords({ count, columns }: Trace) {
  const { runtime, requestedTime, queue } = columns;
  const kept = new Float64Array(count);
  let jobs = 0;
  for (let i = 0; i < count; i++) {
    if (runtime[i]! > 0 && processorsOfLogRecord(columns, i) > 0) kept[jobs++] = i;
  }
  const records = kept.subarray(0, jobs);
  return {
    runtimes: records.map((i) => runtime[i]!),
    processors: records.map((i) => processorsOfLogRecord(columns, i)),
    requested: records.map((i) => requestedTime[i]!),
    queues: records.map((i) => queue[i]!),
    preceding: findPrecedingRecords({
      count: jobs,
      columns: selectRecordsAtPositions(columns, Int32Array.from(records)),
    }),
  };
}

function summarizeValues(values: Float64Array): Distribution | undefined {
  if (values.length === 0) return undefined;
  const sorted = values.slice().sort();
  const low = sorted[(sorted.length - 1) >> 1]!;
  const high = sorted[sorted.length >> 1]!;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, median: low + (high - low) / 2, max: sorted[sorted.length - 1]! };
}

function describeQueues(
  trace: Trace,
  runtimes: Float64Array,
  processors: Float64Array,
  queues: Float64Array,
): QueueInfo[] {
  const sums = new Map<
    number,
    { jobs: number; longest: number; runtime: number; widest: number; width: number }
  >();
  for (let job = 0; job < queues.length; job++) {
    const sum = sums.get(queues[job]!) ?? { jobs: 0, longest: 0, runtime: 0, widest: 0, width: 0 };
    sum.jobs++;
    sum.longest = Math.max(sum.longest, runtimes[job]!);
    sum.runtime += runtimes[job]!;
    sum.widest = Math.max(sum.widest, processors[job]!);
    sum.width += processors[job]!;
    sums.set(queues[job]!, sum);
  }
  const rows = [...sums].map(([queue, sum]) => ({
    queue,
    name: trace.header.names.queue.get(queue),
    jobs: sum.jobs,
    longestRuntime: sum.longest,
    meanRuntime: sum.runtime / sum.jobs,
    widest: sum.widest,
    meanProcessors: sum.width / sum.jobs,
  }));
  return rows.sort((a, b) => a.queue - b.queue);
}

function countDistinctKnown(values: Float64Array): number {
  const known = new Set(values);
  known.delete(-1);
  return known.size;
}

function countUnknownByField(trace: Trace): Record<SwfField, number> {
  const counts = SWF_FIELDS.map((field) => {
    let unknown = 0;
    for (const value of trace.columns[field]) if (value === -1) unknown++;
    return [field, unknown];
  });
  return Object.fromEntries(counts) as Record<SwfField, number>;
}
