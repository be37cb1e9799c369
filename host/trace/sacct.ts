/**
 * Reader of the output of `sacct --parsable2`, the accounting of Slurm: a line of field names, then a line
 * per job or job step, with fields separated by `|`. The user selects the fields.
 */
import { quoteLogText } from '../format/text.js';
import { AccountingJobCollector } from './accountingJobs.js';
import type { LogFormat, TableReadingOptions } from './logFormat.js';
import { LINE_PLACE_NAMES } from './places.js';
import { PlainLineReader } from './plainLines.js';
import { LogLineReader } from './readers.js';
import {
  type ArrivalChoice,
  type LogNames,
  type LogReader,
  type LogSink,
  RecordRowBuffer,
} from './records.js';
import {
  fillRecordFromSacctFields,
  findJobStep,
  parseSacctDate,
  type SacctFieldSource,
  type SacctFields,
} from './sacctFields.js';
import type { SyntaxProblem } from './syntax.js';
import { areColumnNames } from './tableReader.js';
import { checkTimeZone, makeLocalToUnixTime } from './tableTimes.js';

/**
 * Names of the used sacct fields, ignoring case; of several alternatives, the first that is present is used.
 */
const SACCT_COLUMNS_BY_FIELD = {
  job: ['JobIDRaw', 'JobID'],
  task: ['JobID'],
  submit: ['Submit'],
  eligible: ['Eligible'],
  start: ['Start'],
  end: ['End'],
  elapsed: ['ElapsedRaw', 'Elapsed'],
  suspended: ['Suspended'],
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
} as const satisfies Readonly<Record<SacctFieldSource, readonly string[]>>;

/** Alternatives among sacct fields: a log needs at least one field of each inner list. */
const REQUIRED_SACCT_FIELDS: readonly (readonly SacctFieldSource[])[] = [
  ['job'],
  ['submit'],
  ['elapsed', 'end'],
  ['processors', 'requestedProcessors'],
];

/** Syntax of the fields in the output of sacct. */
const SACCT_PLAIN_LAYOUT = {
  separator: '|',
  hasSteps: true,
  isYearNone: true,
} as const;

/** Number of job steps reported individually; the rest are only counted. */
const MAX_REPORTED_JOB_STEPS = 5;

/** Layout of the columns, as read from the line of field names. */
export interface SacctColumnLayout {
  /** Line of the field names. */
  readonly line: number;
  /** Number of columns. */
  readonly count: number;
  /** Index of the column of each used field, and its name. */
  readonly fieldIndices: Readonly<Partial<Record<SacctFieldSource, number>>>;
  readonly fieldNames: Readonly<Partial<Record<SacctFieldSource, string>>>;
  /** True if time limits are in minutes (TimelimitRaw). */
  readonly isLimitInMinutes: boolean;
  /** True if a column names the cluster. */
  readonly hasCluster: boolean;
}

/** True if a line contains the field names Submit and JobID or JobIDRaw, which every log needs. */
function areSacctColumnNames(columnNames: readonly string[]): boolean {
  const lowerCaseNames = columnNames.map((field) => field.trim().toLowerCase());
  return (
    lowerCaseNames.includes('submit') &&
    (lowerCaseNames.includes('jobid') || lowerCaseNames.includes('jobidraw'))
  );
}

const KNOWN_SACCT_COLUMN_NAMES: readonly string[] = [
  ...Object.values(SACCT_COLUMNS_BY_FIELD).flat(),
  'ExitCode',
].map((columnName) => columnName.toLowerCase());

/** True if a line contains field names in blank-separated columns, the default output of sacct. */
function isSacctTableForHumans(line: string): boolean {
  const knownColumns = line
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => KNOWN_SACCT_COLUMN_NAMES.includes(word));
  return knownColumns.length > 1 && knownColumns.some((word) => word.startsWith('jobid'));
}

/**
 * True if a line can be the first line of sacct --parsable2: field names, or at least fields separated by
 * bars.
 */
function isSacctLine(line: string): boolean {
  const lineFields = line.split('|');
  if (lineFields.length === 1 || !areColumnNames(lineFields))
    return lineFields.length > 3 || isSacctTableForHumans(line);
  const knownColumns = lineFields
    .map((columnName) => columnName.trim().toLowerCase())
    .filter((columnName) => KNOWN_SACCT_COLUMN_NAMES.includes(columnName));
  return (
    knownColumns.some((columnName) => columnName.startsWith('jobid')) ||
    2 * knownColumns.length >= lineFields.length
  );
}

