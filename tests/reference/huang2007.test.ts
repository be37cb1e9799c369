import { describe, expect, test } from 'vitest';
import { sampleTestCases } from '../cases.js';
import { findTraceFilePath } from '../traces.js';
import { runReferenceSimulator } from './examples.js';
import { readQueueLog } from './queueLog.js';
import type { ReferenceOptions } from './simulator/reference.js';

const file = findTraceFilePath('sdsc-sp2-56490-reconstructed.swf.gz');
const jobs = file === undefined ? [] : readQueueLog(file);

/**
 * Average response times without fractions, as printed in the paper: of the grid, then of each
 * home.
 */
function simulateAverages(changes: Partial<ReferenceOptions>): number[] {
  const grid = { capacities: [8, 128, 128, 128, 50] };
  const { averageResponseTime, homes } = runReferenceSimulator(jobs, {
    ...grid,
    resolution: 'floor',
    ...changes,
  }).metrics;
  return [averageResponseTime, ...homes.map((home) => home.averageResponseTime)].map(Math.trunc);
}

describe.skipIf(file === undefined)('Huang et al. 2007', () => {
  const fastestFirstOptions = { policy: 'fastest-first', minSpeedRatio: 1 };

  test.each<[string, Partial<ReferenceOptions>, number[]]>(
    sampleTestCases([
      ['independent sites', { queue: 'independent' }, [9260, 14216, 10964, 10199, 6448, 57]],
      ['ordinary load sharing', fastestFirstOptions, [4135, 191, 4758, 4799, 3881, 559]],
      [
        'feasible load sharing',
        { ...fastestFirstOptions, queue: 'per-home', reclaim: true },
        [4152, 193, 4750, 4798, 3939, 57],
      ],
    ]),
  )('Table 3, %s', (_, changes, publishedAverages) => {
    const grid = { speeds: [1, 3, 4, 4, 8], load: [5, 4, 5, 4, 1] };
    expect(simulateAverages({ ...grid, discipline: 'njf', ...changes })).toEqual(publishedAverages);
  });

  // The paper does not give the load of this figure; at load 1 its statement holds.
  test('Fig. 1: best-fit is worse than independent sites, and better when slower sites are excluded', () => {
    const speeds = [0.6, 0.7, 2.4, 9.5, 4.3];
    const [independent] = simulateAverages({ speeds, queue: 'independent' });
    expect(simulateAverages({ speeds })[0]).toBeGreaterThan(independent!);
    expect(simulateAverages({ speeds, minSpeedRatio: 1 })[0]).toBeLessThan(independent!);
  });
});
