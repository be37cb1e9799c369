import { expect, test } from 'vitest';
import { openCore } from '../../host/core/module.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { sampleTestCases } from '../cases.js';
import { expectSame } from '../expectSame.js';
import { randomAllocatorCase } from '../reference/cases/allocators.js';
import {
  listProcessorsOfJobs,
  makeConfigurationFromReference,
  makeWorkloadOfReferenceJobs,
  simulateCore,
} from './simulateCore.js';

const seedsOfTriedCases = sampleTestCases(Array.from({ length: 150 }, (_, i) => 20_000 + i));

/** Draws six times between events and at events of a case. */
function drawPauseTimes(seed: number, lastTime: number): number[] {
  return Array.from({ length: 6 }, (_, i) => (lastTime * (((seed * 13 + i * 29) % 97) + 1)) / 98).sort(
    (a, b) => a - b,
  );
}

test('stepping to any times and then to the end gives the same bytes as one run', () => {
  for (const seed of seedsOfTriedCases) {
    const { jobs, options } = randomAllocatorCase(seed);
    const configuration = makeConfigurationFromReference(options, true);
    const unforkedSimulator = new Simulator(makeWorkloadOfReferenceJobs(jobs));
    unforkedSimulator.begin(configuration);
    unforkedSimulator.run();
    const simulatorRunInSteps = new Simulator(makeWorkloadOfReferenceJobs(jobs));
    simulatorRunInSteps.begin(configuration);
    for (const time of drawPauseTimes(seed, unforkedSimulator.progress.now)) {
      simulatorRunInSteps.runUntil(time);
      expect(simulatorRunInSteps.progress.now).toBeLessThanOrEqual(time);
    }
    simulatorRunInSteps.run();
    expectSame(simulatorRunInSteps.snapshot(), unforkedSimulator.snapshot());
  }
});

test('a snapshot continues in another simulator, and again in its own, to the same end', () => {
  for (const seed of seedsOfTriedCases) {
    const { jobs, options } = randomAllocatorCase(seed);
    const configuration = makeConfigurationFromReference(options, true);
    const originSimulator = new Simulator(makeWorkloadOfReferenceJobs(jobs));
    originSimulator.begin(configuration);
    originSimulator.runUntil(jobs[Math.floor(jobs.length / 2)].submit);
    const snapshot = originSimulator.snapshot();
    originSimulator.run();
    const otherSimulator = new Simulator(makeWorkloadOfReferenceJobs(jobs));
    otherSimulator.restore(snapshot, configuration);
    otherSimulator.run();
    expectSame(otherSimulator.snapshot(), originSimulator.snapshot());
    expectSame(listProcessorsOfJobs(otherSimulator), listProcessorsOfJobs(originSimulator));
    originSimulator.restore(snapshot, configuration);
    originSimulator.run();
    expectSame(otherSimulator.snapshot(), originSimulator.snapshot());
  }
});

test('a state moved to another address runs on to the same bytes', () => {
  const { jobs, options } = randomAllocatorCase(77);
  const simulator = new Simulator(makeWorkloadOfReferenceJobs(jobs));
  simulator.begin(makeConfigurationFromReference(options, true));
  simulator.runUntil(jobs[Math.floor(jobs.length / 3)].submit);
  const snapshotOfState = simulator.snapshot();
  simulator.run();

  const core = openCore();
  core.memory.grow(64);
  const table = Math.ceil(core.firstAddress() / 16) * 16 + 4096;
  const jobCount = jobs.length;
  const tableByteCount = core.arrangeJobs(table, jobCount, 0);
  const { buffer } = core.memory;
  const { JobColumn } = core;
  const columnAddressOf = (column: number) => core.jobColumnAddress(table, column);
  new Float64Array(buffer, columnAddressOf(JobColumn.Submit), jobCount).set(jobs.map((job) => job.submit));
  new Float64Array(buffer, columnAddressOf(JobColumn.Runtime), jobCount).set(jobs.map((job) => job.runtime));
  new Float64Array(buffer, columnAddressOf(JobColumn.Estimate), jobCount).set(
    jobs.map((job) => job.estimate),
  );
  new Int32Array(buffer, columnAddressOf(JobColumn.Processors), jobCount).set(
    jobs.map((job) => job.processors),
  );
  new Int32Array(buffer, columnAddressOf(JobColumn.Home), jobCount).set(jobs.map((job) => job.home));
  const addressOfMovedBlock = Math.ceil((table + tableByteCount) / 16) * 16 + 65_536;
  expect(core.sealJobs(table)).toBe(core.Status.Finished);
  new Uint8Array(buffer).set(snapshotOfState, addressOfMovedBlock);
  expect(core.runUntil(addressOfMovedBlock, table, Number.POSITIVE_INFINITY)).toBe(core.Status.Finished);
  core.measure(addressOfMovedBlock, table);
  core.sealState(addressOfMovedBlock);
  expect(new Uint8Array(buffer, addressOfMovedBlock, snapshotOfState.length).slice()).toEqual(
    simulator.snapshot(),
  );
});

test('the schedule is the same whether processor sets are tracked or not', () => {
  for (const seed of seedsOfTriedCases) {
    const { jobs, options } = randomAllocatorCase(seed);
    const resultWithProcessorSets = simulateCore(jobs, options, 'release', true);
    expectSame(simulateCore(jobs, options, 'release', false), { ...resultWithProcessorSets, processors: [] });
  }
});

test('a simulator restarted with other sites, policy and load gives what a new one gives', () => {
  const { jobs } = randomAllocatorCase(5);
  const jobsNarrowedToFit = jobs.map((job) => ({
    ...job,
    processors: 1 + (job.processors % 3),
    home: job.home % 2,
  }));
  const simulator = new Simulator(makeWorkloadOfReferenceJobs(jobsNarrowedToFit));
  const optionsToCompare = [
    { capacities: [4, 6], speeds: [1, 2], policy: 'ai2' },
    { capacities: [3, 5, 9, 4], speeds: [1, 0.5, 1, 2], policy: 'best-fit' },
    { capacities: [4, 6], speeds: [2, 1], policy: 'fastest-first' },
  ];
  for (const choice of [...optionsToCompare, ...optionsToCompare]) {
    const options = {
      ...choice,
      load: choice.capacities.map((_, i) => 1 + i / 4),
      parameters: {},
      resolution: 'nearest' as const,
      instant: 'per-event' as const,
      minSpeedRatio: 0,
    };
    simulator.begin(makeConfigurationFromReference(options, true));
    simulator.run();
    const resultInFreshCore = simulateCore(jobsNarrowedToFit, options, 'release');
    expect([...simulator.schedule().start]).toEqual(resultInFreshCore.start);
    expect(listProcessorsOfJobs(simulator)).toEqual(resultInFreshCore.processors);
  }
});
