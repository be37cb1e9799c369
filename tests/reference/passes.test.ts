import { describe, expect, test } from 'vitest';
import { areAllMet, seeds } from '../cases.js';
import { randomDependencyCase } from './cases/dependencies.js';
import { Draws, type RandomCase, SECONDS_LOST } from './cases/draws.js';
import { randomLoadSharingCase } from './cases/loadSharing.js';
import { randomMoldableCase } from './cases/moldable.js';
import { randomOneMachineCase } from './cases/oneMachine.js';
import { job, optionsWith, run } from './examples.js';
import { expectHeldApart } from './overlap.js';
import { enterReservation } from './simulator/nodeSegments.js';
import { chooseByBlocks, chooseOfNodes, wholeNodes } from './simulator/nodeSets.js';
import {
  type ReferenceJob,
  type ReferenceOptions,
  runGrid,
  simulateReference,
} from './simulator/reference.js';

type Changes = Partial<ReferenceOptions>;

/** One backfill pass at 10 s; the next ones, at 1010, 2010 s and so on, come after all jobs. */
const once: Changes = { discipline: 'easy', backfillInterval: 1000, backfillOffset: 10 };

/** Start times on one site. */
function startsOn(processors: number, jobs: ReferenceJob[], changes: Changes): number[] {
  return run(jobs, { capacities: [processors], ...changes }).start;
}

/**
 * Start times and nodes on a site whose processors are nodes, with one backfill pass at 10 s by
 * default.
 */
function runNodes(nodes: number, jobs: ReferenceJob[], changes: Changes = {}) {
  return run(jobs, { capacities: [nodes], planBy: 'node', ...once, ...changes });
}

/** Reservations as [job, start] made by the backfill pass at 10 s on nodes. */
function reservedAtTen(nodes: number, jobs: ReferenceJob[], changes: Changes = {}): [number, number][] {
  const options = optionsWith({ capacities: [nodes], planBy: 'node', ...once, ...changes });
  const { reservations } = runGrid(jobs, options);
  return reservations.filter(({ made }) => made === 10).map((each) => [each.job, each.start]);
}

