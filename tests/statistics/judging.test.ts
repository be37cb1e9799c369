import { describe, expect, test } from 'vitest';
import { makeMersenneTwister, makeNormalSampler } from '../../host/math/random.js';
import { describeVerdicts, notesOnJudgement } from '../../host/reports/verdicts.js';
import { anytimeValidBound, studentQuantile } from '../../host/statistics/interval.js';
import { type Judgement, judgeMethods, pairedDifference } from '../../host/statistics/judging.js';
import { looksUpTo } from '../../host/statistics/looks.js';
import { LOGS_POPULATION } from '../../host/statistics/population.js';

const drawNormal = makeNormalSampler(makeMersenneTwister([3]));
const drawMany = (drawCount: number, mean: number, deviation = 1) =>
  Array.from({ length: drawCount }, () => mean + deviation * drawNormal());

const verdictsOf = ({ methods }: Judgement) => methods.map(({ verdict }) => verdict);

test('NaN and infinity are refused', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => judgeMethods([drawMany(12, 5), [...drawMany(11, 5), value]], { better: 'less' })).toThrow(
      `value 12 of method 2: expected a number, found ${value}`,
    );
});

test('limits in standard errors, of eight methods', () => {
  const level = 0.05 / 7;
  const fixedSampleCriticalValues = [20, 50, 100].map((count) =>
    studentQuantile(level, count - 1).toFixed(4),
  );
  expect(fixedSampleCriticalValues).toEqual(['3.0136', '2.8077', '2.7472']);
  const anytimeCriticalValues = [20, 50, 100, 640].map((count) => anytimeValidBound(level, count).toFixed(4));
  expect(anytimeCriticalValues).toEqual(['5.7344', '4.0403', '3.7972', '3.7971']);
  expect(anytimeValidBound(level, 2)).toBe(Number.POSITIVE_INFINITY);
});

test('limits are further the fewer the replications in which two methods differ', () => {
  const otherDraws = drawMany(30, 1000);
  /**
   * Upper limit minus mean difference, in standard errors, for methods that differ by about 1 in
   * only the first few replications.
   */
  const upperLimitInStandardErrors = (differingCount: number) => {
    const sampleOfMethod = otherDraws.map((otherDraw, i) =>
      i < differingCount ? otherDraw + 1 + i : otherDraw,
    );
    const differences = sampleOfMethod.map((value, i) => value - otherDraws[i]!);
    const mean = differences.reduce((sum, value) => sum + value, 0) / 30;
    const squares = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return (pairedDifference(sampleOfMethod, otherDraws).high - mean) / Math.sqrt(squares / 29 / 30);
  };
  expect(upperLimitInStandardErrors(1)).toBeCloseTo(39, 9);
  expect(upperLimitInStandardErrors(2)).toBeCloseTo(studentQuantile(0.05, 1), 9);
  expect(upperLimitInStandardErrors(3)).toBeCloseTo(studentQuantile(0.05, 2), 9);
  expect(upperLimitInStandardErrors(10)).toBeGreaterThanOrEqual(studentQuantile(0.05, 9) - 1e-9);
});

