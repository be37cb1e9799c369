/**
 * All commands, in the order of the help, each loaded when it is named; finds the command of a line and checks its
 * words.
 */
import parse from 'yargs-parser';
import { InputError } from '../errors.js';
import { countOf, listed } from '../format/numbers.js';
import { lastOf } from '../lists.js';
import { suggestion, unknownName } from '../notation.js';
import {
  Arguments,
  type Combination,
  type Command,
  type CommandEntry,
  type CommandGroup,
  LETTERS,
  type NamedCommand,
  type OptionDefinition,
  type OptionTable,
} from './command.js';

/** The modules of commands by the first word of these, each loaded when one is named: what it calls `infoCommand` is `trace info`. */
const MODULES: Readonly<Record<string, () => Promise<object>>> = {
  simulate: () => import('./commands/simulate.js'),
  compare: () => import('./commands/compare.js'),
  policies: () => import('./commands/policies.js'),
  metrics: () => import('./commands/metrics.js'),
  study: () => import('./commands/study.js'),
  sweep: () => import('./commands/sweep.js'),
  report: () => import('./commands/report.js'),
  diff: () => import('./commands/diff.js'),
  jobs: () => import('./commands/jobs.js'),
  explain: () => import('./commands/explain.js'),
  validate: () => import('./commands/validate.js'),
  explore: () => import('./commands/explore.js'),
  bench: () => import('./commands/bench.js'),
  conformance: () => import('./commands/conformance.js'),
  environment: () => import('./commands/environment.js'),
  trace: () => import('./commands/trace.js'),
  completion: () => import('./commands/completion.js'),
};

/** Help summaries of every command and group of commands. */
const SUMMARIES: Readonly<Record<string, string>> = {
  simulate: 'simulate the jobs of a log or a model on a grid',
  compare: 'compare allocation methods on one workload',
  policies: 'list the allocation policies and their parameters',
  metrics: 'list the metrics, their units and formulas',
  study: 'run studies from papers, or your own',
  'study list': 'list the studies that come with the program',
  'study show': 'show what a study does',
  'study run': 'run a study and write its report',
  'study merge': 'merge the shards of a study',
  'study status': "show a study's progress and the time left",
  'study cancel': "cancel a study's Slurm jobs",
  sweep: 'simulate every combination of some options',
  report: 'write the HTML report and the figures of a finished simulation or study',
  diff: 'compare two finished simulations of the same jobs, job by job',
  jobs: 'find jobs of a finished simulation or a log: by wait, user, any condition',
  explain: 'explain why a job of a finished simulation waited and where it ran',
  validate: 'compare simulated starts with those that a log recorded',
  explore: 'simulate, compare and look at every job in the browser',
  bench: "measure the cost of each allocator's decisions",
  conformance: 'find out which backfilling rules a simulator uses, with tiny logs',
  environment: 'let an agent in another program choose the sites of jobs, over a pipe',
  trace: 'inspect, check, convert and generate job logs',
  'trace info': 'summarize a job log',
  'trace check': 'list every problem in a job log',
  'trace convert': 'filter, sort, split or scale a job log',
  'trace generate': 'write the jobs of a workload model as a log',
  'trace models': 'list the workload models and their parameters',
  'trace formats': 'list the formats of job logs',
  'trace presets': 'list the presets: job selections and sites of papers',
  completion: 'print a script for completion in a shell',
};

function entryOf(name: string): CommandEntry {
  const load = async () => {
    const commands = (await MODULES[name.replace(/ .*/, '')]!()) as Readonly<Record<string, Command>>;
    return commands[`${lastOf(name.split(' '))}Command`]!;
  };
  return { name, summary: SUMMARIES[name]!, load };
}

const NAMES = Object.keys(SUMMARIES);

/** Every command and group of commands. */
export const COMMANDS: readonly (CommandEntry | CommandGroup)[] = NAMES.filter(
  (name) => !name.includes(' '),
).map((name) => {
  const within = NAMES.filter((each) => each.startsWith(`${name} `));
  const entry = entryOf(name);
  return within.length === 0 ? entry : { name, summary: entry.summary, commands: within.map(entryOf) };
});

