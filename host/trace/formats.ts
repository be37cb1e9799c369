/** The formats of logs, and which of them a log has. */
import { readBatsim } from './batsim.js';
import { isGwfLine, readGwf } from './gwf.js';
import { latin1Text } from './quote.js';
import type { LogReader, LogSink, Names } from './records.js';
import { isSacctJson, isSacctLine, readSacct, readSacctJson } from './sacct.js';
import { SwfParser } from './swf.js';
import { LONGEST_LINE } from './syntax.js';

/** The names of the formats. */
export const FORMAT_NAMES = ['swf', 'gwf', 'sacct', 'sacct-json', 'batsim'] as const;
/** A format of logs, by name. */
export type FormatName = (typeof FORMAT_NAMES)[number];

/** A format of logs. */
export interface LogFormat {
  readonly name: FormatName;
  readonly title: string;
  /** Whether its submit times are seconds since 1970; otherwise the header may say when they begin. */
  readonly hasUnixTimes: boolean;
  /** Whether a log that begins so is of this format; the first format of which it is counts. */
  readonly isLike: (start: string) => boolean;
  readonly open: (sink: LogSink, names: Names) => LogReader;
}

/** Every format. */
export const FORMATS: readonly LogFormat[] = [
  {
    name: 'sacct-json',
    title: 'output of sacct --json',
    hasUnixTimes: true,
    isLike: isSacctJson,
    open: readSacctJson,
  },
  {
    name: 'batsim',
    title: 'JSON workload of Batsim',
    hasUnixTimes: false,
    isLike: (start) => start.startsWith('{'),
    open: readBatsim,
  },
  {
    name: 'sacct',
    title: 'output of sacct --parsable2',
    hasUnixTimes: true,
    isLike: isSacctLine,
    open: readSacct,
  },
  {
    name: 'gwf',
    title: 'Grid Workload Format',
    hasUnixTimes: false,
    isLike: isGwfLine,
    open: readGwf,
  },
  {
    name: 'swf',
    title: 'Standard Workload Format',
    hasUnixTimes: false,
    isLike: () => true,
    open: (sink) => new SwfParser(sink),
  },
];

/** The format of this name. */
function formatOf(name: FormatName): LogFormat {
  return FORMATS.find((format) => format.name === name) as LogFormat;
}

/** What reading a log of whatever format needs. */
export interface OpenOptions {
  /** The format; by default what the log looks like. */
  readonly format?: FormatName | undefined;
  readonly names: Names;
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
    if (options.format !== undefined) this.#open(formatOf(options.format));
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
    if (this.#reader !== undefined) this.#reader.push(chunk);
    else this.#detect(chunk);
  }

  end(): void {
    if (this.#reader === undefined) this.#openLike(startOf(this.#head, true) ?? '');
    this.#reader?.end();
  }

  #detect(chunk: Uint8Array): void {
    const head = new Uint8Array(this.#head.length + chunk.length);
    head.set(this.#head);
    head.set(chunk, this.#head.length);
    this.#head = head;
    const start = startOf(head);
    if (start !== undefined) this.#openLike(start);
  }

  #openLike(start: string): void {
    this.#open(FORMATS.find(({ isLike }) => isLike(start)) as LogFormat);
    this.#reader?.push(this.#head);
    this.#head = new Uint8Array(0);
  }

  #open(format: LogFormat): void {
    this.#options.onFormat?.(format);
    this.#reader = format.open(this.#sink, this.#options.names);
  }
}

/** What tells the format: the first line that is not blank, of JSON more; undefined when more has to come. */
function startOf(head: Uint8Array, isWhole = false): string | undefined {
  const start = latin1Text(head.subarray(0, 2 * LONGEST_LINE)).replace(/^(?:\u00ef\u00bb\u00bf)?\s*/, '');
  const end = start.startsWith('{') ? -1 : start.indexOf('\n');
  if (end >= 0) return start.slice(0, end).trimEnd();
  return isWhole || head.length > LONGEST_LINE ? start : undefined;
}