describe('three sets', () => {
  const baselineSample = drawMany(60, 1000, 100);
  const nearlyEqualSample = baselineSample.map((baselineValue, i) => baselineValue + 2 * Math.sin(i));
  const samples = [
    baselineSample.map((baselineValue) => baselineValue + 100 + 5 * drawNormal()),
    baselineSample,
    nearlyEqualSample,
    baselineSample,
  ];

  test('what is within 1 % of the best, what is worse, and what is equal to another', () => {
    const judgement = judgeMethods(samples, { better: 'less' });
    expect(verdictsOf(judgement)).toEqual(['worse', 'best', 'best', 'best']);
    expect(judgement.methods.map(({ sameAs }) => sameAs)).toEqual([null, null, null, 1]);
    const { low, high } = judgement.methods[0].behind ?? { low: 0, high: 0 };
    expect(low).toBeGreaterThan(95);
    expect(high).toBeLessThan(105);
    expect(judgement.isDecided).toBe(true);
    expect(judgement.within / judgement.methods[judgement.observedBest].mean).toBeCloseTo(0.01, 12);
  });

  test('the same where more is better, with the signs of what is behind', () => {
    const judgementWhereLessIsBetter = judgeMethods(samples, { better: 'less' });
    const negatedSamples = samples.map((values) => values.map((value) => -value));
    const judgementWhereMoreIsBetter = judgeMethods(negatedSamples, { better: 'more' });
    expect(
      judgementWhereMoreIsBetter.methods.map(({ behind: differenceBounds }) => differenceBounds),
    ).toEqual(judgementWhereLessIsBetter.methods.map(({ behind: differenceBounds }) => differenceBounds));
    expect(judgementWhereMoreIsBetter.methods[0].mean).toBe(-judgementWhereLessIsBetter.methods[0].mean);
    expect(judgementWhereMoreIsBetter.methods[0].behindObserved).toBe(
      judgementWhereLessIsBetter.methods[0].behindObserved,
    );
  });

  test('the order of methods does not matter', () => {
    const judgement = judgeMethods(samples, { better: 'less' });
    const judgementInReverseOrder = judgeMethods(samples.toReversed(), { better: 'less' });
    expect(verdictsOf(judgementInReverseOrder).toReversed()).toEqual(verdictsOf(judgement));
    expect(judgementInReverseOrder.methods[3].behind?.low).toBeCloseTo(
      judgement.methods[0].behind?.low ?? 0,
      9,
    );
  });

  test('what is between is undecided, and may be best', () => {
    const indistinguishableSamples = [drawMany(30, 1000, 60), drawMany(30, 1000, 60)];
    const judgement = judgeMethods(indistinguishableSamples, { better: 'less' });
    expect(verdictsOf(judgement)).toEqual(['undecided', 'undecided']);
    expect(judgement.methods.map(({ couldBeBest }) => couldBeBest)).toEqual([true, true]);
    expect(judgement.isDecided).toBe(false);
    for (const { behind: differenceBounds } of judgement.methods) {
      expect(differenceBounds?.low).toBeLessThanOrEqual(0);
      expect(differenceBounds?.high).toBeGreaterThan(judgement.within);
    }
  });

  test('worse and within the tolerance: it belongs to the best', () => {
    const judgement = judgeMethods(
      [baselineSample, baselineSample.map((baselineValue) => baselineValue + 1 + 0.1 * drawNormal())],
      {
        better: 'less',
      },
    );
    expect(verdictsOf(judgement)).toEqual(['best', 'best']);
    expect(judgement.methods[1].behind?.low).toBeGreaterThan(0);
    expect(judgement.methods[1].couldBeBest).toBe(false);
  });

  test('identical methods are all the best', () => {
    const judgement = judgeMethods([baselineSample, baselineSample, baselineSample], { better: 'less' });
    expect(verdictsOf(judgement)).toEqual(['best', 'best', 'best']);
    expect(judgement.methods[2]).toMatchObject({ sameAs: 0, behind: { low: 0, high: 0 } });
    expect(judgement.leastDifference).toBeNull();
  });

  test('each method that is best in a replication shares it', () => {
    const { methods } = judgeMethods(samples, { better: 'less' });
    expect(methods[1].bestIn).toBe(methods[3].bestIn);
    expect(methods.reduce((sum, { bestIn }) => sum + bestIn, 0)).toBeCloseTo(1, 12);
  });
});

describe('too few, or nothing that varies', () => {
  test('two replications judge nothing', () => {
    const judgement = judgeMethods(
      [
        [10, 20],
        [11, 21],
      ],
      { better: 'less' },
    );
    expect(verdictsOf(judgement)).toEqual([null, null]);
    expect(judgement.methods[1]).toMatchObject({ behind: null, behindObserved: 1, mean: 16 });
    expect(judgement.isJudged || judgement.isDecided).toBe(false);
  });

  test('below the least number nothing is judged, from there on it is', () => {
    const samples = [drawMany(30, 1000), drawMany(30, 1100)];
    const firstReplicationsOfSamples = (replicationCount: number) =>
      samples.map((values) => values.slice(0, replicationCount));
    expect(judgeMethods(firstReplicationsOfSamples(9), { better: 'less' }).isJudged).toBe(false);
    expect(verdictsOf(judgeMethods(firstReplicationsOfSamples(10), { better: 'less' }))).toEqual([
      'best',
      'worse',
    ]);
    expect(judgeMethods(firstReplicationsOfSamples(19), { better: 'less', fewest: 20 }).isJudged).toBe(false);
    expect(judgeMethods(firstReplicationsOfSamples(20), { better: 'less', fewest: 20 }).isJudged).toBe(true);
  });

  test('a difference that is the same in every replication has no width, and is reported', () => {
    const sampleOfMethod = drawMany(20, 1000).map(Math.round);
    const judgement = judgeMethods([sampleOfMethod, sampleOfMethod.map((value) => value + 50)], {
      better: 'less',
    });
    expect(verdictsOf(judgement)).toEqual(['best', 'worse']);
    expect(judgement.methods[1].behind).toEqual({ low: 50, high: 50 });
    expect(judgement.fixed).toEqual([[1, 0]]);
    expect(notesOnJudgement(judgement, ['a', 'b'], 'meanWait', {})).toEqual([
      'The difference between b and a is the same in every replication.',
    ]);
    expect(judgeMethods([sampleOfMethod, drawMany(20, 1000)], { better: 'less' }).fixed).toEqual([]);
  });

  test.each([10, 20, 200])('%d identical replications are one sample, and judge nothing', (count) => {
    const alike = [936, 90, 90].map((value) => Array.from({ length: count }, () => value));
    for (const limits of ['fixed', 'anytime'] as const) {
      const judgement = judgeMethods(alike, { better: 'less', limits });
      expect(judgement).toMatchObject({ isOneSample: true, isJudged: false, isDecided: false, fixed: [] });
      expect(verdictsOf(judgement)).toEqual([null, null, null]);
      expect(describeVerdicts(judgement, ['a', 'b', 'c'], LOGS_POPULATION)).toBe(
        `No verdicts: each method has the same value in all these ${count} logs, so they are one sample.`,
      );
    }
    // Identical methods are identical in a single sample, too.
    expect(judgeMethods(alike.slice(1), { better: 'less' })).toMatchObject({ isOneSample: false });
    expect(judgeMethods([...alike, drawMany(count, 90)], { better: 'less' }).isOneSample).toBe(false);
  });

  test('resamples without spread leave the limits to Student, or to what a single difference tells', () => {
    const baseSample = drawMany(20, 1000);
    const sampleDifferingOnce = baseSample.map((value, i) => value + (i === 7 ? 1 : 0));
    const judgement = judgeMethods([baseSample, sampleDifferingOnce], { better: 'less' });
    expect(judgement.lacksResamples).toBe(true);
    expect(judgement.methods[1].behind?.high).toBeCloseTo(0.05 + 39 * 0.05, 9);
    expect(judgement.skewed).toEqual([{ methods: [1, 0], replications: expect.any(Number) }]);
    expect(judgement.skewed[0].replications).toBeGreaterThan(400);
  });
});

