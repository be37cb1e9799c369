/** Lists of notable jobs, sorted by decreasing value. */
import { formatDuration } from '../../host/format/numbers.js';
import type { FinishedRunData, SharedJobColumns } from './protocol.js';

/** Number of jobs in a list. */
const MAX_JOBS_PER_LIST = 15;

/** Criterion by which a list of jobs is sorted. */
export interface JobListKind {
  readonly name: string;
  /** True if the criterion compares two runs. */
  readonly comparesRuns: boolean;
  readonly value: (
    job: number,
    jobs: SharedJobColumns,
    run: FinishedRunData,
    otherRun: FinishedRunData,
  ) => number;
  /** Formats the value that is shown beside a job. */
  readonly text?: (value: number) => string;
  /** Text of an empty list. */
  readonly emptyText: string;
}

export const JOB_LISTS: readonly JobListKind[] = [
  {
    name: 'longest waits',
    comparesRuns: false,
    value: (job, { submit }, { start }) => start[job] - submit[job],
    text: (wait) => formatDuration(wait),
    emptyText: 'No job waited.',
  },
  {
    name: 'most delayed',
    comparesRuns: true,
    value: (job, _, { start }, otherRun) => start[job] - otherRun.start[job],
    text: (later) => `${formatDuration(later)} later`,
    emptyText: 'No job starts later.',
  },
  {
    name: 'most helped',
    comparesRuns: true,
    value: (job, _, { start }, otherRun) => otherRun.start[job] - start[job],
    text: (earlier) => `${formatDuration(earlier)} earlier`,
    emptyText: 'No job starts earlier.',
  },
  {
    name: 'most processors',
    comparesRuns: false,
    value: (job, _, { held: heldProcessors }) => heldProcessors[job],
    emptyText: 'There is no job.',
  },
];

/**
 * Returns the first jobs of a list, optionally only those submitted in a span.
 * @returns only jobs whose value is above 0.
 */
export function firstJobsOfList(
  { value }: JobListKind,
  jobs: SharedJobColumns,
  run: FinishedRunData,
  otherRun: FinishedRunData,
  span?: readonly [number, number],
): { readonly job: number; readonly value: number }[] {
  const topJobs: { job: number; value: number }[] = [];
  const [from, to] = span ?? [-Infinity, Infinity];
  for (let job = 0; job < jobs.count; job++) {
    if (jobs.submit[job] < from || jobs.submit[job] > to) continue;
    const jobValue = value(job, jobs, run, otherRun);
    if (
      jobValue <= 0 ||
      (topJobs.length === MAX_JOBS_PER_LIST && jobValue <= topJobs[MAX_JOBS_PER_LIST - 1].value)
    )
      continue;
    const insertPosition = topJobs.findIndex((topJob) => topJob.value < jobValue);
    topJobs.splice(insertPosition < 0 ? topJobs.length : insertPosition, 0, { job, value: jobValue });
    topJobs.length = Math.min(topJobs.length, MAX_JOBS_PER_LIST);
  }
  return topJobs;
}
