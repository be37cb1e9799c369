import { type AllocationAnswer, chooseSiteForJob } from './allocators.js';
import { plannedExecution, plannedLength } from './lengths.js';
import { exceedsLimit } from './limits.js';
import { capacityAfterOutages } from './outages.js';
import { askCustomPolicy } from './ownPolicy.js';
import {
  addStartedJobToProfile,
  type FreeProcessorsProfile,
  makeFreeProcessorsProfile,
  minFreeProcessors,
  predictedEndOfOverdueJob,
  subtractPlanFromProfile,
} from './profile.js';
import { makeAllocationQuestion } from './question.js';
import { reservationCountPerPass } from './reservationDepth.js';
import type { PlannedAllocation } from './selection.js';
import { type JobRecord, type Simulation, startJob } from './simulation.js';
import { isInPartition, isSpeedSufficient } from './sites.js';
import type { ReferenceOptions } from './types.js';
import { jobsBehindReservations } from './waitingQueue.js';

/**
 * Backfilling on several sites with a policy. A job is safe on a site at a time if its processors
 * are free there for its predicted length, beside all reservations of this pass. It starts now on
 * the site that the policy chooses among the sites where it is safe now. If it is safe on none, the
 * site with its earliest start is reserved until the end of the pass (under EASY only for the first
 * such job). A job that the policy lets wait gets no reservation. A main pass ends at the first job
 * that is safe nowhere now.
 */
export function planQueueWithPolicy(
  simulation: Simulation,
  queue: JobRecord[],
  now: number,
  pass: 'usual' | 'main',
): void {
  const { options, policy, decisions } = simulation;
  const profile = makeFreeProcessorsProfile(simulation, now, pass === 'usual');
  const reservationCount = reservationCountPerPass(options);
  let reserved = 0;
  let sequence = [...queue];
  for (let job = sequence.shift(); job !== undefined; job = sequence.shift()) {
    if (exceedsLimit(simulation, job)) continue;
    const sites = candidateSites(simulation, job);
    const safe = sites.filter((site) => {
      return isStartSafe(profile[site]!, job, plannedLength(job, [site], options), now, now, options);
    });
    if (safe.length > 0) {
      const question = { ...makeAllocationQuestion(simulation, queue, job), safe };
      const own = options.choose && askCustomPolicy(simulation, question, job, queue, now);
      if (own === 'wait') continue;
      const answer: AllocationAnswer =
        typeof own === 'object' ? { site: own } : chooseSiteForJob(question, policy)!;
      if (answer.comparison !== undefined) decisions[answer.comparison] += 1;
      const parts = [{ site: answer.site.index, processors: job.processors }];
      startJob(simulation, job, now, parts, plannedExecution(job, [answer.site.index], options));
      queue.splice(queue.indexOf(job), 1);
      addStartedJobToProfile(profile, job, options);
    } else {
      if (pass === 'main') return;
      if (reserved === reservationCount) continue;
      const reservation = planEarliestStart(simulation, profile, job, sites, now);
      subtractPlanFromProfile(profile, reservation, options);
      simulation.reservations.push({ ...reservation, job: job.index, made: now });
      reserved += 1;
      if (reserved === reservationCount) sequence = jobsBehindReservations(queue, job, now, options);
    }
  }
}

/** Sites that the job may use and that are wide enough, in index order. */
export function candidateSites({ grid, options }: Simulation, job: JobRecord): number[] {
  const homeSpeed = grid[job.home]!.speed;
  return grid
    .filter((site) => capacityAfterOutages(site.index, options) >= job.processors)
    .filter((site) => isSpeedSufficient(site.speed, homeSpeed, options.minSpeedRatio))
    .filter((site) => isInPartition(job, site.index, options.partitions))
    .map((site) => site.index);
}

/**
 * True if a job of this length could run from `start` on, on a site with this profile of free
 * processors.
 */
function isStartSafe(
  profile: FreeProcessorsProfile[number],
  job: JobRecord,
  length: number,
  start: number,
  now: number,
  { closedOverlap }: ReferenceOptions,
): boolean {
  const end = start + length;
  // A job of length 0 needs its processors at its start, and for a second if that is now.
  const until = end > start ? end : start === now ? predictedEndOfOverdueJob(now) : start;
  return minFreeProcessors(profile, start, until, closedOverlap) >= job.processors;
}

/**
 * Site where the job can start first, now or at a change; among equals where it ends first, then
 * the lowest index.
 */
function planEarliestStart(
  simulation: Simulation,
  profile: FreeProcessorsProfile,
  job: JobRecord,
  sites: number[],
  now: number,
): PlannedAllocation {
  const plans = sites.map((site) => {
    const length = plannedLength(job, [site], simulation.options);
    const times = profile[site]!.map((step) => step.time);
    const start = times.find((time) =>
      isStartSafe(profile[site]!, job, length, time, now, simulation.options),
    )!;
    return { parts: [{ site, processors: job.processors }], start, end: start + length };
  });
  return plans.reduce((one, other) => {
    const isPlanEarlier = other.start < one.start || (other.start === one.start && other.end < one.end);
    return isPlanEarlier ? other : one;
  });
}
