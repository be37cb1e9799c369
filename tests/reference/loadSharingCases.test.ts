import { expect, test } from 'vitest';
import { expectFrequent, listCaseSeeds } from '../cases.js';
import { SINGLE_SITE_POLICY_NAMES } from './cases/draws.js';
import { randomLoadSharingCase } from './cases/loadSharing.js';
import { expectProcessorsHeldApart } from './overlap.js';
import { simulateReference } from './simulator/reference.js';

const triedSeeds = listCaseSeeds(300);

test('cases are the same for the same seed and exercise what they are made for', () => {
  expect(randomLoadSharingCase(7)).toEqual(randomLoadSharingCase(7));
  const countByBehaviour = new Map<string, number>();
  const countBehaviour = (behaviour: string, addedCount = 1) =>
    countByBehaviour.set(behaviour, (countByBehaviour.get(behaviour) ?? 0) + addedCount);
  for (const seed of triedSeeds) {
    const { jobs, options } = randomLoadSharingCase(seed);
    const { parts: allocatedParts, stops, metrics: referenceMetrics } = simulateReference(jobs, options);
    for (const optionValue of [options.policy, options.discipline!, options.queue!])
      countBehaviour(optionValue);
    if (options.multiSite !== undefined) countBehaviour(options.multiSite);
    for (const partsOfJob of allocatedParts) countBehaviour(`${partsOfJob.length} parts`);
    for (const times of stops) if (times > 0) countBehaviour(times > 1 ? 'stopped again' : 'stopped once');
    for (const key of ['agreed', 'bestFit', 'fastestFirst'] as const)
      countBehaviour(key, referenceMetrics.decisions[key]);
    if (referenceMetrics.largestQueue >= 10) countBehaviour('long queue');
  }
  const atLeast = (minCount: number, behaviours: string[]) =>
    expectFrequent(countByBehaviour, minCount, behaviours);
  atLeast(10, [...SINGLE_SITE_POLICY_NAMES, 'shared', 'per-home', 'independent']);
  atLeast(20, ['fcfs', 'njf', 'wjf', 'sjf', 'ljf', 'first-available']);
  atLeast(20, ['larger-first', 'faster-first', 'adaptive', 'stopped again', 'stopped once', 'long queue']);
  atLeast(40, ['2 parts', '3 parts', '4 parts', '5 parts', 'agreed', 'bestFit', 'fastestFirst']);
});

test('every job runs, from its submit or later, on processors of its parts that no other job holds', () => {
  for (const seed of triedSeeds) {
    const { jobs, options } = randomLoadSharingCase(seed);
    expectProcessorsHeldApart(jobs, options, simulateReference(jobs, options));
  }
});
