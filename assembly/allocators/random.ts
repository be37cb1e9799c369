import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { Slot, candidatesOf, firstCandidateOf, requestOf } from '../grid/sites';
import { at } from '../memory/memory';
import { output } from '../memory/splitMix64';
import { fits } from './argmin';

@final
@unmanaged
export class Random {
  declaration(): string {
    return 'random[seed=1:whole]: any site with room, all alike likely (a baseline).';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    const request = requestOf(at<i32>(columns.processors, job));
    const slots = columns.choices + firstCandidateOf(simulation, job);
    const count = candidatesOf(simulation, job);
    let sites: u64 = 0;
    for (let index = 0; index < count; index++) {
      if (fits(at<Slot>(slots, index) - request)) sites++;
    }
    if (sites === 0) return -1;
    let skipped = ((draw(simulation) >> 32) * sites) >> 32;
    // The sites in the order of the grid, so that the choice does not depend on their speeds.
    const first = <i32>(firstCandidateOf(simulation, job) / sizeof<Slot>());
    let site = 0;
    for (; ; site++) {
      const index = at<i32>(columns.slotOfSite, site) - first;
      if (index >= 0 && index < count && fits(at<Slot>(slots, index) - request) && skipped-- === 0) break;
    }
    return site;
  }
}

/** The next of the random numbers of the seed. */
function draw(simulation: Simulation): u64 {
  return output(simulation.parameter0, ++simulation.draws);
}
