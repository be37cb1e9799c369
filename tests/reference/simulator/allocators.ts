import { type LookAheadResult, lookAheadAfterPlacement } from './lookAhead.js';
import {
  type AllocationQuestion,
  chooseBestFit,
  chooseFastestFirst,
  chooseSecondBestFit,
  chooseWorstFit,
  feasibleSites,
  type VisibleSite,
} from './sites.js';
import { speedHeterogeneity } from './speedHeterogeneity.js';
import type { SplitMix64 } from './splitMix64.js';

/** Sites chosen by best-fit and by fastest-first for the same decision. */
export interface BestFitAndFastestSites {
  bestFit: VisibleSite;
  fastestFirst: VisibleSite;
}

/** The allocator whose site a comparing policy takes. */
export type PreferredAllocator = 'bestFit' | 'fastestFirst';

/**
 * The chosen site and, for policies that compare best-fit with fastest-first, the result of the
 * comparison.
 */
export interface AllocationAnswer {
  site: VisibleSite;
  comparison?: 'agreed' | PreferredAllocator;
}

/** A policy with its parameters and, for `random`, its pseudo-random generator. */
export interface ReferencePolicy {
  name: string;
  parameters: Record<string, number | string>;
  generator: SplitMix64;
}

/** Site on which the job starts now; undefined if no site is feasible. */
export function chooseSiteForJob(
  question: AllocationQuestion,
  policy: ReferencePolicy,
): AllocationAnswer | undefined {
  const { job, sites, safe } = question;
  const candidates = feasibleSites(job, sites, question).filter((site) => safe?.includes(site.index) ?? true);
  if (candidates.length === 0) return undefined;
  switch (policy.name) {
    case 'best-fit':
      return { site: chooseBestFit(job, candidates) };
    case 'fastest-first':
      return { site: chooseFastestFirst(candidates) };
    case 'first-fit':
      return { site: candidates[0]! };
    case 'worst-fit':
      return { site: chooseWorstFit(job, candidates) };
    case 'second-best-fit':
      // Not in the core by default; a test compiles a core with this policy.
      return { site: chooseSecondBestFit(job, candidates) };
    case 'random':
      // One draw per decision, even if only one site is feasible.
      return { site: candidates[policy.generator.below(candidates.length)]! };
    default: {
      const rivalSites = {
        bestFit: chooseBestFit(job, candidates),
        fastestFirst: chooseFastestFirst(candidates),
      };
      // If both choose the same site, there is nothing to decide (Shih et al. 2010, Fig. 1).
      if (rivalSites.bestFit === rivalSites.fastestFirst)
        return { site: rivalSites.bestFit, comparison: 'agreed' };
      const winningSite = chooseBetweenAllocators(question, rivalSites, policy);
      return { site: rivalSites[winningSite], comparison: winningSite };
    }
  }
}

function chooseBetweenAllocators(
  question: AllocationQuestion,
  rivalSites: BestFitAndFastestSites,
  policy: ReferencePolicy,
): PreferredAllocator {
  switch (policy.name) {
    case 'si':
      return decideStaticIntelligent(question);
    case 'ti':
      return decideThresholdIntelligent(
        question,
        policyNumberParameter(policy, 'sht', 0.05),
        policyNumberParameter(policy, 'slt', 2),
      );
    case 'ai':
      return decideAdaptive(question, rivalSites, policyCountParameter(policy));
    case 'ai2':
      return decideAdaptive2(question, rivalSites);
    case 'tai':
      return decideThresholdAdaptive(
        question,
        policyNumberParameter(policy, 'sht', 0.05),
        policyNumberParameter(policy, 'slt', 1.5),
        () => decideAdaptive(question, rivalSites, policyCountParameter(policy)),
      );
    case 'tai2':
      return decideThresholdAdaptive(
        question,
        policyNumberParameter(policy, 'sht', 0.05),
        policyNumberParameter(policy, 'slt', 1),
        () => decideAdaptive2(question, rivalSites),
      );
    default:
      throw new Error(`the reference knows no policy '${policy.name}'`);
  }
}

function policyNumberParameter(policy: ReferencePolicy, parameter: string, defaultValue: number): number {
  return Number(policy.parameters[parameter] ?? defaultValue);
}

function policyCountParameter(policy: ReferencePolicy): 'prefix' | 'all' {
  return policy.parameters.count === 'all' ? 'all' : 'prefix';
}

/**
 * True if the system loading (eq. 4) exceeds the threshold: processors requested by the whole queue
 * over free processors of the whole grid (at least 1), compared without a division.
 */
