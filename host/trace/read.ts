/** Reading a log into columns, from text or bytes that are at hand; files/readTrace.ts has them from a file. */
import { InputError } from '../errors.js';
import { ColumnBuilder, takeRecords } from './columns.js';
import { parseHeader } from './header.js';
import { SwfParser } from './parser.js';
import { sourceName } from './quote.js';
import { problemSentence } from './syntax.js';
import type { Trace, TraceHeader } from './trace.js';

/** How a log is taken. */
export interface ParseOptions {
  /** What errors call the log, and what `Trace.source` says; default `log`. */
  readonly source?: string;
  /** Sort the records by submit time, keeping the order of equal ones, instead of refusing descending times. */
  readonly sort?: boolean;
}

/**
 * Reads a job log in SWF that is in memory.
 * @param log its text, or its bytes, not packed.
 * @throws InputError at the first line that breaks a rule, and for a log without records.
 */
export function parseTrace(log: string | Uint8Array, options: ParseOptions = {}): Trace {
  const reader = new TraceReader(options);
  reader.push(typeof log === 'string' ? new TextEncoder().encode(log) : log);
  return reader.end();
}

/** Takes a log chunk by chunk; only the columns are kept. */
export class TraceReader {
  readonly #source: string;
  readonly #columns = new ColumnBuilder();
  readonly #parser: SwfParser;
  #header: TraceHeader = parseHeader([]);
  #isSorted = true;
  #bytes = 0;

  constructor({ source = 'log', sort = false }: ParseOptions = {}) {
    this.#source = source;
    this.#parser = new SwfParser({
      header: (lines) => {
        this.#header = parseHeader(lines);
      },
      records: (rows) => this.#columns.add(rows),
      problem: (problem) => {
        if (problem.rule !== 'submit-order' || !sort) throw new InputError(problemSentence(source, problem));
        this.#isSorted = false;
      },
    });
  }

  /** Records so far. */
  get records(): number {
    return this.#parser.records;
  }

  /** Takes the next bytes. Throws InputError at the first line that breaks a rule. */
  push(chunk: Uint8Array): void {
    this.#parser.push(chunk);
    this.#bytes += chunk.length;
  }

  /** Makes room for so many records at once. */
  expect(records: number): void {
    this.#columns.expect(records);
  }

  /** The whole log. Throws InputError when it holds no record. */
  end(): Trace {
    this.#parser.end();
    const trace = { source: this.#source, header: this.#header, ...this.#columns.finish() };
    if (trace.count === 0) {
      throw new InputError(`${emptySentence(this.#source, this.#bytes)}; give a job log with records`);
    }
    return this.#isSorted ? trace : sortBySubmit(trace);
  }
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
