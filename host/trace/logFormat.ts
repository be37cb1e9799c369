/** Interface of a log format. Each format has its own file; formats.ts lists all. */
import type { RecordPlaceNames } from './places.js';
import type { ArrivalChoice, LogNames, LogReader, LogSink } from './records.js';
import type { PublicTableFormat } from './tableColumns.js';
import type { ReadingOptionName } from './trace.js';

/** Beginning of a log, from which its format is detected. */
export interface LogHead {
  /** Text from the first nonblank character on. */
  readonly text: string;
  /** Lines that start with `#` or `;`, up to the first other line. */
  readonly comments: readonly string[];
  /** First line that is neither blank nor a comment; empty if there is none. */
  readonly line: string;
}

/** Options for reading tables. */
export interface TableReadingOptions {
  /** Assignment of columns to fields, such as `submit=queued,runtime=duration`; default: detected. */
  readonly columns?: string | undefined;
  /** Time zone of dates without one, such as Europe/Berlin or +01:00. Default: UTC. */
  readonly timeZone?: string | undefined;
}

/** A format of logs. */
export interface LogFormat {
  readonly name: string;
  readonly title: string;
  /**
   * Example of a line in this format, or of a whole small log.
   */
  readonly example: string;
  /** Unit in which places are counted, and their names. */
  readonly places: RecordPlaceNames;
  /**
   * True if submit times are seconds since 1970 (`if large`: if the values are large enough for that);
   * otherwise the header may give the start date.
   */
  readonly hasUnixTimes: boolean | 'if large';
  /** True if a log with this beginning has this format; the first match is chosen. */
  readonly isLike: (logHead: LogHead) => boolean;
  /**
   * True if records may come in any order and are sorted by arrival; otherwise they must be sorted by submit
   * time.
   */
  readonly isUnordered?: boolean;
  /** Reading options that have an effect in this format; any others are reported as unused. */
  readonly uses?: readonly ReadingOptionName[];
  /** Known public tables, whose columns need not be named. */
  readonly tables?: readonly PublicTableFormat[];
  /**
   * @param arrivalChoice time that becomes the submit time of a job, in formats with several candidates.
   */
  readonly open: (
    sink: LogSink,
    names: LogNames,
    arrivalChoice: ArrivalChoice,
    tableReadingOptions: TableReadingOptions,
  ) => LogReader;
}
