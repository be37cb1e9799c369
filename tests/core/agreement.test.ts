import { describe, expect, test } from 'vitest';
import { policies } from '../../host/core/policies.js';
import { policyNames, randomCase } from '../reference/cases.js';
import { simulateReference } from '../reference/reference.js';
import { simulateCore } from './harness.js';

/** Cases per run and the first seed; GRIDALLOC_SEED repeats one case, GRIDALLOC_CASES asks for more. */
const only = process.env.GRIDALLOC_SEED;
const first = Number(only ?? 1);
const count = only === undefined ? Number(process.env.GRIDALLOC_CASES ?? 6000) : 1;

const command = (seed: number) => `GRIDALLOC_SEED=${seed} npx vitest run tests/core/agreement.test.ts`;

describe('the core agrees with the reference simulator to the bit', () => {
  test.each(['release', 'checked'] as const)(
    '%s build',
    (build) => {
      const met = new Map<string, number>();
      for (let seed = first; seed < first + count; seed++) {
        const { jobs, options } = randomCase(seed);
        const expected = simulateReference(jobs, options);
        const found = simulateCore(jobs, options, build);
        expect(found, `case ${seed} differs; repeat it with: ${command(seed)}`).toEqual(expected);
        met.set(options.policy, (met.get(options.policy) ?? 0) + 1);
      }
      console.log(
        `${build}: ${count} random cases from seed ${first}, by policy: ${[...met].map(([name, cases]) => `${name} ${cases}`).join(', ')}`,
      );
    },
    300_000,
  );

  test('over every policy that the core declares', () => {
    expect([...policyNames].sort()).toEqual(
      policies()
        .map(({ name }) => name)
        .sort(),
    );
  });
});
