import { expect } from 'vitest';

/**
 * Selects the random cases that a test runs: `npm test` a sample that changes with each commit, `--mode full`
 * all, `--mode long` ten times as many. The environment variable GRIDALLOC_CASES sets the number of cases,
 * GRIDALLOC_SEED the first one; GRIDALLOC_SEED alone runs that case only.
 */
const { GRIDALLOC_SEED, GRIDALLOC_CASES, GRIDALLOC_COMMIT, MODE } = process.env;

/**
 * Divisor of sampled runs: 1 in this many cases is run, but at least one. As many successive commits may
 * cover all cases.
 */
const SAMPLED_CASE_COUNT = 30;

/** True under `--mode long`, which tries ten times as many cases. */
export const isLongTestMode = MODE === 'long';

/** True if all cases are computed, without sampling or recorded results. */
export const doesRunAllCases =
  isLongTestMode || MODE === 'full' || GRIDALLOC_SEED !== undefined || GRIDALLOC_CASES !== undefined;

/** True if enough cases run that even rare situations must have occurred in one of them. */
export const doesRunCoverRareCases =
  (isLongTestMode || MODE === 'full') && GRIDALLOC_SEED === undefined && GRIDALLOC_CASES === undefined;

export const firstCaseSeed = Number(GRIDALLOC_SEED ?? 1);

/** Timeout of a test over many cases, in milliseconds. */
export const RANDOM_TEST_TIMEOUT_MILLISECONDS = isLongTestMode ? 24 * 3_600_000 : 600_000;

/**
 * A number from 0 to `limit` - 1 that changes with the commit, so that samples differ between
 * changes.
 */
export function chooseNumberByCommit(limit: number): number {
  return Number.parseInt(GRIDALLOC_COMMIT?.slice(0, 8) || '0', 16) % limit;
}

/** Number of cases before sampling. */
export function chooseRandomCaseCount(defaultValue: number): number {
  return Number(
    GRIDALLOC_CASES ?? (GRIDALLOC_SEED !== undefined ? 1 : isLongTestMode ? 10 * defaultValue : defaultValue),
  );
}

/** Seeds of the cases to run. */
export function listCaseSeeds(defaultValue: number): readonly number[] {
  return sampleTestCases(
    Array.from({ length: chooseRandomCaseCount(defaultValue) }, (_, i) => firstCaseSeed + i),
    SAMPLED_CASE_COUNT,
  );
}

/** Checks that each of the named situations occurred at least `minCount` times, unless cases are sampled. */
export function expectFrequent(
  countByKind: ReadonlyMap<string, number>,
  minCount: number,
  kinds: readonly string[],
): void {
  if (!doesRunCoverRareCases) return;
  for (const kind of kinds) expect(countByKind.get(kind) ?? 0, kind).toBeGreaterThanOrEqual(minCount);
}

/** All items of a list, or 1 in `sampleSize` of them if test cases are sampled. */
export function sampleTestCases<Item>(testCases: readonly Item[], sampleSize = 3): readonly Item[] {
  const sampledCount = Math.min(sampleSize, testCases.length);
  return doesRunAllCases
    ? testCases
    : testCases.filter((_, i) => i % sampledCount === chooseNumberByCommit(sampledCount));
}

/**
 * Returns a function that is called once per test and returns true if that test runs: always, or for 1 test
 * in `sampleSize` if cases are sampled.
 */
export function makeTestSampler(sampleSize: number): () => boolean {
  let position = 0;
  return () => doesRunAllCases || position++ % sampleSize === chooseNumberByCommit(sampleSize);
}
