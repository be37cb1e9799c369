/**
 * Fast reader of the usual lines of accounting files and tables. A line whose fields are whole numbers, dates, durations and names in
 * ASCII is read byte by byte, without making strings. Any other line is rejected (-1), and the reader of the format splits it as text
 * and reports its errors. Both readers give the same record for a line that both accept (tests/trace/plainLines.test.ts).
 */
import { latin1Text } from '../format/text.js';
import { type AccountingRecord, isRepeated, STATE, stateOf, YEAR_MINUTES } from './accountingJobs.js';
import { KnownTexts, pairAt } from './knownTexts.js';
import type { NamedField, Names } from './records.js';

/** What a field is read as. */
const AS = {
  skipped: 0,
  job: 1,
  task: 2,
  submit: 3,
  eligible: 4,
  start: 5,
  end: 6,
  elapsed: 7,
  suspended: 8,
  processors: 9,
  requestedProcessors: 10,
  limit: 11,
  state: 12,
  user: 13,
  group: 14,
  executable: 15,
  queue: 16,
  partition: 17,
  category: 18,
  failed: 19,
  exitStatus: 20,
  taskNumber: 21,
  slave: 22,
} as const;

const ACTIONS = 23;
/** Days that are kept, a power of two. */
const DAYS = 256;

/** Where the fields of a line are. */
export interface PlainLayout {
  readonly count: number;
  readonly place: Readonly<Partial<Record<Exclude<keyof typeof AS, 'skipped'>, number>>>;
  /** The character between fields. */
  readonly separator: string;
  readonly isLimitInMinutes: boolean;
  readonly hasCluster: boolean;
  /** A job called 7.0 is a step. */
  readonly hasSteps: boolean;
  /** A limit of a year means none, as in Slurm. */
  readonly isYearNone: boolean;
  /** Fields may be quoted, numbers may end with `.0`, and dates may have a blank in the middle and `+00:00`, `Z` or `.000Z` behind. */
  readonly isTable: boolean;
  /** Texts that stand for no name, in lower case, such as `null`. */
  readonly noNames: readonly string[];
  /** Seconds since 1970 of a local time, which counts seconds as if it were UTC; default: it is UTC. */
  readonly toUnix?: (local: number) => number;
  /** Time limit, in seconds, that the category of a job of Grid Engine names; -1 for none. */
  readonly limitIn?: (category: string) => number;
}

const LINE_FEED = 10;
const RETURN = 13;
const SPACE = 32;
const COLON = 58;
const DASH = 45;
const POINT = 46;
const UNDERSCORE = 95;
const LETTER_T = 84;
const QUOTE = 34;
const PLUS = 43;
const LETTER_Z = 90;
const ZERO = 48;
/** Most digits of a number that is read here. */
const MOST_DIGITS = 12;

/** From here on times in tables are milliseconds. */
const MILLISECONDS_FROM = 1e11;

/** A field that is not plain. */
const ODD = -2;

/** Reads plain lines into a record. */
export class PlainLines {
  readonly #record: AccountingRecord;
  readonly #names: Names;
  readonly #actions: Uint8Array;
  readonly #layout: PlainLayout;
  /** The partition is the same field as the queue. */
  readonly #sharesQueue: boolean;
  readonly #known: readonly KnownTexts[];
  /** Where the field that was read last ends. */
  #at = 0;
  /** Where the names are, by action. */
  readonly #from = new Int32Array(ACTIONS);
  readonly #end = new Int32Array(ACTIONS);
  readonly #hashes = new Int32Array(ACTIONS);
  #hash = 0;
  /** The number of the task, where it is one. */
  #task = -1;
  #taskFrom = 0;
  #taskEnd = 0;
  /** Days that were read lately, as numbers such as 20240301, and the seconds from 1970 to them. */
  readonly #days = new Int32Array(DAYS);
  readonly #daySeconds = new Int32Array(DAYS);
  /** The state is one after which Slurm may run the job again. */
  #endsRun = false;
  /** Whether the line that was read last is a step of a job. */
  isStep = false;
  /** Why a job of Grid Engine failed, how it ended, and which task of an array it is. */
  failed = 0;
  exitStatus = 0;
  taskNumber = 0;
  readonly #separator: number;
  readonly #isTable: boolean;
  readonly #toUnix: ((local: number) => number) | undefined;

