import { expect, test } from 'vitest';
import { exp, naturalLogarithm } from '../../host/math/fdlibm.js';
import { makeMersenneTwister, makeNormalSampler } from '../../host/math/random.js';
import { testClassDifference } from '../../host/runs/classDifferences.js';
import { INTERVAL_ERROR_PROBABILITY } from '../../host/statistics/interval.js';
import { chooseRandomCaseCount, RANDOM_TEST_TIMEOUT_MILLISECONDS, sampleTestCases } from '../cases.js';

/**
 * Measures how often the limits of the differences of all classes hold together; docs/confidence.md
 * has a table of such experiments.
 */

const EXPERIMENT_COUNT = chooseRandomCaseCount(100);
const JUDGING_SETTINGS = { within: 0.01, fewest: 10, limits: 'fixed' } as const;
const CLASS_COUNT = 20;

type NoiseKind = 'normal' | 'exponential' | 'lognormal';

/** Generator of noise with mean 0 and similar deviation for each distribution. */
function makeNoiseGenerator(noiseKind: NoiseKind, seed: number): () => number {
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
function measureErrorRates(noiseKind: NoiseKind, replicationCount: number) {
  const noise = makeNoiseGenerator(noiseKind, replicationCount);
  let [coveredCount, wrong, intervalCount] = [0, 0, 0];
  for (let i = 0; i < EXPERIMENT_COUNT; i++) {
    const judgements = experiment(noise, replicationCount).map(({ difference, first, own }) => ({
      difference,
      found: testClassDifference(first, own, {
        ...JUDGING_SETTINGS,
        level: INTERVAL_ERROR_PROBABILITY / CLASS_COUNT,
      })!,
    }));
    const judgementsWithLimits = judgements.filter(({ found }) => found.low !== null);
    intervalCount += judgementsWithLimits.length / CLASS_COUNT;
    coveredCount += Number(
      judgementsWithLimits.every(
        ({ difference, found }) => found.low! <= difference && difference <= found.high!,
      ),
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

const TESTED_NOISE_KINDS = (['normal', 'exponential', 'lognormal'] as const).flatMap((noiseKind) =>
  [20, 30, 100].map((count) => [noiseKind, count] as const),
);

test.each(sampleTestCases(TESTED_NOISE_KINDS, 6))(
  'limits of the differences of 20 classes: %s, %i replications',
  (noiseKind, count) => {
    const { covered, wrong, given } = measureErrorRates(noiseKind, count);
    // Three standard errors of a share of 95 %.
    const slack = 3 * Math.sqrt((0.95 * 0.05) / EXPERIMENT_COUNT);
    const minExpectedCoverage = { normal: 0.95, exponential: 0.92, lognormal: 0.8 }[noiseKind];
    expect(covered).toBeGreaterThan(minExpectedCoverage - slack);
    expect(wrong).toBeLessThan(1 - minExpectedCoverage + slack);
    expect(given).toBeGreaterThan(noiseKind === 'normal' ? 0.9 : 0);
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);

test('replications without jobs of the class do not count, and too few are not judged', () => {
  const replicationValues = Array.from({ length: 12 }, (_, i) => 100 + i);
  const largerValues = replicationValues.map((replicationValue, i) => replicationValue + 50 + (i % 3));
  const judgingOptions = { ...JUDGING_SETTINGS, level: INTERVAL_ERROR_PROBABILITY };
  const difference = testClassDifference(replicationValues, largerValues, judgingOptions);
  expect(difference).toMatchObject({ verdict: 'worse', replications: 12, mean: 51 });
  const replaceFirstValuesByNaN = (gaps: number) =>
    replicationValues.map((replicationValue, i) => (i < gaps ? Number.NaN : replicationValue));
  expect(testClassDifference(replaceFirstValuesByNaN(2), largerValues, judgingOptions)).toMatchObject({
    verdict: 'worse',
    replications: 10,
  });
  expect(testClassDifference(replaceFirstValuesByNaN(3), largerValues, judgingOptions)).toBeNull();
  expect(testClassDifference(largerValues, replicationValues, judgingOptions)).toMatchObject({
    verdict: 'better',
    mean: -51,
  });
  const near = replicationValues.map(
    (replicationValue, i) => replicationValue + (i % 2 === 0 ? 0.01 : -0.01),
  );
  expect(testClassDifference(replicationValues, near, judgingOptions)).toMatchObject({ verdict: 'alike' });
});
