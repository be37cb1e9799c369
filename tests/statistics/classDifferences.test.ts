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
function noiseOf(kind: NoiseKind, seed: number): () => number {
  const generator = makeMersenneTwister([seed]);
  const normal = makeNormalSampler(generator);
  if (kind === 'normal') return normal;
  if (kind === 'exponential') return () => -naturalLogarithm(1 - generator.uniform()) - 1;
  return () => exp(normal()) - exp(0.5);
}

/**
 * Values of classes under two methods with correlated noise; half of the classes have no true
 * difference.
 */
function experiment(noise: () => number, count: number) {
  return Array.from({ length: CLASS_COUNT }, (_, i) => {
    const difference = i % 2 === 0 ? 0 : (i - CLASS_COUNT / 2) * 5;
    const first = Array.from({ length: count }, () => 1000 + 100 * noise());
    return { difference, first, own: first.map((value) => value + difference + 60 * noise()) };
  });
}

/**
 * Shares of experiments in which all printed limits hold, in which a verdict is wrong, and mean
 * number of limits.
 */
function errorRatesOf(kind: NoiseKind, count: number) {
  const noise = noiseOf(kind, count);
  let [covered, wrong, given] = [0, 0, 0];
  for (let i = 0; i < EXPERIMENT_COUNT; i++) {
    const judged = experiment(noise, count).map(({ difference, first, own }) => ({
      difference,
      found: testClassDifference(first, own, {
        ...JUDGING_SETTINGS,
        level: INTERVAL_ERROR_PROBABILITY / CLASS_COUNT,
      })!,
    }));
    const limitedClasses = judged.filter(({ found }) => found.low !== null);
    given += limitedClasses.length / CLASS_COUNT;
    covered += Number(
      limitedClasses.every(({ difference, found }) => found.low! <= difference && difference <= found.high!),
    );
    wrong += Number(
      judged.some(
        ({ difference, found: { verdict } }) =>
          (verdict === 'worse' && difference <= 0) || (verdict === 'better' && difference >= 0),
      ),
    );
  }
  return {
    covered: covered / EXPERIMENT_COUNT,
    wrong: wrong / EXPERIMENT_COUNT,
    given: given / EXPERIMENT_COUNT,
  };
}

const KINDS = (['normal', 'exponential', 'lognormal'] as const).flatMap((kind) =>
  [20, 30, 100].map((count) => [kind, count] as const),
);

test.each(sampleTestCases(KINDS, 6))(
  'limits of the differences of 20 classes: %s, %i replications',
  (kind, count) => {
    const { covered, wrong, given } = errorRatesOf(kind, count);
    // Three standard errors of a share of 95 %.
    const slack = 3 * Math.sqrt((0.95 * 0.05) / EXPERIMENT_COUNT);
    const least = { normal: 0.95, exponential: 0.92, lognormal: 0.8 }[kind];
    expect(covered).toBeGreaterThan(least - slack);
    expect(wrong).toBeLessThan(1 - least + slack);
    expect(given).toBeGreaterThan(kind === 'normal' ? 0.9 : 0);
  },
  RANDOM_TEST_TIMEOUT,
);

test('replications without jobs of the class do not count, and too few are not judged', () => {
  const values = Array.from({ length: 12 }, (_, i) => 100 + i);
  const more = values.map((value, i) => value + 50 + (i % 3));
  const judging = { ...JUDGING_SETTINGS, level: INTERVAL_ERROR_PROBABILITY };
  const all = testClassDifference(values, more, judging);
  expect(all).toMatchObject({ verdict: 'worse', replications: 12, mean: 51 });
  const valuesWithGaps = (gaps: number) => values.map((value, i) => (i < gaps ? Number.NaN : value));
  expect(testClassDifference(valuesWithGaps(2), more, judging)).toMatchObject({
    verdict: 'worse',
    replications: 10,
  });
  expect(testClassDifference(valuesWithGaps(3), more, judging)).toBeNull();
  expect(testClassDifference(more, values, judging)).toMatchObject({ verdict: 'better', mean: -51 });
  const near = values.map((value, i) => value + (i % 2 === 0 ? 0.01 : -0.01));
  expect(testClassDifference(values, near, judging)).toMatchObject({ verdict: 'alike' });
});
