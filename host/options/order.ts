/** Orders of the waiting jobs: a key for each job, the least first; as a word, an expression or a function. */
import type { Constants, Core } from '../core/module.js';
import { InputError } from '../errors.js';
import { ln } from '../math/fdlibm.js';
import { parseDuration, suggestion, unknownName } from '../notation.js';
import { customOption, type Option } from './kinds.js';
import { codeNamed, isCodeName } from './providedCode.js';

/** Columns of numbers by name, all of the same length. */
export type Columns = Readonly<Record<string, ArrayLike<number>>>;

/** The value in a row of columns. */
export type RowValue = (columns: Columns, row: number) => number;

/** An expression, parsed. */
export interface Expression {
  readonly valueAt: RowValue;
  /** Names of the columns that it takes. */
  readonly columns: ReadonlySet<string>;
}

/** Functions of one number. The logarithm is fdlibm's, with the same bits on every host, which an engine's need not have. */
const OF_ONE: Readonly<Record<string, (x: number) => number>> = {
  abs: Math.abs,
  sqrt: Math.sqrt,
  ln,
  log2: (x) => ln(x) / Math.LN2,
  log10: (x) => ln(x) / Math.LN10,
};
/** Functions of two numbers or more, taken from left to right. */
const OF_SEVERAL: Readonly<Record<string, (x: number, y: number) => number>> = {
  min: Math.min,
  max: Math.max,
};

/** What may be called. */
const FUNCTIONS: readonly string[] = [...Object.keys(OF_SEVERAL), ...Object.keys(OF_ONE)];

const OPERATORS: Readonly<Record<string, (x: number, y: number) => number>> = {
  '+': (x, y) => x + y,
  '-': (x, y) => x - y,
  '*': (x, y) => x * y,
  '/': (x, y) => x / y,
  // What is true is 1, what is not is 0.
  '<': (x, y) => Number(x < y),
  '<=': (x, y) => Number(x <= y),
  '>': (x, y) => Number(x > y),
  '>=': (x, y) => Number(x >= y),
  '=': (x, y) => Number(x === y),
  '==': (x, y) => Number(x === y),
  '!=': (x, y) => Number(x !== y),
  and: (x, y) => Number(x !== 0 && y !== 0),
  or: (x, y) => Number(x !== 0 || y !== 0),
};
const COMPARISONS: readonly string[] = ['<', '<=', '>', '>=', '=', '==', '!='];

/** Durations first, then numbers, names, operators. */
const TOKEN =
  /\s*((?:(?:\d+\.?\d*|\.\d+)(?:min|[smhdw]))+(?!\w)|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[A-Za-z_]\w*|[<>=!]=|\S)?/y;
/** More brackets within brackets than anyone means. */
const DEEPEST = 100;

/**
 * Parses an expression of columns, numbers, durations such as 2h30m (in seconds), + - * / ( ), the functions min, max, abs, sqrt, ln, log2, log10, and conditions, which
 * are 1 or 0: < <= > >= = !=, `not`, `and`, `or`, the last of which binds least.
 * @param known names of the columns.
 * @param what names the option in errors.
 * @throws InputError with the position, from 1, what stands there and what was expected.
 * @example
 * const { valueAt } = parseExpression('wait / 2', ['wait'], 'rank');
 * console.log(valueAt({ wait: [3] }, 0)); // 1.5
 */
export function parseExpression(text: string, known: readonly string[], what: string): Expression {
  const parser = new Parser(text, known, what);
  return { valueAt: parser.whole(), columns: parser.columns };
}

class Parser {
  readonly columns = new Set<string>();
  readonly #text: string;
  readonly #known: readonly string[];
  readonly #what: string;
  /** The token that is next, empty at the end, where it begins, and where the one behind it does. */
  #token = '';
  #at = 0;
  #behind = 0;
  #depth = 0;

  constructor(text: string, known: readonly string[], what: string) {
    this.#text = text;
    this.#known = known;
    this.#what = what;
    this.#advance();
  }

  whole(): RowValue {
    const value = this.#condition();
    if (this.#token !== '') throw this.#expected('an operator or the end');
    return value;
  }

  #advance(): string {
    const token = this.#token;
    TOKEN.lastIndex = this.#behind;
    this.#token = TOKEN.exec(this.#text)?.[1] ?? '';
    this.#behind = TOKEN.lastIndex;
    this.#at = this.#behind - this.#token.length;
    return token;
  }

