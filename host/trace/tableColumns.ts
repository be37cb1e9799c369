/**
 * Assigns the columns of a table to fields of jobs: by an option, by a known public table, or by the column
 * names.
 */
import { InputError } from '../errors.js';
import { quoteLogText } from '../format/text.js';
import { SWF_FIELDS } from './trace.js';

/** Fields that a column may contain: those of SWF, and times from which wait and runtime are computed. */
const TABLE_COLUMN_FIELDS = [...SWF_FIELDS, 'eligible', 'start', 'end'] as const;
/** Name of a field that a column of a table may contain. */
export type TableColumnField = (typeof TABLE_COLUMN_FIELDS)[number];

/** A column of a table, and the field of a job that it contains. */
export interface TableFieldColumn {
  readonly field: TableColumnField;
  /** Name of the column in the header of the table. */
  readonly column: string;
  /** Factor applied to the values of the column, such as 60 for minutes. */
  readonly factor: number;
  /** True if the known table may lack the column. */
  readonly isOptional: boolean;
}

/** Column names of a public data set. */
export interface PublicTableFormat {
  readonly name: string;
  /** Address of the description of the columns. */
  readonly source: string;
  /**
   * Columns in the notation of the option `columns`. A table is recognized if it has all of them, except
   * those marked with `?`.
   */
  readonly columns: string;
}

/** Public tables, with columns as documented by their sources. */
export const PUBLIC_TABLE_FORMATS: readonly PublicTableFormat[] = [
  {
    name: 'PM100',
    source: 'github.com/francescoantici/PM100-data, documentation/job_features.md',
    columns:
      'job=job_id,submit=submit_time,eligible=eligible_time,start=start_time,end=end_time,runtime=run_time,' +
      'processors=num_cores_alloc,requestedProcessors=num_cores_req,requestedTime=time_limit*60,' +
      'status=job_state,user=user_id,group=group_id,queue=partition',
  },
  {
    name: 'Helios',
    source: 'github.com/S-Lab-System-Group/HeliosData, README.md; processors are GPUs',
    columns:
      'job=job_id,submit=submit_time,start=start_time,end=end_time,runtime=duration,processors=gpu_num,' +
      'status=state,user=user,group=vc',
  },
  {
    name: 'F-DATA',
    source: 'Fugaku, doi.org/10.5281/zenodo.11467483; columns as programs that read it have them',
    columns:
      'job=jid,submit=adt,start=sdt,end=edt,runtime=duration,processors=cnumat,requestedProcessors=cnumr,' +
      'requestedTime=elpl,status=exit state,user=usr,executable=jnam',
  },
  {
    name: 'ALCF DIM_JOB_COMPOSITE',
    source: 'reports.alcf.anl.gov/data; columns as programs that read it have them; processors are nodes',
    columns:
      'job=COBALT_JOBID,submit=QUEUED_TIMESTAMP,start=START_TIMESTAMP,end=END_TIMESTAMP,runtime=RUNTIME_SECONDS,' +
      'processors=NODES_USED,requestedTime=WALLTIME_SECONDS,user=USERNAME_GENID?,queue=QUEUE_NAME?',
  },
  {
    name: 'Eagle',
    source: 'github.com/NREL/eagle-jobs, data/sample_eagle_data.csv',
    columns:
      'job=job_id,submit=submit_time,start=start_time,end=end_time,runtime=run_time,processors=processors_req,' +
      'requestedTime=wallclock_req,status=state,user=user,group=account,queue=partition,executable=name?',
  },
  {
    name: 'Batsim',
    source: 'batsim.readthedocs.io, output-jobs',
    columns:
      'job=job_id,submit=submission_time,start=starting_time,end=finish_time,runtime=execution_time,' +
      'requestedProcessors=requested_number_of_resources,requestedTime=requested_time,status=success?',
  },
];

/** Common names of columns, without capitals and punctuation; the first that a table contains is used. */
const COMMON_COLUMN_NAMES: Readonly<Partial<Record<TableColumnField, readonly string[]>>> = {
  job: ['jobid', 'job', 'jid', 'id', 'jobnumber', 'cobaltjobid'],
  submit: [
    ...['submit', 'submittime', 'submitted', 'submittedtime', 'submissiontime', 'queued', 'queuedtimestamp'],
    ...['queuedtime', 'qtime', 'arrival', 'arrivaltime', 'created', 'createdat', 'adt'],
  ],
  eligible: ['eligible', 'eligibletime'],
  start: [
    'start',
    'starttime',
    'starttimestamp',
    'started',
    'startedat',
    'startingtime',
    'begin',
    'began',
    'begun',
    'begintime',
  ],
  end: ['end', 'endtime', 'endtimestamp', 'ended', 'finish', 'finishtime', 'finished', 'completiontime'],
  wait: ['wait', 'waittime', 'waitingtime', 'queuedwaitseconds'],
  runtime: [
    'runtime',
    'duration',
    'elapsed',
    'elapsedtime',
    'runtimeseconds',
    'seconds',
    'durationseconds',
    'elapsedseconds',
    'executiontime',
    'wallclockused',
  ],
  processors: [
    ...['processors', 'allocatedprocessors', 'alloccpus', 'numcoresalloc', 'coresused', 'ncpus', 'numcpus'],
    ...[
      'cpus',
      'cores',
      'numcores',
      'procs',
      'nproc',
      'slots',
      'gpunum',
      'numgpus',
      'gpus',
      'nodesused',
      'nodes',
    ],
  ],
  requestedProcessors: ['requestedprocessors', 'reqcpus', 'numcoresreq', 'coresrequested', 'processorsreq'],
  requestedTime: ['requestedtime', 'timelimit', 'walltime', 'walltimeseconds', 'wallclockreq', 'limit'],
  status: ['status', 'state', 'jobstate', 'exitstate'],
  user: ['user', 'userid', 'username', 'usr', 'owner'],
  group: ['account', 'group', 'groupid', 'project', 'vc'],
  queue: ['queue', 'queuename', 'partition'],
};

