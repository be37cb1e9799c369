/** Sums without an error. */
import * as plain from '../loops/loops.js';
import { useWorkspace } from '../loops/workspace.js';

/** Upper bound on the number of parts of an exact sum of doubles. */
export const MAX_SUM_PARTS = 64;
/** Number of numbers that are added at a time. */
const CHUNK_CHARACTERS = 4096;

/** The sum that is being formed, and what is added next; no two sums are formed at once. */
const partialSumBuffer = new Float64Array(MAX_SUM_PARTS);
const fewTermsBuffer = new Float64Array(64);

/**
 * The exact sum of finite doubles, rounded once to the nearest double, of two to the even one, as Python's `math.fsum`: whatever
 * their order (Shewchuk 1997). `term(i)` is the value of i = 0 ... count - 1.
 */
export function exactSum(count: number, termAt: (i: number) => number): number {
  let length = 0;
  for (let from = 0; from < count; from += fewTermsBuffer.length) {
    const end = Math.min(fewTermsBuffer.length, count - from);
    for (let i = 0; i < end; i++) fewTermsBuffer[i] = termAt(from + i);
    length = plain.addToExactSum(fewTermsBuffer, 0, end, partialSumBuffer, length);
  }
  return plain.roundExactSum(partialSumBuffer, length);
}

/** Exact sum of a column. */
export function exactSumOfValues(values: Float64Array): number {
  if (values.length < CHUNK_CHARACTERS) {
    return plain.roundExactSum(
      partialSumBuffer,
      plain.addToExactSum(values, 0, values.length, partialSumBuffer, 0),
    );
  }
  return useWorkspace(
    { next: ['doubles', CHUNK_CHARACTERS], sum: ['doubles', MAX_SUM_PARTS] },
    ({ arrays, loops }) => {
      let length = 0;
      for (let from = 0; from < values.length; from += CHUNK_CHARACTERS) {
        const chunk = values.subarray(from, from + CHUNK_CHARACTERS);
        arrays.next.set(chunk);
        length = loops.addToExactSum(arrays.next, 0, chunk.length, arrays.sum, length);
      }
      return loops.roundExactSum(arrays.sum, length);
    },
  );
}
