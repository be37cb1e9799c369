/** Logs of lines of text, for formats other than SWF: bytes in, lines out. */
import { isUnprintable, startsWithMark } from './bytes.js';
import { EmptyLines } from './emptyLines.js';
import { latin1Text, quoteBytes } from './quote.js';
import type { LogReader, LogSink } from './rows.js';
import { LONGEST_LINE, type SyntaxProblem } from './syntax.js';

/** What a line of text is: one with a record, or with something that is none. */
export type LineKind = 'record' | 'comment' | 'blank';

/** Takes the lines of a log, without line ends. */
export interface LineHandler {
  line(text: string, number: number): LineKind;
  /** No line comes any more. */
  end(): void;
}

const LINE_FEED = 10;
/** Bytes that are decoded at a time: more than a line. */
const PIECE = 4 * LONGEST_LINE;

/** Cuts bytes into lines, UTF-8 or else Latin-1, and keeps the limits of lines. */
export class LineReader implements LogReader {
  readonly #sink: Pick<LogSink, 'problem'>;
  readonly #handler: LineHandler;
  readonly #empty = new EmptyLines();
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  /** The start of a line whose end has not come yet. */
  #held = new Uint8Array(0);
  #isSkipping = false;
  #lines = 0;
  #records = 0;
  #isOver = false;

  constructor(sink: Pick<LogSink, 'problem'>, handler: LineHandler) {
    this.#sink = sink;
    this.#handler = handler;
  }

  get lines(): number {
    return this.#lines;
  }

  get records(): number {
    return this.#records;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  push(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length && !this.#isOver; from += PIECE) {
      this.#pushPiece(chunk.subarray(from, from + PIECE));
    }
  }

  end(): void {
    if (this.#held.length > 0 && !this.#isOver) this.#readLines(this.#held);
    this.#handler.end();
  }

  /** No line comes any more that is worth looking at. */
  stop(problem: SyntaxProblem): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#sink.problem(problem);
  }

  #pushPiece(piece: Uint8Array): void {
    const end = piece.lastIndexOf(LINE_FEED);
    // Behind the rest of a line that was too long and has been reported.
    const first = this.#isSkipping ? piece.indexOf(LINE_FEED) + 1 : 0;
    if (end >= first) {
      this.#isSkipping = false;
      this.#readLines(joined(this.#held, piece.subarray(first, end)));
      this.#held = piece.slice(end + 1);
    } else if (!this.#isSkipping || first > 0) {
      this.#held = joined(this.#held, piece.subarray(first));
      this.#isSkipping = false;
    }
    if (this.#held.length > LONGEST_LINE) {
      this.#lines++;
      this.#rejectLong(this.#held);
      this.#held = new Uint8Array(0);
      this.#isSkipping = true;
    }
  }

  /** Reads lines that are separated by line feeds. */
  #readLines(bytes: Uint8Array): void {
    const text = this.#decode(this.#lines === 0 && startsWithMark(bytes) ? bytes.subarray(3) : bytes);
    for (let from = 0; from <= text.length && !this.#isOver; ) {
      const feed = text.indexOf('\n', from);
      const end = feed < 0 ? text.length : feed;
      this.#readLine(text.slice(from, text.charCodeAt(end - 1) === 13 && end > from ? end - 1 : end));
      from = end + 1;
    }
  }

  #readLine(text: string): void {
    this.#lines++;
    if (text.length > LONGEST_LINE) this.#rejectLong(encode(text));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    else if (/[\0-\x08\x0b-\x1f\x7f]/.test(text)) this.#reject('binary', quoteBytes(encode(text)));
    else this.#handle(text);
  }

  #handle(text: string): void {
    const kind = this.#handler.line(text, this.#lines);
    if (kind === 'record') {
      this.#records++;
      this.#empty.record(this.#lines);
      return;
    }
    const isHeader = kind === 'comment' && this.#records === 0;
    const problem =
      (isHeader ? this.#empty.comment(this.#lines, text.length) : undefined) ??
      this.#empty.empty(this.#lines);
    if (problem !== undefined) this.stop(problem);
  }

  #rejectLong(start: Uint8Array): void {
    const head = start.subarray(0, LONGEST_LINE);
    if (head.some(isUnprintable)) this.#reject('binary', quoteBytes(head));
    else this.#reject('long-line', `more, starting with ${quoteBytes(head)}`);
  }

  #reject(rule: 'binary' | 'long-line', found: string): void {
    this.#records++;
    this.#empty.record(this.#lines);
    this.#sink.problem({ rule, line: this.#lines, field: undefined, found });
  }

  #decode(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      return latin1Text(bytes);
    }
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
