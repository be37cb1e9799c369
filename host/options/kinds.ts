/** Kinds of options: how the text of one is read, and how a value is written back. */
import {
  type NumberRange,
  parseNumber,
  parseNumberList,
  parseWholeNumber,
  unknownName,
} from '../notation.js';

/** An option of a simulation, as text and as the library takes it. */
export interface Option<Value> {
  /** The value of a text; `what` names the option in errors. Throws InputError. */
  read(text: string, what: string): Value;
  /** A text that `read` takes; when missing, that of String. */
  print?(value: Value): string;
  /** The words that it takes, when there are only some. */
  readonly choices?: readonly string[] | undefined;
  /** Whether it stands on the command line without a value; elsewhere it is true or false. */
  readonly isSwitch?: boolean | undefined;
  /** Whether it may be given several times; as one text, parted by semicolons. */
  readonly isRepeatable?: boolean | undefined;
  /** The value that a run has without the option, where no text stands for it. */
  readonly absent?: Value | undefined;
  /** An option of the run without which this one says nothing. */
  readonly needs?: string | undefined;
}

/** An option for each value, under the same key. */
export type OptionsOf<Values> = { readonly [Key in keyof Values]-?: Option<NonNullable<Values[Key]>> };

/** One of some words. */
export function word<Word extends string>(choices: readonly Word[]): Option<Word> {
  return {
    choices,
    read: (text, what) => {
      if (!choices.includes(text as Word)) throw unknownName(`value of ${what}`, text, choices);
      return text as Word;
    },
  };
}

/** One of the rules that the core knows; `none` is what holds when the option is not given. */
export function rule<Word extends string>(known: Readonly<Record<Word, string>>): Option<Word> {
  const words = Object.keys(known) as Word[];
  return { ...word(words.filter((each) => each !== 'none')), absent: words.find((each) => each === 'none') };
}

/** Something that is on or off. */
export const flag: Option<boolean> = {
  isSwitch: true,
  absent: false,
  read: (text, what) => word(['true', 'false']).read(text, what) === 'true',
};

/** A number. */
export function number(range: NumberRange): Option<number> {
  return { read: (text, what) => parseNumber(text, what, range) };
}

/** A whole number. */
export function wholeNumber(range: NumberRange): Option<number> {
  return { read: (text, what) => parseWholeNumber(text, what, range) };
}

/** Numbers parted by commas. */
export function numbers(range: NumberRange): Option<readonly number[]> {
  return { read: (text, what) => parseNumberList(text, what, range) };
}

/** Text that is taken as it stands. */
export const text: Option<string> = { read: (given) => given };
