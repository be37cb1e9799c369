import type { ReferenceJob, ReferenceOptions } from './types.js';

/** Puts the job where the discipline wants it: the least key first, equal keys by job index, which is submit
 *  order. A job that was stopped thus comes back to its old place. */
export function enqueue<T extends ReferenceJob & { index: number }>(
  queue: T[],
  job: T,
  options: ReferenceOptions,
): void {
  const key = keyOf(job, options);
  let position = queue.length;
  while (position > 0) {
    const before = queue[position - 1]!;
    const beforeKey = keyOf(before, options);
    if (beforeKey < key || (beforeKey === key && before.index < job.index)) break;
    position -= 1;
  }
  queue.splice(position, 0, job);
}

/** What the queue is sorted by (Huang et al. 2007, section 4, for the narrowest first). An area is what a job is
 *  expected to take, estimate times processors. -0 equals 0 where keys are compared. */
function keyOf(job: ReferenceJob, options: ReferenceOptions): number {
  if (job.key !== undefined) return job.key;
  const estimate = job.estimate * options.load[job.home]!;
  switch (options.order) {
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
