import { type Answer, allocate } from './allocators.js';
import { executionTime, moldedExecutionTime, splitExecutionTime } from './execution.js';
import { countFree } from './grid.js';
import { mold } from './moldable.js';
import { split } from './multiSite.js';
import { planByNodes } from './nodePlan.js';
import { askPolicy } from './ownPolicy.js';
import { planQueue } from './planner.js';
import { questionAbout } from './question.js';
import { type JobRecord, refreshEstimates, type Simulation, startJob, stopJob } from './simulation.js';
import { changesKeys, sortByOrder } from './waitingQueue.js';

/**
 * Starts what can be started now. Where the head blocks this is one sweep over the queues, each served until
 * its head cannot start. With a shared queue in submit order a submit that found a job waiting starts nothing
 * that way, since no processor has become free since that job failed.
 */
export function allocationPass(simulation: Simulation, now: number): void {
  const { planBy } = simulation.options;
  refreshEstimates(simulation);
  for (const queue of simulation.queues) {
    arrangeQueue(simulation, queue, now);
    switch (simulation.options.discipline) {
      case 'first-available':
        scanQueue(simulation, queue, now);
        break;
      case 'easy':
      case 'conservative':
        if (planBy === 'node') planByNodes(simulation, queue, now);
        else planQueue(simulation, queue, now);
        break;
      default:
        serveQueue(simulation, queue, now);
    }
  }
  simulation.metEmptyQueue.clear();
}

/** Sorts a queue at the beginning of a pass, where its order is not that of the submits into it. */
export function arrangeQueue({ options }: Simulation, queue: JobRecord[], now: number): void {
  const { discipline, backfillOrder, dynamic } = options;
  // The disciplines that are orders say their own.
  const order = /^[nwsl]jf$/.test(discipline ?? '') ? undefined : options.order;
  const changes = changesKeys(options) || dynamic?.candidates.some(({ rules }) => rules !== undefined);
  if (changes || backfillOrder !== undefined) sortByOrder(queue, order, now, options);
}

/**
 * What a submit starts. A moldable job that comes before others is asked alone, and only if it is the first: those
 * behind it, which chose to wait, are asked again when a job ends. In an order whose keys change, and where jobs are planned,
 * every event tries all.
 */
export function submitPass(simulation: Simulation, job: JobRecord, now: number): void {
  const [queue] = simulation.queues;
  const { moldable, choose, reclaim, discipline } = simulation.options;
  const isPlanned = discipline === 'easy' || discipline === 'conservative';
  if (moldable !== undefined) {
    if (queue[0] === job && tryToMold(simulation, queue, now)) queue.shift();
  } else if (choose !== undefined && !reclaim && !changesKeys(simulation.options) && !isPlanned) {
    tryAlone(simulation, job, now);
  } else {
    allocationPass(simulation, now);
  }
}

/**
 * The submitted job alone, where the head blocks only if it is the head: a policy of one's own is not asked again about
 * those that it told to wait.
 */
function tryAlone(simulation: Simulation, job: JobRecord, now: number): void {
  const queue = simulation.queues.find((each) => each.includes(job))!;
  const mayTry = simulation.options.discipline === 'first-available' || queue[0] === job;
  if (mayTry && tryToStart(simulation, queue, job, now) === 'started') queue.splice(queue.indexOf(job), 1);
  simulation.metEmptyQueue.clear();
}

/** The head of the queue, then the next, until one cannot start. */
function serveQueue(simulation: Simulation, queue: JobRecord[], now: number): void {
  while (queue.length > 0) {
    const head = queue[0]!;
    const isStarted =
      simulation.options.moldable === undefined
        ? startHead(simulation, queue, head, now)
        : tryToMold(simulation, queue, now);
    if (!isStarted) break;
    queue.shift();
  }
}

/** Starts the head where it can, and else by reclaiming its home, if it has not been told to wait. */
function startHead(simulation: Simulation, queue: JobRecord[], head: JobRecord, now: number): boolean {
  const outcome = tryToStart(simulation, queue, head, now);
  return outcome === 'no room' ? tryToReclaim(simulation, head, now) : outcome === 'started';
}

/** Starts the moldable head of the queue with what it is to have now. False when it is to wait. */
function tryToMold(simulation: Simulation, queue: JobRecord[], now: number): boolean {
  const { options, grid } = simulation;
  const head = queue[0]!;
  const part = mold(simulation, queue, now);
  if (part === undefined) return false;
  const { speed } = grid[part.site]!;
  startJob(simulation, head, now, [part], moldedExecutionTime(head, part.processors, speed, options));
  return true;
}

/** Every job that can start now, in the queue's order, asked once each. */
function scanQueue(simulation: Simulation, queue: JobRecord[], now: number): void {
  for (const job of [...queue]) {
    if (tryToStart(simulation, queue, job, now) === 'started') queue.splice(queue.indexOf(job), 1);
  }
}

/** Asks the policy where the job goes and starts it there; where no single site will do it is split, if that
 *  is allowed. */
export function tryToStart(
  simulation: Simulation,
  queue: JobRecord[],
  job: JobRecord,
  now: number,
): 'started' | 'no room' | 'told to wait' {
  const { options, policy, decisions } = simulation;
  const question = questionAbout(simulation, queue, job);
  const own = options.choose && askPolicy(simulation, question, job, queue, now);
  if (own === 'wait') return 'told to wait';
  const answer: Answer | undefined =
    own === undefined ? allocate(question, policy) : own === 'none' ? undefined : { site: own };
  if (answer !== undefined) {
    if (answer.comparison !== undefined) decisions[answer.comparison] += 1;
    const parts = [{ site: answer.site.index, processors: job.processors }];
    startJob(simulation, job, now, parts, executionTime(job, answer.site.speed, options));
    return 'started';
  }
  if (options.multiSite === undefined) return 'no room';
  const parts = split(question, options.multiSite);
  if (parts === undefined) return 'no room';
  startJob(simulation, job, now, parts, splitExecutionTime(job, parts, options));
  return 'started';
}

/**
 * Feasible load sharing (Huang et al. 2007, section 5): if stopping jobs from elsewhere can make room for the
 * job at its home they are stopped, the latest started first (of equals the larger index), until there is
 * room, and the job starts there. False when it cannot, upon which nothing is stopped.
 */
function tryToReclaim(simulation: Simulation, job: JobRecord, now: number): boolean {
  if (!simulation.options.reclaim) return false;
  const home = simulation.grid[job.home]!;
  const guests = simulation.running
    .filter((other) => other.parts[0]!.site === job.home && other.home !== job.home)
    .sort((one, other) => other.start - one.start || other.index - one.index);
  let reclaimable = countFree(home);
  for (const guest of guests) reclaimable += guest.processors;
  if (reclaimable < job.processors) return false;
  for (const guest of guests) {
    if (countFree(home) >= job.processors) break;
    stopJob(simulation, guest, now);
  }
  const parts = [{ site: job.home, processors: job.processors }];
  startJob(simulation, job, now, parts, executionTime(job, home.speed, simulation.options));
  return true;
}
