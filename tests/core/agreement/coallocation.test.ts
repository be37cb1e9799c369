import { test } from 'vitest';
import { randomCoallocationCase } from '../../reference/cases/coallocation.js';
import { compareWithReference, TEST_TIMEOUT } from './compare.js';

test(
  'co-allocation: the core agrees with the reference to the bit',
  () => {
    // The reference simulator plans all jobs again at every event, which is slow.
    compareWithReference(
      'co-allocation',
      3000,
      randomCoallocationCase,
      ({ queue, discipline, order, select, multiSiteFactor, interval }) => [
        queue,
        discipline,
        order && 'ordered',
        select ?? 'greedy',
        multiSiteFactor ? 'several sites' : 'single sites',
        interval ? 'interval' : undefined,
      ],
    );
  },
  TEST_TIMEOUT,
);
