import { Simulation } from '../memory/state';
import { speedOf } from '../grid/sites';
import { RECORDED, note, Note } from '../record/log';
import { compare } from './compare';
import { lookAhead, lookAheadOfAll } from './lookAhead';
import { fastestIsFaster, foundQueueEmpty, loadIsHigh } from './signals';

/** Situation of a job for which best-fit and fastest-first choose different sites. */
export enum Situation {
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
export enum Verdict {
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
  return compare<ByVerdict<M, S>, S>(changetype<ByVerdict<M, S>>(0), simulation, job);
}

@final
@unmanaged
class ByVerdict<M, S> {
  /** A separate call per situation lets the compiler remove tests of constant verdicts. */
  @inline
  prefersFastest(simulation: Simulation, job: i32, bestFit: i32, fastestFirst: i32): bool {
    const method = changetype<M>(0);
    if (foundQueueEmpty(simulation, job)) {
      const verdict = method.verdict(simulation, Situation.QueueEmpty);
      return favoursFastest<S>(verdict, simulation, job, bestFit, fastestFirst);
    }
    if (isDefined(method.threshold)) {
      if (loadIsHigh(simulation, job, method.threshold(simulation))) {
        const verdict = method.verdict(simulation, Situation.LoadHigh);
        return favoursFastest<S>(verdict, simulation, job, bestFit, fastestFirst);
      }
    }
    const verdict = method.verdict(simulation, Situation.LoadLow);
    return favoursFastest<S>(verdict, simulation, job, bestFit, fastestFirst);
  }
}

/** True if a verdict results in fastest-first. */
@inline
export function favoursFastest<S>(
  verdict: Verdict,
  simulation: Simulation,
  job: i32,
  bestFit: i32,
  fastestFirst: i32,
): bool {
  if (verdict === Verdict.BestFit) return false;
  if (verdict === Verdict.FastestFirst) return true;
  if (verdict === Verdict.Faster) return fastestIsFaster(simulation, bestFit, fastestFirst);
  if (verdict === Verdict.MoreCapacity) {
    return moreCapacityWithFastest<S>(simulation, job, bestFit, fastestFirst);
  }
  return moreJobsWithFastest<S>(simulation, job, bestFit, fastestFirst, verdict === Verdict.MoreJobsOfAll);
}

/** Decision of AI (eqs. 11 and 12). */
@inline
function moreJobsWithFastest<S>(
  simulation: Simulation,
  job: i32,
  bestFit: i32,
  fastestFirst: i32,
  countAll: bool,
): bool {
  const placedByBestFit = placed<S>(simulation, job, bestFit, countAll);
  const placedByFastest = placed<S>(simulation, job, fastestFirst, countAll);
  const speed = speedOf(bestFit);
  const score = speedOf(fastestFirst) - speed - <f64>(placedByBestFit - placedByFastest) * speed;
  if (RECORDED) {
    note(Note.JobsPlaced, <f64>placedByBestFit, <f64>placedByFastest, score, <f64>i32(countAll));
  }
  return score >= 0;
}

@inline
function placed<S>(simulation: Simulation, job: i32, site: i32, countAll: bool): i32 {
  return countAll ? lookAheadOfAll<S>(simulation, job, site) : lookAhead<i32, S>(simulation, job, site);
}

/** Decision of AI2 (eqs. 16 and 17, written without divisions). */
@inline
function moreCapacityWithFastest<S>(simulation: Simulation, job: i32, bestFit: i32, fastestFirst: i32): bool {
  const byFastest = lookAhead<f64, S>(simulation, job, fastestFirst);
  const byBestFit = lookAhead<f64, S>(simulation, job, bestFit);
  if (RECORDED) note(Note.CapacityPlaced, byBestFit, byFastest);
  return speedOf(fastestFirst) * byFastest > speedOf(bestFit) * byBestFit;
}

/** Preference of a policy that is no choice between best-fit and fastest-first. */
export const NO_PREFERENCE: i32 = -1;

/** Encodes a policy's verdicts in all situations as one number; `counts` if its decisions are counted. */
@inline
export function preferenceOf(counts: bool, whenEmpty: Verdict, whenLow: Verdict, whenHigh: Verdict): i32 {
  return whenEmpty | (whenLow << 4) | (whenHigh << 8) | (i32(counts) << 12);
}

/** Decodes the verdict in a situation. */
@inline
export function verdictIn(preference: i32, situation: Situation): Verdict {
  return (preference >> (4 * situation)) & 15;
}

/** Decodes the verdicts without the counting flag. */
@inline
export function ruleOf(preference: i32): i32 {
  return preference & 0xfff;
}

/** Decodes whether the policy counts its decisions. */
@inline
export function isCounted(preference: i32): bool {
  return preference >> 12 !== 0;
}
