import { Jobs, Simulation } from '../abi';
import * as columns from '../columns';
import { candidatesOf, demandOf, siteIn, slotsOf } from '../grid/sites';
import { at } from '../memory';
import { hasRoom, tightest } from './argmin';

@final
@unmanaged
export class BestFit {
  declaration(): string {
    return 'best-fit (bf): the site that is left with the fewest free processors.';
  }

  @inline
  choose(simulation: Simulation, jobs: Jobs, job: i32): i32 {
    const processors = at<i32>(columns.processors, job);
    const count = candidatesOf(simulation, jobs, job);
    const left = tightest(slotsOf(simulation), count, demandOf(processors));
    return hasRoom(left) ? siteIn(left) : -1;
  }
}
