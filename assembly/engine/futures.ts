import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { entryAt, jobIn, placeIn } from '../events/finishQueue';
import * as finishQueue from '../events/finishQueue';
import { Allocation, allocationAt } from '../events/runningJobs';
import { overdueTime, predictedTimeAt, requestedTimeAt, workTime } from '../grid/execution';
import { drawWork } from '../knowledge/endedJobs';
import { at, put } from '../memory/memory';
import * as predictions from '../planning/predictions';
import * as priorityQueue from '../queue/priorityQueue';

/**
 * What trials believe of a future that nobody knows: when running jobs end, and how long waiting ones will
 * run. By their estimates; or where there are none as jobs did that have ended, drawn.
 */

/** How often an end is drawn for a running job that has run longer. */
const DRAWS: i32 = 8;

/** Lists the waiting jobs in the order of their queue; returns how many there are. */
export function listQueue(simulation: Simulation): i32 {
  const queued = columns.queuedJobs;
  let count = 0;
  if (simulation.hasPriorityQueue === 0) {
    for (let job = simulation.head; job < simulation.next; job++) put<i32>(queued, count++, job);
    return count;
  }
  for (let job = priorityQueue.headOf(simulation, 0); job >= 0; job = priorityQueue.behind(simulation, job)) {
    put<i32>(queued, count++, job);
  }
  return count;
}

/** Lists the keys of the running jobs, by job index where futures are drawn; returns how many there are. */
export function listRunning(simulation: Simulation, isDrawn: bool): i32 {
  const keys = columns.runningKeys;
  const count = simulation.running;
  for (let entry = 1; entry <= count; entry++) {
    const key = at<u64>(entryAt(entry), 1);
    let place = entry - 1;
    while (isDrawn && place > 0 && jobIn(at<u64>(keys, place - 1)) > jobIn(key)) {
      put<u64>(keys, place, at<u64>(keys, place - 1));
      place--;
    }
    put<u64>(keys, place, key);
  }
  return count;
}

/**
 * The running jobs of a list end as is believed; where futures are drawn it is also drawn what the waiting
 * ones of `queuedJobs` take.
 */
export function believe(simulation: Simulation, running: i32, queued: i32, isDrawn: bool): void {
  finishQueue.reset(simulation);
  for (let index = 0; index < running; index++) {
    const key = at<u64>(columns.runningKeys, index);
    const place = placeIn(key);
    const site = simulation.hasExtras !== 0 ? allocationAt(place).site : place;
    const end = believedEnd(simulation, jobIn(key), site, isDrawn);
    if (simulation.hasPredictions !== 0) predict(allocationAt(place), end);
    // Of a job that runs trials keep no more than its site, but where they predict ends themselves.
    finishQueue.push(simulation, end, jobIn(key), simulation.hasPredictions !== 0 ? place : site);
  }
  if (!isDrawn) return;
  for (let index = 0; index < queued; index++) {
    const job = at<i32>(columns.queuedJobs, index);
    put<f64>(columns.believedWork, job, drawWork(simulation, job));
  }
}

/** When a running job ends, after now. */
function believedEnd(simulation: Simulation, job: i32, site: i32, isDrawn: bool): f64 {
  const now = simulation.now;
  const start = at<f64>(columns.starts, job);
  for (let draw = 0; isDrawn && draw < DRAWS; draw++) {
    const time = workTime(simulation, drawWork(simulation, job), site);
    if (time > now - start) return start + time;
  }
  if (!isDrawn) {
    let end = start + predictedTimeAt(simulation, job, site);
    if (end < now && simulation.recentJobs > 0) end = start + requestedTimeAt(simulation, job, site);
    if (end > now) return end;
  }
  return now + overdueTime(simulation, now - start);
}

/** A running job is predicted to end when it is believed to. */
function predict(allocation: Allocation, end: f64): void {
  if (allocation.predictedEnd === end) return;
  predictions.correct(allocation.site, allocation.predictedEnd, end, allocation.processors);
  allocation.predictedEnd = end;
}
