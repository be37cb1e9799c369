import { describe, expect, test } from 'vitest';
import type { CoreBuild } from '../../host/core/module.js';
import { policies } from '../../host/core/policies.js';
import { randomAllocatorCase } from '../reference/cases/allocators.js';
import { randomCoallocationCase } from '../reference/cases/coallocation.js';
import { policyNames } from '../reference/cases/draws.js';
import { randomLoadSharingCase } from '../reference/cases/loadSharing.js';
import { randomMoldableCase } from '../reference/cases/moldable.js';
import { type ReferenceOptions, simulateReference } from '../reference/simulator/reference.js';
import { simulateCore } from './simulateCore.js';

/** Cases per run and the first seed; GRIDALLOC_SEED repeats one case, GRIDALLOC_CASES asks for more. */
const only = process.env.GRIDALLOC_SEED;
const first = Number(only ?? 1);
const count = only === undefined ? Number(process.env.GRIDALLOC_CASES ?? 6000) : 1;

const command = (seed: number, name: string) =>
  `GRIDALLOC_SEED=${seed} npx vitest run tests/core/agreement.test.ts -t '${name}'`;

const tally = (met: Map<string, number>) => [...met].map(([name, cases]) => `${name} ${cases}`).join(', ');

const BUILDS: readonly CoreBuild[] = ['release', 'checked'];

/** Compares both builds with the reference over random cases of one kind. */
function compare(
  name: string,
  draw: typeof randomAllocatorCase,
  kind: (options: ReferenceOptions) => string | readonly (string | undefined | false)[],
  cases = count,
): void {
  const met = new Map<string, number>();
  for (let seed = first; seed < first + cases; seed++) {
    const { jobs, options } = draw(seed);
    const { stops: _, ...expected } = simulateReference(jobs, options);
    for (const build of BUILDS) {
      const found = simulateCore(jobs, options, build);
      const message = `${build} build: case ${seed} differs; repeat it with: ${command(seed, name)}`;
      expect(found, message).toEqual(expected);
    }
    const words = [kind(options)].flat().filter(Boolean).join('/');
    met.set(words, (met.get(words) ?? 0) + 1);
  }
  console.log(`${name}: ${cases} random cases from seed ${first}, both builds: ${tally(met)}`);
}

describe('the core agrees with the reference to the bit', () => {
  test('allocators', () => compare('allocators', randomAllocatorCase, ({ policy }) => policy), 300_000);

  test(
    'load sharing',
    () =>
      compare('load sharing', randomLoadSharingCase, ({ queue, discipline, reclaim, multiSite }) => [
        queue,
        discipline,
        reclaim && 'reclaim',
        multiSite && 'multi-site',
      ]),
    300_000,
  );

  test(
    'moldable jobs',
    () =>
      compare('moldable jobs', randomMoldableCase, ({ moldable, moldableThreshold, speedup }) => [
        moldable,
        moldableThreshold ? 'threshold' : 'always',
        speedup ? 'Downey' : 'linear',
      ]),
    300_000,
  );

  test(
    'co-allocation',
    () =>
      compare(
        'co-allocation',
        randomCoallocationCase,
        ({ queue, discipline, select, multiSiteFactor, interval }) => [
          queue,
          discipline,
          select ?? 'greedy',
          multiSiteFactor ? 'several sites' : 'single sites',
          interval ? 'interval' : undefined,
        ],
        // The reference plans everything anew at every event, which takes its time.
        Math.ceil(count / 2),
      ),
    600_000,
  );
});

test('over every policy that the core declares', () => {
  expect([...policyNames].sort()).toEqual(
    policies()
      .map(({ name }) => name)
      .sort(),
  );
});