/** The output of `sacct --parsable2`. */
export const SACCT_FORMAT = {
  name: 'sacct',
  title: 'output of sacct --parsable2',
  example: 'JobIDRaw|Submit|Start|End|AllocCPUS|State',
  places: LINE_PLACE_NAMES,
  hasUnixTimes: true,
  isUnordered: true,
  uses: ['arrival', 'timeZone'],
  isLike: ({ line: firstLine }) => isSacctLine(firstLine),
  open: readSacctLog,
} as const satisfies LogFormat;

/** Reads the output of sacct. Times are seconds since 1970, or dates in a time zone. */
function readSacctLog(
  sink: LogSink,
  logNames: LogNames,
  arrivalChoice: ArrivalChoice,
  { timeZone = 'UTC' }: TableReadingOptions,
): LogReader {
  const toUnix = timeZone === 'UTC' ? undefined : makeLocalToUnixTime(checkTimeZone(timeZone, 'timeZone'));
  const lineHandler = new SacctLineReader(
    { sink, names: logNames, arrival: arrivalChoice, toUnix },
    (problem) => reader.stop(problem),
  );
  const reader = new LogLineReader(sink, lineHandler);
  return reader;
}

/** Destination and options of reading. */
interface SacctReaderTarget {
  readonly sink: LogSink;
  readonly names: LogNames;
  readonly arrival: ArrivalChoice;
  /**
   * Converts local time (in seconds, counted as if it were UTC) to seconds since 1970; undefined: times are
   * UTC.
   */
  readonly toUnix: ((localTime: number) => number) | undefined;
}

class SacctLineReader {
  readonly #toUnix: SacctReaderTarget['toUnix'];
  readonly #sink: LogSink;
  readonly #names: LogNames;
  readonly #stop: (problem: SyntaxProblem) => void;
  readonly #jobs: AccountingJobCollector;
  #layout: SacctColumnLayout | undefined;
  readonly plain: PlainLineReader;
  /** Number of job steps reported one by one so far; the fast reader counts the rest in `#furtherSteps`. */
  #steps = 0;
  #furtherSteps = 0;
  #isHeaderReported = false;
  /** True if the last line was part of a broken record. */
  #isBroken = false;

  constructor(
    { sink, names: logNames, arrival, toUnix }: SacctReaderTarget,
    stop: (problem: SyntaxProblem) => void,
  ) {
    this.#toUnix = toUnix;
    this.#sink = sink;
    this.#names = logNames;
    this.#stop = stop;
    this.#jobs = new AccountingJobCollector(
      { sink, names: logNames, rows: new RecordRowBuffer(sink) },
      arrival,
    );
    this.plain = new PlainLineReader(this.#jobs.record, logNames);
  }

