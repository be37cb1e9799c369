import { computeKeys } from './agingKeys.js';
import { type Answer, allocate } from './allocators.js';
import { plannedExecution, plannedLength } from './lengths.js';
import { exceedsLimit } from './limits.js';
import { requeued } from './outages.js';
import { askPolicy } from './ownPolicy.js';
import { capacityProfile, change, endOfOverdue, leastFree, type Profile } from './profile.js';
import { questionAbout } from './question.js';
import { candidateSites } from './safePlanner.js';
import { type JobRecord, nextToFinish, type Simulation, startJob } from './simulation.js';
import { ages, sortByOrder } from './waitingQueue.js';

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
interface Instant {
  now: number;
  isStarting: boolean;
}

interface SimulationEvent {
  time: number;
  submitted?: JobRecord | undefined;
  left?: JobRecord | undefined;
  capacity?: object | undefined;
  happen: () => void;
}

/**
 * New reservation of a job from a time on, and the job whose end, start elsewhere, or cancellation
 * caused it.
 */
export interface Change extends KeptReservation {
  job: JobRecord;
  time: number;
  by?: { end: JobRecord } | { start: JobRecord } | { cancellation: JobRecord } | undefined;
}

/**
 * Conservative backfilling with kept reservations (Mu'alem and Feitelson 2001): submissions, then
 * cancellations and ends one by one, then starts.
 */
export function handleKeptInstant(simulation: Simulation, now: number, next: () => SimulationEvent): void {
  const instant = { now, isStarting: false };
  computeKeys(simulation, now);
  arrange(simulation, instant);
  for (;;) {
    const event = next();
    if (event.time === now) {
      const ending = nextToFinish(simulation);
      const running = [...simulation.running];
      event.happen();
      if (event.capacity !== undefined) {
        computeKeys(simulation, now);
        arrange(simulation, instant);
        reserveAgain(simulation, instant, requeued(running, simulation));
        compress(simulation, instant, undefined);
        reserveWithinLimits(simulation, instant, undefined);
      } else if (event.submitted !== undefined) {
        event.submitted.promised = reserve(simulation, event.submitted, instant).start;
      } else {
        computeKeys(simulation, now);
        const by = event.left === undefined ? { end: ending! } : { cancellation: event.left };
        if (event.left !== undefined) simulation.kept.delete(event.left);
        arrange(simulation, instant, by);
        compress(simulation, instant, by);
        reserveWithinLimits(simulation, instant, by);
      }
      continue;
    }
    if (!instant.isStarting) {
      instant.isStarting = true;
      computeKeys(simulation, now);
      arrange(simulation, instant);
    }
    const job = inOrder(simulation, now).find((waiting) => {
      const { start, isDeclined } = simulation.kept.get(waiting)!;
      return start === now && !isDeclined;
    });
    if (job === undefined) break;
    if (exceedsLimit(simulation, job)) {
      simulation.kept.delete(job);
      continue;
    }
    startOrMove(simulation, job, instant);
  }
  simulation.metEmptyQueue.clear();
}

/** Start of the next reservation that causes an instant of its own; infinity if there is none. */
export function nextReservedStart({ kept }: Simulation): number {
  return Math.min(
    ...[...kept.values()].filter(({ isMoved }) => !isMoved).map(({ start }) => start),
    Infinity,
  );
}

/** Waiting jobs with a reservation, in the order of the queue. */
function inOrder(simulation: Simulation, now: number): JobRecord[] {
  const { queues, options } = simulation;
  const [queue] = queues;
  if (ages(options.order)) sortByOrder(queue!, options.order, now, options);
  return queue!.filter((job) => simulation.kept.has(job));
}

/** Gives jobs without a reservation, which a limit held back, a new one if they are within their limits again. */
function reserveWithinLimits(simulation: Simulation, instant: Instant, by: Change['by']): void {
  const { queues, options, kept } = simulation;
  if (ages(options.order)) sortByOrder(queues[0]!, options.order, instant.now, options);
  for (const job of queues[0]!)
    if (!kept.has(job) && !exceedsLimit(simulation, job)) reserve(simulation, job, instant, by);
}

/** Gives jobs that a capacity change has preempted new reservations, in the order of the queue. */
function reserveAgain(simulation: Simulation, instant: Instant, preempted: JobRecord[]): void {
  const { queues, options } = simulation;
  if (ages(options.order)) sortByOrder(queues[0]!, options.order, instant.now, options);
  for (const job of [...queues[0]!]) if (preempted.includes(job)) reserve(simulation, job, instant);
}

/**
 * Rebuilds the profile of free processors, which changes nothing unless a job is overdue or a
 * reservation moved: running jobs, then reservations in order of start (those without room become
 * moved), then moved ones as early as possible.
 */
function arrange(simulation: Simulation, instant: Instant, by?: Change['by']): void {
  const { kept } = simulation;
  const waiting = inOrder(simulation, instant.now);
  const profile = profileOfRunning(simulation, instant);
  const jobsInPlace = waiting.filter((job) => !kept.get(job)!.isMoved);
  jobsInPlace.sort((one, other) => kept.get(one)!.start - kept.get(other)!.start);
  for (const job of jobsInPlace) {
    const reservation = kept.get(job)!;
    if (fits(simulation, profile, job, reservation.site, reservation.start)) {
      enter(simulation, profile, job, reservation);
    } else {
      kept.set(job, { ...reservation, isMoved: true });
      simulation.movedReservations += 1;
    }
  }
  for (const job of waiting.filter((each) => kept.get(each)!.isMoved)) {
    const reservation = { ...earliest(simulation, profile, job, instant.now), isMoved: true };
    keep(simulation, instant, job, reservation, by);
    enter(simulation, profile, job, reservation);
  }
}

