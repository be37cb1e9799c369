import type { Policy } from './allocators.js';
import { type Choosing, makeChoosing, withRules } from './dynamic.js';
import { exactSum } from './exactSum.js';
import { type Grid, giveBack, makeGrid, take, takeThese } from './grid.js';
import type { Change, KeptReservation } from './keptReservations.js';
import type { Plan } from './selection.js';
import { SplitMix64 } from './splitMix64.js';
import type { Part, ReferenceDecisions, ReferenceJob, ReferenceOptions, StoppedRun } from './types.js';
import { enqueue } from './waitingQueue.js';

/** A job and what has become of it so far. */
export interface JobRecord extends ReferenceJob {
  index: number;
  /** Requested time; `estimate` is the estimated one, which may be less. */
  request: number;
  start: number;
  execution: number;
  parts: Part[];
  /** Grid-wide numbers of the processors, for each part. */
  held: number[][];
  /** In a trial: end of a job that ran before it. */
  believedEnd?: number | undefined;
  /** Runs that were stopped, and the seconds they had taken. */
  stops: number;
  lost: number;
  /** Start promised by the reservation at its submission. */
  promised?: number;
}

/** Reservation that a pass made for a job that it did not start. */
export interface Reservation extends Plan {
  job: number;
  made: number;
}

/** Everything that changes during a run. */
export interface Simulation {
  options: ReferenceOptions;
  grid: Grid;
  policy: Policy;
  /** All jobs, in submit order. */
  jobs: JobRecord[];
  /** Number of jobs submitted so far. */
  submitted: number;
  /** Jobs to be submitted at a known time: by time, then by index, the next one last. */
  coming: JobRecord[];
  /** Jobs that are submitted after another that has not ended. */
  held: JobRecord[];
  /** One for the grid, or one per home site; each in the discipline's order. */
  queues: JobRecord[][];
  running: JobRecord[];
  /** Jobs in the order of their ends. */
  finished: JobRecord[];
  /** Jobs that joined an empty queue since the last allocation pass: situation (a) is theirs alone. */
  metEmptyQueue: Set<JobRecord>;
  stoppedRuns: StoppedRun[];
  /** All reservations of all passes, in the order in which they were made. */
  reservations: Reservation[];
  /** Reservations of waiting jobs, if reservations are kept, and the number lost. */
  kept: Map<JobRecord, KeptReservation>;
  movedReservations: number;
  /** Changes that led to the reservations. */
  changes: Change[];
  queueLengths: number[];
  decisions: ReferenceDecisions;
  /** Among candidates, which is in force; and what futures are drawn with. */
  choosing: Choosing;
  generator: SplitMix64;
}

/** A run before its first event. */
export function makeSimulation(jobs: ReferenceJob[], options: ReferenceOptions): Simulation {
  const records = jobs.map((job, index) => {
    return {
      ...job,
      index,
      request: job.estimate,
      start: -1,
      execution: -1,
      parts: [],
      held: [],
      stops: 0,
      lost: 0,
    };
  });
  const choosing = makeChoosing(options);
  const [first] = options.dynamic?.candidates ?? [];
  return {
    options: first === undefined ? options : withRules(options, choosing.ofRun, first),
    grid: makeGrid(options.capacities, options.speeds),
    policy: {
      ...(options.dynamic?.candidates[0] ?? { name: options.policy, parameters: options.parameters }),
      generator: new SplitMix64(Number(options.parameters.seed ?? 1)),
    },
    jobs: records,
    submitted: 0,
    coming: records.filter((job) => !isHeld(job, options)).reverse(),
    held: records.filter((job) => isHeld(job, options)),
    queues: options.queue === 'per-home' ? options.capacities.map(() => []) : [[]],
    running: [],
    finished: [],
    metEmptyQueue: new Set(),
    stoppedRuns: [],
    reservations: [],
    kept: new Map(),
    movedReservations: 0,
    changes: [],
    queueLengths: [],
    decisions: { agreed: 0, bestFit: 0, fastestFirst: 0 },
    choosing,
    generator: new SplitMix64(options.dynamic?.seed ?? 1),
  };
}

/** True if nothing is known yet of when the job is submitted. */
function isHeld(job: JobRecord, { dependencies }: ReferenceOptions): boolean {
  return dependencies === true && job.preceding !== undefined;
}

/** End of a running job. */
export function endOf(job: JobRecord): number {
  return job.believedEnd ?? job.start + job.execution;
}

