import { Discipline, Topology, blocks, plansAhead } from '../abi';
import { Simulation } from '../state';
import * as columns from '../columns';
import { freeAt } from '../grid/sites';
import { at } from '../memory';
import * as guests from '../placement/guests';
import * as ranked from '../queue/ranked';
import * as record from '../record/events';
import { RECORDED } from '../record/log';
import * as predictions from '../planning/predictions';
import * as backfilling from './backfilling';
import * as fcfs from './fcfs';
import * as firstAvailable from './firstAvailable';
import * as headFirst from './headFirst';
import * as shadow from './shadow';

/**
 * What the event loop asks of the discipline: a job is submitted, a job has ended, an instant is over. The
 * discipline says who is next; which site a job gets is the allocator's business.
 */

/**
 * A job joins its queue, in which the event found `waiting` others, to be looked at when the instant is over.
 */
export function join(simulation: Simulation, job: i32, waiting: i32): void {
  if (RECORDED) record.submitted(simulation, job);
  if (simulation.ranked === 0) {
    if (waiting === 0) simulation.newcomer = job;
    return;
  }
  const queue = ranked.queueOf(simulation, job);
  if (ranked.queueAt(queue).waiting === 0) ranked.queueAt(queue).newcomer = job;
  ranked.join(simulation, job);
  if (plansAhead(simulation.discipline)) predictions.touch(queue);
}

/** Whether the reservation of a queue's head is all that is planned, on one site. */
@inline
function hasShadow(simulation: Simulation): bool {
  if (simulation.discipline !== Discipline.Easy) return false;
  return simulation.siteCount === 1 || simulation.topology === Topology.Independent;
}

/**
 * A job joins its queue, in which the event found `waiting` others, and the pass of its submit follows.
 * Nothing has been freed since the last pass, so whoever waited still cannot start, and only the new job is
 * looked at (Shih et al. 2010, Table 2).
 */
@inline
export function submit(simulation: Simulation, job: i32, waiting: i32): void {
  if (RECORDED) record.submitted(simulation, job);
  if (simulation.ranked !== 0) {
    submitRanked(simulation, job);
  } else if (waiting === 0) {
    simulation.newcomer = job;
    fcfs.pass(simulation);
  }
}

function submitRanked(simulation: Simulation, job: i32): void {
  const queue = ranked.queueOf(simulation, job);
  if (plansAhead(simulation.discipline)) {
    ranked.join(simulation, job);
    if (hasShadow(simulation)) shadow.passNewcomer(simulation, queue, job);
    else backfilling.pass(simulation, queue);
    return;
  }
  if (simulation.reclaimed !== 0) {
    sweepWith(simulation, queue, job);
  } else if (!blocks(simulation.discipline) || ranked.isFirst(queue, job)) {
    decide(simulation, queue, job);
  } else {
    ranked.join(simulation, job);
  }
}

/** The pass of a submit after a sweep that stopped jobs, which left room behind that only a sweep finds. */
function sweepWith(simulation: Simulation, queue: i32, job: i32): void {
  if (ranked.queueAt(queue).waiting === 0) ranked.queueAt(queue).newcomer = job;
  ranked.join(simulation, job);
  sweep(simulation);
  ranked.queueAt(queue).newcomer = -1;
  simulation.newcomer = -1;
}

/**
 * A job that nobody in its queue blocks. It counts as in the queue while it is decided upon, and joins
 * only if it must wait; and once it has started whoever waits still cannot, unless jobs were stopped for it.
 */
function decide(simulation: Simulation, index: i32, job: i32): void {
  const queue = ranked.queueAt(index);
  const processors = <f64>at<i32>(columns.processors, job);
  if (queue.waiting === 0) simulation.newcomer = job;
  queue.demand += processors;
  const started = headFirst.startHead(simulation, job);
  queue.demand -= processors;
  simulation.newcomer = -1;
  if (RECORDED) {
    if (!started) record.blocked(simulation, job);
  }
  if (!started) ranked.join(simulation, job);
  else if (simulation.reclaimed !== 0) passFrom(simulation, index);
}

/** The rest of a sweep in which jobs have been stopped: a queue and those behind it. */
function passFrom(simulation: Simulation, queue: i32): void {
  for (; queue < simulation.siteCount; queue++) passQueue(simulation, queue);
}

/** The pass that follows the end of a job. */
@inline
export function passAfterFinish(simulation: Simulation, job: i32, waiting: i32): void {
  if (waiting === 0) return;
  if (simulation.ranked === 0) fcfs.pass(simulation);
  else passRankedAfterFinish(simulation, job);
}

function passRankedAfterFinish(simulation: Simulation, job: i32): void {
  const queue = ranked.queueOf(simulation, job);
  if (!blocks(simulation.discipline)) passQueue(simulation, queue);
  else if (simulation.reclaimed !== 0) sweep(simulation);
  else if (simulation.topology !== Topology.PerHome) wake(simulation, job, queue, queue + 1);
  else wake(simulation, job, 0, simulation.siteCount);
}

/**
 * A sweep over the queues [queue, end) after the end of a job. All heads have failed since anything else
 * became free, so only those are looked at that need no more than there now is where the job ran.
 */
function wake(simulation: Simulation, job: i32, queue: i32, end: i32): void {
  const site = at<i32>(columns.sites, job);
  const home = simulation.reclaim !== 0 ? site : -1;
  let room = roomAt(simulation, site);
  for (; queue < end; queue++) {
    const reclaimable = queue === home ? guests.processorsOn(site) : 0;
    if (ranked.queueAt(queue).headWidth > room + reclaimable) continue;
    headFirst.passQueue(simulation, queue);
    if (simulation.reclaimed !== 0) {
      passFrom(simulation, queue + 1);
      return;
    }
    room = roomAt(simulation, site);
  }
}

/** The most processors that a waiting job can get since a job has ended on a site. */
@inline
function roomAt(simulation: Simulation, site: i32): i32 {
  // One that was split has given them back anywhere, and others can be split.
  return simulation.multiSite !== 0 ? <i32>simulation.freeProcessors : freeAt(site);
}

/** The pass at the end of an instant whose events have all been applied. */
export function passAfterInstant(simulation: Simulation): void {
  if (simulation.ranked === 0) {
    fcfs.pass(simulation);
    return;
  }
  if (plansAhead(simulation.discipline)) {
    passTouched(simulation);
    return;
  }
  sweep(simulation);
  const queues = simulation.topology === Topology.Shared ? 1 : simulation.siteCount;
  for (let queue = 0; queue < queues; queue++) ranked.queueAt(queue).newcomer = -1;
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
  const queue = ranked.queueAt(index);
  if (queue.waiting === 0) return;
  if (plansAhead(simulation.discipline)) {
    if (hasShadow(simulation)) shadow.pass(simulation, index);
    else backfilling.pass(simulation, index);
    return;
  }
  simulation.newcomer = queue.newcomer;
  if (blocks(simulation.discipline)) headFirst.passQueue(simulation, index);
  else firstAvailable.passQueue(simulation, index);
}
