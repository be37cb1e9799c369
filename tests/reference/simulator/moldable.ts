import { predictMoldableLength } from './execution.js';
import { countFree, type ReferenceSite } from './grid.js';
import type { JobRecord, Simulation } from './simulation.js';
import type { AllocatedPart } from './types.js';

/**
 * Allocation for the moldable head of the queue now (Huang et al. 2009): all requested processors
 * if free; otherwise all free processors at the site with the most free power, if that is better
 * than waiting. Undefined if the job waits.
 */
export function allocateMoldableHead(
  simulation: Simulation,
  queue: JobRecord[],
  now: number,
): AllocatedPart | undefined {
  const head = queue[0]!;
  const sitesWithRoom = simulation.grid.filter((site) => countFree(site) >= head.processors);
  if (sitesWithRoom.length > 0) {
    const site = findBestSuitedSite(simulation, head, sitesWithRoom);
    const scalesUp = simulation.options.moldable === 'up-down' && queue.length === 1;
    return { site: site.index, processors: scalesUp ? countFree(site) : head.processors };
  }
  const sitesWithAnyFree = simulation.grid.filter((site) => countFree(site) > 0);
  if (sitesWithAnyFree.length === 0) return undefined;
  const site = siteWithSmallestKey(
    sitesWithAnyFree,
    (candidate) => -(countFree(candidate) * candidate.speed),
  );
  if (!isBetterScaledDown(simulation, head, site, now)) return undefined;
  return { site: site.index, processors: countFree(site) };
}

/**
 * Site that suits the job best, among those with enough free processors (Huang et al. 2009, Fig.
 * 1).
 */
function findBestSuitedSite({ options }: Simulation, job: JobRecord, sites: ReferenceSite[]): ReferenceSite {
  const needed = job.processors * options.speeds[job.home]!; // the job's power at home
  return siteWithSmallestKey(sites, (site) => {
    switch (options.moldableFit ?? 'demand') {
      case 'demand':
        return Math.abs(countFree(site) - needed / site.speed);
      case 'processors':
        return countFree(site);
      case 'power':
        return Math.abs(countFree(site) * site.speed - needed);
    }
  });
}

/** The first site, in index order, with the smallest key. */
function siteWithSmallestKey(sites: ReferenceSite[], key: (site: ReferenceSite) => number): ReferenceSite {
  let best = sites[0]!;
  for (const site of sites) if (key(site) < key(best)) best = site;
  return best;
}

/**
 * True if the job starts now on all free processors of the site: always without a threshold x or if
 * the whole site is free; otherwise if Tsd <= x To, with predicted turnarounds from now.
 */
function isBetterScaledDown(
  simulation: Simulation,
  job: JobRecord,
  site: ReferenceSite,
  now: number,
): boolean {
  const { options } = simulation;
  const free = countFree(site);
  if (options.moldableThreshold === undefined || free === site.capacity) return true;
  const scaledDownLength = predictMoldableLength(job, free, site.speed, options); // Tsd
  return scaledDownLength <= options.moldableThreshold * turnaroundIfJobWaits(simulation, job, site, now);
}

/**
 * Turnaround To in seconds: time until the site has the requested processors, plus the length on them; for a
 * job wider than the site, time until the whole site is free, plus the length on it.
 */
function turnaroundIfJobWaits(
  simulation: Simulation,
  job: JobRecord,
  site: ReferenceSite,
  now: number,
): number {
  const { options } = simulation;
  if (job.processors > site.capacity) {
    const length = predictMoldableLength(job, site.capacity, site.speed, options);
    return secondsUntilProcessorsFree(simulation, site, site.capacity, now) + length;
  }
  const length = (job.estimate * options.load[job.home]!) / site.speed;
  return secondsUntilProcessorsFree(simulation, site, job.processors, now) + length;
}

/**
 * Seconds until the site has this many free processors if its running jobs end as predicted,
 * overdue ones at once. Equal ends follow the job index.
 */
function secondsUntilProcessorsFree(
  simulation: Simulation,
  site: ReferenceSite,
  needed: number,
  now: number,
): number {
  const runningJobs = simulation.running
    .filter((job) => job.parts[0]!.site === site.index)
    .map((job) => ({ processors: job.parts[0]!.processors, end: predictedEnd(simulation, job, site) }))
    .sort((one, other) => one.end - other.end);
  let free = countFree(site);
  for (const { processors, end } of runningJobs) {
    free += processors;
    if (free >= needed) return Math.max(0, end - now);
  }
  throw new Error(`site ${site.index} never has ${needed} free processors`);
}

function predictedEnd({ options }: Simulation, job: JobRecord, site: ReferenceSite): number {
  return job.start + predictMoldableLength(job, job.parts[0]!.processors, site.speed, options);
}
