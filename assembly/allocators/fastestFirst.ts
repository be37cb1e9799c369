import { Jobs, Simulation } from '../abi';
import * as columns from '../columns';
import { Slot, candidatesOf, demandOf, siteIn, slotsOf } from '../grid/sites';
import { at } from '../memory';
import { NO_SLOT, hasRoom } from './argmin';

@final
@unmanaged
export class FastestFirst {
  declaration(): string {
    return 'fastest-first (ff): the fastest site with room.';
  }

  @inline
  choose(simulation: Simulation, jobs: Jobs, job: i32): i32 {
    const demand = demandOf(at<i32>(columns.processors, job));
    const slots = slotsOf(simulation);
    let first = NO_SLOT;
    for (let place = candidatesOf(simulation, jobs, job) - 1; place >= 0; place--) {
      const slot = at<Slot>(slots, place);
      first = select<u64>(slot, first, hasRoom(slot - demand));
    }
    return hasRoom(first) ? siteIn(first) : -1;
  }
}
