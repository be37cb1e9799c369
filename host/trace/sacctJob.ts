/** Jobs of Slurm's accounting, from the texts of their fields, however sacct has printed them. */
import { quoteText } from './quote.js';
import {
  type LogSink,
  NAMED_FIELDS,
  type NamedField,
  type Names,
  type NoJob,
  type RecordRows,
} from './records.js';
import type { SyntaxProblem, SyntaxRule } from './syntax.js';
import { SWF_FIELDS, type SwfField } from './trace.js';

/** What is known of a job of Slurm, by what it is used for. */
export type Source =
  | 'job'
  | 'task'
  | 'submit'
  | 'start'
  | 'end'
  | 'elapsed'
  | 'processors'
  | 'requestedProcessors'
  | 'limit'
  | 'state'
  | NamedField;

/** One job, as its fields have it. */
export interface SacctJob {
  /** The text of a field; empty where it is unknown. */
  readonly text: (source: Source) => string;
  /** What the field is called. */
  readonly name: (source: Source) => string;
  /** Whether a limit that is a number is one of minutes. */
  readonly isLimitInMinutes: boolean;
  /** Its line, or its place in a list. */
  readonly number: number;
  /** What that place is called; undefined for a line. */
  readonly place?: string;
}

const FIELDS = SWF_FIELDS.length;
const AT = Object.fromEntries(SWF_FIELDS.map((field, index) => [field, index])) as Record<SwfField, number>;

/** States of jobs that have not ended, or of a run that was put back into the queue. */
const UNFINISHED =
  /^(?:PENDING|RUNNING|SUSPENDED|COMPLETING|CONFIGURING|RE(?:QUEUE|SIZING|SV_DEL_HOLD)|SIGNALING|STOPPED|STAGE_OUT|SPECIAL_EXIT)/;
/** SWF has three states for what has ended: 1 completed, 5 cancelled, 0 failed, of which Slurm has many. */
const FAILED = /^(?:FAILED|TIMEOUT|NODE_FAIL|OUT_OF_ME|BOOT_FAIL|DEADLINE|PREEMPTED|REVOKED|LAUNCH_FAILED)/;
const UNKNOWN_TIME = /^(?:|Unknown|None|N\/A)$/i;
const NO_LIMIT = /^(?:|UNLIMITED|Partition_Limit|INVALID|N\/A|Unknown)$/i;

/** Whether a job in this state has not ended. */
export function isUnfinished(state: string): boolean {
  return UNFINISHED.test(state);
}

/** Takes jobs one by one: those that have run become records, the others are told to the sink. */
export class SacctJobs {
  readonly #sink: LogSink;
  readonly #names: Names;
  readonly #rows: RecordRows;

  constructor(sink: LogSink, names: Names, rows: RecordRows) {
    this.#sink = sink;
    this.#names = names;
    this.#rows = rows;
  }

