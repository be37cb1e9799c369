import type { ReferenceJob } from './types.js';

/** All that a policy may know of a job: its runtime is not among it. */
export type VisibleJob = Pick<ReferenceJob, 'processors' | 'home'>;

/** A site as a policy sees it. */
export interface VisibleSite {
  index: number;
  speed: number;
  freeProcessors: number;
}

/** The job to be placed now and everything the answer may depend on. */
export interface Question {
  job: VisibleJob;
  /** Jobs waiting now, in queue order; the job to be placed is one of them. */
  waitingQueue: VisibleJob[];
  /** All sites, in index order. */
  sites: VisibleSite[];
  /** True when the job met an empty queue and this is the pass of its own submit: situation (a). */
  metEmptyQueue: boolean;
  minSpeedRatio: number;
  /** The sites that the answer may name, where these are not all; the look-ahead knows nothing of it. */
  safe?: number[];
}

/** May the job run here at all: the site must be at least `minSpeedRatio` times as fast as the job's home
 *  (Huang et al. 2007, section 4). */
export function isFastEnough(speed: number, homeSpeed: number, minSpeedRatio: number): boolean {
  return speed >= minSpeedRatio * homeSpeed;
}

/** The sites that have room for the job now and are fast enough for it, in index order. */
export function feasibleSites(job: VisibleJob, sites: VisibleSite[], minSpeedRatio: number): VisibleSite[] {
  const homeSpeed = sites[job.home]!.speed;
  return sites.filter(
    (site) => site.freeProcessors >= job.processors && isFastEnough(site.speed, homeSpeed, minSpeedRatio),
  );
}

/** First candidate that no other beats; ties go to the lowest index. */
function firstBest(
  candidates: VisibleSite[],
  beats: (site: VisibleSite, best: VisibleSite) => boolean,
): VisibleSite {
  let best = candidates[0]!;
  for (const site of candidates) if (beats(site, best)) best = site;
  return best;
}

/** Best-fit: the site that will have the fewest processors left over (Shih et al. 2010, section 4.1). */
export function bestFit(job: VisibleJob, candidates: VisibleSite[]): VisibleSite {
  const left = (site: VisibleSite) => site.freeProcessors - job.processors;
  return firstBest(candidates, (site, best) => left(site) < left(best));
}

/** Best-fit of all but best-fit's site; where there is no other, that. */
export function secondBestFit(job: VisibleJob, candidates: VisibleSite[]): VisibleSite {
  const best = bestFit(job, candidates);
  const others = candidates.filter((site) => site !== best);
  return others.length === 0 ? best : bestFit(job, others);
}

/** Worst-fit: the site that will have the most processors left over. */
export function worstFit(job: VisibleJob, candidates: VisibleSite[]): VisibleSite {
  const left = (site: VisibleSite) => site.freeProcessors - job.processors;
  return firstBest(candidates, (site, best) => left(site) > left(best));
}

/** Fastest-first: the fastest site with room (Shih et al. 2010, section 4.1). */
export function fastestFirst(candidates: VisibleSite[]): VisibleSite {
  return firstBest(candidates, (site, best) => site.speed > best.speed);
}
