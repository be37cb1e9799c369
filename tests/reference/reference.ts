import { allocate, type Policy } from './allocators.js';
import { countFree, type Grid, giveBack, makeGrid, refuseTooWide, take } from './grid.js';
import { measure } from './measures.js';
import { SplitMix64 } from './splitmix64.js';
import type { ReferenceDecisions, ReferenceJob, ReferenceOptions, ReferenceResult } from './types.js';

export type {
  ReferenceDecisions,
  ReferenceJob,
  ReferenceMetrics,
  ReferenceOptions,
  ReferenceResult,
} from './types.js';

/** A job and what has become of it so far. */
interface JobRecord extends ReferenceJob {
  index: number;
  start: number;
  execution: number;
  site: number;
  held: number[];
}

/** Everything that changes during a run. */
interface Simulation {
  options: ReferenceOptions;
  grid: Grid;
  policy: Policy;
  /** Not yet submitted, in the order they will be. */
  future: JobRecord[];
  /** In submit order. */
  waitingQueue: JobRecord[];
  running: JobRecord[];
  /** The job that joined an empty queue since the last allocation pass: situation (a) is its alone. */
  metEmptyQueue: JobRecord | undefined;
  queueLengths: number[];
  decisions: ReferenceDecisions;
}

/**
 * Simulates the jobs (sorted by submit time) on the grid: one shared queue, first come first served. Written
 * to be read and checked by eye; the core is compared with it bit for bit. Throws an Error for a job that is
 * wider than every site it may use and for an unknown policy.
 */
export function simulateReference(jobs: ReferenceJob[], options: ReferenceOptions): ReferenceResult {
  const grid = makeGrid(options.capacities, options.speeds);
  refuseTooWide(jobs, grid, options);
  const records = jobs.map((job, index) => ({ ...job, index, start: -1, execution: -1, site: -1, held: [] }));
  const simulation: Simulation = {
    options,
    grid,
    policy: {
      name: options.policy,
      parameters: options.parameters,
      generator: new SplitMix64(Number(options.parameters.seed ?? 1)),
    },
    future: [...records],
    waitingQueue: [],
    running: [],
    metEmptyQueue: undefined,
    queueLengths: [],
    decisions: { agreed: 0, bestFit: 0, fastestFirst: 0 },
  };

  while (simulation.future.length > 0 || simulation.running.length > 0) {
    if (options.instant === 'per-event') handleNextEvent(simulation);
    else handleNextInstant(simulation);
  }

  const start = records.map((job) => job.start);
  const execution = records.map((job) => job.execution);
  const site = records.map((job) => job.site);
  const { queueLengths, decisions } = simulation;
  return {
    start,
    execution,
    site,
    processors: records.map((job) => job.held),
    metrics: measure({ jobs, grid, start, execution, site, queueLengths, decisions }),
  };
}

/** One event, then one allocation pass. At equal times a submit comes before a finish. */
function handleNextEvent(simulation: Simulation): void {
  const submitting = simulation.future[0];
  const finishing = nextToFinish(simulation);
  if (submitting !== undefined && (finishing === undefined || submitting.submit <= endOf(finishing))) {
    submit(simulation);
    allocationPass(simulation, submitting.submit);
  } else {
    finish(simulation, finishing!);
    allocationPass(simulation, endOf(finishing!));
  }
}

/** One instant: all finishes, then all submits, then one allocation pass. Jobs of length 0 that this pass
 *  starts end at this same time, in a further round. */
function handleNextInstant(simulation: Simulation): void {
  const now = Math.min(
    simulation.future[0]?.submit ?? Number.POSITIVE_INFINITY,
    ...simulation.running.map((job) => endOf(job)),
  );
  for (let job = nextToFinish(simulation); job && endOf(job) === now; job = nextToFinish(simulation)) {
    finish(simulation, job);
  }
  while (simulation.future[0]?.submit === now) submit(simulation);
  allocationPass(simulation, now);
}

function endOf(job: JobRecord): number {
  return job.start + job.execution;
}

/** The running job that ends first; of those that end together the one with the lowest index. */
function nextToFinish(simulation: Simulation): JobRecord | undefined {
  let next: JobRecord | undefined;
  for (const job of simulation.running) {
    const isSooner = next === undefined || endOf(job) < endOf(next);
    const isEarlierJob = next !== undefined && endOf(job) === endOf(next) && job.index < next.index;
    if (isSooner || isEarlierJob) next = job;
  }
  return next;
}

/** The event of a submit: the queue is counted first, without the new job, which then joins its end. */
function submit(simulation: Simulation): void {
  const job = simulation.future.shift()!;
  simulation.queueLengths.push(simulation.waitingQueue.length);
  if (simulation.waitingQueue.length === 0) simulation.metEmptyQueue = job;
  simulation.waitingQueue.push(job);
}

/** The event of a finish: the queue is counted first, then the job's processors become free. */
function finish(simulation: Simulation, job: JobRecord): void {
  simulation.queueLengths.push(simulation.waitingQueue.length);
  simulation.running = simulation.running.filter((other) => other !== job);
  giveBack(simulation.grid[job.site]!, job.held);
}

/** First come first served: the head of the queue, then the next, until one finds no site. After a submit
 *  that found a job waiting this starts nothing, since no processor has become free since that job failed. */
function allocationPass(simulation: Simulation, now: number): void {
  while (simulation.waitingQueue.length > 0) {
    const head = simulation.waitingQueue[0]!;
    if (!tryToStart(simulation, head, now)) break;
    simulation.waitingQueue.shift();
  }
  simulation.metEmptyQueue = undefined;
}

/** Asks the policy where the job goes and starts it there; false when it can go nowhere now. */
function tryToStart(simulation: Simulation, job: JobRecord, now: number): boolean {
  const answer = allocate(
    {
      job,
      waitingQueue: simulation.waitingQueue,
      sites: simulation.grid.map((site) => ({
        index: site.index,
        speed: site.speed,
        freeProcessors: countFree(site),
      })),
      metEmptyQueue: simulation.metEmptyQueue === job,
      minSpeedRatio: simulation.options.minSpeedRatio,
    },
    simulation.policy,
  );
  if (answer === undefined) return false;
  if (answer.comparison !== undefined) simulation.decisions[answer.comparison] += 1;
  job.start = now;
  job.site = answer.site.index;
  job.execution = executionTime(job, answer.site.speed, simulation.options);
  job.held = take(simulation.grid[job.site]!, job.processors);
  simulation.running.push(job);
  return true;
}

/** Seconds the job runs at a site of this speed: the runtime is for speed 1, its home's load multiplies it,
 *  the speed divides it, and the run's time resolution has the last word. */
function executionTime(job: ReferenceJob, speed: number, options: ReferenceOptions): number {
  const seconds = (job.runtime * options.load[job.home]!) / speed;
  switch (options.resolution) {
    case 'exact':
      return seconds;
    case 'nearest':
      return Math.floor(seconds + 0.5);
    case 'floor':
      return Math.floor(seconds);
  }
}
