/**
 * Low-level readers of logs: one splits bytes into lines, the other parses one JSON document, which must fit
 * into memory.
 */
import { decodeLatin1, quoteLogBytes, quoteLogText } from '../format/text.js';
import { JOB_PLACE_NAMES } from './places.js';
import type { PlainLineReader } from './plainLines.js';
import { type LogReader, type LogSink, RecordRowBuffer } from './records.js';
import {
  MAX_CONSECUTIVE_EMPTY_LINES,
  MAX_JSON_LOG_BYTES,
  MAX_LINE_BYTES,
  MAX_LOG_HEADER_BYTES,
  type SyntaxProblem,
} from './syntax.js';

/** Kind of a line of text. */
type LineKind = 'record' | 'comment' | 'blank';

/** Receives the lines of a log, without line ends. */
interface LogLineHandler {
  line(text: string, number: number): LineKind;
  /** Fast reader of plain lines; undefined if the format has none. */
  readonly plain?: PlainLineReader | undefined;
  /** Takes the record of a plain line; returns false if the line must be passed to `line`. */
  takePlain?(row: number): boolean;
  /** Ends the log after its last line. */
  end(): void;
}

const LINE_FEED_CODE = 10;
/** Bytes read at a time, more than the longest line. */
const LINE_READER_CHUNK_BYTES = 4 * MAX_LINE_BYTES;

/** Splits bytes into lines, decodes them as UTF-8 or else Latin-1, and limits their length. */
export class LogLineReader implements LogReader {
  readonly #sink: Pick<LogSink, 'problem'>;
  readonly #handler: LogLineHandler;
  readonly #empty = new EmptyLineChecker();
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  /** Buffer of lines; it starts with the unfinished line of the previous chunk. */
  readonly #text: Uint8Array;
  #held = 0;
  /** True within the rest of a reported overlong line. */
  #isSkipping = false;
  lines = 0;
  records = 0;
  isOver = false;

  constructor(sink: Pick<LogSink, 'problem'>, lineHandler: LogLineHandler) {
    this.#sink = sink;
    this.#handler = lineHandler;
    this.#text = lineHandler.plain?.lineBytes ?? new Uint8Array(LINE_READER_CHUNK_BYTES + MAX_LINE_BYTES + 1);
  }

  push(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length && !this.isOver; from += LINE_READER_CHUNK_BYTES) {
      const piece = chunk.subarray(from, from + LINE_READER_CHUNK_BYTES);
      this.#text.set(piece, this.#held);
      this.#readPiece(this.#held + piece.length);
    }
  }

  end(): void {
    if (this.#held > 0 && !this.isOver) {
      this.#text[this.#held] = LINE_FEED_CODE;
      this.#readLines(0, this.#held + 1);
    }
    this.#held = 0;
    this.#handler.end();
    this.#handler.plain?.end();
  }

  /** Stops reading: no further line is needed. */
  stop(problem: SyntaxProblem): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#sink.problem(problem);
  }

  /** Reads the complete lines among the first bytes of the buffer, and moves the rest to the front. */
  #readPiece(filled: number): void {
    const bytes = this.#text.subarray(0, filled);
    let from = 0;
    if (this.#isSkipping) {
      from = bytes.indexOf(LINE_FEED_CODE) + 1;
      if (from === 0) return;
      this.#isSkipping = false;
    }
    const end = Math.max(from, bytes.lastIndexOf(LINE_FEED_CODE) + 1);
    if (end > from) this.#readLines(from, end);
    this.#held = filled - end;
    if (this.#held > MAX_LINE_BYTES) {
      this.lines++;
      this.#rejectLong(bytes.subarray(end));
      this.#isSkipping = true;
      this.#held = 0;
    }
    bytes.copyWithin(0, end, end + this.#held);
  }

  /** Reads complete lines; the byte before `end` is a line feed. */
  #readLines(from: number, end: number): void {
    const { plain } = this.#handler;
    let at = this.lines === 0 && startsWithByteOrderMark(this.#text.subarray(from, end)) ? from + 3 : from;
    if (plain === undefined) this.#readText(this.#text.subarray(at, end - 1));
    else
      while (at < end && !this.isOver)
        at = plain.isReady ? this.#readPlain(plain, at, end) : this.#readLineAsText(at);
  }

  /** Decodes one line as text; returns the offset behind it. */
  #readLineAsText(from: number): number {
    const end = this.#text.indexOf(LINE_FEED_CODE, from);
    this.#readText(this.#text.subarray(from, end));
    return end + 1;
  }

  /** Reads plain lines until the layout changes; returns the offset behind them. */
  #readPlain(plain: PlainLineReader, from: number, end: number): number {
    const lineCount = plain.readLines(from, end);
    let row = 0;
    for (; row < lineCount && plain.isCurrent && !this.isOver; row++) {
      if (plain.read(row, this.lines + 1) && this.#handler.takePlain?.(row) === true) {
        this.lines++;
        this.records++;
        this.#empty.record(this.lines);
      } else this.#readText(this.#text.subarray(plain.startOf(row), plain.startOf(row + 1) - 1));
    }
    return plain.startOf(row);
  }

  /** Reads text with lines separated by line feeds. */
  #readText(bytes: Uint8Array): void {
    const decodedText = this.#decode(bytes);
    for (let from = 0; from <= decodedText.length && !this.isOver; ) {
      const lineFeedIndex = decodedText.indexOf('\n', from);
      const end = lineFeedIndex < 0 ? decodedText.length : lineFeedIndex;
      this.#readLine(
        decodedText.slice(from, decodedText.charCodeAt(end - 1) === 13 && end > from ? end - 1 : end),
      );
      from = end + 1;
    }
  }

  #readLine(lineText: string): void {
    this.lines++;
    if (lineText.length > MAX_LINE_BYTES) this.#rejectLong(encodeUtf8Text(lineText));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    else if (/[\0-\x08\x0b-\x1f\x7f]/.test(lineText))
      this.#reject('binary', quoteLogBytes(encodeUtf8Text(lineText)));
    else this.#handle(lineText);
  }

  #handle(lineText: string): void {
    const lineKind = this.#handler.line(lineText, this.lines);
    if (lineKind === 'record') {
      this.records++;
      this.#empty.record(this.lines);
      return;
    }
    const isHeader = lineKind === 'comment' && this.records === 0;
    const problem =
      (isHeader ? this.#empty.noteCommentLine(this.lines, lineText.length) : undefined) ??
      this.#empty.noteEmptyLine(this.lines);
    if (problem !== undefined) this.stop(problem);
  }

  #rejectLong(firstBytes: Uint8Array): void {
    const { rule, found } = describeLongLineProblem(firstBytes);
    this.#reject(rule, found);
  }

  #reject(rule: 'binary' | 'long-line', foundText: string): void {
    this.records++;
    this.#empty.record(this.lines);
    this.#sink.problem({ rule, line: this.lines, field: undefined, found: foundText });
  }

  #decode(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      return decodeLatin1(bytes);
    }
  }
}

