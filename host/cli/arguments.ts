/** The words of a command line, checked against what a command takes; every fault is one sentence. */
import { InputError } from '../errors.js';
import { nearest, unknownName } from '../notation.js';
import type { Command } from './command.js';

/** What the command line parser hands over: `_` holds the words without dashes, the rest are options. */
export type ParsedWords = { readonly _: readonly (string | number)[] } & {
  readonly [option: string]: unknown;
};

/** Options that the parser itself deals with. */
const BUILT_IN = ['help', 'version'];
const PARSER_KEYS = ['_', '$0', '--', 'get-yargs-completions', ...BUILT_IN];

/** The options and words given to a command. */
export class Arguments {
  readonly #options: ReadonlyMap<string, readonly string[]>;
  /** The words without dashes, behind the command. */
  readonly words: readonly string[];

  constructor(options: ReadonlyMap<string, readonly string[]>, words: readonly string[]) {
    this.#options = options;
    this.words = words;
  }

  /** The same, with values for options that are not given. */
  withDefaults(defaults: Readonly<Record<string, string>>): Arguments {
    const values = Object.entries(defaults).map(([name, value]) => [name, [value]] as const);
    return new Arguments(new Map([...values, ...this.#options]), this.words);
  }

  /** The value of an option that stands at most once. */
  text(name: string): string | undefined {
    return this.#options.get(name)?.[0];
  }

  /** All values of an option that may be repeated. */
  texts(name: string): readonly string[] {
    return this.#options.get(name) ?? [];
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

/**
 * Checks the words for a command, before its defaults are asked for.
 * @throws InputError for an option it does not have, one given twice or without its value, a value that is none of the
 * choices, and for words too many or too few.
 */
export function checkArguments(parsed: ParsedWords, command: Command): Arguments {
  const options = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(parsed)) {
    if (PARSER_KEYS.includes(name)) continue;
    if (!Object.hasOwn(command.options, name)) throw unknownOption(name, command);
    options.set(name, checkOption(name, Array.isArray(value) ? value : [value], command));
  }
  const behind = [...parsed._, ...((parsed['--'] as string[] | undefined) ?? [])].map(String);
  const words = behind.slice(command.name.split(' ').length);
  checkWords(words, command);
  return new Arguments(options, words);
}

function unknownOption(name: string, command: Command): InputError {
  const known = [...Object.keys(command.options), ...BUILT_IN].map((option) => `--${option}`);
  const dashed = name.length === 1 ? `-${name}` : `--${name}`;
  const close = nearest(dashed, known);
  const hint = close === undefined ? '' : `did you mean ${close}? `;
  return new InputError(
    `unknown option ${dashed} of gridalloc ${command.name}; ${hint}see gridalloc ${command.name} --help`,
  );
}

/** The values of an option; none for a switch. */
function checkOption(name: string, values: readonly unknown[], command: Command): string[] {
  const { isSwitch, isRepeatable, choices } = command.options[name];
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
      throw new InputError(`--${name} needs a value; see gridalloc ${command.name} --help`);
    if (choices !== undefined && !choices.includes(text))
      throw unknownName(`value of --${name}`, text, choices);
    return text;
  });
}

function checkWords(words: readonly string[], { name, positionals }: Command): void {
  const missing = positionals.slice(words.length).find((positional) => !positional.isOptional);
  if (missing !== undefined) {
    throw new InputError(`gridalloc ${name} needs ${missing.meaning}; see gridalloc ${name} --help`);
  }
  if (words.length > positionals.length && !positionals.at(-1)?.isRepeatable) {
    const extra = words[positionals.length];
    throw new InputError(
      `gridalloc ${name} takes ${positionals.length === 0 ? 'no' : `only ${positionals.length}`} ` +
        `word${positionals.length === 1 ? '' : 's'} without dashes, found also '${extra}'`,
    );
  }
}
