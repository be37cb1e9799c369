import { Simulation } from '../memory/state';
import { hasStopped, startAny, startJob } from '../placement/start';
import * as priorityQueue from '../queue/priorityQueue';
import * as record from '../record/allocations';
import { RECORDED } from '../record/log';
import * as kind from '../runKind';

/**
 * First come, first served, in any order of the queue: jobs start one after the other, and the first that
 * fits nowhere blocks all behind it.
 */

/** Starts jobs of the fcfs queue until the first can be started nowhere. */
@inline
export function passFcfsQueue<R>(simulation: Simulation): void {
  if (kind.hasDecisions<R>()) {
    while (simulation.head < simulation.next && startAny<R>(simulation, simulation.head)) simulation.head++;
    if (hasStopped<R>(simulation)) return;
  } else {
    while (simulation.head < simulation.next && startJob<R>(simulation, simulation.head)) simulation.head++;
  }
  simulation.newcomer = -1;
  if (RECORDED) {
    if (simulation.head < simulation.next) record.blocked(simulation, simulation.head);
  }
}

/** Starts jobs of a priority queue until the first can be started nowhere. */
export function passPriorityQueue<R>(simulation: Simulation, index: i32): void {
  const queue = priorityQueue.queueAt(index);
  while (queue.waiting > 0 && startAny<R>(simulation, queue.head)) {
    priorityQueue.leaveFirst(simulation, queue);
  }
  if (RECORDED) {
    if (queue.waiting > 0 && simulation.asked < 0) record.blocked(simulation, queue.head);
  }
}
