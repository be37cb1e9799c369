/**
 * Fast reader of ordinary lines of accounting files and tables, a few hundred at a time. Lines of whole
 * numbers, dates, durations and ASCII names are parsed byte by byte without creating strings
 * (loops/lineLoops.ts); this file turns the values into records. All other lines go to the slow reader of the
 * format, which splits text and reports errors. Both readers return equal records for lines that both accept
 * (tests/trace/plainLines.test.ts).
 */
import { decodeLatin1 } from '../format/text.js';
import * as lines from '../loops/lineLayout.js';
import { makeLoopWorkspace } from '../loops/workspace.js';
import {
  type AccountingRecord,
  isRepeatedState,
  JOB_STATE_NUMBERS,
  jobStateNumberOf,
  MINUTES_PER_YEAR,
} from './accountingJobs.js';
import type { LogNames, NamedField } from './records.js';
import { MAX_LINE_BYTES } from './syntax.js';

const {
  FIELD_SLOTS: SLOTS,
  KNOWN_VALUES_OFFSET: KNOWN,
  FIELD_POSITIONS_OFFSET: PLACES,
  LINE_FLAGS_OFFSET: FLAGS,
  LINE_STARTS_OFFSET: STARTS,
  UNKNOWN_TEXT_RESULT: NEW_TEXT,
  REFUSED_TEXT_RESULT: REFUSED,
} = lines;

/** Syntax of each field. The position in this list is the slot of the value. */
const PLAIN_FIELD_KINDS = {
  /** Type of the record and name of the slave task, which decide whether the other fields are read. */
  type: lines.FIELD_KIND_TEXT,
  slave: lines.FIELD_KIND_TEXT,
  job: lines.FIELD_KIND_JOB_ID,
  task: lines.FIELD_KIND_TASK_ID,
  submit: lines.FIELD_KIND_DATE,
  eligible: lines.FIELD_KIND_DATE,
  start: lines.FIELD_KIND_DATE,
  end: lines.FIELD_KIND_DATE,
  elapsed: lines.FIELD_KIND_DURATION,
  suspended: lines.FIELD_KIND_DURATION,
  processors: lines.FIELD_KIND_WHOLE_NUMBER,
  requestedProcessors: lines.FIELD_KIND_WHOLE_NUMBER,
  limit: lines.FIELD_KIND_TIME_LIMIT,
  state: lines.FIELD_KIND_TEXT,
  user: lines.FIELD_KIND_TEXT,
  group: lines.FIELD_KIND_TEXT,
  executable: lines.FIELD_KIND_TEXT,
  queue: lines.FIELD_KIND_TEXT,
  partition: lines.FIELD_KIND_TEXT,
  /** Text that contains a time limit. */
  category: lines.FIELD_KIND_TEXT,
  failed: lines.FIELD_KIND_REQUIRED_NUMBER,
  exitStatus: lines.FIELD_KIND_REQUIRED_NUMBER,
  taskNumber: lines.FIELD_KIND_REQUIRED_NUMBER,
  /** Group, in formats with such a field. */
  account: lines.FIELD_KIND_TEXT,
  /** Time of the event, and the id of its job. */
  clock: lines.FIELD_KIND_SLASH_DATE,
  serverJob: lines.FIELD_KIND_SERVER_JOB_ID,
  /** Time at which the job entered a queue, used if the submit time is unknown. */
  queued: lines.FIELD_KIND_DATE,
} as const;

/** Name of the use of a field. */
export type PlainFieldSource = keyof typeof PLAIN_FIELD_KINDS;
const FIELD_SOURCES_BY_SLOT = Object.keys(PLAIN_FIELD_KINDS) as PlainFieldSource[];
const SLOT_BY_FIELD_SOURCE = {
  ...(Object.fromEntries(FIELD_SOURCES_BY_SLOT.map((fieldSource, slot) => [fieldSource, slot])) as Record<
    PlainFieldSource,
    number
  >),
  serverJob: FIELD_SOURCES_BY_SLOT.indexOf('job'),
};
/** Slots of text fields, and of fields that may contain a word instead of a time. */
const TEXT_FIELD_SLOTS = FIELD_SOURCES_BY_SLOT.flatMap((fieldSource, slot) =>
  ([lines.FIELD_KIND_TEXT, lines.FIELD_KIND_DATE, lines.FIELD_KIND_TIME_LIMIT] as number[]).includes(
    PLAIN_FIELD_KINDS[fieldSource],
  )
    ? [slot]
    : [],
);
const DATE_FIELD_SLOTS = FIELD_SOURCES_BY_SLOT.flatMap((fieldSource, slot) =>
  PLAIN_FIELD_KINDS[fieldSource] === lines.FIELD_KIND_DATE ? [slot] : [],
);

