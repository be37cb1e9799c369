/** Sums without an error. */
import * as plain from '../loops/loops.js';
import { inWorkspace } from '../loops/workspace.js';

/** Upper bound on the number of parts of an exact sum of doubles. */
export const SUM_PARTS = 64;
/** Number of numbers that are added at a time. */
const CHUNK = 4096;

/** The sum that is being formed, and what is added next; no two sums are formed at once. */
const parts = new Float64Array(SUM_PARTS);
const few = new Float64Array(64);

/**
 * The exact sum of finite doubles, rounded once to the nearest double, of two to the even one, as Python's `math.fsum`: whatever
 * their order (Shewchuk 1997). `term(i)` is the value of i = 0 ... count - 1.
 */
export function exactSum(count: number, term: (i: number) => number): number {
  let length = 0;
  for (let from = 0; from < count; from += few.length) {
    const end = Math.min(few.length, count - from);
    for (let i = 0; i < end; i++) few[i] = term(from + i);
    length = plain.addExactly(few, 0, end, parts, length);
  }
  return plain.roundedSum(parts, length);
}

/** Exact sum of a column. */
export function exactSumOf(values: Float64Array): number {
  if (values.length < CHUNK) {
    return plain.roundedSum(parts, plain.addExactly(values, 0, values.length, parts, 0));
  }
  return inWorkspace({ next: ['doubles', CHUNK], sum: ['doubles', SUM_PARTS] }, ({ arrays, loops }) => {
    let length = 0;
    for (let from = 0; from < values.length; from += CHUNK) {
      const chunk = values.subarray(from, from + CHUNK);
      arrays.next.set(chunk);
      length = loops.addExactly(arrays.next, 0, chunk.length, arrays.sum, length);
    }
    return loops.roundedSum(arrays.sum, length);
  });
}
