import { test } from 'vitest';
import { randomLongCase } from '../../reference/cases/long.js';
import { compare, TEST_TIMEOUT } from './compare.js';

test(
  'long cases: the core agrees with the reference to the bit',
  () => {
    compare('long cases', 4, randomLongCase, ({ capacities, discipline }) => [
      discipline ?? 'fcfs',
      capacities.length > 15 && 'many sites',
    ]);
  },
  TEST_TIMEOUT,
);
