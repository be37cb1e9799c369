/** Parses the words of a command line and checks them against the definition of a command. */
import parse from 'yargs-parser';
import { InputError } from '../errors.js';
import { formatCount, joinWithAnd } from '../format/numbers.js';
import { quoteShellWord } from '../format/text.js';
import { formatNameSuggestion, makeUnknownNameError } from '../notation.js';
import { formatOptionAsWords } from '../options/document.js';
import type { OptionStrings } from '../options/options.js';
import {
  type CommandDefinition,
  type CommandOptionDefinition,
  type CommandOptionTable,
  type OptionCombinationRule,
  YARGS_CONFIGURATION,
} from './definitions.js';

/** Checked options and positional arguments of a command. */
export class CheckedArguments {
  readonly #options: ReadonlyMap<string, readonly string[]>;
  /** Positional arguments after the command name. */
  readonly positionals: readonly string[];

  /** Names of options that were given as absent (`--pass-gap none`). */
  readonly #absent: ReadonlySet<string>;

  constructor(
    options: ReadonlyMap<string, readonly string[]>,
    positionals: readonly string[],
    absent: ReadonlySet<string> = new Set(),
  ) {
    this.#options = options;
    this.positionals = positionals;
    this.#absent = absent;
  }

  /** Names of the options that were given, also as absent. */
  get givenNames(): readonly string[] {
    return [...this.#options.keys(), ...this.#absent];
  }

  /** Names of the options that were given as absent. */
  get absentNames(): readonly string[] {
    return [...this.#absent];
  }

  /** Copy without the given options. */
  withoutOptions(optionNames: readonly string[]): CheckedArguments {
    const keptOptions = new Map([...this.#options].filter(([name]) => !optionNames.includes(name)));
    return new CheckedArguments(keptOptions, this.positionals, this.#absent);
  }

  /** Copy with other values of an option; unchanged if the option is not given. */
  withOptionValues(optionName: string, optionValues: readonly string[]): CheckedArguments {
    if (optionValues.length === 0) return this;
    return new CheckedArguments(
      new Map([...this.#options, [optionName, optionValues]]),
      this.positionals,
      this.#absent,
    );
  }

  /** Copy with additional options, unless they are given already, or given as absent. */
  withDefaults(options: OptionStrings): CheckedArguments {
    const addedOptions = Object.entries(options).filter(
      ([optionName]) => !this.has(optionName) && !this.#absent.has(optionName),
    );
    return new CheckedArguments(
      new Map([...this.#options, ...addedOptions.map(([name, text]) => [name, [text]] as const)]),
      this.positionals,
      this.#absent,
    );
  }

  /** Arguments as command-line words: `log.swf`, `--load`, `1.2`, `--sort`. */
  list(): string[] {
    const options = [...this.#options].flatMap(([name, values]) =>
      values.length === 0
        ? [`--${name}`]
        : values.flatMap((valueText) => formatOptionAsWords(name, valueText)),
    );
    return [...this.positionals, ...options];
  }

  /** Arguments as text for a shell: `--load 1.2 --sort`. */
  line(): string {
    return this.list().map(quoteShellWord).join(' ');
  }

  /** Value of an option that may be given once; undefined if absent. */
  textOf(optionName: string): string | undefined {
    return this.#options.get(optionName)?.[0];
  }

  /** Values of an option that may be repeated; empty if absent. */
  texts(optionName: string): readonly string[] {
    return this.#options.get(optionName) ?? [];
  }

  /** True if an option is given; `engine slurm` also requires that value. */
  has(option: string): boolean {
    const [name = '', valueText] = option.split(' ');
    return this.#options.has(name) && (valueText === undefined || this.textOf(name) === valueText);
  }

  /** Value of an option, parsed; undefined if absent. */
  read<T>(optionName: string, parse: (text: string, errorContext: string) => T): T | undefined {
    const optionText = this.textOf(optionName);
    return optionText === undefined ? undefined : parse(optionText, `--${optionName}`);
  }
}

/**
 * Arguments of a command if the line starts with its name; otherwise undefined.
 * @throws InputError like `checkParsedWords`.
 */
export function parseArguments(
  argv: readonly string[],
  command: CommandDefinition,
): CheckedArguments | undefined {
  const commandWords = parseCommandWords(argv, command.options);
  const isNamed = command.name.split(' ').every((word, i) => commandWords._[i] === word);
  return isNamed ? checkParsedWords(commandWords, command) : undefined;
}

/** Result of the command line parser: `_` holds the words without dashes, the other keys are options. */
type ParsedCommandWords = { readonly _: readonly (string | number)[] } & {
  readonly [option: string]: unknown;
};

function parseCommandWords(argv: readonly string[], options: CommandOptionTable): ParsedCommandWords {
  const optionNames = Object.keys(options);
  const isSwitch = (optionName: string) => options[optionName]?.isSwitch === true;
  return parse(joinOptionValues(argv, options), {
    boolean: optionNames.filter(isSwitch),
    string: optionNames.filter((optionName) => !isSwitch(optionName)),
    configuration: YARGS_CONFIGURATION,
  });
}

/** Adds the implied value to every option of a command line that is given without its optional value. */
function joinOptionValues(argv: readonly string[], options: CommandOptionTable): string[] {
  const end = argv.indexOf('--');
  return argv.map((word, i) => {
    const optionalValue =
      word.startsWith('--') && (end < 0 || i < end) ? options[word.slice(2)]?.bare : undefined;
    return optionalValue === undefined || optionalValue.takes(argv[i + 1] ?? '')
      ? word
      : `${word}=${optionalValue.text}`;
  });
}

/** Options that the parser handles itself. */
const BUILT_IN_OPTIONS = ['help', 'version'];
const YARGS_PARSER_KEYS = ['_', '$0', '--', ...BUILT_IN_OPTIONS];

/**
 * Checks the words of a command line.
 * @throws InputError for an unknown option, a repeated option, a missing or wrong value, options that
 * exclude each other, and a wrong number of positional arguments.
 */
function checkParsedWords(parsedWords: ParsedCommandWords, command: CommandDefinition): CheckedArguments {
  const options = new Map<string, readonly string[]>();
  const absent = new Set<string>();
  for (const [name, value] of Object.entries(parsedWords)) {
    if (YARGS_PARSER_KEYS.includes(name)) continue;
    const option = Object.hasOwn(command.options, name) ? command.options[name] : undefined;
    if (option === undefined) throw makeUnknownOptionError(name, command);
    const valueList = Array.isArray(value) ? value : [value];
    if (valueList.length === 1 && option.isAbsent?.(valueList[0])) absent.add(name);
    else options.set(name, checkOptionValue(name, option, valueList, command));
  }
  const positionals = [...parsedWords._, ...((parsedWords['--'] as string[] | undefined) ?? [])].map(String);
  const commandWords = positionals.slice(command.name.split(' ').length);
  checkPositionals(commandWords, command);
  const args = new CheckedArguments(options, commandWords, absent);
  for (const combination of command.combinations ?? []) checkOptionCombination(args, combination);
  return args;
}

function checkOptionCombination(
  args: CheckedArguments,
  { of: ruleSubjects, needs, excludes, where, why }: OptionCombinationRule,
): void {
  const option = ruleSubjects.find((optionName) => args.has(optionName));
  if (option === undefined || where?.isSatisfiedBy(args) === false) return;
  if (needs === undefined && excludes === undefined) throw new InputError(`--${option} ${why}`);
  if (needs?.some((optionName) => args.has(optionName)) === false)
    throw new InputError(
      `--${option} needs ${joinWithAnd(
        needs.map((optionName) => `--${optionName}`),
        'or',
      )}, since ${why}`,
    );
  const excludedOption = excludes?.find((optionName) => args.has(optionName));
  if (excludedOption !== undefined)
    throw new InputError(
      `--${option} cannot be combined with --${excludedOption}, since ${why}; omit one of them`,
    );
}

function makeUnknownOptionError(optionName: string, command: CommandDefinition): InputError {
  const knownOptionWords = [...Object.keys(command.options), ...BUILT_IN_OPTIONS].map(
    (option) => `--${option}`,
  );
  const optionNameWithDashes = optionName.length === 1 ? `-${optionName}` : `--${optionName}`;
  const hint = formatNameSuggestion(optionNameWithDashes, knownOptionWords, String) || '.';
  const { name: commandName } = command;
  return new InputError(
    `unknown option ${optionNameWithDashes} of gridalloc ${commandName}${hint} See gridalloc ${commandName} --help`,
  );
}

/** Checks the values of one option; a switch has none. */
function checkOptionValue(
  optionName: string,
  { isSwitch, isRepeatable, isOpen, choices: optionChoices }: CommandOptionDefinition,
  optionValues: readonly unknown[],
  command: CommandDefinition,
): string[] {
  if (isSwitch) {
    if (optionValues.some((value) => value !== true)) throw new InputError(`--${optionName} takes no value`);
    return [];
  }
  if (optionValues.length > 1 && !isRepeatable) {
    throw new InputError(
      `--${optionName} is given ${optionValues.length} times (${optionValues.join(', ')}); give it once`,
    );
  }
  return optionValues.map((value) => {
    const optionText = typeof value === 'string' ? value : '';
    if (optionText.trim() === '')
      throw new InputError(
        `--${optionName} needs a value (one that begins with - follows =, as in --${optionName}=-1); see gridalloc ${command.name} --help`,
      );
    if (optionChoices !== undefined && !isOpen && !optionChoices.includes(optionText))
      throw makeUnknownNameError(`value of --${optionName}`, optionText, optionChoices);
    return optionText;
  });
}

function checkPositionals(
  commandWords: readonly string[],
  { name: commandName, positionals }: CommandDefinition,
): void {
  const missingPositional = positionals
    .slice(commandWords.length)
    .find((positional) => !positional.isOptional);
  if (missingPositional !== undefined) {
    throw new InputError(
      `gridalloc ${commandName} needs ${missingPositional.meaning}; see gridalloc ${commandName} --help`,
    );
  }
  if (
    commandWords.length > positionals.length &&
    !positionals.some((positional) => positional.isRepeatable)
  ) {
    const firstExcessArgument = commandWords[positionals.length];
    throw new InputError(
      `gridalloc ${commandName} takes ${positionals.length === 0 ? 'no arguments but options' : formatCount(positionals.length, 'argument')}, found also '${firstExcessArgument}'; see gridalloc ${commandName} --help`,
    );
  }
}
