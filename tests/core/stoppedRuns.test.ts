import { describe, expect, test } from 'vitest';
import { makeConfiguration, type SimulationOptions } from '../../host/options/configuration.js';
import { simulate } from '../../host/simulate/simulate.js';
import { Simulator } from '../../host/simulate/simulator.js';
import {
  type ReferenceJob,
  type ReferenceOptions,
  simulateReference,
} from '../reference/simulator/reference.js';
import {
  configurationOfReferenceOptions,
  listPreemptedRuns,
  workloadOfReferenceJobs,
} from './simulateCore.js';

/**
 * Tests the core's log of preempted runs: 50 narrow jobs whose home is the small second site run on the first
 * one until a home job there takes the whole site; repeated 60 times.
 */
const GUEST_COUNT = 50;
const PREEMPTION_ROUNDS = 60;

function job(submit: number, runtime: number, processors: number, home: number): ReferenceJob {
  return { submit, runtime, estimate: runtime, processors, home };
}

const jobs = [
  ...Array.from({ length: GUEST_COUNT }, () => job(0, 1000, 1, 1)),
  ...Array.from({ length: PREEMPTION_ROUNDS }, (_, round) => job(10 + 10 * round, 5, GUEST_COUNT, 0)),
];
const options: ReferenceOptions = {
  capacities: [GUEST_COUNT, 1],
  speeds: [2, 1],
  load: [1, 1],
  policy: 'fastest-first',
  parameters: {},
  resolution: 'exact',
  instant: 'per-event',
  minSpeedRatio: 1,
  queue: 'per-home',
  discipline: 'fcfs',
  reclaim: true,
};

function beginStoppedRunsLog(coreBuild: 'release' | 'checked'): Simulator {
  const simulator = new Simulator(workloadOfReferenceJobs(jobs), coreBuild);
  simulator.begin(configurationOfReferenceOptions(options, true));
  return simulator;
}

describe.each(['release', 'checked'] as const)('%s build', (build) => {
  test('a log that grows beyond its first capacity holds every preemption of the reference, in order', () => {
    const simulator = beginStoppedRunsLog(build);
    simulator.run();
    const preemptedRuns = listPreemptedRuns(simulator);
    expect(preemptedRuns.length).toBeGreaterThan(10 * jobs.length);
    expect(preemptedRuns).toEqual(simulateReference(jobs, options).stoppedRuns);
    // The job that started last is preempted first; of equal starts, the one with the highest index.
    expect(preemptedRuns.slice(0, 2).map(({ job: index, start, end }) => [index, start, end])).toEqual([
      [GUEST_COUNT - 1, 0, 10],
      [GUEST_COUNT - 2, 0, 10],
    ]);
  });

  test('a snapshot holds the stops so far', () => {
    const simulator = beginStoppedRunsLog(build);
    simulator.runUntil(300);
    const preemptedBefore = listPreemptedRuns(simulator);
    const snapshot = simulator.snapshot();
    simulator.run();
    const allPreemptedRuns = listPreemptedRuns(simulator);
    expect(allPreemptedRuns.slice(0, preemptedBefore.length)).toEqual(preemptedBefore);
    const otherSimulator = new Simulator(workloadOfReferenceJobs(jobs), build);
    otherSimulator.restore(snapshot, configurationOfReferenceOptions(options, true));
    expect(listPreemptedRuns(otherSimulator)).toEqual(preemptedBefore);
    otherSimulator.run();
    expect(listPreemptedRuns(otherSimulator)).toEqual(allPreemptedRuns);
  });

  test('a restarted simulator has none of the earlier stops', () => {
    const simulator = beginStoppedRunsLog(build);
    simulator.run();
    const allPreemptedRuns = listPreemptedRuns(simulator);
    simulator.begin(configurationOfReferenceOptions(options, true));
    expect(listPreemptedRuns(simulator)).toEqual([]);
    simulator.run();
    expect(listPreemptedRuns(simulator)).toEqual(allPreemptedRuns);
  });
});

test('the library gives stopped runs with processor sets, copies; studies keep none', () => {
  const workload = workloadOfReferenceJobs(jobs);
  const grid = { capacities: options.capacities, speeds: options.speeds };
  const rules: SimulationOptions = { policy: 'ff', queue: 'per-home', reclaim: true, minSpeedRatio: 1 };
  const { schedule, summary: simulationSummary } = simulate(workload, grid, {
    ...rules,
    processorSets: true,
  });
  expect(schedule.stops?.job.length).toBe(simulationSummary.restarts);
  expect(simulate(workload, grid, rules).schedule).not.toHaveProperty('stops');
  const unsharedOptions = { policy: 'ff', processorSets: true, queue: 'per-home' } as const;
  expect(simulate(workload, grid, unsharedOptions).schedule).not.toHaveProperty('stops');

  const simulator = new Simulator(workload);
  simulator.begin(makeConfiguration(grid, { ...rules, processorSets: true }));
  simulator.runUntil(10);
  const { stops } = simulator.schedule();
  const changedStops = structuredClone(stops);
  simulator.run();
  expect(stops).toEqual(changedStops);
  expect(stops?.job.length).toBe(GUEST_COUNT);

  const memoryBefore = simulator.memory.simulation;
  simulator.begin(makeConfiguration(grid, rules));
  expect(simulator.memory.simulation).toBeLessThan(memoryBefore);
});
