import { test } from 'vitest';
import { removeIneffectiveOptions } from '../../reference/cases/aging.js';
import { randomLimitCase } from '../../reference/cases/limits.js';
import { compareWithReference, TEST_TIMEOUT } from './compare.js';

test(
  'limits of users and groups: the core agrees with the reference to the bit',
  () => {
    const drawCase = (seed: number) => removeIneffectiveOptions(randomLimitCase(seed));
    compareWithReference('limits', 5000, drawCase, (options) => [
      options.queue === 'independent' ? 'independent' : options.capacities.length > 1 ? 'sites' : 'one site',
      options.discipline ?? 'fcfs',
      options.reservations === 'kept' && 'kept',
      options.planBy === 'node' && 'nodes',
      options.backfillInterval !== undefined && 'backfill passes',
    ]);
  },
  TEST_TIMEOUT,
);
