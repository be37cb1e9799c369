import type { ReferenceJob } from '../simulator/reference.js';
import { randomAllocatorCase } from './allocators.js';
import { randomBackfillingCase } from './backfilling.js';
import { randomCoallocationCase } from './coallocation.js';
import { Draws, type RandomCase } from './draws.js';
import { randomLoadSharingCase } from './loadSharing.js';
import { randomMoldableCase } from './moldable.js';
import { randomOneMachineCase } from './oneMachine.js';
import { randomOwnPolicyCase } from './ownPolicies.js';
import { randomRecentCase } from './recent.js';
import { randomSafeCase } from './safeBackfilling.js';

const BASES = [
  randomAllocatorCase,
  randomLoadSharingCase,
  randomLoadSharingCase,
  randomBackfillingCase,
  randomCoallocationCase,
  randomSafeCase,
  randomMoldableCase,
  randomOwnPolicyCase,
  randomRecentCase,
];

/** The next seed of a kind is so far away. */
const FAR = 10_000_019;

/**
 * A random case of another kind in which jobs are submitted after others: chains, many after one, think times that are
 * often 0, so that a submit falls on the end of its preceding job, and on submits and ends of others; wide jobs cut into
 * pieces, which end one by one.
 */
export function randomDependencyCase(seed: number): RandomCase {
  const draws = new Draws(seed * 5 + 1);
  const draw = draws.pick(BASES);
  let from = seed;
  let base = draw(from);
  // Sites that run alone know nothing of each other's jobs.
  while (base.options.queue === 'independent') {
    from += FAR;
    base = draw(from);
  }
  const jobs = draws.oneIn(4) ? inPieces(draws, base.jobs) : base.jobs;
  return { jobs: dependent(draws, jobs), options: { ...base.options, dependencies: true } };
}

/** Some neighbours become pieces of one job. */
function inPieces(draws: Draws, jobs: readonly ReferenceJob[]): ReferenceJob[] {
  const pieces: ReferenceJob[] = [];
  for (const [index, job] of jobs.entries()) {
    const before = pieces[index - 1];
    const isPiece = before !== undefined && draws.oneIn(3);
    const { submit, pieceOf = index } = isPiece ? { submit: before.submit, pieceOf: before.pieceOf } : job;
    pieces.push({ ...job, submit, pieceOf });
  }
  return pieces;
}

/** Jobs with what they depend on. */
function dependent(draws: Draws, jobs: readonly ReferenceJob[]): ReferenceJob[] {
  const share = draws.pick([2, 4, 8, 9]);
  const thinkTimes = draws.pick([[0], [0], [0, 0, 1], [-1, 0, 5, 10], [0, 2.5, 1 / 3], [0, 100, 1000]]);
  const farthest = draws.pick([1, 2, 5, jobs.length]);
  const known: ReferenceJob[] = [];
  for (const [index, job] of jobs.entries()) {
    const first = job.pieceOf ?? index;
    const isFirst = first === index;
    const earlier = Math.max(0, first - 1 - draws.below(farthest));
    const preceding = first > 0 && draws.below(10) < share ? (jobs[earlier]!.pieceOf ?? earlier) : undefined;
    const thinkTime = draws.pick(thinkTimes);
    known.push({ ...job, ...(isFirst ? { preceding, thinkTime } : dependencyOf(known[first]!)) });
  }
  return known;
}

function dependencyOf({ preceding, thinkTime = 0 }: ReferenceJob): Partial<ReferenceJob> {
  return { preceding, thinkTime };
}

/** The first of these cases whose results differed while what EASY knows of jobs was kept though their ranks moved. */
const FIRST = 1516;

/**
 * A random case of easy on one machine, in an order in which jobs take their places when they are submitted: this many jobs
 * that they move between the blocks by which a queue is looked through.
 */
export function randomCrowdedDependencyCase(seed: number): RandomCase {
  const draws = new Draws((seed + FIRST) * 11 + 5);
  let from = seed + FIRST;
  let { jobs, options } = randomOneMachineCase(from);
  while (!isCrowdOfEasy({ jobs, options })) {
    from += FAR;
    ({ jobs, options } = randomOneMachineCase(from));
  }
  const order = draws.pick(['narrowest', 'widest', 'shortest', 'longest']);
  return {
    options: { ...options, dependencies: true, resolution: 'exact', order, backfillOrder: undefined },
    jobs: jobs.map((job, index) => {
      const isFree = index === 0 || !draws.oneIn(4);
      const dependency = isFree ? {} : { preceding: draws.below(index), thinkTime: draws.pick([0, 5]) };
      return { ...job, number: index + 1, ...dependency };
    }),
  };
}

function isCrowdOfEasy({ jobs, options }: RandomCase): boolean {
  const { discipline, queue, instant, interval, order } = options;
  const isDefault = discipline === 'easy' && queue === 'shared' && instant === 'per-event';
  return isDefault && jobs.length >= 100 && interval === undefined && order !== 'wfp3';
}
