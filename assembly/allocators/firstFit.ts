import { Simulation } from '../state';
import * as columns from '../columns';
import { Slot, candidatesOf, demandOf, firstCandidateOf, siteIn } from '../grid/sites';
import { at } from '../memory';
import { hasRoom } from './argmin';

@final
@unmanaged
export class FirstFit {
  declaration(): string {
    return 'first-fit: the first site with room, in the order of the grid.';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    const demand = demandOf(at<i32>(columns.processors, job));
    const slots = columns.slots + firstCandidateOf(simulation, job);
    // Unsigned, -1 is above every site index.
    let first: u32 = -1;
    for (let place = candidatesOf(simulation, job) - 1; place >= 0; place--) {
      const slot = at<Slot>(slots, place);
      first = select<u32>(min<u32>(first, siteIn(slot)), first, hasRoom(slot - demand));
    }
    return <i32>first;
  }
}