  take(given: SacctJob): void {
    const { text, number, place } = given;
    const line = place === undefined ? number : undefined;
    const state = text('state');
    const noJob = whyNoJob(text('job'), state);
    if (noJob !== undefined) {
      this.#sink.leaveOut({ ...noJob, line, ...(place === undefined ? {} : { place }) });
      return;
    }
    const job = new JobFields(given);
    const { numbers, offset } = this.#rows;
    const set = (field: SwfField, value: number) => {
      numbers[offset + AT[field]] = value;
    };
    numbers.fill(-1, offset, offset + FIELDS);
    const [submit, start] = [job.date('submit', true), job.date('start', false)];
    const id = job.id(this.#names);
    set('job', id);
    set('submit', submit);
    if (start >= submit) set('wait', start - submit);
    set('runtime', job.runtime(start));
    set('processors', job.count('processors'));
    set('requestedProcessors', job.count('requestedProcessors'));
    set('requestedTime', job.limit());
    set(
      'status',
      state === 'COMPLETED' ? 1 : state.startsWith('CANCELLED') ? 5 : FAILED.test(state) ? 0 : -1,
    );
    for (const field of NAMED_FIELDS) set(field, this.#names.number(field, text(field)));
    const task = text('task');
    if (task !== '' && task !== String(id)) this.#names.callJob(id, task);
    if (job.problem === undefined) this.#rows.accept(number);
    else this.#sink.problem({ ...job.problem, line, field: undefined });
  }
}

/** Why a record is no job that has run. */
function whyNoJob(id: string, state: string): Pick<NoJob, 'rule' | 'example'> | undefined {
  if (id.includes('.')) return { rule: 'step', example: `job step ${quoteText(id)}` };
  if (!UNFINISHED.test(state)) return undefined;
  return { rule: 'unfinished', example: `job ${quoteText(id)} is ${quoteText(state)}` };
}

/** The fields of one job as numbers; -1 for what is not known. */
class JobFields {
  readonly #job: SacctJob;
  /** The first field that could not be read. */
  problem: Pick<SyntaxProblem, 'rule' | 'place' | 'found' | 'expected'> | undefined;

  constructor(job: SacctJob) {
    this.#job = job;
  }

  /** `123`; or `123_4` of an array and `123+1` of a job of several parts, which have a name alone. */
  id(names: Names): number {
    const text = this.#job.text('job');
    if (/^\d{1,15}$/.test(text)) return Number(text);
    return /^\d{1,15}[_+]\S+$/.test(text)
      ? names.job(text)
      : this.#fail('whole-number', 'job', 'the number of a job');
  }

  date(source: 'submit' | 'start' | 'end', isNeeded: boolean): number {
    const text = this.#job.text(source);
    if (!isNeeded && UNKNOWN_TIME.test(text)) return -1;
    return parseDate(text) ?? this.#fail('time', source);
  }

  /** Seconds; from start and end where the elapsed time is not there. */
  runtime(start: number): number {
    const text = this.#job.text('elapsed');
    if (text === '') {
      const end = this.date('end', false);
      return start >= 0 && end >= start ? end - start : -1;
    }
    return parseDuration(text) ?? this.#fail('time', 'elapsed', 'a duration such as 1-02:03:04, or seconds');
  }

  /** Seconds. The raw limit is minutes. */
  limit(): number {
    const text = this.#job.text('limit');
    if (NO_LIMIT.test(text)) return -1;
    if (this.#job.isLimitInMinutes && /^\d{1,12}$/.test(text)) return 60 * Number(text);
    return parseDuration(text) ?? this.#fail('time', 'limit', 'a duration such as 1-02:03:04, or minutes');
  }

  count(source: 'processors' | 'requestedProcessors'): number {
    const text = this.#job.text(source);
    if (text === '') return -1;
    return /^\d{1,15}$/.test(text) ? Number(text) : this.#fail('whole-number', source, 'a whole number');
  }

  #fail(rule: SyntaxRule, source: Source, expected?: string): number {
    const { name, place, text } = this.#job;
    const field = `field ${name(source)}`;
    this.problem ??= {
      rule,
      place: place === undefined ? field : `${place}, ${field}`,
      found: quoteText(text(source)),
      ...(expected === undefined ? {} : { expected }),
    };
    return -1;
  }
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)$/;
const DURATION = /^(?:(\d{1,9})-)?(?:(\d{1,9}):)?(\d{1,9}):(\d\d(?:\.\d+)?)$/;

/** Seconds since 1970 of `2024-03-01T12:00:00`, taken as UTC, or of a number of seconds; undefined for anything else. */
function parseDate(text: string): number | undefined {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number);
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  // What rolls over, such as February 30, is no date.
  return new Date(time).toISOString().startsWith(text) ? time / 1000 : undefined;
}

/** Seconds of `1-02:03:04`, `02:03:04`, `03:04.5` or a number of seconds; undefined for anything else. */
function parseDuration(text: string): number | undefined {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const match = DURATION.exec(text);
  if (match === null) return undefined;
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}
