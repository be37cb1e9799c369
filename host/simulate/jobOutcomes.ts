/** Results of the jobs that a summary covers: for percentiles, users and classes. */
import {
  getSlowdownExecutionBound,
  type JobQuantity,
  NUMBER_OF_QUANTITY_IN_LOOPS,
} from '../jobs/quantities.js';
import { isWorthCompilingLoops, type LoopWorkspace, withLoopWorkspace } from '../loops/workspace.js';
import { MAX_SUM_PARTS, sumColumnExactly } from '../math/exactSum.js';
import type { SwfField } from '../trace/trace.js';
import { isCancelledJob } from '../workload/cancellations.js';
import { type ClassLimits, chooseClassLimitsOfWorkload, type Workload } from '../workload/workload.js';
import type { JobsOfRun } from './jobFolds.js';
import type { JobWorkColumns } from './offeredLoad.js';
import { computeMeasuredSubmitWindow } from './schedule.js';

/** Percentiles shown in reports. */
export const REPORTED_PERCENTILES = [50, 90, 95, 99] as const;
/** Percentiles computed together; the last is the maximum. */
const COMPUTED_PERCENTILES: readonly number[] = [...REPORTED_PERCENTILES, 100];

/**
 * Index, from 0, of a percentile in ascending values: rank ceil(p n / 100), so that the result is an observed
 * value.
 */
export function computePercentileRank(p: number, valueCount: number): number {
  return Math.max(1, Math.ceil((p * valueCount) / 100)) - 1;
}

/** Percentile of ascending values by rank ceil(p n / 100), from 1; no interpolation between values. */
export function selectPercentile(ascending: ArrayLike<number>, p: number): number {
  return ascending[computePercentileRank(p, ascending.length)]!;
}

/** Values of the measured jobs from which the metrics of every job are computed. */
export interface JobValues {
  /** Percentile of a quantity. */
  percentile(quantity: JobQuantity, p: (typeof REPORTED_PERCENTILES)[number] | 100): number;
  /** Mean of a quantity over the jobs of each user, in ascending order; empty without users. */
  userMeans(quantity: JobQuantity): Float64Array;
  /** Mean of the known waits in the log, in seconds; undefined if none is known. */
  meanRecordedWait(): number | undefined;
}

/**
 * Results of the measured jobs of a finished simulation: all except those submitted in warm-up or
 * cool-down, and cancelled ones.
 */
export class FinishedJobOutcomes implements JobValues {
  readonly count: number;
  readonly jobs: JobWorkColumns;
  readonly start: Float64Array;
  readonly execution: Float64Array;
  /** Number of allocated processors. */
  readonly held: Int32Array;
  /** Names of the numbers in the log fields. */
  readonly names: Workload['names'];
  /** Limits of short and narrow jobs. */
  readonly limits: ClassLimits;
  readonly #measured: MeasuredJobs;
  readonly #log: Workload['log'];
  readonly #values = new Map<JobQuantity, Float64Array>();
  readonly #percentiles = new Map<JobQuantity, readonly number[]>();
  readonly #userMeans = new Map<JobQuantity, Float64Array>();
  #users: EntryGroups | undefined;

  /**
   * @param log log fields of the jobs, if the run does not have them.
   */
  constructor(jobsOfRun: JobsOfRun, log: Workload['log'] = jobsOfRun.workload.log) {
    const jobColumns = jobsOfRun.jobColumns();
    const { submit, start, execution, held: heldProcessors } = jobsOfRun.outcomes();
    const measuredJobs = omitCancelledJobs(jobsOfRun.workload, selectMeasuredJobs(jobsOfRun, submit));
    const selectMeasured = <Column extends JobTypedArray>(column: Column) =>
      selectMeasuredEntries(column, measuredJobs);
    this.#measured = measuredJobs;
    this.count = countMeasuredJobs(measuredJobs);
    this.jobs = {
      count: this.count,
      submit: selectMeasured(submit),
      runtime: selectMeasured(jobColumns.runtime),
      processors: selectMeasured(jobColumns.processors),
      home: selectMeasured(jobColumns.home),
    };
    this.start = selectMeasured(start);
    this.execution = selectMeasured(execution);
    this.held = heldProcessors.length === 0 ? this.jobs.processors : selectMeasured(heldProcessors);
    this.#log = log;
    this.names = jobsOfRun.workload.names;
    this.limits = chooseClassLimitsOfWorkload(jobsOfRun.workload);
  }

