/** EASY on several sites, where sites are selected and where a policy chooses them. */
import { expect, test } from 'vitest';
import { readTrace } from '../../host/files/traceFiles.js';
import { makeGrid } from '../../host/grid/grid.js';
import { simulate } from '../../host/simulate/simulate.js';
import { makeWorkload } from '../../host/workload/make.js';
import { makeExampleJob, makeReferenceOptions } from '../reference/examples.js';
import { simulateReference } from '../reference/simulator/reference.js';
import { findTraceFilePath } from '../traces.js';
import { simulateCore } from './simulateCore.js';

test.each(['optimal', 'greedy'] as const)(
  'a job that waits for a fast site goes elsewhere at the next submit once another has taken it (%s)',
  (select) => {
    // At 2 s, job 3 would end earlier on site 1, which is reserved from 10 s on, than on site 0,
    // which is free. At 3 s, job 4 takes the last two processors of site 1 until 103 s. At 5 s,
    // site 0 is better for job 3.
    const jobs = [
      makeExampleJob(0, 1000, 8),
      makeExampleJob(0, 10, 2),
      makeExampleJob(1, 10, 8),
      makeExampleJob(2, 20, 3),
      makeExampleJob(3, 100, 2),
      makeExampleJob(5, 10, 8),
    ];
    const options = makeReferenceOptions({
      capacities: [3, 4, 8],
      speeds: [0.5, 1, 1],
      discipline: 'easy',
      select,
    });
    const { stops: _, ...expected } = simulateReference(jobs, options);
    const coreResult = simulateCore(jobs, options, 'checked');
    expect(coreResult.start).toEqual([0, 0, 1000, 5, 3, 1010]);
    expect(coreResult).toEqual(expected);
  },
);

const syntheticLogFile = findTraceFilePath('synthetic-1000.swf');

test.skipIf(syntheticLogFile === undefined).each([
  [undefined, '7977.915'],
  ['best-fit', '12292.02'],
  ['fastest-first', '7361.55'],
] as const)('three sites of unequal speed at load 4, policy %s', async (policy, expected) => {
  const log = makeWorkload(await readTrace(syntheticLogFile as string), { siteCount: 3, home: 'none' });
  const grid = makeGrid({ capacities: [128, 128, 128], speeds: [1, 0.5, 2] });
  const workload = { ...log, estimate: log.runtime };
  const { summary: simulationSummary } = simulate(workload, grid, { discipline: 'easy', load: 4, policy });
  expect(simulationSummary.averageResponseTime.toFixed(expected.split('.')[1].length)).toBe(expected);
});
