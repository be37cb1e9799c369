import { bestFit, feasibleSites, type Question, type VisibleSite } from './sites.js';

/** What the queue could start at once after a placement. */
export interface LookAhead {
  /** Jobs placed, the job in question included: TNoA. */
  allocations: number;
  /** Sum of speed times processors over them, added in queue order: TCC. */
  computingCapacity: number;
}

/**
 * Puts the job on the site in a copy of the grid, then the jobs behind it by best-fit, one after the other
 * (Shih et al. 2010, eqs. 8, 9, 10, 13, 14, 15). With `prefix` the first that fits nowhere ends it, as eq. 8
 * is printed; with `all` such a job is passed over. Every follower keeps to its own home's speed ratio.
 */
export function lookAhead(question: Question, chosen: VisibleSite, count: 'prefix' | 'all'): LookAhead {
  const sites = question.sites.map((site) => ({ ...site }));
  let allocations = 0;
  let computingCapacity = 0;

  function place(processors: number, site: VisibleSite): void {
    site.freeProcessors -= processors;
    allocations += 1;
    computingCapacity += site.speed * processors;
  }

  place(question.job.processors, sites[chosen.index]!);
  const behind = question.waitingQueue.indexOf(question.job) + 1;
  for (const follower of question.waitingQueue.slice(behind)) {
    const candidates = feasibleSites(follower, sites, question.minSpeedRatio);
    if (candidates.length > 0) place(follower.processors, bestFit(follower, candidates));
    else if (count === 'prefix') break;
  }
  return { allocations, computingCapacity };
}
