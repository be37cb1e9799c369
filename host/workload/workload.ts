/** The jobs of a simulation, and what happened to the records that they come from. */
import { type NumberNames, nameOfLogNumber, type SwfField, type Trace } from '../trace/trace.js';

/** Accounting of the records of a log: `read` = `kept` + the sum of `dropped`. */
export interface Accounting {
  /** Records of the log. */
  readonly read: number;
  /** Records that became jobs. */
  readonly kept: number;
  /** Records dropped, by the first rule that dropped them, in the order the rules were applied. */
  readonly dropped: readonly { readonly rule: string; readonly count: number }[];
  /** Job numbers dropped by the rule `oversize`. */
  readonly oversizeJobs: readonly number[];
  /** Jobs kept that are cancelled; absent: none. */
  readonly cancelled?: number;
  /** Records kept that request no time, so that their runtime is used as the estimate; 0 where the estimates are others. */
  readonly withoutEstimate: number;
  /** Jobs without a limit, and the seconds that count as their request; absent: none. */
  readonly unlimited?: { readonly jobs: number; readonly seconds: number };
  /** Jobs cut into pieces and the pieces they became (jobs simulated = kept - jobs + pieces). */
  readonly split: { readonly jobs: number; readonly pieces: number };
  /** With dependencies: accounting of the preceding jobs that records name. */
  readonly dependencies?: DependencyCounts;
}

/** Records kept that name a preceding job. */
export interface DependencyCounts {
  /** Jobs that are submitted after its end. */
  readonly jobs: number;
  /** Jobs that are not, since it is not in the log. */
  readonly unknown: number;
  /** Since it was dropped. */
  readonly dropped: number;
  /** Since it is no earlier job. */
  readonly later: number;
}

/** Jobs that are submitted only after another has ended, by job. */
export interface Dependencies {
  /** The preceding job, of several pieces the first; -1: none. It is before the job and all its pieces. */
  readonly preceding: Int32Array;
  /** Seconds between its end and the submit at least, from 0 on. */
  readonly thinkTime: Float64Array;
  /** Index of the job, or of the first piece of its record, which ends when the last piece does. */
  readonly firstPiece: Int32Array;
}

/** Estimates from the last jobs of a user. */
export interface RecentEstimates {
  /** n: of how many jobs of the user that ended last an estimate is the mean. */
  readonly n: number;
  /** True if jobs are estimated again as long as they wait; absent: once, at their submit. */
  readonly refresh?: true;
}

/** Jobs ready for a simulation: sorted by submit time, a job's index is its position (all columns `count` long). */
export interface Workload {
  /** Name in results. */
  readonly name: string;
  /** Number of jobs. */
  readonly count: number;
  /** Job number in the log; pieces of a split job share it. */
  readonly job: Float64Array;
  /** Seconds, on the log's clock. Jobs with `dependencies` may be submitted later than that; the schedule has when. */
  readonly submit: Float64Array;
  /** Seconds at speed 1, before the load factor. */
  readonly runtime: Float64Array;
  /** Seconds at speed 1, before the load factor; with `recent` what jobs request. */
  readonly estimate: Float64Array;
  /** Processors that each job asks for. */
  readonly processors: Int32Array;
  /** Home site, numbered from 0. */
  readonly home: Int32Array;
  /** Bytes that move with the job where it runs away from home; absent: none. */
  readonly data?: Float64Array;
  /** 1 for each job that is ended at its requested time, with the runtime that this leaves it; absent: none is. */
  readonly killed?: Uint8Array;
  /**
   * Number of a user's recent jobs by which jobs are estimated, and users from 0, -1 unknown; absent: `estimate`
   * applies.
   */
  readonly recent?: RecentEstimates & { readonly users: Int32Array };
  /**
   * Seconds from the submission of each job to its cancellation, when it leaves the queue or ends; -1: it is not
   * cancelled. Absent: no job is.
   */
  readonly patience?: Float64Array;
  /** True if runtimes are unknown in advance; absent: there are estimates. */
  readonly unestimated?: true;
  /** Earlier jobs on which jobs depend; absent: there are no dependencies. */
  readonly dependencies?: Dependencies;
  /** Fields of the log for each job, before scaling; absent: the jobs are of no log. */
  readonly log?: Trace['columns'];
  /** Names of the numbers of users, groups, queues, partitions and tasks; absent: unknown. */
  readonly names?: NumberNames;
  /** Limits of short and narrow jobs; absent: the default. */
  readonly classLimits?: ClassLimits;
  /** Accounting of the records of the log. */
  readonly accounting: Accounting;
  /** Seconds from 1970 to the zero of the submit times; absent where no date belongs to them. */
  readonly unixStartTime?: number;
}

/** The limits of short and narrow jobs. */
export interface ClassLimits {
  /** Seconds. */
  readonly shortRuntime: number;
  /** Processors. */
  readonly narrowWidth: number;
}

