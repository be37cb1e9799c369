import type { ReferenceJob } from '../simulator/reference.js';
import { randomDependencyCase } from './dependencies.js';
import { type RandomCase, SeededDraws } from './draws.js';
import { randomKeptCase } from './keptReservations.js';
import { randomLoadSharingCase } from './loadSharing.js';
import { randomOneMachineCase } from './oneMachine.js';
import { randomCustomPolicyCase, randomCustomPolicyPlanCase } from './ownPolicies.js';
import { randomNodePlanCase, randomPassCase } from './passes.js';
import { randomRecentCase } from './recent.js';
import { randomDepthCase } from './reservationDepth.js';
import { randomSafeCase } from './safeBackfilling.js';

const CANCELLATION_BASE_CASES = [
  randomDependencyCase,
  randomKeptCase,
  randomKeptCase,
  randomLoadSharingCase,
  randomNodePlanCase,
  randomOneMachineCase,
  randomOneMachineCase,
  randomCustomPolicyPlanCase,
  randomCustomPolicyCase,
  randomPassCase,
  randomRecentCase,
  randomDepthCase,
  randomSafeCase,
];

/** Distance to the next seed of a kind. */
const DISTANT_SEED_OFFSET = 10_000_019;

/** Shares of cancelled jobs: one in so many. */
const CANCELLED_JOB_DIVISORS = [2, 4, 4, 10];

/** A random case of another kind in which some jobs are cancelled while they wait or run. */
export function randomCancellationCase(seed: number): RandomCase {
  const draws = new SeededDraws(seed * 5 + 3);
  const draw = draws.pick(CANCELLATION_BASE_CASES);
  let from = seed;
  let base = draw(from);
  while (!canCaseHaveCancellations(base)) {
    from += DISTANT_SEED_OFFSET;
    base = draw(from);
  }
  const share = draws.pick(CANCELLED_JOB_DIVISORS);
  const longestPatience = draws.pick([0, 1, 1, 3, 10]) * longestEstimate(base);
  const jobs = base.jobs.map((job) =>
    draws.oneIn(share) ? cancelJob(draws, job, base, longestPatience) : job,
  );
  // A run has a job that is not cancelled.
  return { jobs: [...jobs.slice(0, -1), base.jobs.at(-1)!], options: base.options };
}

function longestEstimate({ jobs }: RandomCase): number {
  return Math.max(...jobs.map(({ estimate }) => estimate));
}

/** The job, cancelled at another event of the case, or after a random time of at most `longestPatience` seconds. */
function cancelJob(
  draws: SeededDraws,
  job: ReferenceJob,
  { jobs }: RandomCase,
  longestPatience: number,
): ReferenceJob {
  const other = draws.pick(jobs);
  const moment = other.submit + (draws.oneIn(2) ? other.runtime : 0) - job.submit;
  const random = draws.pick([0, 0.125, 0.5, 0.75, 1]) * longestPatience;
  const patience = draws.oneIn(2) && moment >= 0 ? moment : draws.oneIn(2) ? Math.floor(random) : random;
  return { ...job, runtime: job.estimate, patience };
}

function canCaseHaveCancellations({ options, jobs }: RandomCase): boolean {
  const { reclaim, moldable, multiSite, multiSiteFactor, select = 'greedy', dynamic, interval } = options;
  if (reclaim || select !== 'greedy' || jobs.some(({ pieceOf }) => pieceOf !== undefined)) return false;
  return [moldable, multiSite, multiSiteFactor, dynamic, interval].every((option) => option === undefined);
}
