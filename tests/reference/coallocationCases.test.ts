import { expect, test } from 'vitest';
import { expectFrequent, listCaseSeeds } from '../cases.js';
import { randomCoallocationCase } from './cases/coallocation.js';
import { expectProcessorsHeldApart } from './overlap.js';
import { plannedLength } from './simulator/lengths.js';
import { type ReferenceOptions, simulateGrid, simulateReference } from './simulator/reference.js';
import type { Reservation } from './simulator/simulation.js';

const triedSeeds = listCaseSeeds(300);

test('cases are the same for the same seed and exercise what they are made for', () => {
  expect(randomCoallocationCase(7)).toEqual(randomCoallocationCase(7));
  const countByBehaviour = new Map<string, number>();
  const countBehaviour = (behaviour: string, addedCount = 1) =>
    countByBehaviour.set(behaviour, (countByBehaviour.get(behaviour) ?? 0) + addedCount);
  for (const seed of triedSeeds) {
    const { jobs, options } = randomCoallocationCase(seed);
    const referenceResult = simulateReference(jobs, options);
    for (const behaviour of listCombinedOptionValues(options)) countBehaviour(behaviour);
    if (referenceResult.metrics.largestQueue >= 10) countBehaviour('long queue');
    if (referenceResult.metrics.largestQueue >= 50) countBehaviour('crowd');
    jobs.forEach((job, i) => {
      const start = referenceResult.start[i]!;
      const sites = referenceResult.parts[i]!.map((allocatedPart) => allocatedPart.site);
      const isWaiting = (otherJob: number) =>
        jobs[otherJob]!.submit <= job.submit && referenceResult.start[otherJob]! > start;
      countBehaviour(`${sites.length} parts`);
      if (jobs.some((_, otherJob) => otherJob < i && isWaiting(otherJob))) countBehaviour('backfilled');
      if (job.processors > Math.max(...options.capacities)) countBehaviour('wider than every site');
      if (referenceResult.execution[i] === 0) countBehaviour('without length');
      if (options.queue === 'independent') return;
      const plannedLengthOfJob = plannedLength(job, sites, options);
      if (plannedLengthOfJob === 0) countBehaviour('planned without length');
      if (plannedLengthOfJob > referenceResult.execution[i]!) countBehaviour('ended early');
      if (plannedLengthOfJob < referenceResult.execution[i]!) countBehaviour('overdue');
    });
    if (options.queue === 'independent') continue;
    const { reservations } = simulateGrid(jobs, options);
    const isKept = (reservation: Reservation) => referenceResult.start[reservation.job] === reservation.start;
    countBehaviour('reservations', reservations.length);
    countBehaviour(
      'reservations of several sites',
      reservations.filter((reservation) => reservation.parts.length > 1).length,
    );
    countBehaviour(
      'jobs that start as reserved',
      new Set(reservations.filter(isKept).map((reservation) => reservation.job)).size,
    );
  }
  const atLeast = (minCount: number, behaviours: string[]) =>
    expectFrequent(countByBehaviour, minCount, behaviours);
  atLeast(10, ['independent', 'many sites', 'crowd', '6 parts']);
  for (const discipline of ['easy', 'conservative'])
    atLeast(
      10,
      ['optimal', 'greedy', 'non-adaptive'].map((each) => `${discipline}, ${each}, several sites`),
    );
  atLeast(20, ['one site', 'factor 1', 'factor 1.2', 'factor 1.6', 'factor 2', 'factor undefined']);
  atLeast(40, ['select undefined', 'select optimal', 'select greedy', 'select non-adaptive', '5 parts']);
  atLeast(60, ['exact', 'nearest', 'floor', 'per-event', 'batched', 'home', 'speed1', 'equal speeds']);
  atLeast(60, ['bandwidth', 'no bandwidth', 'latency', 'interval', 'heterogeneity', 'long queue', '4 parts']);
  atLeast(100, ['easy', 'conservative', 'no interval', 'no heterogeneity', '3 parts']);
  atLeast(400, [
    '2 parts',
    'backfilled',
    'wider than every site',
    'without length',
    'planned without length',
  ]);
  atLeast(400, ['ended early', 'overdue', 'jobs that start as reserved']);
  atLeast(10_000, ['reservations', 'reservations of several sites']);
});

/** Names of the option values that a case combines. */
function listCombinedOptionValues(options: ReferenceOptions): string[] {
  const { discipline, select, multiSiteFactor, capacities, speeds } = options;
  const kinds = [discipline!, options.queue!, options.resolution, options.instant, `select ${select}`];
  kinds.push(`factor ${multiSiteFactor}`, options.runtimeReference ?? 'speed1');
  for (const option of ['heterogeneity', 'bandwidth', 'latency', 'interval'] as const)
    kinds.push(options[option] === undefined ? `no ${option}` : option);
  if (multiSiteFactor !== undefined) kinds.push(`${discipline}, ${select ?? 'greedy'}, several sites`);
  if (capacities.length === 1) kinds.push('one site');
  if (capacities.length > 6) kinds.push('many sites');
  if (new Set(speeds).size === 1) kinds.push('equal speeds');
  return kinds;
}

test('every job runs, from its submit or later, on processors of its parts that no other job holds', () => {
  for (const seed of triedSeeds) {
    const { jobs, options } = randomCoallocationCase(seed);
    const referenceResult = simulateReference(jobs, options);
    expectProcessorsHeldApart(jobs, options, referenceResult);
    for (const allocatedPartsOfJob of referenceResult.parts) {
      if (options.multiSiteFactor === undefined) expect(allocatedPartsOfJob).toHaveLength(1);
      const speeds = allocatedPartsOfJob.map((allocatedPart) => options.speeds[allocatedPart.site]!);
      expect(speeds).toEqual([...speeds].sort((speedA, speedB) => speedB - speedA));
    }
  }
});
