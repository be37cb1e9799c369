/** What a running command has at hand besides its arguments. */
import type { Colors } from '../format/colors.js';
import { colorsFor, type Io, write } from './io.js';
import { Progress, type ProgressText } from './progress.js';

/** Output, messages and progress of one command. */
export class Context {
  readonly io: Io;
  readonly isQuiet: boolean;

  constructor(io: Io, isQuiet: boolean) {
    this.io = io;
    this.isQuiet = isQuiet;
  }

  /** Colours for standard output. */
  get colors(): Colors {
    return colorsFor(this.io.stdout, this.io.env);
  }

  /** A result, on standard output. */
  async print(text: string): Promise<void> {
    await write(this.io.stdout, `${text}\n`);
  }

  /** A result as the one JSON document on standard output. */
  async printJson(document: unknown): Promise<void> {
    await this.print(JSON.stringify(document, null, 2));
  }

  /** A message, on standard error; none when quiet, and lost where it cannot be written. */
  async say(text: string): Promise<void> {
    if (!this.isQuiet) await write(this.io.stderr, `${text}\n`).catch(() => {});
  }

  /** Shows on standard error how far something is, unless quiet; with `hasLines` also where it is no terminal. */
  progress(text: ProgressText, hasLines = false): Progress {
    return new Progress(text, this.isQuiet ? undefined : this.io.stderr, hasLines);
  }

  /** Gives way to the user's wish to stop. */
  async pause(): Promise<void> {
    await new Promise(setImmediate);
    this.io.signal.throwIfAborted();
  }
}
