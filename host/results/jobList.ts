/** Searchable and sortable list of jobs of a finished simulation or a log. */
import { join } from 'node:path';
import { InputError } from '../errors.js';
import { escapeNonPrintingText } from '../format/text.js';
import {
  ATTRIBUTE_NAMES,
  type JobAttributeColumns,
  makeAttributeColumns,
  NAMED_ATTRIBUTES,
  type NamedAttribute,
  nameColumnOfLogField,
  SAVED_ATTRIBUTES,
} from '../jobs/attributes.js';
import { formatNameSuggestion } from '../notation.js';
import { type HasNameTest, parseExpression, type RowValueFunction } from '../options/expression.js';
import { nameOfLogNumber, type Trace } from '../trace/trace.js';
import { makeUniqueJobNames } from '../workload/workload.js';
import { readCsvRows, readStartDate } from './finishedJobs.js';

/** Jobs with their attributes, in file order. */
export interface JobList {
  /** Job names as in jobs.csv and `explain`. */
  readonly names: readonly string[];
  /** Attribute columns: times in seconds on the clock of the log, sites from 1, -1 for unknown. */
  readonly columns: JobAttributeColumns;
  /**
   * Returns the name of a job's user, group, queue or partition; its number if it has no name; empty if
   * unknown.
   */
  readonly labelOf: (column: NamedAttribute, job: number) => string;
  /** Start of the clock in seconds since 1970; absent if unknown. */
  readonly unixStartTime?: number;
}

/** Job list of a log, with recorded attributes. */
export function makeJobListOfLog({ columns: swfColumns, header, count: recordCount }: Trace): JobList {
  return {
    names: makeUniqueJobNames({ job: swfColumns.job, names: header.names }),
    columns: makeAttributeColumns(recordCount, ({ readRecorded }) => readRecorded?.(swfColumns)),
    labelOf: (column, i) =>
      swfColumns[column][i]! < 0 ? '' : nameOfLogNumber(header.names, column, swfColumns[column][i]!),
    ...(header.unixStartTime !== undefined && { unixStartTime: header.unixStartTime }),
  };
}

const REQUIRED_SAVED_ATTRIBUTES = SAVED_ATTRIBUTES.filter(({ isOptional }) => !isOptional);
const OPTIONAL_SAVED_ATTRIBUTES = SAVED_ATTRIBUTES.filter(({ isOptional }) => isOptional);
/** Attributes read back from jobs.csv, the required ones first; the cells of a row are in this order. */
const ALL_SAVED_ATTRIBUTES = [...REQUIRED_SAVED_ATTRIBUTES, ...OPTIONAL_SAVED_ATTRIBUTES];

/**
 * Job list of a folder written by `gridalloc simulate --out`.
 * @throws InputError if jobs.csv is missing or malformed.
 */
export async function readJobListOfFolder(folder: string): Promise<JobList> {
  const csvRows = await readCsvRows(
    join(folder, 'jobs.csv'),
    ['job_id', ...REQUIRED_SAVED_ATTRIBUTES.map(({ column: columnName }) => columnName)],
    ([name = '', ...cells]) => {
      const attributeValuesOfRow = ALL_SAVED_ATTRIBUTES.map(({ parse, isOptional }, i) => {
        const cellText = cells[i] ?? '';
        return isOptional && cellText === '' ? -1 : parse(cellText);
      });
      const areRequiredValuesFinite = attributeValuesOfRow
        .slice(0, REQUIRED_SAVED_ATTRIBUTES.length)
        .every(Number.isFinite);
      return areRequiredValuesFinite
        ? { name, numbers: attributeValuesOfRow, labels: cells.slice(ALL_SAVED_ATTRIBUTES.length) }
        : undefined;
    },
    'the times and processors of a job',
    [
      ...OPTIONAL_SAVED_ATTRIBUTES.map(({ column: columnName }) => columnName),
      ...NAMED_ATTRIBUTES.map(nameColumnOfLogField),
    ],
  );
  const unixStartTime = await readStartDate(folder);
  const findCellIndex = (attribute: string | undefined) =>
    ALL_SAVED_ATTRIBUTES.findIndex(({ name: attributeName }) => attributeName === attribute);
  const columns = makeAttributeColumns(csvRows.length, ({ name: attributeName }) => {
    const cellIndex = findCellIndex(attributeName);
    return cellIndex < 0 ? undefined : (job) => csvRows[job]!.numbers[cellIndex]!;
  });
  return {
    names: csvRows.map(({ name }) => name),
    columns,
    labelOf: (namedField, i) => {
      const attributeValue = csvRows[i]!.labels[NAMED_ATTRIBUTES.indexOf(namedField)] ?? '';
      return attributeValue !== '' || columns[namedField][i]! < 0
        ? attributeValue
        : String(columns[namedField][i]);
    },
    ...(unixStartTime !== undefined && { unixStartTime }),
  };
}

/** Search conditions and sort order. */
export interface JobSearch {
  /** Selected users, groups, queues and partitions, by name or number. */
  readonly labels: Readonly<Partial<Record<NamedAttribute, readonly string[]>>>;
  /** Condition on the columns, as an expression. */
  readonly where?: string | undefined;
  /** Sort expression; largest values first. */
  readonly sort: string;
}

/**
 * Function that returns a test whether a job has a given name or number in a column, such as the user; it
 * throws InputError for a name that no job has.
 */
function makeNameTest({ names, columns: listColumns, labelOf: listLabel }: JobList): HasNameTest {
  return (column, name) => {
    const hasJobThisName = (job: number) =>
      listLabel(column, job) === name || String(listColumns[column][job]) === name;
    if (names.some((_, job) => hasJobThisName(job))) return hasJobThisName;
    const knownNames = new Set(names.map((_, job) => listLabel(column, job)).filter((each) => each !== ''));
    if (knownNames.size === 0) throw new InputError(`the ${column} of no job is known here`);
    const areAllNumbersUnknown = listColumns[column].every((number) => number < 0);
    const numberRemark = areAllNumbersUnknown ? `, by name; its number is not known here` : '';
    throw new InputError(
      `no job is of the ${column} '${escapeNonPrintingText(name)}'${numberRemark}${formatNameSuggestion(name, [...knownNames])}`,
    );
  };
}

/**
 * Jobs that match a search, sorted; ties in list order.
 * @throws InputError for invalid expressions, and for a name that no job has.
 */
export function searchJobs(jobList: JobList, { labels, where, sort }: JobSearch): number[] {
  const { columns: listColumns } = jobList;
  const makeHasNameTest = makeNameTest(jobList);
  const parseRowExpression = (expressionText: string, errorContext: string): RowValueFunction =>
    parseExpression(expressionText, ATTRIBUTE_NAMES, errorContext, makeHasNameTest).valueAt;
  const evaluateCondition = where === undefined ? () => 1 : parseRowExpression(where, '--where');
  const keyOf = parseRowExpression(sort, '--sort');
  let matchingJobs = Array.from(jobList.names, (_, job) => job);
  for (const [column, labelTexts] of Object.entries(labels) as [NamedAttribute, readonly string[]][]) {
    const testsByName = labelTexts.map((name) => makeHasNameTest(column, name));
    matchingJobs = matchingJobs.filter((job) => testsByName.some((isNamedJob) => isNamedJob(job)));
  }
  const sortKeys = Float64Array.from(jobList.names, (_, job) => keyOf(listColumns, job));
  return matchingJobs
    .filter((job) => evaluateCondition(listColumns, job) !== 0)
    .sort((a, b) => sortKeys[b]! - sortKeys[a]! || a - b);
}
