import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findTraceFilePath } from '../traces.js';
import { makeExampleJob, runReferenceSimulator } from './examples.js';
import type { ReferenceJob, ReferenceOptions } from './simulator/reference.js';

type ExpectedPolicyResult = [policy: string, parameters: Record<string, number | string>, site: number];

describe('situation (a): the job meets an empty queue', () => {
  // 4 processors on idle sites of 4 (speed 1) and 16 (speed 2): best-fit site 0, fastest-first site 1.
  // SH: mean 1.5, (0.25 + 0.25) / 2 = 0.25. SL would be 4 / 20 but counts as low here.
  test.each<ExpectedPolicyResult>([
    ['best-fit', {}, 0],
    ['fastest-first', {}, 1],
    ['first-fit', {}, 0],
    ['worst-fit', {}, 1],
    ['si', {}, 1],
    ['ti', { sht: 0.25, slt: 0 }, 0],
    ['ti', { sht: 0.24, slt: 0 }, 1],
    ['ai', { count: 'prefix' }, 1],
    ['ai2', {}, 1],
    ['tai', { sht: 0.25, slt: 0, count: 'prefix' }, 1],
    ['tai2', { sht: 0.24, slt: 0 }, 1],
  ])('%s %o takes site %i', (policy, parameters, site) => {
    const referenceResult = runReferenceSimulator([makeExampleJob(0, 10, 4)], {
      capacities: [4, 16],
      speeds: [1, 2],
      policy,
      parameters,
    });
    expect(referenceResult.site).toEqual([site]);
  });

  // Idle sites of 16, 4, 1, speeds 2, 2, 1: best-fit site 1, fastest-first site 0 (equal speeds, lower index).
  // SH: mean 5/3, (1/9 + 1/9 + 4/9) / 3 = 0.222.
  test.each<ExpectedPolicyResult>([
    ['ai', { count: 'all' }, 1],
    ['ai2', {}, 1],
    ['si', {}, 0],
    ['tai', { sht: 0.3, slt: 0, count: 'prefix' }, 1],
    ['tai', { sht: 0.2, slt: 0, count: 'prefix' }, 0],
    ['tai2', { sht: 0.3, slt: 0 }, 1],
    ['tai2', { sht: 0.2, slt: 0 }, 0],
  ])('at equal speeds %s %o takes site %i', (policy, parameters, site) => {
    const referenceResult = runReferenceSimulator([makeExampleJob(0, 10, 4)], {
      capacities: [16, 4, 1],
      speeds: [2, 2, 1],
      policy,
      parameters,
    });
    expect(referenceResult.site).toEqual([site]);
  });
});

/**
 * Sites of 4 (speed 1) and 16 processors. Job 0 fills site 1; job 1 (8 processors) fits nowhere and
 * blocks later jobs. When job 0 ends, job 1 can only go to site 1, which leaves 4 and 8 free
 * processors to the later jobs. Returns the site of the first later job.
 */
function simulateSiteOfLastJob(
  jobsBehindFirstTwo: ReferenceJob[],
  speedOfSecondSite: number,
  changes: Pick<ReferenceOptions, 'policy' | 'parameters'> & Partial<ReferenceOptions>,
): number {
  const jobs = [makeExampleJob(0, 10, 16), makeExampleJob(0, 10, 8), ...jobsBehindFirstTwo];
  const referenceResult = runReferenceSimulator(jobs, {
    capacities: [4, 16],
    speeds: [1, speedOfSecondSite],
    ...changes,
  });
  expect(referenceResult.site.slice(0, 2)).toEqual([1, 1]);
  expect(referenceResult.start.slice(0, 3)).toEqual([0, 10 / speedOfSecondSite, 10 / speedOfSecondSite]);
  return referenceResult.site[2]!;
}

