/**
 * The formats of logs, and which of them a log has. SWF and what sacct prints have files of their own; the Grid
 * Workload Format and the JSON of Batsim are here.
 */
import { latin1Text, quoteText } from '../format/text.js';
import { type Entries, isObject, type JsonFormat, JsonReader, LineReader, readDecimal } from './readers.js';
import {
  type Arrival,
  type LogReader,
  type LogSink,
  NAMED_FIELDS,
  type NamedField,
  type Names,
  RecordRows,
} from './records.js';
import { isSacctLine, readSacct } from './sacct.js';
import { isSacctJson, readSacctJson } from './sacctJson.js';
import { SwfParser } from './swf.js';
import { LONGEST_LINE, type SyntaxProblem, type SyntaxRule, WHOLE } from './syntax.js';
import { AT, FIELDS, SWF_FIELDS, type SwfField } from './trace.js';

/** The names of the formats. */
export const FORMAT_NAMES = ['swf', 'gwf', 'sacct', 'sacct-json', 'batsim'] as const;
/** A format of logs, by name. */
export type FormatName = (typeof FORMAT_NAMES)[number];

/** A format of logs. */
export interface LogFormat {
  readonly name: FormatName;
  readonly title: string;
  /** Whether its submit times are seconds since 1970; otherwise the header may say when they begin. */
  readonly hasUnixTimes: boolean;
  /** Whether a log that begins so has this format; the first match counts. */
  readonly isLike: (start: string) => boolean;
  /** Records may come in any order, and are sorted by their arrival; otherwise the order must be that of submits. */
  readonly isUnordered?: boolean;
  /** @param arrival which moment is the submit time of a job, in formats that know several. */
  readonly open: (sink: LogSink, names: Names, arrival: Arrival) => LogReader;
}

/** Every format. */
export const FORMATS: readonly LogFormat[] = [
  {
    name: 'sacct-json',
    title: 'output of sacct --json',
    hasUnixTimes: true,
    isUnordered: true,
    isLike: isSacctJson,
    open: readSacctJson,
  },
  {
    name: 'batsim',
    title: 'JSON workload of Batsim',
    hasUnixTimes: false,
    isLike: (start) => start.startsWith('{'),
    open: (sink) => new JsonReader(sink, (rows) => new BatsimJobs(sink, rows)),
  },
  {
    name: 'sacct',
    title: 'output of sacct --parsable2',
    hasUnixTimes: true,
    isUnordered: true,
    isLike: isSacctLine,
    open: readSacct,
  },
  {
    name: 'gwf',
    title: 'Grid Workload Format',
    hasUnixTimes: false,
    isLike: (line) => line.startsWith('#') || isNames(line) || line.split(/\s+/).length >= GWF_FIELDS,
    open: readGwf,
  },
  {
    name: 'swf',
    title: 'Standard Workload Format',
    hasUnixTimes: false,
    isLike: () => true,
    open: (sink) => new SwfParser(sink),
  },
];

/** What reading a log of whatever format needs. */
interface OpenOptions {
  /** The format; by default what the log looks like. */
  readonly format?: FormatName | undefined;
  readonly names: Names;
  readonly arrival?: Arrival | undefined;
  /** Told of the format before anything is read. */
  readonly onFormat?: ((format: LogFormat) => void) | undefined;
}

/** Reads a log in the format that it has. */
export class AnyReader implements LogReader {
  readonly #sink: LogSink;
  readonly #options: OpenOptions;
  /** The start of a log whose format is not known yet. */
  #head = new Uint8Array(0);
  #reader: LogReader | undefined;

  constructor(sink: LogSink, options: OpenOptions) {
    this.#sink = sink;
    this.#options = options;
    const format = FORMATS.find(({ name }) => name === options.format);
    if (format !== undefined) this.#open(format);
  }

  get lines(): number {
    return this.#reader?.lines ?? 0;
  }

  get records(): number {
    return this.#reader?.records ?? 0;
  }

  get isOver(): boolean {
    return this.#reader?.isOver ?? false;
  }

