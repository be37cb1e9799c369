import { describe, expect, test } from 'vitest';
import { makeMersenneTwister, makeNormalSampler } from '../../host/math/random.js';
import { selectBest } from '../../host/statistics/judging.js';
import { chooseRandomCaseCount } from '../cases.js';

const EXPERIMENT_COUNT = chooseRandomCaseCount(200);
const FIRST_SELECTION_REPLICATIONS = 20;

/**
 * Selects among methods with normal values and common noise until one is left; returns its index
 * and the number of replications used.
 */
function select(
  meanValues: readonly number[],
  standardDeviations: readonly number[],
  delta: number,
  seed: number,
) {
  const drawNormal = makeNormalSampler(makeMersenneTwister([seed]));
  const samples: number[][] = meanValues.map(() => []);
  const addReplication = () => {
    const commonNoiseValue = drawNormal();
    for (const [i, values] of samples.entries())
      values.push(
        meanValues[i] + commonNoiseValue + standardDeviations[i % standardDeviations.length] * drawNormal(),
      );
  };
  for (let r = 0; r < FIRST_SELECTION_REPLICATIONS; r++) addReplication();
  for (;;) {
    const selection = selectBest(samples, { better: 'less', delta, first: FIRST_SELECTION_REPLICATIONS });
    if (selection.left.length === 1) return { best: selection.left[0], replications: samples[0].length };
    for (let r = 0; r < 10; r++) addReplication();
  }
}

describe('the best of methods by Kim and Nelson', () => {
  const INDIFFERENCE_DELTA = 0.4;
  const cases: [title: string, means: number[], deviations: number[]][] = [
    ['one of 8 by delta', [0, ...Array(7).fill(INDIFFERENCE_DELTA)], [1]],
    ['one of 20 by delta', [0, ...Array(19).fill(INDIFFERENCE_DELTA)], [1]],
    ['one of 2 by delta', [0, INDIFFERENCE_DELTA], [1]],
    ['one of 8 by delta, unequal spread', [0, ...Array(7).fill(INDIFFERENCE_DELTA)], [1.5, 0.3, 1]],
    ['8 spread by delta', Array.from({ length: 8 }, (_, i) => i * INDIFFERENCE_DELTA), [1]],
  ];

  test.each(cases)(
    'is selected as often as promised: %s',
    (_, meanValues, standardDeviations) => {
      let right = 0;
      for (let experiment = 0; experiment < EXPERIMENT_COUNT; experiment++)
        right += Number(
          select(meanValues, standardDeviations, INDIFFERENCE_DELTA, 1000 + experiment).best === 0,
        );
      expect(right / EXPERIMENT_COUNT).toBeGreaterThanOrEqual(
        0.95 - 3 * Math.sqrt((0.05 * 0.95) / EXPERIMENT_COUNT),
      );
    },
    120_000,
  );

  test('takes few replications where one is far ahead, and ends where all are equal', () => {
    expect(select([0, 10, 10], [1], INDIFFERENCE_DELTA, 1).replications).toBe(FIRST_SELECTION_REPLICATIONS);
    expect(select([0, 0, 0, 0], [1], INDIFFERENCE_DELTA, 2).replications).toBeLessThan(600);
    const replicationValues = Array.from({ length: 30 }, (_, i) => i % 7);
    expect(
      selectBest([replicationValues, replicationValues], {
        better: 'less',
        delta: 1,
        first: FIRST_SELECTION_REPLICATIONS,
      }).left,
    ).toEqual([0]);
  });

  test('more is better where that is said; a method left out needs no more values', () => {
    const noise = Array.from({ length: 40 }, (_, i) => Math.sin(i * i));
    const samples = [
      noise.map((x) => x + 9),
      noise.map((x, i) => x * Math.cos(i) + 20),
      noise.map((x) => 19.9 - x),
    ];
    const options = { better: 'more', delta: 0.1, first: FIRST_SELECTION_REPLICATIONS } as const;
    const selectionFromAllReplications = selectBest(samples, options);
    const samplesUsedBySelection = samples.map((values, i) =>
      values.slice(0, selectionFromAllReplications.replications[i]),
    );
    expect(selectionFromAllReplications.left).not.toContain(0);
    expect(selectionFromAllReplications.replications[0]).toBe(FIRST_SELECTION_REPLICATIONS);
    expect(selectBest(samplesUsedBySelection, options)).toEqual({
      ...selectionFromAllReplications,
      replications: expect.anything(),
    });
  });
});
