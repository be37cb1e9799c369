/** Common parts of the readers of accounting files that have one record per line. */
import { quoteLogText } from '../format/text.js';
import { AccountingJobCollector, type AccountingRecord, resetAccountingRecord } from './accountingJobs.js';
import { type PlainLineLayout, PlainLineReader } from './plainLines.js';
import { LogLineReader } from './readers.js';
import {
  type ArrivalChoice,
  type LogNames,
  type LogReader,
  type LogSink,
  RecordRowBuffer,
  type RecordWithoutJob,
} from './records.js';
import type { SyntaxProblem } from './syntax.js';

/** Result of reading a line of an accounting file: a usable record, no job, a comment, or an error. */
export type AccountingLineResult =
  | 'job'
  | 'comment'
  | Pick<RecordWithoutJob, 'rule' | 'example'>
  | Pick<SyntaxProblem, 'rule' | 'found' | 'expected' | 'place'>;

/** Reads the lines of a format into records. */
export interface AccountingFormat {
  /** Reads a nonblank line into the record, whose fields are all unknown before. */
  readonly readLineInto: (line: string, accountingRecord: AccountingRecord) => AccountingLineResult;
  /** Layout of lines that the fast reader can read. */
  readonly layout?: PlainLineLayout;
  /** Completes a record read by the fast reader; returns false if `readLineInto` has to read the line. */
  readonly readPlain?: (lineReader: PlainLineReader, row: number) => boolean;
  /** Completes the file: passes on the records that only all lines together reveal. */
  readonly finishLog?: (accountingRecord: AccountingRecord, acceptRecord: () => void) => void;
}

/** A reader of an accounting file; its records may come in any order. */
export function readAccountingLog(
  sink: LogSink,
  logNames: LogNames,
  arrivalChoice: ArrivalChoice,
  openFormat: (accountingRecord: AccountingRecord) => AccountingFormat,
): LogReader {
  const accountingJobCollector = new AccountingJobCollector(
    { sink, names: logNames, rows: new RecordRowBuffer(sink) },
    arrivalChoice,
  );
  const { record: accountingRecord } = accountingJobCollector;
  const accountingFormat = openFormat(accountingRecord);
  const { layout, readPlain } = accountingFormat;
  const plainLineReader = layout && new PlainLineReader(accountingRecord, logNames);
  plainLineReader?.setLayout(layout);
  let isHeaderReported = false;
  const reportHeaderOnce = () => {
    if (!isHeaderReported) sink.header([]);
    isHeaderReported = true;
  };
  return new LogLineReader(sink, {
    line: (lineText, lineNumber) => {
      const line = lineText.trim();
      if (line === '') return 'blank';
      resetAccountingRecord(accountingRecord);
      accountingRecord.number = lineNumber;
      const lineResult = accountingFormat.readLineInto(line, accountingRecord);
      if (lineResult === 'comment') return 'comment';
      reportHeaderOnce();
      if (lineResult === 'job') accountingJobCollector.takeRecord();
      else if ('example' in lineResult) sink.leaveOut({ ...lineResult, line: lineNumber });
      else sink.problem({ field: undefined, line: lineNumber, ...lineResult });
      return 'record';
    },
    plain: plainLineReader,
    takePlain: (row) => {
      if (plainLineReader === undefined || readPlain?.(plainLineReader, row) !== true) return false;
      reportHeaderOnce();
      accountingJobCollector.takeRecord();
      return true;
    },
    end: () => {
      accountingFormat.finishLog?.(accountingRecord, () => accountingJobCollector.takeRecord());
      accountingJobCollector.end();
      reportHeaderOnce();
    },
  });
}

/** Problem of a field that does not contain a number. */
export function makeWrongNumberProblem(
  fieldName: string,
  numberText: string | undefined,
): Exclude<AccountingLineResult, string> {
  return {
    rule: 'number',
    place: fieldName,
    found: numberText === undefined ? 'nothing' : quoteLogText(numberText),
  };
}

/** Marker for a time limit that cannot be read. */
export const UNREADABLE_TIME_LIMIT = -2;

/** Problem of a field that does not contain a duration. */
export function makeWrongDurationProblem(
  fieldName: string,
  durationText: string,
): Exclude<AccountingLineResult, string> {
  return {
    rule: 'time',
    place: fieldName,
    found: quoteLogText(durationText),
    expected: 'a duration such as 1:00:00, or seconds',
  };
}

/** Smallest time interpreted as milliseconds; in seconds it would be in the year 5138. */
const MIN_TIME_COUNTED_IN_MILLISECONDS = 1e11;

/** Converts a time in seconds or milliseconds since 1970 to seconds; -1 for 0, which means unknown. */
export function toSecondsSince1970(timestamp: number): number {
  return timestamp <= 0
    ? -1
    : timestamp >= MIN_TIME_COUNTED_IN_MILLISECONDS
      ? Math.floor(timestamp / 1000)
      : timestamp;
}

/** Parses `90`, `1:30`, `1:00:00` or `2-01:00:00` as seconds; undefined for any other text. */
export function parseClockSeconds(durationText: string): number | undefined {
  const [, days = '0', clockText = ''] = /^(?:(\d+)-)?(\d+(?::\d+){0,3})$/.exec(durationText) ?? [];
  if (clockText === '') return undefined;
  const clockParts = clockText.split(':').map(Number);
  const unitSeconds = [1, 60, 3600, 86_400];
  const seconds = clockParts.reverse().reduce((sum, part, i) => sum + part * unitSeconds[i]!, 0);
  return Number(days) * 86_400 + seconds;
}
