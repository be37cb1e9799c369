import { describe, expect, test } from 'vitest';
import { makeExampleJob, runReferenceSimulator } from './examples.js';
import type { ReferenceOptions } from './simulator/reference.js';

type OptionChanges = Partial<ReferenceOptions>;
type GridOptionChanges = OptionChanges & { capacities: number[] };
type Discipline = NonNullable<ReferenceOptions['discipline']>;
type Queue = NonNullable<ReferenceOptions['queue']>;
type MultiSiteKind = NonNullable<ReferenceOptions['multiSite']>;

describe('disciplines', () => {
  // Job 0 holds all 4 processors until 10 s. Jobs 1 to 4 wait behind it, with widths 3, 1, 4, 1,
  // runtimes 5, 9, 2, 9 and estimates 20, 9, 2, 9 s.
  const waitingJobs = [
    makeExampleJob(1, 5, 3, 0, 20),
    makeExampleJob(1, 9, 1),
    makeExampleJob(1, 2, 4),
    makeExampleJob(1, 9, 1),
  ];
  test.each<[Discipline, number[]]>([
    ['fcfs', [0, 10, 10, 19, 21]], // jobs 1 and 2 start at 10 s; job 3 when job 2 ends; then job 4
    // jobs 2 and 4 start at 10 s; job 1 when job 2 ends at 19 s; then job 3
    ['njf', [0, 19, 10, 24, 10]],
    // job 3 starts at 10 s; jobs 1 and 2 at 12 s; job 4 when job 1 ends
    ['wjf', [0, 12, 12, 10, 17]],
    // job 3 starts at 10 s; jobs 2 and 4 at 12 s; job 1 when job 2 ends
    ['sjf', [0, 21, 12, 10, 12]],
    ['ljf', [0, 10, 10, 24, 15]], // jobs 1 and 2 start at 10 s; job 4 when job 1 ends; then job 3
    // jobs 1 and 2 start at 10 s; job 4 overtakes job 3 when job 1 ends; then job 3
    ['first-available', [0, 10, 10, 24, 15]],
  ])('%s', (discipline, start) => {
    expect(
      runReferenceSimulator([makeExampleJob(0, 10, 4), ...waitingJobs], { capacities: [4], discipline })
        .start,
    ).toEqual(start);
  });

  test.each<[Discipline, number[]]>([
    ['sjf', [0, 0, 11, 10]], // The area 10 x 1 comes before 4 x 3.
    ['ljf', [0, 0, 10, 13]],
  ])('%s goes by the estimate times the load of the home', (discipline, start) => {
    const jobs = [
      makeExampleJob(0, 10, 1),
      makeExampleJob(0, 20, 1),
      makeExampleJob(1, 1, 1, 1, 4),
      makeExampleJob(1, 1, 1, 0, 10),
    ];
    expect(runReferenceSimulator(jobs, { capacities: [1, 1], load: [1, 3], discipline }).start).toEqual(
      start,
    );
  });

  test.each<[Discipline, number[]]>([
    ['fcfs', [0, 10, 11]],
    ['njf', [0, 10, 2]],
    ['first-available', [0, 10, 2]],
  ])('%s, when a narrow job comes while a wide one waits', (discipline, start) => {
    const jobs = [makeExampleJob(0, 10, 3), makeExampleJob(1, 1, 4), makeExampleJob(2, 1, 1)];
    expect(runReferenceSimulator(jobs, { capacities: [4], discipline }).start).toEqual(start);
  });

  // At 10 s, sites of 4 (speed 1) and 16 processors (speed 1.5) have 4 and 15 free; jobs of 16, 4
  // and 15 processors wait. The policy decides on the second job. AI: the job of 15 can start next
  // only after best-fit: 0.5 - (2 - 1) x 1. SL = 35 / 19.
  test.each<[string, Record<string, number | string>, number]>([
    ['ai', { count: 'prefix' }, 0],
    ['ti', { sht: 1, slt: 1.5 }, 0],
    ['ti', { sht: 1, slt: 2 }, 1],
  ])(
    'first-available: %s %o looks behind the job and loads with the whole queue',
    (policy, parameters, site) => {
      const holdingJobs = [makeExampleJob(0, 15, 15), makeExampleJob(0, 150, 1), makeExampleJob(0, 10, 4)];
      const referenceResult = runReferenceSimulator(
        [...holdingJobs, makeExampleJob(1, 1, 16), makeExampleJob(1, 1, 4), makeExampleJob(1, 1, 15)],
        {
          ...{ capacities: [4, 16], speeds: [1, 1.5], policy, parameters },
          ...{ discipline: 'first-available', instant: 'batched' },
        },
      );
      expect(referenceResult.start[4]).toBe(10);
      expect(referenceResult.site).toEqual([1, 1, 0, 1, site, 1]);
    },
  );
});

