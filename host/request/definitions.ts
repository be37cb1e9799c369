/** Types for command definitions: arguments and options, used by the help and by argument checking. */

/** Command-line option: its help text and the parser of its value. */
export interface CommandOptionDefinition<Value = unknown> {
  readonly describe: string;
  /** True if the option takes no value. */
  readonly isSwitch?: boolean;
  /** Value if the option is given without one; a following word is its value only if `takes` accepts it. */
  readonly bare?: { readonly text: string; takes(word: string): boolean };
  readonly choices?: readonly string[];
  /** True if the option also accepts other texts than its choices, such as file names. */
  readonly isOpen?: boolean;
  /** Default in words, for the help. */
  readonly default?: string;
  readonly isRepeatable?: boolean;
  /** Returns true for a value that means the option is absent. */
  readonly isAbsent?: (value: unknown) => boolean;
  /** Completions for a shell, given the beginning of the value; for options without `choices`. */
  readonly complete?: (typedPrefix: string) => readonly string[];
  /** Heading of the option in the help. */
  readonly group: string;
  /** True if the option belongs to the simulation (defined in `host/options`). */
  readonly isSetting?: boolean;
  /** Parses a value; `errorContext` names the option in errors. Absent: the value is the text itself. */
  readonly read?: (text: string, errorContext: string) => Value;
}

/** Type of an option's value. */
type CommandOptionValue<Definition> = Definition extends { readonly isSwitch: true }
  ? true
  : Definition extends { readonly read: (text: string, errorContext: string) => infer Value }
    ? Value
    : Definition extends { readonly isRepeatable: true }
      ? readonly string[]
      : string;

/** Parsed values of the given options. */
export type CommandOptionValues<Options> = {
  readonly [Name in keyof Options]?: CommandOptionValue<Options[Name]> | undefined;
};

export type CommandOptionTable = Readonly<Record<string, CommandOptionDefinition>>;

/** Positional argument of a command. */
export interface PositionalArgument {
  /** Name in capitals, for the help. */
  readonly name: string;
  readonly isOptional?: boolean;
  /** True if the argument may be repeated; allowed once per command. */
  readonly isRepeatable?: boolean;
  /** Description of the expected word, for the error when it is missing. */
  readonly meaning: string;
  /** Completions for a shell; absent: files. */
  readonly complete?: () => readonly string[];
}

/**
 * Rule on combinations of command options. An option is written alone or with a value, if only that value
 * counts: `engine slurm`.
 */
export interface OptionCombinationRule {
  /** Options that the rule is about: it applies if any of them is given. */
  readonly of: readonly string[];
  /** Options of which at least one must be given too. */
  readonly needs?: readonly string[];
  /** Options that must not be given too. */
  readonly excludes?: readonly string[];
  /**
   * Extra condition for the rule, with its wording (`on several logs`). Without `needs` and `excludes`, the
   * options are refused if it holds.
   */
  readonly where?: {
    readonly words: string;
    readonly isSatisfiedBy: (commandLine: CommandLineContents) => boolean;
  };
  /** Reason, appended to the error message. */
  readonly why: string;
}

/** Arguments and options of a command line, for checks by rules. */
interface CommandLineContents {
  readonly positionals: readonly string[];
  readonly has: (option: string) => boolean;
}

/** Command without its action: everything that its help and argument checks need. */
export interface CommandDefinition {
  /** Name of one word, or of two words for a command in a group. */
  readonly name: string;
  /** Paragraphs of the help between usage and options. */
  readonly description: string;
  readonly positionals: readonly PositionalArgument[];
  readonly options: CommandOptionTable;
  readonly combinations?: readonly OptionCombinationRule[];
  readonly examples: readonly (readonly [command: string, meaning: string])[];
}

/** One-letter forms of common options. */
export const OPTION_NAME_BY_LETTER: Readonly<Record<string, string>> = {
  V: 'version',
  q: 'quiet',
  j: 'json',
  o: 'out',
};

/** Replaces one-letter options by their full names: `-o DIR` becomes `--out DIR`. */
export function expandLetterOptions(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  return argv.map((word, i) => {
    const [, letter, valueText = ''] = /^-([A-Za-z])(=.*)?$/.exec(word) ?? [];
    const isLetterOption =
      letter !== undefined && Object.hasOwn(OPTION_NAME_BY_LETTER, letter) && (end < 0 || i < end);
    return isLetterOption ? `--${OPTION_NAME_BY_LETTER[letter]}${valueText}` : word;
  });
}

/** Configuration of yargs' parser, for both the command line and the help. */
export const YARGS_CONFIGURATION = {
  'boolean-negation': false,
  'camel-case-expansion': false,
  'dot-notation': false,
  'greedy-arrays': false,
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'short-option-groups': false,
} as const;
