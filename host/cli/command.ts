/** Definition of a command (help, options, action), and its parsed arguments. */
import { shellWord } from '../format/text.js';
import type { Context } from './context.js';

/** An option as the help shows it. Values are text until the command reads them. */
export interface OptionDefinition {
  readonly describe: string;
  /** A switch takes no value. */
  readonly isSwitch?: boolean;
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
}

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
  readonly where?: { readonly words: string; readonly holds: (args: Arguments) => boolean };
  /** Reason, which follows the option or the colon. */
  readonly why: string;
}

/** Command with an action. */
export interface Command {
  /** Paragraphs of the help between usage and options. */
  readonly description: string;
  readonly positionals: readonly Positional[];
  readonly options: OptionTable;
  readonly combinations?: readonly Combination[];
  readonly examples: readonly (readonly [command: string, meaning: string])[];
  /** The work; resolves to the exit code. */
  readonly run: (args: Arguments, context: Context) => Promise<number>;
}

/** A command with its name: one word, or two for a command of a group. */
export type NamedCommand = Command & { readonly name: string };

/** Entry of a command in the command list; its module is loaded only when the command is named. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Commands that share a first word. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly CommandEntry[];
}

/** The word with which a shell asks: after it come the words typed so far, the last one incomplete. */
export const COMPLETE = '--complete';

/** One letter for the most used options. */
export const LETTERS: Readonly<Record<string, string>> = {
  V: 'version',
  q: 'quiet',
  j: 'json',
  o: 'out',
};

/** Options and words of a command, checked. */
export class Arguments {
  readonly #options: ReadonlyMap<string, readonly string[]>;
  /** The words without dashes, behind the command. */
  readonly words: readonly string[];

  constructor(options: ReadonlyMap<string, readonly string[]>, words: readonly string[]) {
    this.#options = options;
    this.words = words;
  }

  /**
   * A word that the command does not go without.
   * @throws Error if there is none.
   */
  word(place: number): string {
    const word = this.words[place];
    if (word === undefined) throw new Error(`the command has no word ${place + 1}`);
    return word;
  }

  /** Returns the arguments without some options. */
  without(names: readonly string[]): Arguments {
    return new Arguments(new Map([...this.#options].filter(([name]) => !names.includes(name))), this.words);
  }

  /** Formats the arguments as words of a shell: `--load 1.2 --sort`. */
  line(): string {
    const options = [...this.#options].flatMap(([name, values]) =>
      values.length === 0 ? [`--${name}`] : values.map((value) => `--${name} ${shellWord(value)}`),
    );
    return [...this.words.map(shellWord), ...options].join(' ');
  }

  /** The value of an option that is given at most once. */
  text(name: string): string | undefined {
    return this.#options.get(name)?.[0];
  }

  /** All values of an option that may be repeated. */
  texts(name: string): readonly string[] {
    return this.#options.get(name) ?? [];
  }

  /** All options with their values; a switch has none. */
  all(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries(this.#options);
  }

  /** True if a switch is on, or an option given; with a value behind its name, such as `engine slurm`, with that one. */
  has(option: string): boolean {
    const [name = '', value] = option.split(' ');
    return this.#options.has(name) && (value === undefined || this.text(name) === value);
  }

  /** The value read by a parser that gets the option's name for its errors, or undefined. */
  read<T>(name: string, parse: (text: string, what: string) => T): T | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : parse(text, `--${name}`);
  }
}
