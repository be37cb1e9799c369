import { test } from 'vitest';
import { randomCustomPolicyCase } from '../../reference/cases/ownPolicies.js';
import { compareWithReference, TEST_TIMEOUT } from './compare.js';

test(
  "policies of one's own: the core agrees with the reference to the bit",
  () => {
    compareWithReference("policies of one's own", 3000, randomCustomPolicyCase, (options) => [
      options.queue ?? 'shared',
      options.discipline ?? 'fcfs',
      options.reclaim && 'reclaim',
      options.multiSite && 'multi-site',
    ]);
  },
  TEST_TIMEOUT,
);
