/**
 * The output of `sacct --parsable2`, the accounting of Slurm: a line with the names of the fields, then a line per job
 * or job step, fields separated by `|`. Which fields there are is up to the user.
 */
import { quoteText } from '../format/text.js';
import { type Entries, isObject, type JsonFormat, JsonReader, LineReader } from './readers.js';
import {
  type LogReader,
  type LogSink,
  NAMED_FIELDS,
  type NamedField,
  type Names,
  type NoJob,
  RecordRows,
} from './records.js';
import type { SyntaxProblem, SyntaxRule } from './syntax.js';
import { AT, FIELDS, type SwfField } from './trace.js';

/** The fields that are used, in the names of sacct without regard to case; of several the first that is there counts. */
const SOURCES = {
  job: ['JobIDRaw', 'JobID'],
  task: ['JobID'],
  submit: ['Submit'],
  start: ['Start'],
  end: ['End'],
  elapsed: ['ElapsedRaw', 'Elapsed'],
  processors: ['AllocCPUS', 'NCPUS'],
  requestedProcessors: ['ReqCPUS'],
  limit: ['TimelimitRaw', 'Timelimit'],
  state: ['State'],
  user: ['User', 'UID'],
  group: ['Account', 'Group', 'GID'],
  executable: ['JobName'],
  queue: ['Partition'],
  // In logs of one cluster Slurm's partition is also the partition of SWF.
  partition: ['Cluster', 'Partition'],
} as const satisfies Readonly<Record<Source, readonly string[]>>;

/** What a log must have: of each line one. */
const NEEDED: readonly (readonly Source[])[] = [
  ['job'],
  ['submit'],
  ['elapsed', 'end'],
  ['processors', 'requestedProcessors'],
];

/** Where each field is, and whether it is the raw kind: seconds, or minutes of a limit. */
interface Layout {
  readonly line: number;
  readonly count: number;
  readonly place: Readonly<Partial<Record<Source, number>>>;
  readonly name: Readonly<Partial<Record<Source, string>>>;
}

/** Whether fields are the names of fields. */
function areNames(fields: readonly string[]): boolean {
  const known = fields.map((field) => field.trim().toLowerCase());
  return known.includes('submit') && (known.includes('jobid') || known.includes('jobidraw'));
}

const KNOWN_NAMES: readonly string[] = [...Object.values(SOURCES).flat(), 'ExitCode'].map((name) =>
  name.toLowerCase(),
);

/** Whether a line has the names of fields in columns with blanks between them, as sacct prints them for people. */
function isForPeople(line: string): boolean {
  const known = line
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => KNOWN_NAMES.includes(word));
  return known.length > 1 && known.some((word) => word.startsWith('jobid'));
}

/** Whether a line is the first one of what sacct prints; without the names of the fields it still has bars. */
export function isSacctLine(line: string): boolean {
  return line.split('|').length > 3 || isForPeople(line);
}

/** Reads what sacct prints. Times are seconds since 1970; dates are taken as UTC. */
export function readSacct(sink: LogSink, names: Names): LogReader {
  const handler = new SacctLines(sink, names, (problem) => reader.stop(problem));
  const reader = new LineReader(sink, handler);
  return reader;
}

class SacctLines {
  readonly #sink: LogSink;
  readonly #stop: (problem: SyntaxProblem) => void;
  readonly #rows: RecordRows;
  readonly #jobs: SacctJobs;
  #layout: Layout | undefined;
  #isHeaderTold = false;

  constructor(sink: LogSink, names: Names, stop: (problem: SyntaxProblem) => void) {
    this.#sink = sink;
    this.#stop = stop;
    this.#rows = new RecordRows(sink);
    this.#jobs = new SacctJobs(sink, names, this.#rows);
  }

  line(text: string, number: number) {
    if (text.trim() === '') return 'blank' as const;
    const fields = text.split('|');
    // Outputs that were put one behind the other have the names several times.
    if (this.#layout === undefined || areNames(fields)) {
      this.#layout = this.#readNames(fields, number);
      return 'comment' as const;
    }
    this.#readJob(fields, this.#layout, number);
    return 'record' as const;
  }

