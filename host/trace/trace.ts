/** A log: its columns, and the comment lines at its top with what they say about the machine. */
import { escapeNonPrintingText } from '../format/text.js';

/**
 * The columns of a log: SWF 2.2 (Standard Workload Format) has 18 numeric fields per job,
 * in this order; -1 means unknown.
 */
export const SWF_FIELDS = [
  'job',
  'submit',
  'wait',
  'runtime',
  'processors',
  'averageCpuTime',
  'usedMemory',
  'requestedProcessors',
  'requestedTime',
  'requestedMemory',
  'status',
  'user',
  'group',
  'executable',
  'queue',
  'partition',
  'precedingJob',
  'thinkTime',
] as const;

/** Key of the header entry of a log in which -1 as requested time means that the job had no limit, and not that it is unknown. */
export const NO_LIMIT_HEADER_KEY = 'NoLimit';

/** A field of a record, by name. */
export type SwfField = (typeof SWF_FIELDS)[number];

/** How many fields there are. */
export const SWF_FIELDS_PER_RECORD = SWF_FIELDS.length;

/** The place of each field in a record. */
export const SWF_FIELD_OFFSETS = Object.fromEntries(
  SWF_FIELDS.map((field, index) => [field, index]),
) as Record<SwfField, number>;

/** Fields whose numbers a header may name, and the key by which it does: `; User: 7 ann`. */
export const NAME_KEYS = {
  user: 'User',
  group: 'Group',
  queue: 'Queue',
  partition: 'Partition',
  job: 'Job',
} as const satisfies Partial<Record<SwfField, string>>;

/** Words for fields, in addition to their names: an account of Slurm is a group of SWF, and a cluster is a partition. */
const FIELD_ALIASES = { account: 'group', cluster: 'partition' } as const;
type FieldAlias = keyof typeof FIELD_ALIASES;

/** The field that a word means. */
export function resolveFieldAlias<Word extends string>(
  word: Word,
): Exclude<Word, FieldAlias> | (typeof FIELD_ALIASES)[FieldAlias] {
  return Object.hasOwn(FIELD_ALIASES, word)
    ? FIELD_ALIASES[word as FieldAlias]
    : (word as Exclude<Word, FieldAlias>);
}

/** A field whose numbers may have names. */
export type NamedNumber = keyof typeof NAME_KEYS;

/** What the numbers in some fields are called, such as the user 7 `ann`; numbers without a name are not there. */
export type NumberNames = Readonly<Record<NamedNumber, ReadonlyMap<number, string>>>;

/** The fields in which numbers have names. */
export const FIELDS_WITH_NAMES = Object.keys(NAME_KEYS) as readonly NamedNumber[];

/** The `;` lines at the top of a log. */
export interface TraceHeader {
  /** Comment lines as in the file, without line ends, in order. */
  readonly lines: readonly string[];
  /** `; Key: value` entries whose key occurs once or first, by key (for instance MaxProcs, Computer). */
  readonly entries: ReadonlyMap<string, string>;
  /** From `; User: number name`, and the same for Group, Queue, Partition and Job (a task of an array). */
  readonly names: NumberNames;
  /** MaxProcs, or MaxNodes where MaxProcs is absent; undefined when neither is a positive whole number. */
  readonly maxProcessors: number | undefined;
  /** UnixStartTime: seconds from 1970 to the zero of the submit times; undefined when it is not a positive number. */
  readonly unixStartTime: number | undefined;
}

/** Records that were dropped when a log was read, by one rule. */
export interface LeftOut {
  /** Why they were dropped. */
  readonly rule: string;
  /** How many there were. */
  readonly count: number;
  /** Where the first few are, such as `line 7`, with the file if there are several. */
  readonly places: readonly string[];
  /** What the first of them is. */
  readonly example: string;
}

/** Kinds of remarks on the records of an accounting file. */
export const NOTE_RULES = [
  'late-arrival',
  'suspended',
  'resized',
  'clock-jump',
  'unknown-state',
  'requeued',
  'cancelled-waiting',
  'no-limit',
] as const;
/** One of `NOTE_RULES`. */
export type NoteRule = (typeof NOTE_RULES)[number];

/** Records of one kind in the accounting that a log comes from. */
export interface RecordNote {
  /** The kind. */
  readonly rule: NoteRule;
  /** Number of records. */
  readonly count: number;
  /** Sum over them, in seconds, where the kind is about time; else 0. */
  readonly seconds: number;
}

/** An option of reading that only some formats have a use for. */
export type ReadingOption = 'arrival' | 'columns' | 'timeZone';

/** Records in file order; every column has `count` entries. */
export interface Trace {
  /** What the user named: a path, `-`, or a model with parameters. */
  readonly source: string;
  /** What the lines at the top say. */
  readonly header: TraceHeader;
  /** How many records there are. */
  readonly count: number;
  /** A column for each field of SWF, in seconds where it is a time; -1 means unknown. */
  readonly columns: Readonly<Record<SwfField, Float64Array>>;
  /** Records of the log that are not among these; absent: none. */
  readonly leftOut?: readonly LeftOut[];
  /** Remarks on the records, of logs read from accounting; absent: none. */
  readonly notes?: readonly RecordNote[];
  /** Options of reading that made no difference, since no file has a format that they are for; absent: none. */
  readonly unused?: readonly ReadingOption[];
  /** Partition numbers of the clusters whose jobs are in the log, if there are several: machines of their own. */
  readonly clusters?: readonly number[];
}

/**
 * Takes the header apart: `; Key: value` entries (the first of each key), names of numbers, machine size.
 * @param lines comment lines without line ends, `;` included.
 */
