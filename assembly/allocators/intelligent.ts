import { Simulation } from '../memory/state';
import { isHeterogeneityAbove } from './signals';
import { JobSituation, SiteVerdict } from './verdicts';

/** Methods of Shih et al. 2010: each prefers best-fit or fastest-first depending on the situation. */

@final
@unmanaged
export class StaticIntelligentPolicy {
  declaration(): string {
    return 'si: fastest-first for a job that finds the queue empty, else best-fit (Shih et al. 2010, eq. 2).';
  }

  @inline
  verdict(simulation: Simulation, situation: JobSituation): SiteVerdict {
    return situation === JobSituation.QueueEmpty ? SiteVerdict.FastestFirst : SiteVerdict.BestFit;
  }
}

@final
@unmanaged
export class ThresholdIntelligentPolicy {
  declaration(): string {
    return 'ti[sht=0.05,slt=2]: into an empty queue fastest-first if SH > sht, else best-fit if SL > slt (Shih et al. 2010, eqs. 5, 6).';
  }

  @inline
  threshold(simulation: Simulation): f64 {
    return simulation.parameter1;
  }

  @inline
  verdict(simulation: Simulation, situation: JobSituation): SiteVerdict {
    if (situation === JobSituation.LoadHigh) return SiteVerdict.BestFit;
    if (situation === JobSituation.LoadLow) return SiteVerdict.FastestFirst;
    return isHeterogeneityAbove(simulation, simulation.parameter0)
      ? SiteVerdict.FastestFirst
      : SiteVerdict.BestFit;
  }
}

@final
@unmanaged
export class AdaptiveIntelligentPolicy {
  declaration(): string {
    return 'ai[count=prefix|all] (adaptive): whichever lets more waiting jobs start, weighed by speed (Shih et al. 2010, eqs. 7 to 12).';
  }

  @inline
  verdict(simulation: Simulation, situation: JobSituation): SiteVerdict {
    return verdictByJobsPlaced(situation, simulation.parameter0 !== 0);
  }
}

/**
 * Prefers the faster site (Shih et al. 2010, eq. 7) if the job found an empty queue, otherwise the site
 * after whose choice the look-ahead starts more waiting jobs, weighed by speed.
 */
@inline
function verdictByJobsPlaced(situation: JobSituation, countsAllJobs: bool): SiteVerdict {
  if (situation === JobSituation.QueueEmpty) return SiteVerdict.Faster;
  return countsAllJobs ? SiteVerdict.MoreJobsOfAll : SiteVerdict.MoreJobs;
}

@final
@unmanaged
export class AdaptiveIntelligent2Policy {
  declaration(): string {
    return 'ai2 (intelligent): whichever lets waiting jobs take more computing capacity, weighed by speed (Shih et al. 2010, eqs. 7, 13 to 17).';
  }

  @inline
  verdict(simulation: Simulation, situation: JobSituation): SiteVerdict {
    return verdictByCapacity(situation);
  }
}

/**
 * Prefers the faster site (Shih et al. 2010, eq. 7) if the job found an empty queue, otherwise the site
 * after whose choice waiting jobs take more computing capacity in the look-ahead, weighed by speed.
 */
@inline
function verdictByCapacity(situation: JobSituation): SiteVerdict {
  return situation === JobSituation.QueueEmpty ? SiteVerdict.Faster : SiteVerdict.MoreCapacity;
}

/**
 * Preference by the thresholds on SH and SL (Shih et al. 2010, Table 3); `verdictWithoutThreshold` if they
 * do not
 * decide.
 */
@inline
function verdictByThresholds(
  simulation: Simulation,
  situation: JobSituation,
  verdictWithoutThreshold: SiteVerdict,
): SiteVerdict {
  const isHeterogeneityHigh = isHeterogeneityAbove(simulation, simulation.parameter0);
  if (isHeterogeneityHigh === (situation === JobSituation.LoadHigh)) return verdictWithoutThreshold;
  return isHeterogeneityHigh ? SiteVerdict.FastestFirst : SiteVerdict.BestFit;
}

@final
@unmanaged
export class ThresholdAdaptivePolicy {
  declaration(): string {
    return 'tai[sht=0.05,slt=1.5,count=prefix|all]: fastest-first if SH > sht and SL <= slt, best-fit in the opposite case, else ai (Shih et al. 2010, Table 3).';
  }

  @inline
  threshold(simulation: Simulation): f64 {
    return simulation.parameter1;
  }

  @inline
  verdict(simulation: Simulation, situation: JobSituation): SiteVerdict {
    return verdictByThresholds(
      simulation,
      situation,
      verdictByJobsPlaced(situation, simulation.parameter2 !== 0),
    );
  }
}

@final
@unmanaged
export class ThresholdAdaptive2Policy {
  declaration(): string {
    return 'tai2[sht=0.05,slt=1]: fastest-first if SH > sht and SL <= slt, best-fit in the opposite case, else ai2 (Shih et al. 2010, Table 3).';
  }

  @inline
  threshold(simulation: Simulation): f64 {
    return simulation.parameter1;
  }

  @inline
  verdict(simulation: Simulation, situation: JobSituation): SiteVerdict {
    return verdictByThresholds(simulation, situation, verdictByCapacity(situation));
  }
}