describe('main passes', () => {
  test('a main pass ends at the first job that does not fit; a backfill pass tries all', () => {
    // 4 processors. At 0 job 0 takes 3 of them, job 1 does not fit in the 1 left, and job 2 is not
    // asked. The backfill pass at 0 + 50 starts job 2, until 60. Job 0 ends then too, and the main
    // pass of that time starts job 1.
    const jobs = [job(0, 60, 3), job(0, 10, 2), job(0, 10, 1)];
    const passes: Changes = { discipline: 'first-available', backfillInterval: 100, backfillOffset: 50 };
    expect(startsOn(4, jobs, passes)).toEqual([0, 60, 50]);
    expect(startsOn(4, jobs, { discipline: 'first-available' })).toEqual([0, 60, 0]);
  });

  test('a main pass comes a delay after an event, and forgets what was asked for before it', () => {
    // Submits ask for a pass after 5 s, ends after 10 s. Job 0 (submit 0) asks for 5, job 1 (submit
    // 4) for 9. The pass at 5 starts job 0, which fills both processors until 8, and the 9 is
    // forgotten. The end at 8 asks for 18, job 2 (submit 12) for 17: the pass at 17 starts jobs 1
    // and 2.
    const jobs = [job(0, 3, 2), job(4, 10, 1), job(12, 4, 1)];
    expect(startsOn(2, jobs, { passDelay: { submit: 5, end: 10 } })).toEqual([5, 17, 17]);
  });

  test('main passes keep a gap', () => {
    // 2 processors. The pass at 0 starts job 0 until 3. Job 1 (submit 1) and the end ask for the pass
    // at 5, five seconds behind the first. The end at 9 asks for 10, job 2 (submit 16) for 16.
    const jobs = [job(0, 3, 2), job(1, 4, 1), job(16, 4, 1)];
    expect(startsOn(2, jobs, { passGap: 5 })).toEqual([0, 5, 16]);
  });

  test('ends come before submits, and both before the pass, whatever the instant', () => {
    // 2 processors, the widest job first. At 10 job 0 ends and jobs 1 and 2 are submitted; one pass
    // sees both, so the wider job 2 starts first, until 15.
    const jobs = [job(0, 10, 2), job(10, 5, 1), job(10, 5, 2)];
    const passes: Changes = { discipline: 'wjf', passDelay: { submit: 0, end: 0 } };
    expect(startsOn(2, jobs, { ...passes, instant: 'per-event' })).toEqual([0, 15, 10]);
  });

  test('jobs of length 0 end before the backfill pass of their instant', () => {
    // 2 processors, passes at 0. The main pass starts job 0, which ends at 0; the next one starts
    // job 1, until 10, and ends at job 2 (2 wide). Then the backfill pass reserves 10 for job 2,
    // and job 3 (10 s) is over by then.
    const jobs = [job(0, 0, 2), job(0, 10, 1), job(0, 5, 2), job(0, 10, 1)];
    const passes: Changes = { discipline: 'easy', backfillInterval: 100, backfillOffset: 0 };
    expect(startsOn(2, jobs, passes)).toEqual([0, 0, 10, 0]);
  });

  test.each([
    ['first-available', 50],
    ['easy', 0],
  ] as const)('%s: a job told to wait ends the pass only where no plan is made', (discipline, other) => {
    // Job 0 is told to wait before 50. Under easy it is passed over by the main passes at 0, where job 1
    // starts, and at 10, where job 1 ends. The backfill pass at 50 starts it.
    const choose: ReferenceOptions['choose'] = ({ job: { number }, time }) =>
      Number(number !== 1 || time >= 50);
    const passes: Changes = {
      discipline,
      choose,
      mayWait: true,
      backfillInterval: 100,
      backfillOffset: 50,
    };
    expect(startsOn(4, [job(0, 10, 2), job(0, 10, 2)], passes)).toEqual([50, other]);
  });

  test('after a delay no job has met an empty queue', () => {
    // Sites of 4 (speed 1) and 16 (speed 2), and si, which takes the fastest site for a job that
    // meets an empty queue and the best fit for any other. Without a delay the pass of the submit
    // is at its instant.
    const siteAfter = (submit: number) => {
      const passDelay = { submit, end: 0 };
      return run([job(0, 10, 4)], { capacities: [4, 16], speeds: [1, 2], policy: 'si', passDelay }).site;
    };
    expect(siteAfter(0)).toEqual([1]);
    expect(siteAfter(1)).toEqual([0]);
  });
});

test.each<[string, (seed: number) => RandomCase]>([
  ['load sharing', randomLoadSharingCase],
  ['one machine', randomOneMachineCase],
  ['moldable jobs', randomMoldableCase],
  ['dependencies', randomDependencyCase],
])('%s: main passes without delay are those of batched instants', (_, draw) => {
  let compared = 0;
  for (const seed of seeds(150)) {
    const { jobs, options } = draw(seed);
    const { queue, reservations, interval, dynamic } = options;
    if (queue === 'independent' || reservations === 'kept' || interval !== undefined || dynamic !== undefined)
      continue;
    const found = simulateReference(jobs, { ...options, passDelay: { submit: 0, end: 0 } });
    expect(found, `case ${seed}`).toEqual(simulateReference(jobs, { ...options, instant: 'batched' }));
    compared += 1;
  }
  expect(compared).toBeGreaterThan(areAllMet ? 50 : 0);
});

