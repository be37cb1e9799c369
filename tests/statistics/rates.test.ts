/**
 * Measures what verdicts promise: how often a method as good as the best is called worse, and how
 * often all printed bounds hold together. `npm run test:long` makes 1,000 experiments of each kind;
 * docs/confidence.md has the results.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exp, naturalLogarithm } from '../../host/math/fdlibm.js';
import { makeMersenneTwister, makeNormalSampler } from '../../host/math/random.js';
import { type Judgement, judgeMethods } from '../../host/statistics/judging.js';
import { looksUpTo } from '../../host/statistics/looks.js';
import { chooseRandomCaseCount, RANDOM_TEST_TIMEOUT_MILLISECONDS, sampleTestCases } from '../cases.js';

/**
 * Metrics of methods in 200 replications of two logs and a model, each with the command that prints
 * them.
 */
const recordedMetricValues: Record<
  'sp2Shaken' | 'sp2Resampled' | 'kthResampled' | 'lublin99',
  { values: number[][] }
> = JSON.parse(readFileSync(new URL('realVectors.json', import.meta.url), 'utf8'));

const EXPERIMENT_COUNT = chooseRandomCaseCount(100);
const isLongTestRun = EXPERIMENT_COUNT >= 1000;
/** Samples one in six kinds of experiments when cases are sampled, since each takes a second. */
const sampleExperimentKinds = <Kind>(experimentKinds: readonly Kind[]) => sampleTestCases(experimentKinds, 6);

type NoiseKind = 'normal' | 'exponential' | 'lognormal';

/** Generator of noise with mean 0 and similar deviation for each distribution. */
function makeNoiseGenerator(noiseKind: NoiseKind, seed: number): () => number {
  const generator = makeMersenneTwister([seed]);
  const drawNormal = makeNormalSampler(generator);
  if (noiseKind === 'normal') return drawNormal;
  if (noiseKind === 'exponential') return () => -naturalLogarithm(1 - generator.drawUniform()) - 1;
  return () => exp(drawNormal()) - exp(0.5);
}

/** Mean of the values, large relative to the differences, as for response times. */
const MEAN_OF_SAMPLE_VALUES = 1000;

type DrawSamplesFunction = (count: number) => {
  readonly samples: number[][];
  readonly meanValues: readonly number[];
};

/** Draws values of methods with these means and deviations of their noise. */
function makeNoiseSampleDrawer(
  noiseKind: NoiseKind,
  seed: number,
  trueMeans: readonly number[],
  standardDeviations: readonly number[],
): DrawSamplesFunction {
  const noise = makeNoiseGenerator(noiseKind, seed);
  return (count) => ({
    meanValues: trueMeans,
    samples: trueMeans.map((mean, i) =>
      Array.from(
        { length: count },
        () => MEAN_OF_SAMPLE_VALUES + mean + standardDeviations[i % standardDeviations.length] * noise(),
      ),
    ),
  });
}

/**
 * Resamples replications of a log or a model with replacement; if all methods are to be equal,
 * their differences are removed.
 */
function makeLogReplicationResampler(
  logName: keyof typeof recordedMetricValues,
  seed: number,
  areEqual: boolean,
): DrawSamplesFunction {
  const generator = makeMersenneTwister([seed]);
  const { values } = recordedMetricValues[logName];
  const recordedReplicationCount = values[0].length;
  const meanValues = values.map(
    (sample) => sample.reduce((sum, value) => sum + value, 0) / recordedReplicationCount,
  );
  const centredSamples = values.map((sample, i) =>
    sample.map((value) => (areEqual ? value - meanValues[i] + meanValues[0] : value)),
  );
  return (count) => {
    const randomReplications = Array.from({ length: count }, () =>
      Math.floor(generator.drawUniform() * recordedReplicationCount),
    );
    return {
      meanValues: areEqual ? meanValues.map(() => meanValues[0]) : meanValues,
      samples: centredSamples.map((sample) => randomReplications.map((replication) => sample[replication])),
    };
  };
}

/**
 * Draws eight methods, one better by half a deviation; two of them differ in only a few random
 * replications: the best and a copy of it, or two others.
 */
