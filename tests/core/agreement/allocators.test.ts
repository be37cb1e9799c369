import { expect, test } from 'vitest';
import { listAllocatorDeclarations } from '../../../host/core/policies.js';
import { randomAllocatorCase } from '../../reference/cases/allocators.js';
import { SINGLE_SITE_POLICY_NAMES } from '../../reference/cases/draws.js';
import { compareWithReference, TEST_TIMEOUT } from './compare.js';

test(
  'allocators: the core agrees with the reference to the bit',
  () => {
    compareWithReference('allocators', 6000, randomAllocatorCase, ({ policy }) => [policy]);
  },
  TEST_TIMEOUT,
);

test('over every policy that the core declares', () => {
  expect([...SINGLE_SITE_POLICY_NAMES].sort()).toEqual(
    listAllocatorDeclarations()
      .map(({ name: policyName }) => policyName)
      .sort(),
  );
});