describe('situation (b): the job comes from the queue', () => {
  // Followers of 4 and 8, speeds 1 and 2. SL = 12 / 12 = 1, SH = 0.25.
  // 4 on site 0: then 8 on site 1; TNoA 2, TCC 1x4 + 2x8 = 20. 4 on site 1: then nothing; TNoA 1, TCC 2x4 = 8.
  // AI: 2 - 1 - (2 - 1) x 1 = 0, so fastest-first. AI2: 2 x 8 > 1 x 20 is false, so best-fit.
  test.each<ExpectedPolicyResult>([
    ['si', {}, 0],
    ['ti', { sht: 0, slt: 1 }, 1],
    ['ti', { sht: 0, slt: 0.99 }, 0],
    ['ai', { count: 'prefix' }, 1],
    ['ai2', {}, 0],
    // heterogeneity low, loading high: best-fit, unlike AI
    ['tai', { sht: 0.25, slt: 0.99, count: 'prefix' }, 0],
    ['tai', { sht: 0.25, slt: 1, count: 'prefix' }, 1], // both low: AI decides
    ['tai', { sht: 0.24, slt: 0.99, count: 'prefix' }, 1], // both high: AI decides
    ['tai2', { sht: 0.25, slt: 1 }, 0], // both low: AI2 decides
    ['tai2', { sht: 0.24, slt: 0.99 }, 0], // both high: AI2 decides
    // heterogeneity high, loading low: fastest-first, unlike AI2
    ['tai2', { sht: 0.24, slt: 1 }, 1],
  ])('%s %o takes site %i', (policy, parameters, site) => {
    expect(
      simulateSiteOfLastJob([makeExampleJob(0, 10, 4), makeExampleJob(0, 10, 8)], 2, { policy, parameters }),
    ).toBe(site);
  });

  // Followers of 4 and w: TCC_bf = 4 + 2w, and w does not fit once 4 is on site 1, so TCC_ff = 8.
  test.each([
    [6, 0], // 2 x 8 > 1 x 16 is false: best-fit wins a tie
    [5, 1], // 2 x 8 > 1 x 14, so fastest-first
  ])('ai2 compares strictly: a second follower of %i sends the first to site %i', (width, site) => {
    const jobsBehindFirstTwo = [makeExampleJob(0, 10, 4), makeExampleJob(0, 10, width)];
    expect(simulateSiteOfLastJob(jobsBehindFirstTwo, 2, { policy: 'ai2', parameters: {} })).toBe(site);
  });

  // Followers of 4, 16, 8; the 16 fits nowhere. Speeds 1 and 1.5.
  // prefix: TNoA 1 and 1, score 0.5. all: the 8 counts after best-fit only, 2 and 1, score 0.5 - 1 = -0.5.
  test.each<ExpectedPolicyResult>([
    ['ai', { count: 'prefix' }, 1],
    ['ai', { count: 'all' }, 0],
    ['tai', { sht: 1, slt: 10, count: 'prefix' }, 1],
    ['tai', { sht: 1, slt: 10, count: 'all' }, 0],
  ])('%s %o takes site %i when the second of three fits nowhere', (policy, parameters, site) => {
    const jobsBehindFirstTwo = [
      makeExampleJob(0, 10, 4),
      makeExampleJob(0, 10, 16),
      makeExampleJob(0, 10, 8),
    ];
    expect(simulateSiteOfLastJob(jobsBehindFirstTwo, 1.5, { policy, parameters })).toBe(site);
  });

  // Followers of 4 (home 0), 4 and 4 (home 1), speeds 1 and 1.5. With ratio 1 the last two may use site 1 only:
  // TNoA 3 after best-fit, 2 after fastest-first, score 0.5 - 1. Without, 3 and 3, score 0.5.
  test.each([
    [1, 0],
    [0, 1],
  ])('the look-ahead keeps to the speed ratio %i of each follower', (minSpeedRatio, site) => {
    const jobsBehindFirstTwo = [
      makeExampleJob(0, 10, 4, 0),
      makeExampleJob(0, 10, 4, 1),
      makeExampleJob(0, 10, 4, 1),
    ];
    const aiPolicy = { policy: 'ai', parameters: { count: 'prefix' }, minSpeedRatio };
    expect(simulateSiteOfLastJob(jobsBehindFirstTwo, 1.5, aiPolicy)).toBe(site);
  });
});

