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
  const fixedReaches = [20, 50, 100].map((count) => studentQuantile(level, count - 1).toFixed(4));
  expect(fixedReaches).toEqual(['3.0136', '2.8077', '2.7472']);
  const anytimeBounds = [20, 50, 100, 640].map((count) => anytimeValidBound(level, count).toFixed(4));
  expect(anytimeBounds).toEqual(['5.7344', '4.0403', '3.7972', '3.7971']);
  expect(anytimeValidBound(level, 2)).toBe(Number.POSITIVE_INFINITY);
});

test('limits are further the fewer the replications in which two methods differ', () => {
  const otherDraws = drawMany(30, 1000);
  /**
   * Upper limit minus mean difference, in standard errors, for methods that differ by about 1 in
   * only the first few replications.
   */
  const verdictWith = (differingCount: number) => {
    const samplesOfMethods = otherDraws.map((otherDraw, i) =>
      i < differingCount ? otherDraw + 1 + i : otherDraw,
    );
    const differences = samplesOfMethods.map((value, i) => value - otherDraws[i]!);
    const mean = differences.reduce((sum, value) => sum + value, 0) / 30;
    const squares = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return (pairedDifference(samplesOfMethods, otherDraws).high - mean) / Math.sqrt(squares / 29 / 30);
  };
  expect(verdictWith(1)).toBeCloseTo(39, 9);
  expect(verdictWith(2)).toBeCloseTo(studentQuantile(0.05, 1), 9);
  expect(verdictWith(3)).toBeCloseTo(studentQuantile(0.05, 2), 9);
  expect(verdictWith(10)).toBeGreaterThanOrEqual(studentQuantile(0.05, 9) - 1e-9);
});

describe('three sets', () => {
  const weatherSamples = drawMany(60, 1000, 100);
  const closeSamples = weatherSamples.map((weatherSample, i) => weatherSample + 2 * Math.sin(i));
  const samples = [
    weatherSamples.map((weatherSample) => weatherSample + 100 + 5 * drawNormal()),
    weatherSamples,
    closeSamples,
    weatherSamples,
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
    const judgementOfLess = judgeMethods(samples, { better: 'less' });
    const negatedSamples = samples.map((values) => values.map((value) => -value));
    const judgementOfMore = judgeMethods(negatedSamples, { better: 'more' });
    expect(judgementOfMore.methods.map(({ behind: differenceBounds }) => differenceBounds)).toEqual(
      judgementOfLess.methods.map(({ behind: differenceBounds }) => differenceBounds),
    );
    expect(judgementOfMore.methods[0].mean).toBe(-judgementOfLess.methods[0].mean);
    expect(judgementOfMore.methods[0].behindObserved).toBe(judgementOfLess.methods[0].behindObserved);
  });

  test('the order of methods does not matter', () => {
    const judgement = judgeMethods(samples, { better: 'less' });
    const turnedJudgement = judgeMethods(samples.toReversed(), { better: 'less' });
    expect(verdictsOf(turnedJudgement).toReversed()).toEqual(verdictsOf(judgement));
    expect(turnedJudgement.methods[3].behind?.low).toBeCloseTo(judgement.methods[0].behind?.low ?? 0, 9);
  });

  test('what is between is undecided, and may be best', () => {
    const noisySamples = [drawMany(30, 1000, 60), drawMany(30, 1000, 60)];
    const judgement = judgeMethods(noisySamples, { better: 'less' });
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
      [weatherSamples, weatherSamples.map((weatherSample) => weatherSample + 1 + 0.1 * drawNormal())],
      {
        better: 'less',
      },
    );
    expect(verdictsOf(judgement)).toEqual(['best', 'best']);
    expect(judgement.methods[1].behind?.low).toBeGreaterThan(0);
    expect(judgement.methods[1].couldBeBest).toBe(false);
  });

  test('identical methods are all the best', () => {
    const judgement = judgeMethods([weatherSamples, weatherSamples, weatherSamples], { better: 'less' });
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
    const firstReplications = (replicationCount: number) =>
      samples.map((values) => values.slice(0, replicationCount));
    expect(judgeMethods(firstReplications(9), { better: 'less' }).isJudged).toBe(false);
    expect(verdictsOf(judgeMethods(firstReplications(10), { better: 'less' }))).toEqual(['best', 'worse']);
    expect(judgeMethods(firstReplications(19), { better: 'less', fewest: 20 }).isJudged).toBe(false);
    expect(judgeMethods(firstReplications(20), { better: 'less', fewest: 20 }).isJudged).toBe(true);
  });

  test('a difference that is the same in every replication has no width, and is reported', () => {
    const samplesOfMethods = drawMany(20, 1000).map(Math.round);
    const judgement = judgeMethods([samplesOfMethods, samplesOfMethods.map((value) => value + 50)], {
      better: 'less',
    });
    expect(verdictsOf(judgement)).toEqual(['best', 'worse']);
    expect(judgement.methods[1].behind).toEqual({ low: 50, high: 50 });
    expect(judgement.fixed).toEqual([[1, 0]]);
    expect(notesOnJudgement(judgement, ['a', 'b'], 'meanWait', {})).toEqual([
      'The difference between b and a is the same in every replication.',
    ]);
    expect(judgeMethods([samplesOfMethods, drawMany(20, 1000)], { better: 'less' }).fixed).toEqual([]);
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
    const nearlyEqualSamples = baseSample.map((value, i) => value + (i === 7 ? 1 : 0));
    const judgement = judgeMethods([baseSample, nearlyEqualSamples], { better: 'less' });
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
    const judgeAfter = (replicationCount: number, judgementBefore?: Judgement) =>
      judgeMethods(
        samples.map((values) => values.slice(0, replicationCount)),
        { better: 'less', limits: 'anytime', before: judgementBefore },
      );
    const firstJudgement = judgeAfter(20);
    const secondJudgement = judgeAfter(30, firstJudgement);
    const judgementWithoutBefore = judgeAfter(30);
    for (const [i, { behind: differenceBounds }] of secondJudgement.methods.entries()) {
      expect(differenceBounds?.low).toBe(
        Math.max(
          firstJudgement.methods[i].behind?.low ?? 0,
          judgementWithoutBefore.methods[i].behind?.low ?? 0,
        ),
      );
      expect(differenceBounds?.high).toBe(
        Math.min(
          firstJudgement.methods[i].behind?.high ?? 0,
          judgementWithoutBefore.methods[i].behind?.high ?? 0,
        ),
      );
    }
    expect(secondJudgement.limits).toBe('anytime');
  });
});