  constructor(layout: PlainLayout, record: AccountingRecord, names: Names) {
    this.#layout = layout;
    this.#separator = layout.separator.charCodeAt(0);
    this.#isTable = layout.isTable;
    this.#toUnix = layout.toUnix;
    this.#record = record;
    this.#names = names;
    this.#actions = new Uint8Array(layout.count);
    for (const [source, place] of Object.entries(layout.place)) {
      // The first of two meanings of one field stays: the job's number, and the queue.
      if (this.#actions[place] === AS.skipped) this.#actions[place] = AS[source as keyof typeof AS];
    }
    this.#sharesQueue = layout.place.queue !== undefined && layout.place.queue === layout.place.partition;
    const { noNames, limitIn = () => -1 } = layout;
    const numbering = (field: NamedField) => (text: string) =>
      noNames.includes(text.toLowerCase()) ? -1 : names.number(field, text);
    const named = (field: NamedField) => {
      const other = field === 'queue' && this.#sharesQueue ? numbering('partition') : undefined;
      return new KnownTexts(numbering(field), other);
    };
    this.#known = [
      new KnownTexts((text) =>
        STATES.indexOf(text) >= 0 ? 2 * (stateOf(text) + 8) + Number(isRepeated(text)) : ODD,
      ),
      ...(['user', 'group', 'executable', 'queue', 'partition'] as const).map(named),
      new KnownTexts(limitIn),
    ];
  }

