/** Logs of jobs in files and on standard input. */
import { checkOptions, takes } from '../optionNames.js';
import { type CheckOptions, checkChunks, type TraceCheck } from '../trace/check.js';
import { type ParseOptions, TraceReader } from '../trace/read.js';
import type { Trace } from '../trace/trace.js';
import { expandFiles } from './logFiles.js';
import { readSource, type SourceOptions } from './logSource.js';

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
  checkOptions(READ_TRACE, options);
  const { format, sort, skipBadLines } = options;
  const files = await expandFiles(source);
  const reader = new TraceReader({ source, format, sort, skipBadLines });
  let expansion = 0;
  const onProgress = (taken: number, total: number | undefined) => {
    expansion = ((total ?? 0) / taken) * files.length;
    options.onProgress?.(taken, total);
  };
  for (const file of files) {
    reader.begin(file);
    for await (const chunk of readSource(file, { ...options, onProgress })) {
      reader.push(chunk);
      reader.expect(reader.records * expansion * EXPECTED_MARGIN);
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
  checkOptions(CHECK_TRACE, options);
  return checkChunks(source, readSource(source, options), options);
}
