import { Simulation, liveOf } from '../memory/state';
import { entryAt } from '../events/finishQueue';
import { copyBytes } from '../memory/memory';

/**
 * Copies of the live state, which is one piece of memory from the live scalars to the running jobs, of which
 * there are as many as the scalars say. A fork takes all of it. A record leaves out what stands between two
 * columns, since it is the same in the states that go on from the record, or not needed in them:
 *
 * - of histories from the accounts up to the running jobs (live/histories.ts);
 * - of trials from `passEnd` up to `boundsBegin` or, with the fcfs queue, the running jobs
 *   (live/branches.ts).
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

/** Keeps it in a record, without what stands in [gap, after). */
@inline
export function keep(simulation: Simulation, record: usize, gap: usize, after: usize): void {
  const first = gap - liveOf(simulation);
  copyBytes(record, liveOf(simulation), first);
  copyBytes(record + first, after, endOf(simulation) - after);
}

/** Goes back to what stands in a record, which tells how many jobs run. */
@inline
export function goBack(simulation: Simulation, record: usize, gap: usize, after: usize): void {
  const first = gap - liveOf(simulation);
  copyBytes(liveOf(simulation), record, first);
  copyBytes(after, record + first, endOf(simulation) - after);
}
