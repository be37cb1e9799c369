/**
 * Reader of the LSF accounting file `lsb.acct`: one event per line, fields separated by blanks, strings in
 * double quotes with inner quotes doubled. Each `JOB_FINISH` event is a finished job. Versions 9 and 10
 * append fields.
 */
import { quoteLogText } from '../format/text.js';
import { type AccountingRecord, JOB_STATE_NUMBERS } from './accountingJobs.js';
import {
  type AccountingLineResult,
  makeWrongNumberProblem,
  readAccountingLog,
  toSecondsSince1970,
  UNREADABLE_TIME_LIMIT,
} from './accountingLines.js';
import type { LogFormat } from './logFormat.js';
import { LINE_PLACE_NAMES } from './places.js';
import type { LogNames } from './records.js';

/** Format of LSF accounting files. */
export const LSF_FORMAT = {
  name: 'lsf',
  title: 'accounting file of LSF (lsb.acct)',
  example:
    '"JOB_FINISH" "10.1" 1772000065 7 1000 33554438 4 1772000000 0 0 1772000005 "ann" "normal" "" "" "" "node1" "" "" "" "" "1772000000.7" ' +
    '0 1 "4*node1" 64 60.0 "sim" "./sim" ' +
    '-1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 "" "default" 0 4 "" "" 0 2048 0 "" "" "" "" 0 "" 0 "" -1 "/ann" "" "" "" -1 "" "" 5136 "" 0 "" "" 0 0 120 0 2048 ""',
  places: LINE_PLACE_NAMES,
  hasUnixTimes: true,
  isUnordered: true,
  uses: ['arrival'],
  isLike: ({ line: firstLine }) => /^"[A-Z_0-9]+" "[\d.]+" \d+ /.test(firstLine),
  open: (sink, logNames, arrivalChoice) =>
    readAccountingLog(sink, logNames, arrivalChoice, () => ({
      readLineInto: (line, accountingRecord) => readLsfLine(line, accountingRecord, logNames),
    })),
} as const satisfies LogFormat;

/** Pattern of a field, with or without quotes, and the blank behind it. */
const LSF_FIELD_PATTERN = /(?:"((?:[^"]|"")*)"|([^\s"]+))(?:\s+|$)/y;

/** Splits a line into fields; undefined if quotes do not enclose whole fields. */
function splitLsfFields(line: string): string[] | undefined {
  const lineFields: string[] = [];
  LSF_FIELD_PATTERN.lastIndex = 0;
  while (LSF_FIELD_PATTERN.lastIndex < line.length) {
    const [, quoted, plain] = LSF_FIELD_PATTERN.exec(line) ?? [];
    const fieldText = quoted?.replaceAll('""', '"') ?? plain;
    if (fieldText === undefined) return undefined;
    lineFields.push(fieldText);
  }
  return lineFields;
}

/** Indices of the leading numeric fields, by their names in the manual. */
const LSF_NUMBER_FIELD_INDICES = {
  eventTime: 2,
  jobId: 3,
  numProcessors: 6,
  submitTime: 7,
  beginTime: 8,
  startTime: 10,
} as const;
const LSF_USER_FIELD_INDEX = 11;
const LSF_QUEUE_FIELD_INDEX = 12;
const LSF_REQUESTED_HOSTS_INDEX = 22;
/** Number of fields from the job's command to its project: resource usage and mail recipient. */
const LSF_FIELD_COUNT_BEFORE_PROJECT = 19 + 1;

/** Value of jStatus of a job that completed successfully. */
const LSF_DONE_JOB_STATUS = 64;

/** Values of exitInfo for a job ended by its owner or an administrator, or for requeueing. */
const LSF_EXIT_CODES_OF_USER = [8, 9, 14, 15, 23];
const LSF_EXIT_CODES_OF_REQUEUE = [10, 11];

/** Fields behind the lists of hosts, at positions that vary between records. */
interface LsfRecordTail {
  readonly slots: number;
  readonly status: number;
  readonly jobName: string;
  readonly project: string;
  readonly index: number;
  readonly exitInfo: number;
  /** Time limit in seconds; -1 for none, undefined if the record has no such field. */
  readonly limit: number | undefined;
}

/** Slots in an entry of the host list: `16*node1` is 16 slots, `node1` is 1. */
const countSlotsOfHost = (hostEntry: string) => Number(/^(\d+)\*/.exec(hostEntry)?.[1] ?? 1);

/** Parses the fields behind the host lists; undefined if a list or number is invalid. */
function parseLsfRecordTail(lineFields: readonly string[]): LsfRecordTail | undefined {
  let hostFieldIndex = LSF_REQUESTED_HOSTS_INDEX;
  const readNextHostList = () => {
    const hostCount = Number(lineFields[hostFieldIndex]);
    const hostEntries = lineFields.slice(hostFieldIndex + 1, hostFieldIndex + 1 + hostCount);
    hostFieldIndex += 1 + hostCount;
    return Number.isInteger(hostCount) && hostCount >= 0 && hostEntries.length === hostCount
      ? hostEntries
      : undefined;
  };
  const [requestedHosts, executionHosts] = [readNextHostList(), readNextHostList()];
  if (requestedHosts === undefined || executionHosts === undefined) return undefined;
  const [statusText, , jobName = ''] = lineFields.slice(hostFieldIndex, hostFieldIndex + 3);
  const fieldsFromProject = lineFields.slice(hostFieldIndex + 4 + LSF_FIELD_COUNT_BEFORE_PROJECT);
  // Behind the project: exitStatus, maxNumProcessors, loginShell, timeEvent, idx, ..., exitInfo, ..., jobDescription.
  const [project = ''] = fieldsFromProject;
  const timeLimit = parseTimeLimitOfLsfRecord(fieldsFromProject);
  const numberTexts = [statusText, fieldsFromProject[5] ?? '0', fieldsFromProject[14] ?? '0'];
  if (
    !numberTexts.every((numberText) => /^-?\d{1,12}$/.test(numberText ?? '')) ||
    (timeLimit === UNREADABLE_TIME_LIMIT && isKnownJobFinishRecord(lineFields))
  )
    return undefined;
  return {
    ...{
      slots: executionHosts.reduce((sum, hostEntry) => sum + countSlotsOfHost(hostEntry), 0),
      status: Number(statusText),
      jobName,
      project,
    },
    ...{ index: Number(fieldsFromProject[5] ?? 0), exitInfo: Number(fieldsFromProject[14] ?? 0) },
    limit: timeLimit === UNREADABLE_TIME_LIMIT ? undefined : timeLimit,
  };
}