function isLoadingHigh(question: AllocationQuestion, slt: number): boolean {
  let requested = 0;
  for (const job of question.waitingQueue) requested += job.processors;
  let free = 0;
  for (const site of question.sites) free += site.freeProcessors;
  return requested > slt * Math.max(1, free);
}

function isHeterogeneityHigh(question: AllocationQuestion, sht: number): boolean {
  return speedHeterogeneity(question.sites.map((site) => site.speed)) > sht;
}

/** SI (eq. 2): fastest-first if no other job waits, otherwise best-fit. */
function decideStaticIntelligent(question: AllocationQuestion): PreferredAllocator {
  return question.metEmptyQueue ? 'fastestFirst' : 'bestFit';
}

/**
 * TI: best-fit in situation (a) unless speeds differ much (eq. 5), and in situation (b) if the
 * loading is high (eq. 6).
 */
function decideThresholdIntelligent(
  question: AllocationQuestion,
  sht: number,
  slt: number,
): PreferredAllocator {
  if (question.metEmptyQueue) return isHeterogeneityHigh(question, sht) ? 'fastestFirst' : 'bestFit';
  return isLoadingHigh(question, slt) ? 'bestFit' : 'fastestFirst';
}

/**
 * AI and AI2 in situation (a) (eq. 7): best-fit if its site is as fast, otherwise fastest-first.
 */
function compareSpeedsAlone(rivalSites: BestFitAndFastestSites): PreferredAllocator {
  return rivalSites.bestFit.speed >= rivalSites.fastestFirst.speed ? 'bestFit' : 'fastestFirst';
}

/** Look-aheads with the job on best-fit's site and on fastest-first's site. */
function lookAheadAtBothSites(
  question: AllocationQuestion,
  rivalSites: BestFitAndFastestSites,
  count: 'prefix' | 'all',
): Record<PreferredAllocator, LookAheadResult> {
  const { processors } = question.job;
  const lookAheadIfAt = (site: VisibleSite) =>
    lookAheadAfterPlacement(question, [{ site: site.index, processors }], count);
  return { bestFit: lookAheadIfAt(rivalSites.bestFit), fastestFirst: lookAheadIfAt(rivalSites.fastestFirst) };
}

/**
 * AI in situation (b) (eqs. 11, 12): weighs the speed gained against the jobs that could no longer
 * start; a score of 0 means fastest-first.
 */
function decideAdaptive(
  question: AllocationQuestion,
  rivalSites: BestFitAndFastestSites,
  count: 'prefix' | 'all',
): PreferredAllocator {
  if (question.metEmptyQueue) return compareSpeedsAlone(rivalSites);
  const ahead = lookAheadAtBothSites(question, rivalSites, count);
  const fewer = ahead.bestFit.allocations - ahead.fastestFirst.allocations; // TNoA_bf - TNoA_ff
  const score = rivalSites.fastestFirst.speed - rivalSites.bestFit.speed - fewer * rivalSites.bestFit.speed;
  return score >= 0 ? 'fastestFirst' : 'bestFit';
}

/**
 * AI2 in situation (b) (eqs. 16, 17): fastest-first only if CS_ff x TCC_ff is strictly greater than
 * CS_bf x TCC_bf.
 */
function decideAdaptive2(
  question: AllocationQuestion,
  rivalSites: BestFitAndFastestSites,
): PreferredAllocator {
  if (question.metEmptyQueue) return compareSpeedsAlone(rivalSites);
  const ahead = lookAheadAtBothSites(question, rivalSites, 'prefix');
  const capacityOfFastest = rivalSites.fastestFirst.speed * ahead.fastestFirst.computingCapacity;
  const capacityOfBest = rivalSites.bestFit.speed * ahead.bestFit.computingCapacity;
  return capacityOfFastest > capacityOfBest ? 'fastestFirst' : 'bestFit';
}

/**
 * TAI and TAI2 (Shih et al. 2010, Table 3): best-fit or fastest-first where one is known to be
 * better, otherwise the adaptive method. In situation (a) the loading counts as low.
 */
function decideThresholdAdaptive(
  question: AllocationQuestion,
  sht: number,
  slt: number,
  decideOtherwise: () => PreferredAllocator,
): PreferredAllocator {
  const isHeterogeneous = isHeterogeneityHigh(question, sht);
  const loaded = !question.metEmptyQueue && isLoadingHigh(question, slt);
  if (!isHeterogeneous && loaded) return 'bestFit';
  if (isHeterogeneous && !loaded) return 'fastestFirst';
  return decideOtherwise();
}
