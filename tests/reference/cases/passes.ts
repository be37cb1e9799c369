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
const DISTANT_SEED_OFFSET = 10_000_019;

/** A random case of another kind, whose passes have delays or intervals. */
export function randomPassCase(seed: number): RandomCase {
  const random = new SeededDraws(seed * 3 + 1);
  const drawBaseCase = random.pick(PASS_BASE_CASES);
  let from = seed;
  let base = drawBaseCase(from);
  while (!canCaseSetPassTimes(base)) {
    from += DISTANT_SEED_OFFSET;
    base = drawBaseCase(from);
  }
  const { interval: _, reservations: __, ...options } = base.options;
  const canBackfill = ['first-available', 'easy', 'conservative'].includes(options.discipline ?? 'fcfs');
  const hasBackfillPasses = canBackfill && options.queue !== 'per-home' && !random.oneIn(6);
  const hasPassDelay = !hasBackfillPasses || random.oneIn(2);
  const hasPassGap = random.oneIn(3);
  const timeUnit = timeUnitOfCase(base);
  const interval = timeUnit * random.pick([1, 3, 7.5, 10, 30, 100]);
  return {
    jobs: base.jobs,
    options: {
      ...options,
      ...(hasPassDelay && {
        passDelay: {
          submit: timeUnit * random.pick([1, 3, 10, 40]),
          end: timeUnit * random.pick([0, 0, 1, 2.5, 20]),
        },
      }),
      ...(hasPassGap && { passGap: timeUnit * random.pick([1, 3, 20]) }),
      ...(hasBackfillPasses && {
        backfillInterval: interval,
        backfillOffset: random.pick([0, interval / 2, timeUnit * 2, timeUnit * 33]),
      }),
      ...(hasBackfillPasses && options.discipline !== 'first-available' && randomPlanRules(seed, timeUnit)),
    },
  };
}

/** Rules of plans by count, in two of three cases. */
function randomPlanRules(seed: number, timeUnit: number): Partial<RandomCase['options']> {
  const random = new SeededDraws(seed * 7 + 5);
  if (random.oneIn(3)) return {};
  return {
    clockOrigin: random.pick([0, 12345, 1_700_000_001]),
    ...(random.oneIn(2) && { endWindow: timeUnit * random.pick([10, 30, 7]) }),
    ...(random.oneIn(2) && { closedOverlap: true }),
    ...(random.oneIn(2) && { backfillResolution: timeUnit * random.pick([1, 10, 60]) }),
  };
}

/** Seconds per unit of time: 1, or more in cases at late times, where doubles skip seconds. */
function timeUnitOfCase({ jobs }: RandomCase): number {
  return (jobs[0]?.submit ?? 0) > 1e12 ? 2 ** 24 : 1;
}

function canCaseSetPassTimes({ options }: RandomCase): boolean {
  const isByUse = options.queue === 'independent' && doOrdersDependOnUse(options);
  return options.dynamic === undefined && !isByUse;
}

/** A random case of backfilling on one machine whose passes plan by individual nodes. */
export function randomNodePlanCase(seed: number): RandomCase {
  const random = new SeededDraws(seed * 3 + 2);
  let from = seed;
  let base = randomOneMachineCase(from);
  while (!canCaseSetPassTimes(base)) {
    from += DISTANT_SEED_OFFSET;
    base = randomOneMachineCase(from);
  }
  const { interval: _, ...options } = base.options;
  const timeUnit = timeUnitOfCase(base);
  const backfillInterval = timeUnit * random.pick([1, 2, 5, 10, 30]);
  return {
    jobs: base.jobs.slice(0, 60),
    options: {
      ...options,
      planBy: 'node',
      backfillInterval,
      backfillOffset: random.pick([0, backfillInterval / 2, timeUnit * 7]),
      passDelay: random.pick([undefined, { submit: 3, end: 0 }, { submit: 1, end: 1 }]),
      ...(random.oneIn(3) && { passGap: timeUnit * random.pick([1, 3, 20]) }),
      ...(random.oneIn(2) && { processorsPerNode: random.pick([2, 3, 4, 16, 64, 70]) }),
      ...(random.oneIn(3) && { releaseDelay: timeUnit * random.pick([0.25, 1, 5, 60]) }),
      clockOrigin: random.pick([0, 12345, 1_700_000_001]),
      ...(options.discipline === 'easy' && {
        reservationDepth: random.pick([1, 1, 2, 4, Number.POSITIVE_INFINITY]),
      }),
      ...(random.oneIn(2) && { endWindow: timeUnit * random.pick([10, 30, 7]) }),
      ...(random.oneIn(2) && { closedOverlap: true }),
      ...(random.oneIn(2) && { backfillResolution: timeUnit * random.pick([1, 10, 60]) }),
      ...(random.oneIn(4) && { backfillJobs: random.between(1, 8) }),
      ...(random.oneIn(4) && { backfillSegments: random.between(1, 12) }),
      ...(random.oneIn(4) && { backfillWindow: timeUnit * random.pick([20, 100, 400]) }),
    },
  };
}
