import { Simulation } from '../memory/state';

@final
@unmanaged
export class WorstFit<S> {
  declaration(): string {
    return 'worst-fit: the site that is left with the most free processors.';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    return changetype<S>(0).worstFit(simulation, job);
  }
}
