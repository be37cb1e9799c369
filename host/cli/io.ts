/** What a command talks to: streams, environment, and the wish of the user to stop. */
import type { Readable, Writable } from 'node:stream';
import { lackOfRoom, OutputError } from '../errors.js';
import { type Colors, makeColors } from '../format/colors.js';

/** A stream that may be a terminal. */
export type Terminal = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The world around a run of the program. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the user interrupts; its reason is an Interruption. */
  readonly signal: AbortSignal;
}

/** The user wants to stop. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
}

/** Whether text for a stream may carry colours: on terminals, unless NO_COLOR is set (https://no-color.org). */
export function colorsFor(stream: Terminal, env: Io['env']): Colors {
  const wanted = stream.isTTY === true && env.TERM !== 'dumb' && (env.NO_COLOR ?? '') === '';
  return makeColors(wanted);
}

/** Writes text; done when the stream has taken it. */
export function write(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** The sentence for an error of standard output; other errors, and that its reader has gone, as they are. */
export function outputFault(error: unknown): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (syscall !== 'write' || code === 'EPIPE') return error;
  return new OutputError(
    `standard output cannot be written: ${lackOfRoom(error) ?? message}; free some space or send it elsewhere`,
  );
}
