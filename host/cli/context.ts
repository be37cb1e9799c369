/** Context of a running command: streams, messages, progress, and interruption by the user. */
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { describeFullDiskError, OutputError } from '../errors.js';
import { formatDuration, formatNumber } from '../format/numbers.js';
import { escapeTerminalControls, makePrintableSourceName } from '../format/text.js';
import type { MethodLabelMap } from '../reports/labels.js';
import { stringifyDocument } from '../results/documents.js';
import { makeTerminalColors, type TerminalColors } from '../view/terminal.js';

/** Output, messages and progress of one command. */
export class CommandContext {
  /** Messages printed by `printMessageOnce` so far. */
  readonly #printedMessages = new Set<string>();
  readonly io: ProcessIo;
  readonly isQuiet: boolean;
  /** True if results go to a folder, so that `--quiet` suppresses their text. */
  readonly hasOut: boolean;
  readonly isVerbose: boolean;
  /** True if the output must be a single JSON document. */
  readonly isJson: boolean;
  /** Timeout in seconds for one call of a user-written function. */
  readonly timeout: number;
  /** Labels of methods by their names. */
  readonly labels: MethodLabelMap;
  readonly #isRepeated: boolean;

  constructor(
    io: ProcessIo,
    contextSettings: Pick<CommandContext, 'isQuiet' | 'isVerbose' | 'isJson' | 'timeout'> & {
      readonly hasOut?: boolean;
      readonly labels?: MethodLabelMap;
    },
    isRepeated = false,
  ) {
    this.io = io;
    this.#isRepeated = isRepeated;
    this.isQuiet = contextSettings.isQuiet;
    this.hasOut = contextSettings.hasOut ?? false;
    this.isVerbose = contextSettings.isVerbose;
    this.isJson = contextSettings.isJson;
    this.timeout = contextSettings.timeout;
    this.labels = contextSettings.labels ?? new Map();
  }

