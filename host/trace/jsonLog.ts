/** Logs that are one JSON document, which has to be in memory as a whole. */
import { quoteText } from './quote.js';
import { type LogReader, type LogSink, RecordRows } from './records.js';
import { LONGEST_DOCUMENT } from './syntax.js';

const LINE_FEED = 10;

/** A JSON object. */
export type Entries = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a format does with its document, whose jobs are in the list `jobs`. */
export interface JsonFormat {
  /** Header lines, as SWF has them. */
  readonly header: (document: Entries) => readonly string[];
  /** What a document must be, where the rule for all of them does not say it. */
  readonly expected?: string;
  /** What is needed besides `jobs`, by name; undefined if it is there. */
  readonly missing: (document: Entries) => string | undefined;
  /** Takes one job of the list. */
  readonly readJob: (job: Entries, index: number, document: Entries) => void;
}

/** Reads a log that is one JSON document. */
export class JsonReader implements LogReader {
  readonly #sink: LogSink;
  readonly #rows: RecordRows;
  readonly #format: JsonFormat;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  lines = 0;
  records = 0;
  isOver = false;

  /** @param open makes the format, which writes the jobs into these rows. */
  constructor(sink: LogSink, open: (rows: RecordRows) => JsonFormat) {
    this.#sink = sink;
    this.#rows = new RecordRows(sink, (job) => `jobs[${job}]`);
    this.#format = open(this.#rows);
  }

  push(chunk: Uint8Array): void {
    if (this.isOver) return;
    this.#bytes += chunk.length;
    this.#chunks.push(chunk.slice());
    for (const byte of chunk) this.lines += Number(byte === LINE_FEED);
    if (this.#bytes > LONGEST_DOCUMENT) this.#stop('the document', 'more', 'long-document');
  }

  end(): void {
    const parsed = this.isOver ? undefined : this.#parse();
    const document = isObject(parsed) ? parsed : {};
    this.#sink.header(this.#format.header(document));
    if (parsed === undefined) return;
    const { jobs } = document;
    const missing = Array.isArray(jobs) ? this.#format.missing(document) : 'jobs';
    if (missing !== undefined) this.#stop(missing, 'none');
    else {
      (jobs as unknown[]).forEach((job, index) => {
        this.records++;
        this.#format.readJob(isObject(job) ? job : {}, index, document);
      });
    }
    this.#rows.handOver();
  }

  #parse(): unknown {
    const decoder = new TextDecoder();
    const text =
      this.#chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode();
    this.#chunks = [];
    try {
      return JSON.parse(text);
    } catch (error) {
      const { message } = error as Error;
      const at = Number(/position (\d+)/.exec(message)?.[1] ?? 0);
      const before = text.slice(0, at).split('\n');
      const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
      this.#stop(place, quoteText(text.slice(at)));
      return undefined;
    }
  }

  #stop(place: string, found: string, rule: 'json' | 'long-document' = 'json'): void {
    this.isOver = true;
    const expected = rule === 'json' ? this.#format.expected : undefined;
    this.#sink.problem({ rule, line: undefined, field: undefined, place, found, expected });
  }
}
