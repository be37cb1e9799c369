import type { RunningLimits } from '../simulator/limits.js';
import type { ReferenceJob } from '../simulator/reference.js';
import { assignUsersAndGroups, drawBaseCase, randomAgingCase } from './aging.js';
import { randomAllocatorCase } from './allocators.js';
import { randomBackfillingCase } from './backfilling.js';
import { type RandomCase, SeededDraws } from './draws.js';
import { randomKeptCase } from './keptReservations.js';
import { randomLoadSharingCase } from './loadSharing.js';
import { randomOneMachineCase } from './oneMachine.js';
import { randomCustomPolicyCase, randomCustomPolicyPlanCase } from './ownPolicies.js';
import { randomNodePlanCase, randomPassCase } from './passes.js';
import { randomRecentCase } from './recent.js';
import { randomDepthCase } from './reservationDepth.js';
import { randomSafeCase } from './safeBackfilling.js';

const LIMIT_BASE_CASES = [
  randomAgingCase,
  randomAgingCase,
  randomAllocatorCase,
  randomBackfillingCase,
  randomDepthCase,
  randomKeptCase,
  randomKeptCase,
  randomLoadSharingCase,
  randomNodePlanCase,
  randomOneMachineCase,
  randomOneMachineCase,
  randomCustomPolicyPlanCase,
  randomCustomPolicyCase,
  randomPassCase,
  randomPassCase,
  randomRecentCase,
  randomSafeCase,
  randomSafeCase,
];

/** A random case of another kind with limits of users and groups that hold jobs back. */
export function randomLimitCase(seed: number): RandomCase {
  const draws = new SeededDraws(seed * 7 + 3);
  const mayHaveLimits = (seedOfBase: number) => {
    const draw = draws.pick(LIMIT_BASE_CASES);
    for (let from = seedOfBase; ; from += 10_000_019) {
      const drawn = draw(from);
      const { multiSite, multiSiteFactor, select, dependencies } = drawn.options;
      if ((multiSite ?? multiSiteFactor ?? select) === undefined && !dependencies) return drawn;
    }
  };
  const { jobs, options } = assignUsersAndGroups(drawBaseCase(seed, draws, [mayHaveLimits]), draws);
  // The pieces of a job share its number, which an order may use.
  const mayCut = !/number/.test(`${options.order} ${options.backfillOrder}`);
  const pieces = mayCut && draws.oneIn(4) ? groupJobsIntoPieces(jobs, draws) : jobs;
  return { jobs: pieces, options: { ...options, limits: drawRunningLimits(pieces, draws) } };
}

/** Makes some neighbouring jobs pieces of one job. */
function groupJobsIntoPieces(jobs: readonly ReferenceJob[], draws: SeededDraws): ReferenceJob[] {
  const pieces: ReferenceJob[] = [];
  for (const [index, job] of jobs.entries()) {
    const previousPiece = pieces[index - 1];
    if (previousPiece?.home !== job.home || !draws.oneIn(3))
      pieces.push({ ...job, pieceOf: index, number: index + 1 });
    else {
      const { submit, user, group, pieceOf, number } = previousPiece;
      const known = { ...(user !== undefined && { user }), ...(group !== undefined && { group }) };
      const { user: _, group: __, ...own } = job;
      pieces.push({ ...own, ...known, submit, pieceOf: pieceOf!, number: number! });
    }
  }
  return pieces;
}

/** Limits that every job keeps if it runs alone. */
function drawRunningLimits(jobs: readonly ReferenceJob[], draws: SeededDraws): RunningLimits {
  const widest = Math.max(...jobs.map(({ processors }) => processors));
  const jobLimit = () => draws.pick([1, 1, 2, 3, 5]);
  const processorLimit = () => widest + draws.pick([0, 0, 1, 2, widest]);
  const limits: RunningLimits = {
    ...(draws.oneIn(2) && { userJobs: jobLimit() }),
    ...(draws.oneIn(2) && { userProcessors: processorLimit() }),
    ...(draws.oneIn(3) && { groupJobs: jobLimit() + 1 }),
    ...(draws.oneIn(3) && { groupProcessors: processorLimit() }),
  };
  return Object.keys(limits).length > 0 ? limits : { userJobs: 1 };
}