  /** Context with default labels, which those of the command override. */
  withMethodLabels(methodLabels: MethodLabelMap): CommandContext {
    if (this.labels.size > 0 || methodLabels.size === 0) return this;
    return new CommandContext(this.io, { ...this.#outputSettings(), labels: methodLabels }, this.#isRepeated);
  }

  #outputSettings() {
    const { isQuiet, hasOut, isVerbose, isJson, timeout } = this;
    return { isQuiet, hasOut, isVerbose, isJson, timeout };
  }

  /** Context for work that was already reported; its messages become details. */
  withRepeatedMessages(): CommandContext {
    return new CommandContext(this.io, this, true);
  }

  /**
   * Reads a source with progress, so that the user can interrupt.
   * @param activity activity in the progress line, such as `reading`.
   * @param read receives the stream (for standard input) and a progress callback.
   */
  async readWithProgress<Made>(
    activity: string,
    source: string,
    read: (options: {
      readonly input?: Readable;
      readonly onProgress: (bytes: number, total: number | undefined) => void;
    }) => Promise<Made>,
  ): Promise<Made> {
    const progressLine = this.startProgressLine(
      makeShareProgressText(`${activity} ${makePrintableSourceName(source)}`),
    );
    try {
      return await read({
        // Standard input takes time to open.
        ...(source === '-' ? { input: this.io.stdin } : {}),
        onProgress: (bytes, totalBytes) => {
          this.io.signal.throwIfAborted();
          progressLine.update(bytes, totalBytes);
        },
      });
    } finally {
      progressLine.end();
    }
  }

  /** Colours for standard output. */
  get colors(): TerminalColors {
    return chooseColorsForStream(this.io.stdout, this.io.env);
  }

  /** Context without messages and progress. */
  withoutMessages(): CommandContext {
    const { isJson, timeout, labels: methodLabels } = this;
    return new CommandContext(this.io, {
      isQuiet: true,
      isVerbose: false,
      isJson,
      timeout,
      labels: methodLabels,
    });
  }

  /** Prints a result on standard output, except with --quiet if it is also written elsewhere. */
  async print(outputText: string): Promise<void> {
    if (this.isQuiet && this.hasOut) return;
    await writeTerminalText(this.io.stdout, `${outputText}\n`);
  }

  /** Prints a result as the only JSON document on standard output. */
  async printJson(document: unknown): Promise<void> {
    await writeTerminalText(this.io.stdout, stringifyDocument(document));
  }

  /** Prints the result of a command: a document with --json, otherwise text; returns the exit code. */
  async printResult(document: unknown, formatResult: () => string): Promise<number> {
    await (this.isJson ? this.printJson(document) : this.print(formatResult()));
    return 0;
  }

  /** Prints a message on standard error, except with --quiet; errors of writing are ignored. */
  async printMessage(messageText: string): Promise<void> {
    const isMessagePrinted = !this.isQuiet && (this.isVerbose || !this.#isRepeated);
    if (isMessagePrinted) await writeTerminalText(this.io.stderr, `${messageText}\n`).catch(() => {});
  }

  /** Prints a message like `printMessage`, unless this command has already printed it. */
  async printMessageOnce(messageText: string): Promise<void> {
    if (this.#printedMessages.has(messageText)) return;
    this.#printedMessages.add(messageText);
    await this.printMessage(messageText);
  }

  /** Prints a message about details of the execution, with --verbose. */
  async printDetail(detailText: string): Promise<void> {
    if (this.isVerbose) await this.printMessage(detailText);
  }

  /**
   * Shows progress on standard error, except with --quiet; if `isPrintedWithoutTerminal`, also without a terminal.
   */
  startProgressLine(makeProgressText: ProgressTextMaker, isPrintedWithoutTerminal = false): ProgressLine {
    return new ProgressLine(
      makeProgressText,
      this.isQuiet ? undefined : this.io.stderr,
      isPrintedWithoutTerminal,
    );
  }

  /** Pauses briefly, so that an interruption by the user is noticed. */
  async pause(): Promise<void> {
    await new Promise(setImmediate);
    this.io.signal.throwIfAborted();
  }
}

/** A stream that may be a terminal. */
export type TerminalStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Environment of a run of the program: streams, variables and interruption. */
export interface ProcessIo {
  readonly stdin: Readable;
  readonly stdout: TerminalStream;
  readonly stderr: TerminalStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Signal that is aborted when the user interrupts; the reason is an Interruption. */
  readonly signal: AbortSignal;
  /** Runs synchronous work, during which an interruption ends the process at once. */
  readonly withDefaultSignalHandling: (doWork: () => void) => Promise<void>;
}

/** Error for an interruption by the user. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  /** True if a message about the remaining work has been printed. */
  isReported = false;
  /** Exit code, equal to the shell's code for a process ended by this signal. */
  readonly code: number;

  constructor(signal: NodeJS.Signals) {
    super('interrupted');
    this.code = 128 + constants.signals[signal];
  }
}

/** True if a stream may contain colours: on terminals, unless NO_COLOR is set (https://no-color.org). */
function chooseColorsForStream(stream: TerminalStream, env: ProcessIo['env']): TerminalColors {
  const isColorTerminal = stream.isTTY === true && env.TERM !== 'dumb' && (env.NO_COLOR ?? '') === '';
  return makeTerminalColors(isColorTerminal);
}

/**
 * Writes text for readers without control characters other than colours; resolves when the stream has
 * accepted it.
 */
export function writeTerminalText(stream: Writable, outputText: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(escapeTerminalControls(outputText), (error) => (error ? reject(error) : resolve()));
  });
}

/** Explains an error of standard output; other errors, and a closed reader, are returned unchanged. */
export function explainOutputError(error: unknown): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (syscall !== 'write' || code === 'EPIPE') return error;
  return new OutputError(
    `standard output cannot be written: ${describeFullDiskError(error) ?? message}; free some space or send it elsewhere`,
  );
}

/** Milliseconds before a progress line appears on a terminal. */
const FIRST_PROGRESS_DELAY_MS = 500;
/** Milliseconds between updates of a progress line on a terminal. */
const TERMINAL_PROGRESS_INTERVAL_MS = 100;
/** Milliseconds between progress lines if the output is not a terminal. */
const LOGGED_PROGRESS_INTERVAL_MS = 5000;
const CLEAR_LINE_SEQUENCE = '\r\u001b[K';

