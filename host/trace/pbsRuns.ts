/**
 * Records of runs (`E`) in the accounting of PBS whose fields are plain, read byte by byte, some times as fast as by splitting text. Any
 * other line is left to pbs.ts; both read a plain line alike.
 */
import { latin1Text } from '../format/text.js';
import type { AccountingRecord } from './accountingJobs.js';
import { secondsOf } from './accountingLines.js';
import { KnownTexts, pairAt } from './knownTexts.js';
import type { NamedField, Names } from './records.js';

/** Keys that are used. Those of processors that are no numbers are left to pbs.ts. */
const KEYS = [
  '',
  ...[
    'ctime',
    'qtime',
    'etime',
    'start',
    'end',
    'Exit_status',
    'resources_used.ncpus',
    'Resource_List.ncpus',
  ],
  ...['Resource_List.walltime', 'user', 'group', 'account', 'jobname', 'queue'],
] as const;
type Key = (typeof KEYS)[number];
const AT = Object.fromEntries(KEYS.map((key, place) => [key, place])) as Record<Key, number>;
/** From here on values are texts. */
const FIRST_TEXT = AT['Resource_List.walltime'];

const [LINE_FEED, RETURN, SPACE, QUOTE, DASH, POINT, SLASH, ZERO, COLON, SEMICOLON, EQUALS, UNDERSCORE] = [
  ...[10, 13, 32, 34, 45, 46, 47, 48, 58, 59, 61, 95],
] as [number, number, number, number, number, number, number, number, number, number, number, number];
/** The prefix `03/05/2026 10:01:05;E;`. */
const PREFIX = 22;
const LETTER_E = 69;
/** Most digits of a time, and of a number of processors. */
const MOST_DIGITS = 12;
const MOST_PROCESSORS = 1e9;

/** Seconds of a time limit; -1 for none. */
export function limitOf(text: string): number {
  return secondsOf(text) ?? -1;
}

/** Reads plain records of runs. */
export class PbsRuns {
  readonly #record: AccountingRecord;
  readonly #keys = new KnownTexts((text) => Math.max(0, KEYS.indexOf(text as Key)));
  readonly #limits = new KnownTexts(limitOf);
  readonly #texts: Readonly<Record<'user' | 'group' | 'executable' | 'queue', KnownTexts>>;
  /** Numbers and places of texts by key; -1: not there. */
  readonly #numbers = new Float64Array(KEYS.length);
  readonly #from = new Int32Array(KEYS.length);
  readonly #until = new Int32Array(KEYS.length);
  readonly #hashes = new Int32Array(KEYS.length);
  #bytes: Uint8Array = new Uint8Array(0);
  #idFrom = 0;
  #idEnd = 0;
  #day = 0;
  #dayStart = 0;
  /** When the record was written, by the clock of the server. */
  at = 0;
  /** The end of the run; -1: unknown. */
  end = -1;
  exitStatus: number | undefined;

  constructor(record: AccountingRecord, names: Names) {
    this.#record = record;
    const of = (field: NamedField) => new KnownTexts((text) => names.number(field, text));
    this.#texts = { user: of('user'), group: of('group'), executable: of('executable'), queue: of('queue') };
  }

