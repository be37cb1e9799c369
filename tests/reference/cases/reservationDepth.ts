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

/** The next seed of a kind is so far away. */
const FAR = 10_000_019;

/** A random case of easy of another kind, in which no job of a pass, two, a few or all have reservations. */
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
  // Without reservations the host refuses an order of backfilling.
  const order = reservationDepth === 0 || backfillOrder === undefined ? {} : { backfillOrder };
  return { jobs: base.jobs, options: { ...options, ...order, reservationDepth } };
}
