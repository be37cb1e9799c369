import { Topology } from '../abi';
import { blocks, plansAhead } from '../disciplineKind';
import { Simulation } from '../state';
import * as columns from '../columns';
import { freeAt } from '../grid/sites';
import { at } from '../memory';
import * as remoteJobs from '../placement/remoteJobs';
import { startAny } from '../placement/start';
import * as priorityQueue from '../queue/priorityQueue';
import * as record from '../record/allocations';
import { RECORDED } from '../record/log';
import * as predictions from '../planning/predictions';
import * as backfilling from './backfilling';
import * as blocking from './blocking';
import * as firstAvailable from './firstAvailable';
import * as shadow from './shadow';

/**
 * What the event loop asks of the discipline: a job is submitted, a job has ended, an instant is over. The
 * discipline says who is next; which site a job gets is the allocator's business. With priority queues the
 * pass is made here; with the fcfs queue the answer is whether one is to follow, and the loop makes it.
 */

/**
 * A job joins its queue, in which the event found `waiting` others, to be looked at when the instant is over.
 */
export function join<R>(simulation: Simulation, job: i32, waiting: i32): void {
  if (RECORDED) record.submitted(simulation, job);
  if (!changetype<R>(0).hasPriorityQueue()) {
    if (waiting === 0) simulation.newcomer = job;
    return;
  }
  const queue = priorityQueue.queueOf(simulation, job);
  if (priorityQueue.queueAt(queue).waiting === 0) priorityQueue.queueAt(queue).newcomer = job;
  priorityQueue.join(simulation, job);
  if (!plansAhead(simulation.discipline)) return;
  predictions.touch(queue);
  backfilling.takeNewcomer(simulation, queue, job);
}

/**
 * A job joins its queue, in which the event found `waiting` others, and the pass of its submit follows.
 * Nothing has been freed since the last pass, so no other waiting job can start, and only the new one is
 * looked at (Shih et al. 2010, Table 2).
 */
@inline
export function submit<R>(simulation: Simulation, job: i32, waiting: i32): bool {
  if (RECORDED) record.submitted(simulation, job);
  if (changetype<R>(0).hasPriorityQueue()) {
    submitByPriority(simulation, job);
    return false;
  }
  if (waiting > 0) return false;
  simulation.newcomer = job;
  return true;
}

/** The pass that follows the end of a job, whose event found `waiting` others in its queue. */
@inline
export function finish<R>(simulation: Simulation, job: i32, site: i32, waiting: i32): bool {
  if (waiting === 0) return false;
  if (!changetype<R>(0).hasPriorityQueue()) return true;
  passAfterFinish(simulation, job, site);
  return false;
}

function submitByPriority(simulation: Simulation, job: i32): void {
  const queue = priorityQueue.queueOf(simulation, job);
  if (plansAhead(simulation.discipline)) {
    priorityQueue.join(simulation, job);
    if (shadow.suffices(simulation)) {
      shadow.passNewcomer(simulation, queue, job);
    } else {
      backfilling.takeNewcomer(simulation, queue, job);
      backfilling.pass(simulation, queue);
    }
    return;
  }
  if (simulation.reclaimed !== 0) {
    sweepWith(simulation, queue, job);
  } else if (!blocks(simulation.discipline) || priorityQueue.isFirst(queue, job)) {
    decide(simulation, queue, job);
  } else {
    priorityQueue.join(simulation, job);
  }
}

/**
 * The pass of a submit after a sweep that stopped jobs, which left processors free that only a sweep finds.
 */
function sweepWith(simulation: Simulation, queue: i32, job: i32): void {
  if (priorityQueue.queueAt(queue).waiting === 0) priorityQueue.queueAt(queue).newcomer = job;
  priorityQueue.join(simulation, job);
  sweep(simulation);
  priorityQueue.queueAt(queue).newcomer = -1;
  simulation.newcomer = -1;
}

/**
 * A job that nobody in its queue blocks. It counts as in the queue while it is decided upon, and joins
 * only if it must wait; and once it has started no other waiting job can, unless jobs were stopped for it.
 */
