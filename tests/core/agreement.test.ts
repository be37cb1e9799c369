import { describe, expect, test } from 'vitest';
import type { CoreBuild } from '../../host/core/module.js';
import { policies } from '../../host/core/policies.js';
import {
  policyNames,
  randomCase,
  randomCoallocationCase,
  randomLoadSharingCase,
  randomMoldableCase,
} from '../reference/cases.js';
import { type ReferenceOptions, simulateReference } from '../reference/reference.js';
import { simulateCore } from './harness.js';

/** Cases per run and the first seed; GRIDALLOC_SEED repeats one case, GRIDALLOC_CASES asks for more. */
const only = process.env.GRIDALLOC_SEED;
const first = Number(only ?? 1);
const count = only === undefined ? Number(process.env.GRIDALLOC_CASES ?? 6000) : 1;

const command = (seed: number, name: string) =>
  `GRIDALLOC_SEED=${seed} npx vitest run tests/core/agreement.test.ts -t '${name}'`;

const tally = (met: Map<string, number>) => [...met].map(([name, cases]) => `${name} ${cases}`).join(', ');

function compare(
  name: string,
  build: CoreBuild,
  draw: typeof randomCase,
  kind: (options: ReferenceOptions) => string,
): void {
  const met = new Map<string, number>();
  for (let seed = first; seed < first + count; seed++) {
    const { jobs, options } = draw(seed);
    const { stops: _, ...expected } = simulateReference(jobs, options);
    const found = simulateCore(jobs, options, build);
    expect(found, `case ${seed} differs; repeat it with: ${command(seed, name)}`).toEqual(expected);
    met.set(kind(options), (met.get(kind(options)) ?? 0) + 1);
  }
  console.log(`${name}, ${build}: ${count} random cases from seed ${first}: ${tally(met)}`);
}

describe.each(['release', 'checked'] as const)(
  'the core agrees with the reference to the bit, %s build',
  (build) => {
    test('allocators', () => compare('allocators', build, randomCase, ({ policy }) => policy), 300_000);

    test(
      'load sharing',
      () =>
        compare('load sharing', build, randomLoadSharingCase, ({ queue, discipline, reclaim, multiSite }) =>
          [queue, discipline, reclaim ? 'reclaim' : '', multiSite ? 'multi-site' : '']
            .filter(Boolean)
            .join('/'),
        ),
      300_000,
    );

    test(
      'moldable jobs',
      () =>
        compare('moldable jobs', build, randomMoldableCase, ({ moldable, moldableThreshold, speedup }) =>
          [moldable, moldableThreshold ? 'threshold' : 'always', speedup ? 'Downey' : 'linear'].join('/'),
        ),
      300_000,
    );

    test(
      'co-allocation',
      () =>
        compare(
          'co-allocation',
          build,
          randomCoallocationCase,
          ({ queue, discipline, select, multiSiteFactor, interval }) =>
            [
              queue === 'independent' ? queue : 'shared',
              discipline,
              select ?? 'greedy',
              multiSiteFactor ? 'several sites' : 'single sites',
              interval ? 'interval' : '',
            ]
              .filter(Boolean)
              .join('/'),
        ),
      300_000,
    );
  },
);

test('over every policy that the core declares', () => {
  expect([...policyNames].sort()).toEqual(
    policies()
      .map(({ name }) => name)
      .sort(),
  );
});
