import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactSum } from '../../host/math/exactSum.js';
import { exactSum as reference } from '../reference/simulator/exactSum.js';

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
      expect(exactSum(values.length, (i) => values[i]) + 0).toBe(reference(values) + 0);
    }),
    { numRuns: 2000 },
  );
});
