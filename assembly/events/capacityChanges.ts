import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at, put } from '../memory/memory';

/**
 * Begins and ends of outages, sorted by time. At equal times ends come first, then the order of the outages
 * counts. Begins and ends at +infinity never happen. An outage wants processors of its site from its begin
 * to its end; placement/outages.ts takes them.
 */

/** Latest accepted time of a begin or end in seconds, as of submissions. */
const LATEST_TIME: f64 = 1e300;

/** Doubles per outage: site, begin, end, processors, 1 if it is planned. */
export const DOUBLES_PER_OUTAGE: i32 = 5;

@inline
export function siteOfOutage(outage: i32): i32 {
  return <i32>at<f64>(columns.outages, DOUBLES_PER_OUTAGE * outage);
}

/** Begin of an outage in seconds. */
@inline
export function beginOfOutage(outage: i32): f64 {
  return at<f64>(columns.outages, DOUBLES_PER_OUTAGE * outage + 1);
}

/** End of an outage in seconds; +infinity if it does not end. */
@inline
export function endOfOutage(outage: i32): f64 {
  return at<f64>(columns.outages, DOUBLES_PER_OUTAGE * outage + 2);
}

@inline
export function processorsOfOutage(outage: i32): i32 {
  return <i32>at<f64>(columns.outages, DOUBLES_PER_OUTAGE * outage + 3);
}

/** First of the processors of an outage, from 0 on its site; with plans by nodes. */
@inline
export function firstProcessorOfOutage(outage: i32): i32 {
  return at<i32>(columns.outageProcessors, outage);
}

/** True for an outage without a begin, which the host may still set. */
@inline
export function isOutageUnused(outage: i32): bool {
  return beginOfOutage(outage) === Infinity;
}

@inline
export function isOutagePlanned(outage: i32): bool {
  return at<f64>(columns.outages, DOUBLES_PER_OUTAGE * outage + 4) !== 0;
}

@inline
export function outageOfChange(change: i32): i32 {
  return change >> 1;
}

/** True if a capacity change is the end of an outage. */
@inline
export function isEndOfOutage(change: i32): bool {
  return (change & 1) !== 0;
}

@inline
export function timeOfChange(change: i32): f64 {
  return isEndOfOutage(change) ? endOfOutage(outageOfChange(change)) : beginOfOutage(outageOfChange(change));
}

/** Capacity change at a position of their order. */
@inline
export function changeAtPosition(position: i32): i32 {
  return at<i32>(columns.capacityChanges, position);
}

/** True if the begin of an outage has happened. */
@inline
export function hasOutageBegun(simulation: Simulation, outage: i32): bool {
  return at<i32>(columns.outageBegins, outage) < simulation.changedCapacities;
}

/** Number of begins and ends of outages. */
@inline
export function changeCount(simulation: Simulation): i32 {
  return 2 * simulation.outages;
}

/** Time of the next capacity change; +infinity if there is none. */
@inline
export function soonestChangeTime(simulation: Simulation): f64 {
  const nextChangePosition = simulation.changedCapacities;
  return nextChangePosition < changeCount(simulation)
    ? timeOfChange(changeAtPosition(nextChangePosition))
    : Infinity;
}

/** True if a capacity change of now has not happened yet. */
@inline
export function isChangeDue(simulation: Simulation): bool {
  return simulation.outages !== 0 && soonestChangeTime(simulation) <= simulation.now;
}

/** Next capacity change, of which there must be one. */
@inline
export function nextChange(simulation: Simulation): i32 {
  return changeAtPosition(simulation.changedCapacities);
}

/** Records that the next capacity change happens. */
@inline
export function countChangeAsHappened(simulation: Simulation): void {
  simulation.changedCapacities++;
}

/**
 * Sorts the changes, and derives the lasting capacities of sites; returns false if an outage is out of range,
 * or outages at the same time want more processors than their site has. Changes that have happened keep their
 * positions.
 */
export function deriveCapacityChanges(simulation: Simulation): bool {
  for (let outage = 0; outage < simulation.outages; outage++) {
    if (!isOutageValid(simulation, outage)) return false;
    put<i32>(columns.capacityChanges, 2 * outage, 2 * outage);
    put<i32>(columns.capacityChanges, 2 * outage + 1, 2 * outage + 1);
  }
  sortChanges(changeCount(simulation));
  deriveCapacities(simulation);
  return doOutagesFitSites(simulation);
}

/**
 * Derives, for each site, the processors that it has once all outages with an end are over, and those that it
 * gains until then.
 */
function deriveCapacities(simulation: Simulation): void {
  for (let site = 0; site < simulation.siteCount; site++) {
    put<i32>(columns.lastingCapacities, site, at<i32>(columns.capacities, site));
    put<i32>(columns.returningProcessors, site, 0);
  }
  for (let position = changeCount(simulation) - 1; position >= 0; position--) {
    const change = changeAtPosition(position);
    const outage = outageOfChange(change);
    if (isOutageUnused(outage)) continue;
    const site = siteOfOutage(outage);
    const processors = processorsOfOutage(outage);
    const hasChangeHappened = position < simulation.changedCapacities;
    const hasOutageEnd = endOfOutage(outage) < Infinity;
    if (isEndOfOutage(change)) {
      if (hasChangeHappened) addToColumn(columns.returningProcessors, site, -processors);
    } else {
      if (!hasOutageEnd) addToColumn(columns.lastingCapacities, site, -processors);
      if (hasChangeHappened && hasOutageEnd) addToColumn(columns.returningProcessors, site, processors);
      if (!hasChangeHappened && !hasOutageEnd && isOutagePlanned(outage))
        addToColumn(columns.returningProcessors, site, -processors);
    }
  }
}

