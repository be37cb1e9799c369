import { computeAgingKeys } from './agingKeys.js';
import { type AllocationAnswer, chooseSiteForJob } from './allocators.js';
import { executionTime, moldedExecutionTime, splitExecutionTime } from './execution.js';
import { countFree } from './grid.js';
import { exceedsLimit } from './limits.js';
import { allocateMoldableHead } from './moldable.js';
import { splitJobOverSites } from './multiSite.js';
import { planQueueByNodes } from './nodePlan.js';
import { askCustomPolicy } from './ownPolicy.js';
import { planQueue } from './planner.js';
import { makeAllocationQuestion } from './question.js';
import { type JobRecord, preemptJob, refreshEstimates, type Simulation, startJob } from './simulation.js';
import { doJobKeysChange, sortJobsByOrder } from './waitingQueue.js';

/**
 * Starts the jobs that can start now. If the head of a queue blocks, this is one sweep over the
 * queues, each served until its head cannot start. With a shared queue in submit order, a
 * submission that finds a waiting job starts nothing, since no processor has become free since that
 * job failed.
 */
export function makeAllocationPass(simulation: Simulation, now: number): void {
  const { planBy } = simulation.options;
  refreshEstimates(simulation);
  computeAgingKeys(simulation, now);
  for (const queue of simulation.queues) {
    sortQueueIfOrderChanged(simulation, queue, now);
    switch (simulation.options.discipline) {
      case 'first-available':
        startEveryFittingJob(simulation, queue, now);
        break;
      case 'easy':
      case 'conservative':
        if (planBy === 'node') planQueueByNodes(simulation, queue, now);
        else planQueue(simulation, queue, now);
        break;
      default:
        startJobsFromHead(simulation, queue, now);
    }
  }
  simulation.metEmptyQueue.clear();
}

/** Sorts a queue at the beginning of a pass if its order may have changed since the submissions. */
export function sortQueueIfOrderChanged({ options }: Simulation, queue: JobRecord[], now: number): void {
  const { discipline, backfillOrder, dynamic } = options;
  // Disciplines that are orders (such as njf) define the order themselves.
  const order = /^[nwsl]jf$/.test(discipline ?? '') ? undefined : options.order;
  const changes = doJobKeysChange(options) || dynamic?.candidates.some(({ rules }) => rules !== undefined);
  if (changes || backfillOrder !== undefined) sortJobsByOrder(queue, order, now, options);
}

/**
 * Starts jobs after a submission. A moldable job that enters in front of others is tried alone, and
 * only as head: the jobs behind it, which chose to wait, are tried again when a job ends. With
 * changing keys, or if jobs are planned, every event tries all jobs.
 */
export function makePassAfterSubmit(simulation: Simulation, job: JobRecord, now: number): void {
  const [queue] = simulation.queues;
  const { moldable, choose, reclaim, discipline, limits } = simulation.options;
  const isPlanned = discipline === 'easy' || discipline === 'conservative';
  if (moldable !== undefined) {
    if (queue[0] === job && tryToStartMoldableHead(simulation, queue, now)) queue.shift();
  } else if (
    choose !== undefined &&
    !reclaim &&
    !doJobKeysChange(simulation.options) &&
    !isPlanned &&
    !limits
  ) {
    trySubmittedJobAlone(simulation, job, now);
  } else {
    makeAllocationPass(simulation, now);
  }
}

/**
 * Tries only the submitted job, and, if the head blocks, only if it is the head: a custom policy is
 * not asked again about jobs that it let wait.
 */
function trySubmittedJobAlone(simulation: Simulation, job: JobRecord, now: number): void {
  const queue = simulation.queues.find((each) => each.includes(job))!;
  const mayTry = simulation.options.discipline === 'first-available' || queue[0] === job;
  if (mayTry && tryToStart(simulation, queue, job, now) === 'started') queue.splice(queue.indexOf(job), 1);
  simulation.metEmptyQueue.clear();
}

