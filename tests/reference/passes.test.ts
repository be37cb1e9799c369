import { describe, expect, test } from 'vitest';
import { doesRunCoverRareCases, listCaseSeeds } from '../cases.js';
import { randomDependencyCase } from './cases/dependencies.js';
import { FIRST_TIME_LOSING_SECONDS, type RandomCase, SeededDraws } from './cases/draws.js';
import { randomLoadSharingCase } from './cases/loadSharing.js';
import { randomMoldableCase } from './cases/moldable.js';
import { randomOneMachineCase } from './cases/oneMachine.js';
import { makeExampleJob, makeReferenceOptions, runReferenceSimulator } from './examples.js';
import { expectProcessorsHeldApart } from './overlap.js';
import { addNodeReservation } from './simulator/nodeSegments.js';
import { chooseByBlocks, chooseProcessorsOnNodes, expandToWholeNodes } from './simulator/nodeSets.js';
import {
  type ReferenceJob,
  type ReferenceOptions,
  simulateGrid,
  simulateReference,
} from './simulator/reference.js';
import { doOrdersDependOnUse } from './simulator/refusals.js';

type OptionChanges = Partial<ReferenceOptions>;

/** One backfill pass at 10 s; the next ones, at 1010, 2010 s and so on, come after all jobs. */
const optionsOfSingleBackfillPass: OptionChanges = {
  discipline: 'easy',
  backfillInterval: 1000,
  backfillOffset: 10,
};

/** Start times on one site. */
function simulateStartsOnOneSite(processors: number, jobs: ReferenceJob[], changes: OptionChanges): number[] {
  return runReferenceSimulator(jobs, { capacities: [processors], ...changes }).start;
}

/**
 * Start times and nodes on a site whose processors are nodes, with one backfill pass at 10 s by
 * default.
 */
function simulateOnNodes(nodes: number, jobs: ReferenceJob[], changes: OptionChanges = {}) {
  return runReferenceSimulator(jobs, {
    capacities: [nodes],
    planBy: 'node',
    ...optionsOfSingleBackfillPass,
    ...changes,
  });
}

/** Reservations as [job, start] made by the backfill pass at 10 s on nodes. */
function simulateReservationsAtTenSeconds(
  nodes: number,
  jobs: ReferenceJob[],
  changes: OptionChanges = {},
): [number, number][] {
  const options = makeReferenceOptions({
    capacities: [nodes],
    planBy: 'node',
    ...optionsOfSingleBackfillPass,
    ...changes,
  });
  const { reservations } = simulateGrid(jobs, options);
  return reservations
    .filter(({ made }) => made === 10)
    .map((reservation) => [reservation.job, reservation.start]);
}

