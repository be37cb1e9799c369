import { bestFit, feasibleSites, type Question, type VisibleSite } from './sites.js';
import type { Part } from './types.js';

/** Jobs of the queue that could start at once after a placement. */
export interface LookAhead {
  /** Jobs placed, the job in question included: TNoA. */
  allocations: number;
  /** Sum of speed times processors over them, added in queue order: TCC. */
  computingCapacity: number;
}

/**
 * Puts the job where `parts` say in a copy of the grid, then the jobs behind it on single sites by best-fit,
 * one after the other (Shih et al. 2010, eqs. 8, 9, 10, 13, 14, 15). With `prefix` the first that fits nowhere
 * ends it, as eq. 8 is printed; with `all` such a job is passed over. Every follower keeps to its own home's
 * speed ratio.
 */
export function lookAhead(question: Question, parts: Part[], count: 'prefix' | 'all'): LookAhead {
  const sites = question.sites.map((site) => ({ ...site }));
  let allocations = 1;
  let computingCapacity = 0;

  function take(processors: number, site: VisibleSite): void {
    site.freeProcessors -= processors;
    computingCapacity += site.speed * processors;
  }

  for (const part of parts) take(part.processors, sites[part.site]!);
  const behind = question.waitingQueue.indexOf(question.job) + 1;
  for (const follower of question.waitingQueue.slice(behind)) {
    const candidates = feasibleSites(follower, sites, question.minSpeedRatio);
    if (candidates.length > 0) {
      take(follower.processors, bestFit(follower, candidates));
      allocations += 1;
    } else if (count === 'prefix') break;
  }
  return { allocations, computingCapacity };
}
