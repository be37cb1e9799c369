import { describe, expect, test } from 'vitest';
import { makeConfiguration, type SimulationOptions } from '../../host/options/configuration.js';
import { summarize } from '../../host/simulate/summary.js';
import { sampleTestCases } from '../cases.js';
import type { StoppedRun } from '../reference/simulator/reference.js';
import {
  findConservationViolations,
  findProcessorViolations,
  listRunsOfSimulation,
  type SimulatedRun,
  type SimulationPause,
  sumOfNumbers,
} from './runOffences.js';
import { expectNoViolations, REAL_TEST_LOGS } from './sharedLogs.js';
import { listPreemptedRuns } from './simulateCore.js';
import { findPreemptionViolations, findRestartViolations } from './stopOffences.js';
import { observePreemptions } from './watchedRuns.js';

/**
 * Invariants of schedules in which sites preempt guest jobs for their own, on real logs.
 * Submissions and executions are whole seconds, so that sums below 2^53 are exact.
 */

/** Processor-seconds in use between pauses, from the numbers of free processors. */
function sumBusyProcessorSeconds(pauses: readonly SimulationPause[], totalProcessors: number): number {
  return sumOfNumbers(
    pauses.slice(1).map(({ time }, i) => (totalProcessors - pauses[i].free) * (time - pauses[i].time)),
  );
}

function sumProcessorSecondsOfRuns(runs: readonly SimulatedRun[]): number {
  return sumOfNumbers(runs.map(({ processors, start, end }) => processors.length * (end - start)));
}

/** Text that identifies a preempted run. */
function keyOfPreemptedRun(run: Omit<StoppedRun, 'processors'> & Pick<SimulatedRun, 'processors'>): string {
  return [run.job, run.site, run.start, run.end, ...run.processors].join(' ');
}

/** Converts a preempted run of the simulator's log to the tests' form. */
function toSimulatedRun({ job, site, start, end, processors }: StoppedRun): SimulatedRun {
  const runParts = [{ site, processors: processors.length }];
  return { job, start, end, stopped: true, split: false, parts: runParts, processors };
}

/** Names of the first list that occur less often in the second (multiset difference). */
function findNamesMissingInOther(
  keysOfRuns: readonly string[],
  keysOfOtherRuns: readonly string[],
): string[] {
  const remainingCounts = new Map<string, number>();
  for (const keyOfOtherRun of keysOfOtherRuns)
    remainingCounts.set(keyOfOtherRun, (remainingCounts.get(keyOfOtherRun) ?? 0) + 1);
  return keysOfRuns.filter((name) => {
    const remainingCount = remainingCounts.get(name) ?? 0;
    remainingCounts.set(name, remainingCount - 1);
    return remainingCount <= 0;
  });
}

describe.each(REAL_TEST_LOGS)('$name', ({ file, grid, load, workload: parsedWorkload }) => {
  test.skipIf(file === undefined).each(
    sampleTestCases([
      { discipline: 'njf', minSpeedRatio: 1 },
      { discipline: 'njf', minSpeedRatio: 0.7 },
      { discipline: 'fcfs', minSpeedRatio: 1 },
    ] as SimulationOptions[]),
  )('stopped jobs start again and nothing is lost: %o', async (options) => {
    const workload = await parsedWorkload();
    const rules = { policy: 'ff', queue: 'per-home', reclaim: true, timeResolution: 'floor' } as const;
    const configuration = makeConfiguration(grid, { load, ...rules, ...options, processorSets: true });
    const { simulator, runs, pauses, lostTime, unseen, offences } = observePreemptions(
      workload,
      configuration,
    );
    const { capacities } = grid;
    expectNoViolations(offences);
    expectNoViolations(findProcessorViolations(runs, workload, capacities));
    expectNoViolations(findConservationViolations(runs, pauses, workload, capacities));
    expectNoViolations(findRestartViolations(runs, workload, configuration));
    expectNoViolations(findPreemptionViolations(runs, workload, capacities));

    const stoppedRuns = runs.filter((run) => run.stopped);
    const { restarts, lostProcessorSeconds } = summarize(simulator);
    expect(stoppedRuns.length).toBeGreaterThan(100);
    expect(restarts).toBeGreaterThanOrEqual(stoppedRuns.length + unseen.atLeast);
    expect(restarts).toBeLessThanOrEqual(stoppedRuns.length + unseen.atMost);
    expect(lostProcessorSeconds).toBe(sumProcessorSecondsOfRuns(stoppedRuns));

    const preemptedRuns = listPreemptedRuns(simulator);
    const keysOfStoppedRuns = stoppedRuns.map((run) =>
      keyOfPreemptedRun({ ...run, site: run.parts[0].site }),
    );
    expect(preemptedRuns.length).toBe(restarts);
    expect(findNamesMissingInOther(keysOfStoppedRuns, preemptedRuns.map(keyOfPreemptedRun))).toEqual([]);
    // Runs that the pauses did not show were preempted in the instant of their start.
    expect(sumOfNumbers(preemptedRuns.map(({ start, end }) => end - start))).toBe(
      sumOfNumbers(stoppedRuns.map(({ start, end }) => end - start)),
    );
    expect(preemptedRuns.every(({ end }, i) => i === 0 || end >= preemptedRuns[i - 1].end)).toBe(true);
    const lostSecondsOfJobs = new Float64Array(workload.count);
    for (const { job, start, end } of preemptedRuns) lostSecondsOfJobs[job] += end - start;
    expect(lostSecondsOfJobs).toEqual(lostTime);
    expectNoViolations(
      findProcessorViolations(
        [...listRunsOfSimulation(simulator), ...preemptedRuns.map(toSimulatedRun)],
        workload,
        capacities,
      ),
    );

    const busySecondsBySite = [...simulator.perSite('SiteBusy')];
    const secondsOfRunsBySite = capacities.map((_, j) =>
      sumProcessorSecondsOfRuns(runs.filter(({ parts: runParts }) => runParts[0].site === j)),
    );
    expect(pauses.every(({ time }) => Number.isInteger(time))).toBe(true);
    expect(busySecondsBySite).toEqual(secondsOfRunsBySite);
    expect(sumOfNumbers(busySecondsBySite)).toBe(sumBusyProcessorSeconds(pauses, sumOfNumbers(capacities)));

    const { start, execution, site } = simulator.schedule();
    const lastRunOfJob = new Map(runs.map((run) => [run.job, run]));
    const differsFromSchedule = (run: SimulatedRun) =>
      run.start !== start[run.job] ||
      run.end !== start[run.job] + execution[run.job] ||
      run.parts[0].site !== site[run.job];
    expect([...lastRunOfJob.values()].filter(differsFromSchedule)).toEqual([]);
  });
});
