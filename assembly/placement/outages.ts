import { OnOutage } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import * as capacityChanges from '../events/capacityChanges';
import { Allocation, allocationAt, finishEntryAt, siteOrAllocationOfKey } from '../events/finishQueue';
import {
  containsWantedProcessors,
  moveWantedProcessorsToOutages,
  freeUnwantedProcessors,
} from '../grid/processors';
import { freeProcessorsAt } from '../grid/sites';
import * as feedback from '../knowledge/estimates';
import { at, put } from '../memory/memory';
import { PriorityRunKind } from '../memory/runKind';
import * as nodeOutages from '../planning/nodeOutages';
import * as record from '../record/allocations';
import { IS_RECORDING_BUILD } from '../record/log';
import { waitingJobCountSeenBy } from '../queue/waiting';
import { endJobEarly, giveProcessorsToOutages, takeProcessorsFromOutages } from './commit';
import { preemptJob } from './preemption';
import * as steps from './capacitySteps';

/**
 * Outages take processors of their sites: free ones first. If they want more, they wait until jobs end; or
 * running jobs of the site are preempted or ended, the latest started first, ties by the higher index.
 */

/** Number of jobs that the last capacity change has preempted, which have to rejoin their queues. */
export let preemptedJobCount: i32 = 0;

/** Handles the begin or end of an outage. */
export function changeCapacity(simulation: Simulation, change: i32): void {
  const outage = capacityChanges.outageOfChange(change);
  const site = capacityChanges.siteOfOutage(outage);
  const processors = capacityChanges.processorsOfOutage(outage);
  const hasOutageEnd = capacityChanges.endOfOutage(outage) < Infinity;
  const wantedProcessorChange = capacityChanges.isEndOfOutage(change) ? -processors : processors;
  const logIndex = simulation.logLength;
  preemptedJobCount = 0;
  capacityChanges.countChangeAsHappened(simulation);
  if (IS_RECORDING_BUILD) record.recordClaimingJob(-1);
  capacityChanges.addToColumn(columns.wantedProcessors, site, wantedProcessorChange);
  if (hasOutageEnd || capacityChanges.isOutagePlanned(outage)) {
    capacityChanges.addToColumn(columns.returningProcessors, site, wantedProcessorChange);
  }
  const goneProcessorsBefore = at<i32>(columns.goneProcessors, site);
  if (simulation.plansByNodes !== 0) nodeOutages.applyChangeToWantedNodes(change, false);
  exchangeProcessorsWithOutages(simulation, site);
  while (simulation.onOutage !== OnOutage.Drain && missingProcessors(site) > 0) {
    if (!vacateLatestJob(simulation, site)) break;
  }
  steps.noteCapacityStep(simulation, site, goneProcessorsBefore, logIndex);
}

/** Takes the processors that have become free on a site, as far as outages want them. */
export function takeFreedProcessors(simulation: Simulation, site: i32): void {
  if (missingProcessors(site) === 0) return;
  const goneProcessorsBefore = at<i32>(columns.goneProcessors, site);
  const logIndex = simulation.logLength;
  exchangeProcessorsWithOutages(simulation, site);
  steps.noteCapacityStep(simulation, site, goneProcessorsBefore, logIndex);
}

/** Number of processors of a site that outages still have to take, because running jobs hold them. */
@inline
function missingProcessors(site: i32): i32 {
  return at<i32>(columns.wantedProcessors, site) - at<i32>(columns.goneProcessors, site);
}

/** Takes free processors of a site that outages want, or gives those back that none wants any more. */
function exchangeProcessorsWithOutages(simulation: Simulation, site: i32): void {
  if (simulation.plansByNodes !== 0) {
    exchangeNodesWithOutages(simulation, site);
    return;
  }
  const missingProcessorCount = missingProcessors(site);
  const movedProcessors =
    missingProcessorCount > 0 ? min(missingProcessorCount, freeProcessorsAt(site)) : missingProcessorCount;
  if (movedProcessors > 0) giveProcessorsToOutages(simulation, site, movedProcessors);
  else if (movedProcessors < 0) takeProcessorsFromOutages(simulation, site, -movedProcessors);
  capacityChanges.addToColumn(columns.goneProcessors, site, movedProcessors);
}

/**
 * Takes those wanted processors that are free, and gives back those that no outage wants any more; with plans
 * by nodes.
 */
function exchangeNodesWithOutages(simulation: Simulation, site: i32): void {
  const takenProcessorCount = moveWantedProcessorsToOutages(simulation, site);
  const returnedProcessorCount = freeUnwantedProcessors(simulation, site);
  if (takenProcessorCount > 0) giveProcessorsToOutages(simulation, site, takenProcessorCount);
  if (returnedProcessorCount > 0) takeProcessorsFromOutages(simulation, site, returnedProcessorCount);
  capacityChanges.addToColumn(columns.goneProcessors, site, takenProcessorCount - returnedProcessorCount);
}

/**
 * Preempts or ends the job of a site that has started last, and takes its processors as far as needed.
 * Returns false if there is none, because all have ended and only release their processors.
 */
function vacateLatestJob(simulation: Simulation, site: i32): bool {
  const place = latestStartedAllocationOn(simulation, site);
  if (place === 0) return false;
  const job = allocationAt(place).job;
  if (simulation.onOutage === OnOutage.Requeue) {
    put<i32>(columns.preemptedJobs, preemptedJobCount++, preemptJob(simulation, place, site));
  } else {
    const waitingJobCount = waitingJobCountSeenBy<PriorityRunKind>(simulation, job);
    simulation.waitingObserved += waitingJobCount;
    simulation.largestQueue = max(simulation.largestQueue, waitingJobCount);
    endJobEarly(simulation, place);
    steps.noteJobFailure(simulation, job);
    feedback.handleJobEnd(simulation, job);
  }
  exchangeProcessorsWithOutages(simulation, site);
  return true;
}

/**
 * True if the end of a job, by its allocation, would free processors that outages want: with plans by nodes,
 * where outages want particular ones, and jobs may hold theirs for a time after their end.
 */
function doesJobHoldWantedProcessors(simulation: Simulation, allocation: Allocation): bool {
  if (simulation.plansByNodes === 0) return true;
  return (
    allocation.start + allocation.execution > simulation.now &&
    containsWantedProcessors(allocation.site, allocation.runs)
  );
}

/** Allocation of the job of a site that has started last, ties by the higher job index; 0: none. */
function latestStartedAllocationOn(simulation: Simulation, site: i32): i32 {
  let latestAllocationIndex = 0;
  for (let finishEntry = 1; finishEntry <= simulation.runningJobs; finishEntry++) {
    const place = siteOrAllocationOfKey(at<u64>(finishEntryAt(finishEntry), 1));
    const allocation = allocationAt(place);
    if (allocation.site !== site || !doesJobHoldWantedProcessors(simulation, allocation)) continue;
    if (latestAllocationIndex !== 0) {
      const latestAllocation = allocationAt(latestAllocationIndex);
      const hasStartedBeforeLatest = allocation.start < latestAllocation.start;
      if (
        hasStartedBeforeLatest ||
        (allocation.start === latestAllocation.start && allocation.job < latestAllocation.job)
      )
        continue;
    }
    latestAllocationIndex = place;
  }
  return latestAllocationIndex;
}
