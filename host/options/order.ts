/**
 * Orders of the waiting queue. Each job has a key, and jobs with smaller keys come first. An order is a named
 * order, an expression of job attributes, or a function.
 */
import type { Constants, Core } from '../core/module.js';
import { InputError } from '../errors.js';
import { SUBMITTED_ATTRIBUTES } from '../jobs/attributes.js';
import { makeUnknownNameError, parseNotation, printNotation } from '../notation.js';
import { findProvidedCode, isCodeFileName } from '../providedCode.js';
import {
  type HasNameTest,
  type ParsedExpression,
  parseExpression,
  STATE_DEPENDENT_COLUMNS,
} from './expression.js';
import { defineCustomOption, type Option } from './kinds.js';
import {
  isMultifactorOrder,
  MULTIFACTOR_ORDER_NAME,
  makeMultifactorExpression,
  omitEmptyBrackets,
} from './multifactor.js';

/** Attributes of a job that an order may use. Times are in seconds. */
export interface OrderedJob {
  /** Submit time in seconds on the clock of the log. */
  readonly submit: number;
  /** Submit time of the first job of the workload. */
  readonly firstSubmit: number;
  /** Runtime estimate in seconds at speed 1, multiplied by the load of the job's home site. */
  readonly estimate: number;
  /** Number of requested processors. */
  readonly processors: number;
  /** Number of its home site, from 1. */
  readonly home: number;
  /** Number of the user in the log; -1: unknown, as for the next two. */
  readonly user: number;
  readonly group: number;
  readonly queue: number;
  /** Job number in the log. */
  readonly number: number;
}

/** A function that returns the key of a job. */
export type OrderFunction = (job: OrderedJob) => number;

/**
 * Columns that expressions of orders may use. `siteProcessors` is the size of the home site; `usageStep` and
 * `usageOffset` are the options of these names; `wait` is the time since submission, `now` the time since the
 * first submission; `usage` and `groupUsage` are shares of the total usage; `share` is 1 / number of users;
 * `running` is a number of processors.
 */
const ORDER_EXPRESSION_COLUMNS: readonly string[] = [
  ...SUBMITTED_ATTRIBUTES,
  ...['siteProcessors', 'usageStep', 'usageOffset', 'wait'],
  ...STATE_DEPENDENT_COLUMNS,
];

/**
 * Expression for the variable s of Carastan-Santos and de Camargo 2017, the decimal logarithm of the time
 * since the first submission.
 */
const TIME_SINCE_FIRST_EXPRESSION = 'log10(max(1, submit - firstSubmit))';

/**
 * Named orders, with their name in the core (`Given`: the host writes the keys) and the expression of the
 * key.
 */
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

/** Name of a predefined order. */
export type OrderWord = keyof typeof NAMED_ORDERS;

/** An order: a name, an expression, a file with a function, or a function. */
export type Order = OrderWord | (string & {}) | OrderFunction;

const NAMED_ORDER_WORDS = Object.keys(NAMED_ORDERS) as OrderWord[];

/** Orders whose keys are known in advance for every job and do not change with time. */
export const TIME_INDEPENDENT_ORDER_WORDS: readonly string[] = NAMED_ORDER_WORDS.filter(
  (word) => !['Given', 'Wfp3'].includes(NAMED_ORDERS[word].core),
);

function isNamedOrder(order: Order): order is OrderWord {
  return typeof order === 'string' && Object.hasOwn(NAMED_ORDERS, order);
}

/** True if an order is a function, also one from a file. */
export function isFunctionOrder(order: Order): boolean {
  return typeof order === 'function' || isCodeFileName(order);
}

/** Word for no separate backfill order: jobs are backfilled in queue order. */
const NO_BACKFILL_ORDER_WORD = 'none';

/** True if the host, not the core, computes the keys of an order. */
export function needsHostComputedKeys(order: Order): boolean {
  if (order === NO_BACKFILL_ORDER_WORD || isTimeDependentOrder(order)) return false;
  return !isNamedOrder(order) || NAMED_ORDERS[order].core === 'Given';
}

