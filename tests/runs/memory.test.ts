import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listMetricNamesOfSimulation } from '../../host/study/runValues.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/**
 * Tests the memory of a study: it must grow only by the results of its runs and their entries in the plan.
 */

const HEAP_SCRIPT_PATH = fileURLToPath(new URL('heap.mjs', import.meta.url));
const SITES = 5;
/** Bytes of the results of a run: 8 per metric. */
const RESULT_ROW_BYTES = 8 * listMetricNamesOfSimulation(SITES).length;
const SMALL_RUN_COUNT = 1000;
const LARGE_RUN_COUNT = 6000;

interface HeapSizes {
  readonly runs: number;
  readonly running: number;
  readonly end: number;
}

function heapSizesOf(runCount: number): HeapSizes {
  const folder = join(makeTemporaryFolder(), 'out');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', HEAP_SCRIPT_PATH, folder, String(runCount)],
    {
      encoding: 'utf8',
    },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout) as HeapSizes;
}

/**
 * Memory of a run in the plan, in bytes: id, parameters (shared by eight runs here), setting with
 * two labels, and place in the list of finished runs.
 */
const MAX_PLAN_BYTES_PER_RUN = 1.25 * RESULT_ROW_BYTES;

/**
 * A run needs its row of results and its entry in the plan; half a row is tolerated for chance (a
 * megabyte over all runs). A second copy of every row would exceed that.
 */
test('a run takes no more than the bytes of its results and of its plan', () => {
  const [heapSizesOfFewRuns, heapSizesOfManyRuns] = [
    heapSizesOf(SMALL_RUN_COUNT),
    heapSizesOf(LARGE_RUN_COUNT),
  ];
  expect([heapSizesOfFewRuns.runs, heapSizesOfManyRuns.runs]).toEqual([SMALL_RUN_COUNT, LARGE_RUN_COUNT]);
  for (const measurementMoment of ['running', 'end'] as const) {
    const bytesPerRun =
      (heapSizesOfManyRuns[measurementMoment] - heapSizesOfFewRuns[measurementMoment]) /
      (LARGE_RUN_COUNT - SMALL_RUN_COUNT);
    expect(bytesPerRun, measurementMoment).toBeGreaterThan(0.5 * RESULT_ROW_BYTES);
    expect(bytesPerRun, measurementMoment).toBeLessThan(1.5 * RESULT_ROW_BYTES + MAX_PLAN_BYTES_PER_RUN);
  }
}, 60_000);
