/**
 * The command `gridalloc`: from the words of a command line to an exit code, on the streams of its process. The build makes
 * one script of it, which start.cts runs.
 */
import { FunctionError, InputError, OutputError } from '../errors.js';
import { escapeText, shortenMessage } from '../format/text.js';
import { unknownNameError } from '../notation.js';
import { expandLetterOptions } from '../request/definitions.js';
import { documentText, packageVersion } from '../results/documents.js';
import { wrapLines } from '../view/terminal.js';
import { COMMANDS, isCommandWords, isGroup, parseCommandLine, parseHelpRequest } from './catalogue.js';
import { COMPLETION_ARGUMENT } from './command.js';
import { Context, Interruption, type Io, outputErrorOf, write } from './context.js';

/** Functions that threads run, by name; the thread loads their modules. */
export const threadTasks = {
  simulateTask: async () => (await import('../runs/runsWorker.js')).simulateTask,
  makeModelTrace: async () => (await import('../workload/models.js')).makeModelTrace,
  writeSettingsTask: async () => (await import('../reports/resultTable.js')).writeSettingsInThread,
  writePdfsTask: async () => (await import('../view/fileThread.js')).writePdfsTask,
};

/** SIGTERM is what batch systems send, some time before a job has to be over. */
const HANDLED_SIGNALS = ['SIGINT', 'SIGTERM'];

/**
 * Runs the program with the words of the process, whose exit code it sets.
 * @returns the exit code.
 */
export async function runProcess(): Promise<number> {
  // A process in which nothing is left to wait for ends, whether its work is done or not.
  process.exitCode = 1;
  const interruption = new AbortController();
  let isReadingInput = false;

  /** The first signal requests a stop, so that unfinished files are removed; the second ends the process. */
  const interruptRun = (signal: NodeJS.Signals) => {
    const reason = new Interruption(signal);
    if (interruption.signal.aborted) process.exit(reason.code);
    interruption.abort(reason);
    if (isReadingInput) process.stdin.destroy();
  };
  for (const signal of HANDLED_SIGNALS) process.on(signal, interruptRun);

  /**
   * While this thread computes it handles no signal, so that the system's default, ending the process, is right. A signal that
   * came before would be lost with its listener, so it is awaited for two turns of the event loop: signals are read between them.
   */
  const withSignalsDeferred = async (work: () => void) => {
    for (let signalCount = 0; signalCount < 2; signalCount++) await new Promise(setImmediate);
    interruption.signal.throwIfAborted();
    for (const signal of HANDLED_SIGNALS) process.off(signal, interruptRun);
    try {
      work();
    } finally {
      for (const signal of HANDLED_SIGNALS) process.on(signal, interruptRun);
    }
  };

  // A reader that has seen enough, such as `head`, closes its end of the pipe: not an error. The writer gets other errors.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0);
    });
  }

  const { stdout, stderr, env } = process;
  const io = {
    // Opening it takes longer than most of what happens before a log is read, and most commands read none of it.
    get stdin() {
      isReadingInput = true;
      return process.stdin;
    },
    ...{ stdout, stderr, env, signal: interruption.signal, withSignalsDeferred },
  };
  const code = await main(process.argv.slice(2), io);
  process.exitCode = code;
  return code;
}

/** Exit codes. */
const EXIT_OK = 0;
const EXIT_FAILED = 1;
const EXIT_WRONG_INPUT = 2;

/**
 * Runs the program.
 * @param argv the words behind the program's name.
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage or bad input, 130 interrupted, 143 told to end.
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  try {
    return await runCommand(argv, io);
  } catch (error) {
    return await printError(outputErrorOf(error), argv, io);
  }
}

async function runCommand(input: readonly string[], io: Io): Promise<number> {
  if (input[0] === COMPLETION_ARGUMENT) {
    const { completeCommandLine: completionsOf } = await import('./help.js');
    const found = await completionsOf(input.slice(1));
    await write(io.stdout, found.map((word) => `${word}\n`).join(''));
    return EXIT_OK;
  }
  const argv = expandLetterOptions(input);
  if (argv.includes('--version') && argv.every((word) => word === '--version' || word === '--json')) {
    const version = packageVersion();
    await write(io.stdout, argv.includes('--json') ? documentText({ gridalloc: version }) : `${version}\n`);
    return EXIT_OK;
  }
  refuseInheritedOptionNames(argv);
  const request = parseHelpRequest(argv);
  if (request !== undefined) {
    const words = request.words.filter((word) => !word.startsWith('-'));
    if (argv[0] === 'help' && words.length > 0 && !isCommandWords(words)) throw noCommandError(words);
    const { textFor } = await import('./help.js');
    await write(io.stdout, `${await textFor(request, io.stdout.columns)}\n`);
    return EXIT_OK;
  }
  const chosenItem = await parseCommandLine(argv);
  if (chosenItem === undefined) throw noCommandError(argv);
  const { command, args, common } = chosenItem;
  const context = new Context(io, common);
  if (!common.hasScheduler) return command.run(await command.read(args), context);
  const [{ schedulerOptions }, { withSchedulers }] = await Promise.all([
    import('./scheduler.js'),
    import('../request/fromArguments.js'),
  ]);
  const all = await withSchedulers(args, (text) => schedulerOptions(text, context));
  return command.run(await command.read(all), context);
}

/** The parser trips over options named like what every object has, such as --constructor. */
function refuseInheritedOptionNames(argv: readonly string[]): void {
  const option = argv.find((word) => word.startsWith('--') && word.slice(2).replace(/=.*/s, '') in {});
  if (option !== undefined) throw new InputError(`unknown option ${option}; see gridalloc --help`);
}

