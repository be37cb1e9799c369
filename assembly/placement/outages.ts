import { OnOutage } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import * as capacityChanges from '../events/capacityChanges';
import { Allocation, allocationAt, entryAt, placeIn } from '../events/finishQueue';
import { holdsWanted, moveWantedToOutages, freeUnwanted } from '../grid/processors';
import { freeAt } from '../grid/sites';
import * as feedback from '../knowledge/estimates';
import { at, put } from '../memory/memory';
import { PriorityRunKind } from '../memory/runKind';
import * as nodeOutages from '../planning/nodeOutages';
import * as record from '../record/allocations';
import { RECORDED } from '../record/log';
import { waitingJobsSeenBy } from '../queue/waiting';
import { endJobEarly, giveToOutages, takeFromOutages } from './commit';
import { preempt } from './preemption';
import * as steps from './capacitySteps';

/**
 * Outages take processors of their sites: free ones first. If they want more, they wait until jobs end; or
 * running jobs of the site are preempted or ended, the latest started first, ties by the higher index.
 */

/** Number of jobs that the last capacity change has preempted, which have to rejoin their queues. */
export let preemptedCount: i32 = 0;

/** Handles the begin or end of an outage. */
export function changeCapacity(simulation: Simulation, change: i32): void {
  const outage = capacityChanges.outageOf(change);
  const site = capacityChanges.siteOf(outage);
  const processors = capacityChanges.processorsOf(outage);
  const hasEnd = capacityChanges.endOf(outage) < Infinity;
  const wantedChange = capacityChanges.isEnd(change) ? -processors : processors;
  const logIndex = simulation.logLength;
  preemptedCount = 0;
  capacityChanges.advance(simulation);
  if (RECORDED) record.noteClaim(-1);
  capacityChanges.addToColumn(columns.wantedProcessors, site, wantedChange);
  if (hasEnd || capacityChanges.isPlanned(outage)) {
    capacityChanges.addToColumn(columns.returningProcessors, site, wantedChange);
  }
  const goneBefore = at<i32>(columns.goneProcessors, site);
  if (simulation.plansByNodes !== 0) nodeOutages.applyToWanted(change, false);
  moveProcessors(simulation, site);
  while (simulation.onOutage !== OnOutage.Drain && missingProcessors(site) > 0) {
    if (!vacateLatestJob(simulation, site)) break;
  }
  steps.noteCapacityStep(simulation, site, goneBefore, logIndex);
}

/** Takes the processors that have become free on a site, as far as outages want them. */
export function takeFreedProcessors(simulation: Simulation, site: i32): void {
  if (missingProcessors(site) === 0) return;
  const goneBefore = at<i32>(columns.goneProcessors, site);
  const logIndex = simulation.logLength;
  moveProcessors(simulation, site);
  steps.noteCapacityStep(simulation, site, goneBefore, logIndex);
}

/** Number of processors of a site that outages still have to take, because running jobs hold them. */
@inline
function missingProcessors(site: i32): i32 {
  return at<i32>(columns.wantedProcessors, site) - at<i32>(columns.goneProcessors, site);
}

/** Takes free processors of a site that outages want, or gives those back that none wants any more. */
function moveProcessors(simulation: Simulation, site: i32): void {
  if (simulation.plansByNodes !== 0) {
    moveNodes(simulation, site);
    return;
  }
  const missingProcessorCount = missingProcessors(site);
  const movedProcessors =
    missingProcessorCount > 0 ? min(missingProcessorCount, freeAt(site)) : missingProcessorCount;
  if (movedProcessors > 0) giveToOutages(simulation, site, movedProcessors);
  else if (movedProcessors < 0) takeFromOutages(simulation, site, -movedProcessors);
  capacityChanges.addToColumn(columns.goneProcessors, site, movedProcessors);
}

/**
 * Takes those wanted processors that are free, and gives back those that no outage wants any more; with plans
 * by nodes.
 */
function moveNodes(simulation: Simulation, site: i32): void {
  const takenProcessors = moveWantedToOutages(simulation, site);
  const returnedProcessors = freeUnwanted(simulation, site);
  if (takenProcessors > 0) giveToOutages(simulation, site, takenProcessors);
  if (returnedProcessors > 0) takeFromOutages(simulation, site, returnedProcessors);
  capacityChanges.addToColumn(columns.goneProcessors, site, takenProcessors - returnedProcessors);
}

/**
 * Preempts or ends the job of a site that has started last, and takes its processors as far as needed.
 * Returns false if there is none, because all have ended and only release their processors.
 */
function vacateLatestJob(simulation: Simulation, site: i32): bool {
  const place = latestStartedOn(simulation, site);
  if (place === 0) return false;
  const job = allocationAt(place).job;
  if (simulation.onOutage === OnOutage.Requeue) {
    put<i32>(columns.preemptedJobs, preemptedCount++, preempt(simulation, place, site));
  } else {
    const waitingJobs = waitingJobsSeenBy<PriorityRunKind>(simulation, job);
    simulation.waitingObserved += waitingJobs;
    simulation.largestQueue = max(simulation.largestQueue, waitingJobs);
    endJobEarly(simulation, place);
    steps.noteFailure(simulation, job);
    feedback.handleEnd(simulation, job);
  }
  moveProcessors(simulation, site);
  return true;
}

/**
 * True if the end of a job, by its allocation, would free processors that outages want: with plans by nodes,
 * where outages want particular ones, and jobs may hold theirs for a time after their end.
 */
function freesWantedProcessors(simulation: Simulation, allocation: Allocation): bool {
  if (simulation.plansByNodes === 0) return true;
  return (
    allocation.start + allocation.execution > simulation.now && holdsWanted(allocation.site, allocation.runs)
  );
}

/** Allocation of the job of a site that has started last, ties by the higher job index; 0: none. */
function latestStartedOn(simulation: Simulation, site: i32): i32 {
  let latestPlace = 0;
  for (let finishEntry = 1; finishEntry <= simulation.runningJobs; finishEntry++) {
    const place = placeIn(at<u64>(entryAt(finishEntry), 1));
    const allocation = allocationAt(place);
    if (allocation.site !== site || !freesWantedProcessors(simulation, allocation)) continue;
    if (latestPlace !== 0) {
      const latestAllocation = allocationAt(latestPlace);
      const startedBeforeLatest = allocation.start < latestAllocation.start;
      if (
        startedBeforeLatest ||
        (allocation.start === latestAllocation.start && allocation.job < latestAllocation.job)
      )
        continue;
    }
    latestPlace = place;
  }
  return latestPlace;
}