/**
 * True if an order is an expression whose values change with time, so that the core computes it in each pass.
 */
export function isTimeDependentOrder(order: Order): boolean {
  if (
    typeof order !== 'string' ||
    order === NO_BACKFILL_ORDER_WORD ||
    isNamedOrder(order) ||
    isCodeFileName(order)
  )
    return false;
  const cachedTimeDependence = timeDependenceByOrder.get(order);
  if (cachedTimeDependence !== undefined) return cachedTimeDependence;
  const { growth } = parseOrderExpression(order);
  timeDependenceByOrder.set(order, growth === undefined);
  return growth === undefined;
}

const timeDependenceByOrder = new Map<string, boolean>();

/** True if an order depends on other jobs of the same users or groups. */
export function dependsOnOtherJobs(order: Order): boolean {
  return listStateColumnsOfOrder(order).some((columnName) => columnName !== 'now');
}

/** Columns of a time-dependent order that depend on the state of the simulation; empty for other orders. */
export function listStateColumnsOfOrder(order: Order): readonly string[] {
  if (!isTimeDependentOrder(order)) return [];
  const { columns } = parseOrderExpression(order as string);
  return STATE_DEPENDENT_COLUMNS.filter((columnName) => columns.has(columnName));
}

/** True if an order depends on the past usage of users or groups. */
export function dependsOnUsage(order: Order): boolean {
  return listStateColumnsOfOrder(order).some(
    (columnName) => columnName === 'usage' || columnName === 'groupUsage',
  );
}

/** True if a time-dependent order uses the times at which usage is computed. */
export function dependsOnUsageTimes(order: Order): boolean {
  if (!isTimeDependentOrder(order)) return false;
  const { columns } = parseOrderExpression(order as string);
  return ['usage', 'groupUsage', 'usageStep', 'usageOffset'].some((columnName) => columns.has(columnName));
}

/** True if an order uses attributes of jobs from the log. */
export function usesLogAttributes(order: Order): boolean {
  return needsHostComputedKeys(order) || isTimeDependentOrder(order);
}

/**
 * True if keys depend on runtime estimates, as far as known in advance; a function reveals this only when it
 * is called.
 */
function hasEstimateBasedKeys(order: Order): boolean {
  return usesLogAttributes(order) && !isFunctionOrder(order) && dependsOnEstimates(order);
}

/** Number of an order in the core. */
function findCoreNumberOfOrder(order: Order, orderNumbers: Constants['Order']): number {
  return orderNumbers[
    isNamedOrder(order) ? NAMED_ORDERS[order].core : isTimeDependentOrder(order) ? 'Expression' : 'Given'
  ];
}

/**
 * Parses the expression of an order that is not a function. If its growth is undefined, jobs overtake each
 * other while they wait; otherwise the differences between values are the same at all times.
 * @param makeHasNameTest test for names in the expression; needed to compute it.
 * @throws InputError for an invalid order.
 */
export function parseOrderExpression(
  order: string,
  errorContext = 'order',
  makeHasNameTest?: HasNameTest,
): ParsedExpression {
  if (isMultifactorOrder(order)) return parseMultifactorOrder(order, errorContext, makeHasNameTest);
  const orderText = isNamedOrder(order) ? NAMED_ORDERS[order].key : order;
  return parseExpression(orderText, ORDER_EXPRESSION_COLUMNS, errorContext, makeHasNameTest);
}

