import { Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at } from '../memory/memory';
import * as fcfsQueue from './fcfsQueue';
import * as keyBounds from './keyBounds';
import * as narrowJobs from './narrowJobs';
import * as priorityQueue from './priorityQueue';
import * as kind from '../memory/runKind';

/** What policies and the event loop ask of waiting jobs, whichever of the two queues keeps them. */

/** Nobody waits; returns a job whose key of the order is not finite, or -1. */
export function reset(simulation: Simulation, widest: i32): i32 {
  return simulation.hasPriorityQueue === 0 ? -1 : priorityQueue.reset(simulation, widest);
}

/** Number of waiting jobs of the whole grid. */
@inline
export function waitingJobs(simulation: Simulation): i32 {
  return simulation.hasPriorityQueue === 0 ? fcfsQueue.waitingJobs(simulation) : simulation.waiting;
}

/** Number of waiting jobs that an event of a job finds: of its own queue where sites are independent. */
@inline
export function waitingJobsSeenBy<R>(simulation: Simulation, job: i32): i32 {
  if (!kind.hasPriorityQueue<R>(simulation)) return fcfsQueue.waitingJobs(simulation);
  if (simulation.topology !== Topology.Independent) return simulation.waiting;
  return priorityQueue.queueAt(at<i32>(columns.homes, job)).waiting;
}

/** The first waiting job in the order of all queues; there must be one. */
export function firstWaiting(simulation: Simulation): i32 {
  if (simulation.hasPriorityQueue === 0) return simulation.head;
  const job = at<i32>(columns.jobAt, priorityQueue.nextRank(simulation, 0));
  return headOf(simulation, priorityQueue.queueOf(simulation, job));
}

/** The first job of a queue in its order, or -1. */
@inline
export function headOf(simulation: Simulation, queue: i32): i32 {
  if ((simulation.boundsKeys & 1) !== 0) return keyBounds.headOf(simulation, queue);
  return priorityQueue.headOf(simulation, queue);
}

/**
 * Processors that the jobs of a job's queue request together: the numerator of SL (Shih et al. 2010, eq. 4).
 */
@inline
export function queuedProcessors(simulation: Simulation, job: i32): f64 {
  if (simulation.hasPriorityQueue === 0) return fcfsQueue.queuedProcessors(simulation);
  return priorityQueue.queueAt(priorityQueue.queueOf(simulation, job)).processors;
}

/** The next waiting job behind a job in its queue, or -1. */
@inline
export function behind(simulation: Simulation, job: i32): i32 {
  if (simulation.hasPriorityQueue === 0) return job + 1 < simulation.next ? job + 1 : -1;
  if (keyBounds.areInForce(simulation)) {
    return keyBounds.behind(simulation, priorityQueue.queueOf(simulation, job), job);
  }
  return priorityQueue.behind(simulation, job);
}

/** The next waiting job behind a job in its queue that needs at most `processors`, or -1. */
@inline
export function behindNotWider(simulation: Simulation, job: i32, processors: i32): i32 {
  if (keyBounds.areInForce(simulation)) {
    return keyBounds.behindNotWider(simulation, priorityQueue.queueOf(simulation, job), job, processors);
  }
  if (simulation.hasPriorityQueue !== 0) return narrowJobs.behindNotWider(simulation, job, processors);
  const next = fcfsQueue.nextNotWider(simulation, job + 1, processors);
  return next < simulation.next ? next : -1;
}

/** Jobs that wait where a job does, itself too, though it may not have joined its queue yet. */
export function waitingWith(simulation: Simulation, job: i32): i32 {
  if (simulation.hasPriorityQueue === 0) return fcfsQueue.waitingJobs(simulation);
  const isAlone = simulation.topology === Topology.Independent;
  const waiting = isAlone ? priorityQueue.queueAt(at<i32>(columns.homes, job)).waiting : simulation.waiting;
  return waiting + i32(!priorityQueue.isTaken(at<i32>(columns.rankOf, job)));
}
