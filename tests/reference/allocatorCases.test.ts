import { expect, test } from 'vitest';
import { caseSeeds, doesRunCoverRareCases } from '../cases.js';
import { randomAllocatorCase } from './cases/allocators.js';
import { SINGLE_SITE_POLICY_NAMES } from './cases/draws.js';
import { findOverlap } from './overlap.js';
import { simulateReference } from './simulator/reference.js';

const tried = caseSeeds(300);

test('cases are the same for the same seed and exercise what they are made for', () => {
  expect(randomAllocatorCase(7)).toEqual(randomAllocatorCase(7));
  const policies = new Set<string>();
  const decisions = { agreed: 0, bestFit: 0, fastestFirst: 0 };
  let longQueues = 0;
  for (const seed of tried) {
    const { jobs, options } = randomAllocatorCase(seed);
    const { metrics } = simulateReference(jobs, options);
    policies.add(options.policy);
    if (metrics.largestQueue >= 10) longQueues += 1;
    for (const key of ['agreed', 'bestFit', 'fastestFirst'] as const)
      decisions[key] += metrics.decisions[key];
  }
  if (!doesRunCoverRareCases) return;
  expect([...policies].sort()).toEqual([...SINGLE_SITE_POLICY_NAMES].sort());
  expect(longQueues).toBeGreaterThan(60);
  expect(Math.min(decisions.agreed, decisions.bestFit, decisions.fastestFirst)).toBeGreaterThan(300);
});

test('every job runs once, in order, on processors of its site that no other job holds', () => {
  for (const seed of tried) {
    const { jobs, options } = randomAllocatorCase(seed);
    const result = simulateReference(jobs, options);
    jobs.forEach((job, i) => {
      const firstProcessor = options.capacities
        .slice(0, result.site[i]!)
        .reduce((sum, capacity) => sum + capacity, 0);
      const lastProcessor = firstProcessor + options.capacities[result.site[i]!]! - 1;
      const held = result.processors[i]!;
      expect(held).toHaveLength(job.processors);
      expect(held[0]).toBeGreaterThanOrEqual(firstProcessor);
      expect(held.at(-1)).toBeLessThanOrEqual(lastProcessor);
      const mayBeFirst = i === 0 || options.order !== undefined;
      expect(result.start[i]).toBeGreaterThanOrEqual(mayBeFirst ? job.submit : result.start[i - 1]!);
      expect(result.start[i]).toBeGreaterThanOrEqual(job.submit);
    });
    expect(findOverlap(result, options.order === undefined)).toBeUndefined();
  }
});
