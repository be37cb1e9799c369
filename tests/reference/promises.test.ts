/** Start times promised by backfilling: the start of the first reservation. */
import { expect, test } from 'vitest';
import { seeds } from '../cases.js';
import { CLOCK_WITHOUT_SECONDS } from './cases/draws.js';
import { randomSafeCase } from './cases/safeBackfilling.js';
import { runGrid } from './simulator/reference.js';
import type { ReferenceJob, ReferenceOptions } from './simulator/types.js';

/** Jobs that started later than their first reservation. */
function brokenPromises(jobs: ReferenceJob[], options: ReferenceOptions): number {
  const simulation = runGrid(jobs, options);
  const first = new Map<number, number>();
  for (const { job, start } of simulation.reservations) if (!first.has(job)) first.set(job, start);
  return [...first].filter(([job, start]) => simulation.jobs[job]!.start > start).length;
}

/**
 * A case in which promised starts must hold: exact estimates above 0, one pass per instant, order
 * of submission.
 */
function promisingCase(
  seed: number,
  discipline: 'easy' | 'conservative',
): [ReferenceJob[], ReferenceOptions] {
  const { jobs, options } = randomSafeCase(seed);
  const exact = jobs.map((job) => {
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
  return [exact, { ...options, ...changes, discipline, queue: 'shared' }];
}

// If lengths vanish in rounding, no start is promised.
const tried = seeds(400).filter((seed) => randomSafeCase(seed).jobs[0]!.submit < CLOCK_WITHOUT_SECONDS);
const fewer = tried.slice(0, Math.ceil((3 * tried.length) / 8));

test('under EASY with any allocator no job starts later than its first reservation', () => {
  for (const seed of tried) expect(brokenPromises(...promisingCase(seed, 'easy')), `case ${seed}`).toBe(0);
});

test('under conservative on one site no job starts later than its first reservation', () => {
  for (const seed of fewer) {
    const [jobs, options] = promisingCase(seed, 'conservative');
    const capacities = [Math.max(...options.capacities)];
    const alone = jobs.map((job) => ({ ...job, home: 0 }));
    const one = { ...options, capacities, speeds: [1], load: [1], minSpeedRatio: 0 };
    expect(brokenPromises(alone, one), `case ${seed}`).toBe(0);
  }
});

test('what is not promised: conservative with an allocator on several sites', () => {
  expect(brokenPromises(...promisingCase(176, 'conservative'))).toBeGreaterThan(0);
});
