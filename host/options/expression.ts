/**
 * Expressions of columns, such as `estimate * processors`, and conditions, such as `wait > 1d and user ==
 * ann`: parsing, evaluation, and compilation to instructions of the core.
 */
import type { Core } from '../core/module.js';
import { InputError } from '../errors.js';
import { NAMED_ATTRIBUTES, type NamedAttribute } from '../jobs/attributes.js';
import { naturalLogarithm, raise2ToPower } from '../math/fdlibm.js';
import { formatNameSuggestion, parseDuration } from '../notation.js';
import { resolveFieldAlias } from '../trace/trace.js';

/** Columns of numbers by name, all of the same length. */
export type NumberColumns = Readonly<Record<string, ArrayLike<number>>>;

/** Function that returns the value of an expression in a row. */
export type RowValueFunction = (columns: NumberColumns, row: number) => number;

/** Finds the column named by a word in an expression; `account` is a synonym of `group`. */
const findColumnByName = (columnName: string, knownColumns: readonly string[]) =>
  knownColumns.includes(columnName) ? columnName : resolveFieldAlias(columnName);

/**
 * Creates a test for rows: true if the number in a column has the given name.
 * @throws InputError for a name that no number has.
 */
export type HasNameTest = (column: NamedAttribute, name: string) => (row: number) => boolean;

/** Accepts every name, for expressions that are parsed and not computed. */
const acceptAnyName: HasNameTest = () => () => {
  throw new Error('nothing is known of names');
};

/** Number of a user, group, queue or partition in an expression such as `user == 5`. */
export interface ComparedNumber {
  readonly column: NamedAttribute;
  readonly number: number;
}

/** A parsed expression. */
export interface ParsedExpression {
  readonly valueAt: RowValueFunction;
  /** Growth of the value per second of waiting; undefined if it differs between rows or times. */
  readonly growth: number | undefined;
  /** Names of the job columns in the expression. */
  readonly columns: ReadonlySet<string>;
  /** Numbers with which the expression compares users, groups, queues and partitions. */
  readonly comparedNumbers: readonly ComparedNumber[];
  /** Instructions with which the core computes the value during a simulation. */
  readonly code: readonly CoreInstruction[];
}

/**
 * An instruction of the core. Its argument is a constant, or the index of an input: a value per job, known
 * before the run.
 */
export interface CoreInstruction {
  readonly name: keyof Core['Instruction'];
  readonly argument?: number | RowValueFunction;
}

type UnaryFunction = (x: number) => number;
type BinaryFunction = (x: number, y: number) => number;

/**
 * Functions of one number. The logarithm is the one of fdlibm, which gives equal bits on every host, unlike
 * the logarithms of JavaScript engines.
 */
const UNARY_FUNCTIONS: Readonly<Record<string, UnaryFunction>> = {
  abs: Math.abs,
  floor: Math.floor,
  sqrt: Math.sqrt,
  ln: naturalLogarithm,
  log2: (x) => naturalLogarithm(x) / Math.LN2,
  log10: (x) => naturalLogarithm(x) / Math.LN10,
};
/** Functions of two or more numbers, applied from left to right. */
const VARIADIC_FUNCTIONS: Readonly<Record<string, BinaryFunction>> = { min: Math.min, max: Math.max };

/** Functions that expressions may call. */
const EXPRESSION_FUNCTION_NAMES: readonly string[] = [
  ...Object.keys(VARIADIC_FUNCTIONS),
  ...Object.keys(UNARY_FUNCTIONS),
];

const ARITHMETIC_OPERATORS: Readonly<Record<string, BinaryFunction>> = {
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
const COMPARISON_OPERATORS: readonly string[] = ['<', '<=', '>', '>=', '=', '==', '!='];

/** Columns that depend on the state of a simulation. */
export const STATE_DEPENDENT_COLUMNS: readonly string[] = ['now', 'usage', 'groupUsage', 'running', 'share'];

/** Pattern of a token: durations first, then numbers, names and operators. */
const EXPRESSION_TOKEN_PATTERN =
  /\s*((?:(?:\d+\.?\d*|\.\d+)(?:min|[smhdw]))+(?!\w)|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[A-Za-z_]\w*|[<>=!]=|\S)?/y;
/** Pattern of a name: quoted, or a word that may contain dots and dashes, like account names. */
const COLUMN_NAME_PATTERN = /'([^']*)'|"([^"]*)"|([A-Za-z_](?:[\w.@+-]*\w)?)/y;
/** Maximum depth of nested brackets. */
const MAX_EXPRESSION_NESTING = 100;

