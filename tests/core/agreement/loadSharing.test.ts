import { test } from 'vitest';
import { randomLoadSharingCase } from '../../reference/cases/loadSharing.js';
import { compareWithReference, TEST_TIMEOUT } from './compare.js';

test(
  'load sharing: the core agrees with the reference to the bit',
  () => {
    compareWithReference(
      'load sharing',
      6000,
      randomLoadSharingCase,
      ({ queue, discipline, reclaim, multiSite }) => [
        queue,
        discipline,
        reclaim && 'reclaim',
        multiSite && 'multi-site',
      ],
    );
  },
  TEST_TIMEOUT,
);
