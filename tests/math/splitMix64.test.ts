import { expect, test } from 'vitest';
import { uniformAt } from '../../host/math/splitMix64.js';
import { SplitMix64 } from '../reference/simulator/splitMix64.js';

test.each([0, 1, 2, 0xffff_ffff, 2 ** 32, 2 ** 52 + 12_345, Number.MAX_SAFE_INTEGER])(
  'the draws of seed %d are those of a generator on whole numbers of 64 bits, in any order',
  (seed) => {
    const generator = new SplitMix64(seed);
    const expected = Array.from({ length: 3000 }, () => Number(generator.next() >> 11n) / 2 ** 53);
    const uniform = uniformAt(seed);
    const places = expected.map((_, i) => i + 1);
    expect(places.map(uniform)).toEqual(expected);
    expect(places.toReversed().map(uniform)).toEqual(expected.toReversed());
  },
);

test('the first output of seed 1234567 is the one that is published with the generator', () => {
  expect(uniformAt(1234567)(1)).toBe(Number(6457827717110365317n >> 11n) / 2 ** 53);
});

test('places go up to 2^32', () => {
  const mask = (1n << 64n) - 1n;
  const place = 4_294_967_295n;
  let z = (7n + place * 0x9e3779b97f4a7c15n) & mask;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
  expect(uniformAt(7)(Number(place))).toBe(Number((z ^ (z >> 31n)) >> 11n) / 2 ** 53);
});
