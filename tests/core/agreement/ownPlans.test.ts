import { test } from 'vitest';
import { randomCustomPolicyPlanCase } from '../../reference/cases/ownPolicies.js';
import { compareWithReference, TEST_TIMEOUT } from './compare.js';

test(
  "backfilling with policies of one's own: the core agrees with the reference to the bit",
  () => {
    compareWithReference(
      "backfilling with policies of one's own",
      2000,
      randomCustomPolicyPlanCase,
      (options) => [
        options.capacities.length === 1 ? 'one site' : (options.queue ?? 'shared'),
        options.discipline,
        options.order && 'ordered',
        options.interval !== undefined && 'interval',
        options.recent !== undefined && 'recent',
      ],
    );
  },
  TEST_TIMEOUT,
);
