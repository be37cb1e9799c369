import { describe, expect, test } from 'vitest';
import { makeExampleJob, runReferenceSimulator } from './examples.js';
import type { ReferenceOptions } from './simulator/types.js';

type OptionChanges = Partial<ReferenceOptions>;
type GridChanges = OptionChanges & { capacities: number[] };

const disciplines = ['easy', 'conservative'] as const;

describe('planned jobs that are too wide', () => {
  test.each<[string, OptionChanges, number]>([
    ['the widest site without a factor', {}, 4],
    ['all sites with one', { multiSiteFactor: 1 }, 6],
    ['home at independent sites', { queue: 'independent' }, 2],
  ])('%s', (_, changes, widest) => {
    const grid: GridChanges = { discipline: 'easy', capacities: [2, 4], ...changes };
    expect(runReferenceSimulator([makeExampleJob(0, 1, widest)], grid).start).toEqual([0]);
    expect(() =>
      runReferenceSimulator([makeExampleJob(0, 1, 1), makeExampleJob(0, 1, widest + 1)], grid),
    ).toThrow('job 1');
  });
});

describe('options of the planner', () => {
  const gridOfTwoSites = { capacities: [1, 1] };
  const ones = [
    [1, 1],
    [1, 1],
  ];
  const optionsThatNeedPlans: OptionChanges[] = [
    { select: 'greedy' },
    { multiSiteFactor: 1 },
    { heterogeneity: [1, 1] },
    { runtimeReference: 'home' },
    { bandwidth: ones },
    { interval: 1 },
  ];

  test.each<OptionChanges>([
    { queue: 'per-home' },
    { queue: 'per-home', reclaim: true },
    { multiSite: 'adaptive' },
    { moldable: 'down' },
    { minSpeedRatio: 1 },
    { policy: 'fastest-first' },
    { latency: ones },
    { queue: 'independent', select: 'greedy' },
    { queue: 'independent', multiSiteFactor: 1 },
    { multiSiteFactor: 0.9 },
    { interval: 0 },
    { heterogeneity: [1, 0] },
    { bandwidth: [[1, 0]] },
    { bandwidth: ones, latency: [[0, -1]] },
  ])('easy and conservative with %o', (changes) => {
    for (const discipline of disciplines)
      expect(() =>
        runReferenceSimulator([makeExampleJob(0, 1, 1)], { ...gridOfTwoSites, discipline, ...changes }),
      ).toThrow();
  });

  test.each(optionsThatNeedPlans)('%o without easy or conservative', (changes) => {
    for (const discipline of disciplines)
      expect(
        runReferenceSimulator([makeExampleJob(0, 1, 1)], { ...gridOfTwoSites, discipline, ...changes }).start,
      ).toEqual([0]);
    for (const discipline of ['fcfs', 'first-available', 'sjf'] as const)
      expect(() =>
        runReferenceSimulator([makeExampleJob(0, 1, 1)], { ...gridOfTwoSites, discipline, ...changes }),
      ).toThrow();
  });

  test('optimal selection among the sets of more than 16 sites', () => {
    const gridOfManySites: GridChanges = {
      discipline: 'easy',
      capacities: new Array(17).fill(1),
      select: 'optimal',
    };
    expect(runReferenceSimulator([makeExampleJob(0, 1, 1)], gridOfManySites).start).toEqual([0]);
    expect(() =>
      runReferenceSimulator([makeExampleJob(0, 1, 1)], { ...gridOfManySites, multiSiteFactor: 1 }),
    ).toThrow('greedy');
    expect(
      runReferenceSimulator([makeExampleJob(0, 1, 1)], {
        ...gridOfManySites,
        multiSiteFactor: 1,
        select: 'greedy',
      }).start,
    ).toEqual([0]);
  });
});
