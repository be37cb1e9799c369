/** All commands, in the order of the help, each loaded when it is named; which of them a line names, and what may complete it. */
import parse from 'yargs-parser';
import { lastOf } from '../lists.js';
import type {
  Command,
  CommandEntry,
  CommandGroup,
  NamedCommand,
  OptionTable,
  ParsedWords,
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
  explore: () => import('./commands/explore.js'),
  bench: () => import('./commands/bench.js'),
  conformance: () => import('./commands/conformance.js'),
  environment: () => import('./commands/environment.js'),
  trace: () => import('./commands/trace.js'),
  core: () => import('./commands/core.js'),
  completion: () => import('./commands/completion.js'),
};

/** What the help says of every command and group of commands. */
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
  core: 'compile a core with your own policies',
  'core build': 'compile a core with your own policies',
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

/** Whether a name stands for several commands. */
export function isGroup(entry: CommandEntry | CommandGroup): entry is CommandGroup {
  return 'commands' in entry;
}

/** How yargs' parser is set up, for the command line and for the help alike. */
export const PARSER_CONFIGURATION = {
  'boolean-negation': false,
  'camel-case-expansion': false,
  'dot-notation': false,
  'greedy-arrays': false,
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'short-option-groups': false,
} as const;

/** What a line asks for that asks for a text instead of the work of a command. */
export interface AskedText {
  /** The line with `--help` or `--version`. */
  readonly words: readonly string[];
  /** Whether the options used most will do, as `-h` says. */
  readonly isShort: boolean;
}

/** The text that a line asks for: none at all and `help COMMAND` ask for help too. */
export function askedText(argv: readonly string[]): AskedText | undefined {
  if (argv.length === 0 || argv[0] === 'help') return { words: [...argv.slice(1), '--help'], isShort: false };
  if (argv.some((word) => word === '--help' || word === '--version')) return { words: argv, isShort: false };
  if (!argv.includes('-h')) return undefined;
  return { words: argv.map((word) => (word === '-h' ? '--help' : word)), isShort: true };
}

/** Whether words are those of a command or of a group of commands. */
export function namesCommand(words: readonly string[]): boolean {
  return COMMANDS.some((entry) => {
    const within = isGroup(entry) ? entry.commands.map(({ name }) => name) : [];
    return [entry.name, ...within].includes(words.join(' '));
  });
}

/** The commands all of whose words stand in the line: no other can be meant. */
export function namedIn(argv: readonly string[]): CommandEntry[] {
  const entries = COMMANDS.flatMap((entry) => (isGroup(entry) ? entry.commands : [entry]));
  return entries.filter(({ name }) => name.split(' ').every((word) => argv.includes(word)));
}

/** A command with its name, loaded. */
export async function loadCommand({ name, load }: CommandEntry): Promise<NamedCommand> {
  return { ...(await load()), name };
}

/**
 * The command that a line begins with, and the words for it; undefined where it begins with none. Options and values
 * are left to `checkArguments`, which says better what is wrong with them.
 */
export async function chooseCommand(
  argv: readonly string[],
): Promise<{ readonly command: NamedCommand; readonly words: ParsedWords } | undefined> {
  for (const entry of namedIn(argv)) {
    const command = await loadCommand(entry);
    const words = parseWords(argv, command.options);
    if (command.name.split(' ').every((word, i) => words._[i] === word)) return { command, words };
  }
  return undefined;
}

function parseWords(argv: readonly string[], options: OptionTable): ParsedWords {
  const names = Object.keys(options);
  const isSwitch = (name: string) => options[name]?.isSwitch === true;
  return parse([...argv], {
    boolean: names.filter(isSwitch),
    string: names.filter((name) => !isSwitch(name)),
    configuration: PARSER_CONFIGURATION,
  });
}

/**
 * What the last of some words may become; nothing where a file may stand.
 * @param typed the words behind the program's name.
 */
export async function completionsOf(typed: readonly string[]): Promise<string[]> {
  const begun = typed.at(-1) ?? '';
  const before = typed.slice(0, -1);
  const candidates = await candidatesBehind(before, begun);
  return candidates.filter((candidate) => candidate.startsWith(begun));
}

async function candidatesBehind(before: readonly string[], begun: string): Promise<readonly string[]> {
  const words = before[0] === 'help' ? before.slice(1) : before;
  const plain = words.filter((word) => !word.startsWith('-'));
  const named = COMMANDS.find(({ name }) => name === plain[0]);
  if (named === undefined)
    return words.length > 0
      ? []
      : [...COMMANDS.map(({ name }) => name), ...(before.length > 0 ? [] : ['help', '--help', '--version'])];
  if (before[0] === 'help' && (!isGroup(named) || plain.length > 1)) return [];
  if (!isGroup(named)) return wordsOf(await loadCommand(named), before, begun);
  const entry = named.commands.find(({ name }) => name === plain.slice(0, 2).join(' '));
  if (entry !== undefined) return wordsOf(await loadCommand(entry), before, begun);
  return [...named.commands.map(({ name }) => lastOf(name.split(' '))), '--help'];
}

/** What may follow in a command: a value of the option before, an option, or a word without dashes. */
async function wordsOf(
  { name, options, positionals }: NamedCommand,
  before: readonly string[],
  begun: string,
): Promise<readonly string[]> {
  const option = options[before.at(-1)?.replace(/^--/, '') ?? ''];
  if (option !== undefined && !option.isSwitch) {
    const known = option.choices ?? option.complete?.(begun) ?? [];
    // Of a list the entry behind the last comma.
    const listed = option.isRepeatable ? begun.slice(0, begun.lastIndexOf(',') + 1) : '';
    // A shell completes the paths of files where nothing else fits.
    return [
      ...known.map((each) => (each.startsWith(listed) ? each : listed + each)),
      ...(option.isOpen ? ['./'] : []),
    ];
  }
  if (begun.startsWith('-')) return [...Object.keys(options).map((each) => `--${each}`), '--help'];
  const takesValue = (word: string | undefined) => {
    const known = options[word?.replace(/^--/, '') ?? ''];
    return word?.startsWith('--') === true && known !== undefined && !known.isSwitch;
  };
  const given = before.filter((word, i) => !word.startsWith('-') && !takesValue(before[i - 1]));
  return positionals[given.length - name.split(' ').length]?.complete?.() ?? [];
}
