import { randomCancellationCase } from './cancellations.js';
import { type RandomCase, SeededDraws } from './draws.js';
import { randomKeptCase } from './keptReservations.js';
import { randomLimitCase } from './limits.js';
import { randomOutageCase } from './outages.js';
import { canCaseSetPassTimes, DISTANT_SEED_OFFSET, timeUnitOfCase } from './passes.js';

const KEPT_BASE_CASES = [
  randomKeptCase,
  randomKeptCase,
  randomKeptCase,
  randomKeptCase,
  randomLimitCase,
  randomOutageCase,
  randomCancellationCase,
];

/** A random case of kept reservations that begin at times of backfill passes. */
export function randomKeptPassCase(seed: number): RandomCase {
  const draws = new SeededDraws(seed * 5 + 2);
  const draw = draws.pick(KEPT_BASE_CASES);
  let from = seed;
  let base = draw(from);
  while (!canCaseSetPassTimes(base) || base.options.reservations !== 'kept') {
    from += DISTANT_SEED_OFFSET;
    base = draw(from);
  }
  const unit = timeUnitOfCase(base);
  const backfillInterval = unit * draws.pick([1, 2, 3, 7.5, 10, 30, 100]);
  return {
    jobs: base.jobs,
    options: {
      ...base.options,
      backfillInterval,
      backfillOffset: draws.pick([0, backfillInterval / 2, unit * 2, unit * 33]),
      ...(draws.oneIn(2) && {
        passDelay: { submit: unit * draws.pick([0, 1, 3, 40]), end: unit * draws.pick([0, 0, 1, 2.5]) },
      }),
      ...(draws.oneIn(4) && { passGap: unit * draws.pick([1, 3, 20]) }),
    },
  };
}
