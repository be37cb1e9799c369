import { describe, expect, test } from 'vitest';
import { makeExampleJob, runReferenceSimulator } from './examples.js';
import type { ReferenceOptions } from './simulator/reference.js';
import { speedUpOnProcessors } from './simulator/speedUp.js';

type OptionChanges = Partial<ReferenceOptions>;
type GridOptionChanges = OptionChanges & { capacities: number[] };

const oneSiteGrid: GridOptionChanges = { capacities: [4], moldable: 'down' };

describe('scaling down without a threshold', () => {
  // Job 0 holds 3 of 4 processors until 10 s. Job 1 (3 processors, 6 s) runs on the remaining one,
  // for 6 x 3 / 1 s.
  test('a job takes all that is free when that is less than it asks for', () => {
    const referenceResult = runReferenceSimulator(
      [makeExampleJob(0, 10, 3), makeExampleJob(1, 6, 3)],
      oneSiteGrid,
    );
    expect(referenceResult).toMatchObject({ start: [0, 1], execution: [10, 18], held: [3, 1] });
    expect(referenceResult.parts[1]).toEqual([{ site: 0, processors: 1 }]);
    expect(referenceResult.processors).toEqual([[0, 1, 2], [3]]);
  });

  test('it waits while nothing is free, and then takes what there is', () => {
    const referenceResult = runReferenceSimulator(
      [makeExampleJob(0, 10, 3), makeExampleJob(0, 20, 1), makeExampleJob(1, 6, 4)],
      oneSiteGrid,
    );
    expect(referenceResult).toMatchObject({ start: [0, 0, 10], execution: [10, 20, 8], held: [3, 1, 3] });
  });

  test('no job passes the head', () => {
    // Job 1 scales down to the last processor; jobs 2 and 3 wait, and job 2 gets its full width.
    const referenceResult = runReferenceSimulator(
      [makeExampleJob(0, 10, 3), makeExampleJob(1, 6, 3), makeExampleJob(2, 5, 2), makeExampleJob(2, 5, 2)],
      oneSiteGrid,
    );
    expect(referenceResult).toMatchObject({ start: [0, 1, 10, 10], held: [3, 1, 2, 1] });
  });

  test('a job is never too wide', () => {
    const referenceResult = runReferenceSimulator([makeExampleJob(0, 10, 6)], oneSiteGrid);
    expect(referenceResult).toMatchObject({ start: [0], execution: [15], held: [4] });
    expect(
      runReferenceSimulator([makeExampleJob(0, 10, 100)], { ...oneSiteGrid, capacities: [1, 3] }),
    ).toMatchObject({ held: [3], site: [1] });
    expect(() => runReferenceSimulator([makeExampleJob(0, 10, 6)], { capacities: [4] })).toThrow('job 0');
  });
});

