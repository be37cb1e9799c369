import { randomBackfillingCase } from './backfilling.js';
import { randomCoallocationCase } from './coallocation.js';
import { Draws, type RandomCase } from './draws.js';
import { randomOneMachineCase } from './oneMachine.js';
import { randomOwnPlanCase } from './ownPolicies.js';
import { randomSafeCase } from './safeBackfilling.js';

const BASES = [
  randomBackfillingCase,
  randomCoallocationCase,
  randomOneMachineCase,
  randomOwnPlanCase,
  randomSafeCase,
  randomSafeCase,
];

/** Distance to the next seed of the same kind of case. */
const FAR = 10_000_019;

/**
 * A random case of EASY of another kind, in which 0, 2, a few or all jobs of a pass have
 * reservations.
 */
export function randomDepthCase(seed: number): RandomCase {
  const draws = new Draws(seed * 3 + 2);
  const draw = draws.pick(BASES);
  let from = seed;
  let base = draw(from);
  while (base.options.discipline !== 'easy') {
    from += FAR;
    base = draw(from);
  }
  const reservationDepth = draws.pick([0, 2, 2, 3, 5, Number.POSITIVE_INFINITY]);
  const { backfillOrder, ...options } = base.options;
  // Without reservations, the host refuses a backfill order.
  const order = reservationDepth === 0 || backfillOrder === undefined ? {} : { backfillOrder };
  return { jobs: base.jobs, options: { ...options, ...order, reservationDepth } };
}
