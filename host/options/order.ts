/** Orders of the waiting jobs: a key for each job, the least first; as a word, an expression or a function. */
import type { Constants, Core } from '../core/module.js';
import { InputError } from '../errors.js';
import { unknownName } from '../notation.js';
import { type Expression, type NameTest, parseExpression } from './expression.js';
import { customOption, type Option } from './kinds.js';
import { codeNamed, isCodeName } from './providedCode.js';

/** What an order may know of a job. Times are seconds. */
export interface OrderedJob {
  /** On the clock of the log. */
  readonly submit: number;
  /** Of the first job of all. */
  readonly firstSubmit: number;
  /** At speed 1, times the load of the job's home. */
  readonly estimate: number;
  /** That it asks for. */
  readonly processors: number;
  /** Number of its home site, from 1. */
  readonly home: number;
  /** -1: unknown, as in the next two. */
  readonly user: number;
  readonly group: number;
  readonly queue: number;
  /** In the log. */
  readonly number: number;
}

/** A function from a job to its key. */
export type OrderFunction = (job: OrderedJob) => number;

/** Names of the columns that expressions may take. */
export const ORDER_COLUMNS: readonly (keyof OrderedJob)[] = [
  'submit',
  'firstSubmit',
  'estimate',
  'processors',
  'home',
  'user',
  'group',
  'queue',
  'number',
];

/** What expressions may take besides: the time that the job has waited. */
const EXPRESSION_COLUMNS: readonly string[] = [...ORDER_COLUMNS, 'wait'];

/** s of Carastan-Santos and de Camargo 2017, on a logarithmic scale: the time since the first submit. */
const SINCE_FIRST = 'log10(max(1, submit - firstSubmit))';

/** Orders that have a name: how the core calls them (`Given`: by keys that the host writes), and the key. */
const NAMED = {
  submit: { core: 'Submit', key: '0' },
  narrowest: { core: 'Narrowest', key: 'processors' },
  widest: { core: 'Widest', key: '-processors' },
  shortest: { core: 'Shortest', key: 'estimate' },
  longest: { core: 'Longest', key: '-estimate' },
  'smallest-area': { core: 'SmallestArea', key: 'estimate * processors' },
  'largest-area': { core: 'LargestArea', key: '-(estimate * processors)' },
  f1: { core: 'Given', key: `log10(max(1, estimate)) * processors + 870 * ${SINCE_FIRST}` },
  f2: { core: 'Given', key: `sqrt(estimate) * processors + 25600 * ${SINCE_FIRST}` },
  f3: { core: 'Given', key: `estimate * processors + 6860000 * ${SINCE_FIRST}` },
  f4: { core: 'Given', key: `estimate * sqrt(processors) + 530000 * ${SINCE_FIRST}` },
  // Its keys change with time; where one for all times is asked for, jobs stand as they were submitted.
  wfp3: { core: 'Wfp3', key: '0 * estimate' },
} as const satisfies Readonly<Record<string, { core: keyof Core['Order']; key: string }>>;

/** An order with a name. */
export type OrderWord = keyof typeof NAMED;

/** A word, an expression, the name of a file with a function, or a function. */
export type Order = OrderWord | (string & {}) | OrderFunction;

const WORDS = Object.keys(NAMED) as OrderWord[];

/** Those whose keys are known of every job at any time, without the host. */
export const FIXED_ORDERS: readonly string[] = WORDS.filter(
  (word) => !['Given', 'Wfp3'].includes(NAMED[word].core),
);

function isWord(order: Order): order is OrderWord {
  return typeof order === 'string' && Object.hasOwn(NAMED, order);
}

/** Whether an order is a function, be it from a file. */
export function isOrderFunction(order: Order): boolean {
  return typeof order === 'function' || isCodeName(order);
}

/** No order, of backfilling: that of the queue. */
const NONE = 'none';

/** Whether the host computes the keys of an order. */
export function hasGivenKeys(order: Order): boolean {
  return order !== NONE && (!isWord(order) || NAMED[order].core === 'Given');
}

