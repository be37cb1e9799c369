/**
 * The one parser of SWF text, fed with chunks of bytes. It holds at most one unfinished line, and hands
 * header, records and problems to a sink. Lines end with LF or CRLF; fields are separated by blanks.
 */
import { countOf } from '../format/numbers.js';
import { readDecimal, readPlainRecord } from './number.js';
import { latin1Text, quoteBytes } from './quote.js';
import { LONGEST_LINE, type SyntaxProblem, type SyntaxRule, WHOLE } from './syntax.js';

/** Receives what the parser reads, in file order. */
export interface SwfSink {
  /** Called once, before the first record or problem of a record, or at the end: the comment lines so far. */
  header(lines: readonly string[]): void;
  /** The next readable records, 18 numbers each, and the lines they stand in. Overwritten by the next ones. */
  records(rows: Float64Array, lines: Float64Array): void;
  /** A line that breaks a rule. Only with `submit-order` it is also a readable record. */
  problem(problem: SyntaxProblem): void;
}

/** More than a line; small enough to stay in a processor's cache. */
const BUFFER_BYTES = 4 * LONGEST_LINE;
/** So many records are handed over at a time. */
const GATHERED_ROWS = 256;
const FIELDS = WHOLE.length;
const LINE_FEED = 10;
const SEMICOLON = 0x3b;
const SUBMIT = 1;

/** Reads SWF text piece by piece: push the bytes, then end. Wrong lines go to the sink; nothing is thrown. */
export class SwfParser {
  readonly #sink: SwfSink;
  /** Readable records that the sink has not had yet, and the lines they stand in. */
  readonly #rows = new Float64Array(GATHERED_ROWS * FIELDS);
  readonly #rowLines = new Float64Array(GATHERED_ROWS);
  #gathered = 0;
  /** Chunks are copied here, behind the start of a line whose end has not come yet. */
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  #held = 0;
  /** In the rest of a line that was too long and has been reported. */
  #skipping = false;
  #comments: string[] | undefined = [];
  #previousSubmit = Number.NEGATIVE_INFINITY;
  #previousLine = 0;
  #line = 0;
  #records = 0;

  constructor(sink: SwfSink) {
    this.#sink = sink;
  }

  /** Lines so far. */
  get lines(): number {
    return this.#line;
  }

  /** Lines so far that are neither blank nor comments, readable or not. */
  get records(): number {
    return this.#records;
  }

  /** Takes the next bytes of the log; they are not kept. */
  push(chunk: Uint8Array): void {
    let taken = 0;
    while (taken < chunk.length) {
      const part = chunk.subarray(taken, taken + BUFFER_BYTES - this.#held);
      this.#buffer.set(part, this.#held);
      this.#readBuffer(this.#held + part.length);
      taken += part.length;
    }
  }

  /** Says that the log is over; its last line needs no line end. */
  end(): void {
    if (this.#held > 0) this.push(Uint8Array.of(LINE_FEED));
    this.#handOver();
  }

  /** Reads the whole lines among the first bytes of the buffer, and moves the rest to its front. */
  #readBuffer(filled: number): void {
    const bytes = this.#buffer.subarray(0, filled);
    let from = 0;
    if (this.#skipping) {
      from = bytes.indexOf(LINE_FEED) + 1;
      if (from === 0) return;
      this.#skipping = false;
    }
    const end = Math.max(from, bytes.lastIndexOf(LINE_FEED) + 1);
    this.#readLines(from, end);
    this.#held = filled - end;
    if (this.#held > LONGEST_LINE) {
      this.#line++;
      this.#rejectLongLine(bytes.subarray(end));
      this.#skipping = true;
      this.#held = 0;
    }
    bytes.copyWithin(0, end, end + this.#held);
  }

  /** Reads whole lines: the byte before `end` is a line feed. */
  #readLines(from: number, end: number): void {
    const bytes = this.#buffer;
    let at = from;
    while (at < end) {
      this.#line++;
      const next = readPlainRecord(bytes, at, this.#rows, this.#gathered * FIELDS);
      if (next > 0 && next - at <= LONGEST_LINE + 1) {
        this.#records++;
        this.#accept();
        at = next;
      } else {
        const lineEnd = bytes.indexOf(LINE_FEED, at);
        this.#readLine(bytes.subarray(at, lineEnd));
        at = lineEnd + 1;
      }
    }
  }

  /** Reads a line of any kind. */
  #readLine(whole: Uint8Array): void {
    const line = this.#line === 1 && startsWithMark(whole) ? whole.subarray(3) : whole;
    const first = line.findIndex((byte) => !isBlank(byte));
    if (whole.length > LONGEST_LINE) this.#rejectLongLine(whole);
    else if (line.some(isUnprintable)) this.#rejectLine('binary', quoteBytes(line));
    else if (line[first] === SEMICOLON) this.#readComment(line);
    else if (first >= 0) this.#readRecord(line);
  }

  /** Comments behind the first record do not belong to the header. */
  #readComment(line: Uint8Array): void {
    if (this.#records === 0) this.#comments?.push(decodeComment(line));
  }

  /** Reads a record that is not plain, number by number. */
  #readRecord(line: Uint8Array): void {
    const fields = splitFields(line);
    if (fields.length !== FIELDS) {
      this.#rejectLine('field-count', `${countOf(fields.length, 'field')} in ${quoteBytes(line)}`);
      return;
    }
    this.#records++;
    let isReadable = true;
    fields.forEach((bytes, index) => {
      const value = readDecimal(latin1Text(bytes));
      if (value !== undefined && (!WHOLE[index] || Number.isSafeInteger(value))) {
        this.#rows[this.#gathered * FIELDS + index] = value;
      } else {
        isReadable = false;
        this.#reject(value === undefined ? 'number' : 'whole-number', index + 1, quoteBytes(bytes));
      }
    });
    if (isReadable) this.#accept();
  }