function makeDrawerOfEightMethods(
  seed: number,
  differingCount: number,
  isBest: boolean,
): DrawSamplesFunction {
  const noise = makeNoiseGenerator('normal', seed);
  const generator = makeMersenneTwister([seed + 1]);
  const methodIndex = isBest ? 0 : 6;
  const drawNoisySamples = makeNoiseSampleDrawer('normal', seed + 2, makeMeansWithOneBest(7, 0.5), [1]);
  return (count) => {
    const { samples, meanValues: means } = drawNoisySamples(count);
    const nearlyEqualSample = [...samples[methodIndex]];
    const differingReplications = new Set<number>();
    while (differingReplications.size < differingCount)
      differingReplications.add(Math.floor(generator.drawUniform() * count));
    for (const replication of differingReplications)
      nearlyEqualSample[replication] = MEAN_OF_SAMPLE_VALUES + means[methodIndex] + noise();
    return { meanValues: [...means, means[methodIndex]], samples: [...samples, nearlyEqualSample] };
  };
}

/**
 * Draws two methods that are equal except in a few replications, where the second is worse by an
 * exponential amount.
 */
function makeDrawerOfRareDifferences(seed: number, differingCount: number): DrawSamplesFunction {
  const noise = makeNoiseGenerator('normal', seed);
  const generator = makeMersenneTwister([seed + 1]);
  return (count) => {
    const sampleOfMethod = Array.from({ length: count }, () => MEAN_OF_SAMPLE_VALUES + noise());
    const differingReplications = new Set<number>();
    while (differingReplications.size < differingCount)
      differingReplications.add(Math.floor(generator.drawUniform() * count));
    const valuesWithRareIncreases = sampleOfMethod.map(
      (value, replication) =>
        value - (differingReplications.has(replication) ? naturalLogarithm(1 - generator.drawUniform()) : 0),
    );
    return {
      meanValues: [MEAN_OF_SAMPLE_VALUES, MEAN_OF_SAMPLE_VALUES + differingCount / count],
      samples: [sampleOfMethod, valuesWithRareIncreases],
    };
  };
}

interface ErrorRates {
  /** Share of experiments in which a method as good as the best is called worse. */
  readonly wrong: number;
  /** Share of experiments in which all bounds hold. */
  readonly coverage: number;
  /** Mean number of replications at the end, and share of experiments without undecided methods. */
  readonly replications: number;
  readonly settledShare: number;
  /**
   * Mean distance between a method's bounds, and share of experiments in which a difference is
   * reported as too skewed.
   */
  readonly width: number;
  readonly flagged: number;
}

function measureErrorRates(
  drawNoisySamples: DrawSamplesFunction,
  judge: (samples: number[][]) => Judgement,
  replicationCount: number,
  experimentCount: number,
): ErrorRates {
  const errorCounts = { wrong: 0, covered: 0, replications: 0, settled: 0, width: 0, flagged: 0 };
  for (let experiment = 0; experiment < experimentCount; experiment++) {
    const { samples, meanValues: means } = drawNoisySamples(replicationCount);
    const judgement = judge(samples);
    const trueDifferencesFromBest = means.map(
      (mean, i) => mean - Math.min(...means.filter((_, otherMethod) => otherMethod !== i)),
    );
    const leastMean = Math.min(...means);
    errorCounts.wrong += Number(
      judgement.methods.some((method, i) => (method.behind?.low ?? 0) > 0 && means[i] === leastMean),
    );
    errorCounts.covered += Number(
      judgement.methods.every((method, i) => {
        const { low, high } = method.behind ?? { low: Number.NaN, high: Number.NaN };
        return low <= trueDifferencesFromBest[i] && trueDifferencesFromBest[i] <= high;
      }),
    );
    errorCounts.replications += judgement.replications;
    errorCounts.settled += Number(judgement.isDecided);
    for (const { behind: bounds } of judgement.methods)
      errorCounts.width += ((bounds?.high ?? 0) - (bounds?.low ?? 0)) / means.length;
    errorCounts.flagged += Number(judgement.skewed.length > 0);
  }
  const shareOfExperiments = (sum: number) => sum / experimentCount;
  return {
    wrong: shareOfExperiments(errorCounts.wrong),
    coverage: shareOfExperiments(errorCounts.covered),
    replications: shareOfExperiments(errorCounts.replications),
    settledShare: shareOfExperiments(errorCounts.settled),
    width: shareOfExperiments(errorCounts.width),
    flagged: shareOfExperiments(errorCounts.flagged),
  };
}

