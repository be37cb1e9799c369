/**
 * The program `gridalloc`: from command-line words to an exit code, using the streams of the process. The
 * build bundles it into one script, which start.cts runs.
 */
import { FunctionError, InputError, OutputError } from '../errors.js';
import { escapeNonPrintingText, shortenLongQuotation } from '../format/text.js';
import { makeUnknownNameError } from '../notation.js';
import { expandLetterOptions } from '../request/definitions.js';
import { readPackageVersion, stringifyDocument } from '../results/documents.js';
import { wrapToTerminalLine } from '../view/terminal.js';
import {
  COMMANDS,
  isCommandGroup,
  isCommandOrGroupName,
  parseCommandLine,
  parseHelpOrVersionRequest,
} from './catalogue.js';
import { SHELL_COMPLETION_ARGUMENT } from './command.js';
import {
  CommandContext,
  explainOutputError,
  Interruption,
  type ProcessIo,
  writeTerminalText,
} from './context.js';

/** Functions that threads run, by name; each thread loads their modules. */
export const threadTasksByName = {
  simulateTask: async () => (await import('../runs/runsWorker.js')).simulateTask,
  makeModelTrace: async () => (await import('../workload/models.js')).makeModelTrace,
  writeResultTableInThread: async () => (await import('../reports/resultTable.js')).writeResultTableInThread,
  writePdfsTask: async () => (await import('../view/fileThread.js')).writePdfsTask,
};

/** Handled signals. Batch systems send SIGTERM some time before a job's time limit. */
const HANDLED_PROCESS_SIGNALS = ['SIGINT', 'SIGTERM'];

/**
 * Runs the program with the arguments of the process, and sets its exit code.
 * @returns the exit code.
 */