describe('independent sites', () => {
  test('every site runs its own jobs; the measures are of all together', () => {
    // Site 0: job 0 until 20 s, job 2 from 20 to 23 s, counted as waiting before one event. Site 1:
    // job 1 (10 x 3 / 2 s), then job 3.
    const jobs = [
      makeExampleJob(0, 20, 2, 0),
      makeExampleJob(0, 10, 4, 1),
      makeExampleJob(5, 3, 2, 0),
      makeExampleJob(20, 0, 1, 1),
    ];
    const referenceResult = runReferenceSimulator(jobs, {
      capacities: [2, 4],
      speeds: [1, 2],
      load: [1, 3],
      queue: 'independent',
    });
    expect(referenceResult).toMatchObject({
      start: [0, 0, 20, 20],
      execution: [20, 15, 3, 0],
      site: [0, 1, 0, 1],
    });
    expect(referenceResult.processors).toEqual([[0, 1], [2, 3, 4, 5], [0, 1], [2]]);
    expect(referenceResult.metrics).toMatchObject({
      averageResponseTime: (20 + 15 + 18 + 0) / 4,
      makespan: 23,
      averageQueueLength: 1 / 8,
      averageQueueLengthOverTime: 15 / 23,
      largestQueue: 1,
      movedJobs: 0,
      sites: [
        { utilization: 1, jobs: 2 },
        { utilization: 60 / 92, jobs: 2 },
      ],
      homes: [
        { jobs: 2, averageResponseTime: 19 },
        { jobs: 2, averageResponseTime: 7.5 },
      ],
    });
  });

  test('a job may be no wider than its home', () => {
    expect(() =>
      runReferenceSimulator([makeExampleJob(0, 1, 3)], { capacities: [2, 4], queue: 'independent' }),
    ).toThrow('job 0');
  });
});