  /**
   * Reads the line that begins at an offset; the bytes end with a line feed.
   * @returns the offset behind the line; -1 if it is not plain, and then the record may hold anything.
   */
  read(bytes: Uint8Array, from: number, number: number): number {
    const actions = this.#actions;
    const { count } = this.#layout;
    this.#reset(number);
    this.#at = from;
    for (let field = 0; field < count; field++) {
      if (!this.#readField(bytes, actions[field]!)) return this.isStep ? this.#endStep(bytes, field) : -1;
      let byte = bytes[this.#at];
      if (field === count - 1) {
        if (byte === RETURN) byte = bytes[++this.#at];
        if (byte !== LINE_FEED) return -1;
      } else if (byte !== this.#separator) return -1;
      this.#at++;
    }
    this.#record.isRepeated = this.#endsRun && this.#record.start >= 0;
    if (!this.#nameTask(bytes)) return -1;
    this.#numberNames(bytes);
    return this.#at;
  }

  /** Goes to the end of a step, all of whose fields must be there. */
  #endStep(bytes: Uint8Array, field: number): number {
    for (let bars = field; ; bars++) {
      this.#skip(bytes);
      let byte = bytes[this.#at];
      if (byte === RETURN) byte = bytes[++this.#at];
      if (byte !== this.#separator && (byte !== LINE_FEED || bars !== this.#layout.count - 1)) return -1;
      this.#at++;
      if (byte === LINE_FEED) return this.#at;
    }
  }

  #reset(number: number): void {
    const record = this.#record;
    const { place, hasCluster } = this.#layout;
    this.isStep = false;
    this.#taskFrom = -1;
    record.number = number;
    record.hetJob = -1;
    record.hasEligible = place.eligible !== undefined;
    record.hasLimit = place.limit !== undefined;
    record.hasCluster = hasCluster;
    record.eligible = -1;
    record.start = -1;
    record.end = -1;
    record.elapsed = -1;
    record.suspended = -1;
    record.processors = -1;
    record.requestedProcessors = -1;
    record.limit = -1;
    record.state = STATE.unknown;
    this.#endsRun = false;
  }

  /** Reads a field from the current offset to its end; false if it is not plain. */
  #readField(bytes: Uint8Array, action: number): boolean {
    const record = this.#record;
    switch (action) {
      case AS.skipped:
        return this.#skip(bytes);
      case AS.job:
        record.job = this.#digits(bytes);
        if (bytes[this.#at] === POINT) this.isStep = record.job >= 0 && this.#layout.hasSteps;
        return record.job >= 0 && !this.isStep;
      case AS.task:
        return this.#readTask(bytes);
      case AS.submit:
        record.submit = this.#date(bytes);
        return record.submit >= 0;
      case AS.eligible:
        record.eligible = this.#date(bytes);
        return record.eligible !== ODD;
      case AS.start:
        record.start = this.#date(bytes);
        return record.start !== ODD;
      case AS.end:
        record.end = this.#date(bytes);
        return record.end !== ODD;
      case AS.elapsed:
        record.elapsed = this.#duration(bytes);
        return record.elapsed !== ODD;
      case AS.suspended:
        record.suspended = this.#duration(bytes);
        return record.suspended !== ODD;
      case AS.processors:
        record.processors = this.#digits(bytes);
        return record.processors !== ODD;
      case AS.requestedProcessors:
        record.requestedProcessors = this.#digits(bytes);
        return record.requestedProcessors !== ODD;
      case AS.limit:
        record.limit = this.#limit(bytes);
        return record.limit !== ODD;
      case AS.state:
        return this.#readState(bytes);
      case AS.failed:
        this.failed = this.#digits(bytes);
        return this.failed >= 0;
      case AS.exitStatus:
        this.exitStatus = this.#digits(bytes);
        return this.exitStatus >= 0;
      case AS.taskNumber:
        this.taskNumber = this.#digits(bytes);
        return this.taskNumber === 0;
      case AS.slave:
        return this.#word(bytes, NO_SLAVE);
      default:
        return this.#readName(bytes, action);
    }
  }

  #skip(bytes: Uint8Array): boolean {
    const separator = this.#separator;
    let at = this.#at;
    let byte = bytes[at]!;
    if (byte === QUOTE && this.#isTable) return false;
    while (byte !== separator && byte >= SPACE && byte < 127) byte = bytes[++at]!;
    this.#at = at;
    return true;
  }

  /** Reads the text of a job's number, which is looked at when the number is known. */
  #readTask(bytes: Uint8Array): boolean {
    let at = this.#at;
    this.#taskFrom = at;
    this.#task = this.#digits(bytes);
    at = this.#at;
    let byte = bytes[at]!;
    if (byte === UNDERSCORE) this.#task = -1;
    while ((byte >= ZERO && byte <= ZERO + 9) || byte === UNDERSCORE) byte = bytes[++at]!;
    this.#at = at;
    this.#taskEnd = at;
    if (byte !== POINT) return true;
    this.isStep = at > this.#taskFrom;
    return false;
  }

  /** Calls the job by the name of a task, if it has one. */
  #nameTask(bytes: Uint8Array): boolean {
    if (this.#taskFrom < 0 || this.#taskFrom === this.#taskEnd) return true;
    const { job } = this.#record;
    if (this.#task === job) return true;
    const task = latin1Text(bytes.subarray(this.#taskFrom, this.#taskEnd));
    if (!/^\d+(?:_\d+)?$/.test(task)) return false;
    this.#names.callJob(job, task);
    return true;
  }

  /** A whole number; -1 of an empty field. */
  #digits(bytes: Uint8Array): number {
    const from = this.#at;
    let at = from;
    let value = 0;
    let digit = bytes[at]! - ZERO;
    while (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      digit = bytes[++at]! - ZERO;
    }
    if (digit === POINT - ZERO && this.#isTable) at = endOfZeros(bytes, at);
    this.#at = at;
    if (at === from) return this.#isEnd(bytes[at]!) ? -1 : ODD;
    return at - from <= MOST_DIGITS ? value : ODD;
  }

  /** Seconds since 1970 of a date or a number; -1 where it is unknown. */
  #date(bytes: Uint8Array): number {
    const from = this.#at;
    const first = bytes[from]!;
    if (this.#isEnd(first)) return -1;
    if (first > ZERO + 9) return this.#word(bytes, UNKNOWN) || this.#word(bytes, NONE) ? -1 : ODD;
    if (bytes[from + 4] !== DASH) {
      const time = this.#digits(bytes);
      return this.#isTable && time >= MILLISECONDS_FROM ? ODD : time;
    }
    if (
      bytes[from + 7] !== DASH ||
      (bytes[from + 10] !== LETTER_T && !(this.#isTable && bytes[from + 10] === SPACE))
    )
      return ODD;
    if (bytes[from + 13] !== COLON || bytes[from + 16] !== COLON) return ODD;
    const hour = pairAt(bytes, from + 11);
    const minute = pairAt(bytes, from + 14);
    const second = pairAt(bytes, from + 17);
    const day = this.#day(
      pairAt(bytes, from) * 100 + pairAt(bytes, from + 2),
      pairAt(bytes, from + 5),
      pairAt(bytes, from + 8),
    );
    if (!(day >= 0) || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59)
      return ODD;
    this.#at = this.#isTable ? endOfUtcSuffix(bytes, from + 19) : from + 19;
    const local = day + hour * 3600 + minute * 60 + second;
    return this.#toUnix === undefined ? local : this.#toUnix(local);
  }

  /** Seconds from 1970 to a day; ODD for one that does not exist, and beyond whole numbers of 32 bits, which are the fastest. */
  #day(year: number, month: number, day: number): number {
    const key = (year * 100 + month) * 100 + day;
    const slot = key & (DAYS - 1);
    if (key === this.#days[slot]) return this.#daySeconds[slot]!;
    if (year < 1970 || year > 2037 || month < 1 || month > 12 || day < 1 || day > 31) return ODD;
    const time = Date.UTC(year, month - 1, day);
    // What rolls over, such as February 30, is no date.
    if (new Date(time).getUTCDate() !== day) return ODD;
    this.#days[slot] = key;
    this.#daySeconds[slot] = time / 1000;
    return time / 1000;
  }

  /** Seconds of a number, or of `[days-][hours:]minutes:seconds`; -1 of an empty field. */
  #duration(bytes: Uint8Array): number {
    let value = this.#digits(bytes);
    let byte = bytes[this.#at]!;
    if (value < 0 || (byte !== COLON && byte !== DASH)) return value;
    if (this.#isTable) return ODD;
    let days = 0;
    if (byte === DASH) {
      days = value;
      this.#at++;
      value = this.#digits(bytes);
      byte = bytes[this.#at]!;
    }
    let parts = 0;
    let last = 0;
    while (byte === COLON && value >= 0) {
      last = ++this.#at;
      const part = this.#digits(bytes);
      if (part < 0) return ODD;
      value = 60 * value + part;
      byte = bytes[this.#at]!;
      parts++;
    }
    if (value < 0 || parts < 1 || parts > 2 || this.#at - last !== 2) return ODD;
    return days * 86_400 + value;
  }

  /** Seconds of a limit; -1 for none. */
  #limit(bytes: Uint8Array): number {
    if (this.#isEnd(bytes[this.#at]!)) return -1;
    if (bytes[this.#at]! > ZERO + 9) {
      return this.#word(bytes, UNLIMITED) || this.#word(bytes, PARTITION_LIMIT) ? -1 : ODD;
    }
    const from = this.#at;
    let value = this.#digits(bytes);
    if (value >= 0 && this.#layout.isLimitInMinutes && this.#isEnd(bytes[this.#at]!)) value *= 60;
    else if (value >= 0) {
      this.#at = from;
      value = this.#duration(bytes);
    }
    return value === 60 * YEAR_MINUTES && this.#layout.isYearNone ? -1 : value;
  }

  /** Whether this word fills the field; then goes to its end. */
  #word(bytes: Uint8Array, word: Uint8Array): boolean {
    const from = this.#at;
    for (let i = 0; i < word.length; i++) if (bytes[from + i] !== word[i]) return false;
    if (!this.#isEnd(bytes[from + word.length]!)) return false;
    this.#at = from + word.length;
    return true;
  }

  /** Goes to the end of a text and hashes it; false if it has blanks around it, or more than ASCII. */
  #toEnd(bytes: Uint8Array): boolean {
    const from = this.#at;
    let at = from;
    let hash = 0;
    let byte = bytes[at]!;
    const separator = this.#separator;
    if (byte === QUOTE && this.#isTable) return false;
    while (byte !== separator && byte >= SPACE && byte < 127) {
      hash = (Math.imul(hash, 31) + byte) | 0;
      byte = bytes[++at]!;
    }
    this.#at = at;
    this.#hash = hash;
    return at === from || (bytes[from] !== SPACE && bytes[at - 1] !== SPACE);
  }

  #readState(bytes: Uint8Array): boolean {
    const from = this.#at;
    if (!this.#toEnd(bytes)) return false;
    const known = (this.#known[0] as KnownTexts).valueOf(bytes, from, this.#at, this.#hash);
    if (known === ODD) {
      // The only ones with numbers in them.
      this.#record.state = STATE.cancelled;
      return startsWith(bytes, from, CANCELLED);
    }
    this.#record.state = (known >> 1) - 8;
    this.#endsRun = (known & 1) === 1;
    return true;
  }

  /** Reads a name, whose number is looked up when the whole line has been found plain. */
  #readName(bytes: Uint8Array, action: number): boolean {
    this.#from[action] = this.#at;
    const isPlain = this.#toEnd(bytes);
    this.#end[action] = this.#at;
    this.#hashes[action] = this.#hash;
    return isPlain;
  }

  #numberNames(bytes: Uint8Array): void {
    const record = this.#record;
    record.user = this.#numberOf(bytes, AS.user);
    record.group = this.#numberOf(bytes, AS.group);
    record.executable = this.#numberOf(bytes, AS.executable);
    if (this.#layout.limitIn !== undefined) record.limit = this.#numberOf(bytes, AS.category);
    record.queue = this.#numberOf(bytes, AS.queue);
    if (!this.#sharesQueue) record.partition = this.#numberOf(bytes, AS.partition);
    else record.partition = record.queue < 0 ? -1 : this.#known[AS.queue - AS.state]!.lastOther();
  }

  /** The end of a field or a line. */
  #isEnd(byte: number): boolean {
    return byte === this.#separator || byte === LINE_FEED || byte === RETURN;
  }

  /** The number of the name in a field; -1 for none. */
  #numberOf(bytes: Uint8Array, action: number): number {
    const from = this.#from[action]!;
    const end = this.#end[action]!;
    return from < end ? this.#known[action - AS.state]!.valueOf(bytes, from, end, this.#hashes[action]!) : -1;
  }
}

/** States of jobs that have ended, as they are most often. */
const STATES: readonly string[] = [
  'COMPLETED',
  'FAILED',
  'TIMEOUT',
  'CANCELLED',
  'NODE_FAIL',
  'OUT_OF_MEMORY',
  'PREEMPTED',
  'REQUEUED',
  'BOOT_FAIL',
  'DEADLINE',
];

const [UNKNOWN, NONE, UNLIMITED, PARTITION_LIMIT, CANCELLED, NO_SLAVE] = [
  'Unknown',
  'None',
  'UNLIMITED',
  'Partition_Limit',
  'CANCELLED by ',
  'NONE',
].map((text) => new TextEncoder().encode(text)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
];

/** The end of a fraction `.0` that begins at an offset; the offset itself for any other. */
function endOfZeros(bytes: Uint8Array, point: number): number {
  let at = point + 1;
  while (bytes[at] === ZERO) at++;
  return at === point + 1 || isDigit(bytes[at]!) ? point : at;
}

/** The end of `+00:00`, `Z` or `.000Z` behind a date; the offset itself for any other. */
function endOfUtcSuffix(bytes: Uint8Array, from: number): number {
  let at = from;
  if (bytes[at] === POINT) at = endOfZeros(bytes, at);
  if (bytes[at] === LETTER_Z) return at + 1;
  if (bytes[at] !== PLUS) return at;
  const isUtc = pairAt(bytes, at + 1) === 0 && bytes[at + 3] === COLON && pairAt(bytes, at + 4) === 0;
  return isUtc ? at + 6 : from;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}

function startsWith(bytes: Uint8Array, from: number, word: Uint8Array): boolean {
  return word.every((byte, i) => bytes[from + i] === byte);
}
