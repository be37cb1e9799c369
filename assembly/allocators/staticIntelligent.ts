import { Simulation } from '../state';
import { compare } from './compare';
import { foundQueueEmpty } from './signals';

@final
@unmanaged
export class StaticIntelligent<S> {
  declaration(): string {
    return 'si: fastest-first for a job that finds the queue empty, else best-fit (Shih et al. 2010, eq. 2).';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    return compare<StaticIntelligent<S>, S>(this, simulation, job);
  }

  @inline
  prefersFastest(simulation: Simulation, job: i32, bestFit: i32, fastestFirst: i32): bool {
    return foundQueueEmpty(simulation, job);
  }
}
