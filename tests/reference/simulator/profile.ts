import { countFree } from './grid.js';
import { plannedLength } from './lengths.js';
import type { Plan } from './selection.js';
import type { JobRecord, Simulation } from './simulation.js';
import type { ReferenceOptions } from './types.js';

/** Number of free processors from a time on, until the next step. */
export interface Step {
  time: number;
  free: number;
}

/**
 * Predicted free processors of every site from now on: the steps of site j in order of time, the
 * first of them now. The last step holds forever.
 */
export type Profile = Step[][];

/** Free processors over time: now, and as running jobs are predicted to end. */
export function makeProfile(simulation: Simulation, now: number): Profile {
  const profile = simulation.grid.map((site) => [{ time: now, free: countFree(site) }]);
  for (const job of simulation.running) {
    const end = predictedEnd(job, simulation.options, now);
    for (const part of job.parts) change(profile[part.site]!, end, part.processors);
  }
  return profile;
}

/** Enters a job that has just started. */
export function addStarted(profile: Profile, job: JobRecord, options: ReferenceOptions): void {
  const end = predictedEnd(job, options, job.start);
  for (const part of job.parts) {
    change(profile[part.site]!, job.start, -part.processors);
    change(profile[part.site]!, end, part.processors);
  }
}

/** Subtracts the parts of a plan over [start, end), if that is not empty. */
export function addReservation(profile: Profile, { parts, start, end }: Plan): void {
  if (!(end > start)) return;
  for (const part of parts) {
    change(profile[part.site]!, start, -part.processors);
    change(profile[part.site]!, end, part.processors);
  }
}

/** Minimum of free processors of a site over [from, until), or at `from` if that is empty. */
export function leastFree(steps: Step[], from: number, until: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < steps.length; k++) {
    const step = steps[k]!;
    if (step.time > from && step.time >= until) break;
    const isOver = k + 1 < steps.length && steps[k + 1]!.time <= from;
    if (!isOver) least = Math.min(least, step.free);
  }
  return least;
}

/**
 * Predicted end of a running job, in seconds: by its estimate, or by its request once it exceeds
 * the estimate; overdue after that.
 */
export function predictedEnd(job: JobRecord, options: ReferenceOptions, now: number): number {
  const sites = job.parts.map((part) => part.site);
  let end = job.believedEnd ?? job.start + plannedLength(job, sites, options);
  if (end < now && job.believedEnd === undefined)
    end = job.start + plannedLength({ ...job, estimate: job.request }, sites, options);
  return end > now ? end : endOfOverdue(now);
}

/** One second from now; if that vanishes in rounding, two seconds, and so on until it does not. */
export function endOfOverdue(now: number): number {
  let length = 1;
  while (now + length === now) length *= 2;
  return now + length;
}

/** Changes the number of free processors from `time` on, which is not before the first step. */
export function change(steps: Step[], time: number, processors: number): void {
  const before = steps.findLastIndex((step) => step.time <= time);
  if (steps[before]!.time < time) steps.splice(before + 1, 0, { time, free: steps[before]!.free });
  for (const step of steps) if (step.time >= time) step.free += processors;
}
