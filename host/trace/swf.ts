/**
 * Reader and writer of SWF text. The parser takes chunks of bytes, holds at most one unfinished line, and
 * passes header, records and problems to a sink. Lines end with LF or CRLF; fields are separated by blanks.
 */

import { checkArgument } from '../arguments.js';
import { InputError } from '../errors.js';
import { formatCount } from '../format/numbers.js';
import { decodeLatin1, escapeNonPrintingText, quoteLogBytes } from '../format/text.js';
import { MAX_EXACT_DIGITS } from '../loops/loops.js';
import { makeLoopWorkspace } from '../loops/workspace.js';
import type { LogFormat } from './logFormat.js';
import { LINE_PLACE_NAMES } from './places.js';
import {
  decodeUtf8Line,
  describeLongLineProblem,
  EmptyLineChecker,
  isBlankByte,
  isUnprintableByte,
  parseDecimal,
  splitBlankSeparatedFields,
  startsWithByteOrderMark,
} from './readers.js';
import { type LogReader, type LogSink, RECORDS_PER_HANDOVER, RecordRowBuffer } from './records.js';
import { IS_WHOLE_NUMBER_FIELD, MAX_LINE_BYTES, type SyntaxProblem, type SyntaxRule } from './syntax.js';
import { SWF_FIELDS, SWF_FIELDS_PER_RECORD, type Trace } from './trace.js';

/** Buffer size: two lines of maximum length, small enough for a processor's cache. */
const SWF_LINE_BUFFER_BYTES = 2 * MAX_LINE_BYTES;
const LINE_FEED_BYTE = 10;
const SEMICOLON_BYTE = 0x3b;
const POWERS_OF_TEN_BY_EXPONENT = Array.from({ length: MAX_EXACT_DIGITS + 1 }, (_, k) => Number(`1e${k}`));

/** Creates the arrays for reading plain records: text, records and constants. */
function makeSwfReadingWorkspace() {
  const workspace = makeLoopWorkspace({
    text: ['bytes', SWF_LINE_BUFFER_BYTES],
    rows: ['doubles', RECORDS_PER_HANDOVER * SWF_FIELDS_PER_RECORD],
    whole: ['bytes', SWF_FIELDS_PER_RECORD],
    powers: ['doubles', POWERS_OF_TEN_BY_EXPONENT.length],
    stop: ['ints', 1],
  });
  workspace.arrays.whole.set(IS_WHOLE_NUMBER_FIELD.map(Number));
  workspace.arrays.powers.set(POWERS_OF_TEN_BY_EXPONENT);
  return workspace;
}

/**
 * Parses SWF text in chunks: `push` for each chunk, then `end`. Problems are passed to the sink, not thrown.
 */
export class SwfParser implements LogReader {
  readonly #sink: LogSink;
  readonly #rows: RecordRowBuffer;
  readonly #workspace = makeSwfReadingWorkspace();
  /** Buffer of text; it starts with the unfinished line of the previous chunk. */
  readonly #buffer = this.#workspace.arrays.text;
  #held = 0;
  /** True within the rest of a reported overlong line. */
  #skipping = false;
  #comments: string[] | undefined = [];
  readonly #empty = new EmptyLineChecker();
  lines = 0;
  records = 0;
  isOver = false;

  constructor(sink: LogSink) {
    this.#sink = sink;
    const sinkAfterHeader: Pick<LogSink, 'records' | 'problem'> = {
      records: (recordRows, lineNumbers) => {
        this.#endHeader();
        sink.records(recordRows, lineNumbers);
      },
      problem: (problem) => {
        this.#endHeader();
        sink.problem(problem);
      },
    };
    this.#rows = new RecordRowBuffer(sinkAfterHeader, undefined, this.#workspace.arrays.rows);
  }