const judgeFixedSample = (samples: number[][]) => judgeMethods(samples, { better: 'less' });

/** Adds replications until no method is undecided, as `--until-decided` does. */
function judgeUntilDecided(samples: number[][], margin: number): Judgement {
  let judgement: Judgement | undefined;
  for (const look of looksUpTo(samples[0].length)) {
    const samplesUntilLook = samples.map((values) => values.slice(0, look));
    judgement = judgeMethods(samplesUntilLook, {
      better: 'less',
      limits: 'anytime',
      within: margin,
      before: judgement,
    });
    if (judgement.isDecided) break;
  }
  return judgement as Judgement;
}

const percent = (shareToFormat: number) => `${(100 * shareToFormat).toFixed(1)} %`;

function printErrorRates(
  title: string,
  { wrong, coverage: covered, replications, settledShare: settled, width, flagged }: ErrorRates,
  isSequential = false,
) {
  const sequentialTableCells = isSequential ? ` ${Math.round(replications)} | ${percent(settled)} |` : '';
  if (isLongTestRun)
    console.log(
      `| ${title} | ${percent(wrong)} | ${percent(covered)} |${sequentialTableCells} ${width.toFixed(2)} | ${percent(flagged)}`,
    );
}

/** Tolerance for a share, by chance: three standard errors, or none in long runs. */
const samplingToleranceOfShare = (expectedShare: number) =>
  isLongTestRun ? 0 : 3 * Math.sqrt((expectedShare * (1 - expectedShare)) / EXPERIMENT_COUNT);

/**
 * Shares promised by docs/confidence.md for all bounds holding together: in general, and if a
 * difference is reported as skewed.
 */
const PROMISED_COVERAGE = 0.95;
const PROMISED_COVERAGE_OF_SKEWED = 0.9;

/**
 * Checks that all bounds hold together as often as promised, within two standard errors of this
 * measurement.
 */
function expectPromisedCoverage(
  { coverage: covered, flagged }: ErrorRates,
  experimentCount = EXPERIMENT_COUNT,
) {
  const promisedCoverage = flagged > 0.5 ? PROMISED_COVERAGE_OF_SKEWED : PROMISED_COVERAGE;
  const error = Math.sqrt((promisedCoverage * (1 - promisedCoverage)) / experimentCount);
  expect(covered).toBeGreaterThanOrEqual(promisedCoverage - (isLongTestRun ? 2 : 3) * error);
}

const UNEQUAL_STANDARD_DEVIATIONS = [0.3, 3, 1];
const makeEqualMeans = (methodCount: number) => Array.from({ length: methodCount }, () => 0);
const makeMeansWithOneBest = (methodCount: number, differenceOfMeans: number, bestMethod = 0) =>
  Array.from({ length: methodCount }, (_, i) => (i === bestMethod ? -differenceOfMeans : 0));

describe('equal methods', () => {
  const cases = ([2, 4, 8, 20] as const).flatMap((count) =>
    (['normal', 'exponential', 'lognormal', 'unequal'] as const).map((kind) => [count, kind] as const),
  );

  test.each(sampleExperimentKinds(cases))(
    '%d of %s noise',
    { timeout: RANDOM_TEST_TIMEOUT_MILLISECONDS },
    (count, kind) => {
      const noise = kind === 'unequal' ? 'lognormal' : kind;
      const deviations = kind === 'unequal' ? UNEQUAL_STANDARD_DEVIATIONS : [1];
      const drawNoisySamples = makeNoiseSampleDrawer(noise, 100 + count, makeEqualMeans(count), deviations);
      const errorRates = measureErrorRates(
        drawNoisySamples,
        judgeFixedSample,
        30,
        count === 20 && !isLongTestRun ? EXPERIMENT_COUNT / 4 : EXPERIMENT_COUNT,
      );
      printErrorRates(
        `${count} equal, ${kind === 'unequal' ? 'lognormal, unequal spread' : kind}, N = 30`,
        errorRates,
      );
      // With two methods, a wrong "worse" means that a bound fails, as in 5 %; with many, several
      // bounds must fail.
      const maxAllowedShare = count === 2 ? 0.064 : count === 4 ? 0.03 : 0.01;
      if (kind !== 'unequal')
        expect(errorRates.wrong).toBeLessThanOrEqual(
          maxAllowedShare + samplingToleranceOfShare(maxAllowedShare),
        );
      expectPromisedCoverage(
        errorRates,
        count === 20 && !isLongTestRun ? EXPERIMENT_COUNT / 4 : EXPERIMENT_COUNT,
      );
    },
  );
});

