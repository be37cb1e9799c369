import { lookAheadAfterPlacement } from './lookAhead.js';
import type { AllocationQuestion, VisibleSite } from './sites.js';
import type { AllocatedPart, MultiSite } from './types.js';

/**
 * Splits the job over several sites (Huang et al. 2007, section 6) when no single site fits;
 * undefined if the grid has too few free processors. The speed ratio does not apply: an excluded
 * site may give processors, and may even be the only one that does.
 */
export function splitJobOverSites(
  question: AllocationQuestion,
  kind: MultiSite,
): AllocatedPart[] | undefined {
  let free = 0;
  for (const site of question.sites) free += site.freeProcessors;
  if (free < question.job.processors) return undefined;
  switch (kind) {
    case 'larger-first':
      return splitLargerSitesFirst(question);
    case 'faster-first':
      return splitFasterSitesFirst(question);
    case 'adaptive':
      return splitAdaptively(question);
  }
}

function splitLargerSitesFirst(question: AllocationQuestion): AllocatedPart[] {
  return takeSitesInOrder(question, (one, other) => other.freeProcessors - one.freeProcessors);
}

function splitFasterSitesFirst(question: AllocationQuestion): AllocatedPart[] {
  return takeSitesInOrder(question, (one, other) => other.speed - one.speed);
}

/**
 * Takes all free processors of one site after the other; the last gives only what is still needed.
 * The sort is stable, so equal sites keep their index order.
 */
function takeSitesInOrder(
  question: AllocationQuestion,
  order: (one: VisibleSite, other: VisibleSite) => number,
): AllocatedPart[] {
  const parts: AllocatedPart[] = [];
  let needed = question.job.processors;
  for (const site of [...question.sites].sort(order)) {
    const processors = Math.min(needed, site.freeProcessors);
    if (processors > 0) parts.push({ site: site.index, processors });
    needed -= processors;
  }
  return parts;
}

/**
 * The split after which more queued jobs could start at once on single sites; if equal, the one
 * with the faster slowest site, then larger-first.
 */
function splitAdaptively(question: AllocationQuestion): AllocatedPart[] {
  const largerParts = splitLargerSitesFirst(question);
  const fasterParts = splitFasterSitesFirst(question);
  const afterLarger = lookAheadAfterPlacement(question, largerParts, 'prefix').allocations;
  const afterFaster = lookAheadAfterPlacement(question, fasterParts, 'prefix').allocations;
  if (afterLarger !== afterFaster) return afterLarger > afterFaster ? largerParts : fasterParts;
  return slowestSpeedOfParts(fasterParts, question.sites) > slowestSpeedOfParts(largerParts, question.sites)
    ? fasterParts
    : largerParts;
}

/** Speed of the slowest site of an allocation. */
export function slowestSpeedOfParts(parts: AllocatedPart[], sites: { speed: number }[]): number {
  return Math.min(...parts.map((part) => sites[part.site]!.speed));
}
