import { test } from 'vitest';
import { randomDepthCase } from '../../reference/cases/reservationDepth.js';
import { compareWithReference, TEST_TIMEOUT } from './compare.js';

test(
  'easy with other reservations than one: the core agrees with the reference to the bit',
  () => {
    compareWithReference('reservations of easy', 1000, randomDepthCase, (options) => [
      `${options.reservationDepth}`,
      options.queue,
      options.choose ? 'own policy' : options.withPolicy && 'policy',
      options.backfillOrder && 'backfill order',
    ]);
  },
  TEST_TIMEOUT,
);
