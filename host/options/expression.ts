/** Expressions of columns, such as `estimate * processors` or `wait > 1d and user == ann`. */
import { InputError } from '../errors.js';
import { ln } from '../math/fdlibm.js';
import { parseDuration, suggestion } from '../notation.js';

/** Columns of numbers by name, all of the same length. */
export type Columns = Readonly<Record<string, ArrayLike<number>>>;

/** The value in a row of columns. */
export type RowValue = (columns: Columns, row: number) => number;

/** Columns whose numbers may have names. */
export const LABELLED = ['user', 'group', 'queue', 'partition'] as const;
/** A column whose numbers may have names. */
export type Labelled = (typeof LABELLED)[number];

/**
 * A test of rows: whether a column has a number with a name there.
 * @throws InputError for a name that no number has.
 */
export type NameTest = (column: Labelled, name: string) => (row: number) => boolean;

/** Takes every name as it comes, for expressions that are read and not computed. */
const ANY_NAME: NameTest = () => () => {
  throw new Error('nothing is known of names');
};

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
/** A name in quotes, or a word, also with dots and dashes as accounts have them. */
const NAME = /'([^']*)'|"([^"]*)"|([A-Za-z_](?:[\w.@+-]*\w)?)/y;
/** More brackets within brackets than anyone means. */
const DEEPEST = 100;

/**
 * Parses an expression of columns, numbers, durations such as 2h30m (in seconds), + - * / ( ), the functions min, max, abs, sqrt, ln, log2, log10, and conditions, which
 * are 1 or 0: < <= > >= = !=, `not`, `and`, `or`, the last of which binds least. Users, groups, queues and partitions are compared
 * with names too: `user == ann`, in quotes where a name has blanks or is that of a column.
 * @param known names of the columns.
 * @param what names the option in errors.
 * @param named what names mean.
 * @throws InputError with the position, from 1, what stands there and what was expected.
 * @example
 * const { valueAt } = parseExpression('wait / 2', ['wait'], 'rank');
 * console.log(valueAt({ wait: [3] }, 0)); // 1.5
 */
export function parseExpression(
  text: string,
  known: readonly string[],
  what: string,
  named: NameTest = ANY_NAME,
): Expression {
  const parser = new Parser(text, known, what, named);
  return { valueAt: parser.whole(), columns: parser.columns };
}

class Parser {
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
    const begin = this.#at;
    const left = this.#sum();
    if (!COMPARISONS.includes(this.#token)) return left;
    const column = LABELLED.find((each) => each === this.#text.slice(begin, this.#at).trim());
    const operator = this.#advance();
    const name = column === undefined || /[<>]/.test(operator) ? undefined : this.#nameAhead();
    if (column !== undefined && name !== undefined) return this.#nameIs(column, name, operator !== '!=');
    const compare = OPERATORS[operator];
    const right = this.#sum();
    return (columns, row) => compare(left(columns, row), right(columns, row));
  }

  /** The name that stands next; undefined where that is a number, a column or a function. */
  #nameAhead(): string | undefined {
    NAME.lastIndex = this.#at;
    const [whole, single, double, word] = NAME.exec(this.#text) ?? [];
    if (whole === undefined) {
      if (/^['"]/.test(this.#token)) throw this.#expected(`a name between two ${this.#token}`);
      return undefined;
    }
    if (word !== undefined && [...this.#known, ...FUNCTIONS].includes(this.#token)) return undefined;
    this.#behind = NAME.lastIndex;
    return single ?? double ?? word;
  }

  #nameIs(column: Labelled, name: string, isWanted: boolean): RowValue {
    let isNamed: (row: number) => boolean;
    try {
      isNamed = this.#named(column, name);
    } catch (error) {
      throw error instanceof InputError ? this.#fault(error.message) : error;
    }
    this.#advance();
    return (_, row) => Number(isNamed(row) === isWanted);
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
    return this.#word();
  }

  #word(): RowValue {
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
