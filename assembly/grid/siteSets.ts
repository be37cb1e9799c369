import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at, put } from '../memory/memory';

/**
 * Sets of sites that jobs may use, such as the sites of a partition. Sets may share sites.
 *
 * The slots of all sites are followed by one row per set, with the slots of its sites alone, in the same
 * order. So a job's candidates are the first slots of the row of its set, and a search of slots needs to know
 * nothing of sets. `slotOfSite` has as many rows: the position of a site in each, -1 if it is not there.
 */

/** Number of slots before the row of a job's set. */
@inline
export function firstSlotOfSet(simulation: Simulation, job: i32): i32 {
  return at<i32>(columns.siteSets, job) * simulation.siteCount;
}

/** Position of a site in the row of a job's set; -1 if the job may not use it. */
@inline
export function slotPositionOfSite(simulation: Simulation, job: i32, site: i32): i32 {
  return at<i32>(columns.slotOfSite, firstSlotOfSet(simulation, job) + site);
}

/** True if the set of a job contains a site. Does not test the site's speed. */
@inline
export function mayJobUseSite(simulation: Simulation, job: i32, site: i32): bool {
  return simulation.siteSets === 0 || slotPositionOfSite(simulation, job, site) >= 0;
}

/** Copies the slot of a site to the rows of its sets, for real or for hypothetical slots. */
export function copySlot(simulation: Simulation, slotsAddress: usize, site: i32): void {
  const slot = at<u64>(slotsAddress, at<i32>(columns.slotOfSite, site));
  const sites = simulation.siteCount;
  for (let row = sites; row < simulation.slotCount; row += sites) {
    const position = at<i32>(columns.slotOfSite, row + site);
    if (position >= 0) put<u64>(slotsAddress, row + position, slot);
  }
}

/** Makes the rows of all sets from the slots of all sites. */
export function fillSetRows(simulation: Simulation): void {
  const sites = simulation.siteCount;
  for (let row = sites; row < simulation.slotCount; row += sites) {
    let memberCount = 0;
    for (let index = 0; index < sites; index++) {
      const slot = at<u64>(columns.slots, index);
      const site = <i32>slot;
      const isMember = at<i32>(columns.setSites, row - sites + site) !== 0;
      put<i32>(columns.slotOfSite, row + site, isMember ? memberCount : -1);
      if (isMember) put<u64>(columns.slots, row + memberCount++, slot);
    }
    put<i32>(columns.siteCountsOfSets, row / sites - 1, memberCount);
  }
}

/** Number of sites in a row, which is the number of slots before it. */
@inline
export function rowLength(simulation: Simulation, row: i32): i32 {
  return row === 0 ? simulation.siteCount : at<i32>(columns.siteCountsOfSets, row / simulation.siteCount - 1);
}

/** True if the host's column has only 0 and 1, and each set a site. */
export function areSiteSetsValid(simulation: Simulation): bool {
  const sites = simulation.siteCount;
  for (let set = 0; set < simulation.siteSets; set++) {
    let memberCount = 0;
    for (let site = 0; site < sites; site++) {
      const isMember = at<i32>(columns.setSites, set * sites + site);
      if (isMember !== 0 && isMember !== 1) return false;
      memberCount += isMember;
    }
    if (memberCount === 0) return false;
  }
  return true;
}
