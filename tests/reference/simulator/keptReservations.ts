import { computeAgingKeys } from './agingKeys.js';
import { type AllocationAnswer, chooseSiteForJob } from './allocators.js';
import { plannedExecution, plannedLength } from './lengths.js';
import { exceedsLimit } from './limits.js';
import { jobsRequeuedByOutage } from './outages.js';
import { askCustomPolicy } from './ownPolicy.js';
import {
  capacityProfile,
  changeFreeProcessorsFrom,
  type FreeProcessorsProfile,
  minFreeProcessors,
  predictedEndOfOverdueJob,
} from './profile.js';
import { makeAllocationQuestion } from './question.js';
import { candidateSites } from './safePlanner.js';
import { findNextJobToFinish, type JobRecord, type Simulation, startJob } from './simulation.js';
import { doKeysChangeWithTime, sortJobsByOrder } from './waitingQueue.js';

/**
 * Reservation of a waiting job, kept until it starts, gets an earlier one, or loses it to a job
 * that exceeded its estimate.
 */
export interface KeptReservation {
  site: number;
  start: number;
  /**
   * True if the job lost its reservation and got a later one, whose start causes no event of its
   * own.
   */
  isMoved: boolean;
  /** True if a policy let the job wait since it got this reservation. */
  isDeclined: boolean;
}

/** An instant: its time, and whether its submissions and ends are done, so that jobs start. */
export interface KeptReservationInstant {
  now: number;
  isStarting: boolean;
  /**
   * With backfill passes: time in seconds of the first pass at or after a time that is not over.
   * Reservations begin at times of passes only, and waiting jobs get earlier ones only in passes.
   */
  nextPassFrom?: (time: number) => number;
}

interface SimulationEvent {
  time: number;
  submitted?: JobRecord | undefined;
  left?: JobRecord | undefined;
  capacity?: object | undefined;
  handle: () => void;
}

/**
 * New reservation of a job from a time on, and the job whose end, start elsewhere, or cancellation
 * caused it.
 */
export interface ReservationChange extends KeptReservation {
  job: JobRecord;
  time: number;
  by?: { end: JobRecord } | { start: JobRecord } | { cancellation: JobRecord } | undefined;
}

/**
 * Conservative backfilling with kept reservations (Mu'alem and Feitelson 2001): submissions, then
 * cancellations and ends one by one, then starts.
 */
export function handleInstantOfKeptReservations(
  simulation: Simulation,
  now: number,
  next: () => SimulationEvent,
): void {
  const instant = { now, isStarting: false };
  beginInstantOfKeptReservations(simulation, instant);
  for (;;) {
    const event = next();
    if (event.time === now) {
      handleEventWithKeptReservations(simulation, instant, event);
    } else {
      beginStarts(simulation, instant);
      if (!startNextReservedJob(simulation, instant)) break;
    }
  }
  simulation.metEmptyQueue.clear();
}

/** Prepares the reservations for the first event or pass of an instant. */
export function beginInstantOfKeptReservations(
  simulation: Simulation,
  instant: KeptReservationInstant,
): void {
  computeAgingKeys(simulation, instant.now);
  rebuildReservationProfile(simulation, instant);
}

/** Handles an event, and changes reservations as far as that does not wait for a backfill pass. */
export function handleEventWithKeptReservations(
  simulation: Simulation,
  instant: KeptReservationInstant,
  event: SimulationEvent,
): void {
  const { now } = instant;
  const isCompressing = instant.nextPassFrom === undefined;
  const ending = findNextJobToFinish(simulation);
  const runningJobs = [...simulation.running];
  event.handle();
  if (event.capacity !== undefined) {
    computeAgingKeys(simulation, now);
    rebuildReservationProfile(simulation, instant);
    reserveForPreemptedJobs(simulation, instant, jobsRequeuedByOutage(runningJobs, simulation));
    if (isCompressing) compressReservations(simulation, instant, undefined);
    reserveForJobsHeldByLimits(simulation, instant, undefined);
  } else if (event.submitted !== undefined) {
    event.submitted.promised = reserveEarliestStart(simulation, event.submitted, instant).start;
  } else {
    computeAgingKeys(simulation, now);
    const by = event.left === undefined ? { end: ending! } : { cancellation: event.left };
    if (event.left !== undefined) simulation.kept.delete(event.left);
    rebuildReservationProfile(simulation, instant, by);
    if (isCompressing) compressReservations(simulation, instant, by);
    reserveForJobsHeldByLimits(simulation, instant, by);
  }
}