describe('main passes', () => {
  test('a main pass ends at the first job that does not fit; a backfill pass tries all', () => {
    // 4 processors. At 0 s, the main pass starts job 0 on 3 of them; job 1 does not fit on the
    // remaining one, so job 2 is not tried. The backfill pass at 50 s starts job 2, until 60 s. Job
    // 0 also ends then, and the main pass at that time starts job 1.
    const jobs = [makeExampleJob(0, 60, 3), makeExampleJob(0, 10, 2), makeExampleJob(0, 10, 1)];
    const passOptions: OptionChanges = {
      discipline: 'first-available',
      backfillInterval: 100,
      backfillOffset: 50,
    };
    expect(simulateStartsOnOneSite(4, jobs, passOptions)).toEqual([0, 60, 50]);
    expect(simulateStartsOnOneSite(4, jobs, { discipline: 'first-available' })).toEqual([0, 60, 0]);
  });

  test('a main pass comes a delay after an event, and forgets what was asked for before it', () => {
    // Submissions request a pass after 5 s, ends after 10 s. Job 0 (submitted at 0 s) requests a
    // pass at 5 s, job 1 (at 4 s) one at 9 s. The pass at 5 s starts job 0, which fills both
    // processors until 8 s, and cancels the one at 9 s. The end at 8 s requests 18 s, job 2
    // (submitted at 12 s) 17 s: the pass at 17 s starts jobs 1 and 2.
    const jobs = [makeExampleJob(0, 3, 2), makeExampleJob(4, 10, 1), makeExampleJob(12, 4, 1)];
    expect(simulateStartsOnOneSite(2, jobs, { passDelay: { submit: 5, end: 10 } })).toEqual([5, 17, 17]);
  });

  test('main passes keep a gap', () => {
    // 2 processors, at least 5 s between passes. The pass at 0 s starts job 0 until 3 s. Job 1
    // (submitted at 1 s) and this end request the pass at 5 s. The end at 9 s requests 10 s, job 2
    // (submitted at 16 s) 16 s.
    const jobs = [makeExampleJob(0, 3, 2), makeExampleJob(1, 4, 1), makeExampleJob(16, 4, 1)];
    expect(simulateStartsOnOneSite(2, jobs, { passGap: 5 })).toEqual([0, 5, 16]);
  });

  test('ends come before submits, and both before the pass, whatever the instant', () => {
    // 2 processors, widest job first. At 10 s, job 0 ends and jobs 1 and 2 are submitted; one pass
    // sees both, so the wider job 2 starts first, until 15 s.
    const jobs = [makeExampleJob(0, 10, 2), makeExampleJob(10, 5, 1), makeExampleJob(10, 5, 2)];
    const passOptions: OptionChanges = { discipline: 'wjf', passDelay: { submit: 0, end: 0 } };
    expect(simulateStartsOnOneSite(2, jobs, { ...passOptions, instant: 'per-event' })).toEqual([0, 15, 10]);
  });

  test('jobs of length 0 end before the backfill pass of their instant', () => {
    // 2 processors, passes at 0 s. The main pass starts job 0, which ends at 0 s; the next one
    // starts job 1, until 10 s, and stops at job 2 (2 processors). Then the backfill pass reserves
    // 10 s for job 2; job 3 (10 s) ends by then and starts.
    const jobs = [
      makeExampleJob(0, 0, 2),
      makeExampleJob(0, 10, 1),
      makeExampleJob(0, 5, 2),
      makeExampleJob(0, 10, 1),
    ];
    const passOptions: OptionChanges = { discipline: 'easy', backfillInterval: 100, backfillOffset: 0 };
    expect(simulateStartsOnOneSite(2, jobs, passOptions)).toEqual([0, 0, 10, 0]);
  });

  test.each([
    ['first-available', 50],
    ['easy', 0],
  ] as const)('%s: a job told to wait ends the pass only where no plan is made', (discipline, other) => {
    // The policy lets job 0 wait before 50 s. Under EASY, the main passes skip it at 0 s, when job
    // 1 starts, and at 10 s, when job 1 ends. The backfill pass at 50 s starts it.
    const choosePolicy: ReferenceOptions['choose'] = ({ job: { number: jobNumber }, time }) =>
      Number(jobNumber !== 1 || time >= 50);
    const passOptions: OptionChanges = {
      discipline,
      choose: choosePolicy,
      mayWait: true,
      backfillInterval: 100,
      backfillOffset: 50,
    };
    expect(
      simulateStartsOnOneSite(4, [makeExampleJob(0, 10, 2), makeExampleJob(0, 10, 2)], passOptions),
    ).toEqual([50, other]);
  });

  test('after a delay no job has met an empty queue', () => {
    // Sites of 4 (speed 1) and 16 processors (speed 2), and policy SI, which takes the fastest site
    // for a job that meets an empty queue and the best fit for others. Without a delay, the pass of
    // a submission is at its instant.
    const simulateSiteOfJobSubmittedAt = (submit: number) => {
      const passDelayByEvent = { submit, end: 0 };
      return runReferenceSimulator([makeExampleJob(0, 10, 4)], {
        capacities: [4, 16],
        speeds: [1, 2],
        policy: 'si',
        passDelay: passDelayByEvent,
      }).site;
    };
    expect(simulateSiteOfJobSubmittedAt(0)).toEqual([1]);
    expect(simulateSiteOfJobSubmittedAt(1)).toEqual([0]);
  });
});

test.each<[string, (seed: number) => RandomCase]>([
  ['load sharing', randomLoadSharingCase],
  ['one machine', randomOneMachineCase],
  ['moldable jobs', randomMoldableCase],
  ['dependencies', randomDependencyCase],
])('%s: main passes without delay are those of batched instants', (_, draw) => {
  let comparedCount = 0;
  for (const seed of listCaseSeeds(150)) {
    const { jobs, options } = draw(seed);
    const { queue, reservations, interval, dynamic } = options;
    if (reservations === 'kept' || interval !== undefined || dynamic !== undefined) continue;
    if (queue === 'independent' && doOrdersDependOnUse(options)) continue;
    const resultWithPassDelay = simulateReference(jobs, { ...options, passDelay: { submit: 0, end: 0 } });
    expect(resultWithPassDelay, `case ${seed}`).toEqual(
      simulateReference(jobs, { ...options, instant: 'batched' }),
    );
    comparedCount += 1;
  }
  expect(comparedCount).toBeGreaterThan(doesRunCoverRareCases ? 50 : 0);
});

