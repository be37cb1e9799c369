/** All commands, in the order of the help, each loaded when it is named; which of them a line names, and what may complete it. */

import parse from 'yargs-parser';
import { lastOf } from '../lists.js';
import type { CommandEntry, CommandGroup, NamedCommand, OptionTable, ParsedWords } from './command.js';

/** Every command and group of commands. */
export const COMMANDS: readonly (CommandEntry | CommandGroup)[] = [
  {
    name: 'simulate',
    summary: 'simulate the jobs of a log or a model on a grid',
    load: async () => (await import('./commands/simulate.js')).simulateCommand,
  },
  {
    name: 'compare',
    summary: 'compare allocation methods on one workload',
    load: async () => (await import('./commands/compare.js')).compareCommand,
  },
  {
    name: 'policies',
    summary: 'list the allocation policies and their parameters',
    load: async () => (await import('./commands/policies.js')).policiesCommand,
  },
  {
    name: 'metrics',
    summary: 'list the metrics, their units and formulas',
    load: async () => (await import('./commands/metrics.js')).metricsCommand,
  },
  {
    name: 'study',
    summary: 'run the studies of papers, or your own',
    commands: [
      {
        name: 'study list',
        summary: 'list the studies that come with the program',
        load: async () => (await import('./commands/study.js')).listCommand,
      },
      {
        name: 'study show',
        summary: 'show what a study does',
        load: async () => (await import('./commands/study.js')).showCommand,
      },
      {
        name: 'study run',
        summary: 'run a study and write its report',
        load: async () => (await import('./commands/study.js')).runCommand,
      },
      {
        name: 'study merge',
        summary: 'put the shards of a study together',
        load: async () => (await import('./commands/study.js')).mergeCommand,
      },
      {
        name: 'study status',
        summary: 'show how far a study is, and the time left',
        load: async () => (await import('./commands/study.js')).statusCommand,
      },
      {
        name: 'study cancel',
        summary: "cancel a study's Slurm jobs",
        load: async () => (await import('./commands/study.js')).cancelCommand,
      },
    ],
  },
  {
    name: 'sweep',
    summary: 'simulate every combination of some options',
    load: async () => (await import('./commands/sweep.js')).sweepCommand,
  },
  {
    name: 'report',
    summary: 'write the HTML report and the figures of a finished simulation or study',
    load: async () => (await import('./commands/report.js')).reportCommand,
  },
  {
    name: 'diff',
    summary: 'compare two finished simulations of the same jobs, job by job',
    load: async () => (await import('./commands/diff.js')).diffCommand,
  },
  {
    name: 'jobs',
    summary: 'find jobs of a finished simulation or a log: by wait, user, any condition',
    load: async () => (await import('./commands/jobs.js')).jobsCommand,
  },
  {
    name: 'explain',
    summary: 'explain why a job of a finished simulation waited and where it ran',
    load: async () => (await import('./commands/explain.js')).explainCommand,
  },
  {
    name: 'explore',
    summary: 'simulate, compare and look at every job in the browser',
    load: async () => (await import('./commands/explore.js')).exploreCommand,
  },
  {
    name: 'bench',
    summary: 'measure what a decision of each allocator costs',
    load: async () => (await import('./commands/bench.js')).benchCommand,
  },
  {
    name: 'conformance',
    summary: 'find out which backfilling rules a simulator uses, with tiny logs',
    load: async () => (await import('./commands/conformance.js')).conformanceCommand,
  },
  {
    name: 'environment',
    summary: 'let an agent in another program choose the sites of jobs, over a pipe',
    load: async () => (await import('./commands/environment.js')).environmentCommand,
  },
  {
    name: 'trace',
    summary: 'inspect, check, convert and generate job logs',
    commands: [
      {
        name: 'trace info',
        summary: 'what a job log holds',
        load: async () => (await import('./commands/trace.js')).infoCommand,
      },
      {
        name: 'trace check',
        summary: 'find all that is wrong with a job log',
        load: async () => (await import('./commands/trace.js')).checkCommand,
      },
      {
        name: 'trace convert',
        summary: 'filter, sort, split or scale a job log',
        load: async () => (await import('./commands/trace.js')).convertCommand,
      },
      {
        name: 'trace generate',
        summary: 'write the jobs of a workload model as a log',
        load: async () => (await import('./commands/trace.js')).generateCommand,
      },
      {
        name: 'trace models',
        summary: 'list the workload models and their parameters',
        load: async () => (await import('./commands/trace.js')).modelsCommand,
      },
      {
        name: 'trace formats',
        summary: 'list the formats of job logs',
        load: async () => (await import('./commands/trace.js')).formatsCommand,
      },
      {
        name: 'trace presets',
        summary: 'list the presets: job selections and sites of papers',
        load: async () => (await import('./commands/trace.js')).presetsCommand,
      },
    ],
  },
  {
    name: 'core',
    summary: 'compile a core with your own policies',
    commands: [
      {
        name: 'core build',
        summary: 'compile a core with your own policies',
        load: async () => (await import('./commands/core.js')).buildCommand,
      },
    ],
  },
  {
    name: 'completion',
    summary: 'print a script that completes commands, options and values in a shell',
    load: async () => (await import('./commands/completion.js')).completionCommand,
  },
];

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
