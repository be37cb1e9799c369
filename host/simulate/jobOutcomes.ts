/** Results of the jobs that a summary covers: for percentiles, users and classes. */
import { COMPILED_QUANTITY_NUMBERS, type Quantity, slowdownExecutionBound } from '../jobs/quantities.js';
import { isWorthCompilingLoops, type LoopWorkspace, withLoopWorkspace } from '../loops/workspace.js';
import { MAX_SUM_PARTS } from '../math/exactSum.js';
import type { SwfField } from '../trace/trace.js';
import { isCancelledJob } from '../workload/cancellations.js';
import { type ClassLimits, classLimitsOfWorkload, type Workload } from '../workload/workload.js';
import type { JobWorkColumns } from './offeredLoad.js';
import { knownSubmitTimesOfJobs, measuredSubmitWindow } from './schedule.js';
import type { Simulator } from './simulator.js';

/** Percentiles that are shown. */
export const REPORTED_PERCENTILES = [50, 90, 95, 99] as const;
/** Percentiles that are found together; the last is the largest value. */
const COMPUTED_PERCENTILES: readonly number[] = [...REPORTED_PERCENTILES, 100];

/** The place, from 0, of a percentile among this many ascending values: rank ceil(p n / 100), a value that there is. */
function percentileRank(p: number, count: number): number {
  return Math.max(1, Math.ceil((p * count) / 100)) - 1;
}

/** The value of rank ceil(p n / 100), from 1, of ascending values: a value that there is, nothing between two. */
export function percentile(ascending: ArrayLike<number>, p: number): number {
  return ascending[percentileRank(p, ascending.length)]!;
}

/**
 * The jobs of a simulation that has run to its end, without those of warm-up and cool-down, and without cancelled ones.
 */
export class FinishedJobOutcomes {
  readonly count: number;
  readonly jobs: JobWorkColumns;
  readonly start: Float64Array;
  readonly execution: Float64Array;
  /** Processors that they ran on. */
  readonly held: Int32Array;
  /** Names of the numbers in the log. */
  readonly names: Workload['names'];
  /** Limits of short and narrow jobs. */
  readonly limits: ClassLimits;
  readonly #measured: MeasuredJobs;
  readonly #log: Workload['log'];
  readonly #values = new Map<Quantity, Float64Array>();
  readonly #percentiles = new Map<Quantity, readonly number[]>();
  readonly #userMeans = new Map<Quantity, Float64Array>();
  #users: EntryGroups | undefined;

  /** @param log what the log says of the jobs, where the simulator does not have it. */
  constructor(simulator: Simulator, log: Workload['log'] = simulator.workload.log) {
    const jobs = simulator.jobColumns();
    const { submit, start, execution, held } = simulator.outcomes();
    const measured = omitCancelledJobs(simulator.workload, selectMeasuredJobs(simulator, submit));
    const of = <Column extends JobTypedArray>(column: Column) => selectMeasuredEntries(column, measured);
    this.#measured = measured;
    this.count = countMeasuredJobs(measured);
    this.jobs = {
      count: this.count,
      submit: of(submit),
      runtime: of(jobs.runtime),
      processors: of(jobs.processors),
      home: of(jobs.home),
    };
    this.start = of(start);
    this.execution = of(execution);
    this.held = held.length === 0 ? this.jobs.processors : of(held);
    this.#log = log;
    this.names = simulator.workload.names;
    this.limits = classLimitsOfWorkload(simulator.workload);
  }

  /** Their entries of a column of all jobs. */
  of<Column extends JobTypedArray>(column: Column): Column {
    return selectMeasuredEntries(column, this.#measured);
  }

  /** A field of the log of each job; undefined where the jobs are of no log. */
  logged(field: SwfField): Float64Array | undefined {
    const column = this.#log?.[field];
    return column && this.of(column);
  }

  /** A quantity of each job. */
  values(quantity: Quantity): Float64Array {
    return getOrCompute(this.#values, quantity, () =>
      computeJobQuantities(quantity, this.jobs.submit, this.start, this.execution),
    );
  }

  /** A percentile of a quantity, as `percentile` finds it; undefined where there is no job. */
  percentile(quantity: Quantity, p: (typeof REPORTED_PERCENTILES)[number] | 100): number {
    const known = getOrCompute(this.#percentiles, quantity, () =>
      selectValuesAtRanks(
        this.values(quantity),
        COMPUTED_PERCENTILES.map((each) => percentileRank(each, this.count)),
      ),
    );
    return known[COMPUTED_PERCENTILES.indexOf(p)]!;
  }

  /** The mean of a quantity over the jobs of each user that the log names, ascending; none where it names none. */
  userMeans(quantity: Quantity): Float64Array {
    return getOrCompute(this.#userMeans, quantity, () => {
      this.#users ??= groupEqualKnownNumbers(this.logged('user') ?? new Float64Array(0));
      return meansByGroup(this.values(quantity), this.#users).sort();
    });
  }
}

/** Value of a map for a key, computed at the first use. */
function getOrCompute<Key, Value>(map: Map<Key, Value>, key: Key, makeValue: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = makeValue();
  map.set(key, made);
  return made;
}

/** Entries of a column by the group that each is in. */
interface EntryGroups {
  /** The number of each entry's group, from 0; -1 for one that is in none. */
  readonly groupOf: Int32Array;
  /** The entries of each group. */
  readonly counts: readonly number[];
}

/** Groups of entries with the same number from 0 on, in the order in which numbers come first. */
function groupEqualKnownNumbers(numbers: Float64Array): EntryGroups {
  const groups = new Map<number, number>();
  const counts: number[] = [];
  const groupOf = new Int32Array(numbers.length);
  let previousNumber = Number.NaN;
  let group = -1;
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i]!;
    if (number !== previousNumber) group = number >= 0 ? (groups.get(number) ?? groups.size) : -1;
    previousNumber = number;
    if (group === groups.size) {
      groups.set(number, group);
      counts.push(0);
    }
    groupOf[i] = group;
    if (group >= 0) counts[group]!++;
  }
  return { groupOf, counts };
}