test('looks that contradict each other leave the bounds of the last', () => {
  const samples = [drawMany(40, 1000), drawMany(40, 1000)];
  const judgementBefore = judgeMethods([drawMany(20, 1000), drawMany(20, 2000)], {
    better: 'less',
    limits: 'anytime',
  });
  const judgementWithoutBefore = judgeMethods(samples, { better: 'less', limits: 'anytime' });
  const judgement = judgeMethods(samples, { better: 'less', limits: 'anytime', before: judgementBefore });
  expect(judgement.methods.map(({ behind: differenceBounds }) => differenceBounds)).toEqual(
    judgementWithoutBefore.methods.map(({ behind: differenceBounds }) => differenceBounds),
  );
});

describe('the least difference shown', () => {
  const wildSamples = drawMany(30, 3000, 500);
  const closeSample = drawMany(30, 1000, 30);
  const options = { better: 'less' } as const;

  test('is of what is not told apart, not of a wild method that is surely worse', () => {
    const threeSites = judgeMethods([closeSample, drawMany(30, 1000, 30), wildSamples], options);
    expect(verdictsOf(threeSites)[2]).toBe('worse');
    const { standardDeviation } = threeSites.methods[1 - threeSites.observedBest];
    const errorBound = studentQuantile(0.025, 29) + studentQuantile(0.4, 29);
    expect(threeSites.leastDifference).toBeCloseTo((errorBound * standardDeviation) / Math.sqrt(30), 6);
  });

  test('takes the limits that hold at all looks where there are looks', () => {
    const twoSamples = [closeSample, drawMany(30, 1000, 30)];
    const judgement = judgeMethods(twoSamples, { ...options, limits: 'anytime' });
    const { standardDeviation } = judgement.methods[1 - judgement.observedBest];
    const errorBound = anytimeValidBound(0.05, 30) + studentQuantile(0.4, 29);
    expect(judgement.leastDifference).toBeCloseTo((errorBound * standardDeviation) / Math.sqrt(30), 6);
    expect(
      judgeMethods(
        twoSamples.map((values) => values.slice(0, 10)),
        { ...options, limits: 'anytime', level: 1e-9 },
      ).leastDifference,
    ).toBeNull();
  });

  test('is not said where nothing is judged, or all is told', () => {
    expect(judgeMethods([closeSample, wildSamples], options).leastDifference).toBeNull();
    expect(
      judgeMethods([closeSample.slice(0, 5), closeSample.slice(5, 10)], options).leastDifference,
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
  let shownCount = 0;
  const experimentCount = 400;
  const sqrtOfTwo = Math.sqrt(2);
  const leastDifference = ((studentQuantile(0.05, 24) + studentQuantile(0.4, 24)) * sqrtOfTwo) / 5;
  for (let i = 0; i < experimentCount; i++) {
    const judgement = judgeMethods([drawMany(25, 1000), drawMany(25, 1000 + leastDifference)], {
      better: 'less',
    });
    if ((judgement.methods[1].behind?.low ?? 0) > 0) shownCount++;
  }
  // Resampled limits may be wider than Student's, which reduces power a little.
  expect(shownCount / experimentCount).toBeGreaterThan(0.7);
  expect(shownCount / experimentCount).toBeLessThan(0.88);
});

describe('paired differences', () => {
  test('of a method with itself are exactly 0', () => {
    for (const replicationCount of [2, 9, 40]) {
      const samplesOfMethods = drawMany(replicationCount, 4000, 130);
      expect(pairedDifference(samplesOfMethods, samplesOfMethods)).toEqual({ mean: 0, low: 0, high: 0 });
    }
  });

  test('are far surer than the values, where these go up and down together', () => {
    const weatherSamples = drawMany(40, 5000, 500);
    const worseMethodSamples = weatherSamples.map((weatherSample, i) => weatherSample + 20 + (i % 5));
    const { mean, low, high } = pairedDifference(worseMethodSamples, weatherSamples);
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
  const twentyMethods = Array.from({ length: 20 }, (_, i) => drawMany(1280, i / 10));
  const { user } = process.cpuUsage();
  judgeMethods(twentyMethods, { better: 'less' });
  expect((process.cpuUsage().user - user) / 1e6).toBeLessThan(3);
});
