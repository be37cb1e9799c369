import { Simulation } from '../state';
import * as columns from '../columns';
import { Slot, candidatesOf, demandOf, firstCandidateOf, siteIn } from '../grid/sites';
import { at } from '../memory';
import { hasRoom } from './argmin';

@final
@unmanaged
export class WorstFit {
  declaration(): string {
    return 'worst-fit: the site that is left with the most free processors.';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    const demand = demandOf(at<i32>(columns.processors, job));
    const slots = columns.slots + firstCandidateOf(simulation, job);
    // With its site index complemented, the greatest slot is the roomiest and among equals the lowest site.
    let most: Slot = 0;
    for (let place = candidatesOf(simulation, job) - 1; place >= 0; place--) {
      most = max<u64>(most, at<Slot>(slots, place) ^ <u64>0xffffffff);
    }
    return hasRoom(most - demand) ? siteIn(most ^ <u64>0xffffffff) : -1;
  }
}
