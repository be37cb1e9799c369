/**
 * Converts the fields of Slurm accounting from text to values of a job. The fast reader plainLines.ts handles
 * lines of plain fields.
 */
import { quoteLogText } from '../format/text.js';
import {
  type AccountingRecord,
  isRepeatedState,
  JOB_STATE_NUMBERS,
  jobStateNumberOf,
  MINUTES_PER_YEAR,
} from './accountingJobs.js';
import type { LogNames, NamedField, RecordWithoutJob } from './records.js';
import type { SyntaxProblem, SyntaxRule } from './syntax.js';

/** Name of the use of a Slurm accounting field. */
export type SacctFieldSource =
  | 'job'
  | 'task'
  | 'submit'
  | 'eligible'
  | 'start'
  | 'end'
  | 'elapsed'
  | 'suspended'
  | 'processors'
  | 'requestedProcessors'
  | 'limit'
  | 'state'
  | NamedField;

/** The fields of one record as text. */
export interface SacctFields {
  /** Text of a field; empty if it is unknown. */
  readonly textOf: (fieldSource: SacctFieldSource) => string;
  /** Name of the field in the log. */
  readonly fieldNameOf: (fieldSource: SacctFieldSource) => string;
  /** True if the log contains the field. */
  readonly has: (fieldSource: SacctFieldSource) => boolean;
  /** True if a numeric time limit is in minutes. */
  readonly isLimitInMinutes: boolean;
  /** True if the partition number stands for a cluster. */
  readonly hasCluster: boolean;
  /** Line number, or position in a list. */
  readonly number: number;
}

/** Texts of unknown times, in lower case. */
const SACCT_UNKNOWN_TIME_TEXTS: readonly string[] = ['', 'unknown', 'none', 'n/a'];
/** Texts that mean no time limit, in lower case. */
const SACCT_NO_LIMIT_TEXTS: readonly string[] = [
  '',
  'unlimited',
  'partition_limit',
  'invalid',
  'n/a',
  'unknown',
];

/** Message about a record that is a job step, and not a job; undefined for other records. */
export function findJobStep({
  textOf: fieldText,
}: SacctFields): Pick<RecordWithoutJob, 'rule' | 'example'> | undefined {
  const id = fieldText('job');
  return id.includes('.') ? { rule: 'step', example: `job step ${quoteLogText(id)}` } : undefined;
}

/** Fills a record from its fields. Returns the first problem if a field cannot be read. */
export function fillRecordFromSacctFields(
  sacctFields: SacctFields,
  accountingRecord: AccountingRecord,
  logNames: LogNames,
  toUnix: (localTime: number) => number = (localTime) => localTime,
): SyntaxProblem | undefined {
  const { textOf: fieldText, has, number: recordNumber } = sacctFields;
  const job = new SacctRecordFields(sacctFields, toUnix);
  job.readJobId(accountingRecord, logNames);
  accountingRecord.submit = job.date('submit');
  accountingRecord.eligible = job.date('eligible');
  accountingRecord.hasEligible = has('eligible');
  accountingRecord.start = job.date('start');
  accountingRecord.end = job.date('end');
  accountingRecord.elapsed = job.duration('elapsed');
  accountingRecord.suspended = job.duration('suspended');
  accountingRecord.processors = job.count('processors');
  accountingRecord.requestedProcessors = job.count('requestedProcessors');
  accountingRecord.limit = job.limit();
  accountingRecord.hasLimit = has('limit');
  accountingRecord.stateName = fieldText('state');
  accountingRecord.state = jobStateNumberOf(accountingRecord.stateName);
  accountingRecord.isRepeated = accountingRecord.start >= 0 && isRepeatedState(accountingRecord.stateName);
  accountingRecord.user = logNames.number('user', fieldText('user'));
  accountingRecord.group = logNames.number('group', fieldText('group'));
  accountingRecord.executable = logNames.number('executable', fieldText('executable'));
  accountingRecord.queue = logNames.number('queue', fieldText('queue'));
  accountingRecord.partition = logNames.number('partition', fieldText('partition'));
  accountingRecord.hasCluster = sacctFields.hasCluster;
  accountingRecord.number = recordNumber;
  // Problems in records of jobs that have not ended do not matter, since these are dropped.
  const hasEnded = accountingRecord.state !== JOB_STATE_NUMBERS.unfinished;
  if (job.problem === undefined || !hasEnded) return undefined;
  return { ...job.problem, line: recordNumber, field: undefined };
}

/** Values of the fields of one job; -1 if unknown. */
class SacctRecordFields {
  readonly #fields: SacctFields;
  readonly #toUnix: (localTime: number) => number;
  /** Problem of the first field that could not be read. */
  problem: Pick<SyntaxProblem, 'rule' | 'place' | 'found' | 'expected'> | undefined;

  constructor(fields: SacctFields, toUnix: (localTime: number) => number) {
    this.#fields = fields;
    this.#toUnix = toUnix;
  }

