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
  const random = new SeededDraws(seed * 5 + 1);
  const drawBaseCase = random.pick(DEPENDENCY_BASE_CASES);
  let from = seed;
  let base = drawBaseCase(from);
  // Independent sites cannot depend on each other's jobs.
  while (base.options.queue === 'independent') {
    from += DISTANT_SEED_OFFSET;
    base = drawBaseCase(from);
  }
  const jobs = random.oneIn(4) ? cutIntoPieces(random, base.jobs) : base.jobs;
  return { jobs: addDependencies(random, jobs), options: { ...base.options, dependencies: true } };
}

/** Turns some neighbouring jobs into pieces of one job. */
function cutIntoPieces(random: SeededDraws, jobs: readonly ReferenceJob[]): ReferenceJob[] {
  const jobPieces: ReferenceJob[] = [];
  for (const [index, job] of jobs.entries()) {
    const before = jobPieces[index - 1];
    const isPieceOfPrevious = before !== undefined && random.oneIn(3);
    const { submit, pieceOf = index } = isPieceOfPrevious
      ? { submit: before.submit, pieceOf: before.pieceOf }
      : job;
    jobPieces.push({ ...job, submit, pieceOf });
  }
  return jobPieces;
}

/** Adds dependencies to jobs. */
function addDependencies(random: SeededDraws, jobs: readonly ReferenceJob[]): ReferenceJob[] {
  const dependentDivisor = random.pick([2, 4, 8, 9]);
  const thinkTimeChoices = random.pick([
    [0],
    [0],
    [0, 0, 1],
    [-1, 0, 5, 10],
    [0, 2.5, 1 / 3],
    [0, 100, 1000],
  ]);
  const farthestPredecessor = random.pick([1, 2, 5, jobs.length]);
  const earlierJobs: ReferenceJob[] = [];
  for (const [index, job] of jobs.entries()) {
    const firstPiece = job.pieceOf ?? index;
    const isFirst = firstPiece === index;
    const earlier = Math.max(0, firstPiece - 1 - random.below(farthestPredecessor));
    const preceding =
      firstPiece > 0 && random.below(10) < dependentDivisor ? (jobs[earlier]!.pieceOf ?? earlier) : undefined;
    const thinkTime = random.pick(thinkTimeChoices);
    earlierJobs.push({
      ...job,
      ...(isFirst ? { preceding, thinkTime } : makeDependency(earlierJobs[firstPiece]!)),
    });
  }
  return earlierJobs;
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
  const random = new SeededDraws((seed + FIRST_CROWDED_CASE_SEED) * 11 + 5);
  let from = seed + FIRST_CROWDED_CASE_SEED;
  let { jobs, options } = randomOneMachineCase(from);
  while (!isCrowdedEasyCase({ jobs, options })) {
    from += DISTANT_SEED_OFFSET;
    ({ jobs, options } = randomOneMachineCase(from));
  }
  const order = random.pick(['narrowest', 'widest', 'shortest', 'longest']);
  return {
    options: { ...options, dependencies: true, resolution: 'exact', order, backfillOrder: undefined },
    jobs: jobs.map((job, index) => {
      const isIndependentJob = index === 0 || !random.oneIn(4);
      const dependency = isIndependentJob
        ? {}
        : { preceding: random.below(index), thinkTime: random.pick([0, 5]) };
      return { ...job, number: index + 1, ...dependency };
    }),
  };
}

function isCrowdedEasyCase({ jobs, options }: RandomCase): boolean {
  const { discipline, queue, instant, interval, order } = options;
  const isDefault = discipline === 'easy' && queue === 'shared' && instant === 'per-event';
  return isDefault && jobs.length >= 100 && interval === undefined && order !== 'wfp3';
}
