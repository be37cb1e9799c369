import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { Slot, candidatesOf, firstCandidateOf, freeIn, requestOf, siteIn } from '../grid/sites';
import { at, put } from '../memory/memory';
import { NO_SLOT, fastest, fits, tightest } from './argmin';
import * as siteIndex from '../grid/siteIndex';

/**
 * The search for sites that allocators have as `S`, here by a look at every candidate: quickest while sites
 * are few. Each function answers with a site, or -1 where a job fits on none of its candidates.
 */
@final
@unmanaged
export class Scan {
  /** The site that is left with the fewest free processors, of equal ones the first. */
  @inline
  bestFit(simulation: Simulation, job: i32): i32 {
    const processors = at<i32>(columns.processors, job);
    const count = candidatesOf(simulation, job);
    const left = tightest(columns.choices + firstCandidateOf(simulation, job), count, requestOf(processors));
    return fits(left) ? siteIn(left) : -1;
  }

  /** The fastest site, of equal ones the first. */
  @inline
  fastestFirst(simulation: Simulation, job: i32): i32 {
    const request = requestOf(at<i32>(columns.processors, job));
    const slots = columns.choices + firstCandidateOf(simulation, job);
    const first = fastest(slots, candidatesOf(simulation, job), request);
    return fits(first) ? siteIn(first) : -1;
  }

  /** The first site in the order of the grid. */
  @inline
  firstFit(simulation: Simulation, job: i32): i32 {
    const request = requestOf(at<i32>(columns.processors, job));
    const slots = columns.choices + firstCandidateOf(simulation, job);
    // Unsigned, -1 is above every site index.
    let first: u32 = -1;
    for (let index = candidatesOf(simulation, job) - 1; index >= 0; index--) {
      const slot = at<Slot>(slots, index);
      first = select<u32>(min<u32>(first, siteIn(slot)), first, fits(slot - request));
    }
    return <i32>first;
  }

  /** The site that is left with the most free processors, of equal ones the first. */
  @inline
  worstFit(simulation: Simulation, job: i32): i32 {
    const request = requestOf(at<i32>(columns.processors, job));
    const slots = columns.choices + firstCandidateOf(simulation, job);
    const most = roomiest(slots, candidatesOf(simulation, job));
    return fits(most - request) ? siteIn(most) : -1;
  }

  /**
   * What `D` decides between S_bf and S_ff, the sites of best-fit and of fastest-first. (A value that held
   * both would cost two per cent of a run.)
   */
  @inline
  nominate<D>(simulation: Simulation, job: i32): i32 {
    const request = requestOf(at<i32>(columns.processors, job));
    const slots = columns.choices + firstCandidateOf(simulation, job);
    let least = NO_SLOT;
    let first = NO_SLOT;
    for (let index = candidatesOf(simulation, job) - 1; index >= 0; index--) {
      const slot = at<Slot>(slots, index);
      const left = slot - request;
      least = min<u64>(least, left);
      first = select<u64>(slot, first, fits(left));
    }
    return fits(least) ? changetype<D>(0).between(simulation, job, siteIn(least), siteIn(first)) : -1;
  }

  /** A what-if begins: the hypothetical slots are a copy of what is free now. */
  @inline
  beginHypothesis(simulation: Simulation): void {
    for (let slot = 0; slot < simulation.siteCount; slot++) {
      put<Slot>(columns.hypotheticalSlots, slot, at<Slot>(columns.slots, slot));
    }
  }

  /** Takes processors of a site in the what-if. */
  @inline
  assume(simulation: Simulation, site: i32, processors: i32): void {
    const slot = at<i32>(columns.slotOfSite, site);
    const slots = columns.hypotheticalSlots;
    put<Slot>(slots, slot, at<Slot>(slots, slot) - requestOf(processors));
  }

  /** The same for a job on the site that best-fit takes in the what-if; returns it, or -1. */
  @inline
  place(simulation: Simulation, job: i32): i32 {
    const request = requestOf(at<i32>(columns.processors, job));
    const first = columns.hypotheticalSlots + firstCandidateOf(simulation, job);
    const left = tightest(first, candidatesOf(simulation, job), request);
    if (!fits(left)) return -1;
    const site = siteIn(left);
    put<Slot>(columns.hypotheticalSlots, at<i32>(columns.slotOfSite, site), left);
    return site;
  }

  /** The most processors that are free on one site in the what-if. */
  @inline
  mostFree(simulation: Simulation): i32 {
    return mostFree(simulation, columns.hypotheticalSlots);
  }

  /** The site with the most processors free in the what-if, of equal ones the first. */
  @inline
  roomiest(simulation: Simulation): i32 {
    return siteIn(roomiest(columns.hypotheticalSlots, simulation.siteCount));
  }

  /** The what-if is over. */
  @inline
  endHypothesis(simulation: Simulation): void {}
}

/** Of this many slots the one with the most free processors, of equal ones that of the first site. */
@inline
function roomiest(slots: usize, count: i32): Slot {
  // With its site index complemented it is the greatest.
  let most: Slot = 0;
  for (let index = count - 1; index >= 0; index--) {
    most = max<u64>(most, at<Slot>(slots, index) ^ <u64>0xffffffff);
  }
  return most ^ <u64>0xffffffff;
}

/** The most processors that are free on one site, in the slots or the hypothetical ones. */
export function mostFree(simulation: Simulation, slots: usize): i32 {
  let most: Slot = 0;
  for (let slot = 0; slot < simulation.siteCount; slot++) most = max<u64>(most, at<Slot>(slots, slot));
  return freeIn(most);
}

/** The search for sites by their index, with the answers of `Scan`, to the last tie. */
@final
@unmanaged
export class Index {
  @inline
  bestFit(simulation: Simulation, job: i32): i32 {
    return siteIndex.tightest(simulation, at<i32>(columns.processors, job), candidatesOf(simulation, job));
  }

  @inline
  fastestFirst(simulation: Simulation, job: i32): i32 {
    return siteIndex.fastest(simulation, at<i32>(columns.processors, job), candidatesOf(simulation, job));
  }

  @inline
  firstFit(simulation: Simulation, job: i32): i32 {
    return siteIndex.first(simulation, at<i32>(columns.processors, job), candidatesOf(simulation, job));
  }

  @inline
  worstFit(simulation: Simulation, job: i32): i32 {
    return siteIndex.roomiest(simulation, at<i32>(columns.processors, job), candidatesOf(simulation, job));
  }

  @inline
  nominate<D>(simulation: Simulation, job: i32): i32 {
    const fastestFirst = this.fastestFirst(simulation, job);
    if (fastestFirst < 0) return -1;
    return changetype<D>(0).between(simulation, job, this.bestFit(simulation, job), fastestFirst);
  }

  @inline
  beginHypothesis(simulation: Simulation): void {
    siteIndex.beginHypothesis(simulation);
  }

  @inline
  assume(simulation: Simulation, site: i32, processors: i32): void {
    siteIndex.assume(simulation, site, processors);
  }

  @inline
  place(simulation: Simulation, job: i32): i32 {
    const site = this.bestFit(simulation, job);
    if (site >= 0) siteIndex.assume(simulation, site, at<i32>(columns.processors, job));
    return site;
  }

  @inline
  mostFree(simulation: Simulation): i32 {
    return siteIndex.mostFree(simulation);
  }

  @inline
  roomiest(simulation: Simulation): i32 {
    return siteIndex.roomiest(simulation, siteIndex.mostFree(simulation), simulation.siteCount);
  }

  @inline
  endHypothesis(simulation: Simulation): void {
    siteIndex.endHypothesis(simulation);
  }
}
