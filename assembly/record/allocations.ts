import { Option, Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { Slot, candidatesOf, firstCandidateOf, freeAt, freeIn } from '../grid/sites';
import { at } from '../memory/memory';
import * as priorityQueue from '../queue/priorityQueue';
import { SPARE, append, beginWait, endWait, isWaiting, numberOf, setNumber, watched, Note } from './log';
import * as reservations from './reservations';

/** What happens while the watched job waits: jobs start and end, heads block, it starts or is stopped. */

/** The last entry of a job that did not fit, -1 for none; and the job for which others are stopped. */
let lastBlocked: i32 = -1;
let claimant: i32 = -1;

/** A job has been submitted and joins its queue. */
export function submitted(simulation: Simulation, job: i32): void {
  if (job === watched) queued(simulation);
}

function queued(simulation: Simulation): void {
  beginWait();
  lastBlocked = -1;
  if (simulation.hasPriorityQueue === 0) {
    const sums = columns.processorSums;
    const processors = at<f64>(sums, watched) - at<f64>(sums, simulation.head);
    const head = simulation.head < watched ? simulation.head : -1;
    appendQueued(simulation, watched - simulation.head, processors, head);
  } else {
    queuedByRank(simulation);
  }
  appendFree(simulation);
  reservations.begin();
}

function queuedByRank(simulation: Simulation): void {
  const own = at<i32>(columns.rankOf, watched);
  let rank = priorityQueue.nextRank(simulation, at<i32>(columns.firstRanks, queueOf(simulation, watched)));
  const head = rank < own ? at<i32>(columns.jobAt, rank) : -1;
  let jobs = 0;
  let processors: f64 = 0;
  for (; rank < own; rank = priorityQueue.nextRank(simulation, rank + 1)) {
    jobs++;
    processors += <f64>at<i32>(columns.processors, at<i32>(columns.jobAt, rank));
  }
  appendQueued(simulation, jobs, processors, head);
}

function appendQueued(simulation: Simulation, jobs: i32, processors: f64, head: i32): void {
  const lack = head >= 0 ? lackOf(simulation, head) : 0;
  append(0, Note.Queued, simulation.now, <f64>jobs, processors, <f64>head, <f64>lack);
}

function appendFree(simulation: Simulation): void {
  for (let site = 0; site < simulation.siteCount; site++) {
    append(0, Note.Free, simulation.now, <f64>site, <f64>freeAt(site));
  }
}

/** Entries about others leave room for those about the watched job. */
@inline
function spareFor(job: i32): i32 {
  return job === watched ? 0 : SPARE;
}

/** A job that starts takes processors of a site. */
export function allocated(simulation: Simulation, job: i32, site: i32, processors: i32): void {
  if (!isWaiting) return;
  append(spareFor(job), Note.Allocated, simulation.now, <f64>job, <f64>site, <f64>processors);
}

/** A job that no longer runs has given them back; `end` is its predicted end, -1 if there is none. */
export function released(simulation: Simulation, job: i32, site: i32, processors: i32, end: f64): void {
  if (!isWaiting) return;
  append(SPARE, Note.Released, simulation.now, <f64>job, <f64>site, <f64>processors, end);
}

/** Jobs that are stopped from now on make room for this one. */
export function claims(job: i32): void {
  claimant = job;
}

/** A job has been stopped on a site and waits again. */
export function stopped(simulation: Simulation, job: i32, site: i32): void {
  if (job !== watched && !isWaiting) return;
  const start = at<f64>(columns.starts, job);
  append(spareFor(job), Note.Stopped, simulation.now, <f64>job, <f64>site, start, <f64>claimant);
  if (job === watched) queued(simulation);
}

/** A job fitted nowhere. */
export function blocked(simulation: Simulation, job: i32): void {
  if (!isWaiting || queueOf(simulation, job) !== queueOf(simulation, watched)) return;
  const lack = <f64>lackOf(simulation, job);
  if (lastBlocked >= 0 && numberOf(lastBlocked, 0) === <f64>job) {
    setNumber(lastBlocked, 2, simulation.now);
    setNumber(lastBlocked, 3, numberOf(lastBlocked, 3) + 1);
    setNumber(lastBlocked, 4, lack);
    return;
  }
  const now = simulation.now;
  lastBlocked = append(spareFor(job), Note.Blocked, now, <f64>job, lack, now, 1, lack);
}

/** A pass over a queue is over; the watched job may have been passed over, being wider than what is free. */
export function passedOver(simulation: Simulation, queue: i32): void {
  if (!isWaiting || queueOf(simulation, watched) !== queue) return;
  const rank = at<i32>(columns.rankOf, watched);
  const isInQueue = priorityQueue.nextRank(simulation, rank) === rank;
  if (isInQueue && lackOf(simulation, watched) > 0) blocked(simulation, watched);
}

@inline
function queueOf(simulation: Simulation, job: i32): i32 {
  return priorityQueue.queueOf(simulation, job);
}

/** Processors that a job lacks: of all sites where it may be split, else on the one with the most free. */
function lackOf(simulation: Simulation, job: i32): i32 {
  const processors = at<i32>(columns.processors, job);
  const isSplit = simulation.multiSite !== 0 || columns.taken(Option.MultiSiteFactor) > 0;
  if (isSplit && simulation.topology !== Topology.Independent) {
    return processors - <i32>simulation.freeProcessors;
  }
  const slots = columns.slots + firstCandidateOf(simulation, job);
  let most = 0;
  for (let index = candidatesOf(simulation, job) - 1; index >= 0; index--) {
    most = max(most, freeIn(at<Slot>(slots, index)));
  }
  return processors - most;
}

/** A job runs from now on. */
export function launched(simulation: Simulation, job: i32, site: i32): void {
  if (!isWaiting || job !== watched) return;
  append(0, Note.Started, simulation.now, <f64>site);
  appendFree(simulation);
  endWait();
}