export function parseHeader(lines: readonly string[]): TraceHeader {
  const entries = new Map<string, string>();
  const names = { user: new Map(), group: new Map(), queue: new Map(), partition: new Map(), job: new Map() };
  for (const line of lines) {
    const entry = parseHeaderEntry(line);
    if (entry === undefined) continue;
    const [key, value] = entry;
    if (!entries.has(key)) entries.set(key, value);
    const field = FIELDS_WITH_NAMES.find((each) => NAME_KEYS[each] === key);
    if (field === 'job') addTaskNamesFromHeader(names.job, value);
    else if (field !== undefined) addNameFromHeader(names[field], value);
  }
  const maxProcessors = parseHeaderCount(entries, 'MaxProcs') ?? parseHeaderCount(entries, 'MaxNodes');
  return { lines, entries, names, maxProcessors, unixStartTime: parseHeaderCount(entries, 'UnixStartTime') };
}

/** `7 ann`; of a number that is named twice the first name counts. */
function addNameFromHeader(names: Map<number, string>, value: string): void {
  const [, number, name] = /^(-?\d+)\s+(\S.*)$/.exec(value) ?? [];
  if (name !== undefined && !names.has(Number(number))) names.set(Number(number), name);
}

/** More names of jobs than any log has. */
const MAX_HEADER_TASK_NAMES = 1e7;

/** `104 102_1`, or of neighbours `104-203 102_1`, the last of which is 102_100. */
function addTaskNamesFromHeader(names: Map<number, string>, value: string): void {
  const [, from, to = from, array, task = ''] = /^(\d+)(?:-(\d+))?\s+(\S*?)(\d*)$/.exec(value) ?? [];
  if (from === undefined || array + task === '') return;
  const count = Number(to) - Number(from) + 1;
  if (names.size + count > MAX_HEADER_TASK_NAMES || (count > 1 && task === '')) return;
  for (let i = 0; i < count; i++) {
    addNameFromHeader(names, `${Number(from) + i} ${array}${i === 0 ? task : Number(task) + i}`);
  }
}

/** Header lines from which `parseHeader` reads names; of tasks with neighbouring numbers one for all. */
export function formatHeaderNameLines(field: NamedNumber, names: ReadonlyMap<number, string>): string[] {
  const lines: { from: number; to: number; first: string; next: string }[] = [];
  for (const [number, name] of names) {
    const last = lines.at(-1);
    if (field === 'job' && number === (last?.to ?? 0) + 1 && name === last?.next) last.to = number;
    else lines.push({ from: number, to: number, first: name, next: '' });
    const [, array, task] = /^(.*\D)(0|[1-9]\d{0,14})$/.exec(name) ?? [];
    (lines.at(-1) as { next: string }).next = array === undefined ? '' : `${array}${Number(task) + 1}`;
  }
  return lines.map(
    ({ from, to, first }) => `; ${NAME_KEYS[field]}: ${from}${to > from ? `-${to}` : ''} ${first}`,
  );
}

/** What a number is called: its name where it has one. */
export function nameOfLogNumber(names: NumberNames | undefined, field: NamedNumber, number: number): string {
  return names?.[field].get(number) ?? String(number);
}

/** The positive whole number that a header entry gives, or undefined. */
export function parseHeaderCount(entries: ReadonlyMap<string, string>, key: string): number | undefined {
  const value = entries.get(key) ?? '';
  const count = /^\d+$/.test(value) ? Number(value) : 0;
  return count > 0 && Number.isSafeInteger(count) ? count : undefined;
}

/** Key and value of `; Key: value`; not of a continued address such as `; http://...`. */
function parseHeaderEntry(line: string): [string, string] | undefined {
  const [, key, value = ''] = /^\s*;\s*([A-Za-z]\w*)\s*:(?!\/\/)(.*)$/s.exec(line) ?? [];
  return key === undefined ? undefined : [key, value.trim()];
}

/**
 * The header of a log made from another one: MaxRecords, where given, becomes the new count, and
 * notes are added at the end.
 */
export function deriveHeader(header: TraceHeader, records: number, notes: readonly string[]): TraceHeader {
  const lines = setHeaderEntry(header.lines, 'MaxRecords', records);
  return parseHeader([...lines, ...notes.map((note) => `; Note: ${escapeNonPrintingText(note)}`)]);
}

/** The lines with another value of an entry, where there is one. */
export function setHeaderEntry(lines: readonly string[], key: string, value: number): string[] {
  return lines.map((line) => (parseHeaderEntry(line)?.[0] === key ? `; ${key}: ${value}` : line));
}

/** The earliest of some times in whole seconds, to be taken off all of them; 0 for none. */
export function midnightBeforeFirstTime(submit: Float64Array): number {
  let least = submit.length === 0 ? 0 : Infinity;
  for (let i = 0; i < submit.length; i++) least = Math.min(least, submit[i]!);
  return Math.floor(least);
}

/** The log with its first submit in second 0; UnixStartTime, where the header has it, moves along, so that dates stay. */
export function shiftTraceToZero(trace: Trace): Trace {
  const { header, columns } = trace;
  const zero = midnightBeforeFirstTime(columns.submit);
  const submit = columns.submit.map((time) => time - zero);
  return { ...trace, header: shiftHeaderTimes(header, zero), columns: { ...columns, submit } };
}

/** A header whose clock begins this many seconds later. */
export function shiftHeaderTimes(header: Trace['header'], seconds: number): Trace['header'] {
  const { lines, unixStartTime } = header;
  if (unixStartTime === undefined || seconds === 0) return header;
  return parseHeader(setHeaderEntry(lines, 'UnixStartTime', unixStartTime + seconds));
}
