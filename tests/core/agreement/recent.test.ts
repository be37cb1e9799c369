import { test } from 'vitest';
import { randomRecentCase } from '../../reference/cases/recent.js';
import { compareWithReference, TEST_TIMEOUT } from './compare.js';

test(
  'estimates by recent jobs: the core agrees with the reference to the bit',
  () => {
    compareWithReference(
      'recent',
      2000,
      randomRecentCase,
      ({ queue = 'shared', discipline = 'fcfs', order = 'submit', refresh }) => [
        queue,
        discipline,
        order !== 'submit' && 'ordered',
        refresh && 'refreshed',
      ],
    );
  },
  TEST_TIMEOUT,
);
