/** The words of a command line taken apart by yargs, which makes the help and the completions too. */
import yargs, { type Argv } from 'yargs';
import { packageVersion } from '../results/version.js';
import { COMMANDS, isGroup } from './catalogue.js';
import {
  type CommandEntry,
  type CommandGroup,
  type NamedCommand,
  type ParsedWords,
  usageOf,
} from './command.js';

const WIDEST_HELP = 110;
const COMPLETION = 'completion';

/** What a command line comes to: a text to print, or a command and its words, or neither where it names none. */
export interface CommandLine {
  readonly help: string;
  readonly chosen?: { readonly command: NamedCommand; readonly words: ParsedWords };
}

/**
 * Takes the words behind the program's name apart. Options and values are left to `checkArguments`, which says better
 * what is wrong with them.
 * @param columns of the terminal that the help is for.
 */
export async function parseCommandLine(
  argv: readonly string[],
  columns: number | undefined,
): Promise<CommandLine> {
  let chosen: CommandLine['chosen'];
  const parser = makeParser(columns, await loadNamed(argv), (command, words) => {
    chosen = { command, words };
  });
  let help = '';
  await parser.parseAsync([...argv], {}, (_error: unknown, _words: unknown, output: string) => {
    help = output;
  });
  return chosen === undefined ? { help: tidy(help) } : { help: tidy(help), chosen };
}

/** The commands all of whose words stand in the line: no other can be meant, nor its options be asked for. */
async function loadNamed(argv: readonly string[]): Promise<ReadonlyMap<CommandEntry, NamedCommand>> {
  const entries = COMMANDS.flatMap((entry) => (isGroup(entry) ? entry.commands : [entry]));
  const named = entries.filter(({ name }) => name.split(' ').every((word) => argv.includes(word)));
  const commands = named.map(
    async (entry) => [entry, { ...(await entry.load()), name: entry.name }] as const,
  );
  return new Map(await Promise.all(commands));
}

type OnCommand = (command: NamedCommand, words: ParsedWords) => void;

function makeParser(
  columns: number | undefined,
  loaded: ReadonlyMap<CommandEntry, NamedCommand>,
  onCommand: OnCommand,
): Argv {
  const parser = yargs()
    .scriptName('gridalloc')
    .locale('en')
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'greedy-arrays': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'short-option-groups': false,
    })
    .exitProcess(false)
    .fail(false)
    .showHelpOnFail(false)
    .version(packageVersion())
    .wrap(Math.min(columns ?? WIDEST_HELP, WIDEST_HELP))
    .completion(COMPLETION, 'print a script that completes commands and options in bash or zsh')
    .usage('gridalloc COMMAND [options]\n\nSimulates how jobs are allocated to the sites of a grid.')
    .example('gridalloc compare', 'a first look: eight policies on a workload model')
    .example('gridalloc simulate log.swf.gz', 'a job log')
    .epilogue(
      'gridalloc COMMAND --help explains a command. Job logs: www.cs.huji.ac.il/labs/parallel/workload',
    );
  const add = (to: Argv, entry: CommandEntry) => addCommand(to, entry, loaded.get(entry), onCommand);
  for (const entry of COMMANDS) {
    if (isGroup(entry)) addGroup(parser, entry, add);
    else add(parser, entry);
  }
  return parser;
}

function addGroup(
  parser: Argv,
  { name, summary, commands }: CommandGroup,
  add: (to: Argv, entry: CommandEntry) => void,
): void {
  parser.command(name, summary, (inner) => {
    inner.usage(`gridalloc ${name} COMMAND [options]`);
    for (const entry of commands) add(inner, entry);
    return inner;
  });
}

function addCommand(
  parser: Argv,
  { name, summary }: CommandEntry,
  command: NamedCommand | undefined,
  onCommand: OnCommand,
): void {
  const word = name.split(' ').at(-1) ?? name;
  if (command === undefined) {
    parser.command(word, summary);
    return;
  }
  parser.command(
    word,
    summary,
    (inner) => describeCommand(inner, command),
    (words) => onCommand(command, words as ParsedWords),
  );
}

function describeCommand(inner: Argv, command: NamedCommand): Argv {
  inner.usage(`${usageOf(command)}\n\n${command.description}`);
  for (const [name, option] of Object.entries(command.options)) {
    const { describe, group, choices, isSwitch } = option;
    const words = choices === undefined ? '' : ` (${choices.join(', ')})`;
    const otherwise = option.default === undefined ? '' : `; default: ${option.default}`;
    inner.option(name, {
      describe: describe + words + otherwise,
      group,
      type: isSwitch ? 'boolean' : 'string',
    });
  }
  const examples = command.examples.map(([example, meaning]) => `  ${example}\n      ${meaning}`);
  return inner.epilogue(['Examples:', ...examples].join('\n'));
}

/** The help without the types of values, which say nothing here. */
function tidy(help: string): string {
  return help.replaceAll(/ *\[(?:string|boolean)\]$/gm, '').replaceAll(/\n{3,}/g, '\n\n');
}
