import type { ReferenceJob, ReferenceOptions } from '../simulator/reference.js';
import { changesKeys } from '../simulator/waitingQueue.js';
import { randomBackfillingCase } from './backfilling.js';
import { randomCoallocationCase } from './coallocation.js';
import { Draws, type RandomCase } from './draws.js';
import { randomLoadSharingCase } from './loadSharing.js';

const BASES = [randomBackfillingCase, randomBackfillingCase, randomCoallocationCase, randomLoadSharingCase];
const ORDERS = [
  ...['shortest', 'longest', 'smallest-area', 'largest-area', 'f1', 'f2', 'f3', 'f4'],
  'estimate * sqrt(processors) - submit / 7',
  'min(processors, 3) - home',
];

/**
 * A random case of another kind with estimates from the user's recent jobs: few users, some
 * unknown; requests mostly too long and sometimes too short; often in an order by estimate.
 */
export function randomRecentCase(seed: number): RandomCase {
  const draws = new Draws(seed * 7 + 3);
  return withRecentJobs(draws.pick(BASES)(seed), draws);
}

/** Gives a case estimates from recent jobs. */
export function withRecentJobs({ jobs, options }: RandomCase, draws: Draws): RandomCase {
  const users = Math.min(jobs.length, draws.between(1, 5));
  const factors = draws.pick([[1, 1.5, 3, 10], [0.5, 1, 2], [4], [1, 1, 0, 20]]);
  const known: ReferenceJob[] = jobs.map((job) => ({
    ...job,
    estimate: job.runtime * draws.pick(factors),
    ...(draws.oneIn(9) ? {} : { user: draws.below(users) }),
  }));
  const recent = draws.pick([1, 2, 2, 3]);
  const estimated = { ...options, ...drawEstimateOrders(draws, options), recent };
  const refreshedEstimates = { ...estimated, refresh: draws.oneIn(2) };
  return {
    jobs: known,
    options: changesKeys(refreshedEstimates) && options.reclaim ? estimated : refreshedEstimates,
  };
}

function drawEstimateOrders(
  draws: Draws,
  { discipline = 'fcfs' }: ReferenceOptions,
): Pick<ReferenceOptions, 'order' | 'backfillOrder'> {
  const takesOneOrder = !['njf', 'wjf', 'sjf', 'ljf'].includes(discipline);
  const usesTwoOrders = discipline === 'easy' && draws.oneIn(3);
  return {
    ...(takesOneOrder && draws.oneIn(2) ? { order: draws.pick(ORDERS) } : {}),
    ...(usesTwoOrders ? { backfillOrder: draws.pick(ORDERS) } : {}),
  };
}
