import { test } from 'vitest';
import { randomMoldableCase } from '../../reference/cases/moldable.js';
import { compareWithReference, TEST_TIMEOUT } from './compare.js';

test(
  'moldable jobs: the core agrees with the reference to the bit',
  () => {
    compareWithReference(
      'moldable jobs',
      6000,
      randomMoldableCase,
      ({ moldable, order, moldableThreshold, speedup }) => [
        moldable,
        order && 'ordered',
        moldableThreshold ? 'threshold' : 'always',
        speedup ? 'Downey' : 'linear',
      ],
    );
  },
  TEST_TIMEOUT,
);
