import { Simulation } from '../state';
import { speedOf } from '../grid/sites';
import { compare } from './compare';
import { lookAhead } from './lookAhead';
import { RECORDED, note } from '../record/log';
import { Note } from '../record/notes';
import { fastestIsFaster, foundQueueEmpty } from './signals';

@final
@unmanaged
export class AdaptiveIntelligent2<S> {
  declaration(): string {
    return 'ai2 (intelligent): whichever lets waiting jobs take more computing capacity, weighed by speed (Shih et al. 2010, eqs. 7, 13 to 17).';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    return compare<AdaptiveIntelligent2<S>, S>(this, simulation, job);
  }

  @inline
  prefersFastest(simulation: Simulation, job: i32, bestFit: i32, fastestFirst: i32): bool {
    return moreCapacityWithFastest<S>(simulation, job, bestFit, fastestFirst);
  }
}

/** Decision of AI2: eq. 7 into an empty queue, else eqs. 16 and 17 multiplied out. */
@inline
export function moreCapacityWithFastest<S>(
  simulation: Simulation,
  job: i32,
  bestFit: i32,
  fastestFirst: i32,
): bool {
  if (foundQueueEmpty(simulation, job)) return fastestIsFaster(simulation, bestFit, fastestFirst);
  const byFastest = lookAhead<f64, S>(simulation, job, fastestFirst);
  const byBestFit = lookAhead<f64, S>(simulation, job, bestFit);
  if (RECORDED) note(Note.CapacityPlaced, byBestFit, byFastest);
  return speedOf(fastestFirst) * byFastest > speedOf(bestFit) * byBestFit;
}
