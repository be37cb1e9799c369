import { expect, test } from 'vitest';
import { allocatorDeclarations } from '../../../host/core/policies.js';
import { randomAllocatorCase } from '../../reference/cases/allocators.js';
import { policyNames } from '../../reference/cases/draws.js';
import { compare, TEST_TIMEOUT } from './compare.js';

test(
  'allocators: the core agrees with the reference to the bit',
  () => {
    compare('allocators', 6000, randomAllocatorCase, ({ policy }) => [policy]);
  },
  TEST_TIMEOUT,
);

test('over every policy that the core declares', () => {
  expect([...policyNames].sort()).toEqual(
    allocatorDeclarations()
      .map(({ name }) => name)
      .sort(),
  );
});
