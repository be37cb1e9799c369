import { Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import { mostFree } from '../allocators/scan';
import * as columns from '../memory/columns';
import { at } from '../memory/memory';
import * as siteIndex from '../grid/siteIndex';
import { freeProcessorsAt } from '../grid/sites';
import { isDecisionPending, startJobWithoutInlining, startJob } from '../placement/start';
import * as priorityQueue from '../queue/priorityQueue';
import * as sequence from '../queue/sequence';
import * as waiting from '../queue/waiting';
import * as record from '../record/allocations';
import { IS_RECORDING_BUILD } from '../record/log';
import * as kind from '../memory/runKind';

/**
 * First available, also called list scheduling or aggressive backfilling: jobs are tried in queue order, and
 * every job that fits starts. A job that does not fit cannot fit later in the same pass, because free
 * processors only decrease; only jobs that are not wider than the free processors are tried.
 */

/** Tries the jobs of a queue, from a job on, or -1 for all. */
export function runPassSkippingJobs<R>(simulation: Simulation, queue: i32, firstJob: i32): void {
  let job = firstJob;
  if (job < 0) job = sequence.nextJobNotWider(simulation, queue, -1, widestStartableWidth(simulation, queue));
  while (job >= 0) {
    if (startJobWithoutInlining<R>(simulation, job)) priorityQueue.removeJob(simulation, job);
    else if (isDecisionPending<R>(simulation)) return;
    job = sequence.nextJobNotWider(simulation, queue, job, widestStartableWidth(simulation, queue));
  }
  if (IS_RECORDING_BUILD) record.notePassedOverJobs(simulation, queue);
}

/** Largest width with which a job of a queue could possibly start now. */
export function widestStartableWidth(simulation: Simulation, queue: i32): i32 {
  // Queue 0 is that of the only site.
  if (simulation.siteCount === 1 || simulation.topology === Topology.Independent)
    return freeProcessorsAt(queue);
  if (simulation.multiSite !== 0) return <i32>simulation.freeProcessors;
  return simulation.usesIndex !== 0
    ? siteIndex.mostFreeProcessorsOnASite(simulation)
    : mostFree(simulation, columns.slots);
}

/**
 * First come, first served, in any order of the queue: jobs start one after the other, and the first that
 * fits nowhere blocks all jobs behind it.
 */

/** Starts jobs of the fcfs queue up to the first that fits nowhere. */
@inline
export function runPassOverFcfsQueue<R>(simulation: Simulation): void {
  if (kind.recordsDecisions<R>()) {
    while (simulation.head < simulation.next && startJobWithoutInlining<R>(simulation, simulation.head))
      simulation.head++;
    if (isDecisionPending<R>(simulation)) return;
  } else {
    while (simulation.head < simulation.next && startJob<R>(simulation, simulation.head)) simulation.head++;
  }
  simulation.arrivingJob = -1;
  if (IS_RECORDING_BUILD) {
    if (simulation.head < simulation.next) record.noteBlockedJob(simulation, simulation.head);
  }
}

/** Starts jobs of a priority queue up to the first that fits nowhere. */
export function runPassOverPriorityQueue<R>(simulation: Simulation, index: i32): void {
  const queue = priorityQueue.queueAt(index);
  if (!kind.isPlain<R>() && simulation.boundsKeys !== 0) {
    runPassByKeys<R>(simulation, index);
    return;
  }
  while (queue.head >= 0 && startJobWithoutInlining<R>(simulation, queue.head)) {
    if (kind.isPlain<R>()) priorityQueue.removeHead(simulation, queue);
    else priorityQueue.removeJob(simulation, queue.head);
  }
  if (IS_RECORDING_BUILD) {
    if (queue.head >= 0 && simulation.decisionJob < 0) record.noteBlockedJob(simulation, queue.head);
  }
}

/** Like `runPassOverPriorityQueue`, for keys that change. */
function runPassByKeys<R>(simulation: Simulation, index: i32): void {
  let head = waiting.headOf(simulation, index);
  for (
    ;
    head >= 0 && startJobWithoutInlining<R>(simulation, head);
    head = waiting.headOf(simulation, index)
  ) {
    priorityQueue.removeJob(simulation, head);
  }
}