function encodeUtf8Text(plainText: string): Uint8Array {
  return new TextEncoder().encode(plainText);
}

const STRICT_UTF8_DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** True for a blank, a tab, or the CR of a line end. */
export function isBlankByte(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

/** Describes an overlong line, quoting its beginning. */
export function describeLongLineProblem(firstBytes: Uint8Array): {
  rule: 'binary' | 'long-line';
  found: string;
} {
  const lineStartBytes = firstBytes.subarray(0, MAX_LINE_BYTES);
  return lineStartBytes.some(isUnprintableByte)
    ? { rule: 'binary', found: quoteLogBytes(lineStartBytes) }
    : { rule: 'long-line', found: `more, starting with ${quoteLogBytes(lineStartBytes)}` };
}

/** True for a byte that does not occur in text. */
export function isUnprintableByte(byte: number): boolean {
  return (byte < 0x20 && byte !== 0x09 && byte !== 0x0d) || byte === 0x7f;
}

/** True if bytes start with a byte order mark, which some editors put before UTF-8. */
export function startsWithByteOrderMark(lineBytes: Uint8Array): boolean {
  return lineBytes[0] === 0xef && lineBytes[1] === 0xbb && lineBytes[2] === 0xbf;
}

/** Splits a line at blanks. */
export function splitBlankSeparatedFields(lineBytes: Uint8Array): Uint8Array[] {
  const lineFields: Uint8Array[] = [];
  let start = -1;
  for (let at = 0; at <= lineBytes.length; at++) {
    const isInsideField = at < lineBytes.length && !isBlankByte(lineBytes[at]!);
    if (isInsideField && start < 0) start = at;
    if (isInsideField || start < 0) continue;
    lineFields.push(lineBytes.subarray(start, at));
    start = -1;
  }
  return lineFields;
}

/** Decodes UTF-8, or Latin-1 if the bytes are not valid UTF-8; drops the CR of a CRLF line end. */
export function decodeUtf8Line(lineBytes: Uint8Array): string {
  let end = lineBytes.length;
  while (end > 0 && lineBytes[end - 1] === 0x0d) end--;
  const bytes = lineBytes.subarray(0, end);
  try {
    return STRICT_UTF8_DECODER.decode(bytes);
  } catch {
    return decodeLatin1(bytes);
  }
}

/** Counts consecutive lines without a record, and bytes of comments before the first record. */
export class EmptyLineChecker {
  #recordLine = 0;
  #commentBytes = 0;

  /** Notes a line with a record. */
  record(line: number): void {
    this.#recordLine = line;
  }

  /**
   * Notes a comment of this many bytes before the first record. Returns the problem if there are too many
   * bytes.
   */
  noteCommentLine(line: number, bytes: number): SyntaxProblem | undefined {
    this.#commentBytes += bytes + 1;
    if (this.#commentBytes <= MAX_LOG_HEADER_BYTES) return undefined;
    return { rule: 'long-header', line, field: undefined, found: 'more' };
  }

  /** Notes a line without a record. Returns the problem if there are too many in a row. */
  noteEmptyLine(line: number): SyntaxProblem | undefined {
    if (line - this.#recordLine <= MAX_CONSECUTIVE_EMPTY_LINES) return undefined;
    const emptyLinesText = `${MAX_CONSECUTIVE_EMPTY_LINES} lines in a row that are blank or comments`;
    return { rule: 'empty-lines', line, field: undefined, found: emptyLinesText };
  }
}

/**
 * Parses a decimal number, with or without exponent; undefined for any other text and for values out of
 * range.
 */
export function parseDecimal(decimalText: string): number | undefined {
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(decimalText)) return undefined;
  const parsedNumber = Number(decimalText) + 0;
  return Number.isFinite(parsedNumber) ? parsedNumber : undefined;
}

// Logs that are one JSON document

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True if a JSON value is an object. */
export function isJsonObject(jsonValue: unknown): jsonValue is JsonObject {
  return typeof jsonValue === 'object' && jsonValue !== null && !Array.isArray(jsonValue);
}

/** Functions for reading a format whose JSON document has a list `jobs`. */
export interface JsonLogFormat {
  /** Returns header lines in the syntax of SWF. */
  readonly readHeader: (document: JsonObject) => readonly string[];
  /** Expected document, if the general description is not enough. */
  readonly expected?: string;
  /** Returns the name of a missing entry besides `jobs`; undefined if none is missing. */
  readonly findMissingKey: (document: JsonObject) => string | undefined;
  /** Reads one job of the list. */
  readonly readJob: (job: JsonObject, index: number, document: JsonObject) => void;
  /** Ends the list after its last job. */
  readonly finishLog?: () => void;
}

/** Reads a log that is one JSON document. */
export class JsonJobReader implements LogReader {
  readonly #sink: LogSink;
  readonly #rows: RecordRowBuffer;
  readonly #format: JsonLogFormat;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  lines = 0;
  records = 0;
  isOver = false;

  /**
   * @param open creates the format, which writes the jobs into these rows.
   */
  constructor(sink: LogSink, open: (rowBuffer: RecordRowBuffer) => JsonLogFormat) {
    this.#sink = sink;
    this.#rows = new RecordRowBuffer(sink, JOB_PLACE_NAMES);
    this.#format = open(this.#rows);
  }

  push(chunk: Uint8Array): void {
    if (this.isOver) return;
    this.#bytes += chunk.length;
    this.#chunks.push(chunk.slice());
    for (const byte of chunk) this.lines += Number(byte === LINE_FEED_CODE);
    if (this.#bytes > MAX_JSON_LOG_BYTES) this.#stop('the document', 'more', 'long-document');
  }

  end(): void {
    const parsedDocument = this.isOver ? undefined : this.#parse();
    const document = isJsonObject(parsedDocument)
      ? parsedDocument
      : Array.isArray(parsedDocument)
        ? { jobs: parsedDocument }
        : {};
    this.#sink.header(this.#format.readHeader(document));
    if (parsedDocument === undefined) return;
    const { jobs } = document;
    const missingKey = Array.isArray(jobs) ? this.#format.findMissingKey(document) : 'jobs';
    if (missingKey !== undefined) this.#stop(missingKey, 'none');
    else {
      (jobs as unknown[]).forEach((job, index) => {
        this.records++;
        this.#format.readJob(isJsonObject(job) ? job : {}, index, document);
      });
    }
    this.#format.finishLog?.();
    this.#rows.handOver();
  }

  #parse(): unknown {
    const textDecoder = new TextDecoder();
    const documentText =
      this.#chunks.map((chunk) => textDecoder.decode(chunk, { stream: true })).join('') +
      textDecoder.decode();
    this.#chunks = [];
    try {
      return JSON.parse(documentText);
    } catch (error) {
      const { message } = error as Error;
      const errorOffset = Number(/position (\d+)/.exec(message)?.[1] ?? 0);
      const linesBeforeError = documentText.slice(0, errorOffset).split('\n');
      const errorLocation = `line ${linesBeforeError.length}, column ${(linesBeforeError.at(-1) ?? '').length + 1}`;
      this.#stop(errorLocation, quoteLogText(documentText.slice(errorOffset)));
      return undefined;
    }
  }

  #stop(problemPlace: string, foundText: string, rule: 'json' | 'long-document' = 'json'): void {
    this.isOver = true;
    const expectedForm = rule === 'json' ? this.#format.expected : undefined;
    this.#sink.problem({
      rule,
      line: undefined,
      field: undefined,
      place: problemPlace,
      found: foundText,
      expected: expectedForm,
    });
  }
}
