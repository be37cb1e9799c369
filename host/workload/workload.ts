/** Jobs of a simulation, and accounting of the records they come from. */
import { type NumberNames, nameOfLogNumber, type SwfField, type Trace } from '../trace/trace.js';

/** Accounting of the records of a log: `read` = `kept` + sum of `dropped`. */
export interface Accounting {
  /** Number of records in the log. */
  readonly read: number;
  /** Number of records that became jobs. */
  readonly kept: number;
  /**
   * Number of dropped records by rule, in order of application; each record counts under the first rule that
   * drops it.
   */
  readonly dropped: readonly { readonly rule: string; readonly count: number }[];
  /** Numbers of the jobs dropped by the rule `oversize`. */
  readonly oversizeJobs: readonly number[];
  /** Number of jobs that are cancelled; absent: none. */
  readonly cancelled?: number;
  /**
   * Number of jobs without a requested time, whose runtime replaces the estimate; 0 for other sources of
   * estimates.
   */
  readonly withoutEstimate: number;
  /** Number of jobs without a time limit, and the assumed requested time in seconds; absent: none. */
  readonly unlimited?: { readonly jobs: number; readonly seconds: number };
  /** Number of split jobs, and of their pieces (simulated jobs = kept - jobs + pieces). */
  readonly split: { readonly jobs: number; readonly pieces: number };
  /** Accounting of preceding jobs; only with dependencies. */
  readonly dependencies?: DependencyCounts;
}

/** Numbers of jobs that name a preceding job. */
export interface DependencyCounts {
  /** Number of jobs submitted after the end of the preceding job. */
  readonly jobs: number;
  /** Number of jobs whose preceding job is not in the log. */
  readonly unknown: number;
  /** Number of jobs whose preceding job was dropped. */
  readonly dropped: number;
  /** Number of jobs whose preceding job is not an earlier one. */
  readonly later: number;
}

/** Dependencies by job: jobs that are submitted only after another has ended. */
export interface Dependencies {
  /**
   * Index of the preceding job (the first piece of a split job); -1: none. It is before the job and all its
   * pieces.
   */
  readonly preceding: Int32Array;
  /** Minimum seconds from the end of the preceding job to the submission. */
  readonly thinkTime: Float64Array;
  /**
   * Index of the first piece of the job's record (or of the job itself); a split job ends with its last
   * piece.
   */
  readonly firstPiece: Int32Array;
}

/** Settings for estimates from a user's recent jobs. */
export interface RecentEstimates {
  /** Number n of the user's most recently ended jobs whose mean runtime is the estimate. */
  readonly n: number;
  /** True if estimates are updated while jobs wait; absent: computed once, at submission. */
  readonly refresh?: true;
}

/**
 * Jobs ready for simulation, sorted by submit time; the index of a job is its position, and every column has
 * `count` entries.
 */
export interface Workload {
  /** Name of the workload in results. */
  readonly name: string;
  /** Number of jobs. */
  readonly count: number;
  /** Job number in the log; pieces of a split job share it. */
  readonly job: Float64Array;
  /**
   * Submit time in seconds on the clock of the log. Jobs with `dependencies` may be submitted later; the
   * schedule contains the actual time.
   */
  readonly submit: Float64Array;
  /** Runtime in seconds at speed 1, before the load factor. */
  readonly runtime: Float64Array;
  /** Runtime estimate in seconds at speed 1, before the load factor; with `recent`, the requested time. */
  readonly estimate: Float64Array;
  /** Number of requested processors of each job. */
  readonly processors: Int32Array;
  /** Home site, numbered from 0. */
  readonly home: Int32Array;
  /** Input data per job in bytes, copied when the job runs outside its home site; absent: none. */
  readonly data?: Float64Array;
  /**
   * Flags of jobs killed at their requested time (1), whose runtime is already limited; absent: none is
   * killed.
   */
  readonly killed?: Uint8Array;
  /**
   * Settings for estimates from recent jobs, and user numbers from 0 (-1: unknown); absent: `estimate`
   * applies.
   */
  readonly recent?: RecentEstimates & { readonly users: Int32Array };
  /**
   * Seconds from the submission of each job to its cancellation, when it leaves the queue or is stopped; -1:
   * not cancelled. Absent: no job is cancelled.
   */
  readonly patience?: Float64Array;
  /** True if runtimes are unknown in advance; absent: there are estimates. */
  readonly unestimated?: true;
  /** Dependencies on earlier jobs; absent: there are none. */
  readonly dependencies?: Dependencies;
  /** Log fields of each job before scaling; absent: the jobs do not come from a log. */
  readonly log?: Trace['columns'];
  /** Names of the numbers of users, groups, queues, partitions and array tasks; absent: unknown. */
  readonly names?: NumberNames;
  /** Limits of short and narrow jobs; absent: the default. */
  readonly classLimits?: ClassLimits;
  /** Accounting of the records of the log. */
  readonly accounting: Accounting;
  /** Start of the clock: seconds from 1970 to time 0 of the submit times; absent if unknown. */
  readonly unixStartTime?: number;
}

/** Limits of short and narrow jobs. */
export interface ClassLimits {
  /** Maximum runtime of a short job in seconds. */
  readonly shortRuntime: number;
  /** Maximum number of processors of a narrow job. */
  readonly narrowWidth: number;
}

