import { Simulation, liveOf } from '../memory/state';
import * as columns from '../memory/columns';
import { entryAt } from '../events/finishQueue';
import * as siteIndex from '../grid/siteIndex';
import { copyBytes } from '../memory/memory';

/**
 * States of a simulation to which trials go back: of its live part what passes and ends change, in one
 * record, last the running jobs.
 *
 * Candidates that are choices between best-fit and fastest-first share a trial as long as they decide alike.
 * Where some do not, a record has the state that they go on from once the others have come to the end. The
 * last one goes on first: the jobs that it finds started have not been started again since.
 */

/** Branches that have yet to go on. */
export let open: i32 = 0;

/** Bytes of the first piece: live scalars, sites and queues. */
@inline
function passBytes(simulation: Simulation): usize {
  return columns.passEnd - liveOf(simulation);
}

/** Bytes of the second: bounds of widths of queues, predictions, allocations. The fcfs queue needs none. */
@inline
function boundsBytes(simulation: Simulation): usize {
  return simulation.hasPriorityQueue !== 0 ? columns.finishes - columns.boundsBegin : 0;
}

/** Keeps the state as it is in a record. */
export function keep(simulation: Simulation, record: usize): void {
  copyBytes(record, liveOf(simulation), passBytes(simulation));
  const bounds = record + passBytes(simulation);
  copyBytes(bounds, columns.boundsBegin, boundsBytes(simulation));
  copyBytes(bounds + boundsBytes(simulation), columns.finishes, finishBytes(simulation));
}

/** Goes back to the state in a record. */
export function goBack(simulation: Simulation, record: usize): void {
  copyBytes(liveOf(simulation), record, passBytes(simulation));
  const bounds = record + passBytes(simulation);
  copyBytes(columns.boundsBegin, bounds, boundsBytes(simulation));
  copyBytes(columns.finishes, bounds + boundsBytes(simulation), finishBytes(simulation));
  simulation.planHolds = 0;
  simulation.reservedJob = 0;
  siteIndex.forget(simulation);
}

@inline
function finishBytes(simulation: Simulation): usize {
  return entryAt(simulation.running + 1) - columns.finishes;
}

@inline
function branchAt(branch: i32): usize {
  return columns.branches + <usize>branch * columns.stateBytes;
}

/** In a decision of a trial some candidates leave, to go on from here once the others are done. */
export function branch(simulation: Simulation, members: u64): void {
  const own = simulation.members & ~members;
  simulation.members = members;
  keep(simulation, branchAt(open++));
  simulation.members = own;
}

/** Makes the last branch that is open the state at hand. */
export function takeLast(simulation: Simulation): void {
  goBack(simulation, branchAt(--open));
}
