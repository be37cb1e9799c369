import { makeEmptyProcessorUsage, type ProcessorUsage } from './agingKeys.js';
import type { ReferencePolicy } from './allocators.js';
import { applyCandidateRules, type DynamicChoiceState, makeDynamicChoiceState } from './dynamic.js';
import { sumExactly } from './exactSum.js';
import {
  makeGrid,
  type ReferenceGrid,
  releaseProcessors,
  takeFreeProcessors,
  takeGivenProcessors,
} from './grid.js';
import type { KeptReservation, ReservationChange } from './keptReservations.js';
import {
  listCapacityChanges,
  type OutageCapacityChange,
  recordProcessorsInOutage,
  settleOutagesOfSite,
} from './outages.js';
import type { PlannedAllocation } from './selection.js';
import { SplitMix64 } from './splitMix64.js';
import type {
  AllocatedPart,
  ReferenceDecisions,
  ReferenceJob,
  ReferenceOptions,
  ReferenceOutage,
  StoppedRun,
} from './types.js';
import { insertIntoQueue } from './waitingQueue.js';

/** A job and its state during the simulation. */
export interface JobRecord extends ReferenceJob {
  index: number;
  /** Requested time in seconds; `estimate` may be a shorter estimate. */
  request: number;
  start: number;
  execution: number;
  parts: AllocatedPart[];
  /** Grid-wide numbers of the processors held, for each part. */
  held: number[][];
  /** Assumed end, in a trial, of a job that was running before it. */
  believedEnd?: number | undefined;
  /** Number of preempted runs, and the seconds lost in them. */
  stops: number;
  lost: number;
  /** Time at which the job released its processors. */
  released?: number;
  /** Its end, if an outage ended it. */
  failed?: number;
  /** Runs that ended in a preemption. */
  earlier: { start: number; released: number; end: number }[];
  /** Index and home of the site in the grid, if it runs independently. */
  indexInGrid?: number;
  homeInGrid?: number;
  /** Start promised by the reservation at its submission. */
  promised?: number;
}

/** Reservation that a pass made for a job that it did not start. */
export interface Reservation extends PlannedAllocation {
  job: number;
  made: number;
}

/** State of a simulation. */
export interface Simulation {
  options: ReferenceOptions;
  grid: ReferenceGrid;
  policy: ReferencePolicy;
  /** All jobs, in submit order. */
  jobs: JobRecord[];
  /** Number of jobs submitted so far. */
  submitted: number;
  /** Jobs to be submitted at a known time: by time, then by index, the next one last. */
  coming: JobRecord[];
  /** Jobs that depend on another that has not ended. */
  held: JobRecord[];
  /** One queue for the grid, or one per home site; each in the discipline's order. */
  queues: JobRecord[][];
  running: JobRecord[];
  /** Jobs in the order of their ends. */
  finished: JobRecord[];
  /**
   * Jobs that joined an empty queue since the last allocation pass; only these are in situation
   * (a).
   */
  metEmptyQueue: Set<JobRecord>;
  stoppedRuns: StoppedRun[];
  /** Begins and ends of outages that have not happened; processors that outages want, by site. */
  capacityChanges: OutageCapacityChange[];
  wanted: number[];
  /** Outages that have begun and not ended. */
  outagesNow: Set<ReferenceOutage>;
  /** Numbers of processors that were gone from a time on, by site. */
  goneSteps: { site: number; time: number; gone: number }[];
  /** All reservations of all passes, in the order in which they were made. */
  reservations: Reservation[];
  /** Kept reservations of waiting jobs, and the number of moved ones. */
  kept: Map<JobRecord, KeptReservation>;
  movedReservations: number;
  /** Changes of kept reservations, in order. */
  changes: ReservationChange[];
  queueLengths: number[];
  decisions: ReferenceDecisions;
  /** State of the dynamic choice, and the generator of its assumed futures. */
  choosing: DynamicChoiceState;
  generator: SplitMix64;
  /** Use of processors, by all sites. */
  uses: ProcessorUsage;
}

