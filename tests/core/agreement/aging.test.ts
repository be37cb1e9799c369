import { test } from 'vitest';
import { randomAgingCase, removeIneffectiveOptions } from '../../reference/cases/aging.js';
import { doOrdersDependOnUse } from '../../reference/simulator/refusals.js';
import { compareWithReference, TEST_TIMEOUT } from './compare.js';

test(
  'orders that change with time and use: the core agrees with the reference to the bit',
  () => {
    const drawCase = (seed: number) => removeIneffectiveOptions(randomAgingCase(seed));
    compareWithReference('aging orders', 5000, drawCase, (options) => [
      options.queue === 'independent' ? 'independent' : options.capacities.length > 1 ? 'sites' : 'one site',
      options.discipline ?? 'fcfs',
      options.reservations === 'kept' && 'kept',
      options.backfillInterval !== undefined && 'backfill passes',
      doOrdersDependOnUse(options) ? 'use' : 'time',
    ]);
  },
  TEST_TIMEOUT,
);
