import { test } from 'vitest';
import { randomOneMachineCase } from '../../reference/cases/oneMachine.js';
import { compareWithReference, TEST_TIMEOUT } from './compare.js';

test(
  'backfilling on one machine: the core agrees with the reference to the bit',
  () => {
    compareWithReference(
      'one machine',
      600,
      randomOneMachineCase,
      ({ queue, discipline, order, interval }) => [
        queue,
        discipline,
        order && 'ordered',
        interval !== undefined && 'interval',
      ],
    );
  },
  TEST_TIMEOUT,
);
