/** Sums without an error. */
import * as plain from '../loops/loops.js';
import { inWorkspace } from '../loops/workspace.js';

/** Upper bound on the number of parts of an exact sum of doubles. */
export const SUM_PARTS = 64;
/** Number of numbers that are added at a time. */
const CHUNK_LENGTH = 4096;

/** The sum that is being formed, and what is added next; no two sums are formed at once. */
const partialSums = new Float64Array(SUM_PARTS);
const fewTerms = new Float64Array(64);

/**
 * The exact sum of finite doubles, rounded once to the nearest double, of two to the even one, as Python's `math.fsum`: whatever
 * their order (Shewchuk 1997). `term(i)` is the value of i = 0 ... count - 1.
 */
export function exactSum(count: number, term: (i: number) => number): number {
  let length = 0;
  for (let from = 0; from < count; from += fewTerms.length) {
    const end = Math.min(fewTerms.length, count - from);
    for (let i = 0; i < end; i++) fewTerms[i] = term(from + i);
    length = plain.addExactly(fewTerms, 0, end, partialSums, length);
  }
  return plain.roundedSum(partialSums, length);
}

/** Exact sum of a column. */
export function exactSumOf(values: Float64Array): number {
  if (values.length < CHUNK_LENGTH) {
    return plain.roundedSum(partialSums, plain.addExactly(values, 0, values.length, partialSums, 0));
  }
  return inWorkspace(
    { next: ['doubles', CHUNK_LENGTH], sum: ['doubles', SUM_PARTS] },
    ({ arrays, loops }) => {
      let length = 0;
      for (let from = 0; from < values.length; from += CHUNK_LENGTH) {
        const chunk = values.subarray(from, from + CHUNK_LENGTH);
        arrays.next.set(chunk);
        length = loops.addExactly(arrays.next, 0, chunk.length, arrays.sum, length);
      }
      return loops.roundedSum(arrays.sum, length);
    },
  );
}
