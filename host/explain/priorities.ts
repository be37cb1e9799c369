/** Priorities of a job and of the job ahead of it, by the factors of a multifactor order. */
import {
  isMultifactorOrder,
  makeMultifactorExpression,
  type PriorityFactor,
  parsePriorityFactors,
} from '../options/multifactor.js';
import type { Order } from '../options/order.js';
import { ScheduleOrderStates } from '../simulate/orderStates.js';
import type { RunTimesByJob } from '../simulate/usageByNumber.js';
import type { ComparedPriority, JobPriority } from './explanation.js';
import type { ExplainedJob } from './waitCauses.js';

/** Creates a finder of priorities for a simulation; undefined if its order is not multifactor. */
export function makePriorityFinder(
  order: Order,
  explainedJob: ExplainedJob,
  runTimes: RunTimesByJob,
): PriorityFinder | undefined {
  return typeof order === 'string' && isMultifactorOrder(order)
    ? new PriorityFinder(order, explainedJob, runTimes)
    : undefined;
}

/**
 * Finds the priorities of the explained job and of the first job ahead of it, at times that do not decrease.
 */
class PriorityFinder {
  readonly #explainedJob: ExplainedJob;
  readonly #runs: RunTimesByJob;
  readonly #states: ScheduleOrderStates;
  readonly #factors: readonly PriorityFactor[];
  /** Order key as an expression: the negated priority, since queues are sorted by ascending keys. */
  readonly #key: string;

  constructor(orderText: string, explainedJob: ExplainedJob, runTimes: RunTimesByJob) {
    this.#explainedJob = explainedJob;
    this.#runs = runTimes;
    this.#states = new ScheduleOrderStates(explainedJob.workload, explainedJob.configuration, runTimes);
    this.#factors = parsePriorityFactors(orderText);
    this.#key = makeMultifactorExpression(orderText);
  }

  /** Priorities at a time. The job ahead waits in the same queue at that time. */
  at(time: number): ComparedPriority {
    const { workload, configuration, job } = this.#explainedJob;
    const { count: jobCount, submit, home } = workload;
    const waitingJobs: number[] = [job];
    for (let otherJob = 0; otherJob < jobCount && submit[otherJob]! <= time; otherJob++) {
      const isInQueue = configuration.queue === 'shared' || home[otherJob] === home[job];
      if (otherJob !== job && isInQueue && this.#runs.start[otherJob]! > time) waitingJobs.push(otherJob);
    }
    const sortKeys = this.#states.computeValuesAt(this.#key, time, waitingJobs);
    const queueOrder = Array.from(waitingJobs.keys()).sort(
      (indexA, indexB) =>
        sortKeys[indexA]! - sortKeys[indexB]! || waitingJobs[indexA]! - waitingJobs[indexB]!,
    );
    const firstInQueue = queueOrder[0]!;
    const ownPriority = this.#priorityOf(job, -sortKeys[0]!, time);
    if (firstInQueue === 0) return { time, own: ownPriority };
    return {
      time,
      own: ownPriority,
      ahead: this.#priorityOf(waitingJobs[firstInQueue]!, -sortKeys[firstInQueue]!, time),
    };
  }

  #priorityOf(job: number, total: number, time: number): JobPriority {
    const factors = this.#factors.map(({ name: factorName, weight, value: factorValue }) => {
      const [factor = 0] = this.#states.computeValuesAt(factorValue, time, [job]);
      return { name: factorName, points: weight * factor };
    });
    return { job: this.#explainedJob.names[job]!, total, factors };
  }
}
