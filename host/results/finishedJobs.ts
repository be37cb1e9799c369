/** Reads jobs.csv, stops.csv and capacity.csv: the jobs, preempted runs and sites of a finished simulation. */
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../errors.js';
import { explainReadError } from '../files/fileSystem.js';
import { parseCsvNumber, parseIntervalSet, splitCsvLine } from '../format/csv.js';
import {
  type JobsFileColumn,
  nameColumnOfLogField,
  STATE_CANCELLED_WAITING,
  STATE_ENDED_BY_OUTAGE,
  selectJobsFileColumns,
} from '../jobs/attributes.js';
import { type AbsentProcessorsStep, CAPACITY_COLUMNS, countProcessors } from './capacity.js';

/** Processors held during a time. Times are seconds on the clock of the log. */
export interface HeldProcessors {
  readonly start: number;
  readonly end: number;
  /** Number of processors held. */
  readonly processors: number;
  /** Ranges of neighbouring processors (first and last), numbered through the grid from 0. */
  readonly runs: readonly (readonly [first: number, last: number])[];
}

/** Job of a finished simulation that has run, with the processors of its last run. */
export interface FinishedJob extends HeldProcessors {
  /** Job number; further pieces of a split job have the suffix `#2`, `#3`, ... */
  readonly name: string;
  readonly submit: number;
  /** Submission time in the log, if a dependency delayed the job. */
  readonly loggedSubmit?: number;
  /** Requested processors; a moldable job may hold another number. */
  readonly requested: number;
  /** Home site, numbered from 0. */
  readonly home: number;
  /** User name in the log; absent if the log has only numbers. */
  readonly user?: string;
  /** Class of the job by the requested attribute: a name, or a number if there is no name. */
  readonly className?: string;
  /** True if an outage ended the job. */
  readonly isEndedByOutage?: true;
}

/** Attributes by which finished jobs can be classified. */
export type JobClassField = 'user' | 'group' | 'queue' | 'partition';

/** Columns of jobs.csv in the order that `parseFinishedJob` expects. */
const FINISHED_JOB_COLUMNS: readonly JobsFileColumn[] = [
  ...selectJobsFileColumns('number', 'submit', 'start', 'end'),
  'allocated_resources',
  ...selectJobsFileColumns('home', 'processors'),
];

/** Reads a line of jobs.csv; null for a job that never started, undefined for a malformed line. */
function parseFinishedJob(csvFields: readonly string[]): FinishedJob | null | undefined {
  const [
    name = '',
    submitText = '',
    startText = '',
    endText = '',
    processorsText = '',
    homeText = '',
    requestedText = '',
    loggedSubmitText = '',
    state,
    user,
    className,
    classNumber = '',
  ] = csvFields;
  if (state === STATE_CANCELLED_WAITING) return null;
  const [submit, start, end] = [
    parseCsvNumber(submitText),
    parseCsvNumber(startText),
    parseCsvNumber(endText),
  ];
  const [home, requested, loggedSubmit] = [
    parseCsvNumber(homeText),
    parseCsvNumber(requestedText),
    parseCsvNumber(loggedSubmitText),
  ];
  const processorRanges = parseIntervalSet(processorsText);
  const processors = processorRanges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  if (![submit, start, end, home, processors].every(Number.isFinite) || processors === 0) return undefined;
  const job = { name, submit, start, end, processors, requested, home: home - 1, runs: processorRanges };
  const classLabel = className || (Number(classNumber || -1) < 0 ? 'unknown' : classNumber);
  const jobWithDetails = {
    ...job,
    ...(user ? { user } : {}),
    ...(className === undefined ? {} : { className: classLabel }),
    ...(state === STATE_ENDED_BY_OUTAGE ? { isEndedByOutage: true as const } : {}),
  };
  return Number.isFinite(loggedSubmit) ? { ...jobWithDetails, loggedSubmit } : jobWithDetails;
}

/**
 * Reads jobs.csv.
 * @param classAttribute attribute that defines job classes, if any.
 * @throws InputError if the file is missing, or with the line that is malformed.
 */
export async function readFinishedJobs(path: string, classAttribute?: JobClassField): Promise<FinishedJob[]> {
  const jobs = await readCsvRows(
    path,
    FINISHED_JOB_COLUMNS,
    parseFinishedJob,
    'the times, processors and home site of a job',
    [
      'logged_submission_time',
      'final_state',
      nameColumnOfLogField('user'),
      ...(classAttribute === undefined ? [] : [nameColumnOfLogField(classAttribute), classAttribute]),
    ],
  );
  if (jobs.length === 0) throw new InputError(`${path} holds no job; run the simulation again`);
  return jobs;
}

