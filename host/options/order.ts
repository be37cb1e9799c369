/** Orders of the waiting jobs: a key for each job, the least first; as a word, an expression of columns, or a function. */
import type { Constants, Core } from '../core/module.js';
import { InputError } from '../errors.js';
import { SUBMITTED_ATTRIBUTES } from '../jobs/attributes.js';
import { parseNotation, printNotation, unknownNameError } from '../notation.js';
import { findProvidedCode, isCodeFileName } from '../providedCode.js';
import {
  type HasNameTest,
  type ParsedExpression,
  parseExpression,
  STATE_DEPENDENT_COLUMNS,
} from './expression.js';
import { defineCustomOption, type Option } from './kinds.js';
import { isMultifactorOrder, MULTIFACTOR_ORDER_NAME, makeMultifactorExpression } from './multifactor.js';

/** Attributes of a job that an order may use. Times are seconds. */
export interface OrderedJob {
  /** Submission in seconds on the clock of the log. */
  readonly submit: number;
  /** Submission of the first job of the workload. */
  readonly firstSubmit: number;
  /** Estimate in seconds at speed 1, times the load of the job's home. */
  readonly estimate: number;
  /** Processors requested. */
  readonly processors: number;
  /** Number of its home site, from 1. */
  readonly home: number;
  /** -1: unknown, as in the next two. */
  readonly user: number;
  readonly group: number;
  readonly queue: number;
  /** Job number in the log. */
  readonly number: number;
}

/** A function from a job to its key. */
export type OrderFunction = (job: OrderedJob) => number;

/**
 * Columns that expressions of orders may use. `siteProcessors` are all of the home site; `usageStep` and `usageOffset` are those options; `wait` is the time since the submission, `now` since the first one;
 * `usage` and `groupUsage` are shares of all use, `share` is 1 / the number of users, `running` are processors.
 */
const ORDER_EXPRESSION_COLUMNS: readonly string[] = [
  ...SUBMITTED_ATTRIBUTES,
  ...['siteProcessors', 'usageStep', 'usageOffset', 'wait'],
  ...STATE_DEPENDENT_COLUMNS,
];

/** s of Carastan-Santos and de Camargo 2017, on a logarithmic scale: the time since the first submit. */
const TIME_SINCE_FIRST_EXPRESSION = 'log10(max(1, submit - firstSubmit))';

/** Orders that have a name: how the core calls them (`Given`: by keys that the host writes), and the key. */
const NAMED_ORDERS = {
  submit: { core: 'Submit', key: '0' },
  narrowest: { core: 'Narrowest', key: 'processors' },
  widest: { core: 'Widest', key: '-processors' },
  shortest: { core: 'Shortest', key: 'estimate' },
  longest: { core: 'Longest', key: '-estimate' },
  'smallest-area': { core: 'SmallestArea', key: 'estimate * processors' },
  'largest-area': { core: 'LargestArea', key: '-(estimate * processors)' },
  f1: { core: 'Given', key: `log10(max(1, estimate)) * processors + 870 * ${TIME_SINCE_FIRST_EXPRESSION}` },
  f2: { core: 'Given', key: `sqrt(estimate) * processors + 25600 * ${TIME_SINCE_FIRST_EXPRESSION}` },
  f3: { core: 'Given', key: `estimate * processors + 6860000 * ${TIME_SINCE_FIRST_EXPRESSION}` },
  f4: { core: 'Given', key: `estimate * sqrt(processors) + 530000 * ${TIME_SINCE_FIRST_EXPRESSION}` },
  // The keys of wfp3 change with time; where fixed keys are needed, jobs are in order of submission.
  wfp3: { core: 'Wfp3', key: '0 * estimate' },
} as const satisfies Readonly<Record<string, { core: keyof Core['Order']; key: string }>>;

/** An order with a name. */
export type OrderWord = keyof typeof NAMED_ORDERS;

/** A word, an expression, the name of a file with a function, or a function. */
export type Order = OrderWord | (string & {}) | OrderFunction;

const NAMED_ORDER_WORDS = Object.keys(NAMED_ORDERS) as OrderWord[];

/** Orders whose keys are known for every job at any time, without the host. */
export const TIME_INDEPENDENT_ORDER_WORDS: readonly string[] = NAMED_ORDER_WORDS.filter(
  (word) => !['Given', 'Wfp3'].includes(NAMED_ORDERS[word].core),
);