/** Adds to an entry of a column of sites. */
@inline
export function addToColumn(column: usize, site: i32, amount: i32): void {
  put<i32>(column, site, at<i32>(column, site) + amount);
}

/** True if the numbers of an outage are in their ranges. Comparisons are written so that NaN fails them. */
function isOutageValid(simulation: Simulation, outage: i32): bool {
  if (isOutageUnused(outage)) return simulation.isOpen !== 0 && !isOutagePlanned(outage);
  const site = at<f64>(columns.outages, DOUBLES_PER_OUTAGE * outage);
  if (!(site >= 0 && site < <f64>simulation.siteCount && floor<f64>(site) === site)) return false;
  if (!(beginOfOutage(outage) >= 0 && beginOfOutage(outage) <= LATEST_TIME)) return false;
  if (!(endOfOutage(outage) > beginOfOutage(outage))) return false;
  if (endOfOutage(outage) > LATEST_TIME && endOfOutage(outage) < Infinity) return false;
  const processors = at<f64>(columns.outages, DOUBLES_PER_OUTAGE * outage + 3);
  if (!(processors >= 1 && floor<f64>(processors) === processors)) return false;
  return processors <= <f64>at<i32>(columns.capacities, siteOfOutage(outage));
}

/**
 * True if outages of a site never want more processors than it has. Also stores the positions of the begins
 * of outages. Uses the column of processors that outages want now, and restores it.
 */
function doOutagesFitSites(simulation: Simulation): bool {
  const capacityChangeCount = changeCount(simulation);
  for (let position = 0; position < capacityChangeCount; position++) {
    const change = changeAtPosition(position);
    if (!isEndOfOutage(change)) put<i32>(columns.outageBegins, outageOfChange(change), position);
  }
  let position = simulation.changedCapacities;
  let doOutagesFitSite = true;
  for (; position < capacityChangeCount && timeOfChange(changeAtPosition(position)) < Infinity; position++) {
    const change = changeAtPosition(position);
    const site = siteOfOutage(outageOfChange(change));
    const wantedProcessors = at<i32>(columns.wantedProcessors, site);
    doOutagesFitSite =
      isEndOfOutage(change) ||
      wantedProcessors <= at<i32>(columns.capacities, site) - processorsOfOutage(outageOfChange(change));
    if (!doOutagesFitSite) break;
    addToWantedProcessors(change, 1);
  }
  while (--position >= simulation.changedCapacities) addToWantedProcessors(changeAtPosition(position), -1);
  return doOutagesFitSite;
}

/** Adds the processors of a change to those that outages of its site want, or takes them back (`sign` -1). */
@inline
function addToWantedProcessors(change: i32, sign: i32): void {
  const processors = processorsOfOutage(outageOfChange(change));
  addToColumn(
    columns.wantedProcessors,
    siteOfOutage(outageOfChange(change)),
    sign * (isEndOfOutage(change) ? -processors : processors),
  );
}

/** True if a change comes before another one in the order of changes. */
export function isChangeBefore(change: i32, otherChange: i32): bool {
  const difference = timeOfChange(change) - timeOfChange(otherChange);
  if (timeOfChange(change) !== timeOfChange(otherChange)) return difference < 0;
  if (isEndOfOutage(change) !== isEndOfOutage(otherChange)) return isEndOfOutage(change);
  return change < otherChange;
}

/** Heap sort of the first `capacityChangeCount` changes, the latest at the root. */
function sortChanges(capacityChangeCount: i32): void {
  for (let root = (capacityChangeCount >> 1) - 1; root >= 0; root--) siftDown(root, capacityChangeCount);
  for (let lastIndex = capacityChangeCount - 1; lastIndex > 0; lastIndex--) {
    const firstChange = changeAtPosition(0);
    put<i32>(columns.capacityChanges, 0, changeAtPosition(lastIndex));
    put<i32>(columns.capacityChanges, lastIndex, firstChange);
    siftDown(0, lastIndex);
  }
}

/** Restores the heap below `root`. */
function siftDown(root: i32, changeTotal: i32): void {
  const siftedChange = changeAtPosition(root);
  let heapPosition = root;
  for (let child = 2 * heapPosition + 1; child < changeTotal; child = 2 * heapPosition + 1) {
    if (child + 1 < changeTotal && isChangeBefore(changeAtPosition(child), changeAtPosition(child + 1)))
      child++;
    if (!isChangeBefore(siftedChange, changeAtPosition(child))) break;
    put<i32>(columns.capacityChanges, heapPosition, changeAtPosition(child));
    heapPosition = child;
  }
  put<i32>(columns.capacityChanges, heapPosition, siftedChange);
}

/** True if all begins and ends are whole seconds. */
export function areTimesWhole(simulation: Simulation): bool {
  for (let outage = 0; outage < simulation.outages; outage++) {
    if (floor<f64>(beginOfOutage(outage)) !== beginOfOutage(outage)) return false;
    if (floor<f64>(endOfOutage(outage)) !== endOfOutage(outage)) return false;
  }
  return true;
}

/** Time in seconds of the last begin or end; 0 if there is none. */
export function timeOfLastChange(simulation: Simulation): f64 {
  let latestChangeTime: f64 = 0;
  for (let outage = 0; outage < simulation.outages; outage++) {
    if (isOutageUnused(outage)) continue;
    latestChangeTime = max<f64>(
      latestChangeTime,
      endOfOutage(outage) < Infinity ? endOfOutage(outage) : beginOfOutage(outage),
    );
  }
  return latestChangeTime;
}
