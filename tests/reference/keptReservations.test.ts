import { expect, test } from 'vitest';
import { makeExampleJob, makeReferenceOptions, runReferenceSimulator } from './examples.js';
import { type ReferenceJob, type ReferenceOptions, simulateGrid } from './simulator/reference.js';

const ONE = makeReferenceOptions({ capacities: [4], discipline: 'conservative' });

function simulateJobRows(rows: readonly (readonly number[])[], options: Partial<ReferenceOptions>) {
  const jobs = rows.map(([submit, runtime, processors, estimate]): ReferenceJob => {
    return { submit: submit!, runtime: runtime!, processors: processors!, estimate: estimate!, home: 0 };
  });
  return simulateGrid(jobs, { ...ONE, ...options });
}

test('four jobs: the last starts as soon as the first ends early, or, where plans are recomputed, as these have it', () => {
  const rows = [
    [0, 8, 2, 80],
    [1, 80, 3, 80],
    [2, 30, 1, 30],
    [3, 4, 2, 20],
  ];
  const simulateStartTimes = (reservations: 'kept' | 'replanned') =>
    simulateJobRows(rows, { reservations }).jobs.map(({ start }) => start);
  expect(simulateStartTimes('kept')).toEqual([0, 12, 2, 8]);
  expect(simulateStartTimes('replanned')).toEqual([0, 8, 2, 88]);
});

test('a job that runs too long moves the reservation behind it, which starts when there is room', () => {
  const { jobs, movedReservations } = simulateJobRows(
    [
      [0, 10, 4, 5],
      [1, 5, 4, 5],
      [7, 1, 2, 1],
    ],
    { reservations: 'kept' },
  );
  expect(jobs.map(({ promised, start }) => [promised, start])).toEqual([
    [0, 0],
    [5, 11],
    [13, 10],
  ]);
  expect(movedReservations).toBe(1);
});

test('a backfill pass orders jobs by what runs after the main pass of its instant', () => {
  // Job 0 ends early at 10; the main pass then starts job 1, whose user has job 2 as well.
  const jobs = [
    { ...makeExampleJob(0, 10, 2, 0, 50), user: 0 },
    { ...makeExampleJob(1, 100, 1), user: 1 },
    { ...makeExampleJob(2, 100, 2), user: 1 },
    { ...makeExampleJob(3, 130, 1), user: 2 },
  ];
  const simulateStartsInOrder = (order: string) =>
    runReferenceSimulator(jobs, {
      capacities: [2],
      discipline: 'conservative',
      reservations: 'kept',
      order,
      backfillInterval: 10,
      backfillOffset: 10,
    }).start;
  expect(simulateStartsInOrder('submit')).toEqual([0, 10, 110, 210]);
  expect(simulateStartsInOrder('running')).toEqual([0, 10, 140, 10]);
});