describe('scaling down with a threshold', () => {
  // Job 0 holds 3 of 4 processors until 10 s. Job 1 (2 processors, 10 s) on the last one: Tsd = 20.
  // Submitted at 0 s, To = 10 + 10; at 1 s, To = 19.
  test.each([
    [0, 1, 0, 1], // scaled down: Tsd = 20 <= To = 20
    [1, 1, 10, 2], // waits: Tsd = 20 > To = 19
    [1, 1.06, 1, 1], // scaled down: Tsd = 20 <= x To = 20.14
    [0, 0.99, 10, 2],
  ])('submit %d, threshold %d: start %d on %i', (submit, moldableThreshold, start, heldProcessorCount) => {
    const referenceResult = runReferenceSimulator([makeExampleJob(0, 10, 3), makeExampleJob(submit, 10, 2)], {
      ...oneSiteGrid,
      moldableThreshold,
    });
    expect(referenceResult).toMatchObject({ start: [0, start], held: [3, heldProcessorCount] });
  });

  // Job 0 holds 2 processors until 10 s, job 1 one until 3 s. Job 2 (4 processors, 10 s): at 1 s
  // Tsd = 40, To = 9 + 10; at 3 s Tsd = 20, To = 17.
  test.each([
    [2.2, 1, 1, 40], // scaled down: Tsd = 40 <= x To = 41.8
    [2.1, 3, 2, 20], // waits at 1 s (40 > 39.9), scaled down at 3 s (20 <= 35.7)
    [1.2, 3, 2, 20], // scaled down at 3 s: Tsd = 20 <= x To = 20.4
    [1.1, 10, 4, 10], // waits at 3 s: Tsd = 20 > x To = 18.7
  ])(
    'a waiting job decides again at a finish: threshold %d',
    (moldableThreshold, start, heldProcessorCount, execution) => {
      const jobs = [makeExampleJob(0, 10, 2), makeExampleJob(0, 3, 1), makeExampleJob(1, 10, 4)];
      const referenceResult = runReferenceSimulator(jobs, { ...oneSiteGrid, moldableThreshold });
      expect(referenceResult.start[2]).toBe(start);
      expect(referenceResult.held[2]).toBe(heldProcessorCount);
      expect(referenceResult.execution[2]).toBe(execution);
    },
  );

  // Three jobs hold one processor each, until 20, 9 and 5 s; one is free. Job 3 (3 processors, 10
  // s): Tsd = 30; enough are free at 9 s, so To = 19. At 5 s two are free: Tsd = 15, To = 4 + 10.
  test.each([
    [1.6, 0, 1], // scaled down: Tsd = 30 <= x To = 30.4
    [1.5, 5, 2], // waits at 0 s (30 > 28.5), scaled down at 5 s (15 <= 21)
    [1.05, 9, 3], // waits at 5 s: Tsd = 15 > x To = 14.7
  ])(
    'the running jobs are taken in the order of their ends: threshold %d',
    (x, start, heldProcessorCount) => {
      const jobs = [
        makeExampleJob(0, 20, 1),
        makeExampleJob(0, 9, 1),
        makeExampleJob(0, 5, 1),
        makeExampleJob(0, 10, 3),
      ];
      const referenceResult = runReferenceSimulator(jobs, { ...oneSiteGrid, moldableThreshold: x });
      expect([referenceResult.start[3], referenceResult.held[3]]).toEqual([start, heldProcessorCount]);
    },
  );

  // Job 0 holds 3 of 4 processors; estimated to end at 5 s, it ends at 100 s. Job 1 (2 processors,
  // estimated 10 s): Tsd = 20.
  test.each([
    [4, 1.9, 4], // To = 1 + 10, scaled down: Tsd = 20 <= x To = 20.9
    [8, 1.9, 100], // overdue job, To = 10, waits: Tsd = 20 > x To = 19
    [8, 2, 8], // scaled down: Tsd = 20 <= x To = 20
  ])('submit %i, threshold %d: an overdue job ends now', (submit, moldableThreshold, start) => {
    const jobs = [makeExampleJob(0, 100, 3, 0, 5), makeExampleJob(submit, 1, 2, 0, 10)];
    expect(runReferenceSimulator(jobs, { ...oneSiteGrid, moldableThreshold }).start).toEqual([0, start]);
  });

  // Job 1 (4 processors, 10 s) runs on 2 from 0 to 20 s; when job 0 ends at 10 s, two are free. Job
  // 2 (4 processors, e s) arrives at 11 s: Tsd = 2e, To = 9 + e, so 2e <= 13.5 + 1.5e.
  test.each([
    [27, 11, 2],
    [28, 20, 4],
  ])(
    'the predicted end of a scaled job follows from the processors it holds: estimate %i',
    (estimate, start, heldProcessorCount) => {
      const jobs = [
        makeExampleJob(0, 10, 2),
        makeExampleJob(0, 10, 4),
        makeExampleJob(11, 1, 4, 0, estimate),
      ];
      const referenceResult = runReferenceSimulator(jobs, { ...oneSiteGrid, moldableThreshold: 1.5 });
      expect(referenceResult).toMatchObject({ start: [0, 0, start], held: [2, 2, heldProcessorCount] });
    },
  );

  // Speed 2: job 0 runs 7 / 2 s, rounded down to 3. Job 1 (2 processors, 8 s): Tsd = 8, To = 3.5 +
  // 4; with rounding, 3 + 4 would be too little.
  test('predictions are not resolved', () => {
    const changes: OptionChanges = { speeds: [2], resolution: 'floor', moldableThreshold: 1.07 };
    const referenceResult = runReferenceSimulator([makeExampleJob(0, 7, 3), makeExampleJob(0, 8, 2)], {
      ...oneSiteGrid,
      ...changes,
    });
    expect(referenceResult).toMatchObject({ start: [0, 0], execution: [3, 8] });
  });

  // Homes with loads 3 and 1, speed 2. Job 0 of home 1 runs until 5 s; job 1 of home 0 (2
  // processors, 2 s): length 3, Tsd = 6, To = 5 + 3; without the load, 2 and 6.
  test.each([
    [0.75, 0], // scaled down: Tsd = 6 <= x To = 6
    [0.74, 5],
  ])('predictions count the load of the home: threshold %d', (moldableThreshold, start) => {
    const grid: GridOptionChanges = { capacities: [4, 1], speeds: [2, 1], load: [3, 1], moldable: 'down' };
    const jobs = [makeExampleJob(0, 10, 3, 1), makeExampleJob(0, 100, 1, 1), makeExampleJob(0, 2, 2, 0)];
    expect(runReferenceSimulator(jobs, { ...grid, moldableThreshold }).start).toEqual([0, 0, start]);
  });

  // Of 4 processors, one is held until 10 s and one until 5 s. Job 2 needs 6 for 10 s: Tsd = 30;
  // the whole site is free at 10 s, To = 10 + 15. At 5 s three are free: Tsd = 20, To = 5 + 15.
  test.each([
    [1.2, 0, 2, 30], // scaled down: Tsd = 30 <= x To = 30
    [1.1, 5, 3, 20],
    // at 10 s the site is completely free, so there is no comparison, although 15 > 0.9 x 15
    [0.9, 10, 4, 15],
  ])('a job wider than the site, threshold %d', (moldableThreshold, start, heldProcessorCount, execution) => {
    const jobs = [makeExampleJob(0, 10, 1), makeExampleJob(0, 5, 1), makeExampleJob(0, 10, 6)];
    const referenceResult = runReferenceSimulator(jobs, { ...oneSiteGrid, moldableThreshold });
    expect(referenceResult).toMatchObject({
      start: [0, 0, start],
      held: [1, 1, heldProcessorCount],
      execution: [10, 5, execution],
    });
  });
});