function decide(simulation: Simulation, index: i32, job: i32): void {
  const queue = priorityQueue.queueAt(index);
  const processors = <f64>at<i32>(columns.processors, job);
  if (queue.waiting === 0) simulation.newcomer = job;
  queue.processors += processors;
  const started = startAny(simulation, job);
  queue.processors -= processors;
  simulation.newcomer = -1;
  if (RECORDED) {
    if (!started) record.blocked(simulation, job);
  }
  if (!started) priorityQueue.join(simulation, job);
  else if (simulation.reclaimed !== 0) passFrom(simulation, index);
}

/** The rest of a sweep in which jobs have been stopped: a queue and those behind it. */
function passFrom(simulation: Simulation, queue: i32): void {
  for (; queue < simulation.siteCount; queue++) passQueue(simulation, queue);
}

function passAfterFinish(simulation: Simulation, job: i32, site: i32): void {
  const queue = priorityQueue.queueOf(simulation, job);
  if (!blocks(simulation.discipline)) passQueue(simulation, queue);
  else if (simulation.reclaimed !== 0) sweep(simulation);
  else if (simulation.topology !== Topology.PerHome) wake(simulation, site, queue, queue + 1);
  else wake(simulation, site, 0, simulation.siteCount);
}

/**
 * A sweep over the queues [queue, end) after the end of a job. All heads have failed since anything else
 * became free, so only those are looked at that need no more than there now is where the job ran.
 */
function wake(simulation: Simulation, site: i32, queue: i32, end: i32): void {
  const home = simulation.reclaim !== 0 ? site : -1;
  let free = mostFreeSince(simulation, site);
  for (; queue < end; queue++) {
    const reclaimable = queue === home ? remoteJobs.processorsOn(site) : 0;
    if (priorityQueue.queueAt(queue).headWidth > free + reclaimable) continue;
    blocking.passPriorityQueue(simulation, queue);
    if (simulation.reclaimed !== 0) {
      passFrom(simulation, queue + 1);
      return;
    }
    free = mostFreeSince(simulation, site);
  }
}

/** The most processors that a waiting job can get since a job has ended on a site. */
@inline
function mostFreeSince(simulation: Simulation, site: i32): i32 {
  // Fewer will do for moldable jobs.
  if (simulation.moldable !== 0) return i32.MAX_VALUE;
  // One that was split has given them back anywhere, and others can be split.
  return simulation.multiSite !== 0 ? <i32>simulation.freeProcessors : freeAt(site);
}

/** The pass of an instant whose events have all been applied. */
export function endInstant<R>(simulation: Simulation): bool {
  if (!changetype<R>(0).hasPriorityQueue()) return true;
  if (plansAhead(simulation.discipline)) {
    passTouched(simulation);
    return false;
  }
  sweep(simulation);
  const queues = simulation.topology === Topology.Shared ? 1 : simulation.siteCount;
  for (let queue = 0; queue < queues; queue++) priorityQueue.queueAt(queue).newcomer = -1;
  return false;
}

/** The pass of the shared queue, or of those of the sites at which something has happened in this instant. */
function passTouched(simulation: Simulation): void {
  const isShared = simulation.topology === Topology.Shared;
  const queues = isShared ? 1 : simulation.siteCount;
  for (let queue = 0; queue < queues; queue++) {
    if (predictions.wasTouched(queue) || isShared) passQueue(simulation, queue);
  }
}

/** One visit to every queue, in the order of the sites (Huang et al. 2007, section 5). */
function sweep(simulation: Simulation): void {
  const queues = simulation.topology === Topology.Shared ? 1 : simulation.siteCount;
  simulation.reclaimed = 0;
  for (let queue = 0; queue < queues; queue++) passQueue(simulation, queue);
}

function passQueue(simulation: Simulation, index: i32): void {
  const queue = priorityQueue.queueAt(index);
  if (queue.waiting === 0) return;
  if (plansAhead(simulation.discipline)) {
    if (shadow.suffices(simulation)) shadow.pass(simulation, index);
    else backfilling.pass(simulation, index);
    return;
  }
  simulation.newcomer = queue.newcomer;
  if (blocks(simulation.discipline)) blocking.passPriorityQueue(simulation, index);
  else firstAvailable.passQueue(simulation, index);
}
