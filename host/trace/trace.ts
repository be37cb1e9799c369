/** A log of jobs: its columns and its header with the description of the machine. */
import { escapeNonPrintingText } from '../format/text.js';

/**
 * Columns of a log: the 18 numeric fields per job of SWF 2.2 (Standard Workload Format), in order; -1 means
 * unknown.
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

/**
 * Key of the header entry of logs in which a requested time of -1 means no time limit, instead of unknown.
 */
export const NO_LIMIT_HEADER_KEY = 'NoLimit';

/** Name of a field of a record. */
export type SwfField = (typeof SWF_FIELDS)[number];

/** Number of fields of a record. */
export const SWF_FIELDS_PER_RECORD = SWF_FIELDS.length;

/** Index of each field in a record. */
export const SWF_FIELD_OFFSETS = Object.fromEntries(
  SWF_FIELDS.map((field, index) => [field, index]),
) as Record<SwfField, number>;

/** Fields whose numbers may have names in the header, and the key of these entries: `; User: 7 ann`. */
export const NAME_HEADER_KEYS = {
  user: 'User',
  group: 'Group',
  queue: 'Queue',
  partition: 'Partition',
  job: 'Job',
} as const satisfies Partial<Record<SwfField, string>>;

/** Synonyms of field names: an account of Slurm is a group of SWF, and a cluster is a partition. */
const FIELD_ALIASES = { account: 'group', cluster: 'partition' } as const;
type FieldAlias = keyof typeof FIELD_ALIASES;

/** Resolves a synonym of a field name. */
export function resolveFieldAlias<Word extends string>(
  fieldWord: Word,
): Exclude<Word, FieldAlias> | (typeof FIELD_ALIASES)[FieldAlias] {
  return Object.hasOwn(FIELD_ALIASES, fieldWord)
    ? FIELD_ALIASES[fieldWord as FieldAlias]
    : (fieldWord as Exclude<Word, FieldAlias>);
}

/** Name of a field whose numbers may have names. */
export type FieldWithNames = keyof typeof NAME_HEADER_KEYS;

/** Names of the numbers in some fields, such as `ann` for user 7; numbers without a name are absent. */
export type NumberNames = Readonly<Record<FieldWithNames, ReadonlyMap<number, string>>>;

/** Fields whose numbers may have names. */
export const FIELDS_WITH_NAMES = Object.keys(NAME_HEADER_KEYS) as readonly FieldWithNames[];

/** Header of a log: the comment lines (`;`) at its top. */
export interface TraceHeader {
  /** Comment lines as in the file, in order, without line ends. */
  readonly lines: readonly string[];
  /** Entries `; Key: value` by key, such as MaxProcs and Computer; of a repeated key, the first. */
  readonly entries: ReadonlyMap<string, string>;
  /** Names from `; User: number name`, and likewise for Group, Queue, Partition and Job (array tasks). */
  readonly names: NumberNames;
  /** MaxProcs, or MaxNodes if MaxProcs is absent; undefined if neither is a positive whole number. */
  readonly maxProcessors: number | undefined;
  /**
   * UnixStartTime: seconds from 1970 to time 0 of the submit times; undefined if it is not a
   * positive whole number.
   */
  readonly unixStartTime: number | undefined;
}

/** Records dropped by one rule while a log was read. */
export interface LeftOut {
  /** Rule that dropped the records. */
  readonly rule: string;
  /** Number of dropped records. */
  readonly count: number;
  /** Places of the first few, such as `line 7`, with the file name if there are several files. */
  readonly places: readonly string[];
  /** Description of the first dropped record. */
  readonly example: string;
}

/** Kinds of remarks on the records of accounting files. */
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
/** Kind of a remark on the records of accounting files: a word of `NOTE_RULES`. */
export type NoteRule = (typeof NOTE_RULES)[number];

/** A remark on records of an accounting file. */
export interface RecordNote {
  /** Kind of the remark. */
  readonly rule: NoteRule;
  /** Number of records. */
  readonly count: number;
  /** Sum over the records in seconds, if the remark is about time; otherwise 0. */
  readonly seconds: number;
}

