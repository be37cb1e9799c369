/** Records on their way from a reader to its sink, and the numbering of names in them. */
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

/** Receives the results of a reader in file order. */
export interface LogSink {
  /**
   * Receives the header lines in the syntax of SWF once: before the first record or problem, or at the
   * end.
   */
  header(lines: readonly string[]): void;
  /**
   * Receives readable records (18 numbers each) and their lines or other places. The next call overwrites
   * both.
   */
  records(recordRows: Float64Array, lineNumbers: Float64Array): void;
  /** Receives a violation of a rule. Only with `submit-order` is the record also readable. */
  problem(problem: SyntaxProblem): void;
  /** Receives a record that is not a job that has run. */
  leaveOut(recordWithoutJob: RecordWithoutJob): void;
  /** Receives changes of earlier records; called at most once, at the end of a file. */
  amend?(changes: RecordAmendments): void;
  /** Receives remarks on the records of a file; called at most once, at its end. */
  notes?(logNotes: readonly LogNote[]): void;
}

/**
 * Changes of earlier records caused by later lines of a file. Records are numbered from 0 in the order in
 * which they were passed on.
 */
export interface RecordAmendments {
  /** Indices of records that turned out not to be jobs. */
  readonly dropped: readonly number[];
  /** New values of fields, by index of the record. */
  readonly changed: ReadonlyMap<number, Readonly<Partial<Record<SwfField, number>>>>;
}

/** A remark on records of one kind in a log; it drops none of them. */
export interface LogNote {
  readonly rule: NoteRule;
  /** Number of records. */
  readonly count: number;
  /** Lines or other places of the first few records. */
  readonly lines: readonly number[];
  /** Description of the first record, ready to print. */
  readonly example: string;
  /** Sum over the records in seconds, if the remark is about time; otherwise 0. */
  readonly seconds: number;
}

/** A record that is not a job, and the reason: part of a job, an unfinished job, or no duration. */
export interface RecordWithoutJob {
  readonly rule: 'step' | 'unfinished' | 'profile' | 'component';
  /** Line or another place of the format; undefined for several records. */
  readonly line: number | undefined;
  /** Description of the record, ready to print. */
  readonly example: string;
  /** Number of such records, if there are several; the place is then the place of one of them. */
  readonly count?: number;
}

/**
 * Choices of the arrival time of a job in accounting records: when it became eligible to start, or when it
 * was submitted.
 */
export const ARRIVALS = ['eligible', 'submit'] as const;
/** Choice of the arrival time of accounting records: a word of `ARRIVALS`. */
export type ArrivalChoice = (typeof ARRIVALS)[number];

/** Reads a log in chunks: `push` for each chunk, then `end`. Problems are passed to the sink, not thrown. */
export interface LogReader {
  /** Reads the next bytes, without keeping a reference to them. */
  push(chunk: Uint8Array): void;
  /** Ends the log; the last line needs no line end. */
  end(): void;
  /** Number of lines so far. */
  readonly lines: number;
  /** Number of records so far, readable or not. */
  readonly records: number;
  /** True if the rest need not be read, since the data is not a log. */
  readonly isOver: boolean;
}

/** Number of records passed on at a time. */
export const RECORDS_PER_HANDOVER = 512;

/** Collects records and passes them on in blocks; reports unknown and descending submit times. */
export class RecordRowBuffer {
  /** Buffer of readable records not yet passed on; the next one is written at `offset`. */
  readonly numbers: Float64Array;
  offset = 0;
  /** Number of accepted records so far. */
  accepted = 0;
  /** True if submit times may descend. */
  isUnordered = false;
  readonly #sink: Pick<LogSink, 'records' | 'problem'>;
  readonly #places: RecordPlaceNames;
  /** Lines of the records in the buffer. */
  readonly #lines = new Float64Array(RECORDS_PER_HANDOVER);
  #gathered = 0;
  #previousSubmit = Number.NEGATIVE_INFINITY;
  #previousLine = 0;

