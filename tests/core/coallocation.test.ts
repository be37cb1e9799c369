/** Tests backfilling of jobs over sets of sites in situations that random cases seldom contain. */
import { expect, test } from 'vitest';
import { makeExampleJob, makeReferenceOptions } from '../reference/examples.js';
import { simulateReference } from '../reference/simulator/reference.js';
import { simulateCore } from './simulateCore.js';

test.each(['optimal', 'greedy'] as const)(
  'a job that takes no time at home is planned there at a change of another site (%s)',
  (select) => {
    // Job 2 has sites 0 and 1 and a processor of site 2 reserved from 1000.5 s on. At its home,
    // site 0, job 3 takes no time, but needs a second if started now; site 0 is not expected to
    // change before 1000.5 s. Together with site 1, it could have site 0 at 1000.25 s, when job 0
    // ends there: earlier than on site 2 alone, where it would end at 1000.375 s. At 1000.25 s it
    // needs a second after all, and waits.
    const jobs = [
      { ...makeExampleJob(0, 1000.25, 1, 1), data: 100_000 },
      { ...makeExampleJob(0, 1000.5, 2, 1), data: 100_000 },
      makeExampleJob(900, 5, 6),
      { ...makeExampleJob(1000, 0, 2), data: 0.0625 },
    ];
    const options = makeReferenceOptions({
      capacities: [2, 3, 2],
      discipline: 'conservative',
      select,
      multiSiteFactor: 1,
      bandwidth: Array.from({ length: 3 }, () => [1, 1, 1]),
      latency: Array.from({ length: 3 }, () => [0, 0.1875, 0.3125]),
    });
    const { stops: _, ...expected } = simulateReference(jobs, options);
    const coreResult = simulateCore(jobs, options, 'checked');
    expect(coreResult.start).toEqual([0, 0, 1000.5, 1005.8125]);
    expect(coreResult).toEqual(expected);
  },
);
