import type { ReferenceJob, ReferenceOptions } from './types.js';

/** True if a job was submitted before another; at equal times, the lower index comes first. */
function isSubmittedEarlier(
  job: { submit: number; index: number },
  other: { submit: number; index: number },
): boolean {
  return job.submit < other.submit || (job.submit === other.submit && job.index < other.index);
}

/**
 * Inserts a job into the queue by ascending key, equal keys in submit order. A preempted job thus
 * returns to its old place.
 */
export function insertIntoQueue<T extends ReferenceJob & { index: number }>(
  queue: T[],
  job: T,
  options: ReferenceOptions,
): void {
  const key = sortKeyOfJob(job, options, job.key);
  let position = queue.length;
  while (position > 0) {
    const jobBefore = queue[position - 1]!;
    const keyOfJobBefore = sortKeyOfJob(jobBefore, options, jobBefore.key);
    if (keyOfJobBefore < key || (keyOfJobBefore === key && isSubmittedEarlier(jobBefore, job))) break;
    position -= 1;
  }
  queue.splice(position, 0, job);
}

/** Sorts jobs by their keys in an order at a time, equal keys in submit order. */
export function sortJobsByOrder<T extends ReferenceJob & { index: number }>(
  jobs: T[],
  order: string | undefined,
  now: number,
  options: ReferenceOptions,
  input: (job: T) => number | undefined = ({ key }) => key,
): void {
  const ordered = { ...options, order };
  const key = (job: T) => (order === 'submit' ? 0 : sortKeyOfJob(job, ordered, input(job), now));
  const keys = new Map(jobs.map((job) => [job, key(job)]));
  jobs.sort((one, other) => keys.get(one)! - keys.get(other)! || (isSubmittedEarlier(one, other) ? -1 : 1));
}

/**
 * Jobs behind the last reservation, in the order in which they are tried; the queue is changed
 * accordingly.
 */
export function jobsBehindReservations<T extends ReferenceJob & { index: number }>(
  queue: T[],
  job: T,
  now: number,
  options: ReferenceOptions,
): T[] {
  const rest = queue.splice(queue.indexOf(job) + 1);
  if (options.backfillOrder !== undefined)
    sortJobsByOrder(rest, options.backfillOrder, now, options, ({ backfillKey }) => backfillKey);
  queue.push(...rest);
  return rest.slice();
}

/** Names of orders whose keys are computed in this file. */
export const orderWords = [
  'submit',
  'narrowest',
  'widest',
  'shortest',
  'longest',
  'smallest-area',
  'largest-area',
  'wfp3',
];

/** True if the keys of an order change while jobs wait. */
export function doKeysChangeWithTime(order: string | undefined): boolean {
  return order === 'wfp3' || isAgingExpression(order);
}

/** True if an order is an expression whose keys are computed at the beginning of each pass. */
export function isAgingExpression(order: string | undefined): boolean {
  return /\b(wait|now|usage|groupUsage|running|share)\b/.test(order ?? '');
}

/** True if the keys of jobs change while they wait, with time or with their estimates. */
export function doJobKeysChange({ order, discipline, refresh }: ReferenceOptions): boolean {
  const isOrderByEstimate =
    /estimate|area|shortest|longest|f[1-4]/.test(order ?? '') || /[sl]jf/.test(discipline ?? '');
  return doKeysChangeWithTime(order) || (refresh === true && isOrderByEstimate);
}

/**
 * Sort key of a job (Huang et al. 2007, section 4, for narrowest first). An area is estimate times
 * processors. -0 equals 0 in comparisons.
 */
function sortKeyOfJob(
  job: ReferenceJob,
  options: ReferenceOptions,
  input: number | undefined,
  now = 0,
): number {
  const estimate = job.estimate * options.load[job.home]!;
  switch (options.order) {
    case 'wfp3': {
      const q = (now - job.submit) / Math.max(1, estimate);
      return -(q * q * q * job.processors);
    }
    case 'narrowest':
      return job.processors;
    case 'widest':
      return -job.processors;
    case 'shortest':
      return estimate;
    case 'longest':
      return -estimate;
    case 'smallest-area':
      return estimate * job.processors;
    case 'largest-area':
      return -(estimate * job.processors);
  }
  if (input !== undefined) return input;
  switch (options.discipline) {
    case 'njf':
      return job.processors;
    case 'wjf':
      return -job.processors;
    case 'sjf':
      return estimate;
    case 'ljf':
      return -estimate;
    default:
      return 0; // submit order
  }
}