/** Layout of the fields of a line. */
export interface PlainLineLayout {
  /** Number of fields of a line, without the pairs of `keys`. */
  readonly count: number;
  /** Index of each field in a line, by its use; fields without a use are absent. */
  readonly fieldIndices: Readonly<Partial<Record<PlainFieldSource, number>>>;
  /** Keys of the pairs that follow the fields, separated by blanks. */
  readonly keys?: Readonly<Record<string, PlainFieldSource>>;
  /** The character between fields. */
  readonly separator: string;
  readonly isLimitInMinutes?: boolean;
  readonly hasCluster?: boolean;
  /** True if a job id such as 7.0 denotes a job step. */
  readonly hasSteps?: boolean;
  /** True if a time limit of one year means no limit, as in Slurm. */
  readonly isYearNone?: boolean;
  /**
   * True for tables: fields may be quoted, numbers may end with `.0`, and dates may contain a blank and end
   * with `+00:00`, `Z` or `.000Z`.
   */
  readonly isTable?: boolean;
  /** Texts that mean a missing name, in lower case, such as `null`. */
  readonly noNames?: readonly string[];
  /**
   * Converts local time (in seconds, counted as if it were UTC) to seconds since 1970; default: times are
   * UTC.
   */
  readonly toUnix?: (localTime: number) => number;
  /** Extracts the time limit in seconds from a category; -1 for none. */
  readonly parseLimit?: (category: string) => number;
}

/**
 * Function that returns the value of a text in a slot, or `REFUSED_TEXT_RESULT` if only the slow reader can
 * read it.
 */
type TextToNumberFunction = (text: string) => number;

/** Creates the arrays for reading lines. */
function makePlainLineWorkspace() {
  return makeLoopWorkspace({
    bytes: ['bytes', lines.LINE_BYTES_ARRAY_LENGTH],
    ints: ['ints', lines.LINE_INTS_ARRAY_LENGTH],
    doubles: ['doubles', lines.LINE_DOUBLES_ARRAY_LENGTH],
  });
}

/**
 * Arrays of a finished reader, kept for the next one: with many small files, allocating them would take
 * longer than reading.
 */
let idleLineWorkspace: ReturnType<typeof makePlainLineWorkspace> | undefined;

/** Reads plain lines into records. */
export class PlainLineReader {
  /** Buffer of the lines to be read, as long as the slow reader accepts. */
  readonly lineBytes: Uint8Array;
  /** True while the lines read last match the current layout. */
  isCurrent = false;
  /** True if the line read last is a job step. */
  isStep = false;
  readonly #record: AccountingRecord;
  readonly #names: LogNames;
  readonly #workspace = idleLineWorkspace ?? makePlainLineWorkspace();
  readonly #bytes = this.#workspace.arrays.bytes;
  readonly #ints = this.#workspace.arrays.ints;
  readonly #doubles = this.#workspace.arrays.doubles;
  #layout: PlainLineLayout | undefined;
  #isSuspended = false;
  #valuations: readonly (TextToNumberFunction | undefined)[] = [];
  /** True if the same field holds partition and queue; its values are then indices into two lists. */
  #sharesQueue = false;
  #queues: number[] = [];
  #partitions: number[] = [];
  #hasTask = false;

  constructor(accountingRecord: AccountingRecord, logNames: LogNames) {
    idleLineWorkspace = undefined;
    this.#record = accountingRecord;
    this.#names = logNames;
    this.lineBytes = this.#bytes.subarray(0, lines.TEXT_POOL_OFFSET);
  }

  /** True if lines can be read at present. */
  get isReady(): boolean {
    return this.#layout !== undefined && !this.#isSuspended;
  }

  /** Releases the reader; the next one reuses its memory. */
  end(): void {
    this.setLayout(undefined);
    idleLineWorkspace = this.#workspace;
  }

