import { expect, test } from 'vitest';
import { expectFrequent, listCaseSeeds } from '../cases.js';
import { randomBackfillingCase } from './cases/backfilling.js';
import { simulateGrid, simulateReference } from './simulator/reference.js';

test('cases are the same for the same seed and exercise what they are made for', () => {
  expect(randomBackfillingCase(7)).toEqual(randomBackfillingCase(7));
  const countByBehaviour = new Map<string, number>();
  const countBehaviour = (behaviour: string, addedCount = 1) =>
    countByBehaviour.set(behaviour, (countByBehaviour.get(behaviour) ?? 0) + addedCount);
  for (const seed of listCaseSeeds(200)) {
    const { jobs, options } = randomBackfillingCase(seed);
    const { start, execution, metrics: referenceMetrics } = simulateReference(jobs, options);
    countBehaviour(`${options.discipline}, ${options.queue}`);
    if (referenceMetrics.largestQueue >= 20) countBehaviour('long queue');
    const endTimes = start.map((time, i) => time + execution[i]!);
    jobs.forEach((job, i) => {
      const nextJob = jobs[i + 1];
      if (nextJob === undefined) return;
      // A stored plan must stay valid when another job is submitted before any job has ended.
      if (!endTimes.some((end) => end >= job.submit && end <= nextJob.submit))
        countBehaviour('submits without an end between');
      if (start[i]! > start[i + 1]!) countBehaviour('overtaken');
    });
    if (options.queue === 'independent' || options.discipline !== 'easy') continue;
    const jobsWithReservations = new Set(
      simulateGrid(jobs, options).reservations.map((reservation) => reservation.job),
    );
    const isPassedOver = (i: number) => start[i]! > jobs[i]!.submit && !jobsWithReservations.has(i);
    countBehaviour(
      'passed over, and started without a reservation',
      jobs.filter((_, i) => isPassedOver(i)).length,
    );
  }
  const atLeast = (minCount: number, behaviours: string[]) =>
    expectFrequent(countByBehaviour, minCount, behaviours);
  atLeast(10, ['easy, independent', 'conservative, independent', 'long queue']);
  atLeast(30, ['easy, shared', 'conservative, shared']);
  atLeast(2000, ['overtaken', 'passed over, and started without a reservation']);
  atLeast(5000, ['submits without an end between']);
});
