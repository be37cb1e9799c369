import { expect, test } from 'vitest';
import { exp, naturalLogarithm } from '../../host/math/fdlibm.js';
import { makeMersenneTwister, makeNormalSampler } from '../../host/math/random.js';
import { testClassDifference } from '../../host/runs/classDifferences.js';
import { INTERVAL_ERROR_PROBABILITY } from '../../host/statistics/interval.js';
import { RANDOM_TEST_TIMEOUT, randomCaseCount, sampleTestCases } from '../cases.js';

/**
 * Measures how often the limits of the differences of all classes hold together; docs/confidence.md
 * has a table of such experiments.
 */

const EXPERIMENT_COUNT = randomCaseCount(100);
const JUDGING_SETTINGS = { within: 0.01, fewest: 10, limits: 'fixed' } as const;
const CLASS_COUNT = 20;

type NoiseKind = 'normal' | 'exponential' | 'lognormal';

/** Generator of noise with mean 0 and similar deviation for each distribution. */
function noiseOf(noiseKind: NoiseKind, seed: number): () => number {
  const generator = makeMersenneTwister([seed]);
  const drawNormal = makeNormalSampler(generator);
  if (noiseKind === 'normal') return drawNormal;
  if (noiseKind === 'exponential') return () => -naturalLogarithm(1 - generator.drawUniform()) - 1;
  return () => exp(drawNormal()) - exp(0.5);
}

/**
 * Values of classes under two methods with correlated noise; half of the classes have no true
 * difference.
 */
function experiment(noise: () => number, replicationCount: number) {
  return Array.from({ length: CLASS_COUNT }, (_, i) => {
    const difference = i % 2 === 0 ? 0 : (i - CLASS_COUNT / 2) * 5;
    const firstValues = Array.from({ length: replicationCount }, () => 1000 + 100 * noise());
    return {
      difference,
      first: firstValues,
      own: firstValues.map((firstValue) => firstValue + difference + 60 * noise()),
    };
  });
}

/**
 * Shares of experiments in which all printed limits hold, in which a verdict is wrong, and mean
 * number of limits.
 */
function errorRatesOf(noiseKind: NoiseKind, replicationCount: number) {
  const noise = noiseOf(noiseKind, replicationCount);
  let [coveredCount, wrong, intervalCount] = [0, 0, 0];
  for (let i = 0; i < EXPERIMENT_COUNT; i++) {
    const judgements = experiment(noise, replicationCount).map(({ difference, first, own }) => ({
      difference,
      found: testClassDifference(first, own, {
        ...JUDGING_SETTINGS,
        level: INTERVAL_ERROR_PROBABILITY / CLASS_COUNT,
      })!,
    }));
    const limitedClasses = judgements.filter(({ found }) => found.low !== null);
    intervalCount += limitedClasses.length / CLASS_COUNT;
    coveredCount += Number(
      limitedClasses.every(({ difference, found }) => found.low! <= difference && difference <= found.high!),
    );
    wrong += Number(
      judgements.some(
        ({ difference, found: { verdict } }) =>
          (verdict === 'worse' && difference <= 0) || (verdict === 'better' && difference >= 0),
      ),
    );
  }
  return {
    covered: coveredCount / EXPERIMENT_COUNT,
    wrong: wrong / EXPERIMENT_COUNT,
    given: intervalCount / EXPERIMENT_COUNT,
  };
}

const KINDS = (['normal', 'exponential', 'lognormal'] as const).flatMap((noiseKind) =>
  [20, 30, 100].map((count) => [noiseKind, count] as const),
);

test.each(sampleTestCases(KINDS, 6))(
  'limits of the differences of 20 classes: %s, %i replications',
  (noiseKind, count) => {
    const { covered, wrong, given } = errorRatesOf(noiseKind, count);
    // Three standard errors of a share of 95 %.
    const slack = 3 * Math.sqrt((0.95 * 0.05) / EXPERIMENT_COUNT);
    const lowestCoverage = { normal: 0.95, exponential: 0.92, lognormal: 0.8 }[noiseKind];
    expect(covered).toBeGreaterThan(lowestCoverage - slack);
    expect(wrong).toBeLessThan(1 - lowestCoverage + slack);
    expect(given).toBeGreaterThan(noiseKind === 'normal' ? 0.9 : 0);
  },
  RANDOM_TEST_TIMEOUT,
);

test('replications without jobs of the class do not count, and too few are not judged', () => {
  const replicationValues = Array.from({ length: 12 }, (_, i) => 100 + i);
  const largerValues = replicationValues.map((replicationValue, i) => replicationValue + 50 + (i % 3));
  const judging = { ...JUDGING_SETTINGS, level: INTERVAL_ERROR_PROBABILITY };
  const difference = testClassDifference(replicationValues, largerValues, judging);
  expect(difference).toMatchObject({ verdict: 'worse', replications: 12, mean: 51 });
  const valuesWithGaps = (gaps: number) =>
    replicationValues.map((replicationValue, i) => (i < gaps ? Number.NaN : replicationValue));
  expect(testClassDifference(valuesWithGaps(2), largerValues, judging)).toMatchObject({
    verdict: 'worse',
    replications: 10,
  });
  expect(testClassDifference(valuesWithGaps(3), largerValues, judging)).toBeNull();
  expect(testClassDifference(largerValues, replicationValues, judging)).toMatchObject({
    verdict: 'better',
    mean: -51,
  });
  const near = replicationValues.map(
    (replicationValue, i) => replicationValue + (i % 2 === 0 ? 0.01 : -0.01),
  );
  expect(testClassDifference(replicationValues, near, judging)).toMatchObject({ verdict: 'alike' });
});