/** Groups of fields: a table must have at least one field of each group. */
const REQUIRED_TABLE_FIELDS: readonly (readonly TableColumnField[])[] = [
  ['submit'],
  ['runtime', 'end'],
  ['processors', 'requestedProcessors'],
];

/** Simplifies a column name by removing capitals and punctuation: `Submit Time` becomes `submittime`. */
const simplifyColumnName = (columnName: string) => columnName.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/**
 * Words that are removed from column names before they are matched, since they tell no field: `t_submit`
 * becomes `submit`, `n_procs` becomes `procs`.
 */
const REMOVABLE_COLUMN_NAME_WORDS = new Set(
  'job t ts time timestamp date datetime at epoch unix utc s sec secs seconds n num nr number of'.split(' '),
);

/**
 * Removes `REMOVABLE_COLUMN_NAME_WORDS`, capitals and punctuation from a column name: `t_submit` and
 * `submitTs` become `submit`.
 */
function removeCommonNameWords(columnName: string): string {
  const wordsOfName = columnName
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return wordsOfName.filter((word) => !REMOVABLE_COLUMN_NAME_WORDS.has(word)).join('');
}

/** Pattern of an assignment, such as `runtime=minutes*60` or `user="Owner, full name"`. */
const COLUMN_ASSIGNMENT_PATTERN =
  /^\s*(\w+)\s*=\s*(?:("(?:[^"]|"")*")|(.+?))\s*(?:\*\s*(-?\d+(?:\.\d+)?)\s*)?$/;

/** Fields that hold names or states, to which no factor can be applied. */
const UNSCALABLE_COLUMN_FIELDS: readonly TableColumnField[] = [
  'job',
  'status',
  'user',
  'group',
  'executable',
  'queue',
  'partition',
];

/**
 * Parses the option `columns`, such as `submit=queued,runtime=minutes*60`.
 * @throws InputError for a field that does not exist or occurs twice.
 */
function parseColumnsOption(columnsText: string, errorContext: string): TableFieldColumn[] {
  if (typeof columnsText !== 'string')
    throw new InputError(`${errorContext}: expected a text such as submit=queued,runtime=duration`);
  const fieldColumns = (columnsText.match(/(?:"(?:[^"]|"")*"|[^",]|"(?!.*"))+/g) ?? ['']).map(
    (part): TableFieldColumn => {
      const [, word = '', quoted, name = '', factor = '1'] = COLUMN_ASSIGNMENT_PATTERN.exec(part) ?? [];
      const columnField = TABLE_COLUMN_FIELDS.find(
        (knownField) => knownField.toLowerCase() === word.toLowerCase(),
      );
      const columnName = quoted?.slice(1, -1).replaceAll('""', '"') ?? name;
      if (columnField === undefined || columnName === '') {
        throw new InputError(
          `${errorContext}: found ${quoteLogText(part)}, expected WHAT=COLUMN, where WHAT is one of ${TABLE_COLUMN_FIELDS.join(', ')}; put a name with a comma or * in double quotes`,
        );
      }
      if (factor !== '1' && (!(Number(factor) > 0) || UNSCALABLE_COLUMN_FIELDS.includes(columnField)))
        throw new InputError(
          `${errorContext}: found ${quoteLogText(part)}; only times, durations and counts have a factor, a positive number such as *60`,
        );
      return { field: columnField, column: columnName, factor: Number(factor), isOptional: false };
    },
  );
  const repeatedColumn = fieldColumns.find(
    ({ field }, i) => fieldColumns.findIndex((fieldColumn) => fieldColumn.field === field) !== i,
  );
  if (repeatedColumn !== undefined)
    throw new InputError(`${errorContext}: ${repeatedColumn.field} is there twice; give it one column`);
  return fieldColumns;
}

/**
 * Checks the option `columns`.
 * @throws InputError for a field that does not exist or occurs twice.
 */
export function checkColumnsOption(columnsText: string, errorContext: string): string {
  parseColumnsOption(columnsText, errorContext);
  return columnsText;
}

/** Assignment of the used columns of a table, or the error in its header. */
export type TableColumnLayout =
  | { readonly columns: readonly TableFieldColumn[] }
  | { readonly expected: string; readonly guess: string };

