import type { ReferenceJob, ReferenceOptions } from '../simulator/reference.js';
import { randomBackfillingCase } from './backfilling.js';
import { randomCoallocationCase } from './coallocation.js';
import { Draws, type RandomCase } from './draws.js';
import { randomLoadSharingCase } from './loadSharing.js';

const BASES = [randomBackfillingCase, randomBackfillingCase, randomCoallocationCase, randomLoadSharingCase];
const ORDERS = ['shortest', 'longest', 'smallest-area', 'largest-area'] as const;

/**
 * A random case of another kind in which jobs are estimated by what the last ones of their user took: a few users,
 * some unknown; requests that are mostly too long, and now and then too short; often in an order by estimate.
 */
export function randomRecentCase(seed: number): RandomCase {
  const draws = new Draws(seed * 7 + 3);
  return withRecentJobs(draws.pick(BASES)(seed), draws);
}

/** The same of a given case. */
export function withRecentJobs({ jobs, options }: RandomCase, draws: Draws): RandomCase {
  const users = Math.min(jobs.length, draws.between(1, 5));
  const factors = draws.pick([[1, 1.5, 3, 10], [0.5, 1, 2], [4], [1, 1, 0, 20]]);
  const known: ReferenceJob[] = jobs.map((job) => ({
    ...job,
    estimate: job.runtime * draws.pick(factors),
    ...(draws.oneIn(9) ? {} : { user: draws.below(users) }),
  }));
  const recent = draws.pick([1, 2, 2, 3]);
  const order = knownBefore(options.order);
  const backfillOrder = knownBefore(options.backfillOrder);
  const orders = { order, backfillOrder, ...drawEstimateOrder(draws, options) };
  return { jobs: known, options: { ...options, ...orders, recent } };
}

/** An order if its keys are not to be computed before the run by estimates that the run makes. */
function knownBefore(order: string | undefined): string | undefined {
  return order !== undefined && /\bestimate\b|^f[1-4]$/.test(order) ? undefined : order;
}

function drawEstimateOrder(draws: Draws, { discipline }: ReferenceOptions): Pick<ReferenceOptions, 'order'> {
  const takesOne = !['njf', 'wjf', 'sjf', 'ljf'].includes(discipline ?? 'fcfs');
  return takesOne && draws.oneIn(2) ? { order: draws.pick(ORDERS) } : {};
}