  push(chunk: Uint8Array): void {
    let takenByteCount = 0;
    while (takenByteCount < chunk.length && !this.isOver) {
      const chunkPart = chunk.subarray(takenByteCount, takenByteCount + SWF_LINE_BUFFER_BYTES - this.#held);
      this.#buffer.set(chunkPart, this.#held);
      this.#readBuffer(this.#held + chunkPart.length);
      takenByteCount += chunkPart.length;
    }
  }

  end(): void {
    if (this.#held > 0) this.push(Uint8Array.of(LINE_FEED_BYTE));
    this.#rows.handOver();
    this.#endHeader();
  }

  /** Parses the complete lines among the first bytes of the buffer, and moves the rest to the front. */
  #readBuffer(filled: number): void {
    const bytes = this.#buffer.subarray(0, filled);
    let from = 0;
    if (this.#skipping) {
      from = bytes.indexOf(LINE_FEED_BYTE) + 1;
      if (from === 0) return;
      this.#skipping = false;
    }
    const end = Math.max(from, bytes.lastIndexOf(LINE_FEED_BYTE) + 1);
    this.#readLines(from, end);
    this.#held = filled - end;
    if (this.#held > MAX_LINE_BYTES) {
      this.lines++;
      this.#rejectLongLine(bytes.subarray(end));
      this.#skipping = true;
      this.#held = 0;
    }
    bytes.copyWithin(0, end, end + this.#held);
  }

  /** Parses complete lines; the byte before `end` is a line feed. */
  #readLines(from: number, end: number): void {
    let bytePosition = from;
    while (bytePosition < end && !this.isOver) {
      const nextPosition = this.#readPlainLines(bytePosition, end);
      if (nextPosition > bytePosition) bytePosition = nextPosition;
      else {
        this.lines++;
        const lineFeedPosition = this.#buffer.indexOf(LINE_FEED_BYTE, bytePosition);
        this.#readLine(this.#buffer.subarray(bytePosition, lineFeedPosition));
        bytePosition = lineFeedPosition + 1;
      }
    }
  }

  /** Parses consecutive plain records, up to one block. Returns the offset behind them. */
  #readPlainLines(from: number, end: number): number {
    const { arrays, loops } = this.#workspace;
    const { text, rows, whole, powers, stop } = arrays;
    const { gathered, previousSubmit } = this.#rows;
    const maxLineBytesWithEnd = MAX_LINE_BYTES + 1;
    const filled = loops.readSwfRecords(
      ...([
        text,
        from,
        end,
        maxLineBytesWithEnd,
        whole,
        powers,
        rows,
        gathered,
        previousSubmit,
        stop,
      ] as const),
    );
    const recordCount = filled - gathered;
    if (recordCount > 0) {
      this.records += recordCount;
      this.#empty.record(this.lines + recordCount);
      this.#rows.acceptRecords(recordCount, this.lines + 1);
      this.lines += recordCount;
    }
    return stop[0]!;
  }

  /** Parses a line of any kind. */
  #readLine(whole: Uint8Array): void {
    const lineBytes = this.lines === 1 && startsWithByteOrderMark(whole) ? whole.subarray(3) : whole;
    const firstNonBlankIndex = lineBytes.findIndex((byte) => !isBlankByte(byte));
    if (whole.length > MAX_LINE_BYTES) this.#rejectLongLine(whole);
    else if (lineBytes.some(isUnprintableByte)) this.#rejectLine('binary', quoteLogBytes(lineBytes));
    else if (firstNonBlankIndex >= 0 && lineBytes[firstNonBlankIndex] !== SEMICOLON_BYTE)
      this.#readRecord(lineBytes);
    else {
      if (firstNonBlankIndex >= 0) this.#readComment(lineBytes);
      this.#stop(this.#empty.noteEmptyLine(this.lines));
    }
  }

  /** Parses a comment; comments behind the first record do not belong to the header. */
  #readComment(lineBytes: Uint8Array): void {
    if (this.records > 0) return;
    this.#stop(this.#empty.noteCommentLine(this.lines, lineBytes.length));
    if (!this.isOver) this.#comments?.push(decodeUtf8Line(lineBytes));
  }

  #countRecord(): void {
    this.records++;
    this.#empty.record(this.lines);
  }

  /** Stops parsing if there is a problem. */
  #stop(problem: SyntaxProblem | undefined): void {
    if (problem === undefined || this.isOver) return;
    this.#endHeader();
    this.#sink.problem(problem);
    this.isOver = true;
  }

  /** Parses a record that is not plain, field by field. */
  #readRecord(lineBytes: Uint8Array): void {
    const lineFields = splitBlankSeparatedFields(lineBytes);
    if (lineFields.length !== SWF_FIELDS_PER_RECORD) {
      this.#rejectLine(
        'field-count',
        `${formatCount(lineFields.length, 'field')} in ${quoteLogBytes(lineBytes)}`,
      );
      return;
    }
    this.#countRecord();
    let isReadable = true;
    lineFields.forEach((bytes, index) => {
      const parsedNumber = parseDecimal(decodeLatin1(bytes));
      if (
        parsedNumber !== undefined &&
        (!IS_WHOLE_NUMBER_FIELD[index] || Number.isSafeInteger(parsedNumber))
      ) {
        this.#rows.numbers[this.#rows.offset + index] = parsedNumber;
      } else {
        isReadable = false;
        this.#reject(parsedNumber === undefined ? 'number' : 'whole-number', index + 1, quoteLogBytes(bytes));
      }
    });
    if (isReadable) this.#rows.acceptRecordAtOffset(this.lines);
  }

  #rejectLongLine(firstBytes: Uint8Array): void {
    const { rule, found } = describeLongLineProblem(firstBytes);
    this.#rejectLine(rule, found);
  }

  #rejectLine(rule: 'binary' | 'long-line' | 'field-count', foundText: string): void {
    this.#countRecord();
    this.#reject(rule, undefined, foundText);
  }

  #reject(rule: SyntaxRule, fieldNumber: number | undefined, foundText: string): void {
    this.#endHeader();
    this.#sink.problem({ rule, line: this.lines, field: fieldNumber, found: foundText });
  }

  #endHeader(): void {
    if (this.#comments === undefined) return;
    this.#sink.header(this.#comments);
    this.#comments = undefined;
  }
}