  /** Checks the submit time of the row, and keeps it for the sink. */
  #accept(): void {
    const submit = this.#rows[this.#gathered * FIELDS + SUBMIT];
    if (submit < 0) {
      this.#reject('negative-submit', SUBMIT + 1, String(submit));
      return;
    }
    if (submit < this.#previousSubmit) {
      const found = `${submit} after ${this.#previousSubmit} in line ${this.#previousLine}`;
      this.#reject('submit-order', SUBMIT + 1, found);
    }
    this.#previousSubmit = submit;
    this.#previousLine = this.#line;
    this.#rowLines[this.#gathered] = this.#line;
    if (++this.#gathered === GATHERED_ROWS) this.#handOver();
  }

  #handOver(): void {
    this.#endHeader();
    const count = this.#gathered;
    if (count > 0)
      this.#sink.records(this.#rows.subarray(0, count * FIELDS), this.#rowLines.subarray(0, count));
    this.#gathered = 0;
  }

  #rejectLongLine(start: Uint8Array): void {
    const head = start.subarray(0, LONGEST_LINE);
    if (head.some(isUnprintable)) this.#rejectLine('binary', quoteBytes(head));
    else this.#rejectLine('long-line', `more, starting with ${quoteBytes(head)}`);
  }

  #rejectLine(rule: 'binary' | 'long-line' | 'field-count', found: string): void {
    this.#records++;
    this.#reject(rule, undefined, found);
  }

  #reject(rule: SyntaxRule, field: number | undefined, found: string): void {
    this.#endHeader();
    this.#sink.problem({ rule, line: this.#line, field, found });
  }

  #endHeader(): void {
    if (this.#comments === undefined) return;
    this.#sink.header(this.#comments);
    this.#comments = undefined;
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

function isUnprintable(byte: number): boolean {
  return (byte < 0x20 && byte !== 0x09 && byte !== 0x0d) || byte === 0x7f;
}

/** The byte order mark that some editors put before UTF-8. */
function startsWithMark(line: Uint8Array): boolean {
  return line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf;
}

function splitFields(line: Uint8Array): Uint8Array[] {
  const fields: Uint8Array[] = [];
  let start = -1;
  for (let at = 0; at <= line.length; at++) {
    const inside = at < line.length && !isBlank(line[at]);
    if (inside && start < 0) start = at;
    if (inside || start < 0) continue;
    fields.push(line.subarray(start, at));
    start = -1;
  }
  return fields;
}

/** UTF-8 where the bytes are that, otherwise Latin-1; without the CR of a CRLF line end. */
function decodeComment(line: Uint8Array): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === 0x0d) end--;
  const bytes = line.subarray(0, end);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return latin1Text(bytes);
  }
}