/** The limits of Srinivasan et al. 2002. */
export const DEFAULT_CLASS_LIMITS: ClassLimits = { shortRuntime: 3600, narrowWidth: 8 };

/** The limits of some jobs. */
export const classLimitsOfWorkload = ({ classLimits }: Pick<Workload, 'classLimits'>): ClassLimits =>
  classLimits ?? DEFAULT_CLASS_LIMITS;

/** True if limits are those of Srinivasan et al. */
export const areDefaultClassLimits = ({ shortRuntime, narrowWidth }: ClassLimits): boolean =>
  shortRuntime === DEFAULT_CLASS_LIMITS.shortRuntime && narrowWidth === DEFAULT_CLASS_LIMITS.narrowWidth;

function areStrictlyIncreasing(numbers: ArrayLike<number>): boolean {
  for (let i = 1; i < numbers.length; i++) if (!(numbers[i - 1]! < numbers[i]!)) return false;
  return true;
}

/** The name of each job, or its number in the log; where that is met again (the further pieces of a cut job) with `#2`, `#3`. */
export function uniqueJobNames({ job, names }: Pick<Workload, 'job' | 'names'>): string[] {
  const isNamed = (names?.job.size ?? 0) > 0;
  // Increasing, as in most logs, so each is there once.
  if (!isNamed && areStrictlyIncreasing(job)) return Array.from(job, String);
  const met = new Map<number | string, number>();
  return Array.from(job, (number) => {
    const name = isNamed ? nameOfLogNumber(names, 'job', number) : number;
    const times = (met.get(name) ?? 0) + 1;
    met.set(name, times);
    return times === 1 ? `${name}` : `${name}#${times}`;
  });
}

/** Fields of a log on which a simulation may depend. */
export const SIMULATED_FIELDS = ['user', 'group', 'queue', 'partition'] as const;

/** Log with some of its fields alone. */
export function keepFieldsOfLog(
  log: NonNullable<Workload['log']>,
  fields: readonly SwfField[],
): NonNullable<Workload['log']> {
  return Object.fromEntries(fields.map((field) => [field, log[field]])) as typeof log;
}

// A log in spans of equal length, each by itself: months of one machine differ more than copies of the same months

/** Largest number of spans, their least length in seconds, and the least number that is meaningful. */
const MAX_LOG_SPAN_COUNT = 12;
const MIN_SPAN_SECONDS = 30 * 86_400;
const MIN_LOG_SPAN_COUNT = 4;

/** The jobs from one index to another, by themselves, their first submit at 0. */
function workloadOfJobRange(workload: Workload, from: number, to: number): Workload {
  const { job, submit, runtime, estimate, processors, home, data, killed, recent, log, patience } = workload;
  const columns = Object.entries(log ?? {}).map(([field, values]) => [field, values.slice(from, to)]);
  return {
    ...workload,
    count: to - from,
    job: job.slice(from, to),
    submit: submit.slice(from, to).map((time) => time - submit[from]!),
    runtime: runtime.slice(from, to),
    estimate: estimate.slice(from, to),
    processors: processors.slice(from, to),
    home: home.slice(from, to),
    ...(data === undefined ? {} : { data: data.slice(from, to) }),
    ...(killed === undefined ? {} : { killed: killed.slice(from, to) }),
    ...(patience === undefined ? {} : { patience: patience.slice(from, to) }),
    ...(recent === undefined ? {} : { recent: { ...recent, users: recent.users.slice(from, to) } }),
    ...(log === undefined ? {} : { log: Object.fromEntries(columns) as Record<SwfField, Float64Array> }),
  };
}

/** Spans of a log. */
export interface LogTimeSpans {
  /** Length of each span in seconds, including those without jobs, which are excluded. */
  readonly seconds: number;
  readonly workloads: readonly Workload[];
}

/**
 * The jobs of a log in up to 12 spans of equal length by submit, each of 30 days or more; those without jobs are left out.
 * Undefined where that makes fewer than four, or where jobs depend on others.
 */
export function splitLogIntoSpans(workload: Workload): LogTimeSpans | undefined {
  const { submit, count, dependencies } = workload;
  const length = submit[count - 1]! - submit[0]!;
  const spans = Math.min(MAX_LOG_SPAN_COUNT, Math.floor(length / MIN_SPAN_SECONDS));
  if (spans < MIN_LOG_SPAN_COUNT || dependencies !== undefined) return undefined;
  const found: Workload[] = [];
  let from = 0;
  for (let span = 1; span <= spans; span++) {
    const end = submit[0]! + (length * span) / spans;
    let to = from;
    while (to < count && (span === spans || submit[to]! < end)) to++;
    if (to > from) found.push(workloadOfJobRange(workload, from, to));
    from = to;
  }
  return found.length < MIN_LOG_SPAN_COUNT ? undefined : { seconds: length / spans, workloads: found };
}
