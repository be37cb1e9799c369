import { type AllocationQuestion, chooseBestFit, feasibleSites, type VisibleSite } from './sites.js';
import type { AllocatedPart } from './types.js';

/** Jobs of the queue that could start at once after a placement. */
export interface LookAheadResult {
  /** Number of jobs placed, including the job to place: TNoA. */
  allocations: number;
  /** Sum of speed times processors of these jobs, in queue order: TCC. */
  computingCapacity: number;
}

/**
 * Places the job as `parts` say in a copy of the grid, then the jobs behind it on single sites by
 * best-fit (Shih et al. 2010, eqs. 8, 9, 10, 13, 14, 15). With `prefix` it ends at the first job
 * that fits nowhere, as eq. 8 is printed; with `all` it skips such jobs. Each job keeps to the
 * speed ratio of its own home.
 */
export function lookAheadAfterPlacement(
  question: AllocationQuestion,
  parts: AllocatedPart[],
  count: 'prefix' | 'all',
): LookAheadResult {
  const sites = question.sites.map((site) => ({ ...site }));
  let placedJobCount = 1;
  let computingCapacity = 0;

  function takeProcessors(processors: number, site: VisibleSite): void {
    site.freeProcessors -= processors;
    computingCapacity += site.speed * processors;
  }

  for (const part of parts) takeProcessors(part.processors, sites[part.site]!);
  const behind = question.eligible.indexOf(question.job) + 1;
  for (const runFollower of question.eligible.slice(behind)) {
    const candidates = feasibleSites(runFollower, sites, question);
    if (candidates.length > 0) {
      takeProcessors(runFollower.processors, chooseBestFit(runFollower, candidates));
      placedJobCount += 1;
    } else if (count === 'prefix') break;
  }
  return { allocations: placedJobCount, computingCapacity };
}
