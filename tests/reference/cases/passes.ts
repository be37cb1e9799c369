import { doOrdersDependOnUse } from '../simulator/refusals.js';
import { randomBackfillingCase } from './backfilling.js';
import { randomCoallocationCase } from './coallocation.js';
import { type RandomCase, SeededDraws } from './draws.js';
import { randomLoadSharingCase } from './loadSharing.js';
import { randomOneMachineCase } from './oneMachine.js';
import { randomCustomPolicyPlanCase } from './ownPolicies.js';
import { randomDepthCase } from './reservationDepth.js';
import { randomSafeCase } from './safeBackfilling.js';

const PASS_BASE_CASES = [
  randomBackfillingCase,
  randomCoallocationCase,
  randomOneMachineCase,
  randomOneMachineCase,
  randomDepthCase,
  randomCustomPolicyPlanCase,
  randomSafeCase,
  randomLoadSharingCase,
];

/** Distance to the next seed of a kind. */
export const DISTANT_SEED_OFFSET = 10_000_019;

/** A random case of another kind, whose passes have delays or intervals. */
export function randomPassCase(seed: number): RandomCase {
  const draws = new SeededDraws(seed * 3 + 1);
  const draw = draws.pick(PASS_BASE_CASES);
  let from = seed;
  let base = draw(from);
  while (!canCaseSetPassTimes(base)) {
    from += DISTANT_SEED_OFFSET;
    base = draw(from);
  }
  const { interval: _, reservations: __, ...options } = base.options;
  const canBackfill = ['first-available', 'easy', 'conservative'].includes(options.discipline ?? 'fcfs');
  const hasBackfillPasses = canBackfill && options.queue !== 'per-home' && !draws.oneIn(6);
  const hasPassDelay = !hasBackfillPasses || draws.oneIn(2);
  const hasPassGap = draws.oneIn(3);
  const unit = timeUnitOfCase(base);
  const interval = unit * draws.pick([1, 3, 7.5, 10, 30, 100]);
  return {
    jobs: base.jobs,
    options: {
      ...options,
      ...(hasPassDelay && {
        passDelay: { submit: unit * draws.pick([1, 3, 10, 40]), end: unit * draws.pick([0, 0, 1, 2.5, 20]) },
      }),
      ...(hasPassGap && { passGap: unit * draws.pick([1, 3, 20]) }),
      ...(hasBackfillPasses && {
        backfillInterval: interval,
        backfillOffset: draws.pick([0, interval / 2, unit * 2, unit * 33]),
      }),
      ...(hasBackfillPasses && options.discipline !== 'first-available' && randomPlanRules(seed, unit)),
    },
  };
}

/** Rules of plans by count, in two of three cases. */
function randomPlanRules(seed: number, unit: number): Partial<RandomCase['options']> {
  const draws = new SeededDraws(seed * 7 + 5);
  if (draws.oneIn(3)) return {};
  return {
    clockOrigin: draws.pick([0, 12345, 1_700_000_001]),
    ...(draws.oneIn(2) && { endWindow: unit * draws.pick([10, 30, 7]) }),
    ...(draws.oneIn(2) && { closedOverlap: true }),
    ...(draws.oneIn(2) && { backfillResolution: unit * draws.pick([1, 10, 60]) }),
  };
}

/** Seconds per unit of time: 1, or more in cases at late times, where doubles skip seconds. */
export function timeUnitOfCase({ jobs }: RandomCase): number {
  return (jobs[0]?.submit ?? 0) > 1e12 ? 2 ** 24 : 1;
}

/** True if the options of a case allow passes at times of their own. */
export function canCaseSetPassTimes({ options }: RandomCase): boolean {
  const isByUse = options.queue === 'independent' && doOrdersDependOnUse(options);
  return options.dynamic === undefined && !isByUse;
}

/** A case of several sites, of which a third are independent, so that jobs run at home. */
function randomSafeNodeBase(seed: number): RandomCase {
  const { jobs, options } = randomSafeCase(seed);
  if (options.queue !== 'independent' && !new SeededDraws(seed * 7 + 2).oneIn(3)) return { jobs, options };
  const jobsAtHome = jobs.map((job) => ({
    ...job,
    processors: Math.min(job.processors, options.capacities[job.home]!),
  }));
  return { jobs: jobsAtHome, options: { ...options, queue: 'independent' } };
}

/**
 * A random case of backfilling whose passes plan by individual nodes: on one machine, or on several sites
 * with one queue and a policy, or independent ones.
 */
export function randomNodePlanCase(seed: number): RandomCase {
  const draws = new SeededDraws(seed * 3 + 2);
  const draw = new SeededDraws(seed * 5 + 4).oneIn(2) ? randomOneMachineCase : randomSafeNodeBase;
  let from = seed;
  let base = draw(from);
  while (!canCaseSetPassTimes(base)) {
    from += DISTANT_SEED_OFFSET;
    base = draw(from);
  }
  const { interval: _, ...options } = base.options;
  const unit = timeUnitOfCase(base);
  const backfillInterval = unit * draws.pick([1, 2, 5, 10, 30]);
  return {
    jobs: base.jobs.slice(0, 60),
    options: {
      ...options,
      planBy: 'node',
      backfillInterval,
      backfillOffset: draws.pick([0, backfillInterval / 2, unit * 7]),
      passDelay: draws.pick([undefined, { submit: 3, end: 0 }, { submit: 1, end: 1 }]),
      ...(draws.oneIn(3) && { passGap: unit * draws.pick([1, 3, 20]) }),
      ...(draws.oneIn(2) && { processorsPerNode: draws.pick([2, 3, 4, 16, 64, 70]) }),
      ...(draws.oneIn(3) && { releaseDelay: unit * draws.pick([0.25, 1, 5, 60]) }),
      clockOrigin: draws.pick([0, 12345, 1_700_000_001]),
      ...(options.discipline === 'easy' && {
        reservationDepth: draws.pick([1, 1, 2, 4, Number.POSITIVE_INFINITY]),
      }),
      ...(draws.oneIn(2) && { endWindow: unit * draws.pick([10, 30, 7]) }),
      ...(draws.oneIn(2) && { closedOverlap: true }),
      ...(draws.oneIn(2) && { backfillResolution: unit * draws.pick([1, 10, 60]) }),
      ...(draws.oneIn(4) && { backfillJobs: draws.between(1, 8) }),
      ...(draws.oneIn(4) && { backfillSegments: draws.between(1, 12) }),
      ...(draws.oneIn(4) && { backfillWindow: unit * draws.pick([20, 100, 400]) }),
    },
  };
}
