import { describe, expect, test } from 'vitest';
import { makeConfiguration, type SimulationOptions } from '../../host/options/configuration.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { summarize } from '../../host/simulate/summary.js';
import type { Workload } from '../../host/workload/workload.js';
import { sampleTestCases } from '../cases.js';
import { findRuleViolations } from './replayOffences.js';
import {
  findConservationViolations,
  findProcessorViolations,
  listRunsOfSimulation,
  type SimulatedRun,
} from './runOffences.js';
import { expectNoViolations, REAL_TEST_LOGS, type RealTestLog } from './sharedLogs.js';
import { recordStatesAtPauses } from './watchedRuns.js';

/** Invariants of schedules with split jobs and with one queue per site, on real logs. */

/** Divisor of sampled cases: one of this number of settings is tried on each log. */
const SAMPLED_SETTING_DIVISOR = 6;

/** Every tenth event time, and half a second after each. */
function choosePauseTimes(runs: readonly SimulatedRun[], { submit }: Workload): number[] {
  const eventTimes = new Set([...submit, ...runs.flatMap((run) => [run.start, run.end])]);
  const sampledEventTimes = [...eventTimes].sort((a, b) => a - b).filter((_, i) => i % 10 === 0);
  return sampledEventTimes.flatMap((time) => [time, time + 0.5]).sort((a, b) => a - b);
}

/**
 * Simulates, checks the invariants for schedules without preemption, and returns the runs and the
 * number of split jobs.
 */
async function simulateAndCheckRuns(
  { grid, load, workload: parsedWorkload }: RealTestLog,
  options: SimulationOptions,
): Promise<{ runs: readonly SimulatedRun[]; splitJobs: number }> {
  const workload = await parsedWorkload();
  const configuration = makeConfiguration(grid, { load, ...options, processorSets: true });
  const simulator = new Simulator(workload);
  simulator.begin(configuration);
  simulator.run();
  const runs = listRunsOfSimulation(simulator);
  expectNoViolations(findProcessorViolations(runs, workload, grid.capacities));
  expectNoViolations(findRuleViolations(runs, workload, configuration));
  const pauses = recordStatesAtPauses(choosePauseTimes(runs, workload), workload, configuration);
  expect(pauses.length).toBeGreaterThan(10_000);
  expectNoViolations(findConservationViolations(runs, pauses, workload, grid.capacities));
  return { runs, splitJobs: summarize(simulator).splitJobs };
}

describe.each(REAL_TEST_LOGS)('$name', (log) => {
  describe.skipIf(log.file === undefined)('parts of split jobs begin and end with them', () => {
    test.each(
      sampleTestCases(
        [
          { multiSite: 'larger-first', discipline: 'fcfs', minSpeedRatio: 1, timeResolution: 'floor' },
          { multiSite: 'larger-first', discipline: 'njf', policy: 'ff' },
          { multiSite: 'faster-first', discipline: 'fcfs', policy: 'ff' },
          { multiSite: 'faster-first', discipline: 'njf', minSpeedRatio: 1, timeResolution: 'floor' },
          { multiSite: 'adaptive', discipline: 'fcfs', policy: 'ff' },
          { multiSite: 'adaptive', discipline: 'njf', minSpeedRatio: 1, timeResolution: 'floor' },
          { multiSite: 'adaptive', discipline: 'njf', queue: 'per-home', policy: 'ff' },
        ] as SimulationOptions[],
        SAMPLED_SETTING_DIVISOR,
      ),
    )('%o', async (options) => {
      const { runs, splitJobs } = await simulateAndCheckRuns(log, { ...options, multiSiteOverhead: 0.5 });
      expect(runs.filter(({ parts: runParts }) => runParts.length > 1).length).toBe(splitJobs);
      expect(splitJobs).toBeGreaterThan(100);
    });
  });

  describe.skipIf(log.file === undefined)('jobs leave the queue of their home in its order', () => {
    test.each(
      sampleTestCases(
        [
          { queue: 'per-home', discipline: 'fcfs', policy: 'ff', minSpeedRatio: 1, timeResolution: 'floor' },
          { queue: 'per-home', discipline: 'njf', policy: 'ff', minSpeedRatio: 1, timeResolution: 'floor' },
          { queue: 'per-home', discipline: 'njf' },
          { queue: 'independent', discipline: 'fcfs', timeResolution: 'floor' },
          { queue: 'independent', discipline: 'njf' },
        ] as SimulationOptions[],
        SAMPLED_SETTING_DIVISOR,
      ),
    )('%o', async (options) => {
      const { runs } = await simulateAndCheckRuns(log, options);
      const workload = await log.workload();
      const doesRunAwayFromHome = ({ job, parts }: SimulatedRun) => parts[0].site !== workload.home[job];
      expect(runs.some(doesRunAwayFromHome)).toBe(options.queue === 'per-home');
      // With separate queues, some jobs start before others that were submitted earlier.
      expect(runs.some(({ job }, index) => job !== index)).toBe(true);
    });
  });
});
