import { Simulation } from '../state';
import { compare } from './compare';
import { foundQueueEmpty, loadIsHigh, speedsDiffer } from './signals';

@final
@unmanaged
export class ThresholdIntelligent<S> {
  declaration(): string {
    return 'ti[sht=0.05,slt=2]: into an empty queue fastest-first if SH > sht, else best-fit if SL > slt (Shih et al. 2010, eqs. 5, 6).';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    return compare<ThresholdIntelligent<S>, S>(this, simulation, job);
  }

  @inline
  prefersFastest(simulation: Simulation, job: i32, bestFit: i32, fastestFirst: i32): bool {
    return foundQueueEmpty(simulation, job)
      ? speedsDiffer(simulation, simulation.parameter0)
      : !loadIsHigh(simulation, job, simulation.parameter1);
  }
}