function isNamedOrder(order: Order): order is OrderWord {
  return typeof order === 'string' && Object.hasOwn(NAMED_ORDERS, order);
}

/** True if an order is a function, be it from a file. */
export function isFunctionOrder(order: Order): boolean {
  return typeof order === 'function' || isCodeFileName(order);
}

/** No order of backfilling: that of the queue. */
const NO_BACKFILL_ORDER_WORD = 'none';

/** True if the host computes the keys of an order. */
export function needsHostComputedKeys(order: Order): boolean {
  if (order === NO_BACKFILL_ORDER_WORD || isTimeDependentOrder(order)) return false;
  return !isNamedOrder(order) || NAMED_ORDERS[order].core === 'Given';
}

/** True if an order is an expression whose values the core computes in each pass. */
export function isTimeDependentOrder(order: Order): boolean {
  if (
    typeof order !== 'string' ||
    order === NO_BACKFILL_ORDER_WORD ||
    isNamedOrder(order) ||
    isCodeFileName(order)
  )
    return false;
  const known = timeDependenceByOrder.get(order);
  if (known !== undefined) return known;
  const { growth } = parseOrderExpression(order);
  timeDependenceByOrder.set(order, growth === undefined);
  return growth === undefined;
}

const timeDependenceByOrder = new Map<string, boolean>();

/** True if an order depends on other jobs of users or groups. */
export function dependsOnOtherJobs(order: Order): boolean {
  return stateColumnsOfOrder(order).some((name) => name !== 'now');
}

/** Columns of an aging expression that depend on the state of a simulation; none of another order. */
export function stateColumnsOfOrder(order: Order): readonly string[] {
  if (!isTimeDependentOrder(order)) return [];
  const { columns } = parseOrderExpression(order as string);
  return STATE_DEPENDENT_COLUMNS.filter((name) => columns.has(name));
}

/** True if an order depends on what users or groups have used. */
export function dependsOnUsage(order: Order): boolean {
  return stateColumnsOfOrder(order).some((name) => name === 'usage' || name === 'groupUsage');
}

/** True if an order that changes with time uses the times at which usage is computed. */
export function dependsOnUsageTimes(order: Order): boolean {
  if (!isTimeDependentOrder(order)) return false;
  const { columns } = parseOrderExpression(order as string);
  return ['usage', 'groupUsage', 'usageStep', 'usageOffset'].some((name) => columns.has(name));
}

/** True if an order takes attributes of jobs from the log. */
export function usesLogAttributes(order: Order): boolean {
  return needsHostComputedKeys(order) || isTimeDependentOrder(order);
}

/** True if those are computed from estimates, as far as is known before: of a function that shows when it is called. */
function hasEstimateBasedKeys(order: Order): boolean {
  return usesLogAttributes(order) && !isFunctionOrder(order) && dependsOnEstimates(order);
}

/** An order in the core's words. */
function coreNumberOfOrder(order: Order, numbers: Constants['Order']): number {
  return numbers[
    isNamedOrder(order) ? NAMED_ORDERS[order].core : isTimeDependentOrder(order) ? 'Expression' : 'Given'
  ];
}

/**
 * The expression of an order that is no function. Without a growth, jobs change places as they wait; otherwise values
 * at one time differ by as much as those at any other.
 * @param named what names in it mean; needed to compute it.
 * @throws InputError for a text that is not an order.
 */
export function parseOrderExpression(order: string, what = 'order', named?: HasNameTest): ParsedExpression {
  if (isMultifactorOrder(order)) return parseMultifactorOrder(order, what, named);
  const text = isNamedOrder(order) ? NAMED_ORDERS[order].key : order;
  return parseExpression(text, ORDER_EXPRESSION_COLUMNS, what, named);
}

/** The expression of a multifactor order; a fault does not name positions, which are in no text of the user's. */
function parseMultifactorOrder(order: string, what: string, named?: HasNameTest): ParsedExpression {
  const test: HasNameTest | undefined =
    named &&
    ((column, name) => {
      try {
        return named(column, name);
      } catch (error) {
        throw error instanceof InputError ? new UnknownOrderNameError(error.message) : error;
      }
    });
  try {
    return parseExpression(makeMultifactorExpression(order, what), ORDER_EXPRESSION_COLUMNS, what, test);
  } catch (error) {
    throw error instanceof UnknownOrderNameError
      ? new InputError(`${what}, ${order}: ${error.message}`)
      : error;
  }
}