describe('per-home queues', () => {
  test('a blocked head blocks only its own queue', () => {
    // Job 1 needs site 0. Job 2 of home 1 runs from 2 to 3 s. Job 3 waits behind job 1, although
    // site 1 is free.
    const jobs = [
      makeExampleJob(0, 10, 4, 0),
      makeExampleJob(1, 10, 4, 0),
      makeExampleJob(2, 1, 2, 1),
      makeExampleJob(4, 1, 1, 0),
    ];
    const { start, metrics: referenceMetrics } = runReferenceSimulator(jobs, {
      capacities: [4, 2],
      queue: 'per-home',
    });
    expect(start).toEqual([0, 10, 2, 10]);
    // Waiting jobs before the events at 0, 1, 2, 3, 4, 10, 11 and 20 s.
    expect(referenceMetrics).toMatchObject({
      averageQueueLength: (0 + 0 + 1 + 1 + 1 + 2 + 0 + 0) / 8,
      largestQueue: 2,
    });
  });

  test('the sweep starts at the first site, whichever job came first', () => {
    const jobs = [
      makeExampleJob(0, 10, 1),
      makeExampleJob(0, 20, 1),
      makeExampleJob(1, 1, 1, 1),
      makeExampleJob(2, 3, 1, 0),
    ];
    expect(runReferenceSimulator(jobs, { capacities: [1, 1], queue: 'per-home' }).start).toEqual([
      0, 0, 13, 10,
    ]);
    expect(runReferenceSimulator(jobs, { capacities: [1, 1] }).start).toEqual([0, 0, 10, 11]);
  });

  test.each<[Queue, number]>([
    ['per-home', 1],
    ['shared', 0],
  ])('%s: a job meets an empty queue when its own queue is empty', (queue, site) => {
    // Site 1 (8 processors, speed 2) has 7 free, so job 1 of home 0 waits. Job 2 under SI:
    // fastest-first in situation (a), best-fit in (b).
    const jobs = [makeExampleJob(0, 100, 1, 0), makeExampleJob(1, 1, 8, 0), makeExampleJob(2, 1, 4, 1)];
    const grid: GridOptionChanges = { capacities: [4, 8], speeds: [1, 2], policy: 'si', discipline: 'njf' };
    expect(runReferenceSimulator(jobs, { ...grid, queue }).site).toEqual([1, 1, site]);
  });

  test.each<[Queue, number]>([
    ['per-home', 1],
    ['shared', 0],
  ])('%s: the loading is that of the own queue', (queue, site) => {
    // At 2 s, two narrow jobs of home 1 arrive; the second is in situation (b). System loading of
    // its queue: 1 / 10; of the grid: 9 / 10.
    const jobs = [
      makeExampleJob(0, 100, 1, 0),
      makeExampleJob(1, 1, 8, 0),
      makeExampleJob(2, 1, 1, 1),
      makeExampleJob(2, 1, 1, 1),
    ];
    const tiPolicy = { policy: 'ti', parameters: { sht: 0.1, slt: 0.5 } };
    const grid: GridOptionChanges = {
      capacities: [4, 8],
      speeds: [1, 2],
      discipline: 'njf',
      instant: 'batched',
    };
    // The first job is in situation (a) with queues per home and goes to the fastest site; with a
    // shared queue it is in (b), too, and goes to the best fit.
    expect(runReferenceSimulator(jobs, { ...grid, ...tiPolicy, queue }).site).toEqual([1, 1, site, site]);
  });
});

const reclaimingOptions: OptionChanges = { queue: 'per-home', reclaim: true, policy: 'first-fit' };

