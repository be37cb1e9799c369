/** Converts workloads and finished simulations to logs, for writing as SWF. */

import { checkArgument } from '../arguments.js';
import { formatCount } from '../format/numbers.js';
import { CANCELLED_STATUS, sortBySubmit } from '../trace/columns.js';
import {
  deriveHeader,
  parseHeader,
  SWF_FIELDS,
  type SwfField,
  shiftHeaderTimes,
  type Trace,
  type TraceHeader,
} from '../trace/trace.js';
import { isCancelledJob } from './cancellations.js';
import type { Workload } from './workload.js';

/** Results of the jobs of a workload, in job order. */
export interface FinishedColumns {
  /** Submit times in seconds on the clock of the workload; default: as in the workload. */
  readonly submit?: Float64Array;
  /** Start times in seconds on the clock of the workload. */
  readonly start: ArrayLike<number>;
  /** Execution times in seconds. */
  readonly execution: ArrayLike<number>;
  /** Number of processors held by each job. */
  readonly processors: ArrayLike<number>;
}

/** Pattern of header entries that become invalid, since queue numbers now mean home sites. */
const OUTDATED_QUEUE_HEADER_PATTERN = /^\s*;\s*(Queue|MaxQueues)\s*:/;
const OUTDATED_MACHINE_HEADER_PATTERN = /^\s*;\s*(MaxProcs|MaxNodes)\s*:/;

/** Header notes on dropped and split records of the log. */
function makeHeaderNotesOfWorkload(
  { accounting: { dropped: droppedRecords, split } }: Workload,
  hasQueues: boolean,
): string[] {
  const dropCounts = droppedRecords.filter(({ count: recordCount }) => recordCount > 0);
  return [
    ...dropCounts.map(
      ({ rule, count: recordCount }) => `${formatCount(recordCount, 'record')} dropped by the rule ${rule}`,
    ),
    ...(split.jobs > 0 ? [`${split.jobs} jobs cut into ${split.pieces} pieces`] : []),
    ...(hasQueues ? [] : ['queue numbers are home sites, numbered from 1']),
  ];
}

/**
 * Creates a log from columns of jobs and the header lines of the original log.
 * @param originText words for a header note on what the log contains, such as `schedule of a simulation`.
 * @param hasQueues true if queue numbers are those of the original log; false: home sites from 1.
 */
function makeTraceOfColumns(
  workload: Workload,
  headerLines: readonly string[],
  columns: Partial<Record<SwfField, Float64Array>>,
  originText: string,
  hasQueues = false,
): Trace {
  const { count: jobCount, name: workloadName } = workload;
  const keptLines = hasQueues
    ? headerLines
    : headerLines.filter((headerLine) => !OUTDATED_QUEUE_HEADER_PATTERN.test(headerLine));
  const header = setClockOfHeader(parseHeader(keptLines), workload.unixStartTime);
  const makeUnknownColumn = () => new Float64Array(jobCount).fill(-1);
  return {
    source: workloadName,
    header: deriveHeader(header, jobCount, [
      `${originText} of ${workloadName}`,
      ...makeHeaderNotesOfWorkload(workload, hasQueues),
    ]),
    count: jobCount,
    columns: Object.fromEntries(
      SWF_FIELDS.map((field) => [field, columns[field] ?? makeUnknownColumn()]),
    ) as Trace['columns'],
  };
}

/** Adjusts the header to the clock of the workload. */
function setClockOfHeader(header: TraceHeader, unixStartTime: number | undefined): TraceHeader {
  const seconds = (unixStartTime ?? 0) - (header.unixStartTime ?? 0);
  return unixStartTime === undefined ? header : shiftHeaderTimes(header, seconds);
}

function makeColumnsSharedByExports(workload: Workload): Partial<Record<SwfField, Float64Array>> {
  const { job, submit, estimate, home } = workload;
  const queue = Float64Array.from(home, (site) => site + 1);
  return { job, submit, requestedTime: estimate, queue, ...makeDependencyColumns(workload) };
}

/** Columns `precedingJob` and `thinkTime` of dependent jobs; -1 for the others. */
function makeDependencyColumns({
  job,
  dependencies,
}: Workload): Partial<Record<'precedingJob' | 'thinkTime', Float64Array>> {
  if (dependencies === undefined) return {};
  const { preceding, thinkTime } = dependencies;
  return {
    precedingJob: Float64Array.from(preceding, (earlier) => (earlier < 0 ? -1 : job[earlier]!)),
    thinkTime: thinkTime.map((seconds, i) => (preceding[i]! < 0 ? -1 : seconds)),
  };
}

