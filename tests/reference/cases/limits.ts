import type { Limits } from '../simulator/limits.js';
import type { ReferenceJob } from '../simulator/reference.js';
import { drawBase, randomAgingCase, withUsers } from './aging.js';
import { randomAllocatorCase } from './allocators.js';
import { randomBackfillingCase } from './backfilling.js';
import { Draws, type RandomCase } from './draws.js';
import { randomKeptCase } from './keptReservations.js';
import { randomLoadSharingCase } from './loadSharing.js';
import { randomOneMachineCase } from './oneMachine.js';
import { randomOwnPlanCase, randomOwnPolicyCase } from './ownPolicies.js';
import { randomNodeCase, randomPassCase } from './passes.js';
import { randomRecentCase } from './recent.js';
import { randomDepthCase } from './reservationDepth.js';
import { randomSafeCase } from './safeBackfilling.js';

const BASES = [
  randomAgingCase,
  randomAgingCase,
  randomAllocatorCase,
  randomBackfillingCase,
  randomDepthCase,
  randomKeptCase,
  randomKeptCase,
  randomLoadSharingCase,
  randomNodeCase,
  randomOneMachineCase,
  randomOneMachineCase,
  randomOwnPlanCase,
  randomOwnPolicyCase,
  randomPassCase,
  randomPassCase,
  randomRecentCase,
  randomSafeCase,
  randomSafeCase,
];

/** A random case of another kind with limits of users and groups that hold jobs back. */
export function randomLimitCase(seed: number): RandomCase {
  const draws = new Draws(seed * 7 + 3);
  const mayHaveLimits = (seedOfBase: number) => {
    const draw = draws.pick(BASES);
    for (let from = seedOfBase; ; from += 10_000_019) {
      const drawn = draw(from);
      const { multiSite, multiSiteFactor, select, dependencies } = drawn.options;
      if ((multiSite ?? multiSiteFactor ?? select) === undefined && !dependencies) return drawn;
    }
  };
  const { jobs, options } = withUsers(drawBase(seed, draws, [mayHaveLimits]), draws);
  // The pieces of a job share its number, which an order may use.
  const mayCut = !/number/.test(`${options.order} ${options.backfillOrder}`);
  const pieces = mayCut && draws.oneIn(4) ? withPieces(jobs, draws) : jobs;
  return { jobs: pieces, options: { ...options, limits: drawLimits(pieces, draws) } };
}

/** Makes some neighbouring jobs pieces of one job. */
function withPieces(jobs: readonly ReferenceJob[], draws: Draws): ReferenceJob[] {
  const pieces: ReferenceJob[] = [];
  for (const [index, job] of jobs.entries()) {
    const before = pieces[index - 1];
    if (before?.home !== job.home || !draws.oneIn(3))
      pieces.push({ ...job, pieceOf: index, number: index + 1 });
    else {
      const { submit, user, group, pieceOf, number } = before;
      const known = { ...(user !== undefined && { user }), ...(group !== undefined && { group }) };
      const { user: _, group: __, ...own } = job;
      pieces.push({ ...own, ...known, submit, pieceOf: pieceOf!, number: number! });
    }
  }
  return pieces;
}

/** Limits that every job keeps if it runs alone. */
function drawLimits(jobs: readonly ReferenceJob[], draws: Draws): Limits {
  const widest = Math.max(...jobs.map(({ processors }) => processors));
  const jobLimit = () => draws.pick([1, 1, 2, 3, 5]);
  const processorLimit = () => widest + draws.pick([0, 0, 1, 2, widest]);
  const limits: Limits = {
    ...(draws.oneIn(2) && { userJobs: jobLimit() }),
    ...(draws.oneIn(2) && { userProcessors: processorLimit() }),
    ...(draws.oneIn(3) && { groupJobs: jobLimit() + 1 }),
    ...(draws.oneIn(3) && { groupProcessors: processorLimit() }),
  };
  return Object.keys(limits).length > 0 ? limits : { userJobs: 1 };
}