/** State of a simulation before its first event. */
export function makeSimulation(
  jobs: ReferenceJob[],
  options: ReferenceOptions,
  uses: ProcessorUsage = makeEmptyProcessorUsage(),
): Simulation {
  const records = jobs.map((job, index) => {
    return {
      ...job,
      index,
      request: job.estimate,
      start: -1,
      execution: -1,
      parts: [],
      held: [],
      earlier: [],
      stops: 0,
      lost: 0,
    };
  });
  uses.jobs.push(...records);
  const choosing = makeDynamicChoiceState(options);
  const [first] = options.dynamic?.candidates ?? [];
  return {
    options: first === undefined ? options : applyCandidateRules(options, choosing.ofRun, first),
    grid: makeGrid(options.capacities, options.speeds),
    policy: {
      ...(options.dynamic?.candidates[0] ?? { name: options.policy, parameters: options.parameters }),
      generator: new SplitMix64(Number(options.parameters.seed ?? 1)),
    },
    jobs: records,
    submitted: 0,
    coming: records.filter((job) => !isSubmitTimeUnknown(job, options)).reverse(),
    held: records.filter((job) => isSubmitTimeUnknown(job, options)),
    queues: options.queue === 'per-home' ? options.capacities.map(() => []) : [[]],
    running: [],
    finished: [],
    metEmptyQueue: new Set(),
    stoppedRuns: [],
    capacityChanges: listCapacityChanges(options.outages),
    wanted: options.capacities.map(() => 0),
    outagesNow: new Set(),
    goneSteps: [],
    reservations: [],
    kept: new Map(),
    movedReservations: 0,
    changes: [],
    queueLengths: [],
    decisions: { agreed: 0, bestFit: 0, fastestFirst: 0 },
    choosing,
    generator: new SplitMix64(options.dynamic?.seed ?? 1),
    uses,
  };
}

/** True if the submit time of the job is not known yet. */
function isSubmitTimeUnknown(job: JobRecord, { dependencies }: ReferenceOptions): boolean {
  return dependencies === true && job.preceding !== undefined;
}

/** End of a running job. */
export function endOfRunningJob(job: JobRecord): number {
  return job.believedEnd ?? job.start + job.execution;
}

/** Time at which the processors of a running job become free, when its end is handled. */
export function releaseTimeOfJob({ options }: Simulation, job: JobRecord): number {
  return endOfRunningJob(job) + (options.releaseDelay ?? 0);
}

/** The running job that ends first; among equal ends the one with the lowest index. */
export function findNextJobToFinish(simulation: Simulation): JobRecord | undefined {
  let nextJob: JobRecord | undefined;
  for (const job of simulation.running) {
    const isSooner = nextJob === undefined || endOfRunningJob(job) < endOfRunningJob(nextJob);
    const isEarlierJob =
      nextJob !== undefined && endOfRunningJob(job) === endOfRunningJob(nextJob) && job.index < nextJob.index;
    if (isSooner || isEarlierJob) nextJob = job;
  }
  return nextJob;
}

/** Handles a submission: counts the waiting jobs, then adds the new one. */
export function submitNextJob(simulation: Simulation): void {
  const job = simulation.coming.pop()!;
  simulation.submitted += 1;
  countWaitingJobs(simulation);
  estimateByRecentJobs(simulation, job);
  const queue = queueOfJob(simulation, job);
  if (queue.length === 0) simulation.metEmptyQueue.add(job);
  insertIntoQueue(queue, job, simulation.options);
}

/** Handles an end: counts the waiting jobs, then frees the job's processors. */
export function finishJob(simulation: Simulation, job: JobRecord): void {
  countWaitingJobs(simulation);
  const end = releaseTimeOfJob(simulation, job);
  job.released = end;
  releaseProcessorsOfJob(simulation, job);
  for (const { site } of job.parts) settleOutagesOfSite(simulation, site);
  recordProcessorsInOutage(simulation, end);
  recordJobEnd(simulation, job, end);
}

/** Ends a running job as failed, at an outage. */
export function failJob(simulation: Simulation, job: JobRecord, now: number): void {
  countWaitingJobs(simulation);
  job.released = now;
  job.failed = Math.min(now, endOfRunningJob(job));
  releaseProcessorsOfJob(simulation, job);
  job.execution = now - job.start;
  recordJobEnd(simulation, job, now);
}

/** Time at which a job is cancelled; infinity if never. */
export function cancellationTimeOfJob(job: JobRecord): number {
  return job.submit + (job.patience ?? Number.POSITIVE_INFINITY);
}

/** The waiting job that is cancelled first; among equal times the one with the lowest index. */
export function findNextJobToCancel({ queues }: Simulation): JobRecord | undefined {
  const leaving = queues.flat().filter((job) => job.patience !== undefined);
  leaving.sort(
    (one, other) => cancellationTimeOfJob(one) - cancellationTimeOfJob(other) || one.index - other.index,
  );
  return leaving[0];
}