/** Whether those are computed from estimates, as far as is known before: of a function that shows when it is called. */
function hasKeysByEstimate(order: Order): boolean {
  return hasGivenKeys(order) && !isOrderFunction(order) && isByEstimate(order);
}

/** An order in the core's words. */
function numberOf(order: Order, numbers: Constants['Order']): number {
  return numbers[isWord(order) ? NAMED[order].core : 'Given'];
}

/**
 * The expression of an order that is no function. Where it takes the wait, its values at one time differ by as much as those at any other.
 * @param named what names in it mean; needed to compute it.
 * @throws InputError for a text that is none, and where jobs would change places as they wait.
 */
export function orderExpression(order: string, what = 'order', named?: NameTest): Expression {
  const text = isWord(order) ? NAMED[order].key : order;
  const expression = parseExpression(text, EXPRESSION_COLUMNS, what, named);
  if (expression.growth !== undefined) return expression;
  throw new InputError(
    `${what}: '${text}' lets jobs change places as they wait, and their keys are computed at the submit; a multiple of wait ` +
      'may be added to a key that has none, such as processors - wait / 60, and wfp3 is an order by wait / estimate',
  );
}

const WORDS_BY_ESTIMATE = new Set<Order>(
  WORDS.filter((word) => orderExpression(word).columns.has('estimate')),
);

/** Whether an order goes by estimates of the runtimes; of what a function reads nothing is known, so it may. */
export function isByEstimate(order: Order): boolean {
  if (typeof order !== 'string' || isOrderFunction(order)) return true;
  return isWord(order) ? WORDS_BY_ESTIMATE.has(order) : orderExpression(order).columns.has('estimate');
}

/** An order in words: of a function its name. */
export function printOrder(order: Order): string {
  return typeof order === 'string' ? order : order.name || 'a function';
}

/** An order as all its spellings come to: `shortest` is `estimate`. */
export function canonicalOrder(order: Order): string {
  if (typeof order === 'function' || isCodeName(order) || order === 'wfp3') return printOrder(order);
  return (isWord(order) ? NAMED[order].key : order).replaceAll(/('[^']*'|"[^"]*")|\s/g, '$1');
}

function checkOrder(given: Order, what: string): Order {
  if (typeof given === 'function') return given;
  const text = String(given).trim();
  if (isWord(text)) return text;
  if (isCodeName(text)) return codeNamed(text, what).name;
  try {
    orderExpression(text, what);
  } catch (error) {
    // A word that is misspelt.
    if (error instanceof InputError && /^[A-Za-z][\w-]*$/.test(text))
      throw unknownName(`value of ${what}`, text, [...WORDS, ...EXPRESSION_COLUMNS]);
    throw error;
  }
  return text;
}

/** Under easy, the order of the jobs behind the one that has the reservation. */
export const backfillOrderOption: Option<Order> = customOption<Order>({
  heading: 'Backfilling (easy, conservative)',
  help: 'with easy, the order in which jobs are tried for backfilling, as --order; shortest: EASY-SJBF',
  choices: WORDS,
  isOpen: true,
  default: NONE,
  otherwise: 'that of the queue',
  read: checkOrder,
  check: (given, what) => (given === NONE ? given : checkOrder(given, what)),
  print: printOrder,
  core: (order, { Order: numbers }: Constants) => ({
    BackfillOrder: order === NONE ? 0 : 1 + numberOf(order, numbers),
  }),
});

/** The order of the waiting jobs. */
export const orderOption: Option<Order> = customOption<Order>({
  heading: 'Scheduling',
  help:
    'the order of the waiting jobs, smallest key first: a named one (area is estimate x processors; f1 to f4 are those ' +
    "of Carastan-Santos and de Camargo 2017; under wfp3 jobs gain with their wait relative to their estimate), an expression such as 'estimate * processors' or 'processors - wait / 60', or a file with a function",
  choices: WORDS,
  isOpen: true,
  default: 'submit',
  otherwise: 'submit',
  read: checkOrder,
  check: checkOrder,
  print: printOrder,
  core: (order, { Order: numbers }: Constants) => ({
    Order: numberOf(order, numbers),
    KeysByEstimate: Number(hasKeysByEstimate(order)),
  }),
});