/**
 * Assigns the columns of a table to fields.
 * @param columnNames column names in the first line.
 * @param option value of the option `columns`.
 */
export function chooseTableLayout(
  columnNames: readonly string[],
  option: string | undefined,
): TableColumnLayout {
  if (option !== undefined) {
    const requestedColumns = parseColumnsOption(option, 'columns');
    const expectedColumnTexts = requestedColumns.flatMap(({ column }) => {
      const matchCount = columnNames.filter(
        (columnName) => columnName.toLowerCase() === column.toLowerCase(),
      ).length;
      if (matchCount === 0) return [`a column ${quoteLogText(column)}`];
      const isColumnAmbiguous =
        matchCount > 1 && columnNames.filter((columnName) => columnName === column).length !== 1;
      return isColumnAmbiguous ? [`one column ${quoteLogText(column)} instead of ${matchCount}`] : [];
    });
    if (expectedColumnTexts.length === 0)
      expectedColumnTexts.push(...describeMissingTableFields(requestedColumns.map(({ field }) => field)));
    return expectedColumnTexts.length === 0
      ? { columns: requestedColumns }
      : { expected: expectedColumnTexts.join(', '), guess: suggestColumnsOption(columnNames) };
  }
  const publicTableColumns = PUBLIC_TABLE_FORMATS.map(parsePublicTableColumns).find((columns) =>
    columns.every(
      ({ column: columnName, isOptional }) => isOptional || findColumnIndex(columnNames, columnName) >= 0,
    ),
  );
  if (publicTableColumns !== undefined)
    return {
      columns: publicTableColumns.filter(
        ({ column: columnName }) => findColumnIndex(columnNames, columnName) >= 0,
      ),
    };
  return {
    expected: 'the columns of a table that is known, or --columns',
    guess: suggestColumnsOption(columnNames),
  };
}

/** Parses the columns of a public table; a `?` marks those that may be missing. */
function parsePublicTableColumns({ columns: columnsOption }: PublicTableFormat): TableFieldColumn[] {
  return parseColumnsOption(columnsOption, 'columns').map((fieldColumn) =>
    fieldColumn.column.endsWith('?')
      ? { ...fieldColumn, column: fieldColumn.column.slice(0, -1), isOptional: true }
      : fieldColumn,
  );
}

/** Index of the column with a name, ignoring case; -1 if there is none. */
export function findColumnIndex(columnNames: readonly string[], column: string): number {
  const indexOfExactName = columnNames.indexOf(column);
  return indexOfExactName >= 0
    ? indexOfExactName
    : columnNames.findIndex((columnName) => columnName.toLowerCase() === column.toLowerCase());
}

/** Describes the missing required fields of a table. */
function describeMissingTableFields(presentFields: readonly TableColumnField[]): string[] {
  const missingFieldGroups = REQUIRED_TABLE_FIELDS.filter(
    (alternativeFields) => !alternativeFields.some((field) => presentFields.includes(field)),
  );
  const hasEndWithoutStart =
    !presentFields.includes('runtime') &&
    presentFields.includes('end') &&
    !presentFields.includes('start') &&
    !presentFields.includes('wait');
  const missingDescriptions = missingFieldGroups.map((alternativeFields) =>
    alternativeFields.join(' or ').replace('runtime or end', 'runtime, or start and end'),
  );
  return [...missingDescriptions, ...(hasEndWithoutStart ? ['start beside end'] : [])];
}

/**
 * Suggests a value of the option `columns` from the column names, with COLUMN for required columns that could
 * not be guessed.
 */
function suggestColumnsOption(columnNames: readonly string[]): string {
  const matchingColumns = TABLE_COLUMN_FIELDS.flatMap((field) => {
    const commonNames = COMMON_COLUMN_NAMES[field] ?? [];
    const columnIndexes = [simplifyColumnName, removeCommonNameWords].flatMap((simplifyName) => {
      const simplifiedNames = columnNames.map(simplifyName);
      return commonNames.map((columnName) => simplifiedNames.indexOf(columnName));
    });
    const firstColumnName = columnNames[columnIndexes.find((columnIndex) => columnIndex >= 0) ?? -1];
    return firstColumnName === undefined ? [] : [{ field, column: quoteColumnName(firstColumnName) }];
  });
  const columnFields = matchingColumns.map(({ field }) => field);
  const missingFields = REQUIRED_TABLE_FIELDS.filter(
    (alternativeFields) => !alternativeFields.some((field) => columnFields.includes(field)),
  ).map(([firstField]) => firstField);
  if (describeMissingTableFields(columnFields).includes('start beside end')) missingFields.push('start');
  return [
    ...matchingColumns.map(({ field, column }) => `${field}=${column}`),
    ...missingFields.map((field) => `${field}=COLUMN`),
  ].join(',');
}

/** Quotes a column name for the option `columns` if it contains special characters. */
function quoteColumnName(columnName: string): string {
  return /[",*=]|^\s|\s$/.test(columnName) ? `"${columnName.replaceAll('"', '""')}"` : columnName;
}
