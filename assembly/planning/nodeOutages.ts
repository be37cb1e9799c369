import { Option } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import * as capacityChanges from '../events/capacityChanges';
import { at } from '../memory/memory';
import * as nodeSets from './nodeSets';
import { roundUpToUnit } from './wallClock';

/**
 * Outages in a plan by nodes, as Slurm's backfill scheduler sees them (22.05): an outage that was not
 * planned is a drained node, whose return is not known; a planned one is an advance reservation, whose nodes
 * a job may use if it ends before the begin, or starts after the end. The position of a change in the order
 * of capacity changes says whether it has happened.
 */

/** Removes from a set the nodes of unplanned outages of a site that have begun. */
export function removeUnplannedNodes(simulation: Simulation, site: i32, setAddress: usize): void {
  const capacityChangeCount = capacityChanges.changeCount(simulation);
  for (let position = simulation.changedCapacities; position < capacityChangeCount; position++) {
    const change = capacityChanges.changeAtPosition(position);
    const outage = capacityChanges.outageOfChange(change);
    if (!isOutageEndOnSite(site, change) || capacityChanges.isOutagePlanned(outage)) continue;
    if (capacityChanges.hasOutageBegun(simulation, outage)) removeNodesOfOutage(setAddress, outage);
  }
}

/** True if a change is the end of an outage of a site. */
function isOutageEndOnSite(site: i32, change: i32): bool {
  return (
    capacityChanges.isEndOfOutage(change) &&
    capacityChanges.siteOfOutage(capacityChanges.outageOfChange(change)) === site
  );
}

/**
 * Removes from a set the nodes of the planned outages of a site that a job would meet if it ran from one time
 * to another; returns true if there is such an outage.
 */
export function removeNodesOfPlannedOutages(
  simulation: Simulation,
  site: i32,
  setAddress: usize,
  from: f64,
  until: f64,
): bool {
  const capacityChangeCount = capacityChanges.changeCount(simulation);
  let meetsOutage = false;
  for (let position = simulation.changedCapacities; position < capacityChangeCount; position++) {
    const change = capacityChanges.changeAtPosition(position);
    const outage = capacityChanges.outageOfChange(change);
    if (!isOutageEndOnSite(site, change) || !capacityChanges.isOutagePlanned(outage)) continue;
    const begin = capacityChanges.beginOfOutage(outage);
    if (!(capacityChanges.endOfOutage(outage) > from && (begin < until || begin <= from))) continue;
    removeNodesOfOutage(setAddress, outage);
    meetsOutage = true;
  }
  return meetsOutage;
}

/**
 * Time behind the first end of a planned outage of a site that is not before `from`, on the clock of
 * reservations, as the next time at which to search; -1: none within the window.
 */
export function timeAfterNextOutageEnd(simulation: Simulation, site: i32, from: f64): f64 {
  const capacityChangeCount = capacityChanges.changeCount(simulation);
  for (let position = simulation.changedCapacities; position < capacityChangeCount; position++) {
    const change = capacityChanges.changeAtPosition(position);
    const outage = capacityChanges.outageOfChange(change);
    if (!isOutageEndOnSite(site, change) || !capacityChanges.isOutagePlanned(outage)) continue;
    const end = capacityChanges.endOfOutage(outage);
    if (end < from) continue;
    if (end === Infinity) return -1;
    const time = roundUpToUnit(end) + 1;
    const window = columns.optionOfRun(Option.BackfillWindow);
    return window === 0 || time < simulation.now + window ? time : -1;
  }
  return -1;
}

/** Removes the nodes of an outage from a set. */
@inline
function removeNodesOfOutage(setAddress: usize, outage: i32): void {
  const firstProcessor = capacityChanges.firstProcessorOfOutage(outage);
  nodeSets.removeProcessorsBetween(
    setAddress,
    firstProcessor,
    firstProcessor + capacityChanges.processorsOfOutage(outage),
  );
}

/**
 * True if every outage lies within the processors of its site, and no two outages share a processor at the
 * same time; plans by nodes require this. Uses the set of processors that outages want now, and restores it.
 */
export function areOutagesDisjoint(simulation: Simulation): bool {
  const capacityChangeCount = capacityChanges.changeCount(simulation);
  let position = simulation.changedCapacities;
  let areDisjoint = true;
  for (
    ;
    position < capacityChangeCount &&
    capacityChanges.timeOfChange(capacityChanges.changeAtPosition(position)) < Infinity;
    position++
  ) {
    areDisjoint = isEndOrDisjoint(capacityChanges.changeAtPosition(position));
    if (!areDisjoint) break;
    applyChangeToWantedNodes(capacityChanges.changeAtPosition(position), false);
  }
  while (--position >= simulation.changedCapacities)
    applyChangeToWantedNodes(capacityChanges.changeAtPosition(position), true);
  return areDisjoint;
}

/**
 * True for the end of an outage; for a begin, true if the outage's processors are on its site and no other
 * outage wants them.
 */
function isEndOrDisjoint(change: i32): bool {
  if (capacityChanges.isEndOfOutage(change)) return true;
  const outage = capacityChanges.outageOfChange(change);
  const firstProcessor = capacityChanges.firstProcessorOfOutage(outage);
  const processors = capacityChanges.processorsOfOutage(outage);
  const capacity = at<i32>(columns.capacities, capacityChanges.siteOfOutage(outage));
  if (firstProcessor < 0 || firstProcessor > capacity - processors) return false;
  const firstBit = firstBitOfOutage(outage);
  return nodeSets.countBetween(columns.wantedBits, firstBit, firstBit + processors) === 0;
}

/** Position of the first processor of an outage in sets of all sites, each of which begins in a new word. */
@inline
function firstBitOfOutage(outage: i32): i32 {
  const firstWord = at<i32>(columns.firstWords, capacityChanges.siteOfOutage(outage));
  return (firstWord << 6) + capacityChanges.firstProcessorOfOutage(outage);
}

/**
 * Enters the processors of an outage that begins into the set of wanted ones, or removes them at its end; if
 * `isUndone`, the reverse.
 */
export function applyChangeToWantedNodes(change: i32, isUndone: bool): void {
  const outage = capacityChanges.outageOfChange(change);
  const firstBit = firstBitOfOutage(outage);
  const end = firstBit + capacityChanges.processorsOfOutage(outage);
  if (capacityChanges.isEndOfOutage(change) !== isUndone)
    nodeSets.removeProcessorsBetween(columns.wantedBits, firstBit, end);
  else nodeSets.addProcessorsBetween(columns.wantedBits, firstBit, end);
}
