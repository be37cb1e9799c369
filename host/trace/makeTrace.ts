/** Creates logs from jobs in memory, given as objects or as columns. */

import { checkArgument } from '../arguments.js';
import { InputError } from '../errors.js';
import { checkFiniteNumberInRange, checkKnownNames, type NumberRange } from '../notation.js';
import { sortBySubmit } from './columns.js';
import { LogNames, NAMED_FIELDS, type NamedField } from './records.js';
import { parseHeader, SWF_FIELDS, type SwfField, type Trace } from './trace.js';

const NEEDED_FIELDS = ['submit', 'runtime', 'processors'] as const;
type NeededField = (typeof NEEDED_FIELDS)[number];

/**
 * Type of a field of a job: a number, or for users, groups, executables, queues and partitions also a name.
 */
type TraceFieldValue<Field extends SwfField> = Field extends NamedField ? number | string : number;

/**
 * A job: submit time, runtime (both in seconds), processors, and optionally any other SWF field in the unit
 * of SWF.
 */
export type GivenJob = { readonly [Field in NeededField]: number } & {
  readonly [Field in Exclude<SwfField, NeededField>]?: TraceFieldValue<Field> | undefined;
};

/** Jobs as columns of equal length, with the fields of GivenJob. */
export type GivenColumns = { readonly [Field in NeededField]: ArrayLike<number> } & {
  readonly [Field in Exclude<SwfField, NeededField>]?: ArrayLike<TraceFieldValue<Field>> | undefined;
};

/** Properties of the log as a whole. */
export interface GivenLog {
  /** Name of the log in results; default `jobs`. */
  readonly name?: string;
  /** Number of processors of the machine. */
  readonly maxProcessors?: number;
  /** Start of the log: seconds from 1970 to time 0 of the submit times. */
  readonly unixStartTime?: number;
}

const TRACE_TIME_RANGE: NumberRange = { atLeast: 0 };
const TRACE_FIELD_RANGES: Readonly<Partial<Record<SwfField, NumberRange>>> = {
  submit: TRACE_TIME_RANGE,
  runtime: TRACE_TIME_RANGE,
  processors: { atLeast: 1, atMost: 0x7fffffff },
};

/**
 * Creates a log from jobs in any order. Missing fields are unknown (-1); a missing job number becomes the
 * position, from 1.
 * @param jobs array of objects, or an object of columns (arrays or typed arrays).
 * @throws InputError for an unknown or missing field, a value out of range, or columns of different lengths.
 * @example
 * const jobs = makeTrace([{ submit: 0, runtime: 60, processors: 4, user: 'ann' }, { submit: 5, runtime: 30, processors: 1 }]);
 * console.log(jobs.count); // 2
 */
export function makeTrace(jobs: readonly GivenJob[] | GivenColumns, log: GivenLog = {}): Trace {
  checkArgument(jobs, 'object', 'makeTrace, jobs');
  checkArgument(log, 'object', 'makeTrace, log');
  checkKnownNames(Object.keys(log), ['name', 'maxProcessors', 'unixStartTime'], 'property of the log');
  const suppliedColumns = Array.isArray(jobs)
    ? makeColumnsOfJobs(jobs)
    : checkTraceColumns(jobs as GivenColumns);
  const jobCount = suppliedColumns.submit?.length ?? 0;
  const logNames = new LogNames();
  const columns = Object.fromEntries(
    SWF_FIELDS.map((field) => [
      field,
      convertFieldToNumbers(field, suppliedColumns[field], jobCount, logNames),
    ]),
  ) as Trace['columns'];
  const { name = 'jobs', maxProcessors, unixStartTime } = log;
  const lines = [
    ...(maxProcessors === undefined ? [] : [`; MaxProcs: ${maxProcessors}`]),
    ...(unixStartTime === undefined ? [] : [`; UnixStartTime: ${unixStartTime}`]),
    ...logNames.headerLines(),
  ];
  return sortBySubmit({ source: name, header: parseHeader(lines), count: jobCount, columns });
}

type TraceColumns = Readonly<Partial<Record<SwfField, ArrayLike<unknown>>>>;

/** Converts objects to columns, one for each field that occurs. */
function makeColumnsOfJobs(jobs: readonly object[]): TraceColumns {
  jobs.forEach((job, i) => {
    checkArgument(job, 'object', `makeTrace, job ${i + 1}`);
  });
  const usedFields = new Set(jobs.flatMap(Object.keys));
  checkKnownNames(usedFields, SWF_FIELDS, 'field of a job');
  const fields = [
    ...NEEDED_FIELDS,
    ...[...usedFields].filter((field) => !(NEEDED_FIELDS as readonly string[]).includes(field)),
  ];
  return Object.fromEntries(
    fields.map((field) => [field, jobs.map((job) => (job as Readonly<Record<string, unknown>>)[field])]),
  );
}

function checkTraceColumns(jobColumns: GivenColumns): TraceColumns {
  checkKnownNames(Object.keys(jobColumns), SWF_FIELDS, 'field of jobs');
  const columns = Object.entries(jobColumns).flatMap(([field, column]) =>
    column === undefined ? [] : [[field, column] as const],
  );
  for (const field of NEEDED_FIELDS) checkArgument(jobColumns[field], 'list', `makeTrace, column ${field}`);
  for (const [field, column] of columns) {
    checkArgument(column, 'list', `makeTrace, column ${field}`);
    if (column.length !== jobColumns.submit.length)
      throw new InputError(
        `makeTrace: column ${field} has ${column.length} entries, and submit ${jobColumns.submit.length}; give one per job`,
      );
  }
  return Object.fromEntries(columns);
}

/** Extracts a field as numbers; -1 for jobs without it. */
function convertFieldToNumbers(
  field: SwfField,
  column: ArrayLike<unknown> | undefined,
  jobCount: number,
  logNames: LogNames,
): Float64Array {
  const fieldValuesAsNumbers = new Float64Array(jobCount).fill(-1);
  if (column === undefined)
    return field === 'job' ? fieldValuesAsNumbers.map((_, i) => i + 1) : fieldValuesAsNumbers;
  const isNamed = (NAMED_FIELDS as readonly string[]).includes(field);
  const isNeededField = (NEEDED_FIELDS as readonly string[]).includes(field);
  for (let i = 0; i < jobCount; i++) {
    const fieldValue = column[i];
    if (isNamed && typeof fieldValue === 'string')
      fieldValuesAsNumbers[i] = logNames.number(field as NamedField, fieldValue);
    else if (fieldValue !== undefined || isNeededField)
      fieldValuesAsNumbers[i] = checkFieldNumber(fieldValue, field, i);
  }
  return fieldValuesAsNumbers;
}

function checkFieldNumber(fieldValue: unknown, fieldName: SwfField, i: number): number {
  const errorContext = `makeTrace: job ${i + 1}, ${fieldName}`;
  if (typeof fieldValue !== 'number')
    throw new InputError(`${errorContext}: expected a number, found ${fieldValue}`);
  if (fieldName === 'processors' && !Number.isInteger(fieldValue))
    throw new InputError(`${errorContext}: expected a whole number of at least 1, found ${fieldValue}`);
  return checkFiniteNumberInRange(fieldValue, errorContext, TRACE_FIELD_RANGES[fieldName] ?? {});
}
