import { Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at, put } from '../memory/memory';
import * as keyBounds from './keyBounds';
import * as priorityQueue from './priorityQueue';
import * as kind from '../memory/runKind';

/**
 * Common access to waiting jobs for policies and the event loop. Jobs wait either in the priority queue or,
 * if they leave in order of arrival, in the window [head, next) of the job table. In the window, joining and
 * leaving move an index, no job is copied, and the requested processors are a difference of two prefix sums.
 */

/** Empties all queues; returns a job whose key of the order is not finite, or -1. */
export function reset(simulation: Simulation, widest: i32): i32 {
  return simulation.hasPriorityQueue === 0 ? -1 : priorityQueue.reset(simulation, widest);
}

/** Number of waiting jobs of the whole grid. */
@inline
export function waitingJobCountOf(simulation: Simulation): i32 {
  return simulation.hasPriorityQueue === 0 ? simulation.next - simulation.head : simulation.waitingJobs;
}

/** Number of waiting jobs that a job's event finds: of its own queue if sites are independent. */
@inline
export function waitingJobCountSeenBy<R>(simulation: Simulation, job: i32): i32 {
  if (!kind.hasPriorityQueue<R>(simulation)) return simulation.next - simulation.head;
  if (simulation.topology !== Topology.Independent) return simulation.waitingJobs;
  return priorityQueue.queueAt(at<i32>(columns.homes, job)).waitingJobs;
}

/** First waiting job over all queues; requires one. */
export function firstWaitingJob(simulation: Simulation): i32 {
  if (simulation.hasPriorityQueue === 0) return simulation.head;
  const job = at<i32>(columns.jobAt, priorityQueue.nextRank(simulation, 0));
  return headOf(simulation, priorityQueue.queueOfJob(simulation, job));
}

/** First job of a queue in its order; -1 if none. */
@inline
export function headOf(simulation: Simulation, queue: i32): i32 {
  if ((simulation.boundsKeys & 1) !== 0) return keyBounds.nextJobBehindInQueue(simulation, queue, -1);
  return priorityQueue.headOf(simulation, queue);
}

/** Processors requested by all jobs of a job's queue: the numerator of SL (Shih et al. 2010, eq. 4). */
@inline
export function queuedProcessors(simulation: Simulation, job: i32): f64 {
  if (simulation.hasPriorityQueue === 0) {
    const sums = columns.processorSums;
    return at<f64>(sums, simulation.next) - at<f64>(sums, simulation.head);
  }
  return priorityQueue.queueAt(priorityQueue.queueOfJob(simulation, job)).processors;
}

/** Next waiting job behind a job in its queue; -1 if none. */
@inline
export function nextBehind(simulation: Simulation, job: i32): i32 {
  if (simulation.hasPriorityQueue === 0) return job + 1 < simulation.next ? job + 1 : -1;
  if (keyBounds.areBoundsUsable(simulation)) {
    return keyBounds.nextJobBehindNotWider(
      simulation,
      priorityQueue.queueOfJob(simulation, job),
      job,
      i32.MAX_VALUE,
    );
  }
  return priorityQueue.nextJobBehind(simulation, job);
}

/** Next waiting job behind a job in its queue with at most `processors` processors; -1 if none. */
@inline
export function behindNotWider(simulation: Simulation, job: i32, processors: i32): i32 {
  if (keyBounds.areBoundsUsable(simulation)) {
    return keyBounds.nextJobBehindNotWider(
      simulation,
      priorityQueue.queueOfJob(simulation, job),
      job,
      processors,
    );
  }
  if (simulation.hasPriorityQueue !== 0) return priorityQueue.behindNotWider(simulation, job, processors);
  const nextJob = nextJobNotWider(simulation, job + 1, processors);
  return nextJob < simulation.next ? nextJob : -1;
}

/** Number of jobs in a job's queue, including the job itself even if it has not joined yet. */
export function waitingJobCountIncluding(simulation: Simulation, job: i32): i32 {
  if (simulation.hasPriorityQueue === 0) return simulation.next - simulation.head;
  const hasIndependentSites = simulation.topology === Topology.Independent;
  const waitingJobCount = hasIndependentSites
    ? priorityQueue.queueAt(at<i32>(columns.homes, job)).waitingJobs
    : simulation.waitingJobs;
  return waitingJobCount + i32(!priorityQueue.isRankWaiting(at<i32>(columns.rankOf, job)));
}

/**
 * First job of the window from `job` on with at most `processors` processors; the window's end if none. Skips
 * blocks whose jobs are all wider, so a long queue costs little.
 */
export function nextJobNotWider(simulation: Simulation, job: i32, processors: i32): i32 {
  const end = simulation.next;
  if (processors === 0) return end;
  while (job < end) {
    if ((job & 63) === 0) {
      if ((job & 4095) === 0 && at<i32>(columns.narrowestOf4096, job >> 12) > processors) {
        job += 4096;
        continue;
      }
      if (at<i32>(columns.narrowestOf64, job >> 6) > processors) {
        job += 64;
        continue;
      }
    }
    if (at<i32>(columns.processors, job) <= processors) return job;
    job++;
  }
  return end;
}

/**
 * Removes a job that does not wait from the ranks of the only queue, before its key changes, because ranks in
 * use are sorted. Each of its ranks goes to the job behind it, which then has several ranks.
 */
export function forgetRankOfJob(job: i32): void {
  let jobBehind = -1;
  for (let rank = at<i32>(columns.placedJobs, 0) - 1; rank >= 0; rank--) {
    if (at<i32>(columns.jobAt, rank) !== job) jobBehind = at<i32>(columns.jobAt, rank);
    else if (jobBehind >= 0) put<i32>(columns.jobAt, rank, jobBehind);
    else put<i32>(columns.placedJobs, 0, rank);
  }
}