describe('backfill passes', () => {
  // 4 processors, passes at 0, 10, 20 s and so on. Job 0 holds 3 until 20 s; job 1 (3 processors,
  // 10 s), job 2 (4 processors, 10 s) and job 3 (1 processor, 50 s) arrive at 1, 2 and 3 s, but
  // start no earlier than the pass at 10 s. That pass reserves [20, 30) for job 1.
  const jobs = [
    makeExampleJob(0, 20, 3),
    makeExampleJob(1, 10, 3),
    makeExampleJob(2, 10, 4),
    makeExampleJob(3, 50, 1),
  ];
  const passOptions: OptionChanges = { backfillInterval: 10, backfillOffset: 0 };

  test('EASY backfills only at them', () => {
    // Job 3 fits beside job 1 and runs from 10 to 60 s; job 2 waits until then.
    expect(simulateStartsOnOneSite(4, jobs, { ...passOptions, discipline: 'easy' })).toEqual([0, 20, 60, 10]);
    expect(simulateStartsOnOneSite(4, jobs, { discipline: 'easy' })).toEqual([0, 20, 53, 3]);
  });

  test('conservative backfilling plans anew at each', () => {
    // The pass at 10 s reserves [30, 40) for job 2, as do the passes at 20 and 30 s; job 3 does not
    // fit before 40 s.
    expect(simulateStartsOnOneSite(4, jobs, { ...passOptions, discipline: 'conservative' })).toEqual([
      0, 20, 30, 40,
    ]);
  });
});

