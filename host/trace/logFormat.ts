/** What a format of logs is; each has a file of its own, and formats.ts lists them. */
import type { RecordPlaceNames } from './places.js';
import type { Arrival, LogNames, LogReader, LogSink } from './records.js';
import type { PublicTableFormat } from './tableColumns.js';
import type { ReadingOption } from './trace.js';

/** The beginning of a log, by which its format is recognized. */
export interface LogHead {
  /** From the first character that is no blank on. */
  readonly text: string;
  /** Lines that start with `#` or `;`, up to the first other one. */
  readonly comments: readonly string[];
  /** The first line that is neither blank nor one of these; empty where there is none. */
  readonly line: string;
}

/** How a table is read. */
export interface TableOptions {
  /** Which column is what, such as `submit=queued,runtime=duration`; default: as the known tables say. */
  readonly columns?: string | undefined;
  /** Time zone of dates that name none: Europe/Berlin or +01:00. Default: UTC. */
  readonly timeZone?: string | undefined;
}

/** A format of logs. */
export interface LogFormat {
  readonly name: string;
  readonly title: string;
  /** A line that a log in this format may have, or all of a small one; it is recognized by it. */
  readonly example: string;
  /** How places in such a log are counted and named. */
  readonly places: RecordPlaceNames;
  /** Submit times are seconds since 1970 (`if large`: unless they are too small for that); otherwise the header may say when they begin. */
  readonly hasUnixTimes: boolean | 'if large';
  /** Whether a log that begins so has this format; the first match counts. */
  readonly isLike: (head: LogHead) => boolean;
  /** Records may come in any order, and are sorted by their arrival; otherwise the order must be that of submits. */
  readonly isUnordered?: boolean;
  /** Options of reading that make a difference in this format; the others are reported as unused. */
  readonly uses?: readonly ReadingOption[];
  /** Public tables that are read without naming their columns. */
  readonly tables?: readonly PublicTableFormat[];
  /** @param arrival which moment is the submit time of a job, in formats that know several. */
  readonly open: (sink: LogSink, names: LogNames, arrival: Arrival, table: TableOptions) => LogReader;
}
