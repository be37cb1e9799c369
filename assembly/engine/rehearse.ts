import { Simulation } from '../memory/state';
import * as finishQueue from '../events/finishQueue';
import { finish } from '../placement/commit';
import { startAny } from '../placement/start';
import { PriorityRun } from '../runKind';

/**
 * What decisions cost, for whoever measures it: each of the jobs [first, end) starts if a site has room, and
 * ends at once, without an event; returns how many did, -1 for a run that this is not for. They must end
 * before all that run. The run has priority queues and keeps nothing but free counts.
 */
export function rehearse(simulation: Simulation, first: i32, end: i32): i32 {
  if (simulation.hasPriorityQueue === 0 || simulation.hasExtras !== 0) return -1;
  if (first < 0 || end > simulation.jobCount) return -1;
  let started = 0;
  for (let job = first; job < end; job++) {
    if (!startAny<PriorityRun>(simulation, job)) continue;
    finish<PriorityRun>(simulation, finishQueue.pop(simulation));
    simulation.counted--;
    started++;
  }
  return started;
}
