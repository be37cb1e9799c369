/** The keys by which waiting jobs are ordered, one per job. */
import { answerText, FunctionError, InputError, thrownText } from '../errors.js';
import { codeNamed, isCodeName } from '../options/code.js';
import type { Columns } from '../options/expression.js';
import {
  hasKeysByEstimate,
  isOrderFunction,
  ORDER_COLUMNS,
  type Order,
  type OrderedJob,
  type OrderFunction,
  orderExpression,
  printOrder,
} from '../options/order.js';
import type { Workload } from '../workload/workload.js';
import { askedAbout } from './askedAbout.js';
import { NOBODY_KNOWS } from './estimates.js';

/** The columns of jobs, in submit order, that orders are made of; `job` and `log` may be missing where no order takes them. */
export type KeyedColumns = Pick<
  Workload,
  'name' | 'count' | 'submit' | 'estimate' | 'processors' | 'home' | 'job'
> & {
  readonly log?: Pick<NonNullable<Workload['log']>, 'user' | 'group' | 'queue'> | undefined;
  readonly recent?: unknown;
  readonly unestimated?: true;
};

/**
 * The key of each job.
 * @param load of each home site.
 * @throws InputError for a key that is no finite number, naming the job; FunctionError when the function of an order fails.
 */
export function orderKeys(order: Order, jobs: KeyedColumns, load: readonly number[]): Float64Array {
  if (jobs.recent !== undefined && hasKeysByEstimate(order)) {
    throw new InputError(
      `${jobs.name}: the keys of the order ${printOrder(order)} go by estimates, which are found in the run, after the keys`,
    );
  }
  const columns = columnsOf(jobs, load);
  const keyOf = keyFunction(order, columns, jobs);
  return Float64Array.from({ length: jobs.count }, (_, job) => {
    const key = keyOf(job);
    // -0 is 0.
    if (Number.isFinite(key)) return key + 0;
    const Fault = isOrderFunction(order) ? FunctionError : InputError;
    throw new Fault(
      `${jobs.name}, ${jobOf(columns, job)}: the order ${printOrder(order)} gives the key ${answerText(key)}, expected a finite number`,
    );
  });
}

function jobOf({ number, submit }: Columns, job: number): string {
  return `job ${number[job]}, submitted at ${submit[job]}`;
}

function columnsOf(
  jobs: KeyedColumns,
  load: readonly number[],
): Columns & Record<keyof OrderedJob, ArrayLike<number>> {
  const { count, submit, estimate, processors, home, job, log } = jobs;
  const same = (value: number) => new Float64Array(count).fill(value);
  return {
    submit,
    firstSubmit: same(submit[0]),
    estimate: Float64Array.from(estimate, (seconds, i) => seconds * load[home[i]]),
    processors,
    home: Float64Array.from(home, (site) => site + 1),
    user: log?.user ?? same(-1),
    group: log?.group ?? same(-1),
    queue: log?.queue ?? same(-1),
    number: job,
  };
}

function keyFunction(
  order: Order,
  columns: Columns,
  { name: log, recent, unestimated }: KeyedColumns,
): (job: number) => number {
  const hidden = unestimated ? NOBODY_KNOWS : recent === undefined ? undefined : FOUND_LATER;
  if (typeof order === 'string' && !isCodeName(order)) {
    const { valueAt } = orderExpression(order);
    return (job) => valueAt(columns, job);
  }
  const name = printOrder(order);
  const ask = (
    typeof order === 'function' ? order : codeNamed(order, 'order').exports?.default
  ) as OrderFunction;
  return (job) => {
    try {
      const row = rowOf(columns, job);
      return ask(askedAbout(hidden === undefined ? row : withoutEstimate(row, hidden), log));
    } catch (error) {
      throw new FunctionError(
        `${log}, ${jobOf(columns, job)}: the order ${name} failed: ${thrownText(error, name)}`,
      );
    }
  };
}

const FOUND_LATER = 'it asks for the estimate, which the run finds only after the keys have been computed';

/** A job whose estimate is not to be had, with why. */
function withoutEstimate(row: OrderedJob, why: string): OrderedJob {
  return Object.defineProperty(row, 'estimate', {
    get() {
      throw new Error(why);
    },
  });
}

function rowOf(columns: Columns, job: number): OrderedJob {
  const row = Object.fromEntries(ORDER_COLUMNS.map((name) => [name, columns[name][job]]));
  return row as unknown as OrderedJob;
}
