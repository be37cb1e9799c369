/** Start times promised by backfilling: the start of the first reservation. */
import { expect, test } from 'vitest';
import { listCaseSeeds } from '../cases.js';
import { FIRST_TIME_LOSING_SECONDS } from './cases/draws.js';
import { randomSafeCase } from './cases/safeBackfilling.js';
import { simulateGrid } from './simulator/reference.js';
import type { ReferenceJob, ReferenceOptions } from './simulator/types.js';

/** Jobs that started later than their first reservation. */
function countBrokenPromises(jobs: ReferenceJob[], options: ReferenceOptions): number {
  const simulation = simulateGrid(jobs, options);
  const firstReservedStartByJob = new Map<number, number>();
  for (const { job, start } of simulation.reservations)
    if (!firstReservedStartByJob.has(job)) firstReservedStartByJob.set(job, start);
  return [...firstReservedStartByJob].filter(([job, start]) => simulation.jobs[job]!.start > start).length;
}

/**
 * A case in which promised starts must hold: exact estimates above 0, one pass per instant, order
 * of submission.
 */
function makeCaseWithPromises(
  seed: number,
  discipline: 'easy' | 'conservative',
): [ReferenceJob[], ReferenceOptions] {
  const { jobs, options } = randomSafeCase(seed);
  const jobsWithExactEstimates = jobs.map((job) => {
    const runtime = Math.max(1, job.runtime);
    return { ...job, runtime, estimate: runtime };
  });
  const changes = {
    instant: 'batched',
    resolution: 'exact',
    order: undefined,
    backfillOrder: undefined,
    interval: undefined,
  } as const;
  return [jobsWithExactEstimates, { ...options, ...changes, discipline, queue: 'shared' }];
}

// Jobs so short that adding their length to a late time changes nothing have no promised start.
const triedSeeds = listCaseSeeds(400).filter(
  (seed) => randomSafeCase(seed).jobs[0]!.submit < FIRST_TIME_LOSING_SECONDS,
);
const threeEighthsOfSeeds = triedSeeds.slice(0, Math.ceil((3 * triedSeeds.length) / 8));

test('under EASY with any allocator no job starts later than its first reservation', () => {
  for (const seed of triedSeeds)
    expect(countBrokenPromises(...makeCaseWithPromises(seed, 'easy')), `case ${seed}`).toBe(0);
});

test('under conservative on one site no job starts later than its first reservation', () => {
  for (const seed of threeEighthsOfSeeds) {
    const [jobs, options] = makeCaseWithPromises(seed, 'conservative');
    const capacities = [Math.max(...options.capacities)];
    const jobsFromOneHome = jobs.map((job) => ({ ...job, home: 0 }));
    const oneSiteOptions = { ...options, capacities, speeds: [1], load: [1], minSpeedRatio: 0 };
    expect(countBrokenPromises(jobsFromOneHome, oneSiteOptions), `case ${seed}`).toBe(0);
  }
});

test('what is not promised: conservative with an allocator on several sites', () => {
  expect(countBrokenPromises(...makeCaseWithPromises(176, 'conservative'))).toBeGreaterThan(0);
});
