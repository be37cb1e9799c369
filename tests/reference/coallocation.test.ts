import { describe, expect, test } from 'vitest';
import { makeExampleJob, makeReferenceOptions, runReferenceSimulator } from './examples.js';
import { simulateGrid } from './simulator/reference.js';
import type { ReferenceOptions } from './simulator/types.js';

type OptionChanges = Partial<ReferenceOptions>;
type GridOptionChanges = OptionChanges & { capacities: number[] };

const easyGrid: GridOptionChanges = { capacities: [4], discipline: 'easy' };
const conservativeGridOptions: GridOptionChanges = { capacities: [4], discipline: 'conservative' };
const PLANNING_DISCIPLINES = [['easy'], ['conservative']] as const;

describe('backfilling on one site', () => {
  // Job 0 holds 3 of 4 processors until 10 s, when job 1 (4 processors) is to start. Job 2 needs
  // the last one at 2 s.
  test.each([
    [8, 2],
    [9, 20], // the job would end at 11 s; instead it starts after job 1, at 20 s
  ])('it ends before the reservation or not: %d s from %d', (runtime, start) => {
    const jobs = [makeExampleJob(0, 10, 3), makeExampleJob(1, 10, 4), makeExampleJob(2, runtime, 1)];
    expect(runReferenceSimulator(jobs, easyGrid).start).toEqual([0, 10, start]);
    expect(runReferenceSimulator(jobs, conservativeGridOptions).start).toEqual([0, 10, start]);
  });

  test.each(PLANNING_DISCIPLINES)('%s: it leaves the reservation enough processors or not', (discipline) => {
    // Of 5 processors, job 0 holds 3 until 10 s, when job 1 needs 4: one is spare, which job 2
    // holds until 102 s. Job 3 waits until job 1 ends at 20 s.
    const jobs = [
      makeExampleJob(0, 10, 3),
      makeExampleJob(1, 10, 4),
      makeExampleJob(2, 100, 1),
      makeExampleJob(3, 100, 1),
    ];
    expect(runReferenceSimulator(jobs, { capacities: [5], discipline }).start).toEqual([0, 10, 2, 20]);
  });

  // Job 0 holds 3 of 4 processors until 10 s; then job 1 needs 2 until 20 s, then job 2 all 4. Job
  // 3 (1 processor, 30 s) fits beside job 1 but takes a processor from job 2.
  test.each([
    ['easy', [0, 10, 32, 2]],
    ['conservative', [0, 10, 20, 30]],
  ] as const)('%s: which jobs have a reservation', (discipline, start) => {
    const jobs = [
      makeExampleJob(0, 10, 3),
      makeExampleJob(1, 10, 2),
      makeExampleJob(1, 10, 4),
      makeExampleJob(2, 30, 1),
    ];
    expect(runReferenceSimulator(jobs, { ...easyGrid, discipline }).start).toEqual(start);
  });

  // All 4 processors are held until 10 s, 3 until 20 s, and 4 until 30 s. Job 3 fits beside job 1
  // if it ends by 20 s.
  test.each([
    [10, 10],
    [11, 30],
  ])('conservative: a hole between reservations, %d s from %d', (runtime, start) => {
    const jobs = [
      makeExampleJob(0, 10, 4),
      makeExampleJob(0, 10, 3),
      makeExampleJob(0, 10, 4),
      makeExampleJob(0, runtime, 1),
    ];
    expect(runReferenceSimulator(jobs, conservativeGridOptions).start).toEqual([0, 10, 20, start]);
  });

  test.each(PLANNING_DISCIPLINES)('%s: a job that ends early lets the next start early', (discipline) => {
    const jobs = [makeExampleJob(0, 5, 4, 0, 10), makeExampleJob(1, 10, 4)];
    expect(runReferenceSimulator(jobs, { ...easyGrid, discipline }).start).toEqual([0, 5]);
  });

  test('a submitted job is planned although others wait', () => {
    // Under FCFS, job 2 would wait behind job 1.
    const jobs = [makeExampleJob(0, 10, 3), makeExampleJob(1, 1, 4), makeExampleJob(2, 1, 1)];
    expect(runReferenceSimulator(jobs, easyGrid).start).toEqual([0, 10, 2]);
    expect(runReferenceSimulator(jobs, { capacities: [4] }).start).toEqual([0, 10, 11]);
  });

  test('estimates are for speed 1 and multiplied by the load, and resolved', () => {
    // Homes with loads 3 and 1 at speed 2: job 1 is to start at 10 x 3 / 2 = 15 s. Job 2 takes 8.6
    // x 3 / 2 = 12.9 s from 2 s.
    const grid: GridOptionChanges = { ...easyGrid, speeds: [2], load: [3] };
    const jobs = [makeExampleJob(0, 10, 3), makeExampleJob(1, 10, 4), makeExampleJob(2, 8.7, 1)];
    // execution time 13.05 s, exceeds the shadow time
    expect(runReferenceSimulator(jobs, grid).start).toEqual([0, 15, 30]);
    // execution time 13 s, rounded down
    expect(runReferenceSimulator(jobs, { ...grid, resolution: 'floor' }).start).toEqual([0, 15, 2]);
  });
});

