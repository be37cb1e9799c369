/** The jobs of a finished simulation or of a log as a list that can be searched and sorted. */
import { join } from 'node:path';
import { InputError } from '../errors.js';
import { escapeText } from '../format/text.js';
import { firstOf } from '../lists.js';
import { suggestion } from '../notation.js';
import { LABELLED, type Labelled, type NameTest, parseExpression, type RowValue } from '../options/order.js';
import { recordProcessors } from '../trace/columns.js';
import { nameOf, type Trace } from '../trace/trace.js';
import { jobNames } from '../workload/workload.js';
import { parseField } from './csv.js';
import { readRows, startDateOf } from './finishedJobs.js';
import { LIST_COLUMNS, type ListColumn, withQuantities } from './simulatedJobs.js';

/** Jobs in the order of their file. */
export interface JobList {
  /** As jobs.csv and `explain` call them. */
  readonly names: readonly string[];
  /** Times are seconds on the clock of the log, sites are numbered from 1, and -1 is unknown. */
  readonly columns: Readonly<Record<ListColumn, Float64Array | Int32Array>>;
  /** What a job's user, group, queue or partition is called; its number where it has no name; empty where it is unknown. */
  readonly label: (column: Labelled, job: number) => string;
  /** The start of the clock in seconds since 1970; absent: unknown. */
  readonly unixStartTime?: number;
}

/** The jobs of a log: what it has recorded of them. */
export function loggedJobs({ columns, header, count }: Trace): JobList {
  const { job, submit, wait, runtime, requestedTime, user, group, queue, partition, status } = columns;
  const has = (i: number) => wait[i]! >= 0;
  const unknown = new Float64Array(count).fill(-1);
  const width = Float64Array.from({ length: count }, (_, i) => recordProcessors(columns, i));
  return {
    names: jobNames({ job, names: header.names }),
    columns: withQuantities({
      ...{ number: job, submit, wait, runtime, user, group, queue, partition, status },
      start: submit.map((time, i) => (has(i) ? time + wait[i]! : -1)),
      end: submit.map((time, i) => (has(i) && runtime[i]! >= 0 ? time + wait[i]! + runtime[i]! : -1)),
      ...{ processors: width, held: width, estimate: requestedTime, home: unknown, site: unknown },
    }),
    label: (column, i) => (columns[column][i]! < 0 ? '' : nameOf(header.names, column, columns[column][i]!)),
    ...(header.unixStartTime !== undefined && { unixStartTime: header.unixStartTime }),
  };
}

/** Columns of jobs.csv by those of a list, the ones that it may lack below. */
const NEEDED = {
  submit: 'submission_time',
  start: 'starting_time',
  end: 'finish_time',
  wait: 'waiting_time',
  runtime: 'execution_time',
  processors: 'requested_number_of_resources',
  estimate: 'requested_time',
  home: 'home_site',
  // For split jobs, all sites, and the processors on each.
  site: 'execution_sites',
  held: 'allocated_processors',
} as const;
const OPTIONAL = { user: 'user', group: 'group', queue: 'queue', status: 'status' } as const;
const LABELS = LABELLED.map((column) => `${column}_name`);

/** The number in a field; of several the first site, and all processors. */
function numberIn(column: string, text: string): number {
  const numbers = text.split(' ').map(parseField);
  return column === 'held' ? numbers.reduce((sum, each) => sum + each) : firstOf(numbers);
}

/**
 * The jobs of a folder that `gridalloc simulate --out` has written: what was simulated.
 * @throws InputError where there is no jobs.csv, or a spoilt one.
 */
export async function finishedJobs(folder: string): Promise<JobList> {
  const needed = Object.entries(NEEDED);
  const optional = Object.entries(OPTIONAL);
  const rows = await readRows(
    join(folder, 'jobs.csv'),
    ['job_id', ...needed.map(([, name]) => name)],
    ([name = '', ...fields]) => {
      const numbers = needed.map(([key], i) => numberIn(key, fields[i]!));
      const more = fields.slice(needed.length, needed.length + optional.length);
      if (!numbers.every(Number.isFinite)) return undefined;
      return {
        name,
        numbers: [...numbers, ...more.map((text) => (text === '' ? -1 : Number(text)))],
        fields,
      };
    },
    'the times and processors of a job',
    [...optional.map(([, name]) => name), ...LABELS],
  );
  const unixStartTime = await startDateOf(folder);
  const keys = [...needed, ...optional].map(([key]) => key);
  const column = (key: string) => Float64Array.from(rows, ({ numbers }) => numbers[keys.indexOf(key)]!);
  const unknown = new Float64Array(rows.length).fill(-1);
  const columns = {
    ...(Object.fromEntries(keys.map((key) => [key, column(key)])) as Record<
      Exclude<ListColumn, 'number' | 'partition'>,
      Float64Array
    >),
    number: Float64Array.from(rows, ({ name }) => Number.parseFloat(name)),
    partition: unknown,
  };
  return {
    names: rows.map(({ name }) => name),
    columns: withQuantities(columns),
    label: (field, i) => {
      const name = rows[i]!.fields[keys.length + LABELLED.indexOf(field)] ?? '';
      return name !== '' || columns[field][i]! < 0 ? name : String(columns[field][i]);
    },
    ...(unixStartTime !== undefined && { unixStartTime }),
  };
}

/** Which jobs are wanted, and in which order. */
export interface JobSearch {
  /** The users, groups, queues and partitions that are meant, by name or number. */
  readonly labels: Readonly<Partial<Record<Labelled, readonly string[]>>>;
  /** A condition on the columns. */
  readonly where?: string | undefined;
  /** An expression of the columns, the greatest first. */
  readonly sort: string;
}

/** Whether a job of a list has a name, or a number, in a column. */
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
    parseExpression(text, LIST_COLUMNS, what, named).valueAt;
  const isFound = where === undefined ? () => 1 : expression(where, '--where');
  const keyOf = expression(sort, '--sort');
  let found = Array.from(list.names, (_, job) => job);
  for (const [column, asked] of Object.entries(labels) as [Labelled, readonly string[]][]) {
    const tests = asked.map((name) => named(column, name));
    found = found.filter((job) => tests.some((isMeant) => isMeant(job)));
  }
  const keys = Float64Array.from(list.names, (_, job) => keyOf(columns, job));
  return found.filter((job) => isFound(columns, job) !== 0).sort((a, b) => keys[b]! - keys[a]! || a - b);
}
