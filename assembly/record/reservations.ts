import { Discipline } from '../abi/abi';
import { Simulation } from '../memory/state';
import { freeAt } from '../grid/sites';
import * as priorityQueue from '../queue/priorityQueue';
import {
  append,
  appendChosen,
  isLookedAt,
  isWaiting,
  numberOf,
  setNumber,
  sharesAreChosen,
  SPARE,
  watched,
  Note,
} from './log';

/** What is planned while the watched job waits. What stays the same from pass to pass is one entry. */

/** The last entries, -1 for none. */
let lastReserved: i32 = -1;
let lastPlanned: i32 = -1;
let lastDelay: i32 = -1;
/** A new wait begins. */
export function begin(): void {
  lastReserved = -1;
  lastPlanned = -1;
  lastDelay = -1;
}

/** A job is reserved as the planner chose: the watched one, or under EASY whichever of its queue it is. */
export function reserved(simulation: Simulation, job: i32, start: f64, end: f64, count: i32): void {
  const isOne = simulation.discipline === Discipline.Easy && simulation.reservationDepth === 1;
  if (job !== watched && !isOne) return;
  if (!isWaiting) return;
  if (priorityQueue.queueOf(simulation, job) !== priorityQueue.queueOf(simulation, watched)) return;
  const now = simulation.now;
  if (lastReserved >= 0 && isLast(job, start, end) && sharesAreChosen(lastReserved, count)) {
    repeat(lastReserved, now);
    return;
  }
  lastReserved = append(SPARE, Note.Reserved, now, <f64>job, start, end, now, 1);
  appendChosen(now, count);
}

@inline
function isLast(job: i32, start: f64, end: f64): bool {
  if (numberOf(lastReserved, 0) !== <f64>job) return false;
  return numberOf(lastReserved, 1) === start && numberOf(lastReserved, 2) === end;
}

/**
 * The watched job has another reservation, which is kept, or has lost or regained its place: by what, a job
 * or -1; by 0 where nothing has changed for others.
 */
export function kept(job: i32, now: f64, start: f64, end: f64, isMoved: bool, by: Note, cause: i32): void {
  if (job !== watched || !isWaiting) return;
  const isSame = lastReserved >= 0 && isLast(job, start, end) && sharesAreChosen(lastReserved, 1);
  if (isSame && numberOf(lastReserved, 5) === <f64>isMoved) {
    repeat(lastReserved, now);
    return;
  }
  lastReserved = append(SPARE, Note.Reserved, now, <f64>job, start, end, now, 1);
  if (lastReserved >= 0) setNumber(lastReserved, 5, <f64>isMoved);
  appendChosen(now, 1);
  if (by !== 0) append(SPARE, by, now, <f64>cause);
}

/** One pass more. */
function repeat(entry: i32, now: f64): void {
  setNumber(entry, 3, now);
  setNumber(entry, 4, numberOf(entry, 4) + 1);
}

/** A job could start later, by the plan, but nothing is kept for it. */
export function planned(simulation: Simulation, job: i32, start: f64, end: f64): void {
  if (!isWaiting || job !== watched) return;
  const now = simulation.now;
  if (lastPlanned < 0) {
    lastPlanned = append(SPARE, Note.Planned, now, <f64>job, start, end, now, 1);
    return;
  }
  setNumber(lastPlanned, 1, start);
  setNumber(lastPlanned, 2, end);
  repeat(lastPlanned, now);
}

/** A job would delay the head of its queue: it ends after that should begin, and is too wide beside it. */
export function delays(simulation: Simulation, job: i32, end: f64, begin: f64, extra: i32): void {
  if (!isWaiting || job !== watched) return;
  const head = <f64>priorityQueue.headOf(simulation, priorityQueue.queueOf(simulation, job));
  if (lastDelay < 0 || numberOf(lastDelay, 0) !== head) {
    lastDelay = append(SPARE, Note.Delays, simulation.now, head);
    if (lastDelay < 0) return;
  }
  setNumber(lastDelay, 1, end);
  setNumber(lastDelay, 2, begin);
  setNumber(lastDelay, 3, <f64>extra);
  setNumber(lastDelay, 4, simulation.now);
  setNumber(lastDelay, 5, numberOf(lastDelay, 5) + 1);
}

/** A moldable job waits rather than run on what is free on a site. */
export function deferred(simulation: Simulation, site: i32, shrunk: f64, wait: f64, whole: f64): void {
  if (!isLookedAt) return;
  append(SPARE, Note.Deferred, simulation.now, <f64>site, <f64>freeAt(site), shrunk, wait, whole);
}
