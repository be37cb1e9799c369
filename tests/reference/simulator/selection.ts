import { type PlannedJob, plannedLength } from './lengths.js';
import { capacityAfterOutages } from './outages.js';
import { type FreeProcessorsProfile, minFreeProcessors, predictedEndOfOverdueJob } from './profile.js';
import { isInPartition } from './sites.js';
import type { AllocatedPart, ReferenceOptions } from './types.js';

/** A job to plan, and the free processors over time. */
export interface PlanningQuestion {
  job: PlannedJob;
  now: number;
  profile: FreeProcessorsProfile;
  options: ReferenceOptions;
}

/** Planned allocation of a job from a start to an end, by its estimate. */
export interface PlannedAllocation {
  /** Parts in order of speed, fastest site first. */
  parts: AllocatedPart[];
  start: number;
  end: number;
}

/**
 * Resource selection (Zhang et al. 2006, section 4.1.1): chooses the sites and the start of a job.
 */
export function selectSites(question: PlanningQuestion): PlannedAllocation {
  const { job, options } = question;
  const order = sitesBySpeed(options).filter((site) => isInPartition(job, site, options.partitions));
  const single = order.map((site) => [site]);
  const several = options.multiSiteFactor !== undefined;
  const firstFewTexts = several ? order.slice(1).map((_, k) => order.slice(0, k + 2)) : [];
  switch (options.select ?? 'greedy') {
    case 'optimal':
      return bestPlan(planJobOnEachSiteSet(question, several ? allSubsetsOfSites(order) : single));
    case 'greedy':
      return bestPlan(planJobOnEachSiteSet(question, [...single, ...firstFewTexts]));
    case 'non-adaptive': {
      const otherEntries = single.filter(([site]) => site !== job.home);
      return bestPlanByClasses(question, [[[job.home]], otherEntries, firstFewTexts]);
    }
  }
}

/** All sites, fastest first; among equals the lowest index. */
function sitesBySpeed({ speeds }: ReferenceOptions): number[] {
  return speeds.map((_, site) => site).sort((one, other) => speeds[other]! - speeds[one]! || one - other);
}

/** All non-empty subsets of the sites, each in the order given. */
function allSubsetsOfSites(sites: number[]): number[][] {
  let sets: number[][] = [[]];
  for (const site of sites) sets = sets.concat(sets.map((set) => [...set, site]));
  return sets.slice(1);
}

/**
 * Non-adaptive selection (Zhang et al. 2006, section 6): the first class with a plan for now,
 * otherwise the first class with a plan.
 */
function bestPlanByClasses(question: PlanningQuestion, classes: number[][][]): PlannedAllocation {
  const plansOfClasses = classes.map((sets) => planJobOnEachSiteSet(question, sets));
  const plansStartingNow = plansOfClasses.map((plansOfClass) =>
    plansOfClass.filter((plan) => plan.start === question.now),
  );
  return bestPlan([...plansStartingNow, ...plansOfClasses].find((plansOfClass) => plansOfClass.length > 0)!);
}

/**
 * Best of several plans: the earliest end, then the earliest start, the fewest sites, and the
 * lowest indices.
 */
function bestPlan(candidates: PlannedAllocation[]): PlannedAllocation {
  return candidates.reduce((one, other) => (comparePlans(other, one) < 0 ? other : one));
}

function comparePlans(one: PlannedAllocation, other: PlannedAllocation): number {
  if (one.end !== other.end) return one.end - other.end;
  if (one.start !== other.start) return one.start - other.start;
  if (one.parts.length !== other.parts.length) return one.parts.length - other.parts.length;
  const sites = sitesOfPlanAscending(one);
  const otherSites = sitesOfPlanAscending(other);
  const k = sites.findIndex((site, i) => site !== otherSites[i]);
  return k < 0 ? 0 : sites[k]! - otherSites[k]!;
}

function sitesOfPlanAscending(plan: PlannedAllocation): number[] {
  return plan.parts.map((part) => part.site).sort((one, other) => one - other);
}

/** A plan for each of the sets that are wide enough. */
function planJobOnEachSiteSet(question: PlanningQuestion, sets: number[][]): PlannedAllocation[] {
  const { job, options } = question;
  return sets
    .filter(
      (set) => set.reduce((sum, site) => sum + capacityAfterOutages(site, options), 0) >= job.processors,
    )
    .map((set) => earliestPlan(question, set));
}

/**
 * Earliest plan of the job split over these sites, the fastest first: now, or when the free processors of
 * one of them change. After the last change all processors are free.
 */
function earliestPlan(question: PlanningQuestion, sites: number[]): PlannedAllocation {
  const { job, now, profile, options } = question;
  const length = plannedLength(job, sites, options);
  for (let time = now; time < Number.POSITIVE_INFINITY; time = nextChangeTimeAtSites(profile, sites, time)) {
    const plan = planOnSitesAt(question, sites, time, length);
    if (plan !== undefined) return plan;
  }
  throw new Error(`sites ${sites} never have ${job.processors} processors free`);
}

/** Time of the next change at one of the sites; infinity if there is none. */
function nextChangeTimeAtSites(profile: FreeProcessorsProfile, sites: number[], time: number): number {
  let nextTime = Number.POSITIVE_INFINITY;
  for (const site of sites) {
    const step = profile[site]!.find(
      (each, k, steps) => each.time > time && each.free !== steps[k - 1]?.free,
    );
    if (step !== undefined && step.time < nextTime) nextTime = step.time;
  }
  return nextTime;
}

/**
 * Plan of the job on these sites, fastest first, from this time on; undefined if too few processors
 * are free. Unneeded sites are dropped, and since the length may change then, the job is planned
 * again on the others.
 */
function planOnSitesAt(
  question: PlanningQuestion,
  sites: number[],
  start: number,
  length: number,
): PlannedAllocation | undefined {
  const { job, profile, options } = question;
  const end = start + length;
  const until = endOfRequiredFreeTime(question, start, end);
  const parts: AllocatedPart[] = [];
  let needed = job.processors;
  for (const site of sites) {
    const free = Math.max(0, minFreeProcessors(profile[site]!, start, until, options.closedOverlap));
    const processors = Math.min(needed, free);
    if (processors > 0) parts.push({ site, processors });
    needed -= processors;
  }
  if (needed > 0) return undefined;
  if (parts.length === sites.length) return { parts, start, end };
  const rest = parts.map((part) => part.site);
  return planOnSitesAt(question, rest, start, plannedLength(job, rest, options));
}

/**
 * End of the time for which processors must be free: a job of length 0 needs them at its start, and
 * for a second if it starts now, since it will run and be predicted to end then.
 */
function endOfRequiredFreeTime({ now }: PlanningQuestion, start: number, end: number): number {
  if (end > start) return end;
  return start === now ? predictedEndOfOverdueJob(now) : start;
}
