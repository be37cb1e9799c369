/** The jobs of a finished simulation or of a log as a list that can be searched and sorted. */
import { join } from 'node:path';
import { InputError } from '../errors.js';
import { escapeText } from '../format/text.js';
import {
  ATTRIBUTE_NAMES,
  type AttributeColumns,
  attributeColumns,
  NAMED_ATTRIBUTES,
  type NamedAttribute,
  nameColumnOf,
  SAVED_ATTRIBUTES,
} from '../jobs/attributes.js';
import { suggestion } from '../notation.js';
import { type NameTest, parseExpression, type RowValue } from '../options/order.js';
import { nameOf, type Trace } from '../trace/trace.js';
import { jobNames } from '../workload/workload.js';
import { readRows, startDateOf } from './finishedJobs.js';

/** Jobs in the order of their file. */
export interface JobList {
  /** Names of the jobs as in jobs.csv and `explain`. */
  readonly names: readonly string[];
  /** Times are seconds on the clock of the log, sites are numbered from 1, and -1 is unknown. */
  readonly columns: AttributeColumns;
  /** Name of a job's user, group, queue or partition; its number if it has no name; empty if unknown. */
  readonly label: (column: NamedAttribute, job: number) => string;
  /** The start of the clock in seconds since 1970; absent: unknown. */
  readonly unixStartTime?: number;
}

/** The jobs of a log: what it has recorded of them. */
export function loggedJobs({ columns, header, count }: Trace): JobList {
  return {
    names: jobNames({ job: columns.job, names: header.names }),
    columns: attributeColumns(count, ({ recorded }) => recorded?.(columns)),
    label: (column, i) => (columns[column][i]! < 0 ? '' : nameOf(header.names, column, columns[column][i]!)),
    ...(header.unixStartTime !== undefined && { unixStartTime: header.unixStartTime }),
  };
}

const REQUIRED = SAVED_ATTRIBUTES.filter(({ isOptional }) => !isOptional);
const OPTIONAL = SAVED_ATTRIBUTES.filter(({ isOptional }) => isOptional);
/** Attributes in the order in which the cells of a row are read. */
const READ = [...REQUIRED, ...OPTIONAL];

/**
 * The jobs of a folder that `gridalloc simulate --out` has written: what was simulated.
 * @throws InputError where there is no jobs.csv, or a spoilt one.
 */
export async function finishedJobs(folder: string): Promise<JobList> {
  const rows = await readRows(
    join(folder, 'jobs.csv'),
    ['job_id', ...REQUIRED.map(({ column }) => column)],
    ([name = '', ...cells]) => {
      const numbers = READ.map(({ parse, isOptional }, i) => {
        const cell = cells[i] ?? '';
        return isOptional && cell === '' ? -1 : parse(cell);
      });
      const areRequiredKnown = numbers.slice(0, REQUIRED.length).every(Number.isFinite);
      return areRequiredKnown ? { name, numbers, labels: cells.slice(READ.length) } : undefined;
    },
    'the times and processors of a job',
    [...OPTIONAL.map(({ column }) => column), ...NAMED_ATTRIBUTES.map(nameColumnOf)],
  );
  const unixStartTime = await startDateOf(folder);
  const placeOf = (attribute: string | undefined) => READ.findIndex(({ name }) => name === attribute);
  const columns = attributeColumns(rows.length, ({ name }) => {
    const place = placeOf(name);
    return place < 0 ? undefined : (job) => rows[job]!.numbers[place]!;
  });
  return {
    names: rows.map(({ name }) => name),
    columns,
    label: (field, i) => {
      const name = rows[i]!.labels[NAMED_ATTRIBUTES.indexOf(field)] ?? '';
      return name !== '' || columns[field][i]! < 0 ? name : String(columns[field][i]);
    },
    ...(unixStartTime !== undefined && { unixStartTime }),
  };
}

/** Conditions that select jobs, and their order. */
export interface JobSearch {
  /** The users, groups, queues and partitions that are meant, by name or number. */
  readonly labels: Readonly<Partial<Record<NamedAttribute, readonly string[]>>>;
  /** A condition on the columns. */
  readonly where?: string | undefined;
  /** An expression of the columns, the greatest first. */
  readonly sort: string;
}

/** True if a job of a list has a name, or a number, in a column. */
function nameTest({ names, columns, label }: JobList): NameTest {
  return (column, name) => {
    const isMeant = (job: number) => label(column, job) === name || String(columns[column][job]) === name;
    if (names.some((_, job) => isMeant(job))) return isMeant;
    const known = new Set(names.map((_, job) => label(column, job)).filter((each) => each !== ''));
    if (known.size === 0) throw new InputError(`the ${column} of no job is known here`);
    const isByName = columns[column].every((number) => number < 0);
    const why = isByName ? `, by name; its number is not known here` : '';
    throw new InputError(
      `no job is of the ${column} '${escapeText(name)}'${why}${suggestion(name, [...known])}`,
    );
  };
}

/**
 * The jobs that a search finds, in its order; of equal ones the first in the list comes first.
 * @throws InputError for expressions that cannot be read, and for a name that no job has.
 */
export function searchJobs(list: JobList, { labels, where, sort }: JobSearch): number[] {
  const { columns } = list;
  const named = nameTest(list);
  const expression = (text: string, what: string): RowValue =>
    parseExpression(text, ATTRIBUTE_NAMES, what, named).valueAt;
  const isFound = where === undefined ? () => 1 : expression(where, '--where');
  const keyOf = expression(sort, '--sort');
  let found = Array.from(list.names, (_, job) => job);
  for (const [column, labelTexts] of Object.entries(labels) as [NamedAttribute, readonly string[]][]) {
    const tests = labelTexts.map((name) => named(column, name));
    found = found.filter((job) => tests.some((isMeant) => isMeant(job)));
  }
  const keys = Float64Array.from(list.names, (_, job) => keyOf(columns, job));
  return found.filter((job) => isFound(columns, job) !== 0).sort((a, b) => keys[b]! - keys[a]! || a - b);
}
