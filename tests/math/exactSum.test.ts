import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sumColumnExactly, sumExactly } from '../../host/math/exactSum.js';
import { sumExactly as reference } from '../reference/simulator/exactSum.js';

const terms = fc.array(
  fc.oneof(
    fc.double({ noNaN: true, min: -1e300, max: 1e300 }),
    fc.double({ noNaN: true, min: -1, max: 1 }),
    fc.integer({ min: -1_000_000, max: 1_000_000 }),
    fc.constantFrom(2 ** 53, 1, -1, 2 ** -53, -(2 ** -53), 2 ** -1074, 1e16, -1e16, 0.1),
  ),
  { maxLength: 40 },
);

test('sums are those of whole numbers of units of 2^-1074, rounded once', () => {
  fc.assert(
    fc.property(terms, (values) => {
      expect(sumExactly(values.length, (i) => values[i])).toBe(reference(values) + 0);
      expect(sumColumnExactly(Float64Array.from(values))).toBe(reference(values) + 0);
    }),
    { numRuns: 2000 },
  );
});

test('long columns are summed like short ones', () => {
  fc.assert(
    fc.property(terms, fc.integer({ min: 4000, max: 20_000 }), (values, count) => {
      const column = Float64Array.from(
        { length: count },
        (_, i) => (values[i % values.length] ?? 0) / (1 + i),
      );
      expect(sumColumnExactly(column)).toBe(reference([...column]) + 0);
    }),
    { numRuns: 20 },
  );
});
