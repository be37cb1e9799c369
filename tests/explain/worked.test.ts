import { describe, expect, test } from 'vitest';
import { explainShortJobs, type ShortJobTuple } from './explainCase.js';

/** Explanations of small cases computed by hand. */

describe('first come, first served', () => {
  // Job 2 (twice as fast) ends at 3.5 s; job 3 waits for site 1 until 10 s, jobs 4 and 5 wait for
  // job 3 until 17.5 s.
  const jobs: ShortJobTuple[] = [
    [0, 10, 3],
    [1, 5, 2],
    [2, 7.5, 4],
    [4, 5, 4],
    [4, 5, 2],
  ];
  const grid = { capacities: [4, 2], speeds: [1, 2] };

  test('the head waits for room', () => {
    const { waits, wait, sites } = explainShortJobs(jobs, 3, grid);
    expect({ wait, sites }).toEqual({ wait: 8, sites: [{ site: 1, processors: 4 }] });
    expect(waits).toMatchObject([
      {
        from: 2,
        until: 10,
        queue: { jobs: 0, processors: 0 },
        started: { before: 0, cameLater: 0, behind: 0 },
        blocked: [{ job: '3', isItself: true, processors: 4, from: 2, until: 10, lacked: 3, passes: 2 }],
        headSince: 2,
        secondsWithRoom: 0,
        freed: [{ time: 10, job: '1', site: 1, processors: 3, free: 4, isStopped: false }],
        trigger: [{ job: '1' }],
        free: {
          time: [2, 3.5, 10],
          sites: [
            [1, 1, 4],
            [0, 2, 2],
          ],
        },
        decision: { time: 10, rule: 'only-site' },
      },
    ]);
  });

  test('the job waits behind others, then as head', () => {
    const [wait] = explainShortJobs(jobs, 4, grid).waits;
    expect(wait).toMatchObject({
      queue: { jobs: 1, processors: 4, head: { job: '3', processors: 4, lacks: 2 } },
      started: { before: 1, cameLater: 0, behind: 0 },
      blocked: [
        { job: '3', isItself: false, from: 4, until: 10, lacked: 2 },
        { job: '4', isItself: true, from: 10, until: 17.5, lacked: 2, passes: 1 },
      ],
      headSince: 10,
      secondsWithRoom: 0,
    });
  });

  test('free processors that the job may not take before its turn', () => {
    const [wait] = explainShortJobs(jobs, 5, grid).waits;
    expect(wait).toMatchObject({
      queue: { jobs: 2, processors: 8 },
      headSince: 17.5,
      secondsWithRoom: 13.5,
      startedWith: ['4'],
      freed: [],
      trigger: [{ time: 17.5, job: '3', site: 1, processors: 4, free: 4 }],
      decision: {
        sites: [
          { site: 1, free: 0, left: -2, fits: false, taken: 0 },
          { site: 2, free: 2, left: 0, fits: true, taken: 2 },
        ],
      },
    });
  });

  test('a site that is too slow for its home does not count', () => {
    const [wait] = explainShortJobs([[0, 1, 1, 2]], 1, { ...grid, minSpeedRatio: 1 }).waits;
    expect(wait.decision.sites.map(({ isCandidate, taken }) => [isCandidate, taken])).toEqual([
      [false, 0],
      [true, 1],
    ]);
  });

  test('of equal sites the order of the queue decides: the narrowest first', () => {
    const narrowJobs: ShortJobTuple[] = [
      [0, 10, 4],
      [1, 10, 4],
      [2, 5, 2],
      [3, 1, 1],
    ];
    const [wait] = explainShortJobs(narrowJobs, 2, { capacities: [4], discipline: 'njf' }).waits;
    // Job 2 is the head of the queue until job 3 arrives. Jobs 3 and 4 start at 10 s and end at 11
    // and 15 s.
    expect(wait).toMatchObject({
      started: { before: 2, cameLater: 2, behind: 0 },
      blocked: [
        { job: '2', isItself: true, from: 1, until: 2, lacked: 4 },
        { job: '3', isItself: false, from: 2, until: 3, lacked: 2 },
        { job: '4', isItself: false, from: 3, until: 10, lacked: 1 },
        // Job 4 releases too few processors at 11 s for job 2, so that no pass examines job 2 then.
        { job: '2', isItself: true, from: 10, until: 15, lacked: 3, passes: 1 },
      ],
      headSince: 10,
    });
  });
});