describe('backfill passes', () => {
  // 4 processors, passes at 0, 10, 20 and so on. Job 0 has 3 to 20; job 1 (3 wide, 10 s), job 2 (4
  // wide, 10 s) and job 3 (1 wide, 50 s) come at 1, 2 and 3, but nothing starts before the pass at
  // 10. It reserves [20, 30) for job 1.
  const jobs = [job(0, 20, 3), job(1, 10, 3), job(2, 10, 4), job(3, 50, 1)];
  const passes: Changes = { backfillInterval: 10, backfillOffset: 0 };

  test('EASY backfills only at them', () => {
    // Job 3 fits beside job 1 and starts at 10, until 60; job 2 has to wait for it.
    expect(startsOn(4, jobs, { ...passes, discipline: 'easy' })).toEqual([0, 20, 60, 10]);
    expect(startsOn(4, jobs, { discipline: 'easy' })).toEqual([0, 20, 53, 3]);
  });

  test('conservative backfilling plans anew at each', () => {
    // Job 2 has [30, 40) reserved at 10 and, by the passes at 20 and 30, again; job 3 does not fit
    // before 40.
    expect(startsOn(4, jobs, { ...passes, discipline: 'conservative' })).toEqual([0, 20, 30, 40]);
  });
});

describe('nodes', () => {
  test('a job takes the lowest nodes of the smallest block with enough, or the largest blocks whole', () => {
    // 8 nodes. Jobs 0 to 4 take 0-1, 2-3, 4, 5 and 6-7. Jobs 1 and 3 end at 10 and leave 2-3 and 5:
    // job 5 (1 node, 11) takes 5, the smaller block, and job 6 (2 nodes, 12) takes 2-3. Both are
    // over at 20, when job 7 (3 nodes) takes 2-3, the largest, and 5.
    const jobs = [
      job(0, 30, 2),
      job(0, 10, 2),
      job(0, 30, 1),
      job(0, 10, 1),
      job(0, 30, 2),
      job(11, 5, 1),
      job(12, 5, 2),
      job(20, 5, 3),
    ];
    const { start, processors } = runNodes(8, jobs);
    expect(start).toEqual([0, 0, 0, 0, 0, 11, 12, 20]);
    expect(processors).toEqual([[0, 1], [2, 3], [4], [5], [6, 7], [5], [2, 3], [2, 3, 5]]);
  });

  test('of equal blocks it is the lowest', () => {
    // Blocks 1-2, 4-5 and 7: two nodes are 1-2; four are 1-2 and 4-5; for three 1-2 comes first,
    // whole, and then the smallest block with one node, 7.
    const nodes = new Set([7, 5, 4, 2, 1]);
    expect(chooseByBlocks(nodes, 2)).toEqual(new Set([1, 2]));
    expect(chooseByBlocks(nodes, 4)).toEqual(new Set([1, 2, 4, 5]));
    expect(chooseByBlocks(nodes, 3)).toEqual(new Set([1, 2, 7]));
  });

  test('on nodes of several processors, blocks count processors, and one node that has enough is best', () => {
    // Nodes of 4. Node 0 has 2 processors, node 1 has one, node 2 none, node 3 all four: blocks of 3
    // and of 4.
    const free = new Set([2, 3, 4, 12, 13, 14, 15]);
    expect(chooseOfNodes(free, 1, 4)).toEqual(new Set([4]));
    expect(chooseOfNodes(free, 2, 4)).toEqual(new Set([2, 3]));
    expect(chooseOfNodes(free, 3, 4)).toEqual(new Set([2, 3, 4]));
    expect(chooseOfNodes(free, 4, 4)).toEqual(new Set([12, 13, 14, 15]));
    expect(chooseOfNodes(free, 5, 4)).toEqual(new Set([12, 13, 14, 15, 4]));
    expect(wholeNodes(new Set([5, 9]), 4)).toEqual(new Set([4, 5, 6, 7, 8, 9, 10, 11]));
  });

  test('a reservation holds whole nodes', () => {
    // 2 nodes of 4, a pass at 10. Job 0 has node 0 to 100. Job 1 (5 processors) has both nodes reserved
    // from 100 on: job 2 (1 processor, 200 s) must not start on node 1, where three would stay free.
    const jobs = [job(0, 100, 4), job(1, 10, 5), job(2, 200, 1)];
    expect(runNodes(8, jobs, { processorsPerNode: 4, endWindow: 30 }).start).toEqual([0, 100, 100]);
    expect(runNodes(8, jobs, { endWindow: 30 }).start).toEqual([0, 100, 10]);
  });

  test('processors are free a delay after an end', () => {
    expect(runNodes(2, [job(0, 10, 2), job(1, 5, 2)], { releaseDelay: 3 }).start).toEqual([0, 13]);
  });

  test('a reservation that begins when a job would end is in its way if overlaps are closed', () => {
    // 4 nodes, a pass at 10. Job 0 has nodes 0-1 to 20. Job 1 (3 nodes, 10 s) has 0-2 reserved over
    // [20, 30). Job 2 (30 s) takes node 3, the only one that is unreserved to 40. Job 3 (10 s)
    // would have node 2 over [10, 20): open, it starts; closed, it meets the reservation at 20. Job
    // 1 then takes 0-2, and at 30 job 3 takes the lowest of them.
    const jobs = [job(0, 20, 2), job(1, 10, 3), job(2, 30, 1), job(3, 10, 1)];
    const open = runNodes(4, jobs);
    expect(open.start).toEqual([0, 20, 10, 10]);
    expect(open.processors).toEqual([[0, 1], [0, 1, 2], [3], [2]]);
    const closed = runNodes(4, jobs, { closedOverlap: true });
    expect(closed.start).toEqual([0, 20, 10, 30]);
    expect(closed.processors).toEqual([[0, 1], [0, 1, 2], [3], [0]]);
  });

  test('conservative: a start that meets another reservation is tried again from later on', () => {
    // 4 nodes, a pass at 10. Job 0 has 0-1 to 20, job 1 has 2-3 to 30. Job 2 (4 nodes, 10 s): [30,
    // 40). Job 3 (2 nodes, 15 s): usable over [10, 25) are all, so 0-1 at 20; but [20, 35) meets
    // job 2. From 20 on nothing is usable over [20, 35), and other nodes are unreserved from 40 on.
    // From 40 on: [40, 55). Job 4 (1 node, 10 s): node 0 at 20, and [20, 30) meets nothing.
    const jobs = [job(0, 20, 2), job(0, 30, 2), job(1, 10, 4), job(2, 15, 2), job(3, 10, 1)];
    const conservative: Changes = { discipline: 'conservative' };
    const made: [number, number][] = [
      [2, 30],
      [3, 40],
      [4, 20],
    ];
    expect(reservedAtTen(4, jobs, conservative)).toEqual(made);
    // The main pass at 20 ends at job 2; only a backfill pass at 20 can start job 4 there, else it
    // waits to 40.
    expect(runNodes(4, jobs, conservative).start).toEqual([0, 0, 30, 40, 40]);
    expect(runNodes(4, jobs, { ...conservative, backfillInterval: 10 }).start).toEqual([0, 0, 30, 40, 20]);
  });

  test.each([
    [0, 24, 45],
    [7, 19, 45],
  ])(
    'windows of 10 s, time 0 at %i: jobs that end in one are planned to end together',
    (clockOrigin, first, last) => {
      // 4 nodes, held to 12, 19, 24 and 45; a pass at 10 plans job 4 (1 node, 1 s) and job 5 (4
      // nodes, 5 s). Origin 0: the window of 12 ends at 20, so the first group ends by 20 + 10: 12,
      // 19, 24, and job 4 has 24. The width is 20 then, and as 45 > 20 + 20 it is 40: 45 ends by
      // 60. Origin 7: 12 is 19 on the clock, whose window ends at 20 there, at 13 here. The first
      // group ends by 23: 12 and 19. The width is 20, and by 33 there is 24 alone; then it is 40,
      // and 45 ends by 53.
      const jobs = [job(0, 12, 1), job(0, 19, 1), job(0, 24, 1), job(0, 45, 1), job(1, 1, 1), job(2, 5, 4)];
      const changes: Changes = { discipline: 'conservative', endWindow: 10, clockOrigin };
      expect(reservedAtTen(4, jobs, changes)).toEqual([
        [4, first],
        [5, last],
      ]);
      expect(reservedAtTen(4, jobs, { ...changes, endWindow: 0 })).toEqual([
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
    // 2 nodes, a pass at 5. Job 0 has node 0 to 27, so job 1 (2 nodes, 10 s) is planned for [27,
    // 37), and job 2 (20 s) would have node 1 over [5, 25). In steps of 10 the reservation is [20,
    // 30), in its way; if the time 0 is 3 on the clock, 27 and 37 are 30 and 40 there, and stay.
    // Job 2 that did not start has to wait for job 1.
    const jobs = [job(0, 27, 1), job(1, 10, 2), job(2, 20, 1)];
    const changes: Changes = { backfillOffset: 5, backfillResolution, clockOrigin };
    expect(runNodes(2, jobs, changes).start).toEqual([0, 27, expected]);
  });

  test.each([
    [3, 40],
    [4, 10],
  ])('a table of %i segments: job 3 starts at %i', (backfillSegments, expected) => {
    // 4 nodes, a pass at 10. Job 0 has 3 nodes to 20. Job 1 (4 nodes, 10 s) has [20, 30), which
    // makes 3 segments of one. Job 2 (4 nodes, 10 s) would have [30, 40): if 3 are all there may
    // be, the pass ends; else there are 4, and job 3 (1 node, 5 s) starts at 10.
    const jobs = [job(0, 20, 3), job(1, 10, 4), job(2, 10, 4), job(3, 5, 1)];
    const changes: Changes = { discipline: 'conservative', backfillSegments };
    expect(runNodes(4, jobs, changes).start).toEqual([0, 20, 30, expected]);
  });

  test.each<[number, number[], number]>([
    [15, [0, 110, 10], 0],
    [30, [0, 110, 10], 1],
    [31, [0, 40, 50], 1],
    [0, [0, 40, 50], 1],
  ])('a window of %i s: starts %o', (backfillWindow, starts, reservations) => {
    // 4 nodes, a pass at 10. Job 0 has 3 nodes to 40, where job 1 (4 nodes, 10 s) is planned. That
    // is beyond 10 + 15, so it has no reservation, and job 2 (1 node, 100 s) is in its way until
    // 110. A window to 40 takes the reservation, of which it does not reach the begin; one to 41
    // keeps [40, 41) of it, which job 2 meets.
    const jobs = [job(0, 40, 3), job(1, 10, 4), job(2, 100, 1)];
    expect(runNodes(4, jobs, { backfillWindow }).start).toEqual(starts);
    expect(reservedAtTen(4, jobs, { backfillWindow })).toHaveLength(reservations);
  });

  test.each<[number, number[]]>([
    [1, [0, 20, 40, 10]],
    [2, [0, 20, 30, 40]],
  ])('easy with %i reservations', (reservationDepth, starts) => {
    // 4 nodes, a pass at 10. Job 0 has 0-2 to 20, and job 1 (3 nodes, 10 s) has them reserved over
    // [20, 30). Job 2 (4 nodes, 10 s) has [30, 40) if it may reserve, and then job 3 (1 node, 30 s)
    // finds no node to 40; else it takes node 3.
    const jobs = [job(0, 20, 3), job(1, 10, 3), job(2, 10, 4), job(3, 30, 1)];
    expect(runNodes(4, jobs, { reservationDepth }).start).toEqual(starts);
  });

  test.each([
    [1, 30],
    [2, 10],
  ])('%i jobs are tested in a pass: job 2 starts at %i', (backfillJobs, expected) => {
    // 4 nodes, a pass at 10: job 1 (4 nodes) is the first that is tested, job 2 (1 node, 5 s) the
    // second.
    const jobs = [job(0, 20, 3), job(1, 10, 4), job(2, 5, 1)];
    expect(runNodes(4, jobs, { backfillJobs }).start).toEqual([0, 20, expected]);
  });

  test('there is no backfill pass if no job was submitted, started or ended since the last', () => {
    // 3 nodes, passes at 10, 20 and so on, windows of 10 s. Job 0 has node 0 to 60 but is estimated
    // to end at 12; job 1 has node 1 to 35. At 10 the first group is job 0 alone (by 20 + 10): job
    // 2 (2 nodes, 10 s) has nodes 0 and 2 from 12 on, and job 3 (10 s) finds none. At 20 job 0
    // would be planned to end at 21, whose group reaches to 40 and so to job 1: job 2 would have
    // 35, and job 3 would start. But nothing has changed, so job 3 waits for job 2, which has nodes
    // 1-2 over [35, 45).
    const jobs = [job(0, 60, 1, 0, 12), job(0, 35, 1), job(1, 10, 2), job(2, 10, 1)];
    const changes: Changes = { backfillInterval: 10, endWindow: 10 };
    const quiet = runNodes(3, jobs, changes);
    expect(quiet.start).toEqual([0, 0, 35, 45]);
    expect(quiet.processors[2]).toEqual([1, 2]);
    // A submit at 15 is a change. Job 4 (3 nodes) itself waits for job 0.
    expect(runNodes(3, [...jobs, job(15, 1, 3)], changes).start).toEqual([0, 0, 35, 20, 60]);
  });

  test('of the neighbours that a reservation makes equal two become one, and splits are counted', () => {
    // Nodes 0 and 1. Entering [10, 20) for node 1 begins and ends where segments do, so nothing is
    // split. It leaves node 0 from 0 to 30 in three segments: the first two become one, the third
    // stays.
    const [none, zero, both] = [new Set<number>(), new Set([0]), new Set([0, 1])];
    const list = [
      { begin: 0, end: 10, free: zero },
      { begin: 10, end: 20, free: both },
      { begin: 20, end: 30, free: zero },
      { begin: 30, end: 40, free: both },
    ];
    const segments = { list, entries: 4 };
    const times = () => list.map(({ begin, end }) => [begin, end]);
    enterReservation(segments, 10, 20, new Set([1]));
    expect(times()).toEqual([
      [0, 20],
      [20, 30],
      [30, 40],
    ]);
    expect(segments.entries).toBe(4);
    // [30, 50) for both nodes ends behind the last segment, all of which it takes. Neighbours are
    // compared from the segment before that which ends at 30, so the first two become one after
    // all.
    enterReservation(segments, 30, 50, both);
    expect(times()).toEqual([
      [0, 30],
      [30, 40],
    ]);
    expect(list[1]!.free).toEqual(none);
    expect(segments.entries).toBe(4);
    // [0, 5) for node 0 begins where the first segment does, which is cut into [0, 0) and [0, 30),
    // and that into [0, 5) and [5, 30). The neighbours are compared from [0, 0) on, up to [0, 5):
    // none are equal.
    enterReservation(segments, 0, 5, zero);
    expect(times()).toEqual([
      [0, 0],
      [0, 5],
      [5, 30],
      [30, 40],
    ]);
    expect(list[1]!.free).toEqual(none);
    expect(segments.entries).toBe(6);
    // Nothing is behind 40.
    enterReservation(segments, 41, 50, both);
    expect(segments.entries).toBe(6);
  });
});

/** A random case on nodes, with passes often enough that most jobs are backfilled. */
function randomNodeCase(seed: number): RandomCase {
  const { jobs, options } = randomOneMachineCase(seed);
  const draws = new Draws(seed);
  const drawn: ReferenceOptions = {
    ...options,
    queue: 'shared',
    interval: undefined,
    planBy: 'node',
    passDelay: { submit: draws.pick([0, 0, 3]), end: draws.pick([0, 0, 7.5]) },
    backfillInterval: draws.pick([5, 10, 30]),
    backfillOffset: draws.pick([0, 2.5]),
    endWindow: draws.pick([0, 0, 30]),
    closedOverlap: draws.oneIn(2),
    backfillResolution: draws.pick([0, 0, 20]),
    backfillJobs: draws.pick([0, 0, 5]),
    backfillSegments: draws.pick([0, 0, 9]),
    backfillWindow: draws.pick([0, 0, 100]),
    clockOrigin: draws.pick([0, 1234567.5]),
  };
  return { jobs, options: drawn };
}

test('random cases: all jobs run, and no node is held by two at once', () => {
  let overtaken = 0;
  for (const seed of seeds(300)) {
    const { jobs, options } = randomNodeCase(seed);
    if (jobs[0]!.submit >= SECONDS_LOST) continue;
    const result = simulateReference(jobs, options);
    expect(result.held, `case ${seed}`).toEqual(jobs.map(({ processors }) => processors));
    expectHeldApart(jobs, options, result);
    overtaken += jobs.filter((_, i) => i > 0 && result.start[i]! < result.start[i - 1]!).length;
  }
  expect(overtaken).toBeGreaterThan(0);
});

describe('options that do not go with passes', () => {
  const interval: Changes = { backfillInterval: 10 };
  const delay: Changes = { passDelay: { submit: 1, end: 1 } };
  const nodes: Changes = { planBy: 'node', ...interval };
  const dynamic = { candidates: [] } as unknown as NonNullable<ReferenceOptions['dynamic']>;

  test.each<[string, Changes]>([
    ['backfillInterval', { ...interval, discipline: 'fcfs' }],
    ['backfillInterval', { ...interval, discipline: 'sjf' }],
    ['backfillInterval', { ...interval, interval: 5 }],
    ['backfillInterval', { ...interval, queue: 'independent' }],
    ['backfillInterval', { ...interval, discipline: 'conservative', reservations: 'kept' }],
    ['backfillInterval', { ...interval, dynamic }],
    ['passDelay', { ...delay, interval: 5 }],
    ['passDelay', { ...delay, queue: 'independent' }],
    ['passDelay', { ...delay, discipline: 'conservative', reservations: 'kept' }],
    ['passDelay', { ...delay, dynamic }],
    ['passGap', { passGap: 1, queue: 'independent' }],
    ['planBy node', { planBy: 'node' }],
    ['planBy node', { ...nodes, capacities: [1, 1], speeds: [1, 1], load: [1, 1] }],
    ['planBy node', { ...nodes, discipline: 'first-available' }],
    ['planBy node', { ...nodes, select: 'optimal' }],
    ['planBy node', { ...nodes, multiSiteFactor: 1 }],
    ['planBy node', { ...nodes, choose: () => 1 }],
    ['planBy node', { ...nodes, bandwidth: [[1]] }],
    ['endWindow', { ...interval, endWindow: 1 }],
    ['closedOverlap', { ...interval, closedOverlap: true }],
    ['backfillResolution', { ...interval, backfillResolution: 1 }],
    ['backfillJobs', { ...interval, backfillJobs: 1 }],
    ['backfillSegments', { ...interval, backfillSegments: 1 }],
    ['backfillWindow', { ...interval, backfillWindow: 1 }],
    ['processorsPerNode', { ...interval, processorsPerNode: 2 }],
    ['releaseDelay', { ...interval, releaseDelay: 1 }],
  ])('%s with %o', (name, changes) => {
    const refused = () => run([job(0, 1, 1)], { capacities: [1], discipline: 'easy', ...changes });
    expect(refused).toThrow(name);
  });

  test('but alone they do', () => {
    for (const changes of [interval, delay, nodes])
      expect(startsOn(1, [job(0, 1, 1)], { discipline: 'easy', ...changes })).toEqual([
        changes.passDelay?.submit ?? 0,
      ]);
  });
});