describe('nodes', () => {
  test('a job takes the lowest nodes of the smallest block with enough, or the largest blocks whole', () => {
    // 8 nodes. Jobs 0 to 4 take nodes 0-1, 2-3, 4, 5 and 6-7. Jobs 1 and 3 end at 10 s and free 2-3
    // and 5: job 5 (1 node, at 11 s) takes node 5, the smaller block, and job 6 (2 nodes, at 12 s)
    // takes 2-3. Both have ended at 20 s, when job 7 (3 nodes) takes 2-3, the largest block, and 5.
    const jobs = [
      makeExampleJob(0, 30, 2),
      makeExampleJob(0, 10, 2),
      makeExampleJob(0, 30, 1),
      makeExampleJob(0, 10, 1),
      makeExampleJob(0, 30, 2),
      makeExampleJob(11, 5, 1),
      makeExampleJob(12, 5, 2),
      makeExampleJob(20, 5, 3),
    ];
    const { start, processors } = simulateOnNodes(8, jobs);
    expect(start).toEqual([0, 0, 0, 0, 0, 11, 12, 20]);
    expect(processors).toEqual([[0, 1], [2, 3], [4], [5], [6, 7], [5], [2, 3], [2, 3, 5]]);
  });

  test('of equal blocks it is the lowest', () => {
    // Free blocks of nodes are 1-2, 4-5 and 7. Two nodes are taken from 1-2; four are 1-2 and 4-5;
    // for three, 1-2 is taken whole, and then the smallest block with one node, 7.
    const nodes = new Set([7, 5, 4, 2, 1]);
    expect(chooseByBlocks(nodes, 2)).toEqual(new Set([1, 2]));
    expect(chooseByBlocks(nodes, 4)).toEqual(new Set([1, 2, 4, 5]));
    expect(chooseByBlocks(nodes, 3)).toEqual(new Set([1, 2, 7]));
  });

  test('on nodes of several processors, blocks count processors, and one node that has enough is best', () => {
    // Nodes of 4 processors. Node 0 has 2 free processors, node 1 has one, node 2 none, node 3 all
    // four, so that the blocks have 3 and 4.
    const freeProcessors = new Set([2, 3, 4, 12, 13, 14, 15]);
    expect(chooseProcessorsOnNodes(freeProcessors, 1, 4)).toEqual(new Set([4]));
    expect(chooseProcessorsOnNodes(freeProcessors, 2, 4)).toEqual(new Set([2, 3]));
    expect(chooseProcessorsOnNodes(freeProcessors, 3, 4)).toEqual(new Set([2, 3, 4]));
    expect(chooseProcessorsOnNodes(freeProcessors, 4, 4)).toEqual(new Set([12, 13, 14, 15]));
    expect(chooseProcessorsOnNodes(freeProcessors, 5, 4)).toEqual(new Set([12, 13, 14, 15, 4]));
    expect(expandToWholeNodes(new Set([5, 9]), 4)).toEqual(new Set([4, 5, 6, 7, 8, 9, 10, 11]));
  });

  test('a reservation holds whole nodes', () => {
    // 2 nodes of 4 processors, a pass at 10 s. Job 0 holds node 0 until 100 s. Job 1 (5 processors)
    // has both nodes reserved from 100 s on, so job 2 (1 processor, 200 s) must not start on node
    // 1, although three processors would stay free there.
    const jobs = [makeExampleJob(0, 100, 4), makeExampleJob(1, 10, 5), makeExampleJob(2, 200, 1)];
    expect(simulateOnNodes(8, jobs, { processorsPerNode: 4, endWindow: 30 }).start).toEqual([0, 100, 100]);
    expect(simulateOnNodes(8, jobs, { endWindow: 30 }).start).toEqual([0, 100, 10]);
  });

  test('processors are free a delay after an end', () => {
    expect(
      simulateOnNodes(2, [makeExampleJob(0, 10, 2), makeExampleJob(1, 5, 2)], { releaseDelay: 3 }).start,
    ).toEqual([0, 13]);
  });

  test('a plan knows of an end in the instant after it', () => {
    // 2 nodes, a pass at 10 s. If job 0 (estimate 100 s) ends at 10 s, that pass has job 1 (2 nodes)
    // wait until 100 s, and starts job 2 (20 s) on node 1. If job 0 ends at 9 s, its node is known to
    // be free at 12 s, so job 2 would be in the way of job 1.
    const makeJobs = (length: number) => [
      makeExampleJob(0, length, 1, 0, 100),
      makeExampleJob(1, 10, 2),
      makeExampleJob(2, 20, 1),
    ];
    expect(simulateOnNodes(2, makeJobs(10), { releaseDelay: 3 }).start).toEqual([0, 33, 10]);
    expect(simulateOnNodes(2, makeJobs(9), { releaseDelay: 3 }).start).toEqual([0, 12, 25]);
  });

  test('a reservation that begins when a job would end is in its way if overlaps are closed', () => {
    // 4 nodes, a pass at 10 s. Job 0 holds nodes 0-1 until 20 s. Job 1 (3 nodes, 10 s) has 0-2
    // reserved over [20, 30). Job 2 (30 s) takes node 3, the only one without a reservation until
    // 40 s. Job 3 (10 s) could have node 2 over [10, 20): with open intervals it starts; with
    // closed ones it conflicts with the reservation at 20 s. Then job 1 takes 0-2, and at 30 s job
    // 3 takes the lowest of these.
    const jobs = [
      makeExampleJob(0, 20, 2),
      makeExampleJob(1, 10, 3),
      makeExampleJob(2, 30, 1),
      makeExampleJob(3, 10, 1),
    ];
    const resultWithOpenOverlap = simulateOnNodes(4, jobs);
    expect(resultWithOpenOverlap.start).toEqual([0, 20, 10, 10]);
    expect(resultWithOpenOverlap.processors).toEqual([[0, 1], [0, 1, 2], [3], [2]]);
    const resultWithClosedOverlap = simulateOnNodes(4, jobs, { closedOverlap: true });
    expect(resultWithClosedOverlap.start).toEqual([0, 20, 10, 30]);
    expect(resultWithClosedOverlap.processors).toEqual([[0, 1], [0, 1, 2], [3], [0]]);
  });

  test('conservative: a start that meets another reservation is tried again from later on', () => {
    // 4 nodes, a pass at 10 s. Job 0 holds 0-1 until 20 s, job 1 holds 2-3 until 30 s. Job 2 (4
    // nodes, 10 s) gets [30, 40). Job 3 (2 nodes, 15 s): all nodes are usable over [10, 25), so 0-1
    // at 20 s; but [20, 35) conflicts with job 2. From 20 s on, no node is usable over [20, 35),
    // until 40 s: it gets [40, 55). Job 4 (1 node, 10 s) gets node 0 at 20 s, since [20, 30)
    // conflicts with none.
    const jobs = [
      makeExampleJob(0, 20, 2),
      makeExampleJob(0, 30, 2),
      makeExampleJob(1, 10, 4),
      makeExampleJob(2, 15, 2),
      makeExampleJob(3, 10, 1),
    ];
    const conservative: OptionChanges = { discipline: 'conservative' };
    const madeReservations: [number, number][] = [
      [2, 30],
      [3, 40],
      [4, 20],
    ];
    expect(simulateReservationsAtTenSeconds(4, jobs, conservative)).toEqual(madeReservations);
    // The main pass at 20 s stops at job 2; only a backfill pass at 20 s can start job 4 then,
    // otherwise it waits until 40 s.
    expect(simulateOnNodes(4, jobs, conservative).start).toEqual([0, 0, 30, 40, 40]);
    expect(simulateOnNodes(4, jobs, { ...conservative, backfillInterval: 10 }).start).toEqual([
      0, 0, 30, 40, 20,
    ]);
  });

  test.each([
    [0, 24, 45],
    [7, 19, 45],
  ])(
    'windows of 10 s, time 0 at %i: jobs that end in one are planned to end together',
    (clockOrigin, first, last) => {
      // 4 nodes, held until 12, 19, 24 and 45 s; a pass at 10 s plans job 4 (1 node, 1 s) and job 5
      // (4 nodes, 5 s). Origin 0: the window of 12 s ends at 20 s, so the first group has ends up
      // to 20 + 10 s: 12, 19, 24, and job 4 starts at 24 s. The width becomes 20, and as 45 > 20 +
      // 20, it becomes 40: 45 is within 60. Origin 7: 12 s is 19 on the clock, whose window ends at
      // 20 on the clock, at 13 s here. The first group has ends up to 23 s: 12 and 19. The width
      // becomes 20, and up to 33 s there is only 24; then it becomes 40, and 45 is within 53.
      const jobs = [
        makeExampleJob(0, 12, 1),
        makeExampleJob(0, 19, 1),
        makeExampleJob(0, 24, 1),
        makeExampleJob(0, 45, 1),
        makeExampleJob(1, 1, 1),
        makeExampleJob(2, 5, 4),
      ];
      const changes: OptionChanges = { discipline: 'conservative', endWindow: 10, clockOrigin };
      expect(simulateReservationsAtTenSeconds(4, jobs, changes)).toEqual([
        [4, first],
        [5, last],
      ]);
      expect(simulateReservationsAtTenSeconds(4, jobs, { ...changes, endWindow: 0 })).toEqual([
        [4, 12],
        [5, 45],
      ]);
    },
  );

  test.each([
    [0, 0, 5],
    [10, 0, 37],
    [10, 3, 5],
  ])('resolution %i, time 0 at %i: job 2 starts at %i', (backfillResolution, clockOrigin, expected) => {
    // 2 nodes, a pass at 5 s. Job 0 holds node 0 until 27 s, so job 1 (2 nodes, 10 s) is planned
    // for [27, 37), and job 2 (20 s) would have node 1 over [5, 25). In steps of 10 s the
    // reservation is [20, 30) and conflicts with job 2; if time 0 is 3 on the clock, 27 and 37 are
    // 30 and 40 there, and stay. If job 2 does not start, it waits for job 1.
    const jobs = [makeExampleJob(0, 27, 1), makeExampleJob(1, 10, 2), makeExampleJob(2, 20, 1)];
    const changes: OptionChanges = { backfillOffset: 5, backfillResolution, clockOrigin };
    expect(simulateOnNodes(2, jobs, changes).start).toEqual([0, 27, expected]);
  });

  test.each([
    [3, 40],
    [4, 10],
  ])('a table of %i segments: job 3 starts at %i', (segmentCountOfTable, expected) => {
    // 4 nodes, a pass at 10 s. Job 0 holds 3 nodes until 20 s. Job 1 (4 nodes, 10 s) gets [20, 30),
    // which makes 3 segments of one. Job 2 (4 nodes, 10 s) would get [30, 40): with a limit of 3
    // segments the pass ends; otherwise there are 4, and job 3 (1 node, 5 s) starts at 10 s.
    const jobs = [
      makeExampleJob(0, 20, 3),
      makeExampleJob(1, 10, 4),
      makeExampleJob(2, 10, 4),
      makeExampleJob(3, 5, 1),
    ];
    const changes: OptionChanges = { discipline: 'conservative', backfillSegments: segmentCountOfTable };
    expect(simulateOnNodes(4, jobs, changes).start).toEqual([0, 20, 30, expected]);
  });

  test.each<[number, number[], number]>([
    [15, [0, 110, 10], 0],
    [30, [0, 110, 10], 1],
    [31, [0, 40, 50], 1],
    [0, [0, 40, 50], 1],
  ])('a window of %i s: starts %o', (backfillWindow, starts, reservations) => {
    // 4 nodes, a pass at 10 s. Job 0 holds 3 nodes until 40 s, where job 1 (4 nodes, 10 s) is
    // planned. That is later than 10 + 15 s, so it has no reservation, and job 2 (1 node, 100 s)
    // delays it until 110 s. A window until 40 s accepts the reservation but does not reach its
    // begin; one until 41 s keeps [40, 41) of it, with which job 2 conflicts.
    const jobs = [makeExampleJob(0, 40, 3), makeExampleJob(1, 10, 4), makeExampleJob(2, 100, 1)];
    expect(simulateOnNodes(4, jobs, { backfillWindow }).start).toEqual(starts);
    expect(simulateReservationsAtTenSeconds(4, jobs, { backfillWindow })).toHaveLength(reservations);
  });

  test.each<[number, number[]]>([
    [1, [0, 20, 40, 10]],
    [2, [0, 20, 30, 40]],
  ])('easy with %i reservations', (reservationDepth, starts) => {
    // 4 nodes, a pass at 10 s. Job 0 holds 0-2 until 20 s, and job 1 (3 nodes, 10 s) has them
    // reserved over [20, 30). Job 2 (4 nodes, 10 s) gets [30, 40) if it may reserve, and then job 3
    // (1 node, 30 s) finds no node until 40 s; otherwise it takes node 3.
    const jobs = [
      makeExampleJob(0, 20, 3),
      makeExampleJob(1, 10, 3),
      makeExampleJob(2, 10, 4),
      makeExampleJob(3, 30, 1),
    ];
    expect(simulateOnNodes(4, jobs, { reservationDepth }).start).toEqual(starts);
  });

  test.each([
    [1, 30],
    [2, 10],
  ])('%i jobs are tested in a pass: job 2 starts at %i', (testedJobCountPerPass, expected) => {
    // 4 nodes, a pass at 10 s: job 1 (4 nodes) is tested first, job 2 (1 node, 5 s) second.
    const jobs = [makeExampleJob(0, 20, 3), makeExampleJob(1, 10, 4), makeExampleJob(2, 5, 1)];
    expect(simulateOnNodes(4, jobs, { backfillJobs: testedJobCountPerPass }).start).toEqual([
      0,
      20,
      expected,
    ]);
  });

  test('there is no backfill pass if no job was submitted, started or ended since the last', () => {
    // 3 nodes, passes at 10, 20 s and so on, windows of 10 s. Job 0 holds node 0 until 60 s but is
    // estimated to end at 12 s; job 1 holds node 1 until 35 s. At 10 s, the first group is job 0
    // alone (up to 20 + 10 s): job 2 (2 nodes, 10 s) has nodes 0 and 2 from 12 s on, and job 3 (10
    // s) finds none. At 20 s, job 0 would be planned to end at 21 s, whose group reaches 40 s and
    // so includes job 1: job 2 would get 35 s, and job 3 would start. But nothing has changed, so
    // no plan is made, and job 3 waits for job 2, which has nodes 1-2 over [35, 45).
    const jobs = [
      makeExampleJob(0, 60, 1, 0, 12),
      makeExampleJob(0, 35, 1),
      makeExampleJob(1, 10, 2),
      makeExampleJob(2, 10, 1),
    ];
    const changes: OptionChanges = { backfillInterval: 10, endWindow: 10 };
    const resultWithoutFurtherEvents = simulateOnNodes(3, jobs, changes);
    expect(resultWithoutFurtherEvents.start).toEqual([0, 0, 35, 45]);
    expect(resultWithoutFurtherEvents.processors[2]).toEqual([1, 2]);
    // A submission at 15 s is a change, so a plan is made. Job 4 (3 nodes) itself waits for job 0.
    expect(simulateOnNodes(3, [...jobs, makeExampleJob(15, 1, 3)], changes).start).toEqual([
      0, 0, 35, 20, 60,
    ]);
  });

  test('of the neighbours that a reservation makes equal two become one, and splits are counted', () => {
    // Nodes 0 and 1. Reserving [10, 20) for node 1 begins and ends at ends of segments, so none is
    // split. Node 0 is then free from 0 to 30 in three segments: the first two are joined, the
    // third stays.
    const [none, zero, both] = [new Set<number>(), new Set([0]), new Set([0, 1])];
    const reservationsWithFreeNodes = [
      { begin: 0, end: 10, free: zero },
      { begin: 10, end: 20, free: both },
      { begin: 20, end: 30, free: zero },
      { begin: 30, end: 40, free: both },
    ];
    const segments = { list: reservationsWithFreeNodes, entries: 4 };
    const listReservationTimes = () => reservationsWithFreeNodes.map(({ begin, end }) => [begin, end]);
    addNodeReservation(segments, 10, 20, new Set([1]));
    expect(listReservationTimes()).toEqual([
      [0, 20],
      [20, 30],
      [30, 40],
    ]);
    expect(segments.entries).toBe(4);
    // Reserving [30, 50) for both nodes ends after the last segment, all of which becomes reserved.
    // Neighbours are compared from the segment before the one that ends at 30, so the first two are
    // joined after all.
    addNodeReservation(segments, 30, 50, both);
    expect(listReservationTimes()).toEqual([
      [0, 30],
      [30, 40],
    ]);
    expect(reservationsWithFreeNodes[1]!.free).toEqual(none);
    expect(segments.entries).toBe(4);
    // Reserving [0, 5) for node 0 begins where the first segment does, which is split into [0, 0)
    // and [0, 30), and that into [0, 5) and [5, 30). Neighbours are compared from [0, 0) up to [0,
    // 5): none are equal.
    addNodeReservation(segments, 0, 5, zero);
    expect(listReservationTimes()).toEqual([
      [0, 0],
      [0, 5],
      [5, 30],
      [30, 40],
    ]);
    expect(reservationsWithFreeNodes[1]!.free).toEqual(none);
    expect(segments.entries).toBe(6);
    // No segment of the plan begins after 40 s.
    addNodeReservation(segments, 41, 50, both);
    expect(segments.entries).toBe(6);
  });
});