/** Remakes the profile before the first start of an instant. */
function beginStarts(simulation: Simulation, instant: KeptReservationInstant): void {
  if (instant.isStarting) return;
  instant.isStarting = true;
  computeAgingKeys(simulation, instant.now);
  rebuildReservationProfile(simulation, instant);
}

/**
 * Starts the first job in queue order whose reserved start is now, or takes its reservation if it
 * exceeds a limit; false if there is none.
 */
function startNextReservedJob(simulation: Simulation, instant: KeptReservationInstant): boolean {
  const job = reservedJobsInQueueOrder(simulation, instant.now).find((waitingJob) => {
    const { start, isDeclined } = simulation.kept.get(waitingJob)!;
    return start === instant.now && !isDeclined;
  });
  if (job === undefined) return false;
  if (exceedsLimit(simulation, job)) simulation.kept.delete(job);
  else startAtReservedSiteOrMove(simulation, job, instant);
  return true;
}

/**
 * Backfill pass: every waiting job takes the earliest start, then the jobs whose start is now
 * begin.
 */
export function makeBackfillPassOfReservations(
  simulation: Simulation,
  instant: KeptReservationInstant,
): void {
  beginStarts(simulation, instant);
  // A main pass of this instant may have started jobs since keys were computed.
  computeAgingKeys(simulation, instant.now);
  compressReservations(simulation, instant, undefined);
  while (startNextReservedJob(simulation, instant));
  simulation.metEmptyQueue.clear();
}

/**
 * Main pass between backfill passes: starts jobs in queue order up to the first that does not fit
 * now beside running jobs and the reservations of all others.
 */
export function makeMainPassOfReservations(simulation: Simulation, instant: KeptReservationInstant): void {
  const { kept } = simulation;
  const { now } = instant;
  beginStarts(simulation, instant);
  for (const job of reservedJobsInQueueOrder(simulation, now)) {
    const reservation = kept.get(job)!;
    if (reservation.isDeclined || exceedsLimit(simulation, job)) continue;
    if (reservation.start > now) {
      kept.delete(job);
      const profile = profileOfAll(simulation, instant);
      const plans = candidateSites(simulation, job)
        .filter((site) => doesJobFitProfile(simulation, profile, job, site, now))
        .map((site) => ({ site, end: now + plannedLength(job, [site], simulation.options) }))
        .sort((one, other) => one.end - other.end || one.site - other.site);
      kept.set(
        job,
        plans[0] === undefined ? reservation : { ...reservation, site: plans[0].site, start: now },
      );
      if (plans[0] === undefined) break;
    }
    startAtReservedSiteOrMove(simulation, job, instant, 'main');
  }
  simulation.metEmptyQueue.clear();
}

/** Start of the next reservation that causes an instant of its own; infinity if there is none. */
export function nextReservedStartTime({ kept }: Simulation): number {
  return Math.min(
    ...[...kept.values()].filter(({ isMoved }) => !isMoved).map(({ start }) => start),
    Infinity,
  );
}

/** Waiting jobs with a reservation, in the order of the queue. */
function reservedJobsInQueueOrder(simulation: Simulation, now: number): JobRecord[] {
  const { queues, options } = simulation;
  const [queue] = queues;
  if (doKeysChangeWithTime(options.order)) sortJobsByOrder(queue!, options.order, now, options);
  return queue!.filter((job) => simulation.kept.has(job));
}

/** Gives jobs without a reservation, which a limit held back, a new one if they are within their limits again. */
function reserveForJobsHeldByLimits(
  simulation: Simulation,
  instant: KeptReservationInstant,
  by: ReservationChange['by'],
): void {
  const { queues, options, kept } = simulation;
  if (doKeysChangeWithTime(options.order)) sortJobsByOrder(queues[0]!, options.order, instant.now, options);
  for (const job of queues[0]!)
    if (!kept.has(job) && !exceedsLimit(simulation, job)) reserveEarliestStart(simulation, job, instant, by);
}

