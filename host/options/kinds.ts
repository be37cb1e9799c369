/** Kinds of options: how a value is read from text, checked, written back, and told to the core. */
import {
  type Constants,
  type Core,
  type CoreOption,
  coreConstants,
  type Enumeration,
} from '../core/module.js';
import { InputError } from '../errors.js';
import type { Grid } from '../grid/grid.js';
import {
  checkFiniteNumberInRange,
  type NumberRange,
  parseNumber,
  parseNumberList,
  parseWholeNumber,
  unknownNameError,
} from '../notation.js';

/** Options of the core and the values that they get. */
export type CoreNumbers = Readonly<Partial<Record<CoreOption, number>>>;

/** Description of an option for the help, and its default. */
interface OptionDescription<Given> {
  /** One sentence, without a full stop. */
  readonly help: string;
  /** Under which the help shows it. */
  readonly heading: string;
  /** Default; undefined if it depends on the log or the grid. */
  readonly default?: Given | undefined;
  /** Default in words, for options without a text for it; such a default is not printed. */
  readonly otherwise?: string | undefined;
}

/** An option of a simulation: as the library takes it (`Given`), as it is kept (`Value`), and as text. */
export interface Option<Value, Given = Value> extends OptionDescription<Given> {
  /** The value of a text; `what` names the option in errors. Throws InputError. */
  read(text: string, what: string): Value;
  /** The value of what a user of the library gives; the default is always taken. Throws InputError. */
  check(input: Given, what: string, grid: Grid): Value;
  /** A text that `read` takes, but for a default that only `otherwise` says. */
  print(value: Value): string;
  /** The options of the core that say the same; undefined where it is not a number of the core. */
  readonly core?: ((value: Value, constants: Constants) => CoreNumbers) | undefined;
  /** Form of its values in JSON, if these are neither text nor switches. */
  readonly form?: 'number' | 'numbers' | 'word or switch' | undefined;
  /** True if documents hold a value as `print` writes it, and not as it is. */
  readonly hasNotation?: boolean | undefined;
  /** The words that it takes as text, when there are only some; of an open option, those among other texts. */
  readonly choices?: readonly string[] | undefined;
  /** True if it takes other texts than its words. */
  readonly isOpen?: boolean | undefined;
  /** True if the command line takes it without a value; elsewhere it is true or false. */
  readonly isSwitch?: boolean | undefined;
  /** The text that it has where the command line gives it without a value; a word behind it is its value only if `takes` says so. */
  readonly bare?: { readonly text: string; takes(word: string): boolean } | undefined;
  /** True if it is a time in seconds. */
  readonly isTime?: boolean | undefined;
  /** True if it may be given several times; as one text, separated by semicolons. */
  readonly isRepeatable?: boolean | undefined;
}

/** The value of an option, and what a user of the library may give for it. */
export type OptionValue<O> = O extends Option<infer Value, infer _> ? Value : never;
export type OptionInput<O> = O extends Option<infer _, infer Given> ? Given : never;

type CustomOptionDefinition<Value, Given> = OptionDescription<Given> &
  Pick<Option<Value, Given>, 'read' | 'core' | 'choices' | 'isOpen' | 'isRepeatable' | 'form' | 'bare'> &
  Partial<Pick<Option<Value, Given>, 'check' | 'print'>>;

/** An option with a parser of its own. Where nothing else is said, values are taken as given and printed by String. */
export function defineCustomOption<Value, Given = Value>(
  option: CustomOptionDefinition<Value, Given>,
): Option<Value, Given> {
  const hasNotation = option.print !== undefined;
  return { check: (input) => input as unknown as Value, print: String, hasNotation, ...option };
}

/** One of some words. */
export function defineWordOption<Word extends string>({
  words,
  ...described
}: OptionDescription<NoInfer<Word>> & { readonly words: readonly Word[] }): Option<Word> {
  const among = (choices: readonly Word[]) => (input: string, what: string) => {
    if (!choices.includes(input as Word)) throw unknownNameError(`value of ${what}`, input, choices);
    return input as Word;
  };
  // If `none` is the default, no text is needed for it.
  const choices = words.filter((each) => each !== 'none' || described.default !== 'none');
  return { ...described, choices, read: among(choices), check: among(words), print: String };
}

/** One of some words, each with its member of an enumeration of the core, whose name is that of the core's option. */
export function defineCoreWordOption<Name extends Enumeration & CoreOption, Word extends string>({
  core,
  words,
  ...described
}: OptionDescription<NoInfer<Word>> & {
  readonly core: Name;
  readonly words: Readonly<Record<Word, keyof Core[Name]>>;
}): Option<Word> & {
  /** The word of a number of the core. */
  wordOf(number: number): Word | undefined;
} {
  const known = Object.keys(words) as Word[];
  const coreNumberOf = (each: Word, constants: Constants) =>
    (constants[core] as Readonly<Record<PropertyKey, number>>)[words[each]];
  return {
    ...defineWordOption({ ...described, words: known }),
    core: (value, constants) => ({ [core]: coreNumberOf(value, constants) }),
    wordOf: (number) => known.find((each) => coreNumberOf(each, coreConstants()) === number),
  };
}

/** Something that is on or off; off is the default. */
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
    read: (text, what) => {
      if (text !== 'true' && text !== 'false')
        throw unknownNameError(`value of ${what}`, text, ['true', 'false']);
      return text === 'true';
    },
    check: (input, what) => {
      if (typeof input === 'boolean') return input;
      throw new InputError(`${what}: expected true or false, found ${input}`);
    },
    print: String,
    core: core && ((value) => ({ [core]: Number(value) })),
  };
}

/** A number. */
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
    read: (text, what) => (isWhole ? parseWholeNumber : parseNumber)(text, what, range),
    check: (input, what) =>
      input === described.default ? input : checkFiniteNumberInRange(input, what, range),
    print: String,
    core: core && ((value) => ({ [core]: value })),
  };
}

/** A time in seconds, or as text with units, such as `7d`. */
export function defineTimeOption({
  core,
  range,
  ...described
}: OptionDescription<number | string> & {
  readonly default: number;
  readonly range: NumberRange;
  readonly core?: CoreOption | ((value: number) => CoreNumbers);
}): Option<number, number | string> {
  const time = { ...range, isTime: true };
  return {
    ...described,
    read: (text, what) => parseNumber(text, what, time),
    check: (input, what) => {
      if (typeof input === 'string') return parseNumber(input, what, time);
      return input === described.default ? input : checkFiniteNumberInRange(input, what, range);
    },
    print: String,
    form: 'number',
    isTime: true,
    core: typeof core === 'string' ? (value) => ({ [core]: value }) : core,
  };
}

/** Numbers separated by commas. */
export function defineNumbersOption({
  range,
  ...described
}: OptionDescription<readonly number[]> & { readonly range: NumberRange }): Option<readonly number[]> {
  const read = (text: string, what: string): readonly number[] => parseNumberList(text, what, range);
  return defineCustomOption({ ...described, form: 'numbers', read });
}

/** Text that is taken literally. */
export function defineTextOption(described: OptionDescription<string>): Option<string> {
  return defineCustomOption({ ...described, read: (input) => input });
}
