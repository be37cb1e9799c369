import { expect, test } from 'vitest';
import { expectFrequent, listCaseSeeds } from '../cases.js';
import { randomMoldableCase } from './cases/moldable.js';
import { findOverlappingJobs } from './overlap.js';
import { simulateReference } from './simulator/reference.js';

const triedSeeds = listCaseSeeds(300);

test('cases are the same for the same seed and exercise what they are made for', () => {
  expect(randomMoldableCase(7)).toEqual(randomMoldableCase(7));
  const countByBehaviour = new Map<string, number>();
  const countBehaviour = (behaviour: string, addedCount = 1) =>
    countByBehaviour.set(behaviour, (countByBehaviour.get(behaviour) ?? 0) + addedCount);
  for (const seed of triedSeeds) {
    const { jobs, options } = randomMoldableCase(seed);
    const {
      start,
      site,
      held: heldProcessors,
      execution,
      metrics: referenceMetrics,
    } = simulateReference(jobs, options);
    const gridSizeText = options.capacities.length > 1 ? 'grid' : 'one site';
    const choice = options.moldableThreshold === undefined ? 'always' : 'threshold';
    for (const optionValue of [options.moldableFit!, `sigma ${options.speedup?.sigma}`])
      countBehaviour(optionValue);
    countBehaviour(`${gridSizeText}, ${options.moldable}, ${choice}`);
    countBehaviour('scaled down', referenceMetrics.scaledDownJobs);
    countBehaviour('scaled up', referenceMetrics.scaledUpJobs);
    if (referenceMetrics.largestQueue >= 10) countBehaviour('long queue');
    jobs.forEach((job, i) => {
      if (job.processors > options.capacities[site[i]!]!) countBehaviour('wider than its site');
      if (job.processors > Math.max(...options.capacities)) countBehaviour('wider than every site');
      if (start[i]! > job.submit && heldProcessors[i] === job.processors) countBehaviour('waited for all');
      if (execution[i]! > 0 && job.estimate < job.runtime) countBehaviour('underestimated');
    });
  }
  const atLeast = (minCount: number, behaviours: string[]) =>
    expectFrequent(countByBehaviour, minCount, behaviours);
  atLeast(4, ['one site, down, always', 'one site, up-down, always']);
  atLeast(15, ['one site, down, threshold', 'one site, up-down, threshold', 'grid, down, always']);
  atLeast(15, ['sigma 0', 'sigma 0.5', 'sigma 1', 'sigma 2']);
  atLeast(80, ['demand', 'processors', 'power', 'grid, down, threshold', 'long queue']);
  atLeast(150, ['sigma undefined', 'scaled up']);
  atLeast(1000, ['scaled down', 'wider than its site', 'wider than every site', 'waited for all']);
  atLeast(1000, ['underestimated']);
});

test('every job runs, in order, on processors of one site that no other job holds', () => {
  for (const seed of triedSeeds) {
    const { jobs, options } = randomMoldableCase(seed);
    const referenceResult = simulateReference(jobs, options);
    jobs.forEach((job, i) => {
      const site = referenceResult.site[i]!;
      const heldProcessors = referenceResult.held[i]!;
      const firstProcessor = options.capacities.slice(0, site).reduce((sum, capacity) => sum + capacity, 0);
      expect(heldProcessors).toBeGreaterThanOrEqual(1);
      if (options.moldable === 'down') expect(heldProcessors).toBeLessThanOrEqual(job.processors);
      expect(referenceResult.parts[i]).toEqual([{ site, processors: heldProcessors }]);
      expect(referenceResult.processors[i]).toHaveLength(heldProcessors);
      expect(referenceResult.processors[i]![0]).toBeGreaterThanOrEqual(firstProcessor);
      expect(referenceResult.processors[i]!.at(-1)).toBeLessThan(firstProcessor + options.capacities[site]!);
      if (i > 0 && options.order === undefined)
        expect(referenceResult.start[i]).toBeGreaterThanOrEqual(referenceResult.start[i - 1]!);
      expect(referenceResult.start[i]).toBeGreaterThanOrEqual(job.submit);
    });
    expect(findOverlappingJobs(referenceResult, options.order === undefined)).toBeUndefined();
  }
});
