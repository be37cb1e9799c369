/** Records on their way from a reader to the code that wants them, and the numbers of names that they hold. */
import { escapeNonPrintingText } from '../format/text.js';
import { SWF_SUBMIT_FIELD_INDEX } from '../loops/loops.js';
import { LINE_PLACE_NAMES, type RecordPlaceNames } from './places.js';
import type { SyntaxProblem } from './syntax.js';
import {
  FIELDS_WITH_NAMES,
  formatHeaderNameLines,
  type NoteRule,
  SWF_FIELDS_PER_RECORD,
  type SwfField,
} from './trace.js';

/** Receives what a reader finds, in file order. */
export interface LogSink {
  /** Called once, before the first record or problem of a record, or at the end: header lines as SWF has them. */
  header(lines: readonly string[]): void;
  /** The next readable records, 18 numbers each, and their lines or other places of the format. Overwritten by the next ones. */
  records(rows: Float64Array, lines: Float64Array): void;
  /** Where a rule is broken. Only with `submit-order` it is also a readable record. */
  problem(problem: SyntaxProblem): void;
  /** A record that, by its format, is not a job that has run. */
  leaveOut(record: RecordWithoutJob): void;
  /** Changes of records that were handed over; called at the end of a file, at most once. */
  amend?(changes: RecordAmendments): void;
  /** Remarks on the records of a file; called at its end, at most once. */
  notes?(notes: readonly LogNote[]): void;
}

/** Changes of records that later lines of a file bring about. Records are numbered from 0, in the order in which they were handed over. */
export interface RecordAmendments {
  /** Numbers of the records that are no jobs after all. */
  readonly dropped: readonly number[];
  /** New values of fields, by the number of the record. */
  readonly changed: ReadonlyMap<number, Readonly<Partial<Record<SwfField, number>>>>;
}

/** A remark on the records of a log of one kind; none of them was dropped for it. */
export interface LogNote {
  readonly rule: NoteRule;
  /** Number of records. */
  readonly count: number;
  /** Lines, or other places of the format, of the first few. */
  readonly lines: readonly number[];
  /** The first of them, ready to print. */
  readonly example: string;
  /** Sum over the records, in seconds, where the remark is about time. */
  readonly seconds: number;
}

/** Why a record of a log is no job: a part of one, one that has not ended, one without a duration. */
export interface RecordWithoutJob {
  readonly rule: 'step' | 'unfinished' | 'profile' | 'component';
  /** Line, or another place of the format; undefined for several. */
  readonly line: number | undefined;
  /** What is there, ready to print. */
  readonly example: string;
  /** Number of such records, if there are several; the place is that of one of them. */
  readonly count?: number;
}

/** The moment at which a job of an accounting record arrives: when it became eligible to start, or when it was submitted. */
export const ARRIVALS = ['eligible', 'submit'] as const;
/** One of `ARRIVALS`. */
export type Arrival = (typeof ARRIVALS)[number];

/** Reads a log piece by piece: push the bytes, then end. What is wrong goes to the sink; nothing is thrown. */
export interface LogReader {
  /** Takes the next bytes; they are not kept. */
  push(chunk: Uint8Array): void;
  /** Says that the log is over; its last line needs no line end. */
  end(): void;
  /** Lines so far. */
  readonly lines: number;
  /** Records so far, readable or not. */
  readonly records: number;
  /** Whether the rest is not looked at, since what came is no log. */
  readonly isOver: boolean;
}

/** Number of records that are handed over at a time. */
export const RECORDS_PER_HANDOVER = 512;

/** Gathers records and hands them over in blocks; submit times that are unknown or descend are reported. */
export class RecordRowBuffer {
  /** Readable records that the sink has not had yet; the next one is written from `offset`. */
  readonly numbers: Float64Array;
  offset = 0;
  /** Records that were accepted so far. */
  accepted = 0;
  /** Submit times may descend. */
  isUnordered = false;
  readonly #sink: Pick<LogSink, 'records' | 'problem'>;
  readonly #places: RecordPlaceNames;
  /** The lines they are in. */
  readonly #lines = new Float64Array(RECORDS_PER_HANDOVER);
  #gathered = 0;
  #previousSubmit = Number.NEGATIVE_INFINITY;
  #previousLine = 0;

  /**
   * @param places of the format.
   * @param numbers where records are gathered, `RECORDS_PER_HANDOVER` of them.
   */
  constructor(
    sink: Pick<LogSink, 'records' | 'problem'>,
    places: RecordPlaceNames = LINE_PLACE_NAMES,
    numbers: Float64Array = new Float64Array(RECORDS_PER_HANDOVER * SWF_FIELDS_PER_RECORD),
  ) {
    this.#sink = sink;
    this.#places = places;
    this.numbers = numbers;
  }

  /** Records that the sink has not had yet. */
  get gathered(): number {
    return this.#gathered;
  }

  /** The submit time of the last record that was taken; -Infinity before the first. */
  get previousSubmit(): number {
    return this.#previousSubmit;
  }

  /**
   * Takes as many records, of lines that follow one another, which were written from `offset`. Only the last one may be submitted before the
   * one above it, or have a negative submit time.
   */
  acceptAll(count: number, firstLine: number): void {
    const ascending = count - 1;
    if (ascending > 0) {
      for (let i = 0; i < ascending; i++) this.#lines[this.#gathered + i] = firstLine + i;
      this.#gathered += ascending;
      this.accepted += ascending;
      this.offset += ascending * SWF_FIELDS_PER_RECORD;
      this.#previousSubmit = this.numbers[this.offset - SWF_FIELDS_PER_RECORD + SWF_SUBMIT_FIELD_INDEX]!;
      this.#previousLine = firstLine + ascending - 1;
    }
    this.accept(firstLine + ascending);
  }