/** Preempted run of a job, which restarted later. */
export interface StoppedRun extends HeldProcessors {
  readonly job: FinishedJob;
}

const STOPPED_RUN_COLUMNS = ['job_id', 'starting_time', 'stopped_time', 'allocated_resources'] as const;

/**
 * Reads stops.csv.
 * @param jobs all jobs of the jobs.csv beside it.
 * @throws InputError if the file is missing, or with the line that is malformed.
 */
export function readStoppedRuns(path: string, jobs: readonly FinishedJob[]): Promise<StoppedRun[]> {
  const jobByName = new Map(jobs.map((job) => [job.name, job]));
  const parse = ([name = '', startText = '', endText = '', processorsText = '']: readonly string[]):
    | StoppedRun
    | undefined => {
    const job = jobByName.get(name);
    const [start, end] = [parseCsvNumber(startText), parseCsvNumber(endText)];
    const processorRanges = parseIntervalSet(processorsText);
    const processors = processorRanges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
    const isJobComplete = end >= start && processors === job?.requested;
    return isJobComplete ? { job, start, end, processors, runs: processorRanges } : undefined;
  };
  return readCsvRows(
    path,
    STOPPED_RUN_COLUMNS,
    parse,
    'the times and processors of a stopped run of a job in jobs.csv',
  );
}

/**
 * Reads capacity.csv.
 * @param capacities processors of the sites without outages.
 * @throws InputError if the file is missing, or with the line that is malformed.
 */
export function readCapacitySteps(
  path: string,
  capacities: readonly number[],
): Promise<AbsentProcessorsStep[]> {
  const parse = ([siteText = '', timeText = '', availableText = '', absentText = '']: readonly string[]):
    | AbsentProcessorsStep
    | undefined => {
    const [site, time, processors] = [
      parseCsvNumber(siteText) - 1,
      parseCsvNumber(timeText),
      parseCsvNumber(availableText),
    ];
    const absent = parseIntervalSet(absentText);
    const isComplete = Number.isFinite(time) && processors + countProcessors(absent) === capacities[site];
    return isComplete ? { site, time, absent } : undefined;
  };
  return readCsvRows(
    path,
    CAPACITY_COLUMNS,
    parse,
    'a site, a time, the processors there and those that were away',
  );
}

function openResultFile(path: string): Promise<FileHandle> {
  return open(path).catch((error: unknown) => {
    throw explainReadError(path, error, 'run the simulation again');
  });
}

/**
 * Reads a CSV file line by line.
 * @param columns names of the fields that `parse` receives in this order; it returns undefined for a
 * malformed line, and null for a line to skip.
 * @param expectedColumns description of a line, for the error.
 * @param optionalColumns further columns whose fields are empty if missing.
 * @throws InputError if the file or a column is missing, or with the line that is malformed.
 */
export async function readCsvRows<Row>(
  path: string,
  columns: readonly string[],
  parse: (fields: readonly string[]) => Row | null | undefined,
  expectedColumns: string,
  optionalColumns: readonly string[] = [],
): Promise<Row[]> {
  const rows: Row[] = [];
  let columnIndices: number[] | undefined;
  let lineNumber = 0;
  const fileHandle = await openResultFile(path);
  for await (const line of fileHandle.readLines()) {
    lineNumber++;
    if (line === '') continue;
    const csvFields = splitCsvLine(line);
    if (columnIndices === undefined) {
      columnIndices = [...columns, ...optionalColumns].map((columnName) => csvFields.indexOf(columnName));
      const nameOfMissingColumn = columns.find((_, i) => columnIndices?.[i] === -1);
      if (nameOfMissingColumn !== undefined)
        throw new InputError(
          `${path}: the column ${nameOfMissingColumn} is missing; run the simulation again`,
        );
      continue;
    }
    const row = parse(columnIndices.map((columnPosition) => csvFields[columnPosition] ?? ''));
    if (row === null) continue;
    if (row === undefined) {
      throw new InputError(
        `${path}, line ${lineNumber}: expected ${expectedColumns}; run the simulation again`,
      );
    }
    rows.push(row);
  }
  return rows;
}

/** Start of a simulation's clock in seconds since 1970, if the header of its log has it. */
export async function readStartDate(folder: string): Promise<number | undefined> {
  const fileHandle = await open(join(folder, 'schedule.swf')).catch(() => undefined);
  if (fileHandle === undefined) return undefined;
  try {
    for await (const line of fileHandle.readLines({ encoding: 'latin1', autoClose: false })) {
      if (!line.startsWith(';')) break;
      const seconds = Number(/^;\s*UnixStartTime:\s*(\d+)/.exec(line)?.[1] ?? 0);
      if (seconds > 0) return seconds;
    }
    return undefined;
  } finally {
    await fileHandle.close();
  }
}
