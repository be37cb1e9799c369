/** Arithmetic on columns as a person types it, such as `estimate * processors`; evaluated in doubles, as written. */
import { InputError } from '../errors.js';
import { ln } from '../math/fdlibm.js';
import { nearest } from '../notation.js';

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
};

const TOKEN = /\s*((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[A-Za-z_]\w*|\S)?/y;
/** More brackets within brackets than anyone means. */
const DEEPEST = 100;

/**
 * Parses an expression of columns, numbers, + - * / ( ), and the functions min, max, abs, sqrt, ln, log2, log10.
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
    const value = this.#sum();
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

  #sum(): RowValue {
    if (this.#depth++ > DEEPEST) throw this.#fault(`more than ${DEEPEST} brackets within each other`);
    const value = this.#chain(['+', '-'], () => this.#chain(['*', '/'], () => this.#signed()));
    this.#depth--;
    return value;
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
      const number = Number(this.#advance());
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
    const values = [this.#sum()];
    const isOfSeveral = Object.hasOwn(OF_SEVERAL, name);
    while (isOfSeveral && (values.length < 2 || this.#token === ',')) {
      if (this.#token !== ',') throw this.#expected(`',' and another number for ${name}`);
      this.#advance();
      values.push(this.#sum());
    }
    this.#take(')');
    return values;
  }

  #unknown(name: string): InputError {
    const names = [...this.#known, ...FUNCTIONS];
    const close = nearest(name, names);
    const hint = close === undefined ? '' : `; did you mean '${close}'?`;
    return this.#fault(
      `unknown name '${name}'${hint === '' ? '.' : hint} Columns: ${this.#known.join(', ')}; functions: ${FUNCTIONS.join(', ')}`,
    );
  }
}
