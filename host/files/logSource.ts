/** The bytes of a log: from a file or standard input, unpacked when they are compressed. */
import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { InputError } from '../errors.js';
import { sourceName } from '../trace/quote.js';
import { readFault } from './faults.js';
import { unpack } from './unpack.js';

/** How a log is read. */
export interface SourceOptions {
  /** Called now and then with the bytes taken from the source (packed if it is) and their total, if known. */
  readonly onProgress?: (bytes: number, totalBytes: number | undefined) => void;
  /** What `-` reads, for instance a stream; standard input by default. A stream is destroyed afterwards. */
  readonly input?: LogInput;
}

/** Pieces of a log. Node's streams are such, but their types would ask every user for those of Node. */
export type LogInput = AsyncIterable<Uint8Array | string> & { destroy?(): unknown };

const CHUNK = 1 << 20;
/** Milliseconds. */
const BETWEEN_PAUSES = 50;

/**
 * Unpacked bytes of the log, chunk by chunk.
 * @throws InputError when the source cannot be opened or read, DamagedLog when it does not unpack.
 */
export async function* readSource(source: string, options: SourceOptions = {}): AsyncGenerator<Uint8Array> {
  const stats = source === '-' ? undefined : await inspect(source);
  const total = stats?.isFile() ? stats.size : undefined;
  const file = stats && createReadStream(source, { highWaterMark: CHUNK });
  const input: LogInput = file ?? options.input ?? process.stdin;
  let taken = 0;
  const report = (bytes: number) => {
    taken = bytes;
    options.onProgress?.(taken, total);
  };
  let pausedAt = performance.now();
  try {
    for await (const chunk of unpack(source, readPacked(source, input, report))) {
      yield chunk;
      // What unpacks without the help of the system lets nothing else happen, signals neither.
      if (performance.now() - pausedAt < BETWEEN_PAUSES) continue;
      await new Promise(setImmediate);
      pausedAt = performance.now();
      options.onProgress?.(taken, total);
    }
  } finally {
    // Whoever stops early must not leave the file open.
    input.destroy?.();
  }
}

async function* readPacked(
  source: string,
  input: LogInput,
  report: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of input) {
      const part = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      bytes += part.length;
      report(bytes);
      yield part;
    }
  } catch (error) {
    throw readFault(sourceName(source), error, 'check the path of the job log');
  }
}

async function inspect(source: string): Promise<Stats> {
  try {
    const stats = await stat(source);
    if (!stats.isDirectory()) return stats;
  } catch (error) {
    throw readFault(sourceName(source), error, 'check the path of the job log');
  }
  throw new InputError(`${sourceName(source)} is a folder; give the path of one job log in it`);
}
