import { test } from 'vitest';
import { randomCancellationCase } from '../../reference/cases/cancellations.js';
import { compareWithReference, TEST_TIMEOUT } from './compare.js';

test(
  'jobs cancelled while they wait or run: the core agrees with the reference to the bit',
  () => {
    compareWithReference(
      'cancellations',
      1000,
      randomCancellationCase,
      ({ discipline, reservations, queue }) => [
        queue ?? 'shared',
        discipline ?? 'fcfs',
        reservations === 'kept' && 'kept',
      ],
    );
  },
  TEST_TIMEOUT,
);