/**
 * Formats progress: the amount done, the total if known, and the share done of the work that remained at
 * the start.
 */
export type ProgressTextMaker = (done: number, total: number | undefined, share?: number) => string;

/** A progress line that is updated on a terminal; elsewhere a line every few seconds, if requested. */
export class ProgressLine {
  readonly #text: ProgressTextMaker;
  readonly #stream: TerminalStream | undefined;
  readonly #isLive: boolean;
  /** Time at which the next line is due, in milliseconds. */
  #nextDueTime: number;
  #isOpen = false;

  /**
   * @param stream destination; undefined shows nothing.
   */
  constructor(
    makeProgressText: ProgressTextMaker,
    stream: TerminalStream | undefined,
    isPrintedWithoutTerminal = false,
  ) {
    this.#text = makeProgressText;
    this.#isLive = stream?.isTTY === true;
    this.#stream = this.#isLive || isPrintedWithoutTerminal ? stream : undefined;
    this.#nextDueTime =
      performance.now() + (this.#isLive ? FIRST_PROGRESS_DELAY_MS : LOGGED_PROGRESS_INTERVAL_MS);
  }

  /** Updates the amount of work done. */
  update(doneCount: number, totalCount: number | undefined, doneShare?: number): void {
    const now = performance.now();
    if (this.#stream === undefined || now < this.#nextDueTime) return;
    this.#nextDueTime = now + (this.#isLive ? TERMINAL_PROGRESS_INTERVAL_MS : LOGGED_PROGRESS_INTERVAL_MS);
    const progressText = this.#text(doneCount, totalCount, doneShare);
    this.#stream.write(this.#isLive ? `${CLEAR_LINE_SEQUENCE}${progressText}` : `${progressText}\n`);
    this.#isOpen = this.#isLive;
  }

  /** Removes the progress line. */
  end(): void {
    if (this.#isOpen) this.#stream?.write(CLEAR_LINE_SEQUENCE);
    this.#isOpen = false;
  }
}

/** Text such as `reading log.swf 25 %, 3 min left`, without a remaining time if it is unknown. */
export function makeShareProgressText(activity: string): ProgressTextMaker {
  const begin = performance.now();
  return (done, total) => {
    const doneShare = total === undefined || total === 0 ? undefined : done / total;
    if (doneShare === undefined) return `${activity}...`;
    const seconds = (performance.now() - begin) / 1000;
    const remainingTimeText =
      doneShare > 0 ? `, ${formatDuration(Math.ceil((seconds / doneShare) * (1 - doneShare)))} left` : '';
    return `${activity} ${Math.floor(doneShare * 100)} %${remainingTimeText}`;
  };
}

/** Text such as `30 of 40 replications of 8 methods, 75 %, 4 s left`. */
export function makeReplicationProgressText(methodCount: number): ProgressTextMaker {
  const formatShare = makeShareProgressText('');
  return (done, total = done) => {
    const methodsPhrase = methodCount === 1 ? '' : ` of ${formatNumber(methodCount)} methods`;
    return `${formatNumber(done)} of ${formatNumber(total)} replications${methodsPhrase},${formatShare(done, total)}`;
  };
}

/**
 * Text such as `30 of 40 simulations, 75 %, 2.5 per second, 4 s left`; `earlier` simulations were already
 * finished. The remaining time is estimated from the share of work done since, as simulations differ in size.
 */
export function makeSimulationProgressText(earlierSimulationCount: number): ProgressTextMaker {
  const begin = performance.now();
  return (done, total = done, share = (done - earlierSimulationCount) / (total - earlierSimulationCount)) => {
    const progressText = `${formatNumber(done)} of ${formatNumber(total)} simulations, ${Math.floor((done / total) * 100)} %`;
    const seconds = (performance.now() - begin) / 1000;
    const simulationsPerSecond = (done - earlierSimulationCount) / seconds;
    if (!(simulationsPerSecond > 0 && share > 0)) return progressText;
    const remainingTimeText = formatDuration(Math.ceil((seconds / share) * (1 - share)));
    return `${progressText}, ${formatNumber(simulationsPerSecond, 1)} per second, ${remainingTimeText} left`;
  };
}