export async function runProcess(): Promise<number> {
  // The code stays 1 if Node ends the process because nothing is pending although the command has not
  // finished.
  process.exitCode = 1;
  const interruptionController = new AbortController();
  let isReadingInput = false;

  /**
   * Handles a signal: the first requests a stop, so that unfinished files are removed; the second ends the
   * process.
   */
  const interruptRun = (signal: NodeJS.Signals) => {
    const interruptionReason = new Interruption(signal);
    if (interruptionController.signal.aborted) process.exit(interruptionReason.code);
    interruptionController.abort(interruptionReason);
    if (isReadingInput) process.stdin.destroy();
  };
  for (const signal of HANDLED_PROCESS_SIGNALS) process.on(signal, interruptRun);

  /**
   * Runs synchronous work with the default signal handling, which ends the process, since this thread cannot
   * handle signals meanwhile. Before, it waits two turns of the event loop for a signal that has already
   * arrived, which would otherwise be lost with its listener.
   */
  const withDefaultSignalHandling = async (runAction: () => void) => {
    for (let eventLoopTurn = 0; eventLoopTurn < 2; eventLoopTurn++) await new Promise(setImmediate);
    interruptionController.signal.throwIfAborted();
    for (const signal of HANDLED_PROCESS_SIGNALS) process.off(signal, interruptRun);
    try {
      runAction();
    } finally {
      for (const signal of HANDLED_PROCESS_SIGNALS) process.on(signal, interruptRun);
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
    // Standard input is opened only when a command reads it, since opening is slow.
    get stdin() {
      isReadingInput = true;
      return process.stdin;
    },
    ...{ stdout, stderr, env, signal: interruptionController.signal, withDefaultSignalHandling },
  };
  const exitCode = await runProgram(process.argv.slice(2), io);
  process.exitCode = exitCode;
  return exitCode;
}

/** Exit codes. */
const EXIT_CODE_OK = 0;
const EXIT_CODE_FAILED = 1;
const EXIT_CODE_WRONG_INPUT = 2;

/**
 * Runs the program.
 * @param argv arguments after the program's name.
 * @returns the exit code: 0 success, 1 failure, 2 wrong usage or invalid input, 130 interrupted, 143
 * terminated.
 */
export async function runProgram(argv: readonly string[], io: ProcessIo): Promise<number> {
  try {
    return await runCommandLine(argv, io);
  } catch (error) {
    return await printErrorAndGetExitCode(explainOutputError(error), argv, io);
  }
}

async function runCommandLine(typedWords: readonly string[], io: ProcessIo): Promise<number> {
  if (typedWords[0] === SHELL_COMPLETION_ARGUMENT) {
    const { completeLastWord } = await import('./help.js');
    const completions = await completeLastWord(typedWords.slice(1));
    await writeTerminalText(io.stdout, completions.map((word) => `${word}\n`).join(''));
    return EXIT_CODE_OK;
  }
  const argv = expandLetterOptions(typedWords);
  if (argv.includes('--version') && argv.every((word) => word === '--version' || word === '--json')) {
    const version = readPackageVersion();
    await writeTerminalText(
      io.stdout,
      argv.includes('--json') ? stringifyDocument({ gridalloc: version }) : `${version}\n`,
    );
    return EXIT_CODE_OK;
  }
  refuseInheritedOptionNames(argv);
  const request = parseHelpOrVersionRequest(argv);
  if (request !== undefined) {
    const commandWords = request.words.filter((word) => !word.startsWith('-'));
    if (argv[0] === 'help' && commandWords.length > 0 && !isCommandOrGroupName(commandWords))
      throw makeUnknownCommandError(commandWords);
    const { makeHelpOrVersionText } = await import('./help.js');
    await writeTerminalText(io.stdout, `${await makeHelpOrVersionText(request, io.stdout.columns)}\n`);
    return EXIT_CODE_OK;
  }
  const parsedCommand = await parseCommandLine(argv);
  if (parsedCommand === undefined) throw makeUnknownCommandError(argv);
  const { command, args, common } = parsedCommand;
  const context = new CommandContext(io, common);
  if (!common.usesSchedulerOption) return command.run(await command.read(args), context);
  const [{ explainOptionsOfScheduler, loadOptionsOfScheduler }, { expandSchedulerOptions }] =
    await Promise.all([import('./scheduler.js'), import('../request/fromArguments.js')]);
  const expandedArguments = await expandSchedulerOptions(args, (text) =>
    loadOptionsOfScheduler(text, context),
  );
  try {
    return await command.run(await command.read(expandedArguments), context);
  } catch (error) {
    const addedOptions = expandedArguments.givenNames.filter((name) => !args.givenNames.includes(name));
    throw explainOptionsOfScheduler(error, args.textOf('scheduler'), addedOptions);
  }
}

/** Refuses options named like properties of every object, such as --constructor, which confuse the parser. */
function refuseInheritedOptionNames(argv: readonly string[]): void {
  const option = argv.find((word) => word.startsWith('--') && word.slice(2).replace(/=.*/s, '') in {});
  if (option !== undefined) throw new InputError(`unknown option ${option}; see gridalloc --help`);
}

function makeUnknownCommandError(argv: readonly string[]): InputError {
  const commandWords = argv.filter((word) => !word.startsWith('-'));
  const commandGroup = COMMANDS.filter(isCommandGroup).find(
    ({ name: groupName }) => groupName === commandWords[0],
  );
  const commandNames = (commandGroup?.commands ?? COMMANDS).map(
    ({ name: commandName }) => commandName.split(' ').at(-1) ?? commandName,
  );
  const commandWord = commandWords[commandGroup === undefined ? 0 : 1];
  const commandKind = commandGroup === undefined ? 'command' : `${commandGroup.name} command`;
  if (commandWord !== undefined) return makeUnknownNameError(commandKind, commandWord, commandNames);
  const commandPrefix = commandGroup === undefined ? 'gridalloc' : `gridalloc ${commandGroup.name}`;
  return new InputError(
    `a ${commandKind} is missing: ${commandNames.join(', ')}; see ${commandPrefix} --help`,
  );
}

/** Prints one line about an error, and returns the exit code. */
async function printErrorAndGetExitCode(
  error: unknown,
  argv: readonly string[],
  io: ProcessIo,
): Promise<number> {
  const reason = io.signal.aborted ? io.signal.reason : error;
  if (reason instanceof Interruption) {
    if (!reason.isReported && !isQuietRequested(argv))
      await writeTerminalText(io.stderr, `${makeInterruptionHint(argv)}\n`).catch(() => {});
    return reason.code;
  }
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return EXIT_CODE_OK;
  const isExpectedError = [InputError, OutputError, FunctionError].some(
    (errorClass) => error instanceof errorClass,
  );
  if (error instanceof Error && isExpectedError) {
    return await printErrorSentence(
      shortenLongQuotation(escapeNonPrintingText(error.message)),
      error instanceof InputError ? EXIT_CODE_WRONG_INPUT : EXIT_CODE_FAILED,
      argv,
      io,
    );
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const hint = '(unexpected; run again with GRIDALLOC_DEBUG=1 for the stack)';
  const isDebugMode = (io.env.GRIDALLOC_DEBUG ?? '') !== '';
  return await printErrorSentence(
    isDebugMode ? `${stack}` : `${message} ${hint}`,
    EXIT_CODE_FAILED,
    argv,
    io,
  );
}

const isQuietRequested = (argv: readonly string[]) => expandLetterOptions(argv).includes('--quiet');

/** Message about the remaining work of an interrupted command. */
function makeInterruptionHint(argv: readonly string[]): string {
  const isGiven = (option: string) => argv.some((word) => word === option || word.startsWith(`${option}=`));
  const [commandName, subcommand] = argv;
  // Sweeps and studies have a folder of their own where none is named.
  const doesWriteFolder =
    isGiven('--out') || commandName === 'sweep' || (commandName === 'study' && subcommand === 'run');
  const doesSimulateManyRuns =
    ['compare', 'sweep', 'study'].includes(commandName ?? '') ||
    (commandName === 'simulate' && isGiven('--replications'));
  if (!doesSimulateManyRuns) return 'interrupted; nothing was finished';
  if (doesWriteFolder) return 'interrupted; the same command continues after the runs that are finished';
  return 'interrupted; nothing is kept: with --out FOLDER, finished runs are kept and the same command continues';
}

/**
 * Prints an error on standard error and, with `--json`, as a document on standard output. If writing fails,
 * only the exit code remains.
 */
async function printErrorSentence(
  errorSentence: string,
  exitCode: number,
  argv: readonly string[],
  { stdout, stderr }: ProcessIo,
): Promise<number> {
  const line = `gridalloc: ${errorSentence}`;
  // Programs that read messages get each in one line.
  await writeTerminalText(stderr, `${stderr.isTTY ? wrapToTerminalLine(line) : line}\n`).catch(() => {});
  const isJson = expandLetterOptions(argv).includes('--json');
  if (isJson)
    await writeTerminalText(stdout, stringifyDocument({ error: errorSentence, exitCode })).catch(() => {});
  return exitCode;
}
