import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { metricNames } from '../../host/study/runValues.js';
import { temporaryFolder } from '../temporaryFolder.js';

/** The memory of a study grows by the results of its runs and little else. */

const SCRIPT = fileURLToPath(new URL('heap.mjs', import.meta.url));
const SITES = 5;
/** 8 bytes for each metric of a run: what must be kept of it. */
const ROW = 8 * metricNames(SITES).length;
const FEW = 1000;
const MANY = 6000;

interface Heap {
  readonly runs: number;
  readonly running: number;
  readonly end: number;
}

function heapOf(runs: number): Heap {
  const folder = join(temporaryFolder(), 'out');
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', SCRIPT, folder, String(runs)], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Heap;
}

/**
 * Memory of a run: its id, its parameters (one object for eight runs here), its setting with two labels, its place
 * among the done.
 */
const PLAN = 1.25 * ROW;

/**
 * A run takes its row and what the plan says of it, which are plain objects; half a row is left for chance (a megabyte
 * over all runs). A second copy of every row is more.
 */
test('a run takes no more than the bytes of its results and of its plan', () => {
  const [few, many] = [heapOf(FEW), heapOf(MANY)];
  expect([few.runs, many.runs]).toEqual([FEW, MANY]);
  for (const moment of ['running', 'end'] as const) {
    const bytesPerRun = (many[moment] - few[moment]) / (MANY - FEW);
    expect(bytesPerRun, moment).toBeGreaterThan(0.5 * ROW);
    expect(bytesPerRun, moment).toBeLessThan(1.5 * ROW + PLAN);
  }
}, 60_000);
