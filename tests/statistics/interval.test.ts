import { expect, test } from 'vitest';
import { exp, naturalLogarithm } from '../../host/math/fdlibm.js';
import { makeMersenneTwister, makeNormalSampler } from '../../host/math/random.js';
import {
  computeStudentTailProbability,
  estimateMean,
  studentQuantile,
} from '../../host/statistics/interval.js';

const EXPERIMENT_COUNT = 2000;
const generator = makeMersenneTwister([20]);
const drawNormal = makeNormalSampler(generator);

test.each([
  ['normal', 30, () => 100 + 7 * drawNormal(), 100],
  ['normal', 100, () => 100 + 7 * drawNormal(), 100],
  ['exponential, which is skewed', 30, () => -naturalLogarithm(1 - generator.drawUniform()), 1],
  ['exponential, which is skewed', 50, () => -naturalLogarithm(1 - generator.drawUniform()), 1],
])(
  'the interval of %s values, %d of them, covers the mean in 93.5 to 96.5 of 100 experiments',
  (_, count, draw, mean) => {
    let coveringIntervalCount = 0;
    for (let experiment = 0; experiment < EXPERIMENT_COUNT; experiment++) {
      const { low, high } = estimateMean(Array.from({ length: count }, draw));
      if (low <= mean && mean <= high) coveringIntervalCount++;
    }
    expect(coveringIntervalCount / EXPERIMENT_COUNT).toBeGreaterThanOrEqual(0.935);
    expect(coveringIntervalCount / EXPERIMENT_COUNT).toBeLessThanOrEqual(0.965);
  },
);

test('for far more skewed values it covers the mean a little less often', () => {
  let coveringIntervalCount = 0;
  for (let experiment = 0; experiment < EXPERIMENT_COUNT; experiment++) {
    const { low, high } = estimateMean(Array.from({ length: 50 }, () => exp(drawNormal())));
    if (low <= exp(0.5) && exp(0.5) <= high) coveringIntervalCount++;
  }
  expect(coveringIntervalCount / EXPERIMENT_COUNT).toBeGreaterThanOrEqual(0.92);
  expect(coveringIntervalCount / EXPERIMENT_COUNT).toBeLessThanOrEqual(0.955);
});

test('the interval of skewed values reaches further on the side of their tail', () => {
  const skewedSample = Array.from({ length: 40 }, (_, i) => -naturalLogarithm((i + 0.5) / 40));
  const { mean, low, high, method } = estimateMean(skewedSample);
  expect(method).toBe('bootstrap-t');
  expect(high - mean).toBeGreaterThan(mean - low);
  expect(estimateMean(skewedSample)).toEqual(estimateMean(skewedSample));
  expect(estimateMean(skewedSample.slice(0, 9)).method).toBe('student');
});

test('a few outliers do not move a limit out of all proportion', () => {
  for (const sampleSize of [10, 20, 30, 100])
    for (const valueCount of [1, 2, 3])
      for (const outlierValue of [1, -1, 1e3, -1e3, 1e6]) {
        const sampleValues = Array.from({ length: sampleSize }, (_, i) =>
          i < valueCount ? outlierValue : 1e-3 * drawNormal(),
        );
        const { mean, low, high, standardDeviation } = estimateMean(sampleValues);
        const largestLimitDistance =
          Math.max(mean - low, high - mean) / (standardDeviation / Math.sqrt(sampleSize));
        expect(largestLimitDistance, `${sampleSize} ${valueCount} ${outlierValue}`).toBeLessThan(25);
      }
});

test('evenly spaced values, also shifted and scaled', () => {
  const evenlySpacedValues = Array.from({ length: 31 }, (_, i) => i - 15);
  const { low, high, method, standardDeviation } = estimateMean(evenlySpacedValues);
  expect(method).toBe('student');
  expect(standardDeviation).toBeCloseTo(9.092121, 6);
  expect(high).toBeCloseTo((2.042272 * 9.092121) / Math.sqrt(31), 5);
  expect(low).toBe(-high);
  expect(estimateMean([0.1, 0.1, 0.1])).toMatchObject({
    mean: 0.1,
    standardDeviation: 0,
    low: 0.1,
    high: 0.1,
  });
});

test("Student's t as in tables", () => {
  const table: [level: number, degrees: number, bound: number][] = [
    [0.05, 1, 12.7062],
    [0.05, 2, 4.302653],
    [0.05, 9, 2.262157],
    [0.05, 30, 2.042272],
    [0.01, 99, 2.626405],
    [0.4, 20, 0.859964],
  ];
  for (const [level, degrees, quantile] of table) {
    expect(studentQuantile(level, degrees) / quantile).toBeCloseTo(1, 5);
    expect(computeStudentTailProbability(quantile, degrees)).toBeCloseTo(level, 5);
  }
  expect(computeStudentTailProbability(0, 5)).toBe(1);
});