/** When the processors of a running job become free: the event of its finish. */
export function releaseOf({ options }: Simulation, job: JobRecord): number {
  return endOf(job) + (options.releaseDelay ?? 0);
}

/** The running job that ends first; of those that end together the one with the lowest index. */
export function nextToFinish(simulation: Simulation): JobRecord | undefined {
  let next: JobRecord | undefined;
  for (const job of simulation.running) {
    const isSooner = next === undefined || endOf(job) < endOf(next);
    const isEarlierJob = next !== undefined && endOf(job) === endOf(next) && job.index < next.index;
    if (isSooner || isEarlierJob) next = job;
  }
  return next;
}

/** The event of a submit: the waiting jobs are counted first, without the new job, which then joins. */
export function submit(simulation: Simulation): void {
  const job = simulation.coming.pop()!;
  simulation.submitted += 1;
  countWaiting(simulation);
  estimateByRecent(simulation, job);
  const queue = queueOf(simulation, job);
  if (queue.length === 0) simulation.metEmptyQueue.add(job);
  enqueue(queue, job, simulation.options);
}

/** The event of a finish: the waiting jobs are counted first, then the job's processors become free. */
export function finish(simulation: Simulation, job: JobRecord): void {
  countWaiting(simulation);
  const end = releaseOf(simulation, job);
  release(simulation, job);
  simulation.finished.push(job);
  const isOver = (first: number) =>
    simulation.jobs.every(
      (other) => (other.pieceOf ?? other.index) !== first || simulation.finished.includes(other),
    );
  const released = simulation.held.filter(
    ({ preceding }) => preceding === (job.pieceOf ?? job.index) && isOver(preceding),
  );
  if (released.length === 0) return;
  simulation.held = simulation.held.filter((other) => !released.includes(other));
  for (const dependent of released) {
    dependent.submit = Math.max(dependent.submit, end + Math.max(0, dependent.thinkTime ?? 0));
    simulation.coming.push(dependent);
  }
  simulation.coming.sort((one, other) => other.submit - one.submit || other.index - one.index);
}

/** The mean of what the last n jobs of its user took that have ended, if there are this many and it asks for no less. */
function estimateByRecent(simulation: Simulation, job: JobRecord): void {
  const { recent: n } = simulation.options;
  if (n === undefined) return;
  const earlier = simulation.finished.filter(({ user }) => user !== undefined && user === job.user).slice(-n);
  if (earlier.length < n) return;
  const mean = exactSum(earlier.map(({ runtime }) => runtime)) / n;
  job.estimate = Math.min(job.request, mean);
  Object.assign(job, job.keysBy?.(job.estimate));
}

/** At the beginning of a pass, the estimates and keys of all waiting jobs are computed again. */
export function refreshEstimates(simulation: Simulation): void {
  if (!simulation.options.refresh) return;
  for (const job of simulation.queues.flat()) estimateByRecent(simulation, job);
}

/** The job starts now where the parts say, on particular processors if they are given: then there is one part. It is the caller's to take it from its queue. */
export function startJob(
  simulation: Simulation,
  job: JobRecord,
  now: number,
  parts: Part[],
  execution: number,
  processors?: number[],
): void {
  job.start = now;
  job.execution = execution;
  job.parts = parts;
  job.held = parts.map((part) => {
    const site = simulation.grid[part.site]!;
    return processors === undefined ? take(site, part.processors) : takeThese(site, processors);
  });
  simulation.running.push(job);
}

/** The job loses all it has done and goes back to its queue, into its old place. */
export function stopJob(simulation: Simulation, job: JobRecord, now: number): void {
  release(simulation, job);
  const { index, start, parts, held } = job;
  simulation.stoppedRuns.push({ job: index, site: parts[0]!.site, start, end: now, processors: held.flat() });
  job.stops += 1;
  job.lost += now - job.start;
  if (simulation.options.refresh) estimateByRecent(simulation, job);
  enqueue(queueOf(simulation, job), job, simulation.options);
}

function queueOf(simulation: Simulation, job: JobRecord): JobRecord[] {
  return simulation.options.queue === 'per-home' ? simulation.queues[job.home]! : simulation.queues[0]!;
}

function countWaiting(simulation: Simulation): void {
  let waiting = 0;
  for (const queue of simulation.queues) waiting += queue.length;
  simulation.queueLengths.push(waiting);
}

function release(simulation: Simulation, job: JobRecord): void {
  simulation.running.splice(simulation.running.indexOf(job), 1);
  job.parts.forEach((part, k) => {
    giveBack(simulation.grid[part.site]!, job.held[k]!);
  });
}
