/** Reads logs from text or bytes in memory into columns; files/traceFiles.ts reads files. */

import { checkArgument, checkOptionNames, registerLibraryOptions } from '../arguments.js';
import { InputError } from '../errors.js';
import { formatCount, formatNumber } from '../format/numbers.js';
import { makePrintableSourceName } from '../format/text.js';
import { firstElement } from '../lists.js';
import { SWF_SUBMIT_FIELD_INDEX } from '../loops/loops.js';
import { ColumnBuilder, dropAndSortRecords, sortBySubmit } from './columns.js';
import { AnyFormatLogReader, FORMAT_DESCRIPTIONS, type FormatName, type LogInputKind } from './formats.js';
import type { LogFormat, TableReadingOptions } from './logFormat.js';
import type { RecordPlaceUnit } from './places.js';
import {
  type ArrivalChoice,
  LogNames,
  type LogNote,
  type LogSink,
  type RecordAmendments,
} from './records.js';
import {
  describeSyntaxProblem,
  makeSyntaxProblemSentence,
  SYNTAX_RULES,
  type SyntaxProblem,
} from './syntax.js';
import {
  deriveHeader,
  findEarliestSubmitSecond,
  type LeftOut,
  NO_LIMIT_HEADER_KEY,
  type NoteRule,
  parseHeader,
  type ReadingOptionName,
  type RecordNote,
  SWF_FIELDS_PER_RECORD,
  type SwfField,
  setHeaderEntry,
  type Trace,
  type TraceHeader,
} from './trace.js';

/** Options for parsing a log. */
export interface ParseOptions extends TableReadingOptions {
  /** Name of the log in error messages and in `Trace.source`; default `log`. */
  readonly source?: string | undefined;
  /** Format of the log; default: detected from the content. */
  readonly format?: FormatName | undefined;
  /** True to sort the records by submit time (stably) instead of refusing descending times. */
  readonly sort?: boolean | undefined;
  /** True to drop and count unreadable records instead of refusing the log. */
  readonly skipBadLines?: boolean | undefined;
  /**
   * Arrival time of jobs in accounting records: when they became eligible to start (default), or when they
   * were submitted.
   */
  readonly arrival?: ArrivalChoice | undefined;
}

/** Options for reading a log. */
export type ReadingOptions = Omit<ParseOptions, 'source'>;

/** Copies the options for reading a log, without other properties of the settings. */
export function pickReadingOptions(settings: ReadingOptions): ReadingOptions {
  const { format, sort, skipBadLines, arrival, columns, timeZone } = settings;
  return { format, sort, skipBadLines, arrival, columns, timeZone };
}

const PARSE_TRACE_OPTIONS = registerLibraryOptions<ParseOptions>('parseTrace', {
  source: true,
  format: true,
  sort: true,
  skipBadLines: true,
  arrival: true,
  columns: true,
  timeZone: true,
});

/**
 * Parses a job log in memory.
 * @param log text or uncompressed bytes of the log.
 * @throws InputError at the first line that breaks a rule, and for a log without records.
 * @example
 * const log = parseTrace('; MaxProcs: 8\n1 0 -1 60 4 -1 -1 4 90 -1 1 7 -1 -1 1 -1 -1 -1');
 * console.log(log.header.maxProcessors, log.columns.runtime[0]); // 8 60
 */
export function parseTrace(log: string | Uint8Array, options: ParseOptions = {}): Trace {
  checkArgument(log, 'log', 'parseTrace');
  checkOptionNames(PARSE_TRACE_OPTIONS, options);
  const reader = new TraceTextReader(options);
  reader.push(typeof log === 'string' ? new TextEncoder().encode(log) : log);
  return reader.end();
}

/**
 * Smallest submit time interpreted as seconds since 1970 (March 1973) in formats that allow both; smaller
 * values count from the start of the log.
 */
const MIN_UNIX_TIME = 1e8;

