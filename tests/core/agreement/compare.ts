/**
 * Compares the core with the reference simulator on random cases; results must agree to the last
 * bit.
 */
import { relative } from 'node:path';
import { expect } from 'vitest';
import { type Core, type CoreBuild, openCore } from '../../../host/core/module.js';
import type { SiteSearch } from '../../../host/simulate/layout.js';
import {
  chooseNumberByCommit,
  chooseRandomCaseCount,
  doesRunAllCases,
  firstCaseSeed,
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
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

export { RANDOM_TEST_TIMEOUT_MILLISECONDS as TEST_TIMEOUT };

const COMPARED_CORE_BUILDS: readonly CoreBuild[] = ['release', 'checked'];

/** True if the results of the reference simulator are written as recordings for later test runs. */
const isRecordingResults = process.env.MODE === 'record';

/** The core computes 1 in this many batches of cases whose results are recorded. */
const CORE_BATCH_DIVISOR = 6;

/** The reference simulator recomputes 1 in this many batches; the core computes those too. */
const REFERENCE_BATCH_DIVISOR = 5 * CORE_BATCH_DIVISOR;

/**
 * Shell command that repeats a failed case: alone on fresh memory, or with its whole batch on
 * reused memory.
 */
function makeCommandToRepeatCase(seed: number, usesFreshRun: boolean): string {
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
 * @param kindsOfCase labels of a case, counted over all cases.
 * @param siteSearchMode how the core searches sites, if not chosen by their number.
 */
export function compareWithReference(
  testName: string,
  defaultCaseCount: number,
  drawCase: (seed: number) => RandomCase,
  kindsOfCase: (options: ReferenceOptions) => readonly (string | undefined | false)[],
  siteSearchMode?: SiteSearch,
): void {
  const end = firstCaseSeed + chooseRandomCaseCount(defaultCaseCount);
  const reusedCores = new Map<CoreBuild, Core>();
  const countByKind = new Map<string, number>();
  const recordedHashes = doesRunAllCases || isRecordingResults ? [] : readRecordedHashes(testName);
  const hashesOfComputedBatches: string[] = [];
  let [triedCount, computedCount] = [0, 0];
  // At least one recorded batch is computed, however few there are.
  const triedRecordedBatchCount = Math.min(CORE_BATCH_DIVISOR, recordedHashes.length);

  const renewCores = () => {
    for (const build of COMPARED_CORE_BUILDS) reusedCores.set(build, openCore(build));
  };
  const simulate = ({ jobs, options }: RandomCase, seed: number, coreBuild: CoreBuild) => {
    const usesFreshRun =
      (seed + COMPARED_CORE_BUILDS.indexOf(coreBuild) * (FRESH_RUN_CASE_DIVISOR / 2)) %
        FRESH_RUN_CASE_DIVISOR ===
      0;
    const coreResult = simulateCore(
      jobs,
      options,
      usesFreshRun ? coreBuild : reusedCores.get(coreBuild)!,
      true,
      siteSearchMode,
    );
    return { found: coreResult, isFresh: usesFreshRun };
  };
  const doResultsEqualRecording = (seeds: readonly number[], recordedHashOfBatch: string) => {
    renewCores();
    const hashes = COMPARED_CORE_BUILDS.map(() => new SimulationResultHash());
    for (const seed of seeds) {
      const randomCase = drawCase(seed);
      for (const [i, build] of COMPARED_CORE_BUILDS.entries())
        hashes[i]!.add(simulate(randomCase, seed, build).found);
    }
    return hashes.every((hash) => hash.digest() === recordedHashOfBatch);
  };
  const compareSeedsWithReference = (seeds: readonly number[]) => {
    renewCores();
    const hash = new SimulationResultHash();
    for (const seed of seeds) {
      const randomCase = drawCase(seed);
      const { stops: _, ...expected } = simulateReference(randomCase.jobs, randomCase.options);
      hash.add(expected);
      for (const build of COMPARED_CORE_BUILDS) {
        const { found: foundResult, isFresh } = simulate(randomCase, seed, build);
        const message = `${build} build: case ${seed} differs; repeat it with: ${makeCommandToRepeatCase(seed, isFresh)}`;
        expectSame(foundResult, expected, message);
      }
      const kindsTextOfCase = kindsOfCase(randomCase.options).filter(Boolean).join('/');
      countByKind.set(kindsTextOfCase, (countByKind.get(kindsTextOfCase) ?? 0) + 1);
    }
    computedCount += seeds.length;
    return hash.digest();
  };

  for (let firstSeed = firstCaseSeed; firstSeed < end; firstSeed += CASES_PER_BATCH) {
    const seedsOfBatch = Array.from(
      { length: Math.min(CASES_PER_BATCH, end - firstSeed) },
      (_, i) => firstSeed + i,
    );
    const recordedHashOfBatch = recordedHashes[hashesOfComputedBatches.length];
    if (
      recordedHashOfBatch !== undefined &&
      hashesOfComputedBatches.length % triedRecordedBatchCount !==
        chooseNumberByCommit(triedRecordedBatchCount)
    ) {
      hashesOfComputedBatches.push(recordedHashOfBatch);
      continue;
    }
    triedCount += seedsOfBatch.length;
    const isRecomputationDue =
      hashesOfComputedBatches.length % REFERENCE_BATCH_DIVISOR ===
      chooseNumberByCommit(REFERENCE_BATCH_DIVISOR);
    if (
      recordedHashOfBatch !== undefined &&
      !isRecomputationDue &&
      doResultsEqualRecording(seedsOfBatch, recordedHashOfBatch)
    )
      hashesOfComputedBatches.push(recordedHashOfBatch);
    else {
      hashesOfComputedBatches.push(compareSeedsWithReference(seedsOfBatch));
      const differenceMessage = `${testName}: cases ${firstSeed} to ${firstSeed + CASES_PER_BATCH - 1} are not as recorded by the same reference; if their number has changed, npm run test:record`;
      if (recordedHashOfBatch !== undefined)
        expect(hashesOfComputedBatches.at(-1), differenceMessage).toBe(recordedHashOfBatch);
    }
  }
  if (isRecordingResults) writeRecordedHashes(testName, hashesOfComputedBatches);
  const kindCountsText = [...countByKind].map(([words, count]) => `${words} ${count}`).join(', ');
  const triedCasesSummary = `${triedCount} of ${end - firstCaseSeed} random cases from seed ${firstCaseSeed}, both builds`;
  console.log(
    `${testName}: ${triedCasesSummary}, ${computedCount} of them also by the reference: ${kindCountsText}`,
  );
}

/** Kind of a case by its sites. */
export function describeSiteOptions({ queue, capacities }: ReferenceOptions): string {
  if (queue === 'independent') return 'independent';
  return capacities.length > 1 ? 'several sites' : 'one site';
}
