/** Kinds of options: how values are parsed, checked, formatted, and passed to the core. */
import {
  type Constants,
  type Core,
  type CoreOption,
  type Enumeration,
  loadCoreConstants,
} from '../core/module.js';
import { InputError } from '../errors.js';
import type { Grid } from '../grid/grid.js';
import {
  checkFiniteNumberInRange,
  makeUnknownNameError,
  type NumberRange,
  parseNumber,
  parseNumberList,
  parseWholeNumber,
} from '../notation.js';

/** Values of core options by name. */
export type CoreNumbers = Readonly<Partial<Record<CoreOption, number>>>;

/** Headings of the options, in the order of the help. */
export const OPTION_HEADINGS = [
  'Workload',
  'Replications',
  'Grid',
  'Scheduling',
  'Priorities',
  'Moldable jobs',
  'Backfilling (easy, conservative)',
  'Passes',
  'Time',
  'Measured jobs',
] as const;

/** Description of an option for the help, and its default. */
interface OptionDescription<Input> {
  /** Help text: one sentence without a full stop. */
  readonly help: string;
  /** Heading of the option in the help. */
  readonly heading: (typeof OPTION_HEADINGS)[number];
  /** Default value; undefined if it depends on the log or the grid. */
  readonly default?: Input | undefined;
  /** Description of a default that no text expresses; such a default is not printed. */
  readonly otherwise?: string | undefined;
}

/**
 * An option of a simulation: in the form that the library accepts (`Given`), in its checked form (`Value`),
 * and as text.
 */
export interface Option<Value, Given = Value> extends OptionDescription<Given> {
  /**
   * Parses a text; `errorContext` names the option in errors.
   * @throws InputError for an invalid text.
   */
  read(optionText: string, errorContext: string): Value;
  /**
   * Checks a value from a user of the library; the default is always valid.
   * @throws InputError for an invalid value.
   */
  check(optionInput: Given, errorContext: string, grid: Grid): Value;
  /** Formats a value as text that `read` accepts, except a default that only `otherwise` describes. */
  print(value: Value): string;
  /** Options of the core with the same meaning; undefined if the option is not a number in the core. */
  readonly core?: ((value: Value, constants: Constants) => CoreNumbers) | undefined;
  /** Type of the value in JSON, if it is neither text nor a switch. */
  readonly form?: 'number' | 'numbers' | 'number or word' | 'word or switch' | undefined;
  /** True if documents store the text from `print` instead of the value itself. */
  readonly hasNotation?: boolean | undefined;
  /** Words that the option accepts; for an open option, those words that have a special meaning. */
  readonly choices?: readonly string[] | undefined;
  /** True if the option accepts texts other than its words. */
  readonly isOpen?: boolean | undefined;
  /** True if the option needs no value on the command line; elsewhere it is true or false. */
  readonly isSwitch?: boolean | undefined;
  /**
   * Text used if the command line gives the option without a value; a following word is its value only if
   * `takes` accepts it.
   */
  readonly bare?: { readonly text: string; takes(word: string): boolean } | undefined;
  /** True if the option is a time in seconds. */
  readonly isTime?: boolean | undefined;
  /** True if the option may be repeated; as one text, its values are separated by semicolons. */
  readonly isRepeatable?: boolean | undefined;
  /** Separator of the entries of a value that is a list and cannot be repeated. */
  readonly entrySeparator?: string | undefined;
}

/** Type of the checked value of an option, and of the value that a user of the library may give. */
export type OptionValue<O> = O extends Option<infer Value, infer _> ? Value : never;
export type OptionInput<O> = O extends Option<infer _, infer Given> ? Given : never;

type CustomOptionDefinition<Value, Given> = OptionDescription<Given> &
  Pick<
    Option<Value, Given>,
    'read' | 'core' | 'choices' | 'isOpen' | 'isRepeatable' | 'entrySeparator' | 'form' | 'bare'
  > &
  Partial<Pick<Option<Value, Given>, 'check' | 'print'>>;

/** Defines an option with a custom parser. By default, values are used unchanged and formatted by String. */
export function defineCustomOption<Value, Given = Value>(
  option: CustomOptionDefinition<Value, Given>,
): Option<Value, Given> {
  const hasNotation = option.print !== undefined;
  return { check: (optionInput) => optionInput as unknown as Value, print: String, hasNotation, ...option };
}

/** Defines an option whose value is a word of a list. */
export function defineWordOption<Word extends string>({
  words,
  ...described
}: OptionDescription<NoInfer<Word>> & { readonly words: readonly Word[] }): Option<Word> {
  const makeWordCheck = (choices: readonly Word[]) => (optionInput: string, errorContext: string) => {
    if (!choices.includes(optionInput as Word))
      throw makeUnknownNameError(`value of ${errorContext}`, String(optionInput), choices);
    return optionInput as Word;
  };
  // If `none` is the default, the help lists only the other words.
  const choices = words.filter((word) => word !== 'none' || described.default !== 'none');
  return { ...described, choices, read: makeWordCheck(choices), check: makeWordCheck(words), print: String };
}

/**
 * Defines an option whose value is a word of a list, each word a member of the core option's enumeration.
 */
