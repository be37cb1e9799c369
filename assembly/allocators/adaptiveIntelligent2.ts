import { Jobs, Simulation } from '../abi';
import { speedOf } from '../grid/sites';
import { compare } from './compare';
import { lookAhead } from './lookAhead';
import { fastestIsFaster, foundQueueEmpty } from './signals';

@final
@unmanaged
export class AdaptiveIntelligent2 {
  declaration(): string {
    return 'ai2 (intelligent): whichever lets waiting jobs take more computing capacity, weighed by speed (Shih et al. 2010, eqs. 7, 13 to 17).';
  }

  @inline
  choose(simulation: Simulation, jobs: Jobs, job: i32): i32 {
    return compare(this, simulation, jobs, job);
  }

  @inline
  prefersFastest(simulation: Simulation, jobs: Jobs, job: i32, bestFit: i32, fastestFirst: i32): bool {
    return moreCapacityWithFastest(simulation, jobs, job, bestFit, fastestFirst);
  }
}

/** Decision of AI2: eq. 7 into an empty queue, else eqs. 16 and 17 multiplied out. */
@inline
export function moreCapacityWithFastest(
  simulation: Simulation,
  jobs: Jobs,
  job: i32,
  bestFit: i32,
  fastestFirst: i32,
): bool {
  if (foundQueueEmpty(simulation, job)) return fastestIsFaster(simulation, bestFit, fastestFirst);
  const byFastest = lookAhead<f64>(simulation, jobs, job, fastestFirst);
  const byBestFit = lookAhead<f64>(simulation, jobs, job, bestFit);
  return speedOf(simulation, fastestFirst) * byFastest > speedOf(simulation, bestFit) * byBestFit;
}