  /** Selects the entries of the measured jobs from a column of all jobs. */
  selectMeasured<Column extends JobTypedArray>(column: Column): Column {
    return selectMeasuredEntries(column, this.#measured);
  }

  /** Field of the log for each job; undefined if the jobs do not come from a log. */
  readLogField(field: SwfField): Float64Array | undefined {
    const column = this.#log?.[field];
    return column && this.selectMeasured(column);
  }

  /** Values of a quantity by job. */
  values(quantity: JobQuantity): Float64Array {
    return getOrCompute(this.#values, quantity, () =>
      computeJobQuantities(quantity, this.jobs.submit, this.start, this.execution),
    );
  }

  /** Percentile of a quantity as defined by `selectPercentile`; undefined without jobs. */
  percentile(quantity: JobQuantity, p: (typeof REPORTED_PERCENTILES)[number] | 100): number {
    const computedPercentiles = getOrCompute(this.#percentiles, quantity, () =>
      selectValuesAtRanks(
        this.values(quantity),
        COMPUTED_PERCENTILES.map((computedPercentile) =>
          computePercentileRank(computedPercentile, this.count),
        ),
      ),
    );
    return computedPercentiles[COMPUTED_PERCENTILES.indexOf(p)]!;
  }

  meanRecordedWait(): number | undefined {
    const recordedWaits = selectNonNegativeValues(this.readLogField('wait') ?? new Float64Array(0));
    return recordedWaits.length === 0 ? undefined : sumColumnExactly(recordedWaits) / recordedWaits.length;
  }

  /**
   * Mean of a quantity over the jobs of each user in the log, in ascending order; empty if the log names no
   * users.
   */
  userMeans(quantity: JobQuantity): Float64Array {
    return getOrCompute(this.#userMeans, quantity, () => {
      this.#users ??= groupEqualKnownNumbers(this.readLogField('user') ?? new Float64Array(0));
      return computeMeansByGroup(this.values(quantity), this.#users).sort();
    });
  }
}

/** Selects the nonnegative values. */
export function selectNonNegativeValues(fieldValues: Float64Array): Float64Array {
  const { length } = fieldValues;
  const layout = { values: ['doubles', length] } as const;
  const copyNonNegativeValues = ({ arrays, loops, keep }: LoopWorkspace<typeof layout>) => {
    arrays.values.set(fieldValues);
    return keep(arrays.values.subarray(0, loops.keepNonNegativeValues(arrays.values, length)));
  };
  return withLoopWorkspace(layout, copyNonNegativeValues, isWorthCompilingLoops(length));
}

/** Value of a map for a key, computed on first use. */
function getOrCompute<Key, Value>(map: Map<Key, Value>, key: Key, makeValue: () => Value): Value {
  const knownValue = map.get(key);
  if (knownValue !== undefined) return knownValue;
  const made = makeValue();
  map.set(key, made);
  return made;
}

/** Assignment of entries to groups. */
interface EntryGroups {
  /** Group number of each entry, from 0; -1 for entries without a group. */
  readonly groupOf: Int32Array;
  /** Number of entries in each group. */
  readonly counts: readonly number[];
}

/** Groups entries with equal nonnegative numbers, in the order of first appearance. */
function groupEqualKnownNumbers(numbers: Float64Array): EntryGroups {
  const groupIndexByNumber = new Map<number, number>();
  const groupSizes: number[] = [];
  const groupOf = new Int32Array(numbers.length);
  let previousNumber = Number.NaN;
  let groupNumber = -1;
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i]!;
    if (number !== previousNumber)
      groupNumber = number >= 0 ? (groupIndexByNumber.get(number) ?? groupIndexByNumber.size) : -1;
    previousNumber = number;
    if (groupNumber === groupIndexByNumber.size) {
      groupIndexByNumber.set(number, groupNumber);
      groupSizes.push(0);
    }
    groupOf[i] = groupNumber;
    if (groupNumber >= 0) groupSizes[groupNumber]!++;
  }
  return { groupOf, counts: groupSizes };
}

/** Mean of each group of values. */
function computeMeansByGroup(valuesOfJobs: Float64Array, { groupOf, counts }: EntryGroups): Float64Array {
  const layout = {
    values: valuesOfJobs,
    groupOf,
    members: ['doubles', valuesOfJobs.length],
    ends: ['ints', counts.length + 1],
    means: ['doubles', counts.length],
    parts: ['doubles', MAX_SUM_PARTS],
  } as const;
  const computeMeans = ({ arrays, loops, keep }: LoopWorkspace<typeof layout>) => {
    const { members, ends, means, parts } = arrays;
    let end = 0;
    for (const [group, count] of counts.entries()) ends[group] = end += count;
    ends[counts.length] = end;
    const columnArguments = [
      arrays.values,
      arrays.groupOf,
      valuesOfJobs.length,
      ends,
      counts.length,
    ] as const;
    loops.meansOfGroups(...columnArguments, members, parts, means);
    return keep(means);
  };
  return withLoopWorkspace(layout, computeMeans, isWorthCompilingLoops(valuesOfJobs.length));
}

/** Number of jobs processed per call of a compiled loop. */
const JOBS_PER_LOOP_CALL = 8192;

