import { expect, test } from 'vitest';
import type { CoreBuild } from '../../host/core/module.js';
import { doesRunCoverRareCases, listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import { SeededDraws } from '../reference/cases/draws.js';
import { GuardedMemory } from './guardedMemory.js';
import {
  addSpareCapacities,
  callRandomFunctions,
  drawRandomRun,
  layOutPausedRun,
  layOutRun,
  runAndReadResults,
} from './guardedRuns.js';

/**
 * Tests random sequences of calls of the core between guard bands: nothing outside its blocks may be written,
 * a neighbouring simulation must not change, and larger capacities must not change results.
 */

const GUARDED_MEMORY_BYTES = 2 ** 24;
/** Processor time, in milliseconds, after which a sequence of calls counts as endless. */
const MAX_CALL_MILLISECONDS = 60_000;

test.each<CoreBuild>(['release', 'checked'])(
  'sequences of calls in the %s build write only into their own blocks, and spare room changes nothing',
  (build) => {
    const caseSeedsToTry = listCaseSeeds(1500);
    const memory = new GuardedMemory(build, GUARDED_MEMORY_BYTES);
    const untouchedRun = layOutPausedRun(memory, new SeededDraws(77));
    const blockCountBefore = memory.count;
    const [table, block] = untouchedRun.places.map((block) => memory.bytes(block).slice());
    let runsWithResultsCount = 0;
    let runsWithSpareCapacityCount = 0;
    for (const seed of caseSeedsToTry) {
      const cpuUsageAtStart = process.cpuUsage();
      const random = new SeededDraws(seed);
      const checkMemoryAfterCall = (call: string) => {
        const overwrittenPlace = memory.findOverwrittenGuardBand();
        if (overwrittenPlace !== undefined)
          expect.fail(`seed ${seed}: ${call} has written into ${overwrittenPlace}`);
      };
      try {
        memory.keep(blockCountBefore);
        const drawnRun = drawRandomRun(memory.core, random);
        const runResults = runAndReadResults(
          memory,
          layOutRun(memory, random, drawnRun, checkMemoryAfterCall),
          checkMemoryAfterCall,
        );
        if (Array.isArray(runResults)) runsWithResultsCount++;
        memory.keep(blockCountBefore);
        const laidOutRunWithSpareCapacity = layOutRun(
          memory,
          random,
          addSpareCapacities(memory.core, random, drawnRun),
          checkMemoryAfterCall,
        );
        const resultsWithSpareCapacity = runAndReadResults(
          memory,
          laidOutRunWithSpareCapacity,
          checkMemoryAfterCall,
        );
        if (resultsWithSpareCapacity !== 'no room') {
          runsWithSpareCapacityCount++;
          expect(resultsWithSpareCapacity, `seed ${seed}`).toEqual(runResults);
        }
        callRandomFunctions(memory, random, drawnRun, checkMemoryAfterCall);
      } catch (error) {
        if (error instanceof WebAssembly.RuntimeError) {
          const brokenInvariant = memory.core.brokenInvariant();
          throw new Error(`seed ${seed} traps: ${error.message}, invariant ${brokenInvariant}`, {
            cause: error,
          });
        }
        throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
      }
      expect(memory.isCoreDataUnchanged(), `seed ${seed}: memory of the core`).toBe(true);
      const bytesOfUntouchedRun = untouchedRun.places.map((block) => memory.bytes(block));
      expect(Buffer.compare(bytesOfUntouchedRun[0], table), `seed ${seed}: the table beside`).toBe(0);
      expect(Buffer.compare(bytesOfUntouchedRun[1], block), `seed ${seed}: the run beside`).toBe(0);
      const cpuSeconds = process.cpuUsage(cpuUsageAtStart).user / 1000;
      if (cpuSeconds > MAX_CALL_MILLISECONDS)
        expect.fail(`seed ${seed} has taken ${Math.round(cpuSeconds)} ms`);
    }
    if (!doesRunCoverRareCases) return;
    expect(runsWithResultsCount).toBeGreaterThan(caseSeedsToTry.length / 5);
    expect(runsWithSpareCapacityCount).toBeGreaterThan(caseSeedsToTry.length / 5);
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);
