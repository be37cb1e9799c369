import { describe, expect, test } from 'vitest';
import { makeGrid } from '../../host/grid/grid.js';
import { makeConfiguration } from '../../host/options/configuration.js';
import { rankRunsByResponse } from '../../host/reports/comparisonDocument.js';
import { formatComparison } from '../../host/reports/comparisonText.js';
import type { Summary } from '../../host/simulate/summary.js';
import { makeTerminalColors } from '../../host/view/terminal.js';

const GRID = makeGrid({ capacities: [8, 8], speeds: [1, 2] });
const plainColors = makeTerminalColors(false);

describe('comparison', () => {
  const run = (policy: string, averageResponseTime: number) => ({
    configuration: makeConfiguration(GRID, { policy }),
    summary: {
      averageResponseTime,
      averageQueueLength: 1,
      utilization: 0.5,
      meanBoundedSlowdown: 2,
      decisions: { agreed: 0, bestFit: policy.startsWith('t') ? 3 : 0, fastestFirst: 0 },
    } as unknown as Summary,
  });

  test('marks the best, and compares with the better of best-fit and fastest-first', () => {
    const runs = rankRunsByResponse([
      run('best-fit', 100),
      run('fastest-first', 80),
      run('ti[sht=0.05,slt=1]', 60),
    ]);
    expect(runs.map((run) => run.improvementRatio)).toEqual([-0.25, 0, 0.25]);
    expect(runs.map(({ isBest }) => isBest)).toEqual([false, false, true]);
    const comparisonText = formatComparison(runs, plainColors, { ratios: true });
    expect(formatComparison(runs, plainColors)).not.toContain('NPIR');
    expect(comparisonText).toMatch(/^best-fit +100\.0 +1 min 40 s +-25\.0 % .* -$/m);
    expect(comparisonText).toMatch(/^ti\[slt=1\] +60\.0 +1 min +\+25\.0 % .* 3 \/ 0 +\*$/m);
  });

  test('in one sample, a lead smaller than the noise makes nothing the best', () => {
    const rankingWithCloseResponses = rankRunsByResponse([
      run('best-fit', 100),
      run('fastest-first', 80),
      run('si', 77),
    ]);
    expect(rankingWithCloseResponses.map(({ isBest }) => isBest)).toEqual([false, false, false]);
    expect(formatComparison(rankingWithCloseResponses, plainColors)).not.toContain('*');
    const rankingWithTiedFirst = rankRunsByResponse([
      run('best-fit', 100),
      run('fastest-first', 60),
      run('si', 60),
    ]);
    expect(rankingWithTiedFirst.map(({ isBest }) => isBest)).toEqual([false, false, false]);
  });

  test('gives no ratio where one of the two is missing', () => {
    const runs = rankRunsByResponse([run('best-fit', 100), run('si', 80)]);
    expect(runs[1]).not.toHaveProperty('improvementRatio');
    expect(formatComparison(runs, plainColors, { ratios: true })).not.toContain('NPIR');
  });
});
