/** Lists of notable jobs, sorted by decreasing value. */
import { formatDuration } from '../../host/format/numbers.js';
import type { FinishedRunData, SharedJobColumns } from './protocol.js';

/** Number of jobs in a list. */
const MAX_JOB_COUNT_PER_LIST = 15;

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
export function findFirstJobsOfList(
  { value }: JobListKind,
  jobs: SharedJobColumns,
  run: FinishedRunData,
  otherRun: FinishedRunData,
  span?: readonly [number, number],
): { readonly job: number; readonly value: number }[] {
  const highestValuedJobs: { job: number; value: number }[] = [];
  const [from, to] = span ?? [-Infinity, Infinity];
  for (let job = 0; job < jobs.count; job++) {
    if (jobs.submit[job] < from || jobs.submit[job] > to) continue;
    const criterionValue = value(job, jobs, run, otherRun);
    if (
      criterionValue <= 0 ||
      (highestValuedJobs.length === MAX_JOB_COUNT_PER_LIST &&
        criterionValue <= highestValuedJobs[MAX_JOB_COUNT_PER_LIST - 1].value)
    )
      continue;
    const insertionIndex = highestValuedJobs.findIndex(
      (highestValuedJob) => highestValuedJob.value < criterionValue,
    );
    highestValuedJobs.splice(insertionIndex < 0 ? highestValuedJobs.length : insertionIndex, 0, {
      job,
      value: criterionValue,
    });
    highestValuedJobs.length = Math.min(highestValuedJobs.length, MAX_JOB_COUNT_PER_LIST);
  }
  return highestValuedJobs;
}
