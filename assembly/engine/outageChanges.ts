import { Option, Status } from '../abi/abi';
import { Jobs, Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import * as capacityChanges from '../events/capacityChanges';
import { at, put } from '../memory/memory';
import { plansAhead } from '../memory/runKind';
import { Note } from '../record/log';
import { areOutagesValid, checkJobs } from './begin';
import { requestPass } from './corrections';
import { dropCaches } from './fork';

/**
 * Outages that the host adds, moves or ends during an open run. What has happened stays; all that follows is
 * as in a run that has had these outages from the beginning, if its plans did not know of them.
 */

/**
 * Puts the outages that the host has written into its columns into effect. If they are refused, the current
 * ones replace them in the host's columns.
 */
export function changeOutages(simulation: Simulation, jobs: Jobs): Status {
  const refusalStatus = checkOutagesMayChange(simulation);
  if (refusalStatus !== Status.Finished) return refusalStatus;
  swapOutagesWithHost(simulation);
  let status = checkPastUnchanged(simulation);
  const affectsPlans = status === Status.Finished && doesChangeAffectPlans(simulation);
  if (status === Status.Finished) status = deriveCapacityChanges(simulation, jobs);
  if (status === Status.Finished) {
    copyOutagesToHost(simulation);
    dropCaches(simulation);
    if (affectsPlans) requestPass(simulation, Note.ByCapacity, 0);
    return status;
  }
  const job = simulation.refusedJob;
  swapOutagesWithHost(simulation);
  areOutagesValid(simulation);
  copyOutagesToHost(simulation);
  simulation.refusedJob = job;
  return status;
}

/** Checks that the run is open, has outages, and is between two events. */
function checkOutagesMayChange(simulation: Simulation): Status {
  simulation.refusedJob = -1;
  simulation.refusedSite = -1;
  simulation.refusedOption = simulation.isOpen === 0 ? Option.Open : -1;
  if (simulation.outages === 0) simulation.refusedOption = Option.Outages;
  if (simulation.refusedOption >= 0) return Status.OptionsConflict;
  const awaitsKeys = simulation.keyedJob > 0 && simulation.keysGiven === 0;
  return simulation.decisionJob >= 0 || awaitsKeys ? Status.DecisionPending : Status.Finished;
}

/**
 * Sorts the begins and ends of outages again, and checks that the outages fit on the sites, and that the jobs
 * still fit.
 */
function deriveCapacityChanges(simulation: Simulation, jobs: Jobs): Status {
  if (!areOutagesValid(simulation)) {
    simulation.refusedOption = Option.Outages;
    return Status.OptionInvalid;
  }
  return checkJobs(simulation, jobs);
}

/** Distance in bytes from the columns in effect to those of the host. */
@inline
function bytesToHostColumns(): usize {
  return columns.hostCapacities - columns.capacities;
}

/**
 * Number of an outage in the column of the host; after `swapOutagesWithHost`, the number that was in effect
 * before.
 */
@inline
function otherOutageValue(entry: i32): f64 {
  return at<f64>(columns.outages + bytesToHostColumns(), entry);
}

/** Swaps the outages written by the host with those in effect. */
function swapOutagesWithHost(simulation: Simulation): void {
  const distanceInBytes = bytesToHostColumns();
  for (let entry = 0; entry < capacityChanges.DOUBLES_PER_OUTAGE * simulation.outages; entry++) {
    const hostValue = otherOutageValue(entry);
    put<f64>(columns.outages + distanceInBytes, entry, at<f64>(columns.outages, entry));
    put<f64>(columns.outages, entry, hostValue);
  }
  for (let outage = 0; outage < simulation.outages; outage++) {
    const firstOutageProcessor = at<i32>(columns.outageProcessors + distanceInBytes, outage);
    put<i32>(columns.outageProcessors + distanceInBytes, outage, at<i32>(columns.outageProcessors, outage));
    put<i32>(columns.outageProcessors, outage, firstOutageProcessor);
  }
}

/** Writes the outages in effect into the columns of the host. */
function copyOutagesToHost(simulation: Simulation): void {
  const distanceInBytes = bytesToHostColumns();
  for (let entry = 0; entry < capacityChanges.DOUBLES_PER_OUTAGE * simulation.outages; entry++) {
    put<f64>(columns.outages + distanceInBytes, entry, at<f64>(columns.outages, entry));
  }
  for (let outage = 0; outage < simulation.outages; outage++) {
    put<i32>(columns.outageProcessors + distanceInBytes, outage, at<i32>(columns.outageProcessors, outage));
  }
}

/**
 * Checks that changes of capacity that have happened stay as they are, and that all others come later and are
 * not in the past.
 */
function checkPastUnchanged(simulation: Simulation): Status {
  const earliestChangeTime = max<f64>(simulation.now, simulation.handledUntil);
  const capacityChangeCount = capacityChanges.changeCount(simulation);
  simulation.refusedOption = Option.Outages;
  for (let position = 0; position < capacityChangeCount; position++) {
    const change = capacityChanges.changeAtPosition(position);
    const isPastChangeSame = capacityChanges.isEndOfOutage(change)
      ? hasSameEnd(change)
      : hasSameBegin(change);
    if (isPastChangeSame) continue;
    if (position < simulation.changedCapacities) return Status.TimeInvalid;
    const time = capacityChanges.timeOfChange(change);
    if (!(time >= earliestChangeTime)) return Status.TimeInvalid;
    if (simulation.changedCapacities === 0) continue;
    const lastChange = capacityChanges.changeAtPosition(simulation.changedCapacities - 1);
    if (capacityChanges.isChangeBefore(change, lastChange)) return Status.TimeInvalid;
  }
  simulation.refusedOption = -1;
  return Status.Finished;
}

/** True if an outage has the same end as before. */
@inline
function hasSameEnd(change: i32): bool {
  const entry = capacityChanges.DOUBLES_PER_OUTAGE * capacityChanges.outageOfChange(change) + 2;
  return at<f64>(columns.outages, entry) === otherOutageValue(entry);
}

/** True if nothing of an outage but its end has changed. */
function hasSameBegin(change: i32): bool {
  const outage = capacityChanges.outageOfChange(change);
  for (let field = 0; field < capacityChanges.DOUBLES_PER_OUTAGE; field++) {
    const entry = capacityChanges.DOUBLES_PER_OUTAGE * outage + field;
    if (field !== 2 && at<f64>(columns.outages, entry) !== otherOutageValue(entry)) return false;
  }
  const firstOutageProcessor = at<i32>(columns.outageProcessors + bytesToHostColumns(), outage);
  return at<i32>(columns.outageProcessors, outage) === firstOutageProcessor;
}

/** True if an outage has changed that plans take into account: it was or is planned, or it has begun. */
function doesChangeAffectPlans(simulation: Simulation): bool {
  if (!plansAhead(simulation.lastDiscipline) && simulation.plansByNodes === 0) return false;
  for (let outage = 0; outage < simulation.outages; outage++) {
    const changeAtBegin = 2 * outage;
    if (hasSameEnd(changeAtBegin + 1) && hasSameBegin(changeAtBegin)) continue;
    const wasPlanned = otherOutageValue(capacityChanges.DOUBLES_PER_OUTAGE * outage + 4) !== 0;
    const isKnownToPlans = wasPlanned || capacityChanges.isOutagePlanned(outage);
    if (isKnownToPlans || capacityChanges.hasOutageBegun(simulation, outage)) return true;
  }
  return false;
}