describe('scaling up', () => {
  const gridWithScalingUp: GridOptionChanges = { capacities: [4], moldable: 'up-down' };

  test('a job with none behind it takes all that is free', () => {
    // Job 0 holds all 4 processors until 2.5 s. Job 1 waits alone, then holds all 4, from 2.5 to 4
    // s.
    const referenceResult = runReferenceSimulator(
      [makeExampleJob(0, 10, 1), makeExampleJob(0, 3, 2)],
      gridWithScalingUp,
    );
    expect(referenceResult).toMatchObject({ start: [0, 2.5], execution: [2.5, 1.5], held: [4, 4] });
    expect(referenceResult.processors).toEqual([
      [0, 1, 2, 3],
      [0, 1, 2, 3],
    ]);
  });

  test('it takes no more than it asks for when another waits behind it', () => {
    // All jobs wait for job 0's 4 processors. At 10 s job 1 gets one of them, job 2 its two, job 3
    // the last.
    const jobs = [
      makeExampleJob(0, 10, 4),
      makeExampleJob(1, 6, 1),
      makeExampleJob(1, 6, 2),
      makeExampleJob(1, 6, 3),
    ];
    expect(runReferenceSimulator(jobs, gridWithScalingUp)).toMatchObject({
      start: [0, 10, 10, 10],
      held: [4, 1, 2, 1],
    });
    // Without job 3, job 2 waits alone.
    expect(runReferenceSimulator(jobs.slice(0, 3), gridWithScalingUp)).toMatchObject({
      start: [0, 10, 10],
      held: [4, 1, 3],
    });
  });

  test('batched, jobs of the same instant are behind it', () => {
    const referenceResult = runReferenceSimulator([makeExampleJob(0, 10, 1), makeExampleJob(0, 3, 2)], {
      ...gridWithScalingUp,
      instant: 'batched',
    });
    expect(referenceResult).toMatchObject({ start: [0, 0], execution: [10, 2], held: [1, 3] });
  });

  test('down never scales up', () => {
    expect(runReferenceSimulator([makeExampleJob(0, 10, 1)], oneSiteGrid)).toMatchObject({
      held: [1],
      execution: [10],
    });
  });

  // Job 1 (2 processors, 10 s) on the one processor that job 0 leaves: Tsd = 20, To = 10 + 10.
  test.each([
    [1, 0, 1, 20],
    [0.99, 10, 4, 5],
  ])(
    'scaling up scales down as well: threshold %d',
    (moldableThreshold, start, heldProcessorCount, execution) => {
      const changes: OptionChanges = { moldableThreshold, instant: 'batched' };
      const referenceResult = runReferenceSimulator([makeExampleJob(0, 10, 3), makeExampleJob(0, 10, 2)], {
        ...gridWithScalingUp,
        ...changes,
      });
      expect(referenceResult).toMatchObject({
        start: [0, start],
        held: [3, heldProcessorCount],
        execution: [10, execution],
      });
    },
  );
});

