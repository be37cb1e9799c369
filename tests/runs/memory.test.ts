import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { metricNamesOfSimulation } from '../../host/study/runValues.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/**
 * Tests the memory of a study: it must grow only by the results of its runs and their entries in the plan.
 */

const SCRIPT = fileURLToPath(new URL('heap.mjs', import.meta.url));
const SITES = 5;
/** Bytes of the results of a run: 8 per metric. */
const ROW_BYTES = 8 * metricNamesOfSimulation(SITES).length;
const FEW_RUNS = 1000;
const MANY_RUNS = 6000;

interface HeapSizes {
  readonly runs: number;
  readonly running: number;
  readonly end: number;
}

function heapSizesOf(runCount: number): HeapSizes {
  const folder = join(makeTemporaryFolder(), 'out');
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', SCRIPT, folder, String(runCount)], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as HeapSizes;
}

/**
 * Memory of a run in the plan, in bytes: id, parameters (shared by eight runs here), setting with
 * two labels, and place in the list of finished runs.
 */
const PLAN_BYTES = 1.25 * ROW_BYTES;

/**
 * A run needs its row of results and its entry in the plan; half a row is tolerated for chance (a
 * megabyte over all runs). A second copy of every row would exceed that.
 */
test('a run takes no more than the bytes of its results and of its plan', () => {
  const [heapSizesOfFewRuns, heapSizesOfManyRuns] = [heapSizesOf(FEW_RUNS), heapSizesOf(MANY_RUNS)];
  expect([heapSizesOfFewRuns.runs, heapSizesOfManyRuns.runs]).toEqual([FEW_RUNS, MANY_RUNS]);
  for (const momentOfRun of ['running', 'end'] as const) {
    const bytesPerRun =
      (heapSizesOfManyRuns[momentOfRun] - heapSizesOfFewRuns[momentOfRun]) / (MANY_RUNS - FEW_RUNS);
    expect(bytesPerRun, momentOfRun).toBeGreaterThan(0.5 * ROW_BYTES);
    expect(bytesPerRun, momentOfRun).toBeLessThan(1.5 * ROW_BYTES + PLAN_BYTES);
  }
}, 60_000);