/** Gives jobs that a capacity change has preempted new reservations, in the order of the queue. */
function reserveForPreemptedJobs(
  simulation: Simulation,
  instant: KeptReservationInstant,
  preempted: JobRecord[],
): void {
  const { queues, options } = simulation;
  if (doKeysChangeWithTime(options.order)) sortJobsByOrder(queues[0]!, options.order, instant.now, options);
  for (const job of [...queues[0]!])
    if (preempted.includes(job)) reserveEarliestStart(simulation, job, instant);
}

/**
 * Rebuilds the profile of free processors, which changes nothing unless a job is overdue or a
 * reservation moved: running jobs, then reservations in order of start (those without room become
 * moved), then moved ones as early as possible.
 */
function rebuildReservationProfile(
  simulation: Simulation,
  instant: KeptReservationInstant,
  by?: ReservationChange['by'],
): void {
  const { kept } = simulation;
  const waitingJobs = reservedJobsInQueueOrder(simulation, instant.now);
  const profile = profileOfRunning(simulation, instant);
  const jobsInPlace = waitingJobs.filter((job) => !kept.get(job)!.isMoved);
  jobsInPlace.sort((one, other) => kept.get(one)!.start - kept.get(other)!.start);
  for (const job of jobsInPlace) {
    const reservation = kept.get(job)!;
    if (doesJobFitProfile(simulation, profile, job, reservation.site, reservation.start)) {
      enterIntoProfile(simulation, profile, job, reservation);
    } else {
      kept.set(job, { ...reservation, isMoved: true });
      simulation.movedReservations += 1;
    }
  }
  for (const job of waitingJobs.filter((each) => kept.get(each)!.isMoved)) {
    const reservation = { ...findEarliestReservation(simulation, profile, job, instant), isMoved: true };
    storeReservation(simulation, instant, job, reservation, by);
    enterIntoProfile(simulation, profile, job, reservation);
  }
}

/** Stores a reservation of a job and records the change if it differs. */
function storeReservation(
  { kept, changes }: Simulation,
  { now }: KeptReservationInstant,
  job: JobRecord,
  reservation: KeptReservation,
  by?: ReservationChange['by'],
): void {
  kept.set(job, reservation);
  const previousChange = changes.findLast((change) => change.job === job);
  const { site, start, isMoved } = reservation;
  if (previousChange?.site === site && previousChange.start === start && previousChange.isMoved === isMoved)
    return;
  changes.push({ ...reservation, job, time: now, by });
}

/** Gives a job the earliest start beside running jobs and reservations. */
function reserveEarliestStart(
  simulation: Simulation,
  job: JobRecord,
  instant: KeptReservationInstant,
  by?: ReservationChange['by'],
): KeptReservation {
  const own = simulation.kept.get(job);
  simulation.kept.delete(job);
  const profile = profileOfAll(simulation, instant);
  const reservation = findEarliestReservation(simulation, profile, job, instant, own);
  storeReservation(simulation, instant, job, reservation, by);
  return reservation;
}

/**
 * Replaces the reservation of every job that does not start now by the earliest possible one, job
 * by job.
 */
function compressReservations(
  simulation: Simulation,
  instant: KeptReservationInstant,
  by: ReservationChange['by'],
): void {
  for (const job of reservedJobsInQueueOrder(simulation, instant.now)) {
    if (simulation.kept.get(job)!.start > instant.now) reserveEarliestStart(simulation, job, instant, by);
  }
}

/**
 * Starts a job at its reserved site, or, with a policy, at the site that the policy chooses; the
 * policy may let it wait.
 */
function startAtReservedSiteOrMove(
  simulation: Simulation,
  job: JobRecord,
  instant: KeptReservationInstant,
  pass: 'usual' | 'main' = 'usual',
): void {
  const { options, grid, kept, decisions, policy } = simulation;
  const { now } = instant;
  const [queue] = simulation.queues;
  const reservation = kept.get(job)!;
  let { site } = reservation;
  if (options.choose !== undefined || (options.withPolicy && grid.length > 1)) {
    kept.delete(job);
    const profile = profileOfAll(simulation, instant);
    const safe = candidateSites(simulation, job).filter((each) =>
      doesJobFitProfile(simulation, profile, job, each, now),
    );
    kept.set(job, reservation);
    const question = { ...makeAllocationQuestion(simulation, queue!, job), safe };
    const own = options.choose && askCustomPolicy(simulation, question, job, queue!, now);
    if (own === 'wait') {
      if (!reservation.isMoved) simulation.movedReservations += 1;
      storeReservation(simulation, instant, job, { ...reservation, isMoved: true, isDeclined: true });
      return;
    }
    const answer: AllocationAnswer =
      typeof own === 'object' ? { site: own } : chooseSiteForJob(question, policy)!;
    if (answer.comparison !== undefined) decisions[answer.comparison] += 1;
    site = answer.site.index;
  }
  startJob(
    simulation,
    job,
    now,
    [{ site, processors: job.processors }],
    plannedExecution(job, [site], options),
  );
  queue!.splice(queue!.indexOf(job), 1);
  kept.delete(job);
  if (site !== reservation.site && pass === 'usual')
    compressReservations(simulation, instant, { start: job });
}