describe('on a grid', () => {
  // A job of 4 processors with home speed 2. Differences by demand: |14 - 16|, |5 - 4|, |4 - 1|;
  // free processors: 14, 5, 4; by power: |7 - 8|, |10 - 8|, |32 - 8|. With home speed 8, by demand:
  // |14 - 64|, |5 - 16|, |4 - 4|; by power: |7 - 32|, |10 - 32|, |32 - 32|.
  test.each([
    [undefined, 1, 1],
    ['demand', 1, 1],
    ['processors', 1, 2],
    ['power', 1, 0],
    ['demand', 2, 2],
    ['power', 2, 2],
  ] as const)('a job that finds all it asks for goes by %s from home %i', (moldableFit, home, site) => {
    const grid: GridOptionChanges = { capacities: [14, 5, 4], speeds: [0.5, 2, 8], moldable: 'down' };
    const referenceResult = runReferenceSimulator([makeExampleJob(0, 8, 4, home)], {
      ...grid,
      ...(moldableFit && { moldableFit }),
    });
    expect(referenceResult).toMatchObject({ site: [site], held: [4] });
  });

  test.each(['demand', 'processors', 'power'] as const)('%s: ties go to the lowest index', (moldableFit) => {
    const tiedSites: GridOptionChanges = { capacities: [1, 3, 3, 3], moldable: 'down', moldableFit };
    expect(runReferenceSimulator([makeExampleJob(0, 8, 2, 3)], tiedSites).site).toEqual([1]);
  });

  test('a job that does not goes where most free power is', () => {
    // Job 0 fits only site 0 and leaves 3 processors of speed 1; sites 1 and 2 have 4 of speed 2
    // and 8 of speed 0.5. The job takes 10 x 10 / (4 x 2) s.
    const grid: GridOptionChanges = { capacities: [8, 4, 7], speeds: [1, 2, 0.5], moldable: 'down' };
    const referenceResult = runReferenceSimulator(
      [makeExampleJob(0, 30, 8), makeExampleJob(0, 10, 10)],
      grid,
    );
    expect(referenceResult).toMatchObject({ site: [0, 1], held: [8, 4], execution: [30, 12.5] });
  });

  test('equal powers: the lowest index', () => {
    const referenceResult = runReferenceSimulator([makeExampleJob(0, 10, 10)], {
      capacities: [2, 8, 4],
      speeds: [1, 1, 2],
      moldable: 'down',
    });
    expect(referenceResult).toMatchObject({ site: [1], held: [8], execution: [12.5] });
  });

  // Job 0 holds 3 of 4 processors at the fast site until 10 s, 1 x 3 > 2 x 1. Job 1 (4 processors,
  // 12 s): Tsd = 16, To = 10 + 4.
  test.each([
    [1.2, 0, 1],
    [1, 10, 4], // the other site is completely free
  ])('the threshold %d is checked at that site alone', (moldableThreshold, start, heldProcessorCount) => {
    const grid: GridOptionChanges = { capacities: [2, 4], speeds: [1, 3], moldable: 'down' };
    const referenceResult = runReferenceSimulator([makeExampleJob(0, 30, 3), makeExampleJob(0, 12, 4)], {
      ...grid,
      moldableThreshold,
    });
    expect(referenceResult).toMatchObject({ start: [0, start], site: [1, 1], held: [3, heldProcessorCount] });
  });

  // Job 0 fills site 0 until 1 s, job 1 holds 3 of 4 processors at site 1 until 10 s. Job 2 (3
  // processors, 10 s) there: Tsd = 30, To = 20.
  test.each([
    [1.5, 0, 1, 1],
    [1.4, 1, 0, 3], // enough processors are free at site 0 at 1 s
  ])(
    'only jobs that run at the site count for its wait: threshold %d',
    (x, start, site, heldProcessorCount) => {
      const grid: GridOptionChanges = { capacities: [3, 4], moldable: 'down', moldableThreshold: x };
      const referenceResult = runReferenceSimulator(
        [makeExampleJob(0, 1, 3), makeExampleJob(0, 10, 3), makeExampleJob(0, 10, 3)],
        grid,
      );
      expect(referenceResult).toMatchObject({
        start: [0, 0, start],
        site: [0, 1, site],
        held: [3, 3, heldProcessorCount],
      });
    },
  );
});