/** Parses a multifactor order to an expression. Errors contain no positions in the generated expression. */
function parseMultifactorOrder(
  orderText: string,
  errorContext: string,
  hasName?: HasNameTest,
): ParsedExpression {
  const makeNameTestInOrder: HasNameTest | undefined =
    hasName &&
    ((column, name) => {
      try {
        return hasName(column, name);
      } catch (error) {
        throw error instanceof InputError ? new UnknownOrderNameError(error.message) : error;
      }
    });
  try {
    return parseExpression(
      makeMultifactorExpression(orderText, errorContext),
      ORDER_EXPRESSION_COLUMNS,
      errorContext,
      makeNameTestInOrder,
    );
  } catch (error) {
    throw error instanceof UnknownOrderNameError
      ? new InputError(`${errorContext}, ${orderText}: ${error.message}`)
      : error;
  }
}

/** Error for a name in a multifactor order that no user or partition of the log has. */
class UnknownOrderNameError extends Error {}

const NAMED_ORDERS_BY_ESTIMATE = new Set<Order>(
  NAMED_ORDER_WORDS.filter((word) => parseOrderExpression(word).columns.has('estimate')),
);

/** True if an order may use runtime estimates; functions may always use them. */
export function dependsOnEstimates(order: Order): boolean {
  if (typeof order !== 'string' || isFunctionOrder(order)) return true;
  return isNamedOrder(order)
    ? NAMED_ORDERS_BY_ESTIMATE.has(order)
    : parseOrderExpression(order).columns.has('estimate');
}

/** Text of an order; for a function, its name. */
export function printOrder(order: Order): string {
  return typeof order === 'string' ? order : order.name || 'a function';
}

/** Canonical form of an order, equal for all its spellings: `shortest` is `estimate`. */
export function makeCanonicalOrderText(order: Order): string {
  if (typeof order === 'function' || isCodeFileName(order) || order === 'wfp3') return printOrder(order);
  const orderText = isMultifactorOrder(order) ? makeMultifactorExpression(order) : order;
  return (isNamedOrder(orderText) ? NAMED_ORDERS[orderText].key : orderText).replaceAll(
    /('[^']*'|"[^"]*")|\s/g,
    '$1',
  );
}

function checkOrderInput(orderInput: Order, errorContext: string): Order {
  if (typeof orderInput === 'function') return orderInput;
  const orderText = String(orderInput).trim();
  if (isNamedOrder(orderText)) return orderText;
  if (isMultifactorOrder(orderText)) {
    const { name: notationName, parameters } = parseNotation(omitEmptyBrackets(orderText));
    parseOrderExpression(orderText, errorContext);
    return printNotation(notationName, parameters);
  }
  if (isCodeFileName(orderText)) return findProvidedCode(orderText, errorContext).name;
  try {
    parseOrderExpression(orderText, errorContext);
  } catch (error) {
    // A word that is misspelt.
    if (error instanceof InputError && /^[A-Za-z][\w-]*$/.test(orderText))
      throw makeUnknownNameError(`value of ${errorContext}`, orderText, [
        ...NAMED_ORDER_WORDS,
        MULTIFACTOR_ORDER_NAME,
        ...ORDER_EXPRESSION_COLUMNS,
      ]);
    throw error;
  }
  return orderText;
}

/** Order in which EASY backfilling tries the jobs behind the job with the reservation. */
export const backfillOrderOption: Option<Order> = defineCustomOption<Order>({
  heading: 'Backfilling (easy, conservative)',
  help: 'with easy, the order in which jobs are tried for backfilling, as --order; shortest: EASY-SJBF',
  choices: NAMED_ORDER_WORDS,
  isOpen: true,
  default: NO_BACKFILL_ORDER_WORD,
  otherwise: 'the queue order',
  read: checkOrderInput,
  check: (input, errorContext) =>
    input === NO_BACKFILL_ORDER_WORD ? input : checkOrderInput(input, errorContext),
  print: printOrder,
  core: (order, { Order: numbers }: Constants) => ({
    BackfillOrder: order === NO_BACKFILL_ORDER_WORD ? 0 : 1 + findCoreNumberOfOrder(order, numbers),
  }),
});

/** Order of the waiting queue. */
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
    Order: findCoreNumberOfOrder(order, numbers),
    KeysByEstimate: Number(hasEstimateBasedKeys(order)),
  }),
});