  end(): void {
    this.#rows.handOver();
    this.#tellHeader();
  }

  #tellHeader(): void {
    if (!this.#isHeaderTold) this.#sink.header([]);
    this.#isHeaderTold = true;
  }

  #readNames(fields: readonly string[], line: number): Layout {
    this.#tellHeader();
    const known = fields.map((field) => field.trim().toLowerCase());
    const place: Partial<Record<Source, number>> = {};
    const name: Partial<Record<Source, string>> = {};
    for (const source of Object.keys(SOURCES) as Source[]) {
      const found = SOURCES[source].find((each) => known.includes(each.toLowerCase()));
      if (found === undefined) continue;
      place[source] = known.indexOf(found.toLowerCase());
      name[source] = found;
    }
    const missing = NEEDED.filter((sources) => sources.every((source) => place[source] === undefined));
    if (missing.length > 0) {
      const names = missing.map((sources) => sources.map((source) => SOURCES[source][0]).join(' or '));
      const text = fields.join('|').trim();
      const expected = isForPeople(text) ? 'fields separated by |' : `the fields ${names.join(', ')} too`;
      const found = quoteText(text.replaceAll(/\s+/g, ' '));
      this.#stop({ rule: 'columns', line, field: undefined, found, expected });
    }
    return { line, count: fields.length, place, name };
  }

  #readJob(fields: readonly string[], layout: Layout, line: number): void {
    if (fields.length !== layout.count) {
      const found = `${fields.length} fields in ${quoteText(fields.join('|'))}`;
      const expected = `${layout.count} fields, as named in line ${layout.line}`;
      this.#sink.problem({ rule: 'field-count', line, field: undefined, found, expected });
      return;
    }
    this.#jobs.take({
      text: (source) => fields[layout.place[source] ?? -1]?.trim() ?? '',
      name: (source) => layout.name[source] as string,
      isLimitInMinutes: layout.name.limit === 'TimelimitRaw',
      number: line,
    });
  }
}

// Jobs of Slurm's accounting, from the texts of their fields, however sacct has printed them.

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

/** States of jobs that have not ended, or of a run that was put back into the queue. */
const UNFINISHED =
  /^(?:PENDING|RUNNING|SUSPENDED|COMPLETING|CONFIGURING|RE(?:QUEUE|SIZING|SV_DEL_HOLD)|SIGNALING|STOPPED|STAGE_OUT|SPECIAL_EXIT)/;
/** SWF has three states for what has ended: 1 completed, 5 cancelled, 0 failed; Slurm has many kinds of failure. */
const FAILED = /^(?:FAILED|TIMEOUT|NODE_FAIL|OUT_OF_ME|BOOT_FAIL|DEADLINE|PREEMPTED|REVOKED|LAUNCH_FAILED)/;
const UNKNOWN_TIME = /^(?:|Unknown|None|N\/A)$/i;
const NO_LIMIT = /^(?:|UNLIMITED|Partition_Limit|INVALID|N\/A|Unknown)$/i;

