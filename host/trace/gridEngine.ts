/**
 * Reader of the accounting file of Grid Engine (Sun, Son of, Univa, Altair): comments start with `#`; each
 * other line describes a finished job, array task or slave task in 45 fields separated by `:` (42 before
 * version 8). docs/real-logs.md lists what was seen in real files.
 */
import { quoteLogText } from '../format/text.js';
import { type AccountingRecord, JOB_STATE_NUMBERS } from './accountingJobs.js';
import {
  type AccountingLineResult,
  makeWrongDurationProblem,
  makeWrongNumberProblem,
  parseClockSeconds,
  readAccountingLog,
  toSecondsSince1970,
  UNREADABLE_TIME_LIMIT,
} from './accountingLines.js';
import type { LogFormat } from './logFormat.js';
import { LINE_PLACE_NAMES } from './places.js';
import type { PlainLineLayout, PlainLineReader } from './plainLines.js';
import type { LogNames } from './records.js';

/** Format of Grid Engine accounting files. */
export const GRID_ENGINE_FORMAT = {
  name: 'grid-engine',
  title: 'accounting file of Grid Engine',
  example:
    'all.q:node1:staff:ann:sim:23:sge:0:1772000000:1772000005:1772000065:0:0:60:1:1:1:0:0:0:0:1:0:0:0:0:0:0:0:0:0:NONE:d:NONE:1:0:1:0:0:-l h_rt=90:0:NONE:0:0:0',
  places: LINE_PLACE_NAMES,
  hasUnixTimes: true,
  isUnordered: true,
  isLike: ({ line: firstLine }) => {
    const lineFields = firstLine.split(':');
    return (
      lineFields.length >= MIN_GRID_ENGINE_FIELD_COUNT &&
      [5, 8, 9, 10].every((fieldIndex) => /^\d+$/.test(lineFields[fieldIndex]!))
    );
  },
  open: (sink, logNames, arrivalChoice) =>
    readAccountingLog(sink, logNames, arrivalChoice, (accountingRecord) => ({
      readLineInto: (line) => readGridEngineLine(line, accountingRecord, logNames),
      layout: GRID_ENGINE_LAYOUT,
      readPlain: (lineReader, row) => readPlainGridEngineLine(lineReader, row, accountingRecord),
    })),
} as const satisfies LogFormat;

/** Smallest number of fields of a record, in versions before 8. */
const MIN_GRID_ENGINE_FIELD_COUNT = 42;
/** Number of fields of a record since version 8. */
const GRID_ENGINE_8_FIELD_COUNT = 45;
const GRID_ENGINE_CATEGORY_INDEX = 39;

/** Indices of the fields with numbers, by their names in accounting(5). */
const GRID_ENGINE_NUMBER_FIELD_INDICES = {
  job_number: 5,
  submission_time: 8,
  start_time: 9,
  end_time: 10,
  failed: 11,
  exit_status: 12,
  slots: 34,
  task_number: 35,
} as const;

/** Indices of fields by use. */
const GRID_ENGINE_FIELD_INDICES = {
  ...{
    queue: 0,
    group: 2,
    user: 3,
    executable: 4,
    job: GRID_ENGINE_NUMBER_FIELD_INDICES.job_number,
    submit: GRID_ENGINE_NUMBER_FIELD_INDICES.submission_time,
  },
  ...{
    start: GRID_ENGINE_NUMBER_FIELD_INDICES.start_time,
    end: GRID_ENGINE_NUMBER_FIELD_INDICES.end_time,
    failed: GRID_ENGINE_NUMBER_FIELD_INDICES.failed,
    exitStatus: GRID_ENGINE_NUMBER_FIELD_INDICES.exit_status,
  },
  ...{
    processors: GRID_ENGINE_NUMBER_FIELD_INDICES.slots,
    taskNumber: GRID_ENGINE_NUMBER_FIELD_INDICES.task_number,
    category: GRID_ENGINE_CATEGORY_INDEX,
    slave: 41,
  },
} as const;

