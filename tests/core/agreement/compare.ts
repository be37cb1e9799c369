/**
 * Compares the core with the reference simulator on random cases; results must agree to the last
 * bit.
 */
import { relative } from 'node:path';
import { expect } from 'vitest';
import { type Core, type CoreBuild, openCore } from '../../../host/core/module.js';
import type { SiteSearch } from '../../../host/simulate/layout.js';
import { caseCount, firstSeed, isFull, numberByCommit, TEST_TIMEOUT } from '../../cases.js';
import { expectSame } from '../../expectSame.js';
import type { RandomCase } from '../../reference/cases/draws.js';
import { BATCH, ResultHash, recordedHashes, recordHashes } from '../../reference/recorded.js';
import { type ReferenceOptions, simulateReference } from '../../reference/simulator/reference.js';
import { simulateCore } from '../simulateCore.js';

export { TEST_TIMEOUT };

const BUILDS: readonly CoreBuild[] = ['release', 'checked'];

/** True if the results of the reference simulator are written as recordings for later test runs. */
const isRecording = process.env.MODE === 'record';

/** The core computes 1 in this many batches of cases whose results are recorded. */
const TRIED = 6;

/** The reference simulator recomputes 1 in this many batches; the core computes those too. */
const RECOMPUTED = 5 * TRIED;

/**
 * Shell command that repeats a failed case: alone on fresh memory, or with its whole batch on
 * reused memory.
 */
function repeat(seed: number, isFresh: boolean): string {
  const file = relative('', expect.getState().testPath ?? '');
  const first = seed - ((seed - firstSeed) % BATCH);
  const range = isFresh ? `${seed}` : `${first} GRIDALLOC_CASES=${seed - first + 1}`;
  return `GRIDALLOC_SEED=${range} npx vitest run ${file}`;
}

/**
 * 1 in this many cases uses a fresh instance, which is slow to create; reused memory finds more
 * errors.
 */
const FRESH_EVERY = 8;

/**
 * Compares both builds of the core with the reference simulator on random cases of one kind. Most
 * cases run in instances whose memory was used by earlier cases, some in fresh ones. If reference
 * results are recorded, a sixth of the batches is compared with them; on a mismatch the reference
 * computes that batch to find the failing case.
 * @param kindOf labels of a case, counted over all cases.
 * @param search how the core searches sites, if not chosen by their number.
 */
export function compare(
  name: string,
  usualCases: number,
  draw: (seed: number) => RandomCase,
  kindOf: (options: ReferenceOptions) => readonly (string | undefined | false)[],
  search?: SiteSearch,
): void {
  const end = firstSeed + caseCount(usualCases);
  const used = new Map<CoreBuild, Core>();
  const met = new Map<string, number>();
  const recorded = isFull || isRecording ? [] : recordedHashes(name);
  const made: string[] = [];
  let [tried, computed] = [0, 0];
  // With fewer batches, one is computed all the same.
  const among = Math.min(TRIED, recorded.length);

  const renew = () => {
    for (const build of BUILDS) used.set(build, openCore(build));
  };
  const simulate = ({ jobs, options }: RandomCase, seed: number, build: CoreBuild) => {
    const isFresh = (seed + BUILDS.indexOf(build) * (FRESH_EVERY / 2)) % FRESH_EVERY === 0;
    const found = simulateCore(jobs, options, isFresh ? build : used.get(build)!, true, search);
    return { found, isFresh };
  };
  const isAsRecorded = (seeds: readonly number[], expected: string) => {
    renew();
    const hashesByCodeName = BUILDS.map(() => new ResultHash());
    for (const seed of seeds) {
      const drawn = draw(seed);
      for (const [i, build] of BUILDS.entries()) hashesByCodeName[i]!.add(simulate(drawn, seed, build).found);
    }
    return hashesByCodeName.every((hash) => hash.digest() === expected);
  };
  const compareAll = (seeds: readonly number[]) => {
    renew();
    const hash = new ResultHash();
    for (const seed of seeds) {
      const drawn = draw(seed);
      const { stops: _, ...expected } = simulateReference(drawn.jobs, drawn.options);
      hash.add(expected);
      for (const build of BUILDS) {
        const { found, isFresh } = simulate(drawn, seed, build);
        const message = `${build} build: case ${seed} differs; repeat it with: ${repeat(seed, isFresh)}`;
        expectSame(found, expected, message);
      }
      const words = kindOf(drawn.options).filter(Boolean).join('/');
      met.set(words, (met.get(words) ?? 0) + 1);
    }
    computed += seeds.length;
    return hash.digest();
  };

  for (let first = firstSeed; first < end; first += BATCH) {
    const seeds = Array.from({ length: Math.min(BATCH, end - first) }, (_, i) => first + i);
    const expected = recorded[made.length];
    if (expected !== undefined && made.length % among !== numberByCommit(among)) {
      made.push(expected);
      continue;
    }
    tried += seeds.length;
    const isDue = made.length % RECOMPUTED === numberByCommit(RECOMPUTED);
    if (expected !== undefined && !isDue && isAsRecorded(seeds, expected)) made.push(expected);
    else {
      made.push(compareAll(seeds));
      const location = `${name}: cases ${first} to ${first + BATCH - 1} are not as recorded by the same reference; if their number has changed, npm run test:record`;
      if (expected !== undefined) expect(made.at(-1), location).toBe(expected);
    }
  }
  if (isRecording) recordHashes(name, made);
  const counts = [...met].map(([words, count]) => `${words} ${count}`).join(', ');
  const cases = `${tried} of ${end - firstSeed} random cases from seed ${firstSeed}, both builds`;
  console.log(`${name}: ${cases}, ${computed} of them also by the reference: ${counts}`);
}
