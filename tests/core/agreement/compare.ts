/**
 * Compares the core with the reference simulator on random cases; results must agree to the last
 * bit.
 */
import { relative } from 'node:path';
import { expect } from 'vitest';
import { type Core, type CoreBuild, openCore } from '../../../host/core/module.js';
import type { SiteSearch } from '../../../host/simulate/layout.js';
import {
  doesRunAllCases,
  firstCaseSeed,
  numberByCommit,
  RANDOM_TEST_TIMEOUT,
  randomCaseCount,
} from '../../cases.js';
import { expectSame } from '../../expectSame.js';
import type { RandomCase } from '../../reference/cases/draws.js';
import {
  CASES_PER_BATCH,
  readRecordedHashes,
  SimulationResultHash,
  writeRecordedHashes,
} from '../../reference/recorded.js';
import { type ReferenceOptions, simulateReference } from '../../reference/simulator/reference.js';
import { simulateCore } from '../simulateCore.js';

export { RANDOM_TEST_TIMEOUT as TEST_TIMEOUT };

const CORE_BUILDS_COMPARED: readonly CoreBuild[] = ['release', 'checked'];

/** True if the results of the reference simulator are written as recordings for later test runs. */
const writesRecordings = process.env.MODE === 'record';

/** The core computes 1 in this many batches of cases whose results are recorded. */
const TRIED_BATCH_DIVISOR = 6;

/** The reference simulator recomputes 1 in this many batches; the core computes those too. */
const RECOMPUTED_BATCH_DIVISOR = 5 * TRIED_BATCH_DIVISOR;

/**
 * Shell command that repeats a failed case: alone on fresh memory, or with its whole batch on
 * reused memory.
 */
function commandToRepeatCase(seed: number, usesFreshRun: boolean): string {
  const file = relative('', expect.getState().testPath ?? '');
  const firstSeedOfBatch = seed - ((seed - firstCaseSeed) % CASES_PER_BATCH);
  const seedRange = usesFreshRun
    ? `${seed}`
    : `${firstSeedOfBatch} GRIDALLOC_CASES=${seed - firstSeedOfBatch + 1}`;
  return `GRIDALLOC_SEED=${seedRange} npx vitest run ${file}`;
}

/**
 * 1 in this many cases uses a fresh instance, which is slow to create; reused memory finds more
 * errors.
 */
const FRESH_RUN_CASE_DIVISOR = 8;

/**
 * Compares both builds of the core with the reference simulator on random cases of one kind. Most
 * cases run in instances whose memory was used by earlier cases, some in fresh ones. If reference
 * results are recorded, a sixth of the batches is compared with them; on a mismatch the reference
 * computes that batch to find the failing case.
 * @param kindOf labels of a case, counted over all cases.
 * @param siteSearch how the core searches sites, if not chosen by their number.
 */
export function compareWithReference(
  testName: string,
  defaultCaseCount: number,
  drawCase: (seed: number) => RandomCase,
  kindOf: (options: ReferenceOptions) => readonly (string | undefined | false)[],
  siteSearch?: SiteSearch,
): void {
  const end = firstCaseSeed + randomCaseCount(defaultCaseCount);
  const usedCores = new Map<CoreBuild, Core>();
  const countByKind = new Map<string, number>();
  const recordedHashes = doesRunAllCases || writesRecordings ? [] : readRecordedHashes(testName);
  const computedResults: string[] = [];
  let [triedCount, computedCount] = [0, 0];
  // At least one recorded batch is computed, however few there are.
  const recordedSampleCount = Math.min(TRIED_BATCH_DIVISOR, recordedHashes.length);

  const renewCores = () => {
    for (const build of CORE_BUILDS_COMPARED) usedCores.set(build, openCore(build));
  };
  const simulate = ({ jobs, options }: RandomCase, seed: number, coreBuild: CoreBuild) => {
    const usesFreshRun =
      (seed + CORE_BUILDS_COMPARED.indexOf(coreBuild) * (FRESH_RUN_CASE_DIVISOR / 2)) %
        FRESH_RUN_CASE_DIVISOR ===
      0;
    const coreResult = simulateCore(
      jobs,
      options,
      usesFreshRun ? coreBuild : usedCores.get(coreBuild)!,
      true,
      siteSearch,
    );
    return { found: coreResult, isFresh: usesFreshRun };
  };
  const equalsRecordedHashes = (seeds: readonly number[], recordedHash: string) => {
    renewCores();
    const hashes = CORE_BUILDS_COMPARED.map(() => new SimulationResultHash());
    for (const seed of seeds) {
      const randomCase = drawCase(seed);
      for (const [i, build] of CORE_BUILDS_COMPARED.entries())
        hashes[i]!.add(simulate(randomCase, seed, build).found);
    }
    return hashes.every((hash) => hash.digest() === recordedHash);
  };
  const compareAllSeeds = (seeds: readonly number[]) => {
    renewCores();
    const hash = new SimulationResultHash();
    for (const seed of seeds) {
      const randomCase = drawCase(seed);
      const { stops: _, ...expected } = simulateReference(randomCase.jobs, randomCase.options);
      hash.add(expected);
      for (const build of CORE_BUILDS_COMPARED) {
        const { found: foundResult, isFresh } = simulate(randomCase, seed, build);
        const message = `${build} build: case ${seed} differs; repeat it with: ${commandToRepeatCase(seed, isFresh)}`;
        expectSame(foundResult, expected, message);
      }
      const caseKinds = kindOf(randomCase.options).filter(Boolean).join('/');
      countByKind.set(caseKinds, (countByKind.get(caseKinds) ?? 0) + 1);
    }
    computedCount += seeds.length;
    return hash.digest();
  };

  for (let firstSeed = firstCaseSeed; firstSeed < end; firstSeed += CASES_PER_BATCH) {
    const batchSeeds = Array.from(
      { length: Math.min(CASES_PER_BATCH, end - firstSeed) },
      (_, i) => firstSeed + i,
    );
    const recordedHash = recordedHashes[computedResults.length];
    if (
      recordedHash !== undefined &&
      computedResults.length % recordedSampleCount !== numberByCommit(recordedSampleCount)
    ) {
      computedResults.push(recordedHash);
      continue;
    }
    triedCount += batchSeeds.length;
    const isRecomputationDue =
      computedResults.length % RECOMPUTED_BATCH_DIVISOR === numberByCommit(RECOMPUTED_BATCH_DIVISOR);
    if (recordedHash !== undefined && !isRecomputationDue && equalsRecordedHashes(batchSeeds, recordedHash))
      computedResults.push(recordedHash);
    else {
      computedResults.push(compareAllSeeds(batchSeeds));
      const differenceMessage = `${testName}: cases ${firstSeed} to ${firstSeed + CASES_PER_BATCH - 1} are not as recorded by the same reference; if their number has changed, npm run test:record`;
      if (recordedHash !== undefined) expect(computedResults.at(-1), differenceMessage).toBe(recordedHash);
    }
  }
  if (writesRecordings) writeRecordedHashes(testName, computedResults);
  const kindCounts = [...countByKind].map(([words, count]) => `${words} ${count}`).join(', ');
  const casesText = `${triedCount} of ${end - firstCaseSeed} random cases from seed ${firstCaseSeed}, both builds`;
  console.log(`${testName}: ${casesText}, ${computedCount} of them also by the reference: ${kindCounts}`);
}

/** Kind of a case by its sites. */
export function kindOfSites({ queue, capacities }: ReferenceOptions): string {
  if (queue === 'independent') return 'independent';
  return capacities.length > 1 ? 'several sites' : 'one site';
}