/** Takes jobs one by one: those that have run become records, the others are reported to the sink. */
class SacctJobs {
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

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;
const DURATION = /^(?:(\d{1,9})-)?(?:(\d{1,9}):)?(\d{1,9}):(\d\d(?:\.\d+)?)$/;

/** Seconds since 1970 of `2024-03-01T12:00:00`, taken as UTC, or of a number of seconds; undefined for anything else. */
function parseDate(text: string): number | undefined {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  if (!DATE.test(text)) return undefined;
  const time = Date.parse(`${text}Z`);
  // What rolls over, such as February 30, is no date.
  const isDate = Number.isFinite(time) && new Date(time).toISOString().startsWith(text);
  return isDate ? time / 1000 : undefined;
}

/** Seconds of `1-02:03:04`, `02:03:04`, `03:04.5` or a number of seconds; undefined for anything else. */
function parseDuration(text: string): number | undefined {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const match = DURATION.exec(text);
  if (match === null) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}

// The output of `sacct --json`: a document with a list of jobs, whose entries differ a little between versions of
// Slurm. A number may be an object that says whether it is set, or infinite; a state may be a list.

/** Where each field is, for messages and, but for those that `PLACES` finds otherwise, to look it up. */
const PATHS: Readonly<Record<Source, string>> = {
  job: 'job_id',
  task: 'array.task_id',
  submit: 'time.submission',
  start: 'time.start',
  end: 'time.end',
  elapsed: 'time.elapsed',
  processors: 'tres.allocated',
  requestedProcessors: 'tres.requested',
  limit: 'time.limit',
  state: 'state.current',
  user: 'user',
  group: 'account',
  executable: 'name',
  queue: 'partition',
  partition: 'partition',
};

/** Whether a document begins as those of sacct do. */
export function isSacctJson(start: string): boolean {
  return start.startsWith('{') && /"(?:slurm|association|job_id)"\s*:/i.test(start);
}

/** Reads what `sacct --json` prints. Times are seconds since 1970. */
export function readSacctJson(sink: LogSink, names: Names): LogReader {
  return new JsonReader(sink, (rows) => new DocumentJobs(sink, names, rows));
}

class DocumentJobs implements JsonFormat {
  readonly expected = 'a JSON document with jobs, as sacct --json prints it';
  readonly #jobs: SacctJobs;

  constructor(sink: LogSink, names: Names, rows: RecordRows) {
    this.#jobs = new SacctJobs(sink, names, rows);
  }

  header(): string[] {
    return [];
  }

  missing(): undefined {
    return undefined;
  }

  readJob(job: Entries, index: number): void {
    const text = (source: Source) => TEXTS[source]?.(job) ?? textOf(at(job, PATHS[source]));
    const name = (source: Source) => PATHS[source];
    this.#jobs.take({ text, name, isLimitInMinutes: true, number: index, place: `jobs[${index}]` });
  }
}

/** Fields that are more than the text at their place; undefined leaves them to that. */
const TEXTS: Readonly<Partial<Record<Source, (job: Entries) => string | undefined>>> = {
  task: (job) =>
    partOf(job, 'array.job_id', '_', 'array.task_id') || partOf(job, 'het.job_id', '+', 'het.job_offset'),
  start: (job) => timeOf(at(job, PATHS.start)),
  end: (job) => timeOf(at(job, PATHS.end)),
  processors: (job) => cpusIn(at(job, PATHS.processors)),
  requestedProcessors: (job) =>
    cpusIn(at(job, PATHS.requestedProcessors)) || countOf(at(job, 'required.CPUs')),
  state: (job) => {
    const states = [at(job, PATHS.state)].flat().map(String);
    return states.find((state) => UNFINISHED.test(state)) ?? states[0];
  },
  group: (job) => textOf(job.account) || textOf(job.group),
};

/** What is at a path, such as `time.start`. */
function at(job: Entries, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), job);
}

/** A text or a number; empty if not set, and `UNLIMITED` if infinite. */
function textOf(value: unknown): string {
  if (!isObject(value)) return value === undefined || value === null ? '' : String(value).trim();
  if (value.infinite === true) return 'UNLIMITED';
  return value.set === false ? '' : textOf(value.number);
}

/** What Slurm calls a task of an array, or a part of a job; empty for a whole job. */
function partOf(job: Entries, whole: string, sign: string, part: string): string {
  const [number, place] = [timeOf(at(job, whole)), textOf(at(job, part))];
  return number === '' || place === '' ? '' : `${number}${sign}${place}`;
}

/** A time; what never was is 0. */
function timeOf(value: unknown): string {
  const text = textOf(value);
  return text === '0' ? '' : text;
}

/** A count; older versions write unset counts below 0. */
function countOf(value: unknown): string {
  const text = textOf(value);
  return text.startsWith('-') ? '' : text;
}

/** The processors in a list of resources. */
function cpusIn(resources: unknown): string {
  const cpus = Array.isArray(resources)
    ? resources.find((each) => isObject(each) && each.type === 'cpu')
    : {};
  return countOf((cpus as Entries | undefined)?.count);
}