describe('plans by count with rules of their own', () => {
  test.each([
    [{}, 12],
    [{ endWindow: 10 }, 24],
    [{ endWindow: 10, clockOrigin: 7 }, 19],
  ])('with %o the ends of running jobs let job 4 start at %i', (changes, first) => {
    // 4 processors, held until 12, 19, 24 and 45 s; a pass at 10 s plans job 4 (1 processor, 1 s) for the
    // last end of the first group. In windows of 10 s these are the ends up to 30 s, and with a clock 7 s
    // ahead those up to 23 s.
    const jobs = [
      makeExampleJob(0, 12, 1),
      makeExampleJob(0, 19, 1),
      makeExampleJob(0, 24, 1),
      makeExampleJob(0, 45, 1),
      makeExampleJob(1, 1, 1),
    ];
    const options = makeReferenceOptions({
      capacities: [4],
      ...optionsOfSingleBackfillPass,
      discipline: 'conservative',
      ...changes,
    });
    const { reservations } = simulateGrid(jobs, options);
    expect(reservations.filter(({ made }) => made === 10).map(({ start }) => start)).toEqual([first]);
  });

  test.each([
    [false, 10],
    [true, 25],
  ])('closed overlap %s: job 2, which ends when job 1 begins, starts at %i', (closedOverlap, expected) => {
    // 2 processors, a pass at 10 s. Job 0 holds one until 20 s, when job 1 needs both for 5 s.
    const jobs = [makeExampleJob(0, 20, 1), makeExampleJob(1, 5, 2), makeExampleJob(2, 10, 1)];
    expect(simulateStartsOnOneSite(2, jobs, { ...optionsOfSingleBackfillPass, closedOverlap })).toEqual([
      0,
      20,
      expected,
    ]);
  });

  test.each([
    [0, 0, 5],
    [10, 0, 37],
    [10, 3, 5],
  ])('resolution %i, time 0 at %i: job 2 starts at %i', (backfillResolution, clockOrigin, expected) => {
    // 2 processors, a pass at 5 s. Job 0 holds one until 27 s, so job 1 (2 processors, 10 s) is planned for
    // [27, 37), and job 2 (20 s) would have the other over [5, 25). In steps of 10 s the reservation is
    // [20, 30), as for plans by nodes.
    const jobs = [makeExampleJob(0, 27, 1), makeExampleJob(1, 10, 2), makeExampleJob(2, 20, 1)];
    const changes: OptionChanges = {
      ...optionsOfSingleBackfillPass,
      backfillOffset: 5,
      backfillResolution,
      clockOrigin,
    };
    expect(simulateStartsOnOneSite(2, jobs, changes)).toEqual([0, 27, expected]);
  });
});

