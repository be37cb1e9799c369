import { describe, expect, test } from 'vitest';
import { CoreRun, makeJobs } from '../../host/core/host.js';
import { openCore } from '../../host/core/module.js';
import { makeConfiguration, type SimulationOptions } from '../../host/options/configuration.js';
import { Simulator } from '../../host/simulate/simulator.js';
import type { ReferenceJob } from '../reference/simulator/reference.js';
import { makeWorkloadOfReferenceJobs } from './simulateCore.js';

/** Widths of jobs on a single site: the first job fills the machine, and the others wait for it. */
const jobWidths = [8, 5, 6, 7, 8];
const jobRuntimes = [10, 40, 30, 20, 50];
const jobs: ReferenceJob[] = jobWidths.map((processors, k) => {
  return { submit: k === 0 ? 0 : 1, runtime: jobRuntimes[k], estimate: jobRuntimes[k], processors, home: 0 };
});

function simulateStartTimes(options: SimulationOptions, simulatedJobs = jobs): number[] {
  const simulator = new Simulator(makeWorkloadOfReferenceJobs(simulatedJobs));
  simulator.begin(makeConfiguration({ capacities: [8], speeds: [1] }, options));
  simulator.run();
  return [...simulator.schedule().start];
}

/** Jobs 1 to 4 in the order of their starts. */
function simulateOrderOfStarts(options: SimulationOptions): number[] {
  const startTimes = simulateStartTimes(options);
  return [1, 2, 3, 4].sort((left, right) => startTimes[left] - startTimes[right]);
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
    expect(simulateOrderOfStarts({ order })).toEqual(expected);
    expect(simulateOrderOfStarts({ order, discipline: 'first-available' })).toEqual(expected);
  });

  test.each([
    ['njf', 'narrowest'],
    ['wjf', 'widest'],
    ['sjf', 'shortest'],
    ['ljf', 'longest'],
  ] as const)('%s is short for fcfs in the order %s', (discipline, order) => {
    expect(simulateStartTimes({ discipline })).toEqual(simulateStartTimes({ order }));
  });

  test('is refused where the discipline has an order of its own', () => {
    expect(() => simulateStartTimes({ order: 'widest', discipline: 'njf' })).toThrow(
      /'njf'.*order of its own/,
    );
  });

  test('under backfilling the first of the order has the reservation', () => {
    // Job 0 has the machine until 10 s. Of jobs 1 (5 processors, 40 s), 2 (6, 30 s), 3 (7, 20 s)
    // and 4 (8, 50 s), the first in the queue order starts then; no other fits beside it without
    // delaying the next.
    const submits = simulateStartTimes({ discipline: 'easy' });
    expect(submits).toEqual([0, 10, 50, 80, 100]);
    expect(simulateStartTimes({ discipline: 'easy', order: 'shortest' })).toEqual([0, 60, 30, 10, 100]);
    const replannedReservationOptions = { discipline: 'conservative', reservations: 'replanned' } as const;
    expect(simulateStartTimes({ ...replannedReservationOptions, order: 'longest' })).toEqual([
      0, 60, 100, 130, 10,
    ]);
    // If estimates are exact, the queue order changes nothing once reservations are made.
    expect(simulateStartTimes({ discipline: 'conservative', order: 'longest' })).toEqual(submits);
  });

  test('a job that arrives later but is first takes over the reservation', () => {
    // Job 1 has the whole machine reserved from 10 s on. Job 2 is shorter and arrives at 5 s: it
    // starts at 10 s, job 1 afterwards.
    const laterJobs: ReferenceJob[] = [
      { submit: 0, runtime: 10, estimate: 10, processors: 8, home: 0 },
      { submit: 1, runtime: 50, estimate: 50, processors: 8, home: 0 },
      { submit: 5, runtime: 20, estimate: 20, processors: 8, home: 0 },
    ];
    const replannedReservationOptions = { discipline: 'conservative', reservations: 'replanned' } as const;
    for (const discipline of [{ discipline: 'easy' }, replannedReservationOptions] as const) {
      expect(simulateStartTimes(discipline, laterJobs)).toEqual([0, 10, 60]);
      expect(simulateStartTimes({ ...discipline, order: 'shortest' }, laterJobs)).toEqual([0, 30, 10]);
    }
    const keptReservationOptions = { discipline: 'conservative', reservations: 'kept' } as const;
    expect(simulateStartTimes({ ...keptReservationOptions, order: 'shortest' }, laterJobs)).toEqual([
      0, 10, 60,
    ]);
  });

  test('the first moldable job is the first of the order, also by a short form', () => {
    // In order of submission, job 1 starts at 10 s, and job 2 scales down to the remaining 3 processors.
    const startsWithFewerProcessors = simulateStartTimes({ moldable: 'down' });
    const startTimes = simulateStartTimes({ moldable: 'down', order: 'widest' });
    expect(startTimes[4]).toBe(10);
    expect(startTimes).not.toEqual(startsWithFewerProcessors);
    expect(simulateStartTimes({ moldable: 'down', discipline: 'wjf' })).toEqual(startTimes);
  });

  test('estimates of 0 are placed among the shortest, and among the longest by index', () => {
    const [firstJob, ...otherJobs] = jobs;
    const jobsWithZeroEstimates = [firstJob, ...otherJobs.map((job) => ({ ...job, estimate: 0 }))];
    expect(simulateStartTimes({ order: 'longest' }, jobsWithZeroEstimates)).toEqual(
      simulateStartTimes({}, jobsWithZeroEstimates),
    );
    expect(simulateStartTimes({ order: 'shortest' }, jobsWithZeroEstimates)).toEqual(
      simulateStartTimes({}, jobsWithZeroEstimates),
    );
  });

  test('a key beyond all numbers is refused, and the job named', () => {
    for (const key of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const run = new CoreRun(
        makeJobs(openCore(), { Submit: [0, 1], Runtime: [5, 5], Processors: [1, 1], Home: [0, 0] }),
      );
      const sites = { Capacity: [8], Speed: [1], Key: [0, key] };
      const beginRun = () => run.begin({ sites, options: { Order: 'Given' } });
      expect(beginRun).toThrow('the core refuses: JobKeyInvalid, Job 1');
    }
  });
});