/** Number of records per piece of written text. */
const SWF_RECORDS_PER_CHUNK = 1024;

/**
 * Writes a log as text in pieces: header lines unchanged, then one line per record, with each number in the
 * shortest form that parses to the same number.
 * @throws InputError if a header line would not be parsed to the same line, or a number is not finite.
 * @example
 * console.log([...encodeTrace(trace)].join('').split('\n').length); // 210
 */
export function* encodeTrace(trace: Trace): Generator<string> {
  checkArgument(trace, 'trace', 'encodeTrace');
  checkHeaderSurvivesRereading(trace);
  if (trace.header.lines.length > 0) yield `${trace.header.lines.join('\n')}\n`;
  const columns = SWF_FIELDS.map((field) => trace.columns[field]);
  for (let from = 0; from < trace.count; from += SWF_RECORDS_PER_CHUNK) {
    let chunkText = '';
    for (let record = from; record < Math.min(from + SWF_RECORDS_PER_CHUNK, trace.count); record++) {
      for (let fieldIndex = 0; fieldIndex < columns.length; fieldIndex++) {
        const fieldValue = columns[fieldIndex]![record];
        if (!Number.isFinite(fieldValue)) throw makeNonFiniteValueError(trace, record, fieldIndex);
        chunkText += fieldIndex === 0 ? fieldValue : ` ${fieldValue}`;
      }
      chunkText += '\n';
    }
    yield chunkText;
  }
}

/** Checks that the parser would return every header line unchanged. */
function checkHeaderSurvivesRereading({ source: traceSource, header }: Trace): void {
  let rereadLines: readonly string[] = [];
  const parser = new SwfParser({
    header: (lines) => {
      rereadLines = lines;
    },
    records: () => {},
    problem: () => {},
    leaveOut: () => {},
  });
  parser.push(new TextEncoder().encode(header.lines.map((line) => `${line}\n`).join('')));
  parser.end();
  const changedLineIndex = header.lines.findIndex((line, index) => line !== rereadLines[index]);
  if (changedLineIndex < 0) return;
  throw new InputError(
    `${escapeNonPrintingText(traceSource)}: header line ${changedLineIndex + 1} cannot be written: found '${escapeNonPrintingText(header.lines[changedLineIndex]!.slice(0, 40))}', ` +
      'expected one line of printable text that starts with ;',
  );
}

function makeNonFiniteValueError({ source: traceSource }: Trace, record: number, field: number): InputError {
  return new InputError(
    `${escapeNonPrintingText(traceSource)}: record ${record + 1}, field ${field + 1} (${SWF_FIELDS[field]}) cannot be written: ` +
      'it is not a finite number; use -1 for what is unknown',
  );
}

/** The Standard Workload Format, chosen if no other format matches. */
export const SWF_FORMAT = {
  name: 'swf',
  title: 'Standard Workload Format',
  example: '1 0 5 60 4 -1 -1 4 120 -1 1 3 2 -1 1 -1 -1 -1',
  places: LINE_PLACE_NAMES,
  hasUnixTimes: false,
  isLike: () => true,
  open: (sink) => new SwfParser(sink),
} as const satisfies LogFormat;
