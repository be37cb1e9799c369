import { test } from 'vitest';
import { randomLongCase } from '../../reference/cases/long.js';
import { compareWithReference, TEST_TIMEOUT } from './compare.js';

test(
  'long cases: the core agrees with the reference to the bit',
  () => {
    compareWithReference('long cases', 4, randomLongCase, ({ capacities, discipline }) => [
      discipline ?? 'fcfs',
      capacities.length > 15 && 'many sites',
    ]);
  },
  TEST_TIMEOUT,
);
