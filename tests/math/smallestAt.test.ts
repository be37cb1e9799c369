import fc from 'fast-check';
import { expect, test } from 'vitest';
import { selectValuesAtRanks } from '../../host/simulate/jobOutcomes.js';

/** Selecting the value of a rank must equal sorting. */

const valuesArbitrary = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 60 }),
  fc.array(fc.double({ noNaN: true }), { maxLength: 60 }),
  // Ascending, descending and equal values, which reveal a bad choice of pivot.
  fc.integer({ min: 0, max: 3000 }).map((count) => Array.from({ length: count }, (_, i) => i)),
  fc.integer({ min: 0, max: 3000 }).map((count) => Array.from({ length: count }, (_, i) => -i)),
  fc.integer({ min: 0, max: 3000 }).map((count) => Array.from({ length: count }, () => 7)),
);

test('values by rank are those of sorting, also for equal and missing ranks', () => {
  fc.assert(
    fc.property(valuesArbitrary, fc.array(fc.nat({ max: 3000 }), { maxLength: 6 }), (input, ranks) => {
      const ascending = ranks.sort((a, b) => a - b);
      const sortedInput = Float64Array.from(input).sort();
      const valuesSelectedAtRanks = selectValuesAtRanks(Float64Array.from(input), ascending);
      // -0 and 0 count as equal, so their order does not matter.
      const removeSignOfZero = (signedNumber: number | undefined) =>
        signedNumber === undefined ? signedNumber : signedNumber + 0;
      expect(valuesSelectedAtRanks.map(removeSignOfZero)).toEqual(
        ascending.map((rank) => removeSignOfZero(sortedInput[rank])),
      );
    }),
    { numRuns: 2000, examples: [[[-0, 0], [0]]] },
  );
});