  /** Passes all lines to the slow reader while suspended. */
  suspend(isReaderSuspended: boolean): void {
    if (isReaderSuspended) this.isCurrent = false;
    this.#isSuspended = isReaderSuspended;
  }

  /** Sets the layout of the next lines; undefined if only the slow reader can read them. */
  setLayout(layout: PlainLineLayout | undefined): void {
    this.isCurrent = false;
    this.#layout = layout;
    if (layout === undefined) return;
    const { fieldIndices: fieldPlace } = layout;
    this.#hasTask = fieldPlace.task !== undefined && fieldPlace.task !== fieldPlace.job;
    this.#sharesQueue = fieldPlace.queue !== undefined && fieldPlace.queue === fieldPlace.partition;
    this.#valuations = this.#makeValuations(layout);
    const ints = this.#ints;
    ints[lines.FIELD_SEPARATOR_INDEX] = layout.separator.charCodeAt(0);
    ints[lines.FIELD_COUNT_INDEX] = layout.count;
    ints[lines.IS_TABLE_INDEX] = Number(layout.isTable === true);
    ints[lines.HAS_JOB_STEPS_INDEX] = Number(layout.hasSteps === true);
    ints[lines.LIMIT_IN_MINUTES_INDEX] = Number(layout.isLimitInMinutes === true);
    ints[lines.UNLIMITED_VALUE_INDEX] = layout.isYearNone === true ? 60 * MINUTES_PER_YEAR : -1;
    ints[lines.IS_LOCAL_TIME_INDEX] = Number(layout.toUnix !== undefined);
    const fieldSlots = describeFieldSlots(layout);
    const keyDescriptions = Object.values(layout.keys ?? {}).map(describeKeyOfSource);
    ints.set([...fieldSlots, ...keyDescriptions].flat(), lines.FIRST_FIELD_INDEX);
    ints[lines.FIELD_DESCRIPTIONS_END_INDEX] =
      lines.FIRST_FIELD_INDEX + lines.FIELD_ENTRY_LENGTH * fieldSlots.length;
    ints[lines.KEY_DESCRIPTIONS_END_INDEX] =
      ints[lines.FIELD_DESCRIPTIONS_END_INDEX]! + lines.FIELD_ENTRY_LENGTH * keyDescriptions.length;
    this.#doubles.fill(-1, 0, KNOWN);
    for (let row = 0; row < lines.ROWS_PER_BATCH; row++) {
      this.#doubles[row * SLOTS + SLOT_BY_FIELD_SOURCE.account] = Number.NaN;
      this.#doubles[row * SLOTS + SLOT_BY_FIELD_SOURCE.slave] = NO_SLAVE_TASK_VALUE;
    }
    this.#forgetTexts();
  }