  #fault(sentence: string): InputError {
    return new InputError(`${this.#what}: '${this.#text}', at ${this.#at + 1}: ${sentence}`);
  }

  #expected(things: string): InputError {
    return this.#fault(`expected ${things}, found ${this.#token === '' ? 'the end' : `'${this.#token}'`}`);
  }

  #take(token: string): void {
    if (this.#token !== token) throw this.#expected(`'${token}'`);
    this.#advance();
  }

  #condition(): RowValue {
    if (this.#depth++ > DEEPEST) throw this.#fault(`more than ${DEEPEST} brackets within each other`);
    const value = this.#chain(['or'], () => this.#chain(['and'], () => this.#negated()));
    this.#depth--;
    return value;
  }

  #negated(): RowValue {
    let isTrue: boolean | undefined;
    for (; this.#token === 'not'; this.#advance()) isTrue = isTrue === false;
    const value = this.#comparison();
    return isTrue === undefined ? value : (columns, row) => Number((value(columns, row) !== 0) === isTrue);
  }

  #comparison(): RowValue {
    const left = this.#sum();
    if (!COMPARISONS.includes(this.#token)) return left;
    const compare = OPERATORS[this.#advance()];
    const right = this.#sum();
    return (columns, row) => compare(left(columns, row), right(columns, row));
  }

  #sum(): RowValue {
    return this.#chain(['+', '-'], () => this.#chain(['*', '/'], () => this.#signed()));
  }

  /** Operands with operators of one rank between them, from left to right. */
  #chain(operators: readonly string[], operand: () => RowValue): RowValue {
    const first = operand();
    const rest: { readonly apply: (x: number, y: number) => number; readonly value: RowValue }[] = [];
    while (operators.includes(this.#token)) {
      const apply = OPERATORS[this.#advance()];
      rest.push({ apply, value: operand() });
    }
    if (rest.length === 0) return first;
    return (columns, row) => {
      let total = first(columns, row);
      for (const { apply, value } of rest) total = apply(total, value(columns, row));
      return total;
    };
  }

  #signed(): RowValue {
    let isNegative = false;
    while (this.#token === '-' || this.#token === '+') isNegative = isNegative !== (this.#advance() === '-');
    const value = this.#operand();
    return isNegative ? (columns, row) => -value(columns, row) : value;
  }

  #operand(): RowValue {
    if (/^[\d.]\d*/.test(this.#token) && this.#token !== '.') {
      const token = this.#advance();
      const number = /[a-z]$/.test(token) ? parseDuration(token) : Number(token);
      return () => number;
    }
    if (this.#token === '(') return this.#arguments()[0];
    if (!/^\w/.test(this.#token)) throw this.#expected("a column, a number, a function or '('");
    return this.#named();
  }

  #named(): RowValue {
    const name = this.#token;
    const isFunction = FUNCTIONS.includes(name);
    if (!isFunction && !this.#known.includes(name)) throw this.#unknown(name);
    this.#advance();
    if (!isFunction) {
      this.columns.add(name);
      return (columns, row) => columns[name][row];
    }
    if (this.#token !== '(') throw this.#expected(`'(' behind ${name}`);
    return this.#call(name);
  }

  #call(name: string): RowValue {
    const values = this.#arguments(name);
    const [first, ...rest] = values;
    if (Object.hasOwn(OF_ONE, name)) {
      const apply = OF_ONE[name];
      return (columns, row) => apply(first(columns, row));
    }
    const apply = OF_SEVERAL[name];
    return (columns, row) =>
      rest.reduce((least, value) => apply(least, value(columns, row)), first(columns, row));
  }

  /** What stands in brackets: one expression, or of a function of several at least two. */
  #arguments(name = ''): RowValue[] {
    this.#take('(');
    const values = [this.#condition()];
    const isOfSeveral = Object.hasOwn(OF_SEVERAL, name);
    while (isOfSeveral && (values.length < 2 || this.#token === ',')) {
      if (this.#token !== ',') throw this.#expected(`',' and another number for ${name}`);
      this.#advance();
      values.push(this.#condition());
    }
    this.#take(')');
    return values;
  }

  #unknown(name: string): InputError {
    const hint = suggestion(name, [...this.#known, ...FUNCTIONS]) || '.';
    return this.#fault(
      `unknown name '${name}'${hint} Columns: ${this.#known.join(', ')}; functions: ${FUNCTIONS.join(', ')}`,
    );
  }
}

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
 * The expression of an order that is no function.
 * @throws InputError for a text that is none.
 */
export function orderExpression(order: string, what = 'order'): Expression {
  return parseExpression(isWord(order) ? NAMED[order].key : order, ORDER_COLUMNS, what);
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
  return (isWord(order) ? NAMED[order].key : order).replaceAll(/\s/g, '');
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
      throw unknownName(`value of ${what}`, text, [...WORDS, ...ORDER_COLUMNS]);
    throw error;
  }
  return text;
}

/** Under easy, the order of the jobs behind the one that has the reservation. */
export const backfillOrderOption: Option<Order> = customOption<Order>({
  heading: 'Backfilling (easy, conservative)',
  help: 'with easy, the order in which jobs behind the one that has the reservation are tried, as --order; shortest: EASY-SJBF',
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
    'the order of the waiting jobs, the least key first: one with a name (area is estimate x processors; f1 to f4 are those ' +
    "of Carastan-Santos and de Camargo 2017; in wfp3 waiting jobs gain the more, the longer they wait for their estimate), an expression such as 'estimate * processors', or a file with a function",
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
