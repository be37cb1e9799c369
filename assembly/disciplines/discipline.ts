import { Instant, Option, Topology } from '../abi/abi';
import { blocks, plansAhead, reorders } from '../memory/runKind';
import { Simulation } from '../memory/state';
import { Answer } from '../allocators/own';
import * as columns from '../memory/columns';
import * as finishQueue from '../events/finishQueue';
import { freeAt } from '../grid/sites';
import { at } from '../memory/memory';
import * as remoteJobs from '../placement/remoteJobs';
import { hasStopped, startAny } from '../placement/start';
import * as keptPlan from '../planning/keptPlan';
import * as passTimes from '../queue/passTimes';
import * as priorityQueue from '../queue/priorityQueue';
import * as sequence from '../queue/sequence';
import * as record from '../record/allocations';
import { RECORDED } from '../record/log';
import * as kind from '../memory/runKind';
import * as blocking from './withoutReservations';
import * as kept from './kept';
import { Outcome, AtHome } from './shadow';
import * as candidates from '../planning/candidates';
import { isLate, sweepQueue } from '../planning/predictions';
import * as backfilling from './backfilling';
import * as easy from './easy';
import * as safeShadow from './safeShadow';
import { AnySite } from './safeShadow';
import * as shadow from './shadow';

/**
 * What the event loop asks of the discipline: a job is submitted, a job has ended, an instant is over. The
 * discipline says who is next; which site a job gets is the allocator's business. With priority queues the
 * pass is made here; with the fcfs queue the answer is whether one is to follow, and the loop makes it.
 *
 * A pass stops where the host is asked about a job (`asked`), which is then in its queue, and goes on
 * with the same job: `passQueue` and `passEnd` say where. What has been done until then is done: callers that
 * see `asked` after a job has been tried leave everything as it is and return, up to the loop, and a visit to
 * a queue can begin at a job. What else a pass knows is found again from that.
 */

/** Instead of a queue: the pass tries the asked job alone. */
const ALONE: i32 = -1;

/**
 * A job joins its queue, in which the event found `waiting` others, to be looked at when the instant is over.
 */
export function join<R>(simulation: Simulation, job: i32, waiting: i32): void {
  if (RECORDED) record.submitted(simulation, job);
  if (!kind.hasPriorityQueue<R>(simulation)) {
    if (waiting === 0) simulation.newcomer = job;
    return;
  }
  const queue = priorityQueue.queueOf(simulation, job);
  if (simulation.keepsReservations !== 0) kept.beginInstant(simulation, queue);
  // After an interval no job is a newcomer.
  const isNewcomer = priorityQueue.queueAt(queue).waiting === 0 && columns.taken(Option.Interval) === 0;
  if (isNewcomer) priorityQueue.queueAt(queue).newcomer = job;
  priorityQueue.join(simulation, job);
  priorityQueue.queueAt(queue).touched = 1;
  if (!plansAhead(simulation.discipline)) return;
  if (simulation.keepsReservations !== 0) kept.submitted(simulation, job);
  else backfilling.takeNewcomer(simulation, queue, job);
}

/** The running job that ends soonest is about to, at a time, in an instant at whose end the pass is. */
@inline
export function beginEnd<R>(simulation: Simulation, time: f64): void {
  if (simulation.keepsReservations === 0) return;
  simulation.now = time;
  kept.beginInstant(simulation, priorityQueue.queueOf(simulation, finishQueue.soonestJob(simulation)));
}

/** It has ended. */
export function leave<R>(simulation: Simulation, job: i32): void {
  if (!kind.hasPriorityQueue<R>(simulation)) return;
  const queue = priorityQueue.queueOf(simulation, job);
  priorityQueue.queueAt(queue).touched = 1;
  if (simulation.keepsReservations !== 0) kept.ended(simulation, queue, job);
}

/** When the next job starts as it is reserved, without an event; +infinity where none does. */
@inline
export function soonestStart(simulation: Simulation): f64 {
  return simulation.keepsReservations !== 0 ? keptPlan.soonest(simulation) : Infinity;
}

