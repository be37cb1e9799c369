/** Random cases through the core and through the reference: both must say the same to the bit. */
import { relative } from 'node:path';
import { expect } from 'vitest';
import { type Core, type CoreBuild, openCore } from '../../../host/core/module.js';
import type { SiteSearch } from '../../../host/simulate/layout.js';
import { expectSame } from '../../expectSame.js';
import type { RandomCase } from '../../reference/cases/draws.js';
import { type ReferenceOptions, simulateReference } from '../../reference/simulator/reference.js';
import { simulateCore } from '../simulateCore.js';

const { GRIDALLOC_SEED, GRIDALLOC_CASES, MODE } = process.env;
const FIRST = Number(GRIDALLOC_SEED ?? 1);
const BUILDS: readonly CoreBuild[] = ['release', 'checked'];

const isLong = MODE === 'long';

/** Milliseconds that a comparison may take. */
export const PATIENCE = isLong ? 24 * 3_600_000 : 300_000;

/**
 * How many cases: GRIDALLOC_CASES if that is given, the one of GRIDALLOC_SEED if that alone is, or else as said; ten
 * times as many in the long size.
 */
export function caseCount(usual: number): number {
  return Number(GRIDALLOC_CASES ?? (GRIDALLOC_SEED !== undefined ? 1 : isLong ? 10 * usual : usual));
}

/** The command that repeats a case; on memory that was used before with all that used it. */
function repeat(seed: number, isFresh: boolean): string {
  const file = relative('', expect.getState().testPath ?? '');
  const range = isFresh ? `${seed}` : `${FIRST} GRIDALLOC_CASES=${seed - FIRST + 1}`;
  return `GRIDALLOC_SEED=${range} npx vitest run ${file}`;
}

/** Of so many runs one is in a fresh instance, which costs more than a small case: memory that was used before hides more. */
const FRESH_EVERY = 8;

/**
 * Compares both builds with the reference over random cases of one kind, most of them in instances whose memory holds
 * what the cases before left, some in fresh ones.
 * @param kindOf words of what a case belongs to, to be counted.
 * @param search how the core searches sites, where that is not to go by their number.
 */
export function compare(
  name: string,
  usualCases: number,
  draw: (seed: number) => RandomCase,
  kindOf: (options: ReferenceOptions) => readonly (string | undefined | false)[],
  search?: SiteSearch,
): void {
  const cases = caseCount(usualCases);
  const used = new Map<CoreBuild, Core>(BUILDS.map((build) => [build, openCore(build)]));
  const met = new Map<string, number>();
  for (let seed = FIRST; seed < FIRST + cases; seed++) {
    const { jobs, options } = draw(seed);
    const { stops: _, ...expected } = simulateReference(jobs, options);
    for (const [turn, build] of BUILDS.entries()) {
      const isFresh = (seed + turn * (FRESH_EVERY / 2)) % FRESH_EVERY === 0;
      const found = simulateCore(jobs, options, isFresh ? build : used.get(build)!, true, search);
      const message = `${build} build: case ${seed} differs; repeat it with: ${repeat(seed, isFresh)}`;
      expectSame(found, expected, message);
    }
    const words = kindOf(options).filter(Boolean).join('/');
    met.set(words, (met.get(words) ?? 0) + 1);
  }
  const counts = [...met].map(([words, count]) => `${words} ${count}`).join(', ');
  console.log(`${name}: ${cases} random cases from seed ${FIRST}, both builds: ${counts}`);
}
