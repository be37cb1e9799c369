import { Selection, Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { Slot, requestOf } from '../grid/sites';
import { at, put } from '../memory/memory';
import { RECORDED, note } from '../record/log';
import { Note } from '../record/notes';
import { mayWait } from './own';
import { chooseByScan } from './registry';

/**
 * Backfilling on several sites with an allocator: of the sites with room a job is safe on those where its
 * start now delays no reservation, and the allocator chooses among these. All else that an allocator looks
 * at is as it is: what is free now, and who waits.
 */

/** Whether a run is one of these; with one site for each job there is nothing to choose but to wait. */
@inline
export function hasSafeChoice(simulation: Simulation): bool {
  if (simulation.selection !== Selection.Allocator) return false;
  const isAlone = simulation.siteCount === 1 || simulation.topology === Topology.Independent;
  return !isAlone || mayWait(simulation);
}

/** Makes all sites safe, to be marked one by one if they are not. */
export function beginMarks(simulation: Simulation): void {
  for (let index = 0; index < simulation.siteCount; index++) {
    put<Slot>(columns.safeSlots, index, at<Slot>(columns.slots, index));
  }
}

/** A site with room is not safe for the job at hand. */
export function markUnsafe(site: i32): void {
  if (RECORDED) note(Note.Unsafe, <f64>site);
  const index = at<i32>(columns.slotOfSite, site);
  put<Slot>(columns.safeSlots, index, requestOf(0) | <u64>site);
}

/** The allocator's choice among the sites that are not marked, or -1; `WITHHELD` as of any. */
export function chooseSafe(simulation: Simulation, job: i32): i32 {
  columns.chooseAmong(columns.safeSlots);
  const site = chooseByScan(simulation, job);
  columns.chooseAmong(columns.slots);
  return site;
}
