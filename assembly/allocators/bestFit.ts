import { Simulation } from '../memory/state';
import { Verdict } from './verdicts';

@final
@unmanaged
export class BestFit<S> {
  declaration(): string {
    return 'best-fit (bf): the site that is left with the fewest free processors.';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    return changetype<S>(0).bestFit(simulation, job);
  }
  /** What it would say if it compared the two. */
  @inline
  always(): Verdict {
    return Verdict.BestFit;
  }
}
