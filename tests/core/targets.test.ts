import { beforeAll, describe, expect, test } from 'vitest';
import { makeGrid } from '../../host/grid/grid.js';
import { simulate } from '../../host/metrics/simulate.js';
import { readTrace } from '../../host/trace/read.js';
import { makeWorkload } from '../../host/workload/make.js';
import { findPreset } from '../../host/workload/presets.js';
import type { Workload } from '../../host/workload/workload.js';
import { traceFile } from '../traces.js';

/** Published numbers that come out exactly. */

const sanDiego = traceFile('sdsc-sp2-54041.swf.gz');
const synthetic = traceFile('synthetic-1000.swf');

describe.skipIf(sanDiego === undefined)('average queue lengths of Shih et al. 2010 and 2009', () => {
  const { capacities, filters, home } = findPreset('shih2010');
  let workload: Workload;

  beforeAll(async () => {
    const trace = await readTrace(sanDiego as string);
    workload = makeWorkload(trace, { filters, home, siteCount: capacities.length });
  });

  // Printed as 0.9, 3.4, 7.8, 19.8, 98, 1126, 2618, 6717.
  test.each([
    [1, '0.91'],
    [1.5, '3.35'],
    [2, '7.79'],
    [2.5, '19.86'],
    [3, '98.53'],
    [3.5, '1126.08'],
    [4, '2618.71'],
    [5, '6717.59'],
  ])('system loading %d: %s', (load, expected) => {
    const { summary } = simulate(workload, makeGrid({ capacities }), { load, timeResolution: 'nearest' });
    expect(summary.jobs).toBe(54041);
    expect(summary.averageQueueLength.toFixed(2)).toBe(expected);
  });
});

test.skipIf(synthetic === undefined)(
  'FCFS on one machine, one pass per instant, as nine public simulators have it',
  async () => {
    const trace = await readTrace(synthetic as string);
    const workload = makeWorkload(trace, { siteCount: 1, home: 'none' });
    const { summary } = simulate(workload, makeGrid({ capacities: [128] }), { instant: 'batched' });
    expect(summary.meanWait.toFixed(3)).toBe('34088.523');
  },
);