/**
 * Parses an expression of columns, numbers, durations such as 2h30m (in seconds), + - * / ( ), the functions
 * min, max, abs, floor, sqrt, ln, log2, log10, and conditions with values 1 and 0: < <= > >= = !=, `not`,
 * `and`, `or` (lowest precedence). Users, groups, queues and partitions can also be compared with names:
 * `user == ann`; names that contain blanks or are equal to a column are quoted.
 * @param columnNames names of the columns.
 * @param errorContext name of the option in errors.
 * @param makeHasNameTest test for names.
 * @throws InputError with the position (from 1), the text found and the text expected.
 * @example
 * const { valueAt } = parseExpression('wait / 2', ['wait'], 'rank');
 * console.log(valueAt({ wait: [3] }, 0)); // 1.5
 */
export function parseExpression(
  expressionText: string,
  columnNames: readonly string[],
  errorContext: string,
  makeHasNameTest: HasNameTest = acceptAnyName,
): ParsedExpression {
  const parser = new ExpressionParser(expressionText, columnNames, errorContext, makeHasNameTest);
  const rootPart = parser.parseWholeExpression();
  const { valueAt, growth } = rootPart;
  const { columns, comparedNumbers } = parser;
  return { valueAt, growth, columns, comparedNumbers, code: compilePartToInstructions(rootPart) };
}

/** A part of an expression. */
interface ParsedExpressionPart {
  readonly valueAt: RowValueFunction;
  /** Growth per second of waiting, as in `ParsedExpression`. */
  readonly growth: number | undefined;
  /** Value of the part, if it is the same for every job; absent otherwise. */
  readonly constant?: number;
  /** Instructions, if the value may change during a simulation. */
  readonly code?: readonly CoreInstruction[] | undefined;
}

/** Columns whose values may change during a simulation, with the instructions that compute them. */
const CHANGING_COLUMN_INSTRUCTIONS: Readonly<Record<string, CoreInstruction>> = {
  estimate: { name: 'Estimate' },
  wait: { name: 'Wait' },
  now: { name: 'Now' },
  usage: { name: 'Usage' },
  groupUsage: { name: 'GroupUsage' },
  running: { name: 'Running' },
  share: { name: 'Share' },
};

/** Instructions of the operators; some swap their operands or negate the result. */
const OPERATOR_INSTRUCTIONS: Readonly<Record<string, readonly CoreInstruction['name'][]>> = {
  ...{ '+': ['Add'], '-': ['Subtract'], '*': ['Multiply'], '/': ['Divide'], and: ['And'], or: ['Or'] },
  ...{ '<': ['Less'], '<=': ['LessOrEqual'], '=': ['Equal'], '==': ['Equal'], '!=': ['Equal', 'Not'] },
  ...{
    min: ['Minimum'],
    max: ['Maximum'],
    abs: ['Absolute'],
    floor: ['Floor'],
    sqrt: ['SquareRoot'],
    ln: ['Logarithm'],
  },
  ...{ not: ['Not'], '2^': ['PowerOf2'] },
};
/** Comparisons that are computed with swapped operands, and the comparison used. */
const MIRRORED_COMPARISONS: Readonly<Record<string, string>> = { '>': '<', '>=': '<=' };

/** Instructions of a part of an expression. */
function compilePartToInstructions({
  valueAt,
  constant,
  code,
}: ParsedExpressionPart): readonly CoreInstruction[] {
  if (code !== undefined) return code;
  return [
    constant === undefined ? { name: 'Input', argument: valueAt } : { name: 'Number', argument: constant },
  ];
}

/** Instructions of an operator or function; undefined if no operand changes during a simulation. */
function compileOperation(
  operator: string,
  ...expressionParts: readonly ParsedExpressionPart[]
): readonly CoreInstruction[] | undefined {
  if (expressionParts.every(({ code }) => code === undefined)) return undefined;
  const mirroredOperator = MIRRORED_COMPARISONS[operator];
  if (mirroredOperator !== undefined)
    return compileOperation(mirroredOperator, ...[...expressionParts].reverse());
  const logarithm = { log2: Math.LN2, log10: Math.LN10 }[operator];
  const operatorInstructions: readonly CoreInstruction[] =
    logarithm === undefined
      ? OPERATOR_INSTRUCTIONS[operator]!.map((instructionName) => ({ name: instructionName }))
      : [{ name: 'Logarithm' }, { name: 'Number', argument: logarithm }, { name: 'Divide' }];
  // A function of more than two values is applied to two values at a time.
  return expressionParts.flatMap((expressionPart, i) => [
    ...compilePartToInstructions(expressionPart),
    ...(i === 0 && expressionParts.length > 1 ? [] : operatorInstructions),
  ]);
}

