import type { ReferenceJob, ReferenceOptions } from '../simulator/reference.js';
import { doJobKeysChange } from '../simulator/waitingQueue.js';
import { randomBackfillingCase } from './backfilling.js';
import { randomCoallocationCase } from './coallocation.js';
import { type RandomCase, SeededDraws } from './draws.js';
import { randomLoadSharingCase } from './loadSharing.js';

const RECENT_BASE_CASES = [
  randomBackfillingCase,
  randomBackfillingCase,
  randomCoallocationCase,
  randomLoadSharingCase,
];
const ESTIMATE_DEPENDENT_ORDERS = [
  ...['shortest', 'longest', 'smallest-area', 'largest-area', 'f1', 'f2', 'f3', 'f4'],
  'estimate * sqrt(processors) - submit / 7',
  'min(processors, 3) - home',
];

/**
 * A random case of another kind with estimates from the user's recent jobs: few users, some
 * unknown; requests mostly too long and sometimes too short; often in an order by estimate.
 */
export function randomRecentCase(seed: number): RandomCase {
  const draws = new SeededDraws(seed * 7 + 3);
  return addRecentEstimates(draws.pick(RECENT_BASE_CASES)(seed), draws);
}

/** Gives a case estimates from recent jobs. */
export function addRecentEstimates({ jobs, options }: RandomCase, draws: SeededDraws): RandomCase {
  const userCount = Math.min(jobs.length, draws.between(1, 5));
  const factors = draws.pick([[1, 1.5, 3, 10], [0.5, 1, 2], [4], [1, 1, 0, 20]]);
  const known: ReferenceJob[] = jobs.map((job) => ({
    ...job,
    estimate: job.runtime * draws.pick(factors),
    ...(draws.oneIn(9) ? {} : { user: draws.below(userCount) }),
  }));
  const recent = draws.pick([1, 2, 2, 3]);
  const estimated = { ...options, ...drawEstimateDependentOrders(draws, options), recent };
  const refreshedEstimates = { ...estimated, refresh: draws.oneIn(2) };
  return {
    jobs: known,
    options: doJobKeysChange(refreshedEstimates) && options.reclaim ? estimated : refreshedEstimates,
  };
}

function drawEstimateDependentOrders(
  draws: SeededDraws,
  { discipline = 'fcfs' }: ReferenceOptions,
): Pick<ReferenceOptions, 'order' | 'backfillOrder'> {
  const takesOneOrder = !['njf', 'wjf', 'sjf', 'ljf'].includes(discipline);
  const usesTwoOrders = discipline === 'easy' && draws.oneIn(3);
  return {
    ...(takesOneOrder && draws.oneIn(2) ? { order: draws.pick(ESTIMATE_DEPENDENT_ORDERS) } : {}),
    ...(usesTwoOrders ? { backfillOrder: draws.pick(ESTIMATE_DEPENDENT_ORDERS) } : {}),
  };
}