  /** Reads lines that end before `end` and returns their number. */
  readLines(from: number, end: number): number {
    this.isCurrent = true;
    const { loops } = this.#workspace;
    return loops.readLogLines(this.#bytes, this.#ints, this.#doubles, from, end, MAX_LINE_BYTES + 1);
  }

  /** Offset of the beginning of a line read last, or of the end of the last line. */
  startOf(row: number): number {
    return this.#ints[STARTS + row]!;
  }

  /** Value of a field of a line read last; -1 if it is empty. */
  value(row: number, fieldSource: PlainFieldSource): number {
    return this.#doubles[row * SLOTS + SLOT_BY_FIELD_SOURCE[fieldSource]]!;
  }

  /** Text of the task name or the job id with its server, of a line read last. */
  textOf(row: number, fieldSource: 'task' | 'serverJob'): string {
    const slotAddress = PLACES + 2 * (row * SLOTS + SLOT_BY_FIELD_SOURCE[fieldSource]);
    return decodeLatin1(this.#bytes.subarray(this.#ints[slotAddress]!, this.#ints[slotAddress + 1]!));
  }

  /**
   * Fills the record from a line read last.
   * @param lineNumber line number.
   * @returns false if only the slow reader can read the line; the record is then undefined.
   */
  read(row: number, lineNumber: number): boolean {
    const flags = this.#ints[FLAGS + row]!;
    this.isStep = flags === lines.JOB_STEP_LINE_FLAG;
    if (this.isStep) return true;
    const valueSlots = this.#doubles;
    const slotOffset = row * SLOTS;
    const accountingRecord = this.#record;
    const { fieldIndices: fieldPlace, hasCluster, parseLimit } = this.#layout as PlainLineLayout;
    if (
      valueSlots[slotOffset + SLOT_BY_FIELD_SOURCE.slave] === -1 ||
      (flags !== 0 && !this.#settle(row, flags))
    )
      return false;
    const queued = valueSlots[slotOffset + SLOT_BY_FIELD_SOURCE.queued]!;
    const submit = valueSlots[slotOffset + SLOT_BY_FIELD_SOURCE.submit]!;
    const eligibleTime = valueSlots[slotOffset + SLOT_BY_FIELD_SOURCE.eligible]!;
    accountingRecord.number = lineNumber;
    accountingRecord.job = valueSlots[slotOffset + SLOT_BY_FIELD_SOURCE.job]!;
    accountingRecord.hetJob = -1;
    accountingRecord.submit = submit >= 0 ? submit : queued;
    accountingRecord.eligible = eligibleTime >= 0 ? eligibleTime : queued;
    accountingRecord.hasEligible = fieldPlace.eligible !== undefined;
    accountingRecord.start = valueSlots[slotOffset + SLOT_BY_FIELD_SOURCE.start]!;
    accountingRecord.end = valueSlots[slotOffset + SLOT_BY_FIELD_SOURCE.end]!;
    accountingRecord.elapsed = valueSlots[slotOffset + SLOT_BY_FIELD_SOURCE.elapsed]!;
    accountingRecord.suspended = valueSlots[slotOffset + SLOT_BY_FIELD_SOURCE.suspended]!;
    accountingRecord.processors = valueSlots[slotOffset + SLOT_BY_FIELD_SOURCE.processors]!;
    accountingRecord.requestedProcessors = valueSlots[slotOffset + SLOT_BY_FIELD_SOURCE.requestedProcessors]!;
    accountingRecord.limit =
      valueSlots[
        slotOffset + (parseLimit === undefined ? SLOT_BY_FIELD_SOURCE.limit : SLOT_BY_FIELD_SOURCE.category)
      ]!;
    accountingRecord.hasLimit = fieldPlace.limit !== undefined;
    const stateNumber = valueSlots[slotOffset + SLOT_BY_FIELD_SOURCE.state]!;
    accountingRecord.state =
      stateNumber < 0 ? JOB_STATE_NUMBERS.unknown : (stateNumber >> 1) + MIN_JOB_STATE_NUMBER;
    accountingRecord.stateName = '';
    accountingRecord.isRepeated = stateNumber > 0 && (stateNumber & 1) === 1 && accountingRecord.start >= 0;
    const account = valueSlots[slotOffset + SLOT_BY_FIELD_SOURCE.account]!;
    accountingRecord.user = valueSlots[slotOffset + SLOT_BY_FIELD_SOURCE.user]!;
    accountingRecord.group = Number.isNaN(account)
      ? valueSlots[slotOffset + SLOT_BY_FIELD_SOURCE.group]!
      : account;
    accountingRecord.executable = valueSlots[slotOffset + SLOT_BY_FIELD_SOURCE.executable]!;
    accountingRecord.hasCluster = hasCluster === true;
    this.#setQueue(
      valueSlots[slotOffset + SLOT_BY_FIELD_SOURCE.queue]!,
      valueSlots[slotOffset + SLOT_BY_FIELD_SOURCE.partition]!,
    );
    return accountingRecord.submit >= 0 && (!this.#hasTask || this.#nameTask(row));
  }

  #setQueue(queue: number, partition: number): void {
    const accountingRecord = this.#record;
    const isShared = this.#sharesQueue && queue >= 0;
    accountingRecord.queue = isShared ? this.#queues[queue]! : queue;
    accountingRecord.partition = isShared ? this.#partitions[queue]! : partition;
  }

  /**
   * Sets the name of a job that is an array task; false if only the slow reader can read the task's
   * name.
   */
  #nameTask(row: number): boolean {
    const { job } = this.#record;
    if (this.value(row, 'task') === job) return true;
    const taskText = this.textOf(row, 'task');
    if (taskText === '') return true;
    if (!/^\d+(?:_\d+)?$/.test(taskText)) return false;
    this.#names.setJobName(job, taskText);
    return true;
  }

  /**
   * Computes the values that the byte loops cannot: new texts, and dates in a time zone. False if only the
   * slow reader can read the line.
   */
  #settle(row: number, flags: number): boolean {
    if ((flags & lines.IRREGULAR_LINE_FLAG) !== 0) return false;
    const valueSlots = this.#doubles;
    const slotOffset = row * SLOTS;
    // A line without a submit is refused by the slow reader, maybe before it numbers names.
    if (
      !(
        valueSlots[slotOffset + SLOT_BY_FIELD_SOURCE.submit]! >= 0 ||
        valueSlots[slotOffset + SLOT_BY_FIELD_SOURCE.queued]! >= 0
      )
    )
      return false;
    if ((flags & lines.NEW_TEXT_FLAG) !== 0) {
      for (const slot of TEXT_FIELD_SLOTS) {
        if (valueSlots[slotOffset + slot] !== NEW_TEXT) continue;
        // A group that an account stands for is not numbered.
        if (
          slot === SLOT_BY_FIELD_SOURCE.group &&
          !Number.isNaN(valueSlots[slotOffset + SLOT_BY_FIELD_SOURCE.account]!)
        )
          continue;
        valueSlots[slotOffset + slot] = this.#learn(slot, PLACES + 2 * (slotOffset + slot));
        if (valueSlots[slotOffset + slot] === REFUSED) return false;
      }
    }
    const { toUnix } = this.#layout as PlainLineLayout;
    if (toUnix === undefined) return true;
    for (const slot of DATE_FIELD_SLOTS) {
      if ((flags & (lines.FIRST_LOCAL_TIME_FLAG << slot)) !== 0)
        valueSlots[slotOffset + slot] = toUnix(valueSlots[slotOffset + slot]!);
    }
    return true;
  }

