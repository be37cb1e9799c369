import { expect } from 'vitest';

/**
 * How many cases a test tries, and which: `npm test` a sample of the usual ones, another one for each commit; `--mode full` all
 * of them, `--mode long` ten times as many. GRIDALLOC_CASES gives the number, GRIDALLOC_SEED the first case, alone the only one.
 */
const { GRIDALLOC_SEED, GRIDALLOC_CASES, GRIDALLOC_COMMIT, MODE } = process.env;

/**
 * In samples one of this number of cases is run, at least one; this number of commits in a row may try all.
 */
const SAMPLED = 30;

/** Ten times as many cases are tried as there are usually. */
export const isLong = MODE === 'long';

/** True if all cases are computed, nothing is sampled and no recorded result is relied on. */
export const isFull =
  isLong || MODE === 'full' || GRIDALLOC_SEED !== undefined || GRIDALLOC_CASES !== undefined;

/** True if enough cases are tried to meet everything that they are made for: a sample may lack what is rare. */
export const areAllMet =
  (isLong || MODE === 'full') && GRIDALLOC_SEED === undefined && GRIDALLOC_CASES === undefined;

export const firstSeed = Number(GRIDALLOC_SEED ?? 1);

/** Milliseconds that a test over many cases may take. */
export const PATIENCE = isLong ? 24 * 3_600_000 : 600_000;

/** A number below a limit that changes with the commit, so that samples differ from change to change. */
export function numberByCommit(limit: number): number {
  return Number.parseInt(GRIDALLOC_COMMIT?.slice(0, 8) || '0', 16) % limit;
}

/** Number of cases in all. */
export function caseCount(defaultValue: number): number {
  return Number(
    GRIDALLOC_CASES ?? (GRIDALLOC_SEED !== undefined ? 1 : isLong ? 10 * defaultValue : defaultValue),
  );
}

/** The seeds of the cases to try. */
export function seeds(defaultValue: number): readonly number[] {
  return sampleOf(
    Array.from({ length: caseCount(defaultValue) }, (_, i) => firstSeed + i),
    SAMPLED,
  );
}

/** Each of some kinds was met so often, where all cases are tried. */
export function expectFrequent(
  seen: ReadonlyMap<string, number>,
  times: number,
  kinds: readonly string[],
): void {
  if (!areAllMet) return;
  for (const kind of kinds) expect(seen.get(kind) ?? 0, kind).toBeGreaterThanOrEqual(times);
}

/** Things to be tried one by one: all of them, or one of this many where cases are sampled. */
export function sampleOf<Item>(items: readonly Item[], sampled = 3): readonly Item[] {
  const among = Math.min(sampled, items.length);
  return isFull ? items : items.filter((_, i) => i % among === numberByCommit(among));
}

/** Says of one test of a file after another whether it is run: each, or one of this many where cases are sampled. */
export function inTurn(sampled: number): () => boolean {
  let place = 0;
  return () => isFull || place++ % sampled === numberByCommit(sampled);
}
