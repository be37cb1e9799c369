import { Simulation } from '../memory/state';
import { speedsDiffer } from './signals';
import { Situation, Verdict, chooseByVerdict } from './verdicts';

@final
@unmanaged
export class ThresholdIntelligent<S> {
  declaration(): string {
    return 'ti[sht=0.05,slt=2]: into an empty queue fastest-first if SH > sht, else best-fit if SL > slt (Shih et al. 2010, eqs. 5, 6).';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    return chooseByVerdict<ThresholdIntelligent<S>, S>(simulation, job);
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