  /** Takes the record that was written from `offset`, unless its submit time is negative. */
  accept(line: number): void {
    const submit = this.numbers[this.offset + SWF_SUBMIT_FIELD_INDEX]!;
    if (submit < 0) {
      this.#reject('negative-submit', line, String(submit));
      return;
    }
    if (submit < this.#previousSubmit && !this.isUnordered) {
      const found = `${submit} after ${this.#previousSubmit} in ${this.#places.nameOf(this.#previousLine)}`;
      this.#reject('submit-order', line, found);
    }
    this.#previousSubmit = submit;
    this.#previousLine = line;
    this.#lines[this.#gathered] = line;
    this.accepted++;
    this.offset += SWF_FIELDS_PER_RECORD;
    if (++this.#gathered === RECORDS_PER_HANDOVER) this.handOver();
  }

  /** Hands over the collected records. */
  handOver(): void {
    if (this.#gathered === 0) return;
    this.#sink.records(this.numbers.subarray(0, this.offset), this.#lines.subarray(0, this.#gathered));
    this.offset = 0;
    this.#gathered = 0;
  }

  #reject(rule: 'negative-submit' | 'submit-order', line: number, found: string): void {
    const field = this.#places === LINE_PLACE_NAMES ? SWF_SUBMIT_FIELD_INDEX + 1 : undefined;
    this.#sink.problem({ rule, line, field, found });
  }
}

/** Fields for which other formats give names. */
export const NAMED_FIELDS = ['user', 'group', 'executable', 'queue', 'partition'] as const;
export type NamedField = (typeof NAMED_FIELDS)[number];

/** Where numbers and names are in one column, names are numbered beyond any number that may come. */
const FIRST_NUMBER_OF_NAMES = 1e12;

/** The names of one field, numbered from 1 in the order in which they come; numbers stay what they are, if the first is one. */
class NameNumbering {
  readonly #numbers = new Map<string, number>();
  /** Names in the order of their numbers. */
  readonly #names: string[] = [];
  #isNumeric: boolean | undefined;

  /** @param isNumeric whether numbers stay in any case. */
  constructor(isNumeric?: boolean) {
    this.#isNumeric = isNumeric;
  }

  number(name: string): number {
    const isNumber = /^\d{1,12}$/.test(name);
    this.#isNumeric ??= isNumber;
    if (this.#isNumeric && isNumber) return Number(name);
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.#numbers.size + 1 + (this.#isNumeric ? FIRST_NUMBER_OF_NAMES : 0);
      this.#numbers.set(name, number);
      this.#names.push(name);
    }
    return number;
  }

  /** The name of a number; undefined if it has none. */
  nameOf(number: number): string | undefined {
    return this.#names[number - 1 - (this.#isNumeric ? FIRST_NUMBER_OF_NAMES : 0)];
  }

  /** Names by number. */
  names(): Map<number, string> {
    return new Map([...this.#numbers].map(([name, number]) => [number, escapeNonPrintingText(name)]));
  }
}

/** The names in the files of one log. */
export class LogNames {
  readonly #columns = Object.fromEntries(
    NAMED_FIELDS.map((field) => [field, new NameNumbering()] as const),
  ) as Record<NamedField, NameNumbering>;

  readonly #tasks = new Map<number, string>();
  readonly #jobs = new NameNumbering(true);
  readonly #shown = new Map<number, string>();

  /** The number of a job that has only a name, such as 102_1. */
  job(name: string): number {
    return this.#jobs.number(name);
  }

  /** Says what the job of a number is called. */
  callJob(number: number, name: string): void {
    this.#tasks.set(number, escapeNonPrintingText(name));
  }

  /** Forgets the names of jobs whose numbers occur in several clusters, which number their jobs apart. */
  forgetShared(jobs: Float64Array, clusters: Float64Array): void {
    const first = new Map<number, number>();
    for (let record = 0; record < jobs.length; record++) {
      const job = jobs[record]!;
      const cluster = first.get(job) ?? clusters[record]!;
      if (cluster === clusters[record]) first.set(job, cluster);
      else this.#tasks.delete(job);
    }
  }

  /** Says what messages call the job of a number, if that is no name to keep, such as `62_[1-9%1]`. */
  showJob(number: number, name: string): void {
    this.#shown.set(number, name);
  }

  /** What messages call a job: its name in the log, or else its number. */
  jobName(number: number): string {
    const name = this.#shown.get(number) ?? this.#tasks.get(number) ?? this.#jobs.nameOf(number);
    return name === undefined ? String(number) : escapeNonPrintingText(name);
  }

  /** Numbers of the partitions that are clusters: machines of their own. */
  readonly clusters = new Set<number>();

  /** The number of a name; -1 for none. */
  number(field: NamedField, name: string): number {
    return name === '' || name === '-1' ? -1 : this.#columns[field].number(name);
  }

  /** What a number in a field is called; the number itself if it has no name. */
  nameOf(field: NamedField, number: number): string {
    return escapeNonPrintingText(this.#columns[field].nameOf(number) ?? String(number));
  }

  /** Header lines that say what the numbers are called; what jobs execute is not kept. */
  headerLines(): string[] {
    return FIELDS_WITH_NAMES.flatMap((field) => {
      const names =
        field === 'job' ? new Map([...this.#tasks, ...this.#jobs.names()]) : this.#columns[field].names();
      return formatHeaderNameLines(field, names);
    });
  }
}