describe('one best', () => {
  const cases: [
    title: string,
    noise: NoiseKind,
    methods: number,
    deviations: readonly number[],
    best: number,
  ][] = [
    ['normal', 'normal', 8, [1], 0],
    ['exponential', 'exponential', 8, [1], 0],
    ['lognormal', 'lognormal', 8, [1], 0],
    ['lognormal, unequal spread, the quiet one best', 'lognormal', 8, UNEQUAL_STANDARD_DEVIATIONS, 0],
    ['lognormal, unequal spread, a wild one best', 'lognormal', 8, UNEQUAL_STANDARD_DEVIATIONS, 1],
    ['exponential, unequal spread, the quiet one best', 'exponential', 8, UNEQUAL_STANDARD_DEVIATIONS, 0],
    ['lognormal, unequal spread, k = 2, the quiet one best', 'lognormal', 2, UNEQUAL_STANDARD_DEVIATIONS, 0],
    ['lognormal, unequal spread, k = 2, the wild one best', 'lognormal', 2, UNEQUAL_STANDARD_DEVIATIONS, 1],
  ];
  const errorCounts = isLongTestRun ? [20, 30, 50, 100] : [30];
  const allTestCases = cases.flatMap((each) => errorCounts.map((count) => [...each, count] as const));

  test.each(sampleExperimentKinds(allTestCases))(
    '%s',
    { timeout: RANDOM_TEST_TIMEOUT_MILLISECONDS },
    (title, noise, methods, deviations, best, count) => {
      const drawNoisySamples = makeNoiseSampleDrawer(
        noise,
        200 + count,
        makeMeansWithOneBest(methods, 0.5, best),
        deviations,
      );
      const errorRates = measureErrorRates(drawNoisySamples, judgeFixedSample, count, EXPERIMENT_COUNT);
      printErrorRates(`one of ${methods} best, ${title}, N = ${count}`, errorRates);
      expectPromisedCoverage(errorRates);
      expect(errorRates.wrong).toBeLessThanOrEqual(0.05);
    },
  );
});

describe('methods that differ in few replications', () => {
  const errorCounts = isLongTestRun ? [20, 30, 50, 100] : [30];
  const allTestCases = [1, 3].flatMap((differingReplicationCount) =>
    errorCounts.map((count) => [differingReplicationCount, count] as const),
  );
  const methodPairCases = allTestCases.flatMap((statisticCase) =>
    [false, true].map((isBest) => [...statisticCase, isBest] as const),
  );

  test.each(sampleExperimentKinds(methodPairCases))(
    'a pair in %d of %d, best: %s',
    { timeout: RANDOM_TEST_TIMEOUT_MILLISECONDS },
    (differingReplicationCount, count, isBest) => {
      const errorRates = measureErrorRates(
        makeDrawerOfEightMethods(500 + count, differingReplicationCount, isBest),
        judgeFixedSample,
        count,
        EXPERIMENT_COUNT,
      );
      printErrorRates(
        `${isBest ? 'two best' : 'one best'} of 8, normal, a pair that differs in ${differingReplicationCount} of N, N = ${count}`,
        errorRates,
      );
      expectPromisedCoverage(errorRates);
      expect(errorRates.wrong).toBeLessThanOrEqual(0.01);
      // Limits in standard errors of a difference: bounds must be at most twice as wide as
      // Student's limits.
      expect(errorRates.width).toBeLessThan(8 / Math.sqrt(count) + 1);
    },
  );

  test.each(sampleExperimentKinds(allTestCases))(
    '2 methods, harm in %d of %d',
    { timeout: RANDOM_TEST_TIMEOUT_MILLISECONDS },
    (differingReplicationCount, count) => {
      const errorRates = measureErrorRates(
        makeDrawerOfRareDifferences(600 + count, differingReplicationCount),
        judgeFixedSample,
        count,
        EXPERIMENT_COUNT,
      );
      printErrorRates(`2 methods, one behind in ${differingReplicationCount} of N, N = ${count}`, errorRates);
      expect(errorRates.coverage).toBeGreaterThanOrEqual(0.94 - samplingToleranceOfShare(0.94));
      expect(errorRates.wrong).toBeLessThanOrEqual(0.05);
      expect(errorRates.flagged).toBe(1);
    },
  );
});

