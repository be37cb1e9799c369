import { Simulation } from '../state';
import { speedOf } from '../grid/sites';
import { compare } from './compare';
import { lookAhead, lookAheadOfAll } from './lookAhead';
import { RECORDED, note } from '../record/log';
import { Note } from '../record/notes';
import { fastestIsFaster, foundQueueEmpty } from './signals';

@final
@unmanaged
export class AdaptiveIntelligent<S> {
  declaration(): string {
    return 'ai[count=prefix|all] (adaptive): whichever lets more waiting jobs start, weighed by speed (Shih et al. 2010, eqs. 7 to 12).';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    return compare<AdaptiveIntelligent<S>, S>(this, simulation, job);
  }

  @inline
  prefersFastest(simulation: Simulation, job: i32, bestFit: i32, fastestFirst: i32): bool {
    return moreJobsWithFastest<S>(simulation, job, bestFit, fastestFirst, simulation.parameter0 !== 0);
  }
}

/** Decision of AI: eq. 7 into an empty queue, else eqs. 11 and 12. */
@inline
export function moreJobsWithFastest<S>(
  simulation: Simulation,
  job: i32,
  bestFit: i32,
  fastestFirst: i32,
  countAll: bool,
): bool {
  if (foundQueueEmpty(simulation, job)) return fastestIsFaster(simulation, bestFit, fastestFirst);
  const placedByBestFit = countAll
    ? lookAheadOfAll<i32, S>(simulation, job, bestFit)
    : lookAhead<i32, S>(simulation, job, bestFit);
  const placedByFastest = countAll
    ? lookAheadOfAll<i32, S>(simulation, job, fastestFirst)
    : lookAhead<i32, S>(simulation, job, fastestFirst);
  const speed = speedOf(bestFit);
  const score = speedOf(fastestFirst) - speed - <f64>(placedByBestFit - placedByFastest) * speed;
  if (RECORDED) {
    note(Note.JobsPlaced, <f64>placedByBestFit, <f64>placedByFastest, score, <f64>i32(countAll));
  }
  return score >= 0;
}
