import { test } from 'vitest';
import { randomLoadSharingCase } from '../../reference/cases/loadSharing.js';
import { compare, PATIENCE } from './compare.js';

test(
  'load sharing: the core agrees with the reference to the bit',
  () => {
    compare('load sharing', 6000, randomLoadSharingCase, ({ queue, discipline, reclaim, multiSite }) => [
      queue,
      discipline,
      reclaim && 'reclaim',
      multiSite && 'multi-site',
    ]);
  },
  PATIENCE,
);
