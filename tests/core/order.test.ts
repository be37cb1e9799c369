import { describe, expect, test } from 'vitest';
import { makeConfiguration, type SimulationOptions } from '../../host/options/configuration.js';
import { Simulator } from '../../host/simulate/simulator.js';
import type { ReferenceJob } from '../reference/simulator/reference.js';
import { workloadOf } from './simulateCore.js';

/** On one processor set: the first job fills the machine, and the others wait for it and for each other. */
const widths = [8, 5, 6, 7, 8];
const times = [10, 40, 30, 20, 50];
const jobs: ReferenceJob[] = widths.map((processors, k) => {
  return { submit: k === 0 ? 0 : 1, runtime: times[k], estimate: times[k], processors, home: 0 };
});

function startsOf(options: SimulationOptions, ofJobs = jobs): number[] {
  const simulator = new Simulator(workloadOf(ofJobs));
  simulator.begin(makeConfiguration({ capacities: [8], speeds: [1] }, options));
  simulator.run();
  return [...simulator.schedule().start];
}

/** Jobs 1 to 4 in the order of their starts. */
function sequenceOf(options: SimulationOptions): number[] {
  const starts = startsOf(options);
  return [1, 2, 3, 4].sort((one, other) => starts[one] - starts[other]);
}

describe('the order of the queue', () => {
  // Areas of jobs 1 to 4: 200, 180, 140, 400.
  test.each([
    ['submit', [1, 2, 3, 4]],
    ['narrowest', [1, 2, 3, 4]],
    ['widest', [4, 3, 2, 1]],
    ['shortest', [3, 2, 1, 4]],
    ['longest', [4, 1, 2, 3]],
    ['smallest-area', [3, 2, 1, 4]],
    ['largest-area', [4, 1, 2, 3]],
  ] as const)('%s', (order, expected) => {
    expect(sequenceOf({ order })).toEqual(expected);
    expect(sequenceOf({ order, discipline: 'first-available' })).toEqual(expected);
  });

  test.each([
    ['njf', 'narrowest'],
    ['wjf', 'widest'],
    ['sjf', 'shortest'],
    ['ljf', 'longest'],
  ] as const)('%s is short for fcfs in the order %s', (discipline, order) => {
    expect(startsOf({ discipline })).toEqual(startsOf({ order }));
  });

  test('does not go with what has an order of its own, or plans in that of the submits', () => {
    expect(() => startsOf({ order: 'widest', discipline: 'njf' })).toThrow(/'njf'.*order of its own/);
    expect(() => startsOf({ order: 'widest', discipline: 'easy' })).toThrow(/order of the submits/);
    expect(() => startsOf({ order: 'widest', moldable: 'down' })).toThrow(/moldable/);
  });

  test('estimates of 0 stand with the shortest, and with the longest by index', () => {
    const [first, ...others] = jobs;
    const zeros = [first, ...others.map((job) => ({ ...job, estimate: 0 }))];
    expect(startsOf({ order: 'longest' }, zeros)).toEqual(startsOf({}, zeros));
    expect(startsOf({ order: 'shortest' }, zeros)).toEqual(startsOf({}, zeros));
  });

  test('a key beyond all numbers is refused, and the job named', () => {
    const huge = [jobs[0], { ...jobs[1], runtime: 1e300, estimate: 1e308 }];
    const simulator = new Simulator(workloadOf(huge));
    const grid = { capacities: [8], speeds: [1e300] };
    expect(() => simulator.begin(makeConfiguration(grid, { order: 'smallest-area' }))).toThrow(
      'case, job 2: the key by which the queue is ordered is not a finite number',
    );
    expect(() => simulator.begin(makeConfiguration(grid, { order: 'narrowest' }))).not.toThrow();
  });
});