/** True if a name stands for several commands. */
export function isGroup(entry: CommandEntry | CommandGroup): entry is CommandGroup {
  return 'commands' in entry;
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

/** Request for a text, such as the help or the version, instead of a command. */
export interface HelpRequest {
  /** The line with `--help` or `--version`. */
  readonly words: readonly string[];
  /** True for the short help of `-h`, with the options used most. */
  readonly isShort: boolean;
}

/** The text that a line asks for: none at all and `help COMMAND` ask for help too. */
export function parseHelpRequest(argv: readonly string[]): HelpRequest | undefined {
  if (argv.length === 0 || argv[0] === 'help') return { words: [...argv.slice(1), '--help'], isShort: false };
  if (argv.some((word) => word === '--help' || word === '--version')) return { words: argv, isShort: false };
  if (!argv.includes('-h')) return undefined;
  return { words: argv.map((word) => (word === '-h' ? '--help' : word)), isShort: true };
}

/** True if words are those of a command or of a group of commands. */
export function namesCommand(words: readonly string[]): boolean {
  return COMMANDS.some((entry) => {
    const within = isGroup(entry) ? entry.commands.map(({ name }) => name) : [];
    return [entry.name, ...within].includes(words.join(' '));
  });
}

/** Commands all of whose words are in the line. */
export function namedIn(argv: readonly string[]): CommandEntry[] {
  const entries = COMMANDS.flatMap((entry) => (isGroup(entry) ? entry.commands : [entry]));
  return entries.filter(({ name }) => name.split(' ').every((word) => argv.includes(word)));
}

/** A command with its name, loaded. */
export async function loadCommand({ name, load }: CommandEntry): Promise<NamedCommand> {
  return { ...(await load()), name };
}

/**
 * The command that a line begins with, and its arguments; undefined where it begins with none.
 * @throws InputError as `checkArguments`.
 */
export async function chooseCommand(
  argv: readonly string[],
): Promise<{ readonly command: NamedCommand; readonly args: Arguments } | undefined> {
  for (const entry of namedIn(argv)) {
    const command = await loadCommand(entry);
    const words = parseWords(argv, command.options);
    if (command.name.split(' ').every((word, i) => words._[i] === word))
      return { command, args: checkArguments(words, command) };
  }
  return undefined;
}

/** Result of the command line parser: `_` holds the words without dashes, the other keys are options. */
type ParsedWords = { readonly _: readonly (string | number)[] } & {
  readonly [option: string]: unknown;
};

function parseWords(argv: readonly string[], options: OptionTable): ParsedWords {
  const names = Object.keys(options);
  const isSwitch = (name: string) => options[name]?.isSwitch === true;
  return parse([...argv], {
    boolean: names.filter(isSwitch),
    string: names.filter((name) => !isSwitch(name)),
    configuration: PARSER_CONFIGURATION,
  });
}

/** Options that the parser itself deals with. */
const BUILT_IN = ['help', 'version'];
const PARSER_KEYS = ['_', '$0', '--', ...BUILT_IN];

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
 * Checks the words for a command, before its defaults are requested.
 * @throws InputError for an option it does not have, one given twice or without its value, a value that is none of the
 * choices, options that do not go together, and for words too many or too few.
 */
function checkArguments(parsed: ParsedWords, command: NamedCommand): Arguments {
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
  const args = new Arguments(options, words);
  for (const combination of command.combinations ?? []) checkCombination(args, combination);
  return args;
}

function checkCombination(args: Arguments, { of, needs, excludes, where, why }: Combination): void {
  const option = of.find((name) => args.has(name));
  if (option === undefined || where?.holds(args) === false) return;
  if (needs === undefined && excludes === undefined) throw new InputError(`--${option} ${why}`);
  if (needs?.some((name) => args.has(name)) === false)
    throw new InputError(
      `--${option} needs ${listed(
        needs.map((name) => `--${name}`),
        'or',
      )}, since ${why}`,
    );
  const other = excludes?.find((name) => args.has(name));
  if (other !== undefined)
    throw new InputError(`--${option} cannot be combined with --${other}, since ${why}; omit one of them`);
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
