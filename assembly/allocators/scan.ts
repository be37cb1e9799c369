import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import {
  Slot,
  candidateCountOf,
  firstCandidateOffsetOf,
  freeProcessorsInSlot,
  slotRequestOf,
  siteOfSlot,
} from '../grid/sites';
import { at, put } from '../memory/memory';
import { NO_SLOT, fastestFittingSlot, fitsInSlot, tightestFittingSlot } from './argmin';
import { copySlot } from '../grid/siteSets';
import * as siteIndex from '../grid/siteIndex';

/**
 * Search for sites (`S` of allocators) by scanning every candidate: the fastest method for few sites. All
 * functions return a site, or -1 if the job fits on no candidate.
 */
@final
@unmanaged
export class ScanSearch {
  /** Candidate on which the job leaves the fewest free processors, the first among equals; -1 if none. */
  @inline
  bestFit(simulation: Simulation, job: i32): i32 {
    const processors = at<i32>(columns.processors, job);
    const candidateCount = candidateCountOf(simulation, job);
    const remainingSlot = tightestFittingSlot(
      columns.selectableSlots + firstCandidateOffsetOf(simulation, job),
      candidateCount,
      slotRequestOf(processors),
    );
    return fitsInSlot(remainingSlot) ? siteOfSlot(remainingSlot) : -1;
  }

  /** Fastest candidate on which the job fits, the first among equals; -1 if none. */
  @inline
  fastestFirst(simulation: Simulation, job: i32): i32 {
    const request = slotRequestOf(at<i32>(columns.processors, job));
    const slotsAddress = columns.selectableSlots + firstCandidateOffsetOf(simulation, job);
    const fastestSlot = fastestFittingSlot(slotsAddress, candidateCountOf(simulation, job), request);
    return fitsInSlot(fastestSlot) ? siteOfSlot(fastestSlot) : -1;
  }

  /** First candidate in grid order on which the job fits; -1 if none. */
  @inline
  firstFit(simulation: Simulation, job: i32): i32 {
    const request = slotRequestOf(at<i32>(columns.processors, job));
    const slotsAddress = columns.selectableSlots + firstCandidateOffsetOf(simulation, job);
    // As an unsigned number, -1 is above every site index.
    let firstSite: u32 = -1;
    for (let index = candidateCountOf(simulation, job) - 1; index >= 0; index--) {
      const slot = at<Slot>(slotsAddress, index);
      firstSite = select<u32>(min<u32>(firstSite, siteOfSlot(slot)), firstSite, fitsInSlot(slot - request));
    }
    return <i32>firstSite;
  }

  /** Candidate on which the job leaves the most free processors, the first among equals; -1 if none. */
  @inline
  worstFit(simulation: Simulation, job: i32): i32 {
    const request = slotRequestOf(at<i32>(columns.processors, job));
    const slotsAddress = columns.selectableSlots + firstCandidateOffsetOf(simulation, job);
    const roomiestSlot = roomiest(slotsAddress, candidateCountOf(simulation, job));
    return fitsInSlot(roomiestSlot - request) ? siteOfSlot(roomiestSlot) : -1;
  }

  /**
   * Site that the rule `D` chooses between S_bf and S_ff, the sites of best-fit and fastest-first.
   * (Returning both in one value costs 2 % of a run.)
   */
  @inline
  chooseBetweenNominatedSites<D>(simulation: Simulation, job: i32): i32 {
    const request = slotRequestOf(at<i32>(columns.processors, job));
    const slotsAddress = columns.selectableSlots + firstCandidateOffsetOf(simulation, job);
    let tightestRemainingSlot = NO_SLOT;
    let fastestSlot = NO_SLOT;
    for (let index = candidateCountOf(simulation, job) - 1; index >= 0; index--) {
      const slot = at<Slot>(slotsAddress, index);
      const remainingSlot = slot - request;
      tightestRemainingSlot = min<u64>(tightestRemainingSlot, remainingSlot);
      fastestSlot = select<u64>(slot, fastestSlot, fitsInSlot(remainingSlot));
    }
    return fitsInSlot(tightestRemainingSlot)
      ? changetype<D>(0).between(simulation, job, siteOfSlot(tightestRemainingSlot), siteOfSlot(fastestSlot))
      : -1;
  }

  /** Begins a look-ahead: copies the free processors of all sites to hypothetical slots. */
  @inline
  beginHypothesis(simulation: Simulation): void {
    for (let slot = 0; slot < simulation.slotCount; slot++) {
      put<Slot>(columns.hypotheticalSlots, slot, at<Slot>(columns.slots, slot));
    }
  }