/** Handles the cancellation of a waiting job, which leaves its queue without having run. */
export function cancelWaitingJob(simulation: Simulation, job: JobRecord): void {
  countWaitingJobs(simulation);
  const queue = queueOfJob(simulation, job);
  queue.splice(queue.indexOf(job), 1);
  simulation.metEmptyQueue.delete(job);
  job.start = cancellationTimeOfJob(job);
  job.execution = 0;
  job.parts = [];
  job.held = [];
  recordJobEnd(simulation, job, job.start);
}

/** Records that a job is over at a time, and lets the jobs that depend on it be submitted. */
function recordJobEnd(simulation: Simulation, job: JobRecord, end: number): void {
  simulation.finished.push(job);
  const areAllPiecesOver = (first: number) =>
    simulation.jobs.every(
      (other) => (other.pieceOf ?? other.index) !== first || simulation.finished.includes(other),
    );
  const releasedJobs = simulation.held.filter(
    ({ preceding }) => preceding === (job.pieceOf ?? job.index) && areAllPiecesOver(preceding),
  );
  if (releasedJobs.length === 0) return;
  simulation.held = simulation.held.filter((other) => !releasedJobs.includes(other));
  for (const dependent of releasedJobs) {
    dependent.submit = Math.max(dependent.submit, end + Math.max(0, dependent.thinkTime ?? 0));
    simulation.coming.push(dependent);
  }
  simulation.coming.sort((one, other) => other.submit - one.submit || other.index - one.index);
}

/**
 * Estimates a job by the mean runtime of its user's last n ended jobs, if there are that many and
 * its request is not shorter.
 */
function estimateByRecentJobs(simulation: Simulation, job: JobRecord): void {
  const { recent: n } = simulation.options;
  if (n === undefined) return;
  const earlier = simulation.finished
    .filter(({ user, patience }) => patience === undefined && user !== undefined && user === job.user)
    .slice(-n);
  if (earlier.length < n) return;
  const mean = sumExactly(earlier.map(({ runtime }) => runtime)) / n;
  job.estimate = Math.min(job.request, mean);
  Object.assign(job, job.keysBy?.(job.estimate));
}

/** Recomputes the estimates and keys of all waiting jobs at the beginning of a pass. */
export function refreshEstimates(simulation: Simulation): void {
  if (!simulation.options.refresh) return;
  for (const job of simulation.queues.flat()) estimateByRecentJobs(simulation, job);
}

/**
 * Starts a job now on the sites of its parts, and on specific processors if they are given (then
 * there is one part). The caller removes it from its queue.
 */
export function startJob(
  simulation: Simulation,
  job: JobRecord,
  now: number,
  parts: AllocatedPart[],
  execution: number,
  processors?: number[],
): void {
  job.start = now;
  job.execution = Math.min(execution, cancellationTimeOfJob(job) - now);
  job.parts = parts;
  job.held = parts.map((part) => {
    const site = simulation.grid[part.site]!;
    return processors === undefined
      ? takeFreeProcessors(site, part.processors)
      : takeGivenProcessors(site, processors);
  });
  simulation.running.push(job);
}

/** Preempts a job, which loses all of its work and returns to its place in the queue. */
export function preemptJob(simulation: Simulation, job: JobRecord, now: number): void {
  releaseProcessorsOfJob(simulation, job);
  const { index, start, parts, held } = job;
  simulation.stoppedRuns.push({ job: index, site: parts[0]!.site, start, end: now, processors: held.flat() });
  job.stops += 1;
  job.earlier.push({ start, released: now, end: Math.min(now, endOfRunningJob(job)) });
  job.lost += now - job.start;
  job.start = -1;
  if (simulation.options.refresh) estimateByRecentJobs(simulation, job);
  insertIntoQueue(queueOfJob(simulation, job), job, simulation.options);
}

function queueOfJob(simulation: Simulation, job: JobRecord): JobRecord[] {
  return simulation.options.queue === 'per-home' ? simulation.queues[job.home]! : simulation.queues[0]!;
}

function countWaitingJobs(simulation: Simulation): void {
  let waitingJobCount = 0;
  for (const queue of simulation.queues) waitingJobCount += queue.length;
  simulation.queueLengths.push(waitingJobCount);
}

function releaseProcessorsOfJob(simulation: Simulation, job: JobRecord): void {
  simulation.running.splice(simulation.running.indexOf(job), 1);
  job.parts.forEach((part, k) => {
    releaseProcessors(simulation.grid[part.site]!, job.held[k]!);
  });
}