describe('reclaiming', () => {
  test('a guest is stopped and loses its work; everything is counted', () => {
    // Job 0 is a guest at site 0. Job 2 preempts it at 5 s; it restarts when job 2 ends, and runs
    // from 15 to 115 s.
    const jobs = [makeExampleJob(0, 100, 4, 1), makeExampleJob(1, 100, 4, 1), makeExampleJob(5, 10, 2, 0)];
    const referenceResult = runReferenceSimulator(jobs, { capacities: [4, 4], ...reclaimingOptions });
    expect(referenceResult).toMatchObject({ start: [15, 1, 5], site: [0, 1, 0], stops: [1, 0, 0] });
    expect(referenceResult.metrics).toMatchObject({
      averageResponseTime: (115 + 100 + 10) / 3,
      maxWait: 15,
      averageQueueLength: 1 / 6,
      averageQueueLengthOverTime: (15 - 5) / 115,
      restarts: 1,
      lostProcessorSeconds: 20,
      makespan: 115,
      utilization: (400 + 20 + 20 + 400) / (8 * 115),
      sites: [
        { utilization: (400 + 20 + 20) / 460, jobs: 2 },
        { utilization: 400 / 460, jobs: 1 },
      ],
    });
  });

  // Guests of 2 processors at site 0 since 0, 1 and 1 s; the last job may use no other site.
  // Preempted jobs restart at site 1 in the same pass, since their queue is served later.
  test.each([
    [2, [0, 1, 5, 5]], // of the two latest jobs, the one with the larger index is preempted
    [3, [0, 5, 5, 5]],
    [4, [0, 5, 5, 5]],
    [5, [5, 5, 5, 5]],
  ])('%i processors: the latest are stopped first, and no more than needed', (processors, start) => {
    const jobsRunningAwayFromHome = [
      makeExampleJob(0, 90, 2, 1),
      makeExampleJob(1, 90, 2, 1),
      makeExampleJob(1, 90, 2, 1),
    ];
    const grid = { capacities: [6, 6], speeds: [2, 1], minSpeedRatio: 1 };
    const referenceResult = runReferenceSimulator(
      [...jobsRunningAwayFromHome, makeExampleJob(5, 1, processors, 0)],
      {
        ...grid,
        ...reclaimingOptions,
      },
    );
    expect(referenceResult.start).toEqual(start);
  });

  test('latest is by the start, not by the submit', () => {
    // Job 1 waits until 2 s for job 0's processors, job 2 overtakes it at 1 s. Job 3 preempts only
    // job 1.
    const jobs = [
      makeExampleJob(0, 2, 3, 0),
      makeExampleJob(0, 50, 2, 1),
      makeExampleJob(1, 50, 1, 1),
      makeExampleJob(5, 10, 3, 0),
    ];
    const referenceResult = runReferenceSimulator(jobs, {
      capacities: [4, 1],
      ...reclaimingOptions,
      discipline: 'njf',
    });
    expect(referenceResult).toMatchObject({ start: [0, 15, 1, 5], stops: [0, 1, 0, 0] });
  });

  test('a site that the ratio excludes does not spare the guest', () => {
    const jobs = [makeExampleJob(0, 10, 4, 1), makeExampleJob(1, 10, 4, 0)];
    const grid = { capacities: [4, 4], speeds: [2, 1], ...reclaimingOptions };
    expect(runReferenceSimulator(jobs, { ...grid, minSpeedRatio: 1 })).toMatchObject({
      start: [1, 1],
      site: [1, 0],
      stops: [1, 0],
    });
    expect(runReferenceSimulator(jobs, grid)).toMatchObject({ start: [0, 1], site: [0, 1], stops: [0, 0] });
  });

  test('no job is stopped when that would not free enough processors', () => {
    // Site 0 has a guest until 8 s and a home job until 10 s, 2 processors each; the next job needs
    // 3.
    const jobs = [makeExampleJob(0, 8, 2, 1), makeExampleJob(0, 10, 2, 0), makeExampleJob(1, 1, 3, 0)];
    const referenceResult = runReferenceSimulator(jobs, { capacities: [4, 1], ...reclaimingOptions });
    expect(referenceResult).toMatchObject({ start: [0, 0, 10], stops: [0, 0, 0] });
  });

  test('a queue is visited once in a sweep: a job stopped after its own queue waits for the next event', () => {
    // Job 0 of home 0 is a guest at the fast site 1 until job 1 preempts it at 5 s; site 0 is free,
    // but it restarts at 7 s.
    const jobs = [makeExampleJob(0, 100, 4, 0), makeExampleJob(5, 10, 4, 1), makeExampleJob(7, 1, 1, 1)];
    const referenceResult = runReferenceSimulator(jobs, {
      ...{ capacities: [4, 4], speeds: [1, 2], ...reclaimingOptions },
      ...{ policy: 'fastest-first', minSpeedRatio: 1 },
    });
    expect(referenceResult).toMatchObject({ start: [7, 5, 10], site: [0, 1, 1], stops: [1, 0, 0] });
  });

  test('a stopped job comes back to its old place in the queue', () => {
    // Job 0 is a guest at site 0, job 1 runs at its home site 1, and job 2 waits. Job 3 preempts
    // job 0, which becomes first in the queue again.
    const jobs = [
      makeExampleJob(0, 50, 2, 1),
      makeExampleJob(0, 20, 2, 1),
      makeExampleJob(1, 5, 2, 1),
      makeExampleJob(3, 5, 2, 0),
    ];
    expect(runReferenceSimulator(jobs, { capacities: [2, 2], ...reclaimingOptions }).start).toEqual([
      8, 0, 20, 3,
    ]);
  });

  test.each<[ReferenceOptions['instant'], number[], number]>([
    ['per-event', [6, 0, 5], 5],
    ['batched', [0, 0, 5], 0],
  ])('%s: a guest at its very end', (instant, start, expectedLostSeconds) => {
    const jobs = [makeExampleJob(0, 5, 1, 1), makeExampleJob(0, 20, 1, 1), makeExampleJob(5, 1, 1, 0)];
    const referenceResult = runReferenceSimulator(jobs, {
      capacities: [1, 1],
      ...reclaimingOptions,
      instant,
    });
    expect(referenceResult.start).toEqual(start);
    expect(referenceResult.metrics.lostProcessorSeconds).toBe(expectedLostSeconds);
  });

  test('a head may start at home though the ratio excludes it, and is no decision of the allocator', () => {
    const referenceResult = runReferenceSimulator([makeExampleJob(0, 1, 1, 0), makeExampleJob(0, 1, 1, 0)], {
      ...{ capacities: [2, 2], ...reclaimingOptions, policy: 'si', minSpeedRatio: 1.5 },
    });
    expect(referenceResult).toMatchObject({ start: [0, 0], site: [0, 0] });
    expect(referenceResult.metrics.decisions).toEqual({ agreed: 0, bestFit: 0, fastestFirst: 0 });
  });
});

