/** What became of the jobs that a summary is of, one by one: for percentiles, users and classes. */
import type { SwfField } from '../trace/trace.js';
import type { Workload } from '../workload/workload.js';
import type { WorkColumns } from './offeredLoad.js';
import type { Simulator } from './simulator.js';

/** Executions shorter than this count as this long in the bounded slowdown, in seconds. */
const SHORTEST_EXECUTION = 10;

/** Quantities of a job of which there are distributions. */
export const QUANTITIES = ['wait', 'response', 'boundedSlowdown'] as const;
export type Quantity = (typeof QUANTITIES)[number];

/** The value of rank ceil(p n / 100), from 1, of ascending values: a value that there is, nothing between two. */
export function percentile(ascending: ArrayLike<number>, p: number): number {
  return ascending[Math.max(1, Math.ceil((p * ascending.length) / 100)) - 1];
}

/** The jobs of a simulation that has run to its end, without those of warm-up and cool-down. */
export class JobOutcomes {
  readonly count: number;
  /** How many jobs are left out in front of them. */
  readonly first: number;
  readonly jobs: WorkColumns;
  readonly start: Float64Array;
  readonly execution: Float64Array;
  /** Processors that they ran on. */
  readonly held: Int32Array;
  readonly #log: Workload['log'];
  readonly #values = new Map<Quantity, Float64Array>();
  readonly #ascending = new Map<Quantity, Float64Array>();

  /** @param log what the log says of the jobs, where the simulator does not have it. */
  constructor(simulator: Simulator, log: Workload['log'] = simulator.workload.log) {
    const { warmUp, coolDown } = simulator.configuration;
    const jobs = simulator.jobColumns();
    const [first, end] = measuredJobs(jobs, warmUp, coolDown);
    const { start, execution, held } = simulator.schedule();
    this.first = first;
    this.count = end - first;
    this.jobs = {
      count: this.count,
      submit: jobs.submit.slice(first, end),
      runtime: jobs.runtime.slice(first, end),
      processors: jobs.processors.slice(first, end),
      home: jobs.home.slice(first, end),
    };
    this.start = start.subarray(first, end);
    this.execution = execution.subarray(first, end);
    this.held = held.length === 0 ? this.jobs.processors : held.subarray(first, end);
    this.#log = log;
  }

  /** A field of the log of each job; undefined where the jobs are of no log. */
  logged(field: SwfField): Float64Array | undefined {
    return this.#log?.[field].subarray(this.first, this.first + this.count);
  }

  /** A quantity of each job. */
  values(quantity: Quantity): Float64Array {
    const known = this.#values.get(quantity);
    if (known !== undefined) return known;
    const values = this.jobs.submit.map((submit, i) =>
      quantityOf(quantity, submit, this.start[i], this.execution[i]),
    );
    this.#values.set(quantity, values);
    return values;
  }

  /** The same in ascending order. */
  ascending(quantity: Quantity): Float64Array {
    const known = this.#ascending.get(quantity);
    if (known !== undefined) return known;
    const ascending = this.values(quantity).slice().sort();
    this.#ascending.set(quantity, ascending);
    return ascending;
  }
}

/** A quantity of one job. */
export function quantityOf(quantity: Quantity, submit: number, start: number, execution: number): number {
  const wait = start - submit;
  if (quantity === 'wait') return wait;
  if (quantity === 'response') return start + execution - submit;
  return Math.max(1, (wait + execution) / Math.max(SHORTEST_EXECUTION, execution));
}

/** The first job submitted warmUp seconds after the first submit, or later, and the first one less than coolDown before the last. */
export function measuredJobs(
  { count, submit }: Pick<WorkColumns, 'count' | 'submit'>,
  warmUp: number,
  coolDown: number,
): [first: number, end: number] {
  let first = 0;
  let end = count;
  while (first < count && submit[first] < submit[0] + warmUp) first++;
  while (end > first && submit[end - 1] > submit[count - 1] - coolDown) end--;
  return [first, end];
}