describe('execution', () => {
  test('runtime, load and speed-ups in this order, then resolved', () => {
    const site: GridOptionChanges = {
      capacities: [3],
      speeds: [0.6],
      load: [1.3],
      moldable: 'down',
    };
    const executionWithResolution = (resolution: ReferenceOptions['resolution']) =>
      runReferenceSimulator([makeExampleJob(0, 2.9, 7)], { ...site, resolution }).execution[0];
    // ((2.9 x 1.3) x 7) / (3 x 0.6); other orders of operation give ...111.
    expect(executionWithResolution('exact')).toBe(14.661111111111113);
    expect([executionWithResolution('nearest'), executionWithResolution('floor')]).toEqual([15, 14]);
  });

  test('a job that is not scaled goes by the same formula', () => {
    const site = { capacities: [3], speeds: [0.7] };
    expect(
      runReferenceSimulator([makeExampleJob(0, 3.7, 3)], { ...site, moldable: 'down' }).execution,
    ).toEqual([5.285714285714287]);
    expect(runReferenceSimulator([makeExampleJob(0, 3.7, 3)], site).execution).toEqual([5.2857142857142865]);
  });
});

describe('speed-up', () => {
  test.each([
    [4, 0, 3, 3],
    [4, 0, 9, 4],
    [4, 1, 1, 1],
    [4, 1, 2, 8 / 4.5], // speedup on 2 processors: 4 x 2 / (4 + 1 / 2)
    [4, 1, 4, 16 / 5.5],
    [4, 1, 6, 24 / 6.5], // speedup on 6 processors: 4 x 6 / (3.5 + 6 / 2)
    [4, 1, 7, 4], // speedup on 7 processors: 28 / (3.5 + 3.5)
    [4, 1, 8, 4],
    [4, 0.5, 5, 20 / 5.5], // speedup on 5 processors: 4 x 5 / (0.5 x 3.5 + 5 x 0.75)
    [4, 2, 5, 3], // speedup on 5 processors: 5 x 4 x 3 / (2 x 8 + 4)
    [4, 2, 10, 4], // speedup on 10 processors: 10 x 4 x 3 / (2 x 13 + 4)
    [4, 2, 11, 4],
    [1, 0.5, 7, 1],
    [1, 2, 7, 1],
  ])('A = %d, sigma = %d, %i processors', (A, downeySigma, n, times) => {
    expect(speedUpOnProcessors(n, { A, sigma: downeySigma })).toBe(times);
    expect(speedUpOnProcessors(n, undefined)).toBe(n);
  });

  test('in executions', () => {
    // Speedups S(5) = 3, S(10) = 4: 30 s on 10 processors are 40 s on 5, and on 20 still 30 s.
    const changes: OptionChanges = { speedup: { A: 4, sigma: 2 } };
    expect(
      runReferenceSimulator([makeExampleJob(0, 30, 10)], { capacities: [5], moldable: 'down', ...changes })
        .execution,
    ).toEqual([40]);
    expect(
      runReferenceSimulator([makeExampleJob(0, 30, 10)], {
        capacities: [20],
        moldable: 'up-down',
        ...changes,
      }),
    ).toMatchObject({
      ...{ execution: [30], held: [20] },
    });
  });

  // Job 0 holds 2 of 4 processors until 5 s. Job 1 (4 processors, 11 s): To = 5 + 11. Tsd = 11 x
  // (16 / 5.5) / (8 / 4.5) = 18; with a linear speedup 22.
  test.each([
    [{ A: 4, sigma: 1 }, 0],
    [undefined, 5],
  ])('in predictions: %o', (speedup, start) => {
    const referenceResult = runReferenceSimulator([makeExampleJob(0, 5, 2), makeExampleJob(0, 11, 4)], {
      ...oneSiteGrid,
      moldableThreshold: 1.2,
      speedup,
    });
    expect(referenceResult.start).toEqual([0, start]);
  });
});

