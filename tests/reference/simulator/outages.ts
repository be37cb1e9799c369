import {
  countProcessorsInOutage,
  moveFreeProcessorsToOutage,
  type ReferenceGrid,
  type ReferenceSite,
  returnProcessorsFromOutage,
} from './grid.js';
import { endOfRunningJob, failJob, type JobRecord, preemptJob, type Simulation } from './simulation.js';
import type { ReferenceOptions, ReferenceOutage } from './types.js';

/** The begin or the end of an outage. */
export interface OutageCapacityChange {
  time: number;
  outage: ReferenceOutage;
  isEnd: boolean;
}

/**
 * All begins and ends of outages in order of time. At equal times capacity comes back before other
 * capacity goes; otherwise in the order of the outages.
 */
export function listCapacityChanges(outages: ReferenceOutage[] = []): OutageCapacityChange[] {
  const changes = outages.flatMap((outage) => [
    { time: outage.from, outage, isEnd: false },
    { time: outage.to, outage, isEnd: true },
  ]);
  return changes.sort((one, other) => one.time - other.time || Number(other.isEnd) - Number(one.isEnd));
}

/**
 * Handles a begin or an end. Free processors go first; for the rest, running jobs are preempted, the
 * latest started first (of equals the larger index), or the outage waits for them to end.
 */
export function applyCapacityChange(
  simulation: Simulation,
  { outage, isEnd, time }: OutageCapacityChange,
): void {
  const { site, processors } = outage;
  simulation.wanted[site]! += isEnd ? -processors : processors;
  if (isEnd) simulation.outagesNow.delete(outage);
  else simulation.outagesNow.add(outage);
  settleOutagesOfSite(simulation, site);
  const { onOutage = 'drain' } = simulation.options;
  if (onOutage === 'drain') return;
  const onSite = simulation.running
    .filter(
      (job) => job.parts[0]!.site === site && (outage.first === undefined || endOfRunningJob(job) > time),
    )
    .sort((one, other) => other.start - one.start || other.index - one.index);
  for (const job of onSite) {
    if (processorsOwedToOutages(simulation, site) === 0) break;
    if (
      outage.first !== undefined &&
      ![...nodesOfRunningJob(simulation, job)].some((node) =>
        processorsWantedByOutages(simulation, site).has(node),
      )
    )
      continue;
    if (onOutage === 'requeue') preemptJob(simulation, job, time);
    else failJob(simulation, job, time);
    settleOutagesOfSite(simulation, site);
  }
}

/** Processors that outages still want from a site and jobs hold. */
export function processorsOwedToOutages({ wanted, grid }: Simulation, site: number): number {
  return wanted[site]! - countProcessorsInOutage(grid[site]!);
}

/** Takes free processors of a site for its outages, or gives those back that no outage wants any more. */
export function settleOutagesOfSite(simulation: Simulation, site: number): void {
  if (simulation.options.planBy === 'node') {
    settleOutagesByNodes(simulation.grid[site]!, processorsWantedByOutages(simulation, site));
    return;
  }
  const missing = processorsOwedToOutages(simulation, site);
  if (missing > 0) moveFreeProcessorsToOutage(simulation.grid[site]!, missing);
  else returnProcessorsFromOutage(simulation.grid[site]!, -missing);
}

/** Processors of a site, numbered on it, that outages want now, in plans by nodes. */
function processorsWantedByOutages({ outagesNow }: Simulation, site: number): Set<number> {
  return new Set([...outagesNow].filter((outage) => outage.site === site).flatMap(processorsOfOutage));
}

/** Processors that a job on one site holds, numbered on the site. */
export function nodesOfRunningJob({ grid }: Simulation, { held, parts }: JobRecord): Set<number> {
  const { firstProcessor } = grid[parts[0]!.site]!;
  return new Set(held.flat().map((processor) => processor - firstProcessor));
}

/** Processors of an outage, numbered on its site, in plans by nodes. */
export function processorsOfOutage({ first = 0, processors }: ReferenceOutage): number[] {
  return Array.from({ length: processors }, (_, k) => first + k);
}

/** Takes the free ones of the wanted processors, and gives the others back. */
function settleOutagesByNodes({ isFree, isInOutage }: ReferenceSite, wantedProcessors: Set<number>): void {
  for (const k of isFree.keys()) {
    const isTaken = wantedProcessors.has(k) && isFree[k];
    const isBack = !wantedProcessors.has(k) && isInOutage[k];
    if (isTaken || isBack) [isFree[k], isInOutage[k]] = [isInOutage[k]!, isFree[k]!];
  }
}

/**
 * Outages of a site that a plan by nodes knows and that are not over: planned ones, and others that have
 * begun.
 */
export function outagesKnownToPlan(
  { capacityChanges, outagesNow }: Simulation,
  site: number,
): ReferenceOutage[] {
  const pending = capacityChanges
    .filter(({ isEnd, outage }) => isEnd && outage.site === site)
    .map(({ outage }) => outage);
  return pending.filter((outage) => outage.isPlanned || outagesNow.has(outage));
}

/**
 * Changes of the free processors of a site that plans know at a time, for the begins and ends of outages
 * that have not been handled: all ends of outages that have begun, and both of planned ones.
 * @param dueTime Time at which processors count as back if the outage ends at the given time.
 */
export function knownCapacityChangesAt(
  { capacityChanges }: Simulation,
  site: number,
  now: number,
  dueTime: number,
): { time: number; processors: number }[] {
  const pending = capacityChanges.filter(({ outage }) => outage.site === site);
  const hasOutageBegun = (outage: ReferenceOutage) =>
    pending.every((each) => each.isEnd || each.outage !== outage);
  return pending
    .filter(({ outage }) => outage.isPlanned || hasOutageBegun(outage))
    .filter(({ time }) => time < Number.POSITIVE_INFINITY)
    .map(({ time, outage: { processors }, isEnd }) =>
      isEnd ? { time: time > now ? time : dueTime, processors } : { time, processors: -processors },
    );
}

/** Processor-seconds lost to outages of a site between two times, one number per step of `steps`. */
export function processorSecondsInOutage(
  steps: Simulation['goneSteps'],
  site: number,
  from: number,
  until: number,
): number[] {
  const own = steps.filter((step) => step.site === site);
  return own.map(({ time, gone }, k) => {
    const begin = Math.max(time, from);
    const end = Math.min(own[k + 1]?.time ?? until, until);
    return end > begin ? gone * (end - begin) : 0;
  });
}

/** Number of processors that a site has once all outages are over that end. */
export function capacityAfterOutages(site: number, { capacities, outages = [] }: ReferenceOptions): number {
  const lasting = outages.filter((outage) => outage.site === site && outage.to === Number.POSITIVE_INFINITY);
  return capacities[site]! - lasting.reduce((sum, { processors }) => sum + processors, 0);
}

/** Jobs that wait again after a capacity change preempted them. */
export function jobsRequeuedByOutage(
  jobsRunningBefore: JobRecord[],
  { running, finished }: Simulation,
): JobRecord[] {
  return jobsRunningBefore.filter((job) => !running.includes(job) && !finished.includes(job));
}

/** Notes how many processors of each site are gone from now on. */
export function recordProcessorsInOutage(
  simulation: Simulation,
  now: number,
  grid: ReferenceGrid = simulation.grid,
): void {
  for (const site of grid) {
    const gone = countProcessorsInOutage(site);
    const last = simulation.goneSteps.findLast((step) => step.site === site.index);
    if ((last?.gone ?? 0) !== gone) simulation.goneSteps.push({ site: site.index, time: now, gone });
  }
}
