/** Expressions of columns, such as `estimate * processors` or `wait > 1d and user == ann`. */
import { InputError } from '../errors.js';
import { ln } from '../math/fdlibm.js';
import { parseDuration, suggestion } from '../notation.js';
import { fieldCalled } from '../trace/trace.js';

/** Columns of numbers by name, all of the same length. */
export type Columns = Readonly<Record<string, ArrayLike<number>>>;

/** The value in a row of columns. */
export type RowValue = (columns: Columns, row: number) => number;

/** Columns whose numbers may have names. */
export const LABELLED = ['user', 'group', 'queue', 'partition'] as const;
/** A column whose numbers may have names. */
export type Labelled = (typeof LABELLED)[number];

/**
 * What stands in an expression for a column: an account is the group of Slurm's jobs.
 */
const columnCalled = (word: string, known: readonly string[]) =>
  known.includes(word) ? word : fieldCalled(word);

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
  /** By how much the value grows with every second of the column `wait`; undefined where that is not the same for all rows at all times. */
  readonly growth: number | undefined;
  /** Names of the columns that it takes. */
  readonly columns: ReadonlySet<string>;
}

type OfOne = (x: number) => number;
type OfTwo = (x: number, y: number) => number;

/** Functions of one number. The logarithm is fdlibm's, with the same bits on every host, which an engine's need not have. */
const OF_ONE: Readonly<Record<string, OfOne>> = {
  abs: Math.abs,
  sqrt: Math.sqrt,
  ln,
  log2: (x) => ln(x) / Math.LN2,
  log10: (x) => ln(x) / Math.LN10,
};
/** Functions of two numbers or more, taken from left to right. */
const OF_SEVERAL: Readonly<Record<string, OfTwo>> = { min: Math.min, max: Math.max };

/** What may be called. */
const FUNCTIONS: readonly string[] = [...Object.keys(OF_SEVERAL), ...Object.keys(OF_ONE)];

const OPERATORS: Readonly<Record<string, OfTwo>> = {
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
  const { at, growth } = parser.whole();
  return { valueAt: at, growth, columns: parser.columns };
}

/** A part of an expression. */
interface Part {
  readonly at: RowValue;
  /** As in `Expression`. */
  readonly growth: number | undefined;
  /** The value, where it is the same for all rows. */
  readonly constant?: number;
}

/** A part whose parts must not grow for it not to. */
const partOf = (at: RowValue, ...parts: readonly Part[]): Part => ({
  at,
  growth: parts.every(({ growth }) => growth === 0) ? 0 : undefined,
});

/** By how much a sum, a difference, a product or a quotient grows. */
function growthOf(operator: string, one: Part, two: Part): number | undefined {
  if (one.growth === 0 && two.growth === 0) return 0;
  if (one.growth === undefined || two.growth === undefined) return undefined;
  if (operator === '+') return one.growth + two.growth;
  if (operator === '-') return one.growth - two.growth;
  const factor =
    operator === '*' ? (one.constant ?? two.constant) : operator === '/' ? two.constant : undefined;
  if (factor === undefined) return undefined;
  return operator === '/' ? one.growth / factor : (one.growth + two.growth) * factor;
}

/** Two parts with an operator between them. */
function joined(operator: string, one: Part, two: Part): Part {
  const apply = OPERATORS[operator] as OfTwo;
  const at: RowValue = (columns, row) => apply(one.at(columns, row), two.at(columns, row));
  const growth = growthOf(operator, one, two);
  if (one.constant === undefined || two.constant === undefined) return { at, growth };
  return { at, growth, constant: apply(one.constant, two.constant) };
}

