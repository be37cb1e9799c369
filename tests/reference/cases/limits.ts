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
  const random = new SeededDraws(seed * 7 + 3);
  const mayHaveLimits = (seedOfBase: number) => {
    const drawBaseCase = random.pick(LIMIT_BASE_CASES);
    for (let from = seedOfBase; ; from += 10_000_019) {
      const drawnCase = drawBaseCase(from);
      const { multiSite, multiSiteFactor, select, dependencies } = drawnCase.options;
      if ((multiSite ?? multiSiteFactor ?? select) === undefined && !dependencies) return drawnCase;
    }
  };
  const { jobs, options } = assignUsersAndGroups(drawBaseCase(seed, random, [mayHaveLimits]), random);
  // The pieces of a job share its number, which an order may use.
  const mayCut = !/number/.test(`${options.order} ${options.backfillOrder}`);
  const jobPieces = mayCut && random.oneIn(4) ? groupJobsIntoPieces(jobs, random) : jobs;
  return { jobs: jobPieces, options: { ...options, limits: drawRunningLimits(jobPieces, random) } };
}

/** Makes some neighbouring jobs pieces of one job. */
function groupJobsIntoPieces(jobs: readonly ReferenceJob[], random: SeededDraws): ReferenceJob[] {
  const jobPieces: ReferenceJob[] = [];
  for (const [index, job] of jobs.entries()) {
    const before = jobPieces[index - 1];
    if (before?.home !== job.home || !random.oneIn(3))
      jobPieces.push({ ...job, pieceOf: index, number: index + 1 });
    else {
      const { submit, user, group, pieceOf, number: jobNumber } = before;
      const knownOwners = { ...(user !== undefined && { user }), ...(group !== undefined && { group }) };
      const { user: _, group: __, ...own } = job;
      jobPieces.push({ ...own, ...knownOwners, submit, pieceOf: pieceOf!, number: jobNumber! });
    }
  }
  return jobPieces;
}

/** Limits that every job keeps if it runs alone. */
function drawRunningLimits(jobs: readonly ReferenceJob[], random: SeededDraws): RunningLimits {
  const widestJob = Math.max(...jobs.map(({ processors }) => processors));
  const jobLimit = () => random.pick([1, 1, 2, 3, 5]);
  const processorLimit = () => widestJob + random.pick([0, 0, 1, 2, widestJob]);
  const limits: RunningLimits = {
    ...(random.oneIn(2) && { userJobs: jobLimit() }),
    ...(random.oneIn(2) && { userProcessors: processorLimit() }),
    ...(random.oneIn(3) && { groupJobs: jobLimit() + 1 }),
    ...(random.oneIn(3) && { groupProcessors: processorLimit() }),
  };
  return Object.keys(limits).length > 0 ? limits : { userJobs: 1 };
}
