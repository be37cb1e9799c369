import { Simulation } from '../memory/state';
import { speedsDiffer } from './signals';
import { Situation, Verdict } from './verdicts';

/** Methods of Shih et al. 2010: each prefers best-fit or fastest-first depending on the situation. */

@final
@unmanaged
export class StaticIntelligent {
  declaration(): string {
    return 'si: fastest-first for a job that finds the queue empty, else best-fit (Shih et al. 2010, eq. 2).';
  }

  @inline
  verdict(simulation: Simulation, situation: Situation): Verdict {
    return situation === Situation.QueueEmpty ? Verdict.FastestFirst : Verdict.BestFit;
  }
}

@final
@unmanaged
export class ThresholdIntelligent {
  declaration(): string {
    return 'ti[sht=0.05,slt=2]: into an empty queue fastest-first if SH > sht, else best-fit if SL > slt (Shih et al. 2010, eqs. 5, 6).';
  }

  @inline
  threshold(simulation: Simulation): f64 {
    return simulation.parameter1;
  }

  @inline
  verdict(simulation: Simulation, situation: Situation): Verdict {
    if (situation === Situation.LoadHigh) return Verdict.BestFit;
    if (situation === Situation.LoadLow) return Verdict.FastestFirst;
    return speedsDiffer(simulation, simulation.parameter0) ? Verdict.FastestFirst : Verdict.BestFit;
  }
}

@final
@unmanaged
export class AdaptiveIntelligent {
  declaration(): string {
    return 'ai[count=prefix|all] (adaptive): whichever lets more waiting jobs start, weighed by speed (Shih et al. 2010, eqs. 7 to 12).';
  }

  @inline
  verdict(simulation: Simulation, situation: Situation): Verdict {
    return moreJobs(situation, simulation.parameter0 !== 0);
  }
}

/**
 * Preference by eq. 7 if the job found an empty queue, otherwise by the look-ahead that counts
 * jobs.
 */
@inline
function moreJobs(situation: Situation, countAll: bool): Verdict {
  if (situation === Situation.QueueEmpty) return Verdict.Faster;
  return countAll ? Verdict.MoreJobsOfAll : Verdict.MoreJobs;
}

@final
@unmanaged
export class AdaptiveIntelligent2 {
  declaration(): string {
    return 'ai2 (intelligent): whichever lets waiting jobs take more computing capacity, weighed by speed (Shih et al. 2010, eqs. 7, 13 to 17).';
  }

  @inline
  verdict(simulation: Simulation, situation: Situation): Verdict {
    return moreCapacity(situation);
  }
}

/**
 * Preference by eq. 7 if the job found an empty queue, otherwise by the look-ahead that sums
 * computing capacity.
 */
@inline
function moreCapacity(situation: Situation): Verdict {
  return situation === Situation.QueueEmpty ? Verdict.Faster : Verdict.MoreCapacity;
}

/**
 * Preference by the thresholds on SH and SL (Shih et al. 2010, Table 3); `otherwise` if they do not
 * decide.
 */
@inline
function byThresholds(simulation: Simulation, situation: Situation, otherwise: Verdict): Verdict {
  const speedsHigh = speedsDiffer(simulation, simulation.parameter0);
  if (speedsHigh === (situation === Situation.LoadHigh)) return otherwise;
  return speedsHigh ? Verdict.FastestFirst : Verdict.BestFit;
}

@final
@unmanaged
export class ThresholdAdaptiveIntelligent {
  declaration(): string {
    return 'tai[sht=0.05,slt=1.5,count=prefix|all]: fastest-first if SH > sht and SL <= slt, best-fit in the opposite case, else ai (Shih et al. 2010, Table 3).';
  }

  @inline
  threshold(simulation: Simulation): f64 {
    return simulation.parameter1;
  }

  @inline
  verdict(simulation: Simulation, situation: Situation): Verdict {
    return byThresholds(simulation, situation, moreJobs(situation, simulation.parameter2 !== 0));
  }
}

@final
@unmanaged
export class ThresholdAdaptiveIntelligent2 {
  declaration(): string {
    return 'tai2[sht=0.05,slt=1]: fastest-first if SH > sht and SL <= slt, best-fit in the opposite case, else ai2 (Shih et al. 2010, Table 3).';
  }

  @inline
  threshold(simulation: Simulation): f64 {
    return simulation.parameter1;
  }

  @inline
  verdict(simulation: Simulation, situation: Situation): Verdict {
    return byThresholds(simulation, situation, moreCapacity(situation));
  }
}
