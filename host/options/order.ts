/**
 * Orders of the waiting jobs: a key for each job, the least first; as a word, an expression of columns, such as
 * `estimate * processors`, or a function. Conditions, such as `wait > 1d and user == ann`, are expressions too.
 */
import type { Constants, Core } from '../core/module.js';
import { InputError } from '../errors.js';
import { NAMED_ATTRIBUTES, type NamedAttribute, SUBMITTED_ATTRIBUTES } from '../jobs/attributes.js';
import { ln } from '../math/fdlibm.js';
import { parseDuration, suggestName, unknownNameError } from '../notation.js';
import { codeNamed, isCodeName } from '../providedCode.js';
import { resolveFieldAlias } from '../trace/trace.js';
import { defineCustomOption, type Option } from './kinds.js';

/** Columns of numbers by name, all of the same length. */
export type NumberColumns = Readonly<Record<string, ArrayLike<number>>>;

/** The value in a row of columns. */
export type RowValueFunction = (columns: NumberColumns, row: number) => number;

/**
 * What is in an expression for a column: an account is the group of Slurm's jobs.
 */
const findColumnNamed = (word: string, known: readonly string[]) =>
  known.includes(word) ? word : resolveFieldAlias(word);

/**
 * A test of rows: whether a column has a number with a name there.
 * @throws InputError for a name that no number has.
 */
export type NameTest = (column: NamedAttribute, name: string) => (row: number) => boolean;

/** Accepts every name, for expressions that are parsed and not computed. */
const ANY_NAME_TEST: NameTest = () => () => {
  throw new Error('nothing is known of names');
};

/** An expression, parsed. */
interface Expression {
  readonly valueAt: RowValueFunction;
  /** Growth of the value per second of the column `wait`; undefined if it differs between rows or times. */
  readonly growth: number | undefined;
  /** Names of the columns that it takes. */
  readonly columns: ReadonlySet<string>;
}

type UnaryFunction = (x: number) => number;
type BinaryFunction = (x: number, y: number) => number;

/** Functions of one number. The logarithm is fdlibm's, with the same bits on every host, which an engine's need not have. */
const UNARY_FUNCTIONS: Readonly<Record<string, UnaryFunction>> = {
  abs: Math.abs,
  sqrt: Math.sqrt,
  ln,
  log2: (x) => ln(x) / Math.LN2,
  log10: (x) => ln(x) / Math.LN10,
};
/** Functions of two numbers or more, taken from left to right. */
const VARIADIC_FUNCTIONS: Readonly<Record<string, BinaryFunction>> = { min: Math.min, max: Math.max };

/** Functions that expressions may call. */
const FUNCTION_NAMES: readonly string[] = [
  ...Object.keys(VARIADIC_FUNCTIONS),
  ...Object.keys(UNARY_FUNCTIONS),
];

const ARITHMETIC: Readonly<Record<string, BinaryFunction>> = {
  '+': (x, y) => x + y,
  '-': (x, y) => x - y,
  '*': (x, y) => x * y,
  '/': (x, y) => x / y,
  // True is 1, false is 0.
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
const COMPARISON_SIGNS: readonly string[] = ['<', '<=', '>', '>=', '=', '==', '!='];

/** Durations first, then numbers, names, operators. */
const TOKEN_PATTERN =
  /\s*((?:(?:\d+\.?\d*|\.\d+)(?:min|[smhdw]))+(?!\w)|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[A-Za-z_]\w*|[<>=!]=|\S)?/y;
/** A name in quotes, or a word, also with dots and dashes as accounts have them. */
const NAME_PATTERN = /'([^']*)'|"([^"]*)"|([A-Za-z_](?:[\w.@+-]*\w)?)/y;
/** Largest depth of nested brackets. */
const MAX_EXPRESSION_DEPTH = 100;

