import { expect, test } from 'vitest';
import type { CoreBuild } from '../../host/core/module.js';
import { caseSeeds, doesRunCoverRareCases, RANDOM_TEST_TIMEOUT } from '../cases.js';
import { SeededDraws } from '../reference/cases/draws.js';
import { GuardedMemory } from './guardedMemory.js';
import {
  drawPausedRun,
  drawRandomRun,
  layOutRun,
  makeRandomCalls,
  runAndReadResults,
  withLargerCapacities,
} from './guardedRuns.js';

/**
 * Random sequences of calls: columns, options and capacities are drawn independently, guard bands
 * around blocks must stay unwritten, and a neighbouring simulation must not change. Capacities
 * larger than needed must not change results.
 */

const GUARDED_MEMORY_BYTES = 2 ** 24;
/** Processor time, in milliseconds, after which a sequence of calls counts as endless. */
const MAX_CALL_MILLISECONDS = 60_000;

test.each<CoreBuild>(['release', 'checked'])(
  'sequences of calls in the %s build write only into their own blocks, and spare room changes nothing',
  (build) => {
    const tried = caseSeeds(1500);
    const memory = new GuardedMemory(build, GUARDED_MEMORY_BYTES);
    const witnessRun = drawPausedRun(memory, new SeededDraws(77));
    const kept = memory.count;
    const [table, block] = witnessRun.places.map((place) => memory.bytes(place).slice());
    let finished = 0;
    let sparedCalls = 0;
    for (const seed of tried) {
      const began = process.cpuUsage();
      const draws = new SeededDraws(seed);
      const check = (call: string) => {
        const memoryOffence = memory.offence();
        if (memoryOffence !== undefined)
          expect.fail(`seed ${seed}: ${call} has written into ${memoryOffence}`);
      };
      try {
        memory.keep(kept);
        const drawn = drawRandomRun(memory.core, draws);
        const results = runAndReadResults(memory, layOutRun(memory, draws, drawn, check), check);
        if (Array.isArray(results)) finished++;
        memory.keep(kept);
        const wide = layOutRun(memory, draws, withLargerCapacities(memory.core, draws, drawn), check);
        const again = runAndReadResults(memory, wide, check);
        if (again !== 'no room') {
          sparedCalls++;
          expect(again, `seed ${seed}`).toEqual(results);
        }
        makeRandomCalls(memory, draws, drawn, check);
      } catch (error) {
        if (error instanceof WebAssembly.RuntimeError) {
          const broken = memory.core.brokenInvariant();
          throw new Error(`seed ${seed} traps: ${error.message}, invariant ${broken}`, { cause: error });
        }
        throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
      }
      expect(memory.isCoreWhole(), `seed ${seed}: memory of the core`).toBe(true);
      const places = witnessRun.places.map((place) => memory.bytes(place));
      expect(Buffer.compare(places[0], table), `seed ${seed}: the table beside`).toBe(0);
      expect(Buffer.compare(places[1], block), `seed ${seed}: the run beside`).toBe(0);
      const cpuSeconds = process.cpuUsage(began).user / 1000;
      if (cpuSeconds > MAX_CALL_MILLISECONDS)
        expect.fail(`seed ${seed} has taken ${Math.round(cpuSeconds)} ms`);
    }
    if (!doesRunCoverRareCases) return;
    expect(finished).toBeGreaterThan(tried.length / 5);
    expect(sparedCalls).toBeGreaterThan(tried.length / 5);
  },
  RANDOM_TEST_TIMEOUT,
);