  /**
   * Reads the job ids `123`, `123_4` (array task), `123+1` (component of a heterogeneous job), and
   * `123_[1-9%2]` (all array tasks that had not started).
   */
  readJobId(accountingRecord: AccountingRecord, logNames: LogNames): void {
    const { textOf: fieldText } = this.#fields;
    const [id, taskText] = [fieldText('job'), fieldText('task')];
    const [, hetJob, component] = /^(\d{1,15})\+(\d{1,9})$/.exec(taskText || id) ?? [];
    accountingRecord.hetJob = hetJob === undefined ? -1 : Number(hetJob);
    accountingRecord.component = component === undefined ? -1 : Number(component);
    const [, numberText] = /^(\d{1,15})(?:\+\d{1,9}|_\[.*)?$/.exec(id) ?? [];
    if (numberText !== undefined) accountingRecord.job = Number(numberText);
    else if (/^\d{1,15}_\d+$/.test(id)) accountingRecord.job = logNames.job(id);
    else accountingRecord.job = this.#fail('whole-number', 'job', 'the number of a job');
    if (taskText === '' || taskText === String(accountingRecord.job)) return;
    if (/^\d+(?:_\d+)?$/.test(taskText)) logNames.setJobName(accountingRecord.job, taskText);
    else logNames.setJobNameInMessages(accountingRecord.job, taskText);
  }

  date(fieldSource: 'submit' | 'eligible' | 'start' | 'end'): number {
    const fieldText = this.#fields.textOf(fieldSource);
    if (fieldSource !== 'submit' && SACCT_UNKNOWN_TIME_TEXTS.includes(fieldText.toLowerCase())) return -1;
    return parseSacctDate(fieldText, this.#toUnix) ?? this.#fail('time', fieldSource);
  }

  /** Duration in seconds. */
  duration(fieldSource: 'elapsed' | 'suspended'): number {
    const fieldText = this.#fields.textOf(fieldSource);
    if (fieldText === '') return -1;
    return (
      parseSacctDuration(fieldText) ??
      this.#fail('time', fieldSource, 'a duration such as 1-02:03:04, or seconds')
    );
  }

  /** Time limit in seconds; -1 for none, also for a limit of one year. The raw value is in minutes. */
  limit(): number {
    const limitText = this.#fields.textOf('limit');
    if (SACCT_NO_LIMIT_TEXTS.includes(limitText.toLowerCase())) return -1;
    const isLimitInMinutes = this.#fields.isLimitInMinutes && /^\d{1,12}$/.test(limitText);
    const seconds = isLimitInMinutes ? 60 * Number(limitText) : parseSacctDuration(limitText);
    if (seconds === 60 * MINUTES_PER_YEAR) return -1;
    return seconds ?? this.#fail('time', 'limit', 'a duration such as 1-02:03:04, or minutes');
  }

  count(fieldSource: 'processors' | 'requestedProcessors'): number {
    const countText = this.#fields.textOf(fieldSource);
    if (countText === '') return -1;
    return /^\d{1,15}$/.test(countText)
      ? Number(countText)
      : this.#fail('whole-number', fieldSource, 'a whole number');
  }

  #fail(rule: SyntaxRule, fieldSource: SacctFieldSource, expectedForm?: string): number {
    const { fieldNameOf, textOf: fieldText } = this.#fields;
    this.problem ??= {
      rule,
      place: `field ${fieldNameOf(fieldSource)}`,
      found: quoteLogText(fieldText(fieldSource)),
      ...(expectedForm === undefined ? {} : { expected: expectedForm }),
    };
    return -1;
  }
}

const SACCT_DATE_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;
const SACCT_DURATION_PATTERN = /^(?:(\d{1,9})-)?(?:(\d{1,9}):)?(\d{1,9}):(\d\d(?:\.\d+)?)$/;

/**
 * Parses `2024-03-01T12:00:00`, or a number of seconds, as seconds since 1970; undefined for anything else.
 * @param toUnix converts local time (in seconds, counted as if it were UTC) to seconds since 1970; default:
 * times are UTC.
 */
export function parseSacctDate(
  sacctDateText: string,
  toUnix: (localTime: number) => number = (localTime) => localTime,
): number | undefined {
  if (/^\d{1,12}$/.test(sacctDateText)) return Number(sacctDateText);
  if (!SACCT_DATE_PATTERN.test(sacctDateText)) return undefined;
  const time = Date.parse(`${sacctDateText}Z`);
  // A date that rolls over, such as February 30, is invalid.
  const isValidDate = Number.isFinite(time) && new Date(time).toISOString().startsWith(sacctDateText);
  return isValidDate ? toUnix(time / 1000) : undefined;
}

/**
 * Parses `1-02:03:04`, `02:03:04`, `03:04.5` or a number of seconds as seconds; undefined for anything else.
 */
function parseSacctDuration(sacctDurationText: string): number | undefined {
  if (/^\d{1,12}$/.test(sacctDurationText)) return Number(sacctDurationText);
  const patternMatch = SACCT_DURATION_PATTERN.exec(sacctDurationText);
  if (patternMatch === null) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = patternMatch
    .slice(1)
    .map((part) => Number(part ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}