/**
 * Columns of users, groups, partitions and status from the log; a killed job has status 0, a job of unknown
 * status 1.
 */
function makeLoggedColumns({
  count: jobCount,
  log,
  killed,
}: Workload): Partial<Record<SwfField, Float64Array>> {
  const findStatusInLog = (i: number) => (log === undefined || log.status[i]! < 0 ? 1 : log.status[i]!);
  const status = Float64Array.from({ length: jobCount }, (_, i) => (killed?.[i] ? 0 : findStatusInLog(i)));
  if (log === undefined) return { status };
  const { user, group, partition } = log;
  return { user, group, partition, status };
}

/**
 * Converts a workload to a log; reading it with homes by queue gives the same jobs. Pieces of a split job
 * share its number (a job that depends on a split job then depends on its last piece). The header of the
 * original log is kept; unknown fields are -1.
 * @example
 * console.log(workloadToTrace(workload, trace).count); // 200
 */
export function workloadToTrace(workload: Workload, origin: Trace): Trace {
  checkArgument(workload, 'workload', 'workloadToTrace, workload');
  checkArgument(origin, 'trace', 'workloadToTrace, origin');
  const requestedProcessors = Float64Array.from(workload.processors);
  const { runtime } = workload;
  const columns = {
    ...makeColumnsSharedByExports(workload),
    runtime,
    processors: requestedProcessors,
    requestedProcessors,
  };
  const exportedColumns = { ...columns, ...replaceColumnsOfCancelledJobs(workload, columns) };
  return makeTraceOfColumns(workload, origin.header.lines, exportedColumns, 'the jobs simulated');
}

/**
 * Columns by which a log marks cancelled jobs: status, wait until the cancellation, no runtime and no
 * processors. Empty if no job is cancelled.
 */
function replaceColumnsOfCancelledJobs(
  { patience }: Workload,
  { runtime, processors }: Record<'runtime' | 'processors', Float64Array>,
): Partial<Record<SwfField, Float64Array>> {
  if (patience === undefined) return {};
  const replaceForCancelled = (columnValues: Float64Array, replacementValue: number) =>
    columnValues.map((columnValue, job) => (isCancelledJob(patience, job) ? replacementValue : columnValue));
  return {
    wait: patience,
    runtime: replaceForCancelled(runtime, 0),
    processors: replaceForCancelled(processors, -1),
    status: patience.map((seconds) => (seconds >= 0 ? CANCELLED_STATUS : 1)),
  };
}

/**
 * Converts the schedule of a finished simulation to a log: wait, runtime (the execution time) and processors
 * come from the simulation. User, group, partition and status come from the log, and so does the queue if
 * there is one home site; if the status is unknown, a job completed (1); a killed job has status 0. Dependent
 * jobs have their simulated submit time.
 * @param machineProcessors number of processors of the grid: MaxProcs in the new header.
 * @example
 * const { schedule } = simulate(workload, grid);
 * const columns = { ...schedule, processors: schedule.held };
 * console.log(scheduleToTrace(workload, trace, columns, 192).count); // 200
 */
export function scheduleToTrace(
  workload: Workload,
  origin: Trace,
  schedule: FinishedColumns,
  machineProcessors: number,
): Trace {
  checkArgument(workload, 'workload', 'scheduleToTrace, workload');
  checkArgument(origin, 'trace', 'scheduleToTrace, origin');
  checkArgument(schedule, 'schedule', 'scheduleToTrace, schedule');
  const lines = origin.header.lines.filter((line) => !OUTDATED_MACHINE_HEADER_PATTERN.test(line));
  const { home, log } = workload;
  const queue = home.every((site) => site === 0) ? log?.queue : undefined;
  const { submit = workload.submit, start, execution, processors } = schedule;
  const traceOfFinishedJobs = makeTraceOfColumns(
    workload,
    [...lines, `; MaxProcs: ${machineProcessors}`],
    {
      ...makeColumnsSharedByExports(workload),
      submit,
      wait: submit.map((time, i) => start[i]! - time),
      runtime: Float64Array.from(execution),
      // A job that never started has none.
      processors: Float64Array.from(processors, (width) => (width > 0 ? width : -1)),
      requestedProcessors: Float64Array.from(workload.processors),
      ...makeLoggedColumns(workload),
      ...(queue === undefined ? {} : { queue }),
    },
    'schedule of a simulation',
    queue !== undefined,
  );
  return sortBySubmit(traceOfFinishedJobs);
}