describe('multi-site execution', () => {
  const grid = { capacities: [4, 6, 5], speeds: [1, 2, 4], multiSiteOverhead: 0.5 };

  test.each<[MultiSiteKind, number, [number, number][], number]>([
    ['larger-first', 12, [[1, 6], [2, 5], [0, 1]], 15], // biome-ignore format: parts on one line
    ['faster-first', 12, [[2, 5], [1, 6], [0, 1]], 15], // biome-ignore format: parts on one line
    ['larger-first', 9, [[1, 6], [2, 3]], 7.5], // biome-ignore format: parts on one line
    ['faster-first', 9, [[2, 5], [1, 4]], 7.5], // biome-ignore format: parts on one line
    ['larger-first', 6, [[1, 6]], 5], // the job fits on a single site, so there is no overhead
  ])('%s, %i processors', (multiSite, processors, parts, execution) => {
    const referenceResult = runReferenceSimulator([makeExampleJob(0, 10, processors)], {
      ...grid,
      multiSite,
    });
    expect(referenceResult.parts).toEqual([parts.map(([site, taken]) => ({ site, processors: taken }))]);
    expect(referenceResult).toMatchObject({ start: [0], execution: [execution], site: [parts[0]![0]] });
  });

  test('a split job in the measures', () => {
    const referenceResult = runReferenceSimulator([makeExampleJob(0, 10, 9)], {
      ...grid,
      multiSite: 'larger-first',
      policy: 'si',
    });
    expect(referenceResult.processors).toEqual([[4, 5, 6, 7, 8, 9, 10, 11, 12]]);
    expect(referenceResult.metrics).toMatchObject({
      averageResponseTime: 7.5,
      awrt: 7.5,
      utilization: (9 * 7.5) / (15 * 7.5),
      movedJobs: 1,
      splitJobs: 1,
      sites: [
        { utilization: 0, jobs: 0 },
        { utilization: 1, jobs: 1 },
        { utilization: 0.6, jobs: 1 },
      ],
      decisions: { agreed: 0, bestFit: 0, fastestFirst: 0 },
    });
  });

  test('processors are listed in the order of the parts', () => {
    const referenceResult = runReferenceSimulator([makeExampleJob(0, 10, 12)], {
      ...grid,
      multiSite: 'larger-first',
    });
    expect(referenceResult.processors).toEqual([[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0]]);
  });

  test('a job with a part at home and one elsewhere counts as moved', () => {
    const { metrics: referenceMetrics } = runReferenceSimulator([makeExampleJob(0, 10, 9, 1)], {
      ...grid,
      multiSite: 'larger-first',
    });
    expect(referenceMetrics.movedJobs).toBe(1);
  });

  test.each(['larger-first', 'faster-first', 'adaptive'] as const)(
    '%s: ties go to the lowest index',
    (multiSite) => {
      expect(
        runReferenceSimulator([makeExampleJob(0, 1, 5)], { capacities: [3, 3, 3], multiSite }).parts,
      ).toEqual([
        [
          { site: 0, processors: 3 },
          { site: 1, processors: 2 },
        ],
      ]);
    },
  );

  test('full sites give nothing, and a job waits while all together are not enough', () => {
    // Job 0 fills the fastest site (speed 4) until 2.5 s. A job of 11 processors finds only 10 free
    // and waits, a job of 10 takes them.
    const makeJobs = (processorsOfWideJob: number) => [
      makeExampleJob(0, 10, 5),
      makeExampleJob(1, 10, processorsOfWideJob),
    ];
    const changes: GridOptionChanges = { ...grid, policy: 'fastest-first', multiSite: 'faster-first' };
    expect(runReferenceSimulator(makeJobs(11), changes).start).toEqual([0, 2.5]);
    const referenceResult = runReferenceSimulator(makeJobs(10), changes);
    expect(referenceResult.start).toEqual([0, 1]);
    expect(referenceResult.parts[1]).toEqual([
      { site: 1, processors: 6 },
      { site: 0, processors: 4 },
    ]);
  });

  test('execution: overhead, runtime, load, slowest speed, in this order, then resolved', () => {
    const changes = { capacities: [2, 2], speeds: [0.7, 1.3], load: [1.3, 1], multiSiteOverhead: 0.1 };
    const simulateWithResolution = (resolution: ReferenceOptions['resolution']) =>
      runReferenceSimulator([makeExampleJob(0, 3.7, 3)], {
        ...changes,
        multiSite: 'faster-first',
        resolution,
      }).execution[0]!;
    // ((1.1 x 3.7) x 1.3) / 0.7; other orders of operation give ...305.
    expect(simulateWithResolution('exact')).toBe(7.55857142857143);
    expect([simulateWithResolution('nearest'), simulateWithResolution('floor')]).toEqual([8, 7]);
  });

  test('a split may land on one site that the ratio excludes, and pays the overhead', () => {
    const changes = { capacities: [2, 8], speeds: [2, 1], minSpeedRatio: 1, multiSiteOverhead: 0.5 };
    const referenceResult = runReferenceSimulator([makeExampleJob(0, 10, 4)], {
      ...changes,
      multiSite: 'larger-first',
    });
    expect(referenceResult).toMatchObject({ parts: [[{ site: 1, processors: 4 }]], execution: [15] });
    expect(referenceResult.metrics).toMatchObject({ splitJobs: 0, movedJobs: 1 });
    expect(
      runReferenceSimulator([makeExampleJob(0, 10, 10)], { ...changes, multiSite: 'adaptive' }).start,
    ).toEqual([0]);
    expect(() =>
      runReferenceSimulator([makeExampleJob(0, 10, 11)], { ...changes, multiSite: 'adaptive' }),
    ).toThrow('job 0');
    expect(() => runReferenceSimulator([makeExampleJob(0, 10, 4)], changes)).toThrow('job 0');
  });

  // A job of 8 processors, with 6, 5, 4 free. Larger-first takes 6 + 2 and leaves 0, 3, 4.
  // Faster-first takes 4 + 4 and leaves 6, 1, 0.
  const largerParts = [
    { site: 0, processors: 6 },
    { site: 1, processors: 2 },
  ];
  const fasterParts = [
    { site: 2, processors: 4 },
    { site: 1, processors: 4 },
  ];
  const gridOfThreeSites: GridOptionChanges = {
    capacities: [6, 5, 4],
    speeds: [1, 2, 3],
    multiSite: 'adaptive',
    instant: 'batched',
  };

  test.each([
    ['6: only faster-first leaves room', [6], fasterParts],
    ['3 and 4: two of them after larger-first, one after faster-first', [3, 4], largerParts],
    ['nobody: the slowest site of faster-first is faster', [], fasterParts],
    ['7, 3 and 4: stops at the 7, a tie', [7, 3, 4], fasterParts],
    ['3, 4, 1 and 1: after faster-first stops at the 4', [3, 4, 1, 1], largerParts],
  ])('adaptive, behind the job %s', (_, widths, parts) => {
    const jobsBehindFirst = widths.map((width) => makeExampleJob(0, 1, width));
    expect(
      runReferenceSimulator([makeExampleJob(0, 1, 8), ...jobsBehindFirst], gridOfThreeSites).parts[0],
    ).toEqual(parts);
  });

  test('adaptive: with equal slowest sites too it is larger-first', () => {
    expect(
      runReferenceSimulator([makeExampleJob(0, 1, 8)], { ...gridOfThreeSites, speeds: [1, 1, 3] }).parts[0],
    ).toEqual(largerParts);
  });

  test.each([
    [1, largerParts], // the waiting job of home 2 may use only site 2
    [0, fasterParts],
  ])('adaptive: each follower has its own speed ratio %d', (minSpeedRatio, parts) => {
    expect(
      runReferenceSimulator([makeExampleJob(0, 1, 8), makeExampleJob(0, 1, 4, 2)], {
        ...gridOfThreeSites,
        minSpeedRatio,
      }).parts[0],
    ).toEqual(parts);
  });

  test.each<[Queue, unknown]>([
    ['shared', largerParts],
    ['per-home', fasterParts],
  ])('adaptive: the followers are those of the %s queue', (queue, parts) => {
    expect(
      runReferenceSimulator(
        [makeExampleJob(0, 1, 8), makeExampleJob(0, 1, 3, 1), makeExampleJob(0, 1, 4, 1)],
        { ...gridOfThreeSites, queue },
      ).parts[0],
    ).toEqual(parts);
  });

  test('adaptive under first-available: the followers are those behind the job', () => {
    // Job 0 holds one of 7 processors at site 0, so that job 1, as wide as the grid, waits at the
    // head.
    const jobs = [
      makeExampleJob(0, 100, 1),
      makeExampleJob(1, 1, 16),
      makeExampleJob(2, 1, 8),
      makeExampleJob(2, 1, 3),
      makeExampleJob(2, 1, 4),
    ];
    const changes: GridOptionChanges = {
      ...gridOfThreeSites,
      capacities: [7, 5, 4],
      policy: 'first-fit',
      discipline: 'first-available',
    };
    expect(runReferenceSimulator(jobs, changes).parts[2]).toEqual(largerParts);
  });
});

test.each<[string, OptionChanges]>([
  ['reclaiming with a shared queue', { reclaim: true }],
  ['reclaiming with independent sites', { reclaim: true, queue: 'independent' }],
  ['reclaiming with multi-site execution', { reclaim: true, queue: 'per-home', multiSite: 'adaptive' }],
  ['first-available with per-home queues', { queue: 'per-home', discipline: 'first-available' }],
  ['a negative overhead', { multiSite: 'adaptive', multiSiteOverhead: -0.1 }],
])('%s is refused', (_, changes) => {
  expect(() => runReferenceSimulator([makeExampleJob(0, 1, 1)], { capacities: [1], ...changes })).toThrow();
});