function noCommandError(argv: readonly string[]): InputError {
  const words = argv.filter((word) => !word.startsWith('-'));
  const group = COMMANDS.filter(isGroup).find(({ name }) => name === words[0]);
  const names = (group?.commands ?? COMMANDS).map(({ name }) => name.split(' ').at(-1) ?? name);
  const word = words[group === undefined ? 0 : 1];
  const kind = group === undefined ? 'command' : `${group.name} command`;
  if (word !== undefined) return unknownNameError(kind, word, names);
  const place = group === undefined ? 'gridalloc' : `gridalloc ${group.name}`;
  return new InputError(`a ${kind} is missing: ${names.join(', ')}; see ${place} --help`);
}

/** One line for the user about what went wrong, and the exit code. */
async function printError(error: unknown, argv: readonly string[], io: Io): Promise<number> {
  const reason = io.signal.aborted ? io.signal.reason : error;
  if (reason instanceof Interruption) {
    if (!reason.isSaid && !isQuiet(argv))
      await write(io.stderr, `${interruptionMessage(argv)}\n`).catch(() => {});
    return reason.code;
  }
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return EXIT_OK;
  const isExpectedError = [InputError, OutputError, FunctionError].some((kind) => error instanceof kind);
  if (error instanceof Error && isExpectedError) {
    return await printErrorSentence(
      shortenMessage(escapeText(error.message)),
      error instanceof InputError ? EXIT_WRONG_INPUT : EXIT_FAILED,
      argv,
      io,
    );
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const hint = '(unexpected; run again with GRIDALLOC_DEBUG=1 for the stack)';
  const isDebugMode = (io.env.GRIDALLOC_DEBUG ?? '') !== '';
  return await printErrorSentence(isDebugMode ? `${stack}` : `${message} ${hint}`, EXIT_FAILED, argv, io);
}

const isQuiet = (argv: readonly string[]) => expandLetterOptions(argv).includes('--quiet');

/** Message on what remains of the work of an interrupted command. */
function interruptionMessage(argv: readonly string[]): string {
  const has = (option: string) => argv.some((word) => word === option || word.startsWith(`${option}=`));
  const [name, second] = argv;
  // Sweeps and studies have a folder of their own where none is named.
  const writesFolder = has('--out') || name === 'sweep' || (name === 'study' && second === 'run');
  const simulatesManyRuns =
    ['compare', 'sweep', 'study'].includes(name ?? '') || (name === 'simulate' && has('--replications'));
  if (!simulatesManyRuns) return 'interrupted; nothing was finished';
  if (writesFolder) return 'interrupted; the same command continues after the runs that are finished';
  return 'interrupted; nothing is kept: with --out FOLDER, finished runs are kept and the same command continues';
}

/**
 * Says what went wrong, on standard error, and as the one document on standard output where `--json` asks for one; where
 * nothing can be said, the exit code remains.
 */
async function printErrorSentence(
  sentence: string,
  code: number,
  argv: readonly string[],
  { stdout, stderr }: Io,
): Promise<number> {
  const line = `gridalloc: ${sentence}`;
  // Programs that read messages get each in one line.
  await write(stderr, `${stderr.isTTY ? wrapLines(line) : line}\n`).catch(() => {});
  const isJson = expandLetterOptions(argv).includes('--json');
  if (isJson) await write(stdout, documentText({ error: sentence, exitCode: code })).catch(() => {});
  return code;
}
