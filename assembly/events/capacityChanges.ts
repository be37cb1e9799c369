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
export function siteOf(outage: i32): i32 {
  return <i32>at<f64>(columns.outages, DOUBLES_PER_OUTAGE * outage);
}

/** Begin of an outage in seconds. */
@inline
export function beginOf(outage: i32): f64 {
  return at<f64>(columns.outages, DOUBLES_PER_OUTAGE * outage + 1);
}

/** End of an outage in seconds; +infinity if it does not end. */
@inline
export function endOf(outage: i32): f64 {
  return at<f64>(columns.outages, DOUBLES_PER_OUTAGE * outage + 2);
}

@inline
export function processorsOf(outage: i32): i32 {
  return <i32>at<f64>(columns.outages, DOUBLES_PER_OUTAGE * outage + 3);
}

/** First of the processors of an outage, from 0 on its site; with plans by nodes. */
@inline
export function firstProcessorOf(outage: i32): i32 {
  return at<i32>(columns.outageProcessors, outage);
}

/** True for an outage without a begin, which the host may still set. */
@inline
export function isUnused(outage: i32): bool {
  return beginOf(outage) === Infinity;
}

@inline
export function isPlanned(outage: i32): bool {
  return at<f64>(columns.outages, DOUBLES_PER_OUTAGE * outage + 4) !== 0;
}

@inline
export function outageOf(change: i32): i32 {
  return change >> 1;
}

/** True if a capacity change is the end of an outage. */
@inline
export function isEnd(change: i32): bool {
  return (change & 1) !== 0;
}

@inline
export function timeOf(change: i32): f64 {
  return isEnd(change) ? endOf(outageOf(change)) : beginOf(outageOf(change));
}

/** Capacity change at a position of their order. */
@inline
export function changeAt(position: i32): i32 {
  return at<i32>(columns.capacityChanges, position);
}

/** True if the begin of an outage has happened. */
@inline
export function hasBegun(simulation: Simulation, outage: i32): bool {
  return at<i32>(columns.outageBegins, outage) < simulation.changedCapacities;
}

/** Number of begins and ends of outages. */
@inline
export function changeCount(simulation: Simulation): i32 {
  return 2 * simulation.outages;
}

/** Time of the next capacity change; +infinity if there is none. */
@inline
export function soonestTime(simulation: Simulation): f64 {
  const next = simulation.changedCapacities;
  return next < changeCount(simulation) ? timeOf(changeAt(next)) : Infinity;
}

/** True if a capacity change of now has not happened yet. */
@inline
export function isDue(simulation: Simulation): bool {
  return simulation.outages !== 0 && soonestTime(simulation) <= simulation.now;
}

/** Next capacity change, of which there must be one. */
@inline
export function nextChange(simulation: Simulation): i32 {
  return changeAt(simulation.changedCapacities);
}

/** Records that the next capacity change happens. */
@inline
export function advance(simulation: Simulation): void {
  simulation.changedCapacities++;
}

/**
 * Sorts the changes, and derives the lasting capacities of sites; returns false if an outage is out of range,
 * or outages at the same time want more processors than their site has. Changes that have happened keep their
 * positions.
 */
