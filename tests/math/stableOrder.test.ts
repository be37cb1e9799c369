import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeStableSortOrder } from '../../host/math/stableOrder.js';

const keysArbitrary = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 200 }),
  fc.array(fc.double({ noNaN: true }), { maxLength: 200 }),
  fc
    .array(fc.integer({ min: 0, max: 60 }), { maxLength: 200 })
    .map((steps) => steps.map((step, i) => 20 * i + step)),
);

test('positions are sorted by their keys, equal keys by position', () => {
  fc.assert(
    fc.property(keysArbitrary, (values) => {
      const expectedOrder = values
        .map((_, i) => i)
        .sort((a, b) => (values[a] < values[b] ? -1 : values[a] > values[b] ? 1 : a - b));
      expect([...computeStableSortOrder(Float64Array.from(values))]).toEqual(expectedOrder);
    }),
  );
});