describe('order of events', () => {
  test('a submit comes before a finish at the same time', () => {
    // One processor: job 1 arrives when job 0 ends. Waiting before each event: 0, 0, 1 (the finish), 0.
    const { metrics: referenceMetrics } = runReferenceSimulator(
      [makeExampleJob(0, 5, 1), makeExampleJob(5, 5, 1)],
      {
        capacities: [1],
      },
    );
    expect(referenceMetrics).toMatchObject({ averageQueueLength: 1 / 4, largestQueue: 1, meanWait: 0 });
  });

  test('batched, the finish comes first and no job is seen waiting', () => {
    const { metrics: referenceMetrics } = runReferenceSimulator(
      [makeExampleJob(0, 5, 1), makeExampleJob(5, 5, 1)],
      {
        capacities: [1],
        instant: 'batched',
      },
    );
    expect(referenceMetrics).toMatchObject({ averageQueueLength: 0, largestQueue: 0, meanWait: 0 });
  });

  // Sites of 4 (speed 1) and 8 (speed 2). Job 0 (8 wide, 10 s) runs on site 1 and job 1 (4 wide, 5 s) on site 0,
  // both to time 5, when job 0's finish comes first.
  const jobsEndingAtFive = [makeExampleJob(0, 10, 8), makeExampleJob(0, 5, 4)];
  const grid = { capacities: [4, 8], speeds: [1, 2], policy: 'si' };

  test('per event the queue is served between two finishes of one instant', () => {
    // Job 2 waits; site 1 alone is free when it is its turn.
    expect(runReferenceSimulator([...jobsEndingAtFive, makeExampleJob(1, 1, 4)], grid).site).toEqual([
      1, 0, 1,
    ]);
  });

  test('batched, both sites are free and a job that waited is in situation (b)', () => {
    expect(
      runReferenceSimulator([...jobsEndingAtFive, makeExampleJob(1, 1, 4)], { ...grid, instant: 'batched' })
        .site,
    ).toEqual([1, 0, 0]);
  });

  test('batched, of the jobs that arrive at that instant only the first is in situation (a)', () => {
    // Job 2 goes fastest-first, then job 3 best-fit: 4 free on each site, lowest index.
    const jobs = [...jobsEndingAtFive, makeExampleJob(5, 1, 4), makeExampleJob(5, 1, 4)];
    expect(runReferenceSimulator(jobs, { ...grid, instant: 'batched' }).site).toEqual([1, 0, 1, 0]);
  });

  test('the head of the queue blocks narrower jobs behind it', () => {
    // 4 processors: job 0 (3) to 10, job 1 (4) 10 to 11, job 2 (1) only then although one is free all along.
    expect(
      runReferenceSimulator([makeExampleJob(0, 10, 3), makeExampleJob(1, 1, 4), makeExampleJob(2, 1, 1)], {
        capacities: [4],
      }).start,
    ).toEqual([0, 10, 11]);
  });

  test('finishes at one time go by job index, jobs of length 0 take their processors until theirs', () => {
    // One processor, three jobs at 0. Before the events: 0, 0, 1 (submits), 2, 1, 0 (finishes of jobs 0, 1, 2).
    const { start, metrics: referenceMetrics } = runReferenceSimulator(
      [makeExampleJob(0, 0, 1), makeExampleJob(0, 0, 1), makeExampleJob(0, 3, 1)],
      { capacities: [1] },
    );
    expect(start).toEqual([0, 0, 0]);
    expect(referenceMetrics).toMatchObject({ averageQueueLength: 4 / 6, largestQueue: 2, meanSlowdown: 1 });
  });
});

describe('placement', () => {
  test('ties go to the lowest index', () => {
    for (const policy of ['best-fit', 'fastest-first', 'first-fit', 'worst-fit', 'si', 'ai2']) {
      expect(
        runReferenceSimulator([makeExampleJob(0, 1, 1)], { capacities: [4, 4, 4], policy }).site,
      ).toEqual([0]);
    }
  });

  test('random draws once per decision with SplitMix64', () => {
    // Seed 0 gives e220a839..., 6e789e6a..., 06c45d18...: of two sites 1, 0, 0.
    const jobs = [makeExampleJob(0, 0, 1), makeExampleJob(1, 0, 1), makeExampleJob(2, 0, 1)];
    const changes = { capacities: [1, 1], policy: 'random', parameters: { seed: 0 } };
    expect(runReferenceSimulator(jobs, changes).site).toEqual([1, 0, 0]);
  });

  test('the speed ratio keeps a job off slower sites, even when they are free', () => {
    const jobs = [makeExampleJob(0, 10, 4, 1), makeExampleJob(0, 10, 4, 1)];
    const grid = { capacities: [4, 4], speeds: [1, 2] };
    expect(runReferenceSimulator(jobs, { ...grid, minSpeedRatio: 1 })).toMatchObject({
      site: [1, 1],
      start: [0, 5],
    });
    expect(runReferenceSimulator(jobs, { ...grid, minSpeedRatio: 0.5 })).toMatchObject({
      site: [0, 1],
      start: [0, 0],
    });
    expect(() => runReferenceSimulator(jobs, { ...grid, minSpeedRatio: 1.5 })).toThrow('job 0');
  });

  test('processors are the lowest-numbered free ones of the site, numbered through the grid', () => {
    // Site 1 has processors 2 to 5. Job 0 holds 2, 3 to time 1, job 1 holds 4 to 9, job 2 then 2, 3, 5.
    const jobs = [makeExampleJob(0, 1, 2, 1), makeExampleJob(0, 9, 1, 1), makeExampleJob(1, 1, 3, 1)];
    const grid = { capacities: [2, 4], speeds: [1, 2], load: [1, 2], minSpeedRatio: 1 };
    expect(runReferenceSimulator(jobs, grid).processors).toEqual([[2, 3], [4], [2, 3, 5]]);
  });

  test('execution time is runtime x load of the home / speed of the site, resolved', () => {
    // 5 x 3 / 2 = 7.5 on the fast site, where home 0 with its load of 3 sends the job.
    const grid = { capacities: [1, 1], speeds: [1, 2], load: [3, 7], policy: 'fastest-first' };
    const simulateExecutionWithResolution = (resolution: ReferenceOptions['resolution']) =>
      runReferenceSimulator([makeExampleJob(0, 5, 1)], { ...grid, resolution }).execution[0];
    expect([
      simulateExecutionWithResolution('exact'),
      simulateExecutionWithResolution('nearest'),
      simulateExecutionWithResolution('floor'),
    ]).toEqual([7.5, 8, 7]);
  });
});