  /** Computes and stores the value of a new text. */
  #learn(slot: number, indexOfTextPosition: number): number {
    const ints = this.#ints;
    const from = ints[indexOfTextPosition]!;
    const end = ints[indexOfTextPosition + 1]!;
    if (
      ints[lines.KNOWN_TEXT_COUNT_INDEX] === lines.MAX_KNOWN_TEXT_COUNT ||
      ints[lines.TEXT_POOL_END_INDEX]! + end - from > lines.TEXT_POOL_END_OFFSET
    )
      this.#forgetTexts();
    const knownTextCount = ints[lines.KNOWN_TEXT_COUNT_INDEX]!;
    const textNumber = this.#workspace.loops.addKnownText(this.#bytes, ints, from, end, slot);
    if (textNumber === knownTextCount) {
      const computeValueOfText = this.#valuations[slot] as TextToNumberFunction;
      this.#doubles[KNOWN + textNumber] = computeValueOfText(decodeLatin1(this.#bytes.subarray(from, end)));
    }
    return this.#doubles[KNOWN + textNumber]!;
  }

  /** Deletes all stored texts except keys. */
  #forgetTexts(): void {
    const { loops } = this.#workspace;
    loops.forgetKnownTexts(this.#ints);
    const keys = Object.keys(this.#layout?.keys ?? {});
    for (const [index, key] of keys.entries()) {
      this.#bytes.set(new TextEncoder().encode(key), lines.TEXT_POOL_END_OFFSET);
      const end = lines.TEXT_POOL_END_OFFSET + key.length;
      const textNumber = loops.addKnownText(
        this.#bytes,
        this.#ints,
        lines.TEXT_POOL_END_OFFSET,
        end,
        lines.KEY_TEXT_SLOT,
      );
      this.#doubles[KNOWN + textNumber] =
        this.#ints[lines.FIELD_DESCRIPTIONS_END_INDEX]! + lines.FIELD_ENTRY_LENGTH * index;
    }
  }

  /** Functions that compute the values of texts, by slot. */
  #makeValuations({
    noNames = [],
    parseLimit = () => -1,
  }: PlainLineLayout): (TextToNumberFunction | undefined)[] {
    const logNames = this.#names;
    const makeNameNumberLookup = (numberField: NamedField) => (text: string) =>
      noNames.includes(text.toLowerCase()) ? -1 : logNames.number(numberField, text);
    const makeWordLookup = (acceptedWords: Readonly<Record<string, number>>) => (text: string) =>
      acceptedWords[text] ?? REFUSED;
    const valueFunctionBySource: Partial<Record<PlainFieldSource, TextToNumberFunction>> = {
      state: encodeStateAndRepeat,
      user: makeNameNumberLookup('user'),
      group: makeNameNumberLookup('group'),
      account: makeNameNumberLookup('group'),
      executable: makeNameNumberLookup('executable'),
      queue: this.#sharesQueue
        ? this.#shareQueue(makeNameNumberLookup('queue'), makeNameNumberLookup('partition'))
        : makeNameNumberLookup('queue'),
      partition: makeNameNumberLookup('partition'),
      category: parseLimit,
      limit: makeWordLookup({ UNLIMITED: -1, Partition_Limit: -1 }),
      slave: makeWordLookup({ NONE: NO_SLAVE_TASK_VALUE }),
      type: makeWordLookup({ E: 1 }),
    };
    return FIELD_SOURCES_BY_SLOT.map((fieldSource) =>
      PLAIN_FIELD_KINDS[fieldSource] === lines.FIELD_KIND_DATE
        ? makeWordLookup({ Unknown: -1, None: -1 })
        : valueFunctionBySource[fieldSource],
    );
  }

  /** Gives each text two values: it stands for an index into two lists. */
  #shareQueue(
    queueNumberOf: TextToNumberFunction,
    partitionNumberOf: TextToNumberFunction,
  ): TextToNumberFunction {
    const indexByText = new Map<string, number>();
    this.#queues = [];
    this.#partitions = [];
    return (text) => {
      const knownIndex = indexByText.get(text);
      if (knownIndex !== undefined) return knownIndex;
      const queueIndex = this.#queues.push(queueNumberOf(text)) - 1;
      this.#partitions.push(partitionNumberOf(text));
      indexByText.set(text, queueIndex);
      return queueIndex;
    };
  }
}

