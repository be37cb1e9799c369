import { Simulation, liveOf } from '../memory/state';
import { entryAt } from '../events/finishQueue';
import { copyBytes } from '../memory/memory';
import * as columns from '../memory/columns';
import * as siteIndex from '../grid/siteIndex';

/**
 * Copies of the live state, which is one piece of memory from the live scalars to the running jobs, of which
 * there are as many as the scalars say. A fork takes all of it. A record leaves out what is between two
 * columns, since it is the same in the states that go on from the record, or not needed in them:
 *
 * - of histories from the accounts up to the running jobs (live/histories.ts);
 * - of trials from `passEnd` up to `boundsBegin` or, with the fcfs queue, the running jobs.
 */

/** Where the live state ends as it is. */
@inline
function endOf(simulation: Simulation): usize {
  return entryAt(simulation.running + 1);
}

/** Bytes of all of it. */
export function liveBytes(simulation: Simulation): usize {
  return endOf(simulation) - liveOf(simulation);
}

/** Copies all of it to another simulation. */
export function copyTo(simulation: Simulation, other: Simulation): void {
  copyBytes(liveOf(other), liveOf(simulation), liveBytes(simulation));
}

/** Keeps it in a record, without what is in [gap, after). */
@inline
export function copyOut(simulation: Simulation, record: usize, gap: usize, after: usize): void {
  const first = gap - liveOf(simulation);
  copyBytes(record, liveOf(simulation), first);
  copyBytes(record + first, after, endOf(simulation) - after);
}

/** Goes back to what is in a record, which tells how many jobs run. */
@inline
export function copyBack(simulation: Simulation, record: usize, gap: usize, after: usize): void {
  const first = gap - liveOf(simulation);
  copyBytes(liveOf(simulation), record, first);
  copyBytes(after, record + first, endOf(simulation) - after);
}

/**
 * States of a simulation to which trials go back: of its live part what passes and ends change, in one
 * record, last the running jobs.
 *
 * Candidates that are choices between best-fit and fastest-first share a trial as long as they decide alike.
 * Where some do not, a record has the state that they go on from once the others have reached the end. The
 * last one goes on first: the jobs that it finds started have not been started again since.
 */

/** Branches that have yet to go on. */
export let open: i32 = 0;

/** Where bounds of widths, predictions and allocations begin; the fcfs queue needs none of these. */
@inline
function boundsOf(simulation: Simulation): usize {
  return simulation.hasPriorityQueue !== 0 ? columns.boundsBegin : columns.finishes;
}

/** Keeps the state as it is in a record. */
export function keep(simulation: Simulation, record: usize): void {
  copyOut(simulation, record, columns.passEnd, boundsOf(simulation));
}

/** Goes back to the state in a record. */
export function goBack(simulation: Simulation, record: usize): void {
  copyBack(simulation, record, columns.passEnd, boundsOf(simulation));
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
