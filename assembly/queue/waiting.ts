import { Topology } from '../abi';
import { Simulation } from '../state';
import * as columns from '../columns';
import { at } from '../memory';
import * as ranked from './ranked';
import * as window from './window';

/** What policies and the event loop ask of waiting jobs, whichever of the two queues keeps them. */

/** Number of waiting jobs of the whole grid. */
@inline
export function length(simulation: Simulation): i32 {
  return simulation.ranked === 0 ? window.length(simulation) : simulation.waiting;
}

/** Number of waiting jobs that an event of a job finds: of its own queue where sites are independent. */
@inline
export function lengthSeenBy<R>(simulation: Simulation, job: i32): i32 {
  if (!changetype<R>(0).isRanked()) return window.length(simulation);
  if (simulation.topology !== Topology.Independent) return simulation.waiting;
  return ranked.queueAt(at<i32>(columns.homes, job)).waiting;
}

/**
 * Processors that the jobs of a job's queue demand together: the numerator of SL (Shih et al. 2010, eq. 4).
 */
@inline
export function demandAround(simulation: Simulation, job: i32): f64 {
  if (simulation.ranked === 0) return window.demand(simulation);
  return ranked.queueAt(ranked.queueOf(simulation, job)).demand;
}

/** The next waiting job behind a job in its queue, or -1. */
@inline
export function behind(simulation: Simulation, job: i32): i32 {
  if (simulation.ranked === 0) return job + 1 < simulation.next ? job + 1 : -1;
  return ranked.behind(simulation, job);
}

/** The next waiting job behind a job in its queue that needs at most `processors`, or -1. */
@inline
export function behindNotWider(simulation: Simulation, job: i32, processors: i32): i32 {
  if (simulation.ranked !== 0) return ranked.behindNotWider(simulation, job, processors);
  const next = window.nextNotWider(simulation, job + 1, processors);
  return next < simulation.next ? next : -1;
}