/**
 * Parses an expression of columns, numbers, durations such as 2h30m (in seconds), + - * / ( ), the functions min, max, abs, sqrt, ln, log2, log10, and conditions, which
 * are 1 or 0: < <= > >= = !=, `not`, `and`, `or`, the last of which binds least. Users, groups, queues and partitions are compared
 * with names too: `user == ann`, in quotes where a name has blanks or is that of a column.
 * @param known names of the columns.
 * @param what names the option in errors.
 * @param named what names mean.
 * @throws InputError with the position, from 1, what is there and what was expected.
 * @example
 * const { valueAt } = parseExpression('wait / 2', ['wait'], 'rank');
 * console.log(valueAt({ wait: [3] }, 0)); // 1.5
 */
export function parseExpression(
  text: string,
  known: readonly string[],
  what: string,
  named: NameTest = ANY_NAME_TEST,
): Expression {
  const parser = new ExpressionParser(text, known, what, named);
  const { at, growth } = parser.whole();
  return { valueAt: at, growth, columns: parser.columns };
}

/** A part of an expression. */
interface ExpressionPart {
  readonly at: RowValueFunction;
  /** Growth as in `Expression`. */
  readonly growth: number | undefined;
  /** The value, where it is the same for all rows. */
  readonly constant?: number;
}

/** A part whose parts must not grow for it not to. */
const makeExpressionPart = (at: RowValueFunction, ...parts: readonly ExpressionPart[]): ExpressionPart => ({
  at,
  growth: parts.every(({ growth }) => growth === 0) ? 0 : undefined,
});

/** Growth of a sum, difference, product or quotient. */
function growthOfOperation(operator: string, one: ExpressionPart, two: ExpressionPart): number | undefined {
  if (one.growth === 0 && two.growth === 0) return 0;
  if (one.growth === undefined || two.growth === undefined) return undefined;
  if (operator === '+') return one.growth + two.growth;
  if (operator === '-') return one.growth - two.growth;
  const scaleFactor =
    operator === '*' ? (one.constant ?? two.constant) : operator === '/' ? two.constant : undefined;
  if (scaleFactor === undefined) return undefined;
  return operator === '/' ? one.growth / scaleFactor : (one.growth + two.growth) * scaleFactor;
}

/** Two parts with an operator between them. */
function combineParts(operator: string, one: ExpressionPart, two: ExpressionPart): ExpressionPart {
  const applyOperator = ARITHMETIC[operator] as BinaryFunction;
  const at: RowValueFunction = (columns, row) => applyOperator(one.at(columns, row), two.at(columns, row));
  const growth = growthOfOperation(operator, one, two);
  if (one.constant === undefined || two.constant === undefined) return { at, growth };
  return { at, growth, constant: applyOperator(one.constant, two.constant) };
}

const MINUS_ONE_PART: ExpressionPart = { at: () => -1, growth: 0, constant: -1 };

class ExpressionParser {
  readonly columns = new Set<string>();
  readonly #text: string;
  readonly #known: readonly string[];
  readonly #what: string;
  readonly #named: NameTest;
  /** The token that is next, empty at the end, where it begins, and where the one behind it does. */
  #token = '';
  #at = 0;
  #behind = 0;
  #depth = 0;

  constructor(text: string, known: readonly string[], what: string, named: NameTest) {
    this.#text = text;
    this.#known = known;
    this.#what = what;
    this.#named = named;
    this.#advance();
  }

