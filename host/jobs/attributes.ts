/**
 * Attributes of jobs, each in one row: its names, its unit, and its value in a simulation, in a log, in jobs.csv and for
 * an order of the waiting jobs. jobs.csv and jobs.parquet, `gridalloc jobs`, the library's `makeSharedJobColumns`, and the
 * expressions of --order, --where and --sort derive from this table.
 */
import { formatCsvField, formatIntervalSet, parseCsvNumber } from '../format/csv.js';
import { firstElement } from '../lists.js';
import { processorsOfLogRecord } from '../trace/columns.js';
import type { SwfField, Trace } from '../trace/trace.js';
import { makeUniqueJobNames, type SIMULATED_FIELDS, type Workload } from '../workload/workload.js';
import { computeQuantityOfJob, type JobQuantity } from './quantities.js';

/** Attributes of simulated jobs, one typed array per attribute with an entry per job; -1 means unknown. */
export interface JobColumns {
  /** Job number in the log; the pieces of a job that was cut share it. */
  readonly number: Float64Array;
  /** Seconds on the clock of the log; with dependencies the submission in the simulation. */
  readonly submit: Float64Array;
  /** Seconds on the clock of the log. */
  readonly start: Float64Array;
  /** Seconds on the clock of the log: start + runtime. */
  readonly end: Float64Array;
  /** Seconds: start - submit. */
  readonly wait: Float64Array;
  /** Seconds of execution. */
  readonly runtime: Float64Array;
  /** Seconds: end - submit. */
  readonly response: Float64Array;
  /** (wait + runtime) / runtime, where a runtime below 10 s counts as 10 s; never below 1. */
  readonly boundedSlowdown: Float64Array;
  /** Processors requested. */
  readonly processors: Int32Array;
  /** Processors allocated; they differ from the requested ones only for moldable jobs. */
  readonly held: Int32Array;
  /** Requested time in seconds, times the load. */
  readonly estimate: Float64Array;
  /** Home site (where the job is submitted), numbered from 0. */
  readonly home: Int32Array;
  /** Site of execution, numbered from 0; the first one of a split job. */
  readonly site: Int32Array;
  /**
   * Number of the user in the log; `workload.names` has the names of users, groups, queues and partitions.
   */
  readonly user: Float64Array;
  /** Number of the group in the log. */
  readonly group: Float64Array;
  /** Number of the queue in the log. */
  readonly queue: Float64Array;
  /** Number of the partition in the log. */
  readonly partition: Float64Array;
  /** Status in the log, as SWF numbers it. */
  readonly status: Float64Array;
}

/** Name of an attribute in the library, in `gridalloc jobs` and in expressions. */
export type JobAttributeName = keyof JobColumns;

/** Jobs of a finished simulation, with the results that their attributes are read from. */
export interface SimulatedJobs {
  readonly workload: Workload;
  readonly configuration: {
    /** Load factor of each home site. */
    readonly load: readonly number[];
    readonly reservations: string;
  };
  readonly schedule: Readonly<Pick<Workload, 'submit'>> & {
    readonly start: Float64Array;
    readonly execution: Float64Array;
    readonly site: Int32Array;
    readonly held: Int32Array;
    readonly estimate?: Float64Array;
    readonly promised?: Float64Array;
    readonly parts?: { readonly firstPart: Int32Array; readonly pairs: Int32Array };
    readonly outages?: { readonly endedJobs: Int32Array };
  };
  readonly processorSets?: { readonly firstPair: Int32Array; readonly pairs: Int32Array } | undefined;
}

/** Jobs before a simulation, with the columns from which their order in the waiting queue is computed. */
export type UnsimulatedJobs = Pick<
  Workload,
  'count' | 'submit' | 'estimate' | 'processors' | 'home' | 'job'
> & {
  readonly log?: Pick<NonNullable<Workload['log']>, (typeof SIMULATED_FIELDS)[number]> | undefined;
  /** Submit time of the first job of the log; absent: the first of these jobs. */
  readonly firstSubmit?: number | undefined;
};

/** Values by the index of the job: an existing column, or a function. */
export type JobValueSource<Value extends number | string = number> =
  | Float64Array
  | Int32Array
  | ((job: number) => Value);