/**
 * Computes a quantity, such as the wait or the bounded slowdown, of every job from its submit time, start and
 * execution in seconds.
 */
function computeJobQuantities(
  quantity: JobQuantity,
  submit: Float64Array,
  start: Float64Array,
  execution: Float64Array,
): Float64Array {
  const quantityByJob = new Float64Array(submit.length);
  for (let from = 0; from < quantityByJob.length; from += JOBS_PER_LOOP_CALL) {
    const end = Math.min(from + JOBS_PER_LOOP_CALL, quantityByJob.length);
    const chunks = {
      submit: submit.subarray(from, end),
      start: start.subarray(from, end),
      execution: execution.subarray(from, end),
      values: quantityByJob.subarray(from, end),
    };
    const fillChunk = ({ arrays, loops }: LoopWorkspace<typeof chunks>) => {
      const columnArguments = [
        arrays.submit,
        arrays.start,
        arrays.execution,
        end - from,
        getSlowdownExecutionBound(),
      ] as const;
      loops.quantitiesOfJobs(NUMBER_OF_QUANTITY_IN_LOOPS[quantity], ...columnArguments, arrays.values);
      // The workspace may have filled a copy instead of the chunk itself.
      if (arrays.values !== chunks.values) chunks.values.set(arrays.values);
    };
    withLoopWorkspace(chunks, fillChunk, isWorthCompilingLoops(quantityByJob.length));
  }
  return quantityByJob;
}

type JobTypedArray = Float64Array | Int32Array | Uint8Array;

/** Indices of measured jobs: a range, or a list if jobs are not submitted in index order. */
type MeasuredJobs = { readonly first: number; readonly end: number } | Uint32Array;

function countMeasuredJobs(measuredJobs: MeasuredJobs): number {
  return 'first' in measuredJobs ? measuredJobs.end - measuredJobs.first : measuredJobs.length;
}

function selectMeasuredEntries<Column extends JobTypedArray>(
  column: Column,
  measuredJobs: MeasuredJobs,
): Column {
  if ('first' in measuredJobs) return column.subarray(measuredJobs.first, measuredJobs.end) as Column;
  return column.constructor === Float64Array
    ? (Float64Array.from(measuredJobs, (job) => column[job]!) as Column)
    : (Int32Array.from(measuredJobs, (job) => column[job]!) as Column);
}

/** Selects the jobs between warm-up and cool-down. */
function selectMeasuredJobs({ workload, configuration }: JobsOfRun, submit: Float64Array): MeasuredJobs {
  const { count: jobCount, dependencies } = workload;
  const window = computeMeasuredSubmitWindow(configuration, submit);
  if (window === undefined) return { first: 0, end: jobCount };
  const { from, until } = window;
  if (dependencies === undefined) {
    let first = 0;
    let end = jobCount;
    while (first < jobCount && submit[first]! < from) first++;
    while (end > first && submit[end - 1]! > until) end--;
    return { first, end };
  }
  return Uint32Array.from(submit.keys()).filter((job) => submit[job]! >= from && submit[job]! <= until);
}

/** Measured jobs without cancelled ones. */
function omitCancelledJobs({ patience }: Workload, measuredJobs: MeasuredJobs): MeasuredJobs {
  if (patience === undefined) return measuredJobs;
  const measuredIndices =
    'first' in measuredJobs
      ? Uint32Array.from({ length: measuredJobs.end - measuredJobs.first }, (_, i) => measuredJobs.first + i)
      : measuredJobs;
  return measuredIndices.filter((job) => !isCancelledJob(patience, job));
}

/** Number of jobs excluded as warm-up or cool-down. */
export function countExcludedJobs(jobsOfRun: JobsOfRun): number {
  return jobsOfRun.workload.count - countMeasuredJobs(selectMeasuredJobs(jobsOfRun, jobsOfRun.submitTimes()));
}

/**
 * Values that would stand at the given ranks if the numbers were sorted; undefined for ranks beyond the last.
 * @param values numbers without NaN, in any order.
 * @param ranks ranks from 0, ascending.
 */
export function selectValuesAtRanks(values: Float64Array, ranks: readonly number[]): number[] {
  const { length } = values;
  const find = ({ arrays, loops }: LoopWorkspace<{ readonly copy: readonly ['doubles', number] }>) => {
    const { copy } = arrays;
    copy.set(values);
    let low = 0;
    return ranks.map((rank) => {
      // A partition at a rank leaves no smaller value behind it, so the next rank is searched from there on.
      loops.partitionAroundPosition(copy, Math.min(low, rank), length - 1, rank);
      low = rank;
      return copy[rank]!;
    });
  };
  return withLoopWorkspace({ copy: ['doubles', length] }, find, isWorthCompilingLoops(length));
}
