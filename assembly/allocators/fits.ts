import { Simulation, draw } from '../memory/state';
import { SiteVerdict } from './verdicts';
import * as columns from '../memory/columns';
import {
  Slot,
  candidateIndexOf,
  candidateCountOf,
  firstCandidateOffsetOf,
  slotRequestOf,
} from '../grid/sites';
import { at } from '../memory/memory';
import { fitsInSlot } from './argmin';

/**
 * Policies that rank sites by a single measure: remaining free processors, speed, or position in the grid.
 */

@final
@unmanaged
export class BestFitPolicy<S> {
  declaration(): string {
    return 'best-fit (bf): the site that is left with the fewest free processors.';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    return changetype<S>(0).bestFit(simulation, job);
  }
  /**
   * The verdict of this policy when it is treated as a method that chooses between best-fit and
   * fastest-first.
   */
  @inline
  constantVerdict(): SiteVerdict {
    return SiteVerdict.BestFit;
  }
}

@final
@unmanaged
export class FastestFirstPolicy<S> {
  declaration(): string {
    return 'fastest-first (ff): the fastest site with room.';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    return changetype<S>(0).fastestFirst(simulation, job);
  }
  /**
   * The verdict of this policy when it is treated as a method that chooses between best-fit and
   * fastest-first.
   */
  @inline
  constantVerdict(): SiteVerdict {
    return SiteVerdict.FastestFirst;
  }
}

@final
@unmanaged
export class FirstFitPolicy<S> {
  declaration(): string {
    return 'first-fit: the first site with room, in the order of the grid.';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    return changetype<S>(0).firstFit(simulation, job);
  }
}

@final
@unmanaged
export class WorstFitPolicy<S> {
  declaration(): string {
    return 'worst-fit: the site that is left with the most free processors.';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    return changetype<S>(0).worstFit(simulation, job);
  }
}

@final
@unmanaged
export class RandomPolicy {
  declaration(): string {
    return 'random[seed=1:whole]: any site with room, all alike likely (a baseline).';
  }

  @inline
  choose(simulation: Simulation, job: i32): i32 {
    const request = slotRequestOf(at<i32>(columns.processors, job));
    const slotsAddress = columns.selectableSlots + firstCandidateOffsetOf(simulation, job);
    const candidateCount = candidateCountOf(simulation, job);
    let fittingSiteCount: u64 = 0;
    for (let index = 0; index < candidateCount; index++) {
      if (fitsInSlot(at<Slot>(slotsAddress, index) - request)) fittingSiteCount++;
    }
    if (fittingSiteCount === 0) return -1;
    let remainingSkipCount = ((draw(simulation, simulation.parameter0) >> 32) * fittingSiteCount) >> 32;
    // Visits sites in grid order, so that the choice does not depend on speeds.
    let site = 0;
    for (; ; site++) {
      const index = candidateIndexOf(simulation, job, site);
      if (
        index >= 0 &&
        index < candidateCount &&
        fitsInSlot(at<Slot>(slotsAddress, index) - request) &&
        remainingSkipCount-- === 0
      )
        break;
    }
    return site;
  }
}