describe('the methods of Shih et al. 2010', () => {
  // Both sites (4 processors of speed 1, 8 of speed 3) are full until 10 s, when job 3 is the head
  // and job 4 is behind it.
  const jobs: ShortJobTuple[] = [
    [0, 30, 8],
    [0, 10, 4],
    [1, 6, 2],
    [2, 6, 8],
  ];
  const grid = { capacities: [4, 8], speeds: [1, 3], instant: 'batched' as const };
  const explainDecisionOfThirdJob = (policy: string, parameters = {}) => {
    const { sites, waits } = explainShortJobs(jobs, 3, { ...grid, policy, parameters });
    return { site: sites[0].site, ...waits[0].decision };
  };

  test('ai2 compares capacities: 3 x 6 is not above 1 x 26', () => {
    expect(explainDecisionOfThirdJob('ai2')).toMatchObject({
      site: 1,
      rule: 'capacity-placed',
      comparison: {
        bestFit: 1,
        fastestFirst: 2,
        situation: 'b',
        capacity: { bestFit: 26, fastestFirst: 6, bestFitProduct: 26, fastestFirstProduct: 18 },
      },
    });
  });

  test('ai compares jobs: 3 - 1 - (2 - 1) x 1 is not below 0', () => {
    expect(explainDecisionOfThirdJob('ai')).toMatchObject({
      site: 2,
      rule: 'jobs-placed',
      comparison: { jobs: { bestFit: 2, fastestFirst: 1, score: 1 } },
    });
  });

  test('ti looks at SL = 10 / 12', () => {
    const loading = { waiting: 10, free: 12, value: 10 / 12 };
    expect(explainDecisionOfThirdJob('ti')).toMatchObject({
      site: 2,
      rule: 'loading',
      comparison: { loading },
    });
    expect(explainDecisionOfThirdJob('ti', { slt: 0.5 })).toMatchObject({
      site: 1,
      rule: 'loading',
      comparison: { loading },
    });
  });

  test('tai and tai2 look at both signals, and further where these do not settle it', () => {
    const heterogeneity = { value: 1, threshold: 0.05 };
    expect(explainDecisionOfThirdJob('tai')).toMatchObject({
      site: 2,
      rule: 'thresholds',
      comparison: { heterogeneity },
    });
    expect(explainDecisionOfThirdJob('tai2', { slt: 0.5 })).toMatchObject({
      site: 1,
      rule: 'capacity-placed',
    });
  });

  test.each([
    ['si', 'situation'],
    ['ti', 'heterogeneity'],
    ['ai', 'speeds'],
    ['ai2', 'speeds'],
    ['tai', 'thresholds'],
  ])('%s in situation (a): %s', (policy, rule) => {
    const { waits, sites } = explainShortJobs([[0, 3, 2]], 1, { ...grid, policy });
    expect(sites).toEqual([{ site: 2, processors: 2 }]);
    expect(waits[0].decision).toMatchObject({ rule, comparison: { situation: 'a' } });
  });

  test('best-fit alone', () => {
    expect(explainDecisionOfThirdJob('best-fit')).toMatchObject({ site: 1, rule: 'policy' });
    expect(explainDecisionOfThirdJob('best-fit').comparison).toBeUndefined();
  });
});

