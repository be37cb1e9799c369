/** Logs of jobs in files and on standard input. */

import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { InputError } from '../errors.js';
import { checkGiven, checkOptions, takes } from '../given.js';
import { type CheckOptions, checkChunks, type TraceCheck } from '../trace/checkTrace.js';
import { sourceName } from '../trace/quote.js';
import { type ParseOptions, TraceReader } from '../trace/readText.js';
import type { Trace } from '../trace/trace.js';
import { readFault } from './faults.js';
import { expandFiles, refuseAddress } from './logFiles.js';
import { bytesWithin, unpack } from './unpack.js';

/** How a log is read. */
export interface SourceOptions {
  /** Called now and then with the bytes taken from the source (packed if it is) and their total, if known. */
  readonly onProgress?: (bytes: number, totalBytes: number | undefined) => void;
  /** What `-` reads, for instance a stream; standard input by default. A stream is destroyed afterwards. */
  readonly input?: LogInput;
}

/** Pieces of a log. Node's streams are such, but their types would ask every user for those of Node. */
export type LogInput = AsyncIterable<Uint8Array | string> & { destroy?(): unknown };

const CHUNK = 1 << 16;
/** Milliseconds. */
const BETWEEN_PAUSES = 50;

/**
 * Unpacked bytes of the log, chunk by chunk.
 * @param onSize told before the first how many there will be, if that is known.
 * @throws InputError when the source cannot be opened or read, DamagedLog when it does not unpack.
 */
async function* readSource(
  source: string,
  options: SourceOptions = {},
  onSize?: (bytes: number | undefined) => void,
): AsyncGenerator<Uint8Array> {
  const stats = source === '-' ? undefined : await inspect(source);
  onSize?.(stats?.isFile() ? bytesWithin(source) : undefined);
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
  refuseAddress(source);
  try {
    const stats = await stat(source);
    if (!stats.isDirectory()) return stats;
  } catch (error) {
    throw readFault(sourceName(source), error, 'check the path of the job log');
  }
  throw new InputError(`${sourceName(source)} is a folder; give the path of one job log in it`);
}

/** How much more records than the part read so far suggests are made room for. */
const EXPECTED_MARGIN = 1.05;

/** How a log is read into memory. */
export interface ReadOptions extends SourceOptions, Omit<ParseOptions, 'source'> {}

const OF_SOURCES = { onProgress: true, input: true };
const READ_TRACE = takes<ReadOptions>('readTrace', {
  ...OF_SOURCES,
  format: true,
  sort: true,
  skipBadLines: true,
});
const CHECK_TRACE = takes<CheckOptions & SourceOptions>('checkTrace', {
  ...OF_SOURCES,
  format: true,
  sort: true,
});

/**
 * Reads a job log as a stream: only the columns are kept. Its format, and whether it is compressed, are told by content.
 * @param source a path, `-` for standard input, or several files as `expandFiles` takes them, read as one log.
 * @throws InputError at the first line that breaks a rule, and for a source that cannot be read or holds no record.
 * @example
 * const log = await readTrace('traces/queues.swf');
 * console.log(log.count, log.header.maxProcessors); // 6 8
 */
export async function readTrace(source: string, options: ReadOptions = {}): Promise<Trace> {
  checkGiven(source, 'text', 'readTrace');
  checkOptions(READ_TRACE, options);
  const { format, sort, skipBadLines } = options;
  const files = await expandFiles(source);
  const reader = new TraceReader({ source, format, sort, skipBadLines });
  let expansion = 0;
  const onProgress = (taken: number, total: number | undefined) => {
    expansion = (total ?? 0) / taken;
    options.onProgress?.(taken, total);
  };
  for (const [index, file] of files.entries()) {
    const before = reader.records;
    reader.begin(file);
    let size: number | undefined;
    let bytes = 0;
    const onSize = (known: number | undefined) => {
      size = known;
    };
    for await (const chunk of readSource(file, { ...options, onProgress }, onSize)) {
      reader.push(chunk);
      bytes += chunk.length;
      const own = (reader.records - before) * (size === undefined ? expansion : size / bytes);
      reader.expect(((before + own) / (index + 1)) * files.length * EXPECTED_MARGIN);
    }
  }
  return reader.end();
}

/**
 * Finds all problems of a log: everything that readTrace refuses, and what a simulation would trip over.
 * @param source a path, or `-` for standard input.
 * @throws InputError when the source cannot be opened or read at all.
 * @example
 * const { readable, problems } = await checkTrace('traces/problems.swf');
 * console.log(readable, problems[0].rule, problems[0].lines[0]); // false field-count 20
 */
export function checkTrace(source: string, options: CheckOptions & SourceOptions = {}): Promise<TraceCheck> {
  checkGiven(source, 'text', 'checkTrace');
  checkOptions(CHECK_TRACE, options);
  return checkChunks(source, readSource(source, options), options);
}