/** Creates the part for an operator or function. Its growth is 0 only if the given parts do not grow. */
const makeExpressionPart = (
  operator: string,
  valueAt: RowValueFunction,
  ...expressionParts: readonly ParsedExpressionPart[]
): ParsedExpressionPart => ({
  valueAt,
  growth: expressionParts.every(({ growth }) => growth === 0) ? 0 : undefined,
  code: compileOperation(operator, ...expressionParts),
});

/** Growth of a sum, difference, product or quotient. */
function computeGrowthRateOfOperation(
  operator: string,
  leftPart: ParsedExpressionPart,
  rightPart: ParsedExpressionPart,
): number | undefined {
  if (leftPart.growth === 0 && rightPart.growth === 0) return 0;
  if (leftPart.growth === undefined || rightPart.growth === undefined) return undefined;
  if (operator === '+') return leftPart.growth + rightPart.growth;
  if (operator === '-') return leftPart.growth - rightPart.growth;
  const constantFactor =
    operator === '*'
      ? (leftPart.constant ?? rightPart.constant)
      : operator === '/'
        ? rightPart.constant
        : undefined;
  if (constantFactor === undefined) return undefined;
  return operator === '/'
    ? leftPart.growth / constantFactor
    : (leftPart.growth + rightPart.growth) * constantFactor;
}

/** Combines two parts by an operator. */
function combineExpressionParts(
  operator: string,
  leftPart: ParsedExpressionPart,
  rightPart: ParsedExpressionPart,
): ParsedExpressionPart {
  const applyBinaryFunction = ARITHMETIC_OPERATORS[operator] as BinaryFunction;
  const valueAt: RowValueFunction = (columns, row) =>
    applyBinaryFunction(leftPart.valueAt(columns, row), rightPart.valueAt(columns, row));
  const growthRate = computeGrowthRateOfOperation(operator, leftPart, rightPart);
  const instructions = compileOperation(operator, leftPart, rightPart);
  if (leftPart.constant === undefined || rightPart.constant === undefined)
    return { valueAt, growth: growthRate, code: instructions };
  return {
    valueAt,
    growth: growthRate,
    constant: applyBinaryFunction(leftPart.constant, rightPart.constant),
  };
}

const MINUS_ONE_PART: ParsedExpressionPart = { valueAt: () => -1, growth: 0, constant: -1 };

class ExpressionParser {
  readonly columns = new Set<string>();
  readonly comparedNumbers: ComparedNumber[] = [];
  readonly #text: string;
  readonly #columnNames: readonly string[];
  readonly #errorContext: string;
  readonly #hasName: HasNameTest;
  /** Next token (empty at the end), its position, and the position behind it. */
  #token = '';
  #tokenStart = 0;
  #tokenEnd = 0;
  #depth = 0;

  constructor(
    text: string,
    columnNames: readonly string[],
    errorContext: string,
    makeHasNameTest: HasNameTest,
  ) {
    this.#text = text;
    this.#columnNames = columnNames;
    this.#errorContext = errorContext;
    this.#hasName = makeHasNameTest;
    this.#nextToken();
  }

  parseWholeExpression(): ParsedExpressionPart {
    const conditionPart = this.#parseCondition();
    if (this.#token === '^') throw this.#expectedError("2 before '^', since powers are those of 2");
    if (/^(?:s|sec|second|min|minute|h|hr|hour|d|day|w|week)s?$/i.test(this.#token))
      throw this.#expectedError('a duration such as 12h, 30m or 2d, without a blank');
    if (this.#token !== '') throw this.#expectedError('an operator or the end');
    return conditionPart;
  }

  #nextToken(): string {
    const token = this.#token;
    EXPRESSION_TOKEN_PATTERN.lastIndex = this.#tokenEnd;
    this.#token = EXPRESSION_TOKEN_PATTERN.exec(this.#text)?.[1] ?? '';
    this.#tokenEnd = EXPRESSION_TOKEN_PATTERN.lastIndex;
    this.#tokenStart = this.#tokenEnd - this.#token.length;
    return token;
  }

  #makeError(errorSentence: string): InputError {
    return new InputError(
      `${this.#errorContext}: '${this.#text}', at ${this.#tokenStart + 1}: ${errorSentence}`,
    );
  }

  #expectedError(expected: string): InputError {
    return this.#makeError(
      `expected ${expected}, found ${this.#token === '' ? 'the end' : `'${this.#token}'`}`,
    );
  }

  #skipToken(token: string): void {
    if (this.#token !== token) throw this.#expectedError(`'${token}'`);
    this.#nextToken();
  }

