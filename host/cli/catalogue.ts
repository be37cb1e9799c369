/**
 * List of all commands in the order of the help, each loaded when it is used; finds the command of a command
 * line.
 */
import type { CheckedArguments } from '../request/checkedArguments.js';
import type { CommonCommandInput } from '../request/fromArguments.js';
import type { Command, CommandEntry, CommandGroup, NamedCommand } from './command.js';

/**
 * Loaders of the modules with commands, by the first word of a command. A module exports `trace info` under the
 * name `traceInfoCommand`.
 */
const COMMAND_MODULE_LOADERS: Readonly<Record<string, () => Promise<object>>> = {
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
const COMMAND_SUMMARIES: Readonly<Record<string, string>> = {
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

function makeCommandEntry(commandName: string): CommandEntry {
  const load = async () => {
    const commandsByExportName = (await COMMAND_MODULE_LOADERS[
      commandName.replace(/ .*/, '')
    ]!()) as Readonly<Record<string, Command>>;
    return commandsByExportName[
      `${commandName.replace(/ (.)/g, (_, letter: string) => letter.toUpperCase())}Command`
    ]!;
  };
  return { name: commandName, summary: COMMAND_SUMMARIES[commandName]!, load };
}

const COMMAND_NAMES = Object.keys(COMMAND_SUMMARIES);

/** Every command and group of commands. */
export const COMMANDS: readonly (CommandEntry | CommandGroup)[] = COMMAND_NAMES.filter(
  (commandName) => !commandName.includes(' '),
).map((commandName) => {
  const subcommands = COMMAND_NAMES.filter((each) => each.startsWith(`${commandName} `));
  const commandEntry = makeCommandEntry(commandName);
  return subcommands.length === 0
    ? commandEntry
    : { name: commandName, summary: commandEntry.summary, commands: subcommands.map(makeCommandEntry) };
});

/** True if an entry is a group of commands. */
export function isCommandGroup(entry: CommandEntry | CommandGroup): entry is CommandGroup {
  return 'commands' in entry;
}

/** Request for a text, such as the help or the version, instead of a command. */
export interface HelpOrVersionRequest {
  /** Command line with `--help` or `--version`. */
  readonly words: readonly string[];
  /** True for the short help of `-h`, with the most used options. */
  readonly isShort: boolean;
}

/** Parses a request for help or version; an empty command line and `help COMMAND` also request help. */
export function parseHelpOrVersionRequest(argv: readonly string[]): HelpOrVersionRequest | undefined {
  if (argv.length === 0 || argv[0] === 'help') return { words: [...argv.slice(1), '--help'], isShort: false };
  if (argv.some((word) => word === '--help' || word === '--version')) return { words: argv, isShort: false };
  if (!argv.includes('-h')) return undefined;
  return { words: argv.map((word) => (word === '-h' ? '--help' : word)), isShort: true };
}

/** True if words name a command or a group of commands. */
export function isCommandOrGroupName(commandWords: readonly string[]): boolean {
  return COMMANDS.some((commandEntry) => {
    const subcommands = isCommandGroup(commandEntry)
      ? commandEntry.commands.map(({ name: commandName }) => commandName)
      : [];
    return [commandEntry.name, ...subcommands].includes(commandWords.join(' '));
  });
}

/** Commands all of whose words occur in the command line. */
export function findCommandsInArguments(argv: readonly string[]): CommandEntry[] {
  const commandEntries = COMMANDS.flatMap((commandEntry) =>
    isCommandGroup(commandEntry) ? commandEntry.commands : [commandEntry],
  );
  return commandEntries.filter(({ name: commandName }) =>
    commandName.split(' ').every((word) => argv.includes(word)),
  );
}

/** Loads a command and adds its name. */
export async function loadCommand({ name: commandName, load }: CommandEntry): Promise<NamedCommand> {
  return { ...(await load()), name: commandName };
}

/** A command with its arguments. */
interface ParsedCommandLine {
  readonly command: NamedCommand;
  readonly args: CheckedArguments;
  /** Parsed arguments common to all commands. */
  readonly common: CommonCommandInput;
}

/**
 * Finds the command at the begin of a command line and parses its arguments; undefined if there is none.
 * @throws InputError as `parseArguments`.
 */
export async function parseCommandLine(argv: readonly string[]): Promise<ParsedCommandLine | undefined> {
  const namedCommands = findCommandsInArguments(argv);
  if (namedCommands.length === 0) return undefined;
  const { parseArguments } = await import('../request/checkedArguments.js');
  const { readCommonCommandInput } = await import('../request/fromArguments.js');
  for (const commandEntry of namedCommands) {
    const command = await loadCommand(commandEntry);
    const args = parseArguments(argv, command);
    if (args !== undefined) return { command, args, common: await readCommonCommandInput(args) };
  }
  return undefined;
}