/**
 * Offset of the optional key-value pairs of a submission behind the job description; their count comes first.
 */
const LSF_SUBMISSION_PAIRS_OFFSET = 29;
/** Number of fields per host. */
const LSF_FIELD_COUNT_PER_HOST = 6;

/**
 * Time limit in seconds; -1 for none, undefined if the record ends earlier, UNREADABLE_TIME_LIMIT
 * for an invalid value.
 */
function parseTimeLimitOfLsfRecord(fieldsFromProject: readonly string[]): number | undefined {
  const readWholeNumberAt = (fieldIndex: number) =>
    /^\d{1,6}$/.test(fieldsFromProject[fieldIndex] ?? '')
      ? Number(fieldsFromProject[fieldIndex])
      : Number.NaN;
  if (fieldsFromProject.length <= LSF_SUBMISSION_PAIRS_OFFSET) return undefined;
  const hostsOffset = LSF_SUBMISSION_PAIRS_OFFSET + 1 + 2 * readWholeNumberAt(LSF_SUBMISSION_PAIRS_OFFSET);
  const timeLimit =
    fieldsFromProject[hostsOffset + 1 + LSF_FIELD_COUNT_PER_HOST * readWholeNumberAt(hostsOffset)] ?? '';
  if (!/^-?\d{1,12}$/.test(timeLimit)) return UNREADABLE_TIME_LIMIT;
  return Number(timeLimit) > 0 ? Number(timeLimit) : -1;
}

/** True if the record has a version (9 or later) whose fields are all known. */
const isKnownJobFinishRecord = (lineFields: readonly string[]) =>
  Number.parseInt(lineFields[1] ?? '', 10) >= 9;

function readLsfLine(
  line: string,
  accountingRecord: AccountingRecord,
  logNames: LogNames,
): AccountingLineResult {
  if (line.startsWith('#')) return 'comment';
  if (!line.startsWith('"JOB_FINISH"')) return 'comment';
  const lineFields = splitLsfFields(line) ?? [];
  for (const fieldName of Object.keys(LSF_NUMBER_FIELD_INDICES) as (keyof typeof LSF_NUMBER_FIELD_INDICES)[])
    if (!/^\d{1,15}$/.test(lineFields[LSF_NUMBER_FIELD_INDICES[fieldName]] ?? ''))
      return makeWrongNumberProblem(fieldName, lineFields[LSF_NUMBER_FIELD_INDICES[fieldName]]);
  const readFieldNumber = (fieldName: keyof typeof LSF_NUMBER_FIELD_INDICES) =>
    Number(lineFields[LSF_NUMBER_FIELD_INDICES[fieldName]]);
  const recordTail = parseLsfRecordTail(lineFields);
  if (recordTail === undefined) {
    const foundText = `${lineFields.length} fields in ${quoteLogText(line)}`;
    return {
      rule: 'field-count',
      found: foundText,
      expected: 'the fields of JOB_FINISH, as lsb.acct(5) has them',
    };
  }
  const [submit, begin, start, end] = (['submitTime', 'beginTime', 'startTime', 'eventTime'] as const).map(
    (fieldName) => toSecondsSince1970(readFieldNumber(fieldName)),
  ) as [number, number, number, number];
  const hasRun = start >= 0;
  Object.assign(accountingRecord, {
    job:
      recordTail.index > 0
        ? logNames.job(`${readFieldNumber('jobId')}[${recordTail.index}]`)
        : readFieldNumber('jobId'),
    submit,
    eligible: begin,
    hasEligible: begin >= 0,
    start,
    end,
    elapsed: hasRun ? end - start : 0,
    processors: hasRun ? recordTail.slots || readFieldNumber('numProcessors') : -1,
    requestedProcessors: readFieldNumber('numProcessors') || -1,
    limit: recordTail.limit ?? -1,
    hasLimit: recordTail.limit !== undefined,
    state: computeLsfJobState(recordTail, hasRun),
    isRepeated: hasRun && LSF_EXIT_CODES_OF_REQUEUE.includes(recordTail.exitInfo),
    user: logNames.number('user', lineFields[LSF_USER_FIELD_INDEX] ?? ''),
    group: logNames.number('group', recordTail.project),
    executable: logNames.number('executable', recordTail.jobName),
    queue: logNames.number('queue', lineFields[LSF_QUEUE_FIELD_INDEX] ?? ''),
  } satisfies Partial<AccountingRecord>);
  return 'job';
}

function computeLsfJobState({ status, exitInfo }: LsfRecordTail, hasRun: boolean): number {
  if (!hasRun || LSF_EXIT_CODES_OF_USER.includes(exitInfo)) return JOB_STATE_NUMBERS.cancelled;
  return status === LSF_DONE_JOB_STATUS ? JOB_STATE_NUMBERS.completed : JOB_STATE_NUMBERS.failed;
}
