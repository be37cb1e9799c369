import { Simulation, liveStateAddressOf } from '../memory/state';
import { finishEntryAt } from '../events/finishQueue';
import { copyBytes } from '../memory/memory';
import * as columns from '../memory/columns';
import * as siteIndex from '../grid/siteIndex';

/**
 * Copies of the live state, which is contiguous memory from the live scalars to the running jobs; the scalars
 * contain the number of running jobs. A fork copies everything. A record omits the bytes between two columns,
 * because they are the same in all states that continue from the record, or are not needed:
 *
 * - for branches of shared policies, from the accounts up to the running jobs (live/histories.ts);
 * - for trials, from `passStateEnd` up to `keyBoundsBegin` or, with the fcfs queue, up to the running jobs.
 */

/** Address behind the live state, whose last part are the running jobs. */
@inline
function endAddressOfState(simulation: Simulation): usize {
  return finishEntryAt(simulation.runningJobs + 1);
}

/** Size of the live state in bytes. */
export function liveBytes(simulation: Simulation): usize {
  return endAddressOfState(simulation) - liveStateAddressOf(simulation);
}

/** Copies the live state to another simulation. */
export function copyStateTo(simulation: Simulation, targetSimulation: Simulation): void {
  copyBytes(liveStateAddressOf(targetSimulation), liveStateAddressOf(simulation), liveBytes(simulation));
}

/** Copies the live state to a record, without the bytes in [gap, gapEnd). */
@inline
export function copyStateOut(
  simulation: Simulation,
  recordAddress: usize,
  gapAddress: usize,
  gapEndAddress: usize,
): void {
  const bytesBeforeGap = gapAddress - liveStateAddressOf(simulation);
  copyBytes(recordAddress, liveStateAddressOf(simulation), bytesBeforeGap);
  copyBytes(recordAddress + bytesBeforeGap, gapEndAddress, endAddressOfState(simulation) - gapEndAddress);
}

/** Restores the live state from a record, which contains the number of running jobs. */
@inline
export function copyStateBack(
  simulation: Simulation,
  recordAddress: usize,
  gapAddress: usize,
  gapEndAddress: usize,
): void {
  const bytesBeforeGap = gapAddress - liveStateAddressOf(simulation);
  copyBytes(liveStateAddressOf(simulation), recordAddress, bytesBeforeGap);
  copyBytes(gapEndAddress, recordAddress + bytesBeforeGap, endAddressOfState(simulation) - gapEndAddress);
}

/**
 * Records of states from which trials continue: the parts of the live state that passes and ends change, with
 * the running jobs last.
 *
 * Candidates that are choices between best-fit and fastest-first share a trial as long as they decide alike.
 * When some decide differently, a record holds the state from which they continue after the others have
 * reached the end. The most recent branch continues first: the jobs that had started in its record have not
 * been started again since.
 */

/** Number of branches that still have to continue. */
export let openBranchCount: i32 = 0;

/**
 * Address at which a record continues after its gap: begin of width bounds, predictions and allocations, none
 * of which the fcfs queue needs.
 */
@inline
function endAddressOfRecordGap(simulation: Simulation): usize {
  return simulation.hasPriorityQueue !== 0 ? columns.keyBoundsBegin : columns.finishes;
}

/** Copies the current state to a record. */
export function saveState(simulation: Simulation, recordAddress: usize): void {
  copyStateOut(simulation, recordAddress, columns.passStateEnd, endAddressOfRecordGap(simulation));
}

/** Restores the state of a record. */
export function restoreState(simulation: Simulation, recordAddress: usize): void {
  copyStateBack(simulation, recordAddress, columns.passStateEnd, endAddressOfRecordGap(simulation));
  simulation.planHolds = 0;
  simulation.reservedJob = 0;
  siteIndex.invalidateSiteIndex(simulation);
}

@inline
function branchStateAt(branchIndex: i32): usize {
  return columns.branches + <usize>branchIndex * columns.stateBytes;
}

/**
 * Records the current state as a branch for the members that decide otherwise; the remaining ones continue.
 */
export function openBranch(simulation: Simulation, memberBits: u64): void {
  const remainingMembers = simulation.members & ~memberBits;
  simulation.members = memberBits;
  saveState(simulation, branchStateAt(openBranchCount++));
  simulation.members = remainingMembers;
}

/** Continues with the most recent open branch. */
export function continueWithLastBranch(simulation: Simulation): void {
  restoreState(simulation, branchStateAt(--openBranchCount));
}