describe('until it is decided', () => {
  test('looks are every 10, from 200 on every 20, and at the most', () => {
    expect(looksUpTo(45)).toEqual([20, 30, 40, 45]);
    expect(looksUpTo(20)).toEqual([20]);
    expect(looksUpTo(5)).toEqual([5]);
    expect(looksUpTo(260).slice(-5)).toEqual([190, 200, 220, 240, 260]);
    expect(looksUpTo(70, 50)).toEqual([50, 60, 70]);
  });

  test('bounds of a look hold at all later ones', () => {
    const samples = [drawMany(40, 1000, 30), drawMany(40, 1000, 30), drawMany(40, 1060, 30)];
    const judgeFirstReplications = (replicationCount: number, earlierJudgement?: Judgement) =>
      judgeMethods(
        samples.map((values) => values.slice(0, replicationCount)),
        { better: 'less', limits: 'anytime', before: earlierJudgement },
      );
    const firstJudgement = judgeFirstReplications(20);
    const secondJudgement = judgeFirstReplications(30, firstJudgement);
    const judgementWithoutEarlierLooks = judgeFirstReplications(30);
    for (const [i, { behind: differenceBounds }] of secondJudgement.methods.entries()) {
      expect(differenceBounds?.low).toBe(
        Math.max(
          firstJudgement.methods[i].behind?.low ?? 0,
          judgementWithoutEarlierLooks.methods[i].behind?.low ?? 0,
        ),
      );
      expect(differenceBounds?.high).toBe(
        Math.min(
          firstJudgement.methods[i].behind?.high ?? 0,
          judgementWithoutEarlierLooks.methods[i].behind?.high ?? 0,
        ),
      );
    }
    expect(secondJudgement.limits).toBe('anytime');
  });
});

test('looks that contradict each other leave the bounds of the last', () => {
  const samples = [drawMany(40, 1000), drawMany(40, 1000)];
  const earlierJudgement = judgeMethods([drawMany(20, 1000), drawMany(20, 2000)], {
    better: 'less',
    limits: 'anytime',
  });
  const judgementWithoutEarlierLooks = judgeMethods(samples, { better: 'less', limits: 'anytime' });
  const judgement = judgeMethods(samples, { better: 'less', limits: 'anytime', before: earlierJudgement });
  expect(judgement.methods.map(({ behind: differenceBounds }) => differenceBounds)).toEqual(
    judgementWithoutEarlierLooks.methods.map(({ behind: differenceBounds }) => differenceBounds),
  );
});