/** Reads a log in chunks from one file or several consecutive files; only the columns are kept in memory. */
export class TraceTextReader {
  readonly #source: string;
  readonly #options: ParseOptions;
  readonly #columns = new ColumnBuilder();
  readonly #names = new LogNames();
  readonly #leftOut = new OmittedRecordCounts();
  #reader: AnyFormatLogReader | undefined;
  /** Name of the current file, and the number of files begun. */
  #file: string;
  #files = 0;
  /** Reading options that have an effect in the format of at least one file. */
  readonly #used = new Set<ReadingOptionName>();
  #format: LogFormat = firstElement(FORMAT_DESCRIPTIONS);
  #firstFormat: LogFormat | undefined;
  /** Header lines of all files in order. */
  #headerLines: readonly string[] = [];
  /** Header of the pieces taken. */
  #pieceHeader: TraceHeader | undefined;
  /** Number of records in these pieces. */
  #taken = 0;
  /**
   * Start of the first file's clock in seconds since 1970, and the difference to the current file's clock.
   */
  #clockStart: number | undefined;
  #shift = 0;
  #lastSubmit = Number.NEGATIVE_INFINITY;
  #isAscending = true;
  /** True if a file has a format whose records are sorted after reading. */
  #isUnordered = false;
  /** Place of the last dropped record, which may break several rules but counts once. */
  #badPlace = '';
  #earlierRecords = 0;
  #bytes = 0;
  /** Number of records in the columns before the current file. */
  #earlierCount = 0;
  #count = 0;
  readonly #dropped: number[] = [];
  readonly #changed: [record: number, fields: Partial<Record<SwfField, number>>][] = [];
  readonly #notes = new Map<NoteRule, { count: number; seconds: number }>();

  readonly #input: LogInputKind | undefined;
  readonly #orderRemedy: SyntaxProblem['describeRemedy'];

  /**
   * @param inputKind kind of the current file; may change between files.
   * @param describeOrderRemedy advice for a log whose submit times descend, if its records cannot be sorted
   * here.
   */
  constructor(
    options: ParseOptions = {},
    inputKind?: LogInputKind,
    describeOrderRemedy?: SyntaxProblem['describeRemedy'],
  ) {
    this.#input = inputKind;
    this.#orderRemedy = describeOrderRemedy;
    this.#source = options.source ?? 'log';
    this.#file = this.#source;
    this.#options = options;
  }

  /** Number of records so far, readable or not. */
  get records(): number {
    return this.#earlierRecords + (this.#reader?.records ?? 0);
  }

  /** Format of the current file; undefined before it is known. */
  get format(): LogFormat | undefined {
    return this.#firstFormat && this.#format;
  }

  /** Number of records in the columns. */
  get gathered(): number {
    return this.#count;
  }

