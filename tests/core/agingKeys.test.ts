import { describe, expect, test } from 'vitest';
import { makeGrid, makeWorkload, parseTrace, type SimulationOptions, simulate } from '../../host/index.js';

/** One machine of 4 processors. User 1 runs until 100; then jobs of users 1 and 2 wait for it. */
const LOG = [
  '1 0 -1 100 4 -1 -1 4 100 -1 1 1 1 -1 -1 -1 -1 -1',
  '2 10 -1 50 4 -1 -1 4 50 -1 1 1 1 -1 -1 -1 -1 -1',
  '3 20 -1 30 4 -1 -1 4 30 -1 1 2 2 -1 -1 -1 -1 -1',
  '4 30 -1 20 4 -1 -1 4 20 -1 1 1 1 -1 -1 -1 -1 -1',
].join('\n');

const grid = makeGrid({ capacities: [4] });
const workload = makeWorkload(parseTrace(LOG), { siteCount: 1, capacities: [4] });

function simulateStartTimes(options: SimulationOptions): number[] {
  return [...simulate(workload, grid, options).schedule.start];
}

describe('an order that changes with time', () => {
  test.each(['fcfs', 'first-available', 'easy', 'conservative'] as const)(
    'by usage lets the user go first who has used less (%s)',
    (discipline) => {
      const reservations = discipline === 'conservative' ? 'replanned' : undefined;
      const startTimes = simulateStartTimes({ discipline, reservations, order: 'usage', usageStep: 10 });
      expect(startTimes).toEqual([0, 130, 100, 180]);
    },
  );

  test('by usage counts complete steps only', () => {
    // The first step of the priority ends at 200 s, when only job 4 waits.
    expect(simulateStartTimes({ order: 'usage', usageStep: 200 })).toEqual([0, 100, 150, 180]);
  });

  test.each(['at-once', 'by-number'] as const)(
    'by usage without decay forgets nothing (%s)',
    (usageCount) => {
      // User 1 uses 400 processor-seconds until 100 s, user 2 then 200; the jobs of both wait from 160 s on.
      const jobs = [
        [0, 100, 1],
        [90, 50, 2],
        [140, 1000, 3],
        [160, 10, 1],
        [160, 10, 2],
      ] as const;
      const lines = jobs.map(
        ([submit, runtime, user], i) =>
          `${i + 1} ${submit} -1 ${runtime} 4 -1 -1 4 ${runtime} -1 1 ${user} 1 -1 -1 -1 -1 -1`,
      );
      const workloadOfOneMachine = makeWorkload(parseTrace(lines.join('\n')), {
        siteCount: 1,
        capacities: [4],
      });
      const simulateStartsWithHalfLife = (halfLife: number | string) => {
        const options = { order: 'usage', usageStep: 10, usageCount, halfLife };
        return [...simulate(workloadOfOneMachine, grid, options).schedule.start.slice(3)];
      };
      expect(simulateStartsWithHalfLife(20)).toEqual([1150, 1160]);
      expect(simulateStartsWithHalfLife('none')).toEqual([1160, 1150]);
    },
  );

  test('by group, and with the order of the log reversed by the wait', () => {
    expect(simulateStartTimes({ order: 'groupUsage', usageStep: 10 })).toEqual([0, 130, 100, 180]);
    // At 100 s, the three waiting jobs have waited for 90, 80 and 70 s.
    expect(simulateStartTimes({ order: '(wait - 80) * (wait - 80)' })).toEqual([0, 150, 100, 130]);
  });

  test('names the job whose key is not finite', () => {
    const order = '1 / (wait - 80)';
    expect(() => simulateStartTimes({ order })).toThrow(
      /job 3: the key by which the queue is ordered is not a finite number/,
    );
  });

  test.each<[SimulationOptions, RegExp]>([
    [{ order: 'usage', multiSite: 'adaptive' }, /'usage' cannot be combined with multiSite/],
    [{ order: 'wait * wait', moldable: 'down' }, /cannot be combined with moldable/],
    [
      { order: 'wait * wait', halfLife: 5 },
      /halfLife: 5 is only for an order by usage or groupUsage; the order here is wait \* wait/,
    ],
    [{ order: 'usage', halfLife: -1 }, /halfLife: expected none or a number above 0/],
    [{ order: 'usage', halfLife: '0' }, /halfLife: expected none or a number of seconds above 0/],
    [{ order: 'usage', usageStep: 0 }, /usageStep: expected a number above 0/],
    [{ order: 'usage', usageStep: 1e-12 }, /^usage step: there would be more than 1,000,000,000 steps/],
    [{ order: 'usages' }, /did you mean 'usage'/],
  ])('%o is refused', (options, sentence) => {
    expect(() => simulateStartTimes(options)).toThrow(sentence);
  });
});
