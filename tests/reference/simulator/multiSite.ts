import { lookAhead } from './lookAhead.js';
import type { Question, VisibleSite } from './sites.js';
import type { MultiSite, Part } from './types.js';

/**
 * Splits the job over several sites (Huang et al. 2007, section 6) when no single site fits;
 * undefined if the grid has too few free processors. The speed ratio does not apply: an excluded
 * site may give processors, and may even be the only one that does.
 */
export function split(question: Question, kind: MultiSite): Part[] | undefined {
  let free = 0;
  for (const site of question.sites) free += site.freeProcessors;
  if (free < question.job.processors) return undefined;
  switch (kind) {
    case 'larger-first':
      return largerFirst(question);
    case 'faster-first':
      return fasterFirst(question);
    case 'adaptive':
      return adaptive(question);
  }
}

function largerFirst(question: Question): Part[] {
  return takeInOrder(question, (one, other) => other.freeProcessors - one.freeProcessors);
}

function fasterFirst(question: Question): Part[] {
  return takeInOrder(question, (one, other) => other.speed - one.speed);
}

/**
 * Takes all free processors of one site after the other; the last gives only what is still needed.
 * The sort is stable, so equal sites keep their index order.
 */
function takeInOrder(question: Question, order: (one: VisibleSite, other: VisibleSite) => number): Part[] {
  const parts: Part[] = [];
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
function adaptive(question: Question): Part[] {
  const largerParts = largerFirst(question);
  const fasterParts = fasterFirst(question);
  const afterLarger = lookAhead(question, largerParts, 'prefix').allocations;
  const afterFaster = lookAhead(question, fasterParts, 'prefix').allocations;
  if (afterLarger !== afterFaster) return afterLarger > afterFaster ? largerParts : fasterParts;
  return slowestSpeed(fasterParts, question.sites) > slowestSpeed(largerParts, question.sites)
    ? fasterParts
    : largerParts;
}

/** Speed of the slowest site of an allocation. */
export function slowestSpeed(parts: Part[], sites: { speed: number }[]): number {
  return Math.min(...parts.map((part) => sites[part.site]!.speed));
}
