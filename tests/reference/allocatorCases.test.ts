import { expect, test } from 'vitest';
import { doesRunCoverRareCases, listCaseSeeds } from '../cases.js';
import { randomAllocatorCase } from './cases/allocators.js';
import { SINGLE_SITE_POLICY_NAMES } from './cases/draws.js';
import { findOverlappingJobs } from './overlap.js';
import { simulateReference } from './simulator/reference.js';

const triedSeeds = listCaseSeeds(300);

test('cases are the same for the same seed and exercise what they are made for', () => {
  expect(randomAllocatorCase(7)).toEqual(randomAllocatorCase(7));
  const policies = new Set<string>();
  const decisions = { agreed: 0, bestFit: 0, fastestFirst: 0 };
  let caseCountWithLongQueues = 0;
  for (const seed of triedSeeds) {
    const { jobs, options } = randomAllocatorCase(seed);
    const { metrics: referenceMetrics } = simulateReference(jobs, options);
    policies.add(options.policy);
    if (referenceMetrics.largestQueue >= 10) caseCountWithLongQueues += 1;
    for (const key of ['agreed', 'bestFit', 'fastestFirst'] as const)
      decisions[key] += referenceMetrics.decisions[key];
  }
  if (!doesRunCoverRareCases) return;
  expect([...policies].sort()).toEqual([...SINGLE_SITE_POLICY_NAMES].sort());
  expect(caseCountWithLongQueues).toBeGreaterThan(60);
  expect(Math.min(decisions.agreed, decisions.bestFit, decisions.fastestFirst)).toBeGreaterThan(300);
});

test('every job runs once, in order, on processors of its site that no other job holds', () => {
  for (const seed of triedSeeds) {
    const { jobs, options } = randomAllocatorCase(seed);
    const referenceResult = simulateReference(jobs, options);
    jobs.forEach((job, i) => {
      const firstProcessor = options.capacities
        .slice(0, referenceResult.site[i]!)
        .reduce((sum, capacity) => sum + capacity, 0);
      const lastProcessor = firstProcessor + options.capacities[referenceResult.site[i]!]! - 1;
      const heldProcessors = referenceResult.processors[i]!;
      expect(heldProcessors).toHaveLength(job.processors);
      expect(heldProcessors[0]).toBeGreaterThanOrEqual(firstProcessor);
      expect(heldProcessors.at(-1)).toBeLessThanOrEqual(lastProcessor);
      const canOvertakePreviousJob = i === 0 || options.order !== undefined;
      expect(referenceResult.start[i]).toBeGreaterThanOrEqual(
        canOvertakePreviousJob ? job.submit : referenceResult.start[i - 1]!,
      );
      expect(referenceResult.start[i]).toBeGreaterThanOrEqual(job.submit);
    });
    expect(findOverlappingJobs(referenceResult, options.order === undefined)).toBeUndefined();
  }
});
