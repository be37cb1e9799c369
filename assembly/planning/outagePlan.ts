import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import * as capacityChanges from '../events/capacityChanges';
import { at } from '../memory/memory';
import * as freeSteps from './freeSteps';
import { effectiveEnd } from './predictions';

/**
 * Outages in a plan: the ends of outages that have begun, and begins and ends of planned ones. Processors
 * that an outage wants but running jobs still hold count as taken from now on, so the number of free
 * processors may be negative until these jobs end.
 */

/**
 * Number to add to the free processors of a site for its first step: processors that outages will give back,
 * less those that they still have to take. `addOutagesToPlan` then subtracts processors until they come back.
 */
@inline
export function outageCorrectionOf(site: i32): i32 {
  const surplusGoneProcessors =
    at<i32>(columns.goneProcessors, site) - at<i32>(columns.wantedProcessors, site);
  return surplusGoneProcessors + at<i32>(columns.returningProcessors, site);
}

/** Enters the known outages into the steps of all sites. */
export function addOutagesToPlan(simulation: Simulation): void {
  const capacityChangeCount = capacityChanges.changeCount(simulation);
  for (let position = simulation.changedCapacities; position < capacityChangeCount; position++) {
    const change = capacityChanges.changeAtPosition(position);
    const outage = capacityChanges.outageOfChange(change);
    if (capacityChanges.isEndOfOutage(change)) {
      if (capacityChanges.hasOutageBegun(simulation, outage)) addBegunOutage(simulation, outage);
    } else if (capacityChanges.isOutagePlanned(outage)) {
      addPlannedOutage(simulation, outage);
    }
  }
}

/**
 * Enters an outage that has begun. If its end is due but has not happened yet, its processors are expected
 * one second from now.
 */
function addBegunOutage(simulation: Simulation, outage: i32): void {
  const end = capacityChanges.endOfOutage(outage);
  if (end === Infinity) return;
  const isEndDue = end <= simulation.now;
  // With kept reservations, processors that are due count as free in the current instant, so none are
  // subtracted.
  if (isEndDue && simulation.keepsReservations !== 0) return;
  const until = isEndDue ? effectiveEnd(simulation.now, simulation.now) : end;
  freeSteps.occupyProcessorsUntil(
    simulation,
    capacityChanges.siteOfOutage(outage),
    capacityChanges.processorsOfOutage(outage),
    until,
  );
}

/**
 * Enters a planned outage that has not begun. The processors of an outage that never ends are subtracted from
 * all steps already (`outageCorrectionOf`), so they are added until its begin.
 */
function addPlannedOutage(simulation: Simulation, outage: i32): void {
  const begin = capacityChanges.beginOfOutage(outage);
  const end = capacityChanges.endOfOutage(outage);
  const site = capacityChanges.siteOfOutage(outage);
  const processors = capacityChanges.processorsOfOutage(outage);
  const isBeginDue = begin <= simulation.now;
  if (end === Infinity) {
    if (!isBeginDue) freeSteps.occupyProcessorsUntil(simulation, site, -processors, begin);
  } else if (isBeginDue) {
    freeSteps.occupyProcessorsUntil(simulation, site, processors, end);
  } else {
    freeSteps.occupyProcessorsBetween(simulation, site, processors, begin, end);
  }
}
