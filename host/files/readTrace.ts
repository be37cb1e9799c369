/** Logs of jobs in files and on standard input. */
import { type CheckOptions, checkChunks, type TraceCheck } from '../trace/check.js';
import { TraceReader } from '../trace/read.js';
import type { Trace } from '../trace/trace.js';
import { readSource, type SourceOptions } from './logSource.js';

/** How much more records than the part read so far suggests are made room for. */
const EXPECTED_MARGIN = 1.05;

/** How a log is read into memory. */
export interface ReadOptions extends SourceOptions {
  /** Sort the records by submit time, keeping the order of equal ones, instead of refusing descending times. */
  readonly sort?: boolean;
}

/**
 * Reads a job log in SWF, plain or gzip (told by content), as a stream: only the columns are kept.
 * @param source a path, or `-` for standard input.
 * @throws InputError at the first line that breaks a rule, and for a source that cannot be read or holds no record.
 */
export async function readTrace(source: string, options: ReadOptions = {}): Promise<Trace> {
  const reader = new TraceReader({ source, sort: options.sort === true });
  let expansion = 0;
  const onProgress = (taken: number, total: number | undefined) => {
    expansion = (total ?? 0) / taken;
    options.onProgress?.(taken, total);
  };
  for await (const chunk of readSource(source, { ...options, onProgress })) {
    reader.push(chunk);
    reader.expect(reader.records * expansion * EXPECTED_MARGIN);
  }
  return reader.end();
}

/**
 * Finds all problems of a log: everything that readTrace refuses, and what a simulation would trip over.
 * @param source a path, or `-` for standard input.
 * @throws InputError when the source cannot be opened or read at all.
 */
export function checkTrace(source: string, options: CheckOptions & SourceOptions = {}): Promise<TraceCheck> {
  return checkChunks(source, readSource(source, options), options);
}