describe('plans by nodes on several sites', () => {
  const siteChanges: OptionChanges = { ...optionsOfSingleBackfillPass, planBy: 'node', load: [1, 1] };
  const capacities = [4, 2];

  test.each([
    [10, [3]],
    [15, [4]],
  ])(
    'job 2 of %i s starts on the site that best-fit chooses among those without a conflict',
    (runtime, nodes) => {
      // Sites of 4 and 2 nodes, a pass at 10 s. Job 0 holds nodes 0-2 of site 1 until 20 s, from when job 1
      // (4 nodes) has site 1. Node 3 is the tighter fit for job 2, but only if it ends by 20 s.
      const jobs = [makeExampleJob(0, 20, 3), makeExampleJob(1, 10, 4), makeExampleJob(2, runtime, 1)];
      const options = { ...siteChanges, capacities, speeds: [1, 1], withPolicy: true };
      const { start, processors } = runReferenceSimulator(jobs, options);
      expect(start).toEqual([0, 20, 10]);
      expect(processors[2]).toEqual(nodes);
    },
  );

  test.each([
    [1, 0, 60],
    [2, 1, 120],
  ])(
    'with site 2 of speed %i, job 3 could start at 60 s on both and reserves on site %o',
    (speed, site, runtime) => {
      // Sites of 4 and 2 nodes, a pass at 10 s. Job 1 holds site 2 until 60 s. Job 0 holds 3 nodes of site 1
      // until 20 s, where job 2 then has all until 60 s. Job 3 ends first on the faster site, or takes the
      // first.
      const jobs = [
        makeExampleJob(0, 20, 3),
        makeExampleJob(0, runtime, 2),
        makeExampleJob(1, 40, 4),
        makeExampleJob(2, 30, 1),
      ];
      const changes = { ...siteChanges, capacities, speeds: [1, speed], withPolicy: true };
      const options = makeReferenceOptions({ ...changes, discipline: 'conservative' });
      const { reservations } = simulateGrid(jobs, options);
      const madeReservations = reservations.filter((each) => each.made === 10);
      expect(madeReservations.map(({ job, start, parts }) => [job, start, parts[0]!.site])).toEqual([
        [2, 20, 0],
        [3, 60, site],
      ]);
    },
  );

  test('independent sites have a plan each', () => {
    // As in the first test, but job 2 is at home on site 1, where it waits for job 1.
    const jobs = [makeExampleJob(0, 20, 3), makeExampleJob(1, 10, 4), makeExampleJob(2, 15, 1)];
    const options = { ...siteChanges, capacities, speeds: [1, 1], queue: 'independent' as const };
    expect(runReferenceSimulator(jobs, options).start).toEqual([0, 20, 30]);
  });
});