/** An attribute of jobs. */
interface JobAttribute {
  /** Name in the library, in `gridalloc jobs` and in expressions; absent: only jobs.csv has it. */
  readonly name?: string;
  /** Position among the named attributes, where these are listed. */
  readonly rank?: number;
  /** Column of jobs.csv and jobs.parquet; absent: they lack it. */
  readonly csv?: string;
  /** Unit of a time; absent for other attributes. */
  readonly unit?: 's';
  /** True if values are whole numbers. */
  readonly isCount?: true;
  /** True if the values are numbers of the log that may have names. */
  readonly isNamed?: true;
  /** Values in a simulation; -1 is unknown. */
  readonly readSimulated?: (simulatedJobs: SimulatedJobs) => JobValueSource;
  /** Computation from wait and runtime; the value is -1 where these are unknown. */
  readonly quantity?: JobQuantity;
  /** Cells of jobs.csv; absent: the simulated values. */
  readonly makeCells?: (simulatedJobs: SimulatedJobs) => JobValueSource<number | string>;
  /** Condition under which jobs.csv has the column; absent: always. */
  readonly isWritten?: (simulatedJobs: SimulatedJobs) => boolean;
  /** Converts a cell of jobs.csv to a number; absent: the cell is the number. */
  readonly parse?: (cellText: string) => number;
  /** True if jobs.csv of earlier versions may lack the column, and its cells may be empty. */
  readonly isOptional?: true;
  /** Values recorded in a log; absent if logs do not record the attribute. */
  readonly readRecorded?: (columns: Trace['columns']) => JobValueSource;
  /** Values known at the submission, in the columns of an order; absent: an order cannot use it. */
  readonly computeAtSubmit?: (unsimulatedJobs: UnsimulatedJobs, load: readonly number[]) => ArrayLike<number>;
}

/** State of a job that was cancelled before it started. */
export const STATE_CANCELLED_WAITING = 'CANCELLED_WAITING';

/** State of a job that an outage ended. */
export const STATE_ENDED_BY_OUTAGE = 'COMPLETED_KILLED';

/** Function that returns the final state of a job by index, in the words of jobs.csv. */
function makeFinalStateReader(simulatedJobs: SimulatedJobs): (job: number) => string {
  const endedJobs = new Set(simulatedJobs.schedule.outages?.endedJobs);
  return (job) => (endedJobs.has(job) ? STATE_ENDED_BY_OUTAGE : finalStateWithoutOutage(simulatedJobs, job));
}

/** Final state of a job that no outage ended: completed, killed at its requested time, or cancelled. */
function finalStateWithoutOutage(
  { workload, schedule: { submit, start } }: SimulatedJobs,
  job: number,
): string {
  const patience = workload.patience?.[job] ?? -1;
  if (patience >= 0)
    return start[job]! < submit[job]! + patience ? 'CANCELLED_RUNNING' : STATE_CANCELLED_WAITING;
  return isJobKilledAtEstimate(workload, job) ? 'COMPLETED_WALLTIME_REACHED' : 'COMPLETED_SUCCESSFULLY';
}

const isJobKilledAtEstimate = (workload: Workload, job: number) => workload.killed?.[job] === 1;

/** Execution sites, numbered from 1, and the number of processors on each, in the order of allocation. */
function formatExecutionSites(
  { site, held, parts }: SimulatedJobs['schedule'],
  job: number,
): [string, string] {
  const firstPart = parts?.firstPart[job] ?? -1;
  if (site[job]! < 0) return ['-1', '0'];
  if (parts === undefined || firstPart < 0) return [`${site[job]! + 1}`, `${held[job]}`];
  const sites: number[] = [];
  const shares: number[] = [];
  for (let pairIndex = firstPart, remainingProcessors = held[job]!; remainingProcessors > 0; pairIndex++) {
    sites.push(parts.pairs[2 * pairIndex]! + 1);
    shares.push(parts.pairs[2 * pairIndex + 1]!);
    remainingProcessors -= parts.pairs[2 * pairIndex + 1]!;
  }
  return [sites.join(' '), shares.join(' ')];
}

/** Function that returns a field of the log as a column of jobs; all -1 for jobs that are not from a log. */
const makeLogFieldReader =
  (logField: SwfField) =>
  ({ workload }: SimulatedJobs): JobValueSource =>
    workload.log?.[logField] ?? (() => -1);