/** Name of a reading option that has an effect only in some formats. */
export type ReadingOptionName = 'arrival' | 'columns' | 'timeZone';

/**
 * A log of jobs. Records are in file order or, for formats and options that sort them, in order of
 * submit time; every column has `count` entries.
 */
export interface Trace {
  /** Source of the log as the user named it: a path, `-`, or a workload model with parameters. */
  readonly source: string;
  /** Header of the log: the comment lines at its top and their entries. */
  readonly header: TraceHeader;
  /** Number of records. */
  readonly count: number;
  /** One column per SWF field, times in seconds; -1 means unknown. */
  readonly columns: Readonly<Record<SwfField, Float64Array>>;
  /** Records dropped while reading; absent: none. */
  readonly leftOut?: readonly LeftOut[];
  /** Remarks on records that come from accounting files; absent: none. */
  readonly notes?: readonly RecordNote[];
  /** Reading options without effect, since no file has a format that uses them; absent: none. */
  readonly unused?: readonly ReadingOptionName[];
  /** Partition numbers of the clusters in the log, if there are several; each is a separate machine. */
  readonly clusters?: readonly number[];
}

/**
 * Parses a header: entries `; Key: value` (the first of each key), names of numbers, and the size of the
 * machine.
 * @param lines comment lines without line ends, including `;`.
 */
export function parseHeader(lines: readonly string[]): TraceHeader {
  const headerEntries = new Map<string, string>();
  const namesByField = {
    user: new Map(),
    group: new Map(),
    queue: new Map(),
    partition: new Map(),
    job: new Map(),
  };
  for (const line of lines) {
    const headerEntry = parseHeaderEntry(line);
    if (headerEntry === undefined) continue;
    const [key, valueText] = headerEntry;
    if (!headerEntries.has(key)) headerEntries.set(key, valueText);
    const namedField = FIELDS_WITH_NAMES.find((each) => NAME_HEADER_KEYS[each] === key);
    if (namedField === 'job') addTaskNamesFromHeader(namesByField.job, valueText);
    else if (namedField !== undefined) addNameFromHeader(namesByField[namedField], valueText);
  }
  const maxProcessors =
    parseHeaderCount(headerEntries, 'MaxProcs') ?? parseHeaderCount(headerEntries, 'MaxNodes');
  return {
    lines,
    entries: headerEntries,
    names: namesByField,
    maxProcessors,
    unixStartTime: parseHeaderCount(headerEntries, 'UnixStartTime'),
  };
}

/** Adds a name such as `7 ann`; of a number with two names, the first counts. */
function addNameFromHeader(names: Map<number, string>, entryValue: string): void {
  const [, numberText, name] = /^(-?\d+)\s+(\S.*)$/.exec(entryValue) ?? [];
  if (name !== undefined && !names.has(Number(numberText))) names.set(Number(numberText), name);
}

/** Maximum number of names of array tasks in a header. */
const MAX_HEADER_TASK_NAMES = 1e7;

/**
 * Adds names of array tasks from `104 102_1`, or from `104-203 102_1` for consecutive numbers up to 102_100.
 */
function addTaskNamesFromHeader(names: Map<number, string>, entryValue: string): void {
  const [, fromText, toText = fromText, arrayPrefix, taskDigits = ''] =
    /^(\d+)(?:-(\d+))?\s+(\S*?)(\d*)$/.exec(entryValue) ?? [];
  if (fromText === undefined || arrayPrefix + taskDigits === '') return;
  const taskCount = Number(toText) - Number(fromText) + 1;
  if (names.size + taskCount > MAX_HEADER_TASK_NAMES || (taskCount > 1 && taskDigits === '')) return;
  for (let i = 0; i < taskCount; i++) {
    addNameFromHeader(
      names,
      `${Number(fromText) + i} ${arrayPrefix}${i === 0 ? taskDigits : Number(taskDigits) + i}`,
    );
  }
}