describe('backfilling', () => {
  // Job 2 is reserved for 12 s, the predicted end of job 1, which ends at 10 s.
  const jobs: ShortJobTuple[] = [
    [0, 10, 3, 1, 12],
    [1, 5, 4],
    [2, 20, 1],
    [3, 2, 1],
  ];
  const easyGrid = { capacities: [4], discipline: 'easy' as const };

  test('easy on one site: the job would delay the head', () => {
    const { start, waits } = explainShortJobs(jobs, 3, easyGrid);
    expect(start).toBe(15);
    expect(waits[0]).toMatchObject({
      delays: [{ head: '2', passes: 2, time: 2, until: 5, end: 25, headStart: 12, beside: 0 }],
      reservations: [
        { job: '2', isItself: false, from: 2, until: 5, start: 12, end: 17 },
        { job: '3', isItself: true, from: 10, until: 10, start: 15, end: 35 },
      ],
      started: { before: 1, behind: 1 },
      secondsWithRoom: 6,
      decision: { rule: 'room' },
    });
  });

  test('easy on one site: the job ends before the head starts', () => {
    const [wait] = explainShortJobs(jobs, 4, easyGrid).waits;
    expect(wait).toMatchObject({
      from: 3,
      until: 3,
      decision: { rule: 'backfilled', beside: { head: '2', end: 5, headStart: 12, beside: 0 } },
    });
  });

  test('easy on two sites: what was planned and not kept', () => {
    // Site 1 is full until 10 s, site 2 until 50 s; job 4 has all of site 1 reserved from 50 to 55
    // s. So for its 60 s, job 5 fits only on site 2, from 50 s on. When job 2 ends and job 3 would
    // end, job 5 is first and has a reservation.
    const jobsWithFiveAndSixQueued: ShortJobTuple[] = [
      [0, 10, 4, 1, 12],
      [0, 50, 1],
      [0, 50, 1],
      [1, 5, 5],
      [2, 60, 1],
    ];
    const [wait] = explainShortJobs(jobsWithFiveAndSixQueued, 5, {
      capacities: [5, 1],
      discipline: 'easy',
    }).waits;
    expect(wait).toMatchObject({
      until: 50,
      blocked: [{ job: '5', isItself: true, from: 2, lacked: 1, passes: 2 }],
      planned: { start: 50, end: 110, passes: 1, from: 10, until: 10 },
      reservations: [
        { job: '4', isItself: false, from: 2, until: 10, start: 50, end: 55 },
        { job: '5', isItself: true, from: 50, start: 51, end: 111, sites: [{ site: 2, processors: 1 }] },
      ],
      decision: { time: 50, rule: 'planned' },
    });
  });

  test('conservative on two sites: a reservation, and a job that ends earlier than predicted', () => {
    const twoJobs: ShortJobTuple[] = [
      [0, 10, 4, 1, 20],
      [0, 40, 4],
    ];
    const { waits } = explainShortJobs(twoJobs, 2, {
      capacities: [4, 4],
      speeds: [1, 2],
      discipline: 'conservative',
    });
    expect(waits[0]).toMatchObject({
      until: 5,
      reservations: [{ job: '2', isItself: true, from: 0, start: 10, end: 30, causes: [] }],
      trigger: [{ job: '1', site: 2, predictedEnd: 10 }],
      decision: {
        time: 5,
        rule: 'planned',
        candidates: [
          { sites: [{ site: 1, processors: 4 }], start: 5, end: 45, isChosen: false },
          { sites: [{ site: 2, processors: 4 }], start: 5, end: 25, isChosen: true },
        ],
      },
    });
  });

  test('conservative: a reservation gets later, since a job runs beyond its estimate', () => {
    const lateJobs: ShortJobTuple[] = [
      [0, 10, 4, 1, 5],
      [1, 5, 4],
      [7, 1, 4],
    ];
    const { waits } = explainShortJobs(lateJobs, 2, {
      capacities: [4],
      discipline: 'conservative',
      reservations: 'replanned',
    });
    expect(waits[0].reservations).toMatchObject([
      { from: 1, until: 1, start: 5, end: 10, causes: [] },
      { from: 7, until: 7, start: 8, end: 13, causes: [{ job: '1', predictedEnd: 5 }] },
    ]);
  });

  test('several sites together', () => {
    const { sites, waits } = explainShortJobs([[0, 10, 5]], 1, {
      capacities: [3, 2],
      speeds: [1, 2],
      discipline: 'conservative',
      multiSiteFactor: 1.5,
    });
    expect(sites).toEqual([
      { site: 2, processors: 2 },
      { site: 1, processors: 3 },
    ]);
    expect(waits[0].decision.candidates).toEqual([{ sites, start: 0, end: 15, isChosen: true }]);
  });
});

