/** The jobs after which others are submitted: field 17 of a log. */
import type { Trace } from './trace.js';

/** Whether a number in field 17 is that of a job. */
export function namesJob(number: number): boolean {
  return number > 0;
}

/**
 * The preceding job of each record: the last record before it that has the number in its field 17; -1 where none has. A
 * record that names itself, or one that comes later, thus has none.
 */
export function precedingRecords({ count, columns }: Pick<Trace, 'count' | 'columns'>): Int32Array {
  const { job, precedingJob } = columns;
  const recordOf = new Map<number, number>();
  const preceding = new Int32Array(count).fill(-1);
  for (let record = 0; record < count; record++) {
    const number = precedingJob[record];
    if (namesJob(number)) preceding[record] = recordOf.get(number) ?? -1;
    recordOf.set(job[record], record);
  }
  return preceding;
}
