/** Lists of jobs that are worth looking at, greatest first. */
import { formatDuration } from '../../host/format/numbers.js';
import type { JobColumns, RunData } from './protocol.js';

/** Jobs of a list. */
const LISTED = 15;

/** By what jobs are listed. */
export interface ListKind {
  readonly name: string;
  /** Whether it takes a second run. */
  readonly isCompared: boolean;
  readonly value: (job: number, jobs: JobColumns, run: RunData, other: RunData) => number;
  /** What is said of a job in addition to its processors. */
  readonly text?: (value: number) => string;
  /** The text where it has no job. */
  readonly none: string;
}

/** All lists. */
export const LISTS: readonly ListKind[] = [
  {
    name: 'longest waits',
    isCompared: false,
    value: (job, { submit }, { start }) => start[job] - submit[job],
    text: (wait) => formatDuration(wait),
    none: 'No job waited.',
  },
  {
    name: 'most delayed',
    isCompared: true,
    value: (job, _, { start }, other) => start[job] - other.start[job],
    text: (later) => `${formatDuration(later)} later`,
    none: 'No job starts later.',
  },
  {
    name: 'most helped',
    isCompared: true,
    value: (job, _, { start }, other) => other.start[job] - start[job],
    text: (earlier) => `${formatDuration(earlier)} earlier`,
    none: 'No job starts earlier.',
  },
  {
    name: 'most processors',
    isCompared: false,
    value: (job, _, { held }) => held[job],
    none: 'There is no job.',
  },
];

/**
 * The first jobs of a list, of those submitted in a span where one is given.
 * @returns only jobs whose value is above 0.
 */
export function listed(
  { value }: ListKind,
  jobs: JobColumns,
  run: RunData,
  other: RunData,
  span?: readonly [number, number],
): { readonly job: number; readonly value: number }[] {
  const found: { job: number; value: number }[] = [];
  const [from, to] = span ?? [-Infinity, Infinity];
  for (let job = 0; job < jobs.count; job++) {
    if (jobs.submit[job] < from || jobs.submit[job] > to) continue;
    const own = value(job, jobs, run, other);
    if (own <= 0 || (found.length === LISTED && own <= found[LISTED - 1].value)) continue;
    const place = found.findIndex((each) => each.value < own);
    found.splice(place < 0 ? found.length : place, 0, { job, value: own });
    found.length = Math.min(found.length, LISTED);
  }
  return found;
}