/** Fault of a name in an order that is not written as an expression. */
class UnknownOrderNameError extends Error {}

const NAMED_ORDERS_BY_ESTIMATE = new Set<Order>(
  NAMED_ORDER_WORDS.filter((word) => parseOrderExpression(word).columns.has('estimate')),
);

/** True if an order uses estimates of the runtimes; what a function reads is unknown, so it may. */
export function dependsOnEstimates(order: Order): boolean {
  if (typeof order !== 'string' || isFunctionOrder(order)) return true;
  return isNamedOrder(order)
    ? NAMED_ORDERS_BY_ESTIMATE.has(order)
    : parseOrderExpression(order).columns.has('estimate');
}

/** An order in words: of a function its name. */
export function printOrder(order: Order): string {
  return typeof order === 'string' ? order : order.name || 'a function';
}

/** The common form of all spellings of an order: `shortest` is `estimate`. */
export function canonicalOrderText(order: Order): string {
  if (typeof order === 'function' || isCodeFileName(order) || order === 'wfp3') return printOrder(order);
  const text = isMultifactorOrder(order) ? makeMultifactorExpression(order) : order;
  return (isNamedOrder(text) ? NAMED_ORDERS[text].key : text).replaceAll(/('[^']*'|"[^"]*")|\s/g, '$1');
}

function checkOrderInput(input: Order, what: string): Order {
  if (typeof input === 'function') return input;
  const text = String(input).trim();
  if (isNamedOrder(text)) return text;
  if (isMultifactorOrder(text)) {
    const { name, parameters } = parseNotation(text);
    parseOrderExpression(text, what);
    return printNotation(name, parameters);
  }
  if (isCodeFileName(text)) return findProvidedCode(text, what).name;
  try {
    parseOrderExpression(text, what);
  } catch (error) {
    // A word that is misspelt.
    if (error instanceof InputError && /^[A-Za-z][\w-]*$/.test(text))
      throw unknownNameError(`value of ${what}`, text, [
        ...NAMED_ORDER_WORDS,
        MULTIFACTOR_ORDER_NAME,
        ...ORDER_EXPRESSION_COLUMNS,
      ]);
    throw error;
  }
  return text;
}

/** Under easy, the order of the jobs behind the one that has the reservation. */
export const backfillOrderOption: Option<Order> = defineCustomOption<Order>({
  heading: 'Backfilling (easy, conservative)',
  help: 'with easy, the order in which jobs are tried for backfilling, as --order; shortest: EASY-SJBF',
  choices: NAMED_ORDER_WORDS,
  isOpen: true,
  default: NO_BACKFILL_ORDER_WORD,
  otherwise: 'that of the queue',
  read: checkOrderInput,
  check: (input, what) => (input === NO_BACKFILL_ORDER_WORD ? input : checkOrderInput(input, what)),
  print: printOrder,
  core: (order, { Order: numbers }: Constants) => ({
    BackfillOrder: order === NO_BACKFILL_ORDER_WORD ? 0 : 1 + coreNumberOfOrder(order, numbers),
  }),
});

/** The order of the waiting jobs. */
export const orderOption: Option<Order> = defineCustomOption<Order>({
  heading: 'Scheduling',
  help:
    'the order of the waiting jobs, smallest key first: a named one (area is estimate x processors; f1 to f4 are those ' +
    "of Carastan-Santos and de Camargo 2017; under wfp3 jobs gain with their wait relative to their estimate), an expression such as 'estimate * processors' or 'processors - wait / 60', also of now, usage, groupUsage, share and running, multifactor[age=1000,fairshare=10000,size=500] as Slurm's priorities, or a file with a function",
  choices: NAMED_ORDER_WORDS,
  isOpen: true,
  default: 'submit',
  otherwise: 'submit',
  read: checkOrderInput,
  check: checkOrderInput,
  print: printOrder,
  core: (order, { Order: numbers }: Constants) => ({
    Order: coreNumberOfOrder(order, numbers),
    KeysByEstimate: Number(hasEstimateBasedKeys(order)),
  }),
});
