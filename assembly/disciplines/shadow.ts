import { Discipline, Topology } from '../abi';
import { Simulation } from '../state';
import * as columns from '../columns';
import { predictedTimeAtHome } from '../grid/execution';
import { freeAt } from '../grid/sites';
import { at, put } from '../memory';
import { startAlone } from '../placement/planned';
import * as predictedEnds from '../planning/predictedEnds';
import * as predictions from '../planning/predictions';
import * as narrowJobs from '../queue/narrowJobs';
import * as priorityQueue from '../queue/priorityQueue';
import * as record from '../record/allocations';
import { RECORDED, beginDecision, note } from '../record/log';
import { Note } from '../record/notes';
import * as reservations from '../record/reservations';

/**
 * EASY backfilling where every job of a queue has one site to run on, its home. Another job than the head may
 * start now if it ends by the time when the head can start or is no wider than what is left beside that.
 * (With one kind of reservation and processors that otherwise only become free, this is what a plan would
 * say.)
 */

/** Whether a run is one of these. */
@inline
export function suffices(simulation: Simulation): bool {
  if (simulation.discipline !== Discipline.Easy) return false;
  return simulation.siteCount === 1 || simulation.topology === Topology.Independent;
}

/** Every job has its home. */
@final
@unmanaged
export class AtHome {
  /** The home of a job if it fits there now, or -1. */
  @inline
  siteNow(simulation: Simulation, queue: i32, job: i32): i32 {
    if (at<i32>(columns.processors, job) > freeAt(queue)) return -1;
    if (RECORDED) beginDecision(simulation, job);
    return queue;
  }

  /** Finds when the head can start, and what is left beside it then; returns the time. */
  @inline
  reserve(simulation: Simulation, queue: i32, head: i32): f64 {
    const missing = at<i32>(columns.processors, head) - freeAt(queue);
    predictedEnds.findAtLeast(queue, missing);
    const time = predictedEnds.foundTime;
    // A head that is predicted to take no time reserves nothing.
    const reserves = time + predictedTimeAtHome(simulation, head) > time;
    put<f64>(columns.shadowTimes, queue, reserves ? time : Infinity);
    put<i32>(columns.extraProcessors, queue, predictedEnds.foundProcessors - missing);
    return time;
  }

  @inline
  siteOfReservation(queue: i32): i32 {
    return queue;
  }

  /** Starts the jobs with ranks in [rank, end) that do not delay the head. */
  @inline
  backfill(simulation: Simulation, queue: i32, rank: i32, end: i32): void {
    startBehind(simulation, queue, rank, end);
  }
}

/**
 * Starts a job that has been submitted and has not joined its queue, if it fits and is alone, or delays
 * nobody; returns whether it did. No job is overdue.
 */
export function startsAtOnce(simulation: Simulation, queue: i32, job: i32): bool {
  const processors = at<i32>(columns.processors, job);
  if (processors > freeAt(queue)) return false;
  const predicted = predictedTimeAtHome(simulation, job);
  if (priorityQueue.queueAt(queue).waiting > 0) {
    if (priorityQueue.isFirst(queue, job)) return false;
    const end = predictions.endSeenAt(simulation.now, simulation.now + predicted);
    if (end > at<f64>(columns.shadowTimes, queue)) {
      const left = at<i32>(columns.extraProcessors, queue) - processors;
      if (left < 0) return false;
      put<i32>(columns.extraProcessors, queue, left);
    }
  }
  startAlone(simulation, job, queue, predicted);
  return true;
}

/** The reservation of the head that jobs must not delay: when it begins, and what is left beside it. */
let shadow: f64 = 0;
let extra: i32 = 0;

/** When a job is predicted to end that starts now. */
@inline
function endOf(simulation: Simulation, job: i32): f64 {
  return predictions.endSeenAt(simulation.now, simulation.now + predictedTimeAtHome(simulation, job));
}

/** Whether a job that fits does not delay the head. */
@final
@unmanaged
class DelaysNobody {
  @inline
  holds(simulation: Simulation, job: i32): bool {
    if (at<i32>(columns.processors, job) <= extra || endOf(simulation, job) <= shadow) return true;
    if (RECORDED) reservations.delays(simulation, job, endOf(simulation, job), shadow, extra);
    return false;
  }
}

/** Starts the jobs with ranks in [rank, end) that do not delay the head. */
function startBehind(simulation: Simulation, queue: i32, rank: i32, end: i32): void {
  const delaysNobody = changetype<DelaysNobody>(0);
  shadow = at<f64>(columns.shadowTimes, queue);
  extra = at<i32>(columns.extraProcessors, queue);
  while (true) {
    const job = narrowJobs.firstNotWider(delaysNobody, simulation, rank, end, freeAt(queue));
    if (job < 0) break;
    if (RECORDED) noteBeside(simulation, queue, job);
    const predicted = predictedTimeAtHome(simulation, job);
    const end = predictions.endSeenAt(simulation.now, simulation.now + predicted);
    if (end > shadow) extra -= at<i32>(columns.processors, job);
    startAlone(simulation, job, queue, predicted);
    priorityQueue.leave(simulation, job);
    rank = at<i32>(columns.rankOf, job) + 1;
  }
  put<i32>(columns.extraProcessors, queue, extra);
  if (RECORDED) record.passedOver(simulation, queue);
}

/** Writes down why a job that fits is started before the head. */
function noteBeside(simulation: Simulation, queue: i32, job: i32): void {
  beginDecision(simulation, job);
  const head = <f64>simulation.reserved;
  note(Note.Beside, head, endOf(simulation, job), shadow, <f64>extra, <f64>queue);
}