describe('wrong estimates', () => {
  // Job 0 holds 3 of 4 processors; estimated to end at 5 s, it ends at 100 s. Job 1 (4 processors)
  // is first planned for 5 s, and at 8 s for 9 s.
  test.each([
    [1, 8],
    [2, 110],
  ])('an overdue job is predicted to end in a second: %d s from %d', (runtime, start) => {
    const jobs = [makeExampleJob(0, 100, 3, 0, 5), makeExampleJob(1, 10, 4), makeExampleJob(8, runtime, 1)];
    expect(runReferenceSimulator(jobs, easyGrid).start).toEqual([0, 100, start]);
    const { reservations } = simulateGrid(jobs, makeReferenceOptions(easyGrid));
    expect(reservations.slice(0, 2)).toMatchObject([
      { job: 1, made: 1, start: 5, end: 15 },
      { job: 1, made: 8, start: 9, end: 19 },
    ]);
  });

  // Job 0 ends at 10 s as estimated. Job 2 (1 processor, 1 s) also arrives at 10 s: before that end
  // is handled, job 1 (4 processors) is planned for 11 s.
  test.each([
    ['per-event', [0, 11, 10]],
    ['batched', [0, 10, 20]],
  ] as const)('so is a job whose end at this instant is yet to come: %s', (instant, start) => {
    const jobs = [makeExampleJob(0, 10, 3), makeExampleJob(1, 10, 4), makeExampleJob(10, 1, 1)];
    expect(runReferenceSimulator(jobs, { ...easyGrid, instant }).start).toEqual(start);
  });

  test.each(PLANNING_DISCIPLINES)('%s: a job estimated at 0 has nothing reserved', (discipline) => {
    // Job 1 is planned for 10 s; job 2 holds its processor from 2 to 22 s.
    const jobs = [makeExampleJob(0, 10, 3), makeExampleJob(1, 5, 4, 0, 0), makeExampleJob(2, 20, 1)];
    expect(runReferenceSimulator(jobs, { ...easyGrid, discipline }).start).toEqual([0, 22, 2]);
  });

  // Job 1 needs all 4 processors from 10 s on. A job with an estimate of 0 is predicted to end one
  // second after its start.
  test.each([
    [9, 9],
    [9.5, 20],
  ])('a job estimated at 0 starts where it has a second: submit %d, start %d', (submit, start) => {
    const jobs = [makeExampleJob(0, 10, 3), makeExampleJob(1, 10, 4), makeExampleJob(submit, 0, 1)];
    expect(runReferenceSimulator(jobs, easyGrid).start).toEqual([0, 10, start]);
  });

  test('jobs that have started in the pass count as running', () => {
    // At 10 s, jobs 1 and 2 start; job 1, with an estimate of 0, is predicted to end at 11 s. Job 3
    // is planned for 11 s, not for 10.5 s.
    const jobs = [
      makeExampleJob(0, 10, 4),
      makeExampleJob(1, 5, 1, 0, 0),
      makeExampleJob(1, 0.5, 2),
      makeExampleJob(1, 1, 4),
    ];
    expect(runReferenceSimulator(jobs, easyGrid).start).toEqual([0, 10, 10, 15]);
    const { reservations } = simulateGrid(jobs, makeReferenceOptions(easyGrid));
    expect(reservations.find(({ made }) => made === 10)).toMatchObject({ job: 3, start: 11 });
  });
});

