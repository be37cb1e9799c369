import { expect, test } from 'vitest';
import { findStaleRecordings, SimulationResultHash } from './recorded.js';

function hashResults(...referenceResults: readonly unknown[]): string {
  const hash = new SimulationResultHash();
  for (const result of referenceResults) hash.add(result);
  return hash.digest();
}

test('equal results have one hash, whatever the order of their keys', () => {
  expect(hashResults({ start: [1, 2.5], metrics: { jobs: 2 } })).toBe(
    hashResults({ metrics: { jobs: 2, unknown: undefined }, start: [1, 2.5] }),
  );
});

test('different results have different hashes', () => {
  const different = [
    [{ start: [0, 1] }],
    [{ start: [-0, 1] }],
    [{ start: [0, 1 + Number.EPSILON] }],
    [{ start: [0, Number.NaN] }],
    [{ start: [0, null] }],
    [{ start: [0], end: [1] }],
    [{ start: [[0], 1] }],
    [{ start: [[0, 1]] }],
    [{ start: ['0', 1] }],
    [{ starts: [0, 1] }],
    [{ start: [0, 1] }, { start: [0, 1] }],
    [{ start: [] }, { start: [0, 1] }],
  ].map((results) => hashResults(...results));
  expect(new Set(different).size).toBe(different.length);
});

test('what is recorded is of this reference and these cases; otherwise run `npm run test:record`', () => {
  expect(findStaleRecordings()).toEqual([]);
});