  /** Name of the job, such as `7.server`, in the line that `read` accepted last. */
  readonly id = (): string => latin1Text(this.#bytes.subarray(this.#idFrom, this.#idEnd));

  /** @returns the offset behind the line that begins at an offset; -1 if it is no plain record of a run. */
  read(bytes: Uint8Array, from: number, number: number): number {
    if (bytes[from + PREFIX - 1] !== SEMICOLON || bytes[from + PREFIX - 2] !== LETTER_E) return -1;
    if (!this.#readClock(bytes, from)) return -1;
    this.#bytes = bytes;
    this.#idFrom = from + PREFIX;
    let at = this.#idFrom;
    let job = 0;
    for (let digit = bytes[at]! - ZERO; digit >= 0 && digit <= 9; digit = bytes[++at]! - ZERO)
      job = job * 10 + digit;
    if (at === this.#idFrom || at - this.#idFrom > MOST_DIGITS || bytes[at] !== POINT) return -1;
    while (isWordByte(bytes[at]!) || bytes[at] === DASH) at++;
    if (bytes[at] !== SEMICOLON) return -1;
    this.#idEnd = at;
    at = this.#readPairs(bytes, at + 1);
    return at >= 0 && this.#fill(job, number) ? at : -1;
  }

  #readClock(bytes: Uint8Array, from: number): boolean {
    const [month, day, year] = [
      pairAt(bytes, from),
      pairAt(bytes, from + 3),
      100 * pairAt(bytes, from + 6) + pairAt(bytes, from + 8),
    ];
    const [hour, minute, second] = [
      pairAt(bytes, from + 11),
      pairAt(bytes, from + 14),
      pairAt(bytes, from + 17),
    ];
    const isClock =
      bytes[from + 2] === SLASH &&
      bytes[from + 5] === SLASH &&
      bytes[from + 10] === SPACE &&
      bytes[from + 13] === COLON &&
      bytes[from + 16] === COLON &&
      bytes[from + 19] === SEMICOLON;
    if (!isClock || Math.min(month, day, year, hour, minute, second) < 0) return false;
    const key = (year * 100 + month) * 100 + day;
    if (key !== this.#day) {
      this.#day = key;
      this.#dayStart = Date.UTC(year, month - 1, day) / 1000;
    }
    this.at = this.#dayStart + 3600 * hour + 60 * minute + second;
    return true;
  }

  /** Reads `key=value` to the end of the line; returns the offset behind it, or -1. */
  #readPairs(bytes: Uint8Array, from: number): number {
    this.#numbers.fill(-1);
    this.#from.fill(-1);
    this.exitStatus = undefined;
    let at = from;
    for (;;) {
      let hash = 0;
      const start = at;
      let byte = bytes[at]!;
      while (isWordByte(byte)) {
        hash = (Math.imul(hash, 31) + byte) | 0;
        byte = bytes[++at]!;
      }
      if (byte !== EQUALS || at === start) return -1;
      const key = this.#keys.valueOf(bytes, start, at, hash);
      at = this.#readValue(bytes, at + 1, key);
      if (at < 0) return -1;
      byte = bytes[at]!;
      if (byte === RETURN) byte = bytes[++at]!;
      if (byte === LINE_FEED) return at + 1;
      if (byte !== SPACE) return -1;
      at++;
    }
  }

  /** Reads a value; returns where it ends, or -1. */
  #readValue(bytes: Uint8Array, from: number, key: number): number {
    let at = from;
    if (key > 0 && key < FIRST_TEXT) {
      const isNegative = bytes[at] === DASH;
      if (isNegative) at++;
      let value = 0;
      const first = at;
      for (let digit = bytes[at]! - ZERO; digit >= 0 && digit <= 9; digit = bytes[++at]! - ZERO)
        value = value * 10 + digit;
      if (at === first || at - first > MOST_DIGITS || (isNegative && key !== AT.Exit_status)) return -1;
      this.#numbers[key] = isNegative ? -value : value;
      if (key === AT.Exit_status) this.exitStatus = this.#numbers[key];
      return at;
    }
    if (key === 0) {
      let byte = bytes[at]!;
      while (byte > SPACE && byte < 127 && byte !== QUOTE) byte = bytes[++at]!;
      return byte === QUOTE ? -1 : at;
    }
    const isQuoted = bytes[at] === QUOTE;
    if (isQuoted) at++;
    const first = at;
    let hash = 0;
    let byte = bytes[at]!;
    while ((byte > SPACE || (isQuoted && byte === SPACE)) && byte < 127 && byte !== QUOTE) {
      hash = (Math.imul(hash, 31) + byte) | 0;
      byte = bytes[++at]!;
    }
    if (isQuoted !== (byte === QUOTE)) return -1;
    this.#from[key] = first;
    this.#until[key] = at;
    this.#hashes[key] = hash;
    return isQuoted ? at + 1 : at;
  }

  #fill(job: number, number: number): boolean {
    const record = this.#record;
    const numbers = this.#numbers;
    const [ctime, qtime, etime] = [numbers[AT.ctime]!, numbers[AT.qtime]!, numbers[AT.etime]!];
    const used = numbers[AT['resources_used.ncpus']]!;
    const processors = used >= 0 ? used : numbers[AT['Resource_List.ncpus']]!;
    const submit = ctime >= 0 ? ctime : qtime;
    if (submit < 0 || processors < 0 || processors >= MOST_PROCESSORS) return false;
    const start = numbers[AT.start]! > 0 ? numbers[AT.start]! : -1;
    this.end = numbers[AT.end]! > 0 ? numbers[AT.end]! : -1;
    record.number = number;
    record.job = job;
    record.submit = submit;
    record.eligible = etime >= 0 ? etime : qtime;
    record.hasEligible = etime >= 0 || qtime >= 0;
    record.start = start;
    record.end = this.end;
    record.elapsed = start >= 0 && this.end >= start ? this.end - start : -1;
    record.processors = start >= 0 ? processors : -1;
    record.requestedProcessors = processors;
    record.limit = this.#valueOf(this.#limits, AT['Resource_List.walltime']);
    record.hasLimit = true;
    record.isRepeated = false;
    record.user = this.#valueOf(this.#texts.user, AT.user);
    record.group = this.#valueOf(this.#texts.group, this.#from[AT.account]! >= 0 ? AT.account : AT.group);
    record.executable = this.#valueOf(this.#texts.executable, AT.jobname);
    record.queue = this.#valueOf(this.#texts.queue, AT.queue);
    return true;
  }

  /** The value of a text; -1 where it is not there, or empty. */
  #valueOf(known: KnownTexts, key: number): number {
    const from = this.#from[key]!;
    const until = this.#until[key]!;
    return from >= 0 && from < until ? known.valueOf(this.#bytes, from, until, this.#hashes[key]!) : -1;
  }
}

/** Letters, digits, `_` and `.`. */
function isWordByte(byte: number): boolean {
  return (
    (byte >= 97 && byte <= 122) ||
    (byte >= 65 && byte <= 90) ||
    (byte >= ZERO && byte <= ZERO + 9) ||
    byte === UNDERSCORE ||
    byte === POINT
  );
}
