import { Simulation } from '../state';
import * as columns from '../columns';
import { candidatesOf, firstCandidateOf, requestOf, siteIn } from '../grid/sites';
import { at } from '../memory';
import { fastest, fits } from './argmin';

@final
@unmanaged
export class FastestFirst {
  declaration(): string {
    return 'fastest-first (ff): the fastest site with room.';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    const request = requestOf(at<i32>(columns.processors, job));
    const slots = columns.slots + firstCandidateOf(simulation, job);
    const first = fastest(slots, candidatesOf(simulation, job), request);
    return fits(first) ? siteIn(first) : -1;
  }
}