  /**
   * Removes the records in the columns and returns them as a log, with the header of the whole log. For a
   * single file of a format whose header precedes its records.
   */
  takeTracePiece(): Trace {
    const { count: recordCount, columns: swfColumns } = this.#columns.finish();
    this.#count = 0;
    this.#taken += recordCount;
    this.#pieceHeader ??= parseHeader(this.#headerLines);
    return { source: this.#source, header: this.#pieceHeader, count: recordCount, columns: swfColumns };
  }

  /**
   * Returns the records that were dropped from the log, by reason, and the reading options that had no effect.
   * Call it after the last file.
   * @throws InputError if the log has no record.
   */
  finishPieces(): Pick<Trace, 'leftOut' | 'unused'> {
    const leftOut = this.#leftOut.list();
    if (this.#taken === 0) throw this.#noRecordsError(leftOut);
    return { ...(leftOut.length === 0 ? {} : { leftOut }), ...this.#unusedOptions() };
  }

  /**
   * Parses the next bytes.
   * @throws InputError at the first line that breaks a rule.
   */
  push(chunk: Uint8Array): void {
    if (this.#reader === undefined) this.begin(this.#source);
    this.#reader?.push(chunk);
    this.#bytes += chunk.length;
  }

  /** Reserves capacity for this many records. */
  expect(recordCount: number): void {
    this.#columns.setExpectedRecordCount(recordCount);
  }

  /** Begins the next file, with its name for error messages. A single file need not be begun. */
  begin(file: string): void {
    this.endFile();
    this.#file = file;
    this.#files++;
    this.#shift = 0;
    this.#reader = new AnyFormatLogReader(this.#sink, {
      ...pickReadingOptions(this.#options),
      names: this.#names,
      input: this.#input,
      onFormat: (logFormat) => this.#setFormat(logFormat),
    });
  }

  /**
   * Returns the complete log.
   * @throws InputError if it has no record.
   */
  end(): Trace {
    this.endFile();
    const finished = this.#columns.finish();
    const { columns: swfColumns } = finished;
    for (const [record, fields] of this.#changed) {
      for (const field of Object.keys(fields) as SwfField[])
        swfColumns[field][record] = fields[field] as number;
    }
    const needsArranging = this.#isUnordered || this.#dropped.length > 0;
    const keptCount = needsArranging ? dropAndSortRecords(swfColumns, this.#dropped) : finished.count;
    const leftOut = this.#leftOut.list();
    if (keptCount === 0) throw this.#noRecordsError(leftOut);
    const recordNotes = [...this.#notes].map(([rule, note]): RecordNote => ({ rule, ...note }));
    const { clusters } = this.#names;
    if (clusters.size > 1) this.#names.deleteNamesSharedByClusters(swfColumns.job, swfColumns.partition);
    const trace = {
      source: this.#source,
      header: this.#header(keptCount, swfColumns.submit, recordNotes),
      count: keptCount,
      columns: swfColumns,
      ...(leftOut.length === 0 ? {} : { leftOut }),
      ...(recordNotes.length === 0 ? {} : { notes: recordNotes }),
      ...this.#unusedOptions(),
      ...(clusters.size > 1 ? { clusters: [...clusters] } : {}),
    };
    return this.#isAscending || needsArranging ? trace : sortBySubmit(trace);
  }

  #noRecordsError(leftOut: readonly LeftOut[]): InputError {
    return new InputError(
      `${makeEmptyLogMessage(this.#source, this.#bytes, this.#format.places.unit, leftOut)}; give a job log with jobs that have run`,
    );
  }

  /** Reading options that have no effect in the formats of the files. */
  #unusedOptions(): Pick<Trace, 'unused'> {
    const { arrival, columns: named, timeZone } = this.#options;
    const requestedOptions = {
      arrival: arrival === 'submit' ? arrival : undefined,
      columns: named,
      timeZone,
    };
    const unused = (Object.keys(requestedOptions) as ReadingOptionName[]).filter(
      (option) => requestedOptions[option] !== undefined && !this.#used.has(option),
    );
    return unused.length === 0 ? {} : { unused };
  }

  #setFormat(logFormat: LogFormat): void {
    this.#format = logFormat;
    this.#firstFormat ??= logFormat;
    this.#isUnordered ||= logFormat.isUnordered === true;
    for (const option of logFormat.uses ?? []) this.#used.add(option);
    if (logFormat.hasUnixTimes) this.#setClock(0);
  }

  /** Ends the current file, if any; the last records are then in the columns. */
  endFile(): void {
    this.#reader?.end();
    this.#earlierRecords = this.records;
    this.#earlierCount = this.#count;
    this.#reader = undefined;
  }

  readonly #sink: LogSink = {
    header: (lines) => this.#takeHeader(lines),
    records: (recordRows, lineNumbers) => this.#takeRecords(recordRows, lineNumbers),
    problem: (problem) => this.#takeProblem(problem),
    leaveOut: (recordWithoutJob) =>
      this.#leftOut.add(
        recordWithoutJob.rule,
        this.#placeOf(recordWithoutJob.line),
        recordWithoutJob.example,
        recordWithoutJob.count,
      ),
    amend: (changes) => this.#takeChanges(changes),
    notes: (logNotes) => this.#takeNotes(logNotes),
  };

