/** Jobs of a list for people, spreadsheets and programs. */
import { formatDuration, formatNumber } from '../format/numbers.js';
import { LABELLED, type Labelled } from '../options/expression.js';
import { csvValue } from '../results/csv.js';
import type { JobList } from '../results/jobList.js';
import { LIST_COLUMNS } from '../results/simulatedJobs.js';
import { clockText } from './explanationRules.js';
import { type Colors, formatTable } from './tableText.js';

/** Fields that say anything of any of the jobs; a queue that is called like the partition says nothing more. */
function told({ label }: JobList, jobs: readonly number[]): Labelled[] {
  const isTold = (column: Labelled) =>
    column === 'queue'
      ? jobs.some((job) => label(column, job) !== label('partition', job))
      : jobs.some((job) => label(column, job) !== '');
  return LABELLED.filter(isTold);
}

/** Characters of a name that the table shows. */
const LONGEST_NAME = 12;

/**
 * A table of at most 80 columns: who, how wide, when, how long.
 * @param asked fields that are shown in any case, and what they are called.
 */
export function jobListText(
  list: JobList,
  jobs: readonly number[],
  asked: Readonly<Partial<Record<Labelled, string>>>,
  colors: Colors,
): string {
  const { submit, wait, runtime, processors, boundedSlowdown } = list.columns;
  // More than two do not fit beside the numbers.
  const first = LABELLED.filter((column) => Object.hasOwn(asked, column));
  const labels = [...new Set([...first, ...told(list, jobs)])].slice(0, Math.max(2, first.length));
  const duration = (seconds: number) => (seconds < 0 ? '-' : formatDuration(seconds));
  const rows = jobs.map((job) => [
    list.names[job]!,
    ...labels.map((column) => list.label(column, job).slice(0, LONGEST_NAME)),
    formatNumber(processors[job]!),
    clockText(submit[job]!),
    duration(wait[job]!),
    duration(runtime[job]!),
    boundedSlowdown[job]! < 0 ? '-' : formatNumber(boundedSlowdown[job]!, 1),
  ]);
  const names = ['job', ...labels.map((column) => asked[column] ?? column)].map((heading) => ({
    heading,
    align: 'left' as const,
  }));
  const numbers = ['processors', 'submit [s]', 'wait', 'runtime', 'slowdown'].map((heading) => ({ heading }));
  return formatTable([...names, ...numbers], rows, colors);
}

/** The lines of a CSV file: names where there are any, and all columns. */
export function jobListCsv(list: JobList, jobs: readonly number[]): string {
  const columns = LIST_COLUMNS.filter((column) => !LABELLED.includes(column as Labelled));
  const lines = jobs.map((job) => [
    csvValue(list.names[job]!),
    ...LABELLED.map((column) => csvValue(list.label(column, job))),
    ...columns.map((column) => list.columns[column][job]),
  ]);
  return [['job', ...LABELLED, ...columns], ...lines].map((fields) => fields.join(',')).join('\n');
}

/** The same for programs; what is unknown is not there. */
export function jobListDocument(list: JobList, jobs: readonly number[]): object[] {
  return jobs.map((job) => {
    const numbers = LIST_COLUMNS.filter((column) => !LABELLED.includes(column as Labelled)).map(
      (column) => [column, list.columns[column][job]] as const,
    );
    const labels = LABELLED.map((column) => [column, list.label(column, job)] as const);
    const known = [...labels, ...numbers].filter(([, value]) => value !== '' && value !== -1);
    return { job: list.names[job], ...Object.fromEntries(known) };
  });
}