/** A random case on nodes, with passes so frequent that most jobs are backfilled. */
function drawRandomNodeCase(seed: number): RandomCase {
  const { jobs, options } = randomOneMachineCase(seed);
  const random = new SeededDraws(seed);
  const optionsOfRandomCase: ReferenceOptions = {
    ...options,
    queue: 'shared',
    interval: undefined,
    planBy: 'node',
    passDelay: { submit: random.pick([0, 0, 3]), end: random.pick([0, 0, 7.5]) },
    backfillInterval: random.pick([5, 10, 30]),
    backfillOffset: random.pick([0, 2.5]),
    endWindow: random.pick([0, 0, 30]),
    closedOverlap: random.oneIn(2),
    backfillResolution: random.pick([0, 0, 20]),
    backfillJobs: random.pick([0, 0, 5]),
    backfillSegments: random.pick([0, 0, 9]),
    backfillWindow: random.pick([0, 0, 100]),
    clockOrigin: random.pick([0, 1234567.5]),
  };
  return { jobs, options: optionsOfRandomCase };
}

test('random cases: all jobs run, and no node is held by two at once', () => {
  let overtakenJobCount = 0;
  for (const seed of listCaseSeeds(300)) {
    const { jobs, options } = drawRandomNodeCase(seed);
    if (jobs[0]!.submit >= FIRST_TIME_LOSING_SECONDS) continue;
    const referenceResult = simulateReference(jobs, options);
    expect(referenceResult.held, `case ${seed}`).toEqual(jobs.map(({ processors }) => processors));
    expectProcessorsHeldApart(jobs, options, referenceResult);
    overtakenJobCount += jobs.filter(
      (_, i) => i > 0 && referenceResult.start[i]! < referenceResult.start[i - 1]!,
    ).length;
  }
  expect(overtakenJobCount).toBeGreaterThan(0);
});

