import { Simulation } from '../state';
import * as columns from '../columns';
import { Slot, candidatesOf, firstCandidateOf, requestOf, siteIn } from '../grid/sites';
import { at } from '../memory';
import { fits } from './argmin';

@final
@unmanaged
export class FirstFit {
  declaration(): string {
    return 'first-fit: the first site with room, in the order of the grid.';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    const request = requestOf(at<i32>(columns.processors, job));
    const slots = columns.slots + firstCandidateOf(simulation, job);
    // Unsigned, -1 is above every site index.
    let first: u32 = -1;
    for (let index = candidatesOf(simulation, job) - 1; index >= 0; index--) {
      const slot = at<Slot>(slots, index);
      first = select<u32>(min<u32>(first, siteIn(slot)), first, fits(slot - request));
    }
    return <i32>first;
  }
}
