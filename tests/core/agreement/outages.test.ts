import { test } from 'vitest';
import { randomOutageCase } from '../../reference/cases/outages.js';
import { compare, TEST_TIMEOUT } from './compare.js';

test(
  'outages: the core agrees with the reference to the bit',
  () => {
    compare('outages', 5000, randomOutageCase, (options) => [
      options.queue ?? 'shared',
      options.capacities.length > 1 ? 'sites' : 'one site',
      options.discipline ?? 'fcfs',
      options.reservations === 'kept' && 'kept',
      options.onOutage ?? 'drain',
    ]);
  },
  TEST_TIMEOUT,
);
