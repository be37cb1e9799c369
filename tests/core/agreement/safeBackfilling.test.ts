import { test } from 'vitest';
import { randomSafeCase } from '../../reference/cases/safeBackfilling.js';
import { compareWithReference, TEST_TIMEOUT } from './compare.js';

test(
  'backfilling with a policy: the core agrees with the reference to the bit',
  () => {
    compareWithReference('backfilling with a policy', 1000, randomSafeCase, (options) => [
      options.queue,
      options.discipline,
      options.order && 'ordered',
      options.interval !== undefined && 'interval',
    ]);
  },
  TEST_TIMEOUT,
);
