import { Simulation } from '../memory/state';
import { Situation, Verdict, chooseByVerdict } from './verdicts';

@final
@unmanaged
export class StaticIntelligent<S> {
  declaration(): string {
    return 'si: fastest-first for a job that finds the queue empty, else best-fit (Shih et al. 2010, eq. 2).';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    return chooseByVerdict<StaticIntelligent<S>, S>(simulation, job);
  }

  @inline
  verdict(simulation: Simulation, situation: Situation): Verdict {
    return situation === Situation.QueueEmpty ? Verdict.FastestFirst : Verdict.BestFit;
  }
}