  /**
   * @param placeNames names of places in the format.
   * @param numbers buffer for `RECORDS_PER_HANDOVER` records.
   */
  constructor(
    sink: Pick<LogSink, 'records' | 'problem'>,
    placeNames: RecordPlaceNames = LINE_PLACE_NAMES,
    numbers: Float64Array = new Float64Array(RECORDS_PER_HANDOVER * SWF_FIELDS_PER_RECORD),
  ) {
    this.#sink = sink;
    this.#places = placeNames;
    this.numbers = numbers;
  }

  /** Number of records in the buffer. */
  get gathered(): number {
    return this.#gathered;
  }

  /** Submit time of the last accepted record in seconds; -Infinity before the first. */
  get previousSubmit(): number {
    return this.#previousSubmit;
  }

  /**
   * Accepts records written from `offset` on, from consecutive lines. Only the last one may have a negative
   * submit time or one smaller than the record before it.
   */
  acceptRecords(recordCount: number, firstLine: number): void {
    const countBeforeLastRecord = recordCount - 1;
    if (countBeforeLastRecord > 0) {
      for (let i = 0; i < countBeforeLastRecord; i++) this.#lines[this.#gathered + i] = firstLine + i;
      this.#gathered += countBeforeLastRecord;
      this.accepted += countBeforeLastRecord;
      this.offset += countBeforeLastRecord * SWF_FIELDS_PER_RECORD;
      this.#previousSubmit = this.numbers[this.offset - SWF_FIELDS_PER_RECORD + SWF_SUBMIT_FIELD_INDEX]!;
      this.#previousLine = firstLine + countBeforeLastRecord - 1;
    }
    this.acceptRecordAtOffset(firstLine + countBeforeLastRecord);
  }

  /** Accepts the record written at `offset`, unless its submit time is negative. */
  acceptRecordAtOffset(line: number): void {
    const submit = this.numbers[this.offset + SWF_SUBMIT_FIELD_INDEX]!;
    if (submit < 0) {
      this.#reject('negative-submit', line, String(submit));
      return;
    }
    if (submit < this.#previousSubmit && !this.isUnordered) {
      const foundText = `${submit} after ${this.#previousSubmit} in ${this.#places.nameOf(this.#previousLine)}`;
      this.#reject('submit-order', line, foundText);
    }
    this.#previousSubmit = submit;
    this.#previousLine = line;
    this.#lines[this.#gathered] = line;
    this.accepted++;
    this.offset += SWF_FIELDS_PER_RECORD;
    if (++this.#gathered === RECORDS_PER_HANDOVER) this.handOver();
  }

  /** Passes the collected records on. */
  handOver(): void {
    if (this.#gathered === 0) return;
    this.#sink.records(this.numbers.subarray(0, this.offset), this.#lines.subarray(0, this.#gathered));
    this.offset = 0;
    this.#gathered = 0;
  }

  #reject(rule: 'negative-submit' | 'submit-order', line: number, foundText: string): void {
    const field = this.#places === LINE_PLACE_NAMES ? SWF_SUBMIT_FIELD_INDEX + 1 : undefined;
    this.#sink.problem({ rule, line, field, found: foundText });
  }
}

/** Fields that contain names in other formats. */
export const NAMED_FIELDS = ['user', 'group', 'executable', 'queue', 'partition'] as const;
export type NamedField = (typeof NAMED_FIELDS)[number];

/** First number of names in a column with both numbers and names: above any number that may occur. */
export const FIRST_NUMBER_OF_NAMES = 1e12;

/**
 * Numbers the names of one field from 1 in order of appearance; if the first value is a number, numbers keep
 * their value.
 */
class NameNumbering {
  readonly #numbers = new Map<string, number>();
  /** Names, indexed by number - 1. */
  readonly #names: string[] = [];
  #isNumeric: boolean | undefined;

