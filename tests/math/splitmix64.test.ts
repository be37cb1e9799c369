import { expect, test } from 'vitest';
import { computeUniformNumberOfSeed } from '../../host/math/random.js';

const MASK_64_BITS = (1n << 64n) - 1n;

/** The splitmix64 generator, as written by its authors. */
function computeSplitmix64Output(seed: number, k: number): bigint {
  let z = (BigInt(seed) + BigInt(k) * 0x9e3779b97f4a7c15n) & MASK_64_BITS;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK_64_BITS;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK_64_BITS;
  return z ^ (z >> 31n);
}

const SEEDS = [0, 1, 2, 1234567, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1];
const TESTED_OUTPUT_NUMBERS = [1, 2, 3, 1000, 2 ** 32 - 1, 2 ** 32 + 1, 2 ** 53 - 1];

test('the outputs of splitmix64, in whole numbers', () => {
  // First output for seed 1234567, as published with the authors' program.
  expect(computeSplitmix64Output(1234567, 1)).toBe(6457827717110365317n);
  for (const seed of SEEDS) {
    for (const k of TESTED_OUTPUT_NUMBERS) {
      const z = computeSplitmix64Output(seed, k);
      expect(computeUniformNumberOfSeed(seed, k)).toBe(Number(z >> 11n) * 2 ** -53);
    }
  }
});
