/** Reading a whole log into columns. */
import { InputError } from '../errors.js';
import { ColumnBuilder, takeRecords } from './columns.js';
import { parseHeader } from './header.js';
import { SwfParser, type SwfSink } from './parser.js';
import { sourceName } from './quote.js';
import { readSource, type SourceOptions } from './source.js';
import { problemSentence } from './syntax.js';
import type { Trace, TraceHeader } from './trace.js';

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
  const columns = new ColumnBuilder();
  let header: TraceHeader = parseHeader([]);
  let isSorted = true;
  const sink: SwfSink = {
    header: (lines) => {
      header = parseHeader(lines);
    },
    records: (rows) => columns.add(rows),
    problem: (problem) => {
      if (problem.rule !== 'submit-order' || !options.sort) {
        throw new InputError(problemSentence(source, problem));
      }
      isSorted = false;
    },
  };
  const parser = new SwfParser(sink);
  let expansion = 0;
  const onProgress = (taken: number, total: number | undefined) => {
    expansion = (total ?? 0) / taken;
    options.onProgress?.(taken, total);
  };
  let bytes = 0;
  for await (const chunk of readSource(source, { ...options, onProgress })) {
    parser.push(chunk);
    bytes += chunk.length;
    columns.expect(parser.records * expansion * EXPECTED_MARGIN);
  }
  parser.end();
  const trace = { source, header, ...columns.finish() };
  if (trace.count === 0) throw new InputError(`${emptySentence(source, bytes)}; give a job log with records`);
  return isSorted ? trace : sortBySubmit(trace);
}

/** What is wrong with a log without records. */
export function emptySentence(source: string, bytes: number): string {
  const fault = bytes === 0 ? 'is empty' : 'holds no records, only comments or blank lines';
  return `${sourceName(source)} ${fault}`;
}

/** The same records by submit time; records of the same time keep their order. */
function sortBySubmit(trace: Trace): Trace {
  const submit = trace.columns.submit;
  const order = Uint32Array.from(submit, (_, i) => i);
  order.sort((a, b) => submit[a] - submit[b]);
  return { ...trace, columns: takeRecords(trace.columns, order) };
}
