/** Definitions of commands: their words and options, as the help shows them and as their arguments are checked. */

/** An option as the help shows it, and how its value is read. */
export interface OptionDefinition<Value = unknown> {
  readonly describe: string;
  /** A switch takes no value. */
  readonly isSwitch?: boolean;
  /** The value of an option without one; a word behind it is its value only if `takes` says so. */
  readonly bare?: { readonly text: string; takes(word: string): boolean };
  readonly choices?: readonly string[];
  /** True if the option takes other texts than its choices, such as files. */
  readonly isOpen?: boolean;
  /** Default in words, for the help. */
  readonly default?: string;
  readonly isRepeatable?: boolean;
  /** True if a value means that the option is not given. */
  readonly isAbsent?: (value: unknown) => boolean;
  /** Completions for a shell, given the beginning of the value; for options without `choices`. */
  readonly complete?: (begun: string) => readonly string[];
  /** Heading in the help. */
  readonly group: string;
  /** True if it is an option of a simulation, which `host/options` reads. */
  readonly isSetting?: boolean;
  /** Reads a value; `what` names the option in errors. Absent: the text itself. */
  readonly read?: (text: string, what: string) => Value;
}

/** Type of the value of an option. */
type ValueOf<Definition> = Definition extends { readonly isSwitch: true }
  ? true
  : Definition extends { readonly read: (text: string, what: string) => infer Value }
    ? Value
    : Definition extends { readonly isRepeatable: true }
      ? readonly string[]
      : string;

/** Values of the options that are given. */
export type Values<Options> = { readonly [Name in keyof Options]?: ValueOf<Options[Name]> | undefined };

export type OptionTable = Readonly<Record<string, OptionDefinition>>;

/** A word without a dash. */
export interface Positional {
  /** Name in capitals. */
  readonly name: string;
  readonly isOptional?: boolean;
  /** True if there may be several such words; of one positional of a command. */
  readonly isRepeatable?: boolean;
  /** Description of the expected word, for the error when it is missing. */
  readonly meaning: string;
  /** Completions for a shell; absent: files. */
  readonly complete?: () => readonly string[];
}

/**
 * Rule on options of a command that go together. An option is named alone, or with a value if only that counts:
 * `engine slurm`.
 */
export interface Combination {
  /** Each of these options */
  readonly of: readonly string[];
  /** needs one of these, */
  readonly needs?: readonly string[];
  /** is refused beside each of these, */
  readonly excludes?: readonly string[];
  /** or, without any, is refused where this holds; with some, the rule holds only there. In words: `on several logs`. */
  readonly where?: { readonly words: string; readonly holds: (given: Given) => boolean };
  /** Reason, which follows the option or the colon. */
  readonly why: string;
}

/** Words and options of a command line, as far as rules look at them. */
interface Given {
  readonly words: readonly string[];
  readonly has: (option: string) => boolean;
}

/** A command without its action: all that its help shows and its arguments are checked by. */
export interface CommandDefinition {
  /** One word, or two for a command of a group. */
  readonly name: string;
  /** Paragraphs of the help between usage and options. */
  readonly description: string;
  readonly positionals: readonly Positional[];
  readonly options: OptionTable;
  readonly combinations?: readonly Combination[];
  readonly examples: readonly (readonly [command: string, meaning: string])[];
}

/** One letter for the most used options. */
export const LETTERS: Readonly<Record<string, string>> = {
  V: 'version',
  q: 'quiet',
  j: 'json',
  o: 'out',
};

/** The words with options written out that were given as a letter: `-o DIR` is `--out DIR`. */
export function withoutLetters(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  return argv.map((word, i) => {
    const [, letter, value = ''] = /^-([A-Za-z])(=.*)?$/.exec(word) ?? [];
    const isOption = letter !== undefined && Object.hasOwn(LETTERS, letter) && (end < 0 || i < end);
    return isOption ? `--${LETTERS[letter]}${value}` : word;
  });
}

/** Configuration of yargs' parser, for both the command line and the help. */
export const PARSER_CONFIGURATION = {
  'boolean-negation': false,
  'camel-case-expansion': false,
  'dot-notation': false,
  'greedy-arrays': false,
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'short-option-groups': false,
} as const;