  #takeChanges({ dropped, changed }: RecordAmendments): void {
    for (const record of dropped) this.#dropped.push(this.#earlierCount + record);
    for (const [record, fields] of changed) this.#changed.push([this.#earlierCount + record, fields]);
  }

  #takeNotes(logNotes: readonly LogNote[]): void {
    for (const { rule, count: noteCount, seconds } of logNotes) {
      const earlier = this.#notes.get(rule);
      this.#notes.set(rule, {
        count: noteCount + (earlier?.count ?? 0),
        seconds: seconds + (earlier?.seconds ?? 0),
      });
    }
  }

  #takeHeader(lines: readonly string[]): void {
    if (!this.#format.hasUnixTimes) this.#setClock(parseHeader(lines).unixStartTime);
    const knownHeaderLines = new Set(this.#headerLines);
    this.#headerLines = [
      ...this.#headerLines,
      ...lines.filter((line) => this.#files === 1 || !knownHeaderLines.has(line)),
    ];
  }

  /** Aligns the clocks of several files if all give a start date. */
  #setClock(start: number | undefined): void {
    if (this.#files === 1) this.#clockStart = start;
    else if (start !== undefined && this.#clockStart !== undefined) this.#shift = start - this.#clockStart;
    else if (this.#format.hasUnixTimes || this.#firstFormat?.hasUnixTimes) {
      throw new InputError(
        `${makePrintableSourceName(this.#source)}: one of the files does not say when its clock begins (UnixStartTime), so they cannot follow one another`,
      );
    }
  }

  #takeRecords(recordRows: Float64Array, lineNumbers: Float64Array): void {
    if (this.#shift !== 0) {
      for (
        let position = SWF_SUBMIT_FIELD_INDEX;
        position < recordRows.length;
        position += SWF_FIELDS_PER_RECORD
      )
        recordRows[position]! += this.#shift;
    }
    const submitTime = recordRows[SWF_SUBMIT_FIELD_INDEX]!;
    if (this.#files > 1 && submitTime < this.#lastSubmit && this.#isAscending && !this.#isUnordered) {
      const foundText = `${submitTime} after ${this.#lastSubmit} in a file before it`;
      this.#takeProblem({
        rule: 'submit-order',
        line: lineNumbers[0],
        field: SWF_SUBMIT_FIELD_INDEX + 1,
        found: foundText,
      });
    }
    this.#lastSubmit = recordRows[recordRows.length - SWF_FIELDS_PER_RECORD + SWF_SUBMIT_FIELD_INDEX]!;
    this.#columns.add(recordRows);
    this.#count += lineNumbers.length;
  }

  #takeProblem(problem: SyntaxProblem): void {
    const { sort = false, skipBadLines = false } = this.#options;
    if (problem.rule === 'submit-order' && sort) {
      this.#isAscending = false;
    } else if (SYNTAX_RULES[problem.rule].isOfRecord && skipBadLines) {
      const problemLocation = this.#placeOf(problem.line);
      if (problemLocation !== this.#badPlace)
        this.#leftOut.add(problem.rule, problemLocation, describeSyntaxProblem(problem, this.#format.places));
      this.#badPlace = problemLocation;
    } else {
      const describeOrderRemedy = problem.rule === 'submit-order' ? this.#orderRemedy : undefined;
      const describeRemedy = describeOrderRemedy ?? problem.describeRemedy;
      throw new InputError(
        makeSyntaxProblemSentence(this.#file, { ...problem, describeRemedy }, this.#format.places),
      );
    }
  }

  #placeOf(line: number | undefined): string {
    const location = line === undefined ? '' : this.#format.places.nameOf(line);
    return this.#files === 1 ? location : `${makePrintableSourceName(this.#file)}, ${location}`;
  }

  /**
   * Header of the log: unchanged for SWF; for other formats, lines with the original format and the start
   * date.
   */
  #header(recordCount: number, submit: Float64Array, remarks: readonly RecordNote[]): TraceHeader {
    const { name: formatName, title: formatTitle, hasUnixTimes } = this.#firstFormat as LogFormat;
    const notes = this.#files === 1 ? [] : [`${this.#files} files, one after the other`];
    const noLimitRemark = remarks.find(({ rule }) => rule === 'no-limit');
    let lines = this.#headerLines;
    if (formatName !== 'swf') {
      const hasUnixTime = hasUnixTimes === true || (hasUnixTimes !== false && submit[0]! >= MIN_UNIX_TIME);
      const zeroTime = hasUnixTime ? findEarliestSubmitSecond(submit) : 0;
      for (let i = 0; i < recordCount; i++) submit[i]! -= zeroTime;
      const start = hasUnixTime ? [`; UnixStartTime: ${zeroTime}`] : [];
      lines = ['; Version: 2.2', `; Conversion: from ${formatTitle}, by gridalloc`, ...start, ...lines];
      if (noLimitRemark !== undefined)
        lines = [...lines, `; ${NO_LIMIT_HEADER_KEY}: ${noLimitRemark.count} (-1 in field 9 means no limit)`];
    }
    const remarkLines = remarks.map(formatLogNote).map((remark) => `; Note: ${remark}`);
    const header = parseHeader([...lines, ...this.#names.headerLines(), ...remarkLines]);
    return notes.length === 0
      ? header
      : deriveHeader(parseHeader(setHeaderEntry(header.lines, 'MaxJobs', recordCount)), recordCount, notes);
  }
}

