/** Backfilling over sets of sites: cases that random ones meet too seldom. */
import { expect, test } from 'vitest';
import { job, optionsWith } from '../reference/examples.js';
import { simulateReference } from '../reference/simulator/reference.js';
import { simulateCore } from './simulateCore.js';

test.each(['optimal', 'greedy'] as const)(
  'a job that takes no time at home is planned there at a change of another site (%s)',
  (select) => {
    // Job 2 reserves sites 0 and 1 and a processor of site 2 from 1000.5 on. At home, site 0, job 3 takes no time, for
    // which it needs a second now and an instant later; but site 0 does not change before 1000.5. Looked at with site
    // 1 it can have site 0 at 1000.25, when job 0 ends there: sooner than on site 2 alone, where it would end at
    // 1000.375, and that sooner than on sites 0 and 1 together. At 1000.25 it needs a second after all, and waits.
    const jobs = [
      { ...job(0, 1000.25, 1, 1), data: 100_000 },
      { ...job(0, 1000.5, 2, 1), data: 100_000 },
      job(900, 5, 6),
      { ...job(1000, 0, 2), data: 0.0625 },
    ];
    const options = optionsWith({
      capacities: [2, 3, 2],
      discipline: 'conservative',
      select,
      multiSiteFactor: 1,
      bandwidth: Array.from({ length: 3 }, () => [1, 1, 1]),
      latency: Array.from({ length: 3 }, () => [0, 0.1875, 0.3125]),
    });
    const { stops: _, ...expected } = simulateReference(jobs, options);
    const found = simulateCore(jobs, options, 'checked');
    expect(found.start).toEqual([0, 0, 1000.5, 1005.8125]);
    expect(found).toEqual(expected);
  },
);
