import { randomBackfillingCase } from './backfilling.js';
import { randomCoallocationCase } from './coallocation.js';
import { type RandomCase, SeededDraws } from './draws.js';
import { randomOneMachineCase } from './oneMachine.js';
import { randomCustomPolicyPlanCase } from './ownPolicies.js';
import { randomSafeCase } from './safeBackfilling.js';

const RESERVATION_DEPTH_BASE_CASES = [
  randomBackfillingCase,
  randomCoallocationCase,
  randomOneMachineCase,
  randomCustomPolicyPlanCase,
  randomSafeCase,
  randomSafeCase,
];

/** Distance to the next seed of the same kind of case. */
const DISTANT_SEED_OFFSET = 10_000_019;

/**
 * A random case of EASY of another kind, in which 0, 2, a few or all jobs of a pass have
 * reservations.
 */
export function randomDepthCase(seed: number): RandomCase {
  const draws = new SeededDraws(seed * 3 + 2);
  const draw = draws.pick(RESERVATION_DEPTH_BASE_CASES);
  let from = seed;
  let base = draw(from);
  while (base.options.discipline !== 'easy') {
    from += DISTANT_SEED_OFFSET;
    base = draw(from);
  }
  const reservationDepth = draws.pick([0, 2, 2, 3, 5, Number.POSITIVE_INFINITY]);
  const { backfillOrder, ...options } = base.options;
  // Without reservations, the host refuses a backfill order.
  const order = reservationDepth === 0 || backfillOrder === undefined ? {} : { backfillOrder };
  return { jobs: base.jobs, options: { ...options, ...order, reservationDepth } };
}
