import { Simulation } from '../state';
import * as columns from '../columns';
import { candidatesOf, firstCandidateOf, requestOf, siteIn } from '../grid/sites';
import { at } from '../memory';
import { fits, tightest } from './argmin';

@final
@unmanaged
export class BestFit {
  declaration(): string {
    return 'best-fit (bf): the site that is left with the fewest free processors.';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    const processors = at<i32>(columns.processors, job);
    const count = candidatesOf(simulation, job);
    const left = tightest(columns.slots + firstCandidateOf(simulation, job), count, requestOf(processors));
    return fits(left) ? siteIn(left) : -1;
  }
}
