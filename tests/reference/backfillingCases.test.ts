import { expect, test } from 'vitest';
import { caseSeeds, expectFrequent } from '../cases.js';
import { randomBackfillingCase } from './cases/backfilling.js';
import { simulateGrid, simulateReference } from './simulator/reference.js';

test('cases are the same for the same seed and exercise what they are made for', () => {
  expect(randomBackfillingCase(7)).toEqual(randomBackfillingCase(7));
  const seen = new Map<string, number>();
  const count = (what: string, times = 1) => seen.set(what, (seen.get(what) ?? 0) + times);
  for (const seed of caseSeeds(200)) {
    const { jobs, options } = randomBackfillingCase(seed);
    const { start, execution, metrics } = simulateReference(jobs, options);
    count(`${options.discipline}, ${options.queue}`);
    if (metrics.largestQueue >= 20) count('long queue');
    const ends = start.map((time, i) => time + execution[i]!);
    jobs.forEach((job, i) => {
      const nextJob = jobs[i + 1];
      if (nextJob === undefined) return;
      // A stored plan must stay valid when another job is submitted before any job has ended.
      if (!ends.some((end) => end >= job.submit && end <= nextJob.submit))
        count('submits without an end between');
      if (start[i]! > start[i + 1]!) count('overtaken');
    });
    if (options.queue === 'independent' || options.discipline !== 'easy') continue;
    const reserved = new Set(simulateGrid(jobs, options).reservations.map((reservation) => reservation.job));
    const isPassedOver = (i: number) => start[i]! > jobs[i]!.submit && !reserved.has(i);
    count('passed over, and started without a reservation', jobs.filter((_, i) => isPassedOver(i)).length);
  }
  const atLeast = (times: number, what: string[]) => expectFrequent(seen, times, what);
  atLeast(10, ['easy, independent', 'conservative, independent', 'long queue']);
  atLeast(30, ['easy, shared', 'conservative, shared']);
  atLeast(2000, ['overtaken', 'passed over, and started without a reservation']);
  atLeast(5000, ['submits without an end between']);
});
