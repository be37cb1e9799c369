/** Exactly rounded sums. */
import * as plain from '../loops/loops.js';
import { withLoopWorkspace } from '../loops/workspace.js';

/** Upper bound on the number of parts of an exact sum of doubles. */
export const MAX_SUM_PARTS = 64;
/** Number of values added at a time. */
const EXACT_SUM_CHUNK_LENGTH = 4096;

/** Buffer of the current sum and of the next values; only one sum is computed at a time. */
const exactSumPartsBuffer = new Float64Array(MAX_SUM_PARTS);
const smallSumTermsBuffer = new Float64Array(64);

/**
 * Sum of finite doubles, correctly rounded to the nearest double (ties to even) like Python's `math.fsum`,
 * and thus independent of their order (Shewchuk 1997). `termAt(i)` is the value for i = 0 ... termCount - 1.
 */
export function sumExactly(termCount: number, termAt: (i: number) => number): number {
  let length = 0;
  for (let from = 0; from < termCount; from += smallSumTermsBuffer.length) {
    const end = Math.min(smallSumTermsBuffer.length, termCount - from);
    for (let i = 0; i < end; i++) smallSumTermsBuffer[i] = termAt(from + i);
    length = plain.addToExactSum(smallSumTermsBuffer, 0, end, exactSumPartsBuffer, length);
  }
  return plain.roundExactSum(exactSumPartsBuffer, length);
}

/** Correctly rounded sum of a column. */
export function sumColumnExactly(columnValues: Float64Array): number {
  return plain.roundExactSum(
    exactSumPartsBuffer,
    addColumnToPartialSums(columnValues, exactSumPartsBuffer, 0),
  );
}

/** Adds a column to an exact sum; returns the number of its parts. */
function addColumnToPartialSums(
  columnValues: Float64Array,
  partialSums: Float64Array,
  length: number,
): number {
  if (columnValues.length < EXACT_SUM_CHUNK_LENGTH) {
    return plain.addToExactSum(columnValues, 0, columnValues.length, partialSums, length);
  }
  return withLoopWorkspace(
    { next: ['doubles', EXACT_SUM_CHUNK_LENGTH], sum: ['doubles', MAX_SUM_PARTS] },
    ({ arrays, loops }) => {
      let heldPartCount = length;
      arrays.sum.set(partialSums);
      for (let from = 0; from < columnValues.length; from += EXACT_SUM_CHUNK_LENGTH) {
        const chunk = columnValues.subarray(from, from + EXACT_SUM_CHUNK_LENGTH);
        arrays.next.set(chunk);
        heldPartCount = loops.addToExactSum(arrays.next, 0, chunk.length, arrays.sum, heldPartCount);
      }
      partialSums.set(arrays.sum);
      return heldPartCount;
    },
  );
}

/** An exact sum to which values are added in any number of parts. */
export class ExactSum {
  readonly #parts = new Float64Array(MAX_SUM_PARTS);
  #length = 0;

  /** Adds finite values. */
  add(values: Float64Array): void {
    this.#length = addColumnToPartialSums(values, this.#parts, this.#length);
  }

  /** Adds one finite value. */
  addTerm(term: number): void {
    smallSumTermsBuffer[0] = term;
    this.#length = plain.addToExactSum(smallSumTermsBuffer, 0, 1, this.#parts, this.#length);
  }

  /** Copies the sum, to which other values can then be added. */
  copy(): ExactSum {
    const sumCopy = new ExactSum();
    sumCopy.#parts.set(this.#parts);
    sumCopy.#length = this.#length;
    return sumCopy;
  }

  /** Sum rounded to the nearest double. */
  get value(): number {
    return plain.roundExactSum(this.#parts, this.#length);
  }
}
