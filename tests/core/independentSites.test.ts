/** A simulation of independent sites must equal separate simulations of each site. */
import { expect, test } from 'vitest';
import { openCore } from '../../host/core/module.js';
import type { PolicyFunction, PolicyView, WaitingJob } from '../../host/core/policies.js';
import { FEATURES } from '../../host/learn/environment.js';
import { Environment, makeGrid, simulate } from '../../host/portable.js';
import { listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import type { RandomCase } from '../reference/cases/draws.js';
import { randomLoadSharingCase } from '../reference/cases/loadSharing.js';
import { randomPassCase } from '../reference/cases/passes.js';
import { randomRecentCase } from '../reference/cases/recent.js';
import { randomSafeCase } from '../reference/cases/safeBackfilling.js';
import type { ReferenceJob, ReferenceOptions } from '../reference/simulator/reference.js';
import { makeWorkloadOfReferenceJobs, simulateCore } from './simulateCore.js';

const CASE_GENERATORS = [randomLoadSharingCase, randomSafeCase, randomRecentCase, randomPassCase];

const core = openCore();

/**
 * A random case on independent sites, with jobs at home where they fit; undefined if its queue
 * order depends on other sites.
 */
function drawIndependentSitesCase(seed: number): RandomCase | undefined {
  const { jobs, options } = CASE_GENERATORS[seed % CASE_GENERATORS.length]!(seed);
  const { reclaim: _, multiSite: __, multiSiteFactor: ___, select: ____, ...wide } = options;
  // Functions see the numbers of sites, which differ in a simulation of one site.
  const { bandwidth, latency, choose: _____, mayWait: ______, ...kept } = wide;
  const orders = `${options.order} ${options.backfillOrder}`;
  if (/\b(firstSubmit|home|number|f[1-4])\b/.test(orders)) return undefined;
  if (bandwidth !== undefined || latency !== undefined) return undefined;
  if (options.runtimeReference === 'home' || options.heterogeneity !== undefined) return undefined;
  const jobsNarrowedToHomeSite = jobs.map((job) => {
    return { ...job, processors: Math.min(job.processors, options.capacities[job.home]!) };
  });
  const minSpeedRatio = Math.min(1, options.minSpeedRatio);
  return {
    jobs: jobsNarrowedToHomeSite,
    options: { ...kept, minSpeedRatio, queue: 'independent', withPolicy: true },
  };
}

/** Start times if each site is simulated separately. */
function simulateSitesSeparately(jobs: ReferenceJob[], options: ReferenceOptions): number[] {
  const startTimes: number[] = [];
  for (const [site, capacity] of options.capacities.entries()) {
    const jobIndicesOfSite = jobs.flatMap((job, index) => (job.home === site ? [index] : []));
    if (jobIndicesOfSite.length === 0) continue;
    // Users of a site are renumbered without gaps.
    const users = new Map<number, number>();
    const renumberUser = (user: number) => users.get(user) ?? users.set(user, users.size).size - 1;
    const jobsOfSite = jobIndicesOfSite.map((jobIndex) => {
      const { user, ...job } = jobs[jobIndex]!;
      return { ...job, home: 0, ...(user === undefined ? {} : { user: renumberUser(user) }) };
    });
    const grid = { capacities: [capacity], speeds: [options.speeds[site]!], load: [options.load[site]!] };
    const { start } = simulateCore(jobsOfSite, { ...options, ...grid, queue: 'shared' }, core, false);
    jobIndicesOfSite.forEach((jobIndex, k) => {
      startTimes[jobIndex] = start[k]!;
    });
  }
  return startTimes;
}

/**
 * A policy's view as text, without the numbers of site, home and jobs, which differ in a simulation
 * of one site.
 */
function describeViewWithoutNumbers(policyView: PolicyView): string {
  const listComparableFields = ({ processors, estimate, submit, user }: WaitingJob) => [
    processors,
    estimate,
    submit,
    user,
  ];
  const sites = policyView.sites.map(
    ({ number: siteNumber, free: freeProcessors, capacity, speed, isFeasible }) => {
      const jobsBehindOnSite = isFeasible ? policyView.lookAhead(siteNumber) : undefined;
      return [
        freeProcessors,
        capacity,
        speed,
        isFeasible,
        jobsBehindOnSite?.jobs,
        jobsBehindOnSite?.capacity,
      ];
    },
  );
  const { time, situation, speedHeterogeneity, queuedProcessors, freeProcessors } = policyView;
  const queue = Array.from(policyView.queue, listComparableFields);
  return JSON.stringify([
    ...[
      listComparableFields(policyView.job),
      sites,
      queue,
      time,
      situation,
      speedHeterogeneity,
      queuedProcessors,
      freeProcessors,
    ],
  ]);
}

/** True if all sites visible to the policy are idle. */
const areAllSitesIdle = ({ sites }: PolicyView) =>
  sites.every(({ free: freeProcessors, capacity }) => freeProcessors === capacity);

const makeWaitingPolicy =
  (mustJobWait: (view: PolicyView) => boolean): PolicyFunction =>
  (policyView) =>
    !areAllSitesIdle(policyView) && mustJobWait(policyView) ? 0 : policyView.bestFit;

function hashText(hashedText: string): number {
  let hash = 0;
  for (let i = 0; i < hashedText.length; i++)
    hash = Math.imul(hash ^ hashedText.charCodeAt(i), 0x9e3779b1) ^ (hash >>> 15);
  return hash >>> 0;
}

/** Custom policies that depend on the view alone; most let jobs wait. */
const POLICY_FUNCTIONS: Readonly<Record<string, PolicyFunction>> = {
  'the first that can take it': ({ sites }) => sites.find(({ isFeasible }) => isFeasible)!.number,
  'alone on all that it sees': makeWaitingPolicy(() => true),
  'half of what is free at most': makeWaitingPolicy(
    (policyView) => 2 * policyView.job.processors > policyView.freeProcessors,
  ),
  'not where others wait': makeWaitingPolicy(
    (policyView) => policyView.queuedProcessors > policyView.job.processors,
  ),
  'not as it comes': makeWaitingPolicy(({ situation }) => situation === 'a'),
  'by how far the queue comes': makeWaitingPolicy(
    (policyView) => policyView.lookAhead(policyView.bestFit).jobs % 2 === 1,
  ),
  'by all that it sees': makeWaitingPolicy(
    (policyView) => hashText(describeViewWithoutNumbers(policyView)) % 3 === 0,
  ),
};

test.each(Object.entries(POLICY_FUNCTIONS))(
  'a function starts jobs as in separate simulations: %s',
  (_, choose) => {
    for (const seed of listCaseSeeds(450)) {
      const randomCase = drawIndependentSitesCase(seed);
      if (randomCase === undefined) continue;
      const options = { ...randomCase.options, policy: 'best-fit', parameters: {}, choose, mayWait: true };
      const { start } = simulateCore(randomCase.jobs, options, core, false);
      expect(start, `case ${seed}`).toEqual(simulateSitesSeparately(randomCase.jobs, options));
    }
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);

test(
  'methods start jobs as in separate simulations',
  () => {
    for (const seed of listCaseSeeds(600)) {
      const randomCase = drawIndependentSitesCase(seed);
      if (randomCase === undefined) continue;
      const { start } = simulateCore(randomCase.jobs, randomCase.options, core, false);
      expect(start, `case ${seed}`).toEqual(simulateSitesSeparately(randomCase.jobs, randomCase.options));
    }
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);

/**
 * Decisions of an episode by home site of the job, with the features that a simulation of one site
 * can know.
 */
function observeDecisionsBySite(
  jobs: ReferenceJob[],
  options: ReferenceOptions,
  homes: number[],
): string[][] {
  const { capacities, speeds, load, queue, instant, resolution: timeResolution } = options;
  const environment = new Environment({
    jobs: makeWorkloadOfReferenceJobs(jobs),
    grid: makeGrid({ capacities, speeds }),
    observation: FEATURES,
    mayWait: true,
    simulation: { load, queue, instant, timeResolution },
  });
  const decisionsBySite: string[][] = options.capacities.map(() => []);
  const siteCount = capacities.length;
  const freeFeatureIndex = FEATURES.indexOf('free');
  const feasibleSites = new Uint8Array(siteCount + 1);
  environment.reset();
  while (!environment.last.terminated) {
    const { view: decisionView } = environment;
    const { observation } = environment.last;
    const home = homes[decisionView.job]!;
    environment.actionMask(feasibleSites);
    const featuresOfHomeSite = [...observation]
      .slice(freeFeatureIndex)
      .filter((_, index) => index % siteCount === home);
    const decisionFields = [
      decisionView.speedHeterogeneity,
      ...observation.slice(0, freeFeatureIndex),
      ...featuresOfHomeSite,
      feasibleSites[0],
    ];
    const decisionText = JSON.stringify(decisionFields);
    decisionsBySite[home]!.push(decisionText);
    environment.step(feasibleSites[0] === 1 && hashText(decisionText) % 3 === 0 ? 0 : decisionView.bestFit);
  }
  return decisionsBySite;
}

test('an agent observes its site as in a separate simulation of that site', () => {
  for (const seed of listCaseSeeds(60)) {
    const randomCase = drawIndependentSitesCase(3 * seed);
    if (randomCase === undefined) continue;
    const { jobs, options } = randomCase;
    const decisionsInOneSimulation = observeDecisionsBySite(
      jobs,
      options,
      jobs.map(({ home }) => home),
    );
    for (const [site, capacity] of options.capacities.entries()) {
      const jobsOfHome = jobs.flatMap((job) => (job.home === site ? [{ ...job, home: 0 }] : []));
      if (jobsOfHome.length === 0) continue;
      const grid = { capacities: [capacity], speeds: [options.speeds[site]!], load: [options.load[site]!] };
      const decisionsInSiteSimulations = observeDecisionsBySite(
        jobsOfHome,
        { ...options, ...grid, queue: 'shared' },
        jobsOfHome.map(() => 0),
      );
      expect(decisionsInOneSimulation[site], `case ${seed}, site ${site}`).toEqual(
        decisionsInSiteSimulations[0],
      );
    }
  }
});

const grid = makeGrid({ capacities: [4, 4] });
const makeJob = (submit: number, home: number) => ({
  submit,
  runtime: 10,
  estimate: 10,
  processors: 2,
  home,
});

test('a site whose job waits for ever is named, though others run', () => {
  const jobs = makeWorkloadOfReferenceJobs([makeJob(0, 0), makeJob(5, 1)]);
  const policy = {
    choose: ({ sites }: PolicyView) => (sites[0]!.number === 2 ? 2 : 0),
    mayWait: true,
    name: 'mine',
  };
  expect(() => simulate(jobs, grid, { policy, queue: 'independent' })).toThrow(
    /job 1 at time 15: the policy lets it wait while no job runs and none is left to be submitted$/,
  );
});

test('a site is one entry, with its number in the grid; another one is refused', () => {
  const jobs = makeWorkloadOfReferenceJobs([makeJob(0, 0), makeJob(5, 1)]);
  const run = (chooseSite: PolicyFunction) =>
    simulate(jobs, grid, {
      policy: { choose: chooseSite, mayWait: true, name: 'mine' },
      queue: 'independent',
    });
  const observedViews: number[][] = [];
  run((policyView) => {
    observedViews.push(policyView.sites.map(({ number: siteNumber }) => siteNumber));
    return policyView.bestFit;
  });
  expect(observedViews).toEqual([[1], [2]]);
  expect(() => run(() => 1)).toThrow(
    'job 2 at time 5: the policy mine returned 1; expected 2, the number of its site, or 0 for the job to wait',
  );
});
