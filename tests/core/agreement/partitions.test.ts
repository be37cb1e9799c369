import { test } from 'vitest';
import { randomPartitionCase } from '../../reference/cases/partitions.js';
import { compareWithReference, TEST_TIMEOUT } from './compare.js';

test(
  'partitions: the core agrees with the reference to the bit',
  () => {
    compareWithReference('partitions', 5000, randomPartitionCase, (options) => [
      options.queue ?? 'shared',
      options.discipline ?? 'fcfs',
      options.withPolicy && 'with a policy',
      options.reservations === 'kept' && 'kept',
      options.planBy === 'node' && 'nodes',
      options.choose && 'own',
      options.outages && 'outages',
      options.limits && 'limits',
    ]);
  },
  TEST_TIMEOUT,
);