const NO_RECORDS_MESSAGES_BY_UNIT: Readonly<Record<RecordPlaceUnit, string>> = {
  line: 'holds no records, only comments or blank lines',
  row: 'holds no rows',
  job: 'holds no jobs',
};

/**
 * Message about a log without jobs.
 * @param leftOut numbers of records that are not jobs, by rule.
 */
export function makeEmptyLogMessage(
  logSource: string,
  bytes: number,
  recordUnit: RecordPlaceUnit,
  leftOut: readonly Pick<LeftOut, 'rule' | 'count'>[] = [],
): string {
  const rules = leftOut
    .map(({ rule, count: droppedCount }) => `${rule} ${formatNumber(droppedCount)}`)
    .join(', ');
  if (rules !== '')
    return `${makePrintableSourceName(logSource)} holds no job that has run; records by the rule that drops them: ${rules}`;
  const fault = bytes === 0 ? 'is empty' : NO_RECORDS_MESSAGES_BY_UNIT[recordUnit];
  return `${makePrintableSourceName(logSource)} ${fault}`;
}

const LOG_NOTE_MESSAGES: Readonly<Record<NoteRule, (seconds: number) => string>> = {
  'late-arrival': () =>
    'arrived later than submitted: held, with a later begin, dependent on others, or in a limited array',
  suspended: (seconds) => `had suspensions, ${formatNumber(seconds)} s in total, which are left out`,
  resized: () => 'had several sizes, with a record for each',
  'clock-jump': () => 'had times that do not fit together, as when a clock is set back',
  'unknown-state': () => 'ended in a state that is not known; their status is -1',
  requeued: () =>
    'ended a run after which the scheduler may run the job again, such as a requeued one or one whose node failed',
  'cancelled-waiting': () => 'left the queue, cancelled, without having run',
  'no-limit': () => 'came without a time limit',
};

/** Formats a remark with the number of jobs that it concerns. */
export function formatLogNote({ rule, count: noteCount, seconds }: RecordNote): string {
  return `${formatCount(noteCount, 'job')} ${LOG_NOTE_MESSAGES[rule](seconds)}`;
}

const MAX_REPORTED_PLACES = 5;

/** Counts of dropped records by rule, in order of appearance. */
class OmittedRecordCounts {
  readonly #rules = new Map<string, { count: number; places: string[]; example: string }>();

  add(rule: string, recordLocation: string, example: string, recordCount = 1): void {
    let omitted = this.#rules.get(rule);
    if (omitted === undefined) {
      omitted = { count: 0, places: [], example };
      this.#rules.set(rule, omitted);
    }
    omitted.count += recordCount;
    if (omitted.places.length < MAX_REPORTED_PLACES) omitted.places.push(recordLocation);
  }

  list(): LeftOut[] {
    return [...this.#rules].map(([rule, omitted]) => ({ rule, ...omitted }));
  }
}