const logFieldColumnAtSubmit =
  (logField: 'user' | 'group' | 'queue') =>
  ({ log, count: jobCount }: UnsimulatedJobs) =>
    log?.[logField] ?? new Float64Array(jobCount).fill(-1);

/** Column of jobs.csv with the names of a field's numbers, present if the log names any number. */
const makeNameColumn = <Field extends 'user' | 'group' | 'queue' | 'partition'>(namedField: Field) =>
  ({
    csv: `${namedField}_name` as const,
    isWritten: ({ workload: { log, names: namesByKind } }: SimulatedJobs) =>
      log !== undefined && (namesByKind?.[namedField].size ?? 0) > 0,
    makeCells:
      ({ workload: { log, names: namesByKind } }: SimulatedJobs) =>
      (job: number) =>
        formatCsvField(namesByKind?.[namedField].get(log?.[namedField][job] ?? -1) ?? ''),
  }) satisfies JobAttribute;

/** Names of jobs as fields of a CSV file. */
export function formatJobNamesForCsv(workload: Workload): string[] {
  return makeUniqueJobNames(workload).map((name) => (/[^\w#+[\]-]/.test(name) ? formatCsvField(name) : name));
}

/** Parses the first number of a cell that contains several. */
const parseFirstNumber = (cellText: string) => firstElement(cellText.split(' ').map(parseCsvNumber));
/** Adds the numbers of a cell. */
const parseNumberSum = (cellText: string) =>
  cellText
    .split(' ')
    .map(parseCsvNumber)
    .reduce((sum, each) => sum + each);

/** All attributes in the order of the columns of jobs.csv, of which the first 17 are Batsim's. */
const ATTRIBUTE_TABLE = [
  {
    name: 'number',
    rank: 1,
    csv: 'job_id',
    readSimulated: ({ workload }) => workload.job,
    makeCells: ({ workload }) => {
      const csvJobNames = formatJobNamesForCsv(workload);
      return (job) => csvJobNames[job]!;
    },
    parse: Number.parseFloat,
    isOptional: true,
    readRecorded: ({ job }) => job,
    computeAtSubmit: ({ job }) => job,
  },
  {
    csv: 'workload_name',
    makeCells:
      ({ workload: { name: workloadName } }) =>
      () =>
        workloadName,
  },
  { csv: 'profile', unit: 's', makeCells: ({ workload }) => workload.runtime },
  {
    name: 'submit',
    rank: 2,
    csv: 'submission_time',
    unit: 's',
    readSimulated: ({ schedule }) => schedule.submit,
    readRecorded: ({ submit }) => submit,
    computeAtSubmit: ({ submit }) => submit,
  },
  {
    name: 'firstSubmit',
    rank: 2.5,
    unit: 's',
    computeAtSubmit: ({ submit, count: jobCount, firstSubmit = submit[0]! }) =>
      new Float64Array(jobCount).fill(firstSubmit),
  },
  {
    name: 'processors',
    rank: 9,
    csv: 'requested_number_of_resources',
    isCount: true,
    readSimulated: ({ workload }) => workload.processors,
    readRecorded: (columns) => (job) => processorsOfLogRecord(columns, job),
    computeAtSubmit: ({ processors }) => processors,
  },
  {
    name: 'estimate',
    rank: 11,
    csv: 'requested_time',
    unit: 's',
    readSimulated: ({ workload: { estimate, home }, configuration: { load } }) =>
      load.every((factor) => factor === 1) ? estimate : (job) => estimate[job]! * load[home[job]!]!,
    readRecorded: ({ requestedTime }) => requestedTime,
    computeAtSubmit: ({ estimate, home }, load) =>
      Float64Array.from(estimate, (seconds, i) => seconds * load[home[i]!]!),
  },
  {
    csv: 'success',
    isCount: true,
    makeCells: (simulatedJobs) => {
      const readFinalState = makeFinalStateReader(simulatedJobs);
      return (job) => Number(readFinalState(job) === 'COMPLETED_SUCCESSFULLY');
    },
  },
  {
    csv: 'final_state',
    makeCells: makeFinalStateReader,
  },
  {
    name: 'start',
    rank: 3,
    csv: 'starting_time',
    unit: 's',
    readSimulated: ({ schedule }) => schedule.start,
    readRecorded:
      ({ submit, wait }) =>
      (job) =>
        wait[job]! >= 0 ? submit[job]! + wait[job]! : -1,
  },
  {
    name: 'runtime',
    rank: 6,
    csv: 'execution_time',
    unit: 's',
    readSimulated: ({ schedule }) => schedule.execution,
    readRecorded: ({ runtime }) => runtime,
  },
  {
    name: 'end',
    rank: 4,
    csv: 'finish_time',
    unit: 's',
    readSimulated:
      ({ schedule: { start, execution } }) =>
      (job) =>
        start[job]! + execution[job]!,
    readRecorded:
      ({ submit, wait, runtime }) =>
      (job) =>
        wait[job]! >= 0 && runtime[job]! >= 0 ? submit[job]! + wait[job]! + runtime[job]! : -1,
  },
  {
    name: 'wait',
    rank: 5,
    csv: 'waiting_time',
    unit: 's',
    readSimulated:
      ({ schedule: { submit, start } }) =>
      (job) =>
        start[job]! - submit[job]!,
    readRecorded: ({ wait }) => wait,
  },
  {
    name: 'response',
    rank: 7,
    csv: 'turnaround_time',
    unit: 's',
    quantity: 'response',
    makeCells:
      ({ schedule: { submit, start, execution } }) =>
      (job) =>
        start[job]! + execution[job]! - submit[job]!,
  },
  { name: 'boundedSlowdown', rank: 8, quantity: 'boundedSlowdown' },
  {
    csv: 'stretch',
    makeCells:
      ({ schedule: { submit, start, execution } }) =>
      (job) =>
        execution[job]! > 0 ? (start[job]! - submit[job]! + execution[job]!) / execution[job]! : 1,
  },
  {
    csv: 'allocated_resources',
    makeCells:
      ({ schedule: { held: heldProcessors }, processorSets }) =>
      (job) =>
        processorSets === undefined
          ? ''
          : formatIntervalSet(processorSets.pairs, processorSets.firstPair[job]!, heldProcessors[job]!),
  },
  { csv: 'consumed_energy', makeCells: () => () => -1 },
  { csv: 'metadata', makeCells: () => () => '' },
  {
    name: 'home',
    rank: 12,
    csv: 'home_site',
    isCount: true,
    readSimulated: ({ workload }) => workload.home,
    makeCells:
      ({ workload: { home } }) =>
      (job) =>
        home[job]! + 1,
    computeAtSubmit: ({ home }) => Float64Array.from(home, (site) => site + 1),
  },
  {
    name: 'site',
    rank: 13,
    csv: 'execution_sites',
    readSimulated: ({ schedule }) => schedule.site,
    makeCells:
      ({ schedule }) =>
      (job) =>
        formatExecutionSites(schedule, job)[0],
    parse: parseFirstNumber,
  },
  {
    name: 'held',
    rank: 10,
    csv: 'allocated_processors',
    readSimulated: ({ schedule }) => schedule.held,
    makeCells:
      ({ schedule }) =>
      (job) =>
        formatExecutionSites(schedule, job)[1],
    parse: parseNumberSum,
    readRecorded: (columns) => (job) => processorsOfLogRecord(columns, job),
  },
  {
    name: 'user',
    rank: 14,
    csv: 'user',
    isCount: true,
    isNamed: true,
    isOptional: true,
    readSimulated: makeLogFieldReader('user'),
    readRecorded: ({ user }) => user,
    computeAtSubmit: logFieldColumnAtSubmit('user'),
  },
  {
    name: 'group',
    rank: 15,
    csv: 'group',
    isCount: true,
    isNamed: true,
    isOptional: true,
    readSimulated: makeLogFieldReader('group'),
    readRecorded: ({ group }) => group,
    computeAtSubmit: logFieldColumnAtSubmit('group'),
  },
  {
    name: 'queue',
    rank: 16,
    csv: 'queue',
    isCount: true,
    isNamed: true,
    isOptional: true,
    readSimulated: makeLogFieldReader('queue'),
    readRecorded: ({ queue }) => queue,
    computeAtSubmit: logFieldColumnAtSubmit('queue'),
  },
  {
    name: 'partition',
    rank: 17,
    isNamed: true,
    readSimulated: makeLogFieldReader('partition'),
    readRecorded: ({ partition }) => partition,
  },
  {
    name: 'status',
    rank: 18,
    csv: 'status',
    isCount: true,
    isOptional: true,
    readSimulated: makeLogFieldReader('status'),
    readRecorded: ({ status }) => status,
  },
  { csv: 'recorded_wait', unit: 's', makeCells: makeLogFieldReader('wait') },
  {
    csv: 'logged_submission_time',
    unit: 's',
    isWritten: ({ workload }) => workload.dependencies !== undefined,
    makeCells: ({ workload }) => workload.submit,
  },
  {
    csv: 'preceding_job',
    isCount: true,
    isWritten: ({ workload }) => workload.dependencies !== undefined,
    makeCells:
      ({ workload: { dependencies, job } }) =>
      (i) => {
        const preceding = dependencies?.preceding[i] ?? -1;
        return preceding < 0 ? -1 : job[preceding]!;
      },
  },
  {
    csv: 'promised_start',
    unit: 's',
    isWritten: ({ configuration }) => configuration.reservations === 'kept',
    makeCells: ({ schedule }) => schedule.promised ?? (() => -1),
  },
  {
    csv: 'estimate',
    unit: 's',
    makeCells: ({ workload, configuration: { load }, schedule: { estimate = workload.estimate } }) =>
      workload.unestimated ? () => -1 : (job) => estimate[job]! * load[workload.home[job]!]!,
  },
  makeNameColumn('user'),
  makeNameColumn('group'),
  makeNameColumn('queue'),
  makeNameColumn('partition'),
] as const satisfies readonly JobAttribute[];

type Attribute = (typeof ATTRIBUTE_TABLE)[number];

const JOB_ATTRIBUTES: readonly JobAttribute[] = ATTRIBUTE_TABLE;

/** Names of the attributes for which `isListed` is true, in the order for listings. */
function selectAttributeNames<Name extends string>(
  isListed: (attribute: JobAttribute) => boolean,
): readonly Name[] {
  return JOB_ATTRIBUTES.filter((jobAttribute) => jobAttribute.name !== undefined && isListed(jobAttribute))
    .toSorted((a, b) => a.rank! - b.rank!)
    .map(({ name: attributeName }) => attributeName as Name);
}

/** Attributes of simulated jobs, in the order of tables. */
export const ATTRIBUTE_NAMES = selectAttributeNames<JobAttributeName>(
  ({ readSimulated, quantity }) => readSimulated !== undefined || quantity !== undefined,
);

/** Attribute such as `user`, whose numbers may have names in the log. */
export type NamedAttribute = Extract<Attribute, { isNamed: true }>['name'];
/** Names of the attributes whose numbers may have names in the log. */
export const NAMED_ATTRIBUTES = selectAttributeNames<NamedAttribute>(({ isNamed }) => isNamed === true);

/** Name of an attribute that is known when a job is submitted. */
export type SubmittedAttribute = Extract<Attribute, { computeAtSubmit: unknown }>['name'];
/** Names of the attributes that the order of waiting jobs may use, since they are known at submission. */
export const SUBMITTED_ATTRIBUTES = selectAttributeNames<SubmittedAttribute>(
  ({ computeAtSubmit }) => computeAtSubmit !== undefined,
);

/**
 * Columns of values known when a job is submitted; sites are numbered from 1, and estimates are multiplied by
 * the load.
 */
export function columnsKnownAtSubmit(
  unsimulatedJobs: UnsimulatedJobs,
  load: readonly number[],
): Record<SubmittedAttribute, ArrayLike<number>> {
  const columns = JOB_ATTRIBUTES.flatMap(({ name: attributeName, computeAtSubmit }) =>
    computeAtSubmit ? [[attributeName, computeAtSubmit(unsimulatedJobs, load)]] : [],
  );
  return Object.fromEntries(columns) as Record<SubmittedAttribute, ArrayLike<number>>;
}

/** Columns of jobs as typed arrays, by attribute. */
export type JobAttributeColumns = Readonly<Record<JobAttributeName, Float64Array | Int32Array>>;

/**
 * Columns of all attributes of jobs: the values of `valuesOf` (-1 if undefined), and the quantities computed
 * from them. Existing columns are not copied.
 */
export function makeAttributeColumns(
  jobCount: number,
  valuesOf: (attribute: JobAttribute) => JobValueSource | undefined,
): JobAttributeColumns {
  const columnOf = (valueSource: JobValueSource | undefined) =>
    typeof valueSource === 'object'
      ? valueSource
      : Float64Array.from({ length: jobCount }, (_, job) => valueSource?.(job) ?? -1);
  const columns = Object.fromEntries(
    JOB_ATTRIBUTES.flatMap((row) => (row.name === undefined ? [] : [[row.name, columnOf(valuesOf(row))]])),
  ) as Record<JobAttributeName, Float64Array | Int32Array>;
  const { submit, start, runtime, wait } = columns;
  for (const { name: jobAttributeName, quantity } of JOB_ATTRIBUTES) {
    if (quantity === undefined) continue;
    columns[jobAttributeName as JobAttributeName] = Float64Array.from({ length: jobCount }, (_, job) =>
      wait[job]! >= 0 && runtime[job]! >= 0
        ? computeQuantityOfJob(quantity, submit[job]!, start[job]!, runtime[job]!)
        : -1,
    );
  }
  return Object.fromEntries(
    ATTRIBUTE_NAMES.map((attributeName) => [attributeName, columns[attributeName]]),
  ) as unknown as JobAttributeColumns;
}

/** Name of a column of jobs.csv. */
export type JobsFileColumn = Extract<Attribute, { csv: string }>['csv'];

type PermanentColumn = Exclude<Extract<Attribute, { csv: string }>, { isWritten: unknown }>['csv'];

/** Columns that every jobs.csv has: the first 17 are Batsim's, in its order. */
export const JOB_COLUMNS: readonly PermanentColumn[] = JOB_ATTRIBUTES.filter(
  ({ csv, isWritten }) => csv !== undefined && isWritten === undefined,
).map(({ csv }) => csv as PermanentColumn);

/** Column of jobs.csv with the cells of a simulation, by the index of the job. */
export interface JobsFileColumnCells extends Pick<JobAttribute, 'unit' | 'isCount'> {
  readonly name: JobsFileColumn;
  readonly formatCell: (job: number) => number | string;
}

/** Columns of jobs.csv of a simulation, with their cells. */
export function jobsFileColumnCells(simulation: SimulatedJobs): readonly JobsFileColumnCells[] {
  return JOB_ATTRIBUTES.flatMap(({ csv, makeCells, readSimulated, isWritten, unit, isCount }) => {
    const valueSource = csv === undefined ? undefined : (makeCells ?? readSimulated)?.(simulation);
    if (valueSource === undefined || !(isWritten?.(simulation) ?? true)) return [];
    const formatCell = typeof valueSource === 'function' ? valueSource : (job: number) => valueSource[job]!;
    return [{ name: csv as JobsFileColumn, formatCell, ...(unit && { unit }), ...(isCount && { isCount }) }];
  });
}

/** Attribute of jobs that is read back from jobs.csv, with its column. */
export interface SavedJobAttribute {
  readonly name: JobAttributeName;
  readonly column: JobsFileColumn;
  /** True if jobs.csv of earlier versions may lack the column. */
  readonly isOptional: boolean;
  /** Parses a cell; NaN if it contains no number. */
  readonly parse: (cellText: string) => number;
}

/** Attributes that are read back from jobs.csv; quantities are computed again. */
export const SAVED_ATTRIBUTES: readonly SavedJobAttribute[] = JOB_ATTRIBUTES.flatMap(
  ({ name: attributeName, csv, quantity, isOptional = false, parse = parseCsvNumber }) =>
    attributeName === undefined || csv === undefined || quantity !== undefined
      ? []
      : [{ name: attributeName as JobAttributeName, column: csv as JobsFileColumn, isOptional, parse }],
);

/** Column of jobs.csv with the names for the numbers of a field. */
export const nameColumnOfLogField = <Field extends NamedAttribute>(field: Field) => `${field}_name` as const;

/** Selects columns of jobs.csv by the names of their attributes. */
export function selectJobsFileColumns(...columnNames: readonly JobAttributeName[]): JobsFileColumn[] {
  return columnNames.map((name) => SAVED_ATTRIBUTES.find((saved) => saved.name === name)!.column);
}
