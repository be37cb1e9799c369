import { describe, expect, test } from 'vitest';
import { run } from './runProgram.js';

const SMALL = 'lublin99[aarr=9,jobs=500,seed=2]';

describe('gridalloc compare', () => {
  test('shows the eight methods and what to look at', async () => {
    const { code, out, err } = await run(['compare', SMALL]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const rows = ['best-fit', 'fastest-first', 'si', 'ti', 'ai', 'ai2', 'tai', 'tai2'];
    for (const policy of rows) expect(out).toMatch(new RegExp(`^${policy} +[\\d,.]+ +\\d.*%`, 'm'));
    expect(out).toContain('processors x speed: 8 x 1.244, 128 x 1.212, 128 x 1.393, 128 x 0.429, 50 x 0.875');
    expect(out).toContain(`gridalloc compare '${SMALL}' --load 1.2`);
    expect(out.match(/\*$/gm)?.length).toBe(1);
  });

  test('--json holds the grid and a run per policy', async () => {
    const { out } = await run(['compare', SMALL, '--json', '--policy', 'bf,ff,random']);
    const document = JSON.parse(out);
    expect(document.capacities).toEqual([8, 128, 128, 128, 50]);
    expect(document.runs).toHaveLength(3);
    const [bestFit, fastestFirst, random] = document.runs;
    const better = Math.min(bestFit.averageResponseTime, fastestFirst.averageResponseTime);
    expect(random.policy).toBe('random[seed=1]');
    expect(random.improvementRatio).toBe((better - random.averageResponseTime) / better);
    expect(random.nanosecondsPerJob).toBeGreaterThan(0);
  });

  test('takes other sites, with speed 1 where none can be drawn', async () => {
    const speedsOf = async (...words: string[]) =>
      JSON.parse((await run(['compare', SMALL, '--json', '--policy', 'bf', ...words])).out).speeds;
    expect(await speedsOf('--sites', '128,64')).toEqual([1, 1]);
    expect(await speedsOf('--sites', '128,64', '--heterogeneity', '0.5,1')).toEqual([2, 1]);
    expect(await speedsOf('--sites', '128,64,64')).not.toContain(1);
  });
});
