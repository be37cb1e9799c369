import { test } from 'vitest';
import { randomOwnPolicyCase } from '../../reference/cases/ownPolicies.js';
import { compare, TEST_TIMEOUT } from './compare.js';

test(
  "policies of one's own: the core agrees with the reference to the bit",
  () => {
    compare("policies of one's own", 3000, randomOwnPolicyCase, (options) => [
      options.queue ?? 'shared',
      options.discipline ?? 'fcfs',
      options.reclaim && 'reclaim',
      options.multiSite && 'multi-site',
    ]);
  },
  TEST_TIMEOUT,
);