  /**
   * @param isNumeric true if numbers always keep their value.
   */
  constructor(isNumeric?: boolean) {
    this.#isNumeric = isNumeric;
  }

  number(name: string): number {
    const isNumber = /^\d{1,12}$/.test(name);
    this.#isNumeric ??= isNumber;
    if (this.#isNumeric && isNumber) return Number(name);
    let logNumber = this.#numbers.get(name);
    if (logNumber === undefined) {
      logNumber = this.#numbers.size + 1 + (this.#isNumeric ? FIRST_NUMBER_OF_NAMES : 0);
      this.#numbers.set(name, logNumber);
      this.#names.push(name);
    }
    return logNumber;
  }

  /** Returns the name with this number; undefined if there is none. */
  nameOf(logNumber: number): string | undefined {
    return this.#names[logNumber - 1 - (this.#isNumeric ? FIRST_NUMBER_OF_NAMES : 0)];
  }

  /** Returns all names by number. */
  names(): Map<number, string> {
    return new Map([...this.#numbers].map(([name, number]) => [number, escapeNonPrintingText(name)]));
  }
}

/** Numberings of the names in all files of one log. */
export class LogNames {
  readonly #columns = Object.fromEntries(
    NAMED_FIELDS.map((field) => [field, new NameNumbering()] as const),
  ) as Record<NamedField, NameNumbering>;

  readonly #tasks = new Map<number, string>();
  readonly #jobs = new NameNumbering(true);
  readonly #shown = new Map<number, string>();

  /** Returns the number of a job that has only a name, such as 102_1. */
  job(name: string): number {
    return this.#jobs.number(name);
  }

  /** Sets the name of the job with a number. */
  setJobName(jobNumber: number, name: string): void {
    this.#tasks.set(jobNumber, escapeNonPrintingText(name));
  }

  /**
   * Deletes the names of jobs whose numbers occur in several clusters, since each cluster numbers its jobs
   * separately.
   */
  deleteNamesSharedByClusters(jobs: Float64Array, clusterByRecord: Float64Array): void {
    const clusterByJob = new Map<number, number>();
    for (let record = 0; record < jobs.length; record++) {
      const job = jobs[record]!;
      const cluster = clusterByJob.get(job) ?? clusterByRecord[record]!;
      if (cluster === clusterByRecord[record]) clusterByJob.set(job, cluster);
      else this.#tasks.delete(job);
    }
  }

  /** Sets a name that only messages use for a job, such as `62_[1-9%1]`. */
  setJobNameInMessages(jobNumber: number, name: string): void {
    this.#shown.set(jobNumber, name);
  }

  /** Name of a job in messages: its name in the log, or its number. */
  jobName(jobNumber: number): string {
    const shownName =
      this.#shown.get(jobNumber) ?? this.#tasks.get(jobNumber) ?? this.#jobs.nameOf(jobNumber);
    return shownName === undefined ? String(jobNumber) : escapeNonPrintingText(shownName);
  }

  /** Numbers of partitions that stand for clusters. */
  readonly clusters = new Set<number>();

  /** Returns the number of a name; -1 for an empty one. */
  number(field: NamedField, name: string): number {
    return name === '' || name === '-1' ? -1 : this.#columns[field].number(name);
  }

  /** Name of a number in a field; the number itself if it has no name. */
  nameOf(field: NamedField, logNumber: number): string {
    return escapeNonPrintingText(this.#columns[field].nameOf(logNumber) ?? String(logNumber));
  }

  /** Header lines that map numbers to names; names of executables are not kept. */
  headerLines(): string[] {
    return FIELDS_WITH_NAMES.flatMap((field) => {
      const namesByNumber =
        field === 'job' ? new Map([...this.#tasks, ...this.#jobs.names()]) : this.#columns[field].names();
      return formatHeaderNameLines(field, namesByNumber);
    });
  }
}
