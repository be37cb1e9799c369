import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactSum, wholeSums } from '../../host/math/exactSum.js';
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

test('sums of groups are those of each group alone; there are none where a number is not whole or a sum not safe', () => {
  const grouped = fc.array(fc.tuple(fc.integer({ min: -1, max: 3 }), fc.oneof(terms, fc.constant([1]))), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(grouped, (entries) => {
      const pairs = entries.flatMap(([group, all]) => all.map((value) => [group, value] as const));
      const sums = wholeSums(
        Float64Array.from(pairs, ([, value]) => value),
        Int32Array.from(pairs, ([group]) => group),
        4,
      );
      const groups = [0, 1, 2, 3].map((group) =>
        pairs.filter(([each]) => each === group).map(([, value]) => value),
      );
      const running = groups.flatMap((own) => own.map((_, end) => reference(own.slice(0, end + 1))));
      const isSafe = groups.flat().every(Number.isInteger) && running.every(Number.isSafeInteger);
      expect(sums?.map((sum) => sum + 0)).toEqual(
        isSafe ? Float64Array.from(groups, (own) => reference(own) + 0) : undefined,
      );
    }),
    { numRuns: 500 },
  );
});
