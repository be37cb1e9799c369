/** The program: from the words of a command line to an exit code. */
import yargs, { type Argv } from 'yargs';
import { InputError } from '../errors.js';
import { unknownName } from '../notation.js';
import { OutputError } from '../results/folder.js';
import { packageVersion } from '../results/version.js';
import { checkArguments, type ParsedWords } from './arguments.js';
import { COMMANDS, isGroup } from './catalogue.js';
import { type Command, type CommandGroup, usageOf } from './command.js';
import { Context } from './context.js';
import { Interruption, type Io, outputFault, write } from './io.js';

/** Exit codes. */
const OK = 0;
const FAILED = 1;
const WRONG_INPUT = 2;
const INTERRUPTED = 130;

const WIDEST_HELP = 110;
const COMPLETION = 'completion';

/**
 * Runs the program.
 * @param argv the words behind the program's name.
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage or bad input, 130 interrupted.
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  try {
    return await runCommand(argv, io);
  } catch (error) {
    return await explain(outputFault(error), io);
  }
}

async function runCommand(argv: readonly string[], io: Io): Promise<number> {
  refuseInherited(argv);
  let chosen: { command: Command; words: ParsedWords } | undefined;
  const parser = makeParser(io, (command, words) => {
    chosen = { command, words };
  });
  let help = '';
  await parser.parseAsync([...argv], {}, (_error: unknown, _words: unknown, output: string) => {
    help = output;
  });
  if (help !== '') {
    await write(io.stdout, `${tidy(help)}\n`);
    return OK;
  }
  if (chosen === undefined) throw noCommand(argv);
  const { command, words } = chosen;
  const args = checkArguments(words, command);
  const { run } = await command.load();
  return run(args, new Context(io, args.has('quiet')));
}

/** The parser trips over options named like what every object has, such as --constructor. */
function refuseInherited(argv: readonly string[]): void {
  const option = argv.find((word) => word.startsWith('--') && word.slice(2).split('=')[0] in {});
  if (option !== undefined) throw new InputError(`unknown option ${option}; see gridalloc --help`);
}

type OnCommand = (command: Command, words: ParsedWords) => void;

/** A parser that reads words and makes help; options and values are checked by `checkArguments`, which says it better. */
function makeParser(io: Io, onCommand: OnCommand): Argv {
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
    .wrap(Math.min(io.stdout.columns ?? WIDEST_HELP, WIDEST_HELP))
    .completion(COMPLETION, 'print a script that completes commands and options in bash or zsh')
    .usage('gridalloc COMMAND [options]\n\nSimulates how jobs are allocated to the sites of a grid.')
    .example('gridalloc compare', 'a first look: eight policies on a workload model')
    .example('gridalloc simulate log.swf.gz', 'a job log')
    .epilogue(
      'gridalloc COMMAND --help explains a command. Job logs: www.cs.huji.ac.il/labs/parallel/workload',
    );
  for (const entry of COMMANDS) addEntry(parser, entry, onCommand);
  return parser;
}

function addEntry(parser: Argv, entry: Command | CommandGroup, onCommand: OnCommand): void {
  if (!isGroup(entry)) {
    addCommand(parser, entry, onCommand);
    return;
  }
  const { name, summary, commands } = entry;
  parser.command(name, summary, (inner) => {
    inner.usage(`gridalloc ${name} COMMAND [options]`);
    for (const command of commands) addCommand(inner, command, onCommand);
    return inner;
  });
}

function addCommand(parser: Argv, command: Command, onCommand: OnCommand): void {
  const { name, summary } = command;
  const word = name.split(' ').at(-1) ?? name;
  parser.command(
    word,
    summary,
    (inner) => describeCommand(inner, command),
    (words) => onCommand(command, words as ParsedWords),
  );
}

function describeCommand(inner: Argv, command: Command): Argv {
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

function noCommand(argv: readonly string[]): InputError {
  const words = argv.filter((word) => !word.startsWith('-'));
  const group = COMMANDS.filter(isGroup).find(({ name }) => name === words[0]);
  const names = (group?.commands ?? COMMANDS).map(({ name }) => name.split(' ').at(-1) ?? name);
  const word = words[group === undefined ? 0 : 1];
  const kind = group === undefined ? 'command' : `${group.name} command`;
  if (word !== undefined) return unknownName(kind, word, names);
  const place = group === undefined ? 'gridalloc' : `gridalloc ${group.name}`;
  return new InputError(`a ${kind} is missing: ${names.join(', ')}; see ${place} --help`);
}

/** One line for a person about what went wrong, and the exit code. */
async function explain(error: unknown, io: Io): Promise<number> {
  if (error instanceof Interruption || io.signal.aborted) return INTERRUPTED;
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return OK;
  if (error instanceof InputError || error instanceof OutputError) {
    await complain(`gridalloc: ${error.message}\n`, io);
    return error instanceof InputError ? WRONG_INPUT : FAILED;
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const hint = '(unexpected; run again with GRIDALLOC_DEBUG=1 for the stack)';
  const isDebugged = (io.env.GRIDALLOC_DEBUG ?? '') !== '';
  await complain(isDebugged ? `${stack}\n` : `gridalloc: ${message} ${hint}\n`, io);
  return FAILED;
}

/** Says what went wrong; where nothing can be said, the exit code remains. */
async function complain(text: string, io: Io): Promise<void> {
  await write(io.stderr, text).catch(() => {});
}