  push(chunk: Uint8Array): void {
    if (this.#reader !== undefined) this.#reader.push(chunk);
    else this.#detect(chunk);
  }

  end(): void {
    if (this.#reader === undefined) this.#openLike(startOf(this.#head, true) ?? '');
    this.#reader?.end();
  }

  #detect(chunk: Uint8Array): void {
    const head = new Uint8Array(this.#head.length + chunk.length);
    head.set(this.#head);
    head.set(chunk, this.#head.length);
    this.#head = head;
    const start = startOf(head);
    if (start !== undefined) this.#openLike(start);
  }

  #openLike(start: string): void {
    this.#open(FORMATS.find(({ isLike }) => isLike(start)) as LogFormat);
    this.#reader?.push(this.#head);
    this.#head = new Uint8Array(0);
  }

  #open(format: LogFormat): void {
    this.#options.onFormat?.(format);
    this.#reader = format.open(this.#sink, this.#options.names, this.#options.arrival ?? 'eligible');
  }
}

/** What identifies the format: the first line that is not blank, of JSON more; undefined when more has to come. */
function startOf(head: Uint8Array, isWhole = false): string | undefined {
  const start = latin1Text(head.subarray(0, 2 * LONGEST_LINE)).replace(/^(?:\u00ef\u00bb\u00bf)?\s*/, '');
  const end = start.startsWith('{') ? -1 : start.indexOf('\n');
  if (end >= 0) return start.slice(0, end).trimEnd();
  return isWhole || head.length > LONGEST_LINE ? start : undefined;
}

// The Grid Workload Format of the Grid Workloads Archive: comments that start with `#`, then a line per job of 29 fields
// separated by tabs or blanks, the first 16 of which mean what those of SWF mean; -1 means unknown.

const GWF_FIELDS = 29;
/** Fields 1 to 16 are those of SWF. */
const SHARED_FIELDS = 16;
const ORIGIN_SITE = 16;
const PARTITION = SWF_FIELDS.indexOf('partition');
/** Fields that gridalloc does not use may hold anything. */
const UNUSED: readonly string[] = ['averageCpuTime', 'usedMemory', 'requestedMemory'];

/** Some logs have the names of the fields without a `#`. */
function isNames(line: string): boolean {
  return /^"?JobID\b/i.test(line);
}

/** Reads a log in GWF. */
function readGwf(sink: LogSink, names: Names): LogReader {
  const rows = new RecordRows(sink);
  let comments: string[] | undefined = [];
  const endHeader = () => {
    if (comments !== undefined) sink.header(comments);
    comments = undefined;
  };
  return new LineReader(sink, {
    line: (text, number) => {
      const line = text.trim();
      if (line === '') return 'blank';
      if (line.startsWith('#') || isNames(line)) {
        comments?.push(`; ${line.replace(/^#+\s*/, '')}`);
        return 'comment';
      }
      endHeader();
      readRecord(line, number, { sink, names, rows });
      return 'record';
    },
    end: () => {
      rows.handOver();
      endHeader();
    },
  });
}

interface Target {
  readonly sink: LogSink;
  readonly names: Names;
  readonly rows: RecordRows;
}

function readRecord(text: string, line: number, { sink, names, rows }: Target): void {
  const fields = text.split(text.includes('\t') ? '\t' : /\s+/).map((field) => field.trim());
  if (fields.length < GWF_FIELDS) {
    const found = `${fields.length} fields in ${quoteText(text)}`;
    const expected = `${GWF_FIELDS} fields separated by tabs or blanks`;
    sink.problem({ rule: 'field-count', line, field: undefined, found, expected });
    return;
  }
  const { numbers, offset } = rows;
  numbers.fill(-1, offset, offset + FIELDS);
  let isReadable = true;
  for (let field = 0; field < SHARED_FIELDS; field++) {
    const name = SWF_FIELDS[field] as SwfField;
    if (NAMED_FIELDS.includes(name as NamedField)) {
      const value = field === PARTITION ? siteOf(fields) : fields[field]!;
      numbers[offset + field] = names.number(name as NamedField, value);
      continue;
    }
    const value = readDecimal(fields[field]!);
    if (value !== undefined && (!WHOLE[field] || Number.isSafeInteger(value))) {
      numbers[offset + field] = value;
    } else if (!UNUSED.includes(name)) {
      const rule: SyntaxRule = value === undefined ? 'number' : 'whole-number';
      sink.problem({ rule, line, field: field + 1, found: quoteText(fields[field]!) });
      isReadable = false;
    }
  }
  if (isReadable) rows.accept(line);
}

/** The site where a job was submitted, field 17, or else its partition. */
function siteOf(fields: readonly string[]): string {
  return fields[ORIGIN_SITE] === '-1' ? fields[PARTITION]! : fields[ORIGIN_SITE]!;
}

// Workloads of Batsim: a JSON document with `jobs`, each with a profile, and `profiles`, which say what runs.

/** Types of profiles that say how long they take, in the words of Batsim up to version 4 and of later ones. */
const DELAYS: readonly unknown[] = ['delay', 'DelayProfile'];
const SEQUENCES: readonly unknown[] = ['composed', 'sequence', 'SequentialCompositionProfile'];

class BatsimJobs implements JsonFormat {
  readonly #sink: LogSink;
  readonly #rows: RecordRows;
  readonly #runtimes = new Map<string, number | undefined>();

  constructor(sink: LogSink, rows: RecordRows) {
    this.#sink = sink;
    this.#rows = rows;
  }

  header({ nb_res: machine }: Entries): string[] {
    const isMachine = typeof machine === 'number' && Number.isSafeInteger(machine) && machine > 0;
    return isMachine ? [`; MaxProcs: ${machine}`] : [];
  }

  missing({ profiles }: Entries): string | undefined {
    return isObject(profiles) ? undefined : 'profiles';
  }

  readJob({ id, subtime, res, walltime = -1, profile }: Entries, index: number, document: Entries): void {
    const profiles = document.profiles as Entries;
    const problem =
      wrongNumber(index, 'subtime', subtime) ??
      wrongNumber(index, 'res', res, true) ??
      wrongNumber(index, 'walltime', walltime) ??
      (typeof profile === 'string' && Object.hasOwn(profiles, profile)
        ? undefined
        : wrong(index, 'profile', profile, 'the name of one of the profiles'));
    if (problem !== undefined) {
      this.#sink.problem(problem);
      return;
    }
    const runtime = this.#runtimeOf(profile as string, profiles, []);
    if (runtime === undefined) {
      const { type } = profiles[profile as string] as Entries;
      const example = `a profile of type ${quoteText(String(type))} does not say how long it takes`;
      this.#sink.leaveOut({ rule: 'profile', line: undefined, place: `jobs[${index}]`, example });
      return;
    }
    const { numbers, offset } = this.#rows;
    const set = (field: SwfField, value: number) => {
      numbers[offset + AT[field]] = value;
    };
    numbers.fill(-1, offset, offset + FIELDS);
    set('job', numberOf(id) ?? index + 1);
    set('submit', subtime as number);
    set('runtime', runtime);
    set('requestedProcessors', res as number);
    set('requestedTime', walltime as number);
    this.#rows.accept(index);
  }

  /** Seconds that a profile takes on any machine; undefined if that depends on the machine, or on the profile itself. */
  #runtimeOf(name: string, profiles: Entries, above: readonly string[]): number | undefined {
    if (this.#runtimes.has(name)) return this.#runtimes.get(name);
    const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
    if (!isObject(profile) || above.includes(name)) return undefined;
    const { type, delay, seq, repeat = 1 } = profile;
    let runtime: number | undefined;
    if (DELAYS.includes(type) && isFiniteNumber(delay)) runtime = delay;
    if (SEQUENCES.includes(type) && Array.isArray(seq) && isFiniteNumber(repeat)) {
      const parts = seq.map((part) => this.#runtimeOf(String(part), profiles, [...above, name]));
      runtime = parts.reduce(
        (sum, part) => (sum === undefined || part === undefined ? undefined : sum + part),
        0,
      );
      if (runtime !== undefined) runtime *= repeat;
    }
    this.#runtimes.set(name, runtime);
    return runtime;
  }
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** The number of an id such as `7` or `w0!7`; others have none. */
function numberOf(id: unknown): number | undefined {
  const [, number] = /^(?:.*!)?(\d{1,15})$/.exec(String(id)) ?? [];
  return number === undefined ? undefined : Number(number);
}

function wrongNumber(index: number, key: string, value: unknown, isWhole = false): SyntaxProblem | undefined {
  if (isFiniteNumber(value) && (!isWhole || Number.isSafeInteger(value))) return undefined;
  return wrong(index, key, value, isWhole ? 'a whole number' : 'a number');
}

function wrong(index: number, key: string, value: unknown, expected: string): SyntaxProblem {
  const found = value === undefined ? 'nothing' : quoteText(JSON.stringify(value));
  const place = `jobs[${index}].${key}`;
  return { rule: 'job', line: undefined, field: undefined, place, found, expected };
}