export function defineCoreWordOption<Name extends Enumeration & CoreOption, Word extends string>({
  core,
  words,
  ...described
}: OptionDescription<NoInfer<Word>> & {
  readonly core: Name;
  readonly words: Readonly<Record<Word, keyof Core[Name]>>;
}): Option<Word> & {
  /** Returns the word for a number of the core. */
  wordOf(enumNumber: number): Word | undefined;
} {
  const wordNames = Object.keys(words) as Word[];
  const coreNumberOf = (enumWord: Word, constants: Constants) =>
    (constants[core] as Readonly<Record<PropertyKey, number>>)[words[enumWord]];
  return {
    ...defineWordOption({ ...described, words: wordNames }),
    core: (optionValue, constants) => ({ [core]: coreNumberOf(optionValue, constants) }),
    wordOf: (enumNumber) =>
      wordNames.find((knownWord) => coreNumberOf(knownWord, loadCoreConstants()) === enumNumber),
  };
}

/** Defines a switch; off is the default. */
export function defineFlagOption({
  core,
  ...described
}: Omit<OptionDescription<boolean>, 'default' | 'otherwise'> & {
  readonly core?: CoreOption;
}): Option<boolean> {
  return {
    ...described,
    default: false,
    otherwise: 'off',
    isSwitch: true,
    read: (optionText, errorContext) => {
      if (optionText !== 'true' && optionText !== 'false')
        throw makeUnknownNameError(`value of ${errorContext}`, optionText, ['true', 'false']);
      return optionText === 'true';
    },
    check: (optionInput, errorContext) => {
      if (typeof optionInput === 'boolean') return optionInput;
      throw new InputError(`${errorContext}: expected true or false, found ${optionInput}`);
    },
    print: String,
    core: core && ((value) => ({ [core]: Number(value) })),
  };
}

/** Defines an option whose value is a number. */
export function defineNumberOption({
  core,
  range,
  isWhole = false,
  ...described
}: OptionDescription<number> & {
  readonly range: NumberRange;
  readonly isWhole?: boolean;
  readonly core?: CoreOption;
}): Option<number> {
  return {
    ...described,
    form: 'number',
    read: (optionText, errorContext) =>
      (isWhole ? parseWholeNumber : parseNumber)(optionText, errorContext, range),
    check: (optionInput, errorContext) =>
      optionInput === described.default
        ? optionInput
        : checkFiniteNumberInRange(optionInput, errorContext, range),
    print: String,
    core: core && ((value) => ({ [core]: value })),
  };
}

/** Defines an option whose value is a time in seconds, or text with units such as `7d`. */
export function defineTimeOption({
  core,
  range,
  ...described
}: OptionDescription<number | string> & {
  readonly default: number;
  readonly range: NumberRange;
  readonly core?: CoreOption | ((value: number) => CoreNumbers);
}): Option<number, number | string> {
  const timeRange = { ...range, isTime: true };
  return {
    ...described,
    read: (optionText, errorContext) => parseNumber(optionText, errorContext, timeRange),
    check: (optionInput, errorContext) => {
      if (typeof optionInput === 'string') return parseNumber(optionInput, errorContext, timeRange);
      return optionInput === described.default
        ? optionInput
        : checkFiniteNumberInRange(optionInput, errorContext, range);
    },
    print: String,
    form: 'number',
    isTime: true,
    core: typeof core === 'string' ? (value) => ({ [core]: value }) : core,
  };
}

/** Defines an option whose value is a time as in `defineTimeOption`, or one word with a meaning of its own. */
export function defineTimeOrWordOption<Word extends string>({
  word,
  range,
  core,
  ...described
}: Omit<OptionDescription<number | string>, 'default'> & {
  readonly word: Word;
  readonly default: number | Word;
  readonly range: NumberRange;
  readonly core?: (value: number | Word) => CoreNumbers;
}): Option<number | Word, number | string> {
  const isOptionWord = (optionInput: number | string): optionInput is Word => optionInput === word;
  const timeRange = { ...range, word, isTime: true };
  return {
    ...described,
    choices: [word],
    isOpen: true,
    form: 'number or word',
    isTime: true,
    read: (optionText, errorContext) =>
      isOptionWord(optionText) ? word : parseNumber(optionText, errorContext, timeRange),
    check: (optionInput, errorContext) => {
      if (isOptionWord(optionInput)) return word;
      return typeof optionInput === 'string'
        ? parseNumber(optionInput, errorContext, timeRange)
        : checkFiniteNumberInRange(optionInput, errorContext, timeRange);
    },
    print: String,
    core,
  };
}

/** Defines an option whose value is a comma-separated list of numbers. */
export function defineNumbersOption({
  range,
  ...described
}: OptionDescription<readonly number[]> & { readonly range: NumberRange }): Option<readonly number[]> {
  const parseNumberListText = (optionText: string, errorContext: string): readonly number[] =>
    parseNumberList(optionText, errorContext, range);
  return defineCustomOption({ ...described, form: 'numbers', read: parseNumberListText });
}

/** Defines an option whose text is used literally. */
export function defineTextOption(optionDescription: OptionDescription<string>): Option<string> {
  return defineCustomOption({ ...optionDescription, read: (optionInput) => optionInput });
}
