import { test } from 'vitest';
import { randomBackfillingCase } from '../../reference/cases/backfilling.js';
import { compareWithReference, TEST_TIMEOUT } from './compare.js';

test(
  'backfilling: the core agrees with the reference to the bit',
  () => {
    compareWithReference(
      'backfilling',
      3000,
      randomBackfillingCase,
      ({ queue, discipline, order, select }) => [
        queue,
        discipline,
        order && 'ordered',
        queue === 'shared' && (select ?? 'greedy'),
      ],
    );
  },
  TEST_TIMEOUT,
);
