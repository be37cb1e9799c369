import { test } from 'vitest';
import { randomDynamicCase } from '../../reference/cases/dynamic.js';
import { compareWithReference, TEST_TIMEOUT } from './compare.js';

test(
  'policies chosen among candidates: the core agrees with the reference to the bit',
  () => {
    compareWithReference('dynamic', 300, randomDynamicCase, ({ discipline, order, dynamic }) => [
      discipline,
      order !== undefined && 'ordered',
      dynamic?.isUnestimated ? 'drawn' : 'estimated',
    ]);
  },
  TEST_TIMEOUT,
);
