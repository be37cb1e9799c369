import { Simulation } from '../memory/state';

/**
 * Chosen among candidates as a run goes on (engine/choosing.ts): the simulation's policy is the one in force.
 */
@final
@unmanaged
export class Dynamic {
  declaration(): string {
    return 'dynamic[every=10:count,candidates=tai2:policies,futures=1:count,hysteresis=0:share,smooth=0:share,seed=1:whole]: the candidate under which the waiting jobs would have ended soonest, tried every so many submits.';
  }

  /** Never asked. */
  @inline
  choose(simulation: Simulation, job: i32): i32 {
    return -1;
  }
}