/** Default limits of short and narrow jobs, as in Srinivasan et al. 2002: one hour and 8 processors. */
export const DEFAULT_CLASS_LIMITS: ClassLimits = { shortRuntime: 3600, narrowWidth: 8 };

/** Limits of short and narrow jobs of a workload. */
export const chooseClassLimitsOfWorkload = ({ classLimits }: Pick<Workload, 'classLimits'>): ClassLimits =>
  classLimits ?? DEFAULT_CLASS_LIMITS;

/** True if limits of short and narrow jobs are the defaults of Srinivasan et al. 2002. */
export const areDefaultClassLimits = ({ shortRuntime, narrowWidth }: ClassLimits): boolean =>
  shortRuntime === DEFAULT_CLASS_LIMITS.shortRuntime && narrowWidth === DEFAULT_CLASS_LIMITS.narrowWidth;

function areStrictlyIncreasing(jobNumbers: ArrayLike<number>): boolean {
  for (let i = 1; i < jobNumbers.length; i++) if (!(jobNumbers[i - 1]! < jobNumbers[i]!)) return false;
  return true;
}

/**
 * Unique name of each job: its name or number in the log; further pieces of a split job have the suffix `#2`,
 * `#3`, ...
 */
export function makeUniqueJobNames({ job, names: namesByKind }: Pick<Workload, 'job' | 'names'>): string[] {
  const isNamed = (namesByKind?.job.size ?? 0) > 0;
  // Increasing job numbers, as in most logs, are unique.
  if (!isNamed && areStrictlyIncreasing(job)) return Array.from(job, String);
  const countByName = new Map<number | string, number>();
  return Array.from(job, (number) => {
    const name = isNamed ? nameOfLogNumber(namesByKind, 'job', number) : number;
    const occurrenceCount = (countByName.get(name) ?? 0) + 1;
    countByName.set(name, occurrenceCount);
    return occurrenceCount === 1 ? `${name}` : `${name}#${occurrenceCount}`;
  });
}

/** Fields of a log, besides times and processors, that may affect a simulation. */
export const SIMULATED_FIELDS = ['user', 'group', 'queue', 'partition'] as const;

/** Keeps only some fields of a log. */
export function keepFieldsOfLog(
  log: NonNullable<Workload['log']>,
  keptFields: readonly SwfField[],
): NonNullable<Workload['log']> {
  return Object.fromEntries(keptFields.map((field) => [field, log[field]])) as typeof log;
}

// Splitting a log into time spans of equal length, each simulated on its own

/** Maximum number of time spans into which a log is split. */
const MAX_LOG_SPAN_COUNT = 12;
/** Minimum length in seconds of a time span. */
const MIN_SPAN_SECONDS = 30 * 86_400;
/** Minimum number of time spans; shorter logs are not split. */
const MIN_LOG_SPAN_COUNT = 4;

/** Jobs in a range of indices as a separate workload, with the first submission at 0. */
function makeWorkloadOfJobRange(workload: Workload, from: number, to: number): Workload {
  const { submit, data, killed, recent, log, patience } = workload;
  const columns = Object.entries(log ?? {}).map(([field, values]) => [field, values.slice(from, to)]);
  return {
    ...workload,
    count: to - from,
    job: workload.job.slice(from, to),
    submit: submit.slice(from, to).map((time) => time - submit[from]!),
    runtime: workload.runtime.slice(from, to),
    estimate: workload.estimate.slice(from, to),
    processors: workload.processors.slice(from, to),
    home: workload.home.slice(from, to),
    ...(data && { data: data.slice(from, to) }),
    ...(killed && { killed: killed.slice(from, to) }),
    ...(patience && { patience: patience.slice(from, to) }),
    ...(recent && { recent: { ...recent, users: recent.users.slice(from, to) } }),
    ...(log === undefined ? {} : { log: Object.fromEntries(columns) as Record<SwfField, Float64Array> }),
  };
}

/** Time spans of a log. */
export interface LogTimeSpans {
  /** Length of each span in seconds, including omitted spans without jobs. */
  readonly seconds: number;
  readonly workloads: readonly Workload[];
}

/**
 * Splits the jobs of a log into up to 12 equal time spans by submission, each of at least 30 days; spans
 * without jobs are omitted. Undefined for fewer than four spans, or dependent jobs.
 */
export function splitLogIntoSpans(workload: Workload): LogTimeSpans | undefined {
  const { submit, count: jobCount, dependencies } = workload;
  const length = submit[jobCount - 1]! - submit[0]!;
  const spanCount = Math.min(MAX_LOG_SPAN_COUNT, Math.floor(length / MIN_SPAN_SECONDS));
  if (spanCount < MIN_LOG_SPAN_COUNT || dependencies !== undefined) return undefined;
  const spanWorkloads: Workload[] = [];
  let from = 0;
  for (let span = 1; span <= spanCount; span++) {
    const spanEnd = submit[0]! + (length * span) / spanCount;
    let to = from;
    while (to < jobCount && (span === spanCount || submit[to]! < spanEnd)) to++;
    if (to > from) spanWorkloads.push(makeWorkloadOfJobRange(workload, from, to));
    from = to;
  }
  return spanWorkloads.length < MIN_LOG_SPAN_COUNT
    ? undefined
    : { seconds: length / spanCount, workloads: spanWorkloads };
}
