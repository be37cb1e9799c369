import type { ReferenceJob } from '../simulator/reference.js';
import { randomAllocatorCase } from './allocators.js';
import { randomBackfillingCase } from './backfilling.js';
import { randomCoallocationCase } from './coallocation.js';
import { type RandomCase, SeededDraws } from './draws.js';
import { randomLoadSharingCase } from './loadSharing.js';
import { randomMoldableCase } from './moldable.js';
import { randomOneMachineCase } from './oneMachine.js';
import { randomCustomPolicyCase } from './ownPolicies.js';
import { randomRecentCase } from './recent.js';
import { randomSafeCase } from './safeBackfilling.js';

const DEPENDENCY_BASE_CASES = [
  randomAllocatorCase,
  randomLoadSharingCase,
  randomLoadSharingCase,
  randomBackfillingCase,
  randomCoallocationCase,
  randomSafeCase,
  randomMoldableCase,
  randomCustomPolicyCase,
  randomRecentCase,
];

/** Distance to the next seed of the same kind of case. */
const DISTANT_SEED_OFFSET = 10_000_019;

/**
 * A random case of another kind with dependencies: chains, many jobs after one, think times of
 * often 0, so that a submission coincides with the end of the preceding job and with other events;
 * and wide jobs split into pieces that end separately.
 */
export function randomDependencyCase(seed: number): RandomCase {
  const draws = new SeededDraws(seed * 5 + 1);
  const draw = draws.pick(DEPENDENCY_BASE_CASES);
  let from = seed;
  let base = draw(from);
  // Independent sites cannot depend on each other's jobs.
  while (base.options.queue === 'independent') {
    from += DISTANT_SEED_OFFSET;
    base = draw(from);
  }
  const jobs = draws.oneIn(4) ? cutIntoPieces(draws, base.jobs) : base.jobs;
  return { jobs: addDependencies(draws, jobs), options: { ...base.options, dependencies: true } };
}

/** Turns some neighbouring jobs into pieces of one job. */
function cutIntoPieces(draws: SeededDraws, jobs: readonly ReferenceJob[]): ReferenceJob[] {
  const pieces: ReferenceJob[] = [];
  for (const [index, job] of jobs.entries()) {
    const previousPiece = pieces[index - 1];
    const isPieceOfPrevious = previousPiece !== undefined && draws.oneIn(3);
    const { submit, pieceOf = index } = isPieceOfPrevious
      ? { submit: previousPiece.submit, pieceOf: previousPiece.pieceOf }
      : job;
    pieces.push({ ...job, submit, pieceOf });
  }
  return pieces;
}

/** Adds dependencies to jobs. */
function addDependencies(draws: SeededDraws, jobs: readonly ReferenceJob[]): ReferenceJob[] {
  const share = draws.pick([2, 4, 8, 9]);
  const thinkTimeChoices = draws.pick([[0], [0], [0, 0, 1], [-1, 0, 5, 10], [0, 2.5, 1 / 3], [0, 100, 1000]]);
  const farthestPredecessor = draws.pick([1, 2, 5, jobs.length]);
  const known: ReferenceJob[] = [];
  for (const [index, job] of jobs.entries()) {
    const first = job.pieceOf ?? index;
    const isFirstPiece = first === index;
    const earlier = Math.max(0, first - 1 - draws.below(farthestPredecessor));
    const preceding = first > 0 && draws.below(10) < share ? (jobs[earlier]!.pieceOf ?? earlier) : undefined;
    const thinkTime = draws.pick(thinkTimeChoices);
    known.push({ ...job, ...(isFirstPiece ? { preceding, thinkTime } : makeDependency(known[first]!)) });
  }
  return known;
}

function makeDependency({ preceding, thinkTime = 0 }: ReferenceJob): Partial<ReferenceJob> {
  return { preceding, thinkTime };
}

/**
 * First of these cases whose results differed when EASY stored facts about jobs although their
 * ranks had changed.
 */
const FIRST_CROWDED_CASE_SEED = 1516;

/**
 * A random case of EASY on one machine, in a queue order that inserts jobs at their submission: so
 * many jobs that insertions move others between the blocks used to search the queue.
 */
export function randomCrowdedDependencyCase(seed: number): RandomCase {
  const draws = new SeededDraws((seed + FIRST_CROWDED_CASE_SEED) * 11 + 5);
  let from = seed + FIRST_CROWDED_CASE_SEED;
  let { jobs, options } = randomOneMachineCase(from);
  while (!isCrowdedEasyCase({ jobs, options })) {
    from += DISTANT_SEED_OFFSET;
    ({ jobs, options } = randomOneMachineCase(from));
  }
  const order = draws.pick(['narrowest', 'widest', 'shortest', 'longest']);
  return {
    options: { ...options, dependencies: true, resolution: 'exact', order, backfillOrder: undefined },
    jobs: jobs.map((job, index) => {
      const isIndependentJob = index === 0 || !draws.oneIn(4);
      const dependency = isIndependentJob
        ? {}
        : { preceding: draws.below(index), thinkTime: draws.pick([0, 5]) };
      return { ...job, number: index + 1, ...dependency };
    }),
  };
}

function isCrowdedEasyCase({ jobs, options }: RandomCase): boolean {
  const { discipline, queue, instant, interval, order } = options;
  const isDefault = discipline === 'easy' && queue === 'shared' && instant === 'per-event';
  return isDefault && jobs.length >= 100 && interval === undefined && order !== 'wfp3';
}
