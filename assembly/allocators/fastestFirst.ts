import { Simulation } from '../state';
import * as columns from '../columns';
import { Slot, candidatesOf, demandOf, firstCandidateOf, siteIn } from '../grid/sites';
import { at } from '../memory';
import { NO_SLOT, hasRoom } from './argmin';

@final
@unmanaged
export class FastestFirst {
  declaration(): string {
    return 'fastest-first (ff): the fastest site with room.';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    const demand = demandOf(at<i32>(columns.processors, job));
    const slots = columns.slots + firstCandidateOf(simulation, job);
    let first = NO_SLOT;
    for (let place = candidatesOf(simulation, job) - 1; place >= 0; place--) {
      const slot = at<Slot>(slots, place);
      first = select<u64>(slot, first, hasRoom(slot - demand));
    }
    return hasRoom(first) ? siteIn(first) : -1;
  }
}
