import fc from 'fast-check';
import { expect, test } from 'vitest';
import { smallestAt } from '../../host/simulate/jobOutcomes.js';

/** The values of ranks are those of sorting. */

const values = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 60 }),
  fc.array(fc.double({ noNaN: true }), { maxLength: 60 }),
  // In order, the other way round, all alike: what choosing a bad pivot would show.
  fc.integer({ min: 0, max: 3000 }).map((count) => Array.from({ length: count }, (_, i) => i)),
  fc.integer({ min: 0, max: 3000 }).map((count) => Array.from({ length: count }, (_, i) => -i)),
  fc.integer({ min: 0, max: 3000 }).map((count) => Array.from({ length: count }, () => 7)),
);

test('values by rank are those of sorting, also for equal and missing ranks', () => {
  fc.assert(
    fc.property(values, fc.array(fc.nat({ max: 3000 }), { maxLength: 6 }), (input, places) => {
      const ascending = places.sort((a, b) => a - b);
      const sorted = Float64Array.from(input).sort();
      const found = smallestAt(Float64Array.from(input), ascending);
      // -0 and 0 are one value: which of them comes first says nothing.
      const unsigned = (value: number | undefined) => (value === undefined ? value : value + 0);
      expect(found.map(unsigned)).toEqual(ascending.map((place) => unsigned(sorted[place])));
    }),
    { numRuns: 2000, examples: [[[-0, 0], [0]]] },
  );
});