/** The mean of each group of values. */
function meansByGroup(values: Float64Array, { groupOf, counts }: EntryGroups): Float64Array {
  const layout = {
    values,
    groupOf,
    members: ['doubles', values.length],
    ends: ['ints', counts.length + 1],
    means: ['doubles', counts.length],
    parts: ['doubles', MAX_SUM_PARTS],
  } as const;
  const mean = ({ arrays, loops, keep }: LoopWorkspace<typeof layout>) => {
    const { members, ends, means, parts } = arrays;
    let end = 0;
    for (const [group, count] of counts.entries()) ends[group] = end += count;
    ends[counts.length] = end;
    const taken = [arrays.values, arrays.groupOf, values.length, ends, counts.length] as const;
    loops.meansOfGroups(...taken, members, parts, means);
    return keep(means);
  };
  return withLoopWorkspace(layout, mean, isWorthCompilingLoops(values.length));
}

/** Number of jobs that are taken at a time. */
const JOBS_PER_LOOP_CALL = 8192;

/** A quantity of each of some jobs. */
function computeJobQuantities(
  quantity: Quantity,
  submit: Float64Array,
  start: Float64Array,
  execution: Float64Array,
): Float64Array {
  const all = new Float64Array(submit.length);
  for (let from = 0; from < all.length; from += JOBS_PER_LOOP_CALL) {
    const end = Math.min(from + JOBS_PER_LOOP_CALL, all.length);
    const chunks = {
      submit: submit.subarray(from, end),
      start: start.subarray(from, end),
      execution: execution.subarray(from, end),
      values: all.subarray(from, end),
    };
    const fill = ({ arrays, loops }: LoopWorkspace<typeof chunks>) => {
      const taken = [
        arrays.submit,
        arrays.start,
        arrays.execution,
        end - from,
        slowdownExecutionBound(),
      ] as const;
      loops.quantitiesOfJobs(COMPILED_QUANTITY_NUMBERS[quantity], ...taken, arrays.values);
      // The array filled may be a copy.
      if (arrays.values !== chunks.values) chunks.values.set(arrays.values);
    };
    withLoopWorkspace(chunks, fill, isWorthCompilingLoops(all.length));
  }
  return all;
}

type JobTypedArray = Float64Array | Int32Array | Uint8Array;

/** Jobs by index: those of a range, or, where they are not submitted in their order, each of them. */
type MeasuredJobs = { readonly first: number; readonly end: number } | Uint32Array;

function countMeasuredJobs(measured: MeasuredJobs): number {
  return 'first' in measured ? measured.end - measured.first : measured.length;
}

function selectMeasuredEntries<Column extends JobTypedArray>(column: Column, measured: MeasuredJobs): Column {
  if ('first' in measured) return column.subarray(measured.first, measured.end) as Column;
  return column.constructor === Float64Array
    ? (Float64Array.from(measured, (job) => column[job]!) as Column)
    : (Int32Array.from(measured, (job) => column[job]!) as Column);
}

/** The jobs that warm-up and cool-down leave. */
function selectMeasuredJobs({ workload, configuration }: Simulator, submit: Float64Array): MeasuredJobs {
  const { count, dependencies } = workload;
  const window = measuredSubmitWindow(configuration, submit);
  if (window === undefined) return { first: 0, end: count };
  const { from, until } = window;
  if (dependencies === undefined) {
    let first = 0;
    let end = count;
    while (first < count && submit[first]! < from) first++;
    while (end > first && submit[end - 1]! > until) end--;
    return { first, end };
  }
  return Uint32Array.from(submit.keys()).filter((job) => submit[job]! >= from && submit[job]! <= until);
}

/** Measured jobs without cancelled ones. */
function omitCancelledJobs({ patience }: Workload, measured: MeasuredJobs): MeasuredJobs {
  if (patience === undefined) return measured;
  const all =
    'first' in measured
      ? Uint32Array.from({ length: measured.end - measured.first }, (_, i) => measured.first + i)
      : measured;
  return all.filter((job) => !isCancelledJob(patience, job));
}

/** Number of jobs that are left out, as warm-up or cool-down. */
export function countExcludedJobs(simulator: Simulator): number {
  const submit = knownSubmitTimesOfJobs(simulator.coreRun, simulator.workload);
  return simulator.workload.count - countMeasuredJobs(selectMeasuredJobs(simulator, submit));
}

/**
 * The values that would be at some places of these numbers in ascending order; undefined at places behind the last.
 * @param values without NaN.
 * @param places from 0, ascending.
 */
export function selectValuesAtRanks(values: Float64Array, places: readonly number[]): number[] {
  const { length } = values;
  const find = ({ arrays, loops }: LoopWorkspace<{ readonly copy: readonly ['doubles', number] }>) => {
    const { copy } = arrays;
    copy.set(values);
    let low = 0;
    return places.map((place) => {
      // Values before a found place are not above those after it.
      loops.partitionAroundPosition(copy, Math.min(low, place), length - 1, place);
      low = place;
      return copy[place]!;
    });
  };
  return withLoopWorkspace({ copy: ['doubles', length] }, find, isWorthCompilingLoops(length));
}