  whole(): ExpressionPart {
    const value = this.#condition();
    if (/^(?:s|sec|second|min|minute|h|hr|hour|d|day|w|week)s?$/i.test(this.#token))
      throw this.#expected('a duration such as 12h, 30m or 2d, without a blank');
    if (this.#token !== '') throw this.#expected('an operator or the end');
    return value;
  }

  #advance(): string {
    const token = this.#token;
    TOKEN_PATTERN.lastIndex = this.#behind;
    this.#token = TOKEN_PATTERN.exec(this.#text)?.[1] ?? '';
    this.#behind = TOKEN_PATTERN.lastIndex;
    this.#at = this.#behind - this.#token.length;
    return token;
  }

  #fault(sentence: string): InputError {
    return new InputError(`${this.#what}: '${this.#text}', at ${this.#at + 1}: ${sentence}`);
  }

  #expected(expectedThings: string): InputError {
    return this.#fault(
      `expected ${expectedThings}, found ${this.#token === '' ? 'the end' : `'${this.#token}'`}`,
    );
  }

  #take(token: string): void {
    if (this.#token !== token) throw this.#expected(`'${token}'`);
    this.#advance();
  }

  #condition(): ExpressionPart {
    if (this.#depth++ > MAX_EXPRESSION_DEPTH)
      throw this.#fault(`more than ${MAX_EXPRESSION_DEPTH} brackets within each other`);
    const value = this.#chain(['or'], () => this.#chain(['and'], () => this.#negated()));
    this.#depth--;
    return value;
  }

  #negated(): ExpressionPart {
    let isConditionTrue: boolean | undefined;
    for (; this.#token === 'not'; this.#advance()) isConditionTrue = isConditionTrue === false;
    const value = this.#comparison();
    if (isConditionTrue === undefined) return value;
    return makeExpressionPart(
      (columns, row) => Number((value.at(columns, row) !== 0) === isConditionTrue),
      value,
    );
  }

  #comparison(): ExpressionPart {
    const begin = this.#at;
    const left = this.#sum();
    if (!COMPARISON_SIGNS.includes(this.#token)) return left;
    const word = findColumnNamed(this.#text.slice(begin, this.#at).trim(), this.#known);
    const column = NAMED_ATTRIBUTES.find((each) => each === word);
    const operator = this.#advance();
    const name = column === undefined || /[<>]/.test(operator) ? undefined : this.#nameAhead();
    if (column !== undefined && name !== undefined) return this.#nameIs(column, name, operator !== '!=');
    return combineParts(operator, left, this.#sum());
  }

  /** The name that is next; undefined where that is a number, a column or a function. */
  #nameAhead(): string | undefined {
    NAME_PATTERN.lastIndex = this.#at;
    const [whole, single, double, word] = NAME_PATTERN.exec(this.#text) ?? [];
    if (whole === undefined) {
      if (/^['"]/.test(this.#token)) throw this.#expected(`a name between two ${this.#token}`);
      return undefined;
    }
    if (word !== undefined && [...this.#known, ...FUNCTION_NAMES].includes(this.#token)) return undefined;
    this.#behind = NAME_PATTERN.lastIndex;
    return single ?? double ?? word;
  }

  #nameIs(column: NamedAttribute, name: string, isEqualityWanted: boolean): ExpressionPart {
    let isNamed: (row: number) => boolean;
    try {
      isNamed = this.#named(column, name);
    } catch (error) {
      throw error instanceof InputError ? this.#fault(error.message) : error;
    }
    this.#advance();
    return makeExpressionPart((_, row) => Number(isNamed(row) === isEqualityWanted));
  }

  #sum(): ExpressionPart {
    return this.#chain(['+', '-'], () => this.#chain(['*', '/'], () => this.#signed()));
  }

  /** Operands with operators of one rank between them, from left to right. */
  #chain(operators: readonly string[], parseOperand: () => ExpressionPart): ExpressionPart {
    const first = parseOperand();
    const rest: { readonly operator: string; readonly part: ExpressionPart }[] = [];
    while (operators.includes(this.#token)) rest.push({ operator: this.#advance(), part: parseOperand() });
    // Many terms nest no deeper than few.
    const operatorTerms = rest.map(({ operator, part }) => ({
      apply: ARITHMETIC[operator] as BinaryFunction,
      part,
    }));
    const at: RowValueFunction = (columns, row) => {
      let total = first.at(columns, row);
      for (const { apply, part } of operatorTerms) total = apply(total, part.at(columns, row));
      return total;
    };
    return rest.reduce(
      (whole, { operator, part }) => ({ ...combineParts(operator, whole, part), at }),
      first,
    );
  }

  #signed(): ExpressionPart {
    let isNegative = false;
    while (this.#token === '-' || this.#token === '+') isNegative = isNegative !== (this.#advance() === '-');
    const value = this.#operand();
    return isNegative ? combineParts('*', MINUS_ONE_PART, value) : value;
  }

  #operand(): ExpressionPart {
    if (/^[\d.]\d*/.test(this.#token) && this.#token !== '.') {
      const token = this.#advance();
      const number = /[a-z]$/.test(token) ? parseDuration(token) : Number(token);
      return { at: () => number, growth: 0, constant: number };
    }
    if (this.#token === '(') return this.#arguments()[0];
    if (!/^\w/.test(this.#token)) throw this.#expected("a column, a number, a function or '('");
    return this.#word();
  }

  #word(): ExpressionPart {
    const name = findColumnNamed(this.#token, this.#known);
    const isFunctionName = FUNCTION_NAMES.includes(name);
    if (!isFunctionName && !this.#known.includes(name)) throw this.#unknown(name);
    this.#advance();
    if (!isFunctionName) {
      this.columns.add(name);
      return { at: (columns, row) => columns[name]![row]!, growth: Number(name === 'wait') };
    }
    if (this.#token !== '(') throw this.#expected(`'(' behind ${name}`);
    return this.#call(name);
  }

  #call(name: string): ExpressionPart {
    const values = this.#arguments(name);
    const [first, ...rest] = values;
    const unaryFunction = Object.hasOwn(UNARY_FUNCTIONS, name) ? UNARY_FUNCTIONS[name] : undefined;
    if (unaryFunction !== undefined)
      return makeExpressionPart((columns, row) => unaryFunction(first.at(columns, row)), first);
    const applyOperator = VARIADIC_FUNCTIONS[name] as BinaryFunction;
    return makeExpressionPart(
      (columns, row) =>
        rest.reduce((least, part) => applyOperator(least, part.at(columns, row)), first.at(columns, row)),
      ...values,
    );
  }

  /** Parses arguments in brackets: one expression, or at least two for a function of several. */
  #arguments(name = ''): [ExpressionPart, ...ExpressionPart[]] {
    this.#take('(');
    const values: [ExpressionPart, ...ExpressionPart[]] = [this.#condition()];
    const isVariadicFunction = Object.hasOwn(VARIADIC_FUNCTIONS, name);
    while (isVariadicFunction && (values.length < 2 || this.#token === ',')) {
      if (this.#token !== ',') throw this.#expected(`',' and another number for ${name}`);
      this.#advance();
      values.push(this.#condition());
    }
    this.#take(')');
    return values;
  }

  #unknown(name: string): InputError {
    const hint = suggestName(name, [...this.#known, ...FUNCTION_NAMES]) || '.';
    return this.#fault(
      `unknown name '${name}'${hint} Columns: ${this.#known.join(', ')}; functions: ${FUNCTION_NAMES.join(', ')}`,
    );
  }
}

// Orders

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

/** Columns that expressions of orders may use; `wait` is the time since the submission. */
const EXPRESSION_COLUMNS: readonly string[] = [...SUBMITTED_ATTRIBUTES, 'wait'];

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
export const FIXED_ORDER_WORDS: readonly string[] = NAMED_ORDER_WORDS.filter(
  (word) => !['Given', 'Wfp3'].includes(NAMED_ORDERS[word].core),
);

function isOrderWord(order: Order): order is OrderWord {
  return typeof order === 'string' && Object.hasOwn(NAMED_ORDERS, order);
}

/** True if an order is a function, be it from a file. */
export function isOrderFunction(order: Order): boolean {
  return typeof order === 'function' || isCodeName(order);
}

/** No order of backfilling: that of the queue. */
const NO_BACKFILL_ORDER = 'none';

/** True if the host computes the keys of an order. */
export function needsComputedKeys(order: Order): boolean {
  return order !== NO_BACKFILL_ORDER && (!isOrderWord(order) || NAMED_ORDERS[order].core === 'Given');
}

/** True if those are computed from estimates, as far as is known before: of a function that shows when it is called. */
function hasKeysByEstimate(order: Order): boolean {
  return needsComputedKeys(order) && !isOrderFunction(order) && isOrderByEstimate(order);
}

/** An order in the core's words. */
function coreOrderNumber(order: Order, numbers: Constants['Order']): number {
  return numbers[isOrderWord(order) ? NAMED_ORDERS[order].core : 'Given'];
}

/**
 * The expression of an order that is no function. Where it takes the wait, its values at one time differ by as much as those at any other.
 * @param named what names in it mean; needed to compute it.
 * @throws InputError for a text that is not an order, and where jobs would change places as they wait.
 */
export function orderExpression(order: string, what = 'order', named?: NameTest): Expression {
  const text = isOrderWord(order) ? NAMED_ORDERS[order].key : order;
  const expression = parseExpression(text, EXPRESSION_COLUMNS, what, named);
  if (expression.growth !== undefined) return expression;
  throw new InputError(
    `${what}: '${text}' lets jobs change places as they wait, and their keys are computed at the submit; a multiple of wait ` +
      'may be added to a key that has none, such as processors - wait / 60, and wfp3 is an order by wait / estimate',
  );
}

const ORDER_WORDS_BY_ESTIMATE = new Set<Order>(
  NAMED_ORDER_WORDS.filter((word) => orderExpression(word).columns.has('estimate')),
);

/** True if an order uses estimates of the runtimes; what a function reads is unknown, so it may. */
export function isOrderByEstimate(order: Order): boolean {
  if (typeof order !== 'string' || isOrderFunction(order)) return true;
  return isOrderWord(order)
    ? ORDER_WORDS_BY_ESTIMATE.has(order)
    : orderExpression(order).columns.has('estimate');
}

/** An order in words: of a function its name. */
export function printOrder(order: Order): string {
  return typeof order === 'string' ? order : order.name || 'a function';
}

/** The common form of all spellings of an order: `shortest` is `estimate`. */
export function canonicalOrder(order: Order): string {
  if (typeof order === 'function' || isCodeName(order) || order === 'wfp3') return printOrder(order);
  return (isOrderWord(order) ? NAMED_ORDERS[order].key : order).replaceAll(/('[^']*'|"[^"]*")|\s/g, '$1');
}

function checkOrder(input: Order, what: string): Order {
  if (typeof input === 'function') return input;
  const text = String(input).trim();
  if (isOrderWord(text)) return text;
  if (isCodeName(text)) return codeNamed(text, what).name;
  try {
    orderExpression(text, what);
  } catch (error) {
    // A word that is misspelt.
    if (error instanceof InputError && /^[A-Za-z][\w-]*$/.test(text))
      throw unknownNameError(`value of ${what}`, text, [...NAMED_ORDER_WORDS, ...EXPRESSION_COLUMNS]);
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
  default: NO_BACKFILL_ORDER,
  otherwise: 'that of the queue',
  read: checkOrder,
  check: (input, what) => (input === NO_BACKFILL_ORDER ? input : checkOrder(input, what)),
  print: printOrder,
  core: (order, { Order: numbers }: Constants) => ({
    BackfillOrder: order === NO_BACKFILL_ORDER ? 0 : 1 + coreOrderNumber(order, numbers),
  }),
});

/** The order of the waiting jobs. */
export const orderOption: Option<Order> = defineCustomOption<Order>({
  heading: 'Scheduling',
  help:
    'the order of the waiting jobs, smallest key first: a named one (area is estimate x processors; f1 to f4 are those ' +
    "of Carastan-Santos and de Camargo 2017; under wfp3 jobs gain with their wait relative to their estimate), an expression such as 'estimate * processors' or 'processors - wait / 60', or a file with a function",
  choices: NAMED_ORDER_WORDS,
  isOpen: true,
  default: 'submit',
  otherwise: 'submit',
  read: checkOrder,
  check: checkOrder,
  print: printOrder,
  core: (order, { Order: numbers }: Constants) => ({
    Order: coreOrderNumber(order, numbers),
    KeysByEstimate: Number(hasKeysByEstimate(order)),
  }),
});
