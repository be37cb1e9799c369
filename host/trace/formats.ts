/** All log formats, and the detection of the format of a log. */
import { decodeLatin1 } from '../format/text.js';
import { BATSIM_FORMAT } from './batsim.js';
import { GRID_ENGINE_FORMAT } from './gridEngine.js';
import { GWF_FORMAT } from './gwf.js';
import type { LogFormat, LogHead, TableReadingOptions } from './logFormat.js';
import { LSF_FORMAT } from './lsf.js';
import { PBS_FORMAT } from './pbs.js';
import { PHILLY_FORMAT } from './philly.js';
import { decodeUtf8Line } from './readers.js';
import type { ArrivalChoice, LogNames, LogReader, LogSink } from './records.js';
import { SACCT_FORMAT } from './sacct.js';
import { SACCT_JSON_FORMAT } from './sacctJson.js';
import { SWF_FORMAT } from './swf.js';
import { MAX_LINE_BYTES } from './syntax.js';
import { hasColumnsOfOption, PARQUET_TABLE_FORMAT, TABLE_FORMAT } from './tableReader.js';

/** All formats in order of detection: the first that matches is chosen, and the last matches everything. */
const ALL_LOG_FORMATS = [
  SACCT_JSON_FORMAT,
  PHILLY_FORMAT,
  BATSIM_FORMAT,
  PBS_FORMAT,
  LSF_FORMAT,
  GRID_ENGINE_FORMAT,
  SACCT_FORMAT,
  TABLE_FORMAT,
  GWF_FORMAT,
  SWF_FORMAT,
] as const;

/** Name of a log format. */
export type FormatName = (typeof ALL_LOG_FORMATS)[number]['name'];

/** All formats with their descriptions. */
export const FORMAT_DESCRIPTIONS: readonly (LogFormat & { readonly name: FormatName })[] = ALL_LOG_FORMATS;

/** Names of the formats, the most common first. */
export const FORMAT_NAMES: readonly FormatName[] = ALL_LOG_FORMATS.map(({ name }) => name).reverse();

/**
 * Detects the format from the beginning of a log. A log that contains all columns named by an option is a
 * table, whatever else it resembles.
 */
function detectLogFormat(logHead: LogHead, columnsOption: string | undefined): LogFormat {
  if (columnsOption !== undefined && hasColumnsOfOption(logHead, columnsOption)) return TABLE_FORMAT;
  return FORMAT_DESCRIPTIONS.find(({ isLike }) => isLike(logHead)) ?? SWF_FORMAT;
}

/** Kind of a file, known once its first bytes have arrived. */
export interface LogInputKind {
  /** True if the bytes are the text of a converted Parquet table, which has rows instead of lines. */
  isParquet: boolean;
}

/** Options and callbacks for reading a log of any format. */
interface LogReadingContext extends TableReadingOptions {
  /** Format; default: detected from the content. */
  readonly format?: FormatName | undefined;
  readonly names: LogNames;
  readonly arrival?: ArrivalChoice | undefined;
  readonly input?: LogInputKind | undefined;
  /** Receives the format before anything is read. */
  readonly onFormat?: ((logFormat: LogFormat) => void) | undefined;
}

/** Reads a log in the format it is in. */
export class AnyFormatLogReader implements LogReader {
  readonly #sink: LogSink;
  readonly #options: LogReadingContext;
  /** Beginning of a log whose format is not known yet. */
  #head = new Uint8Array(0);
  #reader: LogReader | undefined;

  constructor(sink: LogSink, options: LogReadingContext) {
    this.#sink = sink;
    this.#options = options;
  }

  get lines(): number {
    return this.#reader?.lines ?? 0;
  }

  get records(): number {
    return this.#reader?.records ?? 0;
  }

  get isOver(): boolean {
    return this.#reader?.isOver ?? false;
  }

  push(chunk: Uint8Array): void {
    this.#openNamed();
    if (this.#reader !== undefined) this.#reader.push(chunk);
    else this.#detect(chunk);
  }

  end(): void {
    this.#openNamed();
    if (this.#reader === undefined) this.#openLike(findLogHead(this.#head, true) ?? EMPTY_LOG_HEAD);
    this.#reader?.end();
  }

  /** Opens the given format, or the Parquet format for a Parquet file. */
  #openNamed(): void {
    if (this.#reader !== undefined || this.#head.length > 0) return;
    const { format: name, input } = this.#options;
    const logFormat = FORMAT_DESCRIPTIONS.find((description) => description.name === name);
    if (input?.isParquet && (logFormat === undefined || logFormat === TABLE_FORMAT))
      this.#open(PARQUET_TABLE_FORMAT);
    else if (logFormat !== undefined) this.#open(logFormat);
  }

  #detect(chunk: Uint8Array): void {
    const joinedBytes = new Uint8Array(this.#head.length + chunk.length);
    joinedBytes.set(this.#head);
    joinedBytes.set(chunk, this.#head.length);
    this.#head = joinedBytes;
    const logHead = findLogHead(joinedBytes);
    if (logHead !== undefined) this.#openLike(logHead);
  }

  #openLike(logHead: LogHead): void {
    this.#open(detectLogFormat(logHead, this.#options.columns));
    this.#reader?.push(this.#head);
    this.#head = new Uint8Array(0);
  }

  #open(logFormat: LogFormat): void {
    this.#options.onFormat?.(logFormat);
    const { names: logNames, arrival = 'eligible' } = this.#options;
    this.#reader = logFormat.open(this.#sink, logNames, arrival, this.#options);
  }
}

const EMPTY_LOG_HEAD: LogHead = { text: '', comments: [], line: '' };

/** Maximum number of bytes of comments to search for the first line that is not a comment. */
const MAX_LOG_HEAD_BYTES = 4 * MAX_LINE_BYTES;

/** Decodes a line again as UTF-8 if its bytes, read as Latin-1, are valid UTF-8. */
function redecodeAsUtf8(line: string): string {
  return decodeUtf8Line(Uint8Array.from(line, (char) => char.charCodeAt(0)));
}

/** Extracts the beginning of a log; undefined if more bytes are needed. */
function findLogHead(bytes: Uint8Array, isComplete = false): LogHead | undefined {
  const headText = decodeLatin1(bytes.subarray(0, MAX_LOG_HEAD_BYTES)).replace(
    /^(?:\u00ef\u00bb\u00bf)?\s*/,
    '',
  );
  if (/^[[{]/.test(headText))
    return isComplete || bytes.length > MAX_LINE_BYTES ? { ...EMPTY_LOG_HEAD, text: headText } : undefined;
  const lines = headText.split('\n').map((line) => line.trim());
  // The end of the last one may be missing.
  const incompleteLastLine = isComplete || bytes.length > MAX_LOG_HEAD_BYTES ? '' : (lines.pop() ?? '');
  const comments: string[] = [];
  for (const line of lines) {
    if (/^[#;]/.test(line)) comments.push(redecodeAsUtf8(line));
    else if (line !== '') return { text: headText, comments, line: redecodeAsUtf8(line) };
  }
  if (incompleteLastLine.length > MAX_LINE_BYTES)
    return { text: headText, comments, line: incompleteLastLine };
  return isComplete || bytes.length > MAX_LOG_HEAD_BYTES ? { text: headText, comments, line: '' } : undefined;
}