describe('options that do not go with passes', () => {
  const interval: OptionChanges = { backfillInterval: 10 };
  const delay: OptionChanges = { passDelay: { submit: 1, end: 1 } };
  const nodes: OptionChanges = { planBy: 'node', ...interval };
  const dynamicOptions = { candidates: [] } as unknown as NonNullable<ReferenceOptions['dynamic']>;

  test.each<[string, OptionChanges]>([
    ['backfillInterval', { ...interval, discipline: 'fcfs' }],
    ['backfillInterval', { ...interval, discipline: 'sjf' }],
    ['backfillInterval', { ...interval, interval: 5 }],
    ['planBy node', { ...nodes, discipline: 'conservative', reservations: 'kept' }],
    ['backfillInterval', { ...interval, dynamic: dynamicOptions }],
    ['passDelay', { ...delay, interval: 5 }],
    ['passDelay', { ...delay, discipline: 'conservative', reservations: 'kept' }],
    ['passDelay', { ...delay, dynamic: dynamicOptions }],
    ['planBy node', { planBy: 'node' }],
    ['planBy node', { ...nodes, capacities: [1, 1], speeds: [1, 1], load: [1, 1] }],
    ['planBy node', { ...nodes, discipline: 'first-available' }],
    ['planBy node', { ...nodes, select: 'optimal' }],
    ['planBy node', { ...nodes, multiSiteFactor: 1 }],
    ['planBy node', { ...nodes, choose: () => 1 }],
    ['planBy node', { ...nodes, bandwidth: [[1]] }],
    ['endWindow', { endWindow: 1 }],
    ['closedOverlap', { closedOverlap: true }],
    ['closedOverlap', { ...interval, closedOverlap: true, discipline: 'first-available' }],
    ['backfillResolution', { backfillResolution: 1 }],
    ['backfillJobs', { ...interval, backfillJobs: 1 }],
    ['backfillSegments', { ...interval, backfillSegments: 1 }],
    ['backfillWindow', { ...interval, backfillWindow: 1 }],
    ['processorsPerNode', { ...interval, processorsPerNode: 2 }],
    ['releaseDelay', { ...interval, releaseDelay: 1 }],
  ])('%s with %o', (name, changes) => {
    const simulateRefusedChanges = () =>
      runReferenceSimulator([makeExampleJob(0, 1, 1)], { capacities: [1], discipline: 'easy', ...changes });
    expect(simulateRefusedChanges).toThrow(name);
  });

  test('but alone they do', () => {
    for (const changes of [interval, delay, nodes])
      expect(
        simulateStartsOnOneSite(1, [makeExampleJob(0, 1, 1)], { discipline: 'easy', ...changes }),
      ).toEqual([changes.passDelay?.submit ?? 0]);
  });
});
