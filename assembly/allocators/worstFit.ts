import { Simulation } from '../state';
import * as columns from '../columns';
import { Slot, candidatesOf, firstCandidateOf, requestOf, siteIn } from '../grid/sites';
import { at } from '../memory';
import { fits } from './argmin';

@final
@unmanaged
export class WorstFit {
  declaration(): string {
    return 'worst-fit: the site that is left with the most free processors.';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    const request = requestOf(at<i32>(columns.processors, job));
    const slots = columns.slots + firstCandidateOf(simulation, job);
    // With its site index complemented, the greatest slot is the roomiest and among equals the lowest site.
    let most: Slot = 0;
    for (let index = candidatesOf(simulation, job) - 1; index >= 0; index--) {
      most = max<u64>(most, at<Slot>(slots, index) ^ <u64>0xffffffff);
    }
    return fits(most - request) ? siteIn(most ^ <u64>0xffffffff) : -1;
  }
}
