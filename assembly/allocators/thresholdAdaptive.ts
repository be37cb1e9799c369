import { Simulation } from '../memory/state';
import { moreJobs } from './adaptiveIntelligent';
import { moreCapacity } from './adaptiveIntelligent2';
import { speedsDiffer } from './signals';
import { Situation, Verdict, chooseByVerdict } from './verdicts';

/** Shih et al. 2010, Table 3: where the two thresholds do not settle it, another verdict does. */
@inline
function byThresholds(simulation: Simulation, situation: Situation, otherwise: Verdict): Verdict {
  const speedsHigh = speedsDiffer(simulation, simulation.parameter0);
  if (speedsHigh === (situation === Situation.LoadHigh)) return otherwise;
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
    return chooseByVerdict<ThresholdAdaptiveIntelligent<S>, S>(simulation, job);
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
export class ThresholdAdaptiveIntelligent2<S> {
  declaration(): string {
    return 'tai2[sht=0.05,slt=1]: fastest-first if SH > sht and SL <= slt, best-fit in the opposite case, else ai2 (Shih et al. 2010, Table 3).';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    return chooseByVerdict<ThresholdAdaptiveIntelligent2<S>, S>(simulation, job);
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