/** Code of the character that begins a comment. */
const COMMENT_CHARACTER_CODE = 35;

/** Codes of the field `failureCode`: the job was rescheduled, or ended by a signal, such as the signal sent by qdel. */
const RESCHEDULED_FAILURE_CODE = 25;
const FIRST_SIGNAL_FAILURE_CODE = 100;

/** Splits a line into fields; a limit such as `h_rt=1:00:00` in the category contains colons of its own. */
function splitGridEngineFields(line: string): string[] {
  const lineFields = line.split(':');
  const isCut = () =>
    lineFields.length > GRID_ENGINE_8_FIELD_COUNT &&
    /[hs]_(?:rt|cpu)=\d+(?::\d{1,2})?$/.test(lineFields[GRID_ENGINE_CATEGORY_INDEX]!) &&
    /^\d{1,2}(?:[ ,]|$)/.test(lineFields[GRID_ENGINE_CATEGORY_INDEX + 1]!);
  while (isCut())
    lineFields.splice(
      GRID_ENGINE_CATEGORY_INDEX,
      2,
      `${lineFields[GRID_ENGINE_CATEGORY_INDEX]}:${lineFields[GRID_ENGINE_CATEGORY_INDEX + 1]}`,
    );
  return lineFields;
}

/**
 * Parses the time limit among the requests of a category, in seconds; -1 for none,
 * UNREADABLE_TIME_LIMIT if it is not a duration. Requests after `-soft` are ignored, since they
 * need not be granted.
 */
function parseTimeLimitOfCategory(category: string): number {
  const [hard = ''] = category.split('-soft');
  const runtimeLimitMatch = /(?:^|[\s,])h_rt=([^\s,]*)/.exec(hard) ?? /(?:^|[\s,])s_rt=([^\s,]*)/.exec(hard);
  if (runtimeLimitMatch === null || runtimeLimitMatch[1] === 'INFINITY') return -1;
  return parseClockSeconds(runtimeLimitMatch[1]!) ?? UNREADABLE_TIME_LIMIT;
}

function readGridEngineLine(
  line: string,
  accountingRecord: AccountingRecord,
  logNames: LogNames,
): AccountingLineResult {
  if (line.startsWith('#')) return 'comment';
  const lineFields = splitGridEngineFields(line);
  if (lineFields.length < MIN_GRID_ENGINE_FIELD_COUNT) {
    const foundText = `${lineFields.length} fields in ${quoteLogText(line)}`;
    return {
      rule: 'field-count',
      found: foundText,
      expected: '45 fields separated by : as in accounting(5)',
    };
  }
  const numberByField = {} as Record<keyof typeof GRID_ENGINE_NUMBER_FIELD_INDICES, number>;
  for (const fieldName of Object.keys(
    GRID_ENGINE_NUMBER_FIELD_INDICES,
  ) as (keyof typeof GRID_ENGINE_NUMBER_FIELD_INDICES)[]) {
    const fieldText = lineFields[GRID_ENGINE_NUMBER_FIELD_INDICES[fieldName]]!;
    if (!/^-?\d{1,15}$/.test(fieldText)) return makeWrongNumberProblem(fieldName, fieldText);
    numberByField[fieldName] = Number(fieldText);
  }
  const jobName =
    numberByField.task_number > 0
      ? `${numberByField.job_number}.${numberByField.task_number}`
      : String(numberByField.job_number);
  if ((lineFields[GRID_ENGINE_FIELD_INDICES.slave] ?? 'NONE') !== 'NONE') {
    return { rule: 'step', example: `a slave task of job ${quoteLogText(jobName)}` };
  }
  const timeLimit = parseTimeLimitOfCategory(lineFields[GRID_ENGINE_CATEGORY_INDEX]!);
  if (timeLimit === UNREADABLE_TIME_LIMIT)
    return makeWrongDurationProblem('h_rt or s_rt in category', lineFields[GRID_ENGINE_CATEGORY_INDEX]!);
  if (numberByField.submission_time <= 0)
    return { rule: 'unfinished', example: `job ${quoteLogText(jobName)} was put back into the queue` };
  Object.assign(accountingRecord, {
    job: numberByField.task_number > 0 ? logNames.job(jobName) : numberByField.job_number,
    submit: numberByField.submission_time,
    start: numberByField.start_time,
    end: numberByField.end_time,
    processors: numberByField.slots,
    limit: timeLimit,
    user: logNames.number('user', lineFields[GRID_ENGINE_FIELD_INDICES.user]!),
    group: logNames.number('group', lineFields[GRID_ENGINE_FIELD_INDICES.group]!),
    executable: logNames.number('executable', lineFields[GRID_ENGINE_FIELD_INDICES.executable]!),
    queue: logNames.number('queue', lineFields[GRID_ENGINE_FIELD_INDICES.queue]!),
  } satisfies Partial<AccountingRecord>);
  completeGridEngineRecord(accountingRecord, numberByField.failed, numberByField.exit_status);
  return 'job';
}

