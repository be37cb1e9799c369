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
 * Tests random sequences of calls of the core between guard bands: nothing outside its blocks may be written,
 * a neighbouring simulation must not change, and larger capacities must not change results.
 */

const GUARDED_MEMORY_BYTES = 2 ** 24;
/** Processor time, in milliseconds, after which a sequence of calls counts as endless. */
const MAX_CALL_MILLISECONDS = 60_000;

test.each<CoreBuild>(['release', 'checked'])(
  'sequences of calls in the %s build write only into their own blocks, and spare room changes nothing',
  (build) => {
    const caseSeedsToTry = caseSeeds(1500);
    const memory = new GuardedMemory(build, GUARDED_MEMORY_BYTES);
    const witnessRun = drawPausedRun(memory, new SeededDraws(77));
    const blockCountBefore = memory.count;
    const [table, block] = witnessRun.places.map((block) => memory.bytes(block).slice());
    let finishedCount = 0;
    let sparedCalls = 0;
    for (const seed of caseSeedsToTry) {
      const cpuUsageAtStart = process.cpuUsage();
      const random = new SeededDraws(seed);
      const checkCall = (call: string) => {
        const memoryOffence = memory.offence();
        if (memoryOffence !== undefined)
          expect.fail(`seed ${seed}: ${call} has written into ${memoryOffence}`);
      };
      try {
        memory.keep(blockCountBefore);
        const drawnRun = drawRandomRun(memory.core, random);
        const runResults = runAndReadResults(
          memory,
          layOutRun(memory, random, drawnRun, checkCall),
          checkCall,
        );
        if (Array.isArray(runResults)) finishedCount++;
        memory.keep(blockCountBefore);
        const largerLaidOutRun = layOutRun(
          memory,
          random,
          withLargerCapacities(memory.core, random, drawnRun),
          checkCall,
        );
        const repeatedResults = runAndReadResults(memory, largerLaidOutRun, checkCall);
        if (repeatedResults !== 'no room') {
          sparedCalls++;
          expect(repeatedResults, `seed ${seed}`).toEqual(runResults);
        }
        makeRandomCalls(memory, random, drawnRun, checkCall);
      } catch (error) {
        if (error instanceof WebAssembly.RuntimeError) {
          const brokenInvariant = memory.core.brokenInvariant();
          throw new Error(`seed ${seed} traps: ${error.message}, invariant ${brokenInvariant}`, {
            cause: error,
          });
        }
        throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
      }
      expect(memory.isCoreWhole(), `seed ${seed}: memory of the core`).toBe(true);
      const bytesAfter = witnessRun.places.map((block) => memory.bytes(block));
      expect(Buffer.compare(bytesAfter[0], table), `seed ${seed}: the table beside`).toBe(0);
      expect(Buffer.compare(bytesAfter[1], block), `seed ${seed}: the run beside`).toBe(0);
      const cpuSeconds = process.cpuUsage(cpuUsageAtStart).user / 1000;
      if (cpuSeconds > MAX_CALL_MILLISECONDS)
        expect.fail(`seed ${seed} has taken ${Math.round(cpuSeconds)} ms`);
    }
    if (!doesRunCoverRareCases) return;
    expect(finishedCount).toBeGreaterThan(caseSeedsToTry.length / 5);
    expect(sparedCalls).toBeGreaterThan(caseSeedsToTry.length / 5);
  },
  RANDOM_TEST_TIMEOUT,
);
