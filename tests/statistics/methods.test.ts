import { describe, expect, test } from 'vitest';
import { mersenneTwister } from '../../host/math/mersenneTwister.js';
import { normalDraws } from '../../host/math/variates.js';
import { looksUpTo } from '../../host/statistics/looks.js';
import { holm, judgeMethods, pairedDifference } from '../../host/statistics/methods.js';

const normal = normalDraws(mersenneTwister([3]));
const draws = (count: number, mean: number, deviation = 1) =>
  Array.from({ length: count }, () => mean + deviation * normal());

describe('paired differences', () => {
  test('of a policy with itself are exactly 0', () => {
    for (const count of [2, 9, 40]) {
      const values = draws(count, 4000, 130);
      expect(pairedDifference(values, values)).toMatchObject({ mean: 0, low: 0, high: 0, p: 1 });
    }
  });

  test('are far surer than the values, where these go up and down together', () => {
    const weather = draws(40, 5000, 500);
    const worse = weather.map((value, i) => value + 20 + (i % 5));
    const { mean, low, high, p } = pairedDifference(worse, weather);
    expect(mean).toBeCloseTo(22, 8);
    expect(high - low).toBeLessThan(2);
    expect(p).toBeLessThan(0.002);
  });

  test('that are the same in every replication are certain', () => {
    const values = draws(20, 0);
    const shifted = values.map((value) => Math.round(value * 1024) / 1024);
    const more = shifted.map((value) => value + 1);
    expect(pairedDifference(more, shifted)).toMatchObject({ mean: 1, low: 1, high: 1, p: 0 });
  });
});

describe('methods side by side', () => {
  const base = draws(60, 1000, 100);
  const samples = [
    base.map((value) => value + 100),
    base,
    base.map((value, i) => value + 3 * Math.sin(i)),
    base,
  ];

  test('the best, what cannot be told apart from it, and by how many replications it could', () => {
    const judged = judgeMethods(samples, { better: 'less' });
    expect(judged.map(({ isBest }) => isBest).filter(Boolean)).toHaveLength(1);
    expect(judged[0].isDistinguishable).toBe(true);
    expect(judged.filter(({ isDistinguishable }) => isDistinguishable === false)).toHaveLength(2);
    expect(judged.find(({ isBest }) => isBest)?.isDistinguishable).toBeNull();
    const best = judged.findIndex(({ isBest }) => isBest);
    const needed = judged[best === 2 ? 1 : 2].replicationsNeeded as number;
    expect(needed).toBeGreaterThan(60);
    expect(judgeMethods(samples, { better: 'more' })[0].isBest).toBe(true);
  });

  test('methods that are best together share the replication', () => {
    const judged = judgeMethods(samples, { better: 'less' });
    expect(judged[1].bestIn).toBe(judged[3].bestIn);
    expect(judged.reduce((sum, { bestIn }) => sum + bestIn, 0)).toBeCloseTo(1, 12);
  });

  test('methods of equal means: the first is best, the same has no difference', () => {
    const [first, second] = judgeMethods([base, base], { better: 'less' });
    expect(first).toMatchObject({ isBest: true, isDistinguishable: null, bestIn: 0.5 });
    expect(second).toMatchObject({ isBest: false, isDistinguishable: false, replicationsNeeded: null });
    expect(second.difference).toMatchObject({ mean: 0, low: 0, high: 0 });
  });

  test('two methods that are alike are told apart in about 5 % of experiments, looked at once or again and again', () => {
    const rate = (isWrong: (samples: number[][]) => boolean) => {
      const experiments = Array.from({ length: 250 }, () => [draws(40, 0), draws(40, 0)]);
      return experiments.filter(isWrong).length / experiments.length;
    };
    const tells = (given: number[][], level = 0.05) =>
      judgeMethods(given, { better: 'less', level }).some(
        ({ isDistinguishable }) => isDistinguishable === true,
      );
    expect(rate((given) => tells(given))).toBeLessThan(0.09);
    const looks = looksUpTo(40);
    const first = (given: number[][], count: number) => given.map((values) => values.slice(0, count));
    expect(
      rate((given) => looks.some(({ replications, level }) => tells(first(given, replications), level))),
    ).toBeLessThan(0.09);
  });

  test('of eight that are alike the best is chosen by looking, so that more are told apart from it', () => {
    const experiments = Array.from({ length: 200 }, () => Array.from({ length: 8 }, () => draws(40, 0)));
    const wrong = experiments.filter((eight) =>
      judgeMethods(eight, { better: 'less' }).some(({ isDistinguishable }) => isDistinguishable === true),
    );
    expect(wrong.length / experiments.length).toBeGreaterThan(0.05);
    expect(wrong.length / experiments.length).toBeLessThan(0.2);
  });

  test('eight methods of 100 replications are judged in a moment', () => {
    const eight = Array.from({ length: 8 }, (_, i) => draws(100, i / 10));
    const begin = performance.now();
    judgeMethods(eight, { better: 'less' });
    expect(performance.now() - begin).toBeLessThan(2000);
  });
});

test("Holm's correction goes on to the first that fails", () => {
  expect(holm([0.01, 0.04, 0.03], 0.05)).toEqual([true, false, false]);
  expect(holm([0.04, 0.01, 0.02], 0.05)).toEqual([true, true, true]);
  expect(holm([], 0.05)).toEqual([]);
});

test('looks: 20, 40, 80, ... and the end; together they spend 5 %', () => {
  expect(looksUpTo(100).map(({ replications }) => replications)).toEqual([20, 40, 80, 100]);
  expect(looksUpTo(20).map(({ replications }) => replications)).toEqual([20]);
  for (const most of [5, 20, 21, 100, 640]) {
    const looks = looksUpTo(most);
    expect(looks.reduce((sum, { level }) => sum + level, 0)).toBeCloseTo(0.05, 15);
    expect(looks.at(-1)?.replications).toBe(most);
  }
  expect(looksUpTo(640)[1]).toEqual(looksUpTo(100)[1]);
});
