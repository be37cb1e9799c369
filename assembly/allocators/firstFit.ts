import { Simulation } from '../memory/state';

@final
@unmanaged
export class FirstFit<S> {
  declaration(): string {
    return 'first-fit: the first site with room, in the order of the grid.';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    return changetype<S>(0).firstFit(simulation, job);
  }
}
