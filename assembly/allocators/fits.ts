import { Simulation } from '../memory/state';
import { Verdict } from './verdicts';

/** The site that is best by one measure: what would be left free, its speed, its place in the grid. */

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
