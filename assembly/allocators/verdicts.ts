import { Simulation } from '../memory/state';
import { speedOf } from '../grid/sites';
import { IS_RECORDING_BUILD, note, Note } from '../record/log';
import { compareTwoSites } from './compare';
import { lookAhead, lookAheadOfWholeQueue } from './lookAhead';
import { isFastestSiteFaster, hasFoundQueueEmpty, isLoadAbove } from './signals';

/** Situation of a job for which best-fit and fastest-first choose different sites. */
export enum JobSituation {
  /** Situation (a): the job found the queue empty (Shih et al. 2010, Table 2). */
  QueueEmpty,
  /**
   * Situation (b): the queue was not empty, and SL is at most the method's threshold (low) or above it
   * (high).
   */
  LoadLow,
  LoadHigh,
}

/**
 * Preference of a method, or the comparison that decides it. A verdict depends only on the situation, the
 * method's parameters and SH, so methods that decide alike can be found before a run (sharedPolicies.ts).
 */
export enum SiteVerdict {
  BestFit,
  FastestFirst,
  /** Fastest-first if its site is faster (eq. 7). */
  Faster,
  /** Look-ahead of AI by number of jobs, and its variant that skips jobs that fit nowhere. */
  MoreJobs,
  MoreJobsOfAll,
  /** Look-ahead of AI2 by computing capacity. */
  MoreCapacity,
}

/** Site chosen by a method that is described by its verdicts; methods that use SL also have a `threshold`. */
@inline
export function chooseByVerdict<M, S>(simulation: Simulation, job: i32): i32 {
  return compareTwoSites<VerdictComparison<M, S>, S>(changetype<VerdictComparison<M, S>>(0), simulation, job);
}

@final
@unmanaged
class VerdictComparison<M, S> {
  /** A separate call per situation lets the compiler remove tests of constant verdicts. */
  @inline
  prefersFastest(simulation: Simulation, job: i32, bestFitSite: i32, fastestFirstSite: i32): bool {
    const comparisonMethod = changetype<M>(0);
    if (hasFoundQueueEmpty(simulation, job)) {
      const verdict = comparisonMethod.verdict(simulation, JobSituation.QueueEmpty);
      return prefersFastestSite<S>(verdict, simulation, job, bestFitSite, fastestFirstSite);
    }
    if (isDefined(comparisonMethod.threshold)) {
      if (isLoadAbove(simulation, job, comparisonMethod.threshold(simulation))) {
        const verdict = comparisonMethod.verdict(simulation, JobSituation.LoadHigh);
        return prefersFastestSite<S>(verdict, simulation, job, bestFitSite, fastestFirstSite);
      }
    }
    const verdict = comparisonMethod.verdict(simulation, JobSituation.LoadLow);
    return prefersFastestSite<S>(verdict, simulation, job, bestFitSite, fastestFirstSite);
  }
}

/** True if a verdict results in fastest-first. */
@inline
export function prefersFastestSite<S>(
  verdict: SiteVerdict,
  simulation: Simulation,
  job: i32,
  bestFitSite: i32,
  fastestFirstSite: i32,
): bool {
  if (verdict === SiteVerdict.BestFit) return false;
  if (verdict === SiteVerdict.FastestFirst) return true;
  if (verdict === SiteVerdict.Faster) return isFastestSiteFaster(simulation, bestFitSite, fastestFirstSite);
  if (verdict === SiteVerdict.MoreCapacity) {
    return doesFastestGiveMoreCapacity<S>(simulation, job, bestFitSite, fastestFirstSite);
  }
  return doesFastestPlaceMoreJobs<S>(
    simulation,
    job,
    bestFitSite,
    fastestFirstSite,
    verdict === SiteVerdict.MoreJobsOfAll,
  );
}

/** Decision of AI (eqs. 11 and 12). */
@inline
function doesFastestPlaceMoreJobs<S>(
  simulation: Simulation,
  job: i32,
  bestFit: i32,
  fastestFirst: i32,
  countsAllJobs: bool,
): bool {
  const bestFitPlacedJobCount = countPlacedJobs<S>(simulation, job, bestFit, countsAllJobs);
  const fastestFirstPlacedJobCount = countPlacedJobs<S>(simulation, job, fastestFirst, countsAllJobs);
  const speed = speedOf(bestFit);
  const score =
    speedOf(fastestFirst) - speed - <f64>(bestFitPlacedJobCount - fastestFirstPlacedJobCount) * speed;
  if (IS_RECORDING_BUILD) {
    note(
      Note.JobsPlaced,
      <f64>bestFitPlacedJobCount,
      <f64>fastestFirstPlacedJobCount,
      score,
      <f64>i32(countsAllJobs),
    );
  }
  return score >= 0;
}

@inline
function countPlacedJobs<S>(simulation: Simulation, job: i32, site: i32, countsAllJobs: bool): i32 {
  return countsAllJobs
    ? lookAheadOfWholeQueue<S>(simulation, job, site)
    : lookAhead<i32, S>(simulation, job, site);
}

/** Decision of AI2 (eqs. 16 and 17, written without divisions). */
@inline
function doesFastestGiveMoreCapacity<S>(
  simulation: Simulation,
  job: i32,
  bestFitSite: i32,
  fastestFirstSite: i32,
): bool {
  const capacityWithFastestFirst = lookAhead<f64, S>(simulation, job, fastestFirstSite);
  const capacityWithBestFit = lookAhead<f64, S>(simulation, job, bestFitSite);
  if (IS_RECORDING_BUILD) note(Note.CapacityPlaced, capacityWithBestFit, capacityWithFastestFirst);
  return speedOf(fastestFirstSite) * capacityWithFastestFirst > speedOf(bestFitSite) * capacityWithBestFit;
}

/** Preference of a policy that is no choice between best-fit and fastest-first. */
export const NO_PREFERENCE: i32 = -1;

/**
 * Encodes a policy's verdicts in all situations as one number; `areDecisionsCounted` if its decisions are
 * counted.
 */
@inline
export function packPreference(
  areDecisionsCounted: bool,
  verdictForEmptyQueue: SiteVerdict,
  verdictForLowLoad: SiteVerdict,
  verdictForHighLoad: SiteVerdict,
): i32 {
  return (
    verdictForEmptyQueue |
    (verdictForLowLoad << 4) |
    (verdictForHighLoad << 8) |
    (i32(areDecisionsCounted) << 12)
  );
}

/** Decodes the verdict in a situation. */
@inline
export function verdictInSituation(policyPreference: i32, situation: JobSituation): SiteVerdict {
  return (policyPreference >> (4 * situation)) & 15;
}

/** Decodes the verdicts without the counting flag. */
@inline
export function comparisonRuleOf(policyPreference: i32): i32 {
  return policyPreference & 0xfff;
}

/** Decodes whether the policy counts its decisions. */
@inline
export function isDecisionCounted(policyPreference: i32): bool {
  return policyPreference >> 12 !== 0;
}
