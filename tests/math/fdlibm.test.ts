import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exp, naturalLogarithm, pow } from '../../host/math/fdlibm.js';
import { makeMersenneTwister } from '../../host/math/random.js';
import { hashOfNumbers } from './hash.js';

/** Values of a function of two uniform random draws. */
function valuesOf(f: (u: number, v: number) => number, valueCount = 20_000): number[] {
  const { drawUniform } = makeMersenneTwister([1, 2]);
  return Array.from({ length: valueCount }, () => f(drawUniform(), drawUniform()));
}

describe('the bits of', () => {
  // Hashes of the values of @stdlib/math-base-special-{exp,ln,pow} 0.2 and 0.3, on which published
  // results depend.
  it.each<[string, (u: number, v: number) => number, string]>([
    ['exp over its range', (u) => exp(1453 * u - 744), '51da32b5698b90fc'],
    ['exp of logarithms of runtimes', (u) => exp(13 * u), '057d16f0f6651050'],
    ['ln of probabilities', (u) => naturalLogarithm(1 - u), 'dc9621a549f8bec4'],
    ['ln near 1', (u, v) => naturalLogarithm(1 + (u - 0.5) * 2 ** -Math.floor(50 * v)), '9eaf3d736f340cd2'],
    [
      'ln over the whole range',
      (u) => naturalLogarithm(2 ** Math.floor(2098 * u - 1074) * (1 + u)),
      'bd11b23641ccbc83',
    ],
    ['powers of 2', (u) => pow(2, 2097 * u - 1073), 'e46bc19f2ee4249b'],
    ['powers of numbers', (u) => pow(Math.ceil(1000 * u), -2.5), '42ea1cd2702556b5'],
    ['powers of probabilities', (u, v) => pow(u, 1 / v), 'fc19aee2d18d801c'],
    [
      'powers near 1',
      (u, v) => pow(1 + (u - 0.5) * 2 ** -Math.floor(50 * v), 2 ** Math.floor(66 * u)),
      '34d391f842600fbb',
    ],
  ])('%s', (_, f, expected) => {
    expect(hashOfNumbers(valuesOf(f))).toBe(expected);
  });
});

const positiveDoubleArbitrary = fc.double({
  min: 0,
  minExcluded: true,
  noNaN: true,
  noDefaultInfinity: true,
});
const measureErrorInUlps = (a: number, b: number) =>
  Math.abs(a - b) / (Math.abs(b) * Number.EPSILON || Number.MIN_VALUE);

describe('against the functions of the engine', () => {
  it('ln', () => {
    fc.assert(
      fc.property(positiveDoubleArbitrary, (x) => {
        expect(measureErrorInUlps(naturalLogarithm(x), Math.log(x))).toBeLessThanOrEqual(2);
      }),
    );
  });

  it('exp', () => {
    fc.assert(
      fc.property(fc.double({ min: -708, max: 709, noNaN: true }), (x) => {
        expect(measureErrorInUlps(exp(x), Math.exp(x))).toBeLessThanOrEqual(2);
      }),
    );
  });

  it('pow', () => {
    fc.assert(
      fc.property(positiveDoubleArbitrary, fc.double({ min: -40, max: 40, noNaN: true }), (x, y) => {
        const powerByBuiltIn = x ** y;
        if (powerByBuiltIn > 0 && powerByBuiltIn < 1e-307) return;
        if (Number.isFinite(powerByBuiltIn) && powerByBuiltIn !== 0) {
          expect(measureErrorInUlps(pow(x, y), powerByBuiltIn)).toBeLessThanOrEqual(4);
        } else expect(pow(x, y)).toBe(powerByBuiltIn);
      }),
    );
  });
});

it.each([
  [exp(0), 1],
  [exp(Number.POSITIVE_INFINITY), Number.POSITIVE_INFINITY],
  [exp(Number.NEGATIVE_INFINITY), 0],
  [exp(709.7827128933841), Number.POSITIVE_INFINITY],
  [exp(-745.13), Number.MIN_VALUE],
  [exp(Number.NaN), Number.NaN],
  [naturalLogarithm(1), 0],
  [naturalLogarithm(0), Number.NEGATIVE_INFINITY],
  [naturalLogarithm(-1), Number.NaN],
  [naturalLogarithm(Number.POSITIVE_INFINITY), Number.POSITIVE_INFINITY],
  [pow(2, 10), 1024],
  [pow(2, 1023), 2 ** 1023],
  [pow(2, 1024), Number.POSITIVE_INFINITY],
  [pow(2, -1074), Number.MIN_VALUE],
  [pow(2, -1076), 0],
  [pow(7, 0), 1],
  [pow(9, 0.5), 3],
  [pow(3, 3), 27],
  [pow(0, 2.5), 0],
  [pow(0, -2.5), Number.POSITIVE_INFINITY],
  [pow(0.5, Number.POSITIVE_INFINITY), 0],
  [pow(0.5, Number.NEGATIVE_INFINITY), Number.POSITIVE_INFINITY],
  [pow(Number.POSITIVE_INFINITY, -2.5), 0],
  [pow(-2, 2), Number.NaN],
  [pow(2, Number.NaN), Number.NaN],
])('%d is %d', (value, expected) => {
  expect(value).toBe(expected);
});