/** Starts the head of the queue, then the next job, until one cannot start. */
function startJobsFromHead(simulation: Simulation, queue: JobRecord[], now: number): void {
  for (;;) {
    const head = queue.find((job) => !exceedsLimit(simulation, job));
    if (head === undefined) break;
    const isStarted =
      simulation.options.moldable === undefined
        ? startHead(simulation, queue, head, now)
        : tryToStartMoldableHead(simulation, queue, now);
    if (!isStarted) break;
    queue.splice(queue.indexOf(head), 1);
  }
}

/** Starts the head if possible, otherwise by reclaiming its home, unless a policy let it wait. */
function startHead(simulation: Simulation, queue: JobRecord[], head: JobRecord, now: number): boolean {
  const outcome = tryToStart(simulation, queue, head, now);
  return outcome === 'no room' ? tryToReclaim(simulation, head, now) : outcome === 'started';
}

/** Starts the moldable head of the queue with its allocation for now. False if it waits. */
function tryToStartMoldableHead(simulation: Simulation, queue: JobRecord[], now: number): boolean {
  const { options, grid } = simulation;
  const head = queue[0]!;
  const part = allocateMoldableHead(simulation, queue, now);
  if (part === undefined) return false;
  const { speed } = grid[part.site]!;
  startJob(simulation, head, now, [part], moldedExecutionTime(head, part.processors, speed, options));
  return true;
}

/** Starts every job that can start now, in queue order, trying each once. */
function startEveryFittingJob(simulation: Simulation, queue: JobRecord[], now: number): void {
  for (const job of [...queue]) {
    if (exceedsLimit(simulation, job)) continue;
    if (tryToStart(simulation, queue, job, now) === 'started') queue.splice(queue.indexOf(job), 1);
  }
}

/**
 * Starts the job on the site chosen by the policy; if no single site fits, splits it if that is
 * allowed.
 */
export function tryToStart(
  simulation: Simulation,
  queue: JobRecord[],
  job: JobRecord,
  now: number,
): 'started' | 'no room' | 'told to wait' {
  const { options, policy, decisions } = simulation;
  const question = makeAllocationQuestion(simulation, queue, job);
  const own = options.choose && askCustomPolicy(simulation, question, job, queue, now);
  if (own === 'wait') return 'told to wait';
  const answer: AllocationAnswer | undefined =
    own === undefined ? chooseSiteForJob(question, policy) : own === 'none' ? undefined : { site: own };
  if (answer !== undefined) {
    if (answer.comparison !== undefined) decisions[answer.comparison] += 1;
    const parts = [{ site: answer.site.index, processors: job.processors }];
    startJob(simulation, job, now, parts, executionTime(job, answer.site.speed, options));
    return 'started';
  }
  if (options.multiSite === undefined) return 'no room';
  const parts = splitJobOverSites(question, options.multiSite);
  if (parts === undefined) return 'no room';
  startJob(simulation, job, now, parts, splitExecutionTime(job, parts, options));
  return 'started';
}

/**
 * Feasible load sharing (Huang et al. 2007, section 5): if preempting guest jobs can free enough
 * processors for the job at its home, they are preempted, the latest started first (of equals the
 * larger index), until it fits, and the job starts there. False if that is impossible; then nothing
 * is preempted.
 */
function tryToReclaim(simulation: Simulation, job: JobRecord, now: number): boolean {
  if (!simulation.options.reclaim) return false;
  const home = simulation.grid[job.home]!;
  const guestJobs = simulation.running
    .filter((other) => other.parts[0]!.site === job.home && other.home !== job.home)
    .sort((one, other) => other.start - one.start || other.index - one.index);
  let reclaimableProcessors = countFree(home);
  for (const guestJob of guestJobs) reclaimableProcessors += guestJob.processors;
  if (reclaimableProcessors < job.processors) return false;
  for (const guestJob of guestJobs) {
    if (countFree(home) >= job.processors) break;
    preemptJob(simulation, guestJob, now);
  }
  const parts = [{ site: job.home, processors: job.processors }];
  startJob(simulation, job, now, parts, executionTime(job, home.speed, simulation.options));
  return true;
}