/** Converts the times and slots of a line to those of a run, or of a job that never started. */
function completeGridEngineRecord(
  accountingRecord: AccountingRecord,
  failureCode: number,
  exitStatus: number,
): void {
  const start = toSecondsSince1970(accountingRecord.start);
  const end = toSecondsSince1970(accountingRecord.end);
  const hasRun = start >= 0 && end >= start;
  accountingRecord.submit = toSecondsSince1970(accountingRecord.submit);
  accountingRecord.start = hasRun ? start : -1;
  accountingRecord.end = hasRun ? end : -1;
  accountingRecord.elapsed = hasRun ? end - start : -1;
  // Grid Engine has one number of slots per job: what it got or, if it never started, what it requested.
  accountingRecord.requestedProcessors = accountingRecord.processors;
  if (!hasRun) accountingRecord.processors = -1;
  accountingRecord.hasLimit = true;
  accountingRecord.state = computeGridEngineJobState(failureCode, exitStatus);
  accountingRecord.isRepeated = failureCode === RESCHEDULED_FAILURE_CODE && hasRun;
}

/** Layout of plain lines, which have the fields of the current version. */
const GRID_ENGINE_LAYOUT: PlainLineLayout = {
  count: GRID_ENGINE_8_FIELD_COUNT,
  fieldIndices: GRID_ENGINE_FIELD_INDICES,
  separator: ':',
  parseLimit: parseTimeLimitOfCategory,
};

/** Completes the record of a plain line; false for a comment, an array task or a slave task. */
function readPlainGridEngineLine(
  lineReader: PlainLineReader,
  row: number,
  accountingRecord: AccountingRecord,
): boolean {
  if (
    accountingRecord.start < 0 ||
    accountingRecord.end < 0 ||
    accountingRecord.processors < 0 ||
    accountingRecord.submit === 0
  )
    return false;
  if (accountingRecord.limit === UNREADABLE_TIME_LIMIT) return false;
  if (
    lineReader.value(row, 'taskNumber') !== 0 ||
    lineReader.lineBytes[lineReader.startOf(row)] === COMMENT_CHARACTER_CODE
  )
    return false;
  completeGridEngineRecord(
    accountingRecord,
    lineReader.value(row, 'failed'),
    lineReader.value(row, 'exitStatus'),
  );
  return true;
}

function computeGridEngineJobState(failureCode: number, exitCode: number): number {
  if (failureCode === FIRST_SIGNAL_FAILURE_CODE) return JOB_STATE_NUMBERS.cancelled;
  return failureCode === 0 && exitCode === 0 ? JOB_STATE_NUMBERS.completed : JOB_STATE_NUMBERS.failed;
}
