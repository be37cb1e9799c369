/**
 * Predicted ends are kept in lists while few and in trees when many; tests both, and the changes
 * between them.
 */
import { expect, test } from 'vitest';
import { makeUniformStream } from '../../host/math/random.js';
import { makeExampleJob, makeReferenceOptions } from '../reference/examples.js';
import { simulateReference } from '../reference/simulator/reference.js';
import { simulateCore } from './simulateCore.js';

const SITES = [
  { capacities: [150], discipline: 'easy' },
  { capacities: [150], discipline: 'conservative' },
  { capacities: [120, 150], discipline: 'easy' },
  { capacities: [120, 150], discipline: 'conservative' },
] as const;

/**
 * Jobs in waves: narrow jobs that fill the sites, and some wide ones for which the sites must
 * drain.
 */
function makeJobsInWaves(seed: number) {
  const uniform = makeUniformStream(seed, 'waves');
  let time = 0;
  return Array.from({ length: 220 }, (_, i) => {
    if (uniform() < 0.3) time += Math.floor(uniform() * 6);
    const isWide = i % 110 === 109;
    const runtime = uniform() * 400;
    const estimate = uniform() < 0.5 ? runtime : uniform() * 600;
    return makeExampleJob(time, runtime, isWide ? 110 : 1 + Math.floor(uniform() * 2), 0, estimate);
  });
}

test.each(SITES)('$capacities processors, $discipline', ({ capacities, discipline }) => {
  let maxRunningJobCount = 0;
  for (let seed = 1; seed <= 3; seed++) {
    const jobs = makeJobsInWaves(seed);
    const options = makeReferenceOptions({ capacities: [...capacities], discipline });
    const { stops: _, ...expected } = simulateReference(jobs, options);
    const coreResult = simulateCore(jobs, options, 'checked');
    expect(coreResult).toEqual(expected);
    const runningJobCountsAtStarts = coreResult.start.map(
      (time) =>
        coreResult.start.filter((start, i) => start <= time && start + coreResult.execution[i] > time).length,
    );
    maxRunningJobCount = Math.max(maxRunningJobCount, ...runningJobCountsAtStarts);
  }
  expect(maxRunningJobCount).toBeGreaterThan(capacities.length * 64);
});
