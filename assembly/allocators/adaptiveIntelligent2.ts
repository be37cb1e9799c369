import { Simulation } from '../memory/state';
import { Situation, Verdict, chooseByVerdict } from './verdicts';

@final
@unmanaged
export class AdaptiveIntelligent2<S> {
  declaration(): string {
    return 'ai2 (intelligent): whichever lets waiting jobs take more computing capacity, weighed by speed (Shih et al. 2010, eqs. 7, 13 to 17).';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    return chooseByVerdict<AdaptiveIntelligent2<S>, S>(simulation, job);
  }

  @inline
  verdict(simulation: Simulation, situation: Situation): Verdict {
    return moreCapacity(situation);
  }
}

/** Eq. 7 into an empty queue, else the look-ahead. */
@inline
export function moreCapacity(situation: Situation): Verdict {
  return situation === Situation.QueueEmpty ? Verdict.Faster : Verdict.MoreCapacity;
}