/** Stores a reservation of a job and records the change if it differs. */
function keep(
  { kept, changes }: Simulation,
  { now }: Instant,
  job: JobRecord,
  reservation: KeptReservation,
  by?: Change['by'],
): void {
  kept.set(job, reservation);
  const before = changes.findLast((change) => change.job === job);
  const { site, start, isMoved } = reservation;
  if (before?.site === site && before.start === start && before.isMoved === isMoved) return;
  changes.push({ ...reservation, job, time: now, by });
}

/** Gives a job the earliest start beside running jobs and reservations. */
function reserve(
  simulation: Simulation,
  job: JobRecord,
  instant: Instant,
  by?: Change['by'],
): KeptReservation {
  const own = simulation.kept.get(job);
  simulation.kept.delete(job);
  const profile = profileOfAll(simulation, instant);
  const reservation = earliest(simulation, profile, job, instant.now, own);
  keep(simulation, instant, job, reservation, by);
  return reservation;
}

/**
 * Replaces the reservation of every job that does not start now by the earliest possible one, job
 * by job.
 */
function compress(simulation: Simulation, instant: Instant, by: Change['by']): void {
  for (const job of inOrder(simulation, instant.now)) {
    if (simulation.kept.get(job)!.start > instant.now) reserve(simulation, job, instant, by);
  }
}

/**
 * Starts a job at its reserved site, or, with a policy, at the site that the policy chooses; the
 * policy may let it wait.
 */
function startOrMove(simulation: Simulation, job: JobRecord, instant: Instant): void {
  const { options, grid, kept, decisions, policy } = simulation;
  const { now } = instant;
  const [queue] = simulation.queues;
  const reservation = kept.get(job)!;
  let { site } = reservation;
  if (options.choose !== undefined || (options.withPolicy && grid.length > 1)) {
    kept.delete(job);
    const profile = profileOfAll(simulation, instant);
    const safe = candidateSites(simulation, job).filter((each) => fits(simulation, profile, job, each, now));
    kept.set(job, reservation);
    const question = { ...questionAbout(simulation, queue!, job), safe };
    const own = options.choose && askPolicy(simulation, question, job, queue!, now);
    if (own === 'wait') {
      if (!reservation.isMoved) simulation.movedReservations += 1;
      keep(simulation, instant, job, { ...reservation, isMoved: true, isDeclined: true });
      return;
    }
    const answer: Answer = typeof own === 'object' ? { site: own } : allocate(question, policy)!;
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
  if (site !== reservation.site) compress(simulation, instant, { start: job });
}

/** Free processors over time: now, and as running jobs release them. */
function profileOfRunning(simulation: Simulation, { now, isStarting }: Instant): Profile {
  const profile = capacityProfile(simulation, now, isStarting ? endOfOverdue(now) : now);
  for (const job of simulation.running) {
    let end = predictedEnd(simulation, job, job.estimate);
    if (end < now) end = predictedEnd(simulation, job, job.request);
    if (end < now || (end === now && isStarting)) end = endOfOverdue(now);
    for (const part of job.parts) change(profile[part.site]!, end, part.processors);
  }
  return profile;
}

function predictedEnd({ options }: Simulation, job: JobRecord, estimate: number): number {
  return endOf(job.start, plannedLength({ ...job, estimate }, [job.parts[0]!.site], options));
}

/** Free processors over time, minus the reservations of waiting jobs. */
function profileOfAll(simulation: Simulation, instant: Instant): Profile {
  const profile = profileOfRunning(simulation, instant);
  for (const [job, reservation] of simulation.kept) enter(simulation, profile, job, reservation);
  return profile;
}

function enter(
  { options }: Simulation,
  profile: Profile,
  job: JobRecord,
  { site, start }: KeptReservation,
): void {
  change(profile[site]!, start, -job.processors);
  change(profile[site]!, endOf(start, plannedLength(job, [site], options)), job.processors);
}

/**
 * Time until which a job that starts at `start` holds its processors: at least a second if its
 * length vanishes in rounding.
 */
function endOf(start: number, length: number): number {
  return start + length > start ? start + length : endOfOverdue(start);
}

function fits(
  { options }: Simulation,
  profile: Profile,
  job: JobRecord,
  site: number,
  start: number,
): boolean {
  const end = endOf(start, plannedLength(job, [site], options));
  return leastFree(profile[site]!, start, end) >= job.processors;
}

/**
 * Earliest start of a job: now, at a change, or at its former reservation. Among equal starts, the
 * plan that ends first, then the site with the lowest index.
 */
function earliest(
  simulation: Simulation,
  profile: Profile,
  job: JobRecord,
  now: number,
  own?: KeptReservation,
): KeptReservation {
  const plans = candidateSites(simulation, job).map((site) => {
    const steps = profile[site]!;
    const changes = steps.filter((step, k) => k === 0 || step.free !== steps[k - 1]!.free);
    const times = changes.map((step) => step.time);
    if (own?.site === site) times.push(own.start);
    times.sort((one, other) => one - other);
    const start = times.find((time) => time >= now && fits(simulation, profile, job, site, time))!;
    return { site, start, end: start + plannedLength(job, [site], simulation.options) };
  });
  const best = plans.reduce((one, other) => {
    const isBetter = other.start < one.start || (other.start === one.start && other.end < one.end);
    return isBetter ? other : one;
  });
  return { site: best.site, start: best.start, isMoved: false, isDeclined: false };
}
