import * as columns from '../memory/columns';
import { Allocation, allocationAt } from '../events/finishQueue';
import { at, put } from '../memory/memory';

/**
 * Running jobs away from home, which may be preempted: per site a list of allocations in order of their
 * starts, ties by job index. The last one is preempted first (Huang et al. 2007, section 5). 0 ends the list.
 */

/** Adds a starting allocation to the list of its site, unless the job is at home there. */
export function addRemoteJob(index: i32): void {
  const allocation = allocationAt(index);
  if (!isRemoteJob(allocation)) return;
  const site = allocation.site;
  // Only jobs started in the same instant can be ordered after the new one, so the search is short.
  let nextAllocationIndex = 0;
  let previousAllocationIndex = at<i32>(columns.lastRemoteJob, site);
  while (
    previousAllocationIndex !== 0 &&
    isPreemptedBefore(allocationAt(previousAllocationIndex), allocation)
  ) {
    nextAllocationIndex = previousAllocationIndex;
    previousAllocationIndex = allocationAt(previousAllocationIndex).previousRemote;
  }
  linkRemoteJobs(site, previousAllocationIndex, index);
  linkRemoteJobs(site, index, nextAllocationIndex);
  addRemoteProcessors(site, allocation.processors);
}

@inline
function isPreemptedBefore(otherAllocation: Allocation, allocation: Allocation): bool {
  return otherAllocation.job > allocation.job && otherAllocation.start === allocation.start;
}

@inline
function isRemoteJob(allocation: Allocation): bool {
  return at<i32>(columns.homes, allocation.job) !== allocation.site;
}

/** Links two neighbours of a site's list. */
@inline
function linkRemoteJobs(site: i32, previousAllocationIndex: i32, nextAllocationIndex: i32): void {
  if (previousAllocationIndex !== 0) allocationAt(previousAllocationIndex).nextRemote = nextAllocationIndex;
  if (nextAllocationIndex !== 0) allocationAt(nextAllocationIndex).previousRemote = previousAllocationIndex;
  else put<i32>(columns.lastRemoteJob, site, previousAllocationIndex);
}

@inline
function addRemoteProcessors(site: i32, processors: i32): void {
  put<i32>(columns.remoteProcessors, site, at<i32>(columns.remoteProcessors, site) + processors);
}

/** Removes an allocation that ends or is preempted. */
@inline
export function removeRemoteJob(allocation: Allocation): void {
  if (!isRemoteJob(allocation)) return;
  linkRemoteJobs(allocation.site, allocation.previousRemote, allocation.nextRemote);
  addRemoteProcessors(allocation.site, -allocation.processors);
}

/** Processors used by the remote jobs of a site. */
@inline
export function remoteProcessorsOn(site: i32): i32 {
  return at<i32>(columns.remoteProcessors, site);
}

/** Allocation of the remote job that would be preempted first; 0 if none. */
@inline
export function firstAllocationToPreempt(site: i32): i32 {
  return at<i32>(columns.lastRemoteJob, site);
}
