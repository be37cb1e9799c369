import type { PolicyView, WaitingJob } from '../simulator/types.js';
import { randomAllocatorCase } from './allocators.js';
import { type RandomCase, SeededDraws } from './draws.js';
import { randomLoadSharingCase } from './loadSharing.js';
import { addRecentEstimates } from './recent.js';
import { randomSafeCase } from './safeBackfilling.js';

/** A random case with a custom policy whose decision depends on every value of its view. */
export function randomCustomPolicyCase(seed: number): RandomCase {
  const random = new SeededDraws(-1_000_000 - seed);
  return addCustomPolicy((random.oneIn(3) ? randomAllocatorCase : randomLoadSharingCase)(seed), random);
}

/**
 * Cases of custom policies under backfilling, sometimes on one site, with an order by recent
 * estimates, or with kills.
 */
export function randomCustomPolicyPlanCase(seed: number): RandomCase {
  const random = new SeededDraws(-2_000_000 - seed);
  const usesRecentEstimates = random.oneIn(5);
  const planned = usesRecentEstimates ? randomRecentEstimatePlanCase(seed) : randomSafeCase(seed);
  const sized = random.oneIn(6) ? reduceToOneSite(planned) : planned;
  return addCustomPolicy(
    !usesRecentEstimates && random.oneIn(6) ? killJobsAtEstimates(sized) : sized,
    random,
  );
}

/** A random case with estimates from recent jobs, in which only a policy chooses sites. */
function randomRecentEstimatePlanCase(seed: number): RandomCase {
  return addRecentEstimates(randomSafeCase(seed), new SeededDraws(seed));
}

function reduceToOneSite({ jobs, options }: RandomCase): RandomCase {
  const capacity = Math.max(...options.capacities);
  const site = { capacities: [capacity], speeds: [options.speeds[0]!], load: [options.load[0]!] };
  return {
    jobs: jobs.map((job) => ({ ...job, home: 0 })),
    options: { ...options, ...site, minSpeedRatio: Math.min(1, options.minSpeedRatio) },
  };
}

/** The case with jobs killed at their estimates. */
function killJobsAtEstimates({ jobs, options }: RandomCase): RandomCase {
  return {
    jobs: jobs.map((job) => ({ ...job, runtime: Math.min(job.runtime, job.estimate) })),
    options,
  };
}

function addCustomPolicy({ jobs, options }: RandomCase, random: SeededDraws): RandomCase {
  const policySalt = random.below(1e9);
  const policyPatience = random.pick([0, 0, 2, 5]);
  return {
    jobs: jobs.map((job, index) => ({ ...job, number: index + 1 })),
    options: {
      ...options,
      policy: 'best-fit',
      parameters: {},
      choose: (policyView) => chooseSiteByHash(policyView, policySalt, policyPatience),
      mayWait: random.oneIn(2),
    },
  };
}

/**
 * Chooses a site on which the job can start, by a hash of the view; 0 (wait) in one of `policyPatience`
 * cases, but never while nothing runs or if `policyPatience` is 0.
 */
function chooseSiteByHash(policyView: PolicyView, policySalt: number, policyPatience: number): number {
  const feasible = policyView.sites.filter(({ isFeasible }) => isFeasible);
  const { sites } = policyView;
  const hashedNumbers = [
    policySalt,
    ...numbersOfVisibleJob(policyView.job),
    ...sites.flatMap(({ number: policyNumber, free: freeProcessors, capacity, speed }) => [
      policyNumber,
      freeProcessors,
      capacity,
      speed,
    ]),
    ...[
      policyView.time,
      policyView.bestFit,
      policyView.fastestFirst,
      policyView.queuedProcessors,
      policyView.freeProcessors,
    ],
    policyView.speedHeterogeneity,
    policyView.situation === 'a' ? 1 : 2,
  ];
  for (const { number: policyNumber } of feasible)
    hashedNumbers.push(...lookAheadNumbers(policyView, policyNumber));
  for (const job of policyView.queue) hashedNumbers.push(...numbersOfVisibleJob(job));
  const hash = hashNumbers(hashedNumbers);
  const isIdle = sites.every(({ free: freeProcessors, capacity }) => freeProcessors === capacity);
  if (policyPatience > 0 && !isIdle && hash % policyPatience === 0) return 0;
  return feasible[Math.floor(hash / 64) % feasible.length]!.number;
}

function numbersOfVisibleJob(job: WaitingJob): number[] {
  return [job.number, job.processors, job.estimate, job.submit, job.home, job.user];
}

function lookAheadNumbers(policyView: PolicyView, site: number): [number, number] {
  const { jobs, capacity } = policyView.lookAhead(site);
  return [jobs, capacity];
}

/** Hashes all bits of some doubles to a whole number. */
function hashNumbers(hashedNumbers: readonly number[]): number {
  const wordHalves = new Uint32Array(Float64Array.from(hashedNumbers).buffer);
  let hash = 0;
  for (const half of wordHalves) hash = Math.imul(hash ^ half, 0x9e3779b1) ^ (hash >>> 15);
  return hash >>> 0;
}
