import { Discipline, Topology } from '../abi';
import { Simulation } from '../state';
import * as columns from '../columns';
import { at, put } from '../memory';
import * as ranked from '../queue/ranked';
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
  if (simulation.ranked === 0) {
    if (waiting === 0) simulation.newcomer = job;
    return;
  }
  const queue = ranked.queueOf(simulation, job);
  if (at<i32>(columns.queueWaiting, queue) === 0) put<i32>(columns.newcomers, queue, job);
  ranked.join(simulation, job);
  if (isBackfilling(simulation)) predictions.touch(queue);
}

/** Whether jobs are planned ahead, by their estimates. */
@inline
function isBackfilling(simulation: Simulation): bool {
  return simulation.discipline >= Discipline.Easy;
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
  if (simulation.ranked !== 0) {
    submitRanked(simulation, job);
  } else if (waiting === 0) {
    simulation.newcomer = job;
    fcfs.pass(simulation);
  }
}

function submitRanked(simulation: Simulation, job: i32): void {
  const queue = ranked.queueOf(simulation, job);
  if (isBackfilling(simulation)) {
    ranked.join(simulation, job);
    if (hasShadow(simulation)) shadow.passNewcomer(simulation, queue, job);
    else backfilling.pass(simulation, queue);
    return;
  }
  const alone = at<i32>(columns.queueWaiting, queue) === 0;
  if (simulation.reclaimed !== 0) {
    // Except that a job stopped in the last sweep left room behind that only a sweep finds.
    if (alone) put<i32>(columns.newcomers, queue, job);
    ranked.join(simulation, job);
    sweep(simulation);
    put<i32>(columns.newcomers, queue, -1);
  } else if (alone) {
    submitAlone(simulation, queue, job);
  } else {
    ranked.join(simulation, job);
    if (simulation.discipline === Discipline.FirstAvailable) {
      passQueue(simulation, queue, at<i32>(columns.rankOf, job));
    } else if (ranked.headOf(simulation, queue) === job) {
      passFrom(simulation, queue);
    }
  }
}

/**
 * A job that finds its queue empty is in it for as long as it is decided upon, and in truth only if it must
 * wait.
 */
function submitAlone(simulation: Simulation, queue: i32, job: i32): void {
  simulation.newcomer = job;
  put<f64>(columns.queueDemands, queue, <f64>at<i32>(columns.processors, job));
  const started = headFirst.startHead(simulation, job);
  put<f64>(columns.queueDemands, queue, 0);
  simulation.newcomer = -1;
  if (!started) ranked.join(simulation, job);
  else if (simulation.reclaimed !== 0) passFrom(simulation, queue);
}

/** The rest of a sweep: a queue whose head has come new, and those behind it once jobs have been stopped. */
function passFrom(simulation: Simulation, queue: i32): void {
  passQueue(simulation, queue, 0);
  for (queue++; simulation.reclaimed !== 0 && queue < simulation.siteCount; queue++) {
    passQueue(simulation, queue, 0);
  }
}

/** The pass that follows the end of a job. */
@inline
export function passAfterFinish(simulation: Simulation, job: i32, waiting: i32): void {
  if (waiting === 0) return;
  if (simulation.ranked === 0) fcfs.pass(simulation);
  else passRankedAfterFinish(simulation, job);
}

function passRankedAfterFinish(simulation: Simulation, job: i32): void {
  if (simulation.topology === Topology.PerHome) sweep(simulation);
  else passQueue(simulation, ranked.queueOf(simulation, job), 0);
}

/** The pass at the end of an instant whose events have all been applied. */
export function passAfterInstant(simulation: Simulation): void {
  if (simulation.ranked === 0) {
    fcfs.pass(simulation);
    return;
  }
  if (isBackfilling(simulation)) {
    passTouched(simulation);
    return;
  }
  sweep(simulation);
  const queues = simulation.topology === Topology.Shared ? 1 : simulation.siteCount;
  for (let queue = 0; queue < queues; queue++) put<i32>(columns.newcomers, queue, -1);
}

/** The pass of the shared queue, or of those of the sites at which something has happened in this instant. */
function passTouched(simulation: Simulation): void {
  const isShared = simulation.topology === Topology.Shared;
  const queues = isShared ? 1 : simulation.siteCount;
  for (let queue = 0; queue < queues; queue++) {
    if (predictions.wasTouched(queue) || isShared) passQueue(simulation, queue, 0);
  }
}

/** One visit to every queue, in the order of the sites (Huang et al. 2007, section 5). */
function sweep(simulation: Simulation): void {
  const queues = simulation.topology === Topology.Shared ? 1 : simulation.siteCount;
  simulation.reclaimed = 0;
  for (let queue = 0; queue < queues; queue++) passQueue(simulation, queue, 0);
}

function passQueue(simulation: Simulation, queue: i32, rank: i32): void {
  if (at<i32>(columns.queueWaiting, queue) === 0) return;
  if (isBackfilling(simulation)) {
    if (hasShadow(simulation)) shadow.pass(simulation, queue);
    else backfilling.pass(simulation, queue);
    return;
  }
  simulation.newcomer = at<i32>(columns.newcomers, queue);
  if (simulation.discipline === Discipline.FirstAvailable) {
    firstAvailable.passQueue(simulation, queue, max(rank, at<i32>(columns.firstRanks, queue)));
  } else {
    headFirst.passQueue(simulation, queue);
  }
}
