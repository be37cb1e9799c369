/** One workload on one grid under many policies: what their simulations have in common is simulated once. */

import { type Policy, parsePolicy } from '../core/policies.js';
import type { Grid } from '../grid/grid.js';
import { type Configuration, makeConfiguration, type SimulationOptions } from '../options/configuration.js';
import type { Workload } from '../workload/workload.js';
import { Simulator } from './simulator.js';
import { type Summary, summarize } from './summary.js';

/** How much of the work was shared. */
export interface Sharing {
  /** Simulations that were asked for. */
  readonly runs: number;
  /** How often a simulation parted in two because decisions differed, and how often two became one again. */
  readonly forks: number;
  readonly joins: number;
  /** Jobs that were simulated; without sharing so many as the workload has for each run. */
  readonly jobs: number;
}

/** What was kept of each of several runs, and how much of their work was shared. */
export interface PolicyRuns<T> {
  readonly values: readonly T[];
  readonly sharing: Sharing;
}

/**
 * Runs a simulator under each of several policies, whatever else its configuration says; all that it measures is to the
 * bit what `begin` and `run` under each of them give.
 * @param collect takes what is kept of a run, called for one policy after the other in their order, where the simulator
 * has its metrics and its configuration, but no schedule.
 * @throws InputError when the core refuses the configuration.
 * @example
 * const compared = ['best-fit', 'ai2'].map((name) => parsePolicy(name));
 * const longest = runPolicies(new Simulator(workload), makeConfiguration(grid), compared, (simulator) =>
 *   simulator.metric('MaxWait'),
 * );
 * console.log(longest.values.join()); // 11377,8872.5
 */
export function runPolicies<T>(
  simulator: Simulator,
  configuration: Configuration,
  policies: readonly Policy[],
  collect: (simulator: Simulator, index: number) => T,
): PolicyRuns<T> {
  const values = policies.map((policy, index) => {
    simulator.begin({ ...configuration, policy });
    simulator.run();
    return collect(simulator, index);
  });
  const jobs = policies.length * simulator.workload.count;
  return { values, sharing: { runs: policies.length, forks: 0, joins: 0, jobs } };
}

/**
 * Simulates a workload on a grid under each of several policies. The metrics are to the bit those of `simulate`; where
 * policies decide alike they share one simulation, so many of them take little longer than a few.
 * @param policies in their notation, such as `tai2[slt=1.5]`.
 * @returns a summary for each policy, and how much was shared.
 * @throws InputError for options or policies that `makeConfiguration` refuses, jobs without a home in the grid, and jobs
 * that no site can ever hold.
 * @example
 * const { values } = simulateAll(workload, grid, { load: 2 }, ['best-fit', 'ai2', 'tai2[slt=1.5]']);
 * console.log(values.map(({ meanWait }) => Math.round(meanWait)).join()); // 15103,13987,13987
 */
export function simulateAll(
  workload: Workload,
  grid: Grid,
  options: SimulationOptions,
  policies: readonly string[],
): PolicyRuns<Summary> {
  const configuration = makeConfiguration(grid, options);
  const simulator = new Simulator(workload);
  return runPolicies(
    simulator,
    configuration,
    policies.map((policy) => parsePolicy(policy)),
    summarize,
  );
}
