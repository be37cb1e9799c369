/**
 * Simulates one workload on one grid under many policies; common parts of their histories are simulated once.
 */

import { checkArgument } from '../arguments.js';
import { type Policy, parsePolicy } from '../core/policies.js';
import type { Grid } from '../grid/grid.js';
import { type Configuration, makeConfiguration, type SimulationOptions } from '../options/configuration.js';
import { NO_OUTAGES_NOTATION } from '../options/outages.js';
import type { Workload } from '../workload/workload.js';
import { type Sharing, Simulator } from './simulator.js';
import { type Summary, summarize } from './summary.js';

/** One result per policy, and the amount of simulation work that the policies shared. */
export interface PolicyRuns<T> {
  readonly values: readonly T[];
  readonly sharing: Sharing;
}

/**
 * Runs a simulator under each of several policies, replacing the policy of its configuration. All results are
 * bit-identical to separate runs. Policies that choose between best-fit and fastest-first share a simulation
 * until they decide differently, under first come, first served on a shared queue in submit order with rigid
 * jobs. Other policies are simulated separately, as are all if a metric needs every job of a run: with
 * warm-up, cool-down or killed jobs.
 * @param collectRun called once per policy, in any order, to collect results; the simulator then has its
 * metrics and configuration, but no schedule.
 * @throws InputError if the core refuses the configuration.
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
  collectRun: (simulator: Simulator, index: number) => T,
): PolicyRuns<T> {
  checkArgument(simulator, 'simulator', 'runPolicies, simulator');
  checkArgument(configuration, 'configuration', 'runPolicies, configuration');
  checkArgument(policies, 'list', 'runPolicies, policies');
  const valuesByPolicy: T[] = [];
  const sharing = { runs: policies.length, forks: 0, joins: 0, jobs: 0 };
  const runPolicyAlone = (index: number) => {
    simulator.begin({ ...configuration, policy: policies[index]! });
    simulator.run();
    valuesByPolicy[index] = collectRun(simulator, index);
    sharing.jobs += simulator.workload.count;
  };
  const runTogether = (indexesOfPoliciesToRun: readonly number[]): void => {
    const sharedPolicies = indexesOfPoliciesToRun.map((index) => policies[index]!);
    const outcome = simulator.runTogether(
      { ...configuration, policy: sharedPolicies[0] ?? configuration.policy },
      sharedPolicies,
    );
    if (outcome === 'too many') {
      const halfCount = indexesOfPoliciesToRun.length >> 1;
      runTogether(indexesOfPoliciesToRun.slice(0, halfCount));
      runTogether(indexesOfPoliciesToRun.slice(halfCount));
      return;
    }
    if (outcome === 'unshared') {
      for (const index of indexesOfPoliciesToRun) runPolicyAlone(index);
      return;
    }
    sharing.forks += outcome.forks;
    sharing.joins += outcome.joins;
    sharing.jobs += outcome.jobs;
    const unmeasuredPolicyIndexes = indexesOfPoliciesToRun.filter((index, policyPosition) => {
      const isPolicyMeasured = simulator.measurePolicy(policyPosition, policies[index]!);
      if (isPolicyMeasured) valuesByPolicy[index] = collectRun(simulator, index);
      return !isPolicyMeasured;
    });
    for (const index of unmeasuredPolicyIndexes) runPolicyAlone(index);
  };
  const allPolicyIndexes = policies.map((_, index) => index);
  const canPolicyShareHistory = (index: number) =>
    canRunsShareHistory(simulator, configuration) && simulator.mayRunTogether(policies[index]!);
  runTogether(allPolicyIndexes.filter(canPolicyShareHistory));
  for (const index of allPolicyIndexes.filter((index) => !canPolicyShareHistory(index)))
    runPolicyAlone(index);
  return { values: valuesByPolicy, sharing };
}

/** True if the requested results allow runs to share a simulation; the core checks all other conditions. */
function canRunsShareHistory({ workload }: Simulator, { warmUp, coolDown, outages }: Configuration): boolean {
  const needsResultOfEveryJob = [workload.killed, workload.dependencies, workload.patience].some(
    (each) => each !== undefined,
  );
  return warmUp === 0 && coolDown === 0 && outages === NO_OUTAGES_NOTATION && !needsResultOfEveryJob;
}

/**
 * Simulates a workload on a grid under each of several policies. Metrics are bit-identical to `simulate`.
 * Policies that decide equally share one simulation, so many of them take little longer than a few.
 * @param policies policies in their notation, such as `tai2[slt=1.5]`.
 * @returns a summary per policy, and the amount of shared work.
 * @throws InputError for options or policies that `makeConfiguration` refuses, jobs without a home in the
 * grid, and jobs that fit on no site.
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
  checkArgument(workload, 'workload', 'simulateAll, workload');
  checkArgument(grid, 'grid', 'simulateAll, grid');
  checkArgument(policies, 'list', 'simulateAll, policies');
  const configuration = makeConfiguration(grid, options);
  const simulator = new Simulator(workload);
  return runPolicies(
    simulator,
    configuration,
    policies.map((policyText) => parsePolicy(policyText)),
    summarize,
  );
}