/**
 * A job joins its queue, in which the event found `waiting` others, and the pass of its submit follows.
 * Nothing has been freed since the last pass, so no other waiting job can start, and only the new one is
 * looked at (Shih et al. 2010, Table 2).
 */
@inline
export function submit<R>(simulation: Simulation, job: i32, waiting: i32): bool {
  if (RECORDED) record.submitted(simulation, job);
  if (kind.hasPriorityQueue<R>(simulation)) {
    submitByPriority<R>(simulation, job);
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
  if (!kind.hasPriorityQueue<R>(simulation)) return true;
  passAfterFinish<R>(simulation, job, site);
  return false;
}

@inline
function submitByPriority<R>(simulation: Simulation, job: i32): void {
  const queue = priorityQueue.queueOf(simulation, job);
  const isPlain = kind.isPlain<R>();
  if (!isPlain && reorders(simulation)) {
    if (priorityQueue.queueAt(queue).waiting === 0) priorityQueue.queueAt(queue).newcomer = job;
    priorityQueue.queueAt(queue).touched = 1;
    priorityQueue.join(simulation, job);
    passAfter<R>(simulation, queue);
    forgetNewcomers<R>(simulation);
    return;
  }
  if (!isPlain && plansAhead(simulation.discipline)) {
    const outcome = tryAtOnce(simulation, queue, job);
    if (outcome === Outcome.Started) return;
    if (outcome === Outcome.Waits) {
      priorityQueue.join(simulation, job);
      return;
    }
    if (priorityQueue.queueAt(queue).waiting === 0) simulation.newcomer = job;
    priorityQueue.join(simulation, job);
    passNewcomer(simulation, queue, job);
    if (!stopsAt<R>(simulation, queue, queue + 1)) simulation.newcomer = -1;
    return;
  }
  if (!isPlain && (simulation.reclaimed !== 0 || (simulation.reclaim !== 0 && simulation.declined !== 0))) {
    sweepWith<R>(simulation, queue, job);
  } else if (!blocks(simulation.discipline) || priorityQueue.isFirst(queue, job)) {
    tryAlone<R>(simulation, queue, job);
  } else {
    priorityQueue.join(simulation, job);
  }
}

/**
 * The pass of a submit where only a sweep finds all jobs that can start: the last one stopped jobs, which
 * left processors free, or some were told to wait.
 */
function sweepWith<R>(simulation: Simulation, queue: i32, job: i32): void {
  if (priorityQueue.queueAt(queue).waiting === 0) priorityQueue.queueAt(queue).newcomer = job;
  priorityQueue.join(simulation, job);
  sweep<R>(simulation);
  forgetNewcomers<R>(simulation);
}

/** Nobody has found a queue empty any more, once the pass is over and no other follows in the instant. */
function forgetNewcomers<R>(simulation: Simulation): void {
  if (hasStopped<R>(simulation) || simulation.passIsDue !== 0) return;
  for (let index = priorityQueue.queuesOf(simulation) - 1; index >= 0; index--) {
    const queue = priorityQueue.queueAt(index);
    queue.newcomer = -1;
    passTimes.end(simulation, queue);
  }
  simulation.newcomer = -1;
}

/**
 * A job that no other in its queue blocks. It counts as in the queue while it is decided upon, and joins
 * only if it must wait; and once it has started no other waiting job can, unless jobs were stopped for it.
 */
function tryAlone<R>(simulation: Simulation, index: i32, job: i32): void {
  const queue = priorityQueue.queueAt(index);
  const processors = <f64>at<i32>(columns.processors, job);
  if (queue.waiting === 0) simulation.newcomer = job;
  queue.processors += processors;
  const started = startAny<R>(simulation, job);
  queue.processors -= processors;
  if (!started) priorityQueue.join(simulation, job);
  if (hasStopped<R>(simulation)) simulation.passQueue = ALONE;
  else endTry<R>(simulation, index, job, started);
}

/** A job has been tried alone. If jobs were stopped for it, a sweep goes on with its queue. */
function endTry<R>(simulation: Simulation, queue: i32, job: i32, started: bool): void {
  simulation.newcomer = -1;
  if (RECORDED) {
    if (!started) record.blocked(simulation, job);
  }
  if (kind.isPlain<R>() || !started || simulation.reclaimed === 0) return;
  visit<R>(simulation, queue, simulation.siteCount, -1);
}

/** The pass goes on that has stopped at a decision; true: in the loop, being of the fcfs queue. */
@inline
export function goOn<R>(simulation: Simulation): bool {
  const job = simulation.asked;
  simulation.asked = -1;
  // After a fork a policy that does not ask the host may decide in its place.
  if (simulation.asks === 0) simulation.answer = Answer.None;
  if (kind.hasPriorityQueue<R>(simulation)) {
    goOnByPriority<R>(simulation, job);
    return false;
  }
  return true;
}

function goOnByPriority<R>(simulation: Simulation, job: i32): void {
  const queue = simulation.passQueue;
  const end = simulation.passEnd;
  simulation.passQueue = 0;
  simulation.passEnd = 0;
  if (queue === ALONE) {
    const started = startAny<R>(simulation, job);
    if (started) priorityQueue.leave(simulation, job);
    endTry<R>(simulation, priorityQueue.queueOf(simulation, job), job, started);
  } else {
    visit<R>(simulation, queue, end, job);
    forgetNewcomers<R>(simulation);
  }
}

/** Visits the queues [queue, end), the first from a job on or, with -1, from its own; stops at a decision. */
function visit<R>(simulation: Simulation, queue: i32, end: i32, from: i32): void {
  for (; queue < end; queue++) {
    passQueue<R>(simulation, queue, from);
    if (stopsAt<R>(simulation, queue, end)) return;
    from = -1;
  }
}

/** Whether a pass has stopped at a decision in a queue, with which it will go on up to `end`. */
@inline
function stopsAt<R>(simulation: Simulation, queue: i32, end: i32): bool {
  if (!hasStopped<R>(simulation)) return false;
  simulation.passQueue = queue;
  simulation.passEnd = end;
  return true;
}

function passAfterFinish<R>(simulation: Simulation, job: i32, site: i32): void {
  const queue = priorityQueue.queueOf(simulation, job);
  const isPlain = kind.isPlain<R>();
  if (!isPlain && simulation.reclaimed !== 0) {
    sweep<R>(simulation);
    return;
  }
  const hasFailed = isPlain || (simulation.declined === 0 && !reorders(simulation));
  if (!hasFailed || !blocks(simulation.discipline)) passAfter<R>(simulation, queue);
  else if (simulation.topology !== Topology.PerHome) wake<R>(simulation, site, queue, queue + 1);
  else wake<R>(simulation, site, 0, simulation.siteCount);
}

/** The pass of an event of a queue, of all jobs that it may concern. */
function passAfter<R>(simulation: Simulation, queue: i32): void {
  const isSwept = simulation.topology === Topology.PerHome;
  visit<R>(simulation, isSwept ? 0 : queue, isSwept ? simulation.siteCount : queue + 1, -1);
}

/**
 * A sweep over the queues [queue, end) after the end of a job. All heads have failed since anything else
 * became free, so only those are looked at that need no more than there now is where the job ran.
 */
function wake<R>(simulation: Simulation, site: i32, queue: i32, end: i32): void {
  const isPlain = kind.isPlain<R>();
  const home = !isPlain && simulation.reclaim !== 0 ? site : -1;
  let free = mostFreeSince<R>(simulation, site);
  for (; queue < end; queue++) {
    const reclaimable = queue === home ? remoteJobs.processorsOn(site) : 0;
    if (priorityQueue.queueAt(queue).headWidth > free + reclaimable) continue;
    blocking.passPriorityQueue<R>(simulation, queue);
    if (stopsAt<R>(simulation, queue, end)) return;
    if (!isPlain && simulation.reclaimed !== 0) {
      visit<R>(simulation, queue + 1, end, -1);
      return;
    }
    free = mostFreeSince<R>(simulation, site);
  }
}

/** The most processors that a waiting job can get since a job has ended on a site. */
@inline
function mostFreeSince<R>(simulation: Simulation, site: i32): i32 {
  if (kind.isPlain<R>()) return freeAt(site);
  // Fewer will do for moldable jobs.
  if (simulation.moldable !== 0) return i32.MAX_VALUE;
  // One that was split has given them back anywhere, and others can be split.
  return simulation.multiSite !== 0 ? <i32>simulation.freeProcessors : freeAt(site);
}

/** The pass of an instant whose events have all been applied. */
export function endInstant<R>(simulation: Simulation): bool {
  if (!kind.hasPriorityQueue<R>(simulation)) return true;
  sweep<R>(simulation);
  forgetNewcomers<R>(simulation);
  return false;
}

/** One visit to every queue, in the order of the sites (Huang et al. 2007, section 5). */
function sweep<R>(simulation: Simulation): void {
  simulation.reclaimed = 0;
  visit<R>(simulation, 0, priorityQueue.queuesOf(simulation), -1);
}

/** Whether a queue has no pass now: its interval is not over, or nothing has happened at its site alone. */
function isLeftOut(simulation: Simulation, queue: priorityQueue.Queue): bool {
  if (columns.taken(Option.Interval) > 0) return queue.nextPass !== simulation.now;
  if (simulation.topology !== Topology.Independent || simulation.keepsReservations !== 0) return false;
  return simulation.instant === Instant.Batched && queue.touched === 0;
}

/** A visit to a queue, from a job on or, with -1, from its first. A queue that blocks has none before it. */
function passQueue<R>(simulation: Simulation, index: i32, from: i32): void {
  const queue = priorityQueue.queueAt(index);
  const isPlain = kind.isPlain<R>();
  if (queue.waiting === 0 || (!isPlain && isLeftOut(simulation, queue))) return;
  if (from < 0) simulation.newcomer = queue.newcomer;
  if (!isPlain && from < 0 && reorders(simulation)) sequence.begin(simulation, index);
  if (!isPlain && plansAhead(simulation.discipline)) passAhead(simulation, index, from);
  else if (blocks(simulation.discipline)) blocking.passPriorityQueue<R>(simulation, index);
  else blocking.passQueue<R>(simulation, index, from);
}

/** Passes of the disciplines that plan ahead: over a plan only where one reservation is not enough. */

/** Tries a job before it joins its queue, as is possible on one site where the host is not asked. */
function tryAtOnce(simulation: Simulation, queue: i32, job: i32): Outcome {
  if (RECORDED || simulation.declined !== 0 || simulation.lost !== 0) return Outcome.Open;
  if (safeShadow.suffices(simulation) || !shadow.suffices(simulation)) return Outcome.Open;
  if (isLate(simulation, queue) || sweepQueue(simulation, queue)) return Outcome.Open;
  return shadow.tryAtOnce(simulation, queue, job);
}

/** The pass of a submit, with whose job nothing else can start that could not before, unless told to wait. */
function passNewcomer(simulation: Simulation, queue: i32, job: i32): void {
  if (simulation.declined !== 0) {
    passAhead(simulation, queue, -1);
  } else if (safeShadow.suffices(simulation)) {
    easy.passNewcomer<AnySite>(simulation, queue, job);
  } else if (shadow.suffices(simulation)) {
    easy.passNewcomer<AtHome>(simulation, queue, job);
  } else {
    backfilling.passNewcomer(simulation, queue, job);
  }
}

/** The pass over a queue, from a job on or, with -1, from its first. */
function passAhead(simulation: Simulation, queue: i32, from: i32): void {
  if (simulation.keepsReservations !== 0) kept.pass(simulation, queue, from);
  else if (safeShadow.suffices(simulation)) easy.pass<AnySite>(simulation, queue, from);
  else if (shadow.suffices(simulation)) easy.pass<AtHome>(simulation, queue, from);
  else backfilling.pass(simulation, queue, from);
}

/** Whether the job that the host is asked about delays no job on a site on which it fits. */
export function isSafeFor(simulation: Simulation, site: i32): bool {
  if (!plansAhead(simulation.discipline)) return true;
  const job = simulation.asked;
  if (simulation.keepsReservations !== 0) return kept.isSafe(simulation, job, site);
  if (safeShadow.suffices(simulation)) return safeShadow.isSafe(simulation, simulation.passQueue, job, site);
  return candidates.startsAlone(simulation, job, site);
}
