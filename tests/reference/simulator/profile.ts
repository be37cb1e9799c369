import { countFree } from './grid.js';
import { plannedLength } from './lengths.js';
import { knownCapacityChangesAt, processorsOwedToOutages } from './outages.js';
import type { PlannedAllocation } from './selection.js';
import type { JobRecord, Simulation } from './simulation.js';
import type { ReferenceOptions } from './types.js';

/** Number of free processors from a time on, until the next step. */
export interface FreeProcessorsStep {
  time: number;
  free: number;
}

/**
 * Predicted free processors of every site from now on: the steps of site j in order of time, the
 * first of them now. The last step holds forever.
 */
export type FreeProcessorsProfile = FreeProcessorsStep[][];

/**
 * Free processors over time: now, and as running jobs are predicted to end, on request in windows.
 */
export function makeFreeProcessorsProfile(
  simulation: Simulation,
  now: number,
  isInWindows = false,
): FreeProcessorsProfile {
  const profile = capacityProfile(simulation, now, predictedEndOfOverdueJob(now));
  for (const [site, steps] of profile.entries()) {
    const releases = simulation.running.flatMap((job) => {
      const end = predictedEndOfJob(job, simulation.options, now);
      return job.parts.flatMap((part) => (part.site === site ? [{ end, processors: part.processors }] : []));
    });
    releases.sort((one, other) => one.end - other.end);
    const groups = isInWindows ? groupByWindow(releases, simulation.options) : releases.map((each) => [each]);
    for (const group of groups)
      for (const { processors } of group) changeFreeProcessorsFrom(steps, group.at(-1)!.end, processors);
  }
  return profile;
}

/**
 * Free processors over time without the ends of running jobs: now, less those that outages still want
 * from running jobs, which may make it negative; and as known outages begin and end.
 * @param dueTime Time at which processors count as back if their outage ends now.
 */
export function capacityProfile(simulation: Simulation, now: number, dueTime: number): FreeProcessorsProfile {
  return simulation.grid.map((site) => {
    const steps = [{ time: now, free: countFree(site) - processorsOwedToOutages(simulation, site.index) }];
    for (const { time, processors } of knownCapacityChangesAt(simulation, site.index, now, dueTime))
      changeFreeProcessorsFrom(steps, time, processors);
    return steps;
  });
}

/**
 * Ends in ascending order, in groups: those up to the end of the first window behind a barrier, the
 * next multiple of the window behind the first end; then those within twice the window, and so on.
 */
function groupByWindow<T extends { end: number }>(ends: T[], options: ReferenceOptions): T[][] {
  const { endWindow = 0, clockOrigin = 0 } = options;
  const groups: T[][] = [];
  if (endWindow === 0) return ends.map((each) => [each]);
  let width = endWindow;
  let barrierTime: number | undefined;
  for (const each of ends) {
    barrierTime ??= Math.floor((each.end + clockOrigin) / endWindow) * endWindow + endWindow - clockOrigin;
    if (groups.length > 0 && each.end <= barrierTime + width) {
      groups.at(-1)!.push(each);
      continue;
    }
    while (each.end > barrierTime + width) width *= 2;
    groups.push([each]);
  }
  return groups;
}

/** Enters a job that has just started. */
export function addStartedJobToProfile(
  profile: FreeProcessorsProfile,
  job: JobRecord,
  options: ReferenceOptions,
): void {
  const end = predictedEndOfJob(job, options, job.start);
  for (const part of job.parts) {
    changeFreeProcessorsFrom(profile[part.site]!, job.start, -part.processors);
    changeFreeProcessorsFrom(profile[part.site]!, end, part.processors);
  }
}

/**
 * Subtracts the parts of a plan over [start, end), if that is not empty; with a resolution, over
 * the multiples before start and end, at least one unit. The profile may become negative then.
 */
export function subtractPlanFromProfile(
  profile: FreeProcessorsProfile,
  { parts, start, end }: PlannedAllocation,
  options: ReferenceOptions,
): void {
  if (!(end > start)) return;
  const { backfillResolution = 0 } = options;
  const begin = roundDown(start, options);
  const until = Math.max(roundDown(end, options), begin + backfillResolution);
  for (const part of parts) {
    const steps = profile[part.site]!;
    if (until <= steps[0]!.time) continue;
    changeFreeProcessorsFrom(steps, Math.max(begin, steps[0]!.time), -part.processors);
    changeFreeProcessorsFrom(steps, until, part.processors);
  }
}

/** Rounds a time up to a multiple of the backfill resolution, counted from the clock's origin. */
export function roundUp(time: number, { backfillResolution = 0, clockOrigin = 0 }: ReferenceOptions): number {
  if (backfillResolution === 0) return time;
  return Math.ceil((time + clockOrigin) / backfillResolution) * backfillResolution - clockOrigin;
}

/** Rounds a time down to a multiple of the backfill resolution, counted from the clock's origin. */
export function roundDown(
  time: number,
  { backfillResolution = 0, clockOrigin = 0 }: ReferenceOptions,
): number {
  if (backfillResolution === 0) return time;
  return Math.floor((time + clockOrigin) / backfillResolution) * backfillResolution - clockOrigin;
}

/**
 * Minimum of free processors of a site over [from, until), or at `from` if that is empty; with
 * closed overlap over [from, until].
 */
export function minFreeProcessors(
  steps: FreeProcessorsStep[],
  from: number,
  until: number,
  isClosed = false,
): number {
  let leastFreeProcessors = Number.POSITIVE_INFINITY;
  for (let k = 0; k < steps.length; k++) {
    const step = steps[k]!;
    if (step.time > from && (isClosed ? step.time > until : step.time >= until)) break;
    const isStepOver = k + 1 < steps.length && steps[k + 1]!.time <= from;
    if (!isStepOver) leastFreeProcessors = Math.min(leastFreeProcessors, step.free);
  }
  return leastFreeProcessors;
}

/**
 * Predicted end of a running job, in seconds: by its estimate, or by its request once it exceeds
 * the estimate; overdue after that.
 */
export function predictedEndOfJob(job: JobRecord, options: ReferenceOptions, now: number): number {
  const sites = job.parts.map((part) => part.site);
  let end = job.believedEnd ?? job.start + plannedLength(job, sites, options);
  if (end < now && job.believedEnd === undefined)
    end = job.start + plannedLength({ ...job, estimate: job.request }, sites, options);
  return end > now ? end : predictedEndOfOverdueJob(now);
}

/** One second from now; if that vanishes in rounding, two seconds, and so on until it does not. */
export function predictedEndOfOverdueJob(now: number): number {
  let length = 1;
  while (now + length === now) length *= 2;
  return now + length;
}

/** Changes the number of free processors from `time` on, which is not before the first step. */
export function changeFreeProcessorsFrom(
  steps: FreeProcessorsStep[],
  time: number,
  processors: number,
): void {
  const stepIndexBefore = steps.findLastIndex((step) => step.time <= time);
  if (steps[stepIndexBefore]!.time < time)
    steps.splice(stepIndexBefore + 1, 0, { time, free: steps[stepIndexBefore]!.free });
  for (const step of steps) if (step.time >= time) step.free += processors;
}
