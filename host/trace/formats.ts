/** The formats of logs, and which of them a log has. */
import { latin1Text } from '../format/text.js';
import { BATSIM } from './batsim.js';
import { GRID_ENGINE } from './gridEngine.js';
import { GWF } from './gwf.js';
import type { LogFormat, LogHead, TableOptions } from './logFormat.js';
import { LSF } from './lsf.js';
import { PBS } from './pbs.js';
import { PHILLY } from './philly.js';
import { decodeLine } from './readers.js';
import type { Arrival, LogReader, LogSink, Names } from './records.js';
import { SACCT } from './sacct.js';
import { SACCT_JSON } from './sacctJson.js';
import { SWF } from './swf.js';
import { LONGEST_LINE } from './syntax.js';
import { hasColumns, PARQUET_TABLE, TABLE } from './tableReader.js';

/** Every format; the first that a log looks like counts, and the last is that of all others. */
const ALL_FORMATS = [SACCT_JSON, PHILLY, BATSIM, PBS, LSF, GRID_ENGINE, SACCT, TABLE, GWF, SWF] as const;

/** A format of logs, by name. */
export type FormatName = (typeof ALL_FORMATS)[number]['name'];

/** Every format. */
export const FORMATS: readonly (LogFormat & { readonly name: FormatName })[] = ALL_FORMATS;

/** The names of the formats, the most common first. */
export const FORMAT_NAMES: readonly FormatName[] = ALL_FORMATS.map(({ name }) => name).reverse();

/** The format of a log that begins so; a log with all columns that an option names is a table, whatever else it looks like. */
function formatLike(head: LogHead, columns: string | undefined): LogFormat {
  if (columns !== undefined && hasColumns(head, columns)) return TABLE;
  return FORMATS.find(({ isLike }) => isLike(head)) ?? SWF;
}

/** The kind of a file, which is known once its first bytes have come. */
export interface LogInputKind {
  /** The bytes are the text of a Parquet table, which has rows and no lines. */
  isParquet: boolean;
}

/** What reading a log of whatever format needs. */
interface OpenOptions extends TableOptions {
  /** The format; by default what the log looks like. */
  readonly format?: FormatName | undefined;
  readonly names: Names;
  readonly arrival?: Arrival | undefined;
  readonly input?: LogInputKind | undefined;
  /** Told of the format before anything is read. */
  readonly onFormat?: ((format: LogFormat) => void) | undefined;
}

/** Reads a log in the format that it has. */
export class AnyReader implements LogReader {
  readonly #sink: LogSink;
  readonly #options: OpenOptions;
  /** The start of a log whose format is not known yet. */
  #head = new Uint8Array(0);
  #reader: LogReader | undefined;

  constructor(sink: LogSink, options: OpenOptions) {
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
    if (this.#reader === undefined) this.#openLike(headOf(this.#head, true) ?? EMPTY_BYTES);
    this.#reader?.end();
  }

  /** Opens the format that is named, or that of a Parquet file. */
  #openNamed(): void {
    if (this.#reader !== undefined || this.#head.length > 0) return;
    const { format: name, input } = this.#options;
    const format = FORMATS.find((each) => each.name === name);
    if (input?.isParquet && (format === undefined || format === TABLE)) this.#open(PARQUET_TABLE);
    else if (format !== undefined) this.#open(format);
  }

  #detect(chunk: Uint8Array): void {
    const head = new Uint8Array(this.#head.length + chunk.length);
    head.set(this.#head);
    head.set(chunk, this.#head.length);
    this.#head = head;
    const start = headOf(head);
    if (start !== undefined) this.#openLike(start);
  }

  #openLike(head: LogHead): void {
    this.#open(formatLike(head, this.#options.columns));
    this.#reader?.push(this.#head);
    this.#head = new Uint8Array(0);
  }

  #open(format: LogFormat): void {
    this.#options.onFormat?.(format);
    const { names, arrival = 'eligible' } = this.#options;
    this.#reader = format.open(this.#sink, names, arrival, this.#options);
  }
}

const EMPTY_BYTES: LogHead = { text: '', comments: [], line: '' };

/** Bytes of comments that are looked at for the first line that is none. */
const LONGEST_HEAD = 4 * LONGEST_LINE;

/** A line whose bytes were taken for Latin-1, as UTF-8 if they are that. */
function asUtf8(line: string): string {
  return decodeLine(Uint8Array.from(line, (char) => char.charCodeAt(0)));
}

/** The beginning of a log; undefined when more has to come. */
function headOf(bytes: Uint8Array, isComplete = false): LogHead | undefined {
  const text = latin1Text(bytes.subarray(0, LONGEST_HEAD)).replace(/^(?:\u00ef\u00bb\u00bf)?\s*/, '');
  if (/^[[{]/.test(text))
    return isComplete || bytes.length > LONGEST_LINE ? { ...EMPTY_BYTES, text } : undefined;
  const lines = text.split('\n').map((line) => line.trim());
  // The end of the last one may be missing.
  const last = isComplete || bytes.length > LONGEST_HEAD ? '' : (lines.pop() ?? '');
  const comments: string[] = [];
  for (const line of lines) {
    if (/^[#;]/.test(line)) comments.push(asUtf8(line));
    else if (line !== '') return { text, comments, line: asUtf8(line) };
  }
  if (last.length > LONGEST_LINE) return { text, comments, line: last };
  return isComplete || bytes.length > LONGEST_HEAD ? { text, comments, line: '' } : undefined;
}
