/** What a command is made of: its help, its options and its work; and the words given to it, checked. */
import { InputError } from '../errors.js';
import { countOf } from '../format/numbers.js';
import { shellWord } from '../format/text.js';
import { suggestion, unknownName } from '../notation.js';
import type { Context } from './context.js';

/** An option as the help shows it. Values are text until the command reads them. */
export interface OptionDefinition {
  readonly describe: string;
  /** A switch takes no value. */
  readonly isSwitch?: boolean;
  readonly choices?: readonly string[];
  /** Whether it takes other texts than the choices, files among them. */
  readonly isOpen?: boolean;
  /** What holds when the option is not given, in words. */
  readonly default?: string;
  readonly isRepeatable?: boolean;
  /** Whether a value says that it is not given. */
  readonly isAbsent?: (value: unknown) => boolean;
  /** What a shell may complete, where there are no choices, for a value that has begun so. */
  readonly complete?: (begun: string) => readonly string[];
  /** Heading in the help. */
  readonly group: string;
}

export type OptionTable = Readonly<Record<string, OptionDefinition>>;

/** A word that stands without a dash. */
export interface Positional {
  /** In capitals. */
  readonly name: string;
  readonly isOptional?: boolean;
  /** Whether there may be several such words; of one positional of a command. */
  readonly isRepeatable?: boolean;
  /** What to give, for the error when it is missing. */
  readonly meaning: string;
  /** What a shell may complete; files where it is not said. */
  readonly complete?: () => readonly string[];
}

/** A command that does something. */
export interface Command {
  /** Paragraphs of the help between usage and options. */
  readonly description: string;
  readonly positionals: readonly Positional[];
  readonly options: OptionTable;
  readonly examples: readonly (readonly [command: string, meaning: string])[];
  /** The work; resolves to the exit code. */
  readonly run: (args: Arguments, context: Context) => Promise<number>;
}

/** A command with its name: one word, or two for a command of a group. */
export type NamedCommand = Command & { readonly name: string };

/** What the list of commands says of one; its module is loaded only when the command is named. */
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

/** `gridalloc trace convert IN OUT [options]`. */
export function usageOf({ name, positionals }: NamedCommand): string {
  const words = positionals.map(({ name, isOptional, isRepeatable }) => {
    const word = isRepeatable ? `${name}...` : name;
    return isOptional ? `[${word}]` : word;
  });
  return ['gridalloc', name, ...words, '[options]'].join(' ');
}

/** What the command line parser hands over: `_` holds the words without dashes, the rest are options. */
export type ParsedWords = { readonly _: readonly (string | number)[] } & {
  readonly [option: string]: unknown;
};

/** Options that the parser itself deals with. */
const BUILT_IN = ['help', 'version'];
const PARSER_KEYS = ['_', '$0', '--', ...BUILT_IN];

/** The word with which a shell asks: what follows are the words typed so far, the last one not yet whole. */
export const COMPLETE = '--complete';

/** One letter for what is asked for most. */
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

/**
 * Checks the words for a command, before its defaults are asked for.
 * @throws InputError for an option it does not have, one given twice or without its value, a value that is none of the
 * choices, and for words too many or too few.
 */
export function checkArguments(parsed: ParsedWords, command: NamedCommand): Arguments {
  const options = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(parsed)) {
    if (PARSER_KEYS.includes(name)) continue;
    const option = Object.hasOwn(command.options, name) ? command.options[name] : undefined;
    if (option === undefined) throw unknownOption(name, command);
    const values = Array.isArray(value) ? value : [value];
    if (values.length > 1 || !option.isAbsent?.(values[0]))
      options.set(name, checkOption(name, option, values, command));
  }
  const behind = [...parsed._, ...((parsed['--'] as string[] | undefined) ?? [])].map(String);
  const words = behind.slice(command.name.split(' ').length);
  checkWords(words, command);
  return new Arguments(options, words);
}

function unknownOption(name: string, command: NamedCommand): InputError {
  const known = [...Object.keys(command.options), ...BUILT_IN].map((option) => `--${option}`);
  const dashed = name.length === 1 ? `-${name}` : `--${name}`;
  const hint = suggestion(dashed, known, String) || '.';
  const { name: called } = command;
  return new InputError(
    `unknown option ${dashed} of gridalloc ${called}${hint} See gridalloc ${called} --help`,
  );
}

/** The values of an option; none for a switch. */
function checkOption(
  name: string,
  { isSwitch, isRepeatable, isOpen, choices }: OptionDefinition,
  values: readonly unknown[],
  command: NamedCommand,
): string[] {
  if (isSwitch) {
    if (values.some((value) => value !== true)) throw new InputError(`--${name} takes no value`);
    return [];
  }
  if (values.length > 1 && !isRepeatable) {
    throw new InputError(`--${name} is given ${values.length} times (${values.join(', ')}); give it once`);
  }
  return values.map((value) => {
    const text = typeof value === 'string' ? value : '';
    if (text.trim() === '')
      throw new InputError(
        `--${name} needs a value (one that begins with - follows =, as in --${name}=-1); see gridalloc ${command.name} --help`,
      );
    if (choices !== undefined && !isOpen && !choices.includes(text))
      throw unknownName(`value of --${name}`, text, choices);
    return text;
  });
}

function checkWords(words: readonly string[], { name, positionals }: NamedCommand): void {
  const missing = positionals.slice(words.length).find((positional) => !positional.isOptional);
  if (missing !== undefined) {
    throw new InputError(`gridalloc ${name} needs ${missing.meaning}; see gridalloc ${name} --help`);
  }
  if (words.length > positionals.length && !positionals.some((positional) => positional.isRepeatable)) {
    const extra = words[positionals.length];
    throw new InputError(
      `gridalloc ${name} takes ${positionals.length === 0 ? 'no arguments but options' : countOf(positionals.length, 'argument')}, found also '${extra}'; see gridalloc ${name} --help`,
    );
  }
}

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
   * @throws Error where there is none.
   */
  word(place: number): string {
    const word = this.words[place];
    if (word === undefined) throw new Error(`the command has no word ${place + 1}`);
    return word;
  }

  /** The same without some options. */
  without(names: readonly string[]): Arguments {
    return new Arguments(new Map([...this.#options].filter(([name]) => !names.includes(name))), this.words);
  }

  /** What is given, as words of a shell, with some options replaced or added: `--load 1.2 --sort`. */
  line(changes: Readonly<Record<string, string>> = {}): string {
    const changed = Object.entries(changes).map(([name, value]) => [name, [value]] as const);
    const all = new Map<string, readonly string[]>([...this.#options, ...changed]);
    const options = [...all].flatMap(([name, values]) =>
      values.length === 0 ? [`--${name}`] : values.map((value) => `--${name} ${shellWord(value)}`),
    );
    return [...this.words.map(shellWord), ...options].join(' ');
  }

  /** The value of an option that stands at most once. */
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

  /** Whether a switch is on. */
  has(name: string): boolean {
    return this.#options.has(name);
  }

  /** The value read by a parser that gets the option's name for its errors, or undefined. */
  read<T>(name: string, parse: (text: string, what: string) => T): T | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : parse(text, `--${name}`);
  }
}