/** Free processors over time: now, and as running jobs release them. */
function profileOfRunning(
  simulation: Simulation,
  { now, isStarting }: KeptReservationInstant,
): FreeProcessorsProfile {
  const profile = capacityProfile(simulation, now, isStarting ? predictedEndOfOverdueJob(now) : now);
  for (const job of simulation.running) {
    let end = predictedEndOfRunningJob(simulation, job, job.estimate);
    if (end < now) end = predictedEndOfRunningJob(simulation, job, job.request);
    if (end < now || (end === now && isStarting)) end = predictedEndOfOverdueJob(now);
    for (const part of job.parts) changeFreeProcessorsFrom(profile[part.site]!, end, part.processors);
  }
  return profile;
}

function predictedEndOfRunningJob({ options }: Simulation, job: JobRecord, estimate: number): number {
  return endOfHolding(job.start, plannedLength({ ...job, estimate }, [job.parts[0]!.site], options));
}

/** Free processors over time, minus the reservations of waiting jobs. */
function profileOfAll(simulation: Simulation, instant: KeptReservationInstant): FreeProcessorsProfile {
  const profile = profileOfRunning(simulation, instant);
  for (const [job, reservation] of simulation.kept) enterIntoProfile(simulation, profile, job, reservation);
  return profile;
}

function enterIntoProfile(
  { options }: Simulation,
  profile: FreeProcessorsProfile,
  job: JobRecord,
  { site, start }: KeptReservation,
): void {
  changeFreeProcessorsFrom(profile[site]!, start, -job.processors);
  changeFreeProcessorsFrom(
    profile[site]!,
    endOfHolding(start, plannedLength(job, [site], options)),
    job.processors,
  );
}

/**
 * Time until which a job that starts at `start` holds its processors: at least a second if its
 * length vanishes in rounding.
 */
function endOfHolding(start: number, length: number): number {
  return start + length > start ? start + length : predictedEndOfOverdueJob(start);
}

function doesJobFitProfile(
  { options }: Simulation,
  profile: FreeProcessorsProfile,
  job: JobRecord,
  site: number,
  start: number,
): boolean {
  const end = endOfHolding(start, plannedLength(job, [site], options));
  return minFreeProcessors(profile[site]!, start, end) >= job.processors;
}

/**
 * Earliest start of a job: now, at a change, or at its former reservation; with backfill passes, at
 * the first pass at or after one of these. Among equal starts, the plan that ends first, then the
 * site with the lowest index.
 */
function findEarliestReservation(
  simulation: Simulation,
  profile: FreeProcessorsProfile,
  job: JobRecord,
  { now, nextPassFrom = (time) => time }: KeptReservationInstant,
  own?: KeptReservation,
): KeptReservation {
  const plans = candidateSites(simulation, job).map((site) => {
    const steps = profile[site]!;
    const changes = steps.filter((step, k) => k === 0 || step.free !== steps[k - 1]!.free);
    const times = changes.map((step) => nextPassFrom(Math.max(now, step.time)));
    if (own?.site === site) times.push(own.start);
    times.sort((one, other) => one - other);
    const start = times.find(
      (time) => time >= now && doesJobFitProfile(simulation, profile, job, site, time),
    )!;
    return { site, start, end: start + plannedLength(job, [site], simulation.options) };
  });
  const best = plans.reduce((one, other) => {
    const isReservationEarlier =
      other.start < one.start || (other.start === one.start && other.end < one.end);
    return isReservationEarlier ? other : one;
  });
  return { site: best.site, start: best.start, isMoved: false, isDeclined: false };
}
