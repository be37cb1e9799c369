/** The program: from the words of a command line to an exit code, help and version included. */
import type { Argv } from 'yargs';
import { FunctionError, InputError, OutputError } from '../errors.js';
import { useCoreFile } from '../files/coreFile.js';
import { escapeText, shortened } from '../format/text.js';
import { firstOf } from '../lists.js';
import { unknownName } from '../notation.js';
import { documentText, packageVersion } from '../results/documents.js';
import {
  type AskedText,
  askedText,
  COMMANDS,
  chooseCommand,
  completionsOf,
  isGroup,
  loadCommand,
  namedIn,
  namesCommand,
  PARSER_CONFIGURATION,
} from './catalogue.js';
import {
  COMPLETE,
  type CommandEntry,
  type CommandGroup,
  checkArguments,
  LETTERS,
  type NamedCommand,
  usageOf,
  withoutLetters,
} from './command.js';
import { runsCode, textsOf, timeoutOf } from './commandOptions.js';
import { Context, Interruption, type Io, outputFault, write } from './context.js';

/** Exit codes. */
const OK = 0;
const FAILED = 1;
const WRONG_INPUT = 2;

/**
 * Runs the program.
 * @param argv the words behind the program's name.
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage or bad input, 130 interrupted, 143 told to end.
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  try {
    return await runCommand(argv, io);
  } catch (error) {
    return await printError(outputFault(error), argv, io);
  }
}

async function runCommand(given: readonly string[], io: Io): Promise<number> {
  if (given[0] === COMPLETE) {
    const found = await completionsOf(given.slice(1));
    await write(io.stdout, found.map((word) => `${word}\n`).join(''));
    return OK;
  }
  const argv = withoutLetters(given);
  if (argv.includes('--version') && argv.every((word) => word === '--version' || word === '--json')) {
    const version = packageVersion();
    await write(io.stdout, argv.includes('--json') ? documentText({ gridalloc: version }) : `${version}\n`);
    return OK;
  }
  refuseInherited(argv);
  const asked = askedText(argv);
  if (asked !== undefined) {
    const words = asked.words.filter((word) => !word.startsWith('-'));
    if (argv[0] === 'help' && words.length > 0 && !namesCommand(words)) throw noCommand(words);
    await write(io.stdout, `${await textFor(asked, io.stdout.columns)}\n`);
    return OK;
  }
  const chosen = await chooseCommand(argv);
  if (chosen === undefined) throw noCommand(argv);
  const args = checkArguments(chosen.words, chosen.command);
  useCoreFile(args.text('core'));
  if (runsCode(chosen.command)) {
    const { readCodeOf } = await import('./asked.js');
    await readCodeOf(textsOf(args), args.texts('method'));
  }
  const said = {
    isQuiet: args.has('quiet'),
    isVerbose: args.has('verbose'),
    isJson: args.has('json'),
    timeout: timeoutOf(args),
  };
  return chosen.command.run(args, new Context(io, said));
}

/** The parser trips over options named like what every object has, such as --constructor. */
function refuseInherited(argv: readonly string[]): void {
  const option = argv.find((word) => word.startsWith('--') && word.slice(2).replace(/=.*/s, '') in {});
  if (option !== undefined) throw new InputError(`unknown option ${option}; see gridalloc --help`);
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
async function printError(error: unknown, argv: readonly string[], io: Io): Promise<number> {
  const reason = io.signal.aborted ? io.signal.reason : error;
  if (reason instanceof Interruption) return reason.code;
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return OK;
  const isExplained = [InputError, OutputError, FunctionError].some((kind) => error instanceof kind);
  if (error instanceof Error && isExplained) {
    return await complain(
      shortened(escapeText(error.message)),
      error instanceof InputError ? WRONG_INPUT : FAILED,
      argv,
      io,
    );
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const hint = '(unexpected; run again with GRIDALLOC_DEBUG=1 for the stack)';
  const isDebugged = (io.env.GRIDALLOC_DEBUG ?? '') !== '';
  return await complain(isDebugged ? `${stack}` : `${message} ${hint}`, FAILED, argv, io);
}

/**
 * Says what went wrong, on standard error, and as the one document on standard output where `--json` asks for one; where
 * nothing can be said, the exit code remains.
 */
async function complain(
  sentence: string,
  code: number,
  argv: readonly string[],
  { stdout, stderr }: Io,
): Promise<number> {
  await write(stderr, `gridalloc: ${sentence}\n`).catch(() => {});
  const isJson = withoutLetters(argv).includes('--json');
  if (isJson) await write(stdout, documentText({ error: sentence, exitCode: code })).catch(() => {});
  return code;
}

// Help and version, made by yargs, which is loaded only when one of them is asked for

const WIDEST_HELP = 110;

/** Options that people use most, which `-h` shows of a command that has more than so many. */
const USED_MOST: readonly string[] = [
  ...['vary', 'discipline', 'order', 'policy', 'sites', 'estimates', 'filter', 'replications', 'metric'],
  ...['by', 'out', 'trace', 'speeds', 'offered-load', 'threads', 'dry-run', 'json'],
];
const FEW = 10;

/**
 * The text that a line asks for: help or version.
 * @param columns of the terminal that it is for.
 */
async function textFor({ words, isShort }: AskedText, columns: number | undefined): Promise<string> {
  const loaded = namedIn(words).map(async (entry) => {
    const command = await loadCommand(entry);
    return [entry, isShort ? shortHelp(command) : command] as const;
  });
  const parser = await makeParser(columns, new Map(await Promise.all(loaded)));
  let text = '';
  await parser.parseAsync([...words], {}, (_error: unknown, _words: unknown, output: string) => {
    text = output;
  });
  return tidy(text);
}

/** A command with the options that people use most, each with the beginning of what is said of it. */
function shortHelp(command: NamedCommand): NamedCommand {
  const all = Object.entries(command.options);
  if (all.length <= FEW) return command;
  const kept = USED_MOST.flatMap((name) => all.filter((option) => option[0] === name)).slice(0, FEW);
  const described = kept.map(([name, { default: _, describe, ...option }]) => [
    name,
    { ...option, describe: describe.replace(/(?:: |; | \().*/s, ''), group: 'Options used most:' },
  ]);
  const [example] = firstOf(command.examples);
  const { name, description } = command;
  return {
    ...command,
    description: description.replace(/\n\n.*/s, ''),
    options: Object.fromEntries(described),
    examples: [[example, `gridalloc ${name} --help shows all ${all.length} options and more examples`]],
  };
}

async function makeParser(
  columns: number | undefined,
  loaded: ReadonlyMap<CommandEntry, NamedCommand>,
): Promise<Argv> {
  // A package of modules alone, which a script has to import so.
  const { default: yargs } = await import('yargs');
  const parser = yargs()
    .scriptName('gridalloc')
    .locale('en')
    .parserConfiguration(PARSER_CONFIGURATION)
    .exitProcess(false)
    .fail(false)
    .showHelpOnFail(false)
    .version(packageVersion())
    .help('help', 'show help: -h common options, --help all')
    .alias({ help: 'h', version: 'V' })
    .wrap(Math.min(columns ?? WIDEST_HELP, WIDEST_HELP))
    .usage('gridalloc COMMAND [options]\n\nSimulates how jobs are allocated to the sites of a grid.')
    .example('gridalloc compare', 'a first look: eight policies on a workload model')
    .example('gridalloc simulate log.swf.gz', 'a job log')
    .epilogue(
      'gridalloc COMMAND --help explains a command. Job logs: www.cs.huji.ac.il/labs/parallel/workload',
    );
  const add = (to: Argv, entry: CommandEntry) => addCommand(to, entry, loaded.get(entry));
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

function addCommand(to: Argv, { name, summary }: CommandEntry, command: NamedCommand | undefined): void {
  const word = name.split(' ').at(-1) ?? name;
  to.command(word, summary, (inner) => (command === undefined ? inner : describeCommand(inner, command)));
}

function describeCommand(inner: Argv, command: NamedCommand): Argv {
  inner.usage(`${usageOf(command)}\n\n${command.description}`);
  for (const [name, option] of Object.entries(command.options)) {
    const { describe, group, choices, isSwitch } = option;
    const words = choices === undefined ? '' : ` (${choices.join(', ')})`;
    const otherwise = option.default === undefined ? '' : `; default: ${option.default}`;
    const letter = Object.keys(LETTERS).find((each) => LETTERS[each] === name);
    inner.option(name, {
      ...(letter === undefined ? {} : { alias: letter }),
      describe: describe + words + otherwise,
      group,
      type: isSwitch ? 'boolean' : 'string',
    });
  }
  const examples = command.examples.map(([example, meaning]) => `  ${example}\n      ${meaning}`);
  return inner.epilogue(['Examples:', ...examples].join('\n'));
}

/** The help without the types of values, which say nothing here, and without the blank lines that they leave between options. */
function tidy(help: string): string {
  return help
    .replaceAll(/ *\[(?:string|boolean)\]$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replaceAll(/\n\n(?= {2}(?: {4}|-\w, )--)/g, '\n');
}
