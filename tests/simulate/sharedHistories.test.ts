import { expect, test } from 'vitest';
import { type CoreBuild, loadCoreConstants } from '../../host/core/module.js';
import { type Policy, parsePolicy } from '../../host/core/policies.js';
import { readTrace } from '../../host/files/traceFiles.js';
import { printNotation } from '../../host/notation.js';
import { type Configuration, makeConfiguration } from '../../host/options/configuration.js';
import { runPolicies, simulateAll } from '../../host/simulate/sharedHistories.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { summarize } from '../../host/simulate/summary.js';
import { makeWorkload } from '../../host/workload/make.js';
import { findPreset } from '../../host/workload/presets.js';
import type { Workload } from '../../host/workload/workload.js';
import { doesRunCoverRareCases, listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import {
  makeConfigurationFromReference,
  makeWorkloadOfReferenceJobs,
  pickReferenceMetrics,
} from '../core/simulateCore.js';
import { randomAllocatorCase } from '../reference/cases/allocators.js';
import { drawPolicyText, type RandomCase, SeededDraws } from '../reference/cases/draws.js';
import { simulateReference } from '../reference/simulator/reference.js';
import { findTraceFilePath } from '../traces.js';

/**
 * Policies that share a simulation must have the same metrics, to the last bit, as in separate
 * simulations.
 */

const SHARING_CORE_BUILDS: readonly CoreBuild[] = ['release', 'checked'];
const METRICS = Object.keys(loadCoreConstants().Metric).filter(
  (name): name is Exclude<keyof ReturnType<typeof loadCoreConstants>['Metric'], 'COUNT'> => name !== 'COUNT',
);
const SITE_RESULT_COLUMNS = ['SiteBusy', 'SiteJobs', 'HomeResponse', 'HomeJobs'] as const;

/** All results of the core for a simulation. */
function readAllCoreResults(simulator: Simulator): number[] {
  return [
    ...METRICS.map((name) => simulator.metric(name)),
    ...SITE_RESULT_COLUMNS.flatMap((siteResultColumn) => [...simulator.perSite(siteResultColumn)]),
  ];
}

/** The metrics of each policy in a separate run. */
function computeMetricsOfSeparateRuns(
  simulator: Simulator,
  configuration: Configuration,
  policies: readonly Policy[],
) {
  return policies.map((policy) => {
    simulator.begin({ ...configuration, policy });
    simulator.run();
    return readAllCoreResults(simulator);
  });
}

/** Draws policies, some of which are often equal. */
function drawRandomPolicies(random: SeededDraws, speeds: number[]): string[] {
  const policyNames = random
    .times(random.pick([2, 3, 5, 10, 40, 90]), () => 0)
    .map(() => {
      const { policy, parameters } = drawPolicyText(random, speeds);
      return printNotation(policy, Object.entries(parameters));
    });
  return random.oneIn(4)
    ? policyNames
    : policyNames.filter((policyName) => !/^(first|worst|random)/.test(policyName));
}

/** Repeats a case with gaps in between, so that diverged simulations can become equal again. */
function makeCaseWithRepeatedJobs({ jobs, options }: RandomCase, random: SeededDraws): RandomCase {
  const span = jobs.at(-1)!.submit - jobs[0]!.submit + random.pick([1, 10, 50, 1000]);
  const repeatCount = random.pick([1, 1, 2, 8]);
  const repeatedJobs = random
    .times(repeatCount, () => 0)
    .flatMap((_, k) => jobs.map((job) => ({ ...job, submit: job.submit + k * span })));
  return { jobs: repeatedJobs, options: { ...options, instant: random.oneIn(10) ? 'batched' : 'per-event' } };
}

test('policies simulated together have the metrics that they have alone', {
  timeout: RANDOM_TEST_TIMEOUT_MILLISECONDS,
}, () => {
  const sharedAndSeparateRunCounts = {
    release: { forks: 0, joins: 0, saved: 0 },
    checked: { forks: 0, joins: 0, saved: 0 },
  };
  const caseSeedsToTry = listCaseSeeds(400);
  for (const seed of caseSeedsToTry) {
    const random = new SeededDraws(seed + 770_000);
    const { jobs, options } = makeCaseWithRepeatedJobs(randomAllocatorCase(seed), random);
    const policies = drawRandomPolicies(random, options.speeds).map((name) => parsePolicy(name));
    if (policies.length === 0) continue;
    const configuration = makeConfigurationFromReference(options, false);
    const coreBuild = SHARING_CORE_BUILDS[seed % 2] as 'release' | 'checked';
    const simulator = new Simulator(makeWorkloadOfReferenceJobs(jobs), coreBuild);
    const expectedMetrics = computeMetricsOfSeparateRuns(simulator, configuration, policies);
    const { values: valuesByPolicy, sharing } = runPolicies(
      simulator,
      configuration,
      policies,
      readAllCoreResults,
    );
    for (const [index, policy] of policies.entries()) {
      expect(valuesByPolicy[index], `case ${seed}, ${policy.declaration.name}, ${coreBuild}`).toEqual(
        expectedMetrics[index],
      );
    }
    expect(sharing.runs).toBe(policies.length);
    sharedAndSeparateRunCounts[coreBuild].forks += sharing.forks;
    sharedAndSeparateRunCounts[coreBuild].joins += sharing.joins;
    sharedAndSeparateRunCounts[coreBuild].saved += sharing.runs * jobs.length - sharing.jobs;
  }
  console.log(`shared: ${JSON.stringify(sharedAndSeparateRunCounts)}`);
  if (!doesRunCoverRareCases) return;
  for (const build of [sharedAndSeparateRunCounts.release, sharedAndSeparateRunCounts.checked]) {
    expect(build.forks).toBeGreaterThan(caseSeedsToTry.length / 4);
    expect(build.joins).toBeGreaterThan(caseSeedsToTry.length / 14);
    expect(build.saved).toBeGreaterThan(250 * caseSeedsToTry.length);
  }
});

test('one of them agrees with the reference', { timeout: RANDOM_TEST_TIMEOUT_MILLISECONDS }, () => {
  let forks = 0;
  const caseSeedsToTry = listCaseSeeds(100);
  for (const seed of caseSeedsToTry) {
    const random = new SeededDraws(seed + 990_000);
    const { jobs, options } = makeCaseWithRepeatedJobs(randomAllocatorCase(seed), random);
    const randomPolicyText = drawPolicyText(random, options.speeds);
    const policyNames = [
      ...drawRandomPolicies(random, options.speeds),
      printNotation(randomPolicyText.policy, Object.entries(randomPolicyText.parameters)),
      'best-fit',
      'ai2',
    ];
    const index = policyNames.length - 3;
    const configuration = makeConfigurationFromReference(options, false);
    const policies = policyNames.map((policyName) => parsePolicy(policyName));
    const simulator = new Simulator(makeWorkloadOfReferenceJobs(jobs), 'checked');
    const { values: valuesByPolicy, sharing } = runPolicies(simulator, configuration, policies, (simulator) =>
      pickReferenceMetrics(summarize(simulator)),
    );
    expect(valuesByPolicy[index], `case ${seed}`).toEqual(
      simulateReference(jobs, { ...options, ...randomPolicyText }).metrics,
    );
    forks += sharing.forks;
  }
  if (doesRunCoverRareCases) expect(forks).toBeGreaterThan(caseSeedsToTry.length / 4);
});

/** Workload of `jobCount` jobs, each from a function of its index. */
function makeWorkloadOfCase(
  jobCount: number,
  makeJob: (i: number) => Record<'submit' | 'runtime' | 'processors' | 'home', number>,
) {
  return makeWorkloadOfReferenceJobs(
    Array.from({ length: jobCount }, (_, i) => ({ ...makeJob(i), estimate: makeJob(i).runtime })),
  );
}

const SITES = { capacities: [8, 16, 4], speeds: [1, 2, 1.5] };

/** Jobs of varied width and length that keep the sites busy. */
function makeWorkloadOfBusyGrid(jobCount: number, timeUnit: number): Workload {
  const random = new SeededDraws(7);
  return makeWorkloadOfCase(jobCount, (i) => ({
    submit: timeUnit * 5 * i,
    runtime: timeUnit * random.between(1, 60),
    processors: random.between(1, 8),
    home: random.below(3),
  }));
}

test('a sum whose last bit is open is settled by a run of its own', () => {
  // The sum 2^49 + 2^-4 is half-way between two doubles, and the third term decides the rounding.
  const runtimes = [2 ** 49, 2 ** -4, 2 ** -60];
  const workload = makeWorkloadOfCase(3, (i) => ({
    submit: 0,
    runtime: runtimes[i],
    processors: 1,
    home: 0,
  }));
  const policies = ['best-fit', 'si'].map((name) => parsePolicy(name));
  const configuration = makeConfiguration({ capacities: [8], speeds: [1] });
  const simulator = new Simulator(workload);
  const { values: valuesByPolicy, sharing } = runPolicies(
    simulator,
    configuration,
    policies,
    readAllCoreResults,
  );
  expect(valuesByPolicy).toEqual(computeMetricsOfSeparateRuns(simulator, configuration, policies));
  expect(sharing.jobs).toBe(3 + 2 * 3);
});

test('more policies than there are bits are simulated in parts', () => {
  const policyNames = Array.from({ length: 150 }, (_, i) => `ti[slt=${i / 50}]`);
  const workload = makeWorkloadOfBusyGrid(400, 1);
  const policies = policyNames.map((policyName) => parsePolicy(policyName));
  const configuration = makeConfiguration(SITES);
  const simulator = new Simulator(workload);
  const { values: valuesByPolicy, sharing } = runPolicies(
    simulator,
    configuration,
    policies,
    readAllCoreResults,
  );
  expect(valuesByPolicy).toEqual(computeMetricsOfSeparateRuns(simulator, configuration, policies));
  expect(sharing.jobs).toBeLessThan(150 * workload.count);
});

test('parameters without effect make one run', () => {
  const policyNames = ['tai2[sht=0,slt=1]', 'tai2[sht=0.01,slt=1]', 'tai2[sht=0.02,slt=1]'];
  const { sharing, values: valuesByPolicy } = simulateAll(
    makeWorkloadOfBusyGrid(300, 1),
    SITES,
    {},
    policyNames,
  );
  expect(sharing).toEqual({ runs: 3, forks: 0, joins: 0, jobs: 300 });
  expect(valuesByPolicy.map(({ policy }) => policy)).toEqual(policyNames);
});

test('what takes every job of a run, and other configurations, are simulated one by one', () => {
  const policies = ['best-fit', 'ai2'];
  const workload = makeWorkloadOfBusyGrid(300, 1);
  for (const options of [
    { warmUp: 100 },
    { discipline: 'first-available' },
    { queue: 'per-home' },
    { instant: 'batched' },
    { multiSite: 'larger-first' },
  ] as const) {
    const { sharing, values: valuesByPolicy } = simulateAll(workload, SITES, options, policies);
    expect(sharing, JSON.stringify(options)).toEqual({ runs: 2, forks: 0, joins: 0, jobs: 600 });
    const simulator = new Simulator(workload);
    const summariesOfSingleRuns = policies.map((policy) => {
      simulator.begin(makeConfiguration(SITES, { ...options, policy }));
      simulator.run();
      return summarize(simulator);
    });
    expect(valuesByPolicy).toEqual(summariesOfSingleRuns);
  }
});

test('a simulator that has run policies together is restarted for anything else', () => {
  const workload = makeWorkloadOfBusyGrid(100, 1);
  const simulator = new Simulator(workload);
  const configuration = makeConfiguration(SITES);
  expect(simulator.runTogether(configuration, [parsePolicy('si'), parsePolicy('ai')])).toHaveProperty(
    'forks',
  );
  expect(() => simulator.runUntil(10)).toThrow();
  expect(() => simulator.run()).toThrow();
  simulator.begin(configuration);
  simulator.run();
  expect(summarize(simulator).jobs).toBe(100);
});

const sanDiegoLogFile = findTraceFilePath('sdsc-sp2-54041.swf.gz');

test.skipIf(sanDiegoLogFile === undefined)(
  'the San Diego log under 35 policies at loads from 1 to 4',
  { timeout: RANDOM_TEST_TIMEOUT_MILLISECONDS },
  async () => {
    const { capacities, filters, home } = findPreset('shih2010');
    const siteCount = capacities.length;
    const log = await readTrace(sanDiegoLogFile as string);
    const workload = makeWorkload(log, { name: 'San Diego', filters, home, siteCount });
    const thresholdPolicies = ['ti', 'tai', 'tai2'].flatMap((method) =>
      [0.1, 0.15].flatMap((sht) => [1, 1.5, 2, 2.5, 3].map((slt) => `${method}[sht=${sht},slt=${slt}]`)),
    );
    const policyNames = ['best-fit', 'fastest-first', 'si', 'ai', 'ai2', ...thresholdPolicies];
    const policies = policyNames.map((policyName) => parsePolicy(policyName));
    const simulator = new Simulator(workload);
    const speeds = [1.244, 1.212, 1.393, 0.429, 0.875];
    for (const [load, timeResolution] of [
      [1, 'nearest'],
      [2, 'exact'],
      [2.5, 'nearest'],
      [4, 'floor'],
    ] as const) {
      const configuration = makeConfiguration({ capacities, speeds }, { load, timeResolution });
      const { values: valuesByPolicy, sharing } = runPolicies(
        simulator,
        configuration,
        policies,
        readAllCoreResults,
      );
      expect(valuesByPolicy, `load ${load}`).toEqual(
        computeMetricsOfSeparateRuns(simulator, configuration, policies),
      );
      expect(sharing.joins, `load ${load}`).toBeGreaterThan(5);
      expect(sharing.jobs).toBeLessThan((policyNames.length * workload.count) / (load < 3 ? 2 : 1.2));
    }
  },
);
