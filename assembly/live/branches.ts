import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import * as siteIndex from '../grid/siteIndex';
import * as copies from './copies';

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

/** Where bounds of widths, predictions and allocations begin, of which the fcfs queue needs none. */
@inline
function boundsOf(simulation: Simulation): usize {
  return simulation.hasPriorityQueue !== 0 ? columns.boundsBegin : columns.finishes;
}

/** Keeps the state as it is in a record. */
export function keep(simulation: Simulation, record: usize): void {
  copies.keep(simulation, record, columns.passEnd, boundsOf(simulation));
}

/** Goes back to the state in a record. */
export function goBack(simulation: Simulation, record: usize): void {
  copies.goBack(simulation, record, columns.passEnd, boundsOf(simulation));
  simulation.planHolds = 0;
  simulation.reservedJob = 0;
  siteIndex.forget(simulation);
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
