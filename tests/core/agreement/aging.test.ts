import { test } from 'vitest';
import { randomAgingCase, withoutIdleOptions } from '../../reference/cases/aging.js';
import { dependsOnUse } from '../../reference/simulator/refusals.js';
import { compare, TEST_TIMEOUT } from './compare.js';

test(
  'orders that change with time and use: the core agrees with the reference to the bit',
  () => {
    const draw = (seed: number) => withoutIdleOptions(randomAgingCase(seed));
    compare('aging orders', 5000, draw, (options) => [
      options.queue === 'independent' ? 'independent' : options.capacities.length > 1 ? 'sites' : 'one site',
      options.discipline ?? 'fcfs',
      options.reservations === 'kept' && 'kept',
      options.backfillInterval !== undefined && 'backfill passes',
      dependsOnUse(options) ? 'use' : 'time',
    ]);
  },
  TEST_TIMEOUT,
);
