/**
 * Reader of job tables in CSV and TSV, whose first line names the columns. Parquet files are first converted
 * to such text. Columns are assigned to fields by name, by known public tables, or by the option `columns`.
 */
import {
  escapeNonPrintingText,
  formatSourceAsShellWord,
  quoteLogText,
  quoteShellWord,
} from '../format/text.js';
import {
  AccountingJobCollector,
  type AccountingRecord,
  isRepeatedState,
  JOB_STATE_NUMBERS,
  jobStateNumberOf,
  resetAccountingRecord,
} from './accountingJobs.js';
import type { LogFormat, LogHead, TableReadingOptions } from './logFormat.js';
import { LINE_PLACE_NAMES, ROW_PLACE_NAMES } from './places.js';
import { type PlainFieldSource, type PlainLineLayout, PlainLineReader } from './plainLines.js';
import { LogLineReader } from './readers.js';
import {
  type ArrivalChoice,
  type LogNames,
  type LogReader,
  type LogSink,
  NAMED_FIELDS,
  RecordRowBuffer,
} from './records.js';
import type { SyntaxProblem, SyntaxRule } from './syntax.js';
import {
  chooseTableLayout,
  findColumnIndex,
  PUBLIC_TABLE_FORMATS,
  type TableColumnField,
  type TableFieldColumn,
} from './tableColumns.js';
import { parseTableDuration, TableTimeReader } from './tableTimes.js';