describe('several sites', () => {
  // Sites of 4 processors, the second twice as fast. Job 0 holds the second until 5 s.
  test.each([
    [10, 0, 0], // the job ends at 10 s on either site
    [11, 5, 1], // the job ends at 11 s on site 0, at 5 + 5.5 s on site 1
  ])('a job waits for a faster site if it ends sooner there: %d s', (runtime, start, site) => {
    const grid: GridOptionChanges = { ...easyGrid, capacities: [4, 4], speeds: [1, 2] };
    expect(
      runReferenceSimulator([makeExampleJob(0, 10, 4), makeExampleJob(0, runtime, 4)], grid),
    ).toMatchObject({
      start: [0, start],
      site: [1, site],
    });
  });

  test('the transfer against waiting at home', () => {
    // The home site is full until 20 s. Elsewhere job 1 takes 10 s, plus data / 10 + 2 s for the
    // transfer.
    const networkOptions = { bandwidth: [[1, 10]], latency: [[0, 2]] };
    const grid: GridOptionChanges = { ...easyGrid, capacities: [4, 4], ...networkOptions };
    const simulateWithInputBytes = (inputBytes: number) =>
      runReferenceSimulator(
        [makeExampleJob(0, 20, 4), { ...makeExampleJob(0, 10, 4), data: inputBytes }],
        grid,
      );
    expect(simulateWithInputBytes(170)).toMatchObject({ start: [0, 0], site: [0, 1], execution: [20, 29] });
    expect(simulateWithInputBytes(190)).toMatchObject({ start: [0, 20], site: [0, 0], execution: [20, 10] });
  });

  test('runtimes for the home site', () => {
    // Time factors h = 1.4, 1, 0.6: 14 s at site 0 are 10 s at site 1 and 6 s at site 2.
    const heterogeneity = [1.4, 1, 0.6];
    const grid: GridOptionChanges = {
      capacities: [1, 1, 1],
      speeds: heterogeneity.map((scaleFactor) => 1 / scaleFactor),
      heterogeneity,
      runtimeReference: 'home',
      discipline: 'conservative',
    };
    const referenceResult = runReferenceSimulator(
      [makeExampleJob(0, 14, 1), makeExampleJob(0, 14, 1), makeExampleJob(0, 14, 1)],
      grid,
    );
    // The second job ends at 10 s at site 1, and would end at 12 s at site 2; the third ends at 12
    // s there, and would end at 14 s at home.
    expect(referenceResult).toMatchObject({ site: [2, 1, 2], start: [0, 0, (14 * 0.6) / 1.4] });
    expect(referenceResult.execution).toEqual([(14 * 0.6) / 1.4, 14 / 1.4, (14 * 0.6) / 1.4]);
  });

  test('a split job: parts, execution and measures', () => {
    // A job of 5 processors and 10 s: 3 on the faster site, 2 at home; 1.5 x 10 s, and 4 s of
    // transfer.
    const networkOptions = { bandwidth: [[1, 2]] };
    const grid = { capacities: [4, 3], speeds: [1, 2], multiSiteFactor: 1.5, ...networkOptions };
    const referenceResult = runReferenceSimulator(
      [{ ...makeExampleJob(0, 10, 5), data: 8 }, makeExampleJob(1, 1, 1)],
      { ...easyGrid, ...grid },
    );
    expect(referenceResult.parts).toEqual([
      [
        { site: 1, processors: 3 },
        { site: 0, processors: 2 },
      ],
      [{ site: 0, processors: 1 }],
    ]);
    expect(referenceResult).toMatchObject({ start: [0, 1], execution: [19, 1], site: [1, 0], held: [5, 1] });
    expect(referenceResult.processors).toEqual([[4, 5, 6, 0, 1], [2]]);
    expect(referenceResult.metrics).toMatchObject({
      splitJobs: 1,
      movedJobs: 1,
      awrt: (95 * 19 + 1) / 96,
      utilization: 96 / (7 * 19),
      sites: [{ jobs: 2 }, { jobs: 1, utilization: 1 }],
      decisions: { agreed: 0, bestFit: 0, fastestFirst: 0 },
    });
  });

  test('EASY reserves the sites of the first waiting job, and no other', () => {
    // Job 0 holds site 0 until 10 s. Job 1 needs both sites and is planned for 10 s. At site 1, job
    // 2 would end at 12 s, job 3 at 10 s; job 2 is planned for 20 s without a reservation.
    const grid: GridOptionChanges = { ...easyGrid, capacities: [2, 2], multiSiteFactor: 1 };
    const jobs = [
      makeExampleJob(0, 10, 2),
      makeExampleJob(1, 10, 4),
      makeExampleJob(2, 10, 2),
      makeExampleJob(3, 7, 2),
    ];
    expect(runReferenceSimulator(jobs, grid).start).toEqual([0, 10, 20, 3]);
  });

  test('independent sites: each plans for its own jobs, which stay there', () => {
    const grid: GridOptionChanges = {
      capacities: [4, 4],
      speeds: [1, 2],
      load: [1, 3],
      heterogeneity: [1, 0.7],
      runtimeReference: 'home',
      bandwidth: [[], []],
      latency: [[], []],
      discipline: 'easy',
      queue: 'independent',
    };
    // For home 0, lengths equal those on one site. For home 1 they are (30 x 0.7) / 0.7 and (3 x
    // 0.7) / 0.7, which rounding makes different from 30 and 3.
    const jobs = [
      makeExampleJob(0, 10, 3),
      makeExampleJob(0, 10, 4, 1),
      makeExampleJob(1, 10, 4),
      makeExampleJob(1, 1, 1, 1),
      makeExampleJob(2, 8, 1),
    ];
    const referenceResult = runReferenceSimulator(jobs, grid);
    expect(referenceResult.start).toEqual([0, 0, 10, 30.000000000000004, 2]);
    expect(referenceResult.execution).toEqual([10, 30.000000000000004, 10, 2.9999999999999996, 8]);
    expect(referenceResult.site).toEqual([0, 1, 0, 1, 0]);
  });
});