const MINUS_ONE: Part = { at: () => -1, growth: 0, constant: -1 };

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

  whole(): Part {
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

  #condition(): Part {
    if (this.#depth++ > DEEPEST) throw this.#fault(`more than ${DEEPEST} brackets within each other`);
    const value = this.#chain(['or'], () => this.#chain(['and'], () => this.#negated()));
    this.#depth--;
    return value;
  }

  #negated(): Part {
    let isTrue: boolean | undefined;
    for (; this.#token === 'not'; this.#advance()) isTrue = isTrue === false;
    const value = this.#comparison();
    if (isTrue === undefined) return value;
    return partOf((columns, row) => Number((value.at(columns, row) !== 0) === isTrue), value);
  }

  #comparison(): Part {
    const begin = this.#at;
    const left = this.#sum();
    if (!COMPARISONS.includes(this.#token)) return left;
    const word = columnCalled(this.#text.slice(begin, this.#at).trim(), this.#known);
    const column = LABELLED.find((each) => each === word);
    const operator = this.#advance();
    const name = column === undefined || /[<>]/.test(operator) ? undefined : this.#nameAhead();
    if (column !== undefined && name !== undefined) return this.#nameIs(column, name, operator !== '!=');
    return joined(operator, left, this.#sum());
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

  #nameIs(column: Labelled, name: string, isWanted: boolean): Part {
    let isNamed: (row: number) => boolean;
    try {
      isNamed = this.#named(column, name);
    } catch (error) {
      throw error instanceof InputError ? this.#fault(error.message) : error;
    }
    this.#advance();
    return partOf((_, row) => Number(isNamed(row) === isWanted));
  }

  #sum(): Part {
    return this.#chain(['+', '-'], () => this.#chain(['*', '/'], () => this.#signed()));
  }

  /** Operands with operators of one rank between them, from left to right. */
  #chain(operators: readonly string[], operand: () => Part): Part {
    const first = operand();
    const rest: { readonly operator: string; readonly part: Part }[] = [];
    while (operators.includes(this.#token)) rest.push({ operator: this.#advance(), part: operand() });
    // Of many terms no deeper than of few.
    const terms = rest.map(({ operator, part }) => ({ apply: OPERATORS[operator] as OfTwo, part }));
    const at: RowValue = (columns, row) => {
      let total = first.at(columns, row);
      for (const { apply, part } of terms) total = apply(total, part.at(columns, row));
      return total;
    };
    return rest.reduce((whole, { operator, part }) => ({ ...joined(operator, whole, part), at }), first);
  }

  #signed(): Part {
    let isNegative = false;
    while (this.#token === '-' || this.#token === '+') isNegative = isNegative !== (this.#advance() === '-');
    const value = this.#operand();
    return isNegative ? joined('*', MINUS_ONE, value) : value;
  }

  #operand(): Part {
    if (/^[\d.]\d*/.test(this.#token) && this.#token !== '.') {
      const token = this.#advance();
      const number = /[a-z]$/.test(token) ? parseDuration(token) : Number(token);
      return { at: () => number, growth: 0, constant: number };
    }
    if (this.#token === '(') return this.#arguments()[0];
    if (!/^\w/.test(this.#token)) throw this.#expected("a column, a number, a function or '('");
    return this.#word();
  }

  #word(): Part {
    const name = columnCalled(this.#token, this.#known);
    const isFunction = FUNCTIONS.includes(name);
    if (!isFunction && !this.#known.includes(name)) throw this.#unknown(name);
    this.#advance();
    if (!isFunction) {
      this.columns.add(name);
      return { at: (columns, row) => columns[name]![row]!, growth: Number(name === 'wait') };
    }
    if (this.#token !== '(') throw this.#expected(`'(' behind ${name}`);
    return this.#call(name);
  }

  #call(name: string): Part {
    const values = this.#arguments(name);
    const [first, ...rest] = values;
    const ofOne = Object.hasOwn(OF_ONE, name) ? OF_ONE[name] : undefined;
    if (ofOne !== undefined) return partOf((columns, row) => ofOne(first.at(columns, row)), first);
    const apply = OF_SEVERAL[name] as OfTwo;
    return partOf(
      (columns, row) =>
        rest.reduce((least, part) => apply(least, part.at(columns, row)), first.at(columns, row)),
      ...values,
    );
  }

  /** What stands in brackets: one expression, or of a function of several at least two. */
  #arguments(name = ''): [Part, ...Part[]] {
    this.#take('(');
    const values: [Part, ...Part[]] = [this.#condition()];
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