/** Pattern of a column name: a short text with a letter that is neither a date nor a number. */
const TABLE_COLUMN_NAME_PATTERN = /^(?!\d[\d.:-]*[TZe+-]?[\d.:-]*$)(?=.*\p{L})[^"]{1,60}$/u;

/** Separators between fields, the most common first. */
const TABLE_SEPARATORS = [',', '\t', ';', '|'];

/** Detects the separator: the one that splits a line into the most fields. */
function detectTableSeparator(line: string): string {
  const fieldCounts = TABLE_SEPARATORS.map((separator) => line.split(separator).length);
  return TABLE_SEPARATORS[fieldCounts.indexOf(Math.max(...fieldCounts))] as string;
}

/** True if every field of a line is empty or looks like a column name: it has a letter, and is no date. */
export function areColumnNames(lineFields: readonly string[]): boolean {
  return lineFields.every((field) => field.trim() === '' || TABLE_COLUMN_NAME_PATTERN.test(field.trim()));
}

/**
 * True if the first line consists of column names. With only two names it might be a sentence, so the next
 * lines must have two fields too.
 */
function hasColumnNames({ line: firstLine, text: headText }: LogHead): boolean {
  const separator = detectTableSeparator(firstLine);
  const columnNames = splitTableRow(firstLine, separator) ?? [];
  if (columnNames.length < 2 || !areColumnNames(columnNames)) return false;
  if (columnNames.length > 2) return true;
  const [, ...rows] = headText.split('\n').filter((rowText) => !/^\s*(?:[#;]|$)/.test(rowText));
  const isCut = (row: number) => row === rows.length - 1 && !headText.endsWith('\n');
  return rows.slice(0, 3).every((rowText, i) => isCut(i) || splitTableRow(rowText, separator)?.length === 2);
}

/** True if the first line, which may begin with `#`, contains all columns named by `columnsOption`. */
export function hasColumnsOfOption({ comments, line: firstLine }: LogHead, columnsOption: string): boolean {
  return [...comments, firstLine].some((lineText) => isTableHeader(lineText, columnsOption));
}

function isTableHeader(line: string, columnsOption: string | undefined): boolean {
  return 'columns' in chooseTableLayout(parseTableColumnNames(line), columnsOption);
}

/** Splits the first line into column names. */
function parseTableColumnNames(line: string): string[] {
  return (splitTableRow(line, detectTableSeparator(line)) ?? []).map((columnName) => columnName.trim());
}

/**
 * Splits a line into fields, which may be in double quotes with inner quotes doubled; undefined if a quote is
 * not closed.
 */
function splitTableRow(line: string, separator: string): string[] | undefined {
  if (!line.includes('"')) return line.split(separator);
  const lineFields: string[] = [];
  for (let position = 0; position <= line.length; ) {
    if (line[position] === '"') {
      let fieldText = '';
      let from = position + 1;
      let end = line.indexOf('"', from);
      while (end >= 0 && line[end + 1] === '"') {
        fieldText += line.slice(from, end + 1);
        from = end + 2;
        end = line.indexOf('"', from);
      }
      if (end < 0 || (end + 1 < line.length && line[end + 1] !== separator)) return undefined;
      lineFields.push(fieldText + line.slice(from, end));
      position = end + 2;
      if (end + 1 === line.length) return lineFields;
    } else {
      const nextSeparatorPosition = line.indexOf(separator, position);
      lineFields.push(line.slice(position, nextSeparatorPosition < 0 ? line.length : nextSeparatorPosition));
      if (nextSeparatorPosition < 0) return lineFields;
      position = nextSeparatorPosition + 1;
    }
  }
  lineFields.push('');
  return lineFields;
}

/** Format of tables with column names in the first line. */
export const TABLE_FORMAT = {
  name: 'table',
  title: 'table with names of columns: CSV, TSV or Parquet',
  example:
    'job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n' +
    '7,ann,vc1,4,16,1,COMPLETED,2020-06-09 18:41:01,2020-06-09 18:41:11,2020-06-09 18:51:11,600,10',
  places: LINE_PLACE_NAMES,
  hasUnixTimes: 'if large',
  isUnordered: true,
  uses: ['arrival', 'columns', 'timeZone'],
  tables: PUBLIC_TABLE_FORMATS,
  isLike: hasColumnNames,
  open: (sink, logNames, arrivalChoice, tableReadingOptions) => {
    const tableRowReader = new TableRowReader(sink, logNames, arrivalChoice, tableReadingOptions, (problem) =>
      reader.stop(problem),
    );
    const reader: LogLineReader & LogReader = new LogLineReader(sink, tableRowReader);
    return reader;
  },
} as const satisfies LogFormat;

/** Format of tables in Parquet files, which have rows instead of lines. */
export const PARQUET_TABLE_FORMAT = { ...TABLE_FORMAT, places: ROW_PLACE_NAMES } as const satisfies LogFormat;

/** Texts of unknown values, in lower case. */
const TABLE_UNKNOWN_VALUE_TEXTS: readonly string[] = [
  '',
  '-1',
  'null',
  'none',
  'nan',
  'nat',
  'na',
  'n/a',
  '<na>',
  'unknown',
  '\\n',
];
/** Texts that mean no time limit, in lower case. */
const TABLE_NO_LIMIT_TEXTS: readonly string[] = [
  'infinite',
  'infinity',
  'inf',
  'unlimited',
  'partition_limit',
  'not_set',
];

/** Number of characters of a header that an error shows. */
const MAX_SHOWN_HEADER_LENGTH = 160;

/** Fields of a record that are times. */
const TABLE_TIME_FIELDS = ['submit', 'eligible', 'start', 'end'] as const;

const PLAIN_NUMBER_PATTERN = /^\d+(?:\.\d+)?$/;
/**
 * Smallest time that counts as seconds since 1970 (March 1973); smaller times count from the start of the
 * log.
 */
const MIN_UNIX_TIME = 1e8;

/** A column in use, and its index in a row. */
interface TableColumnWithIndex extends TableFieldColumn {
  readonly place: number;
}

/** Names of the fields that the fast reader can read (see plainLines.ts). */
const PLAIN_LINE_SOURCES_BY_FIELD: Readonly<Partial<Record<TableColumnField, PlainFieldSource>>> = {
  ...{ job: 'job', submit: 'submit', eligible: 'eligible', start: 'start', end: 'end', runtime: 'elapsed' },
  ...{ processors: 'processors', requestedProcessors: 'requestedProcessors', requestedTime: 'limit' },
  ...{
    status: 'state',
    user: 'user',
    group: 'group',
    executable: 'executable',
    queue: 'queue',
    partition: 'partition',
  },
};

type TableRowFault = Pick<SyntaxProblem, 'rule' | 'found' | 'expected' | 'place'>;

class TableRowReader {
  readonly #sink: LogSink;
  readonly #names: LogNames;
  readonly #stop: (problem: SyntaxProblem) => void;
  readonly #options: TableReadingOptions;
  readonly #times: TableTimeReader;
  readonly #jobs: AccountingJobCollector;
  #separator = ',';
  #fieldCount = 0;
  #columns: readonly TableColumnWithIndex[] | undefined;
  readonly plain: PlainLineReader;
  /** Fields that the table contains. */
  #has: ReadonlySet<TableColumnField> = new Set();
  #rows = 0;
  #isHeaderReported = false;
  /** First invalid value of the current row. */
  #fault: TableRowFault | undefined;
  #wait = -1;

  constructor(
    sink: LogSink,
    logNames: LogNames,
    arrivalChoice: ArrivalChoice,
    options: TableReadingOptions,
    stop: (problem: SyntaxProblem) => void,
  ) {
    this.#sink = sink;
    this.#names = logNames;
    this.#options = options;
    this.#stop = stop;
    this.#times = new TableTimeReader(options.timeZone);
    this.#jobs = new AccountingJobCollector(
      { sink, names: logNames, rows: new RecordRowBuffer(sink) },
      arrivalChoice,
    );
    this.plain = new PlainLineReader(this.#jobs.record, logNames);
  }

  takePlain(): boolean {
    const { record: accountingRecord } = this.#jobs;
    this.#rows++;
    if (!this.#has.has('job')) accountingRecord.job = this.#rows;
    this.#wait = -1;
    if (
      !TABLE_TIME_FIELDS.every(
        (field) =>
          accountingRecord[field] < 0 ||
          (accountingRecord[field] > 0 && this.#isOnClock(accountingRecord[field])),
      )
    ) {
      this.#rows--;
      return false;
    }
    this.#complete(accountingRecord);
    this.#jobs.takeRecord();
    return true;
  }

  line(lineText: string, lineNumber: number) {
    if (lineText.trim() === '') return 'blank' as const;
    if (this.#columns === undefined) {
      if (/^\s*[#;]/.test(lineText) && !isTableHeader(lineText, this.#options.columns))
        return 'comment' as const;
      this.#readNames(lineText, lineNumber);
      return 'comment' as const;
    }
    const lineFields = splitTableRow(lineText, this.#separator);
    if (lineFields?.length === this.#fieldCount) this.#readRow(lineFields, this.#columns, lineNumber);
    else {
      const foundText = `${lineFields === undefined ? 'a quote without end' : `${lineFields.length} fields`} in ${quoteLogText(lineText)}`;
      const expectedForm = `${this.#fieldCount} fields, as the line with the names has`;
      this.#sink.problem({
        rule: 'field-count',
        line: lineNumber,
        field: undefined,
        found: foundText,
        expected: expectedForm,
      });
    }
    return 'record' as const;
  }

  end(): void {
    this.#jobs.end();
    this.#reportHeader();
  }

  #reportHeader(): void {
    if (!this.#isHeaderReported) this.#sink.header([]);
    this.#isHeaderReported = true;
  }

  #readNames(headerText: string, line: number): void {
    this.#reportHeader();
    this.#separator = detectTableSeparator(headerText);
    const columnNames = parseTableColumnNames(headerText);
    this.#fieldCount = columnNames.length;
    const layout = chooseTableLayout(columnNames, this.#options.columns);
    if ('columns' in layout) {
      this.#columns = layout.columns.map((column) => ({
        ...column,
        place: findColumnIndex(columnNames, column.column),
      }));
      this.#has = new Set(layout.columns.map(({ field }) => field));
      this.plain.setLayout(this.#plainLayout(this.#columns));
      return;
    }
    this.#columns = [];
    const { expected, guess } = layout;
    this.#stop({
      ...{ rule: 'columns', line, field: undefined, expected },
      found: `a table with the columns ${escapeNonPrintingText(columnNames.join(', ').slice(0, MAX_SHOWN_HEADER_LENGTH))}`,
      describeRemedy: (logSource) =>
        `say what they are, for instance: gridalloc trace info ${formatSourceAsShellWord(logSource)} --columns ${quoteShellWord(guess)}`,
    });
  }

  /**
   * Layout of plain rows; undefined if the slow reader is needed for a unit of a column or for the time zone.
   */
  #plainLayout(columns: readonly TableColumnWithIndex[]): PlainLineLayout | undefined {
    const columnByField: Partial<Record<PlainFieldSource, number>> = {};
    const { timeZone = 'UTC' } = this.#options;
    for (const { field, factor, place: at } of columns) {
      const fieldSource = PLAIN_LINE_SOURCES_BY_FIELD[field];
      const isKnownFactor = factor === 1 || (factor === 60 && field === 'requestedTime');
      if (fieldSource === undefined || !isKnownFactor || Object.values(columnByField).includes(at))
        return undefined;
      columnByField[fieldSource] = at;
    }
    if (!/^(?:UTC|Z)$/i.test(timeZone)) return undefined;
    const isLimitInMinutes = columns.some(({ field, factor }) => field === 'requestedTime' && factor === 60);
    const [count, separator] = [this.#fieldCount, this.#separator];
    return {
      count,
      fieldIndices: columnByField,
      separator,
      isLimitInMinutes,
      noNames: TABLE_UNKNOWN_VALUE_TEXTS,
      isTable: true,
    };
  }

  #readRow(fields: readonly string[], columns: readonly TableColumnWithIndex[], line: number): void {
    const { record: accountingRecord } = this.#jobs;
    resetAccountingRecord(accountingRecord);
    this.#fault = undefined;
    this.#wait = -1;
    accountingRecord.number = line;
    accountingRecord.job = ++this.#rows;
    accountingRecord.hasEligible = this.#has.has('eligible');
    accountingRecord.hasLimit = this.#has.has('requestedTime');
    for (const column of columns)
      this.#readField((fields[column.place] as string).trim(), column, accountingRecord);
    if (accountingRecord.state === JOB_STATE_NUMBERS.unfinished) this.#jobs.takeRecord();
    else if (this.#fault !== undefined)
      this.#sink.problem({ line, field: undefined, ...(this.#fault as TableRowFault) });
    else {
      this.#complete(accountingRecord);
      this.#jobs.takeRecord();
    }
  }

  /** Computes missing values: the start from the wait, and the runtime from start and end. */
  #complete(accountingRecord: AccountingRecord): void {
    accountingRecord.isRepeated &&= accountingRecord.start >= 0;
    const arrival = accountingRecord.hasEligible
      ? Math.max(accountingRecord.submit, accountingRecord.eligible)
      : accountingRecord.submit;
    if (accountingRecord.start < 0 && this.#wait >= 0) accountingRecord.start = arrival + this.#wait;
    if (
      accountingRecord.elapsed < 0 &&
      accountingRecord.start >= 0 &&
      accountingRecord.end >= accountingRecord.start
    )
      accountingRecord.elapsed = accountingRecord.end - accountingRecord.start;
    if (accountingRecord.end < 0 && accountingRecord.start >= 0 && accountingRecord.elapsed >= 0)
      accountingRecord.end = accountingRecord.start + accountingRecord.elapsed;
  }

  #readField(fieldText: string, column: TableColumnWithIndex, accountingRecord: AccountingRecord): void {
    const { field, factor } = column;
    if (TABLE_UNKNOWN_VALUE_TEXTS.includes(fieldText.toLowerCase())) {
      // A job without a submit time cannot be placed.
      if (field === 'submit') this.#fail('time', fieldText, column);
      return;
    }
    switch (field) {
      case 'job':
        accountingRecord.job = /^\d{1,15}(?:\.0+)?$/.test(fieldText)
          ? Number(fieldText)
          : this.#names.job(fieldText);
        return;
      case 'submit':
      case 'eligible':
      case 'start':
      case 'end': {
        const time = this.#times.read(fieldText);
        if (time === undefined || (factor !== 1 && !PLAIN_NUMBER_PATTERN.test(fieldText)))
          this.#fail('time', fieldText, column);
        else if (!this.#isOnClock(time * factor)) this.#fail('time', fieldText, column, this.#expectedTime());
        // In a table with times since 1970, 0 means that the time is unknown.
        else accountingRecord[field] = time === 0 && this.#isUnix ? -1 : time * factor;
        return;
      }
      case 'wait':
        this.#wait = this.#duration(fieldText, column);
        return;
      case 'runtime':
        accountingRecord.elapsed = this.#duration(fieldText, column);
        return;
      case 'requestedTime':
        accountingRecord.limit = TABLE_NO_LIMIT_TEXTS.includes(fieldText.toLowerCase())
          ? -1
          : this.#duration(fieldText, column);
        return;
      case 'status':
        this.#readStatus(fieldText, accountingRecord);
        return;
      case 'processors':
      case 'requestedProcessors':
      case 'precedingJob':
        accountingRecord[field] = this.#count(fieldText, column);
        return;
      case 'averageCpuTime':
      case 'usedMemory':
      case 'requestedMemory':
      case 'thinkTime':
        accountingRecord[field] = this.#duration(fieldText, column);
        return;
      default:
        if (NAMED_FIELDS.includes(field)) accountingRecord[field] = this.#names.number(field, fieldText);
    }
  }

  /** True if times are seconds since 1970, as decided by the first time of the table; undefined before it. */
  #isUnix: boolean | undefined;

  /**
   * True if a time is of the same kind as the first one of the table: since 1970, or since the start of the
   * log.
   */
  #isOnClock(time: number): boolean {
    if (time === 0) return true;
    this.#isUnix ??= time >= MIN_UNIX_TIME;
    return this.#isUnix === time >= MIN_UNIX_TIME;
  }

  #expectedTime(): string {
    return this.#isUnix
      ? 'a date, or seconds since 1970, as in the rows before'
      : 'seconds from the start of the log, as in the rows before';
  }

  /** Sets the status of the job from an SWF status number (0 to 5) or a word such as COMPLETED. */
  #readStatus(statusText: string, accountingRecord: AccountingRecord): void {
    if (/^[0-5]$/.test(statusText)) {
      accountingRecord.state = Number(statusText);
      return;
    }
    const stateWord = statusText.toUpperCase();
    accountingRecord.stateName = statusText;
    if (
      /^(?:COMPLETED?|PASS(?:ED)?|DONE|SUCCE|FINISHED)/.test(stateWord) &&
      !stateWord.startsWith('COMPLETING')
    )
      accountingRecord.state = JOB_STATE_NUMBERS.completed;
    else if (/^(?:CANCEL|KILLED|ABORT)/.test(stateWord)) accountingRecord.state = JOB_STATE_NUMBERS.cancelled;
    else accountingRecord.state = jobStateNumberOf(stateWord);
    accountingRecord.isRepeated = isRepeatedState(stateWord);
  }

  #duration(durationText: string, column: TableColumnWithIndex): number {
    const seconds =
      column.factor === 1 || PLAIN_NUMBER_PATTERN.test(durationText)
        ? parseTableDuration(durationText)
        : undefined;
    if (seconds !== undefined) return seconds * column.factor;
    const expectedNumber = `a number, since ${column.column} is multiplied by ${column.factor}`;
    return this.#fail(
      'time',
      durationText,
      column,
      column.factor === 1 ? 'seconds, or a duration such as 1-02:03:04' : expectedNumber,
    );
  }

  #count(countText: string, column: TableColumnWithIndex): number {
    // Programs without missing whole numbers write floating-point ones, such as 64.0.
    const parsedNumber = /^\d{1,15}(?:\.0+)?$/.test(countText)
      ? Number(countText) * column.factor
      : Number.NaN;
    return Number.isSafeInteger(parsedNumber)
      ? parsedNumber
      : this.#fail('whole-number', countText, column, 'a whole number');
  }

  #fail(
    rule: SyntaxRule,
    fieldText: string,
    { column: columnName }: TableColumnWithIndex,
    expectedForm?: string,
  ): -1 {
    this.#fault ??= {
      rule,
      place: `column ${quoteLogText(columnName)}`,
      found: quoteLogText(fieldText),
      ...(expectedForm === undefined ? {} : { expected: expectedForm }),
    };
    return -1;
  }
}