describe('passes at intervals', () => {
  const gridWithInterval: GridOptionChanges = { ...easyGrid, interval: 10 };

  test.each([
    [12, 25],
    [10, 15], // at equal times, the end of a job comes before the pass
  ])('from the first submit on: %d s, the next from %d', (runtime, start) => {
    const { start: starts, metrics: referenceMetrics } = runReferenceSimulator(
      [makeExampleJob(5, runtime, 4), makeExampleJob(6, 1, 1)],
      gridWithInterval,
    );
    expect(starts).toEqual([5, start]);
    expect(referenceMetrics).toMatchObject({ averageQueueLength: 1 / 4, meanWait: (start - 6) / 2 });
  });

  test('so does a submit', () => {
    expect(
      runReferenceSimulator(
        [makeExampleJob(5, 1, 1), makeExampleJob(15, 1, 1), makeExampleJob(15.5, 1, 1)],
        gridWithInterval,
      ).start,
    ).toEqual([5, 15, 25]);
  });

  test('a job of length 0 ends after the pass that starts it', () => {
    const jobs = [makeExampleJob(0, 0, 4), makeExampleJob(0, 0, 4)];
    expect(runReferenceSimulator(jobs, gridWithInterval).start).toEqual([0, 10]);
    expect(runReferenceSimulator(jobs, easyGrid).start).toEqual([0, 0]);
  });

  // One processor: job 0 ends at 10 s, when job 2 arrives; job 1 waits from 1 to 10 s.
  test.each([
    ['per-event', 4 / 6], // waiting jobs before each event: 0, 0, 1 (submission), 2 (end), 1, 0
    ['batched', 3 / 6], // waiting jobs before each event: 0, 0, 1 (end), 1 (submission), 1, 0
  ] as const)('order of the events of an instant: %s', (instant, averageQueueLength) => {
    const jobs = [makeExampleJob(0, 10, 1), makeExampleJob(1, 1, 1), makeExampleJob(10, 1, 1)];
    const { start, metrics: referenceMetrics } = runReferenceSimulator(jobs, {
      ...gridWithInterval,
      capacities: [1],
      instant,
    });
    expect(start).toEqual([0, 10, 20]);
    expect(referenceMetrics.averageQueueLength).toBe(averageQueueLength);
  });

  test('passes are at first submit + k x interval, not at accumulated sums', () => {
    // 6 x 0.1 is 0.6000000000000001 in doubles, while the sum of six 0.1 is 0.6.
    const jobs = [makeExampleJob(0, 0.55, 1), makeExampleJob(0.1, 1, 1)];
    expect(
      runReferenceSimulator(jobs, { ...gridWithInterval, capacities: [1], interval: 0.1 }).start,
    ).toEqual([0, 6 * 0.1]);
  });
});
