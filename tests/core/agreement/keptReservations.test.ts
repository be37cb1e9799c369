import { expect, test } from 'vitest';
import { randomKeptCase, randomKeptCrowd } from '../../reference/cases/keptReservations.js';
import { makeExampleJob, makeReferenceOptions } from '../../reference/examples.js';
import type { ReferenceOptions } from '../../reference/simulator/reference.js';
import { simulateCore } from '../simulateCore.js';
import { compareWithReference, describeSiteOptions, TEST_TIMEOUT } from './compare.js';

const ONE_SITE_OPTIONS = makeReferenceOptions({ capacities: [4], discipline: 'conservative' });

const kindsOfCase: Parameters<typeof compareWithReference>[3] = (options) => [
  describeSiteOptions(options),
  options.choose ? 'own policy' : options.withPolicy && 'policy',
  options.order && 'ordered',
  options.recent !== undefined && 'recent',
  options.dependencies && 'dependencies',
];

test(
  'conservative backfilling with kept reservations: the core agrees with the reference to the bit',
  () => compareWithReference('kept reservations', 1500, randomKeptCase, kindsOfCase),
  TEST_TIMEOUT,
);

test(
  'conservative backfilling with kept reservations agrees where many jobs wait, too',
  () => compareWithReference('kept reservations, crowds', 15, randomKeptCrowd, kindsOfCase),
  TEST_TIMEOUT,
);

test.each(['release', 'checked'] as const)(
  'four jobs: the last starts once the first has ended early (%s build)',
  (build) => {
    const jobs = [
      makeExampleJob(0, 8, 2, 0, 80),
      makeExampleJob(1, 80, 3, 0, 80),
      makeExampleJob(2, 30, 1, 0, 30),
      makeExampleJob(3, 4, 2, 0, 20),
    ];
    const simulateStartTimes = (reservations: 'kept' | 'replanned') => {
      const options: ReferenceOptions = { ...ONE_SITE_OPTIONS, reservations };
      return simulateCore(jobs, options, build).start;
    };
    expect(simulateStartTimes('kept')).toEqual([0, 12, 2, 8]);
    expect(simulateStartTimes('replanned')).toEqual([0, 8, 2, 88]);
  },
);