  #parseCondition(): ParsedExpressionPart {
    if (this.#depth++ > MAX_EXPRESSION_NESTING)
      throw this.#makeError(`more than ${MAX_EXPRESSION_NESTING} brackets within each other`);
    const orPart = this.#parseOperatorChain(['or'], () =>
      this.#parseOperatorChain(['and'], () => this.#parseNegation()),
    );
    this.#depth--;
    return orPart;
  }

  #parseNegation(): ParsedExpressionPart {
    let isNegationCountEven: boolean | undefined;
    for (; this.#token === 'not'; this.#nextToken()) isNegationCountEven = isNegationCountEven === false;
    const comparisonPart = this.#parseComparison();
    if (isNegationCountEven === undefined) return comparisonPart;
    const negatedPart = makeExpressionPart(
      'not',
      (columns, row) => Number(comparisonPart.valueAt(columns, row) === 0),
      comparisonPart,
    );
    if (!isNegationCountEven) return negatedPart;
    return makeExpressionPart(
      'not',
      (columns, row) => Number(negatedPart.valueAt(columns, row) === 0),
      negatedPart,
    );
  }

  #parseComparison(): ParsedExpressionPart {
    const begin = this.#tokenStart;
    const leftPart = this.#parseSum();
    if (!COMPARISON_OPERATORS.includes(this.#token)) return leftPart;
    const columnName = findColumnByName(this.#text.slice(begin, this.#tokenStart).trim(), this.#columnNames);
    const column = NAMED_ATTRIBUTES.find((attribute) => attribute === columnName);
    const operator = this.#nextToken();
    const name = column === undefined || /[<>]/.test(operator) ? undefined : this.#readName();
    if (column !== undefined && name !== undefined)
      return this.#makeNameTestPart(column, name, operator !== '!=');
    const right = this.#parseSum();
    if (column !== undefined && right.constant !== undefined && !/[<>]/.test(operator))
      this.comparedNumbers.push({ column, number: right.constant });
    return combineExpressionParts(operator, leftPart, right);
  }

  /** Name at the current position; undefined for a number, a column or a function. */
  #readName(): string | undefined {
    COLUMN_NAME_PATTERN.lastIndex = this.#tokenStart;
    const [matchedText, singleQuoted, doubleQuoted, word] = COLUMN_NAME_PATTERN.exec(this.#text) ?? [];
    if (matchedText === undefined) {
      if (/^['"]/.test(this.#token)) throw this.#expectedError(`a name between two ${this.#token}`);
      return undefined;
    }
    if (word !== undefined && [...this.#columnNames, ...EXPRESSION_FUNCTION_NAMES].includes(this.#token))
      return undefined;
    this.#tokenEnd = COLUMN_NAME_PATTERN.lastIndex;
    return singleQuoted ?? doubleQuoted ?? word;
  }

  #makeNameTestPart(
    column: NamedAttribute,
    testedName: string,
    isMatchWanted: boolean,
  ): ParsedExpressionPart {
    let hasRowTestedName: (row: number) => boolean;
    try {
      hasRowTestedName = this.#hasName(column, testedName);
    } catch (error) {
      throw error instanceof InputError ? this.#makeError(error.message) : error;
    }
    this.#nextToken();
    return { valueAt: (_, row) => Number(hasRowTestedName(row) === isMatchWanted), growth: 0 };
  }

  #parseSum(): ParsedExpressionPart {
    return this.#parseOperatorChain(['+', '-'], () =>
      this.#parseOperatorChain(['*', '/'], () => this.#parseSigned()),
    );
  }

  /** Parses operands separated by operators of one precedence, from left to right. */
  #parseOperatorChain(
    operators: readonly string[],
    parseOperand: () => ParsedExpressionPart,
  ): ParsedExpressionPart {
    const firstPart = parseOperand();
    const laterOperands: { readonly operator: string; readonly part: ParsedExpressionPart }[] = [];
    while (operators.includes(this.#token))
      laterOperands.push({ operator: this.#nextToken(), part: parseOperand() });
    // Evaluates the terms in a loop, so that expressions with many terms do not nest deeply.
    const terms = laterOperands.map(({ operator, part: expressionPart }) => ({
      apply: ARITHMETIC_OPERATORS[operator] as BinaryFunction,
      part: expressionPart,
    }));
    const valueAt: RowValueFunction = (columns, row) => {
      let valueSoFar = firstPart.valueAt(columns, row);
      for (const { apply, part: expressionPart } of terms)
        valueSoFar = apply(valueSoFar, expressionPart.valueAt(columns, row));
      return valueSoFar;
    };
    return laterOperands.reduce(
      (whole, { operator, part: expressionPart }) => ({
        ...combineExpressionParts(operator, whole, expressionPart),
        valueAt,
      }),
      firstPart,
    );
  }

  #parseSigned(): ParsedExpressionPart {
    let isNegative = false;
    while (this.#token === '-' || this.#token === '+')
      isNegative = isNegative !== (this.#nextToken() === '-');
    const operandPart = this.#parseOperand();
    return isNegative ? combineExpressionParts('*', MINUS_ONE_PART, operandPart) : operandPart;
  }

  #parseOperand(): ParsedExpressionPart {
    if (/^[\d.]\d*/.test(this.#token) && this.#token !== '.') {
      const token = this.#nextToken();
      if (this.#token === '^') return this.#parsePower(token);
      const literalNumber = /[a-z]$/.test(token) ? parseDuration(token) : Number(token);
      return { valueAt: () => literalNumber, growth: 0, constant: literalNumber };
    }
    if (this.#token === '(') return this.#parseArguments()[0];
    if (!/^\w/.test(this.#token)) throw this.#expectedError("a column, a number, a function or '('");
    return this.#parseWord();
  }

  #parsePower(base: string): ParsedExpressionPart {
    if (Number(base) !== 2) throw this.#expectedError("2 before '^', since powers are those of 2");
    this.#nextToken();
    const exponent = this.#parseSigned();
    return makeExpressionPart(
      '2^',
      (columns, row) => raise2ToPower(exponent.valueAt(columns, row)),
      exponent,
    );
  }

  #parseWord(): ParsedExpressionPart {
    const columnName = findColumnByName(this.#token, this.#columnNames);
    const isFunction = EXPRESSION_FUNCTION_NAMES.includes(columnName);
    if (!isFunction && !this.#columnNames.includes(columnName)) throw this.#unknownNameError(columnName);
    this.#nextToken();
    if (!isFunction) {
      this.columns.add(columnName);
      const growthRate = STATE_DEPENDENT_COLUMNS.includes(columnName)
        ? undefined
        : Number(columnName === 'wait');
      const instruction = CHANGING_COLUMN_INSTRUCTIONS[columnName];
      return {
        valueAt: (columns, row) => columns[columnName]![row]!,
        growth: growthRate,
        code: instruction && [instruction],
      };
    }
    if (this.#token !== '(') throw this.#expectedError(`'(' behind ${columnName}`);
    return this.#parseCall(columnName);
  }

  #parseCall(functionName: string): ParsedExpressionPart {
    const argumentParts = this.#parseArguments(functionName);
    const [firstPart, ...otherParts] = argumentParts;
    const unaryFunction = Object.hasOwn(UNARY_FUNCTIONS, functionName)
      ? UNARY_FUNCTIONS[functionName]
      : undefined;
    if (unaryFunction !== undefined)
      return makeExpressionPart(
        functionName,
        (columns, row) => unaryFunction(firstPart.valueAt(columns, row)),
        firstPart,
      );
    const applyBinaryFunction = VARIADIC_FUNCTIONS[functionName] as BinaryFunction;
    return makeExpressionPart(
      functionName,
      (columns, row) =>
        otherParts.reduce(
          (result, expressionPart) => applyBinaryFunction(result, expressionPart.valueAt(columns, row)),
          firstPart.valueAt(columns, row),
        ),
      ...argumentParts,
    );
  }

  /** Parses arguments in brackets: one expression, or at least two for a variadic function. */
  #parseArguments(functionName = ''): [ParsedExpressionPart, ...ParsedExpressionPart[]] {
    this.#skipToken('(');
    const argumentParts: [ParsedExpressionPart, ...ParsedExpressionPart[]] = [this.#parseCondition()];
    const isVariadic = Object.hasOwn(VARIADIC_FUNCTIONS, functionName);
    while (isVariadic && (argumentParts.length < 2 || this.#token === ',')) {
      if (this.#token !== ',') throw this.#expectedError(`',' and another number for ${functionName}`);
      this.#nextToken();
      argumentParts.push(this.#parseCondition());
    }
    this.#skipToken(')');
    return argumentParts;
  }

  #unknownNameError(unknownName: string): InputError {
    const hint =
      formatNameSuggestion(unknownName, [...this.#columnNames, ...EXPRESSION_FUNCTION_NAMES]) || '.';
    return this.#makeError(
      `unknown name '${unknownName}'${hint} Columns: ${this.#columnNames.join(', ')}; functions: ${EXPRESSION_FUNCTION_NAMES.join(', ')}`,
    );
  }
}