/** Header lines for names, as `parseHeader` reads them; consecutive array tasks share one line. */
export function formatHeaderNameLines(
  namedField: FieldWithNames,
  names: ReadonlyMap<number, string>,
): string[] {
  const taskNameRanges: { from: number; to: number; firstTaskName: string; nextTaskName: string }[] = [];
  for (const [number, name] of names) {
    const lastLine = taskNameRanges.at(-1);
    if (namedField === 'job' && number === (lastLine?.to ?? 0) + 1 && name === lastLine?.nextTaskName)
      lastLine.to = number;
    else taskNameRanges.push({ from: number, to: number, firstTaskName: name, nextTaskName: '' });
    const [, arrayPrefix, taskDigits] = /^(.*\D)(0|[1-9]\d{0,14})$/.exec(name) ?? [];
    (taskNameRanges.at(-1) as { nextTaskName: string }).nextTaskName =
      arrayPrefix === undefined ? '' : `${arrayPrefix}${Number(taskDigits) + 1}`;
  }
  return taskNameRanges.map(
    ({ from, to, firstTaskName }) =>
      `; ${NAME_HEADER_KEYS[namedField]}: ${from}${to > from ? `-${to}` : ''} ${firstTaskName}`,
  );
}

/** Name of a number in a field; the number itself if it has no name. */
export function nameOfLogNumber(
  names: NumberNames | undefined,
  namedField: FieldWithNames,
  logNumber: number,
): string {
  return names?.[namedField].get(logNumber) ?? String(logNumber);
}

/** Parses a header entry as a positive whole number; undefined if it is not one. */
export function parseHeaderCount(
  headerEntries: ReadonlyMap<string, string>,
  headerKey: string,
): number | undefined {
  const entryValue = headerEntries.get(headerKey) ?? '';
  const parsedCount = /^\d+$/.test(entryValue) ? Number(entryValue) : 0;
  return parsedCount > 0 && Number.isSafeInteger(parsedCount) ? parsedCount : undefined;
}

/**
 * Splits `; Key: value` into key and value; undefined for other lines, such as a continued address `;
 * http://...`.
 */
function parseHeaderEntry(line: string): [string, string] | undefined {
  const [, key, valueText = ''] = /^\s*;\s*([A-Za-z]\w*)\s*:(?!\/\/)(.*)$/s.exec(line) ?? [];
  return key === undefined ? undefined : [key, valueText.trim()];
}

/**
 * Derives the header of a changed log: MaxRecords, if present, becomes the new count, and notes are appended.
 */
export function deriveHeader(
  header: TraceHeader,
  recordCount: number,
  notes: readonly string[],
): TraceHeader {
  const lines = setHeaderEntry(header.lines, 'MaxRecords', recordCount);
  return parseHeader([...lines, ...notes.map((note) => `; Note: ${escapeNonPrintingText(note)}`)]);
}

/** Replaces the value of an entry in header lines, if it exists. */
export function setHeaderEntry(lines: readonly string[], headerKey: string, entryValue: number): string[] {
  return lines.map((line) =>
    parseHeaderEntry(line)?.[0] === headerKey ? `; ${headerKey}: ${entryValue}` : line,
  );
}

/** Earliest submit time, rounded down to a whole second, in any order of jobs; 0 without jobs. */
export function findEarliestSubmitSecond(submit: Float64Array): number {
  let leastTime = submit.length === 0 ? 0 : Infinity;
  for (let i = 0; i < submit.length; i++) leastTime = Math.min(leastTime, submit[i]!);
  return Math.floor(leastTime);
}

/**
 * Shifts a log so that its first submission is at second 0; UnixStartTime, if present, is adjusted so that
 * dates stay.
 */
export function shiftTraceToZero(trace: Trace): Trace {
  const { header, columns: swfColumns } = trace;
  const zeroTime = findEarliestSubmitSecond(swfColumns.submit);
  const submit = swfColumns.submit.map((time) => time - zeroTime);
  return { ...trace, header: shiftHeaderTimes(header, zeroTime), columns: { ...swfColumns, submit } };
}

/** Shifts the start date of a header by this many seconds. */
export function shiftHeaderTimes(header: Trace['header'], seconds: number): Trace['header'] {
  const { lines, unixStartTime } = header;
  if (unixStartTime === undefined || seconds === 0) return header;
  return parseHeader(setHeaderEntry(lines, 'UnixStartTime', unixStartTime + seconds));
}