/** Encodes the fields of a line for the byte loops. Adjacent unused fields are skipped together. */
function describeFieldSlots({ count: fieldCount, fieldIndices: fieldPlace }: PlainLineLayout): number[][] {
  const sources = new Map<number, PlainFieldSource>();
  for (const [source, at] of Object.entries(fieldPlace)) {
    // The first of two meanings of one field stays: the job's number, and the queue.
    if (!sources.has(at)) sources.set(at, source as PlainFieldSource);
  }
  const fieldSlots: number[][] = [];
  for (let fieldIndex = 0; fieldIndex < fieldCount; fieldIndex++) {
    const fieldSource = sources.get(fieldIndex);
    const lastFieldSlot = fieldSlots.at(-1);
    if (fieldSource !== undefined)
      fieldSlots.push([PLAIN_FIELD_KINDS[fieldSource], SLOT_BY_FIELD_SOURCE[fieldSource], fieldIndex]);
    else if (lastFieldSlot !== undefined && lastFieldSlot[0] === lines.FIELD_KIND_SKIPPED)
      lastFieldSlot[1]!++;
    else fieldSlots.push([lines.FIELD_KIND_SKIPPED, 1, fieldIndex]);
  }
  return fieldSlots;
}

/** Encodes a key for the byte loops. */
function describeKeyOfSource(fieldSource: PlainFieldSource): number[] {
  const fieldKind =
    PLAIN_FIELD_KINDS[fieldSource] === lines.FIELD_KIND_TEXT
      ? lines.FIELD_KIND_TEXT
      : fieldSource === 'exitStatus'
        ? lines.FIELD_KIND_SIGNED_NUMBER
        : lines.FIELD_KIND_REQUIRED_NUMBER;
  return [
    fieldKind,
    SLOT_BY_FIELD_SOURCE[fieldSource],
    Number(fieldSource === 'account' || fieldSource === 'exitStatus'),
  ];
}

/** Lower bound of the numbers of all job states. */
const MIN_JOB_STATE_NUMBER = -8;

/** Most common final states of jobs. */
const COMMON_FINAL_STATE_NAMES: readonly string[] = [
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

/** Encodes a job state, and whether the job may run again after it, as one number. */
function encodeStateAndRepeat(stateText: string): number {
  if (!COMMON_FINAL_STATE_NAMES.includes(stateText) && !stateText.startsWith('CANCELLED by ')) return REFUSED;
  return 2 * (jobStateNumberOf(stateText) - MIN_JOB_STATE_NUMBER) + Number(isRepeatedState(stateText));
}

/** Value of a line without a slave task. */
const NO_SLAVE_TASK_VALUE = 0;
