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
  listPreemptedRuns,
  makeConfigurationFromReference,
  makeWorkloadOfReferenceJobs,
} from './simulateCore.js';

/**
 * Tests the core's log of preempted runs: 50 narrow jobs whose home is the small second site run on the first
 * one until a home job there takes the whole site; repeated 60 times.
 */
const GUEST_COUNT = 50;
const PREEMPTION_ROUND_COUNT = 60;

function job(submit: number, runtime: number, processors: number, home: number): ReferenceJob {
  return { submit, runtime, estimate: runtime, processors, home };
}

const jobs = [
  ...Array.from({ length: GUEST_COUNT }, () => job(0, 1000, 1, 1)),
  ...Array.from({ length: PREEMPTION_ROUND_COUNT }, (_, round) => job(10 + 10 * round, 5, GUEST_COUNT, 0)),
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

function beginSimulationWithStops(coreBuild: 'release' | 'checked'): Simulator {
  const simulator = new Simulator(makeWorkloadOfReferenceJobs(jobs), coreBuild);
  simulator.begin(makeConfigurationFromReference(options, true));
  return simulator;
}

describe.each(['release', 'checked'] as const)('%s build', (build) => {
  test('a log that grows beyond its first capacity holds every preemption of the reference, in order', () => {
    const simulator = beginSimulationWithStops(build);
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
    const simulator = beginSimulationWithStops(build);
    simulator.runUntil(300);
    const preemptedRunsAtPause = listPreemptedRuns(simulator);
    const snapshot = simulator.snapshot();
    simulator.run();
    const allPreemptedRuns = listPreemptedRuns(simulator);
    expect(allPreemptedRuns.slice(0, preemptedRunsAtPause.length)).toEqual(preemptedRunsAtPause);
    const otherSimulator = new Simulator(makeWorkloadOfReferenceJobs(jobs), build);
    otherSimulator.restore(snapshot, makeConfigurationFromReference(options, true));
    expect(listPreemptedRuns(otherSimulator)).toEqual(preemptedRunsAtPause);
    otherSimulator.run();
    expect(listPreemptedRuns(otherSimulator)).toEqual(allPreemptedRuns);
  });

  test('a restarted simulator has none of the earlier stops', () => {
    const simulator = beginSimulationWithStops(build);
    simulator.run();
    const allPreemptedRuns = listPreemptedRuns(simulator);
    simulator.begin(makeConfigurationFromReference(options, true));
    expect(listPreemptedRuns(simulator)).toEqual([]);
    simulator.run();
    expect(listPreemptedRuns(simulator)).toEqual(allPreemptedRuns);
  });
});

test('the library gives stopped runs with processor sets, copies; studies keep none', () => {
  const workload = makeWorkloadOfReferenceJobs(jobs);
  const grid = { capacities: options.capacities, speeds: options.speeds };
  const rules: SimulationOptions = { policy: 'ff', queue: 'per-home', reclaim: true, minSpeedRatio: 1 };
  const { schedule, summary: simulationSummary } = simulate(workload, grid, {
    ...rules,
    processorSets: true,
  });
  expect(schedule.stops?.job.length).toBe(simulationSummary.restarts);
  expect(simulate(workload, grid, rules).schedule).not.toHaveProperty('stops');
  const optionsWithoutLoadSharing = { policy: 'ff', processorSets: true, queue: 'per-home' } as const;
  expect(simulate(workload, grid, optionsWithoutLoadSharing).schedule).not.toHaveProperty('stops');

  const simulator = new Simulator(workload);
  simulator.begin(makeConfiguration(grid, { ...rules, processorSets: true }));
  simulator.runUntil(10);
  const { stops } = simulator.schedule();
  const stopsCopiedBeforeRun = structuredClone(stops);
  simulator.run();
  expect(stops).toEqual(stopsCopiedBeforeRun);
  expect(stops?.job.length).toBe(GUEST_COUNT);

  const memoryBytesBefore = simulator.memory.simulation;
  simulator.begin(makeConfiguration(grid, rules));
  expect(simulator.memory.simulation).toBeLessThan(memoryBytesBefore);
});