describe('stopping, splitting and shrinking', () => {
  test('a job is stopped twice and begins again', () => {
    const jobs: ShortJobTuple[] = [
      [0, 100, 3],
      [1, 100, 2],
      [2, 50, 4, 2],
      [3, 50, 4, 2],
    ];
    const options = { capacities: [4, 4], queue: 'per-home' as const, reclaim: true };
    const { waits, start } = explainShortJobs(jobs, 2, options);
    expect(start).toBe(100);
    expect(waits).toMatchObject([
      { from: 1, until: 1 },
      { from: 2, until: 52, stopped: { site: 2, start: 1, for: '3' } },
      { from: 52, until: 100, stopped: { site: 2, start: 52, for: '4' } },
    ]);
    expect(explainShortJobs(jobs, 3, options).waits).toMatchObject([
      {
        trigger: [{ job: '2', site: 2, isStopped: true, free: 4 }],
        decision: { rule: 'reclaimed', reclaimable: { free: 2, fromOthers: 2 } },
      },
    ]);
  });

  test('a job is split, and both ways are compared', () => {
    const { sites, waits } = explainShortJobs(
      [
        [0, 100, 1],
        [1, 10, 4],
      ],
      2,
      {
        capacities: [3, 2],
        speeds: [1, 2],
        multiSite: 'adaptive',
      },
    );
    expect(sites).toEqual([
      { site: 1, processors: 3 },
      { site: 2, processors: 1 },
    ]);
    expect(waits[0].decision).toMatchObject({
      rule: 'split',
      splits: [
        { rule: 'faster-first', sites: [...sites].reverse(), slowestSpeed: 1, jobsBehind: 0 },
        { rule: 'larger-first', sites, slowestSpeed: 1, jobsBehind: 0 },
      ],
    });
  });

  test('ends that freed processors on all sites of a split job', () => {
    // Jobs 1 and 2 fill site 1 until 10 and 5 s; job 3 leaves one processor of site 2.
    const jobs: ShortJobTuple[] = [
      [0, 10, 1],
      [0, 5, 1],
      [0, 20, 1],
      [1, 10, 3],
    ];
    const [wait] = explainShortJobs(jobs, 4, { capacities: [2, 2], multiSite: 'larger-first' }).waits;
    expect(wait).toMatchObject({
      blocked: [{ job: '4', isItself: true, from: 1, until: 10, lacked: 2, passes: 2 }],
      sites: [
        { site: 1, processors: 2 },
        { site: 2, processors: 1 },
      ],
      freed: [
        { time: 5, job: '2', site: 1, processors: 1, free: 1 },
        { time: 10, job: '1', site: 1, processors: 1, free: 2 },
      ],
      decision: { rule: 'split' },
    });
  });

  // One processor is free until 10 s: job 2 would take 40 s on it, or 9 + 10 s if it waits.
  const rowsOfMoldableJobs: ShortJobTuple[] = [
    [0, 10, 3],
    [1, 10, 4],
  ];
  const optionsWithScalingDown = { capacities: [4], moldable: 'down' as const };

  test('a moldable job waits', () => {
    const { start, waits } = explainShortJobs(rowsOfMoldableJobs, 2, {
      ...optionsWithScalingDown,
      moldableThreshold: 2,
    });
    expect(start).toBe(10);
    expect(waits[0]).toMatchObject({
      deferred: [{ time: 1, site: 1, free: 1, shrunk: 40, whole: 19, wait: 9 }],
      decision: { rule: 'moldable-fit' },
    });
  });

  test('a moldable job shrinks', () => {
    const { start, sites, waits } = explainShortJobs(rowsOfMoldableJobs, 2, {
      ...optionsWithScalingDown,
      moldableThreshold: 2.2,
    });
    expect({ start, sites }).toEqual({ start: 1, sites: [{ site: 1, processors: 1 }] });
    expect(waits[0].decision).toMatchObject({
      rule: 'scaled-down',
      turnarounds: { site: 1, free: 1, shrunk: 40, whole: 19, wait: 9, threshold: 2.2 },
    });
  });
});