test('measures', () => {
  // Job 0 (1 processor, 10 s) holds 4 until 2.5 s. Job 1 (6 processors, 2 s) waits from 1 s, and
  // holds 4 from 2.5 to 5.5 s.
  const referenceResult = runReferenceSimulator([makeExampleJob(0, 10, 1), makeExampleJob(1, 2, 6)], {
    capacities: [4],
    moldable: 'up-down',
  });
  expect(referenceResult).toMatchObject({
    start: [0, 2.5],
    execution: [2.5, 3],
    held: [4, 4],
    stops: [0, 0],
  });
  expect(referenceResult.metrics).toMatchObject({
    averageResponseTime: (2.5 + 4.5) / 2,
    awrt: (10 * 2.5 + 12 * 4.5) / 22,
    awwt: (12 * 1.5) / 22,
    makespan: 5.5,
    utilization: 1,
    capacityUtilization: 1,
    averageQueueLength: 1 / 4,
    scaledDownJobs: 1,
    scaledUpJobs: 1,
    splitJobs: 0,
    sites: [{ utilization: 1, jobs: 2 }],
    decisions: { agreed: 0, bestFit: 0, fastestFirst: 0 },
  });
});

test('a job that is not moldable holds what it asks for, wherever it is', () => {
  const referenceResult = runReferenceSimulator([makeExampleJob(0, 10, 5), makeExampleJob(0, 10, 1)], {
    capacities: [2, 4],
    multiSite: 'larger-first',
  });
  expect(referenceResult.held).toEqual([5, 1]);
  expect(referenceResult.metrics).toMatchObject({ scaledDownJobs: 0, scaledUpJobs: 0 });
});

test.each<[string, OptionChanges]>([
  ['a plan', { discipline: 'easy' }],
  ['first-available', { discipline: 'first-available' }],
  ['per-home queues', { queue: 'per-home' }],
  ['independent sites', { queue: 'independent' }],
  ['reclaiming', { queue: 'per-home', reclaim: true }],
  ['multi-site execution', { multiSite: 'adaptive' }],
  ['a speed ratio', { minSpeedRatio: 0.5 }],
  ['an allocator', { policy: 'fastest-first' }],
  ['scaling up on a grid', { moldable: 'up-down' }],
  ['a threshold of 0', { moldableThreshold: 0 }],
  ['a threshold that is no number', { moldableThreshold: Number.NaN }],
  ['an average parallelism below 1', { speedup: { A: 0.9, sigma: 1 } }],
  ['a negative variance', { speedup: { A: 2, sigma: -0.1 } }],
])('moldable jobs with %s are refused', (_, changes) => {
  const grid: GridOptionChanges = { capacities: [1, 1], moldable: 'down' };
  expect(() => runReferenceSimulator([makeExampleJob(0, 1, 1)], { ...grid, ...changes })).toThrow();
  expect(runReferenceSimulator([makeExampleJob(0, 1, 1)], { ...grid, moldableThreshold: 1 }).start).toEqual([
    0,
  ]);
});
