import { expect, test } from 'vitest';
import { makeConfiguration, type SimulationOptions } from '../../host/options/configuration.js';
import { Simulator } from '../../host/simulate/simulator.js';
import type { Workload } from '../../host/workload/workload.js';
import { makeWorkloadOfReferenceJobs } from './simulateCore.js';

/**
 * Checks that the time per job does not grow with the queue: with all jobs submitted at the
 * beginning and eight times as many jobs, a scan of the queue per event would make it eight times
 * as long.
 */
const grid = { capacities: [8, 128, 128, 128, 50], speeds: [0.7, 1.3, 0.8, 1.1, 0.9] };

function makeSimultaneousJobs(jobCount: number): Workload {
  let randomState = 1;
  const drawBelow = (upperBound: number) => {
    randomState = (Math.imul(randomState, 1664525) + 1013904223) >>> 0;
    return Math.floor((randomState / 2 ** 32) * upperBound);
  };
  const jobs = Array.from({ length: jobCount }, () => {
    const runtime = 10 + drawBelow(5000);
    return {
      submit: 0,
      runtime,
      estimate: runtime,
      processors: 1 + drawBelow(drawBelow(2) === 0 ? 8 : 100),
      home: 1 + drawBelow(3),
    };
  });
  return makeWorkloadOfReferenceJobs(jobs);
}

function nanosecondsPerJob(workload: Workload, options: SimulationOptions): number {
  const simulator = new Simulator(workload);
  const configuration = makeConfiguration(grid, options);
  let shortestRunNanoseconds = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 4; i++) {
    const cpuUsageAtStart = process.cpuUsage();
    simulator.begin(configuration);
    simulator.runUntil(Number.POSITIVE_INFINITY);
    const { user, system } = process.cpuUsage(cpuUsageAtStart);
    shortestRunNanoseconds = Math.min(shortestRunNanoseconds, 1000 * (user + system));
  }
  return shortestRunNanoseconds / workload.count;
}

const workloadOf12500Jobs = makeSimultaneousJobs(12_500);
const workloadOf100000Jobs = makeSimultaneousJobs(100_000);

test.each([
  { policy: 'best-fit' },
  { policy: 'ai2' },
  { policy: 'ai[count=all]' },
  { discipline: 'njf' },
  { discipline: 'sjf' },
  { discipline: 'first-available' },
  { discipline: 'njf', policy: 'ai2' },
  { queue: 'per-home', discipline: 'njf' },
  { queue: 'per-home', discipline: 'njf', reclaim: true, minSpeedRatio: 1 },
  { queue: 'independent' },
  { multiSite: 'adaptive', multiSiteOverhead: 0.3 },
  { moldable: 'down', moldableThreshold: 1 },
] as SimulationOptions[])('%o', (options) => {
  const ratio =
    nanosecondsPerJob(workloadOf100000Jobs, options) / nanosecondsPerJob(workloadOf12500Jobs, options);
  expect(ratio).toBeLessThan(4);
});
