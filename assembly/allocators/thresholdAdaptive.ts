import { Simulation } from '../state';
import { moreJobsWithFastest } from './adaptiveIntelligent';
import { moreCapacityWithFastest } from './adaptiveIntelligent2';
import { compare } from './compare';
import { foundQueueEmpty, loadIsHigh, speedsDiffer } from './signals';

/** Shih et al. 2010, Table 3: where the two thresholds do not settle it, the look-ahead does. */
const enum Verdict {
  BestFit,
  FastestFirst,
  LookAhead,
}

@inline
function verdictOfThresholds(simulation: Simulation, job: i32): Verdict {
  const speedsHigh = speedsDiffer(simulation, simulation.parameter0);
  const loadHigh = !foundQueueEmpty(simulation, job) && loadIsHigh(simulation, job, simulation.parameter1);
  if (speedsHigh === loadHigh) return Verdict.LookAhead;
  return speedsHigh ? Verdict.FastestFirst : Verdict.BestFit;
}

@final
@unmanaged
export class ThresholdAdaptiveIntelligent<S> {
  declaration(): string {
    return 'tai[sht=0.05,slt=1.5,count=prefix|all]: fastest-first if SH > sht and SL <= slt, best-fit in the opposite case, else ai (Shih et al. 2010, Table 3).';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    return compare<ThresholdAdaptiveIntelligent<S>, S>(this, simulation, job);
  }

  @inline
  prefersFastest(simulation: Simulation, job: i32, bestFit: i32, fastestFirst: i32): bool {
    const verdict = verdictOfThresholds(simulation, job);
    if (verdict !== Verdict.LookAhead) return verdict === Verdict.FastestFirst;
    return moreJobsWithFastest<S>(simulation, job, bestFit, fastestFirst, simulation.parameter2 !== 0);
  }
}

@final
@unmanaged
export class ThresholdAdaptiveIntelligent2<S> {
  declaration(): string {
    return 'tai2[sht=0.05,slt=1]: fastest-first if SH > sht and SL <= slt, best-fit in the opposite case, else ai2 (Shih et al. 2010, Table 3).';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    return compare<ThresholdAdaptiveIntelligent2<S>, S>(this, simulation, job);
  }

  @inline
  prefersFastest(simulation: Simulation, job: i32, bestFit: i32, fastestFirst: i32): bool {
    const verdict = verdictOfThresholds(simulation, job);
    if (verdict !== Verdict.LookAhead) return verdict === Verdict.FastestFirst;
    return moreCapacityWithFastest<S>(simulation, job, bestFit, fastestFirst);
  }
}
