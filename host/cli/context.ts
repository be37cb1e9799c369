/** Context of a running command: streams, messages, progress, and interruption by the user. */
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { describeFullDiskError, OutputError } from '../errors.js';
import { formatDuration, formatNumber } from '../format/numbers.js';
import { escapeTerminalControls, printableSourceName } from '../format/text.js';
import type { MethodLabelMap } from '../reports/labels.js';
import { stringifyDocument } from '../results/documents.js';
import { makeTerminalColors, type TerminalColors } from '../view/terminal.js';

/** Output, messages and progress of one command. */
export class CommandContext {
  /** Messages of `sayOnce` so far. */
  readonly #settings = new Set<string>();
  readonly io: ProcessIo;
  readonly isQuiet: boolean;
  /** True if results go to a folder, so that a quiet command prints no text of them. */
  readonly hasOut: boolean;
  readonly isVerbose: boolean;
  /** True if the result is to be one JSON document. */
  readonly isJson: boolean;
  /** Seconds that a function of the user's may take for one answer. */
  readonly timeout: number;
  /** Labels of methods by their names. */
  readonly labels: MethodLabelMap;
  readonly #isRepeated: boolean;

  constructor(
    io: ProcessIo,
    settings: Pick<CommandContext, 'isQuiet' | 'isVerbose' | 'isJson' | 'timeout'> & {
      readonly hasOut?: boolean;
      readonly labels?: MethodLabelMap;
    },
    isRepeated = false,
  ) {
    this.io = io;
    this.#isRepeated = isRepeated;
    this.isQuiet = settings.isQuiet;
    this.hasOut = settings.hasOut ?? false;
    this.isVerbose = settings.isVerbose;
    this.isJson = settings.isJson;
    this.timeout = settings.timeout;
    this.labels = settings.labels ?? new Map();
  }

  /** Context with labels, unless the command gives its own. */
  labelled(labels: MethodLabelMap): CommandContext {
    if (this.labels.size > 0 || labels.size === 0) return this;
    return new CommandContext(this.io, { ...this.#given(), labels }, this.#isRepeated);
  }

  #given() {
    const { isQuiet, hasOut, isVerbose, isJson, timeout } = this;
    return { isQuiet, hasOut, isVerbose, isJson, timeout };
  }

  /** Context for work that an earlier command has done and reported: its messages become details. */
  repeated(): CommandContext {
    return new CommandContext(this.io, this, true);
  }

  /**
   * Reads a source with progress, so that the user can interrupt.
   * @param what is done with it, such as `reading`.
   * @param read gets the stream of a source that is standard input, and what to call as it reads.
   */
  async reading<Made>(
    what: string,
    source: string,
    read: (options: {
      readonly input?: Readable;
      readonly onProgress: (bytes: number, total: number | undefined) => void;
    }) => Promise<Made>,
  ): Promise<Made> {
    const progress = this.progress(makeShareProgressText(`${what} ${printableSourceName(source)}`));
    try {
      return await read({
        // Standard input takes time to open.
        ...(source === '-' ? { input: this.io.stdin } : {}),
        onProgress: (bytes, total) => {
          this.io.signal.throwIfAborted();
          progress.update(bytes, total);
        },
      });
    } finally {
      progress.end();
    }
  }

  /** Colours for standard output. */
  get colors(): TerminalColors {
    return colorsForStream(this.io.stdout, this.io.env);
  }

  /** Context without messages and progress. */
  silent(): CommandContext {
    const { isJson, timeout, labels } = this;
    return new CommandContext(this.io, { isQuiet: true, isVerbose: false, isJson, timeout, labels });
  }

  /** A result, on standard output; none when quiet and it is written elsewhere. */
  async print(text: string): Promise<void> {
    if (this.isQuiet && this.hasOut) return;
    await writeTerminalText(this.io.stdout, `${text}\n`);
  }

  /** Prints a result as the one JSON document on standard output. */
  async printJson(document: unknown): Promise<void> {
    await writeTerminalText(this.io.stdout, stringifyDocument(document));
  }

  /** The answer of a command: with --json a document, else text for a person; returns the exit code. */
  async printResult(document: unknown, text: () => string): Promise<number> {
    await (this.isJson ? this.printJson(document) : this.print(text()));
    return 0;
  }

  /** A message, on standard error; none when quiet, and lost where it cannot be written. */
  async printMessage(text: string): Promise<void> {
    const isMessagePrinted = !this.isQuiet && (this.isVerbose || !this.#isRepeated);
    if (isMessagePrinted) await writeTerminalText(this.io.stderr, `${text}\n`).catch(() => {});
  }

  /** A message as `say` prints it, unless this command has printed the same before. */
  async printMessageOnce(text: string): Promise<void> {
    if (this.#settings.has(text)) return;
    this.#settings.add(text);
    await this.printMessage(text);
  }

  /** A message about how the work was done, for users who ask for it. */
  async detail(text: string): Promise<void> {
    if (this.isVerbose) await this.printMessage(text);
  }

  /** Shows progress on standard error, unless quiet; with `printsProgressLines` also if that is no terminal. */
  progress(text: ProgressText, printsProgressLines = false): ProgressLine {
    return new ProgressLine(text, this.isQuiet ? undefined : this.io.stderr, printsProgressLines);
  }

  /** Pauses, so that the user can interrupt. */
  async pause(): Promise<void> {
    await new Promise(setImmediate);
    this.io.signal.throwIfAborted();
  }
}

/** A stream that may be a terminal. */
export type TerminalStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The world around a run of the program. */
export interface ProcessIo {
  readonly stdin: Readable;
  readonly stdout: TerminalStream;
  readonly stderr: TerminalStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the user interrupts; its reason is an Interruption. */
  readonly signal: AbortSignal;
  /** Does uninterruptible work that leaves nothing half done; an interruption meanwhile ends the process. */
  readonly withSignalsDeferred: (work: () => void) => Promise<void>;
}

/** The user wants to stop. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  /** True if the user has been told what remains of the work. */
  isSaid = false;
  /** The exit code, by which shells call a process that a signal has ended too. */
  readonly code: number;

  constructor(signal: NodeJS.Signals) {
    super('interrupted');
    this.code = 128 + constants.signals[signal];
  }
}

/** True if text for a stream may carry colours: on terminals, unless NO_COLOR is set (https://no-color.org). */
function colorsForStream(stream: TerminalStream, env: ProcessIo['env']): TerminalColors {
  const isColorTerminal = stream.isTTY === true && env.TERM !== 'dumb' && (env.NO_COLOR ?? '') === '';
  return makeTerminalColors(isColorTerminal);
}

/** Writes text that a person may read: nothing in it that a terminal would obey, but colours; done when the stream has taken it. */
export function writeTerminalText(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(escapeTerminalControls(text), (error) => (error ? reject(error) : resolve()));
  });
}

