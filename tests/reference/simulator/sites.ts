import type { ReferenceJob } from './types.js';

/** Attributes of a job that a policy may use; its runtime is not among them. */
export type VisibleJob = Pick<ReferenceJob, 'processors' | 'home' | 'partition'>;

/** A site as a policy sees it. */
export interface VisibleSite {
  index: number;
  speed: number;
  freeProcessors: number;
}

/** The job to place now and everything on which the decision may depend. */
export interface AllocationQuestion {
  job: VisibleJob;
  /** Waiting jobs in queue order, including the job to place. */
  waitingQueue: VisibleJob[];
  /** Jobs that no limit holds back. */
  eligible: VisibleJob[];
  /** All sites, in index order. */
  sites: VisibleSite[];
  /** True if the job met an empty queue and this is the pass of its submission: situation (a). */
  metEmptyQueue: boolean;
  minSpeedRatio: number;
  /** Sites of each partition, if there are partitions. */
  partitions?: number[][] | undefined;
  /** Sites that the policy may choose, if not all; the look-ahead ignores this. */
  safe?: number[];
}

/**
 * True if the job may run on a site of this speed: at least `minSpeedRatio` times as fast as the
 * job's home (Huang et al. 2007, section 4).
 */
export function isSpeedSufficient(speed: number, homeSpeed: number, minSpeedRatio: number): boolean {
  return speed >= minSpeedRatio * homeSpeed;
}

/** True if the job's partition has the site. */
export function isInPartition(
  { partition }: Pick<VisibleJob, 'partition'>,
  site: number,
  partitions: number[][] | undefined,
): boolean {
  if (partitions === undefined || partition === undefined) return true;
  return partitions[partition - 1]!.includes(site);
}

/** Sites with enough free processors for the job that it may use, in index order. */
export function feasibleSites(
  job: VisibleJob,
  sites: VisibleSite[],
  { minSpeedRatio, partitions }: Pick<AllocationQuestion, 'minSpeedRatio' | 'partitions'>,
): VisibleSite[] {
  const homeSpeed = sites[job.home]!.speed;
  return sites.filter(
    (site) =>
      site.freeProcessors >= job.processors &&
      isSpeedSufficient(site.speed, homeSpeed, minSpeedRatio) &&
      isInPartition(job, site.index, partitions),
  );
}

/** First candidate that no other beats; ties go to the lowest index. */
function firstUnbeatenSite(
  candidates: VisibleSite[],
  isBetterSite: (site: VisibleSite, best: VisibleSite) => boolean,
): VisibleSite {
  let best = candidates[0]!;
  for (const site of candidates) if (isBetterSite(site, best)) best = site;
  return best;
}

/** Best-fit: the site with the fewest free processors left (Shih et al. 2010, section 4.1). */
export function chooseBestFit(job: VisibleJob, candidates: VisibleSite[]): VisibleSite {
  const left = (site: VisibleSite) => site.freeProcessors - job.processors;
  return firstUnbeatenSite(candidates, (site, best) => left(site) < left(best));
}

/** Best-fit among all sites but best-fit's; if there is no other, best-fit's. */
export function chooseSecondBestFit(job: VisibleJob, candidates: VisibleSite[]): VisibleSite {
  const best = chooseBestFit(job, candidates);
  const otherEntries = candidates.filter((site) => site !== best);
  return otherEntries.length === 0 ? best : chooseBestFit(job, otherEntries);
}

/** Worst-fit: the site with the most free processors left. */
export function chooseWorstFit(job: VisibleJob, candidates: VisibleSite[]): VisibleSite {
  const left = (site: VisibleSite) => site.freeProcessors - job.processors;
  return firstUnbeatenSite(candidates, (site, best) => left(site) > left(best));
}

/** Fastest-first: the fastest site with enough free processors (Shih et al. 2010, section 4.1). */
export function chooseFastestFirst(candidates: VisibleSite[]): VisibleSite {
  return firstUnbeatenSite(candidates, (site, best) => site.speed > best.speed);
}
