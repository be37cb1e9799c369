/** The live columns of reservations that are kept until their jobs start (planning/keptPlan.ts). */
import { Column } from '../abi/abiColumns';
import { column, shown } from './columnWalk';
import { Simulation } from './state';

export let keptStarts: usize = 0;
export let keptSites: usize = 0;
export let keptQueues: usize = 0;
export let promisedStarts: usize = 0;

/** What waiting jobs have, by which decisions go, and what is known of every queue. */
export function placeKept(simulation: Simulation): void {
  if (simulation.roomForKept === 0) return;
  keptStarts = column<f64>(simulation.jobCount);
  keptSites = column<i32>(simulation.jobCount);
  keptQueues = column<u64>(<i64>simulation.siteCount << 1);
}

/** What jobs were promised, by which none goes. */
export function placePromises(simulation: Simulation): void {
  if (simulation.roomForKept !== 0) promisedStarts = shown<f64>(Column.PromisedStart, simulation.jobCount);
}
