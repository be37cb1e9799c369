import type { PolicyView, WaitingJob } from '../simulator/types.js';
import { randomAllocatorCase } from './allocators.js';
import { type RandomCase, SeededDraws } from './draws.js';
import { randomLoadSharingCase } from './loadSharing.js';
import { addRecentEstimates } from './recent.js';
import { randomSafeCase } from './safeBackfilling.js';

/** A random case with a custom policy whose decision depends on every value of its view. */
export function randomCustomPolicyCase(seed: number): RandomCase {
  const draws = new SeededDraws(-1_000_000 - seed);
  return addCustomPolicy((draws.oneIn(3) ? randomAllocatorCase : randomLoadSharingCase)(seed), draws);
}

/**
 * Cases of custom policies under backfilling, sometimes on one site, with an order by recent
 * estimates, or with kills.
 */
export function randomCustomPolicyPlanCase(seed: number): RandomCase {
  const draws = new SeededDraws(-2_000_000 - seed);
  const usesRecentEstimates = draws.oneIn(5);
  const planned = usesRecentEstimates ? randomRecentEstimatePlanCase(seed) : randomSafeCase(seed);
  const sized = draws.oneIn(6) ? reduceToOneSite(planned) : planned;
  return addCustomPolicy(!usesRecentEstimates && draws.oneIn(6) ? killJobsAtEstimates(sized) : sized, draws);
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

function addCustomPolicy({ jobs, options }: RandomCase, draws: SeededDraws): RandomCase {
  const policySalt = draws.below(1e9);
  const policyPatience = draws.pick([0, 0, 2, 5]);
  return {
    jobs: jobs.map((job, index) => ({ ...job, number: index + 1 })),
    options: {
      ...options,
      policy: 'best-fit',
      parameters: {},
      choose: (view) => chooseSiteByHash(view, policySalt, policyPatience),
      mayWait: draws.oneIn(2),
    },
  };
}

/**
 * Chooses a site on which the job can start, by a hash of the view; 0 (wait) in one of `policyPatience`
 * cases, but never while nothing runs or if `policyPatience` is 0.
 */
function chooseSiteByHash(view: PolicyView, policySalt: number, policyPatience: number): number {
  const feasible = view.sites.filter(({ isFeasible }) => isFeasible);
  const { sites } = view;
  const numbers = [
    policySalt,
    ...numbersOfVisibleJob(view.job),
    ...sites.flatMap(({ number, free, capacity, speed }) => [number, free, capacity, speed]),
    ...[view.time, view.bestFit, view.fastestFirst, view.queuedProcessors, view.freeProcessors],
    view.speedHeterogeneity,
    view.situation === 'a' ? 1 : 2,
  ];
  for (const { number } of feasible) numbers.push(...lookAheadNumbers(view, number));
  for (const job of view.queue) numbers.push(...numbersOfVisibleJob(job));
  const hash = hashNumbers(numbers);
  const isIdle = sites.every(({ free, capacity }) => free === capacity);
  if (policyPatience > 0 && !isIdle && hash % policyPatience === 0) return 0;
  return feasible[Math.floor(hash / 64) % feasible.length]!.number;
}

function numbersOfVisibleJob(job: WaitingJob): number[] {
  return [job.number, job.processors, job.estimate, job.submit, job.home, job.user];
}

function lookAheadNumbers(view: PolicyView, site: number): [number, number] {
  const { jobs, capacity } = view.lookAhead(site);
  return [jobs, capacity];
}

/** Hashes all bits of some doubles to a whole number. */
function hashNumbers(numbers: readonly number[]): number {
  const wordHalves = new Uint32Array(Float64Array.from(numbers).buffer);
  let hash = 0;
  for (const half of wordHalves) hash = Math.imul(hash ^ half, 0x9e3779b1) ^ (hash >>> 15);
  return hash >>> 0;
}
