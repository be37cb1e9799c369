/** What files and sentences call the jobs of a workload. */
import type { Workload } from './workload.js';

/** The number of each job in the log; where it is met again (the further pieces of a cut job) with `#2`, `#3`. */
export function jobNames({ job }: Pick<Workload, 'job'>): string[] {
  const met = new Map<number, number>();
  return Array.from(job, (number) => {
    const times = (met.get(number) ?? 0) + 1;
    met.set(number, times);
    return times === 1 ? `${number}` : `${number}#${times}`;
  });
}