/** The sentence for an error of standard output; other errors, and that its reader has gone, as they are. */
export function explainOutputError(error: unknown): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (syscall !== 'write' || code === 'EPIPE') return error;
  return new OutputError(
    `standard output cannot be written: ${describeFullDiskError(error) ?? message}; free some space or send it elsewhere`,
  );
}

/** Milliseconds before a line appears on a terminal, between its changes, and between lines elsewhere. */
const FIRST_PROGRESS_DELAY_MS = 500;
const TERMINAL_PROGRESS_INTERVAL_MS = 100;
const LOGGED_PROGRESS_INTERVAL_MS = 5000;
const CLEAR_TERMINAL_LINE = '\r\u001b[K';

/** Progress line for the work done, of a total if that is known; `share` is the share of work still to do. */
export type ProgressText = (done: number, total: number | undefined, share?: number) => string;

/** One live line on a terminal; elsewhere a line every few seconds, where that is wanted. */
export class ProgressLine {
  readonly #text: ProgressText;
  readonly #stream: TerminalStream | undefined;
  readonly #isLive: boolean;
  /** Time at which the next line is due, in milliseconds. */
  #next: number;
  #isOpen = false;

  /** @param stream where the line goes; undefined shows nothing. */
  constructor(text: ProgressText, stream: TerminalStream | undefined, printsProgressLines = false) {
    this.#text = text;
    this.#isLive = stream?.isTTY === true;
    this.#stream = this.#isLive || printsProgressLines ? stream : undefined;
    this.#next = performance.now() + (this.#isLive ? FIRST_PROGRESS_DELAY_MS : LOGGED_PROGRESS_INTERVAL_MS);
  }

  /** Tells how much is done. */
  update(done: number, total: number | undefined, share?: number): void {
    const now = performance.now();
    if (this.#stream === undefined || now < this.#next) return;
    this.#next = now + (this.#isLive ? TERMINAL_PROGRESS_INTERVAL_MS : LOGGED_PROGRESS_INTERVAL_MS);
    const text = this.#text(done, total, share);
    this.#stream.write(this.#isLive ? `${CLEAR_TERMINAL_LINE}${text}` : `${text}\n`);
    this.#isOpen = this.#isLive;
  }

  /** Removes the progress line. */
  end(): void {
    if (this.#isOpen) this.#stream?.write(CLEAR_TERMINAL_LINE);
    this.#isOpen = false;
  }
}

/** `reading log.swf 25 %, 3 min left`; without a total, or at nothing done, no time left. */
export function makeShareProgressText(what: string): ProgressText {
  const begin = performance.now();
  return (done, total) => {
    const share = total === undefined || total === 0 ? undefined : done / total;
    if (share === undefined) return `${what}...`;
    const seconds = (performance.now() - begin) / 1000;
    const left = share > 0 ? `, ${formatDuration(Math.ceil((seconds / share) * (1 - share)))} left` : '';
    return `${what} ${Math.floor(share * 100)} %${left}`;
  };
}

/** `30 of 40 replications of 8 methods, 75 %, 4 s left`. */
export function makeReplicationProgressText(methods: number): ProgressText {
  const left = makeShareProgressText('');
  return (done, total = done) => {
    const of = methods === 1 ? '' : ` of ${formatNumber(methods)} methods`;
    return `${formatNumber(done)} of ${formatNumber(total)} replications${of},${left(done, total)}`;
  };
}

/**
 * `30 of 40 simulations, 75 %, 2.5 per second, 4 s left`; `earlier` ones were done before, in no time. The time left is
 * judged by the share of the work that is done since: simulations have more and fewer jobs.
 */
export function makeSimulationProgressText(earlier: number): ProgressText {
  const begin = performance.now();
  return (done, total = done, share = (done - earlier) / (total - earlier)) => {
    const progressText = `${formatNumber(done)} of ${formatNumber(total)} simulations, ${Math.floor((done / total) * 100)} %`;
    const seconds = (performance.now() - begin) / 1000;
    const simulationsPerSecond = (done - earlier) / seconds;
    if (!(simulationsPerSecond > 0 && share > 0)) return progressText;
    const left = formatDuration(Math.ceil((seconds / share) * (1 - share)));
    return `${progressText}, ${formatNumber(simulationsPerSecond, 1)} per second, ${left} left`;
  };
}
