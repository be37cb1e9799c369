/** Runs the command-line program inside the test process, with streams in memory. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { runProgram } from '../../host/cli/main.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/** Writable stream that keeps everything written to it as text. */
export class TextCollectingStream extends Writable {
  text = '';
  readonly isTTY: boolean;
  readonly columns: number;

  constructor(isTTY = false, columns = 100) {
    super({ decodeStrings: false });
    this.isTTY = isTTY;
    this.columns = columns;
  }

  override _write(chunk: string | Buffer, _encoding: string, finish: () => void): void {
    this.text += chunk.toString();
    finish();
  }
}

export interface ProgramRunOptions {
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly isTTY?: boolean;
  /** Width of the terminal in characters. */
  readonly columns?: number;
  readonly signal?: AbortSignal;
}

/** Runs the program with these arguments and returns its exit code and printed text. */
export async function runProgramInProcess(
  argv: readonly string[],
  options: ProgramRunOptions = {},
  runMainFunction = runProgram,
) {
  const stdout = new TextCollectingStream(options.isTTY, options.columns);
  const stderr = new TextCollectingStream(options.isTTY);
  const exitCode = await runMainFunction(argv, {
    stdin: Readable.from([Buffer.from(options.input ?? '')]),
    stdout,
    stderr,
    env: options.env ?? {},
    signal: options.signal ?? new AbortController().signal,
    withDefaultSignalHandling: async (action) => action(),
  });
  return { exitCode, stdout: stdout.text, stderr: stderr.text };
}

/** Splits a command line into words as a shell does; single quotes are understood. */
export const splitShellWords = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quotedWord, unquotedWord]) => quotedWord ?? unquotedWord);

/** An SWF record of a job; queue number q stands for home site q. */
export function makeSwfRecord(
  job: number,
  submit: number,
  runtime: number,
  processors: number,
  queue: number,
  requestedTime = -1,
): string {
  return `${job} ${submit} -1 ${runtime} ${processors} -1 -1 ${processors} ${requestedTime} -1 1 1 1 -1 ${queue} -1 -1 -1`;
}

/**
 * Log with a schedule computed by hand, for best-fit on sites of 4 and 2 processors with speeds 1
 * and 2, split at width 4: job 1 runs on site 1, job 2 on site 2, job 3 waits for site 1 until 10
 * s, and both pieces of job 5 wait until 17.5 s. Job 4 has no runtime.
 */
export const TINY_LOG_TEXT = [
  '; MaxProcs: 6',
  '; Queue: 1 first',
  makeSwfRecord(1, 0, 10, 3, 1, 20),
  makeSwfRecord(2, 1, 5, 2, 2),
  makeSwfRecord(3, 2, 7.5, 4, 2, 8),
  makeSwfRecord(4, 3, 0, 1, 1),
  makeSwfRecord(5, 4, 5, 6, 1),
  '',
].join('\n');

/** Command-line options to simulate `TINY_LOG_TEXT`. */
export const TINY_OPTIONS = ['--sites', '4,2', '--speeds', '1,2', '--oversize', 'split'];

/** Writes a log file into a new temporary folder and returns its path. */
export function writeLogFile(logText = TINY_LOG_TEXT, fileName = 'tiny.swf'): string {
  const path = join(makeTemporaryFolder(), fileName);
  writeFileSync(path, logText);
  return path;
}