  /** Takes processors of a site in the look-ahead. */
  @inline
  takeHypotheticalProcessors(simulation: Simulation, site: i32, processors: i32): void {
    const slot = at<i32>(columns.slotOfSite, site);
    const slotsAddress = columns.hypotheticalSlots;
    put<Slot>(slotsAddress, slot, at<Slot>(slotsAddress, slot) - slotRequestOf(processors));
    if (simulation.siteSets !== 0) copySlot(simulation, slotsAddress, site);
  }

  /** Places a job by best-fit in the look-ahead; returns the site, or -1. */
  @inline
  place(simulation: Simulation, job: i32): i32 {
    const request = slotRequestOf(at<i32>(columns.processors, job));
    const firstSlotAddress = columns.hypotheticalSlots + firstCandidateOffsetOf(simulation, job);
    const remainingSlot = tightestFittingSlot(firstSlotAddress, candidateCountOf(simulation, job), request);
    if (!fitsInSlot(remainingSlot)) return -1;
    const site = siteOfSlot(remainingSlot);
    put<Slot>(columns.hypotheticalSlots, at<i32>(columns.slotOfSite, site), remainingSlot);
    if (simulation.siteSets !== 0) copySlot(simulation, columns.hypotheticalSlots, site);
    return site;
  }

  /** Largest number of free processors on one site in the look-ahead. */
  @inline
  mostFree(simulation: Simulation): i32 {
    return mostFree(simulation, columns.hypotheticalSlots);
  }

  /** Site with the most free processors in the look-ahead, the first among equals. */
  @inline
  roomiest(simulation: Simulation): i32 {
    return siteOfSlot(roomiest(columns.hypotheticalSlots, simulation.siteCount));
  }

  /** Ends a look-ahead; nothing to restore, since it used a copy of the slots. */
  @inline
  endHypothesis(simulation: Simulation): void {}
}

/** Slot with the most free processors; among equals the one of the first site. */
@inline
function roomiest(slotsAddress: usize, slotCount: i32): Slot {
  // Complements the site index, so that the first site is the largest.
  let mostFreeSlot: Slot = 0;
  for (let index = slotCount - 1; index >= 0; index--) {
    mostFreeSlot = max<u64>(mostFreeSlot, at<Slot>(slotsAddress, index) ^ <u64>0xffffffff);
  }
  return mostFreeSlot ^ <u64>0xffffffff;
}

/** Largest number of free processors on one site, by real or hypothetical slots. */
export function mostFree(simulation: Simulation, slotsAddress: usize): i32 {
  let mostFreeSlot: Slot = 0;
  for (let slot = 0; slot < simulation.siteCount; slot++)
    mostFreeSlot = max<u64>(mostFreeSlot, at<Slot>(slotsAddress, slot));
  return freeProcessorsInSlot(mostFreeSlot);
}

/**
 * Search for sites (`S` of allocators) by the index of free processors. Returns exactly the sites of
 * `ScanSearch`, including ties.
 */
@final
@unmanaged
export class IndexSearch {
  @inline
  bestFit(simulation: Simulation, job: i32): i32 {
    return siteIndex.tightestSlot(
      simulation,
      at<i32>(columns.processors, job),
      candidateCountOf(simulation, job),
    );
  }

  @inline
  fastestFirst(simulation: Simulation, job: i32): i32 {
    return siteIndex.fastestFittingSite(
      simulation,
      at<i32>(columns.processors, job),
      candidateCountOf(simulation, job),
    );
  }

  @inline
  firstFit(simulation: Simulation, job: i32): i32 {
    return siteIndex.firstSiteWithRoom(
      simulation,
      at<i32>(columns.processors, job),
      candidateCountOf(simulation, job),
    );
  }

  @inline
  worstFit(simulation: Simulation, job: i32): i32 {
    return siteIndex.roomiest(
      simulation,
      at<i32>(columns.processors, job),
      candidateCountOf(simulation, job),
    );
  }

  @inline
  chooseBetweenNominatedSites<D>(simulation: Simulation, job: i32): i32 {
    const fastestFirstSite = this.fastestFirst(simulation, job);
    if (fastestFirstSite < 0) return -1;
    return changetype<D>(0).between(simulation, job, this.bestFit(simulation, job), fastestFirstSite);
  }

  @inline
  beginHypothesis(simulation: Simulation): void {
    siteIndex.beginHypothesis(simulation);
  }

  @inline
  takeHypotheticalProcessors(simulation: Simulation, site: i32, processors: i32): void {
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
    return siteIndex.mostFreeProcessorsOnASite(simulation);
  }

  @inline
  roomiest(simulation: Simulation): i32 {
    return siteIndex.roomiest(
      simulation,
      siteIndex.mostFreeProcessorsOnASite(simulation),
      simulation.siteCount,
    );
  }

  @inline
  endHypothesis(simulation: Simulation): void {
    siteIndex.endHypothesis(simulation);
  }
}