describe('the least difference shown', () => {
  const highVarianceSample = drawMany(30, 3000, 500);
  const lowVarianceSample = drawMany(30, 1000, 30);
  const options = { better: 'less' } as const;

  test('is of what is not told apart, not of a wild method that is surely worse', () => {
    const threeSites = judgeMethods([lowVarianceSample, drawMany(30, 1000, 30), highVarianceSample], options);
    expect(verdictsOf(threeSites)[2]).toBe('worse');
    const { standardDeviation } = threeSites.methods[1 - threeSites.observedBest];
    const errorBound = studentQuantile(0.025, 29) + studentQuantile(0.4, 29);
    expect(threeSites.leastDifference).toBeCloseTo((errorBound * standardDeviation) / Math.sqrt(30), 6);
  });

  test('takes the limits that hold at all looks where there are looks', () => {
    const twoLowVarianceSamples = [lowVarianceSample, drawMany(30, 1000, 30)];
    const judgement = judgeMethods(twoLowVarianceSamples, { ...options, limits: 'anytime' });
    const { standardDeviation } = judgement.methods[1 - judgement.observedBest];
    const errorBound = anytimeValidBound(0.05, 30) + studentQuantile(0.4, 29);
    expect(judgement.leastDifference).toBeCloseTo((errorBound * standardDeviation) / Math.sqrt(30), 6);
    expect(
      judgeMethods(
        twoLowVarianceSamples.map((values) => values.slice(0, 10)),
        { ...options, limits: 'anytime', level: 1e-9 },
      ).leastDifference,
    ).toBeNull();
  });

  test('is not said where nothing is judged, or all is told', () => {
    expect(judgeMethods([lowVarianceSample, highVarianceSample], options).leastDifference).toBeNull();
    expect(
      judgeMethods([lowVarianceSample.slice(0, 5), lowVarianceSample.slice(5, 10)], options).leastDifference,
    ).toBeNull();
  });
});

test('several metrics divide the chance of an error, which widens the limits', () => {
  const samples = [drawMany(40, 1000, 30), drawMany(40, 1010, 30), drawMany(40, 1030, 30)];
  const judgementOfOneMetric = judgeMethods(samples, { better: 'less' });
  const threeSites = judgeMethods(samples, { better: 'less', level: 0.05 / 3 });
  expect(threeSites.methods[2].behind?.high).toBeGreaterThan(
    judgementOfOneMetric.methods[2].behind?.high ?? 0,
  );
  const alike = samples.slice(0, 2);
  expect(judgeMethods(alike, { better: 'less', level: 0.05 / 3 }).leastDifference).toBeGreaterThan(
    judgeMethods(alike, { better: 'less' }).leastDifference ?? Number.NaN,
  );
});

test('the least difference shown is shown in four of five experiments', () => {
  let detectedDifferenceCount = 0;
  const experimentCount = 400;
  const sqrtOfTwo = Math.sqrt(2);
  const leastDetectableDifference = ((studentQuantile(0.05, 24) + studentQuantile(0.4, 24)) * sqrtOfTwo) / 5;
  for (let i = 0; i < experimentCount; i++) {
    const judgement = judgeMethods([drawMany(25, 1000), drawMany(25, 1000 + leastDetectableDifference)], {
      better: 'less',
    });
    if ((judgement.methods[1].behind?.low ?? 0) > 0) detectedDifferenceCount++;
  }
  // Resampled limits may be wider than Student's, which reduces power a little.
  expect(detectedDifferenceCount / experimentCount).toBeGreaterThan(0.7);
  expect(detectedDifferenceCount / experimentCount).toBeLessThan(0.88);
});

describe('paired differences', () => {
  test('of a method with itself are exactly 0', () => {
    for (const replicationCount of [2, 9, 40]) {
      const sampleOfMethod = drawMany(replicationCount, 4000, 130);
      expect(pairedDifference(sampleOfMethod, sampleOfMethod)).toEqual({ mean: 0, low: 0, high: 0 });
    }
  });

  test('are far surer than the values, where these go up and down together', () => {
    const baselineSample = drawMany(40, 5000, 500);
    const worseMethodSample = baselineSample.map((baselineValue, i) => baselineValue + 20 + (i % 5));
    const { mean, low, high } = pairedDifference(worseMethodSample, baselineSample);
    expect(mean).toBeCloseTo(22, 8);
    expect(high - low).toBeLessThan(2);
  });

  test("are never surer than Student's, and those of two methods judged", () => {
    const [values, otherValues] = [drawMany(40, 10), drawMany(40, 0)];
    const { low, high, mean } = pairedDifference(values, otherValues);
    const { behind: differenceBounds } = judgeMethods([values, otherValues], { better: 'less' }).methods[0];
    expect(differenceBounds?.low).toBeCloseTo(low, 9);
    expect(differenceBounds?.high).toBeCloseTo(high, 9);
    const { standardDeviation } = judgeMethods([values, otherValues], { better: 'less' }).methods[0];
    expect(high - mean).toBeGreaterThanOrEqual((2.0226 * standardDeviation) / Math.sqrt(40));
  });
});

test('twenty methods of 1,280 replications are judged in a moment', () => {
  const samplesOfTwentyMethods = Array.from({ length: 20 }, (_, i) => drawMany(1280, i / 10));
  const { user } = process.cpuUsage();
  judgeMethods(samplesOfTwentyMethods, { better: 'less' });
  expect((process.cpuUsage().user - user) / 1e6).toBeLessThan(3);
});
