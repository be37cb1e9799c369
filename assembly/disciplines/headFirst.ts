import { Simulation } from '../state';
import * as columns from '../columns';
import { at } from '../memory';
import { commit } from '../placement/commit';
import { makeRoomAtHome } from '../placement/reclaim';
import { startJob } from '../placement/start';
import * as ranked from '../queue/ranked';
import * as record from '../record/events';
import { RECORDED } from '../record/log';

/**
 * Narrowest, widest, shortest and longest first, and fcfs with a queue per home: the job of the least rank is
 * the head, and while it fits nowhere it blocks its queue (Huang et al. 2007, section 4).
 */

/** Starts jobs of a queue until its head can be started nowhere. */
export function passQueue(simulation: Simulation, index: i32): void {
  const queue = ranked.queueAt(index);
  while (queue.waiting > 0 && startHead(simulation, queue.head)) ranked.leaveFirst(simulation, queue);
  if (RECORDED) {
    if (queue.waiting > 0) record.blocked(simulation, queue.head);
  }
}

/** Starts a job where the allocator says, else split, else at home on reclaimed processors, if it can. */
export function startHead(simulation: Simulation, job: i32): bool {
  if (startJob(simulation, job)) return true;
  if (simulation.reclaim === 0 || !makeRoomAtHome(simulation, job)) return false;
  commit(simulation, job, at<i32>(columns.homes, job));
  return true;
}