describe('replications of real logs and of a model', () => {
  const errorCounts = isLongTestRun ? [20, 50, 100] : [50];
  const allTestCases = (Object.keys(recordedMetricValues) as (keyof typeof recordedMetricValues)[]).flatMap(
    (name) =>
      errorCounts.flatMap((count) => [true, false].map((areEqual) => [name, count, areEqual] as const)),
  );

  test.each(sampleExperimentKinds(allTestCases))(
    '%s, N = %d, made equal: %s',
    { timeout: RANDOM_TEST_TIMEOUT_MILLISECONDS },
    (name, count, areEqual) => {
      const errorRates = measureErrorRates(
        makeLogReplicationResampler(name, 300 + count, areEqual),
        judgeFixedSample,
        count,
        EXPERIMENT_COUNT,
      );
      printErrorRates(`${name}${areEqual ? ' made equal' : ''}, N = ${count}`, errorRates);
      expectPromisedCoverage(errorRates);
      const maxAllowedShare = recordedMetricValues[name].values.length > 3 ? 0.01 : 0.05;
      expect(errorRates.wrong).toBeLessThanOrEqual(
        maxAllowedShare + samplingToleranceOfShare(maxAllowedShare),
      );
    },
  );
});

describe('until it is decided, with 0.26 standard deviations of a paired difference', () => {
  /** Difference of two methods whose noise has deviation 1. */
  const INDIFFERENCE_DELTA = 0.26 * Math.SQRT2;
  const cases: [title: string, noise: NoiseKind, means: number[]][] = [
    ['2 equal, normal', 'normal', makeEqualMeans(2)],
    ['8 equal, normal', 'normal', makeEqualMeans(8)],
    ['8 equal, exponential', 'exponential', makeEqualMeans(8)],
    ['one of 8 best by delta, normal', 'normal', makeMeansWithOneBest(8, INDIFFERENCE_DELTA)],
    [
      '8 spread by half of delta, normal',
      'normal',
      Array.from({ length: 8 }, (_, i) => (i * INDIFFERENCE_DELTA) / 2),
    ],
    ['20 equal, normal', 'normal', makeEqualMeans(20)],
  ];

  test.each(sampleExperimentKinds(cases))(
    '%s',
    { timeout: RANDOM_TEST_TIMEOUT_MILLISECONDS },
    (title, noise, means) => {
      const experimentCount = Math.ceil(
        ((means.length === 20 ? 0.1 : 1) * EXPERIMENT_COUNT) / (isLongTestRun ? 1 : 4),
      );
      const judge = (samples: number[][]) =>
        judgeUntilDecided(samples, INDIFFERENCE_DELTA / MEAN_OF_SAMPLE_VALUES);
      const errorRates = measureErrorRates(
        makeNoiseSampleDrawer(noise, 400, means, [1]),
        judge,
        1280,
        experimentCount,
      );
      printErrorRates(title, errorRates, true);
      expect(errorRates.wrong).toBeLessThanOrEqual(means.length === 2 ? 0.05 : 0.02);
      expectPromisedCoverage(errorRates, experimentCount);
      if (means.length === 8 && new Set(means).size === 1) expect(errorRates.replications).toBeLessThan(700);
    },
  );
});