test('measures of four jobs', () => {
  // Sites of 2 (speed 1) and 4 processors (speed 2), best-fit, loads 1 and 3. Job 0: site 0, 0 to
  // 20 s. Job 1: site 1, 10 x 3 / 2 s, 0 to 15 s. Job 2: queued from 5 s, site 1, 15 to 16.5 s. Job
  // 3: site 1 (job 0 ends after this submission), 20 to 20 s. Responses 20, 15, 11.5, 0; weights
  // 40, 60, 4.5, 0; one job waits before the end at 15 s, none at other events.
  const jobs = [
    makeExampleJob(0, 20, 2, 0),
    makeExampleJob(0, 10, 4, 1),
    makeExampleJob(5, 3, 3, 0),
    makeExampleJob(20, 0, 1, 0),
  ];
  const referenceResult = runReferenceSimulator(jobs, { capacities: [2, 4], speeds: [1, 2], load: [1, 3] });
  expect(referenceResult).toMatchObject({
    start: [0, 0, 15, 20],
    execution: [20, 15, 1.5, 0],
    site: [0, 1, 1, 1],
  });
  expect(referenceResult.processors).toEqual([[0, 1], [2, 3, 4, 5], [2, 3, 4], [2]]);
  expect(referenceResult.metrics).toEqual({
    averageResponseTime: 46.5 / 4,
    meanWait: 10 / 4,
    maxWait: 10,
    meanSlowdown: (1 + 1 + 11.5 / 1.5 + 1) / 4,
    meanBoundedSlowdown: (1 + 1 + 1.15 + 1) / 4,
    awrt: (40 * 20 + 60 * 15 + 4.5 * 11.5) / 104.5,
    awwt: (4.5 * 10) / 104.5,
    makespan: 20,
    utilization: 104.5 / 120,
    capacityUtilization: (40 * 1 + 64.5 * 2) / ((2 * 1 + 4 * 2) * 20),
    averageQueueLength: 1 / 8,
    averageQueueLengthOverTime: 10 / 20,
    largestQueue: 1,
    movedJobs: 2,
    lostProcessorSeconds: 0,
    restarts: 0,
    splitJobs: 0,
    scaledDownJobs: 0,
    scaledUpJobs: 0,
    sites: [
      { utilization: 1, jobs: 1 },
      { utilization: 64.5 / 80, jobs: 3 },
    ],
    homes: [
      { jobs: 3, averageResponseTime: 31.5 / 3 },
      { jobs: 1, averageResponseTime: 15 },
    ],
    decisions: { agreed: 0, bestFit: 0, fastestFirst: 0 },
  });
});

// Starts under FCFS as computed by nine public simulators, and under EASY by five, both in order of
// submission.
test.for([
  ['fcfs', 'submit', 34088.523],
  ['easy', 'submit', 1199.154],
  ['easy', 'shortest', 832.834],
] as const)(
  'average wait of synthetic-1000, batched, under %s, %s: %d s',
  ([discipline, order, meanWait], context) => {
    const file = findTraceFilePath('synthetic-1000.swf');
    if (file === undefined && !process.env.CI)
      context.skip('GRIDALLOC_TRACES is not set: no synthetic-1000.swf');
    const jobs = readFileSync(file!, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith(';'))
      .map((line) => line.split(' ').map(Number))
      .map((fields) => makeExampleJob(fields[1]!, fields[3]!, fields[4]!, 0, fields[8]!));
    expect(jobs).toHaveLength(1000);
    const { metrics: referenceMetrics } = runReferenceSimulator(jobs, {
      capacities: [128],
      instant: 'batched',
      discipline,
      order,
    });
    expect(referenceMetrics.meanWait).toBeCloseTo(meanWait, 3);
  },
);
