import { Simulation } from '../memory/state';
import { Situation, Verdict, chooseByVerdict } from './verdicts';

@final
@unmanaged
export class AdaptiveIntelligent<S> {
  declaration(): string {
    return 'ai[count=prefix|all] (adaptive): whichever lets more waiting jobs start, weighed by speed (Shih et al. 2010, eqs. 7 to 12).';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    return chooseByVerdict<AdaptiveIntelligent<S>, S>(simulation, job);
  }

  @inline
  verdict(simulation: Simulation, situation: Situation): Verdict {
    return moreJobs(situation, simulation.parameter0 !== 0);
  }
}

/** Eq. 7 into an empty queue, else the look-ahead. */
@inline
export function moreJobs(situation: Situation, countAll: bool): Verdict {
  if (situation === Situation.QueueEmpty) return Verdict.Faster;
  return countAll ? Verdict.MoreJobsOfAll : Verdict.MoreJobs;
}
