import { Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import * as finishQueue from '../events/finishQueue';
import { allocationAt } from '../events/finishQueue';
import { requestedTimeOn } from '../grid/execution';
import { at, put } from '../memory/memory';
import * as predictions from './predictions';
import { Sweep } from './predictions';

/**
 * A job that has run longer than it was estimated to is from then on predicted to end as it requests. That is
 * brought up to date at the beginning of a pass, before those that are overdue even then.
 */

/**
 * Brings the predictions of the sites that a queue is about up to now; returns whether a job is overdue, or
 * predicted anew.
 */
@inline
export function sweepQueue(simulation: Simulation, queue: i32, which: Sweep = Sweep.Until): bool {
  const isCorrected = correct(simulation, queue);
  return predictions.sweepQueue(simulation, queue, which) || isCorrected;
}

/** Corrects the jobs on the sites that a queue is about; returns whether any is predicted anew. */
function correct(simulation: Simulation, queue: i32): bool {
  if (!isLate(simulation, queue)) return false;
  const site = simulation.topology === Topology.Independent ? queue : -1;
  let isCorrected = false;
  for (let entry = 1; entry <= simulation.running; entry++) {
    const place = finishQueue.placeIn(at<u64>(finishQueue.entryAt(entry), 1));
    const first = allocationAt(place);
    if (site >= 0 && first.site !== site) continue;
    if (first.predictedEnd < simulation.now) isCorrected = correctJob(simulation, place) || isCorrected;
  }
  if (isCorrected) simulation.planHolds = 0;
  return isCorrected;
}

/** Whether a job that may be predicted anew should have ended on the sites that a queue is about. */
export function isLate(simulation: Simulation, queue: i32): bool {
  if (simulation.recentJobs === 0) return false;
  const site = simulation.topology === Topology.Independent ? queue : -1;
  const end = site < 0 ? simulation.siteCount : site + 1;
  for (let each = max(site, 0); each < end; each++) {
    if (predictions.isAnyLate(each, simulation.now)) return true;
  }
  return false;
}

/** A running job, by its first allocation, is predicted to end as it requests; returns whether it was not. */
function correctJob(simulation: Simulation, place: i32): bool {
  const first = allocationAt(place);
  const before = first.predictedEnd;
  const end = first.start + requestedTimeOn(simulation, first.job, columns.candidateSites, listSites(place));
  if (end === before) return false;
  for (let index = place; index !== 0; index = allocationAt(index).next) {
    const allocation = allocationAt(index);
    predictions.correct(allocation.site, before, end, allocation.processors);
    allocation.predictedEnd = end;
  }
  return true;
}

/** Writes the sites of a job to `candidateSites`; returns how many they are. */
function listSites(place: i32): i32 {
  let count = 0;
  for (let index = place; index !== 0; index = allocationAt(index).next) {
    put<i32>(columns.candidateSites, count++, allocationAt(index).site);
  }
  return count;
}
