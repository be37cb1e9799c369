import { expect, test } from 'vitest';
import { Simulator } from '../../../host/simulate/simulator.js';
import { summarize } from '../../../host/simulate/summary.js';
import { doesRunCoverRareCases, listCaseSeeds } from '../../cases.js';
import { randomAllocatorCase } from '../../reference/cases/allocators.js';
import type { RandomCase } from '../../reference/cases/draws.js';
import { randomLoadSharingCase } from '../../reference/cases/loadSharing.js';
import { randomManySitesCase } from '../../reference/cases/manySites.js';
import { makeConfigurationFromReference, makeWorkloadOfReferenceJobs } from '../simulateCore.js';
import { compareWithReference, TEST_TIMEOUT } from './compare.js';

/**
 * Compares the core's index of sites by free processors, normally used only for many sites, with the
 * reference simulator and with a scan of all sites.
 */

test(
  'allocators by the index: the core agrees with the reference to the bit',
  () => {
    compareWithReference(
      'allocators by the index',
      800,
      randomAllocatorCase,
      ({ policy }) => [policy],
      'index',
    );
  },
  TEST_TIMEOUT,
);

test(
  'load sharing by the index: the core agrees with the reference to the bit',
  () => {
    const kindsOfCase = ({ discipline, multiSite }: RandomCase['options']) => [discipline, multiSite];
    compareWithReference('load sharing by the index', 400, randomLoadSharingCase, kindsOfCase, 'index');
  },
  TEST_TIMEOUT,
);

test('many sites: the index gives the schedule of the scan, whatever is chosen', () => {
  const caseCounts = { cases: 0, disagreed: 0, waited: 0, some: 0 };
  for (const [i, seed] of listCaseSeeds(200).entries()) {
    const { jobs, options } = randomManySitesCase(seed);
    const [scan, index] = (['scan', 'index'] as const).map((search) => {
      const simulator = new Simulator(makeWorkloadOfReferenceJobs(jobs), i % 2 === 0 ? 'release' : 'checked');
      simulator.begin(makeConfigurationFromReference(options, false), search);
      simulator.run();
      return { schedule: simulator.schedule(), summary: summarize(simulator) };
    });
    expect(index, `case ${seed}`).toEqual(scan);
    caseCounts.cases++;
    caseCounts.waited += Number(scan.summary.meanWait > 0);
    caseCounts.disagreed += Number(
      scan.summary.decisions.bestFit > 0 && scan.summary.decisions.fastestFirst > 0,
    );
    caseCounts.some += Number(options.minSpeedRatio > 0);
  }
  // Checks that the generator produced the situations that it is meant for.
  if (!doesRunCoverRareCases) return;
  expect(caseCounts.waited).toBeGreaterThan(caseCounts.cases / 2);
  expect(caseCounts.disagreed).toBeGreaterThan(caseCounts.cases / 10);
  expect(caseCounts.some).toBeGreaterThan(caseCounts.cases / 5);
});

test('a fork continues with an index of its own', () => {
  for (const seed of listCaseSeeds(100)) {
    const { jobs, options } = randomManySitesCase(seed);
    const configuration = makeConfigurationFromReference(options, false);
    const indexedSimulator = new Simulator(makeWorkloadOfReferenceJobs(jobs));
    const otherSimulator = new Simulator(indexedSimulator.workload, indexedSimulator);
    for (const simulator of [indexedSimulator, otherSimulator]) simulator.begin(configuration, 'index');
    otherSimulator.runUntil(5 + (seed % 40));
    indexedSimulator.runUntil(seed % 30);
    indexedSimulator.forkInto(otherSimulator);
    for (const simulator of [indexedSimulator, otherSimulator]) simulator.run();
    expect(summarize(otherSimulator), `case ${seed}`).toEqual(summarize(indexedSimulator));
  }
});
