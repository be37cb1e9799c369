import { Discipline, Option, Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { reorders } from '../memory/runKind';
import * as capacityChanges from '../events/capacityChanges';
import { freeAt } from '../grid/sites';
import { at } from '../memory/memory';
import * as predictedEnds from '../planning/predictedEnds';
import * as predictions from '../planning/predictions';
import { Queue, fromRankNotWider, queueAt, queueOf, queuesOf } from '../queue/priorityQueue';
import { RECORDED } from '../record/log';
import { widestNow } from './withoutReservations';

/**
 * Times of passes that do not follow each event.
 *
 * With an `Interval`, all passes of a queue come at its first submission + k * interval, as long as jobs wait
 * in it. Independent sites thus have passes of their own.
 *
 * Otherwise events ask for a pass, in their instant or after a delay. With a `BackfillInterval` that pass
 * starts jobs only up to the first that does not fit (main pass), and others, at the first submission +
 * offset + k * interval, do what the discipline does (backfill pass). The main pass of an instant comes
 * first. Independent sites have these passes each for itself; `passTime` is then the soonest of all sites.
 */

/** What a pass does. */
export enum PassKind {
  /** All that the discipline does. */
  Usual = 0,
  /** Starts jobs up to the first that does not fit. */
  Main = 1,
  /** All that the discipline does, at its own time. */
  Backfill = 2,
}

/** Period in which no backfill pass can start a job. */
enum Rest {
  None = 0,
  /** Until an event, or until a job is overdue. */
  UntilOverdue = 1,
  UntilEvent = 2,
}

/** True if the pass starts jobs only up to the first that does not fit. */
@inline
export function isMainPass(simulation: Simulation): bool {
  return simulation.passKind === PassKind.Main;
}

/** True if a submission causes a pass in its instant. */
@inline
export function isAtOnce(): bool {
  return columns.taken(Option.PassGap) === 0 && columns.taken(Option.SubmitPassDelay) === 0;
}

/** Seconds between passes at times of their own; 0: none. */
@inline
function intervalOf(): f64 {
  const interval = columns.taken(Option.Interval);
  return interval > 0 ? interval : columns.taken(Option.BackfillInterval);
}

/** True if each queue has passes of its own that its events ask for. */
@inline
export function hasPassesBySite(simulation: Simulation): bool {
  return simulation.topology === Topology.Independent && simulation.timesPasses !== 0;
}

/**
 * Clears the times of passes and finds the first and the last known job of each queue, for passes at
 * intervals.
 */
export function reset(simulation: Simulation): void {
  simulation.hasChanged = 1;
  simulation.lastPass = -Infinity;
  if (hasPassesBySite(simulation)) {
    for (let index = queuesOf(simulation) - 1; index >= 0; index--) {
      queueAt(index).askedPass = Infinity;
      queueAt(index).lastPass = -Infinity;
      queueAt(index).isAsked = 0;
      queueAt(index).rests = Rest.None;
    }
  }
  if (intervalOf() === 0) return;
  for (let index = queuesOf(simulation) - 1; index >= 0; index--) {
    const queue = queueAt(index);
    queue.firstJob = -1;
    queue.passes = 0;
    clearNext(queue);
  }
  know(simulation, 0, simulation.knownJobs);
}

/** Adds the jobs [from, end) to the first and last jobs of their queues. */
export function know(simulation: Simulation, from: i32, end: i32): void {
  if (intervalOf() === 0) return;
  for (let job = from; job < end; job++) {
    const queue = queueAt(queueOf(simulation, job));
    if (queue.firstJob < 0) queue.firstJob = job;
    queue.lastJob = job;
  }
}

/** Asks for a pass after a job has joined its queue, unless a main pass of this instant can start no job. */
export function askAfterSubmit(simulation: Simulation, job: i32): void {
  if (columns.taken(Option.BackfillInterval) > 0 && !RECORDED) {
    const queue = queueOf(simulation, job);
    const rest = staysAtRest(simulation, queue, job) ? restAt(simulation, queue) : Rest.None;
    if (areMainPassesAtOnce() && isHeadTooWide(simulation, queue)) {
      queueAt(queue).arrivingJob = -1;
      simulation.hasChanged = 1;
    } else {
      ask(simulation, queue, Option.SubmitPassDelay);
    }
    setRest(simulation, queue, rest);
  } else {
    ask(simulation, hasPassesBySite(simulation) ? queueOf(simulation, job) : 0, Option.SubmitPassDelay);
  }
}

/**
 * True if the main pass of this instant would try the job that is just submitted and no other: its queue is
 * empty, and no other job is submitted now. Ends come before submissions.
 */
export function isOnlyJob(simulation: Simulation): bool {
  if (columns.taken(Option.BackfillInterval) === 0 || RECORDED || simulation.waiting > 0) return false;
  if (simulation.passIsDue !== 0 || !areMainPassesAtOnce() || reorders(simulation)) return false;
  if (simulation.plansByNodes !== 0 || simulation.asks !== 0) return false;
  if (simulation.hasDependencies !== 0 || simulation.hasCancellations !== 0) return false;
  if (simulation.outages !== 0) return false;
  return at<f64>(columns.submits, simulation.next) > simulation.now;
}

/**
 * Asks for a pass after the end or cancellation of a job of a queue, or a capacity change of its site, unless
 * a main pass of now can start no job.
 */
export function askAfterEnd(simulation: Simulation, queue: i32): void {
  if (columns.taken(Option.BackfillInterval) > 0 && !RECORDED && areMainPassesAtOnce()) {
    if (queueAt(queue).waiting === 0 || isHeadTooWide(simulation, queue)) {
      setRest(simulation, queue, Rest.None);
      simulation.hasChanged = 1;
      return;
    }
  }
  ask(simulation, queue, Option.EndPassDelay);
}

/**
 * True if a new job, which is too wide for what is free, changes nothing for the other jobs: none of them
 * fits either, or the job is behind the only reservation of EASY.
 */
function staysAtRest(simulation: Simulation, queue: i32, job: i32): bool {
  const rest = restAt(simulation, queue);
  if (rest === Rest.None) return false;
  if (at<i32>(columns.processors, job) <= widestStart(simulation, queue)) return false;
  if (rest === Rest.UntilEvent) return true;
  const isOnOneSite = simulation.siteCount === 1 || hasPassesBySite(simulation);
  if (simulation.discipline !== Discipline.Easy || !isOnOneSite) return false;
  return simulation.reservationDepth === 1 && queueAt(queue).head !== job;
}

/** True if every event has its main pass in its instant. */
@inline
function areMainPassesAtOnce(): bool {
  return isAtOnce() && columns.taken(Option.EndPassDelay) === 0;
}

/** Records that a job has started without a pass. */
@inline
export function noteStart(simulation: Simulation): void {
  setRest(simulation, 0, Rest.None);
  simulation.hasChanged = 1;
}

/** Asks for a pass of the only queue after corrections by the host. */
export function askForHost(simulation: Simulation): void {
  ask(simulation, 0, Option.EndPassDelay);
}

/** Asks for a pass of a queue after a submission or an end; an earlier one that is due stays. */
@inline
function ask(simulation: Simulation, queue: i32, delay: Option): void {
  const time = hasPassesBySite(simulation)
    ? askOnSite(simulation, queueAt(queue), delay)
    : simulation.timesPasses !== 0
      ? timeAfter(simulation, delay)
      : simulation.now;
  if (simulation.passIsDue === 0 || time < simulation.passTime) simulation.passTime = time;
  simulation.passIsDue = 1;
  simulation.backfillRests = Rest.None;
  simulation.hasChanged = 1;
}

/** Earliest time of a pass after an event of now, with its delay. */
function timeAfter(simulation: Simulation, delay: Option): f64 {
  const time = simulation.now + columns.taken(delay);
  return max<f64>(time, simulation.lastPass + columns.taken(Option.PassGap));
}

/** Asks for a pass of an independent site; returns its time. */
function askOnSite(simulation: Simulation, queue: Queue, delay: Option): f64 {
  const time = max<f64>(
    simulation.now + columns.taken(delay),
    queue.lastPass + columns.taken(Option.PassGap),
  );
  queue.askedPass = min<f64>(queue.askedPass, time);
  queue.rests = Rest.None;
  return queue.askedPass;
}

/** Begins the passes of the independent sites that are due at a time. */
function beginOnSites(simulation: Simulation, time: f64): void {
  let next: f64 = Infinity;
  for (let index = queuesOf(simulation) - 1; index >= 0; index--) {
    const queue = queueAt(index);
    queue.isAsked = i32(queue.askedPass <= time);
    if (queue.isAsked !== 0) {
      queue.askedPass = Infinity;
      queue.lastPass = time;
    }
    next = min<f64>(next, queue.askedPass);
  }
  simulation.passTime = next;
  simulation.passIsDue = i32(next < Infinity);
}

/** Begins a pass at a time; a main pass that is due comes before one that backfills. */
export function begin(simulation: Simulation, time: f64): void {
  simulation.now = time;
  simulation.passKind = PassKind.Usual;
  if (columns.taken(Option.BackfillInterval) > 0) {
    const isMain = simulation.passIsDue !== 0 && simulation.passTime <= time;
    simulation.passKind = isMain ? PassKind.Main : PassKind.Backfill;
    simulation.waitingBefore = simulation.waiting;
    if (hasPassesBySite(simulation)) {
      for (let index = queuesOf(simulation) - 1; index >= 0; index--) {
        queueAt(index).waitingBefore = queueAt(index).waiting;
      }
    }
    if (!isMain) return;
  }
  if (hasPassesBySite(simulation)) {
    beginOnSites(simulation, time);
    return;
  }
  simulation.passIsDue = 0;
  simulation.lastPass = time;
}

/** True if no backfill pass can start a job until the next event. */
@inline
export function isAtRest(simulation: Simulation): bool {
  return simulation.waiting === 0 || simulation.backfillRests === Rest.UntilEvent;
}

/** True if the pass of a time is a backfill pass and can start no job until the next event. */
export function isIdle(simulation: Simulation, time: f64): bool {
  if (columns.taken(Option.BackfillInterval) === 0 || RECORDED) return false;
  if (simulation.passIsDue !== 0 && simulation.passTime <= time) return false;
  if (simulation.plansByNodes !== 0 || simulation.asks !== 0) return false;
  if (hasPassesBySite(simulation) || !isNobodyNarrow(simulation, 0)) return false;
  simulation.backfillRests = Rest.UntilEvent;
  return true;
}

/** Time of the next pass of any queue that no event asks for; +infinity if none. */
export function soonest(simulation: Simulation): f64 {
  const isBackfill = columns.taken(Option.BackfillInterval) > 0;
  if (isBackfill && simulation.plansByNodes !== 0 && simulation.hasChanged === 0) return Infinity;
  let from = simulation.now;
  if (isBackfill && simulation.backfillRests !== Rest.None) {
    if (simulation.backfillRests === Rest.UntilEvent) return Infinity;
    from = soonestOverdue(simulation);
    if (from === Infinity) return Infinity;
  }
  let time: f64 = Infinity;
  for (let index = queuesOf(simulation) - 1; index >= 0; index--) {
    const queue = queueAt(index);
    const hasNone = queue.waiting === 0 || isOver(simulation, index);
    if (isBackfill && hasPassesBySite(simulation)) from = endOfRest(simulation, index);
    if (hasNone || from === Infinity) clearNext(queue);
    else if (!(queue.nextFrom <= from && from <= queue.nextPass)) findNext(queue, from);
    time = min<f64>(time, queue.nextPass);
  }
  return time;
}

/** Time from which on a backfill pass of an independent site may start a job; +infinity: after an event. */
function endOfRest(simulation: Simulation, index: i32): f64 {
  const rests = queueAt(index).rests;
  if (rests === Rest.None) return simulation.now;
  if (rests === Rest.UntilEvent || simulation.hasPredictions === 0) return Infinity;
  return max<f64>(predictedEnds.soonest(index), simulation.now);
}

/** Time of the first predicted end of a running job, not before now; +infinity if ends are not predicted. */
function soonestOverdue(simulation: Simulation): f64 {
  let time: f64 = Infinity;
  for (let site = 0; simulation.hasPredictions !== 0 && site < simulation.siteCount; site++) {
    time = min<f64>(time, predictedEnds.soonest(site));
  }
  return max<f64>(time, simulation.now);
}

/** Largest number of past intervals of a queue. */
export function most(simulation: Simulation): f64 {
  let passes: f64 = 0;
  for (let index = queuesOf(simulation) - 1; index >= 0; index--) {
    passes = max<f64>(passes, queueAt(index).passes);
  }
  return passes;
}

/** True if the host has let all jobs of a queue wait in its last pass, and no later event can change that. */
function isOver(simulation: Simulation, index: i32): bool {
  const queue = queueAt(index);
  if (simulation.outages !== 0 && capacityChanges.soonestTime(simulation) < Infinity) return false;
  if (queue.dirty !== 0 || simulation.next <= queue.lastJob || simulation.releasedJobs !== 0) return false;
  if (simulation.topology !== Topology.Independent) return simulation.running === 0;
  const gone = simulation.outages !== 0 ? at<i32>(columns.goneProcessors, index) : 0;
  return freeAt(index) + gone === at<i32>(columns.capacities, index);
}

/** Time of a queue's first pass. */
@inline
function firstOf(queue: Queue): f64 {
  return at<f64>(columns.submits, queue.firstJob) + columns.taken(Option.BackfillOffset);
}

/** Number of intervals from a queue's first pass to the next one that is not over and not before `from`. */
function passesUntil(queue: Queue, from: f64): f64 {
  const interval = intervalOf();
  const first = firstOf(queue);
  // Corrects the quotient, which may be off by one; the products decide.
  let passes = max<f64>(queue.passes, floor<f64>((from - first) / interval) - 1);
  while (first + passes * interval < from) passes++;
  return passes;
}

/** Leaves a queue without a next pass. */
@inline
function clearNext(queue: Queue): void {
  queue.nextPass = Infinity;
  queue.nextFrom = Infinity;
}

/** Finds the time of the next pass of a queue, not before `from`; it stays the next one until it is over. */
function findNext(queue: Queue, from: f64): void {
  queue.nextFrom = from;
  queue.nextPass = firstOf(queue) + passesUntil(queue, from) * intervalOf();
}

/** Period in which no backfill pass can start a job of a queue. */
@inline
function restAt(simulation: Simulation, queue: i32): Rest {
  return hasPassesBySite(simulation) ? queueAt(queue).rests : simulation.backfillRests;
}

@inline
function setRest(simulation: Simulation, queue: i32, rest: Rest): void {
  if (hasPassesBySite(simulation)) queueAt(queue).rests = rest;
  else simulation.backfillRests = rest;
}

/** True if the current pass has started a job of a queue. */
@inline
function hasStartedIn(simulation: Simulation, queue: i32): bool {
  if (!hasPassesBySite(simulation)) return simulation.waiting < simulation.waitingBefore;
  return queueAt(queue).waiting < queueAt(queue).waitingBefore;
}

/** Records that the pass of a queue is over, if it was due. */
@inline
export function end(simulation: Simulation, index: i32): void {
  const queue = queueAt(index);
  if (simulation.passKind === PassKind.Main) {
    // A head that starts may leave a reservation behind that lets others start.
    if (hasStartedIn(simulation, index)) setRest(simulation, index, Rest.None);
    return;
  }
  if (intervalOf() > 0) {
    if (queue.nextPass !== simulation.now) return;
    queue.passes = passesUntil(queue, simulation.now) + 1;
    queue.nextFrom = Infinity;
  }
  if (simulation.passKind === PassKind.Backfill) setRest(simulation, index, restOf(simulation, index));
  queue.dirty = 0;
}

/**
 * Until when later passes cannot start a job. Without an event, free processors, waiting jobs and
 * predicted ends stay as they are, so a job that is too wide for what is free cannot start. Otherwise the
 * times at which jobs can start according to the plan stay, unless a job becomes overdue, and the time
 * until a reservation only gets shorter.
 */
function restOf(simulation: Simulation, queue: i32): Rest {
  // Plans by nodes go by what has changed. The host may decide otherwise at any time.
  if (simulation.plansByNodes !== 0 || simulation.asks !== 0) return Rest.None;
  if (isNobodyNarrow(simulation, queue)) return Rest.UntilEvent;
  if (reorders(simulation) || simulation.lengthAbsorbed !== 0) return Rest.None;
  // A job that starts behind the reservation may take what another one waits for, for which a site where
  // it can start at once then becomes the better one.
  const hasStarted = hasStartedIn(simulation, queue);
  const choosesSites = simulation.siteCount > 1 && !hasPassesBySite(simulation);
  if (simulation.discipline === Discipline.Easy && choosesSites && hasStarted) return Rest.None;
  // The next pass groups the predicted end of a job that has just started with others.
  if (hasStarted && simulation.hasPlanRules !== 0 && columns.taken(Option.EndWindow) > 0) return Rest.None;
  const isOverdue = simulation.hasPredictions !== 0 && predictions.isAnyOverdue(simulation, queue);
  return isOverdue ? Rest.None : Rest.UntilOverdue;
}

/** True if all waiting jobs of the only queue, or of an independent site, are wider than what is free. */
function isNobodyNarrow(simulation: Simulation, queue: i32): bool {
  if (simulation.topology === Topology.PerHome || !startsFitting(simulation)) return false;
  const isAlone = simulation.topology === Topology.Independent;
  const begin = isAlone ? at<i32>(columns.firstRanks, queue) : 0;
  const end = isAlone ? at<i32>(columns.firstRanks, queue + 1) : simulation.jobCount;
  return fromRankNotWider(simulation, begin, end, widestStart(simulation, queue)) < 0;
}

/** True if jobs start only on processors that are free, and on as many as they request. */
@inline
function startsFitting(simulation: Simulation): bool {
  return simulation.moldable === 0 && simulation.reclaim === 0;
}

/** Largest width with which a job of a queue could possibly start now. */
@inline
function widestStart(simulation: Simulation, queue: i32): i32 {
  if (columns.taken(Option.MultiSiteFactor) > 0) return <i32>simulation.freeProcessors;
  return widestNow(simulation, queue);
}

/** True if a main pass can start no job of a queue, because the first one is too wide. */
export function isHeadTooWide(simulation: Simulation, queue: i32): bool {
  if (reorders(simulation) || simulation.asks !== 0 || !startsFitting(simulation)) return false;
  // A job that would meet an outage is passed over.
  if (simulation.plansByNodes !== 0 && simulation.outages !== 0) return false;
  return queueAt(queue).headWidth > widestStart(simulation, queue);
}