export function derive(simulation: Simulation): bool {
  for (let outage = 0; outage < simulation.outages; outage++) {
    if (!isValid(simulation, outage)) return false;
    put<i32>(columns.capacityChanges, 2 * outage, 2 * outage);
    put<i32>(columns.capacityChanges, 2 * outage + 1, 2 * outage + 1);
  }
  sort(changeCount(simulation));
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
    const change = changeAt(position);
    const outage = outageOf(change);
    if (isUnused(outage)) continue;
    const site = siteOf(outage);
    const processors = processorsOf(outage);
    const hasHappened = position < simulation.changedCapacities;
    const hasEnd = endOf(outage) < Infinity;
    if (isEnd(change)) {
      if (hasHappened) addToColumn(columns.returningProcessors, site, -processors);
    } else {
      if (!hasEnd) addToColumn(columns.lastingCapacities, site, -processors);
      if (hasHappened && hasEnd) addToColumn(columns.returningProcessors, site, processors);
      if (!hasHappened && !hasEnd && isPlanned(outage))
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
function isValid(simulation: Simulation, outage: i32): bool {
  if (isUnused(outage)) return simulation.isOpen !== 0 && !isPlanned(outage);
  const site = at<f64>(columns.outages, DOUBLES_PER_OUTAGE * outage);
  if (!(site >= 0 && site < <f64>simulation.siteCount && floor<f64>(site) === site)) return false;
  if (!(beginOf(outage) >= 0 && beginOf(outage) <= LATEST_TIME)) return false;
  if (!(endOf(outage) > beginOf(outage))) return false;
  if (endOf(outage) > LATEST_TIME && endOf(outage) < Infinity) return false;
  const processors = at<f64>(columns.outages, DOUBLES_PER_OUTAGE * outage + 3);
  if (!(processors >= 1 && floor<f64>(processors) === processors)) return false;
  return processors <= <f64>at<i32>(columns.capacities, siteOf(outage));
}

/**
 * True if outages of a site never want more processors than it has. Also stores the positions of the begins
 * of outages. Uses the column of processors that outages want now, and restores it.
 */
function doOutagesFitSites(simulation: Simulation): bool {
  const changeTotal = changeCount(simulation);
  for (let position = 0; position < changeTotal; position++) {
    const change = changeAt(position);
    if (!isEnd(change)) put<i32>(columns.outageBegins, outageOf(change), position);
  }
  let position = simulation.changedCapacities;
  let doOutagesFit = true;
  for (; position < changeTotal && timeOf(changeAt(position)) < Infinity; position++) {
    const change = changeAt(position);
    const site = siteOf(outageOf(change));
    const wantedProcessors = at<i32>(columns.wantedProcessors, site);
    doOutagesFit =
      isEnd(change) || wantedProcessors <= at<i32>(columns.capacities, site) - processorsOf(outageOf(change));
    if (!doOutagesFit) break;
    addToWanted(change, 1);
  }
  while (--position >= simulation.changedCapacities) addToWanted(changeAt(position), -1);
  return doOutagesFit;
}

/** Adds the processors of a change to those that outages of its site want, or takes them back (`sign` -1). */
@inline
function addToWanted(change: i32, sign: i32): void {
  const processors = processorsOf(outageOf(change));
  addToColumn(
    columns.wantedProcessors,
    siteOf(outageOf(change)),
    sign * (isEnd(change) ? -processors : processors),
  );
}

/** True if a change comes before another one in the order of changes. */
export function isBefore(change: i32, otherChange: i32): bool {
  const difference = timeOf(change) - timeOf(otherChange);
  if (timeOf(change) !== timeOf(otherChange)) return difference < 0;
  if (isEnd(change) !== isEnd(otherChange)) return isEnd(change);
  return change < otherChange;
}

/** Heap sort of the first `changeTotal` changes, the latest at the root. */
function sort(changeTotal: i32): void {
  for (let root = (changeTotal >> 1) - 1; root >= 0; root--) siftDown(root, changeTotal);
  for (let lastIndex = changeTotal - 1; lastIndex > 0; lastIndex--) {
    const firstChange = changeAt(0);
    put<i32>(columns.capacityChanges, 0, changeAt(lastIndex));
    put<i32>(columns.capacityChanges, lastIndex, firstChange);
    siftDown(0, lastIndex);
  }
}

/** Restores the heap below `root`. */
function siftDown(root: i32, changeTotal: i32): void {
  const siftedChange = changeAt(root);
  let heapEntry = root;
  for (let child = 2 * heapEntry + 1; child < changeTotal; child = 2 * heapEntry + 1) {
    if (child + 1 < changeTotal && isBefore(changeAt(child), changeAt(child + 1))) child++;
    if (!isBefore(siftedChange, changeAt(child))) break;
    put<i32>(columns.capacityChanges, heapEntry, changeAt(child));
    heapEntry = child;
  }
  put<i32>(columns.capacityChanges, heapEntry, siftedChange);
}

/** True if all begins and ends are whole seconds. */
export function areTimesWhole(simulation: Simulation): bool {
  for (let outage = 0; outage < simulation.outages; outage++) {
    if (floor<f64>(beginOf(outage)) !== beginOf(outage)) return false;
    if (floor<f64>(endOf(outage)) !== endOf(outage)) return false;
  }
  return true;
}

/** Time in seconds of the last begin or end; 0 if there is none. */
export function latestTime(simulation: Simulation): f64 {
  let latest: f64 = 0;
  for (let outage = 0; outage < simulation.outages; outage++) {
    if (isUnused(outage)) continue;
    latest = max<f64>(latest, endOf(outage) < Infinity ? endOf(outage) : beginOf(outage));
  }
  return latest;
}
