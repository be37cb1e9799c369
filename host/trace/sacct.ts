/**
 * The output of `sacct --parsable2`, the accounting of Slurm: a line with the names of the fields, then a line per job
 * or job step, fields separated by `|`. Which fields there are is up to the user.
 */
import { LineReader } from './lines.js';
import { quoteText } from './quote.js';
import { type LogReader, type LogSink, type Names, type NoJob, RecordRows } from './records.js';
import type { SyntaxProblem, SyntaxRule } from './syntax.js';
import { SWF_FIELDS, type SwfField } from './trace.js';

/** The fields that are used, in the names of sacct without regard to case; of several the first that is there counts. */
const SOURCES = {
  job: ['JobIDRaw', 'JobID'],
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
  partition: ['Cluster'],
} as const;
type Source = keyof typeof SOURCES;

/** What a log must have: of each line one. */
const NEEDED: readonly (readonly Source[])[] = [
  ['job'],
  ['submit'],
  ['elapsed', 'end'],
  ['processors', 'requestedProcessors'],
];

/** Where each field stands, and whether it is the raw kind: seconds, or minutes of a limit. */
interface Layout {
  readonly line: number;
  readonly count: number;
  readonly place: Readonly<Partial<Record<Source, number>>>;
  readonly name: Readonly<Partial<Record<Source, string>>>;
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

/** Whether fields are the names of fields. */
function areNames(fields: readonly string[]): boolean {
  const known = fields.map((field) => field.trim().toLowerCase());
  return known.includes('submit') && (known.includes('jobid') || known.includes('jobidraw'));
}

/** Whether a line is the first one of what sacct prints; without the names of the fields it still has bars. */
export function isSacctLine(line: string): boolean {
  return line.split('|').length > 3;
}

/** Reads what sacct prints. Times are seconds since 1970; dates are taken as UTC. */
export function readSacct(sink: LogSink, names: Names): LogReader {
  const handler = new SacctLines(sink, names, (problem) => reader.stop(problem));
  const reader = new LineReader(sink, handler);
  return reader;
}

class SacctLines {
  readonly #sink: LogSink;
  readonly #names: Names;
  readonly #stop: (problem: SyntaxProblem) => void;
  readonly #rows: RecordRows;
  #layout: Layout | undefined;
  #isHeaderTold = false;

  constructor(sink: LogSink, names: Names, stop: (problem: SyntaxProblem) => void) {
    this.#sink = sink;
    this.#names = names;
    this.#stop = stop;
    this.#rows = new RecordRows(sink);
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
      const expected = missing.map((sources) => sources.map((source) => SOURCES[source][0]).join(' or '));
      const found = quoteText(fields.join('|'));
      this.#stop({
        rule: 'columns',
        line,
        field: undefined,
        found,
        expected: `the fields ${expected.join(', ')} too`,
      });
    }
    return { line, count: fields.length, place, name };
  }

  #readJob(fields: readonly string[], layout: Layout, line: number): void {
    if (fields.length !== layout.count) {
      const found = `${fields.length} fields in ${quoteText(fields.join('|'))}`;
      this.#reject('field-count', line, found, `${layout.count} fields, as named in line ${layout.line}`);
      return;
    }
    const text = (source: Source) => fields[layout.place[source] ?? -1]?.trim() ?? '';
    const state = text('state');
    const noJob = whyNoJob(text('job'), state);
    if (noJob !== undefined) {
      this.#sink.leaveOut({ ...noJob, line });
      return;
    }
    const job = new JobFields(text, layout.name);
    const { numbers, offset } = this.#rows;
    const set = (field: SwfField, value: number) => {
      numbers[offset + AT[field]] = value;
    };
    numbers.fill(-1, offset, offset + FIELDS);
    const [submit, start] = [job.date('submit', true), job.date('start', false)];
    set('job', job.id());
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
    for (const field of ['user', 'group', 'executable', 'queue', 'partition'] as const) {
      set(field, this.#names.number(field, text(field)));
    }
    if (job.problem === undefined) this.#rows.accept(line);
    else this.#sink.problem({ ...job.problem, line, field: undefined });
  }

  #reject(rule: SyntaxRule, line: number, found: string, expected: string): void {
    this.#sink.problem({ rule, line, field: undefined, found, expected });
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
  readonly #text: (source: Source) => string;
  readonly #name: Layout['name'];
  /** The first field that could not be read. */
  problem: Pick<SyntaxProblem, 'rule' | 'place' | 'found' | 'expected'> | undefined;

  constructor(text: (source: Source) => string, name: Layout['name']) {
    this.#text = text;
    this.#name = name;
  }

  /** `123`, `123_4` of an array, `123+1` of a job of several parts. */
  id(): number {
    const [, number] = /^(\d{1,15})(?:[_+].*)?$/.exec(this.#text('job')) ?? [];
    return number === undefined ? this.#fail('whole-number', 'job', 'the number of a job') : Number(number);
  }

  date(source: 'submit' | 'start' | 'end', isNeeded: boolean): number {
    const text = this.#text(source);
    if (!isNeeded && UNKNOWN_TIME.test(text)) return -1;
    return parseDate(text) ?? this.#fail('time', source);
  }

  /** Seconds; from start and end where the elapsed time is not there. */
  runtime(start: number): number {
    const text = this.#text('elapsed');
    if (text === '') {
      const end = this.date('end', false);
      return start >= 0 && end >= start ? end - start : -1;
    }
    return parseDuration(text) ?? this.#fail('time', 'elapsed', 'a duration such as 1-02:03:04, or seconds');
  }

  /** Seconds. The raw limit is minutes. */
  limit(): number {
    const text = this.#text('limit');
    if (NO_LIMIT.test(text)) return -1;
    if (this.#name.limit === 'TimelimitRaw' && /^\d{1,12}$/.test(text)) return 60 * Number(text);
    return parseDuration(text) ?? this.#fail('time', 'limit', 'a duration such as 1-02:03:04, or minutes');
  }

  count(source: 'processors' | 'requestedProcessors'): number {
    const text = this.#text(source);
    if (text === '') return -1;
    return /^\d{1,15}$/.test(text) ? Number(text) : this.#fail('whole-number', source, 'a whole number');
  }

  #fail(rule: SyntaxRule, source: Source, expected?: string): number {
    this.problem ??= {
      rule,
      place: `field ${this.#name[source]}`,
      found: quoteText(this.#text(source)),
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
