import { Option, Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { freeAt } from '../grid/sites';
import { at } from '../memory/memory';
import { Queue, queueAt, queueOf, queuesOf } from './priorityQueue';

/**
 * Times of passes at intervals: for each queue at its first submission + k * interval, as long as jobs wait
 * in it. Independent sites thus have passes of their own.
 */

/** Finds the first and the last job of each queue. */
export function reset(simulation: Simulation): void {
  if (columns.taken(Option.Interval) === 0) return;
  for (let index = queuesOf(simulation) - 1; index >= 0; index--) {
    const queue = queueAt(index);
    queue.firstJob = -1;
    queue.passes = 0;
    queue.nextPass = Infinity;
  }
  for (let job = 0; job < simulation.jobCount; job++) {
    const queue = queueAt(queueOf(simulation, job));
    if (queue.firstJob < 0) queue.firstJob = job;
    queue.lastJob = job;
  }
}

/** Time of the next pass of any queue, after all events up to then; +infinity if none. */
export function soonest(simulation: Simulation): f64 {
  let time: f64 = Infinity;
  for (let index = queuesOf(simulation) - 1; index >= 0; index--) {
    const queue = queueAt(index);
    const hasNone = queue.waiting === 0 || isOver(simulation, index);
    queue.nextPass = hasNone ? Infinity : nextOf(simulation, queue);
    time = min<f64>(time, queue.nextPass);
  }
  return time;
}

/** Largest number of past intervals of a queue. */
export function most(simulation: Simulation): f64 {
  let passes: f64 = 0;
  for (let index = queuesOf(simulation) - 1; index >= 0; index--) {
    passes = max<f64>(passes, queueAt(index).passes);
  }
  return passes;
}

/** True if the host has let all jobs of a queue wait in its last pass, and no later event can change that. */
function isOver(simulation: Simulation, index: i32): bool {
  const queue = queueAt(index);
  if (queue.dirty !== 0 || simulation.next <= queue.lastJob || simulation.releasedJobs !== 0) return false;
  if (simulation.topology !== Topology.Independent) return simulation.running === 0;
  return freeAt(index) === at<i32>(columns.capacities, index);
}

/** Time of the next pass of a queue, not before now. */
function nextOf(simulation: Simulation, queue: Queue): f64 {
  const interval = columns.taken(Option.Interval);
  const first = at<f64>(columns.submits, queue.firstJob);
  // Corrects the quotient, which may be off by one; the products decide.
  let passes = max<f64>(queue.passes, floor<f64>((simulation.now - first) / interval) - 1);
  while (first + passes * interval < simulation.now) passes++;
  queue.passes = passes;
  return first + passes * interval;
}

/** Records that the pass of a queue is over, if it was due. */
@inline
export function end(simulation: Simulation, queue: Queue): void {
  if (columns.taken(Option.Interval) > 0) {
    if (queue.nextPass !== simulation.now) return;
    queue.passes++;
  }
  queue.dirty = 0;
}
