import { Simulation } from '../memory/state';
import { Verdict } from './verdicts';

@final
@unmanaged
export class FastestFirst<S> {
  declaration(): string {
    return 'fastest-first (ff): the fastest site with room.';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    return changetype<S>(0).fastestFirst(simulation, job);
  }
  /** What it would say if it compared the two. */
  @inline
  always(): Verdict {
    return Verdict.FastestFirst;
  }
}