  line(lineText: string, lineNumber: number) {
    if (lineText.trim() === '') return 'blank' as const;
    const lineFields = lineText.split('|');
    // Outputs that were put one behind the other have the names several times.
    if (this.#layout === undefined || areSacctColumnNames(lineFields)) {
      this.#layout = this.#readNames(lineFields, lineNumber);
      const zone = this.#toUnix && { toUnix: this.#toUnix };
      this.plain.setLayout({ ...this.#layout, ...SACCT_PLAIN_LAYOUT, ...zone });
      return 'comment' as const;
    }
    const sacctFields = makeSacctFields(lineFields, this.#layout, lineNumber);
    // A line end in a name of a job breaks its record in two, or more.
    if (this.#isBroken && !isSacctRecordStart(sacctFields)) return 'comment' as const;
    this.#readJob(lineFields, sacctFields, this.#layout);
    return 'record' as const;
  }

  takePlainRecord(): boolean {
    if (!this.plain.isStep) this.#jobs.takeRecord();
    else if (this.#steps < MAX_REPORTED_JOB_STEPS) return false;
    else this.#furtherSteps++;
    return true;
  }

  end(): void {
    const stepCount = this.#furtherSteps;
    if (stepCount > 0)
      this.#sink.leaveOut({ rule: 'step', line: undefined, example: 'a job step', count: stepCount });
    this.#jobs.end();
    this.#reportHeader();
  }

  #reportHeader(): void {
    if (!this.#isHeaderReported) this.#sink.header([]);
    this.#isHeaderReported = true;
  }

  #readNames(fields: readonly string[], line: number): SacctColumnLayout {
    this.#reportHeader();
    const lowerCaseNames = fields.map((field) => field.trim().toLowerCase());
    const columnByField: Partial<Record<SacctFieldSource, number>> = {};
    const sacctColumnNameByField: Partial<Record<SacctFieldSource, string>> = {};
    for (const fieldSource of Object.keys(SACCT_COLUMNS_BY_FIELD) as SacctFieldSource[]) {
      const sourceColumn = SACCT_COLUMNS_BY_FIELD[fieldSource].find((each) =>
        lowerCaseNames.includes(each.toLowerCase()),
      );
      if (sourceColumn === undefined) continue;
      columnByField[fieldSource] = lowerCaseNames.indexOf(sourceColumn.toLowerCase());
      sacctColumnNameByField[fieldSource] = sourceColumn;
    }
    const missingFields = REQUIRED_SACCT_FIELDS.filter((fieldSources) =>
      fieldSources.every((fieldSource) => columnByField[fieldSource] === undefined),
    );
    if (missingFields.length > 0) {
      const missingNames = missingFields.map((fieldSources) =>
        fieldSources.map((fieldSource) => SACCT_COLUMNS_BY_FIELD[fieldSource][0]).join(' or '),
      );
      const recordText = fields.join('|').trim();
      const expectedForm = isSacctTableForHumans(recordText)
        ? 'fields separated by |'
        : `the fields ${missingNames.join(', ')} too`;
      const foundText = quoteLogText(recordText.replaceAll(/\s+/g, ' '));
      this.#stop({ rule: 'columns', line, field: undefined, found: foundText, expected: expectedForm });
    }
    const isLimitInMinutes = sacctColumnNameByField.limit === 'TimelimitRaw';
    return {
      line,
      count: fields.length,
      fieldIndices: columnByField,
      fieldNames: sacctColumnNameByField,
      isLimitInMinutes,
      hasCluster: sacctColumnNameByField.partition === 'Cluster',
    };
  }

  #readJob(fields: readonly string[], sacctFields: SacctFields, layout: SacctColumnLayout): void {
    const line = sacctFields.number;
    this.#isBroken = fields.length !== layout.count;
    this.plain.suspend(this.#isBroken);
    if (this.#isBroken) {
      const foundText = `${fields.length} fields in ${quoteLogText(fields.join('|'))}`;
      const expectedForm = `${layout.count} fields, as named in line ${layout.line}`;
      this.#sink.problem({
        rule: 'field-count',
        line,
        field: undefined,
        found: foundText,
        expected: expectedForm,
      });
      return;
    }
    const jobStep = findJobStep(sacctFields);
    if (jobStep !== undefined) {
      this.#steps++;
      this.#sink.leaveOut({ ...jobStep, line });
      return;
    }
    const problem = fillRecordFromSacctFields(sacctFields, this.#jobs.record, this.#names, this.#toUnix);
    if (problem === undefined) this.#jobs.takeRecord();
    else this.#sink.problem(problem);
  }
}

function makeSacctFields(
  fields: readonly string[],
  layout: SacctColumnLayout,
  lineNumber: number,
): SacctFields {
  const { fieldIndices, fieldNames, isLimitInMinutes, hasCluster } = layout;
  return {
    textOf: (fieldSource) => fields[fieldIndices[fieldSource] ?? -1]?.trim() ?? '',
    fieldNameOf: (fieldSource) => fieldNames[fieldSource] as string,
    has: (fieldSource) => fieldIndices[fieldSource] !== undefined,
    isLimitInMinutes,
    hasCluster,
    number: lineNumber,
  };
}

/**
 * True if a line begins like a record: with a job number at the expected position, and a submit time if that
 * is on the same line.
 */
function isSacctRecordStart({ textOf: fieldText }: SacctFields): boolean {
  const submitText = fieldText('submit');
  return (
    /^\d+(?:[_+.]\S+)?$/.test(fieldText('job')) &&
    (submitText === '' || parseSacctDate(submitText) !== undefined)
  );
}
